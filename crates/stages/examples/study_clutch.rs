//! Ten noise seeds on two dampers: how near the truth slow tests, energy balance and refinement come.
//!
//! Run by `cargo xtask study clutch`.

#[path = "../tests/dampers/mod.rs"]
mod dampers;

use dampers::{Damper, Fast, four_stages, three_stages};
use masing_stages::{
    Bench, Device, Dynamics, Energy, FastOptions, FastRecord, Freedom, Motion, SlowOptions,
    StagesError, Yardstick, analyse, characterise, formulations, refine,
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
            // The figures of the notes are those of their damper and the smaller noise.
            let asked = name.starts_with("four") && velocity_noise == 0.01;
            match study(&damper, torque_noise, velocity_noise, asked) {
                Ok(()) => println!(
                    "{:.1} s a run",
                    started.elapsed().as_secs_f64() / SEEDS.count() as f64
                ),
                Err(error) => println!("failed: {error}"),
            }
        }
        match recovered(&damper) {
            Ok([right, all]) => println!(
                "\n{name}: the truth is ranked first in {right} of {all} (six formulations)"
            ),
            Err(error) => println!("failed: {error}"),
        }
        match settled(&damper) {
            Ok([good, all]) => {
                println!(
                    "{name}: the growing horizon settles from 0.3, 1 and 5 times the slow friction in {good} of {all}"
                );
            }
            Err(error) => println!("failed: {error}"),
        }
    }
}

fn measured(
    damper: &Damper,
    release: &Fast,
    device: &Device,
    noise: f64,
    seed: u64,
) -> Result<Motion, StagesError> {
    let record = FastRecord {
        time: release.time.clone(),
        torque: release.torque.clone(),
        velocity: Some(release.noisy_velocity(noise, seed)),
        ..FastRecord::default()
    };
    Motion::of(&record, device, damper.inertia)
}

/// Every formulation as the truth: how often the same one meets the record best.
fn recovered(damper: &Damper) -> Result<[usize; 2], StagesError> {
    let exact = measured(damper, &damper.release(), &damper.slow, 0.0, 0)?;
    let truths = formulations(&damper.slow, &Energy::of(&exact, &damper.slow, damper.eta));
    let (mut right, mut all) = (0, 0);
    for truth in truths.iter().skip(1) {
        let own = Damper {
            fast_friction: truth.friction.clone(),
            viscous: truth.viscous.clone(),
            ..damper.clone()
        };
        let release = own.release();
        for seed in SEEDS {
            let motion = measured(&own, &release, &own.slow, 0.01, seed)?;
            let energy = Energy::of(&motion, &own.slow, own.eta);
            let bench = Bench::of(&motion, &own.slow, own.eta)?;
            let mut best = (f64::INFINITY, "");
            for f in formulations(&own.slow, &energy) {
                let device = own.slow.with_friction(f.friction.clone());
                let run = bench.run_once(&motion, &device, &f.viscous)?;
                let pairs = motion.angle.iter().zip(&run.angle);
                let squares: f64 = pairs.map(|(a, b)| (a - b).powi(2)).sum();
                if squares < best.0 {
                    best = (squares, f.name);
                }
            }
            right += usize::from(best.1 == truth.name);
            all += 1;
        }
    }
    Ok([right, all])
}

/// From wrong frictions: how often the refinement of the friction alone meets the record.
fn settled(damper: &Damper) -> Result<[usize; 2], StagesError> {
    let release = damper.release();
    let freedom = Freedom {
        clearance_friction: false,
        more_than_friction: false,
    };
    let (mut good, mut all) = (0, 0);
    for seed in SEEDS {
        let motion = measured(damper, &release, &damper.slow, 0.01, seed)?;
        let energy = Energy::of(&motion, &damper.slow, damper.eta);
        let bench = Bench::of(&motion, &damper.slow, damper.eta)?;
        for factor in [0.3, 1.0, 5.0] {
            let start: Vec<f64> = damper.slow.friction.iter().map(|h| factor * h).collect();
            let found = refine(
                &motion,
                &damper.slow,
                &energy,
                &bench,
                &start,
                freedom,
                None,
            )?;
            good += usize::from(found.chi2_dof < 1.15);
            all += 1;
        }
    }
    Ok([good, all])
}

