//! What the page shows of a fit, in plain arrays.

use crate::measure;
use crate::names::Names;
use masing_data::Preload;
use masing_data::unit::Quantity;
use masing_identify::test::{DrivenMasses, Output, StiffnessTable};
use masing_identify::{Comparison, Fit, InitialState, MotionRecord};
use masing_report::figures::{percent, rounded};

/// At most so many sought numbers are set against each other in a picture.
const MOST_PAIRED: usize = 40;

/// A fit as the page shows it.
pub struct View {
    /// The tests, fitted ones first.
    pub tests: Vec<Test>,
    /// Numbers sought, without the start states.
    pub sought: Vec<Sought>,
    /// Correlations of the sought numbers, rows after each other.
    pub correlation: Vec<f64>,
    /// What errors are measured by: ` of rms force`, or nothing where tests are of several kinds.
    pub scale: String,
}

/// A number that was sought.
pub struct Sought {
    pub name: String,
    /// Share in the direction in which the tests say least.
    pub weakest: f64,
}

/// One test and what the model makes of it.
pub struct Test {
    pub name: String,
    pub held_out: bool,
    pub outcome: Comparison,
    /// What its error is measured by.
    pub scale: String,
    /// Error over the alternating part of the force, where the mean is large.
    pub alternating: Option<f64>,
    pub shown: Shown,
}

/// What was measured and what the model gives, in SI.
pub enum Shown {
    /// Force under a given motion.
    Record(Record),
    /// Steady sines.
    Sines(Vec<Sine>),
    /// Motion of masses.
    Masses(Masses),
}

/// Force under a given motion, over the samples that are compared.
pub struct Record {
    pub time: Vec<f64>,
    pub x: Vec<f64>,
    /// What the part is under beside the motion.
    pub preload: Preload,
    pub force: Pair,
    /// How it was compared, in words.
    pub facts: Vec<(String, String)>,
}

/// A history, measured and as the model gives it.
pub struct Pair {
    pub measured: Vec<f64>,
    pub model: Vec<f64>,
}

/// A row of a dynamic stiffness table; measured first, model second.
#[derive(Clone, Copy)]
pub struct Sine {
    pub amplitude: f64,
    pub frequency: f64,
    pub preload: Preload,
    pub stiffness: [f64; 2],
    pub loss_angle: [f64; 2],
}

/// Histories of masses.
pub struct Masses {
    pub time: Vec<f64>,
    pub channels: Vec<(String, Quantity, Pair)>,
}

impl Pair {
    /// What the model gives too much.
    pub fn difference(&self) -> Vec<f64> {
        let pairs = self.model.iter().zip(&self.measured);
        pairs.map(|(model, measured)| model - measured).collect()
    }
}

impl View {
    pub fn of(fit: &Fit, names: &Names) -> Self {
        let outcomes = fit.tests.iter().chain(&fit.validation);
        let tests = outcomes.zip(&fit.targets).zip(&fit.predicted);
        let tests: Vec<Test> = tests
            .enumerate()
            .map(|(k, ((outcome, target), predicted))| Test {
                name: target.name.clone(),
                held_out: k >= fit.tests.len(),
                outcome: outcome.clone(),
                scale: measure::measured_by(target, names),
                alternating: measure::flattery(target).map(|by| by * outcome.relative),
                shown: shown(target, predicted, names),
            })
            .collect();
        let shown: Vec<usize> = (0..fit.unknowns.len())
            .filter(|&i| !fit.unknowns[i].place.is_start())
            .take(MOST_PAIRED)
            .collect();
        let sought = shown.iter().map(|&i| Sought {
            name: fit.unknowns[i].name.clone(),
            weakest: fit.trust.weakest[i],
        });
        let correlation = &fit.trust.correlation;
        Self {
            sought: sought.collect(),
            correlation: shown
                .iter()
                .flat_map(|&i| shown.iter().map(move |&j| correlation[(i, j)]))
                .collect(),
            scale: measure::scale(&fit.targets, names),
            tests,
        }
    }
}

