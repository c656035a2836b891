//! Derivatives of the cost: the adjoint against the tangent, the tangent against differences, for
//! every kind of test and everything that can be sought.

mod bushing;

use bushing::{B, Wave, rt, si, target};
use masing_data::Preload;
use masing_data::signal::Filter;
use masing_identify::search::optimise::{LeastSquares, Smooth};
use masing_identify::test::{Channel, DrivenMasses, ForceFilter, Output, Point, StiffnessTable};
use masing_identify::{
    InitialState, Loss, Nuisance, Objective, Place, Prior, Rules, Test, Unknown, Weights, Workers,
    free_parameters,
};
use masing_model::{Assembly, Masses, Model, Scale, Shape};
use masing_sim::Load;

fn linear(place: Place, typical: f64) -> Unknown {
    Unknown {
        name: format!("{place:?}"),
        place,
        min: f64::NEG_INFINITY,
        max: f64::INFINITY,
        scale: Scale::Linear,
        typical,
    }
}

/// Compares at a point off the optimum; how far the tangent may be from differences is up to the test.
fn check(objective: &Objective<'_>, values: &[f64], tolerance: f64) {
    let x = objective.internal(values);
    let at = objective.linearise(&x).expect("a run");
    let by_tangent = at.j.tr_mul(&at.r);
    let (cost, by_adjoint) = objective.slope(&x).expect("a run");
    let half = 0.5 * at.r.norm_squared();
    assert!((cost - half).abs() <= 1e-12 * half, "{cost} {half}");
    let plain = objective.cost(values).expect("a run");
    assert!((plain - half).abs() <= 1e-12 * half, "{plain} {half}");
    let size = by_tangent.amax();
    for (i, u) in objective.unknowns.iter().enumerate() {
        let (tangent, adjoint) = (by_tangent[i], by_adjoint[i]);
        assert!(
            (tangent - adjoint).abs() <= 1e-9 * size,
            "{}: tangent {tangent:e}, adjoint {adjoint:e}",
            u.name
        );
        let h = 1e-5;
        let cost_at = |shift: f64| {
            let mut x = x.clone();
            x[i] += shift;
            objective.cost(&objective.values_of(&x)).expect("a run")
        };
        let difference = (cost_at(h) - cost_at(-h)) / (2.0 * h);
        assert!(
            (tangent - difference).abs() <= tolerance * size,
            "{}: tangent {tangent:e}, difference {difference:e}",
            u.name
        );
    }
}

#[test]
fn records_with_everything_that_can_be_sought() {
    for start in [
        InitialState::AtRest,
        InitialState::Estimated,
        InitialState::Periodic,
    ] {
        for preload in [Preload::Motion(1e-4), Preload::Force(60.0)] {
            let whole = target(B, Wave::Sine, 1e-3, 1.0, 1.0);
            let whole = whole.motion_record().expect("a record");
            let mut rig = whole.coarse(4).expect("a long record");
            rig.initial = start;
            rig.preload = preload;
            rig.cycles = 2;
            rig.nuisance = Nuisance {
                force_offset: true,
                motion_offset: true,
                delay: true,
                level: true,
                moving_mass: Some(-1.0),
            };
            let average = Filter::MovingAverage { samples: 7 };
            let low_pass = Filter::LowPass {
                frequency: 30.0,
                order: 3,
            };
            let samples = rig.motion.len();
            rig.filter = Some(ForceFilter::new(vec![average, low_pass], 4e-3, samples));
            let model = rt();
            let mut unknowns = free_parameters(&model, &[], &[]).expect("known addresses");
            let mut values: Vec<f64> = si(B).iter().map(|v| 1.2 * v).collect();
            for (place, typical, value) in [
                (Place::ForceOffset(0), 100.0, 12.0),
                (Place::MotionOffset(0), 1e-3, 3e-5),
                (Place::Delay(0), 1e-3, 1.7e-3),
                (Place::MovingMass(0), 10.0, 4.0),
                (Place::Level(0), 0.05, 0.08),
            ] {
                unknowns.push(linear(place, typical));
                values.push(value);
            }
            if start == InitialState::Estimated {
                for state in [0, 3] {
                    unknowns.push(linear(Place::Start { target: 0, state }, 1e-3));
                    values.push(2e-4);
                }
            }
            if start == InitialState::Estimated && preload == Preload::Motion(1e-4) {
                // What the part went through before, beside states that are found one by one.
                for (turn, value) in [8e-4, -6e-4].into_iter().enumerate() {
                    unknowns.push(linear(Place::Turn { target: 0, turn }, 1e-3));
                    values.push(value);
                }
            }
            for (weights, loss) in [
                (Weights::Equal, Loss::Linear),
                (Weights::Noise, Loss::SoftL1),
            ] {
                let rules = Rules {
                    weights,
                    loss,
                    scales: vec![0.7],
                    priors: vec![Prior {
                        unknown: 4,
                        value: 0.1,
                        weight: 0.5,
                    }],
                    workers: Workers::default(),
                };
                let targets = [Test::of("record", rig.clone())];
                let objective = Objective::new(&model, &targets, &unknowns, rules);
                // Sub-steps are kinks of the cost in the motion; differences step over a few.
                check(&objective, &values, 1e-4);
            }
        }
    }
}

