//! What a user should know about the analysis of a fast record.

use super::device::Device;
use super::dynamics::Dynamics;
use super::energy::MOST_GAIN;
use super::motion::Motion;
use super::paths::ends;
use super::refine::NodeStatus;
use masing_identify::Warning;
use masing_identify::search::optimise::Stop;
use std::f64::consts::TAU;

/// A refinement beyond this misses something, but for what the estimated noise itself is off by.
const CHI2_GATE: f64 = 1.1;

/// The gate for a record of so many samples: fourth differences of n samples give the variance of the noise with a standard
/// error of sqrt(2 * 2.63 / n), 2.63 being the sum of the squares of their correlations.
pub(super) fn chi2_gate(samples: usize) -> f64 {
    CHI2_GATE + 2.0 * (5.26 / samples.max(1) as f64).sqrt()
}
/// Formulations whose errors differ by less cannot be told apart.
const APART: f64 = 1.2;

/// All remarks.
pub(super) fn remarks(found: &Dynamics, motion: &Motion, slow: &Device) -> Vec<Warning> {
    let each = [
        mended_angle(motion, slow),
        held_start(motion, slow),
        mended_velocity(motion),
        wandered(motion, slow),
        one_stage(found),
        close_ranking(found, motion),
        too_coarse(motion, slow),
        gains(found, slow),
        less_friction(found),
        nodes(found, slow, NodeStatus::NotReached),
        hardly_entered(found, slow),
        weak(found, slow),
        nodes(found, slow, NodeStatus::AtBound),
        clearance(found),
        beyond_noise(found, motion),
        worse_than_ranked(found),
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

/// An angle or length in shares of the range of the device.
fn of_range(value: f64, slow: &Device) -> f64 {
    100.0 * value.abs() / (slow.angles[slow.len() - 1] - slow.angles[0])
}

fn mended_angle(motion: &Motion, slow: &Device) -> Remark {
    motion.mended.angle.map(|offset| {
        (
            "angle-zero",
            format!(
                "the first angle of the dynamic record does not carry its first torque on the slow device; all its angles were shifted by {:.1} % of the \
                 range of the device, so that it does",
                of_range(offset, slow)
            ),
        )
    })
}

fn held_start(motion: &Motion, slow: &Device) -> Remark {
    motion.mended.start.map(|shift| {
        (
            "held-start",
            format!(
                "before its release the device is held from equilibrium by friction: the record starts {:.2} % of the range of the device {} \
                 where the slow device carries the first torque",
                of_range(shift, slow),
                if shift > 0.0 { "beyond" } else { "short of" }
            ),
        )
    })
}

fn mended_velocity(motion: &Motion) -> Remark {
    motion.mended.velocity.map(|offset| {
        (
            "velocity-zero",
            format!(
                "the velocity is not zero where the record ends at rest: its zero is off by {:.2} % of its peak, which was taken off",
                100.0 * offset.abs() / motion.peak_speed()
            ),
        )
    })
}

fn wandered(motion: &Motion, slow: &Device) -> Remark {
    motion.mended.wander.map(|wander| {
        (
            "wander",
            format!(
                "the angle, integrated twice, wanders by {:.1} % of the range of the device until the end and was bent back; energies and regimes \
                 follow what is left of it, and the formulations are ranked by the acceleration",
                of_range(wander, slow)
            ),
        )
    })
}

fn close_ranking(found: &Dynamics, motion: &Motion) -> Remark {
    if motion.mended.wander.is_some() {
        return None;
    }
    let order = found.by_error(motion);
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
        _ => format!("friction at {names} came out at a bound: none, or more than can be"),
    };
    Some((status.word(), text))
}

/// Nodes of that status whose stage the energy balance accepts, or not.
fn undetermined(found: &Dynamics, slow: &Device, accepted: bool) -> String {
    let own = (0..slow.len()).filter(|&i| {
        let stage = found.energy.stages.iter().find(|s| s.stage.outer == i);
        found.refined.status[i] == NodeStatus::PoorlyDetermined
            && stage.is_none_or(|s| s.accepted[0]) == accepted
    });
    own.map(|i| slow.name(i)).collect::<Vec<_>>().join(", ")
}

fn hardly_entered(found: &Dynamics, slow: &Device) -> Remark {
    let names = undetermined(found, slow, false);
    (!names.is_empty()).then(|| {
        (
            "poorly-determined",
            format!(
                "friction at {names} is poorly determined: the dynamic test hardly enters the stage; it is held where it goes on as the slow friction does"
            ),
        )
    })
}

fn weak(found: &Dynamics, slow: &Device) -> Remark {
    let names = undetermined(found, slow, true);
    (!names.is_empty()).then(|| {
        (
            "poorly-determined",
            format!("friction at {names} is poorly determined: its error is a large part of what the slow test lets expect"),
        )
    })
}

fn clearance(found: &Dynamics) -> Remark {
    let text = "without friction within the clearance the record is not met; it was sought too";
    found
        .clearance_rubs
        .then(|| ("clearance-friction", text.to_owned()))
}

fn worse_than_ranked(found: &Dynamics) -> Remark {
    let best = found
        .ranking
        .first()
        .and_then(|name| found.formulation(name))?;
    (found.refined_metrics.rms_angle > best.metrics.rms_angle).then(|| {
        (
            "refined-worse",
            format!(
                "the refined device, friction at the nodes and one damper, meets the angle less well than {}; the model holds the refined device",
                best.formulation.name
            ),
        )
    })
}

fn beyond_noise(found: &Dynamics, motion: &Motion) -> Remark {
    let times = found.refined.chi2_dof.sqrt();
    (found.refined.chi2_dof > chi2_gate(motion.len())).then(|| {
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
/// Largest change of torque between samples, of its range.
const MOST_SUDDEN: f64 = 0.3;

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
    let [least, most] = ends(&motion.torque);
    let jumps = motion.torque.windows(2).map(|w| (w[1] - w[0]).abs());
    let sudden = jumps.fold(0.0, f64::max) / (most - least).max(f64::MIN_POSITIVE);
    let [coast, drive] = device.impacts();
    let soft = angle(drive.unwrap_or(device.plus)) - angle(coast.unwrap_or(device.minus));
    let per_passage = soft / (motion.peak_speed() * dt);
    let crossed = soft > 0.0 && low < angle(device.minus) && high > angle(device.plus);
    let what = if per_swing < PER_SWING {
        format!(
            "{per_swing:.0} samples per swing of the stiffest stage entered; {PER_SWING} or more are needed"
        )
    } else if sudden > MOST_SUDDEN {
        format!(
            "the torque changes by {:.0} % of its range from one sample to the next, and what it did between is not known",
            100.0 * sudden
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
