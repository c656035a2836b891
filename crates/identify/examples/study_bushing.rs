//! Studies of the bushing that take too long for the tests: `cargo xtask study`.
//!
//! Arguments: `starts`, `noise` or `joint`, how many runs, and for `noise` the first seed.

#[path = "../tests/bushing/mod.rs"]
mod bushing;

use bushing::{A, B, NAMES, Wave, disturb, peak, random_start, rt, si, target};
use masing_identify::search::optimise::LeastSquares as _;
use masing_identify::{
    FitOptions, Identified, Objective, Rules, Test, Weights, fit, free_parameters,
};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| args.get(i).and_then(|n| n.parse().ok());
    let runs = number(1);
    match args.first().map(String::as_str) {
        Some("starts") => starts(runs.unwrap_or(40)),
        Some("noise") => noise(runs.unwrap_or(60), number(2).unwrap_or(1000)),
        Some("joint") => joint(runs.unwrap_or(5)),
        _ => eprintln!("expected starts, noise or joint, and how many runs"),
    }
}

fn options() -> FitOptions {
    FitOptions {
        workers: 2,
        ..FitOptions::default()
    }
}

fn fitted(tests: Vec<Test>, options: &FitOptions) -> Identified {
    fit(&rt(), tests, vec![], options, None).expect("a fit")
}

/// Noise-free records from random starts, each parameter times or divided by up to five.
fn starts(runs: u64) {
    println!("Noise-free sine, random starts, every parameter times or divided by up to 5\n");
    let mut reached = 0;
    for run in 0..runs {
        let set = if run % 2 == 0 { B } else { A };
        let test = target(set, Wave::Sine, 1e-3, 1.0, 16.0);
        let names = NAMES.iter().map(|n| (*n).to_owned());
        let options = FitOptions {
            starts: names.zip(random_start(set, run)).collect(),
            ..options()
        };
        let found = fitted(vec![test], &options);
        let pairs = found.model.values().iter().zip(si(set));
        let worst = pairs.fold(0.0, |m, (v, t)| f64::max(m, (v / t - 1.0).abs()));
        reached += u64::from(worst < 1e-3);
        println!(
            "{run:3}: worst parameter off by {worst:.1e}, {} evaluations",
            found.search.evaluations
        );
    }
    println!("\n{reached} of {runs} within 0.1 %");
}

/// 1 % noise: spread against the Cramer-Rao bound, and how often the intervals hold the truth.
fn noise(runs: u64, first_seed: u64) {
    println!(
        "Sine 1 mm, 1 Hz, 2001 samples, noise 1 % of the largest force, {runs} seeds from {first_seed} on\n"
    );
    let clean = target(B, Wave::Sine, 1e-3, 1.0, 16.0);
    let deviation = 0.01 * peak(&clean);
    let bound = cramer_rao(clean.clone(), deviation);
    let truth = si(B);
    let (mut sum, mut square) = ([0.0; 5], [0.0; 5]);
    let mut covered = [0_u64; 5];
    let mut missed = 0_u64;
    for seed in 0..runs {
        let mut test = clean.clone();
        disturb(&mut test, deviation, first_seed + seed);
        let found = fitted(vec![test.clone()], &options());
        let names = NAMES.iter().map(|n| (*n).to_owned());
        let from_truth = FitOptions {
            starts: names.zip(si(B)).collect(),
            ..options()
        };
        let deepest = fitted(vec![test], &from_truth);
        missed += u64::from(found.error.relative > deepest.error.relative * (1.0 + 1e-6));
        for (i, p) in found.estimates.iter().enumerate() {
            let off = (p.value / truth[i]).ln();
            sum[i] += off;
            square[i] += off * off;
            let [low, high] = p.interval.expect("a free parameter");
            covered[i] += u64::from(low <= truth[i] && truth[i] <= high);
        }
    }
    let n = runs as f64;
    println!("parameter  mean off  sd       bound    sd/bound  covered");
    for i in 0..5 {
        let mean = sum[i] / n;
        let sd = ((square[i] - n * mean * mean) / (n - 1.0)).sqrt();
        println!(
            "{:9}  {:+7.2} %  {:5.2} %  {:5.2} %  {:8.2}  {:3} of {runs}",
            NAMES[i],
            100.0 * mean,
            100.0 * sd,
            100.0 * bound[i],
            sd / bound[i],
            covered[i]
        );
    }
    println!("\ndeeper minima near the truth that were missed: {missed}");
    let pooled = covered.iter().sum::<u64>() as f64 / (5.0 * n);
    println!(
        "pooled: the 95 % intervals hold the truth in {:.1} %",
        100.0 * pooled
    );
}

/// Relative standard deviations that no unbiased estimate can beat.
fn cramer_rao(mut test: Test, deviation: f64) -> Vec<f64> {
    if let Some(rig) = test.motion_record_mut() {
        rig.noise = Some(deviation);
    }
    let model = rt();
    test.choose_numerics(&model, &si(B)).expect("steps");
    let unknowns = free_parameters(&model, &[], &[]).expect("known addresses");
    let targets = [test];
    let rules = Rules {
        weights: Weights::Noise,
        ..Rules::default()
    };
    let objective = Objective::new(&model, &targets, &unknowns, rules);
    let at = objective
        .linearise(&objective.internal(&si(B)))
        .expect("a run");
    let normal = at.j.tr_mul(&at.j);
    let covariance = normal.try_inverse().expect("all parameters are determined");
    (0..5).map(|i| covariance[(i, i)].sqrt()).collect()
}

/// Nine sines and a step in one fit.
fn joint(runs: u64) {
    println!(
        "Three amplitudes x three frequencies and a step in one fit, 1 % noise, {runs} seeds\n"
    );
    let mut clean = Vec::new();
    for amplitude in [1e-4, 3e-4, 1e-3] {
        for frequency in [0.1, 1.0, 10.0] {
            clean.push(target(B, Wave::Sine, amplitude, frequency, 16.0));
        }
    }
    clean.push(target(B, Wave::Step, 1e-3, 1.0, 16.0));
    for seed in 0..runs {
        let mut tests = clean.clone();
        for (k, test) in tests.iter_mut().enumerate() {
            let deviation = 0.01 * peak(test);
            disturb(test, deviation, 5000 + 100 * seed + k as u64);
        }
        let options = FitOptions {
            leave_one_out: true,
            ..options()
        };
        let started = std::time::Instant::now();
        let found = fitted(tests, &options);
        print!("seed {seed}, {:.1} s:", started.elapsed().as_secs_f64());
        for (p, truth) in found.estimates.iter().zip(si(B)) {
            let error = p.std_error.expect("a free parameter");
            let off = 100.0 * (p.value / truth - 1.0);
            let error = 100.0 * error / truth;
            print!("  {} {off:+.2} (+-{error:.2}) %", p.address);
        }
        println!();
    }
}
