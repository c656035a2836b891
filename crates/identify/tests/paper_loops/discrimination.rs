//! Which law a loop is taken for, over many draws of noise.

use super::{Law, Loop, alone, bouc_wen, dahl};
use masing_identify::loops::{Assessment, CompetingLaw, Preference, Suits};
use masing_identify::{FitOptions, Identified, fit};

/// The loops that belong to one law only; the last one is the low-damping record.
pub fn loops() -> Vec<(&'static str, Law, Loop)> {
    let dahls = [("Dahl 1/1.5", 1.5), ("Dahl 1/2.5", 2.5)];
    let bouc_wens = [
        ("Bouc-Wen .5 .2 1", [1.0, 0.5, 0.2, 1.0]),
        ("Bouc-Wen .5 .2 3", [1.0, 0.5, 0.2, 3.0]),
        ("Bouc-Wen .5 -.2 1", [1.0, 0.5, -0.2, 1.0]),
        ("Bouc-Wen .2 .2 1", [1.0, 0.2, 0.2, 1.0]),
        ("Bouc-Wen .005 .001 1", [1.0, 0.005, 0.001, 1.0]),
    ];
    let dahls = dahls.map(|(name, alpha)| (name, Law::Dahl, dahl(2e5, 1.0, alpha, 1e-3)));
    let bouc_wens = bouc_wens.map(|(name, set)| (name, Law::BoucWen, bouc_wen(set, 1e-3)));
    dahls.into_iter().chain(bouc_wens).collect()
}

/// Fits a law to a loop whose noise is known, if it has any.
pub fn assessed(law: Law, record: &Loop, noise: f64) -> (Identified, Assessment) {
    let mut target = record.target();
    if let (Some(rig), true) = (target.motion_record_mut(), noise > 0.0) {
        rig.noise = Some(noise);
    }
    let options = FitOptions {
        assess_loops: true,
        ..FitOptions::default()
    };
    let found = fit(&alone(law.kind()), vec![target], vec![], &options, None).expect("a fit");
    let assessment = found
        .loops
        .as_ref()
        .and_then(|l| l.assessment.clone())
        .expect("a loop law");
    (found, assessment)
}

/// What came out of many draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdicts {
    /// The law that made the loop was preferred.
    pub right: usize,
    /// The data cannot tell.
    pub tie: usize,
    /// The other law was preferred.
    pub wrong: usize,
    /// The law that made the loop was called unsuitable.
    pub rejected: usize,
}

/// Verdicts over `runs` draws of noise, of so much of the largest force.
pub fn verdicts(law: Law, clean: &Loop, noise: f64, runs: u64, seed: u64) -> Verdicts {
    let mut out = Verdicts::default();
    for run in 0..runs {
        let record = clean.noisy(noise, seed + run);
        let (_, own) = assessed(law, &record, noise * clean.peak());
        match own.rival.as_ref().map(CompetingLaw::preference) {
            Some(Preference::Own) => out.right += 1,
            Some(Preference::Other) => out.wrong += 1,
            _ => out.tie += 1,
        }
        out.rejected += usize::from(own.suits == Suits::No);
    }
    out
}
