//! Nodes for which straight lines between them fit both paths best.
//!
//! For given angles of the nodes, elastic torque and friction at them follow from linear least squares; only the angles are
//! searched (variable projection, with Kaufman's derivative: derivations in `docs/math/stages.md`).
//!
//! Reference: Golub, G., Pereyra, V. (2003), Inverse Problems 19, R1-R26.

use super::paths::Point;
use super::polyline::place;
use masing_identify::search::optimise::{LeastSquares, Linearisation, Options, trust_region};
use nalgebra::{DMatrix, DVector};

/// The nodes, and what is known about them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    /// Angles; the first and the last are the ends of the record.
    pub angles: Vec<f64>,
    /// The edges of the clearance, where the torque is zero.
    pub clearance: Option<[usize; 2]>,
    /// Whether there is friction in the clearance, one value.
    pub rubs: bool,
    /// Whether the torque in the clearance is estimated: the zero offset of the rig.
    pub level: bool,
}

/// A layout with torque and friction at the nodes.
#[derive(Clone, Debug)]
pub(super) struct Solved {
    pub layout: Layout,
    pub torques: Vec<f64>,
    pub friction: Vec<f64>,
    /// Residual sum of squares.
    pub left: f64,
    /// Correlation of neighbouring differences along the paths.
    pub lag1: f64,
}

impl Layout {
    /// The places of torque and friction of a node among the linear unknowns.
    pub fn places(&self, node: usize) -> [Option<usize>; 2] {
        let Some([minus, plus]) = self.clearance else {
            return [Some(2 * node), Some(2 * node + 1)];
        };
        let free = |rank: usize| [Some(2 * rank), Some(2 * rank + 1)];
        if node < minus {
            free(node)
        } else if node > plus {
            free(node - (plus - minus + 1))
        } else {
            let last = self.linear() - 1;
            let rubs = last - usize::from(self.level && self.rubs);
            [self.level.then_some(last), self.rubs.then_some(rubs)]
        }
    }

    /// Number of linear unknowns.
    pub fn linear(&self) -> usize {
        let inner = self.clearance.map_or(0, |[minus, plus]| plus - minus + 1);
        let own = usize::from(self.rubs) + usize::from(self.level);
        2 * (self.angles.len() - inner) + if inner > 0 { own } else { 0 }
    }

    /// Number of unknowns.
    pub fn unknowns(&self) -> usize {
        self.linear() + self.angles.len() - 2
    }

    /// The linear unknowns a point depends on, with the weights: torque and friction of two nodes.
    pub fn row(&self, point: &Point) -> (usize, f64, [(Option<usize>, f64); 4]) {
        let (i, share) = place(&self.angles, point.angle);
        let ([t0, h0], [t1, h1]) = (self.places(i), self.places(i + 1));
        let (a, b) = (1.0 - share, share);
        let weights = [
            (t0, a),
            (h0, a * point.sense),
            (t1, b),
            (h1, b * point.sense),
        ];
        (i, share, weights)
    }

    /// The normal equations of the linear unknowns, decomposed, and their solution.
    fn linear_solution(&self, points: &[Point]) -> Option<(Cholesky, DVector<f64>)> {
        let m = self.linear();
        let (mut normal, mut right) = (DMatrix::<f64>::zeros(m, m), DVector::<f64>::zeros(m));
        for point in points {
            let (_, _, row) = self.row(point);
            for (a, wa) in row {
                let Some(a) = a else { continue };
                right[a] += wa * point.torque;
                for (b, wb) in row {
                    if let Some(b) = b {
                        normal[(a, b)] += wa * wb;
                    }
                }
            }
        }
        // A node that only one path reaches has friction and torque that cannot be told apart.
        let least = 1e-9 * normal.trace().max(1e-300) / m as f64;
        for i in 0..m {
            normal[(i, i)] += least;
        }
        let decomposed = normal.cholesky()?;
        let solution = decomposed.solve(&right);
        Some((decomposed, solution))
    }

    fn values(&self, solution: &DVector<f64>, which: usize) -> Vec<f64> {
        let value = |node: usize| self.places(node)[which].map_or(0.0, |k| solution[k]);
        (0..self.angles.len()).map(value).collect()
    }

    /// Torque and friction for these angles.
    pub fn solve(&self, points: &[Point]) -> Option<Solved> {
        let (_, solution) = self.linear_solution(points)?;
        let differences: Vec<f64> = points
            .iter()
            .map(|p| p.torque - self.predicted(p, &solution))
            .collect();
        let left: f64 = differences.iter().map(|r| r * r).sum();
        let together: f64 = differences.windows(2).map(|w| w[0] * w[1]).sum();
        Some(Solved {
            torques: self.values(&solution, 0),
            friction: self.values(&solution, 1),
            layout: self.clone(),
            left,
            lag1: if left > 0.0 { together / left } else { 0.0 },
        })
    }

