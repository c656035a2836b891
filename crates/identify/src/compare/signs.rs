//! What the records show before any law is fitted to them.

use super::reduced::cycles_of;
use crate::test::{MotionRecord, Test};
use masing_data::cycles::Cycle;
use masing_diagnostic::thresholds;
use masing_model::candidates::Sign;

/// A sign, and how large it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// Which sign.
    pub sign: Sign,
    /// Whether it is there; none where the tests cannot tell.
    pub present: Option<bool>,
    /// Its size, as a share of the force or of the travel; zero where the tests cannot tell.
    pub size: f64,
}

/// All signs of the tests; `timed` says whether their time is known.
pub(super) fn signs(tests: &[Test], timed: bool) -> Vec<Shown> {
    let rigs: Vec<&MotionRecord> = tests.iter().filter_map(|t| t.motion_record()).collect();
    let largest = |of: &dyn Fn(&MotionRecord) -> Option<f64>| {
        rigs.iter().filter_map(|rig| of(rig)).reduce(f64::max)
    };
    let rate = if timed { rate(&rigs) } else { Some(0.0) };
    let one = |sign, size: Option<f64>, least: f64| Shown {
        sign,
        present: size.map(|size| size > least),
        size: size.unwrap_or(0.0),
    };
    vec![
        one(Sign::Hysteresis, largest(&area), thresholds::SIGN_AREA),
        one(Sign::Rate, rate, thresholds::SIGN_RATE),
        one(
            Sign::Saturation,
            saturation(&rigs).filter(|_| timed),
            thresholds::SIGN_SATURATION,
        ),
        one(Sign::Gap, largest(&free_travel), thresholds::SIGN_GAP),
        one(
            Sign::Softening,
            largest(&softening),
            thresholds::SIGN_SOFTENING,
        ),
        one(
            Sign::Asymmetry,
            largest(&asymmetry),
            thresholds::SIGN_ASYMMETRY,
        ),
        one(
            Sign::Stiffening,
            largest(&stiffening),
            thresholds::SIGN_STIFFENING,
        ),
    ]
}

/// Area of the loop over that of the rectangle around it.
fn area(rig: &MotionRecord) -> Option<f64> {
    let f = crate::start::features::of_motion_record(rig)?;
    Some(f.energy / (4.0 * f.amplitude * f.force))
}

/// Largest cycle of a record, with half its force range and its peak speed.
fn largest_cycle(rig: &MotionRecord) -> Option<(Cycle, f64, f64)> {
    let cycles = cycles_of(rig);
    let cycle = cycles
        .into_iter()
        .max_by(|a, b| a.amplitude.total_cmp(&b.amplitude))?;
    let (low, high) = cycle.force_range?;
    let speeds = rig.motion.v()[cycle.start..cycle.end].iter();
    let speed = speeds.fold(0.0_f64, |m, v| m.max(v.abs()));
    Some((cycle, 0.5 * (high - low), speed))
}

/// Largest change of the force range or of the energy between loops of like amplitude at different speeds.
fn rate(rigs: &[&MotionRecord]) -> Option<f64> {
    let loops: Vec<_> = rigs.iter().filter_map(|rig| largest_cycle(rig)).collect();
    let mut out: Option<f64> = None;
    for (i, (a, force_a, speed_a)) in loops.iter().enumerate() {
        for (b, force_b, speed_b) in &loops[..i] {
            let alike = (a.amplitude / b.amplitude).ln().abs() < thresholds::SAME_AMPLITUDE;
            let apart = (speed_a / speed_b).ln().abs() > thresholds::OTHER_SPEED;
            if !(alike && apart) {
                continue;
            }
            // What amplitudes differ by is taken from the change, as if the force were in proportion.
            let known = (a.amplitude / b.amplitude).ln();
            let mut change = ((force_a / force_b).ln() - known).abs();
            if let (Some(ea), Some(eb)) = (a.energy, b.energy)
                && ea > 0.0
                && eb > 0.0
            {
                let known = 2.0 * known;
                change = change.max(0.5 * ((ea / eb).ln() - known).abs());
            }
            out = Some(out.map_or(change, |o| o.max(change)));
        }
    }
    out
}

