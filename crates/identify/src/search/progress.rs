//! How the error falls, for progress displays and for the report.

use crate::objective::Watch;
use std::sync::{Mutex, PoisonError};

/// The progress of a fit.
pub(crate) struct Progress<'a> {
    told: Option<&'a Watch<'a>>,
    seen: Mutex<Seen>,
}

struct Seen {
    spent: usize,
    /// Lowest error of the current stage.
    best: f64,
    /// Whether the stage is a first look.
    looking: bool,
    history: Vec<(usize, f64)>,
    /// Whether somebody asked to stop.
    stopped: bool,
}

impl<'a> Progress<'a> {
    pub(crate) fn new(told: Option<&'a Watch<'a>>) -> Self {
        Self {
            told,
            seen: Mutex::new(Seen {
                spent: 0,
                best: f64::INFINITY,
                looking: true,
                history: vec![],
                stopped: false,
            }),
        }
    }

    /// A point of the search itself; `cost` relative to that of predicting nothing.
    pub(crate) fn watch(&self, x: &[f64], cost: f64, evaluations: usize) -> bool {
        self.see(x, cost, evaluations, false)
    }

    /// A point of a first look, over fewer samples.
    pub(crate) fn glance(&self, x: &[f64], cost: f64, evaluations: usize) -> bool {
        self.see(x, cost, evaluations, true)
    }

    fn see(&self, x: &[f64], cost: f64, evaluations: usize, looking: bool) -> bool {
        let error = (2.0 * cost).sqrt();
        let (total, best) = {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            let total = seen.spent + evaluations;
            if seen.looking != looking {
                (seen.looking, seen.best) = (looking, f64::INFINITY);
            }
            if error < seen.best {
                seen.best = error;
                // Descents of one stage count their evaluations from the start each.
                let after = seen.history.last().map_or(0, |(n, _)| *n + 1);
                seen.history.push((total.max(after), error));
            }
            (total, seen.best)
        };
        self.ask(x, best, total)
    }

    fn ask(&self, x: &[f64], best: f64, total: usize) -> bool {
        let stop = self.told.is_some_and(|told| told(x, best, total));
        if stop {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.stopped = true;
        }
        stop
    }

    /// Whether to stop, polled after the search when the values no longer change: `x` are the best.
    pub(crate) fn poll(&self, x: &[f64], evaluations: usize) -> bool {
        let (total, best) = {
            let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            (seen.spent + evaluations, seen.best)
        };
        self.ask(x, best, total)
    }

    /// Whether somebody asked to stop.
    pub(crate) fn stopped(&self) -> bool {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.stopped
    }

    /// Adds the evaluations of a finished stage.
    pub(crate) fn spent(&self, evaluations: usize) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.spent += evaluations;
    }

    /// The number of evaluations, and the error over them.
    pub(crate) fn take(&self) -> (usize, Vec<(usize, f64)>) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        (seen.spent, std::mem::take(&mut seen.history))
    }
}
