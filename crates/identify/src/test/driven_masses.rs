//! Masses under a load or on a moving base, and what was measured of their motion.

mod high_pass;
mod predict;

pub use high_pass::HighPass;

use super::motion_record::{CLOSED, MOST_CYCLES};
use super::{InitialState, Kind, Row, rms};
use crate::error::FitError;
use crate::names::Names;
use crate::objective::Residuals;
use crate::objective::predict::{Prediction, Question};
use crate::problem::unknown::{Place, Unknown};
use crate::start::features;
use crate::start::masses::beginning;
use masing_model::{Features, Masses, Model, Scale, Validity};
use masing_sim::system::{Decimation, Response};
use masing_sim::{Driven, Load, Numerics, SimError, system};
use std::ops::Range;

/// A quantity that was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Displacement, relative to the base if that moves.
    Displacement,
    /// Velocity, relative to the base if that moves.
    Velocity,
    /// Acceleration, absolute.
    Acceleration,
    /// Sum of the forces of the elements.
    Force,
}

/// One measured channel.
#[derive(Clone, Debug)]
pub struct Channel {
    /// What it is.
    pub output: Output,
    /// Of which degree of freedom, from 0.
    pub dof: usize,
    /// The values; NaN is missing.
    pub measured: Vec<f64>,
    /// Standard deviation of its noise, where it is known.
    pub noise: Option<f64>,
}

/// A test of a system with mass: predicted are the channels, one after the other.
#[derive(Clone, Debug)]
pub struct DrivenMasses {
    /// What was measured: the projections of state, velocity and acceleration that are compared.
    pub channels: Vec<Channel>,
    /// The samples that are compared.
    pub window: Range<usize>,
    /// Steps of the simulation, frozen during a search.
    pub numerics: Numerics,
    load: Load,
    initial: InitialState,
    /// Periods that are simulated before a periodic record is compared, frozen during a search.
    cycles: usize,
    /// Share of the response by which the last two of all cycles differed, where it did not become steady: the
    /// initial state is then estimated.
    unsteady: Option<f64>,
    rows: Decimation,
    /// The high-pass of the accelerometers.
    high_pass: Option<HighPass>,
    /// The load as it is simulated: with the leading periods, finely sampled.
    drive: Load,
}

/// Accuracy of the motion during a fit, of its largest value.
const FIT_ACCURACY: f64 = 1e-6;

/// Rows of a load that are enough to choose steps from.
const ENOUGH_ROWS: usize = 100_000;

/// Samples of a record for a first look, at least.
const FIRST_LOOK: usize = 1500;

/// Rows per sample in a first look at a record that is to be simulated more finely.
const FIRST_ROWS: usize = 4;

impl DrivenMasses {
    /// A test compared over its whole length, started with the initial motion of the model.
    pub fn new(load: Load, channels: Vec<Channel>) -> Self {
        Self {
            window: 0..load.len(),
            channels,
            numerics: Numerics::default(),
            initial: InitialState::AtRest,
            cycles: 0,
            unsteady: None,
            rows: Decimation::default(),
            high_pass: None,
            drive: load.clone(),
            load,
        }
    }

    /// The record is one period of a steady response, with or without the sample that closes it.
    pub fn periodic(mut self) -> Result<Self, FitError> {
        self.initial = InitialState::Periodic;
        self.run_through(1)?;
        Ok(self)
    }

    /// The record begins in motion; the fit estimates the initial state.
    pub fn estimated(mut self) -> Self {
        self.initial = InitialState::Estimated;
        self
    }

    /// The measured channels passed these stages of decimation: the model is simulated finely,
    /// under the band-limited load, and passes them too. Samples that would depend on what lies
    /// beyond the record are not compared.
    pub fn decimated(mut self, rows: Decimation) -> Result<Self, FitError> {
        let end = self.load.len().saturating_sub(rows.reach());
        self.window = self.window.start.min(end)..self.window.end.min(end);
        self.rows = rows;
        self.lay_out()?;
        Ok(self)
    }

    /// Accelerations were measured through a high-pass: those of the model pass it too. A base
    /// acceleration has to be the true one, not the measured one.
    pub fn high_passed(mut self, filter: HighPass) -> Self {
        self.high_pass = Some(filter);
        self
    }

    /// What drives it, sample by sample.
    pub fn load(&self) -> &Load {
        &self.load
    }

    /// The load as it is simulated.
    fn drive(&self) -> &Load {
        &self.drive
    }

