//! Ten noise seeds on two dampers: how near the truth slow tests, energy balance and refinement come.
//!
//! Run by `cargo xtask study clutch`.

#[path = "../tests/dampers/mod.rs"]
mod dampers;

use dampers::{Damper, four_stages, three_stages};
use masing_identify::stages::{
    Device, FastOptions, FastRecord, Motion, SlowOptions, StagesError, analyse, characterise,
};
use std::time::Instant;

const SEEDS: std::ops::Range<u64> = 7001..7011;

fn main() {
    for (name, damper, torque_noise) in [
        ("four stages (the notes)", four_stages(), 0.15),
        ("three stages", three_stages(), 0.1),
    ] {
        for velocity_noise in [0.01, 0.03] {
            println!(
                "\n{name}, torque noise {torque_noise} N m, velocity noise {velocity_noise} rad/s, {} seeds",
                SEEDS.count()
            );
            let started = Instant::now();
            match study(&damper, torque_noise, velocity_noise) {
                Ok(()) => println!(
                    "{:.1} s a run",
                    started.elapsed().as_secs_f64() / SEEDS.count() as f64
                ),
                Err(error) => println!("failed: {error}"),
            }
        }
    }
}

/// Differences gathered over the seeds.
#[derive(Default)]
struct Gathered(Vec<(String, Vec<f64>)>);

impl Gathered {
    fn add(&mut self, name: &str, value: f64) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, values)) => values.push(value),
            None => self.0.push((name.to_owned(), vec![value])),
        }
    }

    fn print(&self) {
        for (name, values) in &self.0 {
            let mut sizes: Vec<f64> = values.iter().map(|v| v.abs()).collect();
            sizes.sort_by(f64::total_cmp);
            let rms = (values.iter().map(|v| v * v).sum::<f64>() / values.len() as f64).sqrt();
            let median = sizes[sizes.len() / 2];
            let largest = sizes[sizes.len() - 1];
            println!("  {name:44} median {median:9.4}  rms {rms:9.4}  largest {largest:9.4}");
        }
    }
}

fn study(damper: &Damper, torque_noise: f64, velocity_noise: f64) -> Result<(), StagesError> {
    let release = damper.release();
    let mut out = Gathered::default();
    let mut order = [0_usize; 2];
    for seed in SEEDS {
        let (angle, torque) = damper.slow_record(6000, torque_noise, seed);
        let slow = characterise(&angle, &torque, &SlowOptions::default())?;
        add_slow(&mut out, &slow.device, &damper.slow);
        let record = FastRecord {
            time: release.time.clone(),
            torque: release.torque.clone(),
            velocity: Some(release.noisy_velocity(velocity_noise, seed + 500)),
            ..FastRecord::default()
        };
        let motion = Motion::of(&record, &slow.device, damper.inertia)?;
        let options = FastOptions {
            time_scale: Some(damper.time_scale),
            ..FastOptions::default()
        };
        let found = analyse(&motion, &slow.device, &options)?;
        order[0] += usize::from(found.ranking.first() == Some(&"D3.2"));
        order[1] += usize::from(found.ranking.get(1) == Some(&"D2.2"));
        for judged in &found.judged {
            let name = judged.formulation.name;
            out.add(
                &format!("{name} rms angle, mrad"),
                1e3 * judged.metrics.rms_angle,
            );
            for (k, errors) in judged.metrics.errors.iter().enumerate() {
                if let (Some(errors), "D2.2" | "D3.2") = (errors, name) {
                    out.add(&format!("{name} R{}(theta)", k + 1), errors[0]);
                }
            }
        }
        let refined = &found.refined;
        out.add("refined chi2", refined.chi2_dof);
        out.add("refined viscous", refined.viscous[0]);
        for (k, errors) in found.refined_metrics.errors.iter().enumerate() {
            if let Some(errors) = errors {
                out.add(&format!("refined R{}(theta)", k + 1), errors[0]);
                out.add(&format!("refined R{}(omega)", k + 1), errors[1]);
            }
        }
        let squares = release.angle.iter().zip(&found.refined_motion.angle);
        let square: f64 =
            squares.map(|(a, b)| (a - b).powi(2)).sum::<f64>() / release.angle.len() as f64;
        out.add(
            "refined rms angle against the truth, mrad",
            1e3 * square.sqrt(),
        );
        for stage in found.energy.stages.iter().filter(|s| s.coverage > 0.0) {
            let node = stage.stage.outer;
            let truth = damper.fast_friction[node];
            let name = slow.device.name(node);
            let percent = |h: f64| 100.0 * (h / truth - 1.0);
            if stage.accepted[0] {
                out.add(&format!("h {name} recursion, %"), percent(stage.friction));
            }
            out.add(
                &format!("h {name} cumulative, %"),
                percent(found.cumulative[0].friction[node]),
            );
            out.add(
                &format!("h {name} refined, %"),
                percent(refined.device.friction[node]),
            );
            if let Some(error) = refined.friction_error[node] {
                out.add(
                    &format!("h {name} refined, standard errors"),
                    (refined.device.friction[node] - truth) / error,
                );
            }
        }
    }
    out.print();
    println!(
        "  D3.2 first in {} of {}, D2.2 second in {}",
        order[0],
        SEEDS.count(),
        order[1]
    );
    Ok(())
}

/// Differences of the slow test.
fn add_slow(out: &mut Gathered, found: &Device, truth: &Device) {
    if found.len() != truth.len() || found.minus != truth.minus {
        out.add("slow: other stages", 1.0);
        return;
    }
    for i in 0..truth.len() {
        let edge = i == truth.minus || i == truth.plus;
        let name = if edge {
            "slow: edges of the clearance, mrad"
        } else {
            "slow: nodes, mrad"
        };
        out.add(name, 1e3 * (found.angles[i] - truth.angles[i]));
        out.add("slow: friction, N m", found.friction[i] - truth.friction[i]);
    }
    for stage in truth.stages() {
        let soft = stage.inner == truth.minus || stage.inner == truth.plus;
        let name = if soft {
            "slow: stiffness of soft stages, %"
        } else {
            "slow: stiffness, %"
        };
        out.add(
            name,
            100.0 * (found.stiffness(stage) / truth.stiffness(stage) - 1.0),
        );
    }
}
