//! Running sums over a sorted path, which give the straight line through any stretch directly.

use super::paths::Path;

/// Count and moments of a stretch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    pub n: f64,
    x: f64,
    y: f64,
    xx: f64,
    xy: f64,
    pub yy: f64,
}

impl Sums {
    /// Of a stretch that ends here and begins there.
    pub fn since(self, before: Self) -> Self {
        Self {
            n: self.n - before.n,
            x: self.x - before.x,
            y: self.y - before.y,
            xx: self.xx - before.xx,
            xy: self.xy - before.xy,
            yy: self.yy - before.yy,
        }
    }

    /// The same stretch with ordinates counted from `level`.
    pub fn above_level(self, level: f64) -> Self {
        Self {
            y: self.y - level * self.n,
            xy: self.xy - level * self.x,
            yy: self.yy - 2.0 * level * self.y + level * level * self.n,
            ..self
        }
    }

    /// The mean ordinate.
    pub fn mean(&self) -> Option<f64> {
        (self.n > 0.0).then(|| self.y / self.n)
    }

    /// Residual sum of squares of the best straight line.
    pub fn about_line(&self) -> f64 {
        if self.n < 1.0 {
            return 0.0;
        }
        let xx = self.xx - self.x * self.x / self.n;
        let xy = self.xy - self.x * self.y / self.n;
        let yy = self.yy - self.y * self.y / self.n;
        let explained = if xx > 0.0 { xy * xy / xx } else { 0.0 };
        (yy - explained).max(0.0)
    }

    /// Residual sum of squares of the best straight line that is zero at `x`.
    pub fn about_line_from(&self, x: f64) -> f64 {
        let xx = self.xx - 2.0 * x * self.x + self.n * x * x;
        let xy = self.xy - x * self.y;
        let explained = if xx > 0.0 { xy * xy / xx } else { 0.0 };
        (self.yy - explained).max(0.0)
    }
}

/// Sums of all samples below each of some growing angles. Angles count from `origin`, which keeps the sums accurate.
pub(super) fn below(path: &Path, at: &[f64], origin: f64) -> Vec<Sums> {
    let mut sums = Sums::default();
    let mut next = 0;
    at.iter()
        .map(|end| {
            while next < path.angle.len() && path.angle[next] < *end {
                let (x, y) = (path.angle[next] - origin, path.torque[next]);
                sums.n += 1.0;
                sums.x += x;
                sums.y += y;
                sums.xx += x * x;
                sums.xy += x * y;
                sums.yy += y * y;
                next += 1;
            }
            sums
        })
        .collect()
}
