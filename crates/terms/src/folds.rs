//! Tests left out of a trial fit, one at a time, or blocks of cycles where there is only one test; and which friction
//! predicts them best.

use super::algebra::{left_of, norm2, solve};
use super::choose::Way;
use super::dictionary::Term;
use super::found::FrictionKind;
use super::friction::distribution;
use super::motion::Prepared;
use super::projection::{Design, refine};
use super::set::Set;
use masing_data::range;
use masing_diagnostic::thresholds::{EXTRAPOLATED, TIED, TIED_ERRORS};

/// Blocks that a single test is cut into, at most: fewer are hardly left out, more are hardly seen.
const MOST_BLOCKS: usize = 5;

/// Square of the share of the noise that makes no difference: what is known of the noise is no better than a tenth.
const NO_DIFFERENCE: f64 = 0.01;

/// What is fitted, and what is predicted from that.
pub(super) struct Fold {
    fitted: Set,
    left_out: Set,
}

/// Rows of all tests that a trial looks at, about: more do not change which friction predicts best.
const TRIAL_ROWS: usize = 4000;

/// Every test left out once; of a single test blocks of whole cycles. What is larger or faster than the rest is not left out,
/// because powers mean nothing there. None where there are less than two.
pub(super) fn folds(set: &Set) -> Vec<Fold> {
    let stride = set.rows().div_ceil(TRIAL_ROWS);
    let mut set = set.clone();
    for test in &mut set.tests {
        let mut place = 0;
        test.rows.retain(|_| {
            place += 1;
            place % stride == 0
        });
    }
    let mut found = match set.tests.as_slice() {
        [_] => blocks(&set),
        several => (0..several.len())
            .map(|k| Fold {
                fitted: set.only(|i| i != k),
                left_out: set.only(|i| i == k),
            })
            .collect(),
    };
    found.retain(|fold| {
        let ([reach, speed], [own, fast]) = (extent(&fold.fitted), extent(&fold.left_out));
        own <= EXTRAPOLATED * reach && fast <= EXTRAPOLATED * speed
    });
    if found.len() < 2 {
        found.clear();
    }
    found
}

/// Half the range of the displacements that count, and the largest speed.
fn extent(set: &Set) -> [f64; 2] {
    let each = |test: &Prepared| {
        let x: Vec<f64> = test.rows.iter().map(|&i| test.x[i]).collect();
        let (low, high) = range(&x);
        [0.5 * (high - low), test.top_speed()]
    };
    let most = |a: [f64; 2], b: [f64; 2]| [a[0].max(b[0]), a[1].max(b[1])];
    set.tests.iter().map(each).fold([0.0; 2], most)
}

/// A single test without each of its blocks.
fn blocks(set: &Set) -> Vec<Fold> {
    let test = &set.tests[0];
    let (Some(first), Some(last)) = (test.rows.first(), test.rows.last()) else {
        return Vec::new();
    };
    let turns = test.turns.iter().map(|turn| turn.index);
    let turns: Vec<usize> = turns.filter(|i| i >= first && i <= last).collect();
    let count = MOST_BLOCKS.min(turns.len() / 2);
    // Blocks end at every other turn.
    let end = |k: usize| match k {
        0 => 0,
        k if k == count => usize::MAX,
        k => turns[2 * (k * (turns.len() / 2) / count)],
    };
    let part = |inside: &dyn Fn(usize) -> bool| {
        let mut own = set.clone();
        own.tests[0].rows.retain(|i| inside(*i));
        own
    };
    let each = (0..count).map(|k| {
        let block = end(k)..end(k + 1);
        Fold {
            fitted: part(&|i| !block.contains(&i)),
            left_out: part(&|i| block.contains(&i)),
        }
    });
    each.collect()
}

impl Fold {
    /// Relative error of the prediction; at most one, because a prediction that misses by more than the force itself is none,
    /// however far it goes.
    pub(super) fn error(&self, terms: &[Term], way: &Way) -> f64 {
        self.predicted(terms, way)
            .map_or(1.0, |error| error.min(1.0))
    }

    fn predicted(&self, terms: &[Term], way: &Way) -> Option<f64> {
        let sliders = match way.kind {
            FrictionKind::Distribution => distribution(&self.fitted, terms)?.sliders,
            _ => refine(&self.fitted, terms, &way.sliders, false)?.sliders,
        };
        let columns = |set: &Set| {
            let radii = sliders.iter().map(|s| s.ys).collect();
            Design::of(set, terms, radii).columns
        };
        let solved = solve(&columns(&self.fitted), &self.fitted.force())?;
        let force = self.left_out.force();
        let whole = norm2(&force);
        let rest = norm2(&left_of(
            force,
            &solved.coefficients,
            &columns(&self.left_out),
        ));
        Some((rest / whole).sqrt()).filter(|error| error.is_finite())
    }

    /// Relative error that the noise alone makes.
    pub(super) fn noise(&self) -> f64 {
        let force = self.left_out.force();
        (force.len() as f64 / norm2(&force)).sqrt().min(1.0)
    }
}

