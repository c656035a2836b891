//! A force law of a user's own, written once and fitted to data with exact derivatives.
//!
//! `cargo run --release -p custom-element`

mod eyring;
mod fit;

use eyring::Eyring;
use masing_model::{Assembly, Solved};
use masing_sim::{Motion, Numerics, Prescribed, SimError, choose};
use std::sync::Arc;

/// The values that made the data.
const TRUTH: [f64; 4] = [6e4, 1.4e5, 8.0, 5e-5];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut assembly = Assembly::new();
    assembly.push("eyring", Arc::new(Solved(Eyring::default())), None)?;
    let motion = motion()?;
    let data = data(&assembly, &motion)?;

    let start = assembly.defaults();
    let numerics = choose(&assembly, &start, &motion, 1e-5)?;
    let run = Prescribed::new(&assembly, &motion, numerics);
    let found = fit::fit(&run, &data, &start)?;

    println!(
        "{:<14}{:>12}{:>12}{:>12}{:>12}",
        "parameter", "truth", "start", "found", "+-"
    );
    for (i, (address, _)) in assembly.params().enumerate() {
        println!(
            "{address:<14}{:>12.4e}{:>12.4e}{:>12.4e}{:>12.1e}",
            TRUTH[i], start[i], found.p[i], found.std_error[i]
        );
    }
    println!(
        "error {:.3} N rms (the data carry 0.5 N of noise), {} evaluations",
        found.rms, found.evaluations
    );
    Ok(())
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

    #[test]
    fn the_truth_is_found_within_its_error_bars() {
        let mut assembly = Assembly::new();
        assembly
            .push("eyring", Arc::new(Solved(Eyring::default())), None)
            .expect("a new label");
        let motion = motion().expect("a sound motion");
        let data = data(&assembly, &motion).expect("a run");
        let start = assembly.defaults();
        let numerics = choose(&assembly, &start, &motion, 1e-5).expect("a choice");
        let found = fit::fit(
            &Prescribed::new(&assembly, &motion, numerics),
            &data,
            &start,
        )
        .expect("a fit");
        for i in 0..4 {
            let off = (found.p[i] - TRUTH[i]).abs() / found.std_error[i];
            // Four parameters within four standard errors, on one fixed draw of noise.
            assert!(off < 4.0, "parameter {i}: {off} standard errors off");
            assert!(found.std_error[i] < 0.05 * TRUTH[i]);
        }
        assert!((found.rms - 0.5).abs() < 0.05, "{}", found.rms);
    }
}
