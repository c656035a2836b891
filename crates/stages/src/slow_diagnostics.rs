//! What a user should know about a slow record and the stages found in it.

use super::quasi_static::QuasiStatic;
use masing_diagnostic::{
    Clearance, Diagnostic, Method, ResultDiagnostic, StagesDiagnostic, thresholds,
};

/// All diagnostics.
pub(super) fn diagnostics(found: &QuasiStatic, correlated: bool) -> Vec<Diagnostic> {
    let mut out: Vec<Diagnostic> = [
        not_closed(found),
        drift(found),
        turn_round(found),
        zero(found),
        clearance(found),
    ]
    .into_iter()
    .flatten()
    .map(Into::into)
    .collect();
    if found.clearance_rubs {
        out.push(StagesDiagnostic::ClearanceFriction { fast: false }.into());
    }
    out.extend(falling(found).map(Diagnostic::from));
    let friction = [no_friction(found, false), no_friction(found, true)];
    out.extend(friction.into_iter().flatten().map(Diagnostic::from));
    let method = Method::SlowStages;
    if correlated {
        let tests = vec![];
        out.push(ResultDiagnostic::CorrelatedResiduals { method, tests }.into());
    }
    if found.max_deviation > thresholds::POOR_STAGES {
        let poor = ResultDiagnostic::PoorFit {
            method,
            error: found.max_deviation,
            test: None,
            scale: None,
            preload: None,
        };
        out.push(poor.into());
    }
    out
}

/// A torque, as a share of the largest.
fn share(found: &QuasiStatic, torque: f64) -> f64 {
    torque.abs() / found.device.largest_torque().max(f64::MIN_POSITIVE)
}

fn not_closed(found: &QuasiStatic) -> Option<StagesDiagnostic> {
    let ([low, high], [first, last]) = (found.paths.range, found.paths.whole);
    let missing = 1.0 - (high - low) / (last - first);
    (missing > thresholds::NOT_CLOSED).then_some(StagesDiagnostic::NotClosed { missing })
}

fn drift(found: &QuasiStatic) -> Option<StagesDiagnostic> {
    found.paths.drift.map(|drift| StagesDiagnostic::Drift {
        higher: drift > 0.0,
        share: share(found, drift),
    })
}

fn turn_round(found: &QuasiStatic) -> Option<StagesDiagnostic> {
    let [first, last] = found.paths.whole;
    let share = found.paths.turn_round / (last - first);
    (found.paths.turn_round > 0.0).then_some(StagesDiagnostic::TurnRound { share })
}

fn zero(found: &QuasiStatic) -> Option<StagesDiagnostic> {
    (found.zero != 0.0).then(|| StagesDiagnostic::Zero {
        zero: found.zero,
        share: share(found, found.zero),
    })
}

fn clearance(found: &QuasiStatic) -> Option<StagesDiagnostic> {
    let device = &found.device;
    if device.has_clearance() {
        let open = device.minus == 0 || device.plus + 1 == device.len();
        return open.then_some(StagesDiagnostic::ClearanceOpen {});
    }
    let next = [device.minus.checked_sub(1), Some(device.plus + 1)];
    let weak = next
        .into_iter()
        .flatten()
        .filter_map(|i| device.torques.get(i))
        .any(|t| t.abs() < found.noise);
    let found = if weak {
        Clearance::BelowNoise
    } else {
        Clearance::None
    };
    Some(StagesDiagnostic::NoClearance { found })
}

fn falling(found: &QuasiStatic) -> impl Iterator<Item = StagesDiagnostic> + '_ {
    let stages = found.stiffness.iter();
    stages
        .filter(|(_, k, error)| *k < -thresholds::FALLING_SIGMAS * error)
        .map(|(stage, _, _)| StagesDiagnostic::NegativeStiffness {
            stage: found.device.name(stage.outer),
        })
}

/// Nodes whose friction came out below zero, within its noise or beyond.
fn no_friction(found: &QuasiStatic, beyond_noise: bool) -> Option<StagesDiagnostic> {
    let device = &found.device;
    let own = (0..device.len()).filter(|i| {
        let noise = thresholds::NO_FRICTION_SIGMAS * found.std_error[*i][2].unwrap_or(0.0);
        device.friction[*i] < 0.0 && (device.friction[*i] < -noise) == beyond_noise
    });
    let nodes: Vec<String> = own.map(|i| device.name(i)).collect();
    (!nodes.is_empty()).then_some(StagesDiagnostic::NoFriction {
        nodes,
        beyond_noise,
    })
}
