//! Starts for loop laws by regression on integrals, without a derivative of measured data.
//!
//! Over a record, with zm the mean of neighbouring z, the law says how z grows: z_k = c + sum_j A_j sum g_j(dx, zm;
//! shape). Given the shape this is linear in the rest; shapes are taken from a grid of the law. Elements in parallel, F
//! = z + sum theta_j phi_j, are more columns. Their share of F determines z itself, so the regression is iterated; a
//! parallel spring gives the same column as the stiffness and is taken from a grid too.

mod bristles;
mod slider;

pub(crate) use bristles::bristle_starts;

use super::law::{Linear, LoopModel};
use super::regression::{Regression, regress};
use crate::test::Test;
use masing_data::{Preload, range};
use masing_model::Model;

/// A start for the parameters of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct WeakStart {
    /// Values of all elements.
    pub values: Vec<f64>,
    /// The force of the loop law when each test begins; `None` for tests without a record.
    pub begin: Vec<Option<f64>>,
    /// Sum of squares that the regression left.
    pub rest: f64,
}

/// Shares of the secant stiffness tried for a parallel spring.
const SHARES: [f64; 8] = [0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.87, 0.95];
/// Samples above which a record is thinned: every regression runs over all of them.
const MOST_SAMPLES: usize = 8000;
/// Samples of all records that a regression compares.
const ROWS: usize = 800;
/// Slip displacement over amplitude of the slider that represents the loop at first.
const ROUGH_SLIP: f64 = 0.2;
/// Regressions until the share of the parallel elements has settled.
const ROUNDS: usize = 4;

/// One record: measured samples only.
struct Path {
    /// Which test it is.
    test: usize,
    x: Vec<f64>,
    v: Vec<f64>,
    force: Vec<f64>,
}

/// Values of the parameters that are not estimated.
type Held<'a> = &'a dyn Fn(usize) -> Option<f64>;

/// Starts by regression over all records, best first; `held` gives the values of parameters that are
/// not estimated. Empty if no record suits.
pub fn weak_starts(
    model: &Model,
    law: &LoopModel<'_>,
    tests: &[Test],
    held: Held<'_>,
) -> Vec<WeakStart> {
    let paths: Vec<Path> = tests
        .iter()
        .enumerate()
        .filter_map(|(i, test)| path(i, test))
        .collect();
    if paths.is_empty() {
        return vec![];
    }
    let problem = Problem {
        law,
        first: model.assembly().parts()[law.part].params.start,
        held,
        paths: &paths,
        force: paths.iter().flat_map(|p| p.force.clone()).collect(),
        stride: (paths.iter().map(|p| p.x.len()).sum::<usize>() / ROWS).max(1),
    };
    let mut starts: Vec<WeakStart> = problem
        .stiffnesses()
        .into_iter()
        .filter_map(|k| problem.solve(k))
        .chain(problem.sliders())
        .map(|found| problem.start(model, tests.len(), &found))
        .collect();
    starts.sort_by(|a, b| a.rest.total_cmp(&b.rest));
    starts
}

fn path(test: usize, target: &Test) -> Option<Path> {
    let rig = target.motion_record()?;
    let by = match rig.preload {
        Preload::Motion(by) => by,
        Preload::Force(_) => 0.0,
    };
    let stride = rig.window.len().div_ceil(MOST_SAMPLES).max(1);
    let samples: Vec<usize> = rig.samples().step_by(stride).collect();
    let pick = |values: &[f64]| -> Vec<f64> { samples.iter().map(|&i| values[i]).collect() };
    let mut force = pick(&rig.force);
    if rig.nuisance.force_offset {
        let middle = middle(&force);
        for f in &mut force {
            *f -= middle;
        }
    }
    (samples.len() > 8).then(|| Path {
        test,
        x: pick(rig.motion.x()).iter().map(|x| x + by).collect(),
        v: pick(rig.motion.v()),
        force,
    })
}

/// The middle between the extremes.
fn middle(values: &[f64]) -> f64 {
    let (low, high) = range(values);
    0.5 * (low + high)
}

