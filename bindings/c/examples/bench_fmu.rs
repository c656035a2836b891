//! Speed of the `rt` FMU in Co-Simulation, as a Markdown table: `cargo xtask bench`.
//!
//! The entry points are called as a simulation calls them: set the displacement, step, get the force.

use masing_c::fmi::{fmi2ExitInitializationMode, fmi2FreeInstance};
use masing_c::fmi2::{
    fmi2DoStep, fmi2EnterInitializationMode, fmi2GetReal, fmi2Instantiate, fmi2SetReal,
    fmi2SetupExperiment,
};
use masing_export::fmu::token;
use std::ffi::CString;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

const MINUTE: usize = 60_000;
const SECOND: usize = 1000;
const STEP: f64 = 1e-3;
/// Value references of every FMU of masing.
const DISPLACEMENT: u32 = 1;
const FORCE: u32 = 3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("| `rt` FMU, 15 cells, 60 s at 1 kHz | sub-steps a step | seconds | us a sub-step |");
    println!("|---|---|---|---|");
    for (name, amplitude, frequency, sub_steps) in [
        ("sine of 0.5 mm, 1 Hz", 5e-4, 1.0, 1),
        ("sine of 1 mm, 5 Hz", 1e-3, 5.0, 1),
        ("sine of 0.5 mm, 1 Hz", 5e-4, 1.0, 4),
    ] {
        let x: Vec<f64> = (1..=MINUTE)
            .map(|i| amplitude * (std::f64::consts::TAU * frequency * STEP * i as f64).sin())
            .collect();
        let seconds = best(10, &x, STEP / f64::from(sub_steps))?;
        let each = 1e6 * seconds / (MINUTE as f64 * f64::from(sub_steps));
        println!("| {name} | {sub_steps} | {seconds:.3} | {each:.2} |");
    }
    Ok(())
}

/// The time of a minute, in seconds: the smallest of several runs for each second of it, so that what else the machine
/// does counts little.
fn best(runs: usize, x: &[f64], max_dt: f64) -> Result<f64, Box<dyn std::error::Error>> {
    let folder = std::env::temp_dir().join(format!("masing-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    // The values of `bushing.toml`, with sub-steps that depend on time only, so that their number is known.
    let model = format!(
        "schema = \"masing.model/1\"\n[[element]]\ntype = \"rt\"\ncells = 15\nk0 = 2.0e5\nkpa = 8.0e5\nkr = 3.0e6\n\
         c0 = 25.18\nalpha = 0.075\n[numerics]\nincrement = 1.0\nmax_dt = {max_dt:?}\n",
    );
    std::fs::write(folder.join("model.toml"), &model)?;
    let mut least = vec![f64::INFINITY; x.len().div_ceil(SECOND)];
    for _ in 0..runs {
        for (least, found) in least.iter_mut().zip(minute(&folder, &token(&model), x)?) {
            *least = least.min(found);
        }
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(least.iter().sum())
}

/// One minute from rest; what each of its seconds takes.
fn minute(folder: &Path, token: &str, x: &[f64]) -> Result<Vec<f64>, Box<dyn std::error::Error>> {
    let (name, token) = (CString::new("part")?, CString::new(token)?);
    let folder = CString::new(format!("file://{}", folder.display()))?;
    let part = fmi2Instantiate(
        name.as_ptr(),
        1,
        token.as_ptr(),
        folder.as_ptr(),
        std::ptr::null(),
        0,
        0,
    );
    let mut bad = fmi2SetupExperiment(part, 0, 0.0, 0.0, 0, 0.0);
    bad += fmi2EnterInitializationMode(part) + fmi2ExitInitializationMode(part);
    let mut force = 0.0;
    let mut seconds = Vec::new();
    let mut time = 0.0;
    for x in x.chunks(SECOND) {
        let begun = Instant::now();
        for x in x {
            bad += fmi2SetReal(part, &DISPLACEMENT, 1, x);
            bad += fmi2DoStep(part, time, STEP, 1);
            bad += fmi2GetReal(part, &FORCE, 1, &raw mut force);
            black_box(force);
            time += STEP;
        }
        seconds.push(begun.elapsed().as_secs_f64());
    }
    fmi2FreeInstance(part);
    if bad == 0 {
        Ok(seconds)
    } else {
        Err("the FMU refused a call".into())
    }
}
