//! Which model predicts best: candidates are tried, and ranked by what they predict of tests left out.
//!
//! Every candidate is fitted to all tests and again without each of them (blocks of cycles where there is
//! only one); the rms of the relative errors on what was left out ranks it. Tests that are held out have no
//! part in any choice. Trials work on reduced tests: few cycles, few samples, coarse steps. The full fit of
//! the model that is chosen follows by [`crate::fit()`]. `docs/math/compare.md` has the rules and their reasons.

mod candidate;
mod folds;
mod growth;
mod ladder;
mod reduced;
mod signs;
mod strength;
mod target;
mod trial;

pub use candidate::{Added, Candidate};
pub use ladder::{Rung, Standing};
pub use signs::Shown;
pub use target::{Disagreement, Largest, Outlook, Outside, Target};
pub use trial::{LeftOutError, Loop, Trial};

use crate::error::FitError;
use crate::objective::Workers;
use crate::test::Test;
use folds::{beyond, folds};
use growth::Next;
use ladder::{choose, outermost, rank};
use masing_diagnostic::thresholds;
use masing_model::MotionKind;
use masing_model::candidates::{BLOCKS, Block, Sign};
use reduced::reduced;
use std::sync::{Mutex, PoisonError};
use target::Aim;
use trial::{Bench, predicted_fold};

/// What is asked for.
#[derive(Clone, Debug)]
pub struct CompareOptions {
    /// The candidates; found from the records where there are none.
    pub models: Vec<Candidate>,
    /// Most candidates that are tried.
    pub budget: usize,
    /// Seed of the variations of starts.
    pub seed: u64,
    /// Candidates that are tried at the same time.
    pub workers: usize,
    /// Whether the time of the records is known, without which only laws of the path can be tried.
    pub timed: bool,
    /// Translation or rotation.
    pub motion: MotionKind,
    /// The motion that the model is for, whose speeds and amplitudes weight the errors.
    pub target: Option<Target>,
}

/// Candidates that are tried where nobody says how many: growth rarely goes on beyond.
pub const BUDGET: usize = 120;

/// Candidates that are tried without knowing of each other, whatever the number of threads: their errors decide
/// how far the next ones are followed.
const TOGETHER: usize = 8;

/// Who looks on.
pub struct Watching<'a> {
    /// Whether to stop with what there is.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Told after every candidate: how many were tried, the best so far and its left-out error.
    pub tell: &'a (dyn Fn(usize, &str, f64) + Sync),
    /// Seconds since some moment.
    pub clock: &'a (dyn Fn() -> f64 + Sync),
}

/// A candidate that could not be tried.
#[derive(Clone, Debug)]
pub struct Failed {
    /// The structure.
    pub candidate: Candidate,
    /// Why.
    pub error: FitError,
}

/// The result.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The models, those that predict best first.
    pub ladder: Vec<Rung>,
    /// Candidates that could not be tried.
    pub failed: Vec<Failed>,
    /// What the records show.
    pub signs: Vec<Shown>,
    /// What was left out, fold by fold.
    pub folds: Vec<String>,
    /// Relative noise of the tests, where it is known for all.
    pub noise: Option<f64>,
    /// Whether it was stopped before it was done.
    pub stopped: bool,
    /// Whether the budget was spent before growth ended by itself.
    pub spent: bool,
    /// The motion that the model is for: then errors are weighted by its speeds and amplitudes.
    pub outlook: Option<Outlook>,
}

impl Compared {
    /// The model that was chosen.
    pub fn chosen(&self) -> Option<&Rung> {
        self.ladder.iter().find(|r| r.standing == Standing::Chosen)
    }
}

/// Trials so far.
struct Found<'a> {
    bench: Bench<'a>,
    watching: &'a Watching<'a>,
    workers: Workers,
    trials: Vec<Trial>,
    failed: Vec<Failed>,
    keys: Vec<String>,
    budget: usize,
    spent: bool,
    softens: bool,
    /// Whether somebody named the candidates.
    asked_for: bool,
}

