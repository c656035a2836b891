//! The paper's adjoint, for its Table 1: the chain by backward Euler, forwards and backwards.
//!
//! K y + f(y') = kpa x e1,  K z - (D z)' = right side,  D = diag(df/dy')
//!
//! Eq (12) writes (D z)' out as D z' + D' z with D' = f'' y''. Without smoothing D and D' are infinite wherever a cell
//! is at rest, and with little smoothing they nearly are. Kept together, as the unknown D z, nothing is ever infinite,
//! and backwards is the exact transpose of forwards (`docs/math/inverse-form.md`). Only for the reproduction: `rt` steps
//! with second order.

use super::law::{Law, Point};
use super::rig::{CELLS, SAMPLES, STEP, Set, weight};

/// One number per cell.
pub type Cells = [f64; CELLS];

/// How the adjoint equation is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// (D z)' as one unknown.
    Kept,
    /// D z' + D' z, as eq (12).
    Expanded,
}

/// A run of the chain under x (mm).
pub struct Run {
    set: Set,
    x: Vec<f64>,
    y: Vec<Cells>,
    points: Vec<[Point; CELLS]>,
    /// Force at every sample (N).
    pub force: Vec<f64>,
}

/// a'c and b'b of the dot-product test, eqs (15) and (16), for a = 1 everywhere.
#[derive(Clone, Copy, Debug)]
pub struct DotProduct {
    pub ac: f64,
    pub bb: f64,
}

/// (K y)_j.
fn row([_, kpa, kr, ..]: Set, y: &Cells, j: usize) -> f64 {
    let first = if j == 0 { kpa } else { kr };
    (first + kr) * y[j]
        - if j > 0 { kr * y[j - 1] } else { 0.0 }
        - if j + 1 < CELLS { kr * y[j + 1] } else { 0.0 }
}

/// Solves (diag(own) + K diag(scale)) x = right.
fn solve([_, kpa, kr, ..]: Set, own: &Cells, scale: &Cells, right: &Cells) -> Cells {
    let (mut x, mut upper) = ([0.0; CELLS], [0.0; CELLS]);
    for j in 0..CELLS {
        let first = if j == 0 { kpa } else { kr };
        let lower = if j > 0 { kr * scale[j - 1] } else { 0.0 };
        let (before, above) = if j > 0 {
            (x[j - 1], upper[j - 1])
        } else {
            (0.0, 0.0)
        };
        let pivot = own[j] + (first + kr) * scale[j] - lower * above;
        x[j] = (right[j] + lower * before) / pivot;
        if j + 1 < CELLS {
            upper[j] = kr * scale[j + 1] / pivot;
        }
    }
    for j in (0..CELLS - 1).rev() {
        x[j] += upper[j] * x[j + 1];
    }
    x
}

impl Run {
    /// From rest; `None` if a step does not converge.
    pub fn new(set: Set, s: Option<f64>, x: &[f64]) -> Option<Self> {
        let [k0, kpa, _, c0, alpha] = set;
        let law = Law { c0, alpha, s };
        let mut run = Self {
            set,
            x: x.to_vec(),
            y: vec![[0.0; CELLS]],
            points: vec![[law.at(0.0); CELLS]],
            force: vec![k0 * x[0] + kpa * x[0]],
        };
        let mut u = [0.0; CELLS];
        for (i, &x) in x.iter().enumerate().skip(1) {
            let before = run.y[i - 1];
            let rho: Cells = std::array::from_fn(|j| {
                (if j == 0 { kpa * x } else { 0.0 }) - row(set, &before, j)
            });
            let points = newton(set, law, &rho, &mut u)?;
            let y: Cells = std::array::from_fn(|j| before[j] + STEP * points[j].v);
            run.force.push(k0 * x + kpa * (x - y[0]));
            run.y.push(y);
            run.points.push(points);
        }
        Some(run)
    }

    fn per_cell(&self, i: usize, of: impl Fn(&Point) -> f64) -> Cells {
        std::array::from_fn(|j| of(&self.points[i][j]))
    }

    /// y'' at a sample, by central differences.
    fn acceleration(&self, i: usize, j: usize) -> f64 {
        let (a, b) = (i.saturating_sub(1), (i + 1).min(SAMPLES - 1));
        (self.points[b][j].v - self.points[a][j].v) / ((b - a) as f64 * STEP)
    }

    /// The adjoint state under a right side, from the end to the start.
    fn adjoint(&self, form: Form, right: impl Fn(usize) -> Cells) -> Vec<Cells> {
        let mut z = vec![[0.0; CELLS]; SAMPLES];
        // D z / step of the sample after.
        let mut kept = [0.0; CELLS];
        for i in (1..SAMPLES).rev() {
            let right = right(i);
            match form {
                Form::Kept => {
                    let ease = self.per_cell(i, |p| STEP * p.ease);
                    let sum: Cells = std::array::from_fn(|j| right[j] + kept[j]);
                    kept = solve(self.set, &[1.0; CELLS], &ease, &sum);
                    z[i] = std::array::from_fn(|j| ease[j] * kept[j]);
                }
                Form::Expanded => {
                    let slope = self.per_cell(i, |p| p.slope / STEP);
                    let after = z.get(i + 1).copied().unwrap_or([0.0; CELLS]);
                    let own: Cells = std::array::from_fn(|j| {
                        slope[j] - self.points[i][j].bend * self.acceleration(i, j)
                    });
                    let sum: Cells = std::array::from_fn(|j| right[j] + slope[j] * after[j]);
                    z[i] = solve(self.set, &own, &[1.0; CELLS], &sum);
                }
            }
        }
        z
    }

