//! Friction, damping, clearance and stiffness such that the simulated motion meets the measured one.
//!
//! Shooting from the known start; the horizon grows, because over a long one the simulation soon is out of step and the sum
//! of squares has many minima. First friction alone, then everything, with exact derivatives through all stage events.

mod unknowns;

use super::cumulative::carry_on;
use super::device::Device;
use super::energy::Energy;
use super::error::StagesError;
use super::motion::{Measured, Motion};
use super::simulate::{Bench, load_of};
use crate::objective::Watch;
use crate::optimise::{LeastSquares, Linearisation, Options, Stop, trust_region};
use masing_sim::system::{Column, Driven, Load};
use nalgebra::{DMatrix, DVector};
use unknowns::Unknowns;

/// What is set free in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freedom {
    /// Friction within the clearance.
    pub clearance_friction: bool,
    /// Edges of the clearance, stiffness of the stages entered and one viscous coefficient.
    pub more_than_friction: bool,
}

/// Whether the friction of a node can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeStatus {
    /// Yes.
    Ok,
    /// It came out as none.
    AtBound,
    /// Its standard error is more than 0.3 of its value.
    PoorlyDetermined,
    /// The motion never entered the stage inside of it.
    NotReached,
    /// It was not sought.
    Fixed,
}

impl NodeStatus {
    /// The word in files.
    pub fn word(self) -> &'static str {
        match self {
            NodeStatus::Ok => "ok",
            NodeStatus::AtBound => "at-bound",
            NodeStatus::PoorlyDetermined => "poorly-determined",
            NodeStatus::NotReached => "not-reached",
            NodeStatus::Fixed => "fixed",
        }
    }
}

/// The refined device.
#[derive(Clone, Debug)]
pub struct Refined {
    /// Nodes, torques and friction.
    pub device: Device,
    /// One viscous coefficient, and its standard error.
    pub viscous: [f64; 2],
    /// Standard errors of the friction; none where it was not sought.
    pub friction_error: Vec<Option<f64>>,
    /// Standard errors of the edges of the clearance; none where they were not sought.
    pub edge_error: [Option<f64>; 2],
    /// Stiffness over that of the slow test, with its standard error, by the outer node of the stage.
    pub scales: Vec<(usize, f64, f64)>,
    /// Status of every node.
    pub status: Vec<NodeStatus>,
    /// Squares of the differences over the noise, per degree of freedom.
    pub chi2_dof: f64,
    /// Correlation of neighbouring differences.
    pub lag1: f64,
    /// Simulations with derivatives.
    pub evaluations: usize,
    /// Why the last search stopped.
    pub stop: Stop,
}

/// Shares of the record that the search passes through.
const HORIZONS: [f64; 5] = [0.15, 0.3, 0.5, 0.75, 1.0];

/// Refines from a friction at all nodes. `watch` is told of every better point, with the evaluations so far; `true` asks to
/// stop with the best so far.
pub fn refine(
    motion: &Motion,
    slow: &Device,
    energy: &Energy,
    bench: &Bench,
    start: &[f64],
    freedom: Freedom,
    watch: Option<&Watch<'_>>,
) -> Result<Refined, StagesError> {
    let mut evaluations = 0;
    let friction = Unknowns::friction(slow, energy, freedom.clearance_friction);
    let mut x = friction.at(start);
    for horizon in HORIZONS {
        let shooting = Shooting::new(motion, slow, energy, bench, &friction, horizon)?
            .watched(watch, evaluations);
        let last = horizon == 1.0;
        let options = Options {
            cost: if last { 1e-8 } else { 1e-4 },
            step: 1e-6,
            gradient: 1e-10,
            evaluations: if last { 25 } else { 15 },
        };
        let found = trust_region(&shooting, &x, &options);
        evaluations += found.evaluations;
        x = found.x;
        if found.stop == Stop::Interrupted {
            break;
        }
    }
    let all = if freedom.more_than_friction {
        Unknowns::all(slow, energy, freedom.clearance_friction)
    } else {
        friction
    };
    x.resize(all.len(), 0.0);
    // Who asked to stop is asked again at the first point, so that only its error bars are still computed.
    let shooting =
        Shooting::new(motion, slow, energy, bench, &all, 1.0)?.watched(watch, evaluations);
    let options = Options {
        cost: 1e-7,
        step: 1e-7,
        gradient: 1e-10,
        evaluations: 40,
    };
    let found = trust_region(&shooting, &x, &options);
    if found.stop == Stop::BadStart {
        // The simulation says what is wrong.
        bench.run(motion, slow, &vec![0.0; slow.len()])?;
    }
    evaluations += found.evaluations;
    Ok(shooting.finished(&found.x, &found.at, evaluations, found.stop))
}

/// Residuals of a simulation over a horizon.
struct Shooting<'a> {
    motion: &'a Motion,
    slow: &'a Device,
    energy: &'a Energy,
    bench: &'a Bench,
    unknowns: &'a Unknowns,
    load: Load,
    lower: Vec<f64>,
    upper: Vec<f64>,
    watch: Option<&'a Watch<'a>>,
    /// Evaluations of the searches before this one.
    before: usize,
}

