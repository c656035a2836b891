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
    // What the test begins with belongs to it, and is not given.
    for (name, truth) in [("displacement", 2e-3), ("velocity", -0.1)] {
        let own = &json["others"][format!("decay initial {name}")];
        let value = own["value"].as_f64().unwrap();
        assert!((value / truth - 1.0).abs() < 5e-3, "{own}");
    }
    let run = "fit decay.csv --model model.toml --out result";
    let text = bench.run(run).succeeds();
    let row = |name: &str| text.lines().find(|line| line.contains(name)).unwrap();
    for name in ["oscillator.x0", "oscillator.v0"] {
        let row = row(name);
        assert!(row.contains("per test") && !row.contains("given"), "{row}");
    }
    assert!(row("decay initial displacement").contains("ok"), "{text}");
    assert!(bench.read("result/report.html").contains("per test"));
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

/// A study of one test with lines of its own.
fn study(lines: &str) -> String {
    format!(
        "schema = \"masing.study/1\"\n[[model.element]]\ntype = \"dahl\"\n[model.system]\ntype = \"oscillator\"\n\
         [[experiment]]\nfile = \"u-y.csv\"\n{lines}\n"
    )
}

#[test]
fn any_set_of_channels_and_a_part_force() {
    let bench = Bench::new();
    let kept = ["velocity", "acceleration", "force"];
    simulated(&bench, DAHL, "load", &kept);
    bench.write("model.toml", UNKNOWN);
    let run = "fit u-y.csv --model model.toml --json";
    let json = bench.run(run).succeeds().json();
    near(&json, &JOINT, 2e-3);
    near(&json, &[("oscillator.m", 2.0)], 2e-3);
}

/// The second of two periods is the steady response, or nearly so.
#[test]
fn one_period_of_a_steady_response() {
    let bench = Bench::new();
    bench.write("truth.toml", DAHL);
    let force = |i: usize| {
        let turn = std::f64::consts::TAU * (i % 500) as f64 / 500.0;
        let lines = [
            (4.0, 0.3),
            (9.0, 1.9),
            (15.0, 4.0),
            (21.0, 2.2),
            (31.0, 5.1),
        ];
        45.0 * lines.iter().map(|(k, p)| (k * turn + p).sin()).sum::<f64>()
    };
    let mut text = "time,load\n".to_owned();
    for i in 0..2500 {
        let _ = writeln!(text, "{:?},{:?}", i as f64 / RATE, force(i));
    }
    bench.write("drive.csv", &text);
    bench
        .run("simulate truth.toml --load drive.csv --out response.csv --quiet")
        .succeeds();
    let (_, rows) = bench.csv("response.csv");
    let mut text = "time,load,displacement\n".to_owned();
    for (i, row) in rows.iter().enumerate().skip(2000) {
        let _ = writeln!(text, "{:?},{:?},{:?}", row[0], force(i), row[1]);
    }
    bench.write("u-y.csv", &text);
    bench.write("model.toml", UNKNOWN);
    let run = "fit u-y.csv --model model.toml --json";
    let json = bench.run(run).succeeds().json();
    let warnings = json["warnings"].to_string();
    assert!(warnings.contains("one period"), "{warnings}");
    near(&json, &JOINT, 5e-3);
    near(&json, &[("oscillator.m", 2.0)], 5e-3);
    // A piece of it is none, and is not taken for one.
    let open: Vec<&str> = text.lines().take(430).collect();
    bench.write("u-y.csv", &open.join("\n"));
    bench.write("study.toml", &study("start = \"periodic\""));
    let message = bench.run("fit study.toml").fails(2);
    assert!(message.contains("does not end where it began"), "{message}");
    assert!(message.contains("start = \"free\""), "{message}");
}

#[test]
fn accelerometers_with_a_high_pass() {
    let bench = Bench::new();
    simulated(&bench, DAHL, "base_acceleration", &["acceleration"]);
    // Both accelerometers lose what is slow: y' + w y = x', by the trapezoidal rule.
    let (header, rows) = bench.csv("u-y.csv");
    let corner = 2.0;
    let h = std::f64::consts::PI * corner / RATE;
    let mut last = [rows[0][1], rows[0][2]];
    let mut shown = last;
    let mut text = format!("{header}\n");
    for row in &rows {
        for c in 0..2 {
            shown[c] = ((1.0 - h) * shown[c] + row[c + 1] - last[c]) / (1.0 + h);
            last[c] = row[c + 1];
        }
        let _ = writeln!(text, "{:?},{:?},{:?}", row[0], shown[0], shown[1]);
    }
    bench.write("u-y.csv", &text);
    let mass = "[parameters]\n\"oscillator.m\" = { fixed = 2.0 }";
    bench.write(
        "study.toml",
        &study(&format!("high-pass = \"2Hz\"\n{mass}")),
    );
    let with = bench.run("fit study.toml --json").succeeds().json();
    near(&with, &JOINT, 5e-3);
    bench.write("study.toml", &study(mass));
    let without = bench.run("fit study.toml --json").succeeds().json();
    let error = |json: &Value| json["misfit"]["relative"].as_f64().unwrap();
    assert!(
        error(&with) < 0.2 * error(&without),
        "{} {}",
        error(&with),
        error(&without)
    );
    bench.write("study.toml", &study("high-pass = \"-1Hz\""));
    let message = bench.run("fit study.toml").fails(2);
    assert!(message.contains("a frequency above zero"), "{message}");
}

