//! Parameters of the chain recovered from noise-free forces.

use masing_identify::features::features;
use masing_identify::start::guess;
use masing_identify::{Effort, Objective, Target, Weights, free_parameters, search};
use masing_model::{Assembly, Shape};
use masing_sim::{Motion, Numerics, Prescribed};

fn si([k0, kpa, kr, c0, alpha]: [f64; 5]) -> Vec<f64> {
    vec![
        k0 * 1e3,
        kpa * 1e3,
        kr * 1e3,
        c0 * 1e3_f64.powf(alpha),
        alpha,
    ]
}

/// Data of a parameter set (N, mm, s) under a 1 mm, 1 Hz sine or triangle.
fn target(model: &Assembly, set: [f64; 5], triangle: bool) -> Target {
    let time: Vec<f64> = (0..2001).map(|i| f64::from(i) * 1e-3).collect();
    let x: Vec<f64> = time
        .iter()
        .map(|t| {
            let phase = (t + 0.25).rem_euclid(1.0);
            let corner = if phase < 0.5 {
                4.0 * phase - 1.0
            } else {
                3.0 - 4.0 * phase
            };
            1e-3 * if triangle {
                corner
            } else {
                (std::f64::consts::TAU * t).sin()
            }
        })
        .collect();
    let motion = Motion::new(time, x, None).expect("a motion");
    let force = Prescribed::new(model, &motion, Numerics::default())
        .run(&si(set))
        .expect("a run");
    Target::new("test", motion, force)
}

#[test]
fn noise_free_parameters_from_close_far_and_automatic_starts() {
    let model = Assembly::from_names("rt", |_| Shape::default()).expect("rt is in the registry");
    let unknowns = free_parameters(&model, &[]).expect("known addresses");
    for set in [
        [200.0, 800.0, 3000.0, 15.0, 0.075],
        [200.0, 800.0, 3000.0, 20.0, 0.15],
    ] {
        let [k0, kpa, kr, c0, alpha] = set;
        for triangle in [false, true] {
            let targets = [target(&model, set, triangle)];
            let values = model.defaults();
            let objective = Objective::new(&model, &values, &targets, &unknowns, Weights::Equal);
            let automatic = guess(&model, &features(&targets[0]).expect("a loop"));
            let starts = [
                (
                    "close",
                    si([k0 / 2.0, 2.0 * kpa, kr / 2.0, c0 / 2.0, 2.0 * alpha]),
                ),
                (
                    "far",
                    si([2.0 * k0, 5.0 * kpa, kr / 5.0, c0 / 5.0, 5.0 * alpha]),
                ),
                ("automatic", automatic),
            ];
            for (name, start) in starts {
                // The triangle, and the second set, only from the start that users get.
                if name != "automatic" && (triangle || alpha > 0.1) {
                    continue;
                }
                let found = search(&objective, &[start], &Effort::default()).expect("a minimum");
                let values = objective.values_of(&found.x);
                println!(
                    "{name}: {:?}, {} evaluations, cost {:.1e}",
                    found.stop, found.evaluations, found.cost
                );
                for (v, t) in values.iter().zip(&si(set)) {
                    assert!(
                        (v / t - 1.0).abs() < 1e-3,
                        "{name}, triangle {triangle}: {values:?}"
                    );
                }
            }
        }
    }
}
