//! Every subset of a few terms, judged by BIC.
//!
//! All rows are reduced to one triangle first; a subset then costs operations on columns no longer than the number of
//! terms. The subsets are visited depth first, so that each adds one direction to its parent.

use super::criteria::Bic;
use masing_identify::search::non_negative::triangle;
use nalgebra::DVector;

/// The best subset.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// Places of the chosen columns, growing.
    pub chosen: Vec<usize>,
    /// Its criterion.
    pub bic: f64,
    /// Sum of squares that is left.
    pub rest: f64,
    /// The criterion of the best subset that is no part of it and has none of its own: the runner-up.
    pub second: Option<(Vec<usize>, f64)>,
}

/// Most terms for which every subset is visited.
pub const MOST: usize = 16;

/// The subset of `free` columns with the lowest BIC, together with the `always` columns and their number of parameters.
/// At most [`MOST`] are free.
pub fn best(
    (always, parameters): (&[&[f64]], usize),
    free: &[&[f64]],
    y: &[f64],
    bic: Bic,
) -> Option<Best> {
    let count = free.len().min(MOST);
    let rows = y.len();
    let mut all: Vec<&[f64]> = always.to_vec();
    all.extend(&free[..count]);
    all.push(y);
    if rows <= all.len() {
        return None;
    }
    // Columns of very different size make a poor triangle.
    let scales: Vec<f64> = all
        .iter()
        .map(|c| c.iter().fold(0.0_f64, |m, v| m.max(v.abs())))
        .collect();
    let scaled: Vec<Vec<f64>> = all
        .iter()
        .zip(&scales)
        .map(|(c, s)| {
            c.iter()
                .map(|v| if *s > 0.0 { v / s } else { 0.0 })
                .collect()
        })
        .collect();
    let views: Vec<&[f64]> = scaled.iter().map(Vec::as_slice).collect();
    let r = triangle(&views);
    let last = all.len() - 1;
    let mut y = r.column(last).into_owned();
    let mut columns: Vec<DVector<f64>> = (0..last)
        .map(|j| {
            let column = r.column(j).into_owned();
            let length = column.norm();
            if length > 0.0 {
                column / length
            } else {
                column
            }
        })
        .collect();
    let free_columns = columns.split_off(always.len());
    let mut directions = Vec::new();
    for column in columns {
        extend(&mut directions, &mut y, &column);
    }
    let unit = scales[last] * scales[last];
    let mut search = Search {
        free: free_columns,
        bic,
        others: parameters as f64,
        unit,
        chosen: Vec::new(),
        found: Vec::new(),
    };
    search.visit(0, &mut directions, &y);
    let mut found = search.found;
    found.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (chosen, bic, rest) = found.first().cloned()?;
    Some(Best {
        chosen,
        bic,
        rest,
        second: found.get(1).map(|(chosen, bic, _)| (chosen.clone(), *bic)),
    })
}

/// Adds the direction of a column and removes it from `y`; false if the column depends on the others.
fn extend(directions: &mut Vec<DVector<f64>>, y: &mut DVector<f64>, column: &DVector<f64>) -> bool {
    let mut own = column.clone();
    for _ in 0..2 {
        for q in directions.iter() {
            let share = q.dot(&own);
            own.axpy(-share, q, 1.0);
        }
    }
    let length = own.norm();
    if !(length > 1e-10) {
        return false;
    }
    own /= length;
    let share = own.dot(y);
    y.axpy(-share, &own, 1.0);
    directions.push(own);
    true
}

struct Search {
    free: Vec<DVector<f64>>,
    bic: Bic,
    others: f64,
    unit: f64,
    chosen: Vec<usize>,
    /// The two best so far.
    found: Vec<(Vec<usize>, f64, f64)>,
}

impl Search {
    fn visit(&mut self, from: usize, directions: &mut Vec<DVector<f64>>, y: &DVector<f64>) {
        let rest = y.norm_squared() * self.unit;
        let bic = self.bic.of(rest, self.chosen.len() as f64 + self.others);
        self.keep(bic, rest);
        for j in from..self.free.len() {
            let mut left = y.clone();
            let column = self.free[j].clone();
            // A column that repeats others would only be charged for.
            if extend(directions, &mut left, &column) {
                self.chosen.push(j);
                self.visit(j + 1, directions, &left);
                self.chosen.pop();
                directions.pop();
            }
        }
    }

    fn keep(&mut self, bic: f64, rest: f64) {
        let place = self.found.partition_point(|(_, other, _)| *other <= bic);
        if place < 2 {
            self.found.insert(place, (self.chosen.clone(), bic, rest));
            self.found.truncate(2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_terms_that_made_the_data() {
        let n = 400;
        let x: Vec<f64> = (0..n).map(|i| (0.37 * f64::from(i)).sin()).collect();
        let columns: Vec<Vec<f64>> = (1..8)
            .map(|p| x.iter().map(|x| 1e-3_f64.powi(p) * x.powi(p)).collect())
            .collect();
        let y: Vec<f64> = (0..n as usize)
            .map(|i| {
                let rough = (i as f64 * 12.9898).sin() * 43_758.545;
                2e3 * columns[0][i] - 5e14 * columns[4][i] + 1e-2 * (rough - rough.floor() - 0.5)
            })
            .collect();
        let free: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let bic = Bic {
            rows: 400,
            effective: 400.0,
            floor: 0.0,
        };
        let found = best((&[], 0), &free, &y, bic).unwrap();
        assert_eq!(found.chosen, [0, 4]);
        assert!(found.second.unwrap().1 > found.bic);
        let found = best((&[&columns[0]], 1), &free, &y, bic).unwrap();
        assert_eq!(found.chosen, [4]);
    }
}
