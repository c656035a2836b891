//! A stage of a step of a series: what is sought there, and how both elements move.

use super::super::scheme::{Scheme, Stage};
use super::super::split::Search;
use super::Series;
use crate::element::Step;

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
    /// The split, counted from the base of the stage; its rate is so much times that (nothing where no
    /// time passes).
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
    pub(super) fn number(self) -> f64 {
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
    #[inline]
    pub fn along(&self) -> [f64; 2] {
        match self.sought {
            Sought::Split(per_time) => [1.0, per_time],
            Sought::Rate => [0.0, 1.0],
        }
    }

    /// The rate of the split that belongs to a value of what is sought.
    #[inline]
    pub fn rate(&self, y: f64) -> f64 {
        match self.sought {
            Sought::Split(per_time) => y * per_time,
            Sought::Rate => y,
        }
    }

    /// The split that belongs to a value of what is sought.
    #[inline]
    pub fn split(&self, y: f64) -> f64 {
        match self.sought {
            Sought::Split(_) => self.base + y,
            Sought::Rate => self.u0,
        }
    }

    /// The steps of both elements.
    #[inline]
    pub fn steps(&self, y: f64, how: How) -> [Step; 2] {
        let rate = self.rate(y);
        let u = self.split(y);
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

    /// Where the balance is sought first: at the rate of the stage before, or where the second element
    /// does not move; without dashpots where the first does not, since flat pieces ask for least motion.
    pub(super) fn search(&self, last: Option<f64>) -> Search {
        let (start, reach) = match self.sought {
            Sought::Split(per_time) if per_time > 0.0 => {
                (last.unwrap_or(self.v) / per_time, self.v / per_time)
            }
            Sought::Split(_) => (0.0, self.x[1] - self.x[0]),
            Sought::Rate => (0.0, self.v),
        };
        let far = self.x.into_iter().chain([self.u0, self.base]);
        let size = far.map(f64::abs).fold(0.0, f64::max);
        Search {
            start,
            reach,
            rounding: if self.sought == Sought::Rate {
                0.0
            } else {
                f64::EPSILON * size
            },
            noise: 0.0,
        }
    }

    /// The value at which element `index` does not move.
    pub(super) fn held(&self, index: usize) -> f64 {
        match (self.sought, index) {
            (Sought::Split(_), 0) => self.u0 - self.base,
            // To the last bit where nothing moves.
            (Sought::Split(_), _) => self.u0 - self.base + (self.x[1] - self.x[0]),
            (Sought::Rate, 0) => 0.0,
            (Sought::Rate, _) => self.v,
        }
    }
}