    /// Cost against measured forces and its gradient, eqs (11) and (13) without regularisation.
    pub fn gradient(&self, form: Form, data: &[f64]) -> (f64, Set) {
        let [_, kpa, ..] = self.set;
        let off = |i: usize| self.force[i] - data[i];
        let z = self.adjoint(form, |i| {
            let mut right = [0.0; CELLS];
            // The paper's final condition is z = 0; that of the transpose is its last step.
            if form == Form::Kept || i + 1 < SAMPLES {
                right[0] = -kpa * weight(i) * off(i);
            }
            right
        });
        let mut cost = 0.0;
        let mut gradient = [0.0; 5];
        // (K y)_j with kpa = 0, kr = 1.
        let springs = [0.0, 0.0, 1.0, 0.0, 0.0];
        for i in 0..SAMPLES {
            let (weighted, stretch) = (weight(i) * off(i), self.x[i] - self.y[i][0]);
            cost += 0.5 * weighted * off(i);
            gradient[0] += weighted * self.x[i];
            gradient[1] += stretch * (weighted + z[i][0]);
            for j in 0..CELLS {
                let point = &self.points[i][j];
                gradient[2] -= z[i][j] * row(springs, &self.y[i], j);
                gradient[3] -= z[i][j] * point.f / self.set[3];
                gradient[4] -= z[i][j] * point.by_alpha;
            }
        }
        (cost, gradient)
    }

    /// The dot-product test.
    pub fn dot_product(&self, form: Form) -> DotProduct {
        let mut b = vec![[0.0; CELLS]; SAMPLES];
        for i in 1..SAMPLES {
            let ease = self.per_cell(i, |p| STEP * p.ease);
            let right = std::array::from_fn(|j| 1.0 - row(self.set, &b[i - 1], j));
            let pull = solve(self.set, &[1.0; CELLS], &ease, &right);
            b[i] = std::array::from_fn(|j| b[i - 1][j] + ease[j] * pull[j]);
        }
        let c = self.adjoint(form, |i| b[i]);
        let sum = |of: &dyn Fn(f64) -> f64, v: &[Cells]| {
            STEP * v.iter().flatten().map(|&v| of(v)).sum::<f64>()
        };
        DotProduct {
            ac: sum(&|c| c, &c),
            bb: sum(&|b| b * b, &b),
        }
    }
}

/// Solves f + step K v = rho from the last unknowns.
fn newton(set: Set, law: Law, rho: &Cells, u: &mut Cells) -> Option<[Point; CELLS]> {
    let (tolerance, longest) = match law.s {
        None => (1e-11 * law.c0, f64::INFINITY),
        Some(_) => (1e-11, 1.0),
    };
    for _ in 0..200 {
        let points: [Point; CELLS] = std::array::from_fn(|j| law.at(u[j]));
        let v: Cells = std::array::from_fn(|j| STEP * points[j].v);
        let residual: Cells = std::array::from_fn(|j| points[j].f + row(set, &v, j) - rho[j]);
        let own = std::array::from_fn(|j| points[j].f_u);
        let scale = std::array::from_fn(|j| STEP * points[j].v_u);
        let change = solve(set, &own, &scale, &residual);
        let mut largest = 0.0_f64;
        for j in 0..CELLS {
            u[j] -= change[j].clamp(-longest, longest);
            largest = largest.max(change[j].abs());
        }
        if largest < tolerance {
            return Some(std::array::from_fn(|j| law.at(u[j])));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::rig::{SET_B, times};
    use super::*;

    #[test]
    fn kept_together_it_is_the_exact_transpose() {
        let x: Vec<f64> = (0..SAMPLES)
            .map(|i| (std::f64::consts::TAU * i as f64 * STEP).sin())
            .collect();
        let at = times(SET_B, [0.5, 2.0, 0.5, 0.5, 2.0]);
        for s in [None, Some(1.0), Some(100.0)] {
            let data = Run::new(SET_B, s, &x).expect("a run").force;
            let run = Run::new(at, s, &x).expect("a run");
            let test = run.dot_product(Form::Kept);
            assert!((test.ac / test.bb - 1.0).abs() < 1e-10, "{s:?}: {test:?}");
            let (_, gradient) = run.gradient(Form::Kept, &data);
            for c in 0..5 {
                let cost = |factor: f64| {
                    let mut factors = [1.0; 5];
                    factors[c] = factor;
                    let shifted = Run::new(times(at, factors), s, &x).expect("a run");
                    shifted.gradient(Form::Kept, &data).0
                };
                let by_difference = (cost(1.0 + 1e-5) - cost(1.0 - 1e-5)) / (2e-5 * at[c]);
                // Central differences of a cost of 2e4 known to 1e-11.
                let scale = gradient[c].abs().max(1e-2);
                assert!(
                    (gradient[c] - by_difference).abs() < 1e-5 * scale,
                    "{s:?} {c}: {} {by_difference}",
                    gradient[c]
                );
            }
        }
    }
}
