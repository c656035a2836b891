//! The root of a function that never falls, found within a bracket.

use crate::error::StepError;

/// Evaluations after which a search is given up; halving alone needs about 70.
const MOST: usize = 300;

/// Doublings of the first reach, to the ends of the numbers.
const FARTHEST: f64 = 1e300;

/// An excess, its slope and the size of what it is the difference of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Excess {
    pub value: f64,
    pub slope: f64,
    pub size: f64,
}

impl Excess {
    /// Whether nothing is left but rounding.
    fn gone(&self) -> bool {
        self.value.abs() <= 4.0 * f64::EPSILON * self.size
    }
}

/// Where `excess` changes its sign, as near to `start` as can be: Newton from `start`, kept within a
/// bracket. `reach` is a first length to go where the slope says
/// nothing.
pub(super) fn root(
    element: &'static str,
    start: f64,
    reach: f64,
    mut excess: impl FnMut(f64) -> Result<Excess, StepError>,
) -> Result<f64, StepError> {
    let mut now = excess(start)?;
    if now.gone() {
        return Ok(start);
    }
    let direction = -now.value.signum();
    // The side that is still short of the root, and the one beyond it, each with its excess.
    let mut near = (start, now.value);
    let mut beyond: Option<(f64, f64)> = None;
    let mut at = start;
    let mut reach = reach.abs().max(f64::EPSILON * start.abs()).max(1e-30);
    let mut width = f64::INFINITY;
    let mut stalled = 0;
    for _ in 0..MOST {
        let newton = at - now.value / now.slope;
        let next = match beyond {
            None => {
                let far = near.0 + direction * reach;
                reach *= 2.0;
                let ahead = (newton - near.0) * direction;
                if ahead > 0.0 && ahead < 4.0 * reach {
                    newton
                } else {
                    far
                }
            }
            Some(end) => {
                // Newton; where that leaves the bracket, a secant; where neither shrinks it, a half.
                let inside = |y: f64| (y - near.0) * (end.0 - y) > 0.0;
                let secant = near.0 + (end.0 - near.0) * near.1 / (near.1 - end.1);
                if stalled >= 3 {
                    stalled = 0;
                    near.0 + 0.5 * (end.0 - near.0)
                } else if inside(newton) && stalled < 2 {
                    newton
                } else if inside(secant) {
                    secant
                } else {
                    near.0 + 0.5 * (end.0 - near.0)
                }
            }
        };
        let settled = beyond.is_some_and(|end| next == near.0 || next == end.0);
        if settled || next == at || next.abs() > FARTHEST {
            break;
        }
        at = next;
        now = excess(at)?;
        if now.gone() {
            return Ok(at);
        }
        // A side that stays counts for half as much at every turn, so that secants leave it (Illinois).
        if now.value * direction < 0.0 {
            near = (at, now.value);
            if let Some(end) = &mut beyond {
                end.1 *= 0.5;
            }
        } else {
            near.1 *= if beyond.is_some() { 0.5 } else { 1.0 };
            beyond = Some((at, now.value));
        }
        if let Some(end) = beyond {
            let own = (end.0 - near.0).abs();
            stalled = if own > 0.5 * width { stalled + 1 } else { 0 };
            width = own;
        }
    }
    // The bracket has shrunk to neighbouring numbers: a step of the function.
    match beyond {
        Some((end, _)) if (end - near.0).abs() <= 1e-9 * (reach + end.abs()) => Ok(at),
        _ => Err(StepError::NoConvergence {
            element,
            iterations: MOST,
            residual: now.value,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(start: f64, f: impl Fn(f64) -> (f64, f64)) -> (f64, usize) {
        let mut calls = 0;
        let root = root("test", start, 1.0, |x| {
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
