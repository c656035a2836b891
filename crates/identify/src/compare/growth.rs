//! Growth: from the best so far, the block that explains most of the residual is added; blocks are
//! exchanged within their family, and parts that do not pay are removed.

use super::Found;
use super::candidate::{Added, Candidate, Exchange};
use super::trial::{Bench, Known, Trial};
use crate::objective::Objective;
use crate::objective::predict::Question;
use crate::problem::unknown::{Place, Unknown};
use crate::problem::{SetUp, first_value, set_up};
use crate::search::progress::Progress;
use crate::start::variations;
use crate::test::Test;
use masing_diagnostic::thresholds;
use masing_model::candidates::Block;
use masing_model::{Features, Model, MotionKind};
use nalgebra::{DMatrix, DVector};

/// Blocks that are fitted of those that a score test puts first.
const PROMISING: usize = 4;
/// Blocks that are exchanged at every level.
const EXCHANGED: usize = 4;
/// Most blocks side by side.
const MOST_BLOCKS: usize = 4;
/// The best models with so many blocks are grown from, even if larger ones are better.
const FEW_BLOCKS: usize = 2;
/// Sets of parameter values at which a block's response is compared with the residual.
const DRAWS: usize = 12;
/// Factor by which these values are varied around the guess.
const SPREAD: f64 = 8.0;
/// Shares of its guess that a new block starts with, as for sums of elements ([`crate::start::nested`]).
const SHARES: [f64; 4] = [0.01, 0.1, 0.4, 1.0];
/// Starts of a grown model: more cost more than they find.
const STARTS: usize = 3;
/// Share of the squared residual that a block or a nuisance must explain to be tried.
const LEAST_GAIN: f64 = 0.02;
/// A level that lowers the error by less ends the growth: the simpler model would be taken all the same, unless a
/// second such level followed.
const WORTHWHILE: f64 = 0.9;
/// The same where little more than noise is left, and ties are closer.
const WORTHWHILE_AT_NOISE: f64 = 0.97;
/// Models that are tried with what the best has beside it, the simplest first: one of them will be chosen.
const SIMPLEST: usize = 4;
/// Left-out error over the noise below which nothing is left to explain.
const AT_NOISE: f64 = 1.1;

/// Parameters and states of a simple block: a spring-slider behind a gap has five.
const SIMPLE: usize = 5;

/// Everything to try next, and where to start it from.
pub(super) type Next = (Candidate, Vec<Known>);

