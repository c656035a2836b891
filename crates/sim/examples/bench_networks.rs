//! Networks with dashpots: what steps of a pattern cost and how accurate they are, as a Markdown table:
//! part of `cargo xtask bench`.
//!
//! The motion is that of a damper test: a sine in millimetres, sampled every 5 ms and rounded to 3 um, so
//! that the speed jumps at every sample. A file with time (s) and displacement (mm) may be given instead.

use masing_model::{Assembly, Shape};
use masing_sim::{Column, Motion, Numerics, Prescribed, choose_steps};
use std::time::Instant;

const CASES: [(&str, &[f64]); 3] = [
    (
        "series(a: eyring-dashpot, gap + b: eyring-dashpot) + spring",
        &[231.0, 0.261e-3, 9550e3, 0.171e-3, 294.0, 5.2e-3, 970.0],
    ),
    (
        "series(eyring-dashpot, spring) + spring",
        &[231.0, 0.261e-3, 2e6, 970.0],
    ),
    (
        "series(eyring-dashpot, series(spring, dashpot) + gap)",
        &[231.0, 0.261e-3, 2e6, 5e4, 9550e3, 0.171e-3],
    ),
];

/// Steps an interval of the reference.
const REFERENCE: f64 = 512.0;

fn main() {
    let motion = match std::env::args().nth(1) {
        Some(file) => read(&file),
        None => rounded_sine(),
    };
    let dt = motion.time()[1] - motion.time()[0];
    let even = |parts: f64| Numerics {
        increment: f64::INFINITY,
        max_dt: 1.001 * dt / parts,
    };
    println!(
        "| network, {} samples | accuracy | steps | error, rms | choice ms | run ms | tangent ms (columns) |",
        motion.len()
    );
    println!("|---|---|---|---|---|---|---|");
    for (text, p) in CASES {
        let assembly = Assembly::from_names(text, |_| Shape::default()).expect("a network");
        let run = Prescribed::new(&assembly, &motion, even(REFERENCE));
        let known = run.run(p).expect("a run");
        let columns: Vec<Column<'_>> = (0..p.len()).map(Column::Param).collect();
        for accuracy in [1e-2, 1e-3, 1e-4, 1e-5] {
            let mut motion = motion.clone();
            let mut choose = || {
                motion.cut(None);
                choose_steps(&assembly, p, &mut motion, accuracy, usize::MAX).expect("steps")
            };
            let chosen = shortest(3, &mut choose);
            let numerics = choose();
            let run = Prescribed::new(&assembly, &motion, numerics);
            let force = run.run(p).expect("a run");
            println!(
                "| `{text}` | {accuracy:.0e} | {} | {:.1e} | {:.1} | {:.2} | {:.2} ({}) |",
                motion.steps(&numerics),
                error(&force, &known),
                1e3 * chosen,
                1e3 * shortest(5, || run.run(p).expect("a run")),
                1e3 * shortest(5, || run.tangent(p, &columns).expect("a tangent")),
                p.len(),
            );
        }
    }
}

/// Ten seconds of 2 mm at 5 Hz.
fn rounded_sine() -> Motion {
    let time: Vec<f64> = (0..2000).map(|i| f64::from(i) * 5e-3).collect();
    let sine = |t: &f64| 2e-3 * (10.0 * std::f64::consts::PI * t).sin();
    let x = time.iter().map(|t| (sine(t) / 3e-6).round() * 3e-6);
    let x = x.collect();
    Motion::new(time, x, None).expect("a sound motion")
}

fn read(file: &str) -> Motion {
    let text = std::fs::read_to_string(file).expect("a file");
    let rows = text.lines().skip(1).map(|line| {
        let mut cells = line.split(',').map(|cell| cell.trim().parse::<f64>());
        let mut next = || cells.next().expect("two columns").expect("a number");
        (next(), 1e-3 * next())
    });
    let (time, x) = rows.unzip();
    Motion::new(time, x, None).expect("a sound motion")
}

/// Rms of the differences over that of the forces.
fn error(force: &[f64], known: &[f64]) -> f64 {
    let square = |values: &mut dyn Iterator<Item = f64>| values.map(|v| v * v).sum::<f64>();
    let differences = square(&mut force.iter().zip(known).map(|(a, b)| a - b));
    (differences / square(&mut known.iter().copied())).sqrt()
}

/// Shortest time of several runs, in seconds.
fn shortest<T>(runs: usize, mut run: impl FnMut() -> T) -> f64 {
    let one = |_| {
        let start = Instant::now();
        std::hint::black_box(run());
        start.elapsed().as_secs_f64()
    };
    (0..runs).map(one).fold(f64::INFINITY, f64::min)
}
