//! The equations of motion with their values: where elements act, matrices, drive.

use super::load::Drive;
use masing_model::dense::Lu;
use masing_model::{Assembly, Coupling, Element, Flow, Masses, StepError};
use std::ops::Range;

/// Why a micro-step was not taken.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Failure {
    /// An element or the solution of the step failed.
    Step(StepError),
    /// The motion is not finite.
    Diverged,
}

impl From<StepError> for Failure {
    /// An element without a finite force: its motion has diverged.
    fn from(error: StepError) -> Self {
        match error {
            StepError::NotFinite { .. } => Failure::Diverged,
            other => Failure::Step(other),
        }
    }
}

/// One element in its place.
pub(super) struct Wire<'a> {
    pub element: &'a dyn Element,
    /// Its rates, if it takes part by them.
    pub flow: Option<&'a dyn Flow>,
    /// Its parameters among all values.
    pub params: Range<usize>,
    /// Its states among those of the assembly.
    pub states: Range<usize>,
    /// Rows of the degrees of freedom between which it acts; `None` is ground.
    from: Option<usize>,
    to: Option<usize>,
}

impl Wire<'_> {
    /// The difference of `row` across the element.
    pub fn across(&self, row: &[f64]) -> f64 {
        self.to.map_or(0.0, |i| row[i]) - self.from.map_or(0.0, |i| row[i])
    }

    /// The same for every column of `rows`.
    pub fn across_columns(&self, rows: &[f64], out: &mut [f64]) {
        let columns = out.len();
        let row = |i: usize| &rows[i * columns..(i + 1) * columns];
        match self.to {
            Some(i) => out.copy_from_slice(row(i)),
            None => out.fill(0.0),
        }
        if let Some(i) = self.from {
            for (out, d) in out.iter_mut().zip(row(i)) {
                *out -= d;
            }
        }
    }

    /// How many of its ends can move.
    pub fn ends(&self) -> usize {
        usize::from(self.from.is_some()) + usize::from(self.to.is_some())
    }

    /// Adds what acts on the second degree of freedom to its row, the opposite to the first.
    pub fn apply(&self, value: f64, row: &mut [f64]) {
        if let Some(i) = self.to {
            row[i] += value;
        }
        if let Some(i) = self.from {
            row[i] -= value;
        }
    }

    /// The same for every column, times `factor`.
    pub fn apply_columns(&self, factor: f64, values: &[f64], rows: &mut [f64]) {
        let columns = values.len();
        for (end, sign) in [(self.to, factor), (self.from, -factor)] {
            if let Some(i) = end {
                for (out, d) in rows[i * columns..(i + 1) * columns].iter_mut().zip(values) {
                    *out += sign * d;
                }
            }
        }
    }

    /// Adds `s` at the places of a matrix where a force law couples its two ends.
    pub fn stiffen(&self, s: f64, n: usize, matrix: &mut [f64]) {
        let ends = [(self.to, 1.0), (self.from, -1.0)];
        for (i, a) in ends {
            for (j, b) in ends {
                if let (Some(i), Some(j)) = (i, j) {
                    matrix[i * n + j] += a * b * s;
                }
            }
        }
    }
}

/// Whether an element of the assembly asks for the implicit scheme.
pub(super) fn is_implicit(assembly: &Assembly) -> bool {
    let mut parts = assembly.parts().iter();
    parts.any(|p| matches!(p.element.coupling(), Coupling::Implicit))
}

/// The equations of motion for one set of values.
pub(super) struct Equations<'a> {
    pub wires: Vec<Wire<'a>>,
    pub drive: &'a Drive,
    /// All values: elements, then masses.
    pub p: &'a [f64],
    /// Degrees of freedom.
    pub n: usize,
    /// States of all elements.
    pub states: usize,
    /// Where the values of the masses start.
    pub masses_at: usize,
    pub masses: &'a Masses,
    m: &'a [f64],
    c: &'a [f64],
    k: &'a [f64],
    /// The inverse of the mass matrix.
    pub inverse: Vec<f64>,
}

