//! One step of a series: its stages, each a balance of two forces.

use super::super::described::Placed;
use super::super::scheme::{BALANCE, MOST_STAGES};
use super::super::split::{Excess, root};
use super::place::{How, Place, Sought, Way};
use super::{NAME, Series};
use crate::element::{Step, Tape, response_by_tangent};
use crate::error::StepError;
use crate::room::Room;

/// Copies of so many states need no memory of their own.
const FEW_STATES: usize = 24;

type Copied = Room<f64, FEW_STATES>;

/// Both elements at one place, from the states at the start of the step.
struct Trial<'a> {
    series: &'a Series,
    p: &'a [f64],
    start: &'a [f64],
    copied: Copied,
    /// Slopes of both forces along what is sought, of the last trial.
    slopes: [f64; 2],
}

impl<'a> Trial<'a> {
    fn new(series: &'a Series, p: &'a [f64], start: &'a [f64]) -> Self {
        Self {
            series,
            p,
            start,
            copied: Copied::new(0.0),
            slopes: [0.0; 2],
        }
    }

    /// Force of an element at the end of a step, and its slope.
    fn force(&mut self, child: &Placed, s: &Step, along: [f64; 2]) -> Result<[f64; 2], StepError> {
        let z = self.copied.copy(&self.start[child.states.clone()]);
        let own = &self.p[child.params.clone()];
        child.element.response(own, s, along, z)
    }

    /// Excess of the first force over the second.
    fn excess(&mut self, place: &Place, y: f64, how: How) -> Result<Excess, StepError> {
        let [dx, dv] = place.along();
        let steps = place.steps(y, how);
        let [first, second] = self.series.ends();
        let forces = [
            self.force(first, &steps[0], [dx, dv]),
            self.force(second, &steps[1], [-dx, -dv]),
        ];
        // A force beyond the range of numbers has the sign of the motion, and no size to compare with.
        let way = |s: &Step| if s.dx() == 0.0 { s.v[1] } else { s.dx() };
        let lost = |i: usize| Excess {
            value: [1.0, -1.0][i] * f64::MAX.copysign(way(&steps[i])),
            slope: f64::INFINITY,
            size: 0.0,
        };
        match forces {
            [Ok([f, df]), Ok([g, dg])] => {
                self.slopes = [df, dg];
                Ok(Excess {
                    value: f - g,
                    slope: df - dg,
                    size: f.abs() + g.abs(),
                })
            }
            [Err(StepError::NotFinite { .. }), Ok(_)] => Ok(lost(0)),
            [Ok(_), Err(StepError::NotFinite { .. })] => Ok(lost(1)),
            [Err(error), _] | [_, Err(error)] => Err(error),
        }
    }

    /// How hard the other element pulls at the slider of element `index` beyond its limit in a
    /// direction; negative where it holds.
    fn pull(&mut self, place: &Place, index: usize, direction: f64) -> Result<Excess, StepError> {
        let excess = self.excess(place, place.held(index), How::Slips(index, direction))?;
        let outwards = if index == 0 { -direction } else { direction };
        Ok(Excess {
            value: outwards * excess.value,
            ..excess
        })
    }

    /// Rounding of the displacements at a place, as forces.
    fn noise(&mut self, place: &Place, y: f64) -> Result<f64, StepError> {
        let steps = place.steps(y, How::Free);
        let far = [place.x[1], place.u0, place.x[1] - place.u0];
        let far = far.map(f64::abs).into_iter().fold(0.0, f64::max);
        let mut stiffness = 0.0;
        for (child, s) in self.series.ends().into_iter().zip(&steps) {
            stiffness += self.force(child, s, [1.0, 0.0])?[1].abs();
        }
        Ok(4.0 * f64::EPSILON * far * stiffness)
    }

    /// Finds the balance of a stage; `last` is the rate of the stage before.
    fn balance(&mut self, place: &Place, last: Option<f64>) -> Result<(f64, How), StepError> {
        let Some(index) = self.series.gripping else {
            let mut search = place.search(last);
            if place.sought == Sought::Rate {
                search.noise = self.noise(place, search.start)?;
            }
            let y = root(NAME, search, |y| self.excess(place, y, How::Free))?;
            return Ok((y, How::Free));
        };
        for direction in [1.0, -1.0] {
            if self.pull(place, index, direction)?.value > 0.0 {
                let how = How::Slips(index, direction);
                let mut search = place.search(None);
                search.start = place.held(index);
                let y = root(NAME, search, |y| self.excess(place, y, how))?;
                return Ok((y, how));
            }
        }
        Ok((place.held(index), How::Held(index)))
    }
}

impl Series {
    /// How a step is taken; none where both elements are damped and the displacement jumps.
    pub(super) fn way(&self, s: &Step) -> Option<Way> {
        if !self.by_speed() || s.dt > 0.0 {
            return Some(Way::Stages(self.scheme));
        }
        match self.ends_damped {
            [false, false] => Some(Way::Stages(BALANCE)),
            [true, false] => Some(Way::Jump(0)),
            [false, true] => Some(Way::Jump(1)),
            [true, true] => (s.dx() == 0.0).then_some(Way::Share),
        }
    }

    /// The element whose force is that of the series: one that neither holds nor slips.
    pub(super) fn bearing(how: How) -> usize {
        match how {
            How::Free => 1,
            How::Held(i) | How::Slips(i, _) => 1 - i,
        }
    }
}