/// Tries the candidates on the tests and ranks them.
pub fn compare(
    tests: &[Test],
    held_out: &[Test],
    options: &CompareOptions,
    watching: &Watching<'_>,
) -> Result<Compared, FitError> {
    if tests.is_empty() {
        return Err(FitError::NoTests);
    }
    if tests.iter().any(|t| t.moves_masses()) {
        return Err(FitError::ComparedMasses);
    }
    strength::levels_complete(tests, held_out)?;
    let signs = signs::signs(tests, options.timed);
    let softens = |s: &Shown| s.sign == Sign::Softening && s.present == Some(true);
    let softens = signs.iter().any(softens);
    let small = |t: &Test| reduced(t, if softens { 1 } else { tests.len() });
    let held_out = held_out.iter().map(small).collect();
    let small: Vec<Test> = tests.iter().map(small).collect();
    let follow = strength::conditions(&small);
    let target = options.target.as_ref();
    let bench = Bench {
        aim: target.map(|target| Aim::new(target, &small, options.timed)),
        folds: folds(&small),
        held_out,
        strengths: strength::strengths(&small, &follow),
        follow,
        tests: small,
        motion: options.motion,
        timed: options.timed,
        seed: options.seed,
        stop: watching.stop,
        clock: watching.clock,
    };
    if bench.folds.is_empty() {
        return Err(FitError::NothingLeftOut);
    }
    let mut found = Found {
        bench,
        watching,
        workers: Workers::new(options.workers),
        trials: Vec::new(),
        failed: Vec::new(),
        keys: Vec::new(),
        budget: options.budget,
        spent: false,
        softens,
        asked_for: !options.models.is_empty(),
    };
    if options.models.is_empty() {
        found.grow(&called_for(&signs, options.timed));
    } else {
        let given = options.models.iter().map(|c| (c.clone(), vec![]));
        found.try_all(given.collect());
    }
    found.ranked(signs, tests, options)
}

/// The blocks that the records call for: what cannot be told from a simpler one is left out.
fn called_for(signs: &[Shown], timed: bool) -> Vec<&'static Block> {
    // A force that hardly changes with the speed is what a saturating dashpot makes: that says nothing.
    let missing = |sign: Sign| {
        let shown = signs.iter().find(|s| s.sign == sign);
        sign != Sign::Rate && shown.is_some_and(|s| s.present == Some(false))
    };
    let called = |b: &&Block| b.calls.is_none_or(|sign| !missing(sign));
    BLOCKS
        .iter()
        .filter(called)
        .filter(|b| timed || b.calls != Some(Sign::Rate))
        .collect()
}

