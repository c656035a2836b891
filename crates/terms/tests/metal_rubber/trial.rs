//! Many draws of noise on one case.

use super::{Part, TRUE_TERMS, noisy, p90};
use masing_model::MotionKind;
use masing_terms::{Options, Slider, Term, Terms, TermsError, Test, identify};

/// Errors of all draws, in per cent, by name.
pub struct Trial {
    /// Draws whose terms are exactly those of the law.
    pub exact: usize,
    /// Draws whose ranked model has exactly the terms of the law beside those of the friction.
    pub ranked_exact: usize,
    /// Draws whose ranked model has at least those.
    pub ranked_superset: usize,
    /// Draws.
    pub runs: usize,
    /// Errors by name.
    pub errors: Vec<(String, Vec<f64>)>,
    /// Residual over the noise that was drawn.
    pub residual: Vec<f64>,
    /// Length of the ranked model.
    pub lengths: Vec<usize>,
}

impl Trial {
    /// The error that nine draws in ten do not exceed, per cent; infinite where one draw lacks it.
    pub fn p90(&self, name: &str) -> f64 {
        match self.errors.iter().find(|(own, _)| own == name) {
            Some((_, values)) if values.len() == self.runs => p90(values),
            _ => f64::INFINITY,
        }
    }

    /// Root mean square error, per cent.
    pub fn rms(&self, name: &str) -> f64 {
        let own = self.errors.iter().find(|(own, _)| own == name);
        own.map_or(f64::INFINITY, |(_, v)| {
            (v.iter().map(|e| e * e).sum::<f64>() / v.len() as f64).sqrt()
        })
    }

    fn add(&mut self, name: &str, found: f64, truth: f64) {
        let error = 100.0 * (found / truth - 1.0);
        match self.errors.iter_mut().find(|(own, _)| own == name) {
            Some((_, values)) => values.push(error),
            None => self.errors.push((name.to_owned(), vec![error])),
        }
    }
}

/// The terms of tests along a straight line.
pub fn find(tests: &[Test], held_out: &[Test], options: &Options) -> Result<Terms, TermsError> {
    identify(tests, held_out, options, MotionKind::Translation)
}

/// Runs draws with noise of a share of each force's standard deviation and of the displacement in metres.
pub fn trial(
    part: &Part,
    clean: &[Test],
    (share, metres): (f64, f64),
    seeds: std::ops::Range<u64>,
    options: &Options,
) -> Trial {
    let mut out = Trial {
        exact: 0,
        ranked_exact: 0,
        ranked_superset: 0,
        runs: 0,
        errors: Vec::new(),
        residual: Vec::new(),
        lengths: Vec::new(),
    };
    for seed in seeds {
        let tests: Vec<Test> = clean
            .iter()
            .enumerate()
            .map(|(k, t)| noisy(t, share, metres, 1000 * seed + k as u64))
            .collect();
        out.runs += 1;
        let Ok(found) = find(&tests, &[], options) else {
            continue;
        };
        count(&mut out, part, &found);
        let rows = &found.outcomes[0].rows;
        let drawn = rows.iter().map(|&i| tests[0].force[i] - clean[0].force[i]);
        let noise = (drawn.map(|d| d * d).sum::<f64>() / rows.len() as f64).sqrt();
        if noise > 0.0 {
            out.residual
                .push(found.identified.comparisons[0].rms / noise);
        }
    }
    out
}

fn count(out: &mut Trial, part: &Part, found: &Terms) {
    let exact = found.terms.len() == TRUE_TERMS.len()
        && TRUE_TERMS
            .iter()
            .all(|t| found.terms.iter().any(|c| c.term == *t));
    out.exact += usize::from(exact);
    let length = found.ranking.length;
    out.lengths.push(length);
    let ranked: Vec<&Term> = found.ranking.terms[..length]
        .iter()
        .map(|r| &r.term)
        .collect();
    let powers = ranked
        .iter()
        .filter(|t| !matches!(t, Term::Chebyshev(_) | Term::Slider(_)))
        .count();
    let superset = TRUE_TERMS.iter().all(|t| ranked.contains(&t));
    out.ranked_superset += usize::from(superset);
    out.ranked_exact += usize::from(superset && powers == TRUE_TERMS.len());
    for term in &TRUE_TERMS {
        out.add(&term.to_string(), found.value(term), part.value(term));
    }
    let ks: f64 = part.sliders.iter().map(|s| s.ks).sum();
    let zs: f64 = part.sliders.iter().map(Slider::zs).sum();
    out.add("ks", found.friction.ks.value, ks);
    out.add("zs", found.friction.zs.value, zs);
    out.add("ys", found.friction.ys.value, zs / ks);
    if let Some(s) = found.chebyshev.from_two {
        out.add("ks (37)", s.ks, ks);
        out.add("zs (37)", s.zs(), zs);
        out.add("ys (37)", s.ys, zs / ks);
    }
    if let Some(s) = found.chebyshev.from_all {
        out.add("ks (all a)", s.ks, ks);
        out.add("ys (all a)", s.ys, zs / ks);
    }
    let ranked = found
        .ranking
        .terms
        .iter()
        .find(|r| r.term == Term::Stiffness(1));
    if let Some(k1) = ranked.and_then(|r| r.coefficient) {
        out.add("k1 (37)", k1, part.k[0]);
    }
}
