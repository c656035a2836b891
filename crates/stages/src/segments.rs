//! The best division of both paths into straight pieces, by dynamic programming.
//!
//! The cost of a piece is the residual of a straight line through each path; the best division into k pieces up to a
//! point is the best one into k - 1 pieces up to an earlier point, plus one piece.
//!
//! Reference: Bellman, R. (1961), Comm. ACM 4(6), 284.

use super::paths::Paths;
use super::sums::{Sums, below};

/// Cells of the grid on which pieces may end.
const CELLS: usize = 240;
/// Fewest cells and fewest samples of either path in a piece.
const LEAST_CELLS: usize = 3;
const LEAST_SAMPLES: f64 = 3.0;

/// The inner ends of the best division into 1, 2, ... `most` pieces; divisions that cannot be made are left out.
pub(super) fn divisions(paths: &Paths, most: usize) -> Vec<Vec<f64>> {
    let [low, high] = paths.range;
    let width = (high - low) / CELLS as f64;
    let mut grid: Vec<f64> = (0..=CELLS).map(|i| low + width * i as f64).collect();
    // The last sample lies on the end.
    grid[CELLS] = high + width;
    let origin = 0.5 * (low + high);
    let (up, down) = (
        below(&paths.up, &grid, origin),
        below(&paths.down, &grid, origin),
    );
    let cost = |from: usize, to: usize| {
        let piece = |sums: &[Sums]| sums[to].since(sums[from]);
        let (up, down) = (piece(&up), piece(&down));
        if to < from + LEAST_CELLS || up.n < LEAST_SAMPLES || down.n < LEAST_SAMPLES {
            f64::INFINITY
        } else {
            up.about_line() + down.about_line()
        }
    };
    let costs: Vec<Vec<f64>> = (0..=CELLS)
        .map(|to| (0..to).map(|from| cost(from, to)).collect())
        .collect();
    let mut best: Vec<f64> = (0..=CELLS)
        .map(|to| if to == 0 { f64::INFINITY } else { costs[to][0] })
        .collect();
    let mut back: Vec<Vec<usize>> = Vec::new();
    let mut out = Vec::new();
    for pieces in 1..=most {
        if pieces > 1 {
            let (mut next, mut from_where) = (vec![f64::INFINITY; CELLS + 1], vec![0; CELLS + 1]);
            for to in 1..=CELLS {
                for from in 1..to {
                    let total = best[from] + costs[to][from];
                    if total < next[to] {
                        (next[to], from_where[to]) = (total, from);
                    }
                }
            }
            best = next;
            back.push(from_where);
        }
        if !best[CELLS].is_finite() {
            continue;
        }
        let mut inner = Vec::new();
        let mut end = CELLS;
        for step in back.iter().rev() {
            end = step[end];
            inner.push(grid[end]);
        }
        inner.reverse();
        out.push(inner);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::Path;

    #[test]
    fn corners_are_found() {
        let angle: Vec<f64> = (0..=1000).map(|i| f64::from(i) * 1e-3).collect();
        let curve = |x: f64| 10.0 * x + 90.0 * (x - 0.3).max(0.0) - 60.0 * (x - 0.7).max(0.0);
        let path = |h: f64| Path {
            torque: angle.iter().map(|x| curve(*x) + h).collect(),
            angle: angle.clone(),
        };
        let paths = Paths {
            up: path(1.0),
            down: path(-1.0),
            range: [0.0, 1.0],
            whole: [0.0, 1.0],
            turn_round: 0.0,
            drift: None,
            direction: Vec::new(),
        };
        let found = divisions(&paths, 4);
        assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [0, 1, 2, 3]);
        for (found, true_angle) in found[2].iter().zip([0.3, 0.7]) {
            assert!((found - true_angle).abs() <= 1.0 / CELLS as f64, "{found}");
        }
    }
}
