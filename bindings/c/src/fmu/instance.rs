//! One instance: its inputs, parameters and states, and what the standard allows when.

use super::exchange::Exchange;
use super::fault::{Fault, Status};
use super::snapshot::Snapshots;
use super::tested_range::Left;
use masing_export::fmu::{MODEL, Variables, token};
use masing_model::{Condition, Levels, Model, file};
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
    /// Levels of the conditions, in the order of the model.
    pub levels: Vec<f64>,
}

impl Inputs {
    /// What nobody has set yet.
    fn of(model: &Model) -> Self {
        Self {
            x: 0.0,
            v: 0.0,
            use_velocity: false,
            values: model.values().to_vec(),
            levels: model.conditions().iter().map(Condition::middle).collect(),
        }
    }
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
    pub(super) pending: bool,
    /// The start depends on what was set since it was last computed.
    pub(super) stale: bool,
    pub(super) stepper: Stepper,
    /// The equations for solvers, where the laws offer them.
    pub(super) rates: Option<Rates>,
    /// What the solver of the simulation has, in Model Exchange.
    pub(super) exchange: Option<Exchange>,
    pub(super) snapshots: Snapshots,
    /// What was said to be beyond the tests of the model.
    pub(super) left: Left,
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
            let rates = Rates::new(&model);
            let exchange = match (interface, &rates) {
                (Interface::CoSimulation, _) => None,
                (Interface::ModelExchange, Ok(_)) => Some(Exchange::default()),
                (Interface::ModelExchange, Err(label)) => {
                    return Err(Fault::error(format!(
                        "no Model Exchange: `{label}` has whole steps only; use Co-Simulation"
                    )));
                }
            };
            let stepper = Stepper::in_the_middle(model.clone())?;
            Ok((stepper, model, variables, rates.ok(), exchange))
        };
        match read() {
            Err(fault) => Err((log, fault)),
            Ok((stepper, fresh, variables, rates, exchange)) => Ok(Self {
                log,
                variables,
                interface,
                phase: Phase::Instantiated,
                time: 0.0,
                inputs: Inputs::of(&fresh),
                pending: false,
                stale: true,
                stepper,
                rates,
                exchange,
                snapshots: Snapshots::default(),
                left: Left::default(),
                fresh,
            }),
        }
    }

    /// Sends a message to whoever runs the simulation.
    pub fn tell(&self, fault: &Fault) {
        self.say(fault.status, &fault.message);
    }

    pub(super) fn say(&self, status: Status, message: &str) {
        (self.log)(status, message);
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
        self.warn_outside();
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
        self.stepper = Stepper::in_the_middle(self.fresh.clone())?;
        self.inputs = Inputs::of(&self.fresh);
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
            self.take_over(&self.inputs.clone())?;
            self.pending = false;
        }
        if self.stale && matches!(self.phase, Phase::Instantiated | Phase::Initialization) {
            self.stepper.rest_at(self.inputs.x, self.inputs.v)?;
            if let (Some(exchange), Some(rates)) = (&mut self.exchange, &self.rates) {
                *exchange = Exchange::at(rates, &self.stepper)?;
            }
            self.stale = false;
        }
        Ok(())
    }

    /// Takes over parameters and levels of conditions.
    pub(super) fn take_over(&mut self, inputs: &Inputs) -> Outcome {
        self.stepper.set_values(inputs.values.clone())?;
        let names = self.fresh.conditions().iter().map(|c| c.name.clone());
        let levels: Levels = names.zip(inputs.levels.iter().copied()).collect();
        if !self.fresh.following().is_empty() {
            self.stepper.set_levels(&levels)?;
        }
        Ok(())
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
        self.warn_outside();
        Ok(())
    }

    /// The last time that was reached.
    pub fn time(&self) -> f64 {
        self.time
    }
}
