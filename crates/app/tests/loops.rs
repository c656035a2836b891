//! `masing fit` on single loops of Dahl and Bouc-Wen: recovery, verdict, the semi-analytic method, bad input.

mod bench;

use bench::{Bench, Json as _};
use serde_json::Value;
use std::fmt::Write as _;

/// A model of one element.
fn model(kind: &str, values: &[(&str, f64)]) -> String {
    let mut text = format!("schema = \"masing.model/1\"\n[[element]]\ntype = \"{kind}\"\n");
    for (name, value) in values {
        let _ = writeln!(text, "{name} = {value:?}");
    }
    text
}

const BOUC_WEN: [(&str, f64); 4] = [("a", 4e5), ("beta", 1e3), ("gamma", 3e2), ("n", 1.4)];
const DAHL: [(&str, f64); 3] = [("sigma", 3e5), ("fc", 250.0), ("alpha", 1.6)];

/// Writes `bouc-wen.csv` and `dahl.csv`: cycles of 1.5 mm from rest, 140 samples in each, turns on samples.
fn records(bench: &Bench) {
    bench
        .run("signal sine --amplitude 1.5mm --frequency 1Hz --cycles 4 --rate 140 --out sine.csv")
        .succeeds();
    for (kind, values) in [("bouc-wen", &BOUC_WEN[..]), ("dahl", &DAHL[..])] {
        bench.write("truth.toml", &model(kind, values));
        bench
            .run(&format!(
                "simulate truth.toml --motion sine.csv --out {kind}.csv"
            ))
            .succeeds();
    }
}

/// The rows `from..to` of a record, with the columns `displacement` and `force` only where `timeless`.
fn cut(bench: &Bench, name: &str, (from, to): (usize, usize), timeless: bool) -> String {
    let text = bench.read(name);
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let columns: Vec<usize> = (0..header.len())
        .filter(|&k| {
            let of = |word| header[k].starts_with(word);
            of("displacement") || of("force") || (of("time") && !timeless)
        })
        .collect();
    let pick = |cells: &[&str]| {
        let picked: Vec<&str> = columns.iter().map(|&k| cells[k]).collect();
        picked.join(",")
    };
    let mut out = pick(&header) + "\n";
    for line in lines.skip(from).take(to - from) {
        let cells: Vec<&str> = line.split(',').collect();
        out += &(pick(&cells) + "\n");
    }
    out
}

#[track_caller]
fn close(json: &Value, kind: &str, truth: &[(&str, f64)], share: f64) {
    for (name, truth) in truth {
        let value = json["parameters"][format!("{kind}.{name}")]["value"]
            .as_f64()
            .unwrap();
        assert!(
            (value / truth - 1.0).abs() < share,
            "{kind}.{name}: {value}"
        );
    }
}

#[test]
fn one_loop_with_and_without_time_is_enough() {
    let bench = Bench::new();
    records(&bench);
    for (kind, truth) in [("bouc-wen", &BOUC_WEN[..]), ("dahl", &DAHL[..])] {
        // The last cycle, begun at any place of it.
        for (timeless, from) in [(false, 420), (true, 390)] {
            bench.write(
                "loop.csv",
                &cut(&bench, &format!("{kind}.csv"), (from, from + 141), timeless),
            );
            let json = bench
                .run(&format!("fit loop.csv --model {kind} --json"))
                .succeeds()
                .json();
            assert_eq!(json["converged"], true);
            // Rounding, magnified by what one loop does not tell apart.
            close(&json, kind, truth, 1e-6);
            assert_eq!(json["suitability"]["other"]["better"], kind, "{json}");
        }
    }
}

