//! Parameters of the chain recovered from noise-free forces.

mod bushing;

use bushing::{A, B, Wave, rt, si, target};
use masing_identify::{FitOptions, fit};

const NAMES: [&str; 5] = ["rt.k0", "rt.kpa", "rt.kr", "rt.c0", "rt.alpha"];

fn worst(found: &masing_identify::Fit, set: [f64; 5]) -> f64 {
    let pairs = found.model.values().iter().zip(si(set));
    pairs.fold(0.0, |m, (v, t)| f64::max(m, (v / t - 1.0).abs()))
}

fn from(start: Option<Vec<f64>>) -> FitOptions {
    let starts = start.map_or_else(Vec::new, |start| {
        let names = NAMES.iter().map(|n| (*n).to_owned());
        names.zip(start).collect()
    });
    FitOptions {
        starts,
        ..FitOptions::default()
    }
}

#[test]
fn noise_free_parameters_from_close_far_and_automatic_starts() {
    for set in [B, A] {
        let [k0, kpa, kr, c0, alpha] = set;
        for wave in [Wave::Sine, Wave::Triangle] {
            // Finer than any fit steps, so that the data do not repeat its discretisation.
            let test = target(set, wave, 1e-3, 1.0, 16.0);
            let close = si([k0 / 2.0, 2.0 * kpa, kr / 2.0, c0 / 2.0, 2.0 * alpha]);
            let far = si([2.0 * k0, 5.0 * kpa, kr / 5.0, c0 / 5.0, 5.0 * alpha]);
            for (name, start) in [("close", Some(close)), ("far", Some(far)), ("auto", None)] {
                let found = fit(&rt(), vec![test.clone()], vec![], &from(start), None);
                let found = found.expect("a fit");
                let error = worst(&found, set);
                println!(
                    "{name} {wave:?}: {error:.1e}, {} evaluations",
                    found.evaluations
                );
                assert!(
                    error < 1e-3,
                    "{name} {wave:?} {set:?}: {:?}",
                    found.parameters
                );
            }
        }
    }
}
