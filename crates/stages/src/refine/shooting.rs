//! Simulated minus measured motion over a horizon, with exact derivatives.

use super::unknowns::Unknowns;
use super::{NodeStatus, Refined};
use crate::cumulative::carry_on;
use crate::device::Device;
use crate::energy::Energy;
use crate::error::StagesError;
use crate::motion::{Measured, Motion, start_angle};
use crate::simulate::{Bench, load_of};
use masing_identify::objective::Watch;
use masing_identify::search::optimise::{LeastSquares, Linearisation, Stop};
use masing_identify::uncertainty::inflation::inflation;
use masing_sim::system::{Column, Driven, Load};
use nalgebra::{DMatrix, DVector};

/// Residuals of a simulation over a horizon.
pub(super) struct Shooting<'a> {
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
    pub fn new(
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

    pub fn watched(self, watch: Option<&'a Watch<'a>>, before: usize) -> Self {
        Self {
            watch,
            before,
            ..self
        }
    }

    /// The device at a point; friction of nodes that were not reached is extrapolated from the slow test.
    fn device(&self, x: &[f64]) -> Device {
        let mut device = self.unknowns.device(self.slow, x);
        let unknown = |node: usize| !self.unknowns.seeks(node);
        carry_on(self.slow, self.energy, &mut device.friction, unknown);
        device
    }

    pub fn finished(
        &self,
        x: &[f64],
        at: &Linearisation,
        evaluations: usize,
        stop: Stop,
    ) -> Refined {
        let n = self.load.len();
        let rows = at.r.rows(0, n.min(at.r.len()));
        let left: f64 = rows.iter().map(|r| r * r).sum();
        let freedom = n.saturating_sub(x.len()).max(1);
        let together: f64 = (1..rows.len()).map(|i| rows[i - 1] * rows[i]).sum();
        let lag1 = if left > 0.0 { together / left } else { 0.0 };
        let chi2_dof = left / freedom as f64;
        // More than noise is left, or neighbours repeat each other: the error bars grow.
        let factor = chi2_dof.max(1.0) * inflation(lag1, n);
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
            let stages = self.energy.stages.iter();
            let own = stages
                .filter(|s| s.coverage > 0.0)
                .find(|s| s.stage.outer == node);
            let inner = node >= device.minus && node <= device.plus;
            let Some(i) = self.unknowns.friction_of(node) else {
                return if own.is_some() || inner {
                    NodeStatus::Fixed
                } else {
                    NodeStatus::NotReached
                };
            };
            let (value, error) = (device.friction[node], scaled(i));
            // Against its scale where it may be zero; far beyond its scale it is no better determined for that. Where the stage is
            // hardly entered most of the value is what it is held at.
            let most = match own {
                Some(stage) if !stage.accepted[0] => 0.1 * value,
                _ => 0.3 * x[i].clamp(1.0, 2.0) * self.unknowns.unit(i),
            };
            if x[i] >= 0.99 * self.upper[i] || value <= 1e-3 * error {
                NodeStatus::AtBound
            } else if error > most {
                NodeStatus::PoorlyDetermined
            } else {
                NodeStatus::Ok
            }
        });
        Refined {
            status: status.collect(),
            friction_error,
            viscous: self
                .unknowns
                .viscous()
                .map_or([0.0; 2], |i| [x[i] * self.unknowns.unit(i), scaled(i)]),
            carried: self
                .unknowns
                .start()
                .map_or([0.0; 2], |i| [self.unknowns.carried(x), scaled(i)]),
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
        let start = if self.motion.start_known {
            None
        } else {
            let torque = self.motion.first_torque + self.unknowns.carried(x);
            p[masses + 3] = start_angle(&device, torque).ok()?;
            Some(p[masses + 3])
        };
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

    fn bounds(&self) -> [&[f64]; 2] {
        [&self.lower, &self.upper]
    }

    fn watch(&self, x: &[f64], cost: f64, evaluations: usize) -> bool {
        self.watch
            .is_some_and(|watch| watch(x, cost, self.before + evaluations))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::FastRecord;

    /// A damper with clearance and soft stages, released so that it crosses all of them.
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
            mended: crate::rest::Mended::default(),
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
        let unknowns = Unknowns::all(&device, &energy, true).with_start(&device, motion.angle[0]);
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
