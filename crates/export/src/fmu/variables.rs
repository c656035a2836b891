//! The variables of an FMU. Their place in the list is their value reference.

use masing_model::{Model, MotionKind, unit_for};
use masing_sim::Rates;

/// What a variable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The time.
    Time,
    /// Input: displacement, in Co-Simulation at the end of the step.
    Displacement,
    /// Input: velocity, likewise.
    Velocity,
    /// Force on the part.
    Force,
    /// Force of the part.
    Reaction,
    /// Work done on the part.
    Work,
    /// Whether the motion goes beyond the tests of the model.
    Outside,
    /// Whether Co-Simulation takes the velocity from its input.
    UseVelocity,
    /// A parameter of the elements.
    Param(usize),
    /// Input: the level of a condition at the end of the step.
    Level(usize),
    /// A state of the elements.
    State(usize),
    /// The rate of a state.
    Rate(usize),
    /// The rate of the work.
    Power,
    /// A value that changes sign at a kink of the rates.
    Indicator(usize),
}

/// One variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Name, unique.
    pub name: String,
    /// What it stands for.
    pub meaning: Meaning,
    /// Unit, if it has one that does not depend on parameters.
    pub unit: Option<String>,
    /// One line on its meaning.
    pub doc: String,
    /// Start value of what is set from outside.
    pub start: Option<f64>,
    /// Admissible range of parameters.
    pub range: Option<[f64; 2]>,
    /// Typical size of states.
    pub nominal: Option<f64>,
}

/// All variables of the FMU of a model.
#[derive(Clone, Debug)]
pub struct Variables {
    list: Vec<Variable>,
    states: usize,
    params: usize,
    indicators: usize,
    /// Why there is no Model Exchange: the element that has steps only.
    steps_only: Option<String>,
}

/// Where the parameters begin.
const FIRST_PARAM: usize = 8;

impl Variables {
    /// The variables of a model without masses.
    pub fn of(model: &Model) -> Self {
        let motion = model.motion();
        let unit = |text: &str| {
            let unit = unit_for(text, motion);
            super::unit::base(&unit).map(|_| unit)
        };
        let mut list = head(motion);
        let params = model.assembly().param_count();
        let follows = |i: usize| model.following().iter().any(|own| own.param == i);
        for (i, (name, param)) in model.params().into_iter().take(params).enumerate() {
            if follows(i) {
                continue;
            }
            list.push(Variable {
                start: Some(model.values()[i]),
                range: Some([param.min, param.max]),
                unit: unit(&param.unit),
                ..variable(Meaning::Param(i), &name, param.doc.trim_end_matches('.'))
            });
        }
        let params = list.len() - FIRST_PARAM;
        let amplitude = match (&model.validity, motion) {
            (Some(tests), _) if tests.displacement[1] > tests.displacement[0] => {
                0.5 * (tests.displacement[1] - tests.displacement[0])
            }
            (_, MotionKind::Translation) => 1e-3,
            (_, MotionKind::Rotation) => 0.1,
        };
        let states: Vec<_> = model.assembly().states().collect();
        for (i, (name, state)) in states.iter().enumerate() {
            list.push(Variable {
                unit: unit(state.unit),
                nominal: Some(if state.unit == "m" { amplitude } else { 1.0 }),
                ..variable(Meaning::State(i), name, "state")
            });
        }
        let rates = Rates::new(model);
        let indicators = rates.as_ref().map_or(0, Rates::guard_count);
        let steps_only = rates.err();
        if steps_only.is_none() {
            for (i, (name, state)) in states.iter().enumerate() {
                list.push(Variable {
                    unit: unit(&per_second(state.unit)),
                    ..variable(
                        Meaning::Rate(i),
                        &format!("der({name})"),
                        "rate of the state",
                    )
                });
            }
            list.push(Variable {
                unit: Some("W".to_owned()),
                ..variable(
                    Meaning::Power,
                    "der(dissipated_energy)",
                    "power of the force",
                )
            });
            for i in 0..indicators {
                let name = format!("kink[{}]", i + 1);
                list.push(variable(
                    Meaning::Indicator(i),
                    &name,
                    "changes sign at a kink",
                ));
            }
        }
        if !model.following().is_empty() {
            let conditions = model.conditions().iter().enumerate();
            list.extend(conditions.map(|(i, condition)| Variable {
                start: Some(condition.middle()),
                unit: super::unit::base(&condition.unit).map(|_| condition.unit.clone()),
                ..variable(
                    Meaning::Level(i),
                    &format!("condition.{}", condition.name),
                    &format!(
                        "level at the end of the step; tested from {:?} to {:?}",
                        condition.range[0], condition.range[1]
                    ),
                )
            }));
        }
        Self {
            list,
            states: states.len(),
            params,
            indicators,
            steps_only,
        }
    }