/// Differences gathered over the seeds, with what is asked of them.
#[derive(Default)]
struct Gathered(Vec<Row>);

struct Row {
    name: String,
    asked: Option<[f64; 2]>,
    values: Vec<f64>,
}

impl Gathered {
    fn add(&mut self, name: &str, value: f64) {
        self.row(name, value, None);
    }

    /// What the notes ask of it at the smaller noise: between these two.
    fn ask(&mut self, name: &str, value: f64, asked: Option<[f64; 2]>) {
        self.row(name, value, asked);
    }

    fn row(&mut self, name: &str, value: f64, asked: Option<[f64; 2]>) {
        match self.0.iter_mut().find(|row| row.name == name) {
            Some(row) => row.values.push(value),
            None => self.0.push(Row {
                name: name.to_owned(),
                asked,
                values: vec![value],
            }),
        }
    }

    fn print(&self) {
        println!("| figure | median | rms | largest | asked | met |\n|---|---|---|---|---|---|");
        for Row {
            name,
            asked,
            values,
        } in &self.0
        {
            let mut sizes: Vec<f64> = values.iter().map(|v| v.abs()).collect();
            sizes.sort_by(f64::total_cmp);
            let rms = (values.iter().map(|v| v * v).sum::<f64>() / values.len() as f64).sqrt();
            let (median, largest) = (sizes[sizes.len() / 2], sizes[sizes.len() - 1]);
            let (asked, met) = match asked {
                Some([low, high]) => {
                    let met = values.iter().filter(|v| (low..=high).contains(v)).count();
                    (
                        format!("{low:.2} to {high:.2}"),
                        format!("{met} of {}", values.len()),
                    )
                }
                None => (String::new(), String::new()),
            };
            println!("| {name} | {median:.4} | {rms:.4} | {largest:.4} | {asked} | {met} |");
        }
    }
}

fn study(
    damper: &Damper,
    torque_noise: f64,
    velocity_noise: f64,
    asked: bool,
) -> Result<(), StagesError> {
    let bound = |low: f64, high: f64| asked.then_some([low, high]);
    let truth = Motion::of(
        &FastRecord {
            time: damper.times(),
            torque: damper.load(),
            ..exact(damper)
        },
        &damper.slow,
        damper.inertia,
    )?;
    let release = damper.release();
    let mut out = Gathered::default();
    let mut order = [0_usize; 2];
    for seed in SEEDS {
        let (angle, torque) = damper.slow_record(6000, torque_noise, seed);
        let slow = characterise(&angle, &torque, &SlowOptions::default())?;
        add_slow(&mut out, &slow.device, &damper.slow, asked);
        let motion = measured(damper, &release, &slow.device, velocity_noise, seed + 500)?;
        let options = FastOptions {
            time_scale: Some(damper.time_scale),
            ..FastOptions::default()
        };
        let found = analyse(&motion, &slow.device, &options)?;
        order[0] += usize::from(found.ranking.first() == Some(&"D3.2"));
        order[1] += usize::from(found.ranking.get(1) == Some(&"D2.2"));
        add_formulations(&mut out, &found, damper, asked);
        let refined = &found.refined;
        out.ask("refined chi2", refined.chi2_dof, bound(0.93, 1.10));
        out.add("refined viscous", refined.viscous[0]);
        for (k, errors) in found.refined_metrics.errors.iter().enumerate() {
            if let Some(errors) = errors {
                out.ask(
                    &format!("refined R{}(theta)", k + 1),
                    errors[0],
                    bound(0.0, 0.01),
                );
                out.ask(
                    &format!("refined R{}(omega)", k + 1),
                    errors[1],
                    bound(0.0, 0.01),
                );
            }
        }
        // Lengths of regimes against the true motion: that of the measurement wanders with the integrated noise.
        if let Some(d0) = found.formulation("D0") {
            let metrics =
                Yardstick::new(&truth, &slow.device, &d0.predicted).measure(&found.refined_motion);
            for (k, name) in [(0, "refined R4"), (1, "refined R5")] {
                if let Some(period) = metrics.periods[k] {
                    out.ask(name, period / damper.time_scale, bound(0.0, 0.01));
                }
            }
        }
        let squares = release.angle.iter().zip(&found.refined_motion.angle);
        let square: f64 =
            squares.map(|(a, b)| (a - b).powi(2)).sum::<f64>() / release.angle.len() as f64;
        out.add(
            "refined rms angle against the truth, mrad",
            1e3 * square.sqrt(),
        );
        add_friction(&mut out, &found, damper, asked);
    }
    out.print();
    println!(
        "\nD3.2 first in {} of {}, D2.2 second in {}",
        order[0],
        SEEDS.count(),
        order[1]
    );
    Ok(())
}

