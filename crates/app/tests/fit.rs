//! `masing fit` on whole files: truth recovered, held-out test predicted, bad input refused.

mod bench;

use bench::{Bench, Json as _};
use std::fmt::Write as _;

const TRUTH: [(&str, f64); 5] = [
    ("rt.k0", 2e5),
    ("rt.kpa", 8e5),
    ("rt.kr", 3e6),
    ("rt.c0", 33.6),
    ("rt.alpha", 0.15),
];

/// A triangle to fit and a ramp with a hold to predict, with 1 % noise on the force.
fn tests(bench: &Bench) {
    let mut model =
        "schema = \"masing.model/1\"\n[[element]]\ntype = \"rt\"\ncells = 8\n".to_owned();
    for (address, value) in TRUTH {
        let _ = writeln!(model, "{} = {value:?}", &address[3..]);
    }
    bench.write("truth.toml", &model);
    bench
        .run("signal triangle --amplitude 1mm --frequency 1Hz --cycles 2 --rate 500 --out triangle.csv")
        .succeeds();
    bench
        .run("signal ramp --amplitude 1mm --rise 0.1s --hold 0.9s --rate 500 --out ramp.csv")
        .succeeds();
    for name in ["triangle", "ramp"] {
        bench
            .run(&format!(
                "simulate truth.toml --motion {name}.csv --out {name}.csv"
            ))
            .succeeds();
        let text = bench.read(&format!("{name}.csv"));
        let mut lines = text.lines();
        let header = lines.next().unwrap();
        let at = header
            .split(',')
            .position(|h| h.starts_with("force"))
            .unwrap();
        let mut out = format!("{header}\n");
        let mut state = 7_u64;
        for line in lines {
            let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
            let noise: f64 = (0..12)
                .map(|_| {
                    state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    (state >> 11) as f64 / (1_u64 << 53) as f64
                })
                .sum::<f64>()
                - 6.0;
            cells[at] = format!("{:?}", cells[at].parse::<f64>().unwrap() + 4.5 * noise);
            out.push_str(&cells.join(","));
            out.push('\n');
        }
        bench.write(&format!("{name}.csv"), &out);
    }
}

#[test]
fn parameters_come_with_honest_error_bars_and_predict_a_held_out_test() {
    let bench = Bench::new();
    tests(&bench);
    let json = bench
        .run("fit triangle.csv --model rt --cells 8 --validate ramp.csv --out result --json")
        .succeeds()
        .json();
    assert_eq!(json["schema"], "masing.fit/1");
    assert_eq!(json["converged"], true);
    for (address, truth) in TRUTH {
        let found = &json["parameters"][address];
        let (value, error) = (
            found["value"].as_f64().unwrap(),
            found["std_error"].as_f64().unwrap(),
        );
        // Five parameters within four standard errors, on one fixed draw of noise.
        assert!(
            (value - truth).abs() < 4.0 * error,
            "{address}: {value} +- {error}"
        );
        // One speed tells c0 at 1 m/s and alpha apart only roughly; the stiffnesses are certain.
        assert!(
            address > "rt.k" || found["status"] != "unidentifiable",
            "{address}"
        );
        assert!(address < "rt.k" || found["status"] == "ok", "{address}");
    }
    let validation = &json["experiments"][1];
    assert_eq!(validation["role"], "validate");
    assert!(
        validation["relative_misfit"].as_f64().unwrap() < 0.03,
        "{validation}"
    );
    // What was written goes on: the model simulates.
    bench
        .run("simulate result/model.toml --motion ramp.csv --out again.csv")
        .succeeds();
    assert!(
        bench
            .read("result/summary.csv")
            .starts_with("parameter,value")
    );
    let text = bench
        .run("fit triangle.csv --model rt --cells 8 --fix rt.alpha=0.15")
        .succeeds();
    assert!(text.contains("given") && text.contains("error"), "{text}");
}

