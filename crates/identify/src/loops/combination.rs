//! What a small loop does determine, where it does not determine the single parameters.
//!
//! A loop that hardly bends shows the stiffness and how fast it falls with the force, in combinations of
//! parameters that the law names. Standard errors are carried over by the derivatives, correlations included.

use super::law::LoopModel;
use crate::fit::Solution;
use crate::problem::unknown::Place;
use crate::uncertainty::Status;
use masing_data::Preload;
use masing_model::Part;
use masing_model::law::Combined;

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

/// The combinations of a loop law, except those that contain a given parameter.
pub(super) fn combinations(fit: &Solution, own: &LoopModel<'_>) -> Vec<Combination> {
    let part = &fit.model.assembly().parts()[own.part];
    let p = &fit.model.values()[part.params.clone()];
    let each = own.law.combinations(p, largest(fit, own)).into_iter();
    each.filter_map(|combined| carried(fit, part, &combined))
        .collect()
}

/// A combination with its standard error; `None` where a parameter that counts was not sought.
fn carried(fit: &Solution, part: &Part, combined: &Combined) -> Option<Combination> {
    let mut share = vec![0.0; fit.unknowns.len()];
    let slopes = combined.slopes.iter().enumerate();
    for (i, slope) in slopes.filter(|(_, s)| **s != 0.0) {
        let place = Place::Param(part.params.start + i);
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
    let size = combined.size.abs().max(combined.value.abs());
    Some(Combination {
        name: format!("{}.{}", part.label, combined.name),
        value: combined.value,
        unit: combined.unit,
        std_error,
        reference: combined.reference,
        status: Status::of(std_error, size),
    })
}

/// The largest force of the law over the tests, linear parts taken off.
pub(super) fn largest(fit: &Solution, own: &LoopModel<'_>) -> f64 {
    let mut most = 0.0_f64;
    for (target, predicted) in fit
        .simulated
        .iter()
        .zip(&fit.predicted)
        .take(fit.tests.len())
    {
        let Some(rig) = target.motion_record() else {
            continue;
        };
        let by = match rig.preload {
            Preload::Motion(by) => by,
            Preload::Force(_) => 0.0,
        };
        for i in rig.samples() {
            let (x, v) = (rig.motion.x()[i] + by, rig.motion.v()[i]);
            let linear = own.linear.iter();
            let parallel: f64 = linear
                .map(|l| fit.model.values()[l.param] * l.at(x, v))
                .sum();
            most = most.max((predicted[i] - parallel).abs());
        }
    }
    most
}