/// Errors of the formulations.
fn add_formulations(out: &mut Gathered, found: &Dynamics, damper: &Damper, asked: bool) {
    let bound = |low: f64, high: f64| asked.then_some([low, high]);
    for judged in &found.judged {
        let name = judged.formulation.name;
        out.add(
            &format!("{name} rms angle, mrad"),
            1e3 * judged.metrics.rms_angle,
        );
        for (k, errors) in judged.metrics.errors.iter().enumerate() {
            let room = match name {
                "D3.2" => bound(0.0, 0.05),
                _ => {
                    let middle = [0.12, 0.10, 0.05][k];
                    bound(middle - 0.02, middle + 0.02)
                }
            };
            if let (Some(errors), "D2.2" | "D3.2") = (errors, name) {
                out.ask(&format!("{name} R{}(theta)", k + 1), errors[0], room);
            }
        }
        if let ("D1.1", Some(period)) = (name, judged.metrics.periods[1]) {
            out.ask("D1.1 R5", period / damper.time_scale, bound(4.8, 6.8));
        }
    }
}

/// Friction at the nodes by three ways.
fn add_friction(out: &mut Gathered, found: &Dynamics, damper: &Damper, asked: bool) {
    let bound = |low: f64, high: f64| asked.then_some([low, high]);
    let refined = &found.refined;
    for stage in found.energy.stages.iter().filter(|s| s.coverage > 0.0) {
        let node = stage.stage.outer;
        let truth = damper.fast_friction[node];
        let name = damper.slow.name(node);
        let percent = |h: f64| 100.0 * (h / truth - 1.0);
        if stage.accepted[0] {
            out.add(&format!("h {name} recursion, %"), percent(stage.friction));
        }
        out.add(
            &format!("h {name} cumulative, %"),
            percent(found.cumulative[0].friction[node]),
        );
        let room = match name.as_str() {
            "I+" | "II+" | "III+" => bound(-1.5, 1.5),
            "I-" | "II-" => bound(-8.0, 8.0),
            _ => None,
        };
        let off = percent(refined.device.friction[node]);
        out.ask(&format!("h {name} refined, %"), off, room);
        if let Some(error) = refined.friction_error[node] {
            out.add(
                &format!("h {name} refined, standard errors"),
                (refined.device.friction[node] - truth) / error,
            );
        }
    }
}

/// The motion as it is, every channel.
fn exact(damper: &Damper) -> FastRecord {
    let release = damper.release();
    FastRecord {
        angle: Some(release.angle),
        velocity: Some(release.velocity),
        acceleration: Some(release.acceleration),
        ..FastRecord::default()
    }
}

/// Differences of the slow test.
fn add_slow(out: &mut Gathered, found: &Device, truth: &Device, asked: bool) {
    let within = |room: f64| asked.then_some([-room, room]);
    if found.len() != truth.len() || found.minus != truth.minus {
        out.add("slow: other stages", 1.0);
        return;
    }
    for i in 0..truth.len() {
        let edge = i == truth.minus || i == truth.plus;
        let (name, room) = if edge {
            ("slow: edges of the clearance, mrad", within(4.0))
        } else {
            ("slow: nodes, mrad", within(0.2))
        };
        let end = i == 0 || i + 1 == truth.len();
        if !end {
            out.ask(name, 1e3 * (found.angles[i] - truth.angles[i]), room);
        }
        let off = found.friction[i] - truth.friction[i];
        out.ask("slow: friction, N m", off, within(0.03));
    }
    for stage in truth.stages() {
        let soft = stage.inner == truth.minus || stage.inner == truth.plus;
        let (name, room) = if soft {
            ("slow: stiffness of soft stages, %", None)
        } else {
            ("slow: stiffness, %", within(0.15))
        };
        let off = 100.0 * (found.stiffness(stage) / truth.stiffness(stage) - 1.0);
        out.ask(name, off, room);
    }
}
