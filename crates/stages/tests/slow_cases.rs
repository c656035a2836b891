//! Slow records as rigs make them: zeros that are off, friction within the clearance, records that do not close, friction
//! that turns round slowly, stops, and devices whose sides differ.

mod dampers;

use dampers::{Damper, Noise, four_stages};
use masing_stages::{Course, Device, QuasiStatic, SlowOptions, characterise};

fn found(angle: &[f64], torque: &[f64]) -> QuasiStatic {
    characterise(angle, torque, &SlowOptions::default()).expect("a device")
}

fn of_device(device: Device, noise: f64, seed: u64) -> QuasiStatic {
    let damper = Damper {
        slow: device,
        ..four_stages()
    };
    let (angle, torque) = damper.slow_record(6000, noise, seed);
    found(&angle, &torque)
}

fn says(found: &QuasiStatic, code: &str) -> bool {
    found.diagnostics.iter().any(|w| w.code().as_str() == code)
}

/// Drive and coast stages.
fn counts(device: &Device) -> [usize; 2] {
    [device.len() - 1 - device.plus, device.minus]
}

fn width(device: &Device) -> f64 {
    device.angles[device.plus] - device.angles[device.minus]
}

/// Backlash between stiff flanks, two stages on one side and one on the other: no node is invented on a straight stage.
#[test]
fn strong_edges_and_sides_that_differ() {
    for (seed, rub) in [(21, 0.0), (22, 0.0), (23, 0.5), (24, 0.0)] {
        let device = Device {
            angles: vec![-0.04, -0.01, 0.01, 0.03, 0.05],
            torques: vec![-60.0, 0.0, 0.0, 40.0, 160.0],
            friction: vec![3.0, rub, rub, 2.0, 6.0],
            minus: 1,
            plus: 2,
        };
        let found = of_device(device, 0.2, seed);
        assert_eq!(counts(&found.device), [2, 1], "{:?}", found.device);
        assert!((width(&found.device) - 0.02).abs() < 5e-5);
        assert_eq!(found.clearance_rubs, rub > 0.0);
    }
}

/// The last stages are stops, forty times as stiff as those before.
#[test]
fn stops() {
    let device = Device {
        angles: vec![-0.21, -0.2, -0.02, 0.02, 0.25, 0.26],
        torques: vec![-190.0, -90.0, 0.0, 0.0, 115.0, 315.0],
        friction: vec![2.0, 2.0, 0.0, 0.0, 2.0, 2.0],
        minus: 2,
        plus: 3,
    };
    let found = of_device(device.clone(), 0.2, 25);
    assert_eq!(counts(&found.device), [2, 2], "{:?}", found.device);
    for stage in device.stages() {
        let ratio = found.device.stiffness(stage) / device.stiffness(stage);
        assert!((ratio - 1.0).abs() < 0.01, "{ratio}");
    }
}

/// Drag through the free travel.
#[test]
fn friction_within_a_weak_clearance() {
    let mut device = four_stages().slow;
    device.friction[3..=6].copy_from_slice(&[0.4, 0.4, 0.4, 0.5]);
    let found = of_device(device.clone(), 0.15, 31);
    assert!(found.clearance_rubs);
    assert_eq!(counts(&found.device), [4, 4]);
    assert!((found.device.friction[4] - 0.4).abs() < 0.03);
    for edge in [4, 5] {
        let off = found.device.angles[edge] - device.angles[edge];
        assert!(off.abs() < 5e-3, "{edge}: {off}");
    }
}

#[test]
fn a_zero_that_is_off_is_taken_off() {
    let damper = four_stages();
    for (offset, seed) in [(0.1, 41), (0.3, 42), (5.0, 43)] {
        let (angle, mut torque) = damper.slow_record(6000, 0.15, seed);
        for t in &mut torque {
            *t += offset;
        }
        let found = found(&angle, &torque);
        assert_eq!(counts(&found.device), [4, 4], "{offset}");
        assert!((found.zero - offset).abs() < 0.03, "{}", found.zero);
        assert!(says(&found, "zero"));
        assert!((found.device.torques[8] - 128.6).abs() < 0.1);
        assert!((width(&found.device) - 0.02).abs() < 6e-3);
    }
}

#[test]
fn one_direction_in_the_middle_is_left_out() {
    let damper = four_stages();
    let (angle, torque) = damper.slow_record(6000, 0.15, 51);
    // It begins at 0.05 and ends at -0.2 rad: between the two there is only the falling path.
    let kept: Vec<usize> = (0..angle.len())
        .filter(|&i| {
            let late = i > 3000;
            (late || i > 500 || angle[i] >= 0.05) && !(late && i > 4500 && angle[i] > -0.2)
        })
        .collect();
    let pick = |v: &[f64]| kept.iter().map(|&i| v[i]).collect::<Vec<f64>>();
    let found = found(&pick(&angle), &pick(&torque));
    assert!(says(&found, "not-closed"));
    assert!(found.device.angles[0] > 0.04, "{:?}", found.device);
    let node = found.device.angles[found.device.len() - 2];
    assert!((node - 0.3).abs() < 3e-4, "{node}");
}

