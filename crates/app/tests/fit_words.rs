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
        ("study.toml --nuisance delay", "--nuisance needs"),
        (
            "sine.csv --model spring --nuisance lag",
            "expected force-offset, displacement-offset, delay",
        ),
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
    let text = LINEAR.replace("spring.k", "spring.q");
    bench.write("bad.toml", &text);
    let message = bench.run("fit bad.toml").fails(2);
    assert!(
        message.contains(": [parameters]: unknown parameter `spring.q`")
            && message.contains("bad.toml, line"),
        "{message}"
    );
    let message = bench.run("fit sine.csv study.toml --model spring").fails(2);
    assert!(message.contains("a study goes alone"), "{message}");
    let run = "fit sine.csv --model spring+dashpot --units displacement=m --json";
    let found = messages(&bench.run(run).succeeds().json(), "units");
    assert!(found[0].contains("the file says mm"), "{found:?}");
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
        let place = "[parameters] \"spring.k\"";
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

#[test]
fn offsets_are_pointed_out_with_the_remedy_and_found_on_request() {
    let bench = Bench::new();
    // The motion swings about 0.3 mm; the load cell reads 12 N too much.
    sine(&bench, "sine.csv", 3, 60, |i, _| 12.0 + noise(i));
    let text = bench.read("sine.csv");
    let mut lines = text.lines();
    let mut moved = format!("{}\n", lines.next().unwrap());
    for line in lines {
        let cells: Vec<f64> = line.split(',').map(|c| c.parse().unwrap()).collect();
        let _ = writeln!(moved, "{:?},{:?},{:?}", cells[0], cells[1] + 0.3, cells[2]);
    }
    bench.write("moved.csv", &moved);
    // The offset alone makes an error of 31 %.
    let done = bench.run("fit moved.csv --model spring+dashpot --json");
    let json = done.printed().json();
    let found = messages(&json, "offset");
    assert_eq!(found.len(), 1, "{json}");
    for words in [
        "moved.csv",
        "--zero displacement",
        "--nuisance displacement-offset",
    ] {
        assert!(found[0].contains(words), "{words}: {found:?}");
    }
    let json = bench
        .run("fit sine.csv --model spring+dashpot --nuisance force-offset --json")
        .succeeds()
        .json();
    let offset = &json["others"]["sine force offset"];
    let value = offset["value"].as_f64().unwrap();
    let error = offset["std_error"].as_f64().unwrap();
    // The noise is within half a newton.
    assert!((value - 12.0).abs() < 0.1 && error < 0.1, "{offset}");
    // A part under 3 mm of preload whose load cell begins at nothing.
    sine(&bench, "zeroed.csv", 3, 60, |i, phase| {
        noise(i) - 40.0 * phase.cos()
    });
    // The force that is missing makes an error of 97 %.
    let done = bench.run("fit zeroed.csv --model spring+dashpot --preload 3mm --json");
    let json = done.printed().json();
    let found = messages(&json, "preload");
    assert!(
        found[0].contains("3 mm") && found[0].contains("force-offset"),
        "{found:?}"
    );
}

