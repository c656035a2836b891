//! A kind of test that the library does not know: energy lost per cycle, nothing else measured.

use masing_identify::objective::predict::{Prediction, Question};
use masing_identify::test::{Output, Row};
use masing_identify::{FitError, FitOptions, Kind, Place, Residuals, Test, fit};
use masing_model::{Assembly, Features, Model, Shape, Validity};
use masing_sim::{Column, Cycled, Numerics, Repeat, sine_cycle};

/// Energy lost per cycle of sines.
#[derive(Clone, Debug)]
struct LostEnergy {
    /// Amplitude and energy of every sine.
    sines: Vec<(f64, f64)>,
}

const SAMPLES: usize = 2000;

impl Kind for LostEnergy {
    fn copy(&self) -> Box<dyn Kind> {
        Box::new(self.clone())
    }

    fn rows(&self) -> Vec<Row> {
        let rows = self.sines.iter().enumerate();
        rows.map(|(entry, &(_, energy))| Row {
            entry,
            measured: energy,
            size: energy,
            noise: Some(1e-3 * energy),
            floor: 1e-4 * energy,
        })
        .collect()
    }

    fn predict(&self, question: &Question<'_>) -> Result<Prediction, FitError> {
        let sought = |unknown: &masing_identify::Unknown| match unknown.place {
            Place::Param(index) => Column::Param(index),
            other => panic!("no nuisance: {other:?}"),
        };
        let wanted = question.derivatives.then_some(question.unknowns);
        let columns: Vec<Column<'_>> = wanted.into_iter().flatten().map(sought).collect();
        let (mut values, mut jacobian) = (Vec::new(), Vec::new());
        for &(amplitude, _) in &self.sines {
            let cycle = sine_cycle(amplitude, 1.0, 0.0, SAMPLES)?;
            let cycled = Cycled {
                assembly: question.model.assembly(),
                cycle: &cycle,
                run_in: None,
                numerics: Numerics::default(),
            };
            let (run, _) = cycled.tangent(question.p, Repeat::Times(2), &columns)?;
            let lost = |force: &dyn Fn(usize) -> f64| -> f64 {
                let steps = cycle.x().windows(2).enumerate();
                steps
                    .map(|(i, x)| 0.5 * (force(i) + force(i + 1)) * (x[1] - x[0]))
                    .sum()
            };
            values.push(lost(&|i| run.force[i]));
            let width = columns.len();
            jacobian.extend((0..width).map(|c| lost(&|i| run.jacobian[i * width + c])));
        }
        Ok(Prediction { values, jacobian })
    }

    fn choose_numerics(&mut self, _model: &Model, _p: &[f64]) -> Result<(), FitError> {
        Ok(())
    }

    fn numerics(&self) -> Numerics {
        Numerics::default()
    }

    fn cycles(&self) -> usize {
        2
    }

    fn features(&self) -> Option<Features> {
        let &(amplitude, energy) = self.sines.last()?;
        let force = energy / (3.0 * amplitude);
        let slope = 3.0 * force / amplitude;
        Some(Features {
            amplitude,
            force,
            slope_after: slope,
            slope_before: 0.0,
            secant: force / amplitude,
            speed: 4.0 * amplitude,
            energy,
        })
    }

    fn covers(&self, _model: &Model) -> Option<Validity> {
        let &(amplitude, _) = self.sines.last()?;
        Some(Validity {
            displacement: [-amplitude, amplitude],
            speed: 4.0 * amplitude,
            frequency: None,
        })
    }

    fn outputs(&self) -> Vec<Output> {
        vec![]
    }

    fn take_noise(&mut self, _outcome: &Residuals) {}

    fn first_look(&self) -> Option<Box<dyn Kind>> {
        None
    }

    fn is_history(&self) -> bool {
        false
    }
}

#[test]
fn a_spring_slider_is_found_from_energies_alone() {
    let (k, limit) = (2e6, 600.0);
    // A spring and a slider in series lose 4 limit (amplitude - limit/k) per cycle.
    let sines = [5e-4, 1e-3, 2e-3, 3e-3].map(|a| (a, 4.0 * limit * (a - limit / k)));
    let kind = LostEnergy {
        sines: sines.to_vec(),
    };
    let assembly = Assembly::from_names("jenkins", |_| Shape::default()).expect("a law");
    let model = Model::with_defaults(assembly, None).expect("defaults");
    let tests = vec![Test::of("energies", kind)];
    let found = fit(&model, tests, vec![], &FitOptions::default(), None).expect("a fit");
    // Steps of a sine miss the kink by a step at most: 1e-5 of the energy.
    for (estimate, truth) in found.estimates.iter().zip([k, limit]) {
        let off = (estimate.value / truth - 1.0).abs();
        assert!(off < 1e-3, "{estimate:?}");
    }
    assert_eq!(
        found.model.validity.as_ref().map(|v| v.displacement[1]),
        Some(3e-3)
    );
}
