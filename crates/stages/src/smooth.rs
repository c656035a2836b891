//! A smooth curve through the nodes of a device: what a record without corners looks like.
//!
//! Elastic torque and friction are cubic splines whose knots are the nodes, with slope and curvature that go on across
//! them. Between the same nodes straight lines meet in corners and splines do not, so that the two differ in nothing but
//! what a stage is.

use super::paths::Point;
use nalgebra::{DMatrix, DVector};

/// What a smooth curve leaves of a record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Smooth {
    /// Sum of squares.
    pub left: f64,
    /// Number of unknowns; the knots are given.
    pub unknowns: usize,
}

/// The best splines with these knots, the first and the last of which are the ends.
pub(super) fn smooth(points: &[Point], knots: &[f64]) -> Option<Smooth> {
    let (first, last) = (*knots.first()?, *knots.last()?);
    let inner = &knots[1..knots.len() - 1];
    let size = 4 + inner.len();
    let place = |angle: f64| (angle - first) / (last - first);
    let weight = |x: f64, k: usize| match k {
        0..4 => x.powi(k as i32),
        _ => (x - place(inner[k - 4])).max(0.0).powi(3),
    };
    let rows = DMatrix::from_fn(points.len(), 2 * size, |i, column| {
        let own = weight(place(points[i].angle), column % size);
        if column < size {
            own
        } else {
            own * points[i].sense
        }
    });
    let torque = DVector::from_iterator(points.len(), points.iter().map(|p| p.torque));
    if points.len() <= 2 * size {
        return None;
    }
    // What the columns cannot explain is what is left below the triangle.
    let mut rest = torque;
    rows.qr().q_tr_mul(&mut rest);
    Some(Smooth {
        left: rest.rows(2 * size, points.len() - 2 * size).norm_squared(),
        unknowns: 2 * size,
    })
}
