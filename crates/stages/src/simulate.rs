//! The device on its inertia under the load of the record.

use super::device::Device;
use super::error::StagesError;
use super::motion::{Measured, Motion, start_angle};
use masing_model::{Assembly, Masses, MotionKind};
use masing_sim::Numerics;
use masing_sim::system::{Driven, Load, choose};

/// What is simulated: element, inertia, load and sub-steps.
#[derive(Debug)]
pub struct Bench {
    pub(super) assembly: Assembly,
    pub(super) masses: Masses,
    /// The load of the record.
    pub(super) load: Load,
    /// The same, with the last torque held up to five times the length.
    long: Load,
    /// Sub-steps.
    pub numerics: Numerics,
    /// Sharpness of the friction.
    pub eta: f64,
}

/// A simulated motion.
#[derive(Clone, Debug)]
pub struct Predicted {
    /// Time (s).
    pub time: Vec<f64>,
    /// Angle.
    pub angle: Vec<f64>,
    /// Velocity.
    pub velocity: Vec<f64>,
    /// Acceleration.
    pub acceleration: Vec<f64>,
}

impl Predicted {
    /// One of its channels.
    pub fn channel(&self, which: Measured) -> &[f64] {
        match which {
            Measured::Angle => &self.angle,
            Measured::Velocity => &self.velocity,
            Measured::Acceleration => &self.acceleration,
        }
    }
}

/// How many times the record a simulation lasts: slow decays last longer than the record.
const LONGER: usize = 5;

/// Most sub-steps of a simulation that is longer than its record.
const MOST_STEPS: f64 = 5e6;
/// Accuracy of the angle relative to its largest value: a thousandth of the resolution of the best rigs.
const ACCURACY: f64 = 1e-7;

impl Bench {
    /// A bench for one record, with sub-steps for this device.
    pub fn of(motion: &Motion, device: &Device, eta: f64) -> Result<Self, StagesError> {
        // The kind of motion only matters for units.
        let assembly = device.assembly(MotionKind::Rotation)?;
        let masses = Masses::oscillator();
        let load = load_of(motion.time.clone(), motion.torque.clone())?;
        let mut bench = Self {
            assembly,
            masses,
            long: load.clone(),
            load,
            numerics: Numerics::default(),
            eta,
        };
        let none = vec![0.0; device.len()];
        let p = bench.values(motion, device, &none)?;
        let (assembly, masses) = (&bench.assembly, &bench.masses);
        bench.numerics = choose(assembly, masses, &bench.load, &p, Some(ACCURACY))?;
        bench.long = bench.prolonged(motion)?;
        Ok(bench)
    }

    /// The load of the record, with its last torque held up to five times the length, or as long as can be
    /// simulated.
    fn prolonged(&self, motion: &Motion) -> Result<Load, StagesError> {
        let (dt, n, last) = (motion.step(), motion.len(), motion.last_torque());
        let end = motion.time[n - 1];
        let most = MOST_STEPS / (dt / self.numerics.max_dt).max(1.0);
        let more = ((LONGER - 1) * (n - 1)).min((most as usize).saturating_sub(n));
        let time = motion.time.iter().copied();
        let torque = motion.torque.iter().copied();
        load_of(
            time.chain((1..=more).map(|i| end + dt * i as f64))
                .collect(),
            torque.chain((1..=more).map(|_| last)).collect(),
        )
    }

    /// Values of element and inertia, beginning at rest.
    pub(super) fn values(
        &self,
        motion: &Motion,
        device: &Device,
        viscous: &[f64],
    ) -> Result<Vec<f64>, StagesError> {
        let start = if motion.start_known {
            motion.angle[0]
        } else {
            start_angle(device, motion.first_torque)?
        };
        let mut p = device.values(viscous, self.eta);
        p.extend([motion.inertia, 0.0, 0.0, start, 0.0]);
        Ok(p)
    }

    /// The motion of a device with damping, five times as long as the record.
    pub fn run(
        &self,
        motion: &Motion,
        device: &Device,
        viscous: &[f64],
    ) -> Result<Predicted, StagesError> {
        self.run_under(&self.long, motion, device, viscous)
    }

    /// The motion of a device with damping, as long as the record.
    pub fn run_once(
        &self,
        motion: &Motion,
        device: &Device,
        viscous: &[f64],
    ) -> Result<Predicted, StagesError> {
        self.run_under(&self.load, motion, device, viscous)
    }

    fn run_under(
        &self,
        load: &Load,
        motion: &Motion,
        device: &Device,
        viscous: &[f64],
    ) -> Result<Predicted, StagesError> {
        let p = self.values(motion, device, viscous)?;
        let driven = Driven::new(&self.assembly, &self.masses, load, self.numerics)?;
        let response = driven.run(&p)?;
        Ok(Predicted {
            time: load.time().to_vec(),
            angle: response.displacement,
            velocity: response.velocity,
            acceleration: response.acceleration,
        })
    }
}

/// A load on the only mass.
pub(super) fn load_of(time: Vec<f64>, torque: Vec<f64>) -> Result<Load, StagesError> {
    Ok(Load::new(time)?.on(1, torque)?)
}
