//! Speed of histories and their derivatives, as a Markdown table: `cargo xtask bench`.
//!
//! Each figure is the smallest of several runs; ratios are between figures of one invocation.

use masing_model::{Assembly, Shape};
use masing_sim::{Column, Motion, Numerics, Prescribed, TAPE_BUDGET};
use std::hint::black_box;
use std::time::Instant;

fn main() {
    chain();
    println!();
    loops();
    println!();
    cells();
    println!();
    samples();
}

fn build(sum: &str, cells: usize) -> Assembly {
    Assembly::from_names(sum, |_| {
        let mut shape = Shape::default();
        shape.numbers.insert("cells".to_owned(), cells as f64);
        shape
    })
    .expect("a registry element")
}

/// One second of a 1 Hz sine of 1 mm per thousand samples.
fn sine(samples: usize) -> Motion {
    let time: Vec<f64> = (0..samples).map(|i| i as f64 * 1e-3).collect();
    let x = time
        .iter()
        .map(|t| 1e-3 * (std::f64::consts::TAU * t).sin())
        .collect();
    Motion::new(time, x, None).expect("a sound motion")
}

/// Parameters of the published comparison (N, mm, s: 200, 1066.7, 2000, 30, 0.15), in SI.
fn parameters() -> Vec<f64> {
    vec![2e5, 1066.7e3, 2e6, 30.0 * 1e3_f64.powf(0.15), 0.15]
}

/// Smallest time of several runs, in seconds.
fn best(runs: usize, mut run: impl FnMut()) -> f64 {
    (0..runs)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}

struct Times {
    forward: f64,
    gradient: f64,
    jacobian: f64,
}

fn measure(model: &Assembly, p: &[f64], motion: &Motion, runs: usize) -> Times {
    let run = Prescribed::new(model, motion, Numerics::default());
    let bar = vec![1.0; motion.len()];
    let columns: Vec<Column<'_>> = (0..p.len()).map(Column::Param).collect();
    Times {
        forward: best(runs, || {
            black_box(run.run(p).expect("a run"));
        }),
        gradient: best(runs, || {
            let recorded = run.record(p, TAPE_BUDGET).expect("a run");
            black_box(recorded.pull_back(&bar).expect("an adjoint"));
        }),
        jacobian: best(runs, || {
            black_box(run.tangent(p, &columns).expect("a tangent"));
        }),
    }
}

fn chain() {
    println!("| `rt`, 15 cells, 1001 samples, one sub-step | ms | ratio to forward |");
    println!("|---|---|---|");
    let t = measure(&build("rt", 15), &parameters(), &sine(1001), 200);
    for (name, time) in [
        ("forward", t.forward),
        ("gradient (adjoint)", t.gradient),
        ("Jacobian, 5 columns (tangent)", t.jacobian),
    ] {
        println!("| {name} | {:.2} | {:.2} |", 1e3 * time, time / t.forward);
    }
}

fn loops() {
    println!("| element, 100001 samples | forward ns/sample | gradient | Jacobian |");
    println!("|---|---|---|---|");
    let motion = sine(100_001);
    let cases: [(&str, &str, Vec<f64>); 6] = [
        ("dahl", "`dahl`, alpha 1.7", vec![2e5, 60.0, 1.7]),
        (
            "bouc-wen",
            "`bouc-wen`, n = 1",
            vec![1e5, 500.0, 200.0, 1.0],
        ),
        ("bouc-wen", "`bouc-wen`, n = 1.6", vec![1e5, 20.0, 8.0, 1.6]),
        ("jenkins", "`jenkins`", vec![1e5, 20.0]),
        ("sts", "`sts`, 15 cells", vec![2e5, 8e5, 3e6, 15.0]),
        ("maxwell", "`maxwell`", vec![1e5, 0.1]),
    ];
    for (kind, name, p) in cases {
        let t = measure(&build(kind, 15), &p, &motion, 5);
        let per = 1e9 / motion.len() as f64;
        println!(
            "| {name} | {:.0} | {:.0} | {:.0} |",
            t.forward * per,
            t.gradient * per,
            t.jacobian * per
        );
    }
}

fn cells() {
    println!(
        "| `rt` cells, 1001 samples | forward ms | ns per cell and sample | gradient ratio | Jacobian ratio |"
    );
    println!("|---|---|---|---|---|");
    for n in [5, 15, 50, 150, 500] {
        let t = measure(&build("rt", n), &parameters(), &sine(1001), 20);
        println!(
            "| {n} | {:.2} | {:.0} | {:.2} | {:.2} |",
            1e3 * t.forward,
            1e9 * t.forward / (1001.0 * n as f64),
            t.gradient / t.forward,
            t.jacobian / t.forward
        );
    }
}

fn samples() {
    println!(
        "| samples, `rt` 15 cells | forward ms | ns per sample | gradient ratio | stretches |"
    );
    println!("|---|---|---|---|---|");
    for n in [1_000, 10_000, 100_000, 1_000_000] {
        let (model, p, motion) = (build("rt", 15), parameters(), sine(n));
        let run = Prescribed::new(&model, &motion, Numerics::default());
        let bar = vec![1.0; motion.len()];
        let runs = if n > 100_000 { 2 } else { 5 };
        let forward = best(runs, || {
            black_box(run.run(&p).expect("a run"));
        });
        let mut stretches = 0;
        let gradient = best(runs, || {
            let recorded = run.record(&p, TAPE_BUDGET).expect("a run");
            stretches = recorded.stretches();
            black_box(recorded.pull_back(&bar).expect("an adjoint"));
        });
        println!(
            "| {n} | {:.1} | {:.0} | {:.2} | {stretches} |",
            1e3 * forward,
            1e9 * forward / n as f64,
            gradient / forward
        );
    }
}