    /// The state at the beginning.
    pub fn initial(&self) -> InitialState {
        self.initial
    }

    /// Share of the response by which it still changed after [`MOST_CYCLES`], if it was to be steady and is not for
    /// the values that its cycles were chosen for.
    pub(crate) fn unsteady(&self) -> Option<f64> {
        self.unsteady
    }

    /// Whether a force or its base moves it.
    pub fn is_loaded(&self) -> bool {
        let moves = |values: &[f64]| values.iter().any(|v| *v != 0.0);
        let loads = self.load.loads().iter();
        loads.clone().any(|(_, values)| moves(values))
            || self.load.base_acceleration().is_some_and(moves)
    }

    /// The same test with the initial state of the model where it would be estimated.
    pub(crate) fn begun_by_model(mut self) -> Self {
        if self.initial == InitialState::Estimated {
            self.initial = InitialState::AtRest;
        }
        self
    }

    fn run_through(&mut self, cycles: usize) -> Result<(), FitError> {
        self.cycles = cycles;
        self.lay_out()
    }

    fn lay_out(&mut self) -> Result<(), FitError> {
        let whole = repeated(&self.load, self.cycles)?;
        self.drive = whole.finer(self.rows.factor())?;
        Ok(())
    }

    /// Samples of the drive before those of the record.
    fn lead(&self) -> usize {
        self.cycles * period(&self.load)
    }

    /// The high-pass that a channel was measured through.
    fn high_pass_of(&self, output: Output) -> Option<HighPass> {
        self.high_pass.filter(|_| output == Output::Acceleration)
    }

    /// The samples of the record from the simulated rows of a channel.
    fn kept(&self, output: Output, mut rows: Vec<f64>) -> Vec<f64> {
        if let Some(filter) = self.high_pass_of(output) {
            rows = filter.apply(self.drive.time(), rows);
        }
        let all = self.rows.apply(rows);
        all[self.lead()..][..self.load.len()].to_vec()
    }

    /// Sensitivities to the simulated rows of a channel from those to the samples of the record.
    fn rows_bar(&self, output: Output, bar: &[f64]) -> Vec<f64> {
        let mut all = vec![0.0; self.drive.len().div_ceil(self.rows.factor())];
        all[self.lead()..][..bar.len()].copy_from_slice(bar);
        let rows = self.rows.pull_back(all, self.drive.len());
        match self.high_pass_of(output) {
            Some(filter) => filter.pull_back(self.drive.time(), rows),
            None => rows,
        }
    }

    /// Runs through the record until two periods in a row are alike. With hardly any damping that takes for ever: then the
    /// initial state is estimated.
    fn choose_cycles(&mut self, model: &Model, p: &[f64]) -> Result<(), FitError> {
        (self.initial, self.unsteady) = (InitialState::Periodic, None);
        self.run_through(self.cycles.max(1))?;
        let masses = model.system().ok_or(FitError::NoMasses)?;
        let width = masses.dofs();
        let period = period(&self.load) * self.rows.factor() * width;
        loop {
            let driven = Driven::new(model.assembly(), masses, &self.drive, self.numerics)?;
            let x = driven.run(p)?.displacement;
            let (behind, end) = (x.len() - period, x.len());
            let overlap = behind.min(period);
            let (before, last) = (&x[behind - overlap..behind], &x[end - overlap..]);
            let size = last.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            let pairs = before.iter().zip(last);
            let change = pairs.fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
            if change <= CLOSED * size {
                return Ok(());
            }
            if self.cycles >= MOST_CYCLES {
                (self.initial, self.unsteady) = (InitialState::Estimated, Some(change / size));
                return self.run_through(0);
            }
            self.run_through((2 * self.cycles).min(MOST_CYCLES))?;
        }
    }

    /// That many rows per sample without the filter, with correspondingly longer steps.
    fn pick(&mut self, rows: usize) -> Option<()> {
        self.numerics.max_dt *= self.rows.factor() as f64 / rows as f64;
        self.rows = Decimation::picking(rows);
        self.lay_out().ok()
    }

    /// All samples with fewer rows between them and without the filter, if it has more.
    pub(crate) fn fewer_rows(&self) -> Option<Self> {
        if self.rows.factor() <= FIRST_ROWS {
            return None;
        }
        let mut out = self.clone();
        out.pick(FIRST_ROWS)?;
        Some(out)
    }

