//! Which powers and which friction: the lowest BIC.

use super::algebra::{left_of, norm2, solve};
use super::chebyshev::Slider;
use super::criteria::Bic;
use super::dictionary::Term;
use super::error::TermsError;
use super::found::FrictionKind;
use super::friction::{clusters, distribution, single};
use super::motion::Prepared;
use super::ols::{Columns, select};
use super::projection::{Design, refine};
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
struct Way {
    kind: FrictionKind,
    sliders: Vec<Slider>,
    y0: Option<f64>,
    bic: f64,
}

/// The kind of friction with the lowest BIC together with all linear candidates, unless a simpler one predicts left-out
/// tests better.
fn friction(
    set: &mut Set,
    linear: &[Term],
    spread: &[Slider],
    bic: Bic,
) -> (FrictionKind, Vec<Slider>) {
    let mut kinds = kinds(set, linear, spread, bic);
    kinds.sort_by_key(|k| k.sliders.len());
    if kinds.len() > 1 {
        let tests = inner_tests(set);
        let mut least = f64::INFINITY;
        kinds.retain(|k| {
            let error = left_out_error(set, linear, k, &tests);
            let worse = error > CLEARLY_WORSE * least;
            least = least.min(error);
            !worse
        });
    }
    let best = kinds.into_iter().min_by(|a, b| a.bic.total_cmp(&b.bic));
    let Some(mut best) = best else {
        return (FrictionKind::None, Vec::new());
    };
    if let Some(y0) = best.y0 {
        *set = set.with_preload(y0);
    }
    best.sliders.sort_by(|a, b| a.ys.total_cmp(&b.ys));
    (best.kind, best.sliders)
}

/// A simpler friction is preferred over BIC only if it predicts left-out tests better by this factor:
/// smaller differences are decided by the noise of a few tests.
const CLEARLY_WORSE: f64 = 1.1;

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

/// Tests that lie between others in amplitude and not beyond them in frequency: predicting them is not
/// extrapolation.
fn inner_tests(set: &Set) -> Vec<usize> {
    let inside = |k: &usize| {
        let own = &set.tests[*k];
        let others = || {
            (0..set.tests.len())
                .filter(|i| i != k)
                .map(|i| &set.tests[i])
        };
        let between = |of: fn(&Prepared) -> f64, reach: f64| {
            others().any(|t| of(t) * reach <= of(own)) && others().any(|t| of(t) >= of(own) * reach)
        };
        between(|t| t.amplitude, 1.1) && between(|t| t.frequency, 0.9)
    };
    (0..set.tests.len()).filter(inside).collect()
}

/// Relative error on tests that are left out one at a time; zero where there are none to leave out.
fn left_out_error(set: &Set, linear: &[Term], way: &Way, tests: &[usize]) -> f64 {
    let (mut rest, mut whole) = (0.0, 0.0);
    for &k in tests {
        let others = set.only(|i| i != k);
        let found = match way.kind {
            FrictionKind::Distribution => distribution(&others, linear).map(|d| d.sliders),
            _ => refine(&others, linear, &way.sliders, false).map(|j| j.sliders),
        };
        let Some(sliders) = found else {
            return f64::INFINITY;
        };
        let columns = |set: &Set| {
            let radii = sliders.iter().map(|s| s.ys).collect();
            Design::of(set, linear, radii).columns
        };
        let Some(solved) = solve(&columns(&others), &others.force()) else {
            return f64::INFINITY;
        };
        let own = set.only(|i| i == k);
        let force = own.force();
        whole += norm2(&force);
        rest += norm2(&left_of(force, &solved.coefficients, &columns(&own)));
    }
    if whole > 0.0 {
        rest.sqrt() / whole.sqrt()
    } else {
        0.0
    }
}
