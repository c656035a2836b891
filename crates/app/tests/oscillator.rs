//! Oscillators fitted from excitation and response by whole commands, without starting values.

mod bench;

use std::fmt::Write as _;

use bench::{Bench, Json as _, root};
use serde_json::Value;

const DAHL: &str = "schema = \"masing.model/1\"
[[element]]
type = \"dahl\"
sigma = 4e4
fc = 25.0
alpha = 1.0
[system]
type = \"oscillator\"
m = 2.0
c = 12.0
k = 6e4
";

const UNKNOWN: &str = "schema = \"masing.model/1\"
[[element]]
type = \"dahl\"
[system]
type = \"oscillator\"
";

const RATE: f64 = 750.0;

/// A sum of sines over two seconds.
fn wave(i: usize) -> f64 {
    let t = i as f64 / RATE;
    let lines = [
        (6.1, 0.3),
        (13.7, 1.9),
        (22.3, 4.0),
        (31.9, 2.2),
        (47.3, 5.1),
    ];
    let sum: f64 = lines
        .iter()
        .map(|(f, phase)| (std::f64::consts::TAU * f * t + phase).sin())
        .sum();
    45.0 * sum
}

/// Simulates a model under a wave in a column and keeps the columns asked for beside it.
fn simulated(bench: &Bench, model: &str, drive: &str, kept: &[&str]) {
    bench.write("truth.toml", model);
    let mut text = format!("time,{drive}\n");
    for i in 0..1500 {
        let _ = writeln!(text, "{:?},{:?}", i as f64 / RATE, wave(i));
    }
    bench.write("drive.csv", &text);
    bench
        .run("simulate truth.toml --load drive.csv --out response.csv --quiet")
        .succeeds();
    let (header, rows) = bench.csv("response.csv");
    let names: Vec<&str> = header.split(',').collect();
    let column = |name: &str| names.iter().position(|n| n.starts_with(name)).unwrap();
    let mut text = format!("time,{drive},{}\n", kept.join(","));
    for (i, row) in rows.iter().enumerate() {
        let _ = write!(text, "{:?},{:?}", row[0], wave(i));
        for name in kept {
            let _ = write!(text, ",{:?}", row[column(name)]);
        }
        text.push('\n');
    }
    bench.write("u-y.csv", &text);
}

#[track_caller]
fn near(json: &Value, expected: &[(&str, f64)], share: f64) {
    for (address, value) in expected {
        let found = json["parameters"][address]["value"].as_f64().unwrap();
        assert!(
            (found / value - 1.0).abs() < share,
            "{address}: {found}, expected {value}"
        );
    }
}

const JOINT: [(&str, f64); 5] = [
    ("dahl.sigma", 4e4),
    ("dahl.fc", 25.0),
    ("dahl.alpha", 1.0),
    ("oscillator.c", 12.0),
    ("oscillator.k", 6e4),
];

#[test]
fn everything_from_load_and_displacement() {
    let bench = Bench::new();
    simulated(&bench, DAHL, "load", &["displacement"]);
    bench.write("model.toml", UNKNOWN);
    let json = bench
        .run("fit u-y.csv --model model.toml --json")
        .succeeds()
        .json();
    assert_eq!(json["converged"], true);
    // Nothing but rounding and the accuracy of the steps.
    near(&json, &JOINT, 2e-3);
    near(&json, &[("oscillator.m", 2.0)], 2e-3);
    // A value of the file is a start, and a zero is held.
    bench.write(
        "zero.toml",
        &UNKNOWN.replace("\"oscillator\"", "\"oscillator\"\nc = 0.0"),
    );
    let json = bench
        .run("fit u-y.csv --model zero.toml --json")
        .succeeds()
        .json();
    assert_eq!(json["parameters"]["oscillator.c"]["status"], "fixed");
    assert_eq!(json["parameters"]["oscillator.c"]["value"], 0.0);
}

#[test]
fn a_moving_base_and_an_accelerometer_need_the_mass() {
    let bench = Bench::new();
    simulated(&bench, DAHL, "base_acceleration", &["acceleration"]);
    bench.write("model.toml", UNKNOWN);
    let message = bench.run("fit u-y.csv --model model.toml").fails(2);
    assert!(message.contains("give the mass"), "{message}");
    assert!(message.contains("--fix oscillator.m=VALUE"), "{message}");
    let run = "fit u-y.csv --model model.toml --fix oscillator.m=2 --json";
    let json = bench.run(run).succeeds().json();
    near(&json, &JOINT, 5e-3);
}

