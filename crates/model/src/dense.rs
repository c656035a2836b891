//! Small dense linear systems: LU with partial pivoting, also transposed.

/// A factored square matrix.
#[derive(Clone, Debug)]
pub struct Lu {
    n: usize,
    a: Vec<f64>,
    pivot: Vec<usize>,
}

impl Lu {
    /// Factors the row-major `n` by `n` matrix; `None` if it is singular or not finite.
    pub fn new(n: usize, mut a: Vec<f64>) -> Option<Self> {
        debug_assert_eq!(a.len(), n * n, "the matrix is square");
        let mut pivot = vec![0; n];
        for k in 0..n {
            let p = (k..n).max_by(|&i, &j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs()))?;
            let top = a[p * n + k];
            if top == 0.0 || !top.is_finite() {
                return None;
            }
            pivot[k] = p;
            if p != k {
                for j in 0..n {
                    a.swap(k * n + j, p * n + j);
                }
            }
            for i in k + 1..n {
                let factor = a[i * n + k] / a[k * n + k];
                a[i * n + k] = factor;
                for j in k + 1..n {
                    a[i * n + j] -= factor * a[k * n + j];
                }
            }
        }
        Some(Self { n, a, pivot })
    }

    /// Solves A x = b in place.
    pub fn solve(&self, b: &mut [f64]) {
        let (n, a) = (self.n, &self.a);
        for k in 0..n {
            b.swap(k, self.pivot[k]);
        }
        for i in 0..n {
            let mut sum = b[i];
            for j in 0..i {
                sum -= a[i * n + j] * b[j];
            }
            b[i] = sum;
        }
        for i in (0..n).rev() {
            let mut sum = b[i];
            for j in i + 1..n {
                sum -= a[i * n + j] * b[j];
            }
            b[i] = sum / a[i * n + i];
        }
    }

    /// Solves A' x = b in place.
    pub fn solve_transposed(&self, b: &mut [f64]) {
        let (n, a) = (self.n, &self.a);
        for i in 0..n {
            let mut sum = b[i];
            for j in 0..i {
                sum -= a[j * n + i] * b[j];
            }
            b[i] = sum / a[i * n + i];
        }
        for i in (0..n).rev() {
            let mut sum = b[i];
            for j in i + 1..n {
                sum -= a[j * n + i] * b[j];
            }
            b[i] = sum;
        }
        for k in (0..n).rev() {
            b.swap(k, self.pivot[k]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_and_solves_transposed() {
        let a = vec![0.0, 2.0, 1.0, 4.0, -1.0, 3.0, 5.0, 2.0, -2.0];
        let x = [1.0, -2.0, 0.5];
        let lu = Lu::new(3, a.clone()).expect("the matrix is regular");
        let mut b: Vec<f64> = (0..3)
            .map(|i| (0..3).map(|j| a[i * 3 + j] * x[j]).sum())
            .collect();
        let mut c: Vec<f64> = (0..3)
            .map(|i| (0..3).map(|j| a[j * 3 + i] * x[j]).sum())
            .collect();
        lu.solve(&mut b);
        lu.solve_transposed(&mut c);
        for i in 0..3 {
            assert!((b[i] - x[i]).abs() < 1e-14 && (c[i] - x[i]).abs() < 1e-14);
        }
        assert!(Lu::new(2, vec![1.0, 2.0, 2.0, 4.0]).is_none());
    }
}
