//! What a system with mass answers to loads, values and accuracies it cannot serve.

mod support;

use masing_model::{Assembly, Masses, Shape};
use masing_sim::system::{Column, Driven, Load, Outputs, choose};
use masing_sim::{Numerics, SimError};
use proptest::prelude::*;
use support::{noise, samples};

fn assembly(sum: &str) -> Assembly {
    Assembly::from_names(sum, |_| Shape::default()).expect("elements of the registry")
}

fn load(samples: usize, dt: f64, f: impl Fn(f64) -> f64) -> Load {
    let time: Vec<f64> = (0..samples).map(|i| i as f64 * dt).collect();
    let values = time.iter().map(|&t| f(t)).collect();
    Load::new(time)
        .and_then(|l| l.on(1, values))
        .expect("a load")
}

#[test]
fn bad_loads_are_named() {
    let time = vec![0.0, 0.1, 0.2];
    assert!(matches!(
        Load::new(vec![0.0]),
        Err(SimError::TooFewSamples { found: 1, .. })
    ));
    assert!(matches!(
        Load::new(vec![0.0, 0.2, 0.1]),
        Err(SimError::Time { index: 2, .. })
    ));
    let load = Load::new(time).expect("a load");
    assert!(matches!(
        load.clone().on(1, vec![0.0; 2]),
        Err(SimError::Length {
            channel: "load",
            ..
        })
    ));
    assert!(matches!(
        load.clone().base(vec![0.0, f64::NAN, 0.0]),
        Err(SimError::NotFinite {
            channel: "base_acceleration",
            index: 1,
            ..
        })
    ));
    let (spring, masses) = (assembly("spring"), Masses::structure(2));
    for dof in [0, 3] {
        let load = load.clone().on(dof, vec![0.0; 3]).expect("a load");
        assert!(Driven::new(&spring, &masses, &load, Numerics::default()).is_err());
    }
    let mut loose = assembly("spring");
    loose.connect(0, [1, 3]);
    assert!(Driven::new(&loose, &masses, &load, Numerics::default()).is_err());
}

#[test]
fn an_unstable_motion_is_an_error_with_its_instant() {
    let (assembly, masses) = (assembly("spring"), Masses::oscillator());
    let load = load(2001, 0.01, |_| 1.0);
    // Grows by a factor e every millisecond and more.
    let p = [0.0, 1.0, 0.0, -1e6, 0.0, 0.0];
    let driven = Driven::new(&assembly, &masses, &load, Numerics::default()).expect("a system");
    let Err(SimError::Diverged { index, time }) = driven.run(&p) else {
        panic!("it diverges");
    };
    assert!(index > 1 && (time - index as f64 * 0.01).abs() < 1e-12);
    assert!(matches!(
        choose(&assembly, &masses, &load, &p, None),
        Err(SimError::Diverged { .. })
    ));
    let weightless = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    assert_eq!(driven.run(&weightless).err(), Some(SimError::SingularMass));
}

#[test]
fn sub_steps_are_refined_until_they_are_stable_and_accurate() {
    // One step per sample is far beyond the stability of the explicit scheme.
    let (assembly, masses) = (assembly("dashpot+spring"), Masses::oscillator());
    let load = load(101, 0.01, |t| (20.0 * t).sin());
    let p = [2000.0, 1e4, 1.0, 0.0, 0.0, 0.0, 0.0];
    let coarse = Driven::new(&assembly, &masses, &load, Numerics::default()).expect("a system");
    assert!(matches!(coarse.run(&p), Err(SimError::Diverged { .. })));
    let numerics = choose(&assembly, &masses, &load, &p, None).expect("sub-steps");
    assert!(numerics.max_dt < 1.4e-3 && numerics.increment.is_infinite());
    let found = coarse.stepping(numerics).run(&p).expect("a run");
    assert!(found.displacement.iter().all(|x| x.abs() < 1.0));
    // Below rounding.
    let refused = choose(&assembly, &masses, &load, &p, Some(1e-30));
    assert!(matches!(refused, Err(SimError::Accuracy { change, .. }) if change < 1e-10));
    // At rest nothing changes.
    let nothing = Load::new(vec![0.0, 0.5, 1.0]).expect("a load");
    let numerics = choose(&assembly, &masses, &nothing, &p, None).expect("sub-steps");
    assert_eq!(numerics.parts(0.0, 0.5), 1);
}

#[test]
fn empty_assemblies_and_empty_columns_are_no_exception() {
    let (assembly, masses) = (Assembly::new(), Masses::structure(2));
    let load = load(21, 0.01, |t| t);
    let p = [
        1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 50.0, -50.0, -50.0, 80.0,
    ];
    let p: Vec<f64> = p.into_iter().chain([0.1, 0.0, 0.0, 0.0]).collect();
    let driven = Driven::new(&assembly, &masses, &load, Numerics::default()).expect("a system");
    let run = driven.run(&p).expect("a run");
    assert_eq!(driven.tangent(&p, &[]).expect("a tangent").response, run);
    assert_eq!(run.total_force(), vec![0.0; 21]);
    let column = [Column::Param(12)];
    let tangent = driven.tangent(&p, &column).expect("a tangent");
    assert_eq!((tangent.displacement[0], tangent.columns), (1.0, 1));
    let record = driven.record(&p).expect("a record");
    let nothing = record.pull_back(&Outputs::default()).expect("an adjoint");
    assert!(nothing.params.iter().all(|g| *g == 0.0) && nothing.start.is_empty());
    let short = Outputs {
        velocity: vec![1.0; 3],
        ..Outputs::default()
    };
    assert!(matches!(
        record.pull_back(&short),
        Err(SimError::Length {
            channel: "velocity",
            ..
        })
    ));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Rough loads, far too large or too small, on masses and sub-steps that do not suit them: an
    /// answer of finite numbers or an error, in a bounded number of micro-steps.
    #[test]
    fn any_load_is_answered(
        which in 0_usize..60,
        seed in 0_u64..1000,
        size in -3.0..7.0_f64,
        mass in -3.0..4.0_f64,
        dt in -4.0..0.0_f64,
    ) {
        let all = samples();
        let sample = &all[which % all.len()];
        let mut random = noise(seed);
        let values: Vec<f64> = (0..41).map(|_| 10_f64.powf(size) * random()).collect();
        let time = (0..41).map(|i| f64::from(i) * 10_f64.powf(dt)).collect();
        let load = Load::new(time).and_then(|l| l.on(1, values)).expect("a load");
        let mut p = sample.p.clone();
        p.extend([10_f64.powf(mass), 1.0, 1e3, 0.0, random()]);
        let masses = Masses::oscillator();
        let driven = Driven::new(&sample.assembly, &masses, &load, Numerics::default());
        if sample.assembly.parts().iter().any(|p| p.element.grips()) {
            let refused = matches!(driven, Err(masing_sim::SimError::Rigid { .. }));
            prop_assert!(refused);
            return Ok(());
        }
        let driven = driven.expect("a system");
        if let Ok(found) = driven.run(&p) {
            prop_assert!(found.displacement.iter().chain(&found.force).chain(&found.acceleration).all(|x| x.is_finite()));
            prop_assert!(found.micro_steps <= 40 * 101);
            prop_assert_eq!(&found, &driven.run(&p).expect("the same run"));
        }
    }
}
