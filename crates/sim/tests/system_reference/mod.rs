//! An integrator that shares nothing with the one under test: extrapolated midpoint steps (Gragg,
//! Bulirsch, Stoer) of order 16 on one smooth branch at a time, with the ends of the branches found
//! by bisection.
#![allow(dead_code, reason = "each test binary uses its own share")]

/// A piecewise smooth system y' = f(t, y, branch).
pub trait Piecewise {
    /// Rates on the branch `b`, also a little beyond its end.
    fn rates(&self, t: f64, y: &[f64], b: &[i32], dy: &mut [f64]);
    /// The branch on which `y` lies; on an edge, that into which it moves on.
    fn branch(&self, t: f64, y: &[f64]) -> Vec<i32>;
}

/// Error allowed per step, relative to `scale`.
const TOLERANCE: f64 = 1e-14;

/// One extrapolated step; the error of the last two columns, relative to `scale`.
fn step(
    system: &impl Piecewise,
    t: f64,
    y: &[f64],
    b: &[i32],
    h: f64,
    scale: &[f64],
) -> (Vec<f64>, f64) {
    let n = y.len();
    let mut table: Vec<Vec<f64>> = Vec::new();
    let mut error = f64::INFINITY;
    let mut dy = vec![0.0; n];
    for k in 0..8_usize {
        let pieces = 2 * (k + 1);
        let dt = h / pieces as f64;
        let mut old = y.to_vec();
        system.rates(t, y, b, &mut dy);
        let mut new: Vec<f64> = (0..n).map(|i| y[i] + dt * dy[i]).collect();
        for piece in 1..pieces {
            system.rates(t + dt * piece as f64, &new, b, &mut dy);
            for i in 0..n {
                (old[i], new[i]) = (new[i], old[i] + 2.0 * dt * dy[i]);
            }
        }
        system.rates(t + h, &new, b, &mut dy);
        let mut row = vec![
            (0..n)
                .map(|i| 0.5 * (old[i] + new[i] + dt * dy[i]))
                .collect::<Vec<f64>>(),
        ];
        for j in 1..=k {
            let ratio = ((k + 1) as f64 / (k + 1 - j) as f64).powi(2) - 1.0;
            let refined = (0..n)
                .map(|i| row[j - 1][i] + (row[j - 1][i] - table[j - 1][i]) / ratio)
                .collect();
            row.push(refined);
        }
        if k > 0 {
            error = (0..n).fold(0.0, |m: f64, i| {
                m.max((row[k][i] - row[k - 1][i]).abs() / scale[i])
            });
        }
        table = row;
    }
    (table.pop().expect("eight columns"), error)
}

/// A smooth stretch, halved until its error is small.
fn smooth(
    system: &impl Piecewise,
    t: f64,
    y: &[f64],
    b: &[i32],
    h: f64,
    scale: &[f64],
    depth: usize,
) -> Vec<f64> {
    let (end, error) = step(system, t, y, b, h, scale);
    if error <= TOLERANCE || depth == 0 {
        return end;
    }
    let middle = smooth(system, t, y, b, 0.5 * h, scale, depth - 1);
    smooth(system, t + 0.5 * h, &middle, b, 0.5 * h, scale, depth - 1)
}

/// The states at all `times`, from `y` at the first; `scale` is the size of the states. Branches are
/// looked at `looks` times between two times.
pub fn integrate(
    system: &impl Piecewise,
    times: &[f64],
    mut y: Vec<f64>,
    scale: &[f64],
    looks: usize,
) -> Vec<Vec<f64>> {
    let mut out = vec![y.clone()];
    let mut b = system.branch(times[0], &y);
    for pair in times.windows(2) {
        let whole = (pair[1] - pair[0]) / looks as f64;
        for look in 0..looks {
            let mut t = pair[0] + whole * look as f64;
            let mut left = whole;
            while left > 0.0 {
                let end = smooth(system, t, &y, &b, left, scale, 12);
                if system.branch(t + left, &end) == b {
                    y = end;
                    break;
                }
                // The first instant at which the branch is another one.
                let (mut low, mut high) = (0.0, left);
                while high - low > 1e-15 * whole {
                    let middle = 0.5 * (low + high);
                    let there = smooth(system, t, &y, &b, middle, scale, 12);
                    if system.branch(t + middle, &there) == b {
                        low = middle;
                    } else {
                        high = middle;
                    }
                }
                y = smooth(system, t, &y, &b, high, scale, 12);
                t += high;
                left -= high;
                b = system.branch(t, &y);
            }
        }
        out.push(y.clone());
    }
    out
}

/// Straight lines between samples.
pub fn interpolate(times: &[f64], values: &[f64], t: f64) -> f64 {
    let i = times.partition_point(|s| *s <= t).clamp(1, times.len() - 1);
    let share = (t - times[i - 1]) / (times[i] - times[i - 1]);
    values[i - 1] + share * (values[i] - values[i - 1])
}

/// The largest difference of two histories.
pub fn difference<'a>(
    a: impl IntoIterator<Item = &'a f64>,
    b: impl IntoIterator<Item = f64>,
) -> f64 {
    let pairs = a.into_iter().zip(b);
    pairs.fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()))
}
