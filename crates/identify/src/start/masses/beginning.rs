//! The initial state of a record of masses that does not begin at rest.

use super::linear::{order, without_gaps, zero_crossings};
use crate::test::{DrivenMasses, Output};
use nalgebra::{Matrix3, Vector3};

/// Displacement and velocity of a mass at the first sample, and their possible sizes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Beginning {
    pub(crate) x: f64,
    pub(crate) v: f64,
    pub(crate) amplitude: f64,
    pub(crate) speed: f64,
}

/// Samples at the beginning that a parabola is laid through.
const FIRST: usize = 9;

/// Reads the beginning of a mass off its channels; what was not measured is taken as zero.
pub(crate) fn beginning(test: &DrivenMasses, dof: usize) -> Beginning {
    let mut out = Beginning::default();
    let rate = zero_crossings(test).unwrap_or(1.0);
    for channel in &test.channels {
        let (Some(d), Some(own)) = (order(channel), without_gaps(&channel.measured)) else {
            continue;
        };
        let peak = own.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        out.amplitude = out.amplitude.max(peak / rate.powi(d as i32));
        if channel.dof != dof {
            continue;
        }
        let (value, slope) = at_start(test.load().time(), &own);
        match channel.output {
            Output::Displacement => {
                out.x = value;
                if out.v == 0.0 {
                    out.v = slope;
                }
            }
            Output::Velocity => out.v = value,
            Output::Acceleration | Output::Force => {}
        }
    }
    out.speed = out.amplitude * rate;
    out
}

/// Value and slope at the first sample of the parabola through the first few.
fn at_start(time: &[f64], values: &[f64]) -> (f64, f64) {
    let n = FIRST.min(values.len());
    let span = time[n - 1] - time[0];
    let (mut normal, mut right) = (Matrix3::zeros(), Vector3::zeros());
    for (t, value) in time.iter().zip(values).take(n) {
        let s = (t - time[0]) / span;
        let row = Vector3::new(1.0, s, s * s);
        normal += row * row.transpose();
        right += row * *value;
    }
    match normal.lu().solve(&right) {
        Some(found) => (found[0], found[1] / span),
        None => (values[0], 0.0),
    }
}
