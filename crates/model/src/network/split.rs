//! The root of a function that never falls, found within a bracket.

use crate::error::StepError;

/// Evaluations after which a search is given up: from the smallest reach to the farthest place and back
/// to two neighbouring numbers takes fewer.
const MOST: usize = 400;

/// Evaluations after which rounding of places and of the largest forces of the search ends it: the
/// root of a high power is approached by a tenth at a time, and what is left has no size.
const PATIENCE: usize = 12;

/// Evaluations after which a bracket is halved by the count of numbers in it, which takes 64 at most:
/// rounding of forces that nearly cancel misleads every other way.
const CLEVER: usize = 60;

/// No place of a balance is farther away: beyond this, products leave the range of numbers.
const FARTHEST: f64 = 1e100;

/// Forces (N) below this are none: rounding of the smallest limit that a law may have (1e-9 N) is larger.
const NO_FORCE: f64 = 1e-30;

/// An excess, its slope and the size of what it is the difference of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Excess {
    pub value: f64,
    pub slope: f64,
    pub size: f64,
}

impl Excess {
    /// Whether nothing is left but rounding of forces of a size, or what has no digits any more.
    fn gone(&self, size: f64) -> bool {
        self.value.abs() <= 4.0 * f64::EPSILON * size + NO_FORCE
    }

    /// How far Newton goes from here.
    fn newton(&self) -> f64 {
        -self.value / self.slope
    }

    /// How far away the root seems to be; unknown where the force jumps.
    fn distance(&self) -> f64 {
        if self.slope.is_finite() {
            self.newton().abs()
        } else {
            f64::INFINITY
        }
    }
}

/// Between two points with excesses of different signs: the cubic through both of the inverse
/// function, its slopes limited so that it stays between them. Saturating forces, which mislead
/// Newton, have inverses that are easy to follow.
fn between(a: (f64, Excess), b: (f64, Excess)) -> f64 {
    let (length, rise) = (b.0 - a.0, b.1.value - a.1.value);
    let t = -a.1.value / rise;
    let steepness = |e: Excess| (rise / (e.slope * length)).clamp(0.0, 3.0);
    let (from, to) = (steepness(a.1), steepness(b.1));
    let left = 1.0 - t;
    a.0 + length * t * (t * (3.0 - 2.0 * t) + left * (left * from - t * to))
}

/// The next number on the way to another.
fn neighbour(of: f64, towards: f64) -> f64 {
    if towards > of {
        of.next_up()
    } else {
        of.next_down()
    }
}

/// The number in the middle of those between two, by count.
fn middle(a: f64, b: f64) -> f64 {
    // Bits of numbers rise with them once those of negative ones are turned round; doing it twice undoes it.
    let turned = |bits: i64| bits ^ (((bits >> 63) as u64) >> 1) as i64;
    let [a, b] = [a, b].map(|q| turned(q.to_bits() as i64));
    f64::from_bits(turned((a & b) + ((a ^ b) >> 1)) as u64)
}

/// Where a search begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    /// The first place.
    pub start: f64,
    /// A first length to go.
    pub reach: f64,
    /// Rounding of places.
    pub rounding: f64,
    /// Rounding of forces where the place has no part in them.
    pub noise: f64,
}