impl Found<'_> {
    /// Grows models from simple blocks, and from all where those leave more than noise.
    pub(super) fn grow(&mut self, blocks: &[&'static Block]) {
        let motion = self.bench.motion;
        let simple = |b: &&&'static Block| simple(b, motion);
        let first: Vec<&'static Block> = blocks.iter().filter(simple).copied().collect();
        self.grow_from(&first, false);
        if !self.only_noise() {
            self.grow_from(blocks, true);
        }
        // The rig is the same for all: what the best has beside it is tried with those that are nearly as good.
        if let Some(best) = self.best() {
            let added = best.candidate.added;
            let near = thresholds::TIED * best.left_out_rms();
            let near = self.trials.iter().filter(|t| t.left_out_rms() <= near);
            let mut near: Vec<&Trial> = near.collect();
            near.sort_by_key(|t| t.parameters);
            let next = near
                .into_iter()
                .take(SIMPLEST)
                .map(|t| (t.candidate.beside(added), vec![t.values.clone()]));
            let next: Vec<Next> = next.collect();
            self.try_all(next);
        }
        // What is there now may do without some of its parts, or with simpler ones.
        for parent in self.parents(&[]) {
            let start = vec![parent.values.clone()];
            let fewer = parent.candidate.lessened().into_iter();
            let mut next: Vec<Next> = fewer.map(|c| (c, start.clone())).collect();
            let other = parent.candidate.exchanged(&first).into_iter();
            let other = other.filter(|e| !self.lost(e)).map(|e| e.candidate);
            next.extend(self.started(&parent, other.collect()));
            self.try_all(next);
        }
    }

    /// Whether the best model leaves nothing but noise.
    fn only_noise(&self) -> bool {
        let best = self.best_error();
        self.noise().is_some_and(|noise| best <= AT_NOISE * noise)
    }

    fn best(&self) -> Option<&Trial> {
        least(self.trials.iter())
    }

    /// Grows models from the blocks alone until nothing pays any more; who is patient goes on after a level that
    /// brings nothing, once, with the next best models.
    fn grow_from(&mut self, blocks: &[&'static Block], patient: bool) {
        let first = blocks.iter().filter_map(|b| Candidate::new(b.text).ok());
        self.try_all(first.map(|c| (c, vec![])).collect());
        let mut grown: Vec<String> = Vec::new();
        let mut best = self.best_error();
        let mut barren = !patient;
        while !self.over() && best.is_finite() && !self.only_noise() {
            let parents = self.parents(&grown);
            if parents.is_empty() {
                break;
            }
            let mut next = Vec::new();
            for parent in &parents {
                grown.push(parent.candidate.key());
                next.extend(self.neighbours(parent, blocks));
            }
            self.try_all(next);
            let now = self.best_error();
            let near_noise = |noise: f64| now <= thresholds::LEAVES_NOISE * noise;
            let worthwhile = if self.noise().is_some_and(near_noise) {
                WORTHWHILE_AT_NOISE
            } else {
                WORTHWHILE
            };
            if now > worthwhile * best {
                if barren {
                    break;
                }
                barren = true;
            } else {
                barren = !patient;
            }
            best = now;
        }
    }

    /// The best model, the best with few blocks, and the simplest of those that are nearly as good, where they were
    /// not grown from yet: what is added to a simple model often replaces much of what made the best one large.
    fn parents(&self, grown: &[String]) -> Vec<Trial> {
        let few = (1..=FEW_BLOCKS).filter_map(|count| {
            let own = self.trials.iter();
            least(own.filter(|t| t.candidate.terms.len() == count))
        });
        let near = thresholds::TIED * self.best_error();
        let tied = self.trials.iter().filter(|t| t.left_out_rms() <= near);
        let simplest = tied.min_by_key(|t| t.parameters);
        let mut out: Vec<Trial> = Vec::new();
        for trial in self.best().into_iter().chain(few).chain(simplest) {
            let new = !grown.contains(&trial.candidate.key());
            if new && out.iter().all(|o| o.candidate != trial.candidate) {
                out.push(trial.clone());
            }
        }
        out
    }

    fn neighbours(&self, parent: &Trial, blocks: &[&'static Block]) -> Vec<Next> {
        let mut out = Vec::new();
        let score = Residual::of(parent);
        let added = parent.candidate.added;
        let also = Added {
            // Without time there is no acceleration.
            moving_mass: added.moving_mass || (self.bench.timed && score.mass() > LEAST_GAIN),
            force_offset: added.force_offset || score.offset() > LEAST_GAIN,
        };
        if also != added {
            let start = vec![parent.values.clone()];
            out.push((parent.candidate.beside(also), start));
        }
        // What the best has beside it belongs to the rig, and so to all that come after.
        let rig = self.best().map_or(added, |b| b.candidate.added);
        if parent.candidate.terms.len() < MOST_BLOCKS {
            let scored = self.bench_map(blocks.len(), |i| {
                let grown = parent.candidate.with(blocks[i])?.beside(rig);
                let gain = score.gain(blocks[i], &self.bench)?;
                (gain > LEAST_GAIN).then_some((gain, grown))
            });
            let mut scored: Vec<(f64, Candidate)> = scored.into_iter().flatten().collect();
            scored.sort_by(|a, b| b.0.total_cmp(&a.0));
            let grown = scored.into_iter().take(PROMISING).map(|(_, grown)| grown);
            out.extend(self.started(parent, grown.collect()));
        }
        let other = parent.candidate.exchanged(blocks).into_iter();
        let other = other.filter(|e| !self.lost(e)).map(|e| e.candidate);
        let other = other.map(|c| c.beside(rig));
        let other = other.filter(|c| !self.known(c)).take(EXCHANGED);
        out.extend(self.started(parent, other.collect()));
        out
    }

    /// Candidates that were not tried yet, with their starts.
    fn started(&self, parent: &Trial, candidates: Vec<Candidate>) -> Vec<Next> {
        let new = candidates.into_iter().filter(|c| !self.known(c));
        let new: Vec<Candidate> = new.collect();
        let starts = self.bench_map(new.len(), |i| self.grown_starts(parent, &new[i]));
        new.into_iter().zip(starts).collect()
    }

    /// Whether a model with one block in the place of the other was clearly behind before.
    fn lost(&self, exchange: &Exchange) -> bool {
        self.trials.iter().any(|with| {
            let mut same = with.candidate.exchanged(&[exchange.to]).into_iter();
            let Some(other) = same.find(|e| e.from == exchange.from) else {
                return false;
            };
            let key = other.candidate.key();
            let limit = thresholds::TIED_AT_MOST * with.left_out_rms();
            let mut tried = self.trials.iter().filter(|t| t.candidate.key() == key);
            tried.any(|t| t.left_out_rms() > limit)
        })
    }

    /// The parent's solution with the new block at shares of its guess and of variations of it: the best of them.
    fn grown_starts(&self, parent: &Trial, grown: &Candidate) -> Vec<Known> {
        let starts = || -> Option<Vec<Known>> {
            let options = self.bench.options(grown).ok()?;
            let mut tests = parent.tests.clone();
            let model = self.bench.model(grown, &tests, &options).ok()?;
            let SetUp {
                model, unknowns, ..
            } = set_up(&model, &mut tests, &options, &Progress::new(None)).ok()?;
            let first = unknowns.iter().map(|u| first_value(&model, &tests, u));
            let first: Vec<f64> = first.collect();
            // The two sides of a refined block begin alike: `k[1]` and `k[2]` as `k`.
            let of = |name: &str| parent.values.iter().find(|(known, _)| known == name);
            let own = |u: &Unknown| {
                let list = u.name.split_once('[').map(|(list, _)| list);
                of(&u.name).or_else(|| of(list?))
            };
            let fresh: Vec<bool> = unknowns.iter().map(|u| own(u).is_none()).collect();
            let mut null = model.values().to_vec();
            for part in model.assembly().parts() {
                part.element.law().null(&mut null[part.params.clone()]);
            }
            let objective = Objective::new(&model, &tests, &unknowns, crate::Rules::default());
            let sizes = vec![0.0; first.len()];
            let mut draws = variations(&first, &sizes, SPREAD, DRAWS, self.bench.seed);
            draws.insert(0, first);
            let mut tried: Vec<(f64, Vec<f64>)> = Vec::new();
            for draw in &draws {
                for share in SHARES {
                    let each = unknowns.iter().zip(draw).zip(&fresh);
                    let values: Vec<f64> = each
                        .map(|((u, value), fresh)| match (own(u), u.place) {
                            (Some((_, known)), _) => *known,
                            (None, Place::Param(i)) if *fresh && null[i] != model.values()[i] => {
                                null[i] + share * (value - null[i])
                            }
                            // Strengths that follow are exponentials.
                            (None, Place::Coefficient { k: 0, .. }) => {
                                first_value(&model, &tests, u) + share.ln()
                            }
                            (None, Place::Coefficient { .. }) => first_value(&model, &tests, u),
                            (None, _) => *value,
                        })
                        .zip(&unknowns)
                        .map(|(value, u)| value.clamp(u.min, u.max))
                        .collect();
                    let cost = objective.cost(&values).unwrap_or(f64::INFINITY);
                    tried.push((cost, values));
                }
            }
            tried.sort_by(|a, b| a.0.total_cmp(&b.0));
            let names = || unknowns.iter().map(|u| u.name.clone());
            let best = tried.into_iter().filter(|(cost, _)| cost.is_finite());
            Some(
                best.take(STARTS)
                    .map(|(_, v)| names().zip(v).collect())
                    .collect(),
            )
        };
        let mut all = starts().unwrap_or_default();
        all.truncate(STARTS);
        all
    }
}

/// The one that predicts best.
fn least<'t>(trials: impl Iterator<Item = &'t Trial>) -> Option<&'t Trial> {
    trials.min_by(|a, b| a.left_out_rms().total_cmp(&b.left_out_rms()))
}