#[test]
fn laws_of_the_family_are_recovered_without_a_start() {
    let bench = Bench::new();
    bench
        .run("signal sine --amplitude 1.5mm --frequency 1Hz --cycles 4 --rate 400 --out sine.csv")
        .succeeds();
    // Bristles that bend by a tenth of the stroke and by a hundredth of it; a friction that rises with speed.
    let lugre = |sigma0, sigma1, fc, fs, vs| {
        [
            ("sigma0", sigma0),
            ("sigma1", sigma1),
            ("sigma2", 900.0),
            ("fc", fc),
            ("fs", fs),
            ("vs", vs),
        ]
    };
    let asymmetric = [
        ("a", 3e5),
        ("beta", 900.0),
        ("gamma", -200.0),
        ("n", 1.3),
        ("phi", 150.0),
    ];
    let laws: [(&str, &[(&str, f64)]); 4] = [
        ("lugre", &lugre(4e5, 300.0, 60.0, 85.0, 4e-3)),
        ("lugre", &lugre(6e6, 800.0, 60.0, 90.0, 3e-3)),
        ("lugre", &lugre(1e6, 100.0, 80.0, 50.0, 3e-3)),
        ("bouc-wen-asymmetric", &asymmetric),
    ];
    for (kind, truth) in laws {
        bench.write("truth.toml", &model(kind, truth));
        bench
            .run("simulate truth.toml --motion sine.csv --out record.csv")
            .succeeds();
        let json = bench
            .run(&format!("fit record.csv --model {kind} --json"))
            .succeeds()
            .json();
        // Rounding, magnified by what one record does not tell apart.
        close(&json, kind, truth, 1e-8);
        assert!(!json["warnings"].to_string().contains("non-passive"));
    }
    // Bristles damped beyond what keeps the law passive: said, not refused.
    let wild = lugre(4e5, 3e3, 60.0, 85.0, 4e-3);
    bench.write("truth.toml", &model("lugre", &wild));
    bench
        .run("simulate truth.toml --motion sine.csv --out record.csv")
        .succeeds();
    let text = bench.run("fit record.csv --model lugre").succeeds();
    assert!(
        text.contains("passive only within what was tested"),
        "{text}"
    );
    assert!(text.contains("mm/s"), "{text}");
}

#[test]
fn the_other_law_is_named_where_it_suits_better() {
    let bench = Bench::new();
    records(&bench);
    let json = bench
        .run("fit bouc-wen.csv --model dahl --json")
        .succeeds()
        .json();
    assert_eq!(json["suitability"]["other"]["better"], "bouc-wen");
    assert!(json["combinations"]["dahl.alpha/fc"]["std_error"].is_number());
    let text = bench.run("fit bouc-wen.csv --model dahl").succeeds();
    assert!(
        text.contains("Bouc-Wen suits these tests better than Dahl"),
        "{text}"
    );
    // With a parameter held the two cannot be compared.
    let json = bench
        .run("fit dahl.csv --model dahl --fix dahl.alpha=1.6 --json")
        .succeeds()
        .json();
    assert!(json["suitability"]["other"].is_null(), "{json}");
    // The verdict is on the page too.
    bench
        .run("fit bouc-wen.csv --model dahl --out result")
        .succeeds();
    let page = bench.read("result/report.html");
    assert!(page.contains("Bouc-Wen suits these tests better"));
}

#[test]
fn the_semi_analytic_method_by_name() {
    let bench = Bench::new();
    records(&bench);
    for (kind, truth) in [("bouc-wen", &BOUC_WEN[..]), ("dahl", &DAHL[..])] {
        let json = bench
            .run(&format!(
                "fit {kind}.csv --model {kind} --method semi-analytic --json --out {kind}"
            ))
            .succeeds()
            .json();
        // Slopes between samples: a few per cent; beta and gamma follow the error of n many times over.
        let ends = [truth[0], truth[truth.len() - 1]];
        close(&json, kind, &ends, 0.05);
        assert_eq!(json["stop"], "formula");
        let methods = json["semi_analytic"].as_array().unwrap();
        assert_eq!(methods.len(), 2);
        assert_eq!(methods[0]["crossings"], "interpolated");
        assert!(methods[0]["damping_ratio"].as_f64().unwrap() > 0.05);
        let halves = &methods[1]["hypotheses"][1];
        assert!(
            halves["growing"].is_object() && halves["disparity"].is_object(),
            "{halves}"
        );
        assert!(bench.exists(&format!("{kind}/report.html")));
    }
    bench.write(
        "study.toml",
        "schema = \"masing.study/1\"\n[[model.element]]\ntype = \"dahl\"\n\
         [[experiment]]\nfile = \"dahl.csv\"\n[fit]\nmethod = \"semi-analytic\"\n",
    );
    let json = bench.run("fit study.toml --json").succeeds().json();
    assert_eq!(json["stop"], "formula");
    let message = bench
        .run("fit dahl.csv --model dahl+spring --method semi-analytic")
        .fails(2);
    assert!(
        message.contains("without anything in parallel"),
        "{message}"
    );
}

