//! Test files as the search needs them.

use crate::error::AppError;
use crate::reading::Reading;
use masing_data::{Finding, cycles};
use masing_identify::{Start, Target};
use masing_model::MotionKind;
use masing_sim::Motion;
use std::path::PathBuf;

/// Tests, and what was said while reading them.
pub struct Files {
    pub targets: Vec<Target>,
    pub assumptions: Vec<String>,
    pub findings: Vec<Finding>,
}

/// Reads every file as one test; all must be of one kind of motion, which the first decides unless the
/// model does.
pub fn read_all(
    paths: &[PathBuf],
    reading: &Reading,
    motion: &mut Option<MotionKind>,
) -> Result<Files, AppError> {
    let mut files = Files {
        targets: vec![],
        assumptions: vec![],
        findings: vec![],
    };
    for path in paths {
        let (experiment, record, counting) = reading.record(path)?;
        let force = record.need_force()?.to_vec();
        let x = record.need_motion()?.to_vec();
        let time = record.need_time()?.to_vec();
        let velocity = record.velocity().map(<[f64]>::to_vec);
        let own = if record.rotation {
            MotionKind::Rotation
        } else {
            MotionKind::Translation
        };
        if *motion.get_or_insert(own) != own {
            return Err(AppError::MixedMotion { path: path.clone() });
        }
        let found = cycles::cycles(&x, Some(&force), Some(&time));
        let lost: f64 = found.iter().filter_map(|c| c.energy).sum();
        let scale: f64 = found
            .iter()
            .filter_map(|c| Some(c.secant_stiffness? * c.amplitude * c.amplitude))
            .sum();
        if lost < -1e-3 * scale {
            return Err(AppError::WrongWay { path: path.clone() });
        }
        let drive = Motion::new(time, x, velocity)
            .map_err(|source| AppError::simulation(&record, source))?;
        let noise = cycles::blocks(&found)
            .iter()
            .filter_map(|block| masing_data::signal::noise::from_cycles(&force, &found, block))
            .map(|noise| noise.value)
            .reduce(f64::max);
        let mut target = Target::new(experiment.name.clone(), drive, force);
        target.window = counting;
        target.noise = noise;
        target.start = start_of(&target);
        files.targets.push(target);
        files
            .assumptions
            .push(format!("read from {}", path.display()));
        files
            .assumptions
            .extend(experiment.assumptions.iter().map(|a| format!("  {a}")));
        files.findings.extend(experiment.findings);
    }
    Ok(files)
}

/// At rest if the record begins without force to speak of, periodic if it closes, else free.
fn start_of(target: &Target) -> Start {
    let (x, f) = (target.motion.x(), &target.force);
    let n = f.len();
    let peak = target.peak();
    let (low, high) = x
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &x| {
            (a.min(x), b.max(x))
        });
    let near = (3.0 * target.noise.unwrap_or(0.0)).max(0.01 * peak);
    if f[0].abs() <= near {
        Start::Rest
    } else if (f[n - 1] - f[0]).abs() <= near && (x[n - 1] - x[0]).abs() <= 0.01 * (high - low) {
        Start::Periodic
    } else {
        Start::Free
    }
}
