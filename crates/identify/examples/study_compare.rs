//! `cargo xtask study compare`: structures drawn at random, found again without a hint.

#[path = "../tests/drawn/mod.rs"]
mod drawn;

use drawn::{NETWORKS, judged};
use rayon::prelude::*;

/// Data sets: four of every network.
const SETS: usize = 60;

fn main() {
    let outcomes: Vec<_> = (0..SETS)
        .into_par_iter()
        .map(|i| judged(i, 60, 1))
        .collect();
    for (i, own) in outcomes.iter().enumerate() {
        println!(
            "{i:2} {} {} -> {}{}: {:.3} of the error of the truth, {} tried",
            if own.sound() { "  " } else { "!!" },
            own.truth,
            own.chosen,
            if own.added.words().is_empty() {
                ""
            } else {
                " (with nuisance)"
            },
            own.ratio,
            own.tried
        );
    }
    let sound = outcomes.iter().filter(|o| o.sound()).count();
    let large = outcomes.iter().filter(|o| o.more >= 2).count();
    println!(
        "{sound} of {SETS} data sets from {} networks: the truth, or within 1.2 of its error; {large} with two or more elements too many",
        NETWORKS.len()
    );
}
