//! What laws say of themselves, held to account for every element there is and for laws of a user's own.

mod support;

use masing_model::{Assembly, Features, Rated, Shape, Solved, registry};
use masing_sim::{Motion, Prescribed, choose};
use std::sync::Arc;
use support::laws::{Implicit, Relaxing};
use support::sine;

/// Every element alone, and the laws of the tests, which nobody knows.
fn laws() -> Vec<Assembly> {
    let alone = |kind: &registry::Kind| {
        Assembly::from_names(kind.name, |_| Shape::default()).expect("a registered element")
    };
    let mut all: Vec<Assembly> = registry::KINDS.iter().map(alone).collect();
    let relaxing = Arc::new(Rated(Relaxing::new()));
    let implicit = Arc::new(Solved(Implicit::new()));
    let mut own = [Assembly::new(), Assembly::new()];
    own[0].push("relaxing", relaxing, None).expect("a label");
    own[1].push("implicit", implicit, None).expect("a label");
    all.extend(own);
    all
}

fn run(assembly: &Assembly, p: &[f64], motion: &Motion) -> Vec<f64> {
    let name = &assembly.parts()[0].kind;
    let numerics = choose(assembly, p, motion, 1e-3).unwrap_or_else(|e| panic!("{name}: {e}"));
    let run = Prescribed::new(assembly, motion, numerics).run(p);
    run.unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn largest(force: &[f64]) -> f64 {
    force.iter().fold(0.0, |m, f| m.max(f.abs()))
}

#[test]
fn the_null_point_adds_nothing() {
    let motion = sine(1e-3, 1.0, 2, 200);
    for assembly in laws() {
        let law = assembly.parts()[0].element.law();
        let defaults = assembly.defaults();
        let mut null = defaults.clone();
        law.null(&mut null);
        law.check(&null).expect("a null point within the ranges");
        let full = largest(&run(&assembly, &defaults, &motion));
        let left = largest(&run(&assembly, &null, &motion));
        // Ranges of positive parameters end above zero: 1 N/m where stiffnesses are 1e5 N/m.
        assert!(full > 0.0 && left <= 3e-5 * full, "{}: {left}", law.name());
    }
}

#[test]
fn a_guess_lies_within_the_ranges_and_can_be_simulated() {
    // A joint, a bushing, a soft damper; one without a time column.
    let shapes = [
        (5e-5, 200.0, 1e-3),
        (1e-3, 900.0, 5e-3),
        (0.05, 40.0, 0.2),
        (1e-3, 50.0, 0.0),
    ];
    for (amplitude, force, speed) in shapes {
        let secant = force / amplitude;
        let features = Features {
            amplitude,
            force,
            slope_after: 2.5 * secant,
            slope_before: 0.6 * secant,
            secant,
            speed,
            energy: 0.4 * 4.0 * amplitude * force,
        };
        let motion = sine(amplitude, speed.max(1e-3) / (4.0 * amplitude), 2, 200);
        for assembly in laws() {
            let element = &assembly.parts()[0].element;
            let guess = element.law().guess(&features, 0.5);
            let params = element.spec().params.iter();
            let guess: Vec<f64> = guess
                .iter()
                .zip(params)
                .map(|(v, p)| v.clamp(p.min, p.max))
                .collect();
            let name = element.law().name();
            element
                .law()
                .check(&guess)
                .unwrap_or_else(|e| panic!("{name}: {e}"));
            let force = run(&assembly, &guess, &motion);
            assert!(force.iter().all(|f| f.is_finite()), "{name}");
        }
    }
}

#[test]
fn laws_speak_only_of_their_own_parameters() {
    for assembly in laws() {
        let law = assembly.parts()[0].element.law();
        let (name, count) = (law.name(), law.spec().params.len());
        let defaults = law.spec().defaults();
        for param in 0..count {
            let _ = law.reveals(param);
        }
        let valley = law.valley().map(|v| v.params).unwrap_or_default();
        let tied: Vec<usize> = law.tied().into_iter().flatten().collect();
        let scaled = law.common_scale(&defaults).map(|(alike, _)| alike);
        let linear = law.linear().into_iter().map(|(i, _)| i);
        let mut all: Vec<usize> = linear.chain(valley).chain(tied).collect();
        all.extend(scaled.unwrap_or_default());
        assert!(all.iter().all(|i| *i < count), "{name}: {all:?}");
        if let Some(own) = law.loop_start() {
            let set = own.like_slider(1e5, 20.0);
            assert!(set.iter().all(|p| p.len() <= count), "{name}");
        }
        assert_eq!(law.non_passive(&defaults), None, "{name}");
    }
}

#[test]
fn a_valley_leads_back() {
    for assembly in laws() {
        let law = assembly.parts()[0].element.law();
        let Some(valley) = law.valley() else { continue };
        let start: Vec<f64> = valley
            .params
            .iter()
            .map(|&i| law.spec().params[i].default)
            .collect();
        let mut point = start.clone();
        (valley.walk)(&mut point, 1.7);
        assert!((point[0] / start[0] - 1.7).abs() < 1e-12);
        (valley.walk)(&mut point, 1.0 / 1.7);
        for (a, b) in point.iter().zip(&start) {
            assert!((a / b - 1.0).abs() < 1e-12, "{}", law.name());
        }
    }
}