    /// All variables; the place of a variable is its value reference.
    pub fn list(&self) -> &[Variable] {
        &self.list
    }

    /// What a value reference stands for.
    pub fn meaning(&self, reference: u32) -> Option<Meaning> {
        self.list.get(reference as usize).map(|v| v.meaning)
    }

    /// Name of the variable of a value reference.
    pub fn name(&self, reference: u32) -> &str {
        self.list
            .get(reference as usize)
            .map_or("unknown", |v| v.name.as_str())
    }

    /// Whether there is Model Exchange; otherwise the element that has steps only.
    pub fn model_exchange(&self) -> Result<(), &str> {
        self.steps_only.as_deref().map_or(Ok(()), Err)
    }

    /// How many continuous states Model Exchange has: those of the elements and the work.
    pub fn continuous_states(&self) -> usize {
        self.states + 1
    }

    /// How many event indicators Model Exchange has.
    pub fn indicators(&self) -> usize {
        self.indicators
    }

    /// Value references of the state and of its rate, in the order of the states; the work is last.
    pub(super) fn state_pairs(&self) -> Vec<(usize, usize)> {
        let first = FIRST_PARAM + self.params;
        let rate = first + self.states;
        let mut pairs: Vec<_> = (0..self.states).map(|i| (first + i, rate + i)).collect();
        pairs.push((5, rate + self.states));
        pairs
    }
}

fn variable(meaning: Meaning, name: &str, doc: &str) -> Variable {
    Variable {
        name: name.to_owned(),
        meaning,
        unit: None,
        doc: doc.to_owned(),
        start: None,
        range: None,
        nominal: None,
    }
}

/// A unit divided by the second.
fn per_second(unit: &str) -> String {
    match unit {
        "1" => "1/s".to_owned(),
        unit => format!("{unit}/s"),
    }
}

/// The variables that every FMU has.
fn head(motion: MotionKind) -> Vec<Variable> {
    let with = |unit: &str, start: Option<f64>, v: Variable| Variable {
        unit: (!unit.is_empty()).then(|| unit_for(unit, motion)),
        start,
        ..v
    };
    let make = |meaning, name: &str, doc: &str, unit: &str, start| {
        with(unit, start, variable(meaning, name, doc))
    };
    let mut list = vec![
        make(Meaning::Time, "time", "time", "s", None),
        make(
            Meaning::Displacement,
            "displacement",
            "displacement of the part; in Co-Simulation at the end of the step, straight over it",
            "m",
            Some(0.0),
        ),
        make(
            Meaning::Velocity,
            "velocity",
            "velocity; Co-Simulation takes it from the displacement unless use_velocity is true",
            "m/s",
            Some(0.0),
        ),
        make(
            Meaning::Force,
            "force",
            "force on the part, positive with positive displacement",
            "N",
            None,
        ),
        make(
            Meaning::Reaction,
            "reaction_force",
            "force of the part on what moves it: -force",
            "N",
            None,
        ),
        make(
            Meaning::Work,
            "dissipated_energy",
            "work done on the part; over a closed cycle, the dissipated energy",
            "",
            None,
        ),
        make(
            Meaning::Outside,
            "outside_validity",
            "whether displacement or speed is beyond the tests of the model",
            "",
            None,
        ),
        make(
            Meaning::UseVelocity,
            "use_velocity",
            "whether Co-Simulation takes the velocity from its input",
            "",
            Some(0.0),
        ),
    ];
    list[5].unit = Some("J".to_owned());
    list[5].nominal = Some(1e-3);
    list
}
