//! Many columns of equal length in one piece of memory.

/// Columns of equal length, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    rows: usize,
    values: Vec<f64>,
}

impl Columns {
    /// No columns yet, of `rows` values each.
    pub fn new(rows: usize) -> Self {
        Self {
            rows,
            values: Vec::new(),
        }
    }

    /// Columns that lie one after the other already.
    pub fn from_values(rows: usize, values: Vec<f64>) -> Self {
        Self { rows, values }
    }

    /// Adds a column; a short one is filled with zeros.
    pub fn push(&mut self, column: &[f64]) {
        let end = self.values.len() + self.rows;
        self.values
            .extend_from_slice(&column[..column.len().min(self.rows)]);
        self.values.resize(end, 0.0);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.values.len().checked_div(self.rows).unwrap_or(0)
    }

    /// True without columns.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Values of each.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// One of them.
    pub fn get(&self, j: usize) -> &[f64] {
        &self.values[j * self.rows..(j + 1) * self.rows]
    }

    pub(super) fn get_mut(&mut self, j: usize) -> &mut [f64] {
        &mut self.values[j * self.rows..(j + 1) * self.rows]
    }
}