struct Problem<'a> {
    law: &'a LoopModel<'a>,
    /// Where the parameters of the law begin.
    first: usize,
    held: Held<'a>,
    paths: &'a [Path],
    /// Forces of all records, one after the other.
    force: Vec<f64>,
    /// One in so many samples is compared.
    stride: usize,
}

/// What a regression found.
#[derive(Clone)]
struct Solved {
    /// Parameters of the law.
    own: Vec<f64>,
    /// Parameters of the linear parts.
    linear: Vec<f64>,
    rest: f64,
}

impl Problem<'_> {
    /// Stiffnesses of the parallel spring to try; none without one.
    fn stiffnesses(&self) -> Vec<Option<f64>> {
        let mut springs = self.law.linear.iter().filter(|l| l.is_stiffness());
        let Some(spring) = springs.next_back() else {
            return vec![None];
        };
        if let Some(k) = (self.held)(spring.param) {
            return vec![Some(k)];
        }
        let secants = self.paths.iter().map(|p| {
            let ((x0, x1), (f0, f1)) = (range(&p.x), range(&p.force));
            (f1 - f0) / (x1 - x0)
        });
        // The softest: the longest stroke of the tests.
        let secant = secants.filter(|s| s.is_finite()).reduce(f64::min);
        SHARES.iter().map(|s| secant.map(|k| s * k)).collect()
    }

    /// Regressions with the parallel spring at `k` until the other parallel elements have settled.
    fn solve(&self, k: Option<f64>) -> Option<Solved> {
        let linear = &self.law.linear;
        let mut theta = vec![0.0; linear.len()];
        for (theta, l) in theta.iter_mut().zip(linear) {
            *theta = (self.held)(l.param).unwrap_or(0.0);
        }
        if let (Some(k), Some(at)) = (k, linear.iter().rposition(Linear::is_stiffness)) {
            theta[at] = k;
        }
        let free: Vec<usize> = (0..linear.len())
            .filter(|&j| (self.held)(linear[j].param).is_none() && !linear[j].is_stiffness())
            .collect();
        if free.is_empty() {
            return self.regression(&theta, &free);
        }
        self.rough(&mut theta, &free);
        let mut best: Option<Solved> = None;
        for _ in 0..ROUNDS {
            let Some(found) = self.regression(&theta, &free) else {
                break;
            };
            theta.clone_from(&found.linear);
            if best.as_ref().is_none_or(|b| found.rest < b.rest) {
                best = Some(found);
            }
        }
        best
    }

    /// A first guess of the parallel elements, with a spring-slider in place of the loop law.
    fn rough(&self, theta: &mut [f64], free: &[usize]) {
        let mut columns = self.constants();
        columns.push(self.slider(ROUGH_SLIP));
        columns.extend(free.iter().map(|&j| self.column(j)));
        let known = self.parallel(theta);
        let y: Vec<f64> = self.force.iter().zip(known).map(|(f, p)| f - p).collect();
        if let Some(found) = self.fit(&columns, &y) {
            let own = &found.coefficients[self.paths.len() + 1..];
            for (&j, value) in free.iter().zip(own) {
                theta[j] = *value;
            }
        }
    }

    /// One column for the constant of every record.
    fn constants(&self) -> Vec<Vec<f64>> {
        (0..self.paths.len())
            .map(|k| {
                let of =
                    |(i, p): (usize, &Path)| vec![if i == k { 1.0 } else { 0.0 }; p.force.len()];
                self.paths.iter().enumerate().flat_map(of).collect()
            })
            .collect()
    }

    /// The force of a linear part for a parameter of one.
    fn column(&self, j: usize) -> Vec<f64> {
        let at = |p: &Path| -> Vec<f64> {
            let motion = p.x.iter().zip(&p.v);
            motion.map(|(&x, &v)| self.law.linear[j].at(x, v)).collect()
        };
        self.paths.iter().flat_map(at).collect()
    }

    /// The force of all linear parts.
    fn parallel(&self, theta: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; self.force.len()];
        for (j, &theta) in theta.iter().enumerate().filter(|(_, t)| **t != 0.0) {
            for (sum, phi) in sum.iter_mut().zip(self.column(j)) {
                *sum += theta * phi;
            }
        }
        sum
    }

    /// The best over the grid of nonlinear parameters, with z the force that the linear parts do not explain.
    fn regression(&self, theta: &[f64], free: &[usize]) -> Option<Solved> {
        let parallel = self.parallel(theta);
        let z: Vec<f64> = self
            .force
            .iter()
            .zip(&parallel)
            .map(|(f, p)| f - p)
            .collect();
        let size = z.iter().fold(0.0_f64, |m, z| m.max(z.abs()));
        if !(size > 0.0 && size.is_finite()) {
            return None;
        }
        let mut shared = self.constants();
        shared.extend(free.iter().map(|&j| self.column(j)));
        // The free parts are found anew, the others stay where they are.
        let mut y = z.clone();
        for (&j, column) in free.iter().zip(&shared[self.paths.len()..]) {
            for (y, phi) in y.iter_mut().zip(column) {
                *y += theta[j] * phi;
            }
        }
        let mut best: Option<Solved> = None;
        let mut keep = |own: Vec<f64>, found: &Regression| {
            if best.as_ref().is_some_and(|b| b.rest <= found.rest) {
                return;
            }
            let mut linear = theta.to_vec();
            for (i, &j) in free.iter().enumerate() {
                linear[j] = found.coefficients[self.paths.len() + i];
            }
            best = Some(Solved {
                own,
                linear,
                rest: found.rest,
            });
        };
        let (law, first) = (self.law.law, shared.len());
        let held = |i: usize| (self.held)(self.first + i);
        for shape in law.shapes(size, &held) {
            let mut columns = shared.clone();
            columns.extend(self.growth(&z, size, &shape));
            let Some(found) = self.fit(&columns, &y) else {
                continue;
            };
            let own = law.parameters(&shape, size, &found.coefficients[first..]);
            keep(own, &found);
        }
        best.filter(|b| b.own[0] > 0.0)
    }

    /// A regression over a share of the samples.
    fn fit(&self, columns: &[Vec<f64>], y: &[f64]) -> Option<Regression> {
        let thin = |values: &[f64]| -> Vec<f64> {
            let kept = values.iter().step_by(self.stride);
            kept.copied().collect()
        };
        let columns: Vec<Vec<f64>> = columns.iter().map(|c| thin(c)).collect();
        regress(&columns, &thin(y))
    }

    /// The growth of the law for unit coefficients, summed along every record; within a step the force
    /// is the mean of both ends.
    fn growth(&self, z: &[f64], size: f64, shape: &[f64]) -> Vec<Vec<f64>> {
        let law = self.law.law;
        let count = law.coefficients();
        let mut out = vec![Vec::with_capacity(z.len()); count];
        let mut step = vec![0.0; count];
        let mut first = 0;
        for p in self.paths {
            let mut sum = vec![0.0; count];
            for i in 0..p.x.len() {
                if i > 0 {
                    let mean = 0.5 * (z[first + i] + z[first + i - 1]);
                    law.growth(shape, size, p.x[i] - p.x[i - 1], mean, &mut step);
                    for (sum, step) in sum.iter_mut().zip(&step) {
                        *sum += step;
                    }
                }
                for (out, sum) in out.iter_mut().zip(&sum) {
                    out.push(*sum);
                }
            }
            first += p.x.len();
        }
        out
    }

    /// A solution as values of the model.
    fn start(&self, model: &Model, tests: usize, found: &Solved) -> WeakStart {
        let assembly = model.assembly();
        let mut values = model.element_values().to_vec();
        for (value, own) in values[self.first..].iter_mut().zip(&found.own) {
            *value = *own;
        }
        for (l, theta) in self.law.linear.iter().zip(&found.linear) {
            values[l.param] = *theta;
        }
        for (value, (_, param)) in values.iter_mut().zip(assembly.params()) {
            *value = value.clamp(param.min, param.max);
        }
        let mut begin = vec![None; tests];
        for p in self.paths {
            let parallel: f64 = self
                .law
                .linear
                .iter()
                .zip(&found.linear)
                .map(|(l, theta)| theta * l.at(p.x[0], p.v[0]))
                .sum();
            begin[p.test] = Some(p.force[0] - parallel);
        }
        WeakStart {
            values,
            begin,
            rest: found.rest,
        }
    }
}
