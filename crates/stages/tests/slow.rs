//! Stages from slow records: the damper of the notes on fresh seeds, another one, and records that lack something.

mod dampers;

use dampers::{Damper, four_stages, three_stages};
use masing_stages::{Device, QuasiStatic, SlowOptions, StagesError, characterise};

fn found(damper: &Damper, noise: f64, seed: u64) -> QuasiStatic {
    let (angle, torque) = damper.slow_record(6000, noise, seed);
    characterise(&angle, &torque, &SlowOptions::default()).expect("a device")
}

/// Largest differences: angles of nodes but the clearance, edges of the clearance, stiffness but of the stages next to it
/// (relative), friction.
fn differences(found: &QuasiStatic, truth: &Device) -> [f64; 4] {
    let mut out = [0.0_f64; 4];
    let device = &found.device;
    assert_eq!(
        (device.len(), device.minus, device.plus),
        (truth.len(), truth.minus, truth.plus)
    );
    for i in 0..truth.len() {
        let clearance = usize::from(i == truth.minus || i == truth.plus);
        let off = (device.angles[i] - truth.angles[i]).abs();
        out[clearance] = out[clearance].max(off);
        out[3] = out[3].max((device.friction[i] - truth.friction[i]).abs());
    }
    for (stage, k, _) in &found.stiffness {
        if stage.inner != truth.minus && stage.inner != truth.plus {
            out[2] = out[2].max((k / truth.stiffness(*stage) - 1.0).abs());
        }
    }
    out
}

#[test]
fn the_damper_of_the_notes() {
    let damper = four_stages();
    for seed in 101..105 {
        let found = found(&damper, 0.15, seed);
        let [angle, edge, stiffness, friction] = differences(&found, &damper.slow);
        println!("{seed}: {angle:.1e} {edge:.1e} {stiffness:.1e} {friction:.1e}");
        // The bounds of the notes; the outermost nodes are the ends of the record.
        assert!(angle <= 0.2e-3 && edge <= 4e-3, "{angle} {edge}");
        assert!(
            stiffness <= 1.5e-3 && friction <= 0.03,
            "{stiffness} {friction}"
        );
        assert!((found.noise / 0.15 - 1.0).abs() < 0.05, "{}", found.noise);
        assert!(found.mean_deviation < 6e-4 && found.max_deviation < 4e-3);
    }
}

#[test]
fn errors_are_those_that_happen() {
    let damper = four_stages();
    let seeds = 201..209;
    let mut squares = vec![[0.0; 3]; damper.slow.len()];
    for seed in seeds.clone() {
        let found = found(&damper, 0.15, seed);
        for i in 0..damper.slow.len() {
            let device = &found.device;
            // The last sample is not quite the end of the device.
            let end = i == 0 || i + 1 == damper.slow.len();
            let torque = if end {
                damper.slow.elastic().at(device.angles[i])
            } else {
                damper.slow.torques[i]
            };
            let off = [
                device.angles[i] - damper.slow.angles[i],
                device.torques[i] - torque,
                device.friction[i] - damper.slow.friction[i],
            ];
            for k in 0..3 {
                if let Some(error) = found.std_error[i][k] {
                    squares[i][k] += (off[k] / error).powi(2) / seeds.clone().count() as f64;
                }
            }
        }
    }
    for (i, row) in squares.iter().enumerate() {
        for (k, mean) in row.iter().enumerate().filter(|(_, m)| **m > 0.0) {
            // A mean of eight squares of ratio one; the edges of the clearance are kinks, not parabolas.
            assert!((0.1..4.0).contains(mean), "node {i}, {k}: {mean}");
        }
    }
}

#[test]
fn another_damper() {
    let damper = three_stages();
    for seed in 301..305 {
        let found = found(&damper, 0.1, seed);
        let [angle, edge, stiffness, friction] = differences(&found, &damper.slow);
        println!("{seed}: {angle:.1e} {edge:.1e} {stiffness:.1e} {friction:.1e}");
        assert!(angle <= 0.3e-3 && edge <= 4e-3, "{angle} {edge}");
        assert!(
            stiffness <= 3e-3 && friction <= 0.03,
            "{stiffness} {friction}"
        );
    }
}

