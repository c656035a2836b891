//! Fast records of other kinds: other channels, too little motion, too few samples, nonsense.

mod dampers;

use dampers::four_stages;
use masing_identify::stages::{
    Energy, FastOptions, FastRecord, Measured, Motion, StagesError, analyse,
};

#[test]
fn any_channel_gives_the_motion() {
    let damper = four_stages();
    let fast = damper.release();
    let base = FastRecord {
        time: fast.time.clone(),
        torque: fast.torque.clone(),
        ..FastRecord::default()
    };
    let cases = [
        (
            FastRecord {
                velocity: Some(fast.velocity.clone()),
                ..base.clone()
            },
            Measured::Velocity,
        ),
        (
            FastRecord {
                angle: Some(fast.angle.clone()),
                ..base.clone()
            },
            Measured::Angle,
        ),
        (
            FastRecord {
                acceleration: Some(fast.acceleration.clone()),
                ..base.clone()
            },
            Measured::Acceleration,
        ),
        (
            FastRecord {
                velocity: Some(fast.velocity.clone()),
                acceleration: Some(fast.acceleration.clone()),
                ..base.clone()
            },
            Measured::Velocity,
        ),
    ];
    for (record, measured) in cases {
        let motion = Motion::of(&record, &damper.slow, damper.inertia).expect("a motion");
        assert_eq!(motion.measured, measured);
        let farthest = |a: &[f64], b: &[f64]| {
            a.iter()
                .zip(b)
                .fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()))
        };
        let angle = farthest(&motion.angle, &fast.angle);
        let velocity = farthest(&motion.velocity, &fast.velocity);
        // Kinks of the acceleration between samples, integrated twice over 2 s; a parabola through seven angles spans the release.
        assert!(
            angle < 8e-3 && velocity < 0.15,
            "{measured:?}: {angle} {velocity}"
        );
        let energy = Energy::of(&motion, &damper.slow, damper.eta);
        assert!(
            (energy.dissipated / 7.7718 - 1.0).abs() < 0.03,
            "{measured:?}: {}",
            energy.dissipated
        );
    }
    assert!(matches!(
        Motion::of(&base, &damper.slow, 0.25),
        Err(StagesError::NoMotion)
    ));
}

#[test]
fn a_motion_within_one_stage_cannot_tell() {
    let mut damper = four_stages();
    // From 60 to 45 % of the second drive stage and back.
    damper.torque = [40.0, 36.0];
    damper.samples = 1200;
    let fast = damper.release();
    let record = FastRecord {
        velocity: Some(fast.noisy_velocity(0.001, 3)),
        time: fast.time,
        torque: fast.torque,
        ..FastRecord::default()
    };
    let motion = Motion::of(&record, &damper.slow, damper.inertia).expect("a motion");
    let found = analyse(&motion, &damper.slow, &FastOptions::default()).expect("an analysis");
    assert!(found.ranking.is_empty());
    let said = found
        .warnings
        .iter()
        .find(|w| w.code == "one-stage")
        .expect("a warning");
    assert!(said.message.contains("cannot tell"));
}

#[test]
fn coarse_sampling_is_said() {
    let mut damper = four_stages();
    damper.dt = 9e-3;
    damper.samples = 223;
    let fast = damper.release();
    let record = FastRecord {
        velocity: Some(fast.noisy_velocity(0.01, 3)),
        time: fast.time,
        torque: fast.torque,
        ..FastRecord::default()
    };
    let motion = Motion::of(&record, &damper.slow, damper.inertia).expect("a motion");
    let found = analyse(&motion, &damper.slow, &FastOptions::default()).expect("an analysis");
    assert!(
        found.warnings.iter().any(|w| w.code == "coarse-sampling"),
        "{:?}",
        found.warnings
    );
}

#[test]
fn nonsense_is_refused() {
    let damper = four_stages();
    let fast = damper.release();
    let record = FastRecord {
        velocity: Some(fast.velocity.clone()),
        time: fast.time.clone(),
        torque: fast.torque.clone(),
        ..FastRecord::default()
    };
    for inertia in [0.0, -0.25, f64::NAN, f64::INFINITY] {
        let refused = Motion::of(&record, &damper.slow, inertia);
        assert!(matches!(refused, Err(StagesError::Inertia { .. })));
    }
    let mut beyond = record.clone();
    beyond.torque[0] = 1e4;
    assert!(matches!(
        Motion::of(&beyond, &damper.slow, 0.25),
        Err(StagesError::NoStart { .. })
    ));
    let mut missing = record.clone();
    missing.torque[7] = f64::NAN;
    assert!(matches!(
        Motion::of(&missing, &damper.slow, 0.25),
        Err(StagesError::Incomplete { .. })
    ));
    let mut turned = record;
    for v in turned.velocity.iter_mut().flatten() {
        *v = -*v;
    }
    let motion = Motion::of(&turned, &damper.slow, 0.25).expect("a motion");
    let refused = analyse(&motion, &damper.slow, &FastOptions::default());
    assert!(matches!(refused, Err(StagesError::GivesEnergy { .. })));
}
