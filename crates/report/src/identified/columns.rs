//! What was measured and what the model gives, test by test, as columns in SI.

use crate::csv::Column;
use masing_identify::Names;
use masing_identify::result::{Curves, Identified, Pair, Sine};

/// One test.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// `fit` or `validate`.
    pub role: &'static str,
    /// Its columns: measured channels under their own names, those of the model with the suffix `_model`.
    pub columns: Vec<Column>,
}

/// The tests of a result, those that were fitted first.
pub fn curves(found: &Identified) -> Vec<Curve> {
    let names = found.names();
    let each = found.comparisons.iter().map(|test| Curve {
        name: test.name.clone(),
        role: test.role.word(),
        columns: columns(&test.curves, &names),
    });
    each.collect()
}

fn columns(curves: &Curves, names: &Names) -> Vec<Column> {
    match curves {
        Curves::Record(record) => {
            let mut columns = vec![
                Column::new("time", "s", record.time.clone()),
                Column::new(names.displacement, names.length.si(), record.x.clone()),
            ];
            columns.extend(pair(names.force, names.load.si(), &record.force));
            columns
        }
        Curves::Sines(sines) => {
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
        Curves::Masses(masses) => {
            let time = Column::new("time", "s", masses.time.clone());
            let channels = masses.channels.iter();
            let channels = channels
                .flat_map(|(name, quantity, histories)| pair(name, quantity.si(), histories));
            std::iter::once(time).chain(channels).collect()
        }
    }
}

fn pair(name: &str, unit: &str, histories: &Pair) -> [Column; 2] {
    [
        Column::new(name, unit, histories.measured.clone()),
        Column::new(&format!("{name}_model"), unit, histories.model.clone()),
    ]
}
