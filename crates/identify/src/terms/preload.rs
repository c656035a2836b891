//! The preload where nobody says what it is: the displacement for which odd powers describe the force best.

use super::algebra::{Basis, norm2};
use super::dictionary::Term;
use super::error::TermsError;
use super::friction::grid;
use super::line;
use super::set::Set;

/// The preload is sought within so many amplitudes.
const REACH: f64 = 12.0;
/// Points of the first look.
const SCAN: usize = 97;

/// A first value: scanned, with a coarse set of sliders beside all terms.
pub fn guess(set: &Set, terms: &[Term]) -> Result<f64, TermsError> {
    let (felt, others): (Vec<&Term>, Vec<&Term>) = terms.iter().partition(|t| t.feels_preload());
    if felt.is_empty() {
        return Ok(0.0);
    }
    let radii = grid(set);
    let mut basis = Basis::default();
    for term in others {
        basis.add(set.column(term));
    }
    for r in radii.iter().step_by(5) {
        basis.add(set.slider(*r).0);
    }
    let mut y = set.force();
    basis.take_out(&mut y);
    let amplitude = set.amplitude();
    let whole = norm2(&y);
    let cost = |y0: f64| {
        let moved = set.with_preload(y0);
        let columns: Vec<Vec<f64>> = felt
            .iter()
            .map(|term| {
                let mut column = moved.column(term);
                basis.take_out(&mut column);
                column
            })
            .collect();
        let mut left = y.clone();
        Basis::of(&columns).take_out(&mut left);
        norm2(&left)
    };
    let found = line::least(&cost, -REACH * amplitude, REACH * amplitude, SCAN);
    let Some(y0) = found.filter(|_| whole > 0.0) else {
        return Err(TermsError::NoPreload {
            why: "no displacement fits better than others".to_owned(),
        });
    };
    if y0.abs() > 0.97 * REACH * amplitude {
        return Err(TermsError::NoPreload {
            why: format!("it would be beyond {REACH} amplitudes"),
        });
    }
    Ok(y0)
}

/// Refuses a preload that was found with an error as large as itself, or as a tenth of the amplitude where it is small.
pub fn check(y0: f64, error: f64, amplitude: f64) -> Result<(), TermsError> {
    if error <= (0.3 * y0.abs()).max(0.1 * amplitude) {
        return Ok(());
    }
    Err(TermsError::NoPreload {
        why: format!(
            "its standard error would be {:.0} % of the amplitude",
            100.0 * error / amplitude
        ),
    })
}
