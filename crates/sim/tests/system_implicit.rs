//! Stiff elements on a mass: the implicit scheme.

mod support;
mod system_reference;

use masing_model::{Assembly, Masses, Shape};
use masing_sim::system::{Column, Driven, Load, Outputs, Response, choose};
use masing_sim::{Numerics, SimError};
use support::{SET_A, noise, peak, rt, si};
use system_reference::difference;

fn steps(max_dt: f64) -> Numerics {
    Numerics {
        increment: f64::INFINITY,
        max_dt,
    }
}

fn load(samples: usize, dt: f64, f: impl FnMut(f64) -> f64) -> Load {
    let time: Vec<f64> = (0..samples).map(|i| i as f64 * dt).collect();
    let values = time.iter().copied().map(f).collect();
    Load::new(time)
        .and_then(|l| l.on(1, values))
        .expect("a load")
}

fn run(assembly: &Assembly, load: &Load, p: &[f64], max_dt: f64) -> Result<Response, SimError> {
    let masses = Masses::oscillator();
    Driven::new(assembly, &masses, load, steps(max_dt))?.run(p)
}

#[test]
fn chain_on_a_mass_converges_with_second_order() {
    let assembly = rt();
    let mut p = si(SET_A);
    p.extend([120.0, 50.0, 0.0, 0.0, 0.0]);
    // One millimetre or so, with reversals at all levels.
    let load = load(201, 4e-3, |t| {
        150.0 * (20.0 * t).sin() + 90.0 * (47.0 * t).sin()
    });
    let at = |parts: f64| run(&assembly, &load, &p, 4e-3 / parts).expect("a run");
    let fine = at(256.0);
    assert!(peak(&fine.displacement) > 5e-4);
    let errors: Vec<f64> = [2.0, 4.0, 8.0, 16.0, 32.0]
        .map(|parts| difference(&at(parts).displacement, fine.displacement.iter().copied()))
        .to_vec();
    // From coarsest to finest: the order of single halvings wavers with the reversals.
    let order = (errors[0] / errors[4]).log2() / 4.0;
    assert!(order > 1.8, "{errors:?}: {order}");
    let masses = Masses::oscillator();
    let numerics = choose(&assembly, &masses, &load, &p, Some(1e-5)).expect("sub-steps");
    let found = run(&assembly, &load, &p, numerics.max_dt).expect("a run");
    let error = difference(&found.displacement, fine.displacement.iter().copied());
    assert!(error < 2e-5 * peak(&fine.displacement), "{error:e}");
}

#[test]
fn no_power_is_too_small_and_no_load_too_rough() {
    let assembly = rt();
    let mut random = noise(3);
    let rough: Vec<f64> = (0..401).map(|_| 600.0 * random()).collect();
    for alpha in [0.9, 0.5, 0.15, 0.05, 0.01, 0.001] {
        let mut p = si([200.0, 800.0, 3000.0, 20.0, alpha]);
        p.extend([120.0, 0.0, 0.0, 2e-4, 0.01]);
        for dt in [1e-3, 1e-2, 5e-2] {
            let loads: [&dyn Fn(usize) -> f64; 3] = [
                &|i| 400.0 * (6.0 * i as f64 * dt).sin(),
                &|i| if i < 20 { 0.0 } else { 500.0 },
                &|i| rough[i],
            ];
            for (kind, f) in loads.into_iter().enumerate() {
                let mut i = 0;
                let load = load(401, dt, |_| {
                    i += 1;
                    f(i - 1)
                });
                let found = run(&assembly, &load, &p, f64::INFINITY);
                let found = found.unwrap_or_else(|e| panic!("alpha {alpha} dt {dt} {kind}: {e}"));
                assert!(found.displacement.iter().all(|x| x.abs() < 1.0));
                // No halving was needed.
                assert_eq!(found.micro_steps, 400, "alpha {alpha} dt {dt} {kind}");
            }
        }
    }
}

#[test]
fn power_dashpot_holds_a_mass() {
    // Below the force c |v|^alpha the mass creeps; for tiny alpha it stands still.
    let assembly = Assembly::from_names("power-dashpot", |_| Shape::default()).expect("a dashpot");
    for alpha in [0.001, 0.01, 0.1, 0.5] {
        let c = 30.0;
        let p = [c, alpha, 5.0, 0.0, 0.0, 0.0, 0.0];
        let held = 0.5 * c;
        let load = load(201, 1e-2, |t| held * (t / 0.1).min(1.0));
        let r = run(&assembly, &load, &p, f64::INFINITY).expect("a run");
        let creep = 0.5_f64.powf(1.0 / alpha);
        let last = r.samples() - 1;
        assert!((r.velocity[last] - creep).abs() <= 1e-5 * creep, "{alpha}");
    }
}

