//! `masing fit` and `masing validate` on the files of examples/bushing, whose truth is known.

mod bench;

use bench::{Bench, Json as _};
use serde_json::Value;

const TRUTH: [(&str, f64); 5] = [
    ("rt.k0", 2e5),
    ("rt.kpa", 8e5),
    ("rt.kr", 3e6),
    ("rt.c0", 25.18),
    ("rt.alpha", 0.075),
];

/// A bench with the example beside it.
fn example() -> Bench {
    let bench = Bench::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/bushing");
    for entry in std::fs::read_dir(folder).expect("the example is there") {
        let path = entry.expect("a file").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        if let Ok(text) = std::fs::read_to_string(&path) {
            bench.write(&name, &text);
        }
    }
    bench
}

/// Every parameter within four standard errors of the truth, and those within `most` of it.
fn near_the_truth(json: &Value, most: f64) {
    for (address, truth) in TRUTH {
        let found = &json["parameters"][address];
        let number = |key: &str| found[key].as_f64().unwrap_or(f64::NAN);
        let (value, error) = (number("value"), number("std_error"));
        assert!(
            (value - truth).abs() < 4.0 * error,
            "{address}: {value} +- {error}"
        );
        assert!(error < most * truth, "{address}: {value} +- {error}");
    }
}

fn misfit(json: &Value, name: &str) -> f64 {
    let tests = json["experiments"].as_array().expect("tests");
    let test = tests.iter().find(|t| t["name"] == name).expect("the test");
    test["relative_misfit"].as_f64().expect("a number")
}

#[test]
fn a_triangle_alone_predicts_the_relaxation() {
    let bench = example();
    let json = bench
        .run("fit triangle.csv --model rt --validate step.csv --profile rt.alpha --out result --json")
        .succeeds()
        .json();
    near_the_truth(&json, 0.1);
    assert!(misfit(&json, "step") < 0.03, "{json}");
    let character = &json["character"];
    let rate = |key: &str| character[key].as_f64().expect("a number");
    // Payne: about 1000 N/mm at a hundredth of a millimetre, 450 N/mm at one (1 Hz).
    assert!(
        (rate("small_amplitude_rate") / 1e6 - 1.0).abs() < 0.03,
        "{character}"
    );
    assert!(
        (rate("large_amplitude_rate") / 4.5e5 - 1.0).abs() < 0.05,
        "{character}"
    );
    assert!(
        rate("friction") > 50.0 && rate("friction") < 120.0,
        "{character}"
    );
    let profile = &json["profiles"][0];
    assert_eq!(profile["parameter"], "rt.alpha");
    let end = |i: usize| profile["ci95"][i].as_f64().expect("bounded");
    assert!(
        end(0) < 0.078 && end(1) > 0.072 && end(0) < end(1),
        "{profile}"
    );
    // What was written is the model that was found.
    let again = bench
        .run("validate result/model.toml step.csv triangle.csv --json")
        .succeeds()
        .json();
    assert_eq!(again["schema"], "masing.validate/1");
    let (a, b) = (misfit(&json, "step"), misfit(&again, "step"));
    assert!((a - b).abs() < 1e-4, "{a} {b}");
    let text = bench.run("validate result/model.toml step.csv").succeeds();
    assert!(text.contains("error") && text.contains("step"), "{text}");
}

#[test]
fn the_study_joins_records_a_loop_and_a_table() {
    let bench = example();
    let json = bench
        .run("fit study.toml --out result --json")
        .succeeds()
        .json();
    near_the_truth(&json, 0.03);
    for name in ["step", "sine-0.3mm-1Hz", "sine-1mm-10Hz"] {
        assert!(misfit(&json, name) < 0.015, "{name}: {json}");
    }
    let offset = json["others"]["stabilised loop force offset"]["value"].as_f64();
    assert!(offset.is_some_and(|f| (f - 12.0).abs() < 0.5), "{offset:?}");
    assert!(json["parameters"]["rt.alpha"]["leave_one_out"].is_number());
    assert!(bench.read("result/report.html").contains("supplier table"));
    assert!(bench.read("result/model.toml").contains("direction"));
}

#[test]
fn other_methods_losses_and_weights_come_to_the_same() {
    let bench = example();
    for options in [
        "--method lbfgs",
        "--method bfgs --weights noise",
        "--loss huber",
        "--loss soft-l1",
    ] {
        let json = bench
            .run(&format!(
                "fit triangle.csv --model rt --no-scan {options} --json"
            ))
            .succeeds()
            .json();
        near_the_truth(&json, 0.1);
    }
}

#[test]
fn a_table_alone_and_rows_that_cannot_be_simulated() {
    let bench = example();
    let json = bench
        .run("fit kdyn.csv --model rt --json")
        .succeeds()
        .json();
    // kr shows in the kinks of a loop; first harmonics leave neighbouring minima open, and the error
    // bar says so.
    near_the_truth(&json, 0.5);
    let text = bench.read("kdyn.csv");
    let mut lines: Vec<&str> = text.lines().collect();
    let broken = lines[3].split_once(',').expect("cells").1.to_owned();
    let broken = format!("0,{broken}");
    lines[3] = &broken;
    bench.write("bad.csv", &lines.join("\n"));
    let message = bench.run("fit bad.csv --model rt --out none").fails(2);
    assert!(
        message.contains("bad.csv, line 4") && message.contains("frequency"),
        "{message}"
    );
    assert!(!bench.exists("none"));
}

