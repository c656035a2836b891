//! Model Exchange: the solver of the simulation integrates the states.

use super::fault::Fault;
use super::instance::{Inputs, Instance, Interface, Outcome, Phase};
use masing_export::fmu::Meaning;
use masing_sim::{Modes, Place, Rates, Stepper};

/// The states as the solver has them, and the branches that hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Exchange {
    pub z: Vec<f64>,
    pub work: f64,
    pub modes: Modes,
}

impl Exchange {
    /// From where a stepper is, with nothing done so far.
    pub fn at(rates: &Rates, stepper: &Stepper) -> Outcome<Self> {
        let now = stepper.now();
        let place = Place {
            p: stepper.model().element_values(),
            x: now.x,
            v: now.v,
            z: &now.z,
        };
        let mut z = now.z.clone();
        let modes = rates.settle(&place, &Modes::default(), &mut z)?;
        Ok(Self {
            z,
            work: 0.0,
            modes,
        })
    }

    pub fn states(&self) -> &[f64] {
        &self.z
    }

    pub fn work(&self) -> f64 {
        self.work
    }

    pub fn place<'a>(&'a self, stepper: &'a Stepper, inputs: &Inputs) -> Place<'a> {
        Place {
            p: stepper.model().element_values(),
            x: inputs.x,
            v: inputs.v,
            z: &self.z,
        }
    }

    pub fn force(&self, rates: &Rates, stepper: &Stepper, inputs: &Inputs) -> Outcome<f64> {
        let mut ignored = vec![0.0; self.z.len()];
        Ok(rates.eval(&self.place(stepper, inputs), &self.modes, &mut ignored)?)
    }
}

/// What a call of Model Exchange works with.
struct Side<'a> {
    rates: &'a Rates,
    exchange: &'a mut Exchange,
    stepper: &'a Stepper,
    inputs: &'a Inputs,
}

impl Side<'_> {
    /// The branches that hold from here on, and the states with sliders back on their limits.
    fn settled(&self) -> Outcome<(Modes, Vec<f64>)> {
        let mut z = self.exchange.z.clone();
        let place = self.exchange.place(self.stepper, self.inputs);
        let modes = self.rates.settle(&place, &self.exchange.modes, &mut z)?;
        Ok((modes, z))
    }
}

impl Instance {
    fn solver_side(&mut self) -> Outcome<Side<'_>> {
        self.expect("this call", &[Phase::Initialization, Phase::Running])?;
        self.refresh()?;
        match (&mut self.exchange, &self.rates) {
            (Some(exchange), Some(rates)) => Ok(Side {
                rates,
                exchange,
                stepper: &self.stepper,
                inputs: &self.inputs,
            }),
            _ => Err(Fault::error("this call belongs to Model Exchange")),
        }
    }

    /// Rates of the elements' states and event indicators, also where the FMU steps itself.
    pub(super) fn solver_view(&self) -> Outcome<(Vec<f64>, Vec<f64>)> {
        let Some(equations) = &self.rates else {
            return Err(Fault::error("the laws of this model have whole steps only"));
        };
        let stepped;
        let (exchange, place) = match &self.exchange {
            Some(exchange) => (exchange, exchange.place(&self.stepper, &self.inputs)),
            None => {
                stepped = Exchange::at(equations, &self.stepper)?;
                let now = self.stepper.now();
                let place = Place {
                    x: now.x,
                    v: now.v,
                    ..stepped.place(&self.stepper, &self.inputs)
                };
                (&stepped, place)
            }
        };
        let mut rates = vec![0.0; exchange.z.len()];
        equations.eval(&place, &exchange.modes, &mut rates)?;
        Ok((rates, equations.indicators(&place, &exchange.modes)))
    }

    /// The states: those of the elements and the work.
    pub fn continuous_states(&mut self, out: &mut [f64]) -> Outcome {
        let exchange = self.solver_side()?.exchange;
        copy(out, exchange.z.iter().copied().chain([exchange.work]))
    }

    /// Sets the states.
    pub fn set_continuous_states(&mut self, values: &[f64]) -> Outcome {
        let exchange = self.solver_side()?.exchange;
        let Some((&work, z)) = values
            .split_last()
            .filter(|(_, z)| z.len() == exchange.z.len())
        else {
            return Err(wrong_count(exchange.z.len() + 1));
        };
        if let Some(bad) = values.iter().find(|v| !v.is_finite()) {
            return Err(Fault::error(format!(
                "a state is {bad}; expected a finite number"
            )));
        }
        exchange.z.copy_from_slice(z);
        exchange.work = work;
        Ok(())
    }

    /// The rates of the states: those of the elements and the power.
    pub fn derivatives(&mut self, out: &mut [f64]) -> Outcome {
        let side = self.solver_side()?;
        let states = side.exchange.z.len();
        let Some((power, rates)) = out.split_last_mut().filter(|(_, r)| r.len() == states) else {
            return Err(wrong_count(states + 1));
        };
        let place = side.exchange.place(side.stepper, side.inputs);
        let force = side.rates.eval(&place, &side.exchange.modes, rates)?;
        *power = force * side.inputs.v;
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
        let side = self.solver_side()?;
        let place = side.exchange.place(side.stepper, side.inputs);
        let indicators = side.rates.indicators(&place, &side.exchange.modes);
        copy(out, indicators.into_iter())
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
        self.expect_exchange()?;
        let side = self.solver_side()?;
        side.exchange.modes = side.settled()?.0;
        self.warn_outside();
        Ok(())
    }

    /// At an event: sliders back onto their limits, branches anew; whether a state changed by that.
    pub fn update_discrete_states(&mut self) -> Outcome<bool> {
        self.expect_exchange()?;
        let side = self.solver_side()?;
        let (modes, z) = side.settled()?;
        let changed = z != side.exchange.z;
        (side.exchange.z, side.exchange.modes) = (z, modes);
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
