//! Test files as the search needs them.

use crate::error::AppError;
use crate::reading::record;
use masing_data::{Finding, ReadOptions, cycles};
use masing_identify::{Start, Target};
use masing_model::MotionKind;
use masing_sim::Motion;
use std::path::Path;

/// Tests, and what was said while reading them.
pub struct Files {
    pub targets: Vec<Target>,
    pub assumptions: Vec<String>,
    pub findings: Vec<Finding>,
}

impl Files {
    /// No test yet.
    pub fn new() -> Self {
        Self {
            targets: vec![],
            assumptions: vec![],
            findings: vec![],
        }
    }

    /// Reads a file as one more test; all must be of one kind of motion, which the first decides
    /// unless the model does.
    pub fn add(
        &mut self,
        path: &Path,
        options: ReadOptions,
        motion: &mut Option<MotionKind>,
    ) -> Result<&mut Target, AppError> {
        let (experiment, record, counting) = record(path, options)?;
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
            return Err(AppError::MixedMotion {
                path: path.to_owned(),
            });
        }
        let found = cycles::cycles(&x, Some(&force), Some(&time));
        let lost: f64 = found.iter().filter_map(|c| c.energy).sum();
        let scale: f64 = found
            .iter()
            .filter_map(|c| Some(c.secant_stiffness? * c.amplitude * c.amplitude))
            .sum();
        if lost < -1e-3 * scale {
            return Err(AppError::WrongWay {
                path: path.to_owned(),
            });
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
        self.assumptions
            .push(format!("read from {}", path.display()));
        let assumed = experiment.assumptions.iter().map(|a| format!("  {a}"));
        self.assumptions.extend(assumed);
        self.findings.extend(experiment.findings);
        let at = self.targets.len();
        self.targets.push(target);
        Ok(&mut self.targets[at])
    }
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
