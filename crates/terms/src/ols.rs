//! Forward selection by orthogonal least squares: the term that explains most of the residual comes next.
//!
//! ERR_j = (w_j'y)^2 / (w_j'w_j y'y),  w_j = candidate j made orthogonal to the terms chosen so far
//!
//! Every term costs one pass over the candidates, which are read and not written: of each its product with the newest
//! direction q and with the residual are taken together, w_j'w_j follows from the former. That loses digits where
//! little of a candidate is left; there the column itself is orthogonalised, twice, and its length computed again.
//! The result is as accurate as modified Gram-Schmidt with re-orthogonalisation, unlike with a Gram matrix.
//!
//! Reference: Chen, S., Billings, S. A., Luo, W. (1989), Int. J. Control 50(5), 1873-1896.

use super::algebra::{axpy, dot, norm2};
pub use super::columns::Columns;
use super::error::TermsError;
use super::products::products;
use masing_identify::Workers;

/// What was chosen, in order.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The steps.
    pub steps: Vec<Step>,
    /// Candidates of which nothing was left, with the number of terms that they depend on.
    pub dependent: Vec<(usize, usize)>,
    /// Sum of squares of the force.
    pub total: f64,
    /// Rows.
    pub rows: usize,
    /// Triangle of the chosen columns: entries above the diagonal and on it, column by column.
    triangle: Vec<Vec<f64>>,
    /// Components of the force along the directions.
    along: Vec<f64>,
    /// Lengths of the candidates as they were given.
    lengths: Vec<f64>,
}

/// One chosen term.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Which candidate.
    pub index: usize,
    /// Error reduction ratio.
    pub err: f64,
    /// Sum of squares that is left.
    pub rest: f64,
    /// Share of the candidate, squared, that the terms before it do not explain.
    pub own: f64,
}

/// Squared share of a unit column below which it counts as dependent on the chosen terms.
pub const DEPENDENT: f64 = 1e-12;
/// Squared share, since it was last computed, below which the length of a column is computed again.
const MEASURE: f64 = 1e-3;
/// Chooses up to `most` of the candidates; `names` are asked for only when something is wrong.
pub fn select(
    mut columns: Columns,
    y: &[f64],
    most: usize,
    workers: &Workers,
    name: &dyn Fn(usize) -> String,
) -> Result<Selection, TermsError> {
    let (rows, count) = (columns.rows(), columns.len());
    if count == 0 {
        return Err(TermsError::NoCandidates);
    }
    if rows <= count {
        return Err(TermsError::TooFewSamples {
            samples: rows,
            candidates: count,
        });
    }
    let total = norm2(y);
    if !(total > 0.0) {
        return Err(TermsError::NoForce);
    }
    let mut lengths = Vec::with_capacity(count);
    for j in 0..count {
        let column = columns.get_mut(j);
        let largest = column.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        if let Some(sample) = column.iter().position(|v| !v.is_finite()) {
            return Err(TermsError::NotFinite {
                term: name(j),
                sample,
            });
        }
        if largest == 0.0 {
            return Err(TermsError::ZeroColumn { term: name(j) });
        }
        // The thirteenth power of a small speed must not vanish when it is squared.
        let mut square = 0.0;
        for v in column.iter_mut() {
            *v /= largest;
            square += *v * *v;
        }
        let scale = 1.0 / square.sqrt();
        for v in column.iter_mut() {
            *v *= scale;
        }
        lengths.push(largest * square.sqrt());
    }
    let mut state = State {
        free: (0..count).map(Candidate::new).collect(),
        columns,
        q: Columns::new(rows),
        residual: y.to_vec(),
        workers: workers.clone(),
    };
    let mut out = Selection {
        steps: Vec::new(),
        dependent: Vec::new(),
        total,
        rows,
        triangle: Vec::new(),
        along: Vec::new(),
        lengths,
    };
    state.first_pass();
    while out.steps.len() < most && state.advance(&mut out) {}
    Ok(out)
}

/// A candidate that is not chosen yet.
struct Candidate {
    index: usize,
    /// Squared share that is left of the unit column.
    own: f64,
    /// The same when the column was last measured.
    measured: f64,
    /// Directions that the column in memory is orthogonal to already.
    since: usize,
    /// Product with the residual.
    with_residual: f64,
    /// Products of the unit column with the directions so far.
    shares: Vec<f64>,
}

impl Candidate {
    fn new(index: usize) -> Self {
        Self {
            index,
            own: 1.0,
            measured: 1.0,
            since: 0,
            with_residual: 0.0,
            shares: Vec::new(),
        }
    }

