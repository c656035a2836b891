//! Springpot: between a spring and a dashpot, as a sum of exponentials.
//!
//! F = c D^alpha x
//!
//! Its stiffness c (i w)^alpha is an integral over Maxwell elements,
//!
//! (i w)^alpha = sin(pi alpha)/pi  int s^alpha i w/(i w + s) d ln s
//!
//! taken by the trapezoidal rule in ln s from a factor e below the band to a factor e above it. What the
//! infinite sums on either side hold is put into one element each, with their first two moments. Twelve
//! branches over the four decades from 0.01 to 100 Hz are off by less than 0.15 % of |F| anywhere in the
//! band, 4 branches and 2 more per decade by less than 0.3 % in any band, 4 and 1 more per decade (the
//! fewest that are taken) by less than 3 %. Below the band the element becomes a dashpot, above it a
//! spring.
//!
//! Exact for straight motion, given the branches; a jump (dt = 0) is taken by their springs.
//!
//! References: Schmidt, A., Gaul, L. (2002), Nonlinear Dyn. 29, 37-55 (springpot); Beylkin, G., Monzon, L.
//! (2010), Appl. Comput. Harmon. Anal. 28(2), 131-149 (powers as sums of exponentials).

use super::decay::held;
use crate::element::{Coupling, Element, Flow, Memory};
use crate::error::ModelError;
use crate::law::{Features, Interval, Law, Mapped, Probe, RateLaw, ReturnMap, fixed};
use crate::registry::{Kind, Shape};
use crate::scalar::Scalar;
use crate::spec::Spec;
use std::f64::consts::{PI, TAU};

crate::params! {
    /// Stiffness at 1 rad/s.
    c: "N s^alpha/m", 0.0..=1e12, 1e5;
    /// Order of the derivative: towards 0 a spring, towards 1 a dashpot.
    alpha: "1", 0.01..=0.99, 0.3;
}

/// Registry entry.
pub const KIND: Kind = Kind {
    name: NAME,
    summary: "springpot: fractional derivative, stiffness and loss grow with a power of the frequency",
    equations: "F = c D^alpha x,  as a sum of `branches` exponentials",
    reference: "Schmidt & Gaul (2002), Nonlinear Dyn. 29, 37-55; Beylkin & Monzon (2010), Appl. Comput. Harmon. Anal. 28(2), 131-149",
    options: &[
        (
            "from",
            "lowest frequency (Hz) of the band; 0.01 if not given",
        ),
        ("to", "highest frequency (Hz) of the band; 100 if not given"),
        (
            "branches",
            "number of exponentials; 4 and 2 more per decade (error below 0.3 %) if not given",
        ),
    ],
    build,
    ..Kind::PLAIN
};

const NAME: &str = "springpot";
/// The band (Hz) of quasi-static rigs to the end of ride and handling.
const FROM: f64 = 0.01;
const TO: f64 = 100.0;
/// Branches at most: far beyond what 18 decades need.
const MOST: usize = 200;

/// By how much the evenly spread rates reach beyond the band, in ln s.
const BEYOND: f64 = 1.0;

/// The law.
#[derive(Clone, Debug)]
pub struct Springpot {
    spec: Spec,
    /// Logarithms of the evenly spread rates.
    rates: Vec<f64>,
    /// Their distance.
    spacing: f64,
}

fn build(shape: &Shape) -> Result<Box<dyn Element>, ModelError> {
    Ok(Box::new(Mapped(law_of(shape)?)))
}

fn law_of(shape: &Shape) -> Result<Springpot, ModelError> {
    let of = |option: &str, default: f64| shape.numbers.get(option).copied().unwrap_or(default);
    let (from, to) = (of("from", FROM), of("to", TO));
    let sound = |f: &f64| (1e-9..=1e9).contains(f);
    if !sound(&from) {
        return Err(ModelError::shape("from", &from, "1e-9 to 1e9 Hz"));
    }
    if !sound(&to) || to < 1.1 * from {
        let expected = format!("at most 1e9 Hz, above {from} Hz by a tenth or more");
        return Err(ModelError::shape("to", &to, expected));
    }
    let decades = (to / from).log10();
    let least = 4 + decades.ceil() as usize;
    let usual = 4 + (2.0 * decades).ceil() as usize;
    let branches = shape.count("branches", usual, least..=MOST)?;
    let even = branches - 2;
    let spacing = ((to / from).ln() + 2.0 * BEYOND) / (even - 1) as f64;
    let lowest = (TAU * from).ln() - BEYOND;
    let mut spec = Spec::new(Memory::Time, params());
    for i in 1..=branches {
        spec = spec.state(format!("z[{i}]"), "N");
    }
    Ok(Springpot {
        spec,
        rates: (0..even).map(|i| lowest + i as f64 * spacing).collect(),
        spacing,
    })
}

