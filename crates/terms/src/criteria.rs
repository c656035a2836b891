//! How many terms: criteria over the length of a model.
//!
//! APRESS(n) = MSE(n) / (1 - alpha n/N)^2;  AIC = N ln MSE + 2 n;  BIC = N ln MSE + n ln N
//!
//! alpha = 0 is the mean square, alpha = 1 comes near AIC, alpha = ln(N)/2 near BIC.
//!
//! References: Billings, S. A., Wei, H. L. (2008), Int. J. Control 81(5), 714-724; Schwarz, G. (1978), Ann. Stat. 6(2),
//! 461-464.

/// The factors of the paper's figure.
pub const ALPHAS: [f64; 9] = [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0];
/// The factor whose minimum gives the length of the ranked model.
pub const STRICTEST: f64 = 16.0;

/// One criterion over the lengths 1, 2, ...
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Its values; infinite where it is not defined.
    pub values: Vec<f64>,
    /// The length with the lowest value.
    pub length: usize,
}

impl Curve {
    fn of(values: Vec<f64>) -> Self {
        let least = values
            .iter()
            .enumerate()
            .filter(|(_, v)| !v.is_nan())
            .min_by(|a, b| a.1.total_cmp(b.1));
        Self {
            length: least.map_or(0, |(k, _)| k + 1),
            values,
        }
    }
}

/// The adjustable prediction error sum of squares.
pub fn apress(rests: &[f64], rows: usize, alpha: f64) -> Curve {
    let n = rows as f64;
    let value = |(k, rest): (usize, &f64)| {
        let left = 1.0 - alpha * (k + 1) as f64 / n;
        // The cost of complexity is defined only for lengths below N/alpha.
        if left > 0.0 {
            rest / n / (left * left)
        } else {
            f64::INFINITY
        }
    };
    Curve::of(rests.iter().enumerate().map(value).collect())
}

/// Akaike's criterion; mean squares below `floor` are not believed.
pub fn aic(rests: &[f64], rows: usize, floor: f64) -> Curve {
    penalised(rests, rows, floor, 2.0)
}

/// Schwarz's criterion; mean squares below `floor` are not believed.
pub fn bic(rests: &[f64], rows: usize, floor: f64) -> Curve {
    penalised(rests, rows, floor, (rows as f64).ln())
}

fn penalised(rests: &[f64], rows: usize, floor: f64, each: f64) -> Curve {
    let rows = rows as f64;
    let value = |(k, rest): (usize, &f64)| score(rest / rows, rows, floor, each * (k + 1) as f64);
    Curve::of(rests.iter().enumerate().map(value).collect())
}

/// N ln MSE plus the penalty for parameters.
fn score(mean_square: f64, rows: f64, floor: f64, price: f64) -> f64 {
    rows * mean_square.max(floor).max(f64::MIN_POSITIVE).ln() + price
}

/// What BIC needs besides the sum of squares.
#[derive(Clone, Copy, Debug)]
pub struct Bic {
    /// Rows.
    pub rows: usize,
    /// Number of independent rows that they are worth.
    pub effective: f64,
    /// Smallest mean square that is believed.
    pub floor: f64,
}

impl Bic {
    /// The criterion for a residual sum of squares with that many parameters.
    pub fn of(&self, rest: f64, parameters: f64) -> f64 {
        let price = self.effective.ln() * parameters;
        score(rest / self.rows as f64, self.effective, self.floor, price)
    }
}

/// The least mean square over tests that were held out.
pub fn held_out(mean_squares: Vec<f64>) -> Curve {
    Curve::of(mean_squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_shrink_with_the_price_of_terms() {
        let rests = [10.0, 1.0, 0.98, 0.97, 0.969];
        let length = |alpha| apress(&rests, 400, alpha).length;
        assert_eq!([0.0, 1.0, 16.0].map(length), [5, 4, 2]);
        assert_eq!(aic(&rests, 400, 0.0).length, 4);
        assert_eq!(bic(&rests, 400, 0.0).length, 3);
        // A floor above everything leaves the shortest.
        assert_eq!(bic(&rests, 400, 1.0).length, 1);
        assert!(apress(&rests, 40, 16.0).values[2].is_infinite());
        assert_eq!(apress(&[], 10, 1.0).length, 0);
    }
}
