//! `fit.json`: the result for programs, in SI.

use super::loops::LoopsDocument;
use crate::compare::{RungDocument, TargetDocument};
use crate::json::{Named, document, each};
use masing_diagnostic::Entry;
use masing_identify::conditions::{RankedForm, SingleLevel};
use masing_identify::result::{Comparison, Identified, Noise, OverallError};
use masing_identify::{Compared, Estimate, Followed, KeyFigures, Profile};

document! {
    /// `masing.fit/1`.
    pub FitDocument(found: &Identified) {
        schema: &'static str = "masing.fit/1",
        model: String = found.provenance.model.clone(),
        converged: bool = found.search.stop.converged(),
        stop: &'static str = found.search.stop.word(),
        evaluations: usize = found.search.evaluations,
        seconds: f64 = found.search.seconds,
        parameters: Named<EstimateDocument> = EstimateDocument::all(&found.estimates),
        misfit: ErrorDocument = ErrorDocument::of(&found.error),
        experiments: Vec<TestDocument> = each(&found.comparisons, TestDocument::of),
        #[schemars(with = "Vec<crate::json::EntrySchema>")]
        warnings: Vec<Entry> = warnings(found),
        #[serde(skip_serializing_if = "Named::is_empty")]
        others: Named<EstimateDocument> = EstimateDocument::all(&found.nuisance),
        #[serde(skip_serializing_if = "Option::is_none")]
        character: Option<KeyFiguresDocument> = found.key_figures.map(KeyFiguresDocument::of),
        #[serde(skip_serializing_if = "Vec::is_empty")]
        profiles: Vec<ProfileDocument> = each(&found.profiles, ProfileDocument::of),
        /// The models that were compared, where none was given.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        ladder: Vec<RungDocument> = ladder(found),
        /// The motion that the model is for, where the models were compared for one.
        #[serde(skip_serializing_if = "Option::is_none")]
        target: Option<TargetDocument> = found.compared.as_deref().and_then(TargetDocument::in_ladder),
        /// Parameters over their conditions.
        #[serde(skip_serializing_if = "Named::is_empty")]
        conditions: Named<FollowedDocument> = Named(each(&found.followed, |own| {
            (own.address.clone(), FollowedDocument::of(own))
        })),
        #[serde(flatten)]
        loops: LoopsDocument = LoopsDocument::of(found),
    }
}

fn ladder(found: &Identified) -> Vec<RungDocument> {
    let of = |c: &Compared| each(&c.ladder, |r| RungDocument::of(r, c.noise));
    found.compared.as_deref().map_or_else(Vec::new, of)
}

document! {
    /// A parameter over its conditions, SI; its coefficients are among the parameters.
    pub(crate) FollowedDocument(own: &Followed) {
        of: Vec<String> = each(&own.of, |(name, _)| name.clone()),
        units: Vec<String> = each(&own.of, |(_, unit)| unit.clone()),
        form: Vec<&'static str> = own.law.form_names(),
        coefficients: Vec<f64> = own.law.coefficients.clone(),
        /// The parameter refitted at every level with all else held, beside the law.
        levels: Vec<LevelDocument> = each(&own.levels, LevelDocument::of),
        /// Forms by their error at levels left out, the best first; `null` for one that leaves the range of the parameter.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        ranked: Vec<RankedDocument> = each(&own.ranked, RankedDocument::of),
    }
}

document! {
    pub(crate) LevelDocument(own: &SingleLevel) {
        at: Vec<f64> = own.at.clone(),
        value: f64 = own.value,
        std_error: f64 = own.std_error,
        law: f64 = own.law,
    }
}

document! {
    pub(crate) RankedDocument(own: &RankedForm) {
        form: String = own.name(),
        coefficients: usize = own.coefficients,
        error: Option<f64> = Some(own.error).filter(|e| e.is_finite()),
    }
}

/// What was noticed about the data, then about the result; the same words once.
pub fn warnings(found: &Identified) -> Vec<Entry> {
    let units = found.names().units();
    let mut out: Vec<Entry> = Vec::new();
    for one in found.data.diagnostics.iter().chain(&found.diagnostics) {
        let entry = Entry::of(one, units);
        // One file that is read for several tests says the same every time.
        if !out.contains(&entry) {
            out.push(entry);
        }
    }
    out
}

document! {
    /// A parameter, or a number that belongs to a test.
    pub EstimateDocument(own: &Estimate) {
        value: f64 = own.value,
        unit: String = own.unit.clone(),
        std_error: Option<f64> = own.std_error,
        ci95: Option<[f64; 2]> = own.interval,
        status: &'static str = own.status.word(),
        #[serde(skip_serializing_if = "Option::is_none")]
        leave_one_out: Option<f64> = own.leave_one_out,
    }
}

impl EstimateDocument {
    /// All of them, by address.
    pub fn all(estimates: &[Estimate]) -> Named<Self> {
        Named(each(estimates, |e| (e.address.clone(), Self::of(e))))
    }
}

document! {
    /// The error over all fitted tests.
    pub ErrorDocument(error: &OverallError) {
        relative: f64 = error.relative,
        /// Root mean square of all residuals, in `unit`; `null` where tests are in different units.
        rms: Option<f64> = error.rms,
        unit: Option<&'static str> = error.unit,
        chi2_dof: Option<f64> = error.chi2_dof,
    }
}

document! {
    /// One test beside what the model gives.
    pub TestDocument(test: &Comparison) {
        name: String = test.name.clone(),
        role: &'static str = test.role.word(),
        samples: usize = test.samples,
        relative_misfit: f64 = test.error,
        /// Error over the alternating part of the force, where the mean is more than half of the rms.
        #[serde(skip_serializing_if = "Option::is_none")]
        relative_to_alternating: Option<f64> = test.alternating,
        /// Root mean square of the residuals, in `unit`.
        rms: f64 = test.rms,
        /// SI unit of `rms` and of the noise; `null` where channels of several kinds are compared.
        unit: Option<&'static str> = test.unit,
        lag1: f64 = test.lag1,
        noise: NoiseDocument = NoiseDocument::of(test.noise),
        /// `rest`, `free` or `periodic`; `null` for a table.
        start: Option<&'static str> = test.initial_state.map(|own| super::initial_state(own).0),
    }
}

document! {
    pub(crate) NoiseDocument(noise: Noise) {
        value: f64 = noise.value,
        source: &'static str = noise.source.word(),
    }
}

document! {
    /// Rates and friction of the model, SI.
    pub(crate) KeyFiguresDocument(figures: KeyFigures) {
        small_amplitude: f64 = figures.small,
        small_amplitude_rate: f64 = figures.small_rate,
        large_amplitude: f64 = figures.large,
        large_amplitude_rate: f64 = figures.large_rate,
        frequency: f64 = figures.frequency,
        friction: f64 = figures.friction,
        friction_speed: f64 = figures.speed,
    }
}

document! {
    /// The likelihood along a parameter.
    pub(crate) ProfileDocument(profile: &Profile) {
        parameter: String = profile.address.clone(),
        values: Vec<f64> = profile.values.clone(),
        loss: Vec<f64> = profile.loss.clone(),
        ci95: [Option<f64>; 2] = profile.ci95,
    }
}