#[test]
fn records_without_time_serve_laws_without_rate() {
    let bench = Bench::new();
    let model = "schema = \"masing.model/1\"\n[[element]]\ntype = \"spring\"\nk = 1e5\n[[element]]\n\
                 type = \"dahl\"\nsigma = 4e5\nfc = 60.0\nalpha = 1.0\n";
    bench.write("truth.toml", model);
    bench
        .run("signal sine --amplitude 1mm --frequency 1Hz --cycles 2 --rate 200 --out drive.csv")
        .succeeds();
    bench
        .run("simulate truth.toml --motion drive.csv --out all.csv")
        .succeeds();
    let text = bench.read("all.csv");
    let header: Vec<&str> = text.lines().next().expect("a header").split(',').collect();
    let at = |name: &str| {
        header
            .iter()
            .position(|h| h.starts_with(name))
            .expect("a column")
    };
    let (x, f) = (at("displacement"), at("force"));
    let pairs = text.lines().map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        format!("{},{}\n", cells[x], cells[f])
    });
    bench.write("loop.csv", &pairs.collect::<String>());
    let json = bench
        .run("fit loop.csv --model dahl+spring --json")
        .succeeds()
        .json();
    for (address, truth) in [
        ("dahl.sigma", 4e5),
        ("dahl.fc", 60.0),
        ("dahl.alpha", 1.0),
        ("spring.k", 1e5),
    ] {
        let value = json["parameters"][address]["value"]
            .as_f64()
            .expect("a number");
        // Turns of the sine between samples are known to 2e-5 of the stroke.
        assert!((value / truth - 1.0).abs() < 5e-3, "{address}: {value}");
    }
    let message = bench.run("fit loop.csv --model rt").fails(2);
    assert!(message.contains("time"), "{message}");
}

#[test]
fn what_cannot_be_trusted_is_said() {
    let bench = example();
    // A spring cannot dissipate: the search settles, the verdict is clear (exit code 3, see `verdict.rs`).
    let json = bench.run("fit triangle.csv --model spring --json");
    let json = json.printed().json();
    assert_eq!(json["converged"], true);
    let codes: Vec<&str> = json["warnings"]
        .as_array()
        .expect("warnings")
        .iter()
        .filter_map(|w| w["code"].as_str())
        .collect();
    assert!(codes.contains(&"correlated-residuals"), "{codes:?}");
    assert!(json["misfit"]["relative"].as_f64().expect("a number") > 0.1);
    // Missing forces are left out and reported, missing motion is refused with its line.
    let text = bench.read("triangle.csv");
    let with_gap = |column: usize| {
        let rows = text.lines().enumerate().map(|(i, line)| {
            let mut cells: Vec<&str> = line.split(',').collect();
            if i == 500 || i == 501 {
                cells[column] = "";
            }
            cells.join(",") + "\n"
        });
        rows.collect::<String>()
    };
    bench.write("force-gap.csv", &with_gap(2));
    let json = bench
        .run("fit force-gap.csv --model rt --no-scan --json")
        .succeeds()
        .json();
    assert_eq!(json["experiments"][0]["samples"], 1999);
    assert!(json["warnings"].to_string().contains("missing"), "{json}");
    bench.write("motion-gap.csv", &with_gap(1));
    for (arguments, words) in [
        ("fit motion-gap.csv --model rt", "line 501"),
        ("fit triangle.csv --model rt --units force=mm", "force"),
        ("fit triangle.csv --model rt --preload 3kg", "2.2mm or 150N"),
        (
            "fit triangle.csv --model dahl --preload 150N",
            "carries no force of 150 N",
        ),
        (
            "fit triangle.csv --model rt --window stabilised --cycle 2",
            "cycle",
        ),
        (
            "fit triangle.csv --model rt --profile rt.beta",
            "unknown parameter `rt.beta`",
        ),
        ("validate nowhere.toml triangle.csv", "nowhere.toml"),
        ("validate model.toml nowhere.csv", "nowhere.csv"),
    ] {
        let message = bench.run(arguments).fails(2);
        assert!(message.contains(words), "{arguments}: {message}");
    }
    // Two samples are no test.
    let short = text.lines().take(3).collect::<Vec<_>>().join("\n");
    bench.write("short.csv", &short);
    bench.run("fit short.csv --model rt --out none").fails(2);
    assert!(!bench.exists("none"));
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_search_keeps_the_best_so_far() {
    let bench = example();
    bench
        .interrupt(
            "fit sine-1mm-10Hz.csv sine-1mm-1Hz.csv triangle.csv step.csv --model rt --out result --quiet",
        )
        .fails(3);
    let json: Value = serde_json::from_str(&bench.read("result/fit.json")).expect("a document");
    assert_eq!(json["converged"], false);
    assert_eq!(json["stop"], "interrupted");
    assert!(bench.exists("result/report.html"));
}
