//! `compare.json`: the ladder for programs.

use super::{Comparing, verdict, worst};
use crate::json::{Named, document, each};
use masing_identify::compare::{
    Compared, Failed, Largest, LeftOutError, Outlook, Outside, Rung, Shown, Trial,
};
use masing_model::Model;

document! {
    /// `masing.compare/1`.
    pub CompareDocument(comparing: &Comparing) {
        schema: &'static str = "masing.compare/1",
        /// The model that was chosen, as a model text.
        model: Option<String> = comparing.found.chosen().map(|r| r.trial.candidate.text()),
        /// What the ladder says.
        verdict: String = verdict(comparing),
        /// The models, those that predict best first.
        ladder: Vec<RungDocument> = each(&comparing.found.ladder, |r| RungDocument::of(r, comparing.found.noise)),
        /// Candidates that could not be tried.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        failed: Vec<FailedDocument> = each(&comparing.found.failed, FailedDocument::of),
        /// What the records show.
        signs: Vec<SignDocument> = each(&comparing.found.signs, SignDocument::of),
        /// What was left out, one after the other.
        left_out: Vec<String> = comparing.found.folds.clone(),
        /// The motion that the model is for, where one was given: then `left_out` is weighted by it.
        #[serde(skip_serializing_if = "Option::is_none")]
        target: Option<TargetDocument> = TargetDocument::in_ladder(&comparing.found),
        seconds: f64 = comparing.seconds,
        /// Whether it ended before it was done.
        stopped: bool = comparing.found.stopped,
        /// Whether a time limited it, so that the result depends on the machine.
        depends_on_machine: bool = comparing.by_time,
    }
}

document! {
    /// One model of the ladder; errors are relative.
    pub RungDocument(rung: &Rung, noise: Option<f64>) {
        /// The model text.
        model: String = rung.trial.candidate.text(),
        /// What is estimated of the rig beside it.
        nuisance: Vec<&'static str> = rung.trial.candidate.added.words(),
        /// How many numbers were sought.
        parameters: usize = rung.trial.parameters,
        /// Error over the fitted tests.
        fitted: f64 = rung.trial.fitted(),
        /// Residuals of all fitted tests together over their forces, both rms.
        fitted_over_all: Option<f64> = rung.trial.over_all,
        /// Errors on what was left out.
        left_out: LeftOutDocument = LeftOutDocument::of(&rung.trial),
        /// Errors on the held-out tests, by name.
        held_out: Named<f64> = by_name(&rung.trial.held_out),
        /// Noise of the tests, where it is known.
        noise: Option<f64> = noise,
        /// `chosen`, `tied` or `behind`.
        verdict: &'static str = rung.standing.word(),
        /// What it fails on by far outside the tests, and the error there.
        explodes: Option<LeftOutErrorDocument> = rung.explodes.as_ref().map(LeftOutErrorDocument::of),
        /// Why some motion could draw energy from it; `null` where none can.
        non_passive: Option<&'static str> = rung.trial.non_passive,
        /// Values found from all tests, SI, by address.
        values: Named<f64> = values(&rung.trial.model),
        seconds: f64 = rung.trial.seconds,
    }
}

document! {
    /// Errors on what was left out.
    pub(crate) LeftOutDocument(trial: &Trial) {
        rms: f64 = trial.left_out_rms(),
        maximum: Option<LeftOutErrorDocument> = worst(&trial.left_out).map(LeftOutErrorDocument::of),
        each: Vec<f64> = trial.left_out.iter().map(|e| e.error).collect(),
        /// How much each counts, where they do not count alike.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        weights: Vec<f64> = weights(&trial.left_out),
        /// Whether leaving out was ended early because the model was clearly behind: errors are at least these.
        at_least: bool = trial.at_least,
    }
}

fn weights(errors: &[LeftOutError]) -> Vec<f64> {
    let alike = errors.iter().all(|e| e.weight == 1.0);
    let own = errors.iter().filter(|_| !alike);
    own.map(|e| e.weight).collect()
}