/// Whether a block has few parameters and states.
fn simple(block: &Block, motion: MotionKind) -> bool {
    let model = Candidate::new(block.text).map(|c| c.model(motion));
    matches!(model, Ok(Ok(model)) if model.param_count() + model.assembly().state_count() <= SIMPLE)
}

/// What a model leaves of the tests, and how much of it something else would explain.
struct Residual<'a> {
    objective: Objective<'a>,
    r: DVector<f64>,
    /// An orthonormal basis of what the model's own unknowns can do.
    basis: DMatrix<f64>,
    cost: f64,
}

impl<'a> Residual<'a> {
    fn of(trial: &'a Trial) -> Self {
        let at = &trial.found.at;
        let basis = at.j.clone().svd(true, false);
        let least = 1e-9 * basis.singular_values.amax();
        let u = basis.u.unwrap_or_else(|| DMatrix::zeros(at.r.len(), 0));
        let kept: Vec<usize> = (0..u.ncols())
            .filter(|&i| basis.singular_values[i] > least)
            .collect();
        let basis = u.select_columns(&kept);
        let r = &at.r - &basis * basis.tr_mul(&at.r);
        Self {
            objective: trial.objective(),
            cost: r.norm_squared().max(f64::MIN_POSITIVE),
            r,
            basis,
        }
    }