    /// A representative part from the beginning, with few rows between the samples.
    pub(crate) fn shortened(&self) -> Option<Self> {
        let n = self.load.len();
        let telling = self.telling();
        if self.initial == InitialState::Periodic || telling + FIRST_LOOK > n {
            return self.fewer_rows();
        }
        let mut out = self.clone();
        out.load = first(&self.load, telling).ok()?;
        for channel in &mut out.channels {
            channel.measured.truncate(telling);
        }
        out.window = self.window.start.min(telling)..self.window.end.min(telling);
        out.pick(self.rows.factor().min(FIRST_ROWS))?;
        (out.window.len() > FIRST_LOOK / 2).then_some(out)
    }

    /// Samples from the beginning by which every channel has come near its largest value.
    fn telling(&self) -> usize {
        let each = self.channels.iter().map(|channel| {
            let own = &channel.measured;
            let values = || own.iter().map(|v| v.abs()).filter(|v| v.is_finite());
            let enough = NEAR_LARGEST * values().fold(0.0, f64::max);
            own.iter().position(|v| v.abs() >= enough).unwrap_or(0)
        });
        (2 * each.max().unwrap_or(0)).max(FIRST_LOOK)
    }
}

impl Kind for DrivenMasses {
    fn copy(&self) -> Box<dyn Kind> {
        Box::new(self.clone())
    }

    fn rows(&self) -> Vec<Row> {
        let n = self.load.len();
        let mut rows = Vec::new();
        for (c, channel) in self.channels.iter().enumerate() {
            let own = &channel.measured;
            let size = rms(self.window.clone().map(|i| own[i]));
            let peak = self
                .window
                .clone()
                .filter(|&i| own[i].is_finite())
                .fold(0.0_f64, |m, i| m.max(own[i].abs()));
            let counting = self.window.clone().filter(|&i| own[i].is_finite());
            rows.extend(counting.map(|i| Row {
                entry: c * n + i,
                measured: own[i],
                size,
                noise: channel.noise,
                floor: 1e-4 * peak,
            }));
        }
        rows
    }

    fn predict(&self, question: &Question<'_>) -> Result<Prediction, FitError> {
        predict::predict(question, self)
    }

    fn pull_back(
        &self,
        question: &Question<'_>,
        bar: &mut dyn FnMut(&[f64]) -> Vec<f64>,
    ) -> Result<Vec<f64>, FitError> {
        predict::pull_back(question, self, bar)
    }

    fn choose_numerics(&mut self, model: &Model, p: &[f64]) -> Result<(), FitError> {
        let masses = model.system().ok_or(FitError::NoMasses)?;
        // A fit needs the response far below the noise, not to the last digit.
        let accuracy = Some(FIT_ACCURACY);
        let enough = first(&self.drive, ENOUGH_ROWS)?;
        self.numerics = match system::choose(model.assembly(), masses, &enough, p, accuracy) {
            Ok(numerics) => numerics,
            Err(SimError::Accuracy { max_dt, .. }) => Numerics {
                increment: f64::INFINITY,
                max_dt,
            },
            Err(error) => return Err(error.into()),
        };
        if self.initial == InitialState::Periodic || self.unsteady.is_some() {
            self.choose_cycles(model, p)?;
        }
        Ok(())
    }

    fn numerics(&self) -> Numerics {
        self.numerics
    }

    /// Periods that are simulated before a periodic record is compared.
    fn cycles(&self) -> usize {
        self.cycles
    }

    fn features(&self) -> Option<Features> {
        features::of_driven_masses(self)
    }

    fn covers(&self, _model: &Model) -> Option<Validity> {
        // The masses moved as they would: what they went through is not what was asked of them.
        None
    }

    fn outputs(&self) -> Vec<Output> {
        self.channels.iter().map(|c| c.output).collect()
    }

    fn take_noise(&mut self, outcome: &Residuals) {
        for channel in &mut self.channels {
            let measured = channel.measured.iter().copied();
            let finite: Vec<f64> = measured.filter(|v| v.is_finite()).collect();
            let square = finite.iter().map(|v| v * v).sum::<f64>() / finite.len().max(1) as f64;
            channel
                .noise
                .get_or_insert(outcome.relative * square.sqrt());
        }
    }

    fn first_look(&self) -> Option<Box<dyn Kind>> {
        Some(Box::new(self.shortened()?))
    }

    fn moves_masses(&self) -> bool {
        true
    }

    fn shows_forces(&self) -> bool {
        let loads = self.load.loads().iter();
        loads
            .clone()
            .any(|(_, values)| values.iter().any(|v| *v != 0.0))
            || self.channels.iter().any(|c| c.output == Output::Force)
    }