    /// Counts what was taken out of the column in memory: corrections to directions that it was orthogonal to, all of
    /// the others.
    fn count(&mut self, taken: &[f64]) {
        for (p, (share, taken)) in self.shares.iter_mut().zip(taken).enumerate() {
            *share = if p < self.since {
                *share + taken
            } else {
                *taken
            };
        }
        self.since = taken.len();
    }
}

struct State {
    columns: Columns,
    free: Vec<Candidate>,
    q: Columns,
    residual: Vec<f64>,
    workers: Workers,
}

impl State {
    /// Products with the force, before anything is chosen.
    fn first_pass(&mut self) {
        let none = vec![0.0; self.residual.len()];
        let found = self.products_of_free(&none);
        for (candidate, [_, with_residual]) in self.free.iter_mut().zip(found) {
            candidate.with_residual = with_residual;
        }
    }

    /// Products of the candidates that are left with a direction and with the residual.
    fn products_of_free(&self, q: &[f64]) -> Vec<[f64; 2]> {
        let free: Vec<usize> = self.free.iter().map(|c| c.index).collect();
        products(&self.columns, &free, q, &self.residual, &self.workers)
    }

    /// Chooses one more term; false if none is left.
    fn advance(&mut self, out: &mut Selection) -> bool {
        let chosen = out.steps.len();
        self.free.retain(|c| {
            let dependent = c.own < DEPENDENT;
            if dependent {
                out.dependent.push((c.index, chosen));
            }
            !dependent
        });
        let gain = |c: &Candidate| c.with_residual * c.with_residual / c.own;
        let mut best: Option<(usize, f64)> = None;
        for (place, candidate) in self.free.iter().enumerate() {
            // The first of those that rounding alone tells apart.
            if best.is_none_or(|(_, most)| gain(candidate) > most * (1.0 + 1e-10)) {
                best = Some((place, gain(candidate)));
            }
        }
        let Some((place, _)) = best else {
            return false;
        };
        let mut candidate = self.free.remove(place);
        let mut q = self.columns.get(candidate.index).to_vec();
        candidate.count(&orthogonalise(&mut q, &self.q));
        let length = norm2(&q).sqrt();
        for v in &mut q {
            *v /= length;
        }
        let along = dot(&q, &self.residual);
        axpy(-along, &q, &mut self.residual);
        let mut column = candidate.shares;
        column.push(length);
        out.triangle.push(column);
        out.along.push(along);
        out.steps.push(Step {
            index: candidate.index,
            err: along * along / out.total,
            rest: norm2(&self.residual),
            own: length * length,
        });
        let found = self.products_of_free(&q);
        self.q.push(&q);
        for (candidate, [share, with_residual]) in self.free.iter_mut().zip(found) {
            candidate.shares.push(share);
            candidate.own -= share * share;
            candidate.with_residual = with_residual;
            if candidate.own < MEASURE * candidate.measured {
                let column = self.columns.get_mut(candidate.index);
                candidate.count(&orthogonalise(column, &self.q));
                candidate.own = norm2(column);
                candidate.measured = candidate.own;
                candidate.with_residual = dot(column, &self.residual);
            }
        }
        true
    }
}

/// Orthogonalises a column against the directions, twice; returns what was removed.
fn orthogonalise(column: &mut [f64], q: &Columns) -> Vec<f64> {
    let mut shares = vec![0.0; q.len()];
    for _ in 0..2 {
        for (p, share) in shares.iter_mut().enumerate() {
            let more = dot(q.get(p), column);
            axpy(-more, q.get(p), column);
            *share += more;
        }
    }
    shares
}

impl Selection {
    /// Coefficients of the first `length` terms, in the order of their choice.
    pub fn coefficients(&self, length: usize) -> Vec<f64> {
        let length = length.min(self.steps.len());
        let mut found = vec![0.0; length];
        for k in (0..length).rev() {
            let mut sum = self.along[k];
            for p in k + 1..length {
                sum -= self.triangle[p][k] * found[p];
            }
            found[k] = sum / self.triangle[k][k];
        }
        for (value, step) in found.iter_mut().zip(&self.steps) {
            *value /= self.lengths[step.index];
        }
        found
    }

    /// Sums of squares that are left after one term, two, ...
    pub fn rests(&self) -> impl Iterator<Item = f64> + '_ {
        self.steps.iter().map(|step| step.rest)
    }
}