/// Where `excess` changes its sign, as near to the start as can be: Newton until the root is bracketed,
/// then cubics of the inverse, halves where these do not help.
pub(super) fn root(
    element: &'static str,
    search: Search,
    mut excess: impl FnMut(f64) -> Result<Excess, StepError>,
) -> Result<f64, StepError> {
    let mut at = search.start;
    let mut now = excess(at)?;
    if now.gone(now.size) {
        return Ok(at);
    }
    let first = now;
    let direction = -now.value.signum();
    let mut largest = now.size;
    // The side that is still short of the root, and the one beyond it.
    let mut near = (at, now);
    let mut beyond: Option<(f64, Excess)> = None;
    let ahead = |now: &Excess| now.newton() * direction;
    let mut reach = match search.reach.abs() {
        0.0 if ahead(&now).is_finite() => ahead(&now),
        reach => reach,
    };
    reach = reach.max(search.rounding).max(1e-30);
    let mut width = f64::INFINITY;
    let mut stalled = 0;
    // How much farther than Newton, where that hardly gets ahead.
    let mut push = 1.0;
    for turn in 0..MOST {
        let next = match beyond {
            None => {
                let far = reach;
                reach *= 4.0;
                let own = ahead(&now);
                // Slopes that end before the root mislead Newton: no farther than twice the next reach.
                let by = if own > 0.0 && own < 2.0 * reach {
                    own * push
                } else {
                    far
                };
                match near.0 + direction * by {
                    next if next == near.0 => neighbour(near.0, direction * f64::INFINITY),
                    next => next,
                }
            }
            Some(end) if turn >= CLEVER => middle(near.0, end.0),
            Some(end) if stalled >= 2 => near.0 + 0.5 * (end.0 - near.0),
            Some(end) => match between(near, end) {
                // The neighbour of an end tells whether the root is between the two.
                next if next == near.0 => neighbour(near.0, end.0),
                next if next == end.0 => neighbour(end.0, near.0),
                next if next.is_nan() => middle(near.0, end.0),
                next => next,
            },
        };
        let settled = beyond.is_some_and(|end| next == near.0 || next == end.0);
        if settled || next.is_nan() || next.abs() > FARTHEST {
            break;
        }
        let (last, moved) = (now, next - at);
        at = next;
        now = excess(at)?;
        largest = largest.max(now.size);
        if now.gone(now.size) {
            return Ok(at);
        }
        // What Newton would leave, by the change of slope over the last move: the last evaluation
        // is spared where that is nothing.
        let bend = (1.0 - last.slope / now.slope) * now.newton() / moved;
        let near_root = now.slope.is_finite() && now.gone(1e7 * now.size);
        if near_root && (now.value * bend).abs() <= f64::EPSILON * now.size {
            return Ok(at + now.newton());
        }
        let helped = now.value.abs() < 0.25 * last.value.abs();
        // Newton leaves 1/e of any power, so what leaves more is rounding, or a slope that ends.
        push = if now.value.abs() < 0.5 * last.value.abs() {
            1.0
        } else {
            2.0 * push
        };
        if now.value * direction < 0.0 {
            near = (at, now);
        } else {
            beyond = Some((at, now));
        }
        if let Some(end) = beyond {
            let own = (end.0 - near.0).abs();
            let stalls = own > 0.5 * width && !helped;
            stalled = if stalls { stalled + 1 } else { 0 };
            width = own;
        }
        let rounded = now.distance().min(width) <= 4.0 * search.rounding;
        if turn >= PATIENCE && (rounded || now.gone(largest)) {
            return Ok(at);
        }
    }
    // Neighbouring numbers with excesses of different signs: there is no better place. A force beyond the
    // range of numbers (of no size) bounds the search, but does not balance another.
    if let Some(end) = beyond.filter(|end| end.1.size > 0.0 && near.1.size > 0.0) {
        let nearer = near.1.value.abs() <= end.1.value.abs();
        return Ok(if nearer { near.0 } else { end.0 });
    }
    let rounding = 4.0 * (search.rounding + f64::EPSILON * at.abs());
    if now.distance().min(width) <= rounding || now.gone(largest) {
        return Ok(at);
    }
    if first.value.abs() <= search.noise {
        return Ok(search.start);
    }
    Err(StepError::NoConvergence {
        element,
        iterations: MOST,
        residual: now.value,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(start: f64, f: impl Fn(f64) -> (f64, f64)) -> (f64, usize) {
        let mut calls = 0;
        let search = Search {
            start,
            reach: 1.0,
            rounding: 0.0,
            noise: 0.0,
        };
        let root = root("test", search, |x| {
            calls += 1;
            let (value, slope) = f(x);
            Ok(Excess {
                value,
                slope,
                size: 1.0,
            })
        });
        (root.unwrap(), calls)
    }

    #[test]
    fn smooth_steep_and_flat_functions_have_their_root() {
        let (at, calls) = found(0.0, |x| (x * x * x + x - 10.0, 3.0 * x * x + 1.0));
        assert!((at - 2.0).abs() < 1e-14 && calls < 20, "{at} {calls}");
        // A step: no slope anywhere.
        let (at, calls) = found(-3.0, |x| (if x < 0.7 { -1.0 } else { 1.0 }, 0.0));
        assert!((at - 0.7).abs() < 1e-12 && calls < 90, "{at} {calls}");
        // Nearly a step, as dashpots of a small power have it.
        let (at, _) = found(5.0, |x: f64| {
            let y = x - 0.1;
            (y.signum() * y.abs().powf(0.01), 0.01 * y.abs().powf(-0.99))
        });
        assert!((at - 0.1).abs() < 1e-9, "{at}");
    }

    #[test]
    fn a_flat_piece_is_entered_no_farther_than_its_edge() {
        let dead = |x: f64| {
            let over = (x - 1.0).max(0.0) + (x + 1.0).min(0.0);
            (over, f64::from(u8::from(over != 0.0)))
        };
        assert_eq!(found(0.3, dead), (0.3, 1));
        let (at, _) = found(4.0, dead);
        assert!((at - 1.0).abs() < 1e-15, "{at}");
        let (at, _) = found(-4.0, dead);
        assert!((at + 1.0).abs() < 1e-15, "{at}");
    }
}
