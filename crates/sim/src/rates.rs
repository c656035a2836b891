//! What an external solver needs: the rates of the states, and where they have kinks.
//!
//! Laws with a flow give their rates themselves. Sliders have only steps; between two kinks their
//! states are straight lines over the displacement, so their rate is a slope times the velocity. The
//! slopes are those of an infinitesimal step in either direction, computed when a kink was passed
//! ([`Rates::settle`]) and held until the next, so that a solver sees one smooth branch at a time.
//!
//! Kinks are reported by indicators: the guards of the laws, moved away from zero by a tiny margin
//! on their own side. A slider at its limit has a guard of zero for as long as it slips, which a
//! solver could not distinguish from repeated kinks.

use crate::error::SimError;
use crate::stepper::usual_speed;
use masing_model::{Assembly, Element, Lanes, Model, Part, Step, Tangent, Tape};

/// How an element takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// By its rates.
    Flow,
    /// By the present motion alone.
    Present,
    /// By slopes held between kinks.
    Slider,
}

/// The equations of a model for an external solver.
#[derive(Clone, Debug)]
pub struct Rates {
    assembly: Assembly,
    ways: Vec<Way>,
    /// How far each guard is moved away from zero.
    margins: Vec<f64>,
}

/// Margins of the guards, as a share of their size.
const MARGIN: f64 = 1e-8;

/// On which branch the laws are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Modes {
    /// d state/d displacement of sliders for a motion down and up.
    pub slopes: Vec<[f64; 2]>,
    /// Which guards are positive.
    pub above: Vec<bool>,
}

/// Where the equations are evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Values of the elements' parameters.
    pub p: &'a [f64],
    /// Displacement.
    pub x: f64,
    /// Velocity.
    pub v: f64,
    /// States of all elements.
    pub z: &'a [f64],
}

impl Rates {
    /// The equations of a model; an error names the element or the condition that has steps only.
    pub fn new(model: &Model) -> Result<Self, String> {
        if let Some(condition) = model
            .conditions()
            .first()
            .filter(|_| !model.following().is_empty())
        {
            // A level acts on whole steps: limits that come down clip states.
            return Err(format!("condition.{}", condition.name));
        }
        let assembly = model.assembly().clone();
        let p = model.element_values();
        let mut ways = Vec::new();
        let mut values = Vec::new();
        let mut rest = vec![0.0; assembly.state_count()];
        assembly.rest(p, |_| 0.0, &mut rest);
        for part in assembly.parts() {
            let element = part.element.as_ref();
            let own = &rest[part.states.clone()];
            let place = Place {
                p,
                x: 0.0,
                v: 0.0,
                z: &rest,
            };
            element.guards(
                &p[part.params.clone()],
                &Step::still(place.x, place.v),
                own,
                own,
                &mut values,
            );
            ways.push(if element.flow().is_some() {
                Way::Flow
            } else if part.states.is_empty() {
                Way::Present
            } else if element.straight() {
                Way::Slider
            } else {
                return Err(part.label.clone());
            });
        }
        // Guards of slip are as large as the slider is wide, those of reversals are speeds.
        let speed = usual_speed(model);
        let size = |guard: &f64| if *guard == 0.0 { speed } else { guard.abs() };
        Ok(Self {
            assembly,
            ways,
            margins: values.iter().map(|guard| MARGIN * size(guard)).collect(),
        })
    }

    /// How many guards there are.
    pub fn guard_count(&self) -> usize {
        self.margins.len()
    }

    fn parts(&self) -> impl Iterator<Item = (&Part, Way)> {
        self.assembly.parts().iter().zip(self.ways.iter().copied())
    }

    /// Values that change sign where the rates have a kink.
    pub fn indicators(&self, at: &Place<'_>, modes: &Modes) -> Vec<f64> {
        let guards = self.guards(at).into_iter().zip(&self.margins);
        let moved = guards.zip(&modes.above).map(|((guard, margin), above)| {
            if *above {
                guard + margin
            } else {
                guard - margin
            }
        });
        moved.collect()
    }

    fn guards(&self, at: &Place<'_>) -> Vec<f64> {
        let mut out = Vec::with_capacity(self.margins.len());
        for part in self.assembly.parts() {
            let z = &at.z[part.states.clone()];
            let own = &at.p[part.params.clone()];
            part.element
                .guards(own, &Step::still(at.x, at.v), z, z, &mut out);
        }
        out
    }

