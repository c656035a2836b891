//! A part that is stepped from outside, one interval at a time: the core of the C library, the FMU
//! and the Python stepper.
//!
//! A [`Stepper`] is a model, how finely it is stepped, and the present [`Moment`]. A step either
//! succeeds as a whole or changes nothing, and setting an earlier moment gives the same bits again.

mod usual;

pub(crate) use usual::usual_speed;
pub use usual::{usual_limits, usual_motion};

use crate::error::SimError;
use crate::numerics::{MOST_PARTS, Numerics};
use crate::sweep::Cut;
use masing_model::{Condition, Levels, Model, ModelError, Step, Tangent, Tape, condition};

/// Everything that a part remembers between two steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// Whether the part has been placed, or is still in its initial position: at rest at zero.
    pub begun: bool,
    /// Displacement (m or rad).
    pub x: f64,
    /// Velocity.
    pub v: f64,
    /// Force on the part (N or N m).
    pub force: f64,
    /// Work done on the part so far (J); over a closed cycle, the dissipated energy.
    pub work: f64,
    /// States of all elements.
    pub z: Vec<f64>,
    /// The step that led here and the states it began with, for its derivatives.
    pub last: Option<(Step, Vec<f64>)>,
}

/// Numbers in front of the states of a moment written as a list.
const HEAD: usize = 5;

impl Moment {
    /// Length of the list for a moment with that many states.
    pub fn size(states: usize) -> usize {
        HEAD + states
    }

    /// The moment as a list of numbers, without the step that led to it.
    pub fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        let begun = f64::from(u8::from(self.begun));
        [begun, self.x, self.v, self.force, self.work]
            .into_iter()
            .chain(self.z.iter().copied())
    }

    /// The moment of such a list; `None` if the list is not one.
    pub fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let (&[begun, x, v, force, work], z) = numbers.split_first_chunk::<HEAD>()?;
        let sound = numbers.iter().all(|q| q.is_finite()) && (begun == 0.0 || begun == 1.0);
        sound.then(|| Self {
            begun: begun == 1.0,
            x,
            v,
            force,
            work,
            z: z.to_vec(),
            last: None,
        })
    }
}

/// A model and its present state.
#[derive(Debug)]
pub struct Stepper {
    /// The model at the present levels.
    model: Model,
    /// The model with what follows conditions, and the present levels.
    law: Option<(Model, Levels)>,
    numerics: Numerics,
    now: Moment,
    tape: Tape,
    /// Trial states of a step, so that a failure leaves the present ones unchanged.
    trial: Vec<f64>,
}

impl Stepper {
    /// A model at rest at zero. Models with masses move freely and are rejected.
    ///
    /// Sub-steps are those of the model's `[numerics]`; a model without them gets typical ones.
    pub fn new(model: Model) -> Result<Self, SimError> {
        if model.system().is_some() {
            return Err(SimError::Masses);
        }
        if !model.following().is_empty() {
            // An error that names the condition.
            model.at(&Levels::new())?;
        }
        model.check()?;
        let numerics = match model.numerics {
            Some(limits) => Numerics {
                increment: limits.increment,
                max_dt: limits.max_dt,
            },
            None => usual_limits(&model)?,
        };
        let states = model.assembly().state_count();
        let mut stepper = Self {
            now: Moment {
                begun: false,
                x: 0.0,
                v: 0.0,
                force: 0.0,
                work: 0.0,
                z: vec![0.0; states],
                last: None,
            },
            trial: vec![0.0; states],
            tape: Tape::off(),
            numerics,
            model,
            law: None,
        };
        stepper.rest_at(0.0, 0.0)?;
        stepper.now.begun = false;
        Ok(stepper)
    }

    /// A model that follows conditions, at levels of them.
    pub fn at_levels(model: Model, levels: &Levels) -> Result<Self, SimError> {
        let mut stepper = Self::new(model.at(levels)?)?;
        stepper.law = Some((model, levels.clone()));
        Ok(stepper)
    }

    /// Other levels of conditions, from the next step on: the parameters of a step are those at its end. Before the first
    /// step the part is put at rest anew.
    pub fn set_levels(&mut self, levels: &Levels) -> Result<(), SimError> {
        let Some((law, present)) = &mut self.law else {
            let unknown = levels.keys().next();
            return match unknown {
                Some(name) => Err(condition::unknown(name, &[]).into()),
                None => Ok(()),
            };
        };
        let mut next = present.clone();
        for (name, level) in levels {
            if !law.conditions().iter().any(|c| c.name == *name) {
                return Err(condition::unknown(name, law.conditions()).into());
            }
            next.insert(name.clone(), *level);
        }
        let (before, values) = (self.model.clone(), law.at(&next)?);
        *present = next;
        // What was set by hand stays, but for what follows.
        let mut own = before.values().to_vec();
        for following in law.following() {
            own[following.param] = values.values()[following.param];
        }
        self.model = before.with(own)?;
        if !self.now.begun {
            let (x, v) = (self.now.x, self.now.v);
            self.rest_at(x, v)?;
            self.now.begun = false;
        }
        Ok(())
    }

