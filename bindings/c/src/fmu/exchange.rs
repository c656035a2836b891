//! Model Exchange: the solver of the simulation integrates the states.

use super::fault::Fault;
use super::instance::{Inputs, Instance, Interface, Outcome, Phase};
use masing_export::fmu::Meaning;
use masing_sim::{Modes, Place, Rates, Stepper};

/// The states as the solver has them, and the branches that hold.
#[derive(Debug)]
pub(super) struct Exchange {
    rates: Rates,
    pub(super) kept: Kept,
}

/// What a roll-back restores.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Kept {
    pub z: Vec<f64>,
    pub work: f64,
    pub modes: Modes,
}

impl Exchange {
    pub fn new(rates: Rates) -> Self {
        Self {
            rates,
            kept: Kept::default(),
        }
    }

    /// From where the stepper is at rest.
    pub fn begin(&mut self, stepper: &Stepper) -> Outcome {
        let now = stepper.now();
        self.kept.z.clone_from(&now.z);
        self.kept.work = 0.0;
        let place = Place {
            p: stepper.model().element_values(),
            x: now.x,
            v: now.v,
            z: &now.z,
        };
        self.kept.modes = self
            .rates
            .settle(&place, &Modes::default(), &mut self.kept.z)?;
        Ok(())
    }

    pub fn restore(&mut self, kept: Kept) {
        self.kept = kept;
    }

    pub fn states(&self) -> &[f64] {
        &self.kept.z
    }

    pub fn work(&self) -> f64 {
        self.kept.work
    }

    fn place<'a>(&'a self, stepper: &'a Stepper, inputs: &Inputs) -> Place<'a> {
        Place {
            p: stepper.model().element_values(),
            x: inputs.x,
            v: inputs.v,
            z: &self.kept.z,
        }
    }

    pub fn force(&self, stepper: &Stepper, inputs: &Inputs) -> Outcome<f64> {
        let mut rates = vec![0.0; self.kept.z.len()];
        let place = self.place(stepper, inputs);
        Ok(self.rates.eval(&place, &self.kept.modes, &mut rates)?)
    }

    pub fn directional(
        &self,
        stepper: &Stepper,
        inputs: &Inputs,
        seed: (f64, f64, &[f64]),
        out: &mut [f64],
    ) -> Outcome<f64> {
        let place = self.place(stepper, inputs);
        Ok(self
            .rates
            .directional(&place, &self.kept.modes, seed, out)?)
    }
}

impl Instance {
    fn solver_side(&mut self) -> Outcome<(&mut Exchange, &Stepper, &Inputs)> {
        self.expect("this call", &[Phase::Initialization, Phase::Running])?;
        self.refresh()?;
        match &mut self.exchange {
            Some(exchange) => Ok((exchange, &self.stepper, &self.inputs)),
            None => Err(Fault::error("this call belongs to Model Exchange")),
        }
    }

    /// The rates of the states of the elements.
    pub(super) fn rates(&self) -> Outcome<Vec<f64>> {
        let Some(exchange) = &self.exchange else {
            return Err(Fault::error("rates belong to Model Exchange"));
        };
        let mut rates = vec![0.0; exchange.kept.z.len()];
        let place = exchange.place(&self.stepper, &self.inputs);
        exchange
            .rates
            .eval(&place, &exchange.kept.modes, &mut rates)?;
        Ok(rates)
    }

    /// The values that change sign at kinks.
    pub(super) fn indicators(&self) -> Outcome<Vec<f64>> {
        let Some(exchange) = &self.exchange else {
            return Err(Fault::error("event indicators belong to Model Exchange"));
        };
        let place = exchange.place(&self.stepper, &self.inputs);
        Ok(exchange.rates.indicators(&place, &exchange.kept.modes))
    }

    /// The states: those of the elements and the work.
    pub fn continuous_states(&mut self, out: &mut [f64]) -> Outcome {
        let (exchange, ..) = self.solver_side()?;
        let kept = &exchange.kept;
        copy(out, kept.z.iter().copied().chain([kept.work]))
    }

