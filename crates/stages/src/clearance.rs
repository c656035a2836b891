//! Where a clearance hides in a soft piece: an edge on either side, or on one.
//!
//! Between the edges the paths are level, at zero or at their level in the middle of the piece (friction, a zero
//! offset); outside, straight lines leave that level at the edge. The residual sum of squares splits into one part per
//! edge, so that all pairs of edges are compared at once.

use super::paths::Paths;
use super::sums::{Sums, below};

/// Places that an edge may have.
const PLACES: usize = 90;

/// Both edges of a clearance within the piece from `low` to `high`. A fixed edge is at that end of the piece.
/// `levelled` looks for levels other than zero.
pub(super) fn edges(
    paths: &Paths,
    [low, high]: [f64; 2],
    held: [bool; 2],
    levelled: bool,
) -> Option<[f64; 2]> {
    let at: Vec<f64> = (0..=PLACES)
        .map(|i| low + (high - low) * i as f64 / PLACES as f64)
        .collect();
    let origin = 0.5 * (low + high);
    let sums = [&paths.up, &paths.down].map(|path| {
        let sums = below(path, &at, origin);
        // The middle third of the piece is the likeliest place.
        let middle = sums[2 * PLACES / 3].since(sums[PLACES / 3]).mean();
        let level = middle.filter(|_| levelled).unwrap_or(0.0);
        sums.into_iter()
            .map(|s| s.above_level(level))
            .collect::<Vec<Sums>>()
    });
    let piece = |from: usize, to: usize| sums.each_ref().map(|s| s[to].since(s[from]));
    let ramp = |pieces: [Sums; 2], i: usize| -> f64 {
        pieces
            .iter()
            .map(|s| s.about_line_from(at[i] - origin))
            .sum()
    };
    let flat = |pieces: [Sums; 2]| -> f64 { pieces.iter().map(|s| s.yy).sum() };
    let places = |held: bool, end: usize| if held { end..=end } else { 1..=PLACES - 1 };
    let before: Vec<f64> = (0..=PLACES).map(|i| ramp(piece(0, i), i)).collect();
    let after: Vec<f64> = (0..=PLACES).map(|i| ramp(piece(i, PLACES), i)).collect();
    let mut best: Option<(f64, [f64; 2])> = None;
    for i in places(held[0], 0) {
        for j in places(held[1], PLACES) {
            if j <= i {
                continue;
            }
            let left = before[i] + flat(piece(i, j)) + after[j];
            if best.is_none_or(|(least, _)| left < least) {
                best = Some((left, [at[i], at[j]]));
            }
        }
    }
    best.map(|(_, edges)| edges)
}
