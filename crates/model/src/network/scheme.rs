//! Implicit one-step schemes as tables of coefficients.
//!
//! A stage lies at the fraction `c` of the step; its value is that at the start plus the rates of the
//! stages so far times their weights `a`, the last of which is its own. All schemes end at their last
//! stage (stiffly accurate), so that forces balance at the end of every step.

/// One stage.
#[derive(Debug)]
pub(super) struct Stage {
    /// Fraction of the step.
    pub c: f64,
    /// Weights of the rates up to this stage's own.
    pub a: &'static [f64],
}

/// A scheme is its stages.
pub(super) type Scheme = &'static [Stage];

/// Backward Euler, order 1: forces balance at the end. Exact where no force depends on the speed.
pub(super) const BALANCE: Scheme = &[Stage { c: 1.0, a: &[1.0] }];

const GAMMA: f64 = crate::law::GAMMA;

/// SDIRK2, order 2, L-stable: Alexander, R. (1977), SIAM J. Numer. Anal. 14(6), 1006-1021.
pub(super) const SDIRK2: Scheme = &[
    Stage {
        c: GAMMA,
        a: &[GAMMA],
    },
    Stage {
        c: 1.0,
        a: &[1.0 - GAMMA, GAMMA],
    },
];

/// Most stages of a scheme.
pub(super) const MOST_STAGES: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_consistent_and_of_their_order() {
        for (scheme, order) in [(BALANCE, 1), (SDIRK2, 2)] {
            assert!(scheme.len() <= MOST_STAGES);
            for (i, stage) in scheme.iter().enumerate() {
                assert_eq!(stage.a.len(), i + 1);
                assert!((stage.a.iter().sum::<f64>() - stage.c).abs() < 1e-15);
            }
            let last = &scheme[scheme.len() - 1];
            assert_eq!(last.c, 1.0);
            let moment: f64 = last.a.iter().zip(scheme).map(|(b, s)| b * s.c).sum();
            assert_eq!((moment - 0.5).abs() < 1e-15, order == 2);
        }
    }
}
