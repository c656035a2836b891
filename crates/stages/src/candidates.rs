//! Which stages a slow record shows: candidate models compared by their fit and their number of parameters.

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
const LOOK: usize = 10;
const TO_THE_END: usize = 60;
/// Candidates that are compared on all points in the end.
const FINALISTS: usize = 4;
/// Points that candidates are compared on.
const COMPARED: usize = 2000;
/// Residuals below this share of the largest torque count as noise.
const FLOOR: f64 = 1e-4;
/// Largest torque in a clearance, relative to the largest torque: allows for a zero offset. With friction in the
/// clearance the limit is lower, because a flat stage may look the same.
const NEAR_ZERO: f64 = 0.05;
const NEAR_ZERO_RUBBING: f64 = 0.01;

/// The chosen division, refined on all points.
pub(super) fn choose(
    paths: &Paths,
    points: &[Point],
    wanted: Option<[usize; 2]>,
) -> Result<Solved, StagesError> {
    let some = thinned(points, COMPARED);
    let judge = Judge {
        points: &some,
        ..Judge::of(points)
    };
    // Nodes at the ends of cells are off by so much that more stages seem to pay: they are moved first.
    let plain: Vec<Solved> = divisions(paths, MOST_PIECES)
        .iter()
        .filter_map(|inner| {
            let layout = layout_of(paths, inner);
            refine(&some, &layout, LOOK).or_else(|| layout.solve(&some))
        })
        .collect();
    let best = judge.best(&plain).unwrap_or(0);
    let range = match wanted {
        Some(_) => 0..plain.len(),
        None => best.saturating_sub(FEWER)..(best + 2).min(plain.len()),
    };
    let mut found: Vec<Solved> = Vec::new();
    for plain in &plain[range] {
        for layout in variants(paths, plain, &judge) {
            if wanted.is_none_or(|wanted| sides(&layout, plain) == wanted) {
                found.extend(refine(&some, &layout, LOOK));
            }
        }
    }
    found.retain(|solved| judge.admits(solved));
    let Some(chosen) = judge.best(&found) else {
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
    let counted = judge.counted(found[chosen].lag1);
    let chosen = found[chosen].clone();
    found.sort_by(|a, b| judge.score(a, counted).total_cmp(&judge.score(b, counted)));
    // A weak clearance may take all points to be seen.
    found.truncate(FINALISTS);
    let mut layouts: Vec<Layout> = found.into_iter().map(|s| s.layout).collect();
    let unknowns = chosen.layout.unknowns();
    if wanted.is_none() {
        let chosen = without_idle_nodes(chosen, &judge);
        if let Some(rounded) = without_roundings(&chosen, &judge) {
            // Nodes stay: moved, those of a weak clearance would go to the next rounded corner.
            let judge = Judge { points, ..judge };
            let mut finished: Vec<Solved> = kinds(&rounded.layout)
                .iter()
                .filter_map(|layout| layout.solve(points))
                .filter(|solved| judge.admits(solved))
                .collect();
            if let Some(best) = judge.best(&finished) {
                return Ok(finished.swap_remove(best));
            }
        }
        layouts.extend(kinds(&chosen.layout));
    } else {
        layouts.extend(kinds(&chosen.layout));
    }
    let judge = Judge { points, ..judge };
    let mut finished: Vec<Solved> = layouts
        .iter()
        .filter_map(|layout| refine(points, layout, TO_THE_END))
        .filter(|solved| judge.admits(solved))
        .collect();
    judge
        .best(&finished)
        .map(|best| shaken(finished.swap_remove(best), points))
        .ok_or(StagesError::TooFewSamples {
            found: points.len(),
            expected: unknowns + 1,
        })
}

/// Distance, as a share of the range, by which the edges of a clearance are moved for new starts.
const SHAKE: f64 = 5e-3;

/// The best of searches from edges of the clearance a little to either side: the sum of squares has a kink wherever an
/// edge passes a sample, and a search may stop there.
fn shaken(found: Solved, points: &[Point]) -> Solved {
    let Some(edges) = found.layout.clearance else {
        return found;
    };
    let range = found.layout.angles[found.layout.angles.len() - 1] - found.layout.angles[0];
    let mut best = found;
    for edge in edges {
        for way in [-SHAKE, SHAKE] {
            let mut layout = best.layout.clone();
            layout.angles[edge] += way * range;
            if layout.angles.windows(2).all(|w| w[0] < w[1])
                && let Some(other) = refine(points, &layout, TO_THE_END)
                && other.left < best.left
            {
                best = other;
            }
        }
    }
    best
}

/// Removes nodes as long as that improves the criterion: strong corners attract two nodes where one belongs, and
/// the second may end up anywhere on a straight stage.
fn without_idle_nodes(mut chosen: Solved, judge: &Judge<'_>) -> Solved {
    loop {
        let mut fewer: Vec<Solved> = (1..chosen.layout.angles.len() - 1)
            .filter_map(|node| without(&chosen.layout, node))
            .filter_map(|layout| layout.solve(judge.points))
            .collect();
        // What is left before the others have moved says which are worth a search.
        fewer.sort_by(|a, b| a.left.total_cmp(&b.left));
        let mut searched: Vec<Solved> = fewer
            .iter()
            .take(3)
            .filter_map(|s| refine(judge.points, &s.layout, LOOK))
            .filter(|s| judge.admits(s))
            .collect();
        searched.push(chosen);
        let best = judge.best(&searched).unwrap_or(searched.len() - 1);
        let last = best + 1 == searched.len();
        chosen = searched.swap_remove(best);
        if last {
            return chosen;
        }
    }
}

/// A stage shorter than that share of the range, with a stiffness between those of its neighbours, is a rounded corner.
const ROUNDED: f64 = 0.03;

/// Replaces every two nodes that enclose a rounded corner by one; none if there is no such corner.
fn without_roundings(chosen: &Solved, judge: &Judge<'_>) -> Option<Solved> {
    let mut current: Option<Solved> = None;
    loop {
        let solved = current.as_ref().unwrap_or(chosen);
        let layout = &solved.layout;
        let (x, t) = (&layout.angles, &solved.torques);
        let last = x.len() - 1;
        let slope = |i: usize| (t[i + 1] - t[i]) / (x[i + 1] - x[i]);
        let of_clearance = |i: usize| layout.clearance.is_some_and(|c| c.contains(&i));
        let rounded = (1..last.saturating_sub(1)).find(|&i| {
            let (before, own, after) = (slope(i - 1), slope(i), slope(i + 1));
            let between = (before.min(after)..before.max(after)).contains(&own);
            let short = x[i + 1] - x[i] < ROUNDED * (x[last] - x[0]);
            short && between && !of_clearance(i) && !of_clearance(i + 1)
        });
        let Some(i) = rounded else {
            return current;
        };
        let mut merged = without(layout, i)?;
        merged.angles[i] = 0.5 * (x[i] + x[i + 1]);
        current = Some(merged.solve(judge.points)?);
    }
}

/// The layout without one node, which must not be an edge of the clearance.
fn without(layout: &Layout, node: usize) -> Option<Layout> {
    let mut out = layout.clone();
    if let Some([minus, plus]) = &mut out.clearance {
        if (*minus..=*plus).contains(&node) {
            return None;
        }
        if node < *minus {
            (*minus, *plus) = (*minus - 1, *plus - 1);
        }
    }
    out.angles.remove(node);
    (out.angles.len() > 2).then_some(out)
}

/// The same layout with and without friction in the clearance, and with its torque at zero or not, if it has one.
fn kinds(layout: &Layout) -> Vec<Layout> {
    if layout.clearance.is_none() {
        return vec![layout.clone()];
    }
    let all = [(false, false), (true, false), (false, true), (true, true)];
    all.map(|(rubs, level)| Layout {
        rubs,
        level,
        ..layout.clone()
    })
    .to_vec()
}

/// How candidates are compared.
#[derive(Clone, Copy)]
pub(super) struct Judge<'a> {
    points: &'a [Point],
    /// The largest torque.
    pub largest: f64,
}

