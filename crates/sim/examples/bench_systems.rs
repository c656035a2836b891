//! Cost of the micro-steps of systems with mass, as a Markdown table: `cargo xtask bench`.

use masing_model::{Assembly, Masses, Shape};
use masing_sim::Numerics;
use masing_sim::system::{Column, Driven, Load, Outputs};
use std::time::Instant;

/// The shortest of several runs, in microseconds per micro-step.
fn time(steps: usize, mut f: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..7 {
        let start = Instant::now();
        f();
        best = best.min(start.elapsed().as_secs_f64());
    }
    best * 1e6 / steps as f64
}

fn measure(
    name: &str,
    assembly: &Assembly,
    masses: &Masses,
    load: &Load,
    p: &[f64],
    columns: &[usize],
) {
    let driven = Driven::new(assembly, masses, load, Numerics::default()).expect("a system");
    let response = driven.run(p).expect("a run");
    let steps = response.micro_steps;
    let columns: Vec<Column> = columns.iter().map(|&c| Column::Param(c)).collect();
    let bar = Outputs {
        displacement: vec![1.0; response.displacement.len()],
        ..Outputs::default()
    };
    let run = time(steps, || {
        driven.run(p).expect("a run");
    });
    let tangent = time(steps, || {
        driven.tangent(p, &columns).expect("a tangent");
    });
    let gradient = time(steps, || {
        let record = driven.record(p).expect("a record");
        record.pull_back(&bar).expect("an adjoint");
    });
    println!("| {name} | {steps} | {run:.2} | {tangent:.2} | {gradient:.2} |");
}

fn load(samples: usize, dt: f64, size: f64) -> Load {
    let time: Vec<f64> = (0..samples).map(|i| i as f64 * dt).collect();
    let tones = [(31.0, 0.0), (97.0, 1.0), (230.0, 2.0), (333.0, 0.5)];
    let values = time
        .iter()
        .map(|t| size * tones.iter().map(|(w, f)| (w * t + f).sin()).sum::<f64>())
        .collect();
    Load::new(time)
        .and_then(|l| l.on(1, values))
        .expect("a load")
}

fn main() {
    println!("| system | micro-steps | run, us each | tangent, 8 columns | gradient |");
    println!("|---|---|---|---|---|");
    let one = Masses::oscillator();
    let make = |sum: &str| Assembly::from_names(sum, |_| Shape::default()).expect("elements");
    let bw = make("bouc-wen");
    let p = [5e4, 800.0, -1100.0, 1.0, 2.0, 10.0, 5e4, 0.0, 0.0];
    let fast = load(40_001, 1.0 / 15_000.0, 25.0);
    measure("bouc-wen", &bw, &one, &fast, &p, &[0, 1, 2, 3, 4, 5, 6, 7]);
    let p = [5e4, 800.0, -1100.0, 1.5, 2.0, 10.0, 5e4, 0.0, 0.0];
    measure(
        "bouc-wen, n = 1.5",
        &bw,
        &one,
        &fast,
        &p,
        &[0, 1, 2, 3, 4, 5, 6, 7],
    );
    let metal = make("metal-rubber");
    let mut p = metal.defaults();
    p.extend([2.0, 10.0, 5e4, 0.0, 0.0]);
    measure(
        "metal-rubber",
        &metal,
        &one,
        &fast,
        &p,
        &[0, 1, 2, 4, 5, 7, 8, 9],
    );
    let staged = make("staged");
    let mut p = staged.defaults();
    p.extend([0.25, 0.0, 0.0, 0.2, 0.0]);
    measure(
        "staged",
        &staged,
        &one,
        &load(20_001, 5e-5, 20.0),
        &p,
        &[0, 1, 2, 3, 6, 7, 12, 13],
    );
    let dahl = make("dahl");
    let ten = Masses::structure(10);
    let mut p = dahl.defaults();
    p.extend((0..100).map(|i| f64::from(u8::from(i % 11 == 0)) * 2.0));
    let spring = |i: usize| match (i / 10).abs_diff(i % 10) {
        0 => 4e4,
        1 => -2e4,
        _ => 0.0,
    };
    p.extend((0..100).map(|i| 1e-4 * spring(i)));
    p.extend((0..100).map(spring));
    p.extend([0.0; 20]);
    measure(
        "ten masses, dahl",
        &dahl,
        &ten,
        &load(20_001, 1e-4, 10.0),
        &p,
        &[0, 1, 2, 3, 14, 25, 103, 203],
    );
    let rt = make("rt");
    let mut p = rt.defaults();
    p.extend([100.0, 10.0, 0.0, 0.0, 0.0]);
    measure(
        "rt",
        &rt,
        &one,
        &load(2001, 1e-3, 100.0),
        &p,
        &[0, 1, 2, 3, 4, 5, 6, 8],
    );
}
