//! Steps cut where a record asks for them.
//!
//! The errors of some laws sit in short layers: after a jump of the speed, where a gap closes, where a
//! steep dashpot turns. A pattern says for every interval of a motion into how many steps it is cut. It
//! is found in one run that shortens the steps of an interval until its force no longer changes, then
//! kept, so that results stay smooth in the parameters and have exact derivatives.

use crate::choose::{choose_within, guess, largest_change, state_count};
use crate::error::SimError;
use crate::motion::Motion;
use crate::numerics::{MOST_PARTS, Numerics};
use crate::prescribed::Prescribed;
use crate::sweep::Cut;
use masing_model::{Assembly, Part, Tangent, Tape};
use std::sync::Arc;

/// The number of steps of the interval that ends at each sample of a motion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(Arc<[u32]>);

impl Pattern {
    /// Steps of the interval that ends at sample `i`.
    pub fn parts(&self, i: usize) -> usize {
        self.0[i] as usize
    }

    /// Steps of a whole run.
    pub fn steps(&self) -> usize {
        self.0.iter().map(|&parts| parts as usize).sum()
    }
}

/// How many times finer the steps are that an interval is compared with. With twice as many the stages of
/// both may miss a contact that opens inside the interval, and agree.
const FINER: usize = 4;
/// How much of the accuracy the steps of one interval may take at first.
const SHARE: f64 = 0.5;
/// How much less they may take where the errors of intervals add up to more than the accuracy.
const LESS: f64 = 0.5;
/// Times that the share is lowered: below it there is only rounding.
const ROUNDS: usize = 8;
/// How much worse than asked for a pattern may become before it is replaced: replacing it moves the
/// minimum that a search has found.
const HOLDS: f64 = 2.0;

/// How finely a motion is stepped: as [`choose_within`], and with a pattern, left on the motion, where
/// the elements ask for one. A pattern that the motion has already is kept while it holds, otherwise
/// refined. The numerics returned are the uniform ones that are as fine as the finest interval.
pub fn choose_steps(
    assembly: &Assembly,
    p: &[f64],
    motion: &mut Motion,
    accuracy: f64,
    work: usize,
) -> Result<Numerics, SimError> {
    let inexact = || assembly.parts().iter().filter(|part| !part.element.exact());
    if !inexact().any(|part| part.element.layered()) {
        motion.cut(None);
        return choose_within(assembly, p, motion, accuracy, work);
    }
    let old = motion.pattern().cloned();
    motion.cut(None);
    let base = guess(assembly, p, motion);
    let even: Vec<usize> = (0..motion.len()).map(|i| motion.parts(i, &base)).collect();
    let uniform = |parts: &[usize]| {
        let finer = parts.iter().zip(&even);
        let most = finer.map(|(own, even)| own.div_ceil(*even)).max();
        base.finer(most.unwrap_or(1) as f64)
    };
    let mut search = Refining {
        assembly,
        p,
        parts: match &old {
            Some(old) => (0..motion.len()).map(|i| old.parts(i)).collect(),
            None => even.clone(),
        },
        most: work / state_count(assembly),
    };
    if old.is_some() {
        let (force, fine) = (search.run(motion, 1)?, search.run(motion, FINER)?);
        if largest_change(&force, &fine) <= HOLDS * accuracy {
            motion.cut(old);
            return Ok(uniform(&search.parts));
        }
    }
    let (scale, weights) = search.scales(motion)?;
    let (mut share, mut change) = (SHARE, f64::INFINITY);
    for _ in 0..ROUNDS {
        let fine = search.refine(motion, share * accuracy * scale, &weights)?;
        if search.steps() > search.most {
            break;
        }
        change = largest_change(&search.run(motion, 1)?, &fine);
        if change <= accuracy {
            motion.cut(Some(search.pattern()));
            return Ok(uniform(&search.parts));
        }
        share *= LESS;
    }
    Err(SimError::Accuracy {
        change,
        accuracy,
        max_dt: uniform(&search.parts).max_dt,
    })
}

/// A pattern in the making.
struct Refining<'a> {
    assembly: &'a Assembly,
    p: &'a [f64],
    parts: Vec<usize>,
    /// Most steps of a run.
    most: usize,
}

