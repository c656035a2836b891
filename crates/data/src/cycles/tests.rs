use super::*;
use proptest::prelude::*;
use std::f64::consts::TAU;

/// Kelvin-Voigt: F = k x + c v, x = a sin(w t) + x0.
fn voigt(
    per_cycle: f64,
    n: usize,
    k: f64,
    c: f64,
    hz: f64,
    a: f64,
    x0: f64,
) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let w = TAU * hz;
    let t: Vec<f64> = (0..n).map(|i| i as f64 / (hz * per_cycle)).collect();
    let x = t.iter().map(|t| x0 + a * (w * t).sin()).collect();
    let f = t
        .iter()
        .map(|t| k * a * (w * t).sin() + c * a * w * (w * t).cos())
        .collect();
    (t, x, f)
}

#[test]
fn kelvin_voigt_by_the_book() {
    let (k, c, hz, a) = (2e5, 300.0, 5.0, 1e-3);
    let (t, x, f) = voigt(200.3, 1000, k, c, hz, a, 0.01);
    let found = cycles(&x, Some(&f), Some(&t));
    assert_eq!(found.len(), 4);
    let w = TAU * hz;
    for cycle in &found {
        assert!((cycle.amplitude / a - 1.0).abs() < 2e-4);
        assert!((cycle.frequency.unwrap() / hz - 1.0).abs() < 1e-6);
        // Trapezoid on 200 points: 1e-4 of the energy.
        assert!(
            (cycle.energy.unwrap() / (std::f64::consts::PI * c * w * a * a) - 1.0).abs() < 5e-4
        );
        let size = k.hypot(c * w);
        assert!((cycle.dynamic_stiffness.unwrap() / size - 1.0).abs() < 1e-4);
        assert!((cycle.loss_angle.unwrap() - (c * w).atan2(k)).abs() < 1e-4);
        assert!((cycle.secant_stiffness.unwrap() / size - 1.0).abs() < 1e-3);
        let zeta = cycle.energy.unwrap()
            / (TAU * cycle.secant_stiffness.unwrap() * cycle.amplitude.powi(2));
        assert!((cycle.damping_ratio.unwrap() - zeta).abs() < 1e-12);
    }
}

#[test]
fn blocks_of_two_amplitudes() {
    let mut x = Vec::new();
    for (a, n) in [(1.0, 5), (2.0, 4)] {
        x.extend((0..100 * n).map(|i| a * (TAU * f64::from(i) / 100.0).sin()));
    }
    x.push(0.0);
    let found = cycles(&x, None, None);
    let groups = blocks(&found);
    assert_eq!(groups.len(), 2, "{groups:?}");
    assert!((groups[0].amplitude - 1.0).abs() < 1e-3 && (groups[1].amplitude - 2.0).abs() < 1e-3);
    assert_eq!(stabilised(&found), Some(found.len() - 1));
}

#[test]
fn a_cycle_without_force_samples_has_no_energy() {
    let (t, x, mut f) = voigt(100.0, 350, 1e5, 0.0, 1.0, 1e-3, 0.0);
    f[120..180].fill(f64::NAN);
    let found = cycles(&x, Some(&f), Some(&t));
    assert!(found[0].energy.is_some());
    assert!(found[1].energy.is_none());
}

proptest! {
    #[test]
    fn any_numbers(x in proptest::collection::vec(prop_oneof![4 => -10.0..10.0f64, 1 => Just(f64::NAN)], 0..120)) {
        let time: Vec<f64> = (0..x.len()).map(|i| i as f64).collect();
        let found = cycles(&x, Some(&x), Some(&time));
        for cycle in &found {
            prop_assert!(cycle.start < cycle.end && cycle.end < x.len().max(1));
        }
        let _ = blocks(&found);
        let _ = stabilised(&found);
    }
}
