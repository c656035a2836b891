//! Which powers and which friction: the least BIC.

use super::algebra::{norm2, solve};
use super::chebyshev::Slider;
use super::criteria::Bic;
use super::dictionary::Term;
use super::error::TermsError;
use super::found::FrictionKind;
use super::friction::{clusters, distribution, single};
use super::ols::{Columns, select};
use super::projection::refine;
use super::set::Set;
use super::subsets::{self, Best, best};

/// How often powers and sliders are chosen in turn.
pub const PASSES: usize = 2;

/// What was chosen.
pub struct Chosen {
    pub terms: Vec<Term>,
    pub sliders: Vec<Slider>,
    pub kind: FrictionKind,
    pub best: Best,
}

/// Powers and sliders, in turn.
pub fn choose(
    set: &mut Set,
    linear: &[Term],
    spread: &[Slider],
    effective: f64,
) -> Result<Chosen, TermsError> {
    let bic = Bic {
        rows: set.rows(),
        effective,
        floor: set.floor(),
    };
    let (kind, mut sliders) = friction(set, linear, spread, bic);
    let mut terms = linear.to_vec();
    let mut best_set = None;
    for _ in 0..PASSES {
        let parameters = match kind {
            FrictionKind::Distribution => sliders.len(),
            _ => 2 * sliders.len(),
        };
        let (found, places) = subset(set, linear, (&sliders, parameters), bic);
        let Some(found) = found else {
            return Err(TermsError::NoCandidates);
        };
        terms = places.iter().map(|k| linear[*k].clone()).collect();
        best_set = Some(Best {
            chosen: places,
            ..found
        });
        if kind == FrictionKind::Distribution {
            if let Some(again) = distribution(set, &terms) {
                sliders = again.sliders;
            }
        } else if let Some(joint) = refine(set, &terms, &sliders, set.seeks_preload()) {
            if let Some(y0) = joint.y0 {
                *set = set.with_preload(y0);
            }
            sliders = joint.sliders;
        }
    }
    let best = best_set.ok_or(TermsError::NoCandidates)?;
    Ok(Chosen {
        terms,
        sliders,
        kind,
        best,
    })
}

/// The best subset of the linear candidates beside the sliders, as places in `linear`; of more candidates than can be
/// combined, those that the greedy order takes first.
fn subset(
    set: &Set,
    linear: &[Term],
    (sliders, parameters): (&[Slider], usize),
    bic: Bic,
) -> (Option<Best>, Vec<usize>) {
    let y = set.force();
    let always: Vec<Vec<f64>> = sliders.iter().map(|s| set.slider(s.ys).0).collect();
    let always: Vec<&[f64]> = always.iter().map(Vec::as_slice).collect();
    let columns: Vec<Vec<f64>> = linear.iter().map(|t| set.column(t)).collect();
    let mut places: Vec<usize> = (0..linear.len()).collect();
    if places.len() > subsets::MOST {
        let mut all = Columns::new(set.rows());
        for column in columns
            .iter()
            .map(Vec::as_slice)
            .chain(always.iter().copied())
        {
            all.push(column);
        }
        let count = all.len();
        if let Ok(order) = select(all, &y, count, 1, &|_| String::new()) {
            let first = order.steps.iter().map(|s| s.index);
            places = first
                .filter(|j| *j < linear.len())
                .take(subsets::MOST)
                .collect();
            places.sort_unstable();
        }
    }
    let free: Vec<&[f64]> = places.iter().map(|k| columns[*k].as_slice()).collect();
    let found = best((&always, parameters), &free, &y, bic);
    let map = |chosen: &[usize]| chosen.iter().map(|k| places[*k]).collect::<Vec<_>>();
    let chosen = found.as_ref().map(|b| map(&b.chosen)).unwrap_or_default();
    let found = found.map(|b| Best {
        second: b.second.map(|(c, bic)| (map(&c), bic)),
        ..b
    });
    (found, chosen)
}

/// The kind of friction with the least BIC beside all linear candidates.
fn friction(
    set: &mut Set,
    linear: &[Term],
    spread: &[Slider],
    bic: Bic,
) -> (FrictionKind, Vec<Slider>) {
    let judge = |rest: f64, parameters: usize| bic.of(rest, parameters as f64);
    let seek = set.seeks_preload();
    let y = set.force();
    let columns: Vec<Vec<f64>> = linear.iter().map(|t| set.column(t)).collect();
    let plain = solve(&columns, &y).map_or(norm2(&y), |s| s.rest);
    let mut best = (judge(plain, 0), FrictionKind::None, Vec::new(), None);
    let mut consider = |bic: f64, kind, sliders: Vec<Slider>, y0: Option<f64>| {
        if bic < best.0 {
            best = (bic, kind, sliders, y0);
        }
    };
    if !spread.is_empty()
        && let Some(found) = distribution(set, linear)
    {
        let bic = judge(found.rest, found.sliders.len());
        consider(bic, FrictionKind::Distribution, found.sliders, None);
    }
    let groups = clusters(spread);
    if groups.len() > 1
        && let Some(joint) = refine(set, linear, &groups, seek)
        && joint.sliders.len() > 1
    {
        let bic = judge(joint.rest, 2 * joint.sliders.len());
        consider(bic, FrictionKind::Several, joint.sliders, joint.y0);
    }
    if let Some(one) = single(set, linear)
        && let Some(joint) = refine(set, linear, &[one], seek)
        && joint.sliders.len() == 1
    {
        consider(
            judge(joint.rest, 2),
            FrictionKind::Single,
            joint.sliders,
            joint.y0,
        );
    }
    let (_, kind, mut sliders, y0) = best;
    if let Some(y0) = y0 {
        *set = set.with_preload(y0);
    }
    sliders.sort_by(|a, b| a.ys.total_cmp(&b.ys));
    (kind, sliders)
}
