//! Loops of Dahl and Bouc-Wen under noise, many runs: `cargo xtask study loops`.
//!
//! Argument: how many runs in each cell.

#[path = "../tests/paper_loops/mod.rs"]
mod paper_loops;

use paper_loops::monte_carlo::{CELLS, cell};

/// Not those of the tests.
const SEED: u64 = 40_000;

fn main() {
    let runs = std::env::args().nth(1).and_then(|n| n.parse().ok());
    let runs = runs.unwrap_or(40);
    println!(
        "Loops of the paper on joints, {runs} draws of noise in each cell, automatic starts\n"
    );
    println!("noise: of the largest force; spread, bound and bias: relative to the value\n");
    println!(
        "{:22} {:>7}  {:16} {:>9} {:>9} {:>7} {:>9}  same minimum",
        "loop", "noise", "parameter", "spread", "bound", "ratio", "bias"
    );
    for (k, (name, law, record, truth)) in CELLS.iter().enumerate() {
        let clean = record();
        for (j, noise) in [1e-3, 1e-2, 3e-2].into_iter().enumerate() {
            let seed = SEED + 1_000 * (3 * k + j) as u64;
            for p in cell(*law, &clean, truth, noise, runs, seed) {
                println!(
                    "{name:22} {noise:>7}  {:16} {:>9.2e} {:>9.2e} {:>7.2} {:>9.1e}  {}/{runs}",
                    p.name,
                    p.deviation,
                    p.bound,
                    p.deviation / p.bound,
                    p.bias,
                    p.same
                );
            }
        }
    }
}
