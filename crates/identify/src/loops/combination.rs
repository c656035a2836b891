//! What a small loop does determine, where it does not determine the parameters one by one.
//!
//! A loop that hardly bends shows the stiffness and how fast it falls with the force: for Dahl sigma
//! and alpha/fc, for Bouc-Wen a and beta zref^n, gamma zref^n with zref the largest force of the law.
//! Standard errors are carried over by the derivatives, correlations included.

use super::law::{Law, LoopLaw};
use crate::fit::Fit;
use crate::problem::unknown::Place;
use crate::test::Preload;
use crate::uncertainty::Status;

/// A number made of several parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Combination {
    /// Name, such as `dahl.alpha/fc`.
    pub name: String,
    /// Value.
    pub value: f64,
    /// SI unit.
    pub unit: &'static str,
    /// Standard error.
    pub std_error: f64,
    /// The force that powers refer to, where there are any.
    pub reference: Option<f64>,
    /// Whether it can be trusted.
    pub status: Status,
}

/// The combinations of a loop law; empty where one of its parameters was given.
pub(super) fn combinations(fit: &Fit, law: &LoopLaw) -> Vec<Combination> {
    let part = &fit.model.assembly().parts()[law.part];
    let value = |i: usize| fit.model.values()[part.params.start + i];
    let label = &part.label;
    match law.law {
        Law::Dahl => {
            let (fc, alpha) = (value(1), value(2));
            let slopes = [0.0, -alpha / (fc * fc), 1.0 / fc];
            let name = format!("{label}.alpha/fc");
            let found = carried(fit, law, name, alpha / fc, &slopes, 0.0);
            found
                .map(|c| Combination { unit: "1/N", ..c })
                .into_iter()
                .collect()
        }
        Law::BoucWen => {
            let zref = largest(fit, law);
            if !(zref > 0.0) {
                return vec![];
            }
            let n = value(3);
            let power = zref.powf(n);
            let each = [(1, "beta"), (2, "gamma")]
                .into_iter()
                .filter_map(|(i, name)| {
                    let mut slopes = [0.0; 4];
                    slopes[i] = power;
                    slopes[3] = value(i) * power * zref.ln();
                    let name = format!("{label}.{name}*zref^n");
                    // The slant may be zero; it is measured by the width.
                    let size = value(1) * power;
                    let found = carried(fit, law, name, value(i) * power, &slopes, size)?;
                    Some(Combination {
                        reference: Some(zref),
                        unit: "N/m",
                        ..found
                    })
                });
            each.collect()
        }
    }
}

/// A combination with its standard error; `None` where a parameter that counts was not sought.
fn carried(
    fit: &Fit,
    law: &LoopLaw,
    name: String,
    value: f64,
    slopes: &[f64],
    size: f64,
) -> Option<Combination> {
    let first = fit.model.assembly().parts()[law.part].params.start;
    let mut share = vec![0.0; fit.unknowns.len()];
    for (i, slope) in slopes.iter().enumerate().filter(|(_, s)| **s != 0.0) {
        let place = Place::Param(first + i);
        let at = fit.unknowns.iter().position(|u| u.place == place)?;
        share[at] = slope * fit.trust.std_error[at];
    }
    let mut variance = 0.0;
    for (i, a) in share.iter().enumerate() {
        for (j, b) in share.iter().enumerate() {
            variance += a * b * fit.trust.correlation[(i, j)];
        }
    }
    let std_error = variance.max(0.0).sqrt();
    let size = size.abs().max(value.abs());
    Some(Combination {
        name,
        value,
        unit: "1",
        std_error,
        reference: None,
        status: Status::of(std_error, size),
    })
}

/// The largest force of the law over the tests, linear parts taken off.
pub(super) fn largest(fit: &Fit, law: &LoopLaw) -> f64 {
    let mut most = 0.0_f64;
    for (target, predicted) in fit.targets.iter().zip(&fit.predicted).take(fit.tests.len()) {
        let Some(rig) = target.rig() else { continue };
        let by = match rig.preload {
            Preload::Motion(by) => by,
            Preload::Force(_) => 0.0,
        };
        for i in rig.samples() {
            let (x, v) = (rig.motion.x()[i] + by, rig.motion.v()[i]);
            let linear = law.linear.iter();
            let parallel: f64 = linear
                .map(|l| fit.model.values()[l.param] * l.at(x, v))
                .sum();
            most = most.max((predicted[i] - parallel).abs());
        }
    }
    most
}
