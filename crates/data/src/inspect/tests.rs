use super::*;
use crate::options::ReadOptions;
use crate::read::experiment;
use crate::table::{Channel, Source, Table};
use masing_diagnostic::{RecordDiagnostic, Units};
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
    assert_eq!(with(x.clone(), stop.clone()), ["end-stop"]);
    let told = inspect(&test(vec![("t", t.clone()), ("x", x.clone()), ("F", stop)]));
    // Where the force leaves the line by a twentieth of its range; the sine is slow there, and its samples close.
    assert!(
        matches!(told.unwrap().diagnostics[..], [Diagnostic::Record(RecordDiagnostic::EndStop { at, stiffness, before, .. })]
            if (at - 0.964e-3).abs() < 5e-6 && (stiffness / 1.01e7 - 1.0).abs() < 0.05 && (before / 1e5 - 1.0).abs() < 0.1)
    );
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

#[test]
fn steps_of_a_channel_are_told_where_they_matter() {
    let (t, x, f) = slider();
    let told = |step: f64, samples: usize| {
        let each = |v: &[f64]| -> Vec<f64> { v.iter().copied().take(samples).collect() };
        let x = each(&x).iter().map(|x| (x / step).round() * step).collect();
        codes(vec![("t", each(&t)), ("x", x), ("F", each(&f))])
    };
    // A hundredth of the stroke; then steps that the motion passes several of between two samples.
    assert!(told(4e-5, 2001).contains(&"coarse"));
    assert!(!told(4e-6, 2001).contains(&"coarse"));
    // The same steps under a motion that is a hundred times slower.
    let slow = |i: u32| (std::f64::consts::TAU * f64::from(i) / 20_000.0).sin();
    let x: Vec<f64> = (0..20_000)
        .map(|i| (250.0 * slow(i)).round() * 4e-6)
        .collect();
    let f = (0..20_000).map(|i| 100.0 * slow(i)).collect();
    let t = (0..20_000).map(f64::from).collect();
    let found = inspect(&test(vec![("t", t), ("x", x), ("F", f)])).unwrap();
    let coarse = found
        .diagnostics
        .iter()
        .find(|d| d.code().as_str() == "coarse");
    let text = coarse.unwrap().text(Units::Translation);
    assert!(
        text.contains("steps of 0.004 mm, 0.2 % of its range, and usually by 0.1"),
        "{text}"
    );
}

/// Advice about cycles is for cycles.
#[test]
fn advice_fits_the_kind_of_record() {
    let t: Vec<f64> = (0..4000).map(|i| f64::from(i) * 0.01).collect();
    let parts = [0.31, 0.57, 0.83, 1.13, 1.47];
    let irregular = |t: f64| -> f64 {
        let all = parts.iter().enumerate();
        all.map(|(k, f)| (std::f64::consts::TAU * f * t + (k * k) as f64).sin())
            .sum()
    };
    let about = |motion: &dyn Fn(f64) -> f64| {
        let x: Vec<f64> = t.iter().map(|t| 1e-3 * motion(*t)).collect();
        // A spring and a dashpot on an amplifier that clips.
        let v = crate::signal::derivative(&t, &x, 1).unwrap();
        let force: Vec<f64> = x.iter().zip(v).map(|(x, v)| 1e5 * x + 5e3 * v).collect();
        let top = range(&force).1;
        let force = force.iter().map(|f| f.min(0.6 * top)).collect();
        let found = inspect(&test(vec![("t", t.clone()), ("x", x), ("F", force)])).unwrap();
        let texts = found.diagnostics.iter().map(|d| d.text(Units::Translation));
        (found.kind.unwrap(), texts.collect::<Vec<_>>().join("\n"))
    };
    let (kind, text) = about(&|t| (std::f64::consts::TAU * t).sin());
    assert_eq!(kind, RecordKind::Cycles);
    assert!(text.contains("--cycle N"), "{text}");
    let envelope = |t: f64| (-(t - 12.0).powi(2) / 30.0).exp();
    for (motion, expected) in [
        (&irregular as &dyn Fn(f64) -> f64, RecordKind::Random),
        (&|t| irregular(t) * envelope(t), RecordKind::Earthquake),
        (&|t| (t / 3.0).min(1.0), RecordKind::Holds),
        (&|t| t, RecordKind::Ramp),
    ] {
        let (kind, text) = about(motion);
        assert_eq!(kind, expected);
        for word in [
            "--cycle",
            "stabilised",
            "in a cycle",
            "wander",
            "swings about",
        ] {
            assert!(!text.contains(word), "{kind:?}: {text}");
        }
        assert!(text.contains("clipped"), "{kind:?}: {text}");
    }
    let (_, text) = about(&|t| 2.0 + irregular(t) * envelope(t));
    assert!(
        text.contains("begins at 2.002 mm") && text.contains("--zero displacement=first"),
        "{text}"
    );
}
