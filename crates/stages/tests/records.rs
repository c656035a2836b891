//! Fast records of other kinds: other channels, too little motion, too few samples, nonsense.

mod dampers;

use dampers::{Fast, Noise, four_stages};
use masing_diagnostic::Units;
use masing_stages::{
    Dynamics, Energy, FastOptions, FastRecord, Measured, Motion, StagesError, analyse,
    analyse_release, analyse_watched,
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
        .diagnostics
        .iter()
        .find(|w| w.code().as_str() == "one-stage")
        .expect("a warning");
    assert!(said.text(Units::Translation).contains("cannot tell"));
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
        found
            .diagnostics
            .iter()
            .any(|w| w.code().as_str() == "coarse-sampling"),
        "{:?}",
        found.diagnostics
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

/// The release as measured: velocity with noise.
fn record(fast: &Fast, seed: u64) -> FastRecord {
    FastRecord {
        time: fast.time.clone(),
        torque: fast.torque.clone(),
        velocity: Some(fast.noisy_velocity(0.01, seed)),
        ..FastRecord::default()
    }
}

fn says(found: &Dynamics, code: &str) -> bool {
    found.diagnostics.iter().any(|w| w.code().as_str() == code)
}

/// Loaded from zero the device stands short of equilibrium by what friction holds.
#[test]
fn a_start_that_friction_holds() {
    let mut damper = four_stages();
    damper.carried = -2.1;
    let fast = damper.release();
    let motion = Motion::of(&record(&fast, 7), &damper.slow, damper.inertia).unwrap();
    let (motion, found) =
        analyse_release(motion, &damper.slow, &FastOptions::default(), None).unwrap();
    assert!(says(&found, "held-start"), "{:?}", found.diagnostics);
    assert!((motion.angle[0] - fast.angle[0]).abs() < 5e-4);
    assert_eq!(found.ranking[0], "D3.2");
    assert!((0.9..1.15).contains(&found.refined.chi2_dof));
    for (node, bound) in [(6, 0.02), (7, 0.02), (8, 0.02), (3, 0.1), (2, 0.1)] {
        let off = found.refined.device.friction[node] / damper.fast_friction[node] - 1.0;
        assert!(off.abs() < bound, "{node}: {off}");
    }
    // Asked to stop it keeps the best so far, and says so.
    let stopped = analyse_watched(
        &motion,
        &damper.slow,
        &FastOptions::default(),
        Some(&|_: &[f64], _: f64, evaluations: usize| evaluations > 4),
    )
    .unwrap();
    assert!(!stopped.refined.stop.converged() && says(&stopped, "interrupted"));
    assert!(stopped.refined.chi2_dof.is_finite());
}

#[test]
fn zeros_of_the_rig_are_mended() {
    let damper = four_stages();
    let fast = damper.release();
    // Angles counted from the start of the test.
    let relative = FastRecord {
        angle: Some(fast.angle.iter().map(|a| a - fast.angle[0]).collect()),
        ..record(&fast, 8)
    };
    let motion = Motion::of(&relative, &damper.slow, damper.inertia).unwrap();
    assert!((motion.mended.angle.expect("a shift") - fast.angle[0]).abs() < 1e-9);
    assert!((motion.angle[9] - fast.angle[9]).abs() < 1e-9);
    // A velocity that is not zero at rest.
    let mut off = record(&fast, 8);
    for v in off.velocity.iter_mut().flatten() {
        *v += 0.03;
    }
    let motion = Motion::of(&off, &damper.slow, damper.inertia).unwrap();
    assert!((motion.mended.velocity.expect("a zero") - 0.03).abs() < 0.004);
    // An acceleration whose integrals wander.
    let mut random = Noise::new(9);
    let noisy = FastRecord {
        velocity: None,
        acceleration: Some(
            fast.acceleration
                .iter()
                .map(|a| a + 0.3 + random.gaussian())
                .collect(),
        ),
        ..record(&fast, 8)
    };
    let motion = Motion::of(&noisy, &damper.slow, damper.inertia).unwrap();
    let last = motion.len() - 1;
    assert!((motion.angle[last] - fast.angle[last]).abs() < 5e-3);
    assert!(motion.velocity[last].abs() < 0.05);
    // As they are, nothing is mended.
    let plain = Motion::of(&record(&fast, 8), &damper.slow, damper.inertia).unwrap();
    assert_eq!(plain.mended, masing_stages::Mended::default());
}

#[test]
fn records_that_are_no_release() {
    let damper = four_stages();
    let fast = damper.release();
    let whole = record(&fast, 10);
    let cut = |v: &[f64]| v[40..].to_vec();
    let tail = FastRecord {
        time: cut(&whole.time),
        torque: cut(&whole.torque),
        angle: Some(cut(&fast.angle)),
        velocity: whole.velocity.as_deref().map(cut),
        acceleration: None,
    };
    let motion = Motion::of(&tail, &damper.slow, damper.inertia).unwrap();
    let refused = analyse(&motion, &damper.slow, &FastOptions::default());
    assert!(matches!(refused, Err(StagesError::NotAtRest { .. })));
    // A slow record is not a fast one.
    let (angle, torque) = damper.slow_record(6000, 0.15, 11);
    let slow = FastRecord {
        time: (0..6000).map(|i| 0.01 * f64::from(i)).collect(),
        torque,
        angle: Some(angle),
        ..FastRecord::default()
    };
    let motion = Motion::of(&slow, &damper.slow, damper.inertia).unwrap();
    let refused = analyse(&motion, &damper.slow, &FastOptions::default());
    assert!(
        matches!(refused, Err(StagesError::TooSlow { .. })),
        "{refused:?}"
    );
}