    /// A model at the middle of the ranges of its conditions, where it follows any.
    pub fn in_the_middle(model: Model) -> Result<Self, SimError> {
        if model.following().is_empty() {
            return Self::new(model);
        }
        let middle = model.middle();
        Self::at_levels(model, &middle)
    }

    /// A condition whose level lies outside the tests of the model, and the level.
    pub fn level_outside(&self) -> Option<(&Condition, f64)> {
        let (law, levels) = self.law.as_ref()?;
        let each = law.conditions().iter();
        let mut each = each.filter_map(|c| Some((c, *levels.get(&c.name)?)));
        each.find(|(c, level)| c.is_outside(*level))
    }

    /// The model with its present values.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// How finely steps are cut.
    pub fn numerics(&self) -> Numerics {
        self.numerics
    }

    /// The present moment.
    pub fn now(&self) -> &Moment {
        &self.now
    }

    /// Whether the present motion goes beyond the tests of the model; never, if those are unknown.
    pub fn outside_validity(&self) -> bool {
        let tests = self.model.validity.as_ref();
        self.level_outside().is_some()
            || tests.is_some_and(|tests| tests.is_outside(self.now.x, self.now.v))
    }

    /// Goes to another moment of the same model.
    pub fn set(&mut self, moment: Moment) -> Result<(), SimError> {
        let expected = self.now.z.len();
        let lengths = std::iter::once(moment.z.len());
        let lengths = lengths.chain(moment.last.iter().map(|(_, z)| z.len()));
        for found in lengths {
            SimError::unless_long("state", found, expected)?;
        }
        self.now = moment;
        Ok(())
    }

    /// Other values of the parameters, from the next step on.
    pub fn set_values(&mut self, values: Vec<f64>) -> Result<(), ModelError> {
        self.model = self.model.with(values)?;
        Ok(())
    }

    /// Puts the part at rest at `x`, its memory unstrained, and forgets the work done.
    pub fn rest_at(&mut self, x: f64, v: f64) -> Result<f64, SimError> {
        finite("displacement", x)?;
        finite("velocity", v)?;
        let p = self.model.element_values();
        self.model.assembly().rest(p, |_| x, &mut self.trial);
        let place = Step::still(x, v);
        let before = (x, v, self.trial.clone());
        let (force, _) = self.advance(&place)?;
        std::mem::swap(&mut self.now.z, &mut self.trial);
        let (x, v, z) = before;
        self.now = Moment {
            begun: true,
            x,
            v,
            force,
            work: 0.0,
            z: std::mem::take(&mut self.now.z),
            last: Some((place, z)),
        };
        Ok(force)
    }

    /// Moves straight to `x` within `dt` and returns the force there. The velocity at the end is `v`,
    /// or the slope of the straight line. The first step of all may have no length: it puts the part
    /// at rest there.
    pub fn step(&mut self, dt: f64, x: f64, v: Option<f64>) -> Result<f64, SimError> {
        finite("displacement", x)?;
        finite("velocity", v.unwrap_or_default())?;
        if !(dt >= 0.0 && dt.is_finite()) {
            return Err(SimError::Input {
                what: "step",
                value: dt,
                expected: "a number of seconds, not negative",
            });
        }
        if !self.now.begun && dt == 0.0 {
            return self.rest_at(x, v.unwrap_or_default());
        }
        let slope = if dt > 0.0 {
            (x - self.now.x) / dt
        } else {
            self.now.v
        };
        finite("speed", slope)?;
        let whole = Step {
            branch: None,
            dt,
            x: [self.now.x, x],
            v: v.map_or([slope; 2], |v| [self.now.v, v]),
        };
        self.trial.copy_from_slice(&self.now.z);
        let (force, work) = self.advance(&whole)?;
        std::mem::swap(&mut self.now.z, &mut self.trial);
        let work = self.now.work + work;
        finite("work", work)?;
        // What was the present is now what the step began with.
        let mut room = match self.now.last.take() {
            Some((_, room)) => room,
            None => vec![0.0; self.trial.len()],
        };
        room.copy_from_slice(&self.trial);
        self.now = Moment {
            begun: true,
            x,
            v: whole.v[1],
            force,
            work,
            z: std::mem::take(&mut self.now.z),
            last: Some((whole, room)),
        };
        Ok(force)
    }

