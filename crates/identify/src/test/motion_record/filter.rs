//! What a measured force went through: filters of the measuring chain, which the force of the model goes
//! through as well.
//!
//! Filters count the samples of the rig. Rows that a record has beside them (turns between samples, the end
//! of a closed cycle) are passed by. Before a record that is one closed cycle the filters saw the cycles
//! before it, otherwise its first value; see [`masing_data::signal::Filter`].

use super::{InitialState, MotionRecord};
use masing_data::signal::Filter;

/// Filters of a force, in the order in which they act.
#[derive(Clone, Debug, PartialEq)]
pub struct ForceFilter {
    /// The filters.
    pub filters: Vec<Filter>,
    /// Time between samples of the rig (s).
    pub step: f64,
    /// The rows that are samples of the rig.
    pub rows: Vec<usize>,
}

/// Most samples before a closed cycle, in cycles: a filter that remembers longer sees their mean only.
const MOST_BEFORE: usize = 32;

impl ForceFilter {
    /// Filters of a record of which every row is a sample.
    pub fn new(filters: Vec<Filter>, step: f64, rows: usize) -> Self {
        let rows = (0..rows).collect();
        Self {
            filters,
            step,
            rows,
        }
    }

    /// The same for a record of which only some rows are kept: `row` is where one went, if it did.
    #[must_use]
    pub fn moved(&self, row: impl Fn(usize) -> Option<usize>) -> Self {
        Self {
            rows: self.rows.iter().filter_map(|&i| row(i)).collect(),
            ..self.clone()
        }
    }

    /// Samples after which what came before the record is forgotten.
    pub fn settles(&self) -> usize {
        let each = self.filters.iter().map(|filter| filter.settles(self.step));
        each.fold(0, usize::saturating_add)
    }
}

/// Filters as an operator on the rows of one record.
pub(super) struct Operator<'a> {
    own: &'a ForceFilter,
    /// Where the samples before the record are read: a row, and the share of the next one.
    before: Vec<(usize, f64)>,
}

impl<'a> Operator<'a> {
    pub(super) fn new(own: &'a ForceFilter, rig: &MotionRecord) -> Self {
        let mut before = Vec::new();
        if rig.initial == InitialState::Periodic {
            let t = rig.motion.time();
            let last = t.len() - 1;
            let period = t[last] - t[0];
            let first = own.rows.first().map_or(0.0, |&row| t[row] - t[0]);
            let count = own.settles().min(MOST_BEFORE * own.rows.len());
            before.extend((1..=count).rev().map(|k| {
                let at = t[0] + (first - k as f64 * own.step).rem_euclid(period);
                let from = t.partition_point(|t| *t <= at).clamp(1, last) - 1;
                (from, (at - t[from]) / (t[from + 1] - t[from]))
            }));
        }
        Self { own, before }
    }

    /// Filters one column of a table of values with `columns` columns.
    pub(super) fn apply(&self, table: &mut [f64], columns: usize, column: usize) {
        let value = |row: usize| table[row * columns + column];
        let read =
            |&(from, share): &(usize, f64)| value(from) + share * (value(from + 1) - value(from));
        let mut signal: Vec<f64> = self.before.iter().map(read).collect();
        signal.extend(self.own.rows.iter().map(|&row| value(row)));
        for filter in &self.own.filters {
            filter.apply(&mut signal, self.own.step);
        }
        for (&row, value) in self.own.rows.iter().zip(&signal[self.before.len()..]) {
            table[row * columns + column] = *value;
        }
    }

    /// The transpose of [`Self::apply`] for a single column.
    pub(super) fn transpose(&self, bar: &mut [f64]) {
        let mut signal = vec![0.0; self.before.len()];
        for &row in &self.own.rows {
            signal.push(std::mem::take(&mut bar[row]));
        }
        for filter in self.own.filters.iter().rev() {
            filter.transpose(&mut signal, self.own.step);
        }
        let (before, inside) = signal.split_at(self.before.len());
        for (&row, value) in self.own.rows.iter().zip(inside) {
            bar[row] += value;
        }
        for (&(from, share), value) in self.before.iter().zip(before) {
            bar[from] += (1.0 - share) * value;
            bar[from + 1] += share * value;
        }
    }
}
