//! The loops that the parameters are found from.

use crate::error::PapersError;
use crate::report::{FORCE, path};
use masing_identify::loops::{Crossing, SemiAnalytic, loop_model, semi_analytic};
use masing_identify::{
    FitError, FitOptions, InitialState, MotionRecord, Test, fit, predict_held_out,
};
use masing_model::{Assembly, Masses, Model};
use masing_report::{Pen, Plot};
use masing_sim::system::choose;
use masing_sim::{Closure, Driven, Load, Motion, Numerics, sine_cycle, steady_state};
use std::f64::consts::TAU;

/// Seconds that are simulated.
const DURATION: f64 = 8.0;
/// Accuracy of the simulation, of the largest displacement: two digits beyond what is looked for.
const ACCURACY: f64 = 1e-9;

/// The oscillator of a section of the paper: stiffness, amplitude and frequency of the force.
#[derive(Clone, Copy)]
pub struct Oscillator {
    pub stiffness: f64,
    pub force: f64,
    pub frequency: f64,
}

/// One loop: displacement and force of the law over time.
pub struct Record {
    law: &'static str,
    p: Vec<f64>,
    oscillator: Oscillator,
    time: Vec<f64>,
    x: Vec<f64>,
    z: Vec<f64>,
}

/// An element alone.
fn alone(law: &str) -> Result<Model, PapersError> {
    let assembly = Assembly::from_names(law, |_| masing_model::Shape::default())?;
    Ok(Model::with_defaults(assembly, None)?)
}

impl Record {
    /// The last period of the oscillator with a law, sampled every `dt`.
    pub fn of(
        law: &'static str,
        p: &[f64],
        oscillator: Oscillator,
        dt: f64,
    ) -> Result<Self, PapersError> {
        let Oscillator {
            stiffness,
            force,
            frequency,
        } = oscillator;
        let samples = (DURATION / dt).round() as usize;
        let time: Vec<f64> = (0..=samples).map(|i| i as f64 * dt).collect();
        let load = time.iter().map(|t| force * (TAU * frequency * t).sin());
        let load = Load::new(time.clone())?.on(1, load.collect())?;
        let (model, masses) = (alone(law)?, Masses::oscillator());
        let assembly = model.assembly();
        // m, c, k, x0, v0.
        let masses_of = [1.0, 0.0, stiffness, 0.0, 0.0];
        let all: Vec<f64> = p.iter().copied().chain(masses_of).collect();
        let numerics = choose(assembly, &masses, &load, &all, Some(ACCURACY))?;
        let run = Driven::new(assembly, &masses, &load, numerics)?.run(&all)?;
        let from = samples - (1.0 / (frequency * dt)).round() as usize;
        Ok(Self {
            law,
            p: p.to_vec(),
            oscillator,
            time: time[from..].to_vec(),
            x: run.displacement[from..].to_vec(),
            z: run.force[from..].to_vec(),
        })
    }

    /// A settled loop of the law alone under a sine of the same amplitude.
    pub fn settled(&self) -> Result<Self, PapersError> {
        self.at(self.amplitude())
    }

    /// The loop of the oscillator once it has settled, by its first harmonic.
    pub fn steady(&self) -> Result<Self, PapersError> {
        let Oscillator {
            stiffness,
            force,
            frequency,
        } = self.oscillator;
        let mut found = self.settled()?;
        // Loops that hardly bend: the secant stiffness is known after a few rounds.
        for _ in 0..20 {
            let peak = found.z.iter().fold(0.0_f64, |m, z| m.max(z.abs()));
            let secant = peak / found.amplitude();
            found = self.at(force / (stiffness + secant - (TAU * frequency).powi(2)).abs())?;
        }
        Ok(found)
    }

