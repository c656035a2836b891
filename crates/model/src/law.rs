//! Three ways to write a law, one way to use it.
//!
//! An author writes a [`ReturnMap`] (state after the step), a [`RateLaw`] (z' and force) or an
//! [`ImplicitLaw`] (F(z', z, motion, p) = 0) once, generic over the scalar. [`Mapped`], [`Rated`] and
//! [`Solved`] turn it into an [`Element`](crate::Element): step, tangent and adjoint follow. What a law
//! says of itself beside its step (ranges, first guess, passivity, ...) is [`Law`], the same for all three.

/// What every element made of a law hands on to it.
macro_rules! made_of_law {
    () => {
        fn law(&self) -> &dyn Law {
            &self.0
        }

        fn rest(&self, _: &[f64], x: f64, z: &mut [f64]) {
            self.0.rest(x, z);
        }

        fn rest_slope(&self, _: &[f64], x: f64, slope: &mut [f64]) {
            $crate::law::slope_at(x, slope, |x, z| self.0.rest(x, z));
        }
    };
}

/// The step of a law without a closed form: that of the implicit law which it is, or which something makes of it.
macro_rules! stepped_implicitly {
    ($($implicit:tt)*) => {
        fn exact(&self) -> bool {
            false
        }

        fn increment(&self, p: &[f64], speed: f64) -> f64 {
            self.0.increment(p, speed)
        }

        fn advance(
            &self,
            p: &[f64],
            s: &Step,
            z: &mut [f64],
            tape: &mut Tape,
        ) -> Result<f64, StepError> {
            $crate::law::implicit_law::advance($($implicit)*(&self.0), p, &$crate::law::own_time(&self.0, s), z, tape)
        }

        fn push_forward(&self, p: &[f64], s: &Step, tape: &[f64], d: &mut Tangent<'_>) {
            $crate::law::implicit_law::push_forward($($implicit)*(&self.0), p, &$crate::law::own_time(&self.0, s), tape, d);
        }

        fn pull_back(&self, p: &[f64], s: &Step, tape: &[f64], bar: &mut Cotangent<'_>) {
            $crate::law::implicit_law::pull_back($($implicit)*(&self.0), p, &$crate::law::own_time(&self.0, s), tape, bar);
        }
    };
}

pub mod by_unit;
mod capabilities;
mod features;
mod implicit_law;
mod loop_law;
mod rate_law;
mod return_map;

pub use capabilities::{Basis, Bristles, Law, Probe, Strength, Valley};
pub use features::Features;
pub use implicit_law::{GAMMA, ImplicitLaw, Solved};
pub use loop_law::{AtZero, Combined, Formula, Given, HalfLoop, LoopLaw};
pub use rate_law::{RateLaw, Rated};
pub use return_map::{Interval, Mapped, ReturnMap};

use crate::scalar::{LANES, Lanes};

/// The parameters of a law with a fixed number of them, by name.
pub fn fixed<S: Copy, const N: usize>(p: &[S]) -> [S; N] {
    *p.first_chunk()
        .expect("the specification of the law fixes the number of its parameters")
}

/// So many values at even distances from `-most` to `most`; at least two.
pub(crate) fn spread(count: usize, most: f64) -> Vec<f64> {
    let share = |i: usize| 2.0 * i as f64 / (count - 1) as f64 - 1.0;
    (0..count).map(|i| most * share(i)).collect()
}

/// The step in the time that a law knows: a law of the path has none, and its rates are those per step.
fn own_time(law: &impl Law, s: &crate::element::Step) -> crate::element::Step {
    let of_path = law.spec().memory == crate::element::Memory::Path;
    let dt = if of_path { 1.0 } else { s.dt };
    crate::element::Step { dt, ..*s }
}

/// Runs `visit` over the columns in groups of [`LANES`].
fn for_each_group(columns: usize, mut visit: impl FnMut(std::ops::Range<usize>)) {
    let mut start = 0;
    while start < columns {
        let end = (start + LANES).min(columns);
        visit(start..end);
        start = end;
    }
}

/// `values` as lanes without derivatives.
fn constants(values: &[f64]) -> Vec<Lanes> {
    values.iter().map(|&v| Lanes::constant(v)).collect()
}

/// Parameters with unit derivatives in the lanes of the columns that perturb them.
fn seeded_params(p: &[f64], param: &[Option<usize>], group: &std::ops::Range<usize>) -> Vec<Lanes> {
    let mut out = constants(p);
    for (lane, column) in group.clone().enumerate() {
        if let Some(k) = param[column] {
            out[k].eps[lane] = 1.0;
        }
    }
    out
}

/// A value with the derivatives `row[group]` in its lanes.
#[inline]
fn seeded(value: f64, row: Option<&[f64]>, group: &std::ops::Range<usize>) -> Lanes {
    let mut out = Lanes::constant(value);
    if let Some(row) = row {
        seed(&mut out, &row[group.clone()]);
    }
    out
}

/// Writes derivatives into the first lanes. Most groups are full, and copied as one block.
#[inline]
fn seed(lanes: &mut Lanes, derivatives: &[f64]) {
    match derivatives.first_chunk::<LANES>() {
        Some(all) => lanes.eps = *all,
        None => {
            for (lane, &derivative) in lanes.eps.iter_mut().zip(derivatives) {
                *lane = derivative;
            }
        }
    }
}

/// Writes d z/d x of a state that depends on one displacement.
fn slope_at(x: f64, slope: &mut [f64], state: impl FnOnce(Lanes, &mut [Lanes])) {
    let mut z = vec![Lanes::constant(0.0); slope.len()];
    let mut x = Lanes::constant(x);
    x.eps[0] = 1.0;
    state(x, &mut z);
    for (slope, z) in slope.iter_mut().zip(z) {
        *slope = z.eps[0];
    }
}
