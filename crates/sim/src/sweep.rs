//! One element through a stretch of a prescribed motion, step by step.

use crate::error::SimError;
use crate::motion::Motion;
use crate::numerics::{MOST_PARTS, Numerics};
use masing_model::{Element, Step, Tape};
use std::ops::Range;

/// The steps of one sample interval: how many, and each of them.
#[derive(Clone, Copy)]
pub(crate) struct Cut {
    whole: Step,
    pub(crate) parts: usize,
}

impl Cut {
    /// The interval that ends at sample `i`; sample 0 is a step of no length, which gives the force
    /// at the start.
    pub(crate) fn new(element: &dyn Element, motion: &Motion, i: usize, parts: usize) -> Self {
        let (t, x, v) = (motion.time(), motion.x(), motion.v());
        if i == 0 {
            let whole = Step::still(x[0], v[0]);
            return Self { whole, parts: 1 };
        }
        let whole = Step {
            branch: None,
            dt: t[i] - t[i - 1],
            x: [x[i - 1], x[i]],
            v: [v[i - 1], v[i]],
        };
        Self::in_parts(element, whole, parts)
    }

    /// Any step of an element.
    pub(crate) fn of(element: &dyn Element, whole: Step, numerics: &Numerics) -> Self {
        Self::in_parts(element, whole, numerics.parts(whole.dx(), whole.dt))
    }

    /// In so many parts, but for elements that need no cutting.
    fn in_parts(element: &dyn Element, whole: Step, parts: usize) -> Self {
        let parts = if element.exact() { 1 } else { parts };
        Self { whole, parts }
    }

    /// Fraction of the interval at which part `k` begins.
    pub(crate) fn fraction(&self, k: usize) -> f64 {
        k as f64 / self.parts as f64
    }

    pub(crate) fn step(&self, k: usize) -> Step {
        if self.parts == 1 {
            self.whole
        } else {
            self.whole.part(self.fraction(k), self.fraction(k + 1))
        }
    }
}

/// What a sweep reports after each step: its position, the step, and where its tape begins.
pub(crate) struct Taken {
    pub(crate) sample: usize,
    /// Index of the step within its interval.
    pub(crate) part: usize,
    pub(crate) cut: Cut,
    pub(crate) step: Step,
    pub(crate) tape_start: usize,
    pub(crate) force: f64,
}

impl Taken {
    /// Whether the step ends at the sample.
    pub(crate) fn last(&self) -> bool {
        self.part + 1 == self.cut.parts
    }
}

/// Steps an element through the intervals that end at the samples of `range`.
pub(crate) fn sweep(
    element: &dyn Element,
    p: &[f64],
    (motion, numerics): (&Motion, &Numerics),
    range: Range<usize>,
    z: &mut [f64],
    tape: &mut Tape,
    mut visit: impl FnMut(&Taken, &mut Tape),
) -> Result<(), SimError> {
    for sample in range {
        let cut = Cut::new(element, motion, sample, motion.parts(sample, numerics));
        if cut.parts >= MOST_PARTS {
            return Err(SimError::TooManyParts {
                index: sample,
                time: motion.time()[sample],
                most: MOST_PARTS,
            });
        }
        for part in 0..cut.parts {
            let step = cut.step(part);
            let tape_start = tape.len();
            let force = element
                .advance(p, &step, z, tape)
                .map_err(|source| SimError::at(motion, sample, source))?;
            let taken = Taken {
                sample,
                part,
                cut,
                step,
                tape_start,
                force,
            };
            visit(&taken, tape);
        }
    }
    Ok(())
}
