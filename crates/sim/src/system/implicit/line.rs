//! The root of the power along a line.
//!
//! Force laws resist motion, so that the power d . R grows along any line d, and a bracket finds where
//! it changes its sign.

use super::{Gap, Implicit};

/// Trials along one line: enough to halve any bracket of `f64` down to neighbours, and as many secants.
const MOST_TRIALS: usize = 140;

/// How a search along a line ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// At a root.
    Root,
    /// Between neighbouring numbers, where the power jumps from negative to positive.
    Jump,
    /// Neither: the elements failed, or no bracket was found.
    Open,
}

impl Implicit<'_> {
    /// Along the line `base + s direction`: where the power direction . R changes from negative, at
    /// the near end of `reach`, to positive, at its far end or beyond; to the `share` of its value at
    /// the near end. The trial is left at the point returned.
    pub(super) fn search(
        &mut self,
        h: f64,
        (base, direction): &(Vec<f64>, Vec<f64>),
        (near, far): (f64, f64),
        share: f64,
    ) -> Option<(Vec<f64>, Gap, End)> {
        let mut v = base.clone();
        let mut power = |this: &mut Self, s: f64| -> Option<(f64, Gap)> {
            for (v, (base, d)) in v.iter_mut().zip(base.iter().zip(direction)) {
                *v = base + s * d;
            }
            let gap = this.follow(h, &v).ok().filter(|g| g.size.is_finite())?;
            Some((dot(&this.residual, direction), gap))
        };
        let (mut low, mut high) = (near, far);
        let (mut at_low, _) = power(self, low)?;
        let goal = share * at_low.abs();
        let mut at_high = None;
        // Past the far end until the power is positive or the elements refuse.
        for _ in 0..40 {
            match power(self, high) {
                Some((value, _)) if value < 0.0 => {
                    let width = high - low;
                    (low, at_low) = (high, value);
                    high += 4.0 * width;
                }
                found => {
                    at_high = found.map(|(value, _)| value);
                    break;
                }
            }
        }
        let mut end = End::Open;
        for trial in 0..MOST_TRIALS {
            let secant = at_high
                .map(|high_value| (high_value * low - at_low * high) / (high_value - at_low));
            let s = match secant {
                Some(s) if trial % 2 == 0 && s > low && s < high => s,
                _ => between(low, high),
            };
            if !(s > low && s < high) {
                end = if at_high.is_some() {
                    End::Jump
                } else {
                    End::Open
                };
                break;
            }
            match power(self, s) {
                Some((value, gap)) => {
                    if gap.closed() || (goal > 0.0 && value.abs() <= goal) {
                        return Some((point(base, direction, s), gap, End::Root));
                    }
                    if value < 0.0 {
                        (low, at_low) = (s, value);
                    } else {
                        (high, at_high) = (s, Some(value));
                    }
                }
                None => (high, at_high) = (s, None),
            }
        }
        let sides = [low, high].map(|s| power(self, s).map(|(_, gap)| (s, gap.size)));
        let sides = sides.into_iter().flatten();
        let (s, _) = sides.min_by(|a, b| a.1.total_cmp(&b.1))?;
        let (_, gap) = power(self, s)?;
        Some((point(base, direction, s), gap, end))
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn point(base: &[f64], direction: &[f64], s: f64) -> Vec<f64> {
    base.iter().zip(direction).map(|(b, d)| b + s * d).collect()
}

/// The number half way between two others as `f64` are ordered, so that 64 halvings lead from any
/// bracket to neighbours, also around zero.
fn between(a: f64, b: f64) -> f64 {
    // The bits of negative numbers grow downwards.
    let order = |bits: i64| bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed();
    let (a, b) = (
        order(a.to_bits().cast_signed()),
        order(b.to_bits().cast_signed()),
    );
    let middle = (a & b) + ((a ^ b) >> 1);
    f64::from_bits(order(middle).cast_unsigned())
}

#[cfg(test)]
mod tests {
    use super::between;

    #[test]
    fn halving_reaches_neighbours_anywhere() {
        for (mut low, mut high, root) in [
            (-3.0, 5.0, 1e-301),
            (-1e300, 1e-5, -4e-320),
            (1.0, 2.0, 1.5),
        ] {
            let mut count = 0;
            loop {
                let middle = between(low, high);
                if !(middle > low && middle < high) {
                    break;
                }
                count += 1;
                if middle < root {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            assert!(count <= 64 && low < root && root <= high, "{low} {high}");
        }
    }
}