#[test]
fn a_drift_is_said() {
    let damper = four_stages();
    let (angle, mut torque) = damper.slow_record(6000, 0.15, 61);
    assert!(!says(&found(&angle, &torque), "drift"));
    for (i, t) in torque.iter_mut().enumerate() {
        *t += 3.0 * i as f64 / 6000.0;
    }
    let found = found(&angle, &torque);
    assert!(says(&found, "drift"), "{:?}", found.diagnostics);
    assert!((found.paths.drift.expect("a drift") - 3.0).abs() < 0.3);
}

/// Half of the clearance is not the clearance.
#[test]
fn the_drive_side_alone_leaves_the_clearance_open() {
    let damper = four_stages();
    let (angle, torque) = damper.slow_record(6000, 0.15, 71);
    let kept: Vec<usize> = (0..4500).filter(|&i| angle[i] >= 0.0).collect();
    let pick = |v: &[f64]| kept.iter().map(|&i| v[i]).collect::<Vec<f64>>();
    let found = found(&pick(&angle), &pick(&torque));
    assert!(says(&found, "clearance-open"), "{:?}", found.diagnostics);
}

/// Friction through a spring: behind a turn it builds up over 2 h / k.
#[test]
fn friction_that_turns_round_slowly() {
    let damper = four_stages();
    let (angle, _) = damper.slow_record(6000, 0.0, 0);
    let mut random = Noise::new(81);
    let (mut friction, spring) = (0.0_f64, 400.0);
    let mut torque = Vec::new();
    for i in 0..angle.len() {
        let step = if i == 0 { 0.0 } else { angle[i] - angle[i - 1] };
        let most = damper.slow.friction_at(angle[i]);
        friction = (friction + spring * step).clamp(-most, most);
        torque.push(damper.slow.elastic().at(angle[i]) + friction + 0.15 * random.gaussian());
    }
    let found = found(&angle, &torque);
    assert!(says(&found, "turn-round"), "{:?}", found.diagnostics);
    assert_eq!(counts(&found.device), [4, 4], "{:?}", found.device);
    let last = found.device.stages()[7];
    assert!((found.device.stiffness(last) / 1500.0 - 1.0).abs() < 0.01);
    assert!((found.device.friction[9] - 4.0).abs() < 0.3);
}

/// Springs do not have sharp corners: one node each, and the weak clearance between them.
#[test]
fn rounded_corners() {
    let damper = four_stages();
    let (angle, _) = damper.slow_record(6000, 0.0, 0);
    let mut random = Noise::new(85);
    let mut falling = false;
    let mut torque = Vec::new();
    for i in 0..angle.len() {
        if i > 0 && angle[i] != angle[i - 1] {
            falling = angle[i] < angle[i - 1];
        }
        let sense = if falling { -1.0 } else { 1.0 };
        // The mean over 12 mrad.
        let path = |x: f64| damper.slow.elastic().at(x) + sense * damper.slow.friction_at(x);
        let mean: f64 = (-6..=6)
            .map(|k| path(angle[i] + 1e-3 * f64::from(k)) / 13.0)
            .sum();
        torque.push(mean + 0.15 * random.gaussian());
    }
    let found = found(&angle, &torque);
    assert_eq!(counts(&found.device), [4, 4], "{:?}", found.device);
    for node in [1, 2, 3, 6, 7, 8] {
        let off = found.device.angles[node] - damper.slow.angles[node];
        assert!(off.abs() < 2e-3, "{node}: {off}");
    }
    assert!(width(&found.device) < 0.05, "{:?}", found.device);
}

/// Torque over time and its rate, as the paper compares them.
#[test]
fn rates_of_the_torque() {
    let damper = four_stages();
    let (angle, torque) = damper.slow_record(6000, 0.15, 91);
    let found = found(&angle, &torque);
    let time: Vec<f64> = (0..6000).map(|i| 0.02 * f64::from(i)).collect();
    let course = Course::of(&time, &angle, &torque, &found).expect("a course");
    // The fourth drive stage rises by 1500 N m/rad and 15 N m/rad of friction at 1.44 rad in 120 s.
    let steepest = course.device_rate.iter().fold(0.0, |m: f64, r| m.max(*r));
    assert!(
        (steepest / (1515.0 * 0.012) - 1.0).abs() < 0.01,
        "{steepest}"
    );
    let [mean, largest] = course.rate_deviation;
    assert!(mean < 2e-3 && largest < 2e-2, "{mean} {largest}");
    let backwards: Vec<f64> = time.iter().rev().copied().collect();
    assert!(Course::of(&backwards, &angle, &torque, &found).is_none());
}
