//! What studies and options can say, and that both say the same.

mod bench;

use bench::{Bench, Json as _};
use std::f64::consts::TAU;
use std::fmt::Write as _;

/// A sine of some mm through a spring of 200 N/mm and a dashpot, under these column names.
fn sine(bench: &Bench, file: &str, header: &str, amplitude: f64) {
    let mut text = format!("{header}\n");
    for i in 0..=180 {
        let phase = TAU * f64::from(i) / 60.0;
        let wobble = 0.3 * (17.0 * phase).sin();
        let (x, force) = (phase.sin(), 200.0 * phase.sin() + 40.0 * phase.cos());
        let _ = writeln!(
            text,
            "{:?};{:?};{:?}",
            f64::from(i) / 60.0,
            amplitude * x,
            amplitude * force + wobble
        );
    }
    bench.write(file, &text);
}

const PLAIN: &str = "time [s];displacement [mm];force [N]";

fn roles(json: &serde_json::Value) -> Vec<(String, String)> {
    let tests = json["experiments"].as_array().unwrap().iter();
    let text = |test: &serde_json::Value, key: &str| test[key].as_str().unwrap().to_owned();
    tests.map(|t| (text(t, "name"), text(t, "role"))).collect()
}

fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    let each = list.iter();
    each.map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
        .collect()
}

#[test]
fn files_after_validate_are_all_held_out() {
    let bench = Bench::new();
    for (name, amplitude) in [("a.csv", 1.0), ("b.csv", 0.5), ("c.csv", 0.8)] {
        sine(&bench, name, PLAIN, amplitude);
    }
    let run = "fit a.csv --model spring+dashpot --json --validate b.csv c.csv";
    let json = bench.run(run).succeeds().json();
    let expected = pairs(&[("a", "fit"), ("b", "validate"), ("c", "validate")]);
    assert_eq!(roles(&json), expected);
    let json = bench
        .run("fit [ab].csv --model spring+dashpot --json --validate c.csv")
        .succeeds()
        .json();
    assert_eq!(
        roles(&json),
        pairs(&[("a", "fit"), ("b", "fit"), ("c", "validate")])
    );
}

#[test]
fn options_hold_for_one_file_or_for_all() {
    let bench = Bench::new();
    sine(&bench, "a.csv", "t [s];pos [mm];F1 [N]", 1.0);
    sine(&bench, "b.csv", "t [s];pos [mm];F2 [N]", 0.5);
    let run = "fit a.csv b.csv --model spring+mid:dashpot --json --columns time=t,displacement=pos \
               --columns a.csv:force=F1 --columns b.csv:force=F2 --fix mid.c=6N*s/mm";
    let json = bench.run(run).succeeds().json();
    assert_eq!(json["parameters"]["mid.c"]["value"], 6000.0);
    let found = json["parameters"]["spring.k"]["value"].as_f64().unwrap();
    assert!((found - 2e5).abs() < 1e3, "{found}");
    let message = bench
        .run("fit a.csv --model spring --columns c.csv:force=F1")
        .fails(2);
    assert!(
        message.contains("one of the files before the colon"),
        "{message}"
    );
}

#[test]
fn a_study_and_options_make_the_same_fit() {
    let bench = Bench::new();
    sine(&bench, "a.csv", "time [s];\"pos, a=1 [mm]\";force [N]", 1.0);
    sine(&bench, "b.csv", "time [s];\"pos, a=1 [mm]\";force [N]", 0.5);
    bench.write(
        "study.toml",
        r#"
schema = "masing.study/1"
[[model.element]]
type = "spring"
[[model.element]]
type = "dashpot"
label = "mid"
[parameters]
"mid.c" = { start = "6N*s/mm" }
[defaults]
columns = { displacement = "pos, a=1" }
initial = "periodic"
[[test]]
file = "a.csv"
[[experiment]]
file = "b.csv"
role = "validate"
start = "estimated"
"#,
    );
    let study = bench.run("fit study.toml --json").succeeds().json();
    let tests = study["experiments"].as_array().unwrap();
    assert_eq!(tests[0]["start"], "periodic");
    assert_eq!(tests[1]["start"], "free");
    let found = study["parameters"]["spring.k"]["value"].as_f64().unwrap();
    assert!((found - 2e5).abs() < 1e3, "{found}");
}

#[test]
fn complaints_about_a_study_name_the_line() {
    let bench = Bench::new();
    sine(&bench, "a.csv", PLAIN, 1.0);
    let head = "schema = \"masing.study/1\"\n[[model.element]]\ntype = \"spring\"\n";
    for (rest, words) in [
        (
            "kk = 1\n[[test]]\nfile = \"a.csv\"\n",
            "line 4: unknown key `kk`",
        ),
        (
            "[[test]]\nfile = \"a.csv\"\npreload = 3\nweight = -1\n",
            "line 7: weight `-1`",
        ),
        (
            "[[test]]\nfile = \"a.csv\"\n[parameters]\n\"spring.k\" = { min = 2, max = 1 }\n",
            "line 7: [parameters]",
        ),
        (
            "[[test]]\nfile = \"a.csv\"\n[parameters]\n\"spring.k\" = { start = \"2kg\" }\n",
            "expected a number in N/m",
        ),
        ("[[test]]\nfile = \"none-*.csv\"\n", "line 5: FILE"),
    ] {
        bench.write("study.toml", &format!("{head}{rest}"));
        let message = bench.run("fit study.toml").fails(2);
        assert!(message.contains(words), "{rest}: {message}");
    }
    let message = bench.run("fit a.csv --model series(spring)").fails(2);
    assert!(
        message.contains("`series(...)` holds 1; expected two or more"),
        "{message}"
    );
    let message = bench.run("fit a.csv --model spring[cells=3]").fails(2);
    assert!(message.contains("has none"), "{message}");
}

#[test]
fn studies_name_their_schema() {
    let bench = Bench::new();
    sine(&bench, "a.csv", PLAIN, 1.0);
    bench.run("init a.csv --out study.toml").succeeds();
    assert!(
        bench
            .read("study.toml")
            .starts_with("#:schema masing.study.schema.json\n")
    );
    let schema: serde_json::Value =
        serde_json::from_str(&bench.read("masing.study.schema.json")).unwrap();
    assert_eq!(schema["$id"], "masing.study/1");
    let printed = bench.run("schema study").succeeds();
    assert_eq!(printed, bench.read("masing.study.schema.json"));
    // The line is a comment to everybody else.
    let message = bench.run("fit study.toml --fix nothing=1").fails(2);
    assert!(message.contains("nothing"), "{message}");
}
