//! quick timing
use masing_model::{Assembly, Shape};
use masing_sim::*;
use std::time::Instant;
fn main() {
    let model = Assembly::from_names("rt", |_| Shape::default()).unwrap();
    let t: Vec<f64> = (0..1001).map(|i| f64::from(i) * 1e-3).collect();
    let x: Vec<f64> = t
        .iter()
        .map(|t| 1e-3 * (std::f64::consts::TAU * t).sin())
        .collect();
    let m = Motion::new(t, x, None).unwrap();
    let p = [2e5, 1066.7e3, 2000e3, 30.0 * 1e3_f64.powf(0.15), 0.15];
    let run = Prescribed::new(&model, &m, Numerics::default());
    let best = |f: &mut dyn FnMut()| {
        (0..30)
            .map(|_| {
                let s = Instant::now();
                f();
                s.elapsed().as_secs_f64() * 1e3
            })
            .fold(f64::INFINITY, f64::min)
    };
    let cols: Vec<Column> = (0..5).map(Column::Param).collect();
    let bar = vec![1.0; 1001];
    if std::env::args().nth(1).is_some() {
        for _ in 0..2000 {
            let r = run.record(&p, TAPE_BUDGET).unwrap();
            r.pull_back(&bar).unwrap();
        }
        return;
    }
    for _ in 0..3 {
        println!(
            "fwd {:.3} grad {:.3} jac {:.3}",
            best(&mut || {
                run.run(&p).unwrap();
            }),
            best(&mut || {
                let r = run.record(&p, TAPE_BUDGET).unwrap();
                r.pull_back(&bar).unwrap();
            }),
            best(&mut || {
                run.tangent(&p, &cols).unwrap();
            })
        );
    }
}
