//! What `masing fit` says and refuses: every message is about something a user can change.

mod bench;

use bench::{Bench, Json as _};
use std::f64::consts::TAU;
use std::fmt::Write as _;

/// A sine of 1 mm through a spring of 200 N/mm and a dashpot, in mm and N, as `file`.
fn sine(bench: &Bench, file: &str, cycles: u32, per_cycle: u32, force: impl Fn(u32, f64) -> f64) {
    let mut text = "time [s],displacement [mm],force [N]\n".to_owned();
    for i in 0..=cycles * per_cycle {
        let phase = TAU * f64::from(i) / f64::from(per_cycle);
        let clean = 200.0 * phase.sin() + 40.0 * phase.cos();
        let _ = writeln!(
            text,
            "{:?},{:?},{:?}",
            f64::from(i) / f64::from(per_cycle),
            phase.sin(),
            clean + force(i, phase)
        );
    }
    bench.write(file, &text);
}

/// A small pseudo-random number about zero, the same for the same sample.
fn noise(i: u32) -> f64 {
    let mixed = i.wrapping_mul(2_654_435_761) ^ 0x9e37;
    f64::from(mixed.wrapping_mul(747_796_405) >> 8) / f64::from(1_u32 << 24) - 0.5
}

const LINEAR: &str = r#"
schema = "masing.study/1"
[[model.element]]
type = "spring"
[[model.element]]
type = "dashpot"
[parameters]
"spring.k" = { start = 1.0e5 }
[[experiment]]
file = "sine.csv"
"#;

#[test]
fn a_study_refuses_what_it_would_not_use() {
    let bench = Bench::new();
    sine(&bench, "sine.csv", 3, 60, |i, _| noise(i));
    bench.write("study.toml", LINEAR);
    for (arguments, words) in [
        ("study.toml --cells 4", "--cells needs test records"),
        ("study.toml --preload 1mm", "--preload needs test records"),
        ("study.toml --units force=kN", "in its [[experiment]]"),
        ("study.toml --window stabilised", "--window needs"),
        ("sine.csv --model spring --cells 4", "model with a chain"),
        (
            "sine.csv --model spring --fix spring.k=1e5 --start spring.k=2e5",
            "that --fix does not hold",
        ),
        (
            "sine.csv --model spring+dashpot --profile spring.q",
            "known parameters: spring.k, dashpot.c",
        ),
        (
            "sine.csv --model spring+dashpot --fix spring.k=2e5 --profile spring.k",
            "sought: dashpot.c",
        ),
    ] {
        let message = bench.run(&format!("fit {arguments}")).fails(2);
        assert!(message.contains(words), "{arguments}: {message}");
    }
    for (choice, words) in [
        ("{ fixed = 1e5, start = 2e5 }", "expected one of the two"),
        ("{ fixed = 1e5, max = 5e4 }", "fixed = 100000"),
        ("{ min = 2e5, max = 1e5 }", "expected min below max"),
        ("{ start = 1e5, min = 2e5 }", "start = 100000"),
        ("{ start = nan }", "expected a number"),
    ] {
        bench.write("bad.toml", &LINEAR.replace("{ start = 1.0e5 }", choice));
        let message = bench.run("fit bad.toml").fails(2);
        assert!(message.contains(words), "{choice}: {message}");
        let place = "bad.toml: [parameters] \"spring.k\"";
        assert!(message.contains(place), "{choice}: {message}");
    }
}

#[test]
fn tests_of_one_name_are_told_apart_and_one_file_counts_once() {
    let bench = Bench::new();
    sine(&bench, "sine.csv", 3, 60, |i, _| noise(i));
    let json = bench
        .run("fit sine.csv ./sine.csv --validate sine.csv --model spring+dashpot --json")
        .succeeds()
        .json();
    let names: Vec<&str> = json["experiments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|test| test["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["sine", "sine-2", "sine-3"]);
    let messages = messages(&json, "same-file");
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[0].contains("fitted more than once"));
    assert!(messages[1].contains("held out but fitted as well"));
}

/// The warnings of a result that carry a code.
fn messages(json: &serde_json::Value, code: &str) -> Vec<String> {
    let warnings = json["warnings"].as_array().unwrap().iter();
    warnings
        .filter(|warning| warning["code"] == code)
        .map(|warning| warning["message"].as_str().unwrap().to_owned())
        .collect()
}
