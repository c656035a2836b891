//! A system with mass under a load: histories and their derivatives along columns.

use super::columns::{Column, Columns};
use super::equations::{Equations, is_implicit};
use super::explicit::Explicit;
use super::implicit::Implicit;
use super::load::{Drive, Instant, Load};
use super::march::{Push, Scheme, Watch, failed, finish, march};
use super::record::Recorded;
use super::start::Start;
use crate::error::SimError;
use crate::numerics::Numerics;
use crate::recorded::TAPE_BUDGET;
use masing_model::{Assembly, Masses};

/// An assembly on masses under a load, with the sub-steps it is run with.
#[derive(Clone, Debug)]
pub struct Driven<'a> {
    pub(super) assembly: &'a Assembly,
    pub(super) masses: &'a Masses,
    pub(super) drive: Drive,
    pub(super) numerics: Numerics,
    start: Option<Vec<f64>>,
    pub(super) budget: usize,
}

/// A run: rows of samples, row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Response {
    /// Degrees of freedom: entries in a row of the motion.
    pub dofs: usize,
    /// Elements: entries in a row of forces.
    pub parts: usize,
    /// Displacement, relative to the base if that moves.
    pub displacement: Vec<f64>,
    /// Velocity, relative to the base if that moves.
    pub velocity: Vec<f64>,
    /// Acceleration, relative to the base if that moves.
    pub acceleration: Vec<f64>,
    /// Acceleration including that of the base.
    pub absolute_acceleration: Vec<f64>,
    /// Force of every element of the assembly.
    pub force: Vec<f64>,
    /// How many micro-steps it took.
    pub micro_steps: usize,
}

/// A run with derivatives: rows as in the [`Response`], each entry followed by its columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sensitivity {
    /// The run.
    pub response: Response,
    /// Number of columns.
    pub columns: usize,
    /// d displacement/d column.
    pub displacement: Vec<f64>,
    /// d velocity/d column.
    pub velocity: Vec<f64>,
    /// d acceleration/d column, relative and absolute alike.
    pub acceleration: Vec<f64>,
    /// d force/d column.
    pub force: Vec<f64>,
}

impl<'a> Driven<'a> {
    /// A system; an error if the load or an element acts on a degree of freedom that does not exist.
    pub fn new(
        assembly: &'a Assembly,
        masses: &'a Masses,
        load: &Load,
        numerics: Numerics,
    ) -> Result<Self, SimError> {
        let dofs = masses.dofs();
        let ends = assembly.parts().iter().flat_map(|p| p.between);
        if let Some(found) = ends.max().filter(|&most| most > dofs) {
            return Err(SimError::Dof {
                what: "element",
                dof: found,
                dofs,
            });
        }
        if let Some(part) = assembly.parts().iter().find(|p| p.element.grips()) {
            return Err(SimError::Rigid {
                label: part.label.clone(),
            });
        }
        Ok(Self {
            assembly,
            masses,
            drive: Drive::new(load, dofs)?,
            numerics,
            start: None,
            budget: TAPE_BUDGET,
        })
    }

    /// Starts the elements with these states instead of at rest.
    pub fn starting_with(mut self, states: Vec<f64>) -> Self {
        assert_eq!(
            states.len(),
            self.assembly.state_count(),
            "states of the assembly"
        );
        self.start = Some(states);
        self
    }

    /// Sets how many bytes [`Driven::record`] may keep before it recomputes parts of the run.
    pub fn within(mut self, bytes: usize) -> Self {
        self.budget = bytes;
        self
    }

    /// The same system with other sub-steps.
    pub fn stepping(mut self, numerics: Numerics) -> Self {
        self.numerics = numerics;
        self
    }

    /// Gives up a run whose kinks cut the sub-steps into more than that many pieces on average: its
    /// steps do not resolve it, and it would not finish.
    pub fn with_patience(mut self, pieces: usize) -> Self {
        self.drive.patience = pieces;
        self
    }

    /// The sub-steps.
    pub fn numerics(&self) -> Numerics {
        self.numerics
    }

    /// Whether the implicit scheme is used because an element requires it.
    pub fn is_implicit(&self) -> bool {
        is_implicit(self.assembly)
    }

    /// Runs with the values `p`: those of the assembly, then those of the masses.
    pub fn run(&self, p: &[f64]) -> Result<Response, SimError> {
        let eq = self.equations(p)?;
        if self.is_implicit() {
            self.run_with(Implicit::new(eq))
        } else {
            self.run_with(Explicit::new(eq))
        }
    }

    /// Runs with derivatives along columns.
    pub fn tangent(&self, p: &[f64], columns: &[Column]) -> Result<Sensitivity, SimError> {
        let eq = self.equations(p)?;
        let columns = Columns::new(&eq, columns);
        if self.is_implicit() {
            self.tangent_with(Implicit::new(eq), &columns)
        } else {
            self.tangent_with(Explicit::new(eq), &columns)
        }
    }

    /// Runs and keeps what the adjoint needs.
    pub fn record<'r>(&'r self, p: &'r [f64]) -> Result<Recorded<'r>, SimError> {
        let eq = self.equations(p)?;
        if self.is_implicit() {
            Recorded::new(self, p, Implicit::new(eq))
        } else {
            Recorded::new(self, p, Explicit::new(eq))
        }
    }

    /// The equations of motion; without a mass to accelerate there is no motion.
    pub(super) fn equations<'r>(&'r self, p: &'r [f64]) -> Result<Equations<'r>, SimError> {
        Equations::new(self.assembly, self.masses, &self.drive, p).ok_or(SimError::SingularMass)
    }

