//! Terms of metal rubber under noise, many draws: `cargo xtask study terms`.
//!
//! Argument: how many draws in each row.

#[allow(dead_code)]
#[path = "../tests/metal_rubber/mod.rs"]
mod metal_rubber;

use masing_terms::{Options, Sign, Slider, Slope, Test};
use metal_rubber::{
    Part, Trial, case_m, case_p, find, five, nine, noisy, printed, ramped, sine, transient, trial,
};

/// Not those of the tests.
const SEED: u64 = 7_000;

const NAMES: [&str; 8] = ["k1", "k3", "k5", "c1", "c5", "ks", "zs", "ys"];

fn main() {
    let runs = std::env::args().nth(1).and_then(|n| n.parse().ok());
    let runs: u64 = runs.unwrap_or(10);
    println!(
        "Terms of metal rubber, {runs} draws a row; errors in per cent that nine draws in ten do not exceed\n"
    );
    println!(
        "{:24} {:>6} {}  residual/noise",
        "case, force noise",
        "exact",
        NAMES.map(|n| format!("{n:>7}")).join("")
    );
    let (m, record_m) = case_m();
    let (p, record_p) = case_p();
    let x = printed(-6.1e6);
    let record_x = x.record("X", &transient(1.5e-3, 0.25), 0.5, 5000.0);
    let plain = Options::default();
    for (name, part, record) in [
        ("M", &m, &record_m),
        ("P", &p, &record_p),
        ("X", &x, &record_x),
    ] {
        for percent in [0.0, 0.5, 1.0, 2.0] {
            let draws = if percent == 0.0 { 1 } else { runs };
            let metres = if percent == 0.0 { 0.0 } else { 0.3e-6 };
            let found = trial(
                part,
                std::slice::from_ref(record),
                (0.01 * percent, metres),
                SEED..SEED + draws,
                &plain,
            );
            row(&format!("{name} {percent} %"), &found);
            paper(&found);
        }
    }
    joint(runs);
    steady(runs);
    signs(runs, &m, &record_m);
    mismatch();
}

fn row(name: &str, found: &Trial) {
    let cells = NAMES.map(|n| format!("{:>7.3}", found.p90(n)));
    let (low, high) = found
        .residual
        .iter()
        .fold((f64::INFINITY, 0.0_f64), |(a, b), r| (a.min(*r), b.max(*r)));
    println!(
        "{name:24} {:>3}/{:<2} {}  {low:.3} to {high:.3}",
        found.exact,
        found.runs,
        cells.join("")
    );
}

fn paper(found: &Trial) {
    println!(
        "{:24} {:>3}/{:<2} superset {}/{}, lengths {:?}; (37) ks {:.2} zs {:.2} ys {:.2}; all a ks {:.2} ys {:.2}",
        "  ranked, APRESS(16)",
        found.ranked_exact,
        found.runs,
        found.ranked_superset,
        found.runs,
        found.lengths,
        found.p90("ks (37)"),
        found.p90("zs (37)"),
        found.p90("ys (37)"),
        found.p90("ks (all a)"),
        found.p90("ys (all a)"),
    );
}

fn joint(runs: u64) {
    let (part, tests) = nine();
    for percent in [1.0, 2.0] {
        let seeds = SEED..SEED + runs;
        let found = trial(
            &part,
            &tests,
            (0.01 * percent, 0.3e-6),
            seeds,
            &Options::default(),
        );
        let rms = NAMES.map(|n| format!("{:>7.3}", found.rms(n)));
        println!(
            "{:24} {:>3}/{:<2} {}  (rms errors)",
            format!("nine tests {percent} %"),
            found.exact,
            found.runs,
            rms.join("")
        );
    }
}

fn steady(runs: u64) {
    let part = printed(-6.1e4);
    let clean = part.record("steady", &ramped(1.5e-3, 20.0), 0.55, 5000.0);
    // The ramp and one cycle are left out: ten settled cycles.
    let settled = Test {
        window: 500..clean.force.len(),
        ..clean
    };
    let seeds = SEED..SEED + runs;
    let found = trial(
        &part,
        &[settled],
        (0.01, 0.3e-6),
        seeds,
        &Options::default(),
    );
    row("steady 1.5 mm 1 %", &found);
    paper(&found);
}

/// The paper's signs and velocities.
fn signs(runs: u64, part: &Part, clean: &Test) {
    println!("\nM, 1 %: exact terms of the ranked model; p90 of ks (37), ys (37), k1");
    for (metres, slope, words) in [
        (0.0, Slope::SavitzkyGolay, "0 um, smoothed"),
        (0.3e-6, Slope::Forward, "0.3 um, forward difference"),
        (0.3e-6, Slope::SavitzkyGolay, "0.3 um, smoothed"),
        (1.5e-6, Slope::Forward, "1.5 um, forward difference"),
        (1.5e-6, Slope::SavitzkyGolay, "1.5 um, smoothed"),
    ] {
        for (sign, name) in [(Sign::Velocity, "sgn(v)"), (Sign::Turns, "turns")] {
            let options = Options {
                sign,
                slope,
                ..Options::default()
            };
            let tests = std::slice::from_ref(clean);
            let found = trial(part, tests, (0.01, metres), SEED..SEED + runs, &options);
            println!(
                "{words:28} {name:8} {:>3}/{:<2} {:.1} {:.1} {:.1}",
                found.ranked_exact,
                found.runs,
                found.p90("ks (37)"),
                found.p90("ys (37)"),
                found.p90("k1 (37)")
            );
        }
    }
}

fn mismatch() {
    let part = five(-6.1e4);
    let clean = part.record("five", &transient(1.5e-3, 0.25), 0.5, 5000.0);
    let held: Vec<Test> = [(0.8e-3, 10.0), (1.5e-3, 20.0), (0.15e-3, 20.0)]
        .iter()
        .map(|&(a, f)| {
            part.record(
                &format!("{} mm {f} Hz", 1e3 * a),
                &sine(a, f),
                10.0 / f,
                5000.0,
            )
        })
        .collect();
    println!("\nfive sliders, 1 %: kind, sum ks, sum zs, then errors on tests held out");
    for seed in 0..5 {
        let test = noisy(&clean, 0.01, 0.3e-6, SEED + seed);
        match find(&[test], &held, &Options::default()) {
            Ok(found) => {
                let ks: f64 = part.sliders.iter().map(|s| s.ks).sum();
                let zs: f64 = part.sliders.iter().map(Slider::zs).sum();
                let errors: Vec<String> = (found.identified.held_out())
                    .map(|t| format!("{}: {:.2} %", t.name, 100.0 * t.error))
                    .collect();
                println!(
                    "{:?}, {} sliders, ks {:+.2} %, zs {:+.2} %; {}",
                    found.friction.kind,
                    found.friction.sliders.len(),
                    100.0 * (found.friction.ks.value / ks - 1.0),
                    100.0 * (found.friction.zs.value / zs - 1.0),
                    errors.join(", ")
                );
            }
            Err(error) => println!("{error}"),
        }
    }
}