/// By how much the power of the speed that the force grows with falls short of one.
fn saturation(rigs: &[&MotionRecord]) -> Option<f64> {
    let loops: Vec<_> = rigs.iter().filter_map(|rig| largest_cycle(rig)).collect();
    let points: Vec<(f64, f64)> = loops
        .iter()
        .filter(|(_, force, speed)| *force > 0.0 && *speed > 0.0)
        .map(|(_, force, speed)| (speed.ln(), force.ln()))
        .collect();
    let n = points.len() as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (mx, my) = (mean(&|p| p.0), mean(&|p| p.1));
    let sxx = points.iter().map(|p| (p.0 - mx).powi(2)).sum::<f64>();
    let sxy = points.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum::<f64>();
    (points.len() > 1 && sxx > n * thresholds::OTHER_SPEED.powi(2) / 4.0).then(|| 1.0 - sxy / sxx)
}

/// Share of the travel of the largest cycle on which the force is nearly nothing.
fn free_travel(rig: &MotionRecord) -> Option<f64> {
    let (cycle, force, _) = largest_cycle(rig)?;
    let (low, high) = cycle.force_range?;
    let near = 0.05 * force;
    let middle = if low < 0.0 && high > 0.0 {
        0.0
    } else {
        0.5 * (low + high)
    };
    let x = &rig.motion.x()[cycle.start..cycle.end];
    let f = &rig.force[cycle.start..cycle.end];
    let steps = || x.windows(2).zip(f.windows(2));
    let whole: f64 = steps().map(|(x, _)| (x[1] - x[0]).abs()).sum();
    let free: f64 = steps()
        .filter(|(_, f)| f.iter().all(|f| (f - middle).abs() < near))
        .map(|(x, _)| (x[1] - x[0]).abs())
        .sum();
    (whole > 0.0).then(|| free / whole)
}

/// Share by which later cycles of the first one's amplitude are softer than it.
fn softening(rig: &MotionRecord) -> Option<f64> {
    let cycles = cycles_of(rig);
    let range = |c: &Cycle| c.force_range.map(|(low, high)| high - low);
    let first = cycles.first()?;
    let mut alike = cycles.iter().skip(1);
    let last = alike.rfind(|c| (c.amplitude / first.amplitude - 1.0).abs() < 0.02)?;
    Some(1.0 - range(last)? / range(first)?)
}

/// Difference of the largest forces of the two sides over their sum.
fn asymmetry(rig: &MotionRecord) -> Option<f64> {
    let (cycle, ..) = largest_cycle(rig)?;
    let (low, high) = cycle.force_range?;
    Some((high + low).abs() / (high - low))
}

/// Share of the force at the end of the travel that a cubic in the middle line of the loop makes up.
fn stiffening(rig: &MotionRecord) -> Option<f64> {
    let (cycle, force, _) = largest_cycle(rig)?;
    let x = &rig.motion.x()[cycle.start..cycle.end];
    let f = &rig.force[cycle.start..cycle.end];
    let s = |x: f64| (x - cycle.offset) / cycle.amplitude;
    // The friction of the two directions cancels in products with odd powers of the displacement where the
    // motion runs evenly through both.
    let (mut a11, mut a13, mut a33, mut b1, mut b3) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (x, f) in x.iter().zip(f).filter(|(_, f)| f.is_finite()) {
        let (u, w) = (s(*x), s(*x).powi(3));
        a11 += u * u;
        a13 += u * w;
        a33 += w * w;
        b1 += u * f;
        b3 += w * f;
    }
    let det = a11 * a33 - a13 * a13;
    (det > 1e-9 * a11 * a33).then(|| (a11 * b3 - a13 * b1) / det / force)
}
