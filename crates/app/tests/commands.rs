//! Whole commands on real files: what they print, what they write, what they refuse.

mod bench;

use bench::{Bench, Json as _, numbers};

const SPRING: &str = "schema = \"masing.model/1\"\n[[element]]\ntype = \"spring\"\nk = 2.0e5\n";

/// A record of a sine with a time step of 1 ms.
fn sine(bench: &Bench) {
    bench
        .run("signal sine --amplitude 1mm --frequency 1Hz --cycles 2 --rate 1000 --out sine.csv")
        .succeeds();
}

#[test]
fn catalogue_lists_every_element_and_preset() {
    let bench = Bench::new();
    let text = bench.run("models").succeeds();
    for kind in masing_model::registry::KINDS {
        assert!(text.contains(kind.name), "{}", kind.name);
    }
    assert!(text.contains("metal-rubber"));
    let json = bench.run("models --json").succeeds().json();
    assert_eq!(json["schema"], "masing.models/1");
    assert_eq!(
        json["elements"].as_array().unwrap().len(),
        masing_model::registry::KINDS.len()
    );
}

#[test]
fn one_element_is_shown_with_units_ranges_and_reference() {
    let bench = Bench::new();
    for kind in masing_model::registry::KINDS {
        let text = bench.run(&format!("models {}", kind.name)).succeeds();
        assert!(text.contains(kind.reference), "{text}");
        assert!(text.contains("default"), "{text}");
    }
    let json = bench.run("models rt --json").succeeds().json();
    let alpha = &json["elements"][0]["parameters"][4];
    assert_eq!(alpha["name"], "alpha");
    assert!(alpha["min"].as_f64().unwrap() <= 0.001);
    let text = bench.run("models metal-rubber").succeeds();
    assert!(text.contains("polynomial-spring + polynomial-dashpot + jenkins"));
}

#[test]
fn unknown_models_are_told_the_known_ones() {
    let bench = Bench::new();
    let message = bench.run("models boucwen").fails(2);
    assert!(message.contains("unknown model `boucwen`"), "{message}");
    assert!(message.contains("did you mean `bouc-wen`?"), "{message}");
    assert!(message.contains("known: spring, "), "{message}");
}

#[test]
fn signals_have_exact_columns() {
    let bench = Bench::new();
    sine(&bench);
    let (header, rows) = bench.csv("sine.csv");
    assert_eq!(header, "time [s],displacement [m],velocity [m/s]");
    assert_eq!(rows.len(), 2001);
    assert_eq!(rows[250], [0.25, 1e-3, 0.0]);
    assert_eq!(rows[2000][..2], [2.0, 0.0]);

    let text = bench
        .run("signal triangle --amplitude 2deg --frequency 2Hz --rate 16")
        .succeeds();
    let (header, rows) = numbers(&text);
    assert_eq!(header, "time [s],angle [rad]");
    assert_eq!(rows.len(), 9);
    assert_eq!(rows[2][1], 2.0_f64.to_radians());

    bench
        .run("signal ramp --amplitude -1mm --rise 0.1s --hold 1.9s --rate 1kHz --out ramp.csv")
        .succeeds();
    let (_, rows) = bench.csv("ramp.csv");
    assert_eq!(rows.len(), 2001);
    assert_eq!(rows[100], [0.1, -1e-3]);
    assert_eq!(rows[2000], [2.0, -1e-3]);

    for kind in [
        "sweep --from 1Hz --to 20Hz --duration 2s --pace lin",
        "sweep --from 20Hz --to 1Hz --duration 2s",
        "multisine --band 1..20Hz --period 2s --cycles 2 --seed 4",
    ] {
        let command = format!("signal {kind} --amplitude 0.5mm --offset 1mm --out a.csv --json");
        let json = bench.run(&command).succeeds().json();
        assert_eq!(json["schema"], "masing.signal/1");
        let first = bench.read("a.csv");
        bench.run(&command).succeeds();
        assert_eq!(
            first,
            bench.read("a.csv"),
            "the same command, the same file"
        );
        let (_, rows) = bench.csv("a.csv");
        assert_eq!(rows.len() as u64, json["samples"].as_u64().unwrap());
        assert!(
            rows.iter()
                .all(|r| (r[1] - 1e-3).abs() <= 0.5e-3 * (1.0 + 1e-12))
        );
    }
}

