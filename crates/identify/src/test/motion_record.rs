//! A prescribed motion and the force that was measured.

mod acceleration;
mod covers;
mod disturbance;
mod filter;
mod nuisance;
mod past;
mod predict;
mod reversals;

pub use acceleration::SmoothAcceleration;
pub use filter::ForceFilter;
use past::TURNS;

use super::kind::at_rest;
use super::preload::{displacement, shifted};
use super::{Kind, Output, Row, rms};
use crate::error::FitError;
use crate::objective::Residuals;
use crate::objective::predict::{Prediction, Question, pull_back_by_tangent};
use crate::problem::unknown::Unknown;
use crate::start::features;
use masing_data::{Preload, range};
use masing_model::{Assembly, Features, Model, Validity};
use masing_sim::{
    ACCURACY, Closure, Cycled, Motion, Numerics, Repeat, SimError, choose_steps, choose_within,
};
use std::ops::Range;

/// The state of the part when the record begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitialState {
    /// At rest, memory unstrained.
    AtRest,
    /// Any; estimated by the fit.
    Estimated,
    /// The record is a closed cycle of a periodic response, reached by a straight first loading and
    /// as many cycles as it takes.
    Periodic,
}

/// Nuisances of the measurement that the fit may estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is asked for on its own"
)]
pub struct Nuisance {
    /// A constant on the force.
    pub force_offset: bool,
    /// A constant on the displacement.
    pub motion_offset: bool,
    /// The force channel lags behind.
    pub delay: bool,
    /// The force channel shows (1 + level) times the force.
    pub level: bool,
    /// Mass between specimen and load cell (kg): estimated if negative, else known.
    pub moving_mass: Option<f64>,
}

/// A record of motion and force.
#[derive(Clone, Debug)]
pub struct MotionRecord {
    /// The motion as it was measured.
    pub motion: Motion,
    /// Acceleration, where it was measured; for a mass that moves along.
    pub measured_acceleration: Option<Vec<f64>>,
    /// That of the smoothed displacement, where it was not measured and a mass may move along.
    pub smooth_acceleration: Option<SmoothAcceleration>,
    /// Measured force; NaN is missing.
    pub force: Vec<f64>,
    /// The samples that are compared.
    pub window: Range<usize>,
    /// The state at the beginning.
    pub initial: InitialState,
    /// The preload.
    pub preload: Preload,
    /// Standard deviation of the force noise, where it is known (from repeated cycles).
    pub noise: Option<f64>,
    /// The nuisances that the fit may estimate.
    pub nuisance: Nuisance,
    /// What the measured force went through, if that is said.
    pub filter: Option<ForceFilter>,
    /// Steps of the simulation, frozen during a search.
    pub numerics: Numerics,
    /// Cycles until a periodic response counts as closed, frozen during a search.
    pub cycles: usize,
    /// How closely steps are chosen, relative to the largest force.
    pub accuracy: f64,
}

/// When a periodic response counts as closed: far below any noise.
pub(super) const CLOSED: f64 = 1e-5;
/// Cycles after which a response that still creeps is taken as it is.
pub(super) const MOST_CYCLES: usize = 40;
/// Samples of the straight first loading.
const RUN_IN: usize = 64;

impl MotionRecord {
    /// A record compared over its whole length, from rest.
    pub fn new(motion: Motion, force: Vec<f64>) -> Self {
        let window = 0..force.len().min(motion.len());
        Self {
            motion,
            measured_acceleration: None,
            smooth_acceleration: None,
            force,
            window,
            initial: InitialState::AtRest,
            preload: Preload::default(),
            noise: None,
            nuisance: Nuisance::default(),
            filter: None,
            numerics: Numerics::default(),
            cycles: 1,
            accuracy: ACCURACY,
        }
    }

