//! What a user should know about the analysis of a fast record.

use super::device::Device;
use super::dynamics::Dynamics;
use super::motion::Motion;
use super::paths::ends;
use super::refine::NodeStatus;
use masing_diagnostic::{
    CoarseSampling, Diagnostic, Method, ResultDiagnostic, StagesDiagnostic, WeakFriction,
    thresholds,
};
use masing_identify::search::optimise::Stop;
use std::f64::consts::TAU;

/// The threshold for a record of that many samples: fourth differences of n samples give the variance of the noise with
/// a standard error of sqrt(2 * 2.63 / n), 2.63 being the sum of the squares of their correlations.
pub(super) fn chi2_gate(samples: usize) -> f64 {
    thresholds::BEYOND_NOISE_FAST_STAGES + 2.0 * (5.26 / samples.max(1) as f64).sqrt()
}

/// All diagnostics.
pub(super) fn diagnostics(found: &Dynamics, motion: &Motion, slow: &Device) -> Vec<Diagnostic> {
    let stages = [
        fixed_angle(motion, slow),
        held_start(motion, slow),
        fixed_velocity(motion),
        wandered(motion, slow),
        (!found.can_tell()).then_some(StagesDiagnostic::OneStage {}),
        close_ranking(found, motion),
        too_coarse(motion, slow),
        gains(found, slow),
        less_friction(found),
        nodes(found, slow, NodeStatus::NotReached)
            .map(|nodes| StagesDiagnostic::NotReached { nodes }),
        weak(found, slow, WeakFriction::HardlyEntered),
        weak(found, slow, WeakFriction::LargeError),
        nodes(found, slow, NodeStatus::AtBound).map(|nodes| StagesDiagnostic::AtBound { nodes }),
        found
            .clearance_rubs
            .then_some(StagesDiagnostic::ClearanceFriction { fast: true }),
    ];
    let mut out: Vec<Diagnostic> = stages.into_iter().flatten().map(Into::into).collect();
    let method = Method::FastStages;
    if found.refined.chi2_dof > chi2_gate(motion.len()) {
        let times = found.refined.chi2_dof.sqrt();
        out.push(ResultDiagnostic::BeyondNoise { method, times }.into());
    }
    out.extend(worse_than_ranked(found).map(Diagnostic::from));
    match found.refined.stop {
        stop if stop.converged() => {}
        Stop::Interrupted => out.push(ResultDiagnostic::Interrupted { method }.into()),
        _ => out.push(ResultDiagnostic::NotConverged { method }.into()),
    }
    out
}

/// An angle or length as a share of the range of the device.
fn of_range(value: f64, slow: &Device) -> f64 {
    value.abs() / (slow.angles[slow.len() - 1] - slow.angles[0])
}

fn fixed_angle(motion: &Motion, slow: &Device) -> Option<StagesDiagnostic> {
    let offset = motion.mended.angle?;
    let share = of_range(offset, slow);
    Some(StagesDiagnostic::AngleZero { share })
}

fn held_start(motion: &Motion, slow: &Device) -> Option<StagesDiagnostic> {
    let shift = motion.mended.start?;
    let (share, beyond) = (of_range(shift, slow), shift > 0.0);
    Some(StagesDiagnostic::HeldStart { share, beyond })
}

fn fixed_velocity(motion: &Motion) -> Option<StagesDiagnostic> {
    let share = motion.mended.velocity?.abs() / motion.peak_speed();
    Some(StagesDiagnostic::VelocityZero { share })
}

fn wandered(motion: &Motion, slow: &Device) -> Option<StagesDiagnostic> {
    let share = of_range(motion.mended.wander?, slow);
    Some(StagesDiagnostic::Wander { share })
}

fn close_ranking(found: &Dynamics, motion: &Motion) -> Option<StagesDiagnostic> {
    if motion.mended.wander.is_some() {
        return None;
    }
    let order = found.by_error(motion);
    let ratio = order[1].metrics.rms_angle / order[0].metrics.rms_angle;
    let close = found.can_tell() && ratio < thresholds::RANKING_APART;
    close.then(|| StagesDiagnostic::CloseRanking {
        first: order[0].formulation.name.to_string(),
        second: order[1].formulation.name.to_string(),
    })
}