#[test]
fn impossible_signals_are_refused() {
    let bench = Bench::new();
    for (command, expected) in [
        ("sine --amplitude 1N --frequency 1Hz", "unit of length"),
        ("sine --amplitude 1mm --frequency 1mm", "unit of frequency"),
        ("sine --amplitude 0mm --frequency 1Hz", "anything but zero"),
        (
            "sine --amplitude 1mm --frequency 0Hz",
            "a positive frequency",
        ),
        (
            "sine --amplitude 1mm --frequency 1Hz --cycles nan",
            "--cycles",
        ),
        ("sine --amplitude 1mm --frequency 1Hz --samples 2", "3 to"),
        ("sine --amplitude 1mm --frequency 1Hz --rate 1e12", "3 to"),
        (
            "sine --amplitude 1mm --frequency 1Hz --rate 2",
            "at least 4",
        ),
        (
            "sine --amplitude 1mm --frequency 1Hz --cycles 1e300",
            "3 to",
        ),
        (
            "sweep --amplitude 1mm --from 1 --to 1 --duration 1",
            "--from",
        ),
        ("multisine --amplitude 1mm --band 5..1Hz", "lower end"),
        ("multisine --amplitude 1mm --band 1.1..1.9Hz", "multiple"),
        (
            "multisine --amplitude 1mm --band 1..9Hz --rate 100.5",
            "whole number",
        ),
        ("ramp --amplitude 1mm --rise -1s", "positive time"),
        ("ramp --amplitude 1mm", "--rise"),
        (
            "sine --amplitude 1mm --frequency 1Hz --offset 1deg",
            "--offset",
        ),
    ] {
        let message = bench.run(&format!("signal {command} --out a.csv")).fails(2);
        assert!(message.contains(expected), "{command}: {message}");
        assert!(!bench.exists("a.csv"), "{command}");
    }
    let message = bench
        .run("signal sine --amplitude 1mm --frequency 1Hz --json")
        .fails(2);
    assert!(message.contains("--out"), "{message}");
}

#[test]
fn simulation_answers_row_by_row() {
    let bench = Bench::new();
    bench.write("model.toml", SPRING);
    sine(&bench);
    let text = bench
        .run("simulate model.toml --motion sine.csv --out out.csv")
        .succeeds();
    assert!(text.contains("samples"), "{text}");
    assert!(text.contains("2001"), "{text}");
    assert!(text.contains("largest force"), "{text}");
    assert!(text.contains("200 N"), "{text}");
    let (header, rows) = bench.csv("out.csv");
    assert_eq!(header, "time [s],displacement [m],velocity [m/s],force [N]");
    let (_, input) = bench.csv("sine.csv");
    assert_eq!(rows.len(), input.len());
    for (row, input) in rows.iter().zip(&input) {
        assert_eq!(row[..3], input[..], "the motion is handed through");
        assert_eq!(row[3], 2e5 * row[1]);
    }
    let json = bench
        .run("simulate model.toml --motion sine.csv --json")
        .succeeds()
        .json();
    assert_eq!(json["schema"], "masing.simulate/1");
    assert_eq!(json["samples"], 2001);
    assert_eq!(json["converged"], true);
    assert_eq!(json["cycles"].as_array().unwrap().len(), 2);
    let nothing = bench
        .run("simulate model.toml --motion sine.csv --quiet")
        .succeeds();
    assert_eq!(nothing, "");
}

#[test]
fn columns_units_and_signs_are_taken_from_the_command_line() {
    let bench = Bench::new();
    bench.write("model.toml", SPRING);
    bench.write("rig.csv", "s;way;other\n0;0;7\n1;1;7\n2;2;7\n3;-1;7\n");
    bench
        .run(
            "simulate model.toml --motion rig.csv --out out.csv --columns time=s,displacement=way \
             --units displacement=mm --flip displacement",
        )
        .succeeds();
    let (_, rows) = bench.csv("out.csv");
    assert!((rows[1][3] + 200.0).abs() < 1e-9, "{:?}", rows[1]);
    bench
        .run(
            "simulate model.toml --motion rig.csv --out out.csv --columns time=s,displacement=way \
             --units displacement=mm --zero displacement=first --window 1..3",
        )
        .succeeds();
    let (_, rows) = bench.csv("out.csv");
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[0][0], 1.0);
}

