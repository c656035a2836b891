//! Directions along which a run is differentiated.

use super::equations::Equations;
use masing_model::Lanes;
use masing_model::scalar::LANES;

/// One direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// A value: of the assembly, or behind those of the masses (`m`, `c`, `k`, `x0`, `v0`).
    Param(usize),
    /// The initial value of a state of the assembly.
    Start(usize),
}

/// What a column of the masses perturbs: an entry of a matrix, by row and column.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entry {
    Mass(usize, usize),
    Damping(usize, usize),
    Stiffness(usize, usize),
}

/// Columns sorted by what they perturb.
pub(super) struct Columns {
    pub count: usize,
    /// For every element and column, the parameter of the element that is perturbed.
    pub of_part: Vec<Vec<Option<usize>>>,
    /// Columns that perturb a matrix.
    pub of_masses: Vec<(usize, Entry)>,
    /// Columns that perturb the start: row of the start vector (x0, v0, states).
    pub of_start: Vec<(usize, usize)>,
    /// For elements with rates: their parameters, seeded, a group of columns at a time.
    lanes: Vec<Vec<Lanes>>,
}

impl Columns {
    pub fn new(eq: &Equations<'_>, columns: &[Column]) -> Self {
        let n = eq.n;
        let mut out = Self {
            count: columns.len(),
            of_part: vec![vec![None; columns.len()]; eq.wires.len()],
            of_masses: Vec::new(),
            of_start: Vec::new(),
            lanes: Vec::new(),
        };
        for (column, &what) in columns.iter().enumerate() {
            match what {
                Column::Param(k) if k < eq.masses_at => {
                    let owner = eq.wires.iter().position(|w| w.params.contains(&k));
                    let owner = owner.expect("every value of an assembly belongs to an element");
                    out.of_part[owner][column] = Some(k - eq.wires[owner].params.start);
                }
                Column::Param(k) => {
                    assert!(k < eq.p.len(), "column of value {k} of {}", eq.p.len());
                    let k = k - eq.masses_at;
                    let (block, i) = (k / (n * n), k % (n * n));
                    match block {
                        0 => out.of_masses.push((column, Entry::Mass(i / n, i % n))),
                        1 => out.of_masses.push((column, Entry::Damping(i / n, i % n))),
                        2 => out.of_masses.push((column, Entry::Stiffness(i / n, i % n))),
                        _ => out.of_start.push((column, k - 3 * n * n)),
                    }
                }
                Column::Start(k) => {
                    assert!(k < eq.states, "column of state {k} of {}", eq.states);
                    out.of_start.push((column, 2 * n + k));
                }
            }
        }
        for (wire, of_part) in eq.wires.iter().zip(&out.of_part) {
            let mut lanes = Vec::new();
            if wire.flow.is_some() {
                for group in of_part.chunks(LANES) {
                    let from = lanes.len();
                    lanes.extend(eq.p[wire.params.clone()].iter().map(|&p| Lanes::from(p)));
                    for (lane, param) in group.iter().enumerate() {
                        if let Some(k) = param {
                            lanes[from + k].eps[lane] = 1.0;
                        }
                    }
                }
            }
            out.lanes.push(lanes);
        }
        out
    }

    /// The parameters of an element with rates, seeded for a group of columns.
    pub fn lanes_of(&self, wire: usize, group: usize, params: usize) -> &[Lanes] {
        &self.lanes[wire][group * params..(group + 1) * params]
    }

    /// Adds what the columns of the masses do to M a + C v + K q, times `factor`.
    pub fn add_masses(&self, factor: f64, [q, v, a]: [&[f64]; 3], rows: &mut [f64]) {
        for &(column, entry) in &self.of_masses {
            let (row, value) = match entry {
                Entry::Mass(i, j) => (i, a[j]),
                Entry::Damping(i, j) => (i, v[j]),
                Entry::Stiffness(i, j) => (i, q[j]),
            };
            rows[row * self.count + column] += factor * value;
        }
    }
}
