//! Whether an estimate can be trusted.

use masing_diagnostic::thresholds::POORLY_DETERMINED;

/// Whether a parameter can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Yes.
    Ok,
    /// It is at a limit of its range.
    AtBound,
    /// Its standard error is more than 0.3 of its value (or of its scale, if it may be zero), or its
    /// interval leaves its sign or its order of magnitude open.
    PoorlyDetermined,
    /// The tests do not determine it.
    Unidentifiable,
    /// It was given.
    Fixed,
    /// Every test has its own, listed with what belongs to the tests; the model holds none.
    PerTest,
}

/// Ratio of the ends of an interval above which not even the order of magnitude is known.
const ORDER: f64 = 10.0;

impl Status {
    /// Whether the number was sought.
    pub fn sought(self) -> bool {
        !matches!(self, Status::Fixed | Status::PerTest)
    }

    /// The word in files.
    pub fn word(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::AtBound => "at-bound",
            Status::PoorlyDetermined => "poorly-determined",
            Status::Unidentifiable => "unidentifiable",
            // What the model holds was not sought.
            Status::Fixed | Status::PerTest => "fixed",
        }
    }

    /// By the standard error against the size of the number.
    pub fn of(std_error: f64, size: f64) -> Self {
        if std_error > size || std_error.is_nan() {
            Status::Unidentifiable
        } else if std_error > POORLY_DETERMINED * size {
            Status::PoorlyDetermined
        } else {
            Status::Ok
        }
    }

    /// The same, also judged by the 95 % interval. The scale of a number can be far larger than the
    /// number itself (beta = 0.25 +- 1.6 where the search began at 30), so a small error on that scale
    /// does not mean that the number is known: if its sign or order of magnitude is open, it is poorly
    /// determined. An offset of the rig is not judged this way, because its scale, the force of the
    /// test, is the right measure of its effect.
    pub fn by_interval(self, interval: [f64; 2]) -> Self {
        let [low, high] = interval;
        let one_sign = low > 0.0 || high < 0.0;
        let (near, far) = (low.abs().min(high.abs()), low.abs().max(high.abs()));
        if self == Status::Ok && !(one_sign && far < ORDER * near) {
            Status::PoorlyDetermined
        } else {
            self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_counts_against_the_size() {
        assert_eq!(Status::of(0.29, 1.0), Status::Ok);
        assert_eq!(Status::of(0.31, 1.0), Status::PoorlyDetermined);
        assert_eq!(Status::of(1.01, 1.0), Status::Unidentifiable);
        assert_eq!(Status::of(f64::NAN, 1.0), Status::Unidentifiable);
        assert_eq!(Status::of(f64::INFINITY, 1.0), Status::Unidentifiable);
        assert_eq!(Status::of(0.0, 0.0), Status::Ok);
        // At the limit an interval by factors spans exp(2 * 1.96 * 0.3), about three.
        let spans: f64 = (2.0 * 1.96 * POORLY_DETERMINED).exp();
        assert!((3.0..3.5).contains(&spans), "{spans}");
    }

    #[test]
    fn an_open_sign_or_order_is_not_ok() {
        let judge = |value: f64, error: f64, size: f64| {
            Status::of(error, size).by_interval([value - 2.0 * error, value + 2.0 * error])
        };
        // Once called ok, because the search had begun at 30.
        assert_eq!(judge(0.246, 1.6, 30.0), Status::PoorlyDetermined);
        assert_eq!(judge(-0.246, 1.6, 30.0), Status::PoorlyDetermined);
        // 1 +- 0.82 is a factor of ten.
        assert_eq!(judge(1.0, 0.40, 30.0), Status::Ok);
        assert_eq!(judge(1.0, 0.42, 30.0), Status::PoorlyDetermined);
        assert_eq!(judge(-1.0, 0.42, 30.0), Status::PoorlyDetermined);
        // Worse stays worse.
        assert_eq!(judge(1.0, 40.0, 30.0), Status::Unidentifiable);
        let fixed = Status::Fixed.by_interval([-1.0, 1.0]);
        assert_eq!(fixed, Status::Fixed);
        let unknown = Status::Ok.by_interval([f64::NAN, f64::NAN]);
        assert_eq!(unknown, Status::PoorlyDetermined);
    }
}