    fn predicted(&self, point: &Point, solution: &DVector<f64>) -> f64 {
        let (_, _, row) = self.row(point);
        row.iter()
            .filter_map(|(k, w)| k.map(|k| w * solution[k]))
            .sum()
    }
}

type Cholesky = nalgebra::Cholesky<f64, nalgebra::Dyn>;

/// The search for the inner angles, in shares of the range.
struct Search<'a> {
    points: &'a [Point],
    layout: &'a Layout,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Search<'_> {
    fn layout(&self, x: &[f64]) -> Layout {
        let mut layout = self.layout.clone();
        let n = layout.angles.len();
        let (low, high) = (layout.angles[0], layout.angles[n - 1]);
        for (angle, share) in layout.angles[1..n - 1].iter_mut().zip(x) {
            *angle = low + share * (high - low);
        }
        layout
    }
}

impl LeastSquares for Search<'_> {
    fn linearise(&self, x: &[f64]) -> Option<Linearisation> {
        let layout = self.layout(x);
        if layout.angles.windows(2).any(|w| w[1] <= w[0]) {
            return None;
        }
        let (decomposed, solution) = layout.linear_solution(self.points)?;
        let (inner, n) = (x.len(), layout.angles.len());
        let range = layout.angles[n - 1] - layout.angles[0];
        let (m, rows) = (layout.linear(), self.points.len());
        let mut r = DVector::zeros(rows);
        let mut j = DMatrix::zeros(rows, inner);
        let mut coupling = DMatrix::zeros(m, inner);
        for (k, point) in self.points.iter().enumerate() {
            let (i, share, row) = layout.row(point);
            r[k] = point.torque - layout.predicted(point, &solution);
            for (node, weight) in [(i, 1.0 - share), (i + 1, share)] {
                if node == 0 || node + 1 == n {
                    continue;
                }
                let moved = moved_by_node(&layout, &solution, i, point.sense) * weight * range;
                j[(k, node - 1)] = moved;
                for (a, wa) in row {
                    if let Some(a) = a {
                        coupling[(a, node - 1)] += wa * moved;
                    }
                }
            }
        }
        // What the linear unknowns take up is not left to the angles.
        let taken = decomposed.solve(&coupling);
        for (k, point) in self.points.iter().enumerate() {
            let (_, _, row) = layout.row(point);
            for (a, wa) in row {
                let Some(a) = a else { continue };
                for c in 0..inner {
                    j[(k, c)] -= wa * taken[(a, c)];
                }
            }
        }
        Some(Linearisation { r, j })
    }

    fn bounds(&self) -> [&[f64]; 2] {
        [&self.lower, &self.upper]
    }
}

/// d(measured - predicted)/d(angle of a node) per weight of the node: the slope of the path in piece `i`.
fn moved_by_node(layout: &Layout, solution: &DVector<f64>, i: usize, sense: f64) -> f64 {
    let value = |node: usize| {
        let [torque, friction] = layout.places(node).map(|k| k.map_or(0.0, |k| solution[k]));
        torque + sense * friction
    };
    (value(i + 1) - value(i)) / (layout.angles[i + 1] - layout.angles[i])
}

/// Inner nodes stay that share of the range away from its ends, where turns leave samples of one path only.
const END: f64 = 0.01;

/// Optimises the inner nodes; none may move more than half the distance to its neighbour.
pub(super) fn refine(points: &[Point], layout: &Layout, evaluations: usize) -> Option<Solved> {
    let n = layout.angles.len();
    if n <= 2 {
        return layout.solve(points);
    }
    let (low, range) = (layout.angles[0], layout.angles[n - 1] - layout.angles[0]);
    let share = |angle: f64| (angle - low) / range;
    let middle = |i: usize| share(0.5 * (layout.angles[i] + layout.angles[i + 1]));
    let search = Search {
        points,
        layout,
        lower: (1..n - 1)
            .map(|i| (middle(i - 1) + 1e-6).max(END))
            .collect(),
        upper: (1..n - 1)
            .map(|i| (middle(i) - 1e-6).min(1.0 - END))
            .collect(),
    };
    if search
        .lower
        .iter()
        .zip(&search.upper)
        .any(|(a, b)| !(a < b))
    {
        // No room to move: nodes crowd at an end.
        return None;
    }
    let start: Vec<f64> = layout.angles[1..n - 1].iter().map(|a| share(*a)).collect();
    let options = Options {
        cost: 1e-10,
        step: 1e-10,
        gradient: 1e-14,
        evaluations,
    };
    let found = trust_region(&search, &start, &options);
    search.layout(&found.x).solve(points)
}
