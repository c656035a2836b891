//! `masing harmonic`: dynamic stiffness, loss angle and energy per cycle of a model.

use super::simulate::Asked;
use crate::console::Console;
use crate::error::AppError;
use crate::output::OutFile;
use crate::quantity;
use crate::request::HarmonicRequest;
use crate::request::condition;
use masing_data::unit::Quantity;
use masing_diagnostic::{Diagnostic, Entry, TestDiagnostic, entries};
use masing_identify::{Names, Workers, units};
use masing_model::Model;
use masing_report::csv::{self, Column};
use masing_report::figures::significant;
use masing_report::text::number_table;
use masing_sim::SimError;
use serde::Serialize;
use std::path::PathBuf;

/// More amplitudes times frequencies than this are refused.
const MOST_POINTS: usize = 10_000;

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    model: String,
    converged: bool,
    mean: f64,
    points: Vec<Point>,
    failures: &'a [Failure],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Entry>,
    out: Option<String>,
}

#[derive(Clone, Copy, Serialize)]
struct Point {
    frequency: f64,
    amplitude: f64,
    dynamic_stiffness: f64,
    storage: f64,
    loss: f64,
    loss_angle: f64,
    energy: f64,
    secant_stiffness: f64,
    damping_ratio: f64,
    cycles: usize,
}

#[derive(Serialize)]
struct Failure {
    frequency: f64,
    amplitude: f64,
    message: String,
    #[serde(skip)]
    source: SimError,
}

/// Whether sines leave what the tests of the model covered, and how far.
fn outside_validity(model: &Model, tests: &[(f64, f64)], mean: f64) -> Vec<Diagnostic> {
    let Some(covered) = &model.validity else {
        return Vec::new();
    };
    let ends = tests.iter().flat_map(|(a, _)| [mean - a, mean + a]);
    let far = |x: &f64| (x - covered.displacement[1]).max(covered.displacement[0] - x);
    let displacement = ends
        .filter(|x| covered.displacement_outside(*x))
        .max_by(|a, b| far(a).total_cmp(&far(b)));
    let speed = tests
        .iter()
        .map(|(a, f)| std::f64::consts::TAU * f * a)
        .filter(|v| covered.speed_outside(*v))
        .max_by(f64::total_cmp);
    let frequency = covered.frequency.and_then(|[low, high]| {
        let beyond = |f: &f64| *f < low * (1.0 - 1e-9) || *f > high * (1.0 + 1e-9);
        let found = tests.iter().map(|(_, f)| *f).filter(beyond);
        let found =
            found.max_by(|a, b| (a / high).max(low / a).total_cmp(&(b / high).max(low / b)));
        found.map(|f| (f, [low, high]))
    });
    if displacement.is_none() && speed.is_none() && frequency.is_none() {
        return Vec::new();
    }
    let found = TestDiagnostic::OutsideValidity {
        displacement: displacement.map(|x| (x, covered.displacement)),
        speed: speed.map(|v| (v, covered.speed)),
        frequency,
    };
    vec![found.into()]
}

impl HarmonicRequest {
    /// Runs all tests, and tells the table.
    pub fn run(&self, console: Console) -> Result<(), AppError> {
        let law = self.model.complete()?;
        let levels = condition::levels_for(&law, &condition::parse(&self.condition)?)?;
        let model = law.at(&levels)?;
        let out = self.out.as_deref().map(OutFile::prepare).transpose()?;
        if model.system().is_some() {
            return Err(AppError::WrongDrive {
                model: PathBuf::from(self.model.to_string()),
                found: "the model has a [system] with masses",
                expected: "a model without [system]: the motion is prescribed here",
            });
        }
        let names = Names::of(model.motion());
        let tests = self.tests(&names)?;
        let mean = match &self.mean {
            Some(text) => quantity::parse("--mean", &text.to_string(), names.length)?,
            None => 0.0,
        };
        let accuracy = Some(self.accuracy);
        Asked {
            accuracy,
            ..Asked::default()
        }
        .check()?;

        let (points, failures) = self.tabulate(console, &model, &tests, mean);
        if let Some(out) = &out {
            out.write(|to| csv::write(to, &columns(&points, &names)))?;
        }
        let mut warnings = outside_validity(&model, &tests, mean);
        warnings.extend(condition::outside(&law, &levels));
        let document = Document {
            schema: "masing.harmonic/1",
            model: self.model.to_string(),
            converged: failures.is_empty(),
            mean,
            points,
            failures: &failures,
            warnings: entries(&warnings, units(model.motion())),
            out: self.out.as_ref().map(|path| path.display().to_string()),
        };
        console.show(&document, || summary(&document, &names))?;
        match failures.into_iter().next() {
            None => Ok(()),
            Some(failure) => Err(AppError::Test {
                path: PathBuf::from(self.model.to_string()),
                amplitude: failure.amplitude,
                unit: names.length.si(),
                frequency: failure.frequency,
                source: failure.source,
            }),
        }
    }