/// One step. Pushes the states at the start; for every stage the tapes of both elements, what was
/// sought and how, and the lengths of those tapes.
pub(super) fn advance(
    series: &Series,
    p: &[f64],
    s: &Step,
    z: &mut [f64],
    tape: &mut Tape,
) -> Result<f64, StepError> {
    tape.push(z);
    let mut copied = Copied::new(0.0);
    let start = &*copied.copy(z);
    let mut trial = Trial::new(series, p, start);
    match series.way(s) {
        None => Err(StepError::Jump {
            element: NAME,
            from: s.x[0],
            to: s.x[1],
        }),
        Some(Way::Share) => {
            let place = Place::still(s, start[0]);
            let found = trial.balance(&place, None)?;
            let force = finish(series, p, (&place, found), z, tape);
            z.copy_from_slice(start);
            force
        }
        Some(Way::Jump(index)) => {
            let place = Place::of(series, s, &BALANCE[0], &[0.0], start[0]);
            let found = (place.held(index), How::Held(index));
            let force = finish(series, p, (&place, found), z, tape)?;
            z[0] = place.split(found.0);
            Ok(force)
        }
        Some(Way::Stages(scheme)) => {
            let mut rates = [0.0; MOST_STAGES];
            let mut force = 0.0;
            for (i, stage) in scheme.iter().enumerate() {
                let place = Place::of(series, s, stage, &rates, start[0]);
                let found = trial.balance(&place, i.checked_sub(1).map(|last| rates[last]))?;
                rates[i] = place.rate(found.0);
                if i + 1 == scheme.len() || tape.recording() {
                    z.copy_from_slice(start);
                    force = finish(series, p, (&place, found), z, tape)?;
                    z[0] = place.split(found.0);
                }
            }
            Ok(force)
        }
    }
}

/// One step with the slope of its force along the end of the motion: what an outer series asks for at
/// every trial. Slopes are those of the last trial of each balance, near enough for a search.
pub(super) fn response(
    series: &Series,
    p: &[f64],
    s: &Step,
    along: [f64; 2],
    z: &mut [f64],
) -> Result<[f64; 2], StepError> {
    let Some(Way::Stages(scheme)) = series.way(s) else {
        return response_by_tangent(series, p, s, along, z);
    };
    let mut copied = Copied::new(0.0);
    let start = &*copied.copy(z);
    let mut trial = Trial::new(series, p, start);
    let speed = if s.dt > 0.0 { along[0] / s.dt } else { 0.0 };
    let (mut rates, mut rate_slopes) = ([0.0; MOST_STAGES], [0.0; MOST_STAGES]);
    let mut out = [0.0; 2];
    for (i, stage) in scheme.iter().enumerate() {
        let place = Place::of(series, s, stage, &rates, start[0]);
        let (y, how) = trial.balance(&place, i.checked_sub(1).map(|last| rates[last]))?;
        if let How::Held(_) = how {
            trial.excess(&place, y, how)?;
        }
        let Sought::Split(per_time) = place.sought else {
            unreachable!("stages seek the split");
        };
        let travel = stage.c * along[0];
        let earlier = stage.a.iter().zip(&rate_slopes[..i]);
        let base: f64 = s.dt * earlier.map(|(a, k)| a * k).sum::<f64>();
        let steps = place.steps(y, how);
        let speed = if per_time > 0.0 { speed } else { 0.0 };
        let ways = [[base, 0.0], [travel - base, speed]];
        let mut forces = [[0.0; 2]; 2];
        z.copy_from_slice(start);
        for (k, child) in series.ends().into_iter().enumerate() {
            let own = &p[child.params.clone()];
            let states = &mut z[child.states.clone()];
            forces[k] = child.element.response(own, &steps[k], ways[k], states)?;
        }
        z[0] = place.split(y);
        let slope = trial.slopes[0] - trial.slopes[1];
        let sought = match how {
            How::Held(0) => -base,
            How::Held(_) => travel - base,
            _ if slope == 0.0 => -base,
            _ => (forces[1][1] - forces[0][1]) / slope,
        };
        rates[i] = place.rate(y);
        rate_slopes[i] = sought * per_time;
        let bearing = Series::bearing(how);
        let [force, fixed] = forces[bearing];
        out = [force, fixed + trial.slopes[bearing] * sought];
    }
    Ok(out)
}

/// Steps both elements to the balance that was found; the force of the one that bears.
fn finish(
    series: &Series,
    p: &[f64],
    (place, (y, how)): (&Place, (f64, How)),
    z: &mut [f64],
    tape: &mut Tape,
) -> Result<f64, StepError> {
    let steps = place.steps(y, how);
    let mut forces = [0.0; 2];
    let mut lengths = [0.0; 2];
    for (i, child) in series.ends().into_iter().enumerate() {
        let from = tape.len();
        let own = &p[child.params.clone()];
        let states = &mut z[child.states.clone()];
        forces[i] = child.element.advance(own, &steps[i], states, tape)?;
        lengths[i] = (tape.len() - from) as f64;
    }
    tape.push(&[y, how.number(), lengths[0], lengths[1]]);
    Ok(forces[Series::bearing(how)])
}

/// Guards of the elements.
pub(super) fn guards(
    series: &Series,
    p: &[f64],
    s: &Step,
    z0: &[f64],
    z1: &[f64],
    out: &mut Vec<f64>,
) {
    let place = Place {
        sought: Sought::Split(0.0),
        dt: s.dt,
        x: s.x,
        v: s.v[1],
        u0: z0[0],
        base: z0[0],
    };
    let steps = place.steps(z1[0] - z0[0], How::Free);
    for (child, mut step) in series.ends().into_iter().zip(steps) {
        step.v = s.v;
        let (z0, z1) = (&z0[child.states.clone()], &z1[child.states.clone()]);
        let own = &p[child.params.clone()];
        child.element.guards(own, &step, z0, z1, out);
    }
}
