//! Bad input: exit code 2, one message that names file, line, key and what was expected, and no
//! output file, not even half of one.

mod bench;

use bench::Bench;

const SPRING: &str = "schema = \"masing.model/1\"\n[[element]]\ntype = \"spring\"\nk = 2.0e5\n";
const MOTION: &str = "time [s],displacement [mm]\n0,0\n0.1,1\n0.2,0\n0.3,-1\n";

fn bench(model: &str, motion: &str) -> Bench {
    let bench = Bench::new();
    bench.write("model.toml", model);
    bench.write("motion.csv", motion);
    bench
}

/// The complaint of `simulate`, which must leave nothing behind.
fn complaint(model: &str, motion: &str) -> String {
    let bench = bench(model, motion);
    let message = bench
        .run("simulate model.toml --motion motion.csv --out out.csv")
        .fails(2);
    assert_eq!(bench.files(), ["model.toml", "motion.csv"]);
    assert!(message.starts_with("error: "), "{message}");
    message
}

#[track_caller]
fn says(message: &str, words: &[&str]) {
    for word in words {
        assert!(message.contains(word), "`{word}` is missing: {message}");
    }
}

#[test]
fn good_input_is_good() {
    let bench = bench(SPRING, MOTION);
    bench
        .run("simulate model.toml --motion motion.csv --out out.csv")
        .succeeds();
    assert_eq!(bench.files(), ["model.toml", "motion.csv", "out.csv"]);
}

#[test]
fn model_files() {
    let edit = |from: &str, to: &str| complaint(&SPRING.replace(from, to), MOTION);
    says(
        &edit("\"spring\"", "\"sprnig\""),
        &[
            "model.toml, line 3",
            "unknown element `sprnig`",
            "known elements: spring, ",
            "did you mean `spring`?",
        ],
    );
    says(
        &edit("k = 2.0e5\n", ""),
        &["model.toml, line 2", "[[element]] spring lacks `k`"],
    );
    says(
        &edit("k = 2.0e5\n", "k = 2.0e5\nkk = 1.0\n"),
        &[
            "model.toml, line 5",
            "unknown key `kk`",
            "known keys: type, label, k",
            "did you mean `k`?",
        ],
    );
    says(
        &edit("2.0e5", "-2.0e5"),
        &[
            "model.toml, line 4",
            "`spring.k` = -200000.0 N/m",
            "outside its range 0.0 to",
        ],
    );
    says(
        &edit("2.0e5", "nan"),
        &[
            "model.toml, line 4",
            "`k` = nan",
            "expected a finite number",
        ],
    );
    says(
        &edit("2.0e5", "\"soft\""),
        &["model.toml, line 4", "`k` = \"soft\"", "expected a number"],
    );
    says(
        &edit("model/1", "model/2"),
        &[
            "model.toml, line 1",
            "this file says masing.model/2; this version reads masing.model/1",
        ],
    );
    says(
        &edit("k = 2.0e5", "k = "),
        &["model.toml, line 4", "not valid TOML"],
    );
    says(
        &edit("k = 2.0e5", "k = 2.0e5\nk = 2.0e5"),
        &["model.toml, line 5", "duplicate key"],
    );
    says(
        &edit("\"spring\"\nk = 2.0e5", "\"rt\"\ncells = 1e12"),
        &["model.toml, line 4", "`cells` = 1e12"],
    );
}

#[test]
fn data_files() {
    let edit = |from: &str, to: &str| complaint(SPRING, &MOTION.replace(from, to));
    says(
        &edit("0.2,0", "0.05,0"),
        &["motion.csv, line 4", "0.1", "0.05"],
    );
    // Nothing that rounding of a uniform grid explains.
    let twice = "time,displacement\n0,0\n0.1,1\n0.1,0\n0.35,-1\n0.4,0\n";
    says(&complaint(SPRING, twice), &["motion.csv, line 4"]);
    says(
        &edit("0.2,0", "0.2,nan"),
        &["motion.csv, line 4", "displacement"],
    );
    says(
        &edit("0.2,0", "0.2,"),
        &["motion.csv, line 4", "displacement"],
    );
    says(
        &edit("0.2,0", "0.2,inf"),
        &["motion.csv, line 4", "displacement"],
    );
    says(
        &edit("0.2,0", "0.2,abc"),
        &["motion.csv, line 4", "abc", "expected"],
    );
    says(
        &edit("0.2,0\n0.3,-1\n", ""),
        &["motion.csv", "2 samples", "at least 3"],
    );
    says(
        &edit("displacement [mm]", "foo"),
        &["motion.csv", "displacement", "foo"],
    );
    says(&edit("[mm]", "[N]"), &["motion.csv", "`N`", "force"]);
    says(
        &edit("displacement [mm]", "angle [deg]"),
        &["motion.csv", "displacement"],
    );
    says(&complaint(SPRING, ""), &["motion.csv"]);
    says(
        &complaint(SPRING, "time,displacement\n0,1\n1,1\n2,1\n"),
        &["motion.csv", "displacement", "constant"],
    );
}

