//! Tests for trials: few cycles, few samples, coarse steps. A trial only has to tell models apart.

use crate::test::{InitialState, MotionRecord, Test};
use masing_data::cycles::{self, Cycle};
use masing_data::signal::smooth;
use masing_sim::Motion;

/// Cycles of a record that a trial looks at: the first ones show what changes from cycle to cycle, later
/// ones repeat each other, unless they are larger. Where there are few records, cycles are kept up to the first that
/// is about as large as any, within a limit.
const MOST_CYCLES: usize = 5;
const MOST_GROWING: usize = 40;
/// Share of the largest amplitude that is about as large.
const LARGE: f64 = 0.9;
/// Cycles of all records together, where there are many, and fewest of one.
const ALL_CYCLES: usize = 24;
const FEWEST_CYCLES: usize = 1;
/// Samples of a cycle: the straight lines between them miss a sine by 0.1 % of its amplitude. And fewest, where
/// there are many cycles: 0.3 %.
const PER_CYCLE: usize = 64;
const FEWEST_PER_CYCLE: usize = 40;
/// Samples of a record without cycles, and of one with cycles unless there would be too few of each.
const MOST_SAMPLES: usize = 400;
/// Accuracy of the steps relative to the largest force: their rms is several times less, and the errors that
/// tell models apart are a percent or more.
const ACCURACY: f64 = 3e-3;

/// The test as trials see it, one of `among`.
pub(super) fn reduced(test: &Test, among: usize) -> Test {
    let most = (ALL_CYCLES / among.max(1)).clamp(FEWEST_CYCLES, MOST_CYCLES);
    let mut out = test.clone();
    if let Some(rig) = out.motion_record_mut() {
        if let Some(smaller) = smaller(rig, most) {
            *rig = smaller;
        }
        rig.accuracy = ACCURACY;
    }
    out
}

/// The full cycles of a record that are compared.
pub(super) fn cycles_of(rig: &MotionRecord) -> Vec<Cycle> {
    let time = Some(rig.motion.time());
    let all = cycles::cycles(rig.motion.x(), Some(&rig.force), time);
    let window = &rig.window;
    let inside = |c: &Cycle| c.start >= window.start && c.end <= window.end;
    all.into_iter().filter(inside).collect()
}

fn smaller(rig: &MotionRecord, most: usize) -> Option<MotionRecord> {
    let found = cycles_of(rig);
    let mut rig = rig.clone();
    // The acceleration comes from neighbours that are left out below.
    let quick = quick(&rig);
    rig.smooth_acceleration_for(&quick);
    rig.measured_acceleration = Some(rig.acceleration());
    let mut cycles = found.len();
    if rig.initial != InitialState::Periodic {
        let mut first = 0;
        if rig.initial == InitialState::Estimated && cycles > 2 {
            // A cycle wipes out most of what was before it; nothing has to be estimated.
            first = 1;
            rig.initial = InitialState::AtRest;
            rig.window.start = found[1].start;
        }
        let growing = if most == MOST_CYCLES {
            first_large(&found)
        } else {
            0
        };
        let last = (first + most).max(growing).min(cycles);
        if last < cycles {
            rig.window.end = found[last - 1].end;
        }
        cycles = last - first;
        rig = cut(&rig, cycles > 0)?;
    }
    let kept = match cycles {
        0 => MOST_SAMPLES,
        _ => (PER_CYCLE * cycles)
            .min(MOST_SAMPLES)
            .max(FEWEST_PER_CYCLE * cycles.min(MOST_GROWING)),
    };
    let nuisance = std::mem::take(&mut rig.nuisance);
    // What is compared is thinned out to so many samples, and its history as well.
    let thin = rig.coarse(rig.motion.len() / kept);
    let mut out = thin.unwrap_or(rig);
    out.nuisance = nuisance;
    Some(out)
}

/// Cycles up to the first that is about as large as any.
fn first_large(cycles: &[Cycle]) -> usize {
    let some = &cycles[..cycles.len().min(MOST_GROWING)];
    let largest = some.iter().fold(0.0_f64, |m, c| m.max(c.amplitude));
    let large = |c: &Cycle| c.amplitude >= LARGE * largest;
    some.iter().position(large).map_or(0, |i| i + 1)
}

