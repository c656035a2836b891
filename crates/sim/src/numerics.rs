//! How finely sample intervals are cut into steps.

/// The longest steps in displacement and time; both are chosen once per experiment and frozen, so
/// that results stay smooth in the parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numerics {
    /// Longest displacement increment of a step (m or rad).
    pub increment: f64,
    /// Longest duration of a step (s).
    pub max_dt: f64,
}

/// Most parts of an interval; a run that would need more is rejected.
pub const MOST_PARTS: usize = 1 << 20;

impl Default for Numerics {
    /// One step per sample interval.
    fn default() -> Self {
        Self {
            increment: f64::INFINITY,
            max_dt: f64::INFINITY,
        }
    }
}

impl Numerics {
    /// The number of equal parts that an interval is cut into.
    pub fn parts(&self, dx: f64, dt: f64) -> usize {
        let wanted = (dx.abs() / self.increment).max(dt / self.max_dt);
        // The small allowance keeps an interval of exactly the longest length in one part.
        ((wanted * (1.0 - 1e-12)).ceil() as usize).clamp(1, MOST_PARTS)
    }

    /// Both limits divided by `factor`.
    pub fn finer(&self, factor: f64) -> Self {
        Self {
            increment: self.increment / factor,
            max_dt: self.max_dt / factor,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_respect_both_limits() {
        let n = Numerics {
            increment: 0.1,
            max_dt: 0.5,
        };
        assert_eq!(n.parts(0.1, 0.1), 1);
        assert_eq!(n.parts(-0.25, 0.1), 3);
        assert_eq!(n.parts(0.0, 2.0), 4);
        assert_eq!(Numerics::default().parts(1e9, 1e9), 1);
        assert_eq!(n.parts(f64::MAX, 1.0), MOST_PARTS);
    }
}
