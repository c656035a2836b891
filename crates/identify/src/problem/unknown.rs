//! The unknowns of a fit, and the scale on which they are searched.

use masing_model::{Model, ModelError, Scale};

/// Where an unknown acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A parameter of the model.
    Param(usize),
    /// A coefficient of a parameter that follows conditions.
    Coefficient {
        /// The parameter.
        param: usize,
        /// Which of its coefficients.
        k: usize,
    },
    /// A state at the start of a test.
    Start {
        /// The test.
        target: usize,
        /// The state.
        state: usize,
    },
    /// A turning point of the motion before a test.
    Turn {
        /// The test.
        target: usize,
        /// Which of them, the first one first.
        turn: usize,
    },
    /// A constant on the force of a test.
    ForceOffset(usize),
    /// A constant on the displacement of a test.
    MotionOffset(usize),
    /// The lag of the force channel of a test.
    Delay(usize),
    /// The level of the force channel of a test.
    Level(usize),
    /// The mass between specimen and load cell of a test.
    MovingMass(usize),
}

impl Place {
    /// Whether it only describes the initial state of a test.
    pub fn is_start(self) -> bool {
        matches!(self, Place::Start { .. } | Place::Turn { .. })
    }

    /// Whether it belongs to the model, and not to a test.
    pub fn is_of_model(self) -> bool {
        self.target().is_none()
    }

    /// The test that it belongs to.
    pub fn target(self) -> Option<usize> {
        match self {
            Place::Param(_) | Place::Coefficient { .. } => None,
            Place::Start { target, .. }
            | Place::Turn { target, .. }
            | Place::ForceOffset(target)
            | Place::MotionOffset(target)
            | Place::Delay(target)
            | Place::Level(target)
            | Place::MovingMass(target) => Some(target),
        }
    }
}

/// One unknown.
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
    /// Logarithmic or linear.
    pub scale: Scale,
    /// A typical size, for linear ones.
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

/// The values of a model that are not fixed, with their ranges. Initial states of masses, their values
/// that are zero, and the matrices of a structure are only estimated when named in `also`; of two
/// symmetric entries of a matrix one is estimated. Naming a whole matrix (`structure.k`) means its nonzero
/// entries: what is not connected stays unconnected.
pub fn free_parameters(
    model: &Model,
    fixed: &[String],
    also: &[String],
) -> Result<Vec<Unknown>, ModelError> {
    let elements = model.assembly().param_count();
    let first = model.system().map_or(elements, |m| elements + m.x0().start);
    let values = model.values();
    let known = model.system().is_some_and(|m| m.dofs() > 1);
    let mut held: Vec<bool> = (0..values.len())
        .map(|i| i >= first || (i >= elements && (known || values[i] == 0.0)))
        .collect();
    for (addresses, hold) in [(also, false), (fixed, true)] {
        for address in addresses {
            let whole = known && !hold && !address.contains('[');
            for index in model.find(address)? {
                let unconnected =
                    whole && (elements..first).contains(&index) && values[index] == 0.0;
                held[index] = hold || unconnected;
            }
        }
    }
    for index in elements..first {
        // Above the diagonal stands for both.
        match mirror(model, index) {
            Some(other) if other > index && !held[other] => {
                held[index] = false;
                held[other] = true;
            }
            _ => {}
        }
    }
    let free = model.params().into_iter().enumerate();
    Ok(free
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

/// The entry that mirrors one of a symmetric matrix of the masses; `None` on the diagonal and elsewhere.
pub(crate) fn mirror(model: &Model, index: usize) -> Option<usize> {
    let masses = model.system()?;
    let (n, at) = (masses.dofs(), model.assembly().param_count());
    let inside = index.checked_sub(at).filter(|i| *i < 3 * n * n)?;
    let (matrix, entry) = (inside / (n * n), inside % (n * n));
    let (row, column) = (entry / n, entry % n);
    let values = model.values();
    let other = at + matrix * n * n + column * n + row;
    // Where the two differ (a gyroscopic matrix), each is its own.
    (row != column && values[index] == values[other]).then_some(other)
}
