//! Structures with one joint: its parameters and those of the structure from noisy responses.

mod structure;

use masing_identify::Identified;
use masing_identify::test::Output;
use masing_model::Model;
use structure::{ALL, MATRICES, chain, drawn_up, found, shaken};

/// Everything that was sought within a share of the truth, damping within another.
#[track_caller]
fn recovered(fit: &Identified, truth: &Model, (share, damping): (f64, f64)) {
    assert!(fit.error.relative < 0.0105, "{}", fit.error.relative);
    for (p, t) in fit.estimates.iter().zip(truth.values()) {
        let Some(error) = p.std_error else { continue };
        let (off, error) = (p.value / t - 1.0, (error / t).abs());
        println!("{}: off by {off:.5} +- {error:.5}", p.address);
        let weak = p.address.starts_with("structure.c");
        let share = if weak { damping } else { share };
        assert!(off.abs() < share, "{}: {}", p.address, p.value);
    }
}

fn sought(fit: &Identified) -> usize {
    fit.estimates
        .iter()
        .filter(|p| p.std_error.is_some())
        .count()
}

/// Matrices known from a modal model, the joint not: two accelerometers beside it are enough.
#[test]
fn a_joint_among_ten_known_masses() {
    let truth = chain(10, [4, 5]);
    let mut test = shaken(&truth, &[Output::Acceleration], 3, 3);
    if let Some(test) = test.driven_masses_mut() {
        test.channels.retain(|c| [3, 4].contains(&c.dof));
    }
    let fit = found(&truth, test, &[]);
    assert_eq!(sought(&fit), 3);
    recovered(&fit, &truth, (0.005, 0.0));
}

/// Two masses, three dampers, three springs and the joint.
#[test]
fn two_masses_and_all_about_them() {
    let truth = chain(2, [1, 2]);
    let fit = found(
        &drawn_up(&truth, 105),
        shaken(&truth, &ALL, 3, 5),
        &MATRICES,
    );
    assert_eq!(sought(&fit), 3 + 2 + 3 + 3);
    recovered(&fit, &truth, (0.005, 0.005));
    let (v, of) = (fit.model.values(), |address| {
        truth.find(address).expect("known")[0]
    });
    assert_eq!(v[of("structure.k[1,2]")], v[of("structure.k[2,1]")]);
}

/// Ten of each, from ten accelerometers.
#[test]
fn ten_masses_and_all_about_them() {
    let truth = chain(10, [4, 5]);
    let test = shaken(&truth, &[Output::Acceleration], 3, 6);
    let fit = found(&drawn_up(&truth, 106), test, &MATRICES);
    assert_eq!(sought(&fit), 3 + 10 + 19 + 19);
    // Light damping (1 %) is known to 0.2 to 0.6 % from three seconds, by the standard errors; three
    // of them are allowed for.
    recovered(&fit, &truth, (0.005, 0.018));
}