    /// Sets the states.
    pub fn set_continuous_states(&mut self, values: &[f64]) -> Outcome {
        let (exchange, ..) = self.solver_side()?;
        let Some((&work, z)) = values
            .split_last()
            .filter(|(_, z)| z.len() == exchange.kept.z.len())
        else {
            return Err(wrong_count(values.len()));
        };
        if let Some(bad) = values.iter().find(|v| !v.is_finite()) {
            return Err(Fault::error(format!(
                "a state is {bad}; expected a finite number"
            )));
        }
        exchange.kept.z.copy_from_slice(z);
        exchange.kept.work = work;
        Ok(())
    }

    /// The rates of the states: those of the elements and the power.
    pub fn derivatives(&mut self, out: &mut [f64]) -> Outcome {
        let (exchange, stepper, inputs) = self.solver_side()?;
        let place = exchange.place(stepper, inputs);
        let Some((power, rates)) = out
            .split_last_mut()
            .filter(|(_, rates)| rates.len() == exchange.kept.z.len())
        else {
            return Err(wrong_count(exchange.kept.z.len()));
        };
        let force = exchange.rates.eval(&place, &exchange.kept.modes, rates)?;
        *power = force * inputs.v;
        Ok(())
    }

    /// Typical sizes of the states.
    pub fn nominals(&self, out: &mut [f64]) -> Outcome {
        if self.interface != Interface::ModelExchange {
            return Err(Fault::error("nominal values belong to Model Exchange"));
        }
        let list = self.variables.list();
        let of = |wanted: fn(Meaning) -> bool| {
            let found = list.iter().filter(move |v| wanted(v.meaning));
            found.map(|v| v.nominal.unwrap_or(1.0))
        };
        copy(
            out,
            of(|m| matches!(m, Meaning::State(_))).chain(of(|m| m == Meaning::Work)),
        )
    }

    /// Writes the event indicators.
    pub fn event_indicators(&mut self, out: &mut [f64]) -> Outcome {
        self.solver_side()?;
        copy(out, self.indicators()?.into_iter())
    }

    /// How many states and event indicators there are.
    pub fn counts(&self) -> [usize; 2] {
        [
            self.variables.continuous_states(),
            self.variables.indicators(),
        ]
    }

    /// After a step of the solver: the branches follow the states, which stay as they are.
    pub fn completed_step(&mut self) -> Outcome {
        let (exchange, stepper, inputs) = self.solver_side()?;
        let mut z = exchange.kept.z.clone();
        let place = exchange.place(stepper, inputs);
        exchange.kept.modes = exchange
            .rates
            .settle(&place, &exchange.kept.modes, &mut z)?;
        Ok(())
    }

    /// At an event: sliders back onto their limits, branches anew; whether a state changed by that.
    pub fn update_discrete_states(&mut self) -> Outcome<bool> {
        let (exchange, stepper, inputs) = self.solver_side()?;
        let mut z = exchange.kept.z.clone();
        let place = exchange.place(stepper, inputs);
        exchange.kept.modes = exchange
            .rates
            .settle(&place, &exchange.kept.modes, &mut z)?;
        let changed = z != exchange.kept.z;
        exchange.kept.z = z;
        Ok(changed)
    }

    /// Whether calls of events and solver steps are possible now.
    pub fn expect_exchange(&self) -> Outcome {
        self.expect("this call", &[Phase::Running])?;
        match self.interface {
            Interface::ModelExchange => Ok(()),
            Interface::CoSimulation => Err(Fault::error("this call belongs to Model Exchange")),
        }
    }
}

/// As many values as there is room for, and no others.
fn copy(out: &mut [f64], values: impl Iterator<Item = f64> + Clone) -> Outcome {
    let count = values.clone().count();
    if count != out.len() {
        return Err(wrong_count(count));
    }
    for (to, from) in out.iter_mut().zip(values) {
        *to = from;
    }
    Ok(())
}

fn wrong_count(count: usize) -> Fault {
    Fault::error(format!("the number of values is wrong; expected {count}"))
}