impl<'a> Shooting<'a> {
    fn new(
        motion: &'a Motion,
        slow: &'a Device,
        energy: &'a Energy,
        bench: &'a Bench,
        unknowns: &'a Unknowns,
        horizon: f64,
    ) -> Result<Self, StagesError> {
        let samples = ((motion.len() as f64 * horizon).ceil() as usize).clamp(20, motion.len());
        let (lower, upper) = unknowns.bounds(slow);
        Ok(Self {
            load: load_of(
                motion.time[..samples].to_vec(),
                motion.torque[..samples].to_vec(),
            )?,
            motion,
            slow,
            energy,
            bench,
            unknowns,
            lower,
            upper,
            watch: None,
            before: 0,
        })
    }

    fn watched(self, watch: Option<&'a Watch<'a>>, before: usize) -> Self {
        Self {
            watch,
            before,
            ..self
        }
    }

    /// The device of a point: nodes that were not reached go on as the slow friction does.
    fn device(&self, x: &[f64]) -> Device {
        let mut device = self.unknowns.device(self.slow, x);
        let unknown = |node: usize| !self.unknowns.seeks(node);
        carry_on(self.slow, self.energy, &mut device.friction, unknown);
        device
    }

    fn finished(&self, x: &[f64], at: &Linearisation, evaluations: usize, stop: Stop) -> Refined {
        let n = self.load.len();
        let rows = at.r.rows(0, n.min(at.r.len()));
        let left: f64 = rows.iter().map(|r| r * r).sum();
        let freedom = n.saturating_sub(x.len()).max(1);
        let together: f64 = (1..rows.len()).map(|i| rows[i - 1] * rows[i]).sum();
        let lag1 = if left > 0.0 { together / left } else { 0.0 };
        let chi2_dof = left / freedom as f64;
        // More than noise is left, or neighbours repeat each other: the error bars grow.
        let mut factor = chi2_dof.max(1.0);
        if lag1 > 3.0 / (n as f64).sqrt() {
            factor *= (1.0 + lag1) / (1.0 - lag1).max(1e-3);
        }
        let normal = at.j.tr_mul(&at.j);
        let size = x.len();
        let errors = if at.j.nrows() == 0 {
            vec![f64::INFINITY; size]
        } else {
            let ridge = 1e-12 * normal.trace().max(1e-300) / size.max(1) as f64;
            let inverse = (normal + DMatrix::identity(size, size) * ridge).cholesky();
            let inverse = inverse.map(|c| c.inverse());
            (0..size)
                .map(|i| {
                    let variance = inverse.as_ref().map_or(f64::INFINITY, |c| c[(i, i)]);
                    (variance.max(0.0) * factor).sqrt()
                })
                .collect()
        };
        let device = self.device(x);
        let scaled = |i: usize| errors[i] * self.unknowns.unit(i);
        let friction_error: Vec<Option<f64>> = (0..device.len())
            .map(|node| self.unknowns.friction_of(node).map(scaled))
            .collect();
        let status = (0..device.len()).map(|node| {
            let reached = self
                .energy
                .stages
                .iter()
                .any(|s| s.stage.outer == node && s.coverage > 0.0);
            let inner = node >= device.minus && node <= device.plus;
            // Friction far beyond what the energy allows is no better determined for that.
            let size = device.friction[node].min(self.energy.grown(self.slow, node)[0]);
            match friction_error[node] {
                Some(error) if device.friction[node] <= 1e-3 * error => NodeStatus::AtBound,
                Some(error) if error > 0.3 * size => NodeStatus::PoorlyDetermined,
                Some(_) => NodeStatus::Ok,
                None if reached || inner => NodeStatus::Fixed,
                None => NodeStatus::NotReached,
            }
        });
        Refined {
            status: status.collect(),
            friction_error,
            viscous: self
                .unknowns
                .viscous()
                .map_or([0.0; 2], |i| [x[i] * self.unknowns.unit(i), scaled(i)]),
            edge_error: self.unknowns.edges().map(|edge| edge.map(scaled)),
            scales: self
                .unknowns
                .scales()
                .map(|(node, i)| (node, 1.0 + x[i] * self.unknowns.unit(i), scaled(i)))
                .collect(),
            device,
            chi2_dof,
            lag1,
            evaluations,
            stop,
        }
    }
}