    /// Steps the trial states; force at the end and work done.
    fn advance(&mut self, whole: &Step) -> Result<(f64, f64), SimError> {
        let mut present = self.layered_force()?;
        let p = self.model.element_values();
        let (mut force, mut work) = (0.0, 0.0);
        for part in self.model.assembly().parts() {
            let own = &p[part.params.clone()];
            let z = &mut self.trial[part.states.clone()];
            let cut = cut(part.element.as_ref(), whole, &self.numerics)?;
            // The first of the layered elements stands for all of them: they have the same steps.
            let mut before = part.element.layered().then(|| std::mem::take(&mut present));
            for k in 0..cut.parts {
                let step = cut.step(k);
                let mut take = |step: &Step, z: &mut [f64]| {
                    let done = part.element.advance(own, step, z, &mut self.tape);
                    done.map_err(SimError::Unsolved)
                };
                if before.is_none() {
                    before = Some(take(&Step::still(step.x[0], step.v[0]), &mut z.to_vec())?);
                }
                let after = take(&step, z)?;
                work += 0.5 * (before.unwrap_or_default() + after) * step.dx();
                before = Some(after);
            }
            force += before.unwrap_or_default();
        }
        Ok((force, work))
    }

    /// What the layered elements have of the present force. A step of no length does not tell: it knows
    /// no rates inside a series.
    fn layered_force(&self) -> Result<f64, SimError> {
        let parts = self.model.assembly().parts();
        if !parts.iter().any(|part| part.element.layered()) {
            return Ok(0.0);
        }
        let (p, place) = (
            self.model.element_values(),
            Step::still(self.now.x, self.now.v),
        );
        let mut force = self.now.force;
        for part in parts.iter().filter(|part| !part.element.layered()) {
            let own = &p[part.params.clone()];
            let mut z = self.now.z[part.states.clone()].to_vec();
            let other = part.element.advance(own, &place, &mut z, &mut Tape::off());
            force -= other.map_err(SimError::Unsolved)?;
        }
        Ok(force)
    }

    /// Derivatives of the present force with respect to displacement and velocity at the end of the
    /// step that led to it. Where the velocity is the slope of the step, moving the end moves it too.
    pub fn slopes(&self) -> Result<[f64; 2], SimError> {
        let (whole, start) = match &self.now.last {
            Some((step, z)) => (*step, z),
            None => (Step::still(self.now.x, self.now.v), &self.now.z),
        };
        let p = self.model.element_values();
        let mut tape = Tape::on();
        let mut slopes = [0.0; 2];
        let mut scratch = Vec::new();
        for part in self.model.assembly().parts() {
            let own = &p[part.params.clone()];
            let mut z = start[part.states.clone()].to_vec();
            let mut dz = vec![0.0; 2 * z.len()];
            let mut force = [0.0; 2];
            let cut = cut(part.element.as_ref(), &whole, &self.numerics)?;
            for k in 0..cut.parts {
                let step = cut.step(k);
                tape.truncate(0);
                let done = part.element.advance(own, &step, &mut z, &mut tape);
                done.map_err(SimError::Unsolved)?;
                // A step of no length moves with both its ends.
                let at = |k: usize| if whole.dt > 0.0 { cut.fraction(k) } else { 1.0 };
                let (a, b) = (at(k), at(k + 1));
                let rows = [[a, 0.0], [b, 0.0], [0.0, a], [0.0, b]];
                part.element.push_forward(
                    own,
                    &step,
                    tape.from(0),
                    &mut Tangent {
                        branch: None,
                        param: &[None; 2],
                        motion: Some(std::array::from_fn(|i| rows[i].as_slice())),
                        z: &mut dz,
                        force: &mut force,
                        scratch: &mut scratch,
                    },
                );
            }
            slopes[0] += force[0];
            slopes[1] += force[1];
        }
        Ok(slopes)
    }
}

/// The steps an interval is cut into, if they are not too many.
fn cut(
    element: &dyn masing_model::Element,
    whole: &Step,
    numerics: &Numerics,
) -> Result<Cut, SimError> {
    let cut = Cut::of(element, *whole, numerics);
    if cut.parts < MOST_PARTS {
        return Ok(cut);
    }
    Err(SimError::Input {
        what: "displacement",
        value: whole.x[1],
        expected: "a shorter way, which takes fewer than a million sub-steps",
    })
}

fn finite(what: &'static str, value: f64) -> Result<(), SimError> {
    if value.is_finite() {
        return Ok(());
    }
    Err(SimError::Input {
        what,
        value,
        expected: "a finite number",
    })
}