    /// Share of the squared residual that a column explains where it is added with a positive factor.
    fn share(&self, column: &DVector<f64>) -> f64 {
        let left = column - &self.basis * self.basis.tr_mul(column);
        let size = left.norm_squared();
        let along = -left.dot(&self.r);
        if size <= 1e-9 * column.norm_squared() || along <= 0.0 {
            return 0.0;
        }
        along * along / size / self.cost
    }

    /// A column of the weighted residuals from values of every test.
    fn column(&self, values: impl Fn(usize) -> Option<Vec<f64>>) -> Option<DVector<f64>> {
        let mut out = Vec::with_capacity(self.r.len());
        for k in 0..self.objective.tests.len() {
            let own = values(k)?;
            let rows = self.objective.rows(k).iter();
            out.extend(rows.map(|(row, factor)| factor * own[row.entry]));
        }
        (out.len() == self.r.len() && out.iter().all(|v| v.is_finite()))
            .then(|| DVector::from_vec(out))
    }

    /// The share that a mass moving along explains.
    fn mass(&self) -> f64 {
        let of = |k: usize| {
            let test: &Test = &self.objective.tests[k];
            let rig = test
                .motion_record()
                .filter(|r| r.nuisance.moving_mass.is_none())?;
            Some(rig.acceleration())
        };
        self.column(of).map_or(0.0, |c| self.share(&c))
    }

    /// The share that constants on the forces explain, test by test.
    fn offset(&self) -> f64 {
        let tests = 0..self.objective.tests.len();
        let each = tests.map(|own| {
            let of = |k: usize| {
                let test: &Test = &self.objective.tests[k];
                let rig = test.motion_record()?;
                let value = if k == own { 1.0 } else { 0.0 };
                Some(vec![value; rig.motion.len()])
            };
            let column = self.column(of);
            column.map_or(0.0, |c| self.share(&c).max(self.share(&-c)))
        });
        each.sum()
    }

    /// The largest share that the block explains at any of its draws; none where it cannot be run.
    fn gain(&self, block: &Block, bench: &Bench<'_>) -> Option<f64> {
        let candidate = Candidate::new(block.text).ok()?;
        let model = candidate.model(self.objective.model.motion()).ok()?;
        let loops = self.objective.tests.iter().filter_map(|t| t.features());
        let largest: Features = loops.max_by(|a, b| a.amplitude.total_cmp(&b.amplitude))?;
        let guess = crate::start::guess(&model, &largest);
        let sizes = vec![0.0; guess.len()];
        let mut draws = variations(&guess, &sizes, SPREAD, DRAWS, bench.seed);
        draws.insert(0, guess);
        let response = |k: usize, p: &[f64]| {
            let mut own = self.response(k, &model, p)?;
            for force in &mut own {
                *force *= bench.strengths[k];
            }
            Some(own)
        };
        let shares = draws.iter().filter_map(|draw| {
            let p = within(&model, draw);
            let column = self.column(|k| response(k, &p))?;
            Some(self.share(&column))
        });
        shares.reduce(f64::max)
    }

    fn response(&self, k: usize, model: &Model, p: &[f64]) -> Option<Vec<f64>> {
        let question = Question {
            model,
            p,
            unknowns: &[],
            values: &[],
            index: k,
            derivatives: false,
        };
        Some(self.objective.tests[k].predict(&question).ok()?.values)
    }
}

/// Values moved into the ranges of the parameters.
fn within(model: &Model, values: &[f64]) -> Vec<f64> {
    let params = model.params().into_iter().zip(values);
    params.map(|((_, q), v)| v.clamp(q.min, q.max)).collect()
}
