//! What was measured and what the model gives, test by test, as columns in SI.

use super::fitted::Fitted;
use super::report::view::{Pair, Shown, Sine, View};
use crate::csv::Column;
use crate::names::Names;

/// One test.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// `fit` or `validate`.
    pub role: &'static str,
    /// Its columns: what was measured under its own name, what the model gives with `_model` behind it.
    pub columns: Vec<Column>,
}

impl Fitted {
    /// The tests, those that were fitted first.
    pub fn curves(&self) -> Vec<Curve> {
        let names = Names::of(self.model().motion());
        let view = View::of(self.fit(), &names);
        let each = view.tests.into_iter().map(|test| Curve {
            name: test.name,
            role: if test.held_out { "validate" } else { "fit" },
            columns: columns(test.shown, &names),
        });
        each.collect()
    }
}

fn columns(shown: Shown, names: &Names) -> Vec<Column> {
    match shown {
        Shown::Record(record) => {
            let mut columns = vec![
                Column::new("time", "s", record.time),
                Column::new(names.displacement, names.length.si(), record.x),
            ];
            columns.extend(pair(names.force, names.load.si(), record.force));
            columns
        }
        Shown::Sines(sines) => {
            let column = |name: &str, unit: &str, value: fn(&Sine) -> f64| {
                Column::new(name, unit, sines.iter().map(value).collect())
            };
            let stiffness = names.stiffness.si();
            vec![
                column("frequency", "Hz", |s| s.frequency),
                column("amplitude", names.length.si(), |s| s.amplitude),
                column("stiffness", stiffness, |s| s.stiffness[0]),
                column("stiffness_model", stiffness, |s| s.stiffness[1]),
                column("loss_angle", "rad", |s| s.loss_angle[0]),
                column("loss_angle_model", "rad", |s| s.loss_angle[1]),
            ]
        }
        Shown::Masses(masses) => {
            let time = Column::new("time", "s", masses.time);
            let channels = masses.channels.into_iter();
            let channels = channels
                .flat_map(|(name, quantity, histories)| pair(&name, quantity.si(), histories));
            std::iter::once(time).chain(channels).collect()
        }
    }
}

fn pair(name: &str, unit: &str, histories: Pair) -> [Column; 2] {
    [
        Column::new(name, unit, histories.measured),
        Column::new(&format!("{name}_model"), unit, histories.model),
    ]
}
