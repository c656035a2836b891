//! `cargo xtask study`: longer studies whose results the docs quote.

use crate::process::{self, cargo};

/// A study: name, what it shows, how to run it.
type Study = (&'static str, &'static str, fn() -> Result<(), String>);

/// Every study there is.
const STUDIES: &[Study] = &[
    (
        "starts",
        "bushing: noise-free fits from 40 random starts",
        || bushing("starts"),
    ),
    (
        "noise",
        "bushing: 60 fits under 1 % noise against the Cramer-Rao bound",
        || bushing("noise"),
    ),
    (
        "joint",
        "bushing: nine sines and a step in one fit, 1 % noise",
        || bushing("joint"),
    ),
    (
        "loops",
        "joints: fits of loops under noise against the Cramer-Rao bound, 40 runs a cell",
        || example("masing-identify", "study_loops"),
    ),
    (
        "compare",
        "networks: 60 data sets from 15 structures under 1 % noise, found again without a hint",
        || example("masing-identify", "study_compare"),
    ),
    (
        "conditions",
        "four laws over five levels of a condition: coverage of the intervals, 100 draws each",
        || example("masing-identify", "study_conditions"),
    ),
    (
        "clutch",
        "dampers: slow tests, energy balance and refinement of two devices, ten seeds each",
        || example("masing-stages", "study_clutch"),
    ),
    (
        "terms",
        "metal rubber: terms, errors and sliders under noise, ten draws a row",
        terms,
    ),
    (
        "mr-damper",
        "models of a magneto-rheological damper at one current, found from its records (needs ../shared/data)",
        || process::run(&mut cargo(MR_DAMPER)),
    ),
    (
        "bouc-wen-benchmark",
        "the hysteretic benchmark of Noel and Schoukens from an automatic start, all samples",
        || process::run(&mut cargo(BENCHMARK)),
    ),
    (
        "structures",
        "two and ten masses with a joint, all their matrices sought, from 3 and 12 s of noisy responses",
        || process::run(&mut cargo(STRUCTURES)),
    ),
    (
        "python-threads",
        "fits from Python in two threads beside one",
        crate::package::threads,
    ),
];

const MR_DAMPER: &str = "nextest run --package masing-identify --test compare --run-ignored all --no-capture the_damper_at_one_current";
const BENCHMARK: &str = "test --release --quiet --package masing-papers --test tables -- --ignored --nocapture benchmark::the_benchmark_is_met";

const STRUCTURES: &str =
    "run --release --quiet --package masing-identify --example study_structures";

fn bushing(name: &str) -> Result<(), String> {
    let example = "run --release --quiet --package masing-identify --example study_bushing --";
    process::run(cargo(example).arg(name))
}

/// An example of a crate that is a study.
fn example(package: &str, name: &str) -> Result<(), String> {
    let example = format!("run --release --quiet --package {package} --example");
    process::run(cargo(&example).arg(name))
}

fn terms() -> Result<(), String> {
    let example = "run --quiet --package masing-terms --example study_terms";
    process::run(&mut cargo(example))
}

/// Prints the studies.
pub fn list() {
    for (name, about, _) in STUDIES {
        println!("{name:20} {about}");
    }
}

/// Runs the study of that name.
pub fn run(name: &str) -> Result<(), String> {
    match STUDIES.iter().find(|(known, ..)| *known == name) {
        Some((.., run)) => run(),
        None => Err(format!(
            "unknown study `{name}`; `cargo xtask study` lists those there are"
        )),
    }
}
