//! A force law of a user's own, written once: it is fitted without a start, its error bars and diagnostics
//! are told, and it gets a page, although nothing but this crate knows it.
//!
//! `cargo run --release -p custom-element`

mod eyring;

use eyring::Eyring;
use masing::{Fitted, fit_model};
use masing_identify::{FitOptions, Test};
use masing_model::{Assembly, Model, Solved};
use masing_sim::{Motion, Numerics, Prescribed, SimError};
use std::error::Error;
use std::sync::Arc;

/// The values that made the data.
const TRUTH: [f64; 4] = [6e4, 1.4e5, 8.0, 5e-5];

fn main() -> Result<(), Box<dyn Error>> {
    let model = model()?;
    let all = fitted(&model, motion()?)?;
    println!("{}", all.text(None));
    println!("The values that made the data: {TRUTH:?}");
    let page = std::env::temp_dir().join("eyring.html");
    std::fs::write(&page, all.page()?)?;
    println!("The report: {}", page.display());
    Ok(())
}

/// The law alone. Its label in addresses is the name that it is pushed under.
fn model() -> Result<Model, Box<dyn Error>> {
    let mut assembly = Assembly::new();
    assembly.push("eyring", Arc::new(Solved(Eyring::default())), None)?;
    Ok(Model::with_defaults(assembly, None)?)
}

/// A fit to the force along a motion, everything sought and nothing said about where to start.
fn fitted(model: &Model, motion: Motion) -> Result<Fitted, Box<dyn Error>> {
    let force = data(model.assembly(), &motion)?;
    let test = Test::new("trial", motion, force);
    let options = FitOptions::default();
    Ok(fit_model(model, vec![test], vec![], &options)?)
}

/// Two sines and a ramp with a hold: amplitude, rate and relaxation in one record.
fn motion() -> Result<Motion, SimError> {
    let time: Vec<f64> = (0..1500).map(|i| f64::from(i) * 4e-3).collect();
    let x = time
        .iter()
        .map(|&t| {
            if t < 2.0 {
                1e-3 * (std::f64::consts::TAU * t).sin()
            } else if t < 3.0 {
                3e-4 * (5.0 * std::f64::consts::TAU * (t - 2.0)).sin()
            } else {
                1e-3 * ((t - 3.0) / 0.05).min(1.0)
            }
        })
        .collect();
    Motion::new(time, x, None)
}

/// Forces of the true model, finely stepped, with seeded noise.
fn data(assembly: &Assembly, motion: &Motion) -> Result<Vec<f64>, SimError> {
    let numerics = Numerics {
        max_dt: 1e-4,
        ..Numerics::default()
    };
    let mut force = Prescribed::new(assembly, motion, numerics).run(&TRUTH)?;
    let mut state = 42_u64;
    let mut uniform = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    for f in &mut force {
        // The sum of twelve uniform numbers is close to normal, with unit variance.
        *f += 0.5 * ((0..12).map(|_| uniform()).sum::<f64>() - 6.0);
    }
    Ok(force)
}

#[cfg(test)]
mod tests {
    use super::*;
    use masing_identify::start::guess;
    use masing_model::registry;

    #[test]
    fn the_truth_is_found_and_told_on_a_page() {
        assert!(registry::find("eyring").is_err());
        let model = model().expect("a model");
        let found = fitted(&model, motion().expect("a motion")).expect("a fit");
        assert!(found.failure().is_none());
        for (i, (value, truth)) in found.model().values().iter().zip(TRUTH).enumerate() {
            // Four parameters to a few per cent under half a newton of noise.
            assert!((value / truth - 1.0).abs() < 0.05, "parameter {i}: {value}");
        }
        let json = found.json().expect("a document");
        assert!(json.contains("\"eyring.v0\""), "{json}");
        let page = found.page().expect("a page");
        assert!(page.contains("eyring.k_inf") && page.contains("<svg"));
    }

    #[test]
    fn it_gets_a_first_guess() {
        let model = model().expect("a model");
        let motion = motion().expect("a motion");
        let force = data(model.assembly(), &motion).expect("a run");
        let test = Test::new("trial", motion, force);
        let start = guess(&model, &test.features().expect("a loop"));
        model.with(start.clone()).expect("values within the ranges");
        // The size of the stiffness comes from the record, not from the default.
        assert!((0.2..5.0).contains(&(start[0] / TRUTH[0])), "{start:?}");
    }

    #[test]
    fn what_one_slow_ramp_leaves_open_is_told_with_advice() {
        // So slow that the dashpot follows: its force and speed scales cannot be told apart.
        let time: Vec<f64> = (0..400).map(f64::from).collect();
        let x = time.iter().map(|t| 1e-7 * t).collect();
        let motion = Motion::new(time, x, None).expect("a motion");
        let found = fitted(&model().expect("a model"), motion).expect("a fit");
        let text = found.text(None);
        assert!(
            text.contains("add a test at another speed or a relaxation step"),
            "{text}"
        );
    }
}