    pub(super) fn start(&self) -> Start<'_> {
        self.start.as_deref().map_or(Start::Rest, Start::Given)
    }

    fn run_with<'s, S: Scheme<'s>>(&self, mut scheme: S) -> Result<Response, SimError> {
        let mut y = self.started(&mut scheme)?;
        let mut response = Response::new(scheme.equations());
        self.run_through(&mut scheme, &mut y, &mut response)?;
        Ok(response)
    }

    /// The state at the start of the run.
    pub(super) fn started<'s, S: Scheme<'s>>(&self, scheme: &mut S) -> Result<Vec<f64>, SimError> {
        let mut y = vec![0.0; scheme.len()];
        let started = scheme.start(self.start(), &mut y);
        started.map_err(|failure| failed(&self.drive, 0, failure))?;
        Ok(y)
    }

    /// Runs through all samples.
    pub(super) fn run_through<'s, S: Scheme<'s>>(
        &self,
        scheme: &mut S,
        y: &mut [f64],
        watch: &mut impl Watch<S>,
    ) -> Result<(), SimError> {
        let intervals = 0..self.drive.samples() - 1;
        march(scheme, &self.numerics, intervals, y, watch)?;
        finish(scheme, y, watch)
    }

    fn tangent_with<'s, S: Push<'s>>(
        &self,
        mut scheme: S,
        columns: &Columns,
    ) -> Result<Sensitivity, SimError> {
        let count = columns.count;
        let mut d = vec![0.0; scheme.len() * count];
        scheme.keep_tape(true);
        let mut y = self.started(&mut scheme)?;
        scheme.push_start(self.start(), columns, &mut d);
        let (eq, samples) = (scheme.equations(), self.drive.samples());
        let room = |rows: usize| Vec::with_capacity(samples * rows * count);
        let out = Sensitivity {
            response: Response::new(eq),
            columns: count,
            displacement: room(eq.n),
            velocity: room(eq.n),
            acceleration: room(eq.n),
            force: room(eq.wires.len()),
        };
        let mut watch = Pushing { columns, d, out };
        self.run_through(&mut scheme, &mut y, &mut watch)?;
        Ok(watch.out)
    }
}

impl Response {
    pub(super) fn new(eq: &Equations<'_>) -> Self {
        let samples = eq.drive.samples();
        let room = |row: usize| Vec::with_capacity(samples * row);
        Self {
            dofs: eq.n,
            parts: eq.wires.len(),
            displacement: room(eq.n),
            velocity: room(eq.n),
            acceleration: room(eq.n),
            absolute_acceleration: room(eq.n),
            force: room(eq.wires.len()),
            micro_steps: 0,
        }
    }

    /// Number of samples.
    pub fn samples(&self) -> usize {
        self.displacement.len() / self.dofs.max(1)
    }

    /// The history of one entry of rows `width` long, say of the displacement of a degree of freedom.
    pub fn history(rows: &[f64], width: usize, entry: usize) -> Vec<f64> {
        rows.iter().skip(entry).step_by(width).copied().collect()
    }

    /// The sum of all element forces at every sample.
    pub fn total_force(&self) -> Vec<f64> {
        if self.parts == 0 {
            return vec![0.0; self.samples()];
        }
        let rows = self.force.chunks_exact(self.parts);
        rows.map(|row| row.iter().sum()).collect()
    }

    /// Appends the row of a sample.
    fn add<'s>(&mut self, scheme: &impl Scheme<'s>, sample: usize, y: &[f64]) {
        let (n, (acceleration, force)) = (self.dofs, scheme.observe());
        let base = scheme.equations().drive.base_at(sample);
        self.displacement.extend_from_slice(&y[..n]);
        self.velocity.extend_from_slice(&y[n..2 * n]);
        self.acceleration.extend_from_slice(acceleration);
        let absolute = acceleration.iter().map(|a| a + base);
        self.absolute_acceleration.extend(absolute);
        self.force.extend_from_slice(force);
    }
}

impl<'s, S: Scheme<'s>> Watch<S> for Response {
    fn begun(&mut self, scheme: &mut S, sample: Option<usize>, y: &[f64], _: Instant) {
        if let Some(sample) = sample {
            self.add(scheme, sample, y);
        }
    }

    fn taken(&mut self, _: &mut S, _: f64) {
        self.micro_steps += 1;
    }
}

/// Derivatives, carried along a run.
struct Pushing<'a> {
    columns: &'a Columns,
    d: Vec<f64>,
    out: Sensitivity,
}

impl<'s, S: Push<'s>> Watch<S> for Pushing<'_> {
    fn begun(&mut self, scheme: &mut S, sample: Option<usize>, y: &[f64], _: Instant) {
        scheme.push_begin(self.columns, &self.d);
        if let Some(sample) = sample {
            self.out.response.add(scheme, sample, y);
            let rows = self.out.response.dofs * self.columns.count;
            let (acceleration, force) = scheme.push_observe();
            self.out.displacement.extend_from_slice(&self.d[..rows]);
            self.out.velocity.extend_from_slice(&self.d[rows..2 * rows]);
            self.out.acceleration.extend_from_slice(acceleration);
            self.out.force.extend_from_slice(force);
        }
    }

    fn taken(&mut self, scheme: &mut S, h: f64) {
        scheme.push_advance(self.columns, h, &mut self.d);
        self.out.response.micro_steps += 1;
    }
}
