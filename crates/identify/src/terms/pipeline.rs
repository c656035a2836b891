//! From tests to terms: noise, friction, the set of powers, error bars, ranking, gates.

use super::algebra::{norm2, solve};
use super::by_test::{one_by_one, trends};
use super::chebyshev::Slider;
use super::criteria::Bic;
use super::dictionary::Term;
use super::error::TermsError;
use super::final_fit::{Model, outcome, settle};
use super::found::{Found, FrictionKind, Outcome};
use super::friction::{clusters, distribution, refine, single};
use super::gates::warnings;
use super::motion::{Sign, Slope, Test};
use super::ols::{Columns, select};
use super::preload;
use super::ranking::{chebyshev, rank};
use super::set::Set;
use super::subsets::{self, Best, best};

/// What is looked for.
#[derive(Clone, Debug)]
pub struct Options {
    /// Powers of the displacement.
    pub stiffness: Vec<u32>,
    /// Powers of the velocity.
    pub damping: Vec<u32>,
    /// Further candidates.
    pub extra: Vec<Term>,
    /// Highest degree of the Chebyshev terms in the ranking; none leaves them out.
    pub chebyshev: Option<u32>,
    /// Where the direction of a branch comes from.
    pub sign: Sign,
    /// How the velocity is found.
    pub slope: Slope,
    /// Threads.
    pub workers: usize,
}

impl Default for Options {
    /// The dictionary of the paper: k1 k3 k5, c1 to c13, a0 to a10.
    fn default() -> Self {
        Self {
            stiffness: vec![1, 3, 5],
            damping: vec![1, 3, 5, 7, 9, 11, 13],
            extra: Vec::new(),
            chebyshev: Some(10),
            sign: Sign::default(),
            slope: Slope::default(),
            workers: 1,
        }
    }
}

impl Options {
    /// Candidates that are linear and have no memory.
    pub fn linear(&self) -> Vec<Term> {
        let stiffness = self.stiffness.iter().map(|p| Term::Stiffness(*p));
        let damping = self.damping.iter().map(|p| Term::Damping(*p));
        let extra = self.extra.iter().cloned();
        stiffness.chain(damping).chain(extra).collect()
    }

    /// All candidates of the ranking.
    pub fn dictionary(&self) -> Vec<Term> {
        let mut terms = self.linear();
        if let Some(degree) = self.chebyshev {
            terms.extend((0..=degree).map(Term::Chebyshev));
        }
        terms
    }
}

/// How often powers and sliders are chosen in turn.
const PASSES: usize = 2;

/// Finds the terms that tests support; tests that are held out are predicted.
pub fn find(tests: &[Test], held_out: &[Test], options: &Options) -> Result<Found, TermsError> {
    if tests.is_empty() {
        return Err(TermsError::NoTests);
    }
    let mut set = Set::of(tests, options.sign, options.slope)?;
    let dictionary = options.dictionary();
    if set.rows() <= dictionary.len() {
        return Err(TermsError::TooFewSamples {
            samples: set.rows(),
            candidates: dictionary.len(),
        });
    }
    let (linear, mut repeated) = independent(&set, &options.linear(), options.workers)?;
    if set.seeks_preload() {
        let y0 = preload::guess(&set, &linear)?;
        set = set.with_preload(y0);
    }
    let mut spread = Vec::new();
    let mut effective = set.rows() as f64;
    for _ in 0..PASSES {
        let Some(found) = distribution(&set, &linear) else {
            break;
        };
        set.update_noise(&found.left, linear.len() + found.sliders.len());
        effective = set.effective_rows(&found.left);
        spread = found.sliders;
    }
    let chosen = choose(&mut set, &linear, &spread, effective)?;
    if chosen.terms.is_empty() && chosen.sliders.is_empty() {
        return Err(TermsError::NothingSupported);
    }
    let model = settle(&set, &chosen.terms, &chosen.sliders, chosen.kind)
        .ok_or(TermsError::NoCandidates)?;
    if let Some(error) = model.preload_error {
        let y0 = set.tests.iter().map(|t| t.y0).fold(0.0, f64::max);
        preload::check(y0, error, set.amplitude())?;
    }
    let validation = others(&set, held_out, options)?;
    let ranking = rank(&set, &dictionary, validation.as_ref(), options.workers)?;
    let chebyshev = chebyshev(&set, &ranking, options.chebyshev.unwrap_or(0));
    let mut outcomes: Vec<Outcome> = set
        .tests
        .iter()
        .zip(&set.sigma)
        .map(|(test, sigma)| outcome(&model, test, set.span, Some(*sigma)))
        .collect();
    let fitted = outcomes.len();
    if let Some(other) = &validation {
        let each = other.tests.iter();
        outcomes.extend(each.map(|test| outcome(&model, test, set.span, None)));
    }
    let name = |k: usize| linear[k].to_string();
    let mut found = Found {
        relative: root_mean(outcomes[..fitted].iter().map(|t| t.relative.powi(2))),
        rms: pooled(&outcomes[..fitted]),
        chi2_dof: chi2(&set, &model),
        condition: model.condition,
        bic_lead: chosen
            .best
            .second
            .as_ref()
            .map_or(f64::INFINITY, |(_, b)| b - chosen.best.bic),
        runner_up: chosen
            .best
            .second
            .iter()
            .flat_map(|(c, _)| c.iter().map(|k| name(*k)))
            .collect(),
        by_test: Vec::new(),
        trends: Vec::new(),
        top_speed: set.top_speed(),
        preload: set.tests.iter().map(|t| t.y0).collect(),
        preload_error: model.preload_error,
        distribution: spread,
        terms: model.terms,
        friction: model.friction,
        tests: outcomes,
        ranking,
        chebyshev,
        warnings: Vec::new(),
    };
    repeated.retain(|name| !found.ranking.dependent.contains(name));
    found.ranking.dependent.append(&mut repeated);
    found.warnings = warnings(&found, &set);
    let refused = ["beyond-noise", "correlated-residuals"];
    if fitted > 1 && found.warnings.iter().any(|w| refused.contains(&w.code)) {
        let mut names: Vec<String> = chosen.terms.iter().map(ToString::to_string).collect();
        names.push("ks".to_owned());
        found.by_test = one_by_one(&set, &chosen.terms, &chosen.sliders);
        found.trends = trends(&found.by_test, &names);
    }
    Ok(found)
}

