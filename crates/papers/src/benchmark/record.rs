//! Records of the benchmark: read, or made after its description.

use crate::error::PapersError;
use crate::random::Even;
use masing_data::{Content as Recorded, ReadOptions, Role};
use masing_identify::test::reading::close;
use masing_identify::test::{Channel, DrivenMasses, Output};
use masing_identify::{FitError, Test, predict_held_out};
use masing_model::Model;
use masing_sim::Load;
use masing_sim::system::Decimation;
use std::f64::consts::TAU;
use std::path::Path;

/// Samples per second.
const RATE: f64 = 750.0;
/// Stages by which the records were filtered and thinned out.
const STAGES: [usize; 3] = [2, 2, 5];
/// Samples in a period of the multisine.
const PERIOD: usize = 8192;

/// A record of load `u` and displacement `y` at 750 Hz: one period of a steady response if both close on themselves, else
/// from rest.
pub fn read(path: &Path) -> Result<DrivenMasses, PapersError> {
    let mut options = ReadOptions::default();
    options.parse_columns("displacement=y,load=u")?;
    options.rate = Some(RATE);
    let experiment = masing_data::read(path, &options)?;
    let Recorded::Record(record) = experiment.content else {
        let test = path.display().to_string();
        return Err(FitError::NoLoad { test }.into());
    };
    record.require_complete()?;
    let load = Load::new(record.need_time()?.to_vec())?;
    let load = load.on(1, record.need(Role::Load)?.to_vec())?;
    let y = record.need(Role::Displacement)?;
    let steady = close([record.need(Role::Load)?, y]);
    let test = DrivenMasses::new(load, vec![displacement(y.to_vec())]);
    let test = if steady { test.periodic()? } else { test };
    Ok(test.decimated(Decimation::new(&STAGES))?)
}

/// The displacement as the one channel that is measured.
fn displacement(measured: Vec<f64>) -> Channel {
    Channel {
        output: Output::Displacement,
        dof: 0,
        measured,
        noise: None,
    }
}

/// Noise from the spread of the periods after the first two, where there are three or more.
pub fn noise_of(test: &DrivenMasses) -> Option<f64> {
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
fn silent(force: Vec<f64>) -> Result<DrivenMasses, PapersError> {
    let n = force.len();
    let time = (0..n).map(|i| i as f64 / RATE).collect();
    let load = Load::new(time)?.on(1, force)?;
    Ok(DrivenMasses::new(load, vec![displacement(vec![0.0; n])]))
}

/// One period of random phases between 5 and 150 Hz, 50 N rms, in a steady state.
pub fn multisine() -> Result<DrivenMasses, PapersError> {
    let lines: Vec<usize> = (0..PERIOD)
        .filter(|k| (5.0..=150.0).contains(&(*k as f64 * RATE / PERIOD as f64)))
        .collect();
    let mut random = Even(7);
    let phases: Vec<f64> = lines.iter().map(|_| TAU * random.next()).collect();
    let scale = 50.0 * (2.0 / lines.len() as f64).sqrt();
    let value = |i: usize| {
        let each = lines.iter().zip(&phases).map(|(k, phase)| {
            // Whole periods are left out, so that the angle keeps its digits.
            (TAU * ((i * k) % PERIOD) as f64 / PERIOD as f64 + phase).cos()
        });
        scale * each.sum::<f64>()
    };
    let test = silent((0..PERIOD).map(value).collect())?;
    Ok(test.periodic()?.decimated(Decimation::new(&STAGES))?)
}

/// A sweep of 40 N from 20 to 50 Hz at 10 Hz a minute, from rest.
pub fn sweep() -> Result<DrivenMasses, PapersError> {
    let pace = 10.0 / 60.0;
    let duration = (50.0 - 20.0) / pace;
    let count = (duration * RATE) as usize;
    let value = |i: usize| {
        let t = i as f64 / RATE;
        40.0 * (TAU * (20.0 + 0.5 * pace * t) * t).sin()
    };
    let test = silent((0..count).map(value).collect())?;
    Ok(test.decimated(Decimation::new(&STAGES))?)
}

/// The test with the response of a model.
pub fn respond(model: &Model, test: DrivenMasses) -> Result<DrivenMasses, FitError> {
    let mut target = Test::of("", test.clone());
    let (_, response) = predict_held_out(model, &mut target)?;
    let mut test = test;
    test.channels[0].measured = response;
    Ok(test)
}