impl Test {
    /// A size in the units of its rms difference.
    pub fn sized(&self, value: f64, names: &Names) -> String {
        match &self.shown {
            Shown::Record(_) => rounded(value, names.load, 3),
            Shown::Sines(_) => percent(value),
            Shown::Masses(masses) => match masses.channels.as_slice() {
                [(_, quantity, _)] => rounded(value, *quantity, 3),
                _ => String::new(),
            },
        }
    }
}

/// What the page shows of a test.
fn shown(test: &masing_identify::Test, predicted: &[f64], names: &Names) -> Shown {
    let of_record = test
        .motion_record()
        .map(|rig| record(rig, predicted, names));
    let of_masses = || Some(masses(test.driven_masses()?, predicted, names));
    let of_table = || test.stiffness_table().map(|table| sines(table, predicted));
    of_record
        .or_else(of_masses)
        .or_else(of_table)
        .unwrap_or_else(|| Shown::Sines(vec![]))
}

fn record(rig: &MotionRecord, predicted: &[f64], names: &Names) -> Shown {
    let len = rig.force.len().min(predicted.len()).min(rig.motion.len());
    let window = rig.window.start.min(len)..rig.window.end.min(len);
    let missing = |i: usize| !rig.force.get(i).is_some_and(|f| f.is_finite());
    // Turns that were put in between samples would tear the measured line; gaps stay gaps.
    let kept: Vec<usize> = window
        .clone()
        .filter(|&i| !missing(i) || missing(i + 1) || i == 0 || missing(i - 1))
        .collect();
    let pick = |values: &[f64]| kept.iter().map(|&i| values[i]).collect();
    Shown::Record(Record {
        time: pick(rig.motion.time()),
        x: pick(rig.motion.x()),
        preload: rig.preload,
        force: Pair {
            measured: pick(&rig.force),
            model: pick(predicted),
        },
        facts: facts(rig, rig.force.len() - window.len(), names),
    })
}

/// How a record was compared.
fn facts(rig: &MotionRecord, outside: usize, names: &Names) -> Vec<(String, String)> {
    let fact = |name: &str, value: String| (name.to_owned(), value);
    let start = match rig.initial {
        InitialState::AtRest => "at rest",
        InitialState::Estimated => "in a state that the fit found",
        InitialState::Periodic => "settled",
    };
    let mut facts = vec![fact("part at the beginning", start.to_owned())];
    match rig.preload {
        Preload::Motion(0.0) => {}
        Preload::Motion(x) => facts.push(fact("preload", rounded(x, names.length, 4))),
        Preload::Force(f) => facts.push(fact("preload", rounded(f, names.load, 4))),
    }
    if outside > 0 {
        facts.push(fact("samples outside the window", outside.to_string()));
    }
    facts
}

fn sines(table: &StiffnessTable, predicted: &[f64]) -> Shown {
    let each = table.points.iter().zip(predicted.chunks_exact(2));
    let sines = each.map(|(point, model)| Sine {
        amplitude: point.amplitude,
        frequency: point.frequency,
        preload: point.preload,
        stiffness: [point.stiffness, model[0]],
        loss_angle: [point.loss_angle, model[1]],
    });
    Shown::Sines(sines.collect())
}

fn masses(test: &DrivenMasses, predicted: &[f64], names: &Names) -> Shown {
    let n = test.load().len();
    let window = test.window.start.min(n)..test.window.end.min(n);
    let several = test.channels.iter().any(|c| c.dof > 0);
    let channels = test.channels.iter().enumerate().map(|(c, channel)| {
        let (name, quantity) = match channel.output {
            Output::Displacement => (names.displacement, names.length),
            Output::Velocity => ("velocity", names.velocity),
            Output::Acceleration => ("acceleration", names.acceleration),
            Output::Force => (names.force, names.load),
        };
        let name = if several && channel.output != Output::Force {
            format!("{name} of mass {}", channel.dof + 1)
        } else {
            name.to_owned()
        };
        let at = |values: &[f64], i: usize| values.get(i).copied().unwrap_or(f64::NAN);
        let pair = Pair {
            measured: window.clone().map(|i| at(&channel.measured, i)).collect(),
            model: window.clone().map(|i| at(predicted, c * n + i)).collect(),
        };
        (name, quantity, pair)
    });
    Shown::Masses(Masses {
        channels: channels.collect(),
        time: test.load().time()[window.clone()].to_vec(),
    })
}