#[test]
fn missing_files_and_folders() {
    let bench = bench(SPRING, MOTION);
    let message = bench.run("simulate none.toml --motion motion.csv").fails(2);
    says(&message, &["none.toml", "cannot be read"]);
    let message = bench.run("simulate model.toml --motion none.csv").fails(2);
    says(&message, &["none.csv"]);
    let message = bench.run("simulate . --motion motion.csv").fails(2);
    says(&message, &["error: ."]);
    let message = bench.run("simulate model.toml --motion .").fails(2);
    says(&message, &["directory"]);
}

#[test]
fn unwritable_paths_are_found_before_the_work() {
    let bench = bench(SPRING, MOTION);
    for path in ["no/such/folder/out.csv", ".", "model.toml/out.csv", "/"] {
        for command in [
            "simulate model.toml --motion motion.csv",
            "signal sine --amplitude 1mm --frequency 1Hz",
            "harmonic model.toml --amplitude 1mm --frequency 1Hz",
        ] {
            let message = bench.run(&format!("{command} --out {path}")).fails(2);
            says(&message, &[&format!("cannot write {path}")]);
        }
    }
    assert_eq!(bench.files(), ["model.toml", "motion.csv"]);
}

#[cfg(unix)]
#[test]
fn read_only_files_and_devices() {
    use std::os::unix::fs::PermissionsExt as _;
    let bench = bench(SPRING, MOTION);
    bench.write("kept.csv", "kept");
    let path = bench.path("kept.csv");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o444)).unwrap();
    let message = bench
        .run("simulate model.toml --motion motion.csv --out kept.csv")
        .fails(2);
    says(&message, &["cannot write kept.csv"]);
    assert_eq!(bench.read("kept.csv"), "kept");

    bench
        .run("simulate model.toml --motion motion.csv --out /dev/null")
        .succeeds();
    let message = bench
        .run("simulate model.toml --motion motion.csv --out /dev/full")
        .fails(2);
    says(&message, &["cannot write /dev/full"]);
}

#[test]
fn failed_writes_keep_what_was_there() {
    let bench = bench(SPRING, "time,displacement\n0,0\n1,nan\n2,0\n");
    bench.write("out.csv", "kept");
    bench
        .run("simulate model.toml --motion motion.csv --out out.csv")
        .fails(2);
    assert_eq!(bench.read("out.csv"), "kept");
}

#[test]
fn usage() {
    let bench = bench(SPRING, MOTION);
    for command in [
        "",
        "fly",
        "simulate",
        "simulate model.toml",
        "simulate model.toml --motion motion.csv --load motion.csv",
        "simulate model.toml --motion motion.csv --accuracy 0",
        "simulate model.toml --motion motion.csv --accuracy nan",
        "simulate model.toml --motion motion.csv --columns foo=1",
        "simulate model.toml --motion motion.csv --columns displacement=9",
        "simulate model.toml --motion motion.csv --units displacement=parsec",
        "simulate model.toml --motion motion.csv --flip foo",
        "simulate model.toml --motion motion.csv --zero displacement=foo",
        "simulate model.toml --motion motion.csv --window foo",
        "simulate model.toml --motion motion.csv --window 7..9",
        "simulate model.toml --motion motion.csv --cycle 0",
        "harmonic model.toml --amplitude 1mm --frequency x",
        "completions tcsh",
    ] {
        let message = bench.run(command).fails(2);
        assert!(!message.is_empty(), "{command}");
    }
    assert_eq!(bench.files(), ["model.toml", "motion.csv"]);
}

#[test]
fn json_output_stays_clean_when_things_go_wrong() {
    let bench = bench(&SPRING.replace("2.0e5", "-1.0"), MOTION);
    let message = bench
        .run("simulate model.toml --motion motion.csv --json")
        .fails(2);
    says(&message, &["line 4"]);
}

#[cfg(unix)]
#[test]
fn closed_pipes_are_no_accident() {
    use std::process::{Command, Stdio};
    let program = assert_cmd::cargo::cargo_bin("masing");
    for arguments in [
        &["models"][..],
        &["models", "--json"],
        &["completions", "bash"],
        &["--help"],
        &[
            "signal",
            "sine",
            "--amplitude",
            "1mm",
            "--frequency",
            "1Hz",
            "--cycles",
            "100",
        ],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = Command::new(&program)
            .args(arguments)
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!message.contains("panicked"), "{arguments:?}: {message}");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {message}");
    }
}
