//! Which powers and which friction: powers by the lowest BIC, friction by predicting tests that are left out.

use super::algebra::{norm2, solve};
use super::chebyshev::Slider;
use super::criteria::Bic;
use super::dictionary::Term;
use super::error::TermsError;
use super::folds::{Fold, folds, simplest_of_the_best};
use super::found::FrictionKind;
use super::friction::{clusters, distribution, single};
use super::ols::{Columns, select};
use super::projection::refine;
use super::set::Set;
use super::subsets::{self, Best, best};
use masing_identify::Workers;

/// Rounds in which powers and sliders are chosen in turn.
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

/// The best subset of the linear candidates together with the sliders, as indices into `linear`; if there are too
/// many candidates to combine, only the first of the greedy order take part.
fn subset(
    set: &Set,
    linear: &[Term],
    (sliders, parameters): (&[Slider], usize),
    bic: Bic,
) -> (Option<Best>, Vec<usize>) {
    let y = set.force();
    // The slip displacement of every subset is another one; its derivative beside the stretch lets it move, to first order.
    let moves = parameters > sliders.len();
    let both = sliders.iter().map(|s| set.slider(s.ys));
    let always: Vec<Vec<f64>> = both
        .flat_map(|(stretch, slip)| [Some(stretch), moves.then_some(slip)])
        .flatten()
        .collect();
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
        if let Ok(order) = select(all, &y, count, &Workers::default(), &|_| String::new()) {
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

/// One kind of friction together with all linear candidates.
pub(super) struct Way {
    pub(super) kind: FrictionKind,
    pub(super) sliders: Vec<Slider>,
    y0: Option<f64>,
    bic: f64,
}

impl Way {
    /// What the sliders count for: stiffness and slip displacement, or only the first where they stay on a grid.
    fn parameters(&self) -> usize {
        match self.kind {
            FrictionKind::Distribution => self.sliders.len(),
            _ => 2 * self.sliders.len(),
        }
    }
}

/// The friction that predicts tests left out best, with the fewest sliders of those that do so equally well; by BIC where
/// there is nothing to leave out.
fn friction(
    set: &mut Set,
    linear: &[Term],
    spread: &[Slider],
    bic: Bic,
) -> (FrictionKind, Vec<Slider>) {
    let mut kinds = kinds(set, linear, spread, bic);
    kinds.sort_by_key(|k| k.sliders.len());
    let noise: Vec<f64> = folds(set).iter().map(Fold::noise).collect();
    let least = if noise.is_empty() {
        let least = (0..kinds.len()).min_by(|a, b| kinds[*a].bic.total_cmp(&kinds[*b].bic));
        least.unwrap_or(0)
    } else {
        let errors = kinds.iter().map(|way| left_out(set, linear, way, bic));
        simplest_of_the_best(&errors.collect::<Vec<_>>(), &noise)
    };
    if least >= kinds.len() {
        return (FrictionKind::None, Vec::new());
    }
    let mut best = kinds.swap_remove(least);
    if let Some(y0) = best.y0 {
        *set = set.with_preload(y0);
    }
    best.sliders.sort_by(|a, b| a.ys.total_cmp(&b.ys));
    (best.kind, best.sliders)
}

/// Errors of one kind of friction on what is left out, with the powers and the preload that suit it.
fn left_out(set: &Set, linear: &[Term], way: &Way, bic: Bic) -> Vec<f64> {
    let own = match way.y0 {
        Some(y0) => &set.with_preload(y0),
        None => set,
    };
    let (_, places) = subset(own, linear, (&way.sliders, way.parameters()), bic);
    let terms: Vec<Term> = places.iter().map(|k| linear[*k].clone()).collect();
    let each = folds(own).into_iter();
    each.map(|fold| fold.error(&terms, way)).collect()
}

/// All kinds of friction. Every slider counts as two parameters, stiffness and slip displacement, also on a
/// grid, where it was picked from many.
fn kinds(set: &Set, linear: &[Term], spread: &[Slider], bic: Bic) -> Vec<Way> {
    let seek = set.seeks_preload();
    let y = set.force();
    let columns: Vec<Vec<f64>> = linear.iter().map(|t| set.column(t)).collect();
    let plain = solve(&columns, &y).map_or(norm2(&y), |s| s.rest);
    let of = |kind, sliders: Vec<Slider>, y0, rest| Way {
        bic: bic.of(rest, 2.0 * sliders.len() as f64),
        kind,
        sliders,
        y0,
    };
    let mut kinds = vec![of(FrictionKind::None, Vec::new(), None, plain)];
    if !spread.is_empty()
        && let Some(found) = distribution(set, linear)
    {
        let kind = FrictionKind::Distribution;
        kinds.push(of(kind, found.sliders, None, found.rest));
    }
    // From as many sliders as there are clusters down to two, the weakest left out each time.
    let mut start = clusters(spread);
    while start.len() > 1
        && let Some(joint) = refine(set, linear, &start, seek)
    {
        start.clone_from(&joint.sliders);
        start.sort_by(|a, b| b.zs().total_cmp(&a.zs()));
        start.pop();
        if joint.sliders.len() > 1 {
            let kind = FrictionKind::Several;
            kinds.push(of(kind, joint.sliders, joint.y0, joint.rest));
        }
    }
    if let Some(one) = single(set, linear)
        && let Some(joint) = refine(set, linear, &[one], seek)
        && joint.sliders.len() == 1
    {
        let kind = FrictionKind::Single;
        kinds.push(of(kind, joint.sliders, joint.y0, joint.rest));
    }
    kinds
}
