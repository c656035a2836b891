//! What the headline, the page and the exit code say about a result.

mod bench;

use bench::{Bench, Json as _};
use std::f64::consts::TAU;
use std::fmt::Write as _;

/// Three cycles of a spring and a dashpot: header, displacement and force of every sample.
fn record(header: &str, row: impl Fn(f64, f64) -> (f64, f64)) -> String {
    let mut text = format!("{header}\n");
    for i in 0..=180 {
        let phase = TAU * f64::from(i) / 60.0;
        let (x, force) = row(phase.sin(), 200.0 * phase.sin() + 40.0 * phase.cos());
        let _ = writeln!(text, "{:?},{x:?},{force:?}", f64::from(i) / 60.0);
    }
    text
}

const HEADER: &str = "time [s],displacement [mm],force [N]";

#[test]
fn units_that_nobody_gave_are_in_the_headline() {
    let bench = Bench::new();
    bench.write(
        "plain.csv",
        &record("time,displacement,force", |x, f| (x, f)),
    );
    let text = bench.run("fit plain.csv --model spring+dashpot").succeeds();
    let headline = text.lines().next().unwrap();
    for words in [
        "Check the units",
        "SI was assumed: displacement in m",
        "a stroke of 2 m",
    ] {
        assert!(headline.contains(words), "{words}: {headline}");
    }
    let json = bench
        .run("fit plain.csv --model spring+dashpot --json")
        .succeeds()
        .json();
    let codes: Vec<&str> = json["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|w| w["code"].as_str().unwrap())
        .collect();
    assert!(codes.contains(&"unit-assumed") && codes.contains(&"implausible-size"));
    let given = "fit plain.csv --model spring+dashpot --units displacement=mm,force=N";
    let text = bench.run(given).succeeds();
    assert!(!text.contains("Check the units"), "{text}");
}

#[test]
fn headline_page_and_code_say_the_same() {
    let bench = Bench::new();
    bench.write("sine.csv", &record(HEADER, |x, f| (x, f)));
    // The same motion on a part that is twice as stiff.
    bench.write("other.csv", &record(HEADER, |x, f| (x, 2.0 * f)));
    let command = "fit sine.csv --model spring+dashpot --validate other.csv --out result";
    let text = bench.run(command).succeeds();
    let headline = text.lines().next().unwrap();
    assert!(
        headline.contains("It fails on `other` (50 %), which was held out."),
        "{headline}"
    );
    let page = bench.read("result/report.html");
    assert!(page.contains("which was held out."));
    // A model that cannot describe the test: written, and code 3 although the search settled.
    let done = bench.run("fit sine.csv --model dashpot --out poor");
    let text = done.printed();
    assert!(
        text.starts_with("The model does not describe the tests: error"),
        "{text}"
    );
    let json: serde_json::Value = serde_json::from_str(&bench.read("poor/fit.json")).unwrap();
    assert_eq!(json["converged"], true);
    bench.run("fit sine.csv --model dashpot --quiet").fails(3);
}

#[test]
fn a_clipped_channel_is_not_called_turned() {
    let bench = Bench::new();
    bench.write("turned.csv", &record(HEADER, |x, f| (x, -f)));
    let told = bench.run("fit turned.csv --model spring+dashpot").fails(2);
    assert!(
        told.contains("--flip force") && told.contains("exchanged"),
        "{told}"
    );
    bench.write(
        "clipped.csv",
        &record(HEADER, |x, f| (x, (-f).clamp(-60.0, 60.0))),
    );
    let told = bench.run("fit clipped.csv --model spring+dashpot").fails(2);
    assert!(
        told.contains("stands still") && !told.contains("--flip"),
        "{told}"
    );
}