impl Springpot {
    /// Calls `visit` with stiffness and rate of every branch for c = 1.
    fn each<S: Scalar>(&self, alpha: S, mut visit: impl FnMut(S, S)) {
        let h = self.spacing;
        let weight = (alpha * PI).sin() * (h / PI);
        let [low, high] = [self.rates[0], self.rates[self.rates.len() - 1]];
        // s^power, and the sum over all rates beyond an end of the spread relative to it.
        let raised = |ln_s: f64, power: S| weight * (power * ln_s).exp();
        let tail = |power: S| S::from(1.0) / (power * h).exp_m1();
        // Slow ones act as springs that creep, sum k (1 - s/(i w)); fast ones as dashpots, sum k (i w/s
        // + w^2/s^2).
        let (one, two) = (S::from(1.0), S::from(2.0));
        let springs = raised(low, alpha) * tail(alpha);
        let creep = raised(low, alpha + 1.0) * tail(alpha + 1.0);
        visit(springs, creep / springs);
        for &ln_s in &self.rates {
            visit(raised(ln_s, alpha), ln_s.exp().into());
        }
        let dashpots = raised(high, alpha - 1.0) * tail(one - alpha);
        let next = raised(high, alpha - 2.0) * tail(two - alpha);
        visit(dashpots * dashpots / next, dashpots / next);
    }
}

impl Law for Springpot {
    named_by!(spec);

    /// Stiffness and loss angle of the loop at the frequency that its mean speed belongs to.
    fn guess(&self, f: &Features, share: f64) -> Vec<f64> {
        let frequency = 0.25 * TAU * f.speed_above_zero() / f.amplitude;
        let loss = 4.0 * f.friction() / (PI * f.force);
        let alpha = (loss.clamp(0.0, 1.0).asin() / (0.5 * PI)).clamp(0.05, 0.95);
        vec![share * f.secant * frequency.powf(-alpha), alpha]
    }

    /// Order and coefficient are told apart by how the force grows with the frequency.
    fn reveals(&self, _: usize) -> Probe {
        Probe::Frequency
    }
}

impl ReturnMap for Springpot {
    fn step<S: Scalar>(&self, p: &[S], s: &Interval<S>, z: &mut [S]) -> S {
        let [c, alpha] = fixed(p);
        let stretch = c * s.dx();
        let mut force = S::from(0.0);
        let mut states = z.iter_mut();
        self.each(alpha, |k, rate| {
            if let Some(z) = states.next() {
                let h = rate * s.dt;
                *z = *z * (-h).exp() + k * stretch * held(h);
                force = force + *z;
            }
        });
        force
    }

    fn coupling(&self) -> Coupling<'_> {
        // The fastest branch is as stiff as the band is wide.
        Coupling::Implicit
    }

    fn flow(&self) -> Option<&dyn Flow> {
        Some(self)
    }
}

impl RateLaw for Springpot {
    fn rate<S: Scalar>(&self, p: &[S], _: S, v: S, z: &[S], dz: &mut [S]) {
        let [c, alpha] = fixed(p);
        let mut states = z.iter().zip(dz);
        self.each(alpha, |k, rate| {
            if let Some((z, dz)) = states.next() {
                *dz = c * k * v - *z * rate;
            }
        });
    }

    fn force<S: Scalar>(&self, _: &[S], _: S, _: S, z: &[S]) -> S {
        z.iter().fold(0.0.into(), |sum, &z| sum + z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Largest error of the stiffness over the band, relative to its size.
    fn error(law: &Springpot, alpha: f64, [from, to]: [f64; 2]) -> f64 {
        let at = |i: i32| {
            let w = TAU * from * (to / from).powf(f64::from(i) / 300.0);
            let (mut re, mut im) = (0.0, 0.0);
            law.each(alpha, |k: f64, rate: f64| {
                let size = w * w + rate * rate;
                re += k * w * w / size;
                im += k * w * rate / size;
            });
            let angle = 0.5 * PI * alpha;
            let size = w.powf(alpha);
            (re / size - angle.cos()).hypot(im / size - angle.sin())
        };
        (0..=300).map(at).fold(0.0, f64::max)
    }

    fn shape(options: &[(&str, f64)]) -> Shape {
        let numbers = options
            .iter()
            .map(|&(name, value)| (name.to_owned(), value));
        Shape {
            numbers: numbers.collect(),
            ..Shape::default()
        }
    }

    #[test]
    fn errors_over_the_band_are_as_stated() {
        for ([from, to], branches, most) in [
            ([0.01, 100.0], None, 1.5e-3),
            ([1e-3, 1e3], None, 3e-3),
            ([0.1, 10.0], None, 3e-3),
            ([1.0, 10.0], None, 3e-3),
            ([2.0, 3.0], None, 3e-3),
            ([1e-4, 1e5], None, 3e-3),
            ([0.01, 100.0], Some(8.0), 0.03),
            ([1e-3, 1e3], Some(10.0), 0.03),
            ([1.0, 10.0], Some(5.0), 0.03),
        ] {
            let mut options = vec![("from", from), ("to", to)];
            options.extend(branches.map(|n| ("branches", n)));
            let law = law_of(&shape(&options)).unwrap();
            for i in 1..=99 {
                let alpha = 0.01 * f64::from(i);
                let error = error(&law, alpha, [from, to]);
                assert!(error < most, "{options:?}, alpha {alpha}: {error:e}");
            }
        }
    }

    #[test]
    fn bands_and_branches_that_cannot_be_are_refused() {
        for (options, word) in [
            (&[("from", 0.0)][..], "from"),
            (&[("from", 5.0), ("to", 5.0)], "to"),
            (&[("to", f64::NAN)], "to"),
            (&[("branches", 7.0)], "branches"),
            (&[("branches", 12.5)], "branches"),
        ] {
            let Err(ModelError::Shape { option, .. }) = law_of(&shape(options)) else {
                panic!("{options:?}");
            };
            assert_eq!(option, word);
        }
    }
}
