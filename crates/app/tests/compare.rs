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
    // The same of a model in `compare`, in `fit` and in a study.
    let folder = root().join("examples/joint").display().to_string();
    let tests = format!("[[test]]\nfile = \"{folder}/[sml]*.csv\"\n");
    for (model, words) in [
        ("series()", "expected the name of an element"),
        ("+", "expected the name of an element"),
        ("series(gap)", "expected two or more elements"),
        ("sprnig", "did you mean `spring`?"),
        ("series(gapp,slider)", "did you mean `gap`?"),
        ("a:spring+a:dashpot", "the label `a` is used twice"),
        ("series(slider,slider)", "cannot stand in a series"),
        ("series(softening(spring),gap)", "cannot stand in a series"),
        ("series(lugre,spring)", "its friction falls with the speed"),
    ] {
        let head = "schema = \"masing.study/1\"\n[compare]\n";
        let study = format!("{head}models = [\"{model}\"]\n{tests}");
        bench.write("study.toml", &study);
        for command in [
            format!("compare {} --models {model}", joint()),
            format!("fit {} --model {model}", joint()),
            "compare study.toml".to_owned(),
            "fit study.toml".to_owned(),
        ] {
            let message = bench.run(&command).fails(2);
            assert!(message.contains(words), "{command}: {message}");
        }
    }
    let one = root().join("examples/bushing/step.csv");
    let message = bench.run(&format!("compare {}", one.display())).fails(2);
    assert!(message.contains("nothing can be left out"), "{message}");
}

/// A motion without force: slow and small against `examples/joint`.
fn motion(bench: &Bench, name: &str, rows: impl Fn(f64) -> String, head: &str) {
    let each = (0..400).map(|i| rows(f64::from(i) * 0.05));
    let rows: Vec<String> = each.collect();
    bench.write(name, &format!("{head}\n{}\n", rows.join("\n")));
}

#[test]
fn models_are_chosen_for_a_motion() {
    let bench = Bench::new();
    let sine = |t: f64| format!("{t},{}", 1.2 * (0.6 * t).sin());
    motion(&bench, "job.csv", sine, "time [s],displacement [mm]");
    let compare = format!("compare {} --models bouc-wen,dahl,jenkins", joint());
    let json = bench.run(&format!("{compare} --for job.csv --out on --json"));
    let json = json.succeeds().json();
    let target = &json["target"];
    assert_eq!(target["name"], "job");
    let share = |v: &Value| v.as_f64().is_some_and(|v| (0.0..=1.0).contains(&v));
    assert!(share(&target["alike"]) && share(&target["outside"]["any"]));
    assert_eq!(target["models"][0]["model"], json["model"]);
    let weights = &json["ladder"][0]["left_out"]["weights"];
    assert_eq!(weights.as_array().unwrap().len(), 3);
    assert!(bench.read("on/report.html").contains("On job"));
    let text = bench.run(&format!("{compare} --for job.csv")).succeeds();
    let words = "weighted by the speeds and amplitudes of `job`";
    assert!(text.contains(words), "{text}");
    // Nothing is said of a motion that was not given.
    let json = bench.run(&format!("{compare} --json")).succeeds().json();
    assert!(json.get("target").is_none());
    assert!(json["ladder"][0]["left_out"].get("weights").is_none());
}

#[test]
fn a_study_names_the_motion_it_is_for() {
    let bench = Bench::new();
    let sine = |t: f64| format!("{t},{}", 1.2 * (0.6 * t).sin());
    motion(&bench, "job.csv", sine, "when,where");
    let folder = root().join("examples/joint").display().to_string();
    let test = |name: &str| format!("[[test]]\nfile = \"{folder}/{name}.csv\"\n");
    let tests = ["small", "medium", "large"].map(test).concat();
    let columns = "columns = { time = \"when\", displacement = \"where\" }";
    let units = "units = { displacement = \"mm\" }";
    let target = format!("for = {{ file = \"job.csv\", {columns}, {units} }}");
    let head = "schema = \"masing.study/1\"\n[compare]\nmodels = [\"dahl\", \"jenkins\"]\n";
    bench.write("study.toml", &format!("{head}{target}\n{tests}"));
    let json = bench.run("compare study.toml --json").succeeds().json();
    assert_eq!(json["target"]["name"], "job");
    let fit = bench.run("fit study.toml --json").succeeds().json();
    assert_eq!(fit["target"]["name"], "job");
    assert_eq!(fit["target"]["alike"], json["target"]["alike"]);
}

#[test]
fn a_motion_that_cannot_be_used_is_named() {
    let bench = Bench::new();
    let still = |t: f64| format!("{t},1.0");
    motion(&bench, "still.csv", still, "time [s],displacement [mm]");
    let sine = |t: f64| format!("{}", t.sin());
    motion(&bench, "timeless.csv", sine, "displacement [mm]");
    let force = |t: f64| format!("{t},{}", t.sin());
    motion(&bench, "forces.csv", force, "time [s],force [N]");
    let gap = |t: f64| {
        let x = if t == 1.0 { f64::NAN } else { t.sin() };
        format!("{t},{x}")
    };
    motion(&bench, "gap.csv", gap, "time [s],displacement [mm]");
    motion(&bench, "turned.csv", force, "time [s],angle [deg]");
    for (file, words) in [
        ("none.csv", "none.csv"),
        ("still.csv", "is constant"),
        ("timeless.csv", "time"),
        ("forces.csv", "displacement"),
        ("gap.csv", "line 22"),
        ("turned.csv", "cannot be mixed"),
    ] {
        let arguments = format!("compare {} --models dahl,jenkins --for {file}", joint());
        let message = bench.run(&arguments).fails(2);
        assert!(
            message.contains(words) && message.contains(file),
            "{file}: {message}"
        );
    }
}

#[test]
fn levels_are_stated_by_all_tests_or_by_none() {
    let bench = Bench::new();
    let levels = |large: &str| {
        let given = "--condition small.csv:current=0A --condition medium.csv:current=1A";
        format!("compare {} --models jenkins {given} {large}", joint())
    };
    let missing = bench.run(&levels("")).fails(2);
    assert!(
        missing.contains("test `large` has no level of `current`"),
        "{missing}"
    );
    let mixed = bench.run(&levels("--condition large.csv:current=2K"));
    let mixed = mixed.fails(2);
    assert!(mixed.contains("current"), "{mixed}");
    let all = levels("--condition large.csv:current=2A");
    bench.run(&all).succeeds();
    // One level alone is only noted: nothing can follow it.
    let noted = format!(
        "compare {} --models jenkins --condition small.csv:current=0A",
        joint()
    );
    bench.run(&noted).succeeds();
}
