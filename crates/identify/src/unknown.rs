//! What a fit looks for, and the scale it looks on.

use masing_model::{Assembly, ModelError, Scale};

/// Where a sought number acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A parameter of the model.
    Param(usize),
    /// A state at the start of a test.
    Start {
        /// The test.
        target: usize,
        /// The state.
        state: usize,
    },
    /// A constant on the force of a test.
    ForceOffset(usize),
    /// A constant on the displacement of a test.
    MotionOffset(usize),
    /// The lag of the force channel of a test.
    Delay(usize),
    /// The mass between specimen and load cell of a test.
    MovingMass(usize),
}

/// One sought number.
#[derive(Clone, Debug, PartialEq)]
pub struct Unknown {
    /// Address or name.
    pub name: String,
    /// Where it acts.
    pub place: Place,
    /// Smallest admissible value.
    pub min: f64,
    /// Largest admissible value.
    pub max: f64,
    /// By factors or by differences.
    pub scale: Scale,
    /// A typical size, for those sought by differences.
    pub typical: f64,
}

impl Unknown {
    /// The number that the optimiser sees.
    pub fn internal(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Log => value.ln(),
            Scale::Linear => value / self.typical,
        }
    }

    /// The value behind what the optimiser sees.
    pub fn value(&self, internal: f64) -> f64 {
        let value = match self.scale {
            Scale::Log => internal.exp(),
            Scale::Linear => internal * self.typical,
        };
        // exp(ln x) may fall beside a bound by rounding.
        value.clamp(self.min, self.max)
    }

    /// d value/d internal.
    pub fn slope(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Log => value,
            Scale::Linear => self.typical,
        }
    }
}

/// The parameters of an assembly that are not fixed, with their ranges.
pub fn free_parameters(assembly: &Assembly, fixed: &[String]) -> Result<Vec<Unknown>, ModelError> {
    let mut held = vec![false; assembly.param_count()];
    for address in fixed {
        for index in assembly.find(address)? {
            held[index] = true;
        }
    }
    Ok(assembly
        .params()
        .enumerate()
        .filter(|(index, _)| !held[*index])
        .map(|(index, (name, param))| Unknown {
            name,
            place: Place::Param(index),
            min: param.min,
            max: param.max,
            scale: param.scale(),
            typical: if param.default == 0.0 {
                1.0
            } else {
                param.default.abs()
            },
        })
        .collect())
}