    fn initial_state(&self) -> Option<InitialState> {
        Some(self.initial)
    }

    fn nuisance(&self, model: &Model, name: &str, k: usize) -> Vec<Unknown> {
        match self.initial {
            InitialState::Estimated => initial_motion(model, name, self, k),
            InitialState::AtRest | InitialState::Periodic => vec![],
        }
    }

    fn first_state(&self, model: &Model, state: usize) -> f64 {
        let dofs = model.system().map_or(1, Masses::dofs);
        let found = beginning(self, state % dofs);
        if state < dofs { found.x } else { found.v }
    }

    fn with_fewer_rows(&self) -> Option<Box<dyn Kind>> {
        Some(Box::new(self.fewer_rows()?))
    }

    fn driven_masses(&self) -> Option<&DrivenMasses> {
        Some(self)
    }

    fn driven_masses_mut(&mut self) -> Option<&mut DrivenMasses> {
        Some(self)
    }
}

/// The initial motion of a test of masses.
fn initial_motion(model: &Model, name: &str, test: &DrivenMasses, k: usize) -> Vec<Unknown> {
    let dofs = model.system().map_or(0, Masses::dofs);
    let displacement = Names::of(model.motion()).displacement;
    let each = (0..2 * dofs).map(|state| {
        let found = beginning(test, state % dofs);
        let (what, size) = if state < dofs {
            (displacement, found.amplitude)
        } else {
            ("velocity", found.speed)
        };
        let which = match dofs {
            1 => String::new(),
            _ => format!(" {}", state % dofs + 1),
        };
        Unknown {
            name: format!("{name} initial {what}{which}"),
            place: Place::Start { target: k, state },
            min: f64::NEG_INFINITY,
            max: f64::INFINITY,
            scale: Scale::Linear,
            typical: size.max(f64::MIN_POSITIVE),
        }
    });
    each.collect()
}

/// Share of the largest value that a first look has to show.
const NEAR_LARGEST: f64 = 0.7;

/// The beginning of a load.
fn first(load: &Load, samples: usize) -> Result<Load, SimError> {
    if samples >= load.len() {
        return Ok(load.clone());
    }
    let mut out = Load::new(load.time()[..samples].to_vec())?;
    for (dof, values) in load.loads() {
        out = out.on(*dof, values[..samples].to_vec())?;
    }
    match load.base_acceleration() {
        Some(base) => out.base(base[..samples].to_vec()),
        None => Ok(out),
    }
}

/// Samples in a period: all, or all but the last where that one closes it.
fn period(load: &Load) -> usize {
    let n = load.len();
    let channels = load.loads().iter().map(|(_, values)| values.as_slice());
    let closes = channels.chain(load.base_acceleration()).all(|values| {
        let size = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        (values[0] - values[n - 1]).abs() <= 1e-6 * size
    });
    if closes { n - 1 } else { n }
}

/// A load preceded by `cycles` repetitions of itself.
fn repeated(load: &Load, cycles: usize) -> Result<Load, SimError> {
    if cycles == 0 {
        return Ok(load.clone());
    }
    let (t, n, period) = (load.time(), load.len(), period(load));
    let gap = (t[n - 1] - t[0]) / (n - 1) as f64;
    let duration = t[n - 1] - t[0] + (period + 1 - n) as f64 * gap;
    let over = |values: &[f64], shift: f64| -> Vec<f64> {
        let whole = (0..cycles).flat_map(|c| {
            let behind = (cycles - c) as f64 * shift;
            values[..period].iter().map(move |v| v - behind)
        });
        whole.chain(values.iter().copied()).collect()
    };
    let mut out = Load::new(over(t, duration))?;
    for (dof, values) in load.loads() {
        out = out.on(*dof, over(values, 0.0))?;
    }
    match load.base_acceleration() {
        Some(base) => out.base(over(base, 0.0)),
        None => Ok(out),
    }
}

/// A channel of a response, row by row.
fn history(response: &Response, channel: &Channel) -> Vec<f64> {
    let dofs = response.dofs;
    match channel.output {
        Output::Displacement => Response::history(&response.displacement, dofs, channel.dof),
        Output::Velocity => Response::history(&response.velocity, dofs, channel.dof),
        Output::Acceleration => {
            Response::history(&response.absolute_acceleration, dofs, channel.dof)
        }
        Output::Force => response.total_force(),
    }
}