    /// The samples that are compared: in the window, and measured.
    pub fn samples(&self) -> impl Iterator<Item = usize> + '_ {
        self.window.clone().filter(|&i| self.force[i].is_finite())
    }

    /// Largest measured force.
    pub fn peak(&self) -> f64 {
        self.samples().fold(0.0, |m, i| m.max(self.force[i].abs()))
    }

    /// Half the range of the motion.
    pub fn amplitude(&self) -> f64 {
        let (low, high) = range(self.motion.x());
        0.5 * (high - low)
    }

    /// The straight first loading of a periodic record: from zero displacement, or from the middle of
    /// a cycle that does not include zero, to where the cycle begins, at four amplitudes per period.
    /// It is shifted by `by` with the record.
    pub fn run_in(&self, by: f64) -> Result<Option<Motion>, SimError> {
        let (t, x) = (self.motion.time(), self.motion.x());
        let (low, high) = range(x);
        let from = self.rest_position();
        let way = x[0] - from;
        if way.abs() <= 1e-3 * (high - low) {
            return Ok(None);
        }
        let quarter = 0.25 * (t[t.len() - 1] - t[0]);
        let duration = quarter * way.abs() / (0.5 * (high - low));
        let share = |i: usize| i as f64 / RUN_IN as f64;
        let time = (0..=RUN_IN).map(|i| duration * share(i)).collect();
        let line = (0..=RUN_IN).map(|i| {
            if i == RUN_IN {
                x[0]
            } else {
                from + way * share(i)
            }
        });
        let line = line.map(|x| x + by).collect();
        Motion::new(time, line, None).map(Some)
    }

    /// Where a part is taken to have been at rest before the record: at zero displacement, or in
    /// the middle of a motion that does not include zero.
    pub(crate) fn rest_position(&self) -> f64 {
        let (low, high) = range(self.motion.x());
        let room = 0.01 * (high - low);
        if low - room <= 0.0 && high + room >= 0.0 {
            0.0
        } else {
            0.5 * (low + high)
        }
    }

    /// About one in `stride` samples, reversals kept, one step per interval; nothing for records that
    /// are short already.
    pub fn coarse(&self, stride: usize) -> Option<Self> {
        let n = self.motion.len();
        if stride < 2 || n / stride < 50 || !self.thins() {
            return None;
        }
        let x = self.motion.x();
        let corner = |i: usize| (x[i] - x[i - 1]) * (x[i + 1] - x[i]) <= 0.0;
        // A window that is one cycle of many is looked at as closely as a record of its own.
        let own = (stride * self.window.len() / n).max(1);
        let mut kept: Vec<usize> = Vec::with_capacity(n / stride + 16);
        for i in 0..n {
            let ends = i == 0 || i + 1 == n;
            let thin = if self.window.contains(&i) {
                own
            } else {
                stride
            };
            if ends || i % thin == 0 || (corner(i) && kept.last().is_some_and(|k| i - k > 1)) {
                kept.push(i);
            }
        }
        let pick = |values: &[f64]| kept.iter().map(|&i| values[i]).collect::<Vec<f64>>();
        let v = pick(self.motion.v());
        let motion = Motion::new(pick(self.motion.time()), pick(x), Some(v)).ok()?;
        let at = |edge: usize| kept.partition_point(|&i| i < edge);
        Some(Self {
            window: at(self.window.start)..at(self.window.end),
            force: pick(&self.force),
            measured_acceleration: self.measured_acceleration.as_deref().map(pick),
            smooth_acceleration: self
                .smooth_acceleration
                .as_ref()
                .map(|a| SmoothAcceleration {
                    half: a.half,
                    values: pick(&a.values),
                }),
            motion,
            numerics: Numerics::default(),
            ..self.clone()
        })
    }

    /// Whether samples may be left out: nothing reads neighbours in time.
    fn thins(&self) -> bool {
        let known = self.measured_acceleration.is_some() || self.smooth_acceleration.is_some();
        let still = self.nuisance.moving_mass.is_none() || known;
        !self.nuisance.delay && still && self.filter.is_none()
    }
}

/// Samples that a record keeps for a first look.
const FIRST_LOOK: usize = 500;

impl Kind for MotionRecord {
    fn copy(&self) -> Box<dyn Kind> {
        Box::new(self.clone())
    }

    fn rows(&self) -> Vec<Row> {
        let size = rms(self.samples().map(|i| self.force[i]));
        let floor = 1e-4 * self.peak();
        let row = |entry| Row {
            entry,
            measured: self.force[entry],
            size,
            noise: self.noise,
            floor,
        };
        self.samples().map(row).collect()
    }

    fn predict(&self, question: &Question<'_>) -> Result<Prediction, FitError> {
        predict::predict(question, self)
    }

    fn pull_back(
        &self,
        question: &Question<'_>,
        bar: &mut dyn FnMut(&[f64]) -> Vec<f64>,
    ) -> Result<Vec<f64>, FitError> {
        if predict::has_adjoint(question, self) {
            return predict::pull_back(question, self, bar);
        }
        pull_back_by_tangent(question, |question| self.predict(question), bar)
    }

