//! A run as a list of micro-steps.

use super::columns::Columns;
use super::equations::{Equations, Failure};
use super::load::{Drive, Instant};
use super::start::Start;
use crate::error::SimError;
use crate::numerics::Numerics;

/// Pieces of one sub-step after which it is no longer shortened: kinks may accumulate (a bouncing
/// body), and the run must finish.
const MOST_PIECES: usize = 100;

/// Pieces shorter than this share of a sub-step are not made to stay on one side of a kink.
const LEAST_PIECE: f64 = 1.0 / 131_072.0;

/// Pieces of a run before the limit on their average applies.
const FIRST_PIECES: usize = 1000;

/// One way to integrate.
///
/// The order is `begin` at a state, `observe` there if it is a sample, `advance`; the derivatives of
/// a micro-step follow each of these.
pub(super) trait Scheme<'a> {
    fn equations(&self) -> &Equations<'a>;
    /// Length of the state.
    fn len(&self) -> usize;
    /// Whether derivatives will be asked for.
    fn keep_tape(&mut self, keep: bool);
    /// Writes the state at the start of the run.
    fn start(&mut self, start: Start<'_>, y: &mut [f64]) -> Result<(), Failure>;
    /// Prepares a micro-step from a state.
    fn begin(&mut self, y: &[f64], at: Instant) -> Result<(), Failure>;
    /// Relative accelerations and element forces where the micro-step begins.
    fn observe(&self) -> (&[f64], &[f64]);
    /// Takes a micro-step of length `longest`, or shorter up to the first kink or whatever can be
    /// solved, where lengths below `least` are not worth it; returns its length.
    fn advance(&mut self, longest: f64, least: f64, y: &mut [f64]) -> Result<f64, Failure>;
}

/// The derivatives of a scheme along columns, rows of the state by columns.
pub(super) trait Push<'a>: Scheme<'a> {
    /// Derivatives of the start.
    fn push_start(&mut self, start: Start<'_>, columns: &Columns, d: &mut [f64]);
    /// Derivatives at the beginning of the micro-step just prepared.
    fn push_begin(&mut self, columns: &Columns, d: &[f64]);
    /// Derivatives of what `observe` gave.
    fn push_observe(&self) -> (&[f64], &[f64]);
    /// Derivatives after the micro-step just taken, of that length.
    fn push_advance(&mut self, columns: &Columns, h: f64, d: &mut [f64]);
}

/// The sensitivities pulled back through a scheme.
pub(super) trait Pull<'a>: Scheme<'a> {
    /// Pulls sensitivities `bar` to the state after a micro-step back to the state before it; those
    /// to what was observed there are added, shares of the values go to `to_p`.
    fn pull_back(
        &mut self,
        step: &Taken<'_>,
        observed: Option<(&[f64], &[f64])>,
        bar: &mut [f64],
        to_p: &mut [f64],
    ) -> Result<(), Failure>;
    /// Pulls sensitivities to what was observed at a state back to that state.
    fn pull_observed(
        &mut self,
        y: &[f64],
        at: Instant,
        observed: (&[f64], &[f64]),
        bar: &mut [f64],
        to_p: &mut [f64],
    ) -> Result<(), Failure>;
    /// Pulls sensitivities to the state at the start back to the values and, returned, the states.
    fn pull_start(
        &mut self,
        start: Start<'_>,
        bar: &mut [f64],
        to_p: &mut [f64],
    ) -> Result<Vec<f64>, Failure>;
}

/// A micro-step that was taken.
pub(super) struct Taken<'a> {
    pub at: Instant,
    pub h: f64,
    pub before: &'a [f64],
    pub after: &'a [f64],
}

/// An observer of a run.
pub(super) trait Watch<S> {
    /// A micro-step was prepared, at a sample if one is named.
    fn begun(&mut self, scheme: &mut S, sample: Option<usize>, y: &[f64], at: Instant);
    /// It was taken.
    fn taken(&mut self, scheme: &mut S, h: f64);
}

/// The failure of a micro-step as the failure of a run at the sample that closes its interval.
pub(super) fn failed(drive: &Drive, sample: usize, failure: Failure) -> SimError {
    let (index, time) = (sample, drive.time(sample));
    match failure {
        Failure::Diverged => SimError::Diverged { index, time },
        Failure::Step(source) => SimError::Step {
            index,
            time,
            source,
        },
    }
}

/// Runs from the state `y` at the start of the first interval to the end of the last.
pub(super) fn march<'a, S: Scheme<'a>>(
    scheme: &mut S,
    numerics: &Numerics,
    intervals: std::ops::Range<usize>,
    y: &mut [f64],
    watch: &mut impl Watch<S>,
) -> Result<(), SimError> {
    let drive = scheme.equations().drive;
    let (mut taken, mut allowed) = (0, FIRST_PIECES);
    for interval in intervals {
        let dt = drive.dt(interval);
        let parts = numerics.parts(0.0, dt);
        let mut at = Instant {
            interval,
            since: 0.0,
        };
        let mut sample = Some(interval);
        for part in 1..=parts {
            let end = if part == parts {
                dt
            } else {
                dt * (part as f64 / parts as f64)
            };
            let mut pieces = 0;
            while at.since < end {
                let longest = end - at.since;
                let least = if pieces < MOST_PIECES {
                    LEAST_PIECE * dt / parts as f64
                } else {
                    f64::INFINITY
                };
                let mut step = || {
                    begin(scheme, sample, y, at)?;
                    watch.begun(scheme, sample.take(), y, at);
                    let h = scheme.advance(longest, least, y)?;
                    if y.iter().all(|q| q.is_finite()) {
                        watch.taken(scheme, h);
                        Ok(h)
                    } else {
                        Err(Failure::Diverged)
                    }
                };
                let h = step().map_err(|f| failed(drive, interval + 1, f))?;
                at.since = if h >= longest { end } else { at.since + h };
                pieces += 1;
            }
            taken += pieces;
            allowed = drive.patience.saturating_add(allowed);
        }
        if taken > allowed {
            return Err(SimError::TooManyKinks {
                index: interval + 1,
                time: drive.time(interval + 1),
            });
        }
    }
    Ok(())
}

/// Prepares a micro-step; what is observed at a sample must be finite.
fn begin<'a>(
    scheme: &mut impl Scheme<'a>,
    sample: Option<usize>,
    y: &[f64],
    at: Instant,
) -> Result<(), Failure> {
    scheme.begin(y, at)?;
    let (acceleration, force) = scheme.observe();
    let finite = |values: &[f64]| values.iter().all(|v| v.is_finite());
    if sample.is_none() || (finite(acceleration) && finite(force)) {
        Ok(())
    } else {
        Err(Failure::Diverged)
    }
}

/// Looks at the last sample of a run that ended in the state `y`.
pub(super) fn finish<'a, S: Scheme<'a>>(
    scheme: &mut S,
    y: &[f64],
    watch: &mut impl Watch<S>,
) -> Result<(), SimError> {
    let drive = scheme.equations().drive;
    let last = drive.samples() - 1;
    let at = drive.instant(last);
    begin(scheme, Some(last), y, at).map_err(|f| failed(drive, last, f))?;
    watch.begun(scheme, Some(last), y, at);
    Ok(())
}