impl Refining<'_> {
    fn steps(&self) -> usize {
        self.parts.iter().sum()
    }

    fn pattern(&self) -> Pattern {
        Pattern(self.parts.iter().map(|&parts| parts as u32).collect())
    }

    /// Forces of a run whose intervals have so many times their steps.
    fn run(&self, motion: &Motion, times: usize) -> Result<Vec<f64>, SimError> {
        let mut motion = motion.clone();
        let parts = self.parts.iter().map(|&parts| (parts * times) as u32);
        motion.cut(Some(Pattern(parts.collect())));
        Prescribed::new(self.assembly, &motion, Numerics::default()).run(self.p)
    }

    /// The largest force, and what a change of each state at the start of an interval does to the force
    /// at its end at most: errors of a split inside a gap are not seen before the gap closes.
    fn scales(&self, motion: &Motion) -> Result<(f64, Vec<f64>), SimError> {
        let mut weights = vec![0.0_f64; self.assembly.state_count()];
        let mut force = vec![0.0; motion.len()];
        let run = Prescribed::new(self.assembly, motion, Numerics::default());
        let mut tape = Tape::on();
        for part in self.assembly.parts() {
            let (n, own) = (part.states.len(), &self.p[part.params.clone()]);
            let mut z = run.start_of(part, self.p);
            let (mut slopes, mut scratch) = (vec![0.0; n * n], Vec::new());
            let mut by_state = vec![0.0; n];
            for i in 0..motion.len() {
                slopes.fill(0.0);
                slopes.iter_mut().step_by(n + 1).for_each(|s| *s = 1.0);
                let cut = Cut::new(&*part.element, motion, i, self.parts[i]);
                for k in 0..cut.parts {
                    let step = cut.step(k);
                    tape.truncate(0);
                    let end = part.element.advance(own, &step, &mut z, &mut tape);
                    let end = end.map_err(|source| SimError::at(motion, i, source))?;
                    force[i] += if k + 1 == cut.parts { end } else { 0.0 };
                    if part.element.exact() {
                        continue;
                    }
                    let mut tangent = Tangent {
                        param: &vec![None; n],
                        motion: None,
                        branch: None,
                        z: &mut slopes,
                        force: &mut by_state,
                        scratch: &mut scratch,
                    };
                    part.element
                        .push_forward(own, &step, tape.from(0), &mut tangent);
                }
                for (most, slope) in weights[part.states.clone()].iter_mut().zip(&by_state) {
                    *most = most.max(slope.abs());
                }
            }
        }
        Ok((force.iter().fold(0.0, |m, f| m.max(f.abs())), weights))
    }

    /// Shortens the steps of intervals until finer ones change the force of an element at their end, and
    /// what its states make of later forces, by at most `change`; returns the forces of the finer steps.
    fn refine(
        &mut self,
        motion: &Motion,
        change: f64,
        weights: &[f64],
    ) -> Result<Vec<f64>, SimError> {
        let mut force = vec![0.0; motion.len()];
        let start = Prescribed::new(self.assembly, motion, Numerics::default());
        let mut total = self.steps();
        for part in self.assembly.parts() {
            let mut z = start.start_of(part, self.p);
            let weights = &weights[part.states.clone()];
            for (i, sum) in force.iter_mut().enumerate() {
                let excess = |a: &(f64, Vec<f64>), b: &(f64, Vec<f64>)| {
                    let states = a.1.iter().zip(&b.1).zip(weights);
                    let later = states.map(|((a, b), weight)| weight * (a - b).abs());
                    later.fold((a.0 - b.0).abs(), f64::max) / change
                };
                let fine = loop {
                    let own = self.parts[i];
                    let coarse = self.interval(part, motion, i, own, &z)?;
                    let fine = self.interval(part, motion, i, FINER * own, &z)?;
                    let room = 2 * FINER * own < MOST_PARTS && total <= self.most;
                    let excess = excess(&coarse, &fine);
                    if !room || part.element.exact() || !(excess > 1.0) {
                        break fine;
                    }
                    // As many as a method of second order needs, up to twice as many at a time: where
                    // a contact closes, errors follow no order.
                    let wanted = (own as f64 * excess.sqrt()).ceil();
                    let next = (wanted as usize).clamp(own + 1, 2 * own);
                    total += next - own;
                    self.parts[i] = next;
                };
                *sum += fine.0;
                z = fine.1;
            }
        }
        Ok(force)
    }

    /// Force and state of an element after an interval of so many steps.
    fn interval(
        &self,
        part: &Part,
        motion: &Motion,
        i: usize,
        parts: usize,
        z: &[f64],
    ) -> Result<(f64, Vec<f64>), SimError> {
        let cut = Cut::new(&*part.element, motion, i, parts);
        let (mut z, mut force, mut tape) = (z.to_vec(), 0.0, Tape::off());
        for k in 0..cut.parts {
            let own = &self.p[part.params.clone()];
            let step = part.element.advance(own, &cut.step(k), &mut z, &mut tape);
            force = step.map_err(|source| SimError::at(motion, i, source))?;
        }
        Ok((force, z))
    }
}
