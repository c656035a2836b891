//! What a cause that was left out of a fit would explain of its residual (a score test).
//!
//! With residuals r and the derivative a of the prediction with respect to the cause, and with a* the
//! part of a that no fitted parameter reproduces, the best linear step is d = -(a*'r)/(a*'a*), and the
//! sum of squares falls by d^2 a*'a*.

use masing_diagnostic::thresholds::NUISANCE_SIGMAS;

/// Smallest squared share of the derivative that no parameter may reproduce: below it the
/// parameters absorb all but a thousandth of the cause, and the rest is rounding.
const OWN: f64 = 1e-6;

/// A cause and what it would explain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// Its size.
    pub step: f64,
    /// By how much the sum of squares would fall.
    pub gain: f64,
}

impl Score {
    /// From the projection of the residual (predicted less measured) on the derivative's own part, the
    /// square of that part and of the whole derivative; `None` where the parameters reproduce too much
    /// of it.
    pub fn new(along: f64, own: f64, whole: f64) -> Option<Self> {
        let step = -along / own;
        let gain = step * step * own;
        (own > OWN * whole && gain.is_finite()).then_some(Self { step, gain })
    }

    /// Whether the cause is significant for residuals of this variance.
    pub fn significant(&self, variance: f64) -> bool {
        self.gain > NUISANCE_SIGMAS.powi(2) * variance
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use masing_model::Rng;

    #[test]
    fn the_step_takes_the_cause_out() {
        // r = 3 a: a step of -3 explains all of it.
        let found = Score::new(3.0 * 2.0, 2.0, 2.0).unwrap();
        assert_eq!((found.step, found.gain), (-3.0, 18.0));
        assert_eq!(Score::new(1.0, 1e-7, 1.0), None);
        assert_eq!(Score::new(0.0, 0.0, 0.0), None);
        assert_eq!(Score::new(f64::NAN, 1.0, 1.0), None);
    }

    #[test]
    fn noise_is_no_cause() {
        // An offset that is not there, sought in noise 2000 times.
        let n = 100;
        let wrong = (0..2000).filter(|&seed| {
            let mut random = Rng::new(seed);
            let along: f64 = (0..n).map(|_| random.uniform() - 0.5).sum();
            let found = Score::new(along, f64::from(n), f64::from(n)).unwrap();
            found.significant(1.0 / 12.0)
        });
        assert_eq!(wrong.count(), 0);
    }
}
