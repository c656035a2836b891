//! Whether a slow record shows stages at all.
//!
//! In a device with stages springs engage one after another: the torque is straight between corners, and what angle and
//! direction do not say is friction, which is there as soon as the motion has turned round. A record that contradicts that
//! is of something else, however well enough straight pieces come near it.

use super::candidates::Judge;
use super::knots::Solved;
use super::memory::apart;
use super::paths::Point;
use super::quasi_static::QuasiStatic;
use super::smooth::smooth;
use masing_diagnostic::{NoStages, thresholds};

/// What speaks against stages, and whether it is sure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Against {
    pub why: NoStages,
    pub sure: bool,
}

/// Compares the stages with a smooth curve through the same nodes.
pub(super) fn against_corners(points: &[Point], solved: &Solved) -> Option<Against> {
    let judge = Judge::of(points);
    let smooth = smooth(points, &solved.layout.angles)?;
    let counted = judge.counted(solved.lag1);
    let score = |left: f64, unknowns: usize| judge.criterion(left, unknowns, counted);
    let evidence =
        score(solved.left, solved.layout.unknowns()) - score(smooth.left, smooth.unknowns);
    let rms = |left: f64| (left / points.len() as f64).sqrt() / judge.largest;
    let corners = solved.layout.angles.len() > 2;
    let sure = evidence > thresholds::STRONG_EVIDENCE;
    let open = corners && evidence > -thresholds::STRONG_EVIDENCE;
    (sure || open).then(|| Against {
        why: NoStages::Smooth {
            stages: rms(solved.left),
            smooth: rms(smooth.left),
        },
        sure,
    })
}

/// Stretches of the range in which both paths are compared.
const STRETCHES: usize = 20;

/// Both paths in a stretch of the range: how many samples, the middle between them, and half their distance with its
/// standard error.
struct Stretch {
    samples: f64,
    middle: f64,
    friction: f64,
    error: f64,
}

/// Looks at the friction, as the distance of the paths shows it: how large it is, where it acts, and whether it is the same in
/// every pass. Angle and torque are those of the record, without gaps.
pub(super) fn against_friction(
    found: &QuasiStatic,
    [angle, torque]: &[Vec<f64>; 2],
) -> Option<NoStages> {
    let stretches = stretches(found);
    let (first, last) = (stretches.first()?, stretches.last()?);
    let sure = |s: &&Stretch| s.friction > thresholds::NO_FRICTION_SIGMAS * s.error;
    let largest = stretches.iter().filter(sure);
    let largest = largest.max_by(|a, b| a.friction.total_cmp(&b.friction))?;
    let elastic = stretches.iter().map(|s| s.middle.abs());
    let ratio = elastic.fold(0.0, f64::max) / largest.friction;
    if ratio < thresholds::LEAST_ELASTIC {
        return Some(NoStages::Friction { ratio });
    }
    let small = |end: &Stretch| {
        let missing = thresholds::BUILT_UP * largest.friction - end.friction;
        let error = end.error.hypot(thresholds::BUILT_UP * largest.error);
        missing > thresholds::NO_FRICTION_SIGMAS * error
    };
    if small(first) && small(last) {
        let share = first.friction.max(last.friction) / largest.friction;
        return Some(NoStages::BuildsUp {
            share: share.max(0.0),
        });
    }
    let senses = &found.paths.direction;
    let rest: Vec<f64> = (angle.iter().zip(torque))
        .zip(senses)
        .map(|((a, t), sense)| t - found.zero - found.predicted(*a, f64::from(*sense)))
        .collect();
    let squares: f64 = (stretches.iter())
        .map(|s| s.samples * s.friction.powi(2))
        .sum();
    let samples: f64 = stretches.iter().map(|s| s.samples).sum();
    let friction = (squares / samples).sqrt();
    let share = apart(angle, &rest, senses) / friction;
    (share > thresholds::SAME_FRICTION).then_some(NoStages::Memory { share })
}

/// The stretches that both paths cover.
fn stretches(found: &QuasiStatic) -> Vec<Stretch> {
    let ([low, high], paths) = (found.paths.range, &found.paths);
    let width = (high - low) / STRETCHES as f64;
    let of = |k: usize| {
        let from = low + width * k as f64;
        let own = [from, from + width];
        let (up, down) = (paths.up.within(own), paths.down.within(own));
        let at = 0.5 * (own[0] + own[1]);
        let (upper, lower) = (up.line_at(at)?, down.line_at(at)?);
        let counts = [up.angle.len() as f64, down.angle.len() as f64];
        Some(Stretch {
            samples: counts[0] + counts[1],
            middle: 0.5 * (upper + lower),
            friction: 0.5 * (upper - lower),
            error: 0.5 * found.noise * (1.0 / counts[0] + 1.0 / counts[1]).sqrt(),
        })
    };
    (0..STRETCHES).filter_map(of).collect()
}
