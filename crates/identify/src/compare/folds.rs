//! What is left out: every test once, or blocks of cycles where the other tests say nothing about one.

use super::reduced::cycles_of;
use crate::test::{MotionRecord, StiffnessTable, Test};
use masing_diagnostic::thresholds;

/// Most refits without a part of the tests: with more tests, two or more are left out together.
const MOST_FOLDS: usize = 6;
/// Blocks that a single test is cut into.
const BLOCKS: usize = 4;
/// Blocks of a test that goes far beyond all others: no more, so that it does not outweigh them.
const FAR_BLOCKS: usize = 2;

/// Tests without a part of them, and that part.
#[derive(Clone, Debug)]
pub(super) struct Fold {
    /// What is left out.
    pub name: String,
    /// The tests as they are fitted, one for each test.
    pub kept: Vec<Test>,
    /// What is predicted.
    pub left: Vec<Test>,
    /// Which tests that is, or is a part of.
    pub of: Vec<usize>,
    /// Which tests are left out as a whole.
    pub whole: Vec<usize>,
}

/// Every test left out once; with one test, blocks of it. Empty where it cannot be cut.
///
/// A test that goes far beyond all others stays: without it the others would have to say what the part does
/// where none of them was. Blocks of its cycles are left out instead.
pub(super) fn folds(tests: &[Test]) -> Vec<Fold> {
    if let [one] = tests {
        return blocks(one, BLOCKS);
    }
    let count = tests.len().min(MOST_FOLDS);
    let each = (0..count).map(|b| without(tests, b, count));
    let Some(far) = far_beyond(tests).filter(|_| count == tests.len() && count > 2) else {
        return each.collect();
    };
    let own = blocks(&tests[far], FAR_BLOCKS).into_iter().map(|mut fold| {
        let mut kept = tests.to_vec();
        kept.splice(far..=far, fold.kept);
        fold.kept = kept;
        fold.of = vec![far];
        fold
    });
    let own: Vec<Fold> = own.collect();
    let replaced = !own.is_empty();
    let others = each.filter(|f| !replaced || !f.whole.contains(&far));
    others.chain(own).collect()
}

/// The test that goes far beyond all others, if one does.
fn far_beyond(tests: &[Test]) -> Option<usize> {
    let sizes = tests.iter().enumerate();
    let sizes = sizes.map(|(k, t)| Some((k, t.motion_record()?.amplitude())));
    let mut sizes = sizes.collect::<Option<Vec<_>>>()?;
    sizes.sort_by(|a, b| b.1.total_cmp(&a.1));
    let [(first, size), (_, next), ..] = sizes[..] else {
        return None;
    };
    (size > thresholds::FAR_BEYOND * next).then_some(first)
}

/// The tests without every `count`th from `b` on.
fn without(tests: &[Test], b: usize, count: usize) -> Fold {
    let left: Vec<Test> = tests.iter().skip(b).step_by(count).cloned().collect();
    let names: Vec<&str> = left.iter().map(|t| t.name.as_str()).collect();
    let name = names.join(" and ");
    let kept = tests.iter().enumerate().map(|(i, t)| {
        if i % count == b {
            t.without_rows()
        } else {
            t.clone()
        }
    });
    let whole: Vec<usize> = (b..tests.len()).step_by(count).collect();
    Fold {
        name,
        kept: kept.collect(),
        left,
        of: whole.clone(),
        whole,
    }
}

/// So many blocks of a test, or as many as it has.
fn blocks(test: &Test, most: usize) -> Vec<Fold> {
    if let Some(table) = test.stiffness_table() {
        return of_table(test, table, most);
    }
    let Some(rig) = test.motion_record() else {
        return vec![];
    };
    let cycles = cycles_of(rig);
    let starts: Vec<usize> = cycles.iter().map(|c| c.start).collect();
    let count = starts.len().min(most);
    if count < 2 {
        return vec![];
    }
    // What is before the first full cycle belongs to the first block, what is after the last to the last.
    let edge = |b: usize| match b {
        0 => rig.window.start,
        b if b == count => rig.window.end,
        b => starts[b * starts.len() / count],
    };
    let fold = |b: usize| {
        let block = edge(b)..edge(b + 1);
        Fold {
            name: format!("block {} of {count} of {}", b + 1, test.name),
            kept: vec![only(test, |i, _| !block.contains(&i))],
            left: vec![only(test, |i, _| block.contains(&i))],
            of: vec![0],
            whole: vec![],
        }
    };
    (0..count).map(fold).collect()
}

