//! The device that a slow record shows.

use super::candidates::{choose, zero_piece};
use super::covariance::{Covariance, Part};
use super::device::{Device, Stage};
use super::error::StagesError;
use super::evidence::{Against, against_corners, against_friction};
use super::knots::Solved;
use super::paths::{Paths, Point, ends};
use super::slow_diagnostics::diagnostics;
use masing_diagnostic::{Diagnostic, StagesDiagnostic};
use masing_identify::uncertainty::inflation::{correlated, inflation};

/// What to look for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlowOptions {
    /// Number of drive and coast stages; found if left out.
    pub stages: Option<[usize; 2]>,
}

/// Stages under slow loading.
#[derive(Clone, Debug)]
pub struct QuasiStatic {
    /// The device.
    pub device: Device,
    /// Standard errors of angle, torque and friction of every node; none for fixed values.
    pub std_error: Vec<[Option<f64>; 3]>,
    /// Stages with stiffness and its standard error.
    pub stiffness: Vec<(Stage, f64, f64)>,
    /// Standard deviation of the torque about the device.
    pub noise: f64,
    /// Mean residual of the torque, relative to the largest torque.
    pub mean_deviation: f64,
    /// Largest residual of the torque, relative to the largest torque.
    pub max_deviation: f64,
    /// Correlation of neighbouring residuals.
    pub lag1: f64,
    /// Points that were used.
    pub samples: usize,
    /// Whether there is friction in the clearance.
    pub clearance_rubs: bool,
    /// The torque in the clearance, which was subtracted: the zero offset of the record.
    pub zero: f64,
    /// The record as an upward and a downward path.
    pub paths: Paths,
    /// Diagnostics.
    pub diagnostics: Vec<Diagnostic>,
}

/// Finds the device in a slow record of angle and torque.
pub fn characterise(
    angle: &[f64],
    torque: &[f64],
    options: &SlowOptions,
) -> Result<QuasiStatic, StagesError> {
    let mut paths = Paths::of(angle, torque)?;
    let points = paths.points();
    let mut solved = choose(&paths, &points, options.stages)?;
    let corners = against_corners(&points, &solved);
    let freedom = points.len().saturating_sub(solved.layout.unknowns()).max(1);
    let size = ends(torque).map(f64::abs);
    let floor = 1e-4 * size[0].max(size[1]);
    let variance = (solved.left / freedom as f64).max(floor * floor);
    let correlated = correlated(solved.lag1, points.len());
    let inflation = inflation(solved.lag1, points.len());
    let covariance = Covariance::of(&points, &solved);
    let zero = take_off(&mut solved, &mut paths);
    let error = |parts: &[Part]| {
        let unit = covariance
            .as_ref()
            .map_or(f64::INFINITY, |c| c.variance(parts));
        (unit * variance * inflation).sqrt()
    };
    let inner = solved.layout.angles.len() - 1;
    let held = |node: usize| solved.layout.clearance.is_some_and(|c| c.contains(&node));
    let mut std_error: Vec<[Option<f64>; 3]> = (0..=inner)
        .map(|i| {
            [
                (i > 0 && i < inner).then(|| error(&[(i, [1.0, 0.0, 0.0])])),
                (!held(i)).then(|| error(&[(i, [0.0, 1.0, 0.0])])),
                (!held(i) || solved.layout.rubs).then(|| error(&[(i, [0.0, 0.0, 1.0])])),
            ]
        })
        .collect();
    let (device, middle) = device_of(&solved);
    if let Some(at) = middle {
        std_error.insert(at, [None; 3]);
    }
    let stiffness = stiffnesses(&device, &solved, middle, error);
    let mut found = QuasiStatic {
        noise: variance.sqrt(),
        lag1: solved.lag1,
        samples: points.len(),
        clearance_rubs: solved.layout.rubs,
        zero,
        mean_deviation: 0.0,
        max_deviation: 0.0,
        diagnostics: Vec::new(),
        device,
        std_error,
        stiffness,
        paths,
    };
    let points = found.paths.points();
    found.compare(&points);
    found.diagnostics = diagnostics(&found, correlated);
    let friction = against_friction(&found, &finite(angle, torque));
    let friction = friction.map(|why| Against { why, sure: true });
    if let Some(Against { why, sure }) = friction.or(corners) {
        // Who says how many there are knows that there are some.
        if sure && options.stages.is_none() {
            return Err(StagesError::NoStages { why });
        }
        found
            .diagnostics
            .push(StagesDiagnostic::Doubtful { why }.into());
    }
    for h in &mut found.device.friction {
        *h = h.max(0.0);
    }
    Ok(found)
}

