use super::*;
use crate::options::ReadOptions;
use crate::read::experiment;
use crate::table::{Channel, Source, Table};
use masing_diagnostic::Units;
use std::path::Path;

fn test(channels: Vec<(&str, Vec<f64>)>) -> Experiment {
    let channels = channels
        .into_iter()
        .map(|(n, v)| Channel::new(n, None, v))
        .collect();
    experiment(
        Table::new("", channels, Source::new(Path::new("x.csv"), "text", 2)),
        &ReadOptions::default(),
    )
    .unwrap()
}

/// Spring-slider beside a spring under a sine: 10 cycles of 200 samples.
fn slider() -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let t: Vec<f64> = (0..=2000).map(|i| f64::from(i) * 0.005).collect();
    let x: Vec<f64> = t
        .iter()
        .map(|t| 1e-3 * (std::f64::consts::TAU * t).sin())
        .collect();
    let mut z = 0.0_f64;
    let mut f = vec![0.0];
    for w in x.windows(2) {
        z = (z + 1e6 * (w[1] - w[0])).clamp(-100.0, 100.0);
        f.push(z + 1e5 * w[1]);
    }
    (t, x, f)
}

fn codes(channels: Vec<(&str, Vec<f64>)>) -> Vec<&'static str> {
    inspect(&test(channels))
        .unwrap()
        .diagnostics
        .iter()
        .map(|f| f.code().as_str())
        .collect()
}

#[test]
fn a_clean_test_has_no_findings() {
    let (t, x, f) = slider();
    let found = inspect(&test(vec![
        ("t", t.clone()),
        ("x", x.clone()),
        ("F", f.clone()),
    ]))
    .unwrap();
    assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
    assert_eq!(found.cycles.len(), 10);
    assert_eq!(found.blocks.len(), 1);
    assert!((found.frequency.unwrap() - 1.0).abs() < 1e-6);
    // 4 zs (A - ys) with zs = 100 N, ys = 0.1 mm.
    assert!((found.cycles[5].energy.unwrap() / (4.0 * 100.0 * 0.9e-3) - 1.0).abs() < 2e-3);
}

#[test]
fn each_fault_is_named() {
    let (t, x, f) = slider();
    let with = |x: Vec<f64>, f: Vec<f64>| codes(vec![("t", t.clone()), ("x", x), ("F", f)]);
    assert_eq!(
        with(x.clone(), f.iter().map(|f| -f).collect()),
        ["wrong-way"]
    );
    assert_eq!(
        with(x.iter().map(|x| x + 0.03).collect(), f.clone()),
        ["offset"]
    );
    assert_eq!(
        with(
            x.clone(),
            f.iter().map(|f| f.clamp(-180.0, 150.0)).collect()
        ),
        ["clipped", "clipped"]
    );
    let stop: Vec<f64> = x
        .iter()
        .zip(&f)
        .map(|(x, f)| f + 1e7 * (x - 0.96e-3).max(0.0))
        .collect();
    assert_eq!(with(x.clone(), stop), ["end-stop"]);
    let mut spike = f.clone();
    spike[777] += 500.0;
    assert!(with(x.clone(), spike).contains(&"spikes"));
    let late = (0..f.len()).map(|i| f[i.saturating_sub(4)]).collect();
    assert_eq!(with(x.clone(), late), ["skew"]);
    let mut gap = f.clone();
    gap[500] = f64::NAN;
    assert_eq!(with(x.clone(), gap), ["gap"]);
    let growing: Vec<f64> = f
        .iter()
        .enumerate()
        .map(|(i, f)| f * (1.0 + i as f64 / 2000.0))
        .collect();
    assert!(with(x.clone(), growing).contains(&"not-stabilised"));
    assert_eq!(codes(vec![("x", x.clone()), ("F", f.clone())]), ["no-time"]);
    let rounded = t.iter().map(|t| (t * 100.0).round() / 100.0).collect();
    assert_eq!(
        codes(vec![("t", rounded), ("x", x.clone()), ("F", f.clone())]),
        ["time-rebuilt"]
    );
    let wandering = x
        .iter()
        .enumerate()
        .map(|(i, x)| x + 2e-7 * i as f64)
        .collect();
    assert!(with(wandering, f.clone()).contains(&"drift"));
}

#[test]
fn records_without_force_ring_down() {
    let t: Vec<f64> = (0..2000).map(|i| f64::from(i) * 1e-3).collect();
    let a: Vec<f64> = t.iter().map(|t| (-t).exp() * (50.0 * t).cos()).collect();
    let found = inspect(&test(vec![("t", t), ("acc", a)])).unwrap();
    assert!(found.ring_down.len() > 5);
    assert!((found.ring_down[0].damping_ratio - 0.02).abs() < 1e-3);
}

