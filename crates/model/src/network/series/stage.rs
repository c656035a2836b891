//! One step of a series: its stages, each a balance of two forces.

use super::super::described::Placed;
use super::super::scheme::{BALANCE, MOST_STAGES, Scheme, Stage};
use super::super::split::{Excess, root};
use super::{NAME, Series};
use crate::element::{Step, Tape};
use crate::error::StepError;

/// How a step is taken.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    /// By the stages of a scheme.
    Stages(Scheme),
    /// No time passes, and this one of the two elements is damped: it stays where it is.
    Jump(usize),
    /// No time passes, and both elements are damped: they share the velocity.
    Share,
}

/// What is sought at a stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sought {
    /// The split; its rate changes by so much per unit (not at all where no time passes).
    Split(f64),
    /// The rate of the split, where no time passes.
    Rate,
}

/// How a stage was balanced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum How {
    /// By the split.
    Free,
    /// By a split at which this one of the two elements does not move.
    Held(usize),
    /// By a split at which the slider of this element slips in a direction.
    Slips(usize, f64),
}

impl How {
    fn number(self) -> f64 {
        match self {
            How::Free => 0.0,
            How::Held(i) => 1.0 + i as f64,
            How::Slips(i, direction) => direction * (3.0 + i as f64),
        }
    }

    pub(super) fn from_number(n: f64) -> Self {
        match n.abs() as usize {
            0 => How::Free,
            i @ (1 | 2) => How::Held(i - 1),
            i => How::Slips(i - 3, n.signum()),
        }
    }
}

/// A stage, ready to be balanced.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub sought: Sought,
    /// Time since the start of the step.
    pub dt: f64,
    /// Displacement of the series at the start and at the stage.
    pub x: [f64; 2],
    /// Velocity of the series.
    pub v: f64,
    /// Split at the start of the step.
    pub u0: f64,
    /// Split at the stage but for the rate of the stage itself.
    pub base: f64,
}

impl Place {
    /// Stage of a step, after the rates of the stages before it.
    pub fn of(series: &Series, s: &Step, stage: &Stage, rates: &[f64], u0: f64) -> Self {
        let x = if stage.c == 1.0 {
            s.x
        } else {
            [s.x[0], s.x[0] + stage.c * s.dx()]
        };
        let mut place = Self {
            sought: Sought::Split(0.0),
            dt: stage.c * s.dt,
            x,
            v: 0.0,
            u0,
            base: u0,
        };
        if series.by_speed() && s.dt > 0.0 {
            let own = stage.a[stage.a.len() - 1] * s.dt;
            let before = &stage.a[..stage.a.len() - 1];
            let earlier: f64 = before.iter().zip(rates).map(|(a, k)| a * k).sum();
            place.sought = Sought::Split(1.0 / own);
            place.v = s.dx() / s.dt;
            place.base += s.dt * earlier;
        }
        place
    }

    /// No time passes: the rates share the velocity, the split stays.
    pub fn still(s: &Step, u0: f64) -> Self {
        Self {
            sought: Sought::Rate,
            dt: 0.0,
            x: s.x,
            v: s.v[1],
            u0,
            base: u0,
        }
    }

    /// Changes of displacement and velocity of the first element with what is sought.
    pub fn along(&self) -> [f64; 2] {
        match self.sought {
            Sought::Split(per_time) => [1.0, per_time],
            Sought::Rate => [0.0, 1.0],
        }
    }

    /// The rate of the split that belongs to a value of what is sought.
    pub fn rate(&self, y: f64) -> f64 {
        match self.sought {
            Sought::Split(per_time) => (y - self.base) * per_time,
            Sought::Rate => y,
        }
    }

    /// The steps of both elements.
    pub fn steps(&self, y: f64, how: How) -> [Step; 2] {
        let rate = self.rate(y);
        let u = match self.sought {
            Sought::Split(_) => y,
            Sought::Rate => self.u0,
        };
        let branch = Some(self.x[1] - self.x[0]);
        let step = |x: [f64; 2], v: f64| Step {
            dt: self.dt,
            x,
            v: [v; 2],
            branch,
        };
        let mut steps = [
            step([self.u0, u], rate),
            step([self.x[0] - self.u0, self.x[1] - u], self.v - rate),
        ];
        match how {
            How::Free => {}
            How::Held(i) => steps[i].x[1] = steps[i].x[0],
            How::Slips(i, direction) => {
                let s = &mut steps[i];
                if s.dx() * direction <= 0.0 {
                    s.x[1] = if direction > 0.0 {
                        s.x[0].next_up()
                    } else {
                        s.x[0].next_down()
                    };
                }
            }
        }
        steps
    }

    /// The value at which element `index` does not move.
    fn held(&self, index: usize) -> f64 {
        match (self.sought, index) {
            (Sought::Split(_), 0) => self.u0,
            // To the last bit where nothing moves.
            (Sought::Split(_), _) => self.u0 + (self.x[1] - self.x[0]),
            (Sought::Rate, 0) => 0.0,
            (Sought::Rate, _) => self.v,
        }
    }
}

/// States of one element while a balance is sought.
const ROOM: usize = 24;

