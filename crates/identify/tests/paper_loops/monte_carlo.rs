//! Many fits of one loop under fresh noise.

use super::{Law, Loop, alone, bouc_wen, dahl};
use masing_identify::{FitOptions, Identified, fit};

/// A loop and what was put in.
pub type Cell = (&'static str, Law, fn() -> Loop, &'static [f64]);

/// The loops of the paper.
pub const CELLS: [Cell; 8] = [
    (
        "Dahl 1/1",
        Law::Dahl,
        || dahl(2e5, 1.0, 1.0, 1e-3),
        &[2e5, 1.0, 1.0],
    ),
    (
        "Dahl 1/1.5",
        Law::Dahl,
        || dahl(2e5, 1.0, 1.5, 1e-3),
        &[2e5, 1.0, 1.5],
    ),
    (
        "Dahl 1/2.5",
        Law::Dahl,
        || dahl(2e5, 1.0, 2.5, 1e-3),
        &[2e5, 1.0, 2.5],
    ),
    (
        "Dahl 10/1",
        Law::Dahl,
        || dahl(2e5, 10.0, 1.0, 1e-3),
        &[2e5, 10.0, 1.0],
    ),
    (
        "Bouc-Wen .5 .2 1",
        Law::BoucWen,
        || bouc_wen([1.0, 0.5, 0.2, 1.0], 1e-3),
        &[200.0, 100.0, 40.0, 1.0],
    ),
    (
        "Bouc-Wen .5 .2 3",
        Law::BoucWen,
        || bouc_wen([1.0, 0.5, 0.2, 3.0], 1e-3),
        &[200.0, 100.0, 40.0, 3.0],
    ),
    (
        "Bouc-Wen .2 .2 1",
        Law::BoucWen,
        || bouc_wen([1.0, 0.2, 0.2, 1.0], 1e-3),
        &[200.0, 40.0, 40.0, 1.0],
    ),
    (
        "Bouc-Wen .005 .001 1",
        Law::BoucWen,
        || bouc_wen([1.0, 0.005, 0.001, 1.0], 1e-3),
        &[200.0, 1.0, 0.2, 1.0],
    ),
];

/// What many fits say about one parameter, relative to its value.
#[derive(Clone, Debug)]
pub struct Spread {
    pub name: String,
    /// Spread of the values, by their middle half.
    pub deviation: f64,
    /// Median of the values less the truth.
    pub bias: f64,
    /// Cramer-Rao bound at the truth: median of the standard errors of fits started there.
    pub bound: f64,
    /// Runs that ended where a start at the truth leads to.
    pub same: usize,
}

fn fitted(law: Law, record: &Loop, noise: f64, start: Option<&[f64]>) -> Identified {
    let mut target = record.target();
    if let Some(rig) = target.motion_record_mut() {
        rig.noise = Some(noise);
    }
    let model = alone(law.kind());
    let mut options = FitOptions::default();
    if let Some(start) = start {
        let addresses = model.params().into_iter().map(|(address, _)| address);
        options.starts = addresses.zip(start.iter().copied()).collect();
    }
    fit(&model, vec![target], vec![], &options, None).expect("a fit")
}

/// The value below which a share of the numbers lies.
pub fn quantile(mut values: Vec<f64>, share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * share).round() as usize]
}

/// Fits `runs` draws of noise, of so much of the largest force, from automatic starts and from the truth.
pub fn cell(
    law: Law,
    clean: &Loop,
    truth: &[f64],
    noise: f64,
    runs: u64,
    seed: u64,
) -> Vec<Spread> {
    let size = noise * clean.peak();
    let mut automatic = Vec::new();
    let mut near = Vec::new();
    for run in 0..runs {
        let record = clean.noisy(noise, seed + run);
        automatic.push(fitted(law, &record, size, None));
        near.push(fitted(law, &record, size, Some(truth)));
    }
    let same = automatic
        .iter()
        .zip(&near)
        .filter(|(a, b)| a.error.relative <= b.error.relative * (1.0 + 1e-5))
        .count();
    truth
        .iter()
        .enumerate()
        .map(|(i, truth)| {
            let values = |fits: &[Identified]| -> Vec<f64> {
                fits.iter()
                    .map(|f| f.model.values()[i] / truth - 1.0)
                    .collect()
            };
            let own = values(&automatic);
            let errors = near.iter().filter_map(|f| f.estimates[i].std_error);
            let quarter = |share| quantile(own.clone(), share);
            Spread {
                name: automatic[0].estimates[i].address.clone(),
                // 1.349: the middle half of a normal distribution over its standard deviation.
                deviation: (quarter(0.75) - quarter(0.25)) / 1.349,
                bias: quarter(0.5),
                bound: quantile(errors.map(|e| e / truth.abs()).collect(), 0.5),
                same,
            }
        })
        .collect()
}
