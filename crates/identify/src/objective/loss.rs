//! How much a large residual counts.
//!
//! A robust loss grows like the square for small residuals and like the residual itself for large
//! ones, so that outliers do not pull the fit. It is written as a transformation of the residual, r
//! -> t with t^2 = loss(r^2), so that the problem remains one of least squares.

/// The loss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loss {
    /// The square.
    #[default]
    Linear,
    /// The square up to the scale, straight beyond.
    Huber,
    /// 2 (sqrt(1 + r^2) - 1), smooth throughout.
    SoftL1,
}

/// Residuals up to this many standard deviations count in full (Huber's 95 % efficiency).
pub const KNEE: f64 = 1.345;

impl Loss {
    /// The changed residual and its derivative, for a residual `r` and a scale.
    pub fn change(self, r: f64, scale: f64) -> (f64, f64) {
        let q = (r / scale).abs();
        match self {
            Loss::Linear => (r, 1.0),
            Loss::Huber if q <= 1.0 => (r, 1.0),
            Loss::Huber => {
                let t = (2.0 * q - 1.0).sqrt();
                ((scale * t).copysign(r), 1.0 / t)
            }
            Loss::SoftL1 => {
                let root = (1.0 + q * q).sqrt();
                // 2 (root - 1) = 2 q^2 / (root + 1), without cancellation.
                let t = (2.0 / (root + 1.0)).sqrt();
                (r * t, 1.0 / (root * t))
            }
        }
    }

    /// Influence and its slope at a residual over its scale: the derivatives of half the loss.
    pub fn influence(self, q: f64) -> (f64, f64) {
        match self {
            Loss::Linear => (q, 1.0),
            Loss::Huber if q.abs() <= 1.0 => (q, 1.0),
            Loss::Huber => (q.signum(), 0.0),
            Loss::SoftL1 => {
                let root = (1.0 + q * q).sqrt();
                (q / root, 1.0 / (root * root * root))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_residuals_square_to_the_loss_and_have_its_slope() {
        for loss in [Loss::Linear, Loss::Huber, Loss::SoftL1] {
            for r in [-5.0, -0.9, -1e-9, 0.0, 0.3, 2.0, 1e4_f64] {
                let scale = 0.7;
                let z = (r / scale) * (r / scale);
                let expected = match loss {
                    Loss::Linear => z,
                    Loss::Huber if z <= 1.0 => z,
                    Loss::Huber => 2.0 * z.sqrt() - 1.0,
                    Loss::SoftL1 => 2.0 * z / ((1.0 + z).sqrt() + 1.0),
                };
                let (t, slope) = loss.change(r, scale);
                let relative = (t * t - scale * scale * expected).abs();
                assert!(relative <= 1e-12 * z, "{loss:?} {r}: {t}");
                let h = 1e-6 * r.abs().max(1.0);
                let (up, down) = (loss.change(r + h, scale).0, loss.change(r - h, scale).0);
                assert!(
                    ((up - down) / (2.0 * h) - slope).abs() < 1e-6,
                    "{loss:?} {r}"
                );
                // t dt/dr is the influence.
                let influence = loss.influence(r / scale).0 * scale;
                assert!((t * slope - influence).abs() < 1e-9 * influence.abs().max(1.0));
            }
        }
    }
}