/// Three masses in a row with a chain to the ground, a power dashpot and a chain between them; the
/// dashpot sticks most of the time.
fn structure(alpha: f64) -> (Assembly, Masses, Load, Vec<f64>) {
    let mut assembly =
        Assembly::from_names("rt+power-dashpot+rt", |_| Shape::default()).expect("elements");
    assembly.connect(0, [0, 1]);
    assembly.connect(1, [1, 2]);
    assembly.connect(2, [2, 3]);
    let mut p = assembly.defaults();
    for index in assembly.find("power-dashpot.alpha").expect("a parameter") {
        p[index] = alpha;
    }
    p.extend([100.0, 0.0, 0.0, 0.0, 60.0, 0.0, 0.0, 0.0, 80.0]);
    p.extend([0.0; 9]);
    p.extend([2e5, -2e5, 0.0, -2e5, 4e5, -2e5, 0.0, -2e5, 2e5]);
    p.extend([0.0; 6]);
    let tones = |t: f64| 300.0 * (25.0 * t).sin() + 200.0 * (60.0 * t).sin();
    (assembly, Masses::structure(3), load(151, 2e-3, tones), p)
}

#[test]
fn structure_with_a_sticking_element_converges_with_second_order() {
    for alpha in [0.5, 0.1, 0.02] {
        let (assembly, masses, load, p) = structure(alpha);
        let at = |parts: f64| {
            let driven = Driven::new(&assembly, &masses, &load, steps(2e-3 / parts));
            driven.and_then(|d| d.run(&p)).expect("a run")
        };
        let fine = at(32.0);
        let errors = [1.0, 4.0]
            .map(|parts| difference(&at(parts).displacement, fine.displacement.iter().copied()));
        assert!(errors[0] < 2e-3 * peak(&fine.displacement), "{errors:?}");
        assert!(errors[1] < errors[0] / 10.0, "{alpha}: {errors:?}");
        // The force of an element that sticks balances the others.
        let r = at(1.0);
        for i in 0..r.samples() {
            let q = &r.displacement[3 * i..3 * i + 3];
            let rest = load.loads()[0].1[i] - 2e5 * (q[0] - q[1]) - r.force[3 * i];
            let gap = 100.0 * r.acceleration[3 * i] - rest - r.force[3 * i + 1];
            assert!(gap.abs() < 1e-7, "sample {i}: {gap:e}");
        }
    }
}

#[test]
fn derivatives_pass_through_sticking() {
    let (assembly, masses, load, p) = structure(0.02);
    let driven = Driven::new(&assembly, &masses, &load, steps(1e-3)).expect("a system");
    // Chain and mass parameters; the dashpot that sticks is as good as rigid.
    let columns = [0, 1, 3, 4, 7, 8, 12, 16, 20, 30];
    let named: Vec<Column> = columns.iter().map(|&c| Column::Param(c)).collect();
    let tangent = driven.tangent(&p, &named).expect("a tangent");
    let bar: Vec<f64> = (0..3 * load.len())
        .map(|i| (0.7 * i as f64).sin())
        .collect();
    let recorded = driven.record(&p).expect("a record");
    let outputs = Outputs {
        displacement: bar.clone(),
        ..Outputs::default()
    };
    let gradient = recorded.pull_back(&outputs).expect("an adjoint");
    for (c, &param) in columns.iter().enumerate() {
        let exact = tangent.displacement.iter().skip(c).step_by(columns.len());
        let size = exact.clone().fold(0.0_f64, |m, d| m.max(d.abs()));
        let (sum, terms) = exact.clone().zip(&bar).fold((0.0, 0.0), |(s, a), (d, b)| {
            (s + b * d, a + f64::abs(b * d))
        });
        // Slopes of 1e8 times the masses cost eight digits.
        assert!(
            (sum - gradient.params[param]).abs() <= 1e-8 * terms,
            "{param}"
        );
        let scale = if p[param] == 0.0 { 1e3 } else { p[param].abs() };
        let at = |k: f64| {
            let mut p = p.clone();
            p[param] += k * scale;
            driven.run(&p).expect("a run").displacement
        };
        let (low, high) = (at(-1e-5), at(1e-5));
        let slopes = low.iter().zip(&high).map(|(l, h)| (h - l) / (2e-5 * scale));
        let error = difference(exact, slopes);
        assert!(error < 1e-5 * size, "{param}: {error:e} of {size:e}");
    }
}