#[test]
fn a_decay_has_its_own_frequency_and_no_cycles() {
    let t: Vec<f64> = (0..3000).map(|i| f64::from(i) * 1e-3).collect();
    let x: Vec<f64> = t
        .iter()
        .map(|t| 1e-3 * (-3.0 * t).exp() * (50.0 * t).cos())
        .collect();
    let found = inspect(&test(vec![("t", t.clone()), ("x", x.clone())])).unwrap();
    let expected = 50.0 / std::f64::consts::TAU;
    assert!((found.frequency.unwrap() / expected - 1.0).abs() < 1e-3);
    assert!(found.cycles.is_empty() && found.blocks.is_empty() && found.harmonic.is_empty());
    assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
    // The middle of the extremes is not where the motion comes to rest.
    assert!(found.offset.abs() < 1e-5, "{}", found.offset);
    let high: Vec<f64> = x.iter().map(|x| x + 3e-3).collect();
    assert_eq!(codes(vec![("t", t.clone()), ("x", high)]), ["offset"]);
    // A drive without force keeps its cycles.
    let drive = t.iter().map(|t| 1e-3 * (50.0 * t).sin()).collect();
    let found = inspect(&test(vec![("t", t), ("x", drive)])).unwrap();
    assert!(found.cycles.len() > 20);
}

#[test]
fn a_middle_that_moves_is_told() {
    let (t, x, f) = slider();
    let message = |drift: f64| -> String {
        let x = x.iter().zip(&t).map(|(x, t)| x + drift * t).collect();
        let test = test(vec![("t", t.clone()), ("x", x), ("F", f.clone())]);
        let found = inspect(&test).unwrap().diagnostics;
        let about: Vec<_> = found
            .iter()
            .filter(|f| f.code().as_str() == "wandering")
            .collect();
        assert_eq!(about.len(), 1, "{found:?}");
        assert!(
            found.iter().all(|f| f.code().as_str() != "no-cycle"),
            "{found:?}"
        );
        about[0].text(Units::Translation)
    };
    // 3 mm in a cycle: none is about the middle of the record; 0.6 mm: some are.
    assert!(
        message(3e-3).contains("about 10 cycles"),
        "{}",
        message(3e-3)
    );
    assert!(message(3e-3).contains("no full cycle"), "{}", message(3e-3));
    assert!(message(6e-4).contains("only"), "{}", message(6e-4));
    let ramp: Vec<f64> = t.iter().map(|t| 1e-3 * t).collect();
    let found = inspect(&test(vec![("t", t), ("x", ramp), ("F", f)])).unwrap();
    let none = found
        .diagnostics
        .iter()
        .find(|f| f.code().as_str() == "no-cycle");
    assert!(
        none.unwrap()
            .text(Units::Translation)
            .contains("never turns"),
        "{none:?}"
    );
}

#[test]
fn a_constant_force_has_no_stiffness() {
    let (t, x, _) = slider();
    for force in [12.3, 0.0, -0.1] {
        let f = vec![force; t.len()];
        let found = inspect(&test(vec![
            ("t", t.clone()),
            ("x", x.clone()),
            ("F", f.clone()),
        ]))
        .unwrap();
        let codes: Vec<_> = found
            .diagnostics
            .iter()
            .map(|f| f.code().as_str())
            .collect();
        assert_eq!(codes, ["constant-force"]);
        for cycle in &found.cycles {
            assert_eq!(cycle.energy, Some(0.0));
            assert_eq!(cycle.secant_stiffness, Some(0.0));
            assert_eq!(cycle.dynamic_stiffness, Some(0.0));
            assert_eq!((cycle.loss_angle, cycle.damping_ratio), (None, None));
        }
        assert!(found.harmonic.is_empty());
    }
}

#[test]
fn a_cycle_with_a_gap_is_left_out() {
    let (t, x, f) = slider();
    let without = |from: usize, to: usize| {
        let keep = |v: &[f64]| [&v[..from], &v[to..]].concat();
        inspect(&test(vec![
            ("t", keep(&t)),
            ("x", keep(&x)),
            ("F", keep(&f)),
        ]))
        .unwrap()
    };
    // A quarter of the fourth cycle is missing; then a bit more than one cycle; then four samples.
    let found = without(640, 690);
    assert_eq!((found.cycles.len(), found.broken_cycles), (9, 1));
    let gap = found
        .diagnostics
        .iter()
        .find(|f| f.code().as_str() == "time-gap")
        .unwrap();
    assert!(
        gap.text(Units::Translation).contains("left out"),
        "{}",
        gap.text(Units::Translation)
    );
    let found = without(640, 870);
    assert_eq!((found.cycles.len(), found.broken_cycles), (8, 1));
    for cycle in &found.cycles {
        assert!((cycle.frequency.unwrap() - 1.0).abs() < 1e-3);
    }
    let found = without(640, 643);
    assert_eq!((found.cycles.len(), found.broken_cycles), (10, 0));
}

#[test]
fn hopeless_records_are_errors() {
    assert!(inspect(&test(vec![("x", vec![1.0, 2.0]), ("F", vec![1.0, 2.0])])).is_err());
    assert!(inspect(&test(vec![("x", vec![1.0; 9]), ("F", vec![1.0; 9])])).is_err());
}
