//! Spring-sliders whose limits grow with the displacement, and those that follow a few numbers.
//!
//! y_i = ymin (ymax/ymin)^((i-1)/(n-1)),  slip forces zs_i, or zs (y_i/ymax)^tilt over its sum
//! y_i(x) = y_i (1 + (x/growth)^2)
//!
//! A spring is stretched to z_i by dx less what its slider slips. The limit at x + s, s further on, bounds
//! the stretch at the end of a straight step by itself and the rest of the way; the tightest of these is
//! where the limit grows as fast as the displacement: in closed form, so that steps may be cut.

use super::{LISTS, NAME, SLIDERS};
use crate::element::{Element, Memory, Step};
use crate::error::ModelError;
use crate::law::{Features, Interval, Law, Mapped, ReturnMap, by_unit};
use crate::registry::Shape;
use crate::scalar::Scalar;
use crate::spec::Spec;

crate::params! {
    /// Stiffnesses of the springs.
    ks: "N/m", 1e-3..=1e12, 1e5;
    /// Displacements at which the sliders slip.
    ys: "m", 1e-12..=1e6, 1e-3;
    /// Force at which all sliders slip, or the forces at which each of them does.
    zs: "N", 0.0..=1e9, 100.0;
    /// Displacement at which the first slider slips.
    ymin: "m", 1e-12..=1e6, 5e-5;
    /// Displacement at which the last slider slips.
    ymax: "m", 1e-12..=1e6, 1e-3;
    /// Power by which the slip forces grow with the slip displacements.
    tilt: "1", -3.0..=3.0, 0.0;
    /// Displacement at which the limits have doubled.
    growth: "m", 1e-9..=1e6, 1e-3;
}

/// How the sliders are given.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Given {
    /// Stiffness and slip displacement of each.
    Each,
    /// Slip displacements spread by factors, slip forces by a power of them.
    Spread,
    /// Slip displacements spread by factors, the slip force of each.
    Weights,
}

/// The law.
#[derive(Clone, Debug)]
pub struct Grown {
    spec: Spec,
    sliders: usize,
    given: Given,
    grows: bool,
}

/// Makes the law where one of its options asks for it.
pub(super) fn build(shape: &Shape) -> Result<Option<Box<dyn Element>>, ModelError> {
    let listed = shape.lists.get("zs").copied();
    let spread = ["zs", "ymin", "ymax", "tilt"];
    let usual = if listed.is_some() || spread.iter().any(|name| shape.given.contains(*name)) {
        listed.unwrap_or(SLIDERS)
    } else {
        0
    };
    let spread = shape.count("spread", usual, 0..=64)?;
    let weights = shape.count("weights", usize::from(listed.is_some()), 0..=1)? == 1;
    let asked = usize::from(shape.given.contains("growth"));
    let grows = shape.count("growing", asked, 0..=1)? == 1;
    let (given, sliders) = match (spread, weights) {
        (0, false) if !grows => return Ok(None),
        (0, false) => (Given::Each, shape.common_length(LISTS, SLIDERS, 1)?),
        (0 | 1, _) => {
            let expected = "2 to 64 sliders; 0 for lists of stiffnesses and slip displacements";
            return Err(ModelError::shape("spread", &spread, expected));
        }
        (n, false) => (Given::Spread, n),
        (n, true) => (Given::Weights, n),
    };
    if let Some(len) = listed.filter(|len| given != Given::Weights || *len != sliders) {
        return Err(ModelError::Lengths {
            first: "spread".to_owned(),
            first_len: sliders,
            second: "zs".to_owned(),
            second_len: len,
        });
    }
    let mut spec = Spec::new(Memory::Path, params());
    spec.params.retain(|p| match p.name.as_str() {
        "ks" | "ys" => given == Given::Each,
        "tilt" => given == Given::Spread,
        "growth" => grows,
        _ => given != Given::Each,
    });
    let n = sliders as f64;
    match given {
        Given::Each => {
            spec = spec.list("ks", sliders).list("ys", sliders);
            for i in 0..sliders {
                spec.params[i].default /= n;
                spec.params[sliders + i].default *= (i + 1) as f64 / n;
            }
        }
        Given::Weights => {
            spec = spec.list("zs", sliders);
            for param in &mut spec.params[..sliders] {
                param.default /= n;
            }
        }
        Given::Spread => {}
    }
    for i in 1..=sliders {
        spec = spec.state(format!("z[{i}]"), "m");
    }
    Ok(Some(Box::new(Mapped(Grown {
        spec,
        sliders,
        given,
        grows,
    }))))
}