document! {
    /// The motion that the model is for; shares are of its time.
    pub(crate) TargetDocument(found: &Compared, own: &Outlook) {
        name: String = own.name.clone(),
        /// Share that has its like in the tests: their speeds with their amplitudes.
        alike: f64 = own.alike,
        /// Shares outside the tests.
        outside: Option<OutsideDocument> = own.outside.as_ref().map(OutsideDocument::of),
        /// Half the median swing, and that of the smallest test, where it is far below.
        smaller: Option<(f64, f64)> = own.beside.smaller,
        /// Mean speed, and that of the slowest test, where it is far below.
        slower: Option<(f64, f64)> = own.beside.slower,
        /// Levels of conditions at which the models were simulated.
        #[serde(skip_serializing_if = "Named::is_empty")]
        conditions: Named<f64> = Named(own.levels.clone().into_iter().collect()),
        /// The models that were simulated over it, the chosen one first.
        models: Vec<OnTargetDocument> = simulated(found, own),
        /// Root mean square of their deviations from their mean, relative to the rms of that mean.
        spread: Option<f64> = own.disagreement.as_ref().map(|d| d.spread),
        /// Where they differ most.
        largest: Option<LargestDocument> = own.disagreement.as_ref().map(|d| LargestDocument::of(found, &d.largest)),
        /// Models that could not be simulated over it.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        failed: Vec<String> = each(&own.failed, |i| text_of(found, *i)),
    }
}

impl TargetDocument {
    pub(crate) fn in_ladder(found: &Compared) -> Option<Self> {
        Some(Self::of(found, found.outlook.as_ref()?))
    }
}

document! {
    /// Shares of a motion outside the tests.
    pub(crate) OutsideDocument(own: &Outside) {
        displacement: f64 = own.displacement,
        /// `null` where the tests have no time.
        speed: Option<f64> = own.speed,
        both: f64 = own.both,
        any: f64 = own.any,
    }
}

document! {
    /// A tied model on the motion.
    pub(crate) OnTargetDocument(model: String, deviation: Option<f64>) {
        model: String = model,
        /// Deviation from the chosen model, relative to its rms force.
        deviation: Option<f64> = deviation,
    }
}

document! {
    /// Where models differ most, SI.
    pub(crate) LargestDocument(found: &Compared, own: &Largest) {
        time: f64 = own.time,
        displacement: f64 = own.x,
        velocity: f64 = own.v,
        /// Smallest and largest force.
        force: [f64; 2] = own.force,
        /// The models that give them.
        models: [String; 2] = own.models.map(|i| text_of(found, i)),
    }
}

fn text_of(found: &Compared, rung: usize) -> String {
    found.ladder[rung].trial.candidate.text()
}

fn simulated(found: &Compared, own: &Outlook) -> Vec<OnTargetDocument> {
    let deviations = own.disagreement.as_ref().map(|d| &d.from_chosen);
    let each = own.forces.iter().enumerate();
    each.map(|(k, (rung, _))| {
        let deviation = deviations.and_then(|all| all.get(k)).copied();
        OnTargetDocument::of(text_of(found, *rung), deviation)
    })
    .collect()
}

document! {
    /// An error and what it is on.
    pub(crate) LeftOutErrorDocument(error: &LeftOutError) {
        name: String = error.name.clone(),
        error: f64 = error.error,
    }
}

document! {
    /// A candidate that could not be tried.
    pub(crate) FailedDocument(failed: &Failed) {
        model: String = failed.candidate.text(),
        error: String = failed.error.to_string(),
    }
}

document! {
    /// Something that the records show.
    pub(crate) SignDocument(shown: &Shown) {
        sign: &'static str = shown.sign.word(),
        /// `null` where the tests cannot tell.
        present: Option<bool> = shown.present,
        /// Its size as a share.
        size: f64 = shown.size,
    }
}

fn by_name(errors: &[LeftOutError]) -> Named<f64> {
    Named(each(errors, |e| (e.name.clone(), e.error)))
}

fn values(model: &Model) -> Named<f64> {
    let each = model.params().into_iter().zip(model.values());
    Named(
        each.map(|((address, _), value)| (address, *value))
            .collect(),
    )
}