    /// A settled loop of the law alone under a sine, sampled every millisecond.
    fn at(&self, amplitude: f64) -> Result<Self, PapersError> {
        let frequency = self.oscillator.frequency;
        let samples = (1e3 / frequency).round() as usize;
        let cycle = sine_cycle(amplitude, frequency, 0.0, samples)?;
        let model = alone(self.law)?;
        let numerics = Numerics::default();
        let steady = steady_state(
            model.assembly(),
            &self.p,
            &cycle,
            numerics,
            Closure::default(),
        )?;
        Ok(Self {
            law: self.law,
            p: self.p.clone(),
            oscillator: self.oscillator,
            time: cycle.time().to_vec(),
            x: cycle.x().to_vec(),
            z: steady.force,
        })
    }

    /// Displacement and force from tip to tip, where the displacement grows (1) or falls (-1).
    pub fn half(&self, direction: f64) -> (Vec<f64>, Vec<f64>) {
        // The last sample closes the period and is the first one again.
        let n = self.x.len() - 1;
        let tip = |sign: f64| {
            let further =
                |a: &usize, b: &usize| (sign * self.x[*a]).total_cmp(&(sign * self.x[*b]));
            (0..n).max_by(further).unwrap_or(0)
        };
        let (from, to) = (tip(-direction), tip(direction));
        let rows = (from..=to + if to < from { n } else { 0 }).map(|i| i % n);
        rows.map(|i| (self.x[i], self.z[i])).unzip()
    }

    /// Half the range of the displacement.
    fn amplitude(&self) -> f64 {
        let low = self.x.iter().copied().fold(f64::INFINITY, f64::min);
        let high = self.x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        0.5 * (high - low)
    }

    /// The method of the paper.
    pub fn by_formula(&self, crossing: Crossing) -> Result<SemiAnalytic, PapersError> {
        let model = alone(self.law)?;
        let law = loop_model(model.assembly()).map(|own| own.law);
        let found = law.and_then(|law| semi_analytic(law, &self.x, &self.z, crossing));
        Ok(found.ok_or(FitError::NoLoop)?)
    }

    /// What `masing fit` finds.
    pub fn by_fit(&self) -> Result<Vec<f64>, PapersError> {
        let (model, tests) = (alone(self.law)?, vec![self.target()?]);
        let found = fit(&model, tests, vec![], &FitOptions::default(), None)?;
        Ok(found.model.values().to_vec())
    }

    /// Changes of direction.
    pub fn turns(&self) -> usize {
        let steps: Vec<f64> = self.x.windows(2).map(|w| w[1] - w[0]).collect();
        steps.windows(2).filter(|w| w[0] * w[1] < 0.0).count()
    }

    /// By how much the force misses its beginning at the end, of its largest value.
    pub fn gap(&self) -> f64 {
        let peak = self.z.iter().fold(0.0_f64, |m, z| m.max(z.abs()));
        (self.z[self.z.len() - 1] - self.z[0]).abs() / peak
    }

    fn target(&self) -> Result<Test, PapersError> {
        let motion = Motion::new(self.time.clone(), self.x.clone(), None)?;
        let mut rig = MotionRecord::new(motion, self.z.clone());
        rig.initial = InitialState::Estimated;
        let rig = rig.with_reversals()?;
        Ok(Test::of("loop", rig))
    }

    /// The loop with those of several sets of values, each along the same motion.
    pub fn plot(&self, title: &str, sets: &[(&str, &[f64])]) -> Result<Plot, PapersError> {
        let (factor, unit) = if self.x.iter().all(|x| x.abs() < 1e-4) {
            (1e6, "um")
        } else {
            (1e3, "mm")
        };
        let mut plot = path(title, ("displacement", unit), FORCE);
        let scaled = |x: &[f64]| -> Vec<f64> { x.iter().map(|x| factor * x).collect() };
        plot.draw(Pen::Measured, "initial", &scaled(&self.x), &self.z);
        for (name, values) in sets {
            let model = alone(self.law)?.with(values.to_vec())?;
            let mut target = self.target()?;
            let (_, force) = predict_held_out(&model, &mut target)?;
            let x = target.motion_record().map(|rig| scaled(rig.motion.x()));
            plot.add(*name, &x.unwrap_or_default(), &force);
        }
        Ok(plot)
    }
}