#[test]
fn a_window_keeps_its_history() {
    let bench = Bench::new();
    bench.write(
        "model.toml",
        "schema = \"masing.model/1\"\n[[element]]\ntype = \"jenkins\"\nks = 1e5\nzs = 20.0\n",
    );
    sine(&bench);
    let run = |window: &str| {
        let command = format!("simulate model.toml --motion sine.csv --out out.csv {window}");
        bench.run(&command).succeeds();
        bench.csv("out.csv").1
    };
    let all = run("");
    assert_eq!(run("--window 0.5..1.5"), all[500..=1500]);
    assert_eq!(run("--cycle 2"), all[1000..]);
    assert_eq!(run("--window stabilised"), all[1000..]);
    let message = bench
        .run("simulate model.toml --motion sine.csv --cycle 3")
        .fails(2);
    assert!(message.contains("2 full cycles"), "{message}");
}

#[test]
fn bushing_example_gives_the_published_forces() {
    let bench = Bench::new();
    let example = bench::root().join("examples/bushing");
    let command = format!(
        "simulate {} --motion {} --out out.csv",
        example.join("model.toml").display(),
        example.join("sine.csv").display()
    );
    bench.run(&command).succeeds();
    let (_, rows) = bench.csv("out.csv");
    // Independent reference, extrapolated; 1e-4 of the largest force is the default accuracy.
    let golden = [
        (100, 308.88063),
        (250, 449.12724),
        (300, 399.07242),
        (500, -93.11441),
        (750, -449.12782),
        (1000, 93.11437),
        (1250, 449.12782),
        (1500, -93.11437),
        (2000, 93.11437),
    ];
    for (sample, force) in golden {
        assert!(
            (rows[sample][3] - force).abs() < 1e-4 * 449.13,
            "{sample}: {}",
            rows[sample][3]
        );
    }
    bench
        .run("signal sine --amplitude 1mm --frequency 1Hz --cycles 2 --rate 1000 --out again.csv")
        .succeeds();
    assert_eq!(
        bench.read("again.csv"),
        std::fs::read_to_string(example.join("sine.csv")).unwrap(),
        "sine.csv is what its README says"
    );
}

#[test]
fn oscillators_and_structures_answer_to_loads() {
    let bench = Bench::new();
    bench.write(
        "model.toml",
        "schema = \"masing.model/1\"\n[[element]]\ntype = \"dashpot\"\nc = 2.0\n\
         [system]\ntype = \"oscillator\"\nm = 1.0\nc = 0.0\nk = 100.0\n",
    );
    let rows: Vec<String> = (0..=400)
        .map(|i| format!("{},10", f64::from(i) * 0.05))
        .collect();
    bench.write(
        "load.csv",
        &format!("time [s],load [N]\n{}\n", rows.join("\n")),
    );
    bench
        .run("simulate model.toml --load load.csv --out out.csv")
        .succeeds();
    let (header, rows) = bench.csv("out.csv");
    assert_eq!(
        header,
        "time [s],displacement [m],velocity [m/s],acceleration [m/s^2],force [N]"
    );
    assert_eq!(rows[0], [0.0, 0.0, 0.0, 10.0, 0.0]);
    // Step response of an underdamped oscillator.
    let (decay, omega) = (1.0, 99.0_f64.sqrt());
    for row in &rows {
        let (sin, cos) = (omega * row[0]).sin_cos();
        let exact = 0.1 * (1.0 - (-decay * row[0]).exp() * (cos + decay / omega * sin));
        // 1e-8 of the largest displacement is the default accuracy.
        assert!((row[1] - exact).abs() < 1e-8, "{row:?}");
    }

    bench.write(
        "chain.toml",
        "schema = \"masing.model/1\"\n[[element]]\ntype = \"spring\"\nbetween = [0, 1]\nk = 100.0\n\
         [[element]]\ntype = \"jenkins\"\nlabel = \"joint\"\nbetween = [1, 2]\nks = 100.0\nzs = 0.5\n\
         [system]\ntype = \"structure\"\nm = [[1, 0], [0, 1]]\nc = [[0, 0], [0, 1]]\nk = [[0, 0], [0, 10]]\n",
    );
    let rows: Vec<String> = (0..=100)
        .map(|i| format!("{},1", f64::from(i) * 0.01))
        .collect();
    bench.write(
        "base.csv",
        &format!("time,base_acceleration\n{}\n", rows.join("\n")),
    );
    bench
        .run("simulate chain.toml --load base.csv --out out.csv")
        .succeeds();
    let (header, rows) = bench.csv("out.csv");
    assert_eq!(
        header,
        "time [s],displacement.1 [m],displacement.2 [m],velocity.1 [m/s],velocity.2 [m/s],\
         acceleration.1 [m/s^2],acceleration.2 [m/s^2],force.spring [N],force.joint [N]"
    );
    assert_eq!(rows.len(), 101);

    let message = bench.run("simulate model.toml --motion load.csv").fails(2);
    assert!(message.contains("--load"), "{message}");
    bench.write("spring.toml", SPRING);
    let message = bench.run("simulate spring.toml --load load.csv").fails(2);
    assert!(message.contains("--motion"), "{message}");
    let message = bench.run("simulate chain.toml --load load.csv").fails(2);
    assert!(message.contains("load.1"), "{message}");
}