impl<'a> Equations<'a> {
    /// `None` if the mass matrix has no inverse.
    pub fn new(
        assembly: &'a Assembly,
        masses: &'a Masses,
        drive: &'a Drive,
        p: &'a [f64],
    ) -> Option<Self> {
        let masses_at = assembly.param_count();
        assert_eq!(
            p.len(),
            masses_at + masses.param_count(),
            "values of the elements and of the masses"
        );
        let n = masses.dofs();
        let implicit = is_implicit(assembly);
        let wires = assembly
            .parts()
            .iter()
            .map(|part| Wire {
                element: &*part.element,
                flow: match part.element.coupling() {
                    Coupling::Flow(flow) if !implicit => Some(flow),
                    _ => None,
                },
                params: part.params.clone(),
                states: part.states.clone(),
                from: part.between[0].checked_sub(1),
                to: part.between[1].checked_sub(1),
            })
            .collect();
        let lu = Lu::new(n, p[masses_at..][masses.m()].to_vec())?;
        let mut inverse = vec![0.0; n * n];
        let mut column = vec![0.0; n];
        for j in 0..n {
            column.fill(0.0);
            column[j] = 1.0;
            lu.solve(&mut column);
            for i in 0..n {
                inverse[i * n + j] = column[i];
            }
        }
        inverse.iter().all(|w| w.is_finite()).then_some(Self {
            wires,
            drive,
            p,
            n,
            states: assembly.state_count(),
            masses_at,
            masses,
            m: &p[masses_at..][masses.m()],
            c: &p[masses_at..][masses.c()],
            k: &p[masses_at..][masses.k()],
            inverse,
        })
    }

    /// Displacements, velocities and states: what both schemes integrate.
    pub fn len(&self) -> usize {
        2 * self.n + self.states
    }

    /// Where the states of an element stand behind displacements and velocities.
    pub fn states_of(&self, wire: &Wire<'_>) -> Range<usize> {
        2 * self.n + wire.states.start..2 * self.n + wire.states.end
    }

    /// The mass matrix.
    pub fn m(&self) -> &'a [f64] {
        self.m
    }

    /// The damping matrix.
    pub fn c(&self) -> &'a [f64] {
        self.c
    }

    /// The stiffness matrix.
    pub fn k(&self) -> &'a [f64] {
        self.k
    }

    fn of_masses(&self, range: Range<usize>) -> &'a [f64] {
        &self.p[self.masses_at..][range]
    }

    /// Initial displacements.
    pub fn x0(&self) -> &'a [f64] {
        self.of_masses(self.masses.x0())
    }

    /// Initial velocities.
    pub fn v0(&self) -> &'a [f64] {
        self.of_masses(self.masses.v0())
    }
}

/// out += factor * A x.
pub(super) fn add_product(factor: f64, a: &[f64], x: &[f64], out: &mut [f64]) {
    for (row, out) in a.chunks_exact(x.len()).zip(out) {
        let sum: f64 = row.iter().zip(x).map(|(a, x)| a * x).sum();
        *out += factor * sum;
    }
}

/// out += factor * A' x.
pub(super) fn add_transposed(factor: f64, a: &[f64], x: &[f64], out: &mut [f64]) {
    for (row, x) in a.chunks_exact(out.len()).zip(x) {
        for (out, a) in out.iter_mut().zip(row) {
            *out += factor * a * x;
        }
    }
}

/// out += factor * A x for every column; zeros of A cost nothing.
pub(super) fn add_product_columns(
    factor: f64,
    a: &[f64],
    x: &[f64],
    out: &mut [f64],
    columns: usize,
) {
    if columns == 0 {
        return;
    }
    let n = x.len() / columns;
    for (row, out) in a.chunks_exact(n).zip(out.chunks_exact_mut(columns)) {
        for (&a, x) in row.iter().zip(x.chunks_exact(columns)) {
            if a != 0.0 {
                for (out, x) in out.iter_mut().zip(x) {
                    *out += factor * a * x;
                }
            }
        }
    }
}

/// matrix += factor * a b'.
pub(super) fn add_outer(factor: f64, a: &[f64], b: &[f64], matrix: &mut [f64]) {
    for (row, a) in matrix.chunks_exact_mut(b.len()).zip(a) {
        for (out, b) in row.iter_mut().zip(b) {
            *out += factor * a * b;
        }
    }
}