    fn choose_numerics(&mut self, model: &Model, p: &[f64]) -> Result<(), FitError> {
        let assembly = model.assembly();
        let own = &p[..assembly.param_count()];
        let (offset, _) = displacement(model, own, self.preload, self.amplitude(), false)?;
        let mut motion = shifted(&self.motion, offset)?;
        let most = most_per_sample(self.accuracy);
        let work = affordable_work(assembly, &motion, most);
        let chosen = choose_steps(assembly, own, &mut motion, self.accuracy, work);
        self.numerics = or_finest(chosen, &motion, most)?;
        self.motion.cut(motion.pattern().cloned());
        if self.initial == InitialState::Periodic {
            let run_in = self.run_in(offset)?;
            let cycled = Cycled {
                assembly,
                cycle: &motion,
                run_in: run_in.as_ref(),
                numerics: self.numerics,
            };
            self.cycles = cycles_to_close(&cycled, own)?;
        }
        Ok(())
    }

    fn numerics(&self) -> Numerics {
        self.numerics
    }

    fn steps(&self) -> usize {
        self.motion.steps(&self.numerics)
    }

    fn cycles(&self) -> usize {
        self.cycles
    }

    fn features(&self) -> Option<Features> {
        features::of_motion_record(self)
    }

    fn covers(&self, model: &Model) -> Option<Validity> {
        covers::covers(self, model)
    }

    fn outputs(&self) -> Vec<Output> {
        vec![Output::Force]
    }

    fn take_noise(&mut self, outcome: &Residuals) {
        self.noise = Some(outcome.noise);
    }

    fn first_look(&self) -> Option<Box<dyn Kind>> {
        let n = self.motion.len();
        (n >= 2 * FIRST_LOOK).then(|| {
            self.coarse(n / FIRST_LOOK)
                .unwrap_or_else(|| self.clone())
                .copy()
        })
    }

    fn initial_state(&self) -> Option<InitialState> {
        Some(self.initial)
    }

    fn nuisance(&self, model: &Model, name: &str, k: usize) -> Vec<Unknown> {
        nuisance::unknowns(model, name, self, k)
    }

    fn first_state(&self, model: &Model, state: usize) -> f64 {
        at_rest(model, self.motion.x()[0], state)
    }

    fn motion_record(&self) -> Option<&MotionRecord> {
        Some(self)
    }

    fn motion_record_mut(&mut self) -> Option<&mut MotionRecord> {
        Some(self)
    }
}

/// Most steps per sample that a search can afford: values that need more are no result anyway, and
/// the final check of the steps reports it.
const MOST_PER_SAMPLE: usize = 32;
/// The same where models are only told apart.
const MOST_PER_SAMPLE_ROUGHLY: usize = 4;

/// The steps for an accuracy, or the finest that a search can afford.
pub(super) fn affordable(
    assembly: &Assembly,
    p: &[f64],
    motion: &Motion,
    accuracy: f64,
) -> Result<Numerics, SimError> {
    let most = most_per_sample(accuracy);
    let work = affordable_work(assembly, motion, most);
    let chosen = choose_within(assembly, p, motion, accuracy, work);
    or_finest(chosen, motion, most)
}

/// Steps times states that a run of a search can afford.
fn affordable_work(assembly: &Assembly, motion: &Motion, per_sample: usize) -> usize {
    let samples = motion.len().max(64);
    (assembly.state_count() + assembly.parts().len()) * samples * per_sample
}

/// Most steps per sample for an accuracy.
fn most_per_sample(accuracy: f64) -> usize {
    if accuracy > ACCURACY {
        MOST_PER_SAMPLE_ROUGHLY
    } else {
        MOST_PER_SAMPLE
    }
}

/// The chosen steps, or the finest that a search can afford.
fn or_finest(
    chosen: Result<Numerics, SimError>,
    motion: &Motion,
    per_sample: usize,
) -> Result<Numerics, SimError> {
    match chosen {
        Err(SimError::Accuracy { .. }) => {
            let t = motion.time();
            let longest = t.windows(2).map(|w| w[1] - w[0]).fold(0.0, f64::max);
            Ok(Numerics {
                increment: f64::INFINITY,
                max_dt: longest / (per_sample / 2) as f64,
            })
        }
        other => other,
    }
}

/// Cycles until the response closes, limited to the maximum.
pub(super) fn cycles_to_close(cycled: &Cycled<'_>, p: &[f64]) -> Result<usize, SimError> {
    let closure = Closure {
        tolerance: CLOSED,
        cycles: MOST_CYCLES,
    };
    match cycled.run(p, Repeat::UntilClosed(closure)) {
        Ok(steady) => Ok(steady.cycles),
        Err(SimError::NotPeriodic { .. }) => Ok(MOST_CYCLES),
        Err(error) => Err(error),
    }
}
