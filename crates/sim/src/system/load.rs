//! What drives a system with mass: loads on its degrees of freedom, acceleration of its base.

use crate::error::SimError;
use crate::motion::{check_channel, check_time};

/// Loads and base acceleration over time; straight lines between samples, zero where none is given.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    time: Vec<f64>,
    on: Vec<(usize, Vec<f64>)>,
    base: Option<Vec<f64>>,
}

impl Load {
    /// No load yet, at these instants: finite, increasing, at least two.
    pub fn new(time: Vec<f64>) -> Result<Self, SimError> {
        check_time(&time)?;
        Ok(Self {
            time,
            on: Vec::new(),
            base: None,
        })
    }

    /// Adds a load (N or N m) on a degree of freedom, counted from 1 as in `between`.
    pub fn on(mut self, dof: usize, values: Vec<f64>) -> Result<Self, SimError> {
        check_channel("load", &values, self.time.len())?;
        self.on.push((dof, values));
        Ok(self)
    }

    /// Sets the acceleration of the base.
    pub fn base(mut self, acceleration: Vec<f64>) -> Result<Self, SimError> {
        check_channel("base_acceleration", &acceleration, self.time.len())?;
        self.base = Some(acceleration);
        Ok(self)
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.time.len()
    }

    /// Never: a load has at least two samples.
    pub fn is_empty(&self) -> bool {
        self.time.is_empty()
    }

    /// Time of the samples (s).
    pub fn time(&self) -> &[f64] {
        &self.time
    }

    /// The loads that were given: degree of freedom from 1, values.
    pub fn loads(&self) -> &[(usize, Vec<f64>)] {
        &self.on
    }

    /// The acceleration of the base, if given.
    pub fn base_acceleration(&self) -> Option<&[f64]> {
        self.base.as_deref()
    }
}

/// A load laid out for the steps: one row per sample, one entry per degree of freedom.
#[derive(Clone, Debug)]
pub(super) struct Drive {
    time: Vec<f64>,
    rows: Vec<f64>,
    base: Option<Vec<f64>>,
    dofs: usize,
    /// Micro-steps per sub-step, on average, beyond which a run is given up.
    pub patience: usize,
}

/// An instant of a run: an interval between samples and the time since its start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Instant {
    pub interval: usize,
    pub since: f64,
}

impl Instant {
    /// A little later in the same interval.
    pub fn after(self, dt: f64) -> Self {
        Self {
            since: self.since + dt,
            ..self
        }
    }
}

impl Drive {
    /// Lays out a load; an error if it acts on a degree of freedom that does not exist.
    pub fn new(load: &Load, dofs: usize) -> Result<Self, SimError> {
        let mut rows = vec![0.0; load.len() * dofs];
        for (dof, values) in &load.on {
            if *dof == 0 || *dof > dofs {
                return Err(SimError::Dof {
                    what: "load",
                    dof: *dof,
                    dofs,
                });
            }
            for (row, value) in rows.chunks_exact_mut(dofs).zip(values) {
                row[dof - 1] += value;
            }
        }
        Ok(Self {
            time: load.time.clone(),
            rows,
            base: load.base.clone(),
            dofs,
            patience: usize::MAX,
        })
    }

    /// Number of samples.
    pub fn samples(&self) -> usize {
        self.time.len()
    }

    /// Time of a sample.
    pub fn time(&self, sample: usize) -> f64 {
        self.time[sample]
    }

    /// Duration of an interval.
    pub fn dt(&self, interval: usize) -> f64 {
        self.time[interval + 1] - self.time[interval]
    }

    /// The longest interval.
    pub fn longest(&self) -> f64 {
        (0..self.samples() - 1).fold(0.0, |m, i| self.dt(i).max(m))
    }

    /// The instant of a sample: the start of the interval it opens, the last one the end of the last.
    pub fn instant(&self, sample: usize) -> Instant {
        if sample + 1 < self.samples() {
            Instant {
                interval: sample,
                since: 0.0,
            }
        } else {
            Instant {
                interval: sample - 1,
                since: self.dt(sample - 1),
            }
        }
    }

    /// Base acceleration at a sample.
    pub fn base_at(&self, sample: usize) -> f64 {
        self.base.as_ref().map_or(0.0, |b| b[sample])
    }

    /// Writes the loads at an instant and returns the base acceleration.
    pub fn at(&self, instant: Instant, load: &mut [f64]) -> f64 {
        let i = instant.interval;
        let share = if instant.since == 0.0 {
            0.0
        } else {
            instant.since / self.dt(i)
        };
        let (from, to) = self.rows[i * self.dofs..(i + 2) * self.dofs].split_at(self.dofs);
        for (out, (a, b)) in load.iter_mut().zip(from.iter().zip(to)) {
            *out = a + share * (b - a);
        }
        match &self.base {
            Some(base) => base[i] + share * (base[i + 1] - base[i]),
            None => 0.0,
        }
    }
}