#[test]
fn bad_loops_get_a_message_or_a_status() {
    let bench = Bench::new();
    records(&bench);
    let study = |start: &str| {
        format!(
            "schema = \"masing.study/1\"\n[[model.element]]\ntype = \"bouc-wen\"\n\
             [[experiment]]\nfile = \"part.csv\"\nstart = \"{start}\"\n"
        )
    };
    // Three quarters of a cycle called periodic.
    bench.write("part.csv", &cut(&bench, "bouc-wen.csv", (140, 245), false));
    bench.write("study.toml", &study("periodic"));
    let message = bench.run("fit study.toml").fails(2);
    assert!(
        message.contains("one closed cycle") && message.contains("part.csv"),
        "{message}"
    );
    // The same, free, is fitted: it turns twice.
    bench.write("study.toml", &study("free"));
    bench.run("fit study.toml").succeeds();
    // A stroke without a turn: beta and gamma act as their sum only.
    bench.write(
        "stroke.csv",
        &cut(&bench, "bouc-wen.csv", (180, 240), false),
    );
    let json = bench
        .run("fit stroke.csv --model bouc-wen --json")
        .succeeds()
        .json();
    let codes: Vec<&str> = json["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|w| w["code"].as_str().unwrap())
        .collect();
    assert!(codes.contains(&"few-reversals"), "{codes:?}");
    let message = bench
        .run("fit stroke.csv --model dahl --method semi-analytic")
        .fails(2);
    assert!(message.contains("no loop"), "{message}");
    // The wrong way round.
    let message = bench.run("fit dahl.csv --model dahl --flip force").fails(2);
    assert!(message.contains("wrong way"), "{message}");
    // No force at all.
    let (header, rows) = bench.csv("dahl.csv");
    let mut text = header + "\n";
    for row in rows {
        let _ = writeln!(text, "{:?},{:?},{:?},0", row[0], row[1], row[2]);
    }
    bench.write("zero.csv", &text);
    let message = bench.run("fit zero.csv --model dahl").fails(2);
    assert!(message.contains("force does not change"), "{message}");
}

#[test]
fn loops_without_time_serve_laws_that_do_not_need_any() {
    let bench = Bench::new();
    records(&bench);
    bench.write("loop.csv", &cut(&bench, "dahl.csv", (0, 561), true));
    for model in [
        "dahl",
        "bouc-wen",
        "bouc-wen-asymmetric",
        "jenkins",
        "iwan",
        "sts",
    ] {
        let text = bench
            .run(&format!("fit loop.csv --model {model}"))
            .succeeds();
        assert!(
            text.contains("no time column; the model does not need any"),
            "{text}"
        );
    }
    for model in ["lugre", "dahl+dashpot", "rt"] {
        let message = bench.run(&format!("fit loop.csv --model {model}")).fails(2);
        assert!(message.contains("loop.csv: no time column"), "{message}");
    }
    // The wrong way is seen without time as well.
    let message = bench.run("fit loop.csv --model dahl --flip force").fails(2);
    assert!(message.contains("wrong way"), "{message}");
}

#[test]
fn motions_that_make_no_loop_get_a_message_or_a_status() {
    let bench = Bench::new();
    records(&bench);
    // Only up: fitted, with a remark; never closed.
    bench.write("up.csv", &cut(&bench, "dahl.csv", (0, 35), false));
    let text = bench.run("fit up.csv --model dahl").succeeds();
    assert!(text.contains("turns nowhere"), "{text}");
    bench.write(
        "study.toml",
        "schema = \"masing.study/1\"\n[[model.element]]\ntype = \"dahl\"\n\
         [[experiment]]\nfile = \"up.csv\"\nstart = \"periodic\"\n",
    );
    let message = bench.run("fit study.toml").fails(2);
    assert!(message.contains("one closed cycle"), "{message}");
    // Up and a little down.
    bench.write("turn.csv", &cut(&bench, "dahl.csv", (0, 60), false));
    let text = bench.run("fit turn.csv --model bouc-wen").succeeds();
    assert!(text.contains("turns once"), "{text}");
    // No motion, and a force that is the same throughout.
    let rows = |x: fn(f64) -> f64, force: f64| {
        let mut text = "time [s],displacement [mm],force [N]\n".to_owned();
        for i in 0..100 {
            let t = f64::from(i) * 0.01;
            let _ = writeln!(text, "{t},{},{force}", x(t));
        }
        text
    };
    bench.write("still.csv", &rows(|_| 1.0, 12.0));
    let message = bench.run("fit still.csv --model dahl").fails(2);
    assert!(message.contains("is constant"), "{message}");
    bench.write("same.csv", &rows(|t| (6.0 * t).sin(), 12.0));
    let message = bench.run("fit same.csv --model dahl").fails(2);
    assert!(message.contains("force does not change"), "{message}");
}

#[test]
fn the_example_is_recovered() {
    let bench = Bench::new();
    for name in ["small.csv", "medium.csv", "large.csv", "study.toml"] {
        let path = bench::root().join("examples/joint").join(name);
        bench.write(name, &std::fs::read_to_string(path).unwrap());
    }
    let truth = [("a", 4e7), ("beta", 3500.0), ("gamma", 1500.0), ("n", 1.5)];
    for arguments in [
        "medium.csv --model bouc-wen --validate large.csv",
        "study.toml",
    ] {
        let json = bench
            .run(&format!("fit {arguments} --json"))
            .succeeds()
            .json();
        for (name, truth) in truth {
            let found = &json["parameters"][format!("bouc-wen.{name}")];
            let (value, error) = (
                found["value"].as_f64().unwrap(),
                found["std_error"].as_f64().unwrap(),
            );
            // One draw of noise.
            assert!(
                (value - truth).abs() < 4.0 * error,
                "{arguments} {name}: {found}"
            );
            assert_eq!(found["status"], "ok");
        }
        assert_eq!(json["suitability"]["suits"], "yes", "{json}");
        assert_eq!(json["suitability"]["other"]["better"], "bouc-wen");
        let tests = json["experiments"].as_array().unwrap();
        let large = tests.iter().find(|t| t["name"] == "large").unwrap();
        assert!(
            large["relative_misfit"].as_f64().unwrap() < 0.008,
            "{large}"
        );
    }
    let json = bench
        .run("fit small.csv --model bouc-wen --json")
        .succeeds()
        .json();
    assert_ne!(json["parameters"]["bouc-wen.beta"]["status"], "ok");
    assert_eq!(json["combinations"]["bouc-wen.beta*zref^n"]["status"], "ok");
    assert!(json["suitability"]["other"]["better"].is_null());
    // Dahl on a loop that is not Dahl's, noise known from the repeated cycles.
    let json = bench
        .run("fit medium.csv --model dahl --json")
        .succeeds()
        .json();
    assert_eq!(json["suitability"]["suits"], "no");
    let codes = json["warnings"].to_string();
    assert!(
        codes.contains("not-suitable") && codes.contains("other-law"),
        "{codes}"
    );
}

#[test]
fn a_noisy_displacement_can_be_taken_as_a_series() {
    let bench = Bench::new();
    records(&bench);
    // Two cycles with 0.2 % of deterministic scatter on the displacement.
    let (header, rows) = bench.csv("dahl.csv");
    let columns: Vec<&str> = header.split(',').collect();
    let at = |word: &str| columns.iter().position(|c| c.starts_with(word)).unwrap();
    let (t, x, f) = (at("time"), at("displacement"), at("force"));
    let mut text = "time [s],displacement [m],force [N]\n".to_owned();
    let mut state = 5_u64;
    for row in &rows[140..421] {
        let scatter: f64 = (0..12)
            .map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (state >> 11) as f64 / (1_u64 << 53) as f64
            })
            .sum::<f64>()
            - 6.0;
        let _ = writeln!(
            text,
            "{:?},{:?},{:?}",
            row[t],
            row[x] + 3e-6 * scatter,
            row[f]
        );
    }
    bench.write("noisy.csv", &text);
    let study = |eiv: bool| {
        format!(
            "schema = \"masing.study/1\"\n[[model.element]]\ntype = \"dahl\"\n\
             [[experiment]]\nfile = \"noisy.csv\"\neiv = {eiv}\n"
        )
    };
    let mut off = Vec::new();
    for eiv in [false, true] {
        bench.write("study.toml", &study(eiv));
        let json = bench.run("fit study.toml --json").succeeds().json();
        let alpha = json["parameters"]["dahl.alpha"]["value"].as_f64().unwrap();
        off.push((alpha / 1.6 - 1.0).abs());
        let told = json["warnings"].to_string().contains("harmonics of ");
        assert_eq!(told, eiv, "{json}");
    }
    assert!(off[1] < 0.01 && off[0] > 3.0 * off[1], "{off:?}");
    // A stroke is no series.
    bench.write("noisy.csv", &cut(&bench, "dahl.csv", (180, 240), false));
    let message = bench.run("fit study.toml").fails(2);
    assert!(message.contains("periodic motion"), "{message}");
}
