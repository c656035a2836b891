//! Static curve through given points.
//!
//! F(x_i) = f_i, a monotone cubic in between, straight lines with the end slopes outside
//!
//! The slopes at the points are weighted harmonic means of the neighbouring chords, so the curve
//! never overshoots its points, and stiffness is continuous.
//!
//! Reference: Fritsch, F. N., Butland, J. (1984), SIAM J. Sci. Stat. Comput. 5(2), 300-304.

use crate::element::{Element, Memory};
use crate::error::ModelError;
use crate::law::{Features, Interval, Law, Mapped, ReturnMap, spread};
use crate::registry::{Kind, Shape};
use crate::scalar::Scalar;
use crate::spec::Spec;

crate::params! {
    /// Displacements of the points, increasing.
    x: "m", -1e6..=1e6, 0.0;
    /// Forces at the points, not decreasing.
    f: "N", -1e12..=1e12, 0.0;
}

/// Registry entry.
pub const KIND: Kind = Kind {
    name: NAME,
    summary: "static curve through given points, asymmetric, continued linearly",
    equations: "F(x_i) = f_i, monotone cubic in between, straight outside",
    reference: "Fritsch & Butland (1984), SIAM J. Sci. Stat. Comput. 5(2), 300-304",
    lists: LISTS,
    build,
    ..Kind::PLAIN
};

const LISTS: &[&str] = &["x", "f"];

/// A bump stop on one side: what an asymmetric curve looks like.
const DEFAULT: [(f64, f64); 5] = [
    (-0.01, -1800.0),
    (-0.005, -600.0),
    (0.0, 0.0),
    (0.005, 450.0),
    (0.01, 1000.0),
];

const NAME: &str = "curve-spring";

/// The law.
#[derive(Clone, Debug)]
pub struct CurveSpring {
    spec: Spec,
    points: usize,
}

fn build(shape: &Shape) -> Result<Box<dyn Element>, ModelError> {
    let points = shape.common_length(LISTS, DEFAULT.len(), 2)?;
    let mut spec = Spec::new(Memory::None, params())
        .list("x", points)
        .list("f", points);
    for i in 0..points {
        let share = 2.0 * i as f64 / (points - 1) as f64 - 1.0;
        let (x, f) = if points == DEFAULT.len() {
            DEFAULT[i]
        } else {
            (0.01 * share, 1000.0 * share)
        };
        spec.params[i].default = x;
        spec.params[points + i].default = f;
    }
    Ok(Box::new(Mapped(CurveSpring { spec, points })))
}

/// The points, with what the cubic between two of them needs.
struct Points<'a, S> {
    x: &'a [S],
    f: &'a [S],
}

impl<S: Scalar> Points<'_, S> {
    /// Width of the interval to the right of point `i` and slope of the chord over it.
    fn chord(&self, i: usize) -> (S, S) {
        let width = self.x[i + 1] - self.x[i];
        (width, (self.f[i + 1] - self.f[i]) / width)
    }

    /// Slope of the curve at point `i`.
    fn slope(&self, i: usize) -> S {
        let last = self.x.len() - 1;
        if last == 1 {
            return self.chord(0).1;
        }
        if i == 0 {
            return end_slope(self.chord(0), self.chord(1));
        }
        if i == last {
            return end_slope(self.chord(last - 1), self.chord(last - 2));
        }
        let ((h0, d0), (h1, d1)) = (self.chord(i - 1), self.chord(i));
        // Harmonic mean without reciprocals of the chords: one of them may be level.
        let (w0, w1) = (h1 * 2.0 + h0, h1 + h0 * 2.0);
        let sum = w0 * d1 + w1 * d0;
        if d0.value() * d1.value() < 0.0 || sum.value() == 0.0 {
            return 0.0.into();
        }
        (w0 + w1) * d0 * d1 / sum
    }
}

/// Slope at an end of the curve, by the parabola through three points, kept from changing sign.
fn end_slope<S: Scalar>((h0, d0): (S, S), (h1, d1): (S, S)) -> S {
    let slope = ((h0 * 2.0 + h1) * d0 - h0 * d1) / (h0 + h1);
    if slope.value() * d0.value() > 0.0 {
        slope
    } else {
        0.0.into()
    }
}

impl Law for CurveSpring {
    named_by!(spec);

    /// Points spread over the stroke along the secant.
    fn guess(&self, f: &Features, share: f64) -> Vec<f64> {
        let x = spread(self.points, f.amplitude);
        let force: Vec<f64> = x.iter().map(|x| share * f.secant * x).collect();
        [x, force].concat()
    }

    fn check(&self, p: &[f64]) -> Result<(), ModelError> {
        self.spec.check(p)?;
        let (x, f) = p.split_at(self.points);
        for i in 1..self.points {
            for (list, values, sound) in [("x", x, x[i] > x[i - 1]), ("f", f, f[i] >= f[i - 1])] {
                if !sound {
                    return Err(ModelError::NotIncreasing {
                        list: list.to_owned(),
                        index: i + 1,
                        value: values[i],
                        before: values[i - 1],
                    });
                }
            }
        }
        Ok(())
    }
}

impl ReturnMap for CurveSpring {
    fn step<S: Scalar>(&self, p: &[S], s: &Interval<S>, _: &mut [S]) -> S {
        let at = s.x[1];
        let (x, f) = p.split_at(self.points);
        let points = Points { x, f };
        let passed = x.partition_point(|node| node.value() <= at.value());
        if passed == 0 || passed == self.points {
            let end = passed.saturating_sub(1);
            return f[end] + points.slope(end) * (at - x[end]);
        }
        let i = passed - 1;
        let (width, chord) = points.chord(i);
        let (m0, m1) = (points.slope(i), points.slope(i + 1));
        let t = (at - x[i]) / width;
        let quadratic = chord * 3.0 - m0 * 2.0 - m1;
        let cubic = m0 + m1 - chord * 2.0;
        f[i] + (at - x[i]) * (m0 + t * (quadratic + t * cubic))
    }
}
