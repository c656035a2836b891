//! Loops of Dahl and Bouc-Wen: recovery without noise, spread under noise, which law a loop is taken for:
//! `cargo xtask study loops`.
//!
//! Arguments: how many runs in each cell, the first seed, and one part if not all: `clean`, `noise`, `laws`,
//! `displacement`.

#[path = "../tests/paper_loops/mod.rs"]
mod paper_loops;

use paper_loops::Law;
use paper_loops::discrimination::{loops, verdicts};
use paper_loops::fresh;
use paper_loops::monte_carlo::{CELLS, cell};
use paper_loops::series::middles;

/// Not those of the tests.
const SEED: u64 = 910_000;
/// Force noise over the largest force.
const LEVELS: [f64; 3] = [1e-3, 1e-2, 3e-2];

/// A part of the study: its name, and what takes the number of runs and the first seed.
type Part = (&'static str, fn(u64, u64));

fn main() {
    let number = |n: usize| std::env::args().nth(n).and_then(|text| text.parse().ok());
    let runs = number(1).unwrap_or(40).max(4);
    let seed = number(2).unwrap_or(SEED);
    println!(
        "Loops of the paper on joints, {runs} draws in each cell from seed {seed}, automatic starts\n"
    );
    let parts: [Part; 4] = [
        ("clean", without_noise),
        ("noise", spread),
        ("laws", discrimination),
        ("displacement", displacement),
    ];
    let wanted = std::env::args().nth(3);
    for (k, (name, part)) in parts.into_iter().enumerate() {
        if wanted.as_deref().is_none_or(|wanted| wanted == name) {
            part(runs, seed + 100_000 * k as u64);
        }
    }
}

/// Loops with drawn parameters: the largest error of all.
fn without_noise(runs: u64, seed: u64) {
    println!(
        "Without noise: largest relative error of the parameters of loops with drawn parameters"
    );
    for (law, dt) in [(Law::Dahl, 1e-3), (Law::Dahl, 2.5e-4), (Law::BoucWen, 1e-3)] {
        let errors = (0..runs).map(|run| {
            let (record, truth) = fresh::drawn(law, seed + run, dt);
            fresh::worst(law, &record, &truth)
        });
        let mut errors: Vec<f64> = errors.collect();
        errors.sort_by(f64::total_cmp);
        let (middle, most) = (errors[errors.len() / 2], errors[errors.len() - 1]);
        println!(
            "{:22} every {dt} s: half below {middle:.1e}, all below {most:.1e}",
            law.kind()
        );
    }
    println!();
}

/// Spread of the values against the Cramer-Rao bound.
fn spread(runs: u64, seed: u64) {
    println!("noise: of the largest force; spread, bound and bias: relative to the value\n");
    println!(
        "{:22} {:>7}  {:16} {:>9} {:>9} {:>7} {:>9}  same minimum",
        "loop", "noise", "parameter", "spread", "bound", "ratio", "bias"
    );
    let (mut judged, mut within) = (0, 0);
    for (k, (name, law, record, truth)) in CELLS.iter().enumerate() {
        let clean = record();
        for (j, noise) in LEVELS.into_iter().enumerate() {
            let seed = seed + 1_000 * (3 * k + j) as u64;
            for p in cell(*law, &clean, truth, noise, runs, seed) {
                let ratio = p.deviation / p.bound;
                if p.bound < 0.1 {
                    judged += 1;
                    within += usize::from((0.5..=1.5).contains(&ratio));
                }
                println!(
                    "{name:22} {noise:>7}  {:16} {:>9.2e} {:>9.2e} {ratio:>7.2} {:>9.1e}  {}/{runs}",
                    p.name, p.deviation, p.bound, p.bias, p.same
                );
            }
        }
    }
    println!("\nbound below 10 %: ratio between 0.5 and 1.5 in {within} of {judged}\n");
}

/// Which law is preferred.
fn discrimination(runs: u64, seed: u64) {
    let runs = runs / 4;
    println!(
        "{:22} {:>7} {:>6} {:>6} {:>6} {:>9}",
        "loop", "noise", "right", "tie", "wrong", "rejected"
    );
    for (k, (name, law, clean)) in loops().into_iter().enumerate() {
        for (j, noise) in LEVELS.into_iter().enumerate() {
            let seed = seed + 1_000 * (3 * k + j) as u64;
            let v = verdicts(law, &clean, noise, runs, seed);
            println!(
                "{name:22} {noise:>7} {:>6} {:>6} {:>6} {:>9}",
                v.right, v.tie, v.wrong, v.rejected
            );
        }
    }
}

/// Bias where the displacement is noisy too, as measured and as a Fourier series.
fn displacement(runs: u64, seed: u64) {
    let runs = runs / 2;
    println!(
        "\n0.2 % noise on the displacement too; bias over the standard error of one fit with the series"
    );
    println!(
        "{:22} {:>7} {:>10} {:>12} {:>8}",
        "loop", "noise", "parameter", "as measured", "series"
    );
    for k in [0, 1, 2, 4, 5, 6] {
        let (name, law, record, truth) = &CELLS[k];
        let clean = record();
        for (j, noise) in LEVELS.into_iter().enumerate() {
            let seed = seed + 10_000 * (3 * k + j) as u64;
            let found = middles(*law, &clean, truth, noise, runs, seed);
            for (i, m) in found.iter().enumerate() {
                println!(
                    "{name:22} {noise:>7} {:>10} {:>12.2} {:>8.2}",
                    i + 1,
                    m.raw / m.spread,
                    m.series / m.spread
                );
            }
        }
    }
}
