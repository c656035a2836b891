//! Variables of an instance: reading, setting, derivatives.

use super::exchange::Exchange;
use super::fault::Fault;
use super::instance::{Instance, Outcome, Phase};
use masing_export::fmu::Meaning;
use masing_model::ModelError;

impl Instance {
    /// Sets real variables: all of them, or none if one cannot be set.
    pub fn set_reals(&mut self, references: &[u32], values: &[f64]) -> Outcome {
        self.expect(
            "setting a variable",
            &[Phase::Instantiated, Phase::Initialization, Phase::Running],
        )?;
        let (mut x, mut v) = (self.inputs.x, self.inputs.v);
        let mut tuned = Vec::new();
        let mut levels = self.inputs.levels.clone();
        for (&reference, &value) in references.iter().zip(values) {
            if !value.is_finite() {
                let why = format!(" is set to {value}; expected a finite number");
                return Err(self.fault("", reference, &why));
            }
            match self.meaning(reference)? {
                Meaning::Displacement => x = value,
                Meaning::Velocity => v = value,
                Meaning::Param(i) => {
                    self.check_range(reference, value)?;
                    tuned.push((i, value));
                }
                Meaning::Level(i) => levels[i] = value,
                _ => return Err(self.fault("", reference, " cannot be set")),
            }
        }
        self.pending |= levels != self.inputs.levels;
        self.inputs.levels = levels;
        (self.inputs.x, self.inputs.v) = (x, v);
        self.pending |= !tuned.is_empty();
        for (i, value) in tuned {
            self.inputs.values[i] = value;
        }
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

    /// A fault about a variable, by its name between these words.
    fn fault(&self, before: &str, reference: u32, after: &str) -> Fault {
        let name = self.variables.name(reference);
        Fault::error(format!("{before}`{name}`{after}"))
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
                Meaning::Level(i) => self.inputs.levels[i],
                Meaning::Force => self.force()?,
                Meaning::Reaction => -self.force()?,
                Meaning::Work => exchange.map_or(now.work, Exchange::work),
                Meaning::State(i) => exchange.map_or(now.z[i], |e| e.states()[i]),
                Meaning::Rate(i) => self.solver_view()?.0[i],
                Meaning::Power => self.force()? * self.inputs.v,
                Meaning::Indicator(i) => self.solver_view()?.1[i],
                Meaning::Outside | Meaning::UseVelocity => {
                    return Err(self.fault("", reference, " is not a real variable"));
                }
            };
        }
        Ok(())
    }

    /// The present force.
    fn force(&self) -> Outcome<f64> {
        match (&self.exchange, &self.rates) {
            (Some(exchange), Some(rates)) => exchange.force(rates, &self.stepper, &self.inputs),
            _ => Ok(self.stepper.now().force),
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
                return Err(self.fault("", reference, " cannot be set"));
            }
            self.inputs.use_velocity = value;
        }
        Ok(())
    }

    /// Reads Boolean variables.
    pub fn booleans<B: From<bool>>(&mut self, references: &[u32], out: &mut [B]) -> Outcome {
        for (&reference, out) in references.iter().zip(out) {
            *out = self.boolean(reference)?.into();
        }
        Ok(())
    }

    /// One Boolean variable.
    fn boolean(&mut self, reference: u32) -> Outcome<bool> {
        self.refresh()?;
        match self.meaning(reference)? {
            Meaning::UseVelocity => Ok(self.inputs.use_velocity),
            Meaning::Outside => {
                let ([x, v], tests) = (self.motion(), self.stepper.model().validity);
                let level = self.stepper.level_outside().is_some();
                Ok(level || tests.is_some_and(|tests| tests.is_outside(x, v)))
            }
            _ => Err(self.fault("", reference, " is not a Boolean variable")),
        }
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
                    return Err(self.fault("there are no derivatives with respect to ", known, ""));
                }
            }
        }
        let mut rates = vec![0.0; dz.len()];
        let force = match (&self.exchange, &self.rates) {
            (Some(exchange), Some(equations)) => {
                let place = exchange.place(&self.stepper, &self.inputs);
                let seed = (dx, dv, dz.as_slice());
                equations.directional(&place, &exchange.modes, seed, &mut rates)?
            }
            _ => self.step_slope(dx, dv)?,
        };
        for (&unknown, out) in unknowns.iter().zip(out) {
            *out = match self.meaning(unknown)? {
                Meaning::Force => force,
                Meaning::Reaction => -force,
                Meaning::Rate(i) if self.exchange.is_some() => rates[i],
                Meaning::Power if self.exchange.is_some() => {
                    force * self.inputs.v + self.force()? * dv
                }
                _ => return Err(self.fault("there are no derivatives of ", unknown, "")),
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
}

#[cfg(test)]
mod tests {
    use crate::fmu::{Instance, Interface};
    use masing_export::fmu::{MODEL, Meaning, token};
    use masing_model::{Levels, file};
    use masing_sim::{Motion, Numerics, VaryingLevels, run_varying};
    use std::path::Path;

    const TEXT: &str = "schema = \"masing.model/1\"\n[[element]]\ntype = \"series\"\n[[element.element]]\ntype = \"eyring-dashpot\"\n\
        f = { of = \"current\", form = \"exp-quadratic\", coefficients = [3.363, 4.066, -1.983] }\nv0 = 2.6e-4\n\
        [[element.element]]\ntype = \"spring\"\nk = 9.5e6\n[[element]]\ntype = \"jenkins\"\nks = 1e5\n\
        zs = { of = \"current\", form = \"linear\", coefficients = [20.0, 60.0] }\n\
        [numerics]\nincrement = 5e-5\nmax_dt = 1e-3\n[conditions.current]\nunit = \"A\"\nrange = [0.0, 1.0]\n";

    /// The same forces as `masing simulate` along a column, whose parameters are those at the end of every interval.
    #[test]
    fn a_condition_that_varies_is_an_input() {
        let folder = std::env::temp_dir().join(format!("masing-c-level-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(MODEL), TEXT).unwrap();
        let open = |interface| Instance::new(&folder, &token(TEXT), interface, Box::new(|_, _| {}));
        assert!(open(Interface::ModelExchange).is_err());
        let mut instance = open(Interface::CoSimulation).map_err(|(_, f)| f).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        let time: Vec<f64> = (0..600).map(|i| f64::from(i) * 2e-3).collect();
        let x: Vec<f64> = time
            .iter()
            .map(|t| 2e-3 * (9.0 * t.min(0.9)).sin())
            .collect();
        let current: Vec<f64> = time.iter().map(|t| 0.5 + 0.5 * (5.0 * t).cos()).collect();
        let motion = Motion::new(time.clone(), x.clone(), None).unwrap();
        let v = motion.v().to_vec();
        let levels = VaryingLevels {
            constant: Levels::new(),
            varying: vec![("current".to_owned(), current.clone())],
        };
        let model = file::parse(Path::new(MODEL), TEXT).unwrap();
        let numerics = Numerics {
            increment: 5e-5,
            max_dt: 1e-3,
        };
        let (force, _) = run_varying(&model, &motion, &levels, numerics, None).unwrap();
        let largest = force.iter().fold(0.0_f64, |m, f| m.max(f.abs()));
        let list = instance.variables.list();
        let at = |meaning| list.iter().position(|v| v.meaning == meaning).unwrap() as u32;
        let inputs = [Meaning::Displacement, Meaning::Velocity, Meaning::Level(0)].map(at);
        let (output, flag) = ([at(Meaning::Force)], [at(Meaning::UseVelocity)]);
        instance.set_booleans(&flag, [true]).unwrap();
        instance.enter_initialization().unwrap();
        instance
            .set_reals(&inputs, &[x[0], v[0], current[0]])
            .unwrap();
        instance.exit_initialization().unwrap();
        let mut kept = 0;
        for i in 1..time.len() {
            instance
                .set_reals(&inputs, &[x[i], v[i], current[i]])
                .unwrap();
            if i == 300 {
                // There and back through bytes.
                kept = instance.keep(0);
                let bytes = instance.serialised(kept).unwrap();
                instance.set_reals(&inputs, &[0.0, 0.0, 0.9]).unwrap();
                instance.do_step(time[i - 1], 1e-3).unwrap();
                let same = instance.deserialise(&bytes).unwrap();
                instance.restore(same).unwrap();
            }
            instance
                .do_step(time[i - 1], time[i] - time[i - 1])
                .unwrap();
            let mut found = [0.0];
            instance.reals(&output, &mut found).unwrap();
            let off = (found[0] - force[i]).abs() / largest;
            assert!(off < 1e-9, "{i}: {} {}", found[0], force[i]);
        }
        assert!(kept > 0);
    }
}
