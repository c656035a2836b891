//! One instance: its inputs, parameters and states, and what the standard allows when.

use super::exchange::Exchange;
use super::fault::{Fault, Status};
use super::snapshot::{Snapshot, Snapshots};
use masing_export::fmu::{MODEL, Meaning, Variables, token};
use masing_model::{Model, ModelError, file};
use masing_sim::{Rates, Stepper};
use std::path::Path;

/// Where messages go.
pub type Log = Box<dyn Fn(Status, &str)>;

/// Who integrates the states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// The solver of the simulation.
    ModelExchange,
    /// The FMU itself.
    CoSimulation,
}

/// How far an instance is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Instantiated,
    Initialization,
    Running,
    Terminated,
}

/// What is set from outside.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Inputs {
    pub x: f64,
    pub v: f64,
    pub use_velocity: bool,
    /// Values of all parameters.
    pub values: Vec<f64>,
}

/// One instance of an FMU.
pub struct Instance {
    log: Log,
    pub(super) variables: Variables,
    pub(super) interface: Interface,
    pub(super) phase: Phase,
    pub(super) time: f64,
    pub(super) inputs: Inputs,
    /// Parameters were set that the model does not have yet.
    pending: bool,
    /// The start depends on what was set since it was last computed.
    stale: bool,
    pub(super) stepper: Stepper,
    pub(super) exchange: Option<Exchange>,
    pub(super) snapshots: Snapshots,
    /// As it was read, to begin anew.
    fresh: Model,
}

impl std::fmt::Debug for Instance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Instance")
            .field("interface", &self.interface)
            .field("phase", &self.phase)
            .field("time", &self.time)
            .finish_non_exhaustive()
    }
}

/// The result of a call.
pub(super) type Outcome<T = ()> = Result<T, Fault>;

impl Instance {
    /// Reads the model from the folder of resources; `expected` is the token of the description.
    pub fn new(
        resources: &Path,
        expected: &str,
        interface: Interface,
        log: Log,
    ) -> Result<Self, (Log, Fault)> {
        let read = || {
            let path = resources.join(MODEL);
            let text = std::fs::read_to_string(&path)
                .map_err(|error| Fault::error(format!("{}: {error}", path.display())))?;
            let model = file::parse(&path, &text).map_err(Fault::error)?;
            let found = token(&text);
            if found != expected {
                let path = path.display();
                let message = format!(
                    "{path} is not the model of this FMU: its token is {found}, expected {expected}"
                );
                return Err(Fault::error(message));
            }
            let variables = Variables::of(&model);
            let exchange = match interface {
                Interface::CoSimulation => None,
                Interface::ModelExchange => {
                    Some(Exchange::new(Rates::new(&model).map_err(|label| {
                        Fault::error(format!(
                            "no Model Exchange: `{label}` has whole steps only; use Co-Simulation"
                        ))
                    })?))
                }
            };
            Ok((Stepper::new(model.clone())?, model, variables, exchange))
        };
        match read() {
            Err(fault) => Err((log, fault)),
            Ok((stepper, fresh, variables, exchange)) => Ok(Self {
                log,
                variables,
                interface,
                phase: Phase::Instantiated,
                time: 0.0,
                inputs: Inputs {
                    x: 0.0,
                    v: 0.0,
                    use_velocity: false,
                    values: fresh.values().to_vec(),
                },
                pending: false,
                stale: true,
                stepper,
                exchange,
                snapshots: Snapshots::default(),
                fresh,
            }),
        }
    }

    /// Sends a message to whoever runs the simulation.
    pub fn tell(&self, fault: &Fault) {
        (self.log)(fault.status, &fault.message);
    }

    /// Fails unless the instance is in one of the phases that a call belongs to.
    pub(super) fn expect(&self, call: &str, phases: &[Phase]) -> Outcome {
        if phases.contains(&self.phase) {
            return Ok(());
        }
        let now = match self.phase {
            Phase::Instantiated => "before initialisation",
            Phase::Initialization => "during initialisation",
            Phase::Running => "after initialisation",
            Phase::Terminated => "after the end",
        };
        Err(Fault::error(format!("{call} is not possible {now}")))
    }

    /// Sets the time of the start.
    pub fn set_up(&mut self, start: f64) -> Outcome {
        self.expect("setting the start", &[Phase::Instantiated])?;
        self.set_time(start)
    }

    /// Begins initialisation.
    pub fn enter_initialization(&mut self) -> Outcome {
        self.expect("entering initialisation", &[Phase::Instantiated])?;
        self.phase = Phase::Initialization;
        self.stale = true;
        Ok(())
    }

    /// Ends initialisation: the part is at rest at the displacement that was set.
    pub fn exit_initialization(&mut self) -> Outcome {
        self.expect("leaving initialisation", &[Phase::Initialization])?;
        self.refresh()?;
        self.phase = Phase::Running;
        Ok(())
    }

    /// Ends the simulation.
    pub fn terminate(&mut self) -> Outcome {
        self.expect("ending", &[Phase::Running])?;
        self.phase = Phase::Terminated;
        Ok(())
    }