impl Found<'_> {
    fn over(&self) -> bool {
        self.budget == 0 || (self.watching.stop)()
    }

    /// Relative noise of the tests, where it is known for all. Cycles that soften do not repeat: what they differ
    /// by is no noise.
    fn noise(&self) -> Option<f64> {
        if self.softens {
            return None;
        }
        let mut sum = 0.0;
        for test in &self.bench.tests {
            let rig = test.motion_record()?;
            let size = test.rows().first()?.size;
            sum += (rig.noise? / size).powi(2);
        }
        Some((sum / self.bench.tests.len() as f64).sqrt())
    }

    fn known(&self, candidate: &Candidate) -> bool {
        self.keys.contains(&candidate.key())
    }

    fn best_error(&self) -> f64 {
        let errors = self.trials.iter().map(Trial::left_out_rms);
        errors.fold(f64::INFINITY, f64::min)
    }

    fn bench_map<T: Send>(&self, count: usize, f: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
        self.workers.map(count, f)
    }

    /// Tries those that were not tried before, as far as the budget goes; results stand in their order.
    fn try_all(&mut self, next: Vec<Next>) {
        let mut new: Vec<Next> = Vec::new();
        for (candidate, starts) in next {
            let key = candidate.key();
            if !self.keys.contains(&key) {
                self.keys.push(key);
                new.push((candidate, starts));
            }
        }
        self.spent |= new.len() > self.budget;
        new.truncate(self.budget);
        self.budget -= new.len();
        let best = (0, String::new(), f64::INFINITY);
        let told = Mutex::new(self.trials.iter().fold(best, better));
        let done = self.trials.len() + self.failed.len();
        for some in new.chunks(TOGETHER) {
            let limit = self.limit();
            let results = self.workers.map(some.len(), |i| {
                if (self.watching.stop)() {
                    return None;
                }
                let (candidate, starts) = &some[i];
                let fitted = self.bench.fitted(candidate, starts);
                let result = fitted.and_then(|fitted| self.bench.trial(fitted, limit));
                let mut seen = told.lock().unwrap_or_else(PoisonError::into_inner);
                seen.0 += 1;
                if let Ok(trial) = &result {
                    *seen = better(std::mem::take(&mut *seen), trial);
                }
                (self.watching.tell)(done + seen.0, &seen.1, seen.2);
                Some(result)
            });
            for ((candidate, _), result) in some.iter().zip(results) {
                let candidate = candidate.clone();
                match result {
                    // Who asks to stop may have cut it short.
                    Some(Ok(trial)) if !trial.cut_short => self.trials.push(trial),
                    Some(Err(error)) => self.failed.push(Failed { candidate, error }),
                    _ => {}
                }
            }
        }
    }

    /// The left-out error beyond which a model can no longer tie with the best so far. Those that somebody asks for
    /// are tried to the end; so are all where errors are weighted, because a fit does not bound these.
    fn limit(&self) -> f64 {
        if self.asked_for || self.bench.aim.is_some() {
            f64::INFINITY
        } else {
            thresholds::TIED_AT_MOST * self.best_error()
        }
    }

    /// The ladder of what was tried.
    fn ranked(
        mut self,
        signs: Vec<Shown>,
        tests: &[Test],
        options: &CompareOptions,
    ) -> Result<Compared, FitError> {
        let noise = self.noise();
        let stopped = (self.watching.stop)();
        let trials = std::mem::take(&mut self.trials);
        if trials.is_empty() {
            let first = self.failed.into_iter().next();
            return Err(first.map_or(FitError::NothingTried, |f| f.error));
        }
        let mut ladder = rank(trials, noise);
        let folds = &self.bench.folds;
        let fold = |k: usize| folds.iter().position(|f| f.whole.contains(&k));
        let outer: Vec<usize> = outer(&self.bench.tests)
            .into_iter()
            .filter_map(fold)
            .collect();
        let beyond = beyond(&self.bench.tests);
        let told = self.workers.map(ladder.len(), |i| {
            let rung = &ladder[i];
            if rung.standing != Standing::Tied || stopped {
                return None;
            }
            let trial = &rung.trial;
            let outermost = outermost(&trial.left_out, &outer);
            outermost.or_else(|| {
                beyond.iter().find_map(|fold| {
                    let objective = trial.objective();
                    let found =
                        predicted_fold(&objective, &trial.found, &trial.candidate, fold, None);
                    let error = found.map_or_else(
                        |_| LeftOutError::new(&fold.name, f64::INFINITY),
                        |(_, error)| error,
                    );
                    let far = error.error > thresholds::EXPLODES * trial.left_out_rms()
                        && error.error > thresholds::EXPLODES_LEAST;
                    far.then_some(error)
                })
            })
        });
        for (rung, explodes) in ladder.iter_mut().zip(told) {
            rung.explodes = explodes;
        }
        choose(&mut ladder);
        let aimed = options.target.as_ref().zip(self.bench.aim.as_ref());
        let outlook = aimed.map(|(target, aim)| {
            Outlook::new(target, aim, &ladder, tests, options.timed, &self.workers)
        });
        Ok(Compared {
            outlook,
            ladder,
            failed: self.failed,
            signs,
            folds: folds.iter().map(|f| f.name.clone()).collect(),
            noise,
            stopped,
            spent: self.spent,
        })
    }
}

/// How many were tried, and the best so far with its error.
type Best = (usize, String, f64);

fn better(best: Best, trial: &Trial) -> Best {
    let own = trial.left_out_rms();
    if own < best.2 {
        (best.0, trial.candidate.text(), own)
    } else {
        best
    }
}

/// The tests with the fastest and with the largest motion.
fn outer(tests: &[Test]) -> Vec<usize> {
    let most = |of: &dyn Fn(&Test) -> Option<f64>| {
        let each = tests.iter().enumerate();
        let each = each.filter_map(|(k, t)| Some((k, of(t)?)));
        each.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(k, _)| k)
    };
    let speed = |t: &Test| {
        let v = t.motion_record()?.motion.v().iter();
        Some(v.fold(0.0_f64, |m, v| m.max(v.abs())))
    };
    let size = |t: &Test| Some(t.motion_record()?.amplitude());
    let mut out: Vec<usize> = [most(&speed), most(&size)].into_iter().flatten().collect();
    out.dedup();
    out
}
