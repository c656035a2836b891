//! Which stages a slow record shows: whole candidates compared by what they explain and what they cost.

use super::clearance;
use super::error::StagesError;
use super::knots::{Layout, Solved, refine};
use super::paths::{Paths, Point};
use super::segments::divisions;

/// Most straight pieces that are tried.
const MOST_PIECES: usize = 13;
/// Divisions into fewer pieces than the best one that still compete.
const FEWER: usize = 5;
/// Evaluations of a candidate's search; the winner is searched to the end.
const LOOK: usize = 8;
/// Points that candidates are compared on.
const COMPARED: usize = 2000;
/// Differences below this share of the largest torque are not told from noise.
const FLOOR: f64 = 1e-4;

/// The chosen division, refined on all points.
pub(super) fn choose(
    paths: &Paths,
    points: &[Point],
    wanted: Option<[usize; 2]>,
) -> Result<Solved, StagesError> {
    let some = thinned(points, COMPARED);
    let largest = points.iter().fold(0.0_f64, |m, p| m.max(p.torque.abs()));
    let all = divisions(paths, MOST_PIECES);
    let judge = Judge {
        points: &some,
        floor: (FLOOR * largest).powi(2),
    };
    let plain: Vec<Option<Solved>> = all
        .iter()
        .map(|inner| layout_of(paths, inner).solve(&some))
        .collect();
    let richest = plain.iter().flatten().map(|s| s.lag1).fold(1.0, f64::min);
    let counted = judge.counted(richest);
    let mut ranked: Vec<(f64, usize)> = plain
        .iter()
        .enumerate()
        .filter_map(|(k, s)| Some((judge.score(s.as_ref()?, counted), k)))
        .collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let best = ranked.first().map_or(0, |(_, k)| *k);
    let range = match wanted {
        Some(_) => 0..all.len(),
        None => best.saturating_sub(FEWER)..(best + 2).min(all.len()),
    };
    let mut found: Vec<Solved> = Vec::new();
    for k in range {
        if let Some(plain) = &plain[k] {
            for layout in variants(paths, plain) {
                if wanted.is_none_or(|wanted| sides(&layout, plain) == wanted) {
                    found.extend(refine(&some, &layout, LOOK));
                }
            }
        }
    }
    let richest = found.iter().map(|s| s.lag1).fold(1.0, f64::min);
    let counted = judge.counted(richest);
    let chosen = found
        .iter()
        .min_by(|a, b| judge.score(a, counted).total_cmp(&judge.score(b, counted)));
    let Some(chosen) = chosen else {
        let without = choose(paths, points, None)?;
        let [drive, coast] = wanted.unwrap_or_default();
        let [found_drive, found_coast] = sides(&without.layout, &without);
        return Err(StagesError::NoSuchStages {
            drive,
            coast,
            found_drive,
            found_coast,
        });
    };
    let mut finished: Vec<Solved> = rubbing(&chosen.layout)
        .iter()
        .filter_map(|layout| refine(points, layout, 60))
        .collect();
    let judge = Judge { points, ..judge };
    let counted = judge.counted(finished.iter().map(|s| s.lag1).fold(1.0, f64::min));
    finished.sort_by(|a, b| judge.score(a, counted).total_cmp(&judge.score(b, counted)));
    finished
        .into_iter()
        .next()
        .ok_or(StagesError::TooFewSamples {
            found: points.len(),
            expected: chosen.layout.unknowns() + 1,
        })
}

/// The same layout with and without friction in the clearance, if it has one.
fn rubbing(layout: &Layout) -> Vec<Layout> {
    let kinds: &[bool] = if layout.clearance.is_some() {
        &[false, true]
    } else {
        &[false]
    };
    let with = |rubs: &bool| Layout {
        rubs: *rubs,
        ..layout.clone()
    };
    kinds.iter().map(with).collect()
}

/// How candidates are compared.
struct Judge<'a> {
    points: &'a [Point],
    floor: f64,
}

impl Judge<'_> {
    /// How many samples there are in effect: neighbours that repeat each other count as fewer.
    fn counted(&self, lag1: f64) -> f64 {
        let n = self.points.len() as f64;
        let rho = lag1.clamp(0.0, 0.99);
        (n * (1.0 - rho) / (1.0 + rho)).max(10.0)
    }

    /// The Bayesian information criterion.
    fn score(&self, solved: &Solved, counted: f64) -> f64 {
        let mean = solved.left / self.points.len() as f64 + self.floor;
        counted * mean.ln() + solved.layout.unknowns() as f64 * counted.ln()
    }
}

/// About so many of the points, evenly.
fn thinned(points: &[Point], most: usize) -> Vec<Point> {
    points
        .iter()
        .step_by(points.len().div_ceil(most).max(1))
        .copied()
        .collect()
}

fn layout_of(paths: &Paths, inner: &[f64]) -> Layout {
    let mut angles = vec![paths.range[0]];
    angles.extend(inner);
    angles.push(paths.range[1]);
    Layout {
        angles,
        clearance: None,
        rubs: false,
    }
}

/// The piece in which the torque changes sign.
pub(super) fn zero_piece(torques: &[f64]) -> Option<usize> {
    (0..torques.len() - 1).find(|&i| torques[i] <= 0.0 && torques[i + 1] >= 0.0)
}

/// The softest piece that comes near zero torque: a clearance whose ends are not quite zero may seem to change sign in
/// its neighbour.
fn softest_near_zero(plain: &Solved) -> Option<usize> {
    let largest = plain.torques.iter().fold(0.0_f64, |m, t| m.max(t.abs()));
    let (t, x) = (&plain.torques, &plain.layout.angles);
    let near =
        |i: &usize| t[*i].min(t[i + 1]) <= 0.01 * largest && t[*i].max(t[i + 1]) >= -0.01 * largest;
    let slope = |i: usize| ((t[i + 1] - t[i]) / (x[i + 1] - x[i])).abs();
    let pieces = (0..t.len() - 1).filter(near);
    pieces.min_by(|a, b| slope(*a).total_cmp(&slope(*b)))
}

/// The same division with a clearance or without, and with soft stages next to it or without.
fn variants(paths: &Paths, plain: &Solved) -> Vec<Layout> {
    let mut out = vec![plain.layout.clone()];
    let angles = &plain.layout.angles;
    let Some(zero) = softest_near_zero(plain) else {
        return out;
    };
    let piece = [angles[zero], angles[zero + 1]];
    for held in [[true, true], [false, false], [true, false], [false, true]] {
        let Some(edges) = clearance::edges(paths, piece, held) else {
            continue;
        };
        let mut moved = angles[..=zero].to_vec();
        let minus = if held[0] { zero } else { zero + 1 };
        moved.extend((!held[0]).then_some(edges[0]));
        moved.extend((!held[1]).then_some(edges[1]));
        moved.extend(&angles[zero + 1..]);
        if moved.len() < 3 {
            // All clearance: no device.
            continue;
        }
        let layout = Layout {
            angles: moved,
            clearance: Some([minus, minus + 1]),
            rubs: false,
        };
        if held == [true, true] {
            out.extend(rubbing(&layout));
        } else {
            out.push(layout);
        }
    }
    out
}

/// Drive and coast stages of a layout.
fn sides(layout: &Layout, solved: &Solved) -> [usize; 2] {
    let last = layout.angles.len() - 1;
    match layout.clearance {
        Some([minus, plus]) => [last - plus, minus],
        None => match zero_piece(&solved.torques) {
            Some(zero) => [last - zero, zero + 1],
            None if solved.torques[0] >= 0.0 => [last, 0],
            None => [0, last],
        },
    }
}
