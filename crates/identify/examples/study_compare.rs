//! `cargo xtask study compare`: structures drawn at random, found again without a hint.

#[path = "../tests/drawn/mod.rs"]
mod drawn;

use drawn::{NETWORKS, judged};
use rayon::prelude::*;

/// Data sets: four of every network.
const SETS: usize = 60;
/// Data sets that are printed together.
const AT_A_TIME: usize = 5;

fn main() {
    let (mut sound, mut large) = (0, 0);
    for first in (0..SETS).step_by(AT_A_TIME) {
        let some = first..(first + AT_A_TIME).min(SETS);
        let outcomes: Vec<_> = some.into_par_iter().map(|i| judged(i, 60, 1)).collect();
        for (i, own) in outcomes.iter().enumerate() {
            let beside = own.added.words().join(", ");
            println!(
                "{:2} {} {} -> {} [{beside}]: {:.3} of the error of the truth, {} tried",
                first + i,
                if own.sound() { "  " } else { "!!" },
                own.truth,
                own.chosen,
                own.ratio,
                own.tried
            );
            sound += usize::from(own.sound());
            large += usize::from(own.more >= 2);
        }
    }
    println!(
        "{sound} of {SETS} data sets from {} networks: the truth, or within 1.2 of its error; {large} with two or more elements too many",
        NETWORKS.len()
    );
}
