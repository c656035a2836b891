//! What a user should know about the analysis of a fast record.

use super::device::Device;
use super::dynamics::Dynamics;
use super::energy::MOST_GAIN;
use super::motion::Motion;
use super::paths::ends;
use super::refine::NodeStatus;
use crate::optimise::Stop;
use crate::warning::Warning;
use std::f64::consts::TAU;

/// A refinement beyond this misses something.
const CHI2_GATE: f64 = 1.1;
/// Formulations whose errors differ by less cannot be told apart.
const APART: f64 = 1.2;

/// All remarks.
pub(super) fn remarks(found: &Dynamics, motion: &Motion, slow: &Device) -> Vec<Warning> {
    let each = [
        one_stage(found),
        close_ranking(found),
        too_coarse(motion, slow),
        gains(found, slow),
        less_friction(found),
        nodes(found, slow, NodeStatus::NotReached),
        nodes(found, slow, NodeStatus::PoorlyDetermined),
        beyond_noise(found),
        not_converged(found),
    ];
    let some = each.into_iter().flatten();
    some.map(|(code, message)| Warning { code, message })
        .collect()
}

/// A code and the words.
type Remark = Option<(&'static str, String)>;

fn one_stage(found: &Dynamics) -> Remark {
    let text = "the motion never leaves one stage, so that the formulations cannot be told apart: the ranking cannot tell; \
                a larger step of the torque is needed";
    (!found.can_tell()).then(|| ("one-stage", text.to_owned()))
}

fn close_ranking(found: &Dynamics) -> Remark {
    let order = found.by_error();
    let ratio = order[1].metrics.rms_angle / order[0].metrics.rms_angle;
    (found.can_tell() && ratio < APART).then(|| {
        let (first, second) = (order[0].formulation.name, order[1].formulation.name);
        (
            "close-ranking",
            format!("{first} and {second} meet the record about equally well; the ranking cannot tell which of the two it is"),
        )
    })
}

fn gains(found: &Dynamics, slow: &Device) -> Remark {
    let stages = found.energy.stages.iter();
    let weak: Vec<String> = stages
        .filter(|s| s.coverage > 0.0 && !s.accepted[0])
        .map(|s| slow.name(s.stage.outer))
        .collect();
    (!weak.is_empty()).then(|| {
        (
            "gain",
            format!(
                "the energy balance does not give friction at {}: errors would grow more than {MOST_GAIN} times, because the \
                 motion covers too little of the stage; D3 goes on there as the slow friction does",
                weak.join(", ")
            ),
        )
    })
}

fn less_friction(found: &Dynamics) -> Remark {
    let share = found.energy.dissipated / found.energy.slow;
    (share < 0.9).then(|| {
        (
            "less-friction",
            format!(
                "the fast record dissipates {:.0} % of what the slow friction would; D2 adds nothing",
                100.0 * share
            ),
        )
    })
}

fn nodes(found: &Dynamics, slow: &Device, status: NodeStatus) -> Remark {
    let own = (0..slow.len()).filter(|i| found.refined.status[*i] == status);
    let names: Vec<String> = own.map(|i| slow.name(i)).collect();
    let names = names.join(", ");
    let text = match status {
        _ if names.is_empty() => return None,
        NodeStatus::NotReached => format!(
            "the dynamic test did not reach the stages of {names}; their friction goes on as the slow one does"
        ),
        _ => format!(
            "friction at {names} is poorly determined: the dynamic test hardly enters the stage"
        ),
    };
    Some((status.word(), text))
}

fn beyond_noise(found: &Dynamics) -> Remark {
    let times = found.refined.chi2_dof.sqrt();
    (found.refined.chi2_dof > CHI2_GATE).then(|| {
        (
            "beyond-noise",
            format!(
                "the refined device leaves differences of {times:.2} times the noise; something is missing in it (inertia, torque, \
                 friction that does not follow the stages)"
            ),
        )
    })
}

fn not_converged(found: &Dynamics) -> Remark {
    let (code, how) = match found.refined.stop {
        stop if stop.converged() => return None,
        Stop::Interrupted => ("interrupted", "was interrupted"),
        _ => ("not-converged", "stopped before it settled"),
    };
    Some((
        code,
        format!("the refinement {how}; the values are the best so far"),
    ))
}

/// Samples per swing of the stiffest stage, and per passage of the soft zone, that an analysis needs.
const PER_SWING: f64 = 20.0;
const PER_PASSAGE: f64 = 2.0;

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
fn too_coarse(motion: &Motion, device: &Device) -> Remark {
    let dt = motion.step();
    let [low, high] = ends(&motion.angle);
    let angle = |node: usize| device.angles[node];
    let per_swing = samples_per_swing(motion, device);
    let [coast, drive] = device.impacts();
    let soft = angle(drive.unwrap_or(device.plus)) - angle(coast.unwrap_or(device.minus));
    let per_passage = soft / (motion.peak_speed() * dt);
    let crossed = soft > 0.0 && low < angle(device.minus) && high > angle(device.plus);
    let what = if per_swing < PER_SWING {
        format!(
            "{per_swing:.0} samples per swing of the stiffest stage entered; {PER_SWING} or more are needed"
        )
    } else if crossed && per_passage < PER_PASSAGE {
        format!(
            "the motion passes the soft zone within {per_passage:.1} samples; {PER_PASSAGE} or more are needed"
        )
    } else {
        return None;
    };
    Some((
        "coarse-sampling",
        format!("the sampling is too coarse for the impacts: {what}"),
    ))
}