/// Where, on the way from `from` to `to`, a limit binds most that grows as fast as the displacement at `at`.
fn tightest<S: Scalar>([from, to]: [S; 2], at: S) -> S {
    let (low, high) = if to.value() < from.value() {
        (to, from)
    } else {
        (from, to)
    };
    at.max(low).min(high)
}

impl Grown {
    /// Slip displacement and stiffness of every slider.
    fn sliders<S: Scalar>(&self, p: &[S]) -> Vec<[S; 2]> {
        let n = self.sliders;
        if self.given == Given::Each {
            return (0..n).map(|i| [p[n + i], p[i]]).collect();
        }
        let first = if self.given == Given::Weights { n } else { 1 };
        let (ymin, ymax) = (p[first], p[first + 1]);
        let ratio = (ymax / ymin).ln();
        let last = (n - 1) as f64;
        let ys = (0..n).map(|i| ymax * (ratio * (i as f64 / last - 1.0)).exp());
        if self.given == Given::Weights {
            return ys.zip(p).map(|(y, &zs)| [y, zs / y]).collect();
        }
        let (zs, tilt) = (p[0], p[3]);
        let share = |i: usize| (tilt * ratio * (i as f64 / last - 1.0)).exp();
        let sum = (0..n).fold(S::from(0.0), |sum, i| sum + share(i));
        ys.enumerate()
            .map(|(i, y)| [y, zs * share(i) / (sum * y)])
            .collect()
    }

    /// The stretches that the limits allow at the end of a step: least and most.
    fn bounds<S: Scalar>(&self, y: S, p: &[S], x: [S; 2]) -> [S; 2] {
        if !self.grows {
            return [-y, y];
        }
        let growth = p[p.len() - 1];
        // The upper limit grows as fast as the displacement here, the lower one falls as fast on the other side.
        let edge = growth * growth / (y * 2.0);
        let limit = |at: S| {
            let share = at / growth;
            y * (share * share + 1.0)
        };
        let [lower, upper] = [-edge, edge].map(|at| tightest(x, at));
        [x[1] - lower - limit(lower), x[1] - upper + limit(upper)]
    }
}

impl Law for Grown {
    named_by!(spec);

    fn falling(&self, _: &[f64]) -> Option<&'static str> {
        self.grows.then_some(
            "its limits fall as the displacement comes back to zero; expected an iwan without growing = 1",
        )
    }

    fn weights(&self) -> Vec<usize> {
        match self.given {
            Given::Each => Vec::new(),
            Given::Spread => vec![0],
            Given::Weights => (0..self.sliders).collect(),
        }
    }

    /// Slip displacements from a two-hundredth of the amplitude to a third of it, with the friction of the loop.
    fn guess(&self, f: &Features, share: f64) -> Vec<f64> {
        let mut values = by_unit::guess(&self.spec, f, share);
        let n = self.sliders as f64;
        for (value, param) in values.iter_mut().zip(&self.spec.params) {
            match param.base() {
                "ks" => *value /= n,
                "zs" if self.given == Given::Weights => *value /= n,
                "ymin" => *value = 5e-3 * f.amplitude,
                "growth" => *value = f.amplitude,
                _ => {}
            }
        }
        if self.given == Given::Each {
            for (i, y) in values[self.sliders..2 * self.sliders]
                .iter_mut()
                .enumerate()
            {
                *y *= (i + 1) as f64 / n;
            }
        }
        values
    }
}

impl ReturnMap for Grown {
    fn step<S: Scalar>(&self, p: &[S], s: &Interval<S>, z: &mut [S]) -> S {
        let mut force = S::from(0.0);
        for ([y, k], z) in self.sliders(p).into_iter().zip(z) {
            let [least, most] = self.bounds(y, p, s.x);
            // Towards plus a slider meets its lower limit first, where the displacement still falls in size.
            let trial = *z + s.dx();
            *z = if s.dx().value() < 0.0 {
                trial.min(most).max(least)
            } else {
                trial.max(least).min(most)
            };
            force = force + k * *z;
        }
        force
    }

    fn straight(&self) -> bool {
        !self.grows
    }

    fn guards(&self, p: &[f64], s: &Step, z0: &[f64], _: &[f64], out: &mut Vec<f64>) {
        for ([y, _], z) in self.sliders(p).into_iter().zip(z0) {
            let [least, most] = self.bounds(y, p, s.x);
            let trial = z + s.dx();
            out.extend([trial - most, least - trial]);
        }
        out.extend([s.v[1], -s.v[1]]);
    }
}
