//! Records of the benchmark: read, or made after its description.

use crate::error::AppError;
use crate::targets::{Subject, Targets, TestSpec};
use masing_data::ReadOptions;
use masing_identify::test::{Channel, DrivenTest, Output};
use masing_identify::{Content, FitError, Target, predict_held_out};
use masing_model::{Masses, Model};
use masing_sim::system::Decimation;
use masing_sim::{Load, SimError};
use std::f64::consts::TAU;
use std::path::{Path, PathBuf};

/// Samples per second.
const RATE: f64 = 750.0;
/// Stages by which the records were filtered and thinned out.
const STAGES: [usize; 3] = [2, 2, 5];
/// Samples in a period of the multisine.
const PERIOD: usize = 8192;

/// A record of load `u` and displacement `y` at 750 Hz.
pub fn read(path: &Path) -> Result<DrivenTest, AppError> {
    let mut options = ReadOptions::default();
    options.parse_columns("displacement=y,load=u")?;
    options.rate = Some(RATE);
    let mut spec = TestSpec::plain(path.to_owned(), options);
    spec.decimation = STAGES.to_vec();
    let subject = Subject {
        masses: Some(Masses::oscillator()),
        rate_independent: false,
        loop_law: false,
        begun: false,
    };
    let mut targets = Targets::default();
    targets.add(&spec, &subject, &mut None)?;
    match targets.list.pop().map(|t| t.content) {
        Some(Content::Driven(test)) => Ok(test),
        _ => Err(AppError::Fit {
            model: "bouc-wen".to_owned(),
            source: FitError::NoLoad {
                test: path.display().to_string(),
            },
        }),
    }
}

/// Noise from the spread of the periods after the first two, where there are three or more.
pub fn noise_of(test: &DrivenTest) -> Option<f64> {
    let period = test.load().period()?;
    let own = &test.channels.first()?.measured;
    let periods: Vec<&[f64]> = own.chunks_exact(period).skip(2).collect();
    let count = periods.len();
    if count < 2 {
        return None;
    }
    let mut square = 0.0;
    for i in 0..period {
        let mean = periods.iter().map(|p| p[i]).sum::<f64>() / count as f64;
        square += periods.iter().map(|p| (p[i] - mean).powi(2)).sum::<f64>();
    }
    Some((square / ((count - 1) * period) as f64).sqrt())
}

/// A test without a response yet.
fn silent(force: Vec<f64>) -> Result<DrivenTest, AppError> {
    let failed = |source: SimError| AppError::Simulation {
        path: PathBuf::from("reproduce bouc-wen-benchmark"),
        line: None,
        source,
    };
    let n = force.len();
    let time = (0..n).map(|i| i as f64 / RATE).collect();
    let load = Load::new(time).map_err(failed)?;
    let load = load.on(1, force).map_err(failed)?;
    let channel = Channel {
        output: Output::Displacement,
        dof: 0,
        measured: vec![0.0; n],
        noise: None,
    };
    Ok(DrivenTest::new(load, vec![channel]))
}

/// One period of random phases between 5 and 150 Hz, 50 N rms, in a steady state.
pub fn multisine() -> Result<DrivenTest, AppError> {
    let lines: Vec<usize> = (0..PERIOD)
        .filter(|k| (5.0..=150.0).contains(&(*k as f64 * RATE / PERIOD as f64)))
        .collect();
    let mut state = 7_u64;
    let phases: Vec<f64> = lines
        .iter()
        .map(|_| {
            // Knuth's linear congruential generator; its high bits are random enough for phases.
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            TAU * (state >> 11) as f64 / (1_u64 << 53) as f64
        })
        .collect();
    let scale = 50.0 * (2.0 / lines.len() as f64).sqrt();
    let value = |i: usize| {
        let each = lines.iter().zip(&phases).map(|(k, phase)| {
            // Whole periods are left out, so that the angle keeps its digits.
            (TAU * ((i * k) % PERIOD) as f64 / PERIOD as f64 + phase).cos()
        });
        scale * each.sum::<f64>()
    };
    let test = silent((0..PERIOD).map(value).collect())?;
    test.periodic()
        .and_then(|test| test.decimated(Decimation::new(&STAGES)))
        .map_err(unfit)
}

/// A sweep of 40 N from 20 to 50 Hz at 10 Hz a minute, from rest.
pub fn sweep() -> Result<DrivenTest, AppError> {
    let pace = 10.0 / 60.0;
    let duration = (50.0 - 20.0) / pace;
    let count = (duration * RATE) as usize;
    let value = |i: usize| {
        let t = i as f64 / RATE;
        40.0 * (TAU * (20.0 + 0.5 * pace * t) * t).sin()
    };
    let test = silent((0..count).map(value).collect())?;
    test.decimated(Decimation::new(&STAGES)).map_err(unfit)
}

fn unfit(source: FitError) -> AppError {
    AppError::Fit {
        model: "bouc-wen".to_owned(),
        source,
    }
}

/// The test with the response of a model.
pub fn respond(model: &Model, test: DrivenTest) -> Result<DrivenTest, FitError> {
    let mut target = Target::of("", Content::Driven(test.clone()));
    let (_, response) = predict_held_out(model, &mut target)?;
    let mut test = test;
    test.channels[0].measured = response;
    Ok(test)
}