    /// Begins anew, as after loading.
    pub fn reset(&mut self) -> Outcome {
        self.stepper = Stepper::new(self.fresh.clone())?;
        self.inputs = Inputs {
            x: 0.0,
            v: 0.0,
            use_velocity: false,
            values: self.fresh.values().to_vec(),
        };
        self.phase = Phase::Instantiated;
        (self.time, self.pending, self.stale) = (0.0, false, true);
        Ok(())
    }

    /// Sets the time.
    pub fn set_time(&mut self, time: f64) -> Outcome {
        if !time.is_finite() {
            return Err(Fault::error(format!(
                "the time is {time}; expected a finite number"
            )));
        }
        self.time = time;
        Ok(())
    }

    /// Takes over parameters and, before the simulation runs, the start that follows from them.
    pub(super) fn refresh(&mut self) -> Outcome {
        if self.pending {
            self.stepper.set_values(self.inputs.values.clone())?;
            self.pending = false;
        }
        if self.stale && matches!(self.phase, Phase::Instantiated | Phase::Initialization) {
            self.stepper.rest_at(self.inputs.x, self.inputs.v)?;
            if let Some(exchange) = &mut self.exchange {
                exchange.begin(&self.stepper)?;
            }
            self.stale = false;
        }
        Ok(())
    }

    /// Sets real variables: all of them, or none if one cannot be set.
    pub fn set_reals(&mut self, references: &[u32], values: &[f64]) -> Outcome {
        self.expect(
            "setting a variable",
            &[Phase::Instantiated, Phase::Initialization, Phase::Running],
        )?;
        let mut next = self.inputs.clone();
        let mut tuned = false;
        for (&reference, &value) in references.iter().zip(values) {
            let name = self.variables.name(reference);
            if !value.is_finite() {
                let message = format!("`{name}` is set to {value}; expected a finite number");
                return Err(Fault::error(message));
            }
            match self.meaning(reference)? {
                Meaning::Displacement => next.x = value,
                Meaning::Velocity => next.v = value,
                Meaning::Param(i) => {
                    self.check_range(reference, value)?;
                    next.values[i] = value;
                    tuned = true;
                }
                _ => return Err(Fault::error(format!("`{name}` cannot be set"))),
            }
        }
        self.inputs = next;
        self.pending |= tuned;
        self.stale = true;
        Ok(())
    }