    /// Puts sliders that passed their limits back on them, and finds the branches that hold from
    /// here on, given the previous ones.
    pub fn settle(&self, at: &Place<'_>, before: &Modes, z: &mut [f64]) -> Result<Modes, SimError> {
        let moved = self.indicators(at, before);
        let above = if moved.is_empty() {
            self.guards(at).iter().map(|guard| *guard > 0.0).collect()
        } else {
            moved.iter().map(|indicator| *indicator > 0.0).collect()
        };
        let mut slopes = vec![[0.0; 2]; z.len()];
        let mut tape = Tape::off();
        for (part, way) in self.parts() {
            if way != Way::Slider {
                continue;
            }
            let own = &at.p[part.params.clone()];
            let z = &mut z[part.states.clone()];
            let done = part
                .element
                .advance(own, &Step::still(at.x, at.v), z, &mut tape);
            done.map_err(SimError::Unsolved)?;
            let [down, up] =
                [-1.0, 1.0].map(|d| slopes_towards(part.element.as_ref(), own, at, z, d));
            let pairs = down?.into_iter().zip(up?).map(|(a, b)| [a, b]);
            for (slot, pair) in slopes[part.states.clone()].iter_mut().zip(pairs) {
                *slot = pair;
            }
        }
        Ok(Modes { slopes, above })
    }

    /// Writes the rates and returns the force.
    pub fn eval(&self, at: &Place<'_>, modes: &Modes, dz: &mut [f64]) -> Result<f64, SimError> {
        let mut force = 0.0;
        let mut tape = Tape::off();
        for (part, way) in self.parts() {
            let own = &at.p[part.params.clone()];
            let z = &at.z[part.states.clone()];
            let dz = &mut dz[part.states.clone()];
            if let (Way::Flow, Some(flow)) = (way, part.element.flow()) {
                force += flow.eval(own, at.x, at.v, z, dz);
                continue;
            }
            let done =
                part.element
                    .advance(own, &Step::still(at.x, at.v), &mut z.to_vec(), &mut tape);
            force += done.map_err(SimError::Unsolved)?;
            for (rate, slope) in dz.iter_mut().zip(&modes.slopes[part.states.clone()]) {
                *rate = slope[usize::from(at.v > 0.0)] * at.v;
            }
        }
        Ok(force)
    }

    /// Derivatives of rates and force along one direction of motion and states.
    pub fn directional(
        &self,
        at: &Place<'_>,
        modes: &Modes,
        (dx, dv, seed): (f64, f64, &[f64]),
        dz: &mut [f64],
    ) -> Result<f64, SimError> {
        let mut force = 0.0;
        let mut tape = Tape::on();
        let lane = |re: f64, along: f64| {
            let mut value = Lanes::from(re);
            value.eps[0] = along;
            value
        };
        for (part, way) in self.parts() {
            let own = &at.p[part.params.clone()];
            let z = &at.z[part.states.clone()];
            let seed = &seed[part.states.clone()];
            let dz = &mut dz[part.states.clone()];
            if let (Way::Flow, Some(flow)) = (way, part.element.flow()) {
                let p: Vec<Lanes> = own.iter().map(|&p| Lanes::from(p)).collect();
                let states: Vec<Lanes> = z.iter().zip(seed).map(|(&z, &d)| lane(z, d)).collect();
                let mut rates = vec![Lanes::from(0.0); z.len()];
                let total =
                    flow.eval_lanes(&p, lane(at.x, dx), lane(at.v, dv), &states, &mut rates);
                force += total.eps[0];
                for (out, rate) in dz.iter_mut().zip(&rates) {
                    *out = rate.eps[0];
                }
                continue;
            }
            tape.truncate(0);
            let done =
                part.element
                    .advance(own, &Step::still(at.x, at.v), &mut z.to_vec(), &mut tape);
            done.map_err(SimError::Unsolved)?;
            let mut along = [0.0];
            let (x, v) = ([dx], [dv]);
            part.element.push_forward(
                own,
                &Step::still(at.x, at.v),
                tape.from(0),
                &mut Tangent {
                    branch: None,
                    param: &[None],
                    motion: Some([&x, &x, &v, &v]),
                    z: &mut seed.to_vec(),
                    force: &mut along,
                    scratch: &mut Vec::new(),
                },
            );
            force += along[0];
            for (rate, slope) in dz.iter_mut().zip(&modes.slopes[part.states.clone()]) {
                *rate = slope[usize::from(at.v > 0.0)] * dv;
            }
        }
        Ok(force)
    }
}

/// d state/d displacement of a law whose states are straight lines between kinks, for a motion in
/// one direction.
fn slopes_towards(
    element: &dyn Element,
    p: &[f64],
    at: &Place<'_>,
    z: &[f64],
    direction: f64,
) -> Result<Vec<f64>, SimError> {
    // Long enough to have a direction, and far shorter than any slider is wide.
    let step = Step {
        branch: None,
        dt: 0.0,
        x: [at.x, at.x + direction * 1e-12 * at.x.abs().max(1e-3)],
        v: [at.v; 2],
    };
    let mut tape = Tape::on();
    let done = element.advance(p, &step, &mut z.to_vec(), &mut tape);
    done.map_err(SimError::Unsolved)?;
    let mut slopes = vec![0.0; z.len()];
    element.push_forward(
        p,
        &step,
        tape.from(0),
        &mut Tangent {
            branch: None,
            param: &[None],
            motion: Some([&[0.0], &[1.0], &[0.0], &[0.0]]),
            z: &mut slopes,
            force: &mut [0.0],
            scratch: &mut Vec::new(),
        },
    );
    Ok(slopes)
}