impl<'a> Judge<'a> {
    /// On these points.
    pub fn of(points: &'a [Point]) -> Self {
        let largest = points.iter().fold(0.0_f64, |m, p| m.max(p.torque.abs()));
        Self { points, largest }
    }

    /// How many samples there are in effect: neighbours that repeat each other count as fewer.
    pub fn counted(&self, lag1: f64) -> f64 {
        let n = self.points.len() as f64;
        let rho = lag1.clamp(0.0, 0.99);
        (n * (1.0 - rho) / (1.0 + rho)).max(10.0)
    }

    /// The Bayesian information criterion of what is left of the squares with so many unknowns.
    pub fn criterion(&self, left: f64, unknowns: usize, counted: f64) -> f64 {
        let mean = left / self.points.len() as f64 + (FLOOR * self.largest).powi(2);
        counted * mean.ln() + unknowns as f64 * counted.ln()
    }

    fn score(&self, solved: &Solved, counted: f64) -> f64 {
        self.criterion(solved.left, solved.layout.unknowns(), counted)
    }

    /// The best of several; the correlation is that of the one with the smallest residual.
    fn best(&self, all: &[Solved]) -> Option<usize> {
        let richest = all.iter().map(|s| s.lag1).fold(1.0, f64::min);
        let counted = self.counted(richest);
        let score = |k: &usize| self.score(&all[*k], counted);
        (0..all.len()).min_by(|a, b| score(a).total_cmp(&score(b)))
    }

    /// Whether the place of a clearance is plausible.
    fn admits(&self, solved: &Solved) -> bool {
        let Some([minus, _]) = solved.layout.clearance else {
            return true;
        };
        let near = if solved.layout.rubs {
            NEAR_ZERO_RUBBING
        } else {
            NEAR_ZERO
        };
        solved.torques[minus].abs() <= near * self.largest
    }
}

