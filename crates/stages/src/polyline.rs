//! Straight lines through points, continued beyond both ends.

/// A curve through points of growing abscissa, at least two.
#[derive(Clone, Copy, Debug)]
pub struct Polyline<'a> {
    /// Abscissas, growing.
    pub x: &'a [f64],
    /// Ordinates.
    pub y: &'a [f64],
}

/// The piece an abscissa lies in, by its lower point, and how far along it lies.
pub(super) fn place(x: &[f64], at: f64) -> (usize, f64) {
    let last = x.len().saturating_sub(2);
    let i = x.partition_point(|p| *p <= at).clamp(1, last + 1) - 1;
    (i, (at - x[i]) / (x[i + 1] - x[i]))
}

impl Polyline<'_> {
    /// The ordinate.
    pub fn at(&self, x: f64) -> f64 {
        let (i, share) = place(self.x, x);
        self.y[i] + share * (self.y[i + 1] - self.y[i])
    }

    /// The slope of piece `i`.
    pub fn slope(&self, i: usize) -> f64 {
        (self.y[i + 1] - self.y[i]) / (self.x[i + 1] - self.x[i])
    }

    /// The area below the curve from its first point.
    pub fn area(&self, x: f64) -> f64 {
        let (last, _) = place(self.x, x);
        let whole: f64 = (0..last)
            .map(|i| 0.5 * (self.y[i] + self.y[i + 1]) * (self.x[i + 1] - self.x[i]))
            .sum();
        whole + 0.5 * (self.y[last] + self.at(x)) * (x - self.x[last])
    }

    /// Where a rising curve has that ordinate: the middle, where it is flat there.
    pub fn inverse(&self, y: f64) -> Option<f64> {
        let n = self.x.len();
        let crosses = |i: usize| {
            let (from, to) = (self.y[i], self.y[i + 1]);
            let below = i == 0 || from <= y;
            let above = i + 2 == n || y <= to;
            below && above && to != from
        };
        let flat: Vec<f64> = (0..n)
            .filter(|&i| self.y[i] == y)
            .map(|i| self.x[i])
            .collect();
        if let (true, Some(first), Some(last)) = (flat.len() > 1, flat.first(), flat.last()) {
            return Some(0.5 * (first + last));
        }
        let i = (0..n - 1).find(|&i| crosses(i))?;
        let x = self.x[i] + (y - self.y[i]) / self.slope(i);
        x.is_finite().then_some(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_on_beyond_its_ends() {
        let line = Polyline {
            x: &[0.0, 1.0, 3.0],
            y: &[0.0, 2.0, 2.0],
        };
        assert_eq!(
            [-1.0, 0.5, 2.0, 5.0].map(|x| line.at(x)),
            [-2.0, 1.0, 2.0, 2.0]
        );
        assert_eq!(line.area(3.0), 5.0);
        assert_eq!(line.area(-1.0), 1.0);
        assert_eq!(line.inverse(1.0), Some(0.5));
        assert_eq!(line.inverse(-2.0), Some(-1.0));
        assert_eq!(line.inverse(2.0), Some(2.0));
        assert_eq!(line.inverse(2.5), None);
    }
}
