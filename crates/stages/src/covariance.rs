//! Standard errors of nodes, from the whole Jacobian: angles and values together.

use super::knots::{Layout, Solved};
use super::paths::Point;
use nalgebra::{DMatrix, DVector};

/// A node with weights of its angle, torque and friction.
pub(super) type Part = (usize, [f64; 3]);

/// Variances and covariances of all unknowns for noise of variance one: inner angles, then the linear ones.
pub(super) struct Covariance {
    matrix: DMatrix<f64>,
    layout: Layout,
}

impl Covariance {
    pub fn of(points: &[Point], solved: &Solved) -> Option<Self> {
        let layout = &solved.layout;
        let inner = layout.angles.len() - 2;
        let size = inner + layout.linear();
        let mut normal = DMatrix::<f64>::zeros(size, size);
        for point in points {
            let (i, share, row) = layout.row(point);
            let path = |node: usize| solved.torques[node] + point.sense * solved.friction[node];
            let slope = (path(i + 1) - path(i)) / (layout.angles[i + 1] - layout.angles[i]);
            let mut entries: Vec<(usize, f64)> = row
                .iter()
                .filter_map(|(k, w)| k.map(|k| (inner + k, *w)))
                .collect();
            for (node, weight) in [(i, 1.0 - share), (i + 1, share)] {
                if node > 0 && node <= inner {
                    entries.push((node - 1, -weight * slope));
                }
            }
            for &(a, wa) in &entries {
                for &(b, wb) in &entries {
                    normal[(a, b)] += wa * wb;
                }
            }
        }
        // Columns of one size, so that units do not matter.
        let scale = DVector::from_fn(size, |i, _| 1.0 / normal[(i, i)].max(1e-300).sqrt());
        let scaled = DMatrix::from_fn(size, size, |i, j| {
            normal[(i, j)] * scale[i] * scale[j] + if i == j { 1e-12 } else { 0.0 }
        });
        let inverse = scaled.cholesky()?.inverse();
        Some(Self {
            matrix: DMatrix::from_fn(size, size, |i, j| inverse[(i, j)] * scale[i] * scale[j]),
            layout: layout.clone(),
        })
    }

    /// Variance of a combination of (angle, torque, friction) of nodes; fixed values have none.
    pub fn variance(&self, parts: &[Part]) -> f64 {
        let inner = self.layout.angles.len() - 2;
        let mut entries = Vec::new();
        for (node, [angle, torque, friction]) in parts {
            if *node > 0 && *node <= inner {
                entries.push((node - 1, *angle));
            }
            let [t, h] = self.layout.places(*node);
            entries.extend(t.map(|k| (inner + k, *torque)));
            entries.extend(h.map(|k| (inner + k, *friction)));
        }
        let mut sum = 0.0;
        for (a, wa) in &entries {
            for (b, wb) in &entries {
                sum += wa * wb * self.matrix[(*a, *b)];
            }
        }
        sum.max(0.0)
    }
}
