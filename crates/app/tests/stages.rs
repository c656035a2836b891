//! `masing stages`, whole: the example, lengths and forces, and what is refused.

mod bench;

use bench::{Bench, Done, Json as _};
use serde_json::Value;
use std::fmt::Write as _;

/// Puts the records of the example into the folder.
fn example() -> Bench {
    let bench = Bench::new();
    for name in ["slow.csv", "step.csv"] {
        let path = format!(
            "{}/../../examples/clutch/{name}",
            env!("CARGO_MANIFEST_DIR")
        );
        let text = std::fs::read_to_string(path).unwrap();
        bench.write(name, &text);
    }
    bench
}

fn node<'a>(list: &'a Value, name: &str) -> &'a Value {
    let nodes = list["nodes"].as_array().unwrap();
    nodes.iter().find(|n| n["name"] == name).unwrap()
}

#[track_caller]
fn near(value: &Value, expected: f64, error: f64) {
    let value = value.as_f64().unwrap();
    assert!(
        (value - expected).abs() <= error,
        "{value}, expected {expected}"
    );
}

#[test]
fn a_slow_record_alone() {
    let bench = example();
    let json = bench
        .run("stages slow.csv --json --out result")
        .succeeds()
        .json();
    assert_eq!(json["schema"], "masing.stages/1");
    assert_eq!(json["motion"], "rotation");
    let slow = &json["quasi_static"];
    assert_eq!(
        (&slow["drive_stages"], &slow["coast_stages"]),
        (&4.into(), &4.into())
    );
    near(&node(slow, "II-")["angle"], -0.11, 2e-4);
    near(&node(slow, "II-")["friction"], 1.0, 0.03);
    near(&node(slow, "II-")["hysteresis"], 2.0, 0.06);
    assert!(node(slow, "II-")["std_error"]["angle"].as_f64().unwrap() < 1e-4);
    assert!(json.get("formulations").is_none());
    assert_eq!(bench.files(), ["result", "slow.csv", "step.csv"]);
    assert_eq!(bench.read("result/stages.json").json(), json);
    // The model can be simulated and shows the same.
    let model = bench.read("result/model.toml");
    assert!(model.contains("type = \"staged\"") && !model.contains("[system]"));
    let text = bench.run("stages slow.csv").succeeds();
    for words in [
        "4 drive and 4 coast stages",
        "N m/deg",
        "hysteresis 2h",
        "III+",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let page = bench.read("result/report.html");
    for words in [
        "Both paths and the device",
        "half the distance between the paths",
    ] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn both_records() {
    let bench = example();
    let command = "stages slow.csv --dynamic step.csv --inertia 0.25 --time-scale 0.1s";
    let json = bench
        .run(&format!("{command} --json --out result"))
        .succeeds()
        .json();
    let names: Vec<&str> = json["formulations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| f["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["D0", "D1.1", "D1.2", "D2.1", "D2.2", "D3.1", "D3.2"]
    );
    assert_eq!(json["ranking"].as_array().unwrap()[..2], ["D3.2", "D2.2"]);
    assert_eq!(json["formulations"][0]["R1"]["theta"], 1.0);
    near(&json["formulations"][2]["parameters"]["h"], 1.822, 0.01);
    near(&json["formulations"][1]["R5"], 5.8, 1.0);
    let refined = &json["refined"];
    for (name, truth, share) in [
        ("I+", 1.3, 0.015),
        ("II+", 3.0, 0.015),
        ("III+", 5.5, 0.015),
        ("II-", 2.4, 0.08),
        ("I-", 1.0, 0.08),
    ] {
        near(&node(refined, name)["friction"], truth, share * truth);
        assert_eq!(node(refined, name)["status"], "ok");
    }
    assert_eq!(node(refined, "IV+")["status"], "not-reached");
    assert_eq!(node(refined, "III-")["status"], "poorly-determined");
    near(&refined["chi2_dof"], 1.0, 0.1);
    assert_eq!(bench.read("result/stages.json").json(), json);
    let codes: Vec<&str> = json["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|w| w["code"].as_str().unwrap())
        .collect();
    assert_eq!(codes, ["gain", "not-reached", "poorly-determined"]);
    // The load of the record gives its motion.
    bench
        .run("simulate result/model.toml --load step.csv --out motion.csv")
        .succeeds();
    let (_, simulated) = bench.csv("motion.csv");
    let (_, measured) = bench.csv("step.csv");
    let squares: f64 = simulated
        .iter()
        .zip(&measured)
        .map(|(a, b)| (a[2] - b[2]).powi(2))
        .sum();
    let rms = (squares / measured.len() as f64).sqrt();
    // The noise of the velocity.
    assert!((rms / 0.01 - 1.0).abs() < 0.05, "{rms}");
    let page = bench.read("result/report.html");
    for words in [
        "Friction under slow and under fast loading",
        "R5, last crossing",
        "Measured and simulated angle",
    ] {
        assert!(page.contains(words), "{words}");
    }
}

/// A coupling with backlash: millimetres and newtons, no soft stages, friction within the gap.
#[test]
fn lengths_and_forces() {
    let bench = Bench::new();
    let element = |friction: &str| {
        format!(
            "schema = \"masing.model/1\"\nmotion = \"translation\"\n[[element]]\ntype = \"staged\"\n\
             angles = [-0.003, -0.0002, 0.00025, 0.0015, 0.003]\ntorques = [-2800.0, 0.0, 0.0, 1500.0, 6000.0]\n\
             friction = {friction}\nviscous = [0.0, 0.0, 0.0, 0.0, 0.0]\neta = 2000.0\n"
        )
    };
    let slow = [0.003, 90.0, 20.0, 20.0, 60.0, 120.0];
    let mut text = "displacement [mm],force [N]\n".to_owned();
    let at = |x: f64, y: &[f64; 5]| {
        let nodes = [-0.003, -0.0002, 0.00025, 0.0015, 0.003];
        let i = (1..4).rev().find(|i| x >= nodes[*i]).unwrap_or(0);
        y[i] + (x - nodes[i]) / (nodes[i + 1] - nodes[i]) * (y[i + 1] - y[i])
    };
    let friction = [slow[1], slow[2], slow[3], slow[4], slow[5]];
    for i in 0..4000 {
        let gone = 0.012 * f64::from(i) / 3999.0;
        let (x, sense) = if gone <= 0.003 {
            (gone, 1.0)
        } else if gone <= 0.009 {
            (0.006 - gone, -1.0)
        } else {
            (gone - 0.012, 1.0)
        };
        let force = at(x, &[-2800.0, 0.0, 0.0, 1500.0, 6000.0]) + sense * at(x, &friction);
        // A sum of incommensurable sines for noise.
        let noise = 4.0 * ((12.9898 * f64::from(i)).sin() + (78.233 * f64::from(i)).sin());
        let _ = writeln!(text, "{:.6},{:.3}", 1e3 * x, force + noise);
    }
    bench.write("slow.csv", &text);
    let system =
        "[system]\ntype = \"oscillator\"\nm = 12.0\nc = 0.0\nk = 0.0\nx0 = 0.002\nv0 = 0.0\n";
    let truth = element("[180.0, 45.0, 45.0, 110.0, 260.0]") + system;
    bench.write("truth.toml", &truth);
    let mut load = "time [s],force [N]\n".to_owned();
    for i in 0..2000 {
        let t = 2e-4 * f64::from(i);
        let force = 300.0 + 2700.0 * (1.0 - t / 2e-3).max(0.0);
        let _ = writeln!(load, "{t:.4},{force}");
    }
    bench.write("load.csv", &load);
    bench
        .run("simulate truth.toml --load load.csv --out run.csv")
        .succeeds();
    let (header, rows) = bench.csv("run.csv");
    assert!(header.contains("velocity [m/s]"), "{header}");
    let mut step = "time [s],force [N],velocity [mm/s]\n".to_owned();
    for (i, row) in rows.iter().enumerate() {
        let noise = 0.5 * ((12.9898 * i as f64).sin() + (78.233 * i as f64).sin());
        let force = 300.0 + 2700.0 * (1.0 - row[0] / 2e-3).max(0.0);
        let _ = writeln!(step, "{},{force},{}", row[0], 1e3 * row[2] + noise);
    }
    bench.write("step.csv", &step);
    let command = "stages slow.csv --dynamic step.csv --inertia 12kg";
    let json = bench
        .run(&format!("{command} --json --out result"))
        .succeeds()
        .json();
    assert_eq!(json["motion"], "translation");
    near(&json["quasi_static"]["clearance"], 4.5e-4, 1e-5);
    let refined = &json["refined"];
    near(&node(refined, "I+")["friction"], 110.0, 6.0);
    assert!(
        bench
            .read("result/model.toml")
            .contains("motion = \"translation\"")
    );
    let text = bench.run(command).succeeds();
    for words in ["N/mm", "mm", "force"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    for words in ["N m", "angle", "torque", "deg"] {
        assert!(!text.contains(words), "{words}: {text}");
    }
    let wrong = bench
        .run("stages slow.csv --dynamic step.csv --inertia 0.25kgm2")
        .fails(2);
    assert!(wrong.contains("mass"), "{wrong}");
}

/// Rows of the example that meet a condition on the angle.
fn part_of_slow(bench: &Bench, keep: impl Fn(usize, f64) -> bool) -> String {
    let text = bench.read("slow.csv");
    let mut lines = text.lines();
    let mut out = format!("{}\n", lines.next().unwrap());
    for (i, line) in lines.enumerate() {
        let angle: f64 = line.split(',').nth(1).unwrap().parse().unwrap();
        if keep(i, angle) {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

#[test]
fn bad_input_is_told() {
    let bench = example();
    let told = |done: Done, words: &[&str]| {
        let message = done.fails(2);
        for word in words {
            assert!(message.contains(word), "{word}: {message}");
        }
    };
    told(
        bench.run("stages slow.csv --dynamic step.csv"),
        &["--inertia"],
    );
    told(bench.run("stages slow.csv --inertia 0.25"), &["--dynamic"]);
    for inertia in ["-0.25", "0", "heavy"] {
        let command = format!("stages slow.csv --dynamic step.csv --inertia {inertia}");
        told(bench.run(&command), &["--inertia", inertia]);
    }
    bench.write("up.csv", &part_of_slow(&bench, |i, _| i < 1600));
    told(
        bench.run("stages up.csv"),
        &["up.csv", "one direction", "both are needed"],
    );
    let text = bench
        .read("slow.csv")
        .replace("angle [deg],torque [Nm]", "a,b");
    bench.write("plain.csv", &text);
    told(
        bench.run("stages plain.csv --columns angle=b,torque=a"),
        &["plain.csv", "swapped", "--columns"],
    );
    told(
        bench.run("stages slow.csv --flip torque"),
        &["falls", "--flip"],
    );
    told(
        bench.run("stages slow.csv --stages 4"),
        &["--stages", "4,3"],
    );
    told(
        bench.run("stages slow.csv --stages 20,4"),
        &["20 drive", "4 drive and 4 coast"],
    );
    told(bench.run("stages none.csv"), &["none.csv"]);
    told(
        bench.run("stages slow.csv --dynamic slow.csv --inertia 0.25"),
        &["slow.csv", "slow record"],
    );
    bench.write("few.csv", &part_of_slow(&bench, |i, _| i % 300 == 0));
    told(bench.run("stages few.csv"), &["too few"]);
    bench.write("load.csv", "time [s],torque [Nm]\n0,1\n1,1\n2,1\n3,1\n");
    told(
        bench.run("stages slow.csv --dynamic load.csv --inertia 0.25"),
        &["load.csv", "velocity"],
    );
    assert!(!bench.exists("result"));
}

#[test]
fn weak_records_are_said() {
    let bench = example();
    // Every thirteenth sample: 9 ms apart.
    let text = bench.read("step.csv");
    let lines = text.lines().enumerate();
    let coarse: Vec<&str> = lines
        .filter(|(i, _)| *i == 0 || i % 13 == 1)
        .map(|(_, l)| l)
        .collect();
    bench.write("coarse.csv", &coarse.join("\n"));
    let done = bench.run("stages slow.csv --dynamic coarse.csv --inertia 0.25 --json");
    // Whether it settles or not, it says why it cannot be trusted.
    let printed = done.printed();
    assert!(printed.contains("coarse-sampling"), "{printed}");
    // A step within one stage.
    bench.write("truth.toml", STEP);
    let mut load = "time [s],torque [Nm]\n".to_owned();
    for i in 0..900 {
        let t = 7e-4 * f64::from(i);
        let torque = 36.0 + 4.0 * (1.0 - t / 5e-3).max(0.0);
        let _ = writeln!(load, "{t:.4},{torque}");
    }
    bench.write("load.csv", &load);
    bench
        .run("simulate truth.toml --load load.csv --out run.csv")
        .succeeds();
    let mut step = "time [s],torque [Nm],velocity [rad/s]\n".to_owned();
    for (line, row) in load.lines().skip(1).zip(bench.csv("run.csv").1) {
        let _ = writeln!(step, "{line},{}", row[2]);
    }
    bench.write("small.csv", &step);
    let command = "stages slow.csv --dynamic small.csv --inertia 0.25 --json";
    let json = bench.run(command).succeeds().json();
    assert_eq!(json["ranking"].as_array().unwrap().len(), 0);
    let warnings = json["warnings"].to_string();
    assert!(
        warnings.contains("one-stage") && warnings.contains("cannot tell"),
        "{warnings}"
    );
}

/// The damper of the example at rest within its second drive stage.
const STEP: &str = "schema = \"masing.model/1\"\n[[element]]\ntype = \"staged\"\n\
    angles = [-0.32, -0.25, -0.11, -0.05, -0.01, 0.01, 0.07, 0.13, 0.30, 0.40]\n\
    torques = [-168.4, -98.4, -42.4, -0.4, 0.0, 0.0, 0.6, 60.6, 128.6, 278.6]\n\
    friction = [8.0, 4.5, 2.4, 1.0, 0.0, 0.0, 1.3, 3.0, 5.5, 9.0]\n\
    viscous = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]\neta = 50.0\n\
    [system]\ntype = \"oscillator\"\nm = 0.25\nc = 0.0\nk = 0.0\nx0 = 0.1094\nv0 = 0.0\n";