#[test]
fn a_free_decay_has_no_load() {
    let bench = Bench::new();
    let model = format!("{DAHL}x0 = 2e-3\nv0 = -0.1\n");
    bench.write("truth.toml", &model);
    let mut text = "time,load\n".to_owned();
    for i in 0..600 {
        let _ = writeln!(text, "{:?},0", f64::from(i) / RATE);
    }
    bench.write("drive.csv", &text);
    bench
        .run("simulate truth.toml --load drive.csv --out response.csv --quiet")
        .succeeds();
    let (_, rows) = bench.csv("response.csv");
    let mut text = "time,displacement\n".to_owned();
    for row in rows {
        let _ = writeln!(text, "{:?},{:?}", row[0], row[1]);
    }
    bench.write("decay.csv", &text);
    bench.write(
        "model.toml",
        &UNKNOWN.replace("\"oscillator\"", "\"oscillator\"\nm = 2.0"),
    );
    let json = bench
        .run("fit decay.csv --model model.toml --json")
        .succeeds()
        .json();
    assert_eq!(json["parameters"]["oscillator.m"]["status"], "fixed");
    near(&json, &JOINT, 5e-3);
    let warnings = json["warnings"].to_string();
    assert!(warnings.contains("begins in motion"), "{warnings}");
    // As parameters of the model, which the file then keeps.
    let study = "schema = \"masing.study/1\"
[[model.element]]
type = \"dahl\"
[model.system]
type = \"oscillator\"
m = 2.0
[parameters]
\"oscillator.x0\" = {}
\"oscillator.v0\" = {}
[[experiment]]
file = \"decay.csv\"
";
    bench.write("study.toml", study);
    let json = bench.run("fit study.toml --json").succeeds().json();
    near(
        &json,
        &[("oscillator.x0", 2e-3), ("oscillator.v0", -0.1)],
        5e-3,
    );
}

#[test]
fn stages_of_decimation_are_checked() {
    let bench = Bench::new();
    simulated(&bench, DAHL, "load", &["displacement"]);
    let study = |stages: &str| {
        format!(
            "schema = \"masing.study/1\"\n[[model.element]]\ntype = \"dahl\"\n[model.system]\ntype = \"oscillator\"\n\
             [[experiment]]\nfile = \"u-y.csv\"\ndecimation = {stages}\n"
        )
    };
    bench.write("study.toml", &study("[2, 1]"));
    let message = bench.run("fit study.toml").fails(2);
    assert!(message.contains("whole numbers from 2"), "{message}");
    bench.write("study.toml", &study("[100, 100]"));
    let message = bench.run("fit study.toml").fails(2);
    assert!(message.contains("at most 1000"), "{message}");
}

#[test]
fn the_benchmark_asks_for_its_record() {
    let bench = Bench::new();
    let message = bench.run("reproduce bouc-wen-benchmark").fails(2);
    assert!(message.contains("--train"), "{message}");
    let message = bench.run("reproduce bushing --train x.h5").fails(2);
    assert!(message.contains("bouc-wen-benchmark"), "{message}");
}

#[test]
#[ignore = "half a minute: cargo xtask study bouc-wen-benchmark"]
fn the_benchmark_is_met_to_its_noise() {
    let train = root().join("../shared/data/bouc-wen-benchmark/train.h5");
    if !train.exists() {
        println!("skipped: ../shared/data/bouc-wen-benchmark/train.h5 is not there");
        return;
    }
    let bench = Bench::new();
    let train = train.display();
    let run = format!("reproduce bouc-wen-benchmark --json --out page.html --train {train}");
    let json = bench.run(&run).succeeds().json();
    let part = |id: &str| {
        let parts = json["parts"].as_array().unwrap();
        parts.iter().find(|p| p["id"] == id).unwrap()["rows"]
            .as_array()
            .unwrap()
            .clone()
    };
    let value = |row: &Value, column: usize| row["values"][column].as_f64().unwrap();
    let training = &part("training")[0];
    let (left, noise) = (value(training, 0), value(training, 1));
    println!("training: {left:.3e} m rms, noise {noise:.3e} m rms");
    assert!((left / noise - 1.0).abs() < 0.02, "{left} {noise}");
    for row in part("parameters") {
        let (label, off) = (row["label"].as_str().unwrap(), value(&row, 2));
        println!("{label}: {off:.3} %");
        assert!(off.abs() < 1.0, "{label}: {off} %");
    }
    for row in &part("test")[..2] {
        let (label, rmse) = (row["label"].as_str().unwrap(), value(row, 0));
        println!("{label}: {rmse:.2e} m");
        assert!(rmse < 3e-7, "{label}: {rmse}");
    }
    assert!(bench.exists("page.html"));
}
