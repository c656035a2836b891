//! The hysteretic benchmark of Noel and Schoukens: a Bouc-Wen oscillator of which only excitation and response are
//! known.

mod record;

use crate::error::PapersError;
use crate::paper::{Paper, Records};
use crate::report::{DISPLACEMENT, NAN, Part, Row, TIME, column, history, ours, paper};
use masing_identify::result::Curves;
use masing_identify::test::DrivenMasses;
use masing_identify::{FitOptions, Identified, Test, fit, predict_held_out};
use masing_model::{Assembly, Masses, Model, Shape};
use record::{multisine, noise_of, read, respond, sweep};
use std::path::PathBuf;
use std::time::Instant;

/// The published values: of the element (z' = alpha v - beta (gamma |v| z |z|^(nu-1) + delta v |z|^nu) with beta = 1000,
/// gamma = 0.8, delta = -1.1), then m, c, k, x0, v0.
const TRUTH: [f64; 9] = [5e4, 800.0, -1100.0, 1.0, 2.0, 10.0, 5e4, 0.0, 0.0];

/// The force at which the loop parameters are compared: they follow n, but not there.
const AT: f64 = 50.0;

/// Published errors on the multisine (m), as collected by Iacob et al. (2025), Table 1.
const PUBLISHED: [(&str, f64); 5] = [
    ("gr-SS-NN", 7.53e-6),
    ("SS-NN, Suykens, improved", 8.91e-6),
    ("polynomial NLSS", 1.34e-5),
    ("Koopman", 1.43e-5),
    ("SS-NN, Suykens", 2.65e-5),
];

pub const PAPER: Paper = Paper {
    name: "bouc-wen-benchmark",
    summary: "A Bouc-Wen oscillator from excitation and response; needs --train",
    title: "Hysteretic benchmark: a Bouc-Wen oscillator from excitation and response",
    reference: "Noel, J.-P., Schoukens, M., Hysteretic benchmark with a dynamic nonlinearity, doi \
                10.4121/12967592",
    about: "A mass on a spring, a damper and a Bouc-Wen element is driven by a random-phase multisine; the load and the \
            displacement at 750 Hz are all that is known. The fit begins without starting values. The response is \
            simulated at 15 kHz and sent through the three stages of filtering and thinning out (2, 2, 5) that made \
            the record, so that what is left is noise. The published errors are of black boxes, which do not know \
            that the element is a Bouc-Wen one, and of the official test signals: they show the size of what there \
            is to gain, not a contest.",
    reads: true,
    run: |job| {
        job.parts(
            || Fitted::new(job.records),
            &[
                ("training", training_part),
                ("parameters", parameter_part),
                ("test", test_part),
            ],
        )
    },
};

/// The training record, fitted, and the files to be predicted.
struct Fitted {
    found: Identified,
    noise: Option<f64>,
    seconds: f64,
    truth: Model,
    given: Vec<(String, DrivenMasses)>,
}

impl Fitted {
    fn new(records: &Records) -> Result<Self, PapersError> {
        let train = records.train.as_deref();
        let train = train.ok_or(PapersError::NoRecord { paper: PAPER.name })?;
        let training = read(train)?;
        let named = |path: &PathBuf| Ok((path.display().to_string(), read(path)?));
        let given = records.tests.iter().map(named);
        let given = given.collect::<Result<_, PapersError>>()?;
        let assembly = Assembly::from_names("bouc-wen", |_| Shape::default())?;
        let truth = Model::new(assembly, Some(Masses::oscillator()), TRUTH.to_vec())?;
        let noise = noise_of(&training);
        let target = Test::of("training", training);
        let begun = Instant::now();
        let found = fit(&truth, vec![target], vec![], &FitOptions::default(), None)?;
        Ok(Self {
            seconds: begun.elapsed().as_secs_f64(),
            found,
            noise,
            truth,
            given,
        })
    }
}