/// The warnings of a result that carry a code.
fn messages(json: &serde_json::Value, code: &str) -> Vec<String> {
    let warnings = json["warnings"].as_array().unwrap().iter();
    warnings
        .filter(|warning| warning["code"] == code)
        .map(|warning| warning["message"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn few_samples_in_a_cycle_are_pointed_out_where_speed_matters() {
    let bench = Bench::new();
    sine(&bench, "coarse.csv", 6, 16, |i, _| noise(i));
    let fit = |model: &str| {
        let run = bench.run(&format!("fit coarse.csv --model {model} --json"));
        messages(&run.succeeds().json(), "few-samples")
    };
    let found = fit("spring+dashpot");
    assert!(found[0].contains("only 16 samples in a cycle"), "{found:?}");
    assert!(found[0].contains("velocity column"), "{found:?}");
    assert!(fit("spring+jenkins").is_empty());
}

#[test]
fn what_the_rig_added_is_recognised_at_the_optimum() {
    let bench = Bench::new();
    let fit = |file: &str, options: &str| {
        let run = format!("fit {file} --model spring+dashpot {options} --json");
        bench.run(&run).succeeds().json()
    };
    sine(&bench, "offset.csv", 3, 60, |i, _| 12.0 + noise(i));
    let found = messages(&fit("offset.csv", ""), "disturbed");
    assert_eq!(found.len(), 1, "{found:?}");
    for words in [
        "force offset of about 12 N",
        "`offset`",
        "--nuisance force-offset",
    ] {
        assert!(found[0].contains(words), "{words}: {found:?}");
    }
    let found = messages(&fit("offset.csv", "--nuisance force-offset"), "disturbed");
    assert!(found.is_empty(), "{found:?}");
    // Noise alone is nothing to explain.
    sine(&bench, "clean.csv", 3, 60, |i, _| 20.0 * noise(i));
    let found = messages(&fit("clean.csv", ""), "disturbed");
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn outliers_call_for_a_robust_loss() {
    let bench = Bench::new();
    let spike = |i: u32| if i % 41 == 7 { 80.0 } else { 0.0 };
    sine(&bench, "sine.csv", 3, 60, |i, _| noise(i) + spike(i));
    let fit = |options: &str| {
        let run = format!("fit sine.csv --model spring+dashpot {options} --json");
        messages(&bench.run(&run).succeeds().json(), "outliers")
    };
    let found = fit("");
    assert!(found[0].contains("--loss huber"), "{found:?}");
    assert!(fit("--loss huber").is_empty());
}

#[test]
fn what_is_found_beside_the_parameters_is_told_everywhere() {
    let bench = Bench::new();
    sine(&bench, "sine.csv", 3, 60, |i, _| 12.0 + noise(i));
    let run = "fit sine.csv --model spring+dashpot --nuisance force-offset,delay --out result";
    let text = bench.run(run).succeeds();
    for words in ["sine force offset", "sine delay", "ms"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let summary = bench.read("result/summary.csv");
    assert!(summary.contains("\nsine force offset,"), "{summary}");
    let json = bench.read("result/fit.json").json();
    for list in ["parameters", "others"] {
        for (name, found) in json[list].as_object().unwrap() {
            let ends: Vec<f64> = found["ci95"]
                .as_array()
                .unwrap()
                .iter()
                // No end of an interval is beyond any size, and none is missing.
                .map(|end| end.as_f64().filter(|v| v.abs() < 1e15).unwrap())
                .collect();
            let value = found["value"].as_f64().unwrap();
            assert!(ends[0] <= value && value <= ends[1], "{name}: {found}");
            assert!(found["std_error"].is_number(), "{name}: {found}");
        }
    }
}

#[test]
fn a_mass_of_the_rig_needs_another_frequency_and_states_have_no_names() {
    let bench = Bench::new();
    sine(&bench, "sine.csv", 3, 60, |i, _| noise(i));
    let json = bench
        .run("fit sine.csv --model spring+dashpot --nuisance moving-mass --json")
        .succeeds()
        .json();
    let warnings = json["warnings"].to_string();
    assert!(
        warnings.contains("a test at another frequency tells them apart"),
        "{warnings}"
    );
    // A piece of a loop that begins and ends anywhere: what the chain begins with is sought.
    let text = bench.read("sine.csv");
    let rows: Vec<&str> = text.lines().collect();
    bench.write(
        "piece.csv",
        &format!("{}\n{}\n", rows[0], rows[8..60].join("\n")),
    );
    let text = bench.run("fit piece.csv --model sts --cells 4");
    let text = text.printed();
    assert!(!text.contains("start of"), "{text}");
    assert!(text.contains("estimated"), "{text}");
}

#[test]
fn errors_are_measured_by_what_the_tests_hold() {
    let bench = Bench::new();
    sine(&bench, "sine.csv", 3, 60, |i, _| noise(i));
    let text = bench.run("fit sine.csv --model spring+dashpot").succeeds();
    assert!(text.contains("error, % of rms force"), "{text}");
    assert!(text.contains("periodic"), "{text}");
    // A table beside the record: no unit serves both.
    bench.write(
        "table.csv",
        "frequency [Hz],amplitude [mm],stiffness [N/mm],loss_angle [deg]\n0.5,1,201,5.7\n1,1,204,11.3\n",
    );
    let run = "fit sine.csv table.csv --model spring+dashpot --out both";
    let text = bench.run(run).succeeds();
    assert!(!text.contains("% of rms force"), "{text}");
    assert!(text.contains("the table's values"), "{text}");
    let json = bench.read("both/fit.json").json();
    assert!(json["misfit"]["rms"].is_null(), "{json}");
    assert_eq!(json["experiments"][0]["unit"], "N");
    assert_eq!(json["experiments"][1]["unit"], "1");
    assert_eq!(json["experiments"][1]["start"], serde_json::Value::Null);
    // Angles and torques are told in degrees and N m.
    let turned = bench.read("sine.csv").replacen(
        "displacement [mm],force [N]",
        "angle [deg],torque [N m]",
        1,
    );
    bench.write("turned.csv", &turned);
    let text = bench
        .run("fit turned.csv --model spring+dashpot")
        .succeeds();
    assert!(text.contains("% of rms torque"), "{text}");
    assert!(
        text.contains("N m/deg") && text.contains("N m s/deg"),
        "{text}"
    );
    assert!(text.contains("200.01"), "{text}");
    bench
        .run("fit turned.csv --model spring+dashpot --out turned")
        .succeeds();
    let text = bench
        .run("validate turned/model.toml turned.csv")
        .succeeds();
    assert!(text.contains("% of rms torque"), "{text}");
}

#[test]
fn a_mean_force_does_not_flatter() {
    let bench = Bench::new();
    // 3 mm of preload on 200 N/mm: a mean of 600 N beside 144 N rms of the rest.
    sine(&bench, "loaded.csv", 3, 60, |i, _| 600.0 + 20.0 * noise(i));
    let run = "fit loaded.csv --model spring+dashpot --preload 3mm --out loaded";
    let text = bench.run(run).succeeds();
    assert!(text.contains("mean left out, %"), "{text}");
    let json = bench.read("loaded/fit.json").json();
    let test = &json["experiments"][0];
    let ratio = test["relative_to_alternating"].as_f64().unwrap()
        / test["relative_misfit"].as_f64().unwrap();
    // sqrt(600^2 + 144.2^2) / 144.2
    assert!((ratio - 4.28).abs() < 0.02, "{test}");
    assert!(
        bench
            .read("loaded/report.html")
            .contains("of the alternating force")
    );
}

#[test]
fn a_measured_acceleration_serves_the_moving_mass() {
    let bench = Bench::new();
    // 20 Hz, 0.5 kg and 40 samples a cycle; the acceleration is measured beside the motion.
    let records = |sign: f64| {
        let mut text = "time [s],displacement [mm],acceleration [m/s^2],force [N]\n".to_owned();
        for i in 0..=3 * 40_u32 {
            let phase = TAU * f64::from(i) / 40.0;
            let omega = TAU * 20.0;
            let (x, a) = (phase.sin(), -1e-3 * omega * omega * phase.sin());
            // A second frequency tells the mass from the stiffness.
            let (y, b) = (
                (3.0 * phase).sin() / 3.0,
                -3e-3 * omega * omega * (3.0 * phase).sin(),
            );
            let force = 200.0 * (x + y) + 0.5 * (a + b) + 0.2 * noise(i);
            let _ = writeln!(
                text,
                "{:?},{:?},{:?},{force:?}",
                f64::from(i) / 800.0,
                x + y,
                sign * (a + b)
            );
        }
        bench.write("sine.csv", &text);
        bench
            .run("fit sine.csv --model spring --nuisance moving-mass --json")
            .succeeds()
            .json()
    };
    let json = records(1.0);
    let mass = json["others"]["sine moving mass"]["value"]
        .as_f64()
        .unwrap();
    // Second differences of 13 samples a wave would make it 2 % too large.
    assert!((mass - 0.5).abs() < 2e-3, "{mass}");
    let json = records(-1.0);
    let found = messages(&json, "acceleration");
    assert!(found[0].contains("--flip acceleration"), "{found:?}");
}

#[test]
fn a_record_too_short_says_what_is_needed() {
    let bench = Bench::new();
    sine(&bench, "sine.csv", 1, 60, |i, _| noise(i));
    let text = bench.read("sine.csv");
    let few: Vec<&str> = text.lines().take(40).collect();
    bench.write("half.csv", &few.join("\n"));
    let message = bench
        .run("fit half.csv --model spring+dashpot --window stabilised")
        .fails(2);
    assert!(
        message.contains("half.csv") && message.contains("upwards twice"),
        "{message}"
    );
    bench.write("five.csv", &few[..6].join("\n"));
    let message = bench.run("fit five.csv --model rt --cells 4").fails(2);
    assert!(message.contains("expected at least 8 samples"), "{message}");
}
