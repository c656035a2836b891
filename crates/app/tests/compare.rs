//! `masing compare` and `masing fit` without a model, on `examples/joint`: text, JSON, files, studies, bad input.

mod bench;

use bench::{Bench, Json as _, root};
use serde_json::Value;

fn joint() -> String {
    let folder = root().join("examples/joint");
    let each = ["small", "medium", "large"].map(|name| folder.join(format!("{name}.csv")));
    let each = each.map(|path| path.display().to_string());
    each.join(" ")
}

#[test]
fn models_are_ranked_by_what_they_predict() {
    let bench = Bench::new();
    let arguments = format!(
        "compare {} --models jenkins,bouc-wen,dahl --out ladder --json",
        joint()
    );
    let json = bench.run(&arguments).succeeds().json();
    assert_eq!(json["schema"], "masing.compare/1");
    assert_eq!(json["model"], "bouc-wen");
    let ladder = json["ladder"].as_array().unwrap();
    let models: Vec<&str> = ladder.iter().filter_map(|r| r["model"].as_str()).collect();
    assert_eq!(models, ["bouc-wen", "dahl", "jenkins"]);
    let left_out = |i: usize| ladder[i]["left_out"]["rms"].as_f64().unwrap();
    assert!(left_out(0) < left_out(1) && left_out(1) < left_out(2));
    assert_eq!(ladder[0]["verdict"], "chosen");
    assert_eq!(ladder[0]["parameters"], 4);
    assert_eq!(ladder[0]["left_out"]["each"].as_array().unwrap().len(), 3);
    let written: Value = serde_json::from_str(&bench.read("ladder/compare.json")).unwrap();
    assert_eq!(
        written["ladder"][0]["left_out"],
        json["ladder"][0]["left_out"]
    );
    assert!(bench.read("ladder/model.toml").contains("bouc-wen"));
    assert!(
        bench
            .read("ladder/report.html")
            .contains("Error over number of parameters")
    );
}

#[test]
fn a_fit_without_a_model_finds_one() {
    let bench = Bench::new();
    let arguments = format!("fit {} --out found --json", joint());
    let json = bench.run(&arguments).succeeds().json();
    assert_eq!(json["schema"], "masing.fit/1");
    assert_eq!(json["model"], "bouc-wen");
    assert!(json["ladder"].as_array().unwrap().len() > 5);
    // The record was made with n = 1.5.
    let n = json["parameters"]["bouc-wen.n"]["value"].as_f64().unwrap();
    assert!((n - 1.5).abs() < 0.02, "{n}");
}

#[test]
fn a_study_may_leave_the_model_open() {
    let bench = Bench::new();
    let folder = root().join("examples/joint").display().to_string();
    let test = |name: &str| format!("[[test]]\nfile = \"{folder}/{name}.csv\"\n");
    let tests = ["small", "medium", "large"].map(test).concat();
    let head = "schema = \"masing.study/1\"\n[compare]\nmodels = [\"dahl\", \"jenkins\"]\n";
    bench.write("study.toml", &format!("{head}{tests}"));
    let json = bench.run("fit study.toml --json").succeeds().json();
    assert_eq!(json["model"], "dahl");
    let json = bench.run("compare study.toml --json").succeeds().json();
    assert_eq!(json["ladder"].as_array().unwrap().len(), 2);
}

#[test]
fn held_out_tests_are_only_shown() {
    let bench = Bench::new();
    let folder = root().join("examples/joint").display().to_string();
    let two = format!("compare {folder}/small.csv {folder}/large.csv --models jenkins,dahl --json");
    let without = bench.run(&two).succeeds().json();
    let with = bench.run(&format!("{two} --validate {folder}/medium.csv"));
    let with = with.succeeds().json();
    let held_out = &with["ladder"][0]["held_out"]["medium"];
    assert!(held_out.as_f64().is_some_and(|e| e < 0.2), "{held_out}");
    assert_eq!(
        with["ladder"][0]["left_out"],
        without["ladder"][0]["left_out"]
    );
}

#[test]
fn bad_input_is_named() {
    let bench = Bench::new();
    for (options, words) in [
        ("--models jenkis", "unknown element `jenkis`"),
        ("--models jenkins,", "models separated by commas"),
        ("--models series(spring)", "two or more"),
        ("--budget 0", "a number of candidates from 1"),
        ("--budget soon", "such as 60s"),
    ] {
        let message = bench
            .run(&format!("compare {} {options}", joint()))
            .fails(2);
        assert!(message.contains(words), "{options}: {message}");
    }
    let one = root().join("examples/bushing/step.csv");
    let message = bench.run(&format!("compare {}", one.display())).fails(2);
    assert!(message.contains("nothing can be left out"), "{message}");
}
