//! `masing stages` on records as rigs make them, its model in other commands, and Ctrl-C.

mod bench;

use bench::{Bench, Json as _, root};
use serde_json::Value;
use std::fmt::Write as _;

/// Puts the records of the example into the folder.
fn example() -> Bench {
    let bench = Bench::new();
    for name in ["slow.csv", "step.csv"] {
        let text = std::fs::read_to_string(root().join("examples/clutch").join(name)).unwrap();
        bench.write(name, &text);
    }
    bench
}

/// The rows of a record of the example, each by a function of its numbers.
fn rewritten(bench: &Bench, name: &str, header: &str, row: impl Fn(&[f64]) -> String) -> String {
    let mut out = format!("{header}\n");
    for values in bench.csv(name).1 {
        let _ = writeln!(out, "{}", row(&values));
    }
    out
}

fn codes(json: &Value) -> Vec<&str> {
    let warnings = json["warnings"].as_array().unwrap();
    warnings
        .iter()
        .map(|w| w["code"].as_str().unwrap())
        .collect()
}

fn friction(json: &Value, name: &str) -> f64 {
    let nodes = json["refined"]["nodes"].as_array().unwrap();
    let node = nodes.iter().find(|n| n["name"] == name).unwrap();
    node["friction"].as_f64().unwrap()
}

/// The friction of the slow model is all there at the speed of the slow test.
#[test]
fn a_slow_model_has_the_loop_of_its_record() {
    let bench = example();
    bench.run("stages slow.csv --out slow").succeeds();
    bench
        .run("simulate slow/model.toml --motion slow.csv --out loop.csv")
        .succeeds();
    let energy = |rows: &[Vec<f64>], angle: f64| -> f64 {
        let pairs = rows.windows(2);
        pairs
            .map(|w| 0.5 * (w[0][2] + w[1][2]) * (w[1][1] - w[0][1]) * angle)
            .sum()
    };
    let (header, simulated) = bench.csv("loop.csv");
    assert_eq!(header.split(',').nth(1), Some("angle [rad]"), "{header}");
    let torque = header.split(',').position(|h| h.starts_with("torque"));
    let torque = torque.expect("a torque");
    let simulated: Vec<Vec<f64>> = simulated
        .iter()
        .map(|r| vec![r[0], r[1], r[torque]])
        .collect();
    let (_, measured) = bench.csv("slow.csv");
    let (a, b) = (
        energy(&simulated, 1.0),
        energy(&measured, 1.0_f64.to_radians()),
    );
    assert!((a / b - 1.0).abs() < 0.02, "{a} J, measured {b} J");
}

#[test]
fn other_units_and_zeros_of_the_rig() {
    let bench = example();
    // Degrees per second, milliseconds, a zero that is off by 2 deg/s.
    let text = rewritten(
        &bench,
        "step.csv",
        "time [ms],torque [Nm],velocity [deg/s]",
        |v| format!("{},{},{}", 1e3 * v[0], v[1], v[2].to_degrees() + 2.0),
    );
    bench.write("step2.csv", &text);
    // The zero of the torque cell of the slow rig is off.
    let text = rewritten(
        &bench,
        "slow.csv",
        "time [s],angle [deg],torque [Nm]",
        |v| format!("{},{},{}", v[0], v[1], v[2] + 0.3),
    );
    bench.write("slow2.csv", &text);
    let json = bench
        .run("stages slow2.csv --dynamic step2.csv --inertia 0.25 --json")
        .succeeds()
        .json();
    assert_eq!(json["ranking"][0], "D3.2");
    let codes = codes(&json);
    assert!(
        codes.contains(&"zero") && codes.contains(&"velocity-zero"),
        "{codes:?}"
    );
    let zero = json["quasi_static"]["torque_zero"].as_f64().unwrap();
    assert!((zero - 0.3).abs() < 0.03, "{zero}");
    for (name, truth) in [("I+", 1.3), ("II+", 3.0), ("III+", 5.5)] {
        let off = friction(&json, name) / truth - 1.0;
        assert!(off.abs() < 0.02, "{name}: {off}");
    }
    let deviations = &json["dynamic"]["linearisation"]["elastic_by_stage"];
    assert!(deviations.as_array().unwrap().len() >= 3, "{deviations}");
    assert_eq!(json["dynamic"]["cumulative"].as_array().unwrap().len(), 4);
    // Degrees without a unit.
    let text = rewritten(&bench, "slow.csv", "angle,torque", |v| {
        format!("{},{}", v[1], v[2])
    });
    bench.write("bare.csv", &text);
    let said = bench.run("stages bare.csv").succeeds();
    assert!(said.contains("--units angle=deg"), "{said}");
    assert!(
        said.contains("SI was assumed: angle in rad, torque in N m"),
        "{said}"
    );
}

