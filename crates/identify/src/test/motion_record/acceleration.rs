//! The acceleration of a mass that moves along with the part.
//!
//! Second differences of a displacement are mostly its noise: at 1 kHz a micrometre becomes 2 m/s^2. A mass that is sought
//! with them comes out far too small. The displacement is therefore smoothed, over as few samples as leave a mass able to
//! explain what the part leaves of the force.

use super::MotionRecord;
use masing_data::signal::smooth;

/// Samples on each side that are tried. Nothing narrower holds a polynomial of that degree with a sample to spare; wider
/// ones cut off what a rig can shake at.
const HALF_WINDOWS: [usize; 8] = [3, 4, 6, 8, 12, 16, 24, 32];

/// Degree of the polynomials: lower ones cut off more of the motion for the same noise.
const DEGREE: usize = 5;

/// Share of the best window's explanation that a narrower one has to give to be taken.
const NEARLY_AS_GOOD: f64 = 0.97;

/// Acceleration of a smoothed displacement.
#[derive(Clone, Debug, PartialEq)]
pub struct SmoothAcceleration {
    /// Samples on each side that the displacement was smoothed over.
    pub half: usize,
    /// The acceleration.
    pub values: Vec<f64>,
}

impl MotionRecord {
    /// Acceleration as it was measured, that of the smoothed displacement, or second differences of the displacement.
    pub fn acceleration(&self) -> Vec<f64> {
        let smooth = self.smooth_acceleration.as_ref().map(|a| &a.values);
        match self.measured_acceleration.as_ref().or(smooth) {
            Some(known) => known.clone(),
            None => self.differences(),
        }
    }

    /// Samples and seconds that the displacement is smoothed over where a mass moves along.
    pub(crate) fn smoothed_over(&self) -> Option<(usize, f64)> {
        self.nuisance.moving_mass?;
        let samples = 2 * self.smooth_acceleration.as_ref()?.half + 1;
        let (t, n) = (self.motion.time(), self.motion.len());
        let step = (t[n - 1] - t[0]) / (n - 1) as f64;
        Some((samples, samples as f64 * step))
    }

    /// Second differences of the displacement, at the ends those of the neighbour.
    pub fn differences(&self) -> Vec<f64> {
        let (t, x) = (self.motion.time(), self.motion.x());
        let n = t.len();
        if n < 3 {
            return vec![0.0; n];
        }
        let slope = |i: usize| (x[i + 1] - x[i]) / (t[i + 1] - t[i]);
        (0..n)
            .map(|i| {
                let i = i.clamp(1, n - 2);
                2.0 * (slope(i) - slope(i - 1)) / (t[i + 1] - t[i - 1])
            })
            .collect()
    }

    /// Smooths the displacement so that a mass explains as much as it can of `force`, which the part leaves of the measured
    /// force; returns whether the acceleration changed.
    pub(crate) fn smooth_acceleration_for(&mut self, force: &[f64]) -> bool {
        if self.measured_acceleration.is_some() {
            return false;
        }
        let explained = |a: &[f64]| {
            let (mut both, mut own) = (0.0, 0.0);
            for i in self.samples() {
                both += a[i] * force[i];
                own += a[i] * a[i];
            }
            // A negative mass explains nothing.
            if both > 0.0 { both * both / own } else { 0.0 }
        };
        let mut tried = vec![(explained(&self.differences()), None)];
        for half in HALF_WINDOWS {
            let smooth = smooth(self.motion.time(), self.motion.x(), half, DEGREE);
            let Ok(smooth) = smooth else { break };
            let values = smooth.second;
            if values.iter().all(|a| a.is_finite()) {
                let share = explained(&values);
                tried.push((share, Some(SmoothAcceleration { half, values })));
            }
        }
        let most = tried.iter().map(|(share, _)| *share).fold(0.0, f64::max);
        let enough = tried
            .into_iter()
            .find(|(share, _)| *share >= NEARLY_AS_GOOD * most);
        let chosen = enough.and_then(|(_, chosen)| chosen);
        let half = |a: &Option<SmoothAcceleration>| a.as_ref().map(|a| a.half);
        let changed = half(&chosen) != half(&self.smooth_acceleration);
        self.smooth_acceleration = chosen;
        changed
    }
}

#[cfg(test)]
mod tests {
    use crate::fit::{FitOptions, fit};
    use crate::test::{MotionRecord, Nuisance, Test};
    use crate::trial::model;
    use masing_model::Rng;
    use masing_sim::Motion;
    use std::f64::consts::TAU;

    /// A spring shaken at 1 and 40 Hz under a grip of 200 kg, the displacement noisy by a micrometre.
    #[test]
    fn a_mass_is_not_lost_in_the_noise_of_the_displacement() {
        let (k, mass) = (1e6, 200.0);
        let time: Vec<f64> = (0..3000).map(|i| 1e-3 * f64::from(i)).collect();
        let mut random = Rng::new(7);
        let (mut x, mut force) = (Vec::new(), Vec::new());
        for t in &time {
            let waves = [(5e-3, TAU), (2e-5, 40.0 * TAU)];
            let own: f64 = waves.iter().map(|(a, w)| a * (w * t).sin()).sum();
            let curved: f64 = waves.iter().map(|(a, w)| -a * w * w * (w * t).sin()).sum();
            x.push(own + 1e-6 * random.gaussian());
            force.push(k * own + mass * curved);
        }
        let motion = Motion::new(time, x, None).expect("a motion");
        let mut rig = MotionRecord::new(motion, force);
        rig.nuisance = Nuisance {
            moving_mass: Some(-1.0),
            ..Nuisance::default()
        };
        // Second differences give a mass of a third of that.
        let differences = rig.differences();
        let noise = differences.iter().map(|a| a * a).sum::<f64>() / 3000.0;
        assert!(noise > 4.0, "{noise}");
        let test = Test::of("shaken", rig);
        let options = FitOptions::default();
        let found = fit(&model("spring"), vec![test], vec![], &options, None).expect("a fit");
        let value = found.nuisance[0].value;
        // What the smoothing leaves of the noise, and takes of 40 Hz, is a few per cent.
        assert!((value / mass - 1.0).abs() < 0.1, "{value}");
    }
}