/// About `most` of the points, evenly spaced.
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
        level: false,
    }
}

/// The piece in which the torque changes sign.
pub(super) fn zero_piece(torques: &[f64]) -> Option<usize> {
    (0..torques.len() - 1).find(|&i| torques[i] <= 0.0 && torques[i + 1] >= 0.0)
}

/// The softest piece that comes near zero torque: where the ends of a clearance are not quite zero, the sign may
/// change in its neighbour.
fn softest_near_zero(plain: &Solved) -> Option<usize> {
    let largest = plain.torques.iter().fold(0.0_f64, |m, t| m.max(t.abs()));
    let (t, x) = (&plain.torques, &plain.layout.angles);
    let near = |i: &usize| {
        t[*i].min(t[i + 1]) <= NEAR_ZERO * largest && t[*i].max(t[i + 1]) >= -NEAR_ZERO * largest
    };
    let slope = |i: usize| ((t[i + 1] - t[i]) / (x[i + 1] - x[i])).abs();
    let pieces = (0..t.len() - 1).filter(near);
    pieces.min_by(|a, b| slope(*a).total_cmp(&slope(*b)))
}

/// The same division with a clearance or without, and with soft stages next to it or without.
fn variants(paths: &Paths, plain: &Solved, judge: &Judge<'_>) -> Vec<Layout> {
    let mut out = vec![plain.layout.clone()];
    let angles = &plain.layout.angles;
    let Some(zero) = softest_near_zero(plain) else {
        return out;
    };
    let piece = [angles[zero], angles[zero + 1]];
    for held in [[true, true], [false, false], [true, false], [false, true]] {
        for levelled in [false, true] {
            if levelled && held == [true, true] {
                continue;
            }
            let Some(edges) = clearance::edges(paths, piece, held, levelled) else {
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
                level: false,
            };
            // Friction and level are linear: which of them it takes shows before nodes move.
            let solved: Vec<Solved> = kinds(&layout)
                .iter()
                .filter_map(|layout| layout.solve(judge.points))
                .filter(|solved| judge.admits(solved))
                .collect();
            out.extend(judge.best(&solved).map(|k| solved[k].layout.clone()));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn point(angle: f64, torque: f64) -> Point {
        Point {
            angle,
            torque,
            sense: 1.0,
        }
    }

    /// A polyline with that many pieces, and its residual.
    fn solved(pieces: usize, left: f64, lag1: f64) -> Solved {
        let angles: Vec<f64> = (0..=pieces).map(|i| i as f64).collect();
        Solved {
            torques: angles.clone(),
            friction: vec![0.0; angles.len()],
            left,
            lag1,
            layout: Layout {
                angles,
                clearance: None,
                rubs: false,
                level: false,
            },
        }
    }

    #[test]
    fn a_further_stage_must_explain_what_it_costs() {
        let points: Vec<Point> = (0..1000)
            .map(|i| point(f64::from(i), f64::from(i)))
            .collect();
        let judge = Judge {
            points: &points,
            largest: 1000.0,
        };
        let best = |better: f64| judge.best(&[solved(2, 1e5, 0.0), solved(3, 1e5 * better, 0.0)]);
        // A node has an angle, a torque and a friction: 3 ln(1000) of 1000 samples, 2 % of the square.
        assert_eq!(best(0.99), Some(0));
        assert_eq!(best(0.97), Some(1));
        // Residuals that repeat each other are worth fewer samples, and a stage costs more.
        let repeating = [solved(2, 1e5, 0.9), solved(3, 0.97e5, 0.9)];
        assert_eq!(judge.best(&repeating), Some(0));
        // Below the floor, a ten thousandth of the largest torque, nothing is gained.
        let exact = [solved(2, 1e-3, 0.0), solved(3, 1e-9, 0.0)];
        assert_eq!(judge.best(&exact), Some(0));
        assert_eq!(judge.best(&[]), None);
        assert!(judge.counted(1.0) >= 10.0);
    }

    #[test]
    fn a_clearance_lies_near_zero_torque() {
        let points = [point(0.0, 0.0)];
        let judge = Judge {
            points: &points,
            largest: 100.0,
        };
        let with = |torque: f64, rubs: bool| {
            let mut one = solved(3, 0.0, 0.0);
            one.torques = vec![-100.0, torque, torque, 100.0];
            one.layout.clearance = Some([1, 2]);
            one.layout.rubs = rubs;
            judge.admits(&one)
        };
        // Zeros of torque cells are off by a few per cent; with friction a flat stage looks the same.
        assert!(with(4.0, false) && !with(6.0, false));
        assert!(with(0.5, true) && !with(4.0, true));
    }

    #[test]
    fn thinning_keeps_at_most_so_many() {
        let points: Vec<Point> = (0..5001).map(|i| point(f64::from(i), 0.0)).collect();
        let kept = thinned(&points, COMPARED).len();
        assert!(kept <= COMPARED && kept > COMPARED / 2, "{kept}");
        assert_eq!(thinned(&points[..10], COMPARED).len(), 10);
    }
}
