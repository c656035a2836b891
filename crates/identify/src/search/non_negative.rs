//! Least squares in which some coefficients must not be negative.
//!
//! Reference: Lawson, C. L., Hanson, R. J. (1974), Solving Least Squares Problems, chapter 23; coefficients without a
//! sign are in the passive set from the beginning and never leave it.

use nalgebra::{DMatrix, DVector};

/// Coefficients of `free` columns and then of columns that must not be negative.
#[derive(Clone, Debug, PartialEq)]
pub struct NonNegative {
    /// Coefficients of either sign.
    pub free: Vec<f64>,
    /// Coefficients that are not negative.
    pub positive: Vec<f64>,
    /// Residual sum of squares.
    pub rest: f64,
}

/// Solves for both kinds of columns; `None` where the free ones are linearly dependent.
pub fn non_negative(free: &[&[f64]], positive: &[&[f64]], y: &[f64]) -> Option<NonNegative> {
    let fixed = free.len();
    let mut all: Vec<&[f64]> = free.to_vec();
    all.extend(positive);
    let count = all.len();
    let scales: Vec<f64> = all
        .iter()
        .map(|c| c.iter().fold(0.0_f64, |m, v| m.max(v.abs())))
        .collect();
    if scales.iter().any(|s| !(*s > 0.0 && s.is_finite())) {
        return None;
    }
    let scaled: Vec<Vec<f64>> = all
        .iter()
        .zip(&scales)
        .map(|(c, s)| c.iter().map(|v| v / s).collect())
        .collect();
    let mut views: Vec<&[f64]> = scaled.iter().map(Vec::as_slice).collect();
    views.push(y);
    let r = triangle(&views);
    let mut a = r.columns(0, count).into_owned();
    let b: DVector<f64> = r.column(count).into_owned();
    let mut lengths = scales;
    for (j, mut column) in a.column_iter_mut().enumerate() {
        let length = column.norm();
        if !(length > 0.0) {
            return None;
        }
        column /= length;
        lengths[j] *= length;
    }
    let x = active_set(&a, &b, fixed)?;
    let rest = (&a * &x - &b).norm_squared();
    let unscaled: Vec<f64> = x.iter().zip(&lengths).map(|(x, l)| x / l).collect();
    let (free, positive) = unscaled.split_at(fixed);
    Some(NonNegative {
        free: free.to_vec(),
        positive: positive.to_vec(),
        rest,
    })
}

/// Rows per block.
const BLOCK: usize = 512;

/// The triangle of a QR decomposition of columns, block by block, so that no tall matrix is copied.
pub fn triangle(columns: &[&[f64]]) -> DMatrix<f64> {
    let width = columns.len();
    let rows = columns.first().map_or(0, |c| c.len());
    let mut r = DMatrix::<f64>::zeros(0, width);
    for start in (0..rows).step_by(BLOCK) {
        let end = (start + BLOCK).min(rows);
        let above = r.nrows();
        let mut stacked = DMatrix::zeros(above + end - start, width);
        stacked.rows_mut(0, above).copy_from(&r);
        for (j, column) in columns.iter().enumerate() {
            let mut view = stacked.column_mut(j);
            for i in start..end {
                view[above + i - start] = column[i];
            }
        }
        r = stacked.qr().unpack_r();
    }
    r
}

fn active_set(a: &DMatrix<f64>, b: &DVector<f64>, fixed: usize) -> Option<DVector<f64>> {
    let count = a.ncols();
    let mut passive: Vec<usize> = (0..fixed).collect();
    let mut repeated: Vec<usize> = Vec::new();
    let mut x = DVector::zeros(count);
    for (j, value) in passive.iter().zip(least_squares(a, b, &passive)?.iter()) {
        x[*j] = *value;
    }
    let small = 1e-11 * b.norm().max(f64::MIN_POSITIVE);
    // Each pass adds one column; columns that rounding lets in and out again would circle for ever.
    for _ in 0..3 * count {
        let slope = a.tr_mul(&(b - a * &x));
        let next = (fixed..count)
            .filter(|j| !passive.contains(j) && !repeated.contains(j))
            .max_by(|&i, &j| slope[i].total_cmp(&slope[j]));
        let Some(next) = next.filter(|&j| slope[j] > small) else {
            break;
        };
        passive.push(next);
        loop {
            let Some(z) = least_squares(a, b, &passive) else {
                // It repeats the others: nothing is gained by it.
                passive.retain(|&j| j != next);
                repeated.push(next);
                break;
            };
            let mut share = 1.0_f64;
            for (place, &j) in passive.iter().enumerate() {
                if j >= fixed && z[place] <= 0.0 {
                    share = share.min(x[j] / (x[j] - z[place]));
                }
            }
            for (place, &j) in passive.iter().enumerate() {
                x[j] += share * (z[place] - x[j]);
            }
            if share >= 1.0 {
                break;
            }
            passive.retain(|&j| {
                let stays = j < fixed || x[j] > 1e-14;
                if !stays {
                    x[j] = 0.0;
                }
                stays
            });
        }
    }
    Some(x)
}

/// Coefficients of some columns.
fn least_squares(a: &DMatrix<f64>, b: &DVector<f64>, columns: &[usize]) -> Option<DVector<f64>> {
    if columns.is_empty() {
        return Some(DVector::zeros(0));
    }
    let own = a.select_columns(columns);
    let qr = own.qr();
    let mut right = b.clone();
    qr.q_tr_mul(&mut right);
    let r = qr.unpack_r();
    let diagonal = r.diagonal().map(f64::abs);
    if !(diagonal.min() > 1e-12) {
        return None;
    }
    r.solve_upper_triangular(&right.rows(0, columns.len()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_kept_only_where_they_are_asked_for() {
        let x: Vec<f64> = (0..50).map(|i| f64::from(i) / 50.0).collect();
        let columns: Vec<Vec<f64>> = (0..4)
            .map(|p| x.iter().map(|x| x.powi(p)).collect())
            .collect();
        let of = |c: [f64; 4]| -> Vec<f64> {
            x.iter()
                .map(|x| c[0] + c[1] * x + c[2] * x * x + c[3] * x * x * x)
                .collect()
        };
        let views: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let y = of([-1.0, 2.0, 0.5, 3.0]);
        let found = non_negative(&views[..1], &views[1..], &y).unwrap();
        assert!((found.free[0] + 1.0).abs() < 1e-9 && found.rest < 1e-18);
        assert!((found.positive[1] - 0.5).abs() < 1e-7);
        let y = of([-1.0, 2.0, -0.5, 3.0]);
        let found = non_negative(&views[..1], &views[1..], &y).unwrap();
        assert_eq!(found.positive[1], 0.0);
        assert!(found.positive.iter().all(|c| *c >= 0.0));
        let found = non_negative(&views, &[], &y).unwrap();
        assert!((found.free[2] + 0.5).abs() < 1e-7);
    }
}
