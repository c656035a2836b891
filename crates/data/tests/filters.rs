//! Filters against SciPy (`tests/golden/filters`), and averages found in records of real sensors.

use masing_data::signal::{Filter, averaged, undo_average};
use masing_data::{ReadOptions, inspect};
use masing_diagnostic::{Diagnostic, RecordDiagnostic};
use std::path::{Path, PathBuf};

const GOLDEN: &str = include_str!("../../../tests/golden/filters/filters.csv");

#[test]
fn filters_are_those_of_scipy() {
    let mut lines = GOLDEN.lines();
    let names: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let rows: Vec<Vec<f64>> = lines
        .map(|line| {
            line.split(',')
                .map(|v| v.parse().expect("a number"))
                .collect()
        })
        .collect();
    let column = |c: usize| rows.iter().map(|row| row[c]).collect::<Vec<f64>>();
    for (c, name) in names.iter().enumerate().skip(1) {
        let numbers: Vec<f64> = name
            .split('-')
            .filter_map(|word| word.parse().ok())
            .collect();
        let filter = match numbers[..] {
            [samples] => Filter::MovingAverage {
                samples: samples as usize,
            },
            [order, frequency] => Filter::LowPass {
                frequency,
                order: order as usize,
            },
            _ => panic!("the name of a filter: {name}"),
        };
        let mut found = column(0);
        filter.apply(&mut found, 2e-3);
        for (i, (a, b)) in found.iter().zip(column(c)).enumerate() {
            // Rounding of a signal of about 4 through poles close to one.
            assert!((a - b).abs() < 1e-11, "{name}, sample {i}: {a} {b}");
        }
    }
}

/// The files of a folder beside the project.
fn shared(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let entries = std::fs::read_dir(root.join(folder)).expect("../shared/data");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    files.sort();
    files
}

/// Averages that a file is said to have gone through.
fn told(path: &Path) -> Vec<usize> {
    let Ok(all) = masing_data::read_all(path, &ReadOptions::default()) else {
        return vec![];
    };
    let each = all.iter().filter_map(|test| inspect(test).ok());
    let each = each.flat_map(|inspection| inspection.diagnostics);
    each.filter_map(|found| match found.about() {
        Diagnostic::Record(RecordDiagnostic::Averaged { samples, .. }) => Some(*samples),
        _ => None,
    })
    .collect()
}

#[test]
fn no_record_of_the_examples_is_taken_for_an_average() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for folder in ["bushing", "joint", "clutch", "metal-rubber", "oscillator"] {
        for entry in std::fs::read_dir(examples.join(folder)).expect("examples") {
            let path = entry.expect("an entry").path();
            assert_eq!(told(&path), [0; 0], "{}", path.display());
        }
    }
}

#[test]
#[ignore = "needs ../shared/data"]
fn no_record_of_a_sensor_is_taken_for_an_average() {
    for folder in [
        "mr-damper",
        "friction-damper",
        "rubber-bearing",
        "steel-dampers",
        "bouc-wen-benchmark",
        "reference-simulations",
    ] {
        for path in shared(folder) {
            assert_eq!(told(&path), [0; 0], "{}", path.display());
        }
    }
}

/// Records of the damper as they were published: averaged over a tenth of a period, in four digits.
#[test]
#[ignore = "needs ../shared/data"]
fn averages_of_the_published_kind_are_found_to_a_sample() {
    let mut tried = 0;
    for path in shared("mr-damper") {
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let frequency = name
            .split(['_', 'H'])
            .nth(1)
            .and_then(|f| f.parse::<f64>().ok());
        let Some(frequency) = frequency else { continue };
        let test = masing_data::read(&path, &ReadOptions::default()).expect("a record");
        let record = test.record().expect("a record");
        let time = record.time.as_deref().expect("time");
        let samples = (0.1 / frequency / (time[1] - time[0])).round() as usize;
        // 4 samples of the fastest sine are too few for nulls.
        if samples < 8 {
            continue;
        }
        let mut y: Vec<f64> = record.force().expect("a force").to_vec();
        Filter::MovingAverage { samples }.apply(&mut y, 1.0);
        for y in &mut y {
            *y = (1e4 * *y).round() / 1e4;
        }
        let found = averaged(&y).unwrap_or_else(|| panic!("{name}: no average found"));
        assert!(
            found.abs_diff(samples) <= 1,
            "{name}: {found} for {samples}"
        );
        tried += 1;
    }
    assert_eq!(tried, 15);
}

/// An average of a real record is undone to the error that is told.
#[test]
#[ignore = "needs ../shared/data"]
fn averages_of_real_records_are_undone_as_told() {
    for (file, samples) in [
        ("10mm_2Hz_1A", 50),
        ("25mm_0.25Hz_1A", 80),
        ("5mm_4Hz_0.5A", 25),
    ] {
        let files = shared("mr-damper");
        let path = files
            .iter()
            .find(|p| p.ends_with(format!("{file}.csv")))
            .expect("the file");
        let test = masing_data::read(path, &ReadOptions::default()).expect("a record");
        let record = test.record().expect("a record");
        for (values, digits) in [
            (record.motion().expect("motion"), 1e-7),
            (record.motion().expect("motion"), 1e-9),
            (record.force().expect("force"), 1e-4),
        ] {
            let mut y = values.to_vec();
            Filter::MovingAverage { samples }.apply(&mut y, 1.0);
            for y in &mut y {
                *y = (*y / digits).round() * digits;
            }
            let found = undo_average(&y, samples);
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let off = found
                .values
                .iter()
                .zip(values)
                .map(|(a, b)| (a - b).powi(2));
            let size: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
            let error = (off.sum::<f64>() / size).sqrt();
            println!(
                "{file} {digits:e}: error {error:.2e}, told {:.2e}, residue {}",
                found.error, found.residue
            );
            // A fraction of the sensor's own resolution counts as noise of the file, so that more may be told.
            assert!(
                error < 1.5 * found.error && found.error < 1e-2,
                "{file}: {error} told {}",
                found.error
            );
        }
    }
}