fn training_part(fitted: &Fitted) -> Result<Part, PapersError> {
    let test = &fitted.found.comparisons[0];
    let Curves::Masses(curves) = &test.curves else {
        return Ok(Part::new("Training record", "", vec![], vec![]));
    };
    let text = "What the fit leaves over of the training record, beside the noise that its repeated periods show; the \
        first of them is left out of that, because the oscillator began at rest.";
    let values = [
        test.rms,
        fitted.noise.unwrap_or(NAN),
        100.0 * test.error,
        fitted.found.search.evaluations as f64,
        fitted.seconds,
    ];
    let part = Part::new(
        "Training record",
        text,
        vec![
            column("difference", "m rms", 4),
            column("noise", "m rms", 4),
            column("error", "% of rms displacement", 3),
            column("runs", "", 4),
            column("time", "s", 2),
        ],
        vec![ours("fit", values)],
    );
    let shown = ..SHOWN.min(curves.time.len());
    let time = &curves.time[shown];
    let in_mm = |values: &[f64]| -> Vec<f64> { values.iter().map(|x| 1e3 * x).collect() };
    let (_, _, displacement) = &curves.channels[0];
    let measured = in_mm(&displacement.measured[shown]);
    let model = in_mm(&displacement.model[shown]);
    let mut plot = history("The beginning of the training record", TIME, DISPLACEMENT);
    plot.add_faint("record", time, &measured);
    plot.add("model", time, &model);
    Ok(part.with_plots([plot]))
}

/// Samples of the training record that the page shows.
const SHOWN: usize = 750;

fn parameter_part(Fitted { found, .. }: &Fitted) -> Result<Part, PapersError> {
    let row = |label: &str, value: f64, truth: f64, error: f64| -> Row {
        ours(
            label,
            [
                value,
                truth,
                100.0 * (value / truth - 1.0),
                100.0 * (error / truth).abs(),
            ],
        )
    };
    let params = found.estimates.iter().zip(TRUTH).take(7);
    let mut rows: Vec<Row> = params
        .map(|(p, truth)| row(&p.address, p.value, truth, p.std_error.unwrap_or(NAN)))
        .collect();
    let values = found.model.values();
    let at = |value: f64| value * AT.powf(values[3] - 1.0);
    for (label, i) in [("beta 50^(n-1)", 1), ("gamma 50^(n-1)", 2)] {
        rows.push(row(label, at(values[i]), TRUTH[i], NAN).remark("loop at 50 N"));
    }
    let text = "Parameters beside the published ones. beta and gamma carry a unit that depends on n, and their errors \
        follow its error; what they do to the loop at a force of 50 N is known better.";
    Ok(Part::new(
        "Parameters",
        text,
        vec![
            column("found", "SI", 6),
            column("published", "SI", 4),
            column("difference", "%", 2),
            column("standard error", "%", 2),
        ],
        rows,
    ))
}

fn test_part(fitted: &Fitted) -> Result<Part, PapersError> {
    let mut rows = Vec::new();
    let mut predict = |label: &str, test: DrivenMasses, remark: &str| -> Result<(), PapersError> {
        let mut target = Test::of(label, test);
        let (outcome, _) = predict_held_out(&fitted.found.model, &mut target)?;
        rows.push(ours(label, [outcome.rms, 100.0 * outcome.relative]).remark(remark));
        Ok(())
    };
    for (label, test) in &fitted.given {
        predict(label, test.clone(), "the file that was given")?;
    }
    for (label, test) in [("multisine", multisine()?), ("sweep", sweep()?)] {
        let test = respond(&fitted.truth, test)?;
        predict(label, test, "made here with the published values")?;
    }
    rows.extend(
        PUBLISHED
            .iter()
            .map(|(name, rms)| paper(*name, [*rms, NAN]).remark("published, official multisine")),
    );
    let text = "Root mean square of the difference between predicted and true displacement. The multisine (8192 samples of \
        a steady response to 50 N rms between 5 and 150 Hz) and the sweep (40 N, 20 to 50 Hz at 10 Hz a minute, from \
        rest) are made here with the published values and without noise, after the description of the official test \
        signals; they are not those signals.";
    Ok(Part::new(
        "Test error",
        text,
        vec![
            column("RMSE", "m", 3),
            column("error", "% of rms displacement", 2),
        ],
        rows,
    ))
}
