//! How finely a system with mass has to be stepped.

use super::driven::Driven;
use super::load::Load;
use crate::choose::largest_change;
use crate::error::SimError;
use crate::numerics::Numerics;
use masing_model::{Assembly, Masses};

/// Accuracy of the explicit scheme unless another is asked for, relative to the largest displacement.
pub const EXPLICIT_ACCURACY: f64 = 1e-8;

/// The same for the implicit scheme: it is of second order, so that eight digits would take a
/// hundred times the steps of four, and the laws that need it are not known that well.
pub const IMPLICIT_ACCURACY: f64 = 1e-6;

/// More sub-steps per sample than this are not tried.
const MOST_PARTS: f64 = 4096.0;

/// More sub-steps in a run than this are not tried.
const MOST_STEPS: f64 = 5e7;

/// Halves the sub-steps, from one per sample on, until that changes the displacement by less than
/// `accuracy` of its largest value (the default of the scheme if `None`), and returns the coarser of
/// the last two: its error is the change. A run that fails counts as too coarse.
pub fn choose(
    assembly: &Assembly,
    masses: &Masses,
    load: &Load,
    p: &[f64],
    accuracy: Option<f64>,
) -> Result<Numerics, SimError> {
    let driven = Driven::new(assembly, masses, load, Numerics::default())?;
    let accuracy = accuracy.unwrap_or(if driven.is_implicit() {
        IMPLICIT_ACCURACY
    } else {
        EXPLICIT_ACCURACY
    });
    let (longest, intervals) = (driven.drive.longest(), load.len() as f64 - 1.0);
    let most = MOST_PARTS.min(MOST_STEPS / intervals).max(2.0);
    let mut parts = 1.0;
    let numerics = |parts: f64| Numerics {
        increment: f64::INFINITY,
        max_dt: longest / parts,
    };
    let mut coarse = driven.clone().stepping(numerics(parts)).run(p);
    let mut change = f64::INFINITY;
    while 2.0 * parts <= most {
        let fine = driven.clone().stepping(numerics(2.0 * parts)).run(p);
        if let (Ok(coarse), Ok(fine)) = (&coarse, &fine) {
            change = largest_change(&coarse.displacement, &fine.displacement);
            if change <= accuracy {
                return Ok(numerics(parts));
            }
        }
        parts *= 2.0;
        coarse = fine;
    }
    coarse?;
    Err(SimError::Accuracy {
        change,
        accuracy,
        max_dt: longest / parts,
    })
}
