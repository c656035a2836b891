//! How strong a part is at the levels of its conditions, and which parameters of a model say so.

use crate::conditions::{Follow, FormChoice, distinct};
use crate::error::FitError;
use crate::test::Test;
use masing_model::{Form, Levels, Model};

/// The conditions with several levels that all tests state, and a form that their number supports.
pub(super) fn conditions(tests: &[Test]) -> Vec<(String, Form)> {
    let Some(first) = tests.first() else {
        return vec![];
    };
    let told = |name: &&String| tests.iter().all(|t| t.conditions.contains_key(*name));
    let each = first.conditions.keys().filter(told).filter_map(|name| {
        let form = match distinct(tests, name).len() {
            0 | 1 => return None,
            2 => Form::ExpLinear,
            _ => Form::ExpQuadratic,
        };
        Some((name.clone(), form))
    });
    // A parameter follows two conditions at most.
    each.take(2).collect()
}

/// Refuses tests of which some state levels of a condition that differ, and others none: what is stronger at one level
/// would be taken for a difference between models.
pub(super) fn levels_complete(tests: &[Test], held_out: &[Test]) -> Result<(), FitError> {
    let names = tests.iter().flat_map(|t| t.conditions.keys());
    for name in names.filter(|name| distinct(tests, name).len() > 1) {
        let mut all = tests.iter().chain(held_out);
        if let Some(test) = all.find(|t| !t.conditions.contains_key(name)) {
            return Err(FitError::NoLevel {
                test: test.name.clone(),
                condition: name.clone(),
            });
        }
    }
    Ok(())
}

/// Forces at the levels of each test over those of the strongest; ones where nothing is followed.
pub(super) fn strengths(tests: &[Test], follow: &[(String, Form)]) -> Vec<f64> {
    let levels = |t: &Test| -> Levels {
        let own = follow.iter().filter_map(|(name, _)| {
            let level = t.conditions.get(name)?;
            Some((name.clone(), *level))
        });
        own.collect()
    };
    let size = |t: &Test| t.rows().first().map_or(1.0, |row| row.size);
    let mean = |t: &Test| {
        let own = levels(t);
        let alike = tests.iter().filter(|o| levels(o) == own);
        let logs: Vec<f64> = alike.map(|o| size(o).max(f64::MIN_POSITIVE).ln()).collect();
        (logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp()
    };
    if follow.is_empty() {
        return vec![1.0; tests.len()];
    }
    let each: Vec<f64> = tests.iter().map(mean).collect();
    let most = each.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    each.iter().map(|own| own / most).collect()
}

/// The strength of every block follows, as its law names it.
pub(super) fn follow(model: &Model, of: &[(String, Form)]) -> Vec<(String, Follow)> {
    if of.is_empty() {
        return vec![];
    }
    let params = model.params();
    let mut out = Vec::new();
    for part in model.assembly().parts() {
        let own = &params[part.params.clone()];
        let (names, forms): (Vec<String>, Vec<Form>) = of.iter().cloned().unzip();
        for k in part.element.law().strength().params() {
            let address = &own[*k].0;
            let follow = Follow {
                of: names.clone(),
                form: FormChoice::Given(forms.clone()),
            };
            out.push((address.clone(), follow));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test::MotionRecord;
    use crate::trial::model;
    use masing_sim::Motion;

    fn test(level: f64, force: f64) -> Test {
        let time: Vec<f64> = (0..40).map(f64::from).collect();
        let x: Vec<f64> = time.iter().map(|t| t.sin()).collect();
        let f = x.iter().map(|x| force * x).collect();
        let motion = Motion::new(time, x, None).expect("a motion");
        let mut out = Test::of("sine", MotionRecord::new(motion, f));
        out.conditions.insert("current".to_owned(), level);
        out
    }

    #[test]
    fn strengths_are_forces_where_there_are_some_and_follow_the_levels() {
        let tests = [test(0.0, 1.0), test(1.0, 4.0), test(1.0, 4.0)];
        let of = conditions(&tests);
        assert_eq!(of, [("current".to_owned(), Form::ExpLinear)]);
        let found = strengths(&tests, &of);
        // By the ratio of the forces, to rounding.
        assert!(
            (found[0] - 0.25).abs() < 1e-12 && found[2] == 1.0,
            "{found:?}"
        );
        assert!(conditions(&tests[1..]).is_empty());
        assert!(levels_complete(&tests, &[]).is_ok());
        let mut without = test(0.0, 1.0);
        without.conditions.clear();
        let missing = levels_complete(&tests, &[without]);
        assert!(matches!(missing, Err(FitError::NoLevel { .. })));
        let followed = follow(&model("series(eyring-dashpot, spring) + dashpot"), &of);
        let addresses: Vec<&str> = followed
            .iter()
            .map(|(address, _)| address.as_str())
            .collect();
        assert_eq!(addresses, ["eyring-dashpot.f", "dashpot.c"]);
    }
}