    /// All pairs of amplitude and frequency.
    fn tests(&self, names: &Names) -> Result<Vec<(f64, f64)>, AppError> {
        if !(2..=MOST_POINTS).contains(&self.points) {
            let expected = format!("2 to {MOST_POINTS} points");
            return Err(AppError::option("--points", self.points, expected));
        }
        let amplitudes =
            quantity::series("--amplitude", &self.amplitude.0, names.length, self.points)?;
        let frequencies = quantity::series(
            "--frequency",
            &self.frequency.0,
            Quantity::Frequency,
            self.points,
        )?;
        let count = amplitudes.len() * frequencies.len();
        if count > MOST_POINTS {
            let expected = format!("at most {MOST_POINTS} amplitudes times frequencies");
            return Err(AppError::option("--frequency", &self.frequency.0, expected));
        }
        Ok(amplitudes
            .iter()
            .flat_map(|&a| frequencies.iter().map(move |&f| (a, f)))
            .collect())
    }

    /// Runs the tests on all cores; each is by itself, so the results do not depend on their number.
    fn tabulate(
        &self,
        console: Console,
        model: &Model,
        tests: &[(f64, f64)],
        mean: f64,
    ) -> (Vec<Point>, Vec<Failure>) {
        let progress = console.progress(tests.len(), "tests");
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let results = Workers::new(cores).map(tests.len(), |i| {
            let result = masing_sim::harmonic(
                model.assembly(),
                model.element_values(),
                tests[i],
                mean,
                self.accuracy,
            );
            progress.inc(1);
            result
        });
        progress.finish_and_clear();
        let (mut points, mut failures) = (Vec::new(), Vec::new());
        for (result, &(amplitude, frequency)) in results.into_iter().zip(tests) {
            match result {
                Ok(h) => points.push(Point {
                    frequency,
                    amplitude,
                    dynamic_stiffness: h.dynamic_stiffness(),
                    storage: h.storage,
                    loss: h.loss,
                    loss_angle: h.loss_angle(),
                    energy: h.energy,
                    secant_stiffness: h.secant_stiffness,
                    damping_ratio: h.damping_ratio(),
                    cycles: h.cycles,
                }),
                Err(source) => failures.push(Failure {
                    frequency,
                    amplitude,
                    message: source.to_string(),
                    source,
                }),
            }
        }
        (points, failures)
    }
}

fn columns(points: &[Point], names: &Names) -> Vec<Column> {
    let column = |name: &str, unit: &str, value: fn(&Point) -> f64| {
        Column::new(name, unit, points.iter().map(value).collect())
    };
    let stiffness = names.stiffness.si();
    vec![
        column("frequency", "Hz", |p| p.frequency),
        column("amplitude", names.length.si(), |p| p.amplitude),
        column("stiffness", stiffness, |p| p.dynamic_stiffness),
        column("storage", stiffness, |p| p.storage),
        column("loss", stiffness, |p| p.loss),
        column("loss_angle", "rad", |p| p.loss_angle),
        column("energy", "J", |p| p.energy),
        column("secant_stiffness", stiffness, |p| p.secant_stiffness),
        column("damping_ratio", "1", |p| p.damping_ratio),
    ]
}

fn summary(document: &Document<'_>, names: &Names) -> String {
    let header = |name: &str, quantity: Quantity| format!("{name}\n{}", quantity.engineering().0);
    let headers = [
        header("amplitude", names.length),
        header("frequency", Quantity::Frequency),
        header("dynamic\nstiffness", names.stiffness),
        header("storage", names.stiffness),
        header("loss", names.stiffness),
        "loss angle\ndeg".to_owned(),
        "energy\nper cycle\nJ".to_owned(),
        "equivalent\ndamping\nratio".to_owned(),
    ];
    let mut rows = number_table(&headers);
    let in_units =
        |value: f64, quantity: Quantity| significant(value / quantity.engineering().1, 5);
    for p in &document.points {
        rows.add_row([
            in_units(p.amplitude, names.length),
            in_units(p.frequency, Quantity::Frequency),
            in_units(p.dynamic_stiffness, names.stiffness),
            in_units(p.storage, names.stiffness),
            in_units(p.loss, names.stiffness),
            in_units(p.loss_angle, Quantity::Angle),
            in_units(p.energy, Quantity::Energy),
            in_units(p.damping_ratio, Quantity::Number),
        ]);
    }
    let mut text = rows.trim_fmt();
    text.push_str("\n\nAmplitudes are zero to peak.");
    if let Some(out) = &document.out {
        text.push_str(" Written to ");
        text.push_str(out);
        text.push('.');
    }
    for warning in &document.warnings {
        text.push_str("\n\nnote: ");
        text.push_str(&warning.message);
    }
    text
}