    /// A parameter outside its range is refused at once; what belongs together is checked when used.
    fn check_range(&self, reference: u32, value: f64) -> Outcome {
        let variable = &self.variables.list()[reference as usize];
        match variable.range {
            Some([min, max]) if !(value >= min && value <= max) => {
                Err(Fault::from(ModelError::OutOfRange {
                    param: variable.name.clone(),
                    value,
                    min,
                    max,
                    unit: variable.unit.clone().unwrap_or_default(),
                }))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn meaning(&self, reference: u32) -> Outcome<Meaning> {
        self.variables.meaning(reference).ok_or_else(|| {
            Fault::error(format!(
                "there is no variable with the reference {reference}"
            ))
        })
    }

    /// Reads real variables.
    pub fn reals(&mut self, references: &[u32], out: &mut [f64]) -> Outcome {
        self.refresh()?;
        for (&reference, out) in references.iter().zip(out) {
            let now = self.stepper.now();
            let exchange = self.exchange.as_ref();
            *out = match self.meaning(reference)? {
                Meaning::Time => self.time,
                Meaning::Displacement => self.inputs.x,
                Meaning::Velocity => self.inputs.v,
                Meaning::Param(i) => self.inputs.values[i],
                Meaning::Force => self.force()?,
                Meaning::Reaction => -self.force()?,
                Meaning::Work => exchange.map_or(now.work, Exchange::work),
                Meaning::State(i) => exchange.map_or(now.z[i], |e| e.states()[i]),
                Meaning::Rate(i) => self.rates()?[i],
                Meaning::Power => self.force()? * self.inputs.v,
                Meaning::Indicator(i) => self.indicators()?[i],
                Meaning::Outside | Meaning::UseVelocity => {
                    let name = self.variables.name(reference);
                    return Err(Fault::error(format!("`{name}` is not a real variable")));
                }
            };
        }
        Ok(())
    }

    /// The present force.
    fn force(&self) -> Outcome<f64> {
        match &self.exchange {
            None => Ok(self.stepper.now().force),
            Some(exchange) => exchange.force(&self.stepper, &self.inputs),
        }
    }

    /// Sets Boolean variables.
    pub fn set_booleans(
        &mut self,
        references: &[u32],
        values: impl IntoIterator<Item = bool>,
    ) -> Outcome {
        self.expect(
            "setting a parameter",
            &[Phase::Instantiated, Phase::Initialization],
        )?;
        for (&reference, value) in references.iter().zip(values) {
            if self.meaning(reference)? != Meaning::UseVelocity {
                let name = self.variables.name(reference);
                return Err(Fault::error(format!("`{name}` cannot be set")));
            }
            self.inputs.use_velocity = value;
        }
        Ok(())
    }

    /// One Boolean variable.
    pub fn boolean(&mut self, reference: u32) -> Outcome<bool> {
        self.refresh()?;
        match self.meaning(reference)? {
            Meaning::UseVelocity => Ok(self.inputs.use_velocity),
            Meaning::Outside if self.exchange.is_none() => Ok(self.stepper.outside_validity()),
            Meaning::Outside => {
                let tests = self.stepper.model().validity;
                Ok(tests.is_some_and(|t| t.is_outside(self.inputs.x, self.inputs.v)))
            }
            _ => {
                let name = self.variables.name(reference);
                Err(Fault::error(format!("`{name}` is not a Boolean variable")))
            }
        }
    }

    /// One step of Co-Simulation, to the displacement that was set.
    pub fn do_step(&mut self, from: f64, step: f64) -> Outcome {
        self.expect("a step", &[Phase::Running])?;
        if self.interface != Interface::CoSimulation {
            return Err(Fault::error("steps belong to Co-Simulation"));
        }
        if !(step > 0.0 && step.is_finite() && from.is_finite()) {
            return Err(Fault::error(format!(
                "the step is {step} from {from}; expected a positive number of seconds"
            )));
        }
        self.refresh()?;
        let velocity = self.inputs.use_velocity.then_some(self.inputs.v);
        self.stepper.step(step, self.inputs.x, velocity)?;
        self.time = from + step;
        Ok(())
    }

    /// The last time that was reached.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Sensitivities of `unknowns` along `seed` of `knowns`.
    pub fn directional(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
        seed: &[f64],
        out: &mut [f64],
    ) -> Outcome {
        self.refresh()?;
        let (mut dx, mut dv) = (0.0, 0.0);
        let mut dz = vec![0.0; self.stepper.now().z.len()];
        for (&known, &along) in knowns.iter().zip(seed) {
            match self.meaning(known)? {
                Meaning::Displacement => dx += along,
                Meaning::Velocity => dv += along,
                Meaning::State(i) if self.exchange.is_some() => dz[i] += along,
                // Nothing depends on the work done so far.
                Meaning::Work if self.exchange.is_some() => {}
                _ => {
                    let name = self.variables.name(known);
                    let message = format!("there are no derivatives with respect to `{name}`");
                    return Err(Fault::error(message));
                }
            }
        }
        let mut rates = vec![0.0; dz.len()];
        let force = match &self.exchange {
            Some(exchange) => {
                exchange.directional(&self.stepper, &self.inputs, (dx, dv, &dz), &mut rates)?
            }
            None => self.step_slope(dx, dv)?,
        };
        for (&unknown, out) in unknowns.iter().zip(out) {
            *out = match self.meaning(unknown)? {
                Meaning::Force => force,
                Meaning::Reaction => -force,
                Meaning::Rate(i) if self.exchange.is_some() => rates[i],
                Meaning::Power if self.exchange.is_some() => {
                    force * self.inputs.v + self.force()? * dv
                }
                _ => {
                    let name = self.variables.name(unknown);
                    return Err(Fault::error(format!(
                        "there are no derivatives of `{name}`"
                    )));
                }
            };
        }
        Ok(())
    }

    /// Change of the force at the end of the last step with its end.
    fn step_slope(&self, dx: f64, dv: f64) -> Outcome<f64> {
        let [k, c] = self.stepper.slopes()?;
        let last = self.stepper.now().last.as_ref().map_or(0.0, |(s, _)| s.dt);
        let dv = if self.inputs.use_velocity || last == 0.0 {
            dv
        } else {
            // The velocity is the slope of the step, whose end moves.
            dx / last
        };
        Ok(k * dx + c * dv)
    }

    /// Keeps everything that a later call may depend on; the number tells it apart.
    pub fn keep(&mut self, handle: usize) -> usize {
        let snapshot = Snapshot::of(self);
        self.snapshots.put(handle, snapshot)
    }

    /// Goes back to what was kept.
    pub fn restore(&mut self, handle: usize) -> Outcome {
        let snapshot = self.snapshots.get(handle)?.clone();
        self.stepper.set_values(snapshot.inputs.values.clone())?;
        self.stepper.set(snapshot.moment)?;
        if let (Some(exchange), Some(kept)) = (&mut self.exchange, snapshot.exchange) {
            exchange.restore(kept);
        }
        self.inputs = snapshot.inputs;
        self.time = snapshot.time;
        self.phase = snapshot.phase;
        (self.pending, self.stale) = (false, snapshot.stale);
        Ok(())
    }

    /// Forgets what was kept.
    pub fn forget(&mut self, handle: usize) {
        self.snapshots.drop(handle);
    }

    /// What was kept, as bytes.
    pub fn serialised(&self, handle: usize) -> Outcome<Vec<u8>> {
        Ok(self.snapshots.get(handle)?.to_bytes())
    }

    /// Keeps what comes as bytes.
    pub fn deserialise(&mut self, bytes: &[u8]) -> Outcome<usize> {
        let snapshot = Snapshot::from_bytes(self, bytes)?;
        Ok(self.snapshots.put(0, snapshot))
    }

    pub(super) fn is_stale(&self) -> bool {
        self.stale
    }
}
