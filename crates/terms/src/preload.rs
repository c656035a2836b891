//! The preload where it is not given: the displacement for which odd powers describe the force best.

use super::dictionary::Term;
use super::error::TermsError;
use super::friction::grid;
use super::line;
use super::set::Set;
use masing_identify::search::non_negative::non_negative;

/// The preload is searched within this many amplitudes.
const FARTHEST_PRELOAD: f64 = 12.0;
/// Points of the first look.
const SCAN: usize = 97;
/// Rows that a first look needs.
const ROWS: usize = 1500;
/// Every n-th slip displacement of the grid is used in the first look.
const COARSE: usize = 4;

/// A first value from a scan, with a coarse set of sliders and all terms. No slider may have a negative stiffness:
/// sliders of alternating sign would compensate any preload.
pub fn guess(set: &Set, terms: &[Term]) -> Result<f64, TermsError> {
    let (felt, others): (Vec<&Term>, Vec<&Term>) = terms.iter().partition(|t| t.feels_preload());
    if felt.is_empty() {
        return Ok(0.0);
    }
    let stride = (set.rows() / ROWS).max(1);
    let thin = |column: Vec<f64>| -> Vec<f64> { column.into_iter().step_by(stride).collect() };
    let radii = grid(set);
    let sliders: Vec<Vec<f64>> = radii
        .iter()
        .step_by(COARSE)
        .map(|r| thin(set.slider(*r).0))
        .collect();
    let positive: Vec<&[f64]> = sliders.iter().map(Vec::as_slice).collect();
    let others: Vec<Vec<f64>> = others.iter().map(|t| thin(set.column(t))).collect();
    let y = thin(set.force());
    let cost = |y0: f64| {
        let moved = set.with_preload(y0);
        let felt: Vec<Vec<f64>> = felt.iter().map(|t| thin(moved.column(t))).collect();
        let free: Vec<&[f64]> = felt.iter().chain(&others).map(Vec::as_slice).collect();
        non_negative(&free, &positive, &y).map_or(f64::INFINITY, |found| found.rest)
    };
    let amplitude = set.amplitude();
    let found = line::least(
        &cost,
        -FARTHEST_PRELOAD * amplitude,
        FARTHEST_PRELOAD * amplitude,
        SCAN,
    );
    let Some(y0) = found else {
        return Err(TermsError::NoPreload {
            why: "the candidates repeat each other at any preload".to_owned(),
        });
    };
    if y0.abs() > 0.97 * FARTHEST_PRELOAD * amplitude {
        return Err(TermsError::NoPreload {
            why: format!("it would be beyond {FARTHEST_PRELOAD} amplitudes"),
        });
    }
    Ok(y0)
}

/// Rejects a preload whose standard error is as large as itself, or as a tenth of the amplitude where it is
/// small.
pub fn check(y0: f64, error: f64, amplitude: f64) -> Result<(), TermsError> {
    if error <= (0.3 * y0.abs()).max(0.1 * amplitude) {
        return Ok(());
    }
    let why = if error.is_finite() {
        format!(
            "its standard error would be {:.0} % of the amplitude",
            100.0 * error / amplitude
        )
    } else {
        "other terms do the same".to_owned()
    };
    Err(TermsError::NoPreload { why })
}