fn of_table(test: &Test, table: &StiffnessTable, most: usize) -> Vec<Fold> {
    let n = table.points.len();
    let count = n.min(most);
    if count < 2 {
        return vec![];
    }
    let part = |keep: &dyn Fn(usize) -> bool| {
        let points = table.points.iter().enumerate();
        let points = points.filter(|(i, _)| keep(*i)).map(|(_, p)| *p).collect();
        let mut own = table.clone();
        own.points = points;
        let mut out = Test::of(test.name.clone(), own);
        out.weight = test.weight;
        out
    };
    let fold = |b: usize| Fold {
        name: format!("part {} of {count} of {}", b + 1, test.name),
        kept: vec![part(&|i| i % count != b)],
        left: vec![part(&|i| i % count == b)],
        of: vec![0],
        whole: vec![],
    };
    (0..count).map(fold).collect()
}

/// The test with only those of its samples that are chosen, by index; all of them are simulated.
pub(super) fn only(test: &Test, chosen: impl Fn(usize, &MotionRecord) -> bool) -> Test {
    let mut out = test.clone();
    if let Some(rig) = out.motion_record_mut() {
        let whole = rig.clone();
        for (i, force) in rig.force.iter_mut().enumerate() {
            if !chosen(i, &whole) {
                *force = f64::NAN;
            }
        }
    }
    out
}

/// Fast samples and far samples left out: what a model makes of motion beyond the tests. Empty where the
/// rest would say nothing.
pub(super) fn beyond(tests: &[Test]) -> Vec<Fold> {
    let size = |values: &[f64]| values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let rigs = || tests.iter().filter_map(|t| t.motion_record());
    let fastest = rigs().map(|r| size(r.motion.v())).fold(0.0, f64::max);
    let farthest = rigs().map(MotionRecord::amplitude).fold(0.0, f64::max);
    let fast = |i: usize, rig: &MotionRecord| rig.motion.v()[i].abs() > 0.5 * fastest;
    let far = |i: usize, rig: &MotionRecord| {
        let (low, high) = masing_data::range(rig.motion.x());
        (rig.motion.x()[i] - 0.5 * (low + high)).abs() > 0.5 * farthest
    };
    let make = |name: &str, beyond: &dyn Fn(usize, &MotionRecord) -> bool| {
        let inside = |t: &Test| only(t, |i, rig| !beyond(i, rig));
        let outside = |t: &Test| only(t, beyond);
        let rows = |t: &Test| t.rows().len();
        let kept: Vec<Test> = tests.iter().map(inside).collect();
        let left = tests.iter().map(outside).enumerate();
        let (of, left): (Vec<usize>, Vec<Test>) = left.filter(|(_, t)| rows(t) > 5).unzip();
        let enough = kept.iter().map(rows).sum::<usize>() > 50 && !left.is_empty();
        enough.then(|| Fold {
            name: name.to_owned(),
            kept,
            left,
            of,
            whole: vec![],
        })
    };
    [make("fast samples", &fast), make("far samples", &far)]
        .into_iter()
        .flatten()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use masing_sim::Motion;
    use std::f64::consts::TAU;

    fn sine(amplitude: f64) -> Test {
        let time: Vec<f64> = (0..=400).map(|i| 0.01 * f64::from(i)).collect();
        let x: Vec<f64> = time.iter().map(|t| amplitude * (TAU * t).sin()).collect();
        let motion = Motion::new(time, x.clone(), None).expect("a motion");
        Test::of("sine", MotionRecord::new(motion, x))
    }

    #[test]
    fn a_test_far_beyond_all_others_is_left_out_in_blocks() {
        let near = folds(&[sine(1.0), sine(2.0), sine(3.0)]);
        assert!(near.len() == 3 && near.iter().all(|f| f.whole.len() == 1));
        let far = folds(&[sine(1.0), sine(6.0), sine(2.0)]);
        let whole: Vec<&[usize]> = far.iter().map(|f| f.whole.as_slice()).collect();
        assert_eq!(whole, [&[0][..], &[2], &[], &[]]);
        assert!(far.iter().all(|f| f.kept.len() == 3));
    }
}