#[test]
fn motion_without_bounds_is_no_result() {
    let bench = Bench::new();
    bench.write(
        "model.toml",
        "schema = \"masing.model/1\"\n[[element]]\ntype = \"polynomial-spring\"\nk1 = -100.0\nx0 = 0.0\n\
         [system]\ntype = \"oscillator\"\nm = 1.0\nc = 0.0\nk = 0.0\n",
    );
    let rows: Vec<String> = (0..=200).map(|i| format!("{i},1")).collect();
    bench.write(
        "load.csv",
        &format!("time [s],load [N]\n{}\n", rows.join("\n")),
    );
    let command = "simulate model.toml --load load.csv --out out.csv";
    let message = bench.run(command).fails(3);
    assert!(message.contains("load.csv, line"), "{message}");
    assert!(message.contains("not finite"), "{message}");
    assert!(!bench.exists("out.csv"));
}

#[test]
fn endless_work_is_refused() {
    let bench = Bench::new();
    bench.write(
        "model.toml",
        &format!("{SPRING}[numerics]\nincrement = 1e-300\n"),
    );
    sine(&bench);
    let message = bench.run("simulate model.toml --motion sine.csv").fails(2);
    assert!(message.contains("[numerics]"), "{message}");
    bench
        .run("simulate model.toml --motion sine.csv --accuracy 1e-4")
        .succeeds();
}

#[test]
fn harmonic_tables_hold_every_pair() {
    let bench = Bench::new();
    bench.write(
        "model.toml",
        "schema = \"masing.model/1\"\n[[element]]\ntype = \"spring\"\nk = 1.0e5\n\
         [[element]]\ntype = \"dashpot\"\nc = 100.0\n",
    );
    let text = bench
        .run("harmonic model.toml --amplitude 0.1mm,0.5mm --frequency 1..100Hz --points 3 --out h.csv")
        .succeeds();
    assert!(text.contains("equivalent"), "{text}");
    let (header, rows) = bench.csv("h.csv");
    assert!(header.starts_with("frequency [Hz],amplitude [m],stiffness [N/m]"));
    assert_eq!(rows.len(), 6);
    for row in &rows {
        let loss = std::f64::consts::TAU * row[0] * 100.0;
        // Exact for a spring and a dashpot but for the sampling of the cycle.
        assert!((row[3] / 1e5 - 1.0).abs() < 1e-6, "{row:?}");
        assert!((row[4] / loss - 1.0).abs() < 1e-6, "{row:?}");
        assert!((row[5] - (loss / 1e5).atan()).abs() < 1e-6, "{row:?}");
    }
    let json = bench
        .run("harmonic model.toml --amplitude 1mm --frequency 1,2 --json")
        .succeeds()
        .json();
    assert_eq!(json["schema"], "masing.harmonic/1");
    assert_eq!(json["converged"], true);
    assert_eq!(json["points"].as_array().unwrap().len(), 2);
    for (bad, expected) in [
        ("--amplitude 1deg --frequency 1", "unit of length"),
        ("--amplitude 1mm --frequency 1,2Hz", "a unit on every entry"),
        ("--amplitude 1mm --frequency 1..2 --points 1", "--points"),
        ("--amplitude 0mm --frequency 1", "positive length"),
    ] {
        let message = bench
            .run(&format!("harmonic model.toml {bad} --out x.csv"))
            .fails(2);
        assert!(message.contains(expected), "{message}");
        assert!(!bench.exists("x.csv"));
    }
}

#[test]
fn completions_cover_the_common_shells() {
    let bench = Bench::new();
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = bench.run(&format!("completions {shell}")).succeeds();
        assert!(script.contains("simulate"), "{shell}");
    }
    assert!(bench.run("--version").succeeds().starts_with("masing "));
}