#[test]
fn tables_of_dynamic_stiffness() {
    let model = rt();
    let unknowns = free_parameters(&model, &[], &[]).expect("known addresses");
    let mut points = vec![
        Point::new(1e-3, 1.0, 4.4e5, 0.2),
        Point::new(1e-4, 30.0, 7.5e5, f64::NAN),
        Point::new(3e-4, 10.0, 6.0e5, 0.18),
    ];
    points[2].preload = Preload::Force(40.0);
    for point in &mut points {
        point.cycles = 3;
    }
    let targets = [Test::of(
        "table",
        StiffnessTable {
            points,
            noise: Some(0.01),
        },
    )];
    for weights in [Weights::Equal, Weights::Noise] {
        let rules = Rules {
            weights,
            ..Rules::default()
        };
        let objective = Objective::new(&model, &targets, &unknowns, rules);
        check(&objective, &si(B), 1e-5);
    }
}

#[test]
fn masses_under_a_load() {
    let assembly = Assembly::from_names("bouc-wen", |_| Shape::default()).expect("known");
    let values = vec![5e4, 1e3, 8e2, 1.0, 2.0, 10.0, 5e4, 1e-4, 0.0];
    let model = Model::new(assembly, Some(Masses::oscillator()), values.clone()).expect("sound");
    let time: Vec<f64> = (0..400).map(|i| f64::from(i) / 750.0).collect();
    let force = time
        .iter()
        .map(|t| 150.0 * (60.0 * t).sin() + 40.0 * (190.0 * t).cos());
    let load = Load::new(time.clone())
        .expect("time")
        .on(1, force.collect())
        .expect("a load");
    let all = [
        Output::Displacement,
        Output::Velocity,
        Output::Acceleration,
        Output::Force,
    ];
    let channels = all.map(|output| Channel {
        output,
        dof: 0,
        measured: time.iter().map(|t| (50.0 * t).sin()).collect(),
        noise: None,
    });
    let mut test = Test::of("driven", DrivenMasses::new(load, channels.to_vec()));
    test.choose_numerics(&model, &values).expect("steps");
    let also = ["oscillator.x0", "oscillator.v0"].map(str::to_owned);
    let mut unknowns = free_parameters(&model, &[], &also).expect("known addresses");
    assert_eq!(unknowns.len(), 9);
    for (u, value) in unknowns.iter_mut().zip(&values) {
        u.typical = if *value == 0.0 { 1e-2 } else { *value };
    }
    let targets = [test];
    let objective = Objective::new(&model, &targets, &unknowns, Rules::default());
    check(&objective, &values, 1e-5);
}