#[test]
fn stages_that_are_asked_for() {
    let damper = four_stages();
    let (angle, torque) = damper.slow_record(6000, 0.15, 7);
    let with = |stages| {
        characterise(
            &angle,
            &torque,
            &SlowOptions {
                stages: Some(stages),
            },
        )
    };
    assert_eq!(with([4, 4]).expect("found").device.len(), 10);
    let fewer = with([3, 4]).expect("found").device;
    assert_eq!((fewer.minus, fewer.len() - 1 - fewer.plus), (4, 3));
    assert!(matches!(
        with([30, 4]),
        Err(StagesError::NoSuchStages {
            found_drive: 4,
            found_coast: 4,
            ..
        })
    ));
}

#[test]
fn backlash_without_soft_stages_and_lengths_in_millimetres() {
    // A coupling with backlash: metres and newtons.
    let mut damper = four_stages();
    damper.slow = Device {
        angles: vec![-3e-3, -0.2e-3, 0.25e-3, 1.5e-3, 3e-3],
        torques: vec![-2800.0, 0.0, 0.0, 1500.0, 6000.0],
        friction: vec![90.0, 20.0, 20.0, 60.0, 120.0],
        minus: 1,
        plus: 2,
    };
    let found = found(&damper, 5.0, 3);
    let [angle, edge, stiffness, friction] = differences(&found, &damper.slow);
    assert!(
        angle < 5e-6 && edge < 5e-6 && stiffness < 5e-3 && friction < 2.0,
        "{angle} {edge} {stiffness} {friction}"
    );
    assert!(found.clearance_rubs);
}

#[test]
fn a_device_without_clearance_and_one_with_one_side() {
    let mut damper = four_stages();
    damper.slow = Device {
        angles: vec![-0.3, -0.1, 0.0, 0.15, 0.3],
        torques: vec![-70.0, -10.0, 0.0, 15.0, 90.0],
        friction: vec![2.0, 1.0, 1.0, 1.0, 2.0],
        minus: 2,
        plus: 2,
    };
    let device = found(&damper, 0.1, 5).device;
    assert_eq!((device.len(), device.minus, device.plus), (5, 2, 2));
    assert!((device.angles[1] + 0.1).abs() < 1e-3 && device.angles[2].abs() < 2e-3);
    assert_eq!(device.name(2), "0");
    // Only the drive side was driven.
    let damper = four_stages();
    let (angle, torque) = damper.slow_record(6000, 0.15, 9);
    let drive: Vec<usize> = (0..angle.len())
        .filter(|&i| angle[i] >= 0.0 && i < 4500)
        .collect();
    let pick = |v: &[f64]| drive.iter().map(|&i| v[i]).collect::<Vec<f64>>();
    let one =
        characterise(&pick(&angle), &pick(&torque), &SlowOptions::default()).expect("a device");
    let last = one.device.len() - 1;
    assert!((one.device.angles[last] - 0.4).abs() < 2e-3);
    assert!(
        (one.device.angles[last - 1] - 0.3).abs() < 0.3e-3,
        "{:?}",
        one.device
    );
}

#[test]
fn a_record_that_does_not_close() {
    let damper = four_stages();
    let (angle, torque) = damper.slow_record(6000, 0.15, 11);
    // It stops at the end of the coast side: below zero there is only one path.
    let cut = angle.iter().position(|a| *a < -0.3199).expect("the end");
    let found =
        characterise(&angle[..cut], &torque[..cut], &SlowOptions::default()).expect("a device");
    assert!(
        found
            .diagnostics
            .iter()
            .any(|w| w.code().as_str() == "not-closed")
    );
    assert!(found.device.angles[0] > -0.01);
    let one_way = characterise(&angle[..1500], &torque[..1500], &SlowOptions::default());
    assert!(matches!(one_way, Err(StagesError::OneDirection { .. })));
    let swapped = characterise(&torque, &angle, &SlowOptions::default());
    assert!(matches!(swapped, Err(StagesError::Swapped { .. })));
}
