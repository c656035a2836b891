//! The cost of a set of unknowns over all tests, with exact derivatives.

use crate::optimise::{LeastSquares, Linearisation};
use crate::target::{Start, Target};
use crate::unknown::{Place, Unknown};
use masing_model::Assembly;
use masing_sim::{Closure, Column, Linearised, Prescribed, SimError, steady_tangent};
use nalgebra::{DMatrix, DVector};

/// How tests count against each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weights {
    /// Every test counts the same: residuals over the rms force of the test.
    #[default]
    Equal,
    /// Every sample counts by its noise.
    Noise,
}

/// When a periodic test counts as closed during a search: far below any noise, and soon enough for a
/// chain that creeps.
const CLOSURE: Closure = Closure {
    tolerance: 1e-6,
    cycles: 300,
};

/// Tests, model and unknowns.
pub struct Objective<'a> {
    /// The model.
    pub assembly: &'a Assembly,
    /// Values of all parameters; those sought are replaced.
    pub values: &'a [f64],
    /// The tests.
    pub targets: &'a [Target],
    /// What is sought.
    pub unknowns: &'a [Unknown],
    /// How tests count against each other.
    pub weights: Weights,
    lower: Vec<f64>,
    upper: Vec<f64>,
    watch: Option<&'a Watch<'a>>,
}

/// Told of every accepted point (unknowns, cost, evaluations); `true` asks to stop.
pub type Watch<'a> = dyn Fn(&[f64], f64, usize) -> bool + 'a;

impl<'a> Objective<'a> {
    /// All tests with the same share.
    pub fn new(
        assembly: &'a Assembly,
        values: &'a [f64],
        targets: &'a [Target],
        unknowns: &'a [Unknown],
        weights: Weights,
    ) -> Self {
        let lower = unknowns.iter().map(|u| u.internal(u.min)).collect();
        let upper = unknowns.iter().map(|u| u.internal(u.max)).collect();
        Self {
            assembly,
            values,
            targets,
            unknowns,
            weights,
            lower,
            upper,
            watch: None,
        }
    }

    /// With somebody watching.
    pub fn watched(self, watch: &'a Watch<'a>) -> Self {
        Self {
            watch: Some(watch),
            ..self
        }
    }

    /// The values behind the optimiser's numbers.
    pub fn values_of(&self, x: &[f64]) -> Vec<f64> {
        self.unknowns
            .iter()
            .zip(x)
            .map(|(u, &x)| u.value(x))
            .collect()
    }

    /// All parameters of the model at the given unknowns.
    pub fn parameters(&self, values: &[f64]) -> Vec<f64> {
        let mut p = self.values.to_vec();
        for (u, &value) in self.unknowns.iter().zip(values) {
            if let Place::Param(index) = u.place {
                p[index] = value;
            }
        }
        p
    }

    /// What a residual of test `k` is multiplied with.
    pub fn weight(&self, k: usize) -> f64 {
        let target = &self.targets[k];
        let own = match self.weights {
            Weights::Equal => {
                let count = target.samples().count().max(1) as f64;
                1.0 / (target.rms() * count.sqrt())
            }
            Weights::Noise => {
                1.0 / target
                    .noise
                    .unwrap_or(1e-2 * target.rms())
                    .max(1e-4 * target.peak())
            }
        };
        if own.is_finite() {
            own * target.weight.sqrt()
        } else {
            0.0
        }
    }

    /// Half the sum of squares at the given values of the unknowns; by plain runs where every unknown
    /// is a parameter.
    pub fn cost(&self, values: &[f64]) -> Option<f64> {
        let mut sum = 0.0;
        let p = self.parameters(values);
        let plain = self
            .unknowns
            .iter()
            .all(|u| matches!(u.place, Place::Param(_)));
        for (k, target) in self.targets.iter().enumerate() {
            let simple =
                plain && target.start != Start::Periodic && target.nuisance.moving_mass.is_none();
            let force = if simple {
                Prescribed::new(self.assembly, &target.motion, target.numerics)
                    .run(&p)
                    .ok()?
            } else {
                self.predict(k, values).ok()?.force
            };
            let weight = self.weight(k);
            sum += target
                .samples()
                .map(|i| (weight * (force[i] - target.force[i])).powi(2))
                .sum::<f64>();
        }
        Some(0.5 * sum)
    }