#[test]
fn records_that_do_not_fit_are_refused_in_words() {
    let bench = example();
    let text = rewritten(
        &bench,
        "step.csv",
        "time [s],torque [Nm],velocity [rad/s]",
        |v| format!("{},{},{}", v[0], v[1], -v[2]),
    );
    bench.write("turned.csv", &text);
    let refused = |dynamic: &str| {
        let command = format!("stages slow.csv --dynamic {dynamic} --inertia 0.25");
        bench.run(&command).fails(2)
    };
    let turned = refused("turned.csv");
    assert!(
        turned.contains("sign") && turned.contains("--flip velocity"),
        "{turned}"
    );
    let slow = refused("slow.csv");
    assert!(slow.contains("is it a slow record"), "{slow}");
    for (option, value) in [("--eta", "-3"), ("--stages", "-1,2")] {
        let command = format!("stages slow.csv --dynamic step.csv --inertia 0.25 {option} {value}");
        let told = bench.run(&command).fails(2);
        assert!(told.contains(option) && told.contains("expected"), "{told}");
    }
}

/// A smooth hysteresis loop once came out as nine coast stages with a negative stiffness.
#[test]
fn a_device_without_stages_is_refused() {
    let bench = Bench::new();
    let mut text = "displacement [mm],force [N]\n".to_owned();
    let (mut z, mut last) = (0.0_f64, 0.0_f64);
    for i in 0..2000 {
        let x = 5.0 * (f64::from(i) * 0.0126).sin();
        let step = x - last;
        z += 60.0 * step - 0.6 * step.abs() * z;
        last = x;
        let _ = writeln!(text, "{x},{}", z + 40.0 * x);
    }
    bench.write("loop.csv", &text);
    let told = bench.run("stages loop.csv --out result").fails(2);
    for words in [
        "loop.csv",
        "shows no stages",
        "hysteresis loop",
        "masing fit",
        "terms",
        "--stages",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert!(!bench.exists("result"));
    let said = bench.run("stages loop.csv --stages 3,3").succeeds();
    assert!(
        said.contains("whether there are stages is doubtful"),
        "{said}"
    );
}

#[test]
#[ignore = "needs ../shared/data"]
fn real_dampers_without_stages_are_refused() {
    let bench = Bench::new();
    let data = root().join("../shared/data");
    let records = std::fs::read_dir(data.join("mr-damper")).unwrap();
    let mut records: Vec<_> = records.map(|entry| entry.unwrap().path()).collect();
    records.retain(|path| path.extension().is_some_and(|e| e == "csv"));
    assert_eq!(records.len(), 18);
    let refused = |options: &str| {
        let told = bench.run(&format!("stages {options}")).fails(2);
        assert!(told.contains("shows no stages"), "{options}: {told}");
    };
    for path in &records {
        refused(&path.display().to_string());
    }
    for name in ["0.5in", "1in", "1.5in"] {
        let path = data.join(format!("friction-damper/0.5Hz_36lb_{name}.csv"));
        refused(&format!(
            "{} --units displacement=in,force=kip",
            path.display()
        ));
    }
    let path = data.join("rubber-bearing/Test.mat");
    refused(&format!(
        "{} --columns displacement=d,force=f --units displacement=cm",
        path.display()
    ));
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_refinement_keeps_the_best_so_far() {
    let bench = example();
    let told = bench
        .interrupt("stages slow.csv --dynamic step.csv --inertia 0.25 --out result --quiet")
        .fails(3);
    assert!(told.contains("best so far"), "{told}");
    let json = bench.read("result/stages.json").json();
    assert_eq!(json["refined"]["converged"], false);
    assert_eq!(json["refined"]["stop"], "interrupted");
    assert!(codes(&json).contains(&"interrupted"));
    assert!(bench.exists("result/model.toml") && bench.exists("result/report.html"));
}
