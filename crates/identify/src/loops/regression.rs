//! Linear least squares of a few columns.

use nalgebra::{DMatrix, DVector};

/// Coefficients and the sum of squares that is left.
pub(super) struct Regression {
    pub(super) coefficients: Vec<f64>,
    pub(super) rest: f64,
}

/// Share of the largest pivot below which columns count as linearly dependent.
const REPEATS: f64 = 1e-11;

/// Fits `y` by the columns; `None` if they are linearly dependent or not finite.
pub(super) fn regress(columns: &[Vec<f64>], y: &[f64]) -> Option<Regression> {
    let (rows, count) = (y.len(), columns.len());
    if rows < count || count == 0 {
        return None;
    }
    // Every column of length one: stiffnesses and powers of a millimetre stand side by side.
    let mut lengths = Vec::with_capacity(count);
    for column in columns {
        let length = column.iter().map(|v| v * v).sum::<f64>().sqrt();
        if !(length > 0.0 && length.is_finite()) {
            return None;
        }
        lengths.push(length);
    }
    let matrix = DMatrix::from_fn(rows, count, |i, j| columns[j][i] / lengths[j]);
    let qr = matrix.qr();
    let r = qr.r();
    let pivots = r.diagonal().map(f64::abs);
    if !(pivots.min() > REPEATS * pivots.max()) {
        return None;
    }
    let mut projected = DVector::from_column_slice(y);
    qr.q_tr_mul(&mut projected);
    let rest = projected.rows(count, rows - count).norm_squared();
    let solution = r.solve_upper_triangular(&projected.rows(0, count).into_owned())?;
    let coefficients: Vec<f64> = solution.iter().zip(&lengths).map(|(c, l)| c / l).collect();
    let sound = rest.is_finite() && coefficients.iter().all(|c| c.is_finite());
    sound.then_some(Regression { coefficients, rest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_and_repeated_columns_are_refused() {
        let x: Vec<f64> = (0..9).map(f64::from).collect();
        let tiny: Vec<f64> = x.iter().map(|x| 1e-9 * x).collect();
        let y: Vec<f64> = x.iter().map(|x| 3.0 + 2.0 * x).collect();
        let found = regress(&[vec![1.0; 9], tiny.clone()], &y).unwrap();
        assert!((found.coefficients[0] - 3.0).abs() < 1e-12);
        assert!((found.coefficients[1] / 2e9 - 1.0).abs() < 1e-12);
        assert!(found.rest < 1e-24);
        assert!(regress(&[x, tiny], &y).is_none());
        assert!(regress(&[vec![0.0; 9]], &y).is_none());
    }
}
