//! Pictures of named values: intervals, bars, a matrix.

use serde::Serialize;

/// Values with their intervals, each relative to its own size, one below the other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Intervals {
    /// The heading above.
    pub title: String,
    /// What the whiskers show.
    pub axis: String,
    /// The values.
    pub rows: Vec<Interval>,
}

/// One value with its interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Interval {
    /// Name of the value.
    pub name: String,
    /// The value as it is printed.
    pub text: String,
    /// Both ends of the interval over the value, growing; none where the value is zero or the interval is not known.
    pub ratio: Option<[f64; 2]>,
    /// Whether the value can be relied on.
    pub firm: bool,
}

impl Interval {
    /// The interval `ends` of `value`, as ratios.
    pub fn ratio(value: f64, ends: [f64; 2]) -> Option<[f64; 2]> {
        let [a, b] = ends.map(|end| end / value);
        // A ratio beyond every axis is drawn as an arrow; one that is no number is not drawn.
        let seen = |r: f64| (!r.is_nan()).then(|| r.clamp(-1e9, 1e9));
        let (a, b) = (seen(a)?, seen(b)?);
        (value != 0.0).then_some([a.min(b), a.max(b)])
    }
}

/// Named values as bars, one below the other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bars {
    /// The heading above.
    pub title: String,
    /// What the length of a bar shows.
    pub axis: String,
    /// The bars.
    pub rows: Vec<Bar>,
    /// What plain and marked bars are; shown when there are marked ones.
    pub legend: [String; 2],
    /// Where a logarithmic axis begins; none for an axis from zero.
    pub from: Option<f64>,
}

/// One bar.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bar {
    /// Its name.
    pub name: String,
    /// Its length; one that is not finite is drawn to the end with an arrow.
    pub value: f64,
    /// The value as it is printed.
    pub text: String,
    /// Hatched instead of filled.
    pub marked: bool,
}

/// Numbers between -1 and 1 for every pair of names, as colours.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Matrix {
    /// The heading above.
    pub title: String,
    /// Names of rows and columns.
    pub names: Vec<String>,
    /// Rows after each other.
    pub values: Vec<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_grow_and_need_a_value() {
        assert_eq!(Interval::ratio(2.0, [1.0, 4.0]), Some([0.5, 2.0]));
        assert_eq!(Interval::ratio(-2.0, [-4.0, -1.0]), Some([0.5, 2.0]));
        assert_eq!(Interval::ratio(0.0, [-1.0, 1.0]), None);
        assert_eq!(Interval::ratio(1.0, [f64::NAN, 1.0]), None);
        assert_eq!(Interval::ratio(1.0, [0.0, f64::INFINITY]), Some([0.0, 1e9]));
    }
}
