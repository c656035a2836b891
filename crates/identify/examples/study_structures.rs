//! Structures with a Dahl joint and all their matrices sought, from noisy responses of growing length:
//! `cargo xtask study structures`.

#[path = "../tests/structure/mod.rs"]
mod structure;

use masing_identify::test::Output;
use std::time::Instant;
use structure::{ALL, MATRICES, chain, drawn_up, found, shaken};

/// Not those of the tests.
const SEEDS: [u64; 3] = [710, 711, 712];

fn main() {
    println!("One Dahl joint, 1 % noise, every entry of the matrices given up to 20 % off\n");
    println!("masses  seconds  seed   joint    mass  stiffness  damping   largest error   time");
    println!("                          off %   off %      off %    off %   over its bar      s");
    for (dofs, between, measured) in [
        (2, [1, 2], &ALL[..]),
        (10, [4, 5], &[Output::Acceleration][..]),
    ] {
        let truth = chain(dofs, between);
        for seconds in [3, 12] {
            for seed in SEEDS {
                let test = shaken(&truth, measured, seconds, seed);
                let begun = Instant::now();
                let fit = found(&drawn_up(&truth, seed + 100), test, &MATRICES);
                // Joint, mass, stiffness, damping.
                let mut worst = [0.0_f64; 4];
                let mut over = 0.0_f64;
                for (p, t) in fit.estimates.iter().zip(truth.values()) {
                    let Some(error) = p.std_error else { continue };
                    let kind = match p.address.split('[').next() {
                        Some("structure.m") => 1,
                        Some("structure.k") => 2,
                        Some("structure.c") => 3,
                        _ => 0,
                    };
                    worst[kind] = worst[kind].max(100.0 * (p.value / t - 1.0).abs());
                    over = over.max((p.value - t).abs() / error);
                }
                let [joint, mass, stiffness, damping] = worst;
                println!(
                    "{dofs:6}  {seconds:7}  {seed:4}  {joint:6.3}  {mass:6.3}  {stiffness:9.3}  {damping:7.3}  {over:13.2}  {:6.1}",
                    begun.elapsed().as_secs_f64()
                );
            }
        }
    }
}