/// Both elements at one place, from the states at the start of the step.
struct Trial<'a> {
    series: &'a Series,
    p: &'a [f64],
    start: &'a [f64],
    room: [f64; ROOM],
    longer: Vec<f64>,
}

impl<'a> Trial<'a> {
    fn new(series: &'a Series, p: &'a [f64], start: &'a [f64]) -> Self {
        Self {
            series,
            p,
            start,
            room: [0.0; ROOM],
            longer: Vec::new(),
        }
    }

    /// Force of an element at the end of a step, and its slope.
    fn force(&mut self, child: &Placed, s: &Step, along: [f64; 2]) -> Result<[f64; 2], StepError> {
        let start = &self.start[child.states.clone()];
        let z = if start.len() <= ROOM {
            &mut self.room[..start.len()]
        } else {
            self.longer.resize(start.len(), 0.0);
            &mut self.longer[..]
        };
        z.copy_from_slice(start);
        let own = &self.p[child.params.clone()];
        child.element.response(own, s, along, z)
    }

    /// Excess of the first force over the second.
    fn excess(&mut self, place: &Place, y: f64, how: How) -> Result<Excess, StepError> {
        let [dx, dv] = place.along();
        let steps = place.steps(y, how);
        let [first, second] = self.series.ends();
        let [f, df] = self.force(first, &steps[0], [dx, dv])?;
        let [g, dg] = self.force(second, &steps[1], [-dx, -dv])?;
        Ok(Excess {
            value: f - g,
            slope: df - dg,
            size: f.abs() + g.abs(),
        })
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
}

impl Series {
    /// How a step is taken; none where both elements are damped and the displacement jumps.
    pub(super) fn way(&self, s: &Step) -> Option<Way> {
        if !self.by_speed() || s.dt > 0.0 {
            return Some(Way::Stages(self.scheme));
        }
        match self.ends().map(|c| c.element.damped()) {
            [false, false] => Some(Way::Stages(BALANCE)),
            [true, false] => Some(Way::Jump(0)),
            [false, true] => Some(Way::Jump(1)),
            [true, true] => (s.dx() == 0.0).then_some(Way::Share),
        }
    }

    /// Which of the two elements grips.
    fn gripping(&self) -> Option<usize> {
        self.ends().iter().position(|c| c.element.grips())
    }

    /// The element whose force is that of the series: one that neither holds nor slips.
    pub(super) fn bearing(how: How) -> usize {
        match how {
            How::Free => 1,
            How::Held(i) | How::Slips(i, _) => 1 - i,
        }
    }

    /// Finds the balance of a stage.
    fn balance(&self, p: &[f64], place: &Place, start: &[f64]) -> Result<(f64, How), StepError> {
        let mut trial = Trial::new(self, p, start);
        let (from, reach) = match place.sought {
            Sought::Split(_) => (place.u0, place.x[1] - place.x[0]),
            Sought::Rate => (0.0, place.v),
        };
        let Some(index) = self.gripping() else {
            let y = root(NAME, from, reach, |y| trial.excess(place, y, How::Free))?;
            return Ok((y, How::Free));
        };
        for direction in [1.0, -1.0] {
            if trial.pull(place, index, direction)?.value > 0.0 {
                let how = How::Slips(index, direction);
                let hold = place.held(index);
                let y = root(NAME, hold, reach, |y| trial.excess(place, y, how))?;
                return Ok((y, how));
            }
        }
        Ok((place.held(index), How::Held(index)))
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
    let start = z.to_vec();
    match series.way(s) {
        None => Err(StepError::Jump {
            element: NAME,
            from: s.x[0],
            to: s.x[1],
        }),
        Some(Way::Share) => {
            let place = Place::still(s, start[0]);
            let found = series.balance(p, &place, &start)?;
            let force = finish(series, p, (&place, found), z, tape);
            z.copy_from_slice(&start);
            force
        }
        Some(Way::Jump(index)) => {
            let place = Place::of(series, s, &BALANCE[0], &[0.0], start[0]);
            let found = (place.held(index), How::Held(index));
            let force = finish(series, p, (&place, found), z, tape)?;
            z[0] = found.0;
            Ok(force)
        }
        Some(Way::Stages(scheme)) => {
            let mut rates = [0.0; MOST_STAGES];
            let mut force = 0.0;
            for (i, stage) in scheme.iter().enumerate() {
                let place = Place::of(series, s, stage, &rates, start[0]);
                let found = series.balance(p, &place, &start)?;
                rates[i] = place.rate(found.0);
                if i + 1 == scheme.len() || tape.recording() {
                    z.copy_from_slice(&start);
                    force = finish(series, p, (&place, found), z, tape)?;
                    z[0] = found.0;
                }
            }
            Ok(force)
        }
    }
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
    let steps = place.steps(z1[0], How::Free);
    for (child, mut step) in series.ends().into_iter().zip(steps) {
        step.v = s.v;
        let (z0, z1) = (&z0[child.states.clone()], &z1[child.states.clone()]);
        let own = &p[child.params.clone()];
        child.element.guards(own, &step, z0, z1, out);
    }
}