/// Samples on each side that a force is averaged over: twice as many as the widest smoothing of a displacement.
const SLOW: usize = 64;

/// The quick part of the force: inertia, where a mass moves along, and little of what the part does. No model is
/// known yet that would tell the two apart.
fn quick(rig: &MotionRecord) -> Vec<f64> {
    let slow = smooth(rig.motion.time(), &rig.force, SLOW, 1);
    let slow = slow.map_or_else(|_| vec![0.0; rig.force.len()], |slow| slow.values);
    rig.force.iter().zip(slow).map(|(f, s)| f - s).collect()
}

/// Share of the amplitude within which a part stands still, and share of a record that is kept of that.
const STILL: f64 = 1e-3;
const KEPT_STILL: f64 = 0.01;

/// The record up to the end of what is compared. Cycles are cut from the standing still before and after them.
fn cut(rig: &MotionRecord, cycles: bool) -> Option<MotionRecord> {
    let motion = &rig.motion;
    let x = motion.x();
    let (mut begin, mut end) = (0, rig.window.end.max(2));
    if cycles {
        let moves = |from: f64| move |q: &f64| (q - from).abs() > STILL * rig.amplitude();
        let still = (KEPT_STILL * end as f64) as usize + 1;
        if let Some(last) = x[..end].iter().rposition(moves(x[end - 1])) {
            end = end.min(last + 1 + still);
        }
        if rig.initial == InitialState::AtRest {
            let onset = x[..end].iter().position(moves(x[0])).unwrap_or(0);
            begin = onset.saturating_sub(still);
        }
    }
    let pick = |values: &[f64]| values[begin..end].to_vec();
    let speed = Some(pick(motion.v()));
    let cut = Motion::new(pick(motion.time()), pick(x), speed).ok()?;
    Some(MotionRecord {
        window: rig.window.start.max(begin) - begin..rig.window.end.min(end) - begin,
        motion: cut,
        force: pick(&rig.force),
        measured_acceleration: rig.measured_acceleration.as_deref().map(pick),
        ..rig.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    #[test]
    fn a_record_whose_cycles_grow_is_kept_to_the_largest() {
        let n = 6_000;
        let at = |i: usize| 12.0 * i as f64 / n as f64;
        let time: Vec<f64> = (0..=n).map(at).collect();
        let x: Vec<f64> = time
            .iter()
            .map(|t| 1e-3 * (t + 1.0) * (TAU * t).sin())
            .collect();
        let force = x.iter().map(|x| 1e5 * x).collect();
        let rig = MotionRecord::new(Motion::new(time, x, None).unwrap(), force);
        let whole = rig.amplitude();
        let small = reduced(&Test::of("steps", rig), 2);
        let small = small.motion_record().unwrap();
        assert!(small.amplitude() > 0.9 * whole, "{}", small.amplitude());
        let compared = small.samples().count();
        assert!((300..=600).contains(&compared), "{compared}");
    }

    #[test]
    fn a_long_record_becomes_a_few_cycles() {
        let n = 20_000;
        let phase = |i: usize| TAU * 20.0 * i as f64 / n as f64;
        let time = (0..=n).map(|i| i as f64 * 1e-3).collect();
        let x = (0..=n).map(|i| 1e-3 * phase(i).cos()).collect();
        let force = (0..=n).map(|i| 100.0 * (phase(i) + 0.3).cos()).collect();
        let mut rig = MotionRecord::new(Motion::new(time, x, None).unwrap(), force);
        rig.initial = InitialState::Estimated;
        let small = reduced(&Test::of("sine", rig), 1);
        let small = small.motion_record().unwrap();
        assert_eq!(small.initial, InitialState::AtRest);
        let compared = small.samples().count();
        assert!((250..=450).contains(&compared), "{compared}");
        let duration = small.motion.time().last().unwrap();
        assert!((5.0..8.0).contains(duration), "{duration}");
        assert!((small.amplitude() - 1e-3).abs() < 1e-6);
    }
}
