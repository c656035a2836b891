//! The noise of a force, from cycles that repeat each other.

use super::ReadError;
use masing_data::{Cycle, cycles};
use masing_diagnostic::thresholds;
use std::path::Path;

/// The noise of a force from cycles that repeat each other, where there are any. Rejects loops that run in the wrong
/// direction.
pub fn force_noise(path: &Path, found: &[Cycle], force: &[f64]) -> Result<Option<f64>, ReadError> {
    let lost: f64 = found.iter().filter_map(|c| c.energy).sum();
    let scale: f64 = found
        .iter()
        .filter_map(|c| Some(c.secant_stiffness? * c.amplitude * c.amplitude))
        .sum();
    if lost < -1e-3 * scale {
        return Err(ReadError::WrongWay {
            path: path.to_owned(),
            still: still(force),
        });
    }
    let noise = cycles::blocks(found)
        .iter()
        .filter_map(|block| masing_data::signal::noise::from_cycles(force, found, block))
        .map(|noise| noise.value)
        .reduce(f64::max);
    Ok(noise)
}

/// Share of the samples that repeat the one before over at least the stretch of a clipped force, where it is large.
fn still(force: &[f64]) -> Option<f64> {
    // Resolution repeats a value here and there, at turns most of all.
    const LARGE: f64 = 0.1;
    let runs = force.chunk_by(|a, b| a == b).map(<[f64]>::len);
    let long: usize = runs.filter(|n| *n >= thresholds::CLIPPED_SAMPLES).sum();
    let share = long as f64 / force.len().max(1) as f64;
    (share > LARGE).then_some(share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    fn loops(sign: f64, noise: impl Fn(usize) -> f64) -> (Vec<Cycle>, Vec<f64>) {
        let phase = |i: usize| TAU * i as f64 / 100.0;
        let time: Vec<f64> = (0..=500).map(|i| f64::from(i) * 0.01).collect();
        let x: Vec<f64> = (0..=500).map(|i| 1e-3 * phase(i).sin()).collect();
        let force =
            (0..=500).map(|i| 100.0 * phase(i).sin() + sign * 20.0 * phase(i).cos() + noise(i));
        let force: Vec<f64> = force.collect();
        (cycles::cycles(&x, Some(&force), Some(&time)), force)
    }

    #[test]
    fn cycles_that_repeat_each_other_show_the_noise() {
        // Steps of a golden share of the circle: even over it, with the rms 1/sqrt(2) of a sine.
        let noise = |i: usize| (TAU * 0.618_034 * i as f64).sin();
        let (found, force) = loops(1.0, noise);
        let value = force_noise(Path::new("a.csv"), &found, &force)
            .unwrap()
            .unwrap();
        // Four or five cycles leave the deviation known to some ten per cent.
        assert!((value - 0.5_f64.sqrt()).abs() < 0.2, "{value}");
    }

    #[test]
    fn a_loop_that_gives_energy_is_refused() {
        let (found, force) = loops(-1.0, |_| 0.0);
        let refused = force_noise(Path::new("a.csv"), &found, &force);
        assert!(matches!(refused, Err(ReadError::WrongWay { .. })));
    }
}
