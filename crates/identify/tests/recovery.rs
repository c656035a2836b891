//! Parameters of the chain recovered from noise-free forces.

mod bushing;

use bushing::{A, B, NAMES, Wave, disturb, peak, random_start, rt, si, target};
use masing_identify::{FitOptions, fit};

fn worst(found: &masing_identify::Identified, set: [f64; 5]) -> f64 {
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
                    found.search.evaluations
                );
                assert!(
                    error < 1e-3,
                    "{name} {wave:?} {set:?}: {:?}",
                    found.estimates
                );
            }
        }
    }
}

#[test]
fn noise_free_parameters_from_random_starts() {
    // `cargo xtask study starts` runs 40 of them.
    for seed in 0..4 {
        let set = if seed % 2 == 0 { B } else { A };
        let test = target(set, Wave::Sine, 1e-3, 1.0, 16.0);
        let options = from(Some(random_start(set, seed)));
        let found = fit(&rt(), vec![test], vec![], &options, None).expect("a fit");
        assert!(worst(&found, set) < 1e-3, "{seed}: {:?}", found.estimates);
    }
}

#[test]
fn error_bars_hold_under_noise() {
    // `cargo xtask study noise` compares 60 seeds with the Cramer-Rao bound.
    let clean = target(B, Wave::Sine, 1e-3, 1.0, 16.0);
    let deviation = 0.01 * peak(&clean);
    let mut squares = Vec::new();
    for seed in 0..4 {
        let mut test = clean.clone();
        disturb(&mut test, deviation, 300 + seed);
        let found = fit(&rt(), vec![test], vec![], &from(None), None).expect("a fit");
        let outcome = &found.comparisons[0];
        assert!(
            (outcome.noise.value / deviation - 1.0).abs() < 0.06,
            "{outcome:?}"
        );
        for (p, truth) in found.estimates.iter().zip(si(B)) {
            let error = p.std_error.expect("a free parameter");
            squares.push(((p.value - truth) / error).powi(2));
        }
    }
    // 20 squares of about a normal distribution each: 99.9 % of such means lie below 2.3 (chi2 with
    // at least 20 - correlation degrees of freedom), and not all of them are tiny.
    let mean = squares.iter().sum::<f64>() / squares.len() as f64;
    assert!(mean > 0.2 && mean < 2.6, "{squares:?}");
}
