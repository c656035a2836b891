//! scratch
use masing_identify::target::{Channel, DrivenTest, Output};
use masing_identify::{Content, FitOptions, Target, fit};
use masing_model::{Assembly, Masses, Model, Shape};
use masing_sim::Load;
use masing_sim::system::Decimation;
use std::time::Instant;

fn main() {
    let path = std::env::args().nth(1).unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    let rows: Vec<Vec<f64>> = text
        .lines()
        .skip(1)
        .map(|l| l.split(',').map(|v| v.parse().unwrap()).collect())
        .collect();
    let n: usize = std::env::args()
        .nth(2)
        .and_then(|v| v.parse().ok())
        .unwrap_or(rows.len());
    let u: Vec<f64> = rows[..n].iter().map(|r| r[0]).collect();
    let y: Vec<f64> = rows[..n].iter().map(|r| r[1]).collect();
    let time: Vec<f64> = (0..n).map(|i| i as f64 / 750.0).collect();
    let load = Load::new(time).unwrap().on(1, u).unwrap();
    println!("period {:?}", load.period());
    let test = DrivenTest::new(
        load,
        vec![Channel {
            output: Output::Displacement,
            dof: 0,
            measured: y,
            noise: None,
        }],
    );
    let test = test.decimated(Decimation::new(&[2, 2, 5])).unwrap();
    let assembly = Assembly::from_names("bouc-wen", |_| Shape::default()).unwrap();
    let model = Model::with_defaults(assembly, Some(Masses::oscillator())).unwrap();
    let t0 = Instant::now();
    let watch = |x: &[f64], e: f64, n: usize| {
        println!("{:.2} s: {n} {e:.6} {x:?}", t0.elapsed().as_secs_f64());
        false
    };
    let found = fit(
        &model,
        vec![Target::of("train", Content::Driven(test))],
        vec![],
        &FitOptions::default(),
        Some(&watch),
    )
    .unwrap();
    println!(
        "{:.2} s, {} evals, {:?} rms {:.4e} lag1 {}",
        t0.elapsed().as_secs_f64(),
        found.evaluations,
        found.stop,
        found.tests[0].rms,
        found.tests[0].lag1
    );
    for p in &found.parameters {
        println!("{} {} +- {:?}", p.address, p.value, p.std_error);
    }
    for w in &found.warnings {
        println!("{} {}", w.code, w.message);
    }
}