#[test]
fn records_that_cannot_tell_are_refused_with_words() {
    let bench = Bench::new();
    bench.write("model.toml", UNKNOWN);
    let record = |load: &dyn Fn(usize) -> f64, x: &dyn Fn(usize) -> f64| {
        let mut text = "time,load,displacement\n".to_owned();
        for i in 0..400 {
            let _ = writeln!(text, "{:?},{:?},{:?}", i as f64 / RATE, load(i), x(i));
        }
        text
    };
    let moves = |i: usize| 1e-6 * wave(i);
    let refused = |text: &str, expected: &str| {
        bench.write("u-y.csv", text);
        let message = bench.run("fit u-y.csv --model model.toml").fails(2);
        assert!(message.contains(expected), "{message}");
    };
    refused(&record(&wave, &|_| 0.0), "no test shows a motion");
    refused(&record(&|_| 0.0, &moves), "give the mass");
    let mut gap = record(&wave, &moves);
    gap.push_str("0.6,,1e-5\n");
    refused(&gap, "line 402");
    let text = record(&wave, &|i| moves(i) - moves(0));
    let undriven: Vec<String> = text
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            format!("{},{}", cells[0], cells[2])
        })
        .collect();
    refused(&undriven.join("\n"), "a free decay");
    // Steady under a load that never changes: no.
    bench.write("u-y.csv", &record(&|_| 10.0, &moves));
    bench.write("study.toml", &study("start = \"periodic\""));
    let message = bench.run("fit study.toml").fails(2);
    assert!(message.contains("does not change"), "{message}");
}

#[test]
fn a_structure_with_its_matrices_from_a_study() {
    let bench = Bench::new();
    let elements = "type = \"dahl\"\nbetween = [1, 2]\n";
    let truth = format!(
        "schema = \"masing.model/1\"\n[[element]]\n{elements}sigma = 3e4\nfc = 12.0\nalpha = 1.0\n\
         [system]\ntype = \"structure\"\nm = [[1.0, 0.0], [0.0, 1.0]]\nc = [[8.0, -4.0], [-4.0, 4.0]]\n\
         k = [[8e4, -4e4], [-4e4, 4e4]]\n"
    );
    simulated(
        &bench,
        &truth,
        "load.2",
        &["acceleration.1", "acceleration.2"],
    );
    let text = format!(
        "schema = \"masing.study/1\"\n[[model.element]]\n{elements}[model.system]\ntype = \"structure\"\n\
         m = [[0.9, 0.0], [0.0, 1.1]]\nc = [[5.0, -3.0], [-3.0, 3.0]]\nk = [[9e4, -4.5e4], [-4.5e4, 4.5e4]]\n\
         [parameters]\n\"structure.m\" = {{}}\n\"structure.c\" = {{}}\n\"structure.k\" = {{}}\n\
         [[experiment]]\nfile = \"u-y.csv\"\n"
    );
    bench.write("study.toml", &text);
    // A channel of a structure says of which mass it is.
    let record = bench.read("u-y.csv");
    bench.write("u-y.csv", &record.replace("acceleration.2", "acceleration"));
    let message = bench.run("fit study.toml").fails(2);
    assert!(message.contains("of which of the 2 masses"), "{message}");
    bench.write("u-y.csv", &record);
    let json = bench.run("fit study.toml --json").succeeds().json();
    let expected = [
        ("dahl.sigma", 3e4),
        ("dahl.fc", 12.0),
        ("structure.m[1,1]", 1.0),
        ("structure.m[2,2]", 1.0),
        ("structure.c[1,2]", -4.0),
        ("structure.k[1,1]", 8e4),
        ("structure.k[1,2]", -4e4),
        ("structure.k[2,1]", -4e4),
    ];
    near(&json, &expected, 5e-3);
    // What is not connected stays so.
    assert_eq!(json["parameters"]["structure.m[1,2]"]["status"], "fixed");
}

#[test]
fn the_example() {
    let bench = Bench::new();
    let folder = root().join("examples/oscillator");
    let folder = folder.display();
    let run = format!("fit {folder}/study.toml --json");
    let json = bench.run(&run).succeeds().json();
    // 1 % noise on 2000 samples: 95 in 100 intervals hold the truth, so three standard errors do.
    for (address, truth) in JOINT.into_iter().chain([("oscillator.m", 2.0)]) {
        let own = &json["parameters"][address];
        let (value, error) = (own["value"].as_f64(), own["std_error"].as_f64());
        let (value, error) = (value.unwrap(), error.unwrap());
        assert!(
            (value - truth).abs() < 3.0 * error,
            "{address}: {value} +- {error}"
        );
        assert!(error < 0.05 * truth, "{address}: {value} +- {error}");
    }
    for test in json["experiments"].as_array().unwrap() {
        let error = test["relative_misfit"].as_f64().unwrap();
        assert!(error < 0.011, "{}: {error}", test["name"]);
    }
    let run =
        format!("fit {folder}/base.csv --model {folder}/unknown.toml --fix oscillator.m=2 --json");
    near(&bench.run(&run).succeeds().json(), &JOINT[..2], 0.02);
    let run =
        format!("fit {folder}/decay.csv --model {folder}/unknown.toml --fix oscillator.m=2 --json");
    near(
        &bench.run(&run).succeeds().json(),
        &[("dahl.fc", 25.0), ("oscillator.k", 6e4)],
        0.05,
    );
}