/// Tests that were held out, with the preload that was found where theirs is not given.
fn others(set: &Set, held_out: &[Test], options: &Options) -> Result<Option<Set>, TermsError> {
    if held_out.is_empty() {
        return Ok(None);
    }
    let other = Set::of(held_out, options.sign, options.slope)?;
    let sought = set
        .tests
        .iter()
        .find(|t| !matches!(t.preload, super::Preload::Displacement(_)));
    let y0 = sought.or(set.tests.first()).map_or(0.0, |t| t.y0);
    let mut other = other.with_preload(y0);
    other.span = set.span;
    Ok(Some(other))
}

/// Candidates that do not repeat each other in these tests, and the names of the others.
fn independent(
    set: &Set,
    linear: &[Term],
    workers: usize,
) -> Result<(Vec<Term>, Vec<String>), TermsError> {
    let mut columns = Columns::new(set.rows());
    for term in linear {
        columns.push(&set.column(term));
    }
    let name = |j: usize| linear[j].to_string();
    let found = select(columns, &set.force(), linear.len(), workers, &name)?;
    let repeats: Vec<usize> = found.dependent.iter().map(|(j, _)| *j).collect();
    let (mut kept, mut left) = (Vec::new(), Vec::new());
    for (j, term) in linear.iter().enumerate() {
        if repeats.contains(&j) {
            left.push(term.to_string());
        } else {
            kept.push(term.clone());
        }
    }
    Ok((kept, left))
}

/// What was chosen.
struct Chosen {
    terms: Vec<Term>,
    sliders: Vec<Slider>,
    kind: FrictionKind,
    best: Best,
}

/// Powers and sliders, in turn.
fn choose(
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
    // Sliders cannot run away as powers can: they are judged as if all samples were independent.
    let all = Bic {
        effective: set.rows() as f64,
        ..bic
    };
    let (kind, mut sliders) = friction(set, linear, spread, all);
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

/// Mean square over the noise, where every test's noise is known.
fn chi2(set: &Set, model: &Model) -> Option<f64> {
    let known = set.tests.iter().all(|t| t.noise.is_some());
    let freedom = model.left.len() as f64 - model.parameters as f64;
    (known && freedom > 0.0).then(|| norm2(&model.left) / freedom)
}

fn root_mean(squares: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = squares.len().max(1) as f64;
    (squares.sum::<f64>() / count).sqrt()
}

fn pooled(tests: &[Outcome]) -> f64 {
    let samples: usize = tests.iter().map(|t| t.samples).sum();
    let square: f64 = tests.iter().map(|t| t.samples as f64 * t.rms * t.rms).sum();
    (square / samples.max(1) as f64).sqrt()
}