impl LeastSquares for Shooting<'_> {
    fn linearise(&self, x: &[f64]) -> Option<Linearisation> {
        let device = self.device(x);
        let viscous = self
            .unknowns
            .viscous()
            .map_or(0.0, |i| x[i] * self.unknowns.unit(i));
        let none = vec![0.0; device.len()];
        let mut p = self.bench.values(self.motion, &device, &none).ok()?;
        let masses = self.bench.assembly.param_count();
        p[masses + 1] = viscous;
        // Where it starts follows from the torque, unless it was measured.
        let start = (!self.motion.start_known).then_some(p[masses + 3]);
        let chain = self.unknowns.chain(self.slow, &device, x, start);
        let columns: Vec<Column> = chain.columns.iter().map(|k| Column::Param(*k)).collect();
        let bench = self.bench;
        let driven =
            Driven::new(&bench.assembly, &bench.masses, &self.load, bench.numerics).ok()?;
        let tangent = driven.with_patience(4).tangent(&p, &columns).ok()?;
        let (simulated, slopes) = match self.motion.measured {
            Measured::Angle => (&tangent.response.displacement, &tangent.displacement),
            Measured::Velocity => (&tangent.response.velocity, &tangent.velocity),
            Measured::Acceleration => (&tangent.response.acceleration, &tangent.acceleration),
        };
        let (n, noise) = (self.load.len(), self.motion.noise);
        let raw = DMatrix::from_row_slice(n, columns.len(), slopes);
        let own = raw * &chain.matrix / noise;
        let count = self.unknowns.len();
        let mut r = DVector::zeros(n + count);
        let mut j = DMatrix::zeros(n + count, count);
        j.view_mut((0, 0), (n, count)).copy_from(&own);
        for (i, (a, b)) in simulated.iter().zip(self.motion.channel()).enumerate() {
            r[i] = (a - b) / noise;
        }
        for (i, (value, error)) in self.unknowns.held().enumerate() {
            r[n + i] = (x[i] - value) / error;
            j[(n + i, i)] = 1.0 / error;
        }
        r.iter()
            .chain(j.iter())
            .all(|v| v.is_finite())
            .then_some(Linearisation { r, j })
    }

    fn lower(&self) -> &[f64] {
        &self.lower
    }

    fn upper(&self) -> &[f64] {
        &self.upper
    }

    fn watch(&self, x: &[f64], cost: f64, evaluations: usize) -> bool {
        self.watch
            .is_some_and(|watch| watch(x, cost, self.before + evaluations))
    }
}

#[cfg(test)]
mod tests {
    use super::super::motion::FastRecord;
    use super::*;

    /// A damper with clearance and soft stages, let go so that it crosses all of them.
    fn damper() -> Device {
        Device {
            angles: vec![-0.22, -0.15, -0.06, -0.02, 0.03, 0.09, 0.20, 0.26],
            torques: vec![-88.44, -25.44, -0.24, 0.0, 0.0, 0.54, 39.04, 111.04],
            friction: vec![4.0, 2.2, 0.6, 0.0, 0.0, 0.7, 1.9, 3.6],
            minus: 3,
            plus: 4,
        }
    }

    #[test]
    fn derivatives_through_events_are_central_differences() {
        let device = damper();
        let time: Vec<f64> = (0..500).map(|i| 5e-4 * f64::from(i)).collect();
        let torque: Vec<f64> = time
            .iter()
            .map(|t| 12.0 + 83.0 * (1.0 - t / 4e-3).max(0.0))
            .collect();
        let blank = Motion {
            velocity: vec![1.0; time.len()],
            angle: vec![0.0; time.len()],
            acceleration: vec![0.0; time.len()],
            time: time.clone(),
            torque: torque.clone(),
            inertia: 0.1,
            measured: Measured::Velocity,
            noise: 0.01,
            velocity_noise: 0.01,
            first_torque: torque[0],
            start_known: false,
        };
        let bench = Bench::of(&blank, &device, 60.0).unwrap();
        let predicted = bench.run_once(&blank, &device, &[0.0; 8]).unwrap();
        let record = FastRecord {
            time,
            torque,
            velocity: Some(predicted.velocity),
            ..FastRecord::default()
        };
        let motion = Motion::of(&record, &device, 0.1).unwrap();
        let energy = Energy::of(&motion, &device, 60.0);
        let unknowns = Unknowns::all(&device, &energy, true);
        let shooting = Shooting::new(&motion, &device, &energy, &bench, &unknowns, 1.0).unwrap();
        // Friction off by up to a third, everything else a little.
        let mut x = unknowns.at(&device.friction);
        for (i, x) in x.iter_mut().enumerate() {
            let off = 0.02 * i as f64;
            *x = if *x == 0.0 {
                0.03 + 0.1 * off
            } else {
                *x * (0.7 + off)
            };
        }
        let at = shooting.linearise(&x).unwrap();
        let size = at.j.amax();
        for c in 0..x.len() {
            let residuals = |h: f64| {
                let mut x = x.clone();
                x[c] += h;
                shooting.linearise(&x).unwrap().r
            };
            // Four points: the error is of fourth order.
            let h = 3e-5;
            let slope = (residuals(-2.0 * h) - residuals(-h) * 8.0 + residuals(h) * 8.0
                - residuals(2.0 * h))
                / (12.0 * h);
            let own = at.j.column(c);
            let error = (slope - own).amax();
            let scale = own.amax().max(1e-3 * size);
            assert!(error <= 1e-5 * scale, "{c}: {error:e} of {scale:e}");
        }
    }
}
