//! What was measured and what the model gives, in plain arrays.

use crate::names::Names;
use crate::test::{DrivenMasses, MotionRecord, Output, StiffnessTable, Test};
use masing_data::Preload;
use masing_data::unit::Quantity;

/// What was measured and what the model gives, in SI.
#[derive(Clone, Debug)]
pub enum Curves {
    /// Force under a given motion.
    Record(RecordCurves),
    /// Steady sines.
    Sines(Vec<Sine>),
    /// Motion of masses.
    Masses(MassCurves),
}

/// Force under a given motion, over the samples that are compared.
#[derive(Clone, Debug)]
pub struct RecordCurves {
    /// Time.
    pub time: Vec<f64>,
    /// Displacement.
    pub x: Vec<f64>,
    /// What the part is under beside the motion.
    pub preload: Preload,
    /// Force.
    pub force: Pair,
    /// Samples of the record that were not compared.
    pub outside: usize,
}

/// A history, measured and as the model gives it.
#[derive(Clone, Debug)]
pub struct Pair {
    /// As it was measured.
    pub measured: Vec<f64>,
    /// As the model gives it.
    pub model: Vec<f64>,
}

/// A row of a dynamic stiffness table; measured first, model second.
#[derive(Clone, Copy, Debug)]
pub struct Sine {
    /// Amplitude, zero to peak.
    pub amplitude: f64,
    /// Frequency (Hz).
    pub frequency: f64,
    /// What the part is under beside the motion.
    pub preload: Preload,
    /// Dynamic stiffness.
    pub stiffness: [f64; 2],
    /// Loss angle (rad).
    pub loss_angle: [f64; 2],
}

/// Histories of masses.
#[derive(Clone, Debug)]
pub struct MassCurves {
    /// Time.
    pub time: Vec<f64>,
    /// Name, kind and history of every channel.
    pub channels: Vec<(String, Quantity, Pair)>,
}

impl Pair {
    /// The residual: model minus measured.
    pub fn residual(&self) -> Vec<f64> {
        let pairs = self.model.iter().zip(&self.measured);
        pairs.map(|(model, measured)| model - measured).collect()
    }
}

impl Curves {
    /// The curves of a test and of a prediction of it.
    pub fn of(test: &Test, predicted: &[f64], names: &Names) -> Self {
        let of_record = test.motion_record().map(|own| record(own, predicted));
        let of_masses = || Some(masses(test.driven_masses()?, predicted, names));
        let of_table = || test.stiffness_table().map(|own| sines(own, predicted));
        of_record
            .or_else(of_masses)
            .or_else(of_table)
            .unwrap_or_else(|| Curves::Sines(vec![]))
    }
}

fn record(rig: &MotionRecord, predicted: &[f64]) -> Curves {
    let len = rig.force.len().min(predicted.len()).min(rig.motion.len());
    let window = rig.window.start.min(len)..rig.window.end.min(len);
    let missing = |i: usize| !rig.force.get(i).is_some_and(|f| f.is_finite());
    // Turns that were put in between samples would tear the measured line; gaps stay gaps.
    let kept: Vec<usize> = window
        .clone()
        .filter(|&i| !missing(i) || missing(i + 1) || i == 0 || missing(i - 1))
        .collect();
    let pick = |values: &[f64]| kept.iter().map(|&i| values[i]).collect();
    Curves::Record(RecordCurves {
        time: pick(rig.motion.time()),
        x: pick(rig.motion.x()),
        preload: rig.preload,
        force: Pair {
            measured: pick(&rig.force),
            model: pick(predicted),
        },
        outside: rig.force.len() - window.len(),
    })
}

fn sines(table: &StiffnessTable, predicted: &[f64]) -> Curves {
    let each = table.points.iter().zip(predicted.chunks_exact(2));
    let sines = each.map(|(point, model)| Sine {
        amplitude: point.amplitude,
        frequency: point.frequency,
        preload: point.preload,
        stiffness: [point.stiffness, model[0]],
        loss_angle: [point.loss_angle, model[1]],
    });
    Curves::Sines(sines.collect())
}

fn masses(test: &DrivenMasses, predicted: &[f64], names: &Names) -> Curves {
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
    Curves::Masses(MassCurves {
        channels: channels.collect(),
        time: test.load().time()[window.clone()].to_vec(),
    })
}