#[test]
fn bad_input_is_refused_in_words() {
    let bench = Bench::new();
    tests(&bench);
    for (arguments, words) in [
        ("fit triangle.csv --model rtt", "unknown element `rtt`"),
        (
            "fit triangle.csv --model rt --fix rt.beta=1",
            "unknown parameter `rt.beta`",
        ),
        (
            "fit triangle.csv --model rt --start rt.alpha=2",
            "outside its range",
        ),
        (
            "fit triangle.csv --model spring --fix spring.k=1e5",
            "nothing is left to find",
        ),
        ("fit triangle.csv --model rt --flip force", "wrong way"),
        (
            "fit triangle.csv --model rt --start rt.alpha",
            "PARAMETER=VALUE",
        ),
        ("fit nowhere.csv --model rt", "nowhere.csv"),
    ] {
        let message = bench.run(&format!("{arguments} --out refused")).fails(2);
        assert!(message.contains(words), "{arguments}: {message}");
        assert!(
            !bench.exists("refused"),
            "{arguments} left something behind"
        );
    }
    let message = bench
        .run("fit triangle.csv --model rt --out triangle.csv")
        .fails(2);
    assert!(message.contains("cannot write triangle.csv"), "{message}");
}

#[test]
fn a_study_does_the_same_for_many_tests() {
    let bench = Bench::new();
    tests(&bench);
    bench.write(
        "study.toml",
        r#"
schema = "masing.study/1"
[part]
number = "4711-A"
[[model.element]]
type = "rt"
cells = 8
[parameters]
"rt.alpha" = { start = 0.1, min = 0.01, max = 0.5 }
"rt.k0" = { fixed = 2.0e5 }
[[experiment]]
name = "triangle, second cycle"
file = "triangle.csv"
window = "stabilised"
columns = { time = "time", displacement = "displacement", force = "force" }
units = { displacement = "m", force = "N" }
nuisance = { force-offset = true }
[[experiment]]
file = "ramp.csv"
role = "validate"
[fit]
weights = "noise"
seed = 3
"#,
    );
    let json = bench
        .run("fit study.toml --out result --json")
        .succeeds()
        .json();
    assert_eq!(json["parameters"]["rt.k0"]["status"], "fixed");
    let kpa = &json["parameters"]["rt.kpa"];
    let off = (kpa["value"].as_f64().unwrap() - 8e5).abs() / kpa["std_error"].as_f64().unwrap();
    assert!(off < 4.0, "{kpa}");
    assert_eq!(json["experiments"][0]["name"], "triangle, second cycle");
    assert_eq!(json["experiments"][1]["role"], "validate");
    assert!(
        json["others"]["triangle, second cycle force offset"]["std_error"].is_number(),
        "{json}"
    );
    assert!(bench.read("result/model.toml").contains("4711-A"));
    // What `init` writes can be fitted as it is.
    bench
        .run("init triangle.csv ramp.csv --out found.toml")
        .succeeds();
    bench.run("fit found.toml --json").succeeds();
    for (from, to, words) in [
        (
            "masing.study/1",
            "masing.study/2",
            "this version reads `masing.study/1`",
        ),
        ("weights =", "wieghts =", "unknown field `wieghts`"),
        (
            "role = \"validate\"",
            "kind = \"harmonic\"",
            "no stiffness column",
        ),
        ("\"rt.k0\" =", "\"rt.k9\" =", "unknown parameter `rt.k9`"),
        ("type = \"rt\"", "type = \"rtt\"", "unknown element `rtt`"),
        (
            "file = \"ramp.csv\"",
            "file = \"nowhere.csv\"",
            "nowhere.csv",
        ),
    ] {
        let text = bench.read("study.toml").replacen(from, to, 1);
        bench.write("bad.toml", &text);
        let message = bench.run("fit bad.toml").fails(2);
        assert!(message.contains(words), "{to}: {message}");
    }
}