fn gains(found: &Dynamics, slow: &Device) -> Option<StagesDiagnostic> {
    let stages = found.energy.stages.iter();
    let nodes: Vec<String> = stages
        .filter(|s| s.coverage > 0.0 && !s.accepted[0])
        .map(|s| slow.name(s.stage.outer))
        .collect();
    (!nodes.is_empty()).then_some(StagesDiagnostic::Gain { nodes })
}

fn less_friction(found: &Dynamics) -> Option<StagesDiagnostic> {
    let share = found.energy.dissipated / found.energy.slow;
    (share < thresholds::LESS_FRICTION).then_some(StagesDiagnostic::LessFriction { share })
}

/// The nodes of a status, where there are any.
fn nodes(found: &Dynamics, slow: &Device, status: NodeStatus) -> Option<Vec<String>> {
    let own = (0..slow.len()).filter(|i| found.refined.status[*i] == status);
    let names: Vec<String> = own.map(|i| slow.name(i)).collect();
    (!names.is_empty()).then_some(names)
}

/// Nodes that are poorly determined; the energy balance accepts those whose stage the motion enters.
fn weak(found: &Dynamics, slow: &Device, why: WeakFriction) -> Option<StagesDiagnostic> {
    let own = (0..slow.len()).filter(|&i| {
        let stage = found.energy.stages.iter().find(|s| s.stage.outer == i);
        found.refined.status[i] == NodeStatus::PoorlyDetermined
            && stage.is_none_or(|s| s.accepted[0]) == (why == WeakFriction::LargeError)
    });
    let nodes: Vec<String> = own.map(|i| slow.name(i)).collect();
    (!nodes.is_empty()).then_some(StagesDiagnostic::PoorlyDetermined { nodes, why })
}

fn worse_than_ranked(found: &Dynamics) -> Option<StagesDiagnostic> {
    let first = found.ranking.first();
    let best = first.and_then(|name| found.formulation(name))?;
    let worse = found.refined_metrics.rms_angle > best.metrics.rms_angle;
    worse.then(|| StagesDiagnostic::RefinedWorse {
        formulation: best.formulation.name.to_string(),
    })
}

/// Samples in a swing of the stiffest stage that the motion enters.
pub(super) fn samples_per_swing(motion: &Motion, device: &Device) -> f64 {
    let [low, high] = ends(&motion.angle);
    let angle = |node: usize| device.angles[node];
    let entered = device
        .stages()
        .into_iter()
        .filter(|s| angle(s.inner.min(s.outer)) < high && angle(s.inner.max(s.outer)) > low);
    let stiffest = entered.map(|s| device.stiffness(s)).fold(0.0, f64::max);
    TAU * (motion.inertia / stiffest).sqrt() / motion.step()
}

/// Whether swings and the passage through the soft zone are sampled too coarsely.
fn too_coarse(motion: &Motion, device: &Device) -> Option<StagesDiagnostic> {
    let dt = motion.step();
    let [low, high] = ends(&motion.angle);
    let angle = |node: usize| device.angles[node];
    let per_swing = samples_per_swing(motion, device);
    let [least, most] = ends(&motion.torque);
    let jumps = motion.torque.windows(2).map(|w| (w[1] - w[0]).abs());
    let sudden = jumps.fold(0.0, f64::max) / (most - least).max(f64::MIN_POSITIVE);
    let [coast, drive] = device.impacts();
    let soft = angle(drive.unwrap_or(device.plus)) - angle(coast.unwrap_or(device.minus));
    let per_passage = soft / (motion.peak_speed() * dt);
    let crossed = soft > 0.0 && low < angle(device.minus) && high > angle(device.plus);
    let what = if per_swing < thresholds::SAMPLES_PER_SWING {
        CoarseSampling::Swing(per_swing)
    } else if sudden > thresholds::SUDDEN_LOAD {
        CoarseSampling::Sudden(sudden)
    } else if crossed && per_passage < thresholds::SAMPLES_PER_PASSAGE {
        CoarseSampling::Passage(per_passage)
    } else {
        return None;
    };
    Some(StagesDiagnostic::CoarseSampling { what })
}