/// The samples that have angle and torque.
fn finite(angle: &[f64], torque: &[f64]) -> [Vec<f64>; 2] {
    let pairs = angle.iter().zip(torque);
    let (angle, torque) = pairs
        .filter(|(a, t)| a.is_finite() && t.is_finite())
        .unzip();
    [angle, torque]
}

/// Takes the torque of the clearance off everything: in a clearance there is none.
fn take_off(solved: &mut Solved, paths: &mut Paths) -> f64 {
    let zero = match solved.layout.clearance {
        Some([minus, _]) if solved.layout.level => solved.torques[minus],
        _ => return 0.0,
    };
    let all = [
        &mut solved.torques,
        &mut paths.up.torque,
        &mut paths.down.torque,
    ];
    for torque in all.into_iter().flatten() {
        *torque -= zero;
    }
    zero
}

/// The device, and the node that was inserted at zero torque where there is no clearance.
fn device_of(solved: &Solved) -> (Device, Option<usize>) {
    let mut device = Device {
        angles: solved.layout.angles.clone(),
        torques: solved.torques.clone(),
        friction: solved.friction.clone(),
        minus: 0,
        plus: 0,
    };
    if let Some([minus, plus]) = solved.layout.clearance {
        (device.minus, device.plus) = (minus, plus);
        return (device, None);
    }
    let Some(zero) = zero_piece(&device.torques) else {
        // One side only: it begins at the end that is nearest to zero.
        let last = device.len() - 1;
        let at = if device.torques[0].abs() <= device.torques[last].abs() {
            0
        } else {
            last
        };
        (device.minus, device.plus) = (at, at);
        return (device, None);
    };
    let share = -device.torques[zero] / (device.torques[zero + 1] - device.torques[zero]);
    let share = if share.is_finite() { share } else { 0.5 };
    let between = |v: &[f64]| v[zero] + share * (v[zero + 1] - v[zero]);
    // A node that is there already serves.
    for (near, node) in [(share, zero), (1.0 - share, zero + 1)] {
        if near < 1e-3 {
            (device.minus, device.plus) = (node, node);
            return (device, None);
        }
    }
    let (angle, friction) = (between(&device.angles), between(&device.friction));
    device.angles.insert(zero + 1, angle);
    device.torques.insert(zero + 1, 0.0);
    device.friction.insert(zero + 1, friction);
    (device.minus, device.plus) = (zero + 1, zero + 1);
    (device, Some(zero + 1))
}

/// Stiffness of every stage, with its error.
fn stiffnesses(
    device: &Device,
    solved: &Solved,
    middle: Option<usize>,
    error: impl Fn(&[Part]) -> f64,
) -> Vec<(Stage, f64, f64)> {
    let angles = &solved.layout.angles;
    device
        .stages()
        .into_iter()
        .map(|stage| {
            // The piece of the search that the stage is, or is a part of.
            let low = stage.inner.min(stage.outer);
            let piece = low - usize::from(middle.is_some_and(|m| low >= m));
            let k = device.stiffness(stage);
            let width = angles[piece + 1] - angles[piece];
            let parts = [
                (piece, [k / width, -1.0 / width, 0.0]),
                (piece + 1, [-k / width, 1.0 / width, 0.0]),
            ];
            (stage, k, error(&parts))
        })
        .collect()
}

impl QuasiStatic {
    /// Torque of the device on a path.
    pub fn predicted(&self, angle: f64, sense: f64) -> f64 {
        self.device.elastic().at(angle) + sense * self.device.friction_at(angle)
    }

    fn compare(&mut self, points: &[Point]) {
        let scale = self.device.largest_torque().max(f64::MIN_POSITIVE);
        let deviations = points
            .iter()
            .map(|p| (p.torque - self.predicted(p.angle, p.sense)).abs() / scale);
        let (sum, largest) = deviations.fold((0.0, 0.0_f64), |(s, m), d| (s + d, m.max(d)));
        self.mean_deviation = sum / points.len().max(1) as f64;
        self.max_deviation = largest;
    }
}