    /// Force that the model predicts for test `k`, disturbances included, with its derivatives by all
    /// unknowns.
    pub fn predict(&self, k: usize, values: &[f64]) -> Result<Linearised, SimError> {
        let target = &self.targets[k];
        let p = self.parameters(values);
        let n = target.motion.len();
        let (ones, zeros) = (vec![1.0; n], vec![0.0; n]);
        let count = self.unknowns.len();
        let mut columns = Vec::new();
        let mut of = Vec::new();
        let mut state = None;
        let mut moved = None;
        for (c, (u, &value)) in self.unknowns.iter().zip(values).enumerate() {
            let column = match u.place {
                Place::Param(index) => Column::Param(index),
                Place::Start {
                    target,
                    state: index,
                } if target == k => {
                    state.get_or_insert_with(|| self.rest(&p, k))[index] = value;
                    Column::Start(index)
                }
                Place::MotionOffset(target) if target == k => {
                    moved = Some(value);
                    Column::Motion {
                        x: &ones,
                        v: &zeros,
                    }
                }
                _ => continue,
            };
            columns.push(column);
            of.push(c);
        }
        let shifted = match moved {
            Some(by) => {
                let x = target.motion.x().iter().map(|x| x + by).collect();
                let motion = masing_sim::Motion::new(
                    target.motion.time().to_vec(),
                    x,
                    Some(target.motion.v().to_vec()),
                )?;
                Some(motion)
            }
            None => None,
        };
        let motion = shifted.as_ref().unwrap_or(&target.motion);
        let own = match target.start {
            Start::Periodic => {
                steady_tangent(
                    self.assembly,
                    &p,
                    motion,
                    target.numerics,
                    CLOSURE,
                    &columns,
                )?
                .0
            }
            Start::Rest | Start::Free => {
                let run = Prescribed::new(self.assembly, motion, target.numerics);
                match &state {
                    Some(state) => run.from_state(state).tangent(&p, &columns)?,
                    None => run.tangent(&p, &columns)?,
                }
            }
        };
        let mut out = Linearised {
            force: own.force,
            jacobian: vec![0.0; n * count],
            columns: count,
        };
        for i in 0..n {
            for (from, &to) in of.iter().enumerate() {
                out.jacobian[i * count + to] = own.jacobian[i * of.len() + from];
            }
        }
        self.disturb(k, values, &mut out);
        Ok(out)
    }

    fn rest(&self, p: &[f64], k: usize) -> Vec<f64> {
        let mut z = vec![0.0; self.assembly.state_count()];
        self.assembly
            .rest(p, |_| self.targets[k].motion.x()[0], &mut z);
        z
    }

    /// Adds moving mass, delay and force offset, in the order in which they act on the signal.
    fn disturb(&self, k: usize, values: &[f64], out: &mut Linearised) {
        let target = &self.targets[k];
        let (n, count) = (target.motion.len(), self.unknowns.len());
        let sought = |place: Place| self.unknowns.iter().position(|u| u.place == place);
        let mass = sought(Place::MovingMass(k));
        let known = target.nuisance.moving_mass.filter(|m| *m > 0.0);
        if mass.is_some() || known.is_some() {
            let a = target.acceleration();
            let m = mass.map_or(known.unwrap_or(0.0), |c| values[c]);
            for i in 0..n {
                out.force[i] += m * a[i];
                if let Some(c) = mass {
                    out.jacobian[i * count + c] = a[i];
                }
            }
        }
        if let Some(c) = sought(Place::Delay(k)) {
            delay(target.motion.time(), values[c], c, out);
        }
        if let Some(c) = sought(Place::ForceOffset(k)) {
            for i in 0..n {
                out.force[i] += values[c];
                out.jacobian[i * count + c] = 1.0;
            }
        }
    }
}

/// Lets force and derivatives lag by `by`, straight between samples; column `c` is the lag itself.
fn delay(time: &[f64], by: f64, c: usize, out: &mut Linearised) {
    let (n, count) = (time.len(), out.columns);
    let (force, jacobian) = (out.force.clone(), out.jacobian.clone());
    let mut j = 0;
    for i in 0..n {
        let t = time[i] - by;
        while j + 2 < n && time[j + 1] <= t {
            j += 1;
        }
        while j > 0 && time[j] > t {
            j -= 1;
        }
        // Beyond the ends the signal stays at its last value.
        let share = ((t - time[j]) / (time[j + 1] - time[j])).clamp(0.0, 1.0);
        out.force[i] = force[j] + share * (force[j + 1] - force[j]);
        for q in 0..count {
            let (a, b) = (jacobian[j * count + q], jacobian[(j + 1) * count + q]);
            out.jacobian[i * count + q] = a + share * (b - a);
        }
        let inside = t >= time[0] && t <= time[n - 1];
        out.jacobian[i * count + c] = if inside {
            -(force[j + 1] - force[j]) / (time[j + 1] - time[j])
        } else {
            0.0
        };
    }
}

impl LeastSquares for Objective<'_> {
    fn linearise(&self, x: &[f64]) -> Option<Linearisation> {
        let values = self.values_of(x);
        let rows: usize = self.targets.iter().map(|t| t.samples().count()).sum();
        let count = self.unknowns.len();
        let mut at = Linearisation {
            r: DVector::zeros(rows),
            j: DMatrix::zeros(rows, count),
        };
        let slopes: Vec<f64> = self
            .unknowns
            .iter()
            .zip(&values)
            .map(|(u, &v)| u.slope(v))
            .collect();
        let mut row = 0;
        for (k, target) in self.targets.iter().enumerate() {
            let predicted = self.predict(k, &values).ok()?;
            let weight = self.weight(k);
            for i in target.samples() {
                at.r[row] = weight * (predicted.force[i] - target.force[i]);
                for c in 0..count {
                    at.j[(row, c)] = weight * predicted.jacobian[i * count + c] * slopes[c];
                }
                row += 1;
            }
        }
        Some(at)
    }

    fn lower(&self) -> &[f64] {
        &self.lower
    }

    fn upper(&self) -> &[f64] {
        &self.upper
    }

    fn watch(&self, x: &[f64], cost: f64, evaluations: usize) -> bool {
        self.watch
            .is_some_and(|watch| watch(&self.values_of(x), cost, evaluations))
    }
}