/// The first of the ways that predict as well as the best does; ways are in the order of their sliders, and each has an error
/// for every fold.
///
/// The best has the least root mean square of the relative errors. As good is what exceeds the noise by at most 1.3 times as
/// much, or is within two standard errors of the paired ratios.
pub(super) fn simplest_of_the_best(errors: &[Vec<f64>], noise: &[f64]) -> usize {
    let count = noise.len().max(1) as f64;
    let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / count;
    let squares = |own: &[f64]| mean(&mut own.iter().map(|e| e * e));
    let floor = squares(noise);
    let Some(best) = errors
        .iter()
        .min_by(|a, b| squares(a).total_cmp(&squares(b)))
    else {
        return 0;
    };
    let beyond = |own: &[f64]| ((squares(own) - floor).max(0.0) + NO_DIFFERENCE * floor).sqrt();
    let tied = |own: &Vec<f64>| {
        let ratios = || own.iter().zip(best).map(|(a, b)| (a / b).ln());
        let ratio = mean(&mut ratios());
        let spread = mean(&mut ratios().map(|r| (r - ratio).powi(2)));
        let error = (spread / (count - 1.0).max(1.0)).sqrt();
        beyond(own) <= TIED * beyond(best) || ratio <= TIED_ERRORS * error
    };
    errors.iter().position(tied).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_sliders_of_the_tied_win() {
        let noise = [0.01; 4];
        // The second is clearly better than the first; the third better by a few per cent.
        let errors = [
            vec![0.10, 0.11, 0.10, 0.12],
            vec![0.040, 0.042, 0.041, 0.040],
            vec![0.039, 0.040, 0.039, 0.039],
        ];
        assert_eq!(simplest_of_the_best(&errors, &noise), 1);
        // Within 1.3 times, however sure.
        let near = [vec![0.05; 4], vec![0.04; 4]];
        assert_eq!(simplest_of_the_best(&near, &noise), 0);
        let far = [vec![0.06; 4], vec![0.04; 4]];
        assert_eq!(simplest_of_the_best(&far, &noise), 1);
        // Better by one test only: two standard errors are not reached.
        let chance = [vec![0.04, 0.04, 0.04, 0.2], vec![0.04; 4]];
        assert_eq!(simplest_of_the_best(&chance, &noise), 0);
    }

    /// What is within the noise is no difference, and what is beyond it counts without it.
    #[test]
    fn errors_count_beyond_the_noise() {
        let noise = [0.01; 5];
        let errors = [vec![0.012; 5], vec![0.0101; 5]];
        assert_eq!(simplest_of_the_best(&errors, &noise), 1);
        let within = [vec![0.0099; 5], vec![0.0098; 5]];
        assert_eq!(simplest_of_the_best(&within, &noise), 0);
        assert_eq!(simplest_of_the_best(&[], &noise), 0);
    }

    /// Ten cycles of a spring and a spring-slider.
    fn set(amplitudes: &[f64]) -> Set {
        let test = |amplitude: &f64| {
            let time: Vec<f64> = (0..1000).map(|i| f64::from(i) * 1e-3).collect();
            let sine = |t: &f64| amplitude * (20.0 * std::f64::consts::PI * t).sin();
            let displacement: Vec<f64> = time.iter().map(sine).collect();
            let (mut z, mut before) = (0.0_f64, 0.0);
            let force = displacement.iter().map(|x| {
                z = (z + 1e5 * (x - before)).clamp(-20.0, 20.0);
                before = *x;
                z + 1e5 * x
            });
            crate::Test {
                name: format!("{amplitude}"),
                velocity: None,
                force: force.collect(),
                window: 0..time.len(),
                time,
                displacement,
                noise: None,
                preload: Some(masing_data::Preload::Motion(0.0)),
                columns: Vec::new(),
            }
        };
        let tests: Vec<crate::Test> = amplitudes.iter().map(test).collect();
        Set::of(&tests, crate::Sign::Turns, crate::Slope::SavitzkyGolay).unwrap()
    }

    #[test]
    fn what_goes_further_than_the_rest_is_not_left_out() {
        let found = folds(&set(&[1e-3, 3e-3, 2e-3]));
        let names = found
            .iter()
            .map(|fold| fold.left_out.tests[0].name.as_str());
        assert_eq!(names.collect::<Vec<_>>(), ["0.001", "0.002"]);
        // From one of two tests the other is no prediction, but an extrapolation.
        assert!(folds(&set(&[1e-3, 2e-3])).is_empty());
    }

    #[test]
    fn a_single_test_is_left_out_by_blocks_of_cycles() {
        let set = set(&[1e-3]);
        let found = folds(&set);
        assert_eq!(found.len(), MOST_BLOCKS);
        let rows = |set: &Set| set.tests[0].rows.len();
        let all: usize = found.iter().map(|fold| rows(&fold.left_out)).sum();
        assert_eq!(all, rows(&set));
        for fold in &found {
            assert_eq!(rows(&fold.fitted) + rows(&fold.left_out), all);
        }
    }
}
