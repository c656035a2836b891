//! Additional results for one hysteresis loop: combinations, suitability, semi-analytic values.

use crate::figures::{readable_unit, significant};
use crate::json::{Named, document, each};
use masing_identify::Identified;
use masing_identify::loops::{
    Assessment, Combination, CompetingLaw, Crossing, Hypothesis, Preference, SemiAnalytic,
    loop_model,
};
use std::fmt::Write as _;

document! {
    /// The entries of `fit.json`; empty for other models.
    pub LoopsDocument(found: &Identified) {
        #[serde(skip_serializing_if = "Named::is_empty")]
        combinations: Named<CombinationDocument> = {
            let own = assessment(found).map_or(&[][..], |a| &a.combinations);
            Named(each(own, |c| (c.name.clone(), CombinationDocument::of(c))))
        },
        #[serde(skip_serializing_if = "Option::is_none")]
        suitability: Option<SuitabilityDocument> = assessment(found).map(SuitabilityDocument::of),
        #[serde(skip_serializing_if = "Vec::is_empty")]
        semi_analytic: Vec<SemiAnalyticDocument> = {
            let names = parameter_names(found);
            let own = found.loops.as_ref().map_or(&[][..], |l| &l.semi_analytic);
            each(own, |values| SemiAnalyticDocument::of(values, &names))
        },
    }
}

document! {
    pub(crate) CombinationDocument(own: &Combination) {
        value: f64 = own.value,
        unit: &'static str = own.unit,
        std_error: f64 = own.std_error,
        status: &'static str = own.status.word(),
        zref: Option<f64> = own.reference,
    }
}

document! {
    pub(crate) SuitabilityDocument(own: &Assessment) {
        suits: &'static str = own.suits.word(),
        other: Option<OtherLaw> = own.rival.as_ref().map(|rival| OtherLaw::of(own.law, rival)),
        message: String = own.words.clone(),
    }
}

document! {
    /// The other law on the same tests; `better` is `null` where these data cannot tell.
    pub(crate) OtherLaw(law: &'static str, rival: &CompetingLaw) {
        model: &'static str = rival.name,
        relative_misfit: f64 = rival.relative,
        delta_bic: f64 = rival.bic,
        better: Option<&'static str> = match rival.preference() {
            Preference::Own => Some(law),
            Preference::Other => Some(rival.name),
            Preference::CannotTell => None,
        },
    }
}

document! {
    pub(crate) SemiAnalyticDocument(values: &SemiAnalytic, names: &[String]) {
        crossings: &'static str = match values.crossing {
            Crossing::Interpolated => "interpolated",
            Crossing::Nearest => "nearest",
        },
        damping_ratio: f64 = values.damping_ratio,
        hypotheses: Vec<HypothesisDocument> =
            each(&values.hypotheses, |own| HypothesisDocument::of(own, names)),
    }
}

document! {
    pub(crate) HypothesisDocument(own: &Hypothesis, names: &[String]) {
        hypothesis: &'static str = own.name,
        growing: Option<Named<f64>> = named(names, own.halves[0].as_deref()),
        falling: Option<Named<f64>> = named(names, own.halves[1].as_deref()),
        mean: Option<Named<f64>> = named(names, own.mean().as_deref()),
        disparity: Option<Named<f64>> = named(names, own.disparity().as_deref()),
    }
}

fn named(names: &[String], values: Option<&[f64]>) -> Option<Named<f64>> {
    let pairs = names.iter().cloned().zip(values?.iter().copied());
    Some(Named(pairs.collect()))
}

fn assessment(found: &Identified) -> Option<&Assessment> {
    found.loops.as_ref()?.assessment.as_ref()
}

/// Names of the parameters of the loop law.
fn parameter_names(found: &Identified) -> Vec<String> {
    let Some(law) = loop_model(found.model.assembly()) else {
        return Vec::new();
    };
    let part = &found.model.assembly().parts()[law.part];
    let params = part.element.spec().params.iter();
    params.map(|p| p.name.clone()).collect()
}

/// Whether the law suits, and the combinations, for people; what is a diagnostic is not said twice.
pub fn text(found: &Identified) -> String {
    let Some(assessment) = assessment(found) else {
        return String::new();
    };
    let mut text = String::new();
    let preference = assessment.rival.as_ref().map(CompetingLaw::preference);
    if preference.is_none_or(|p| p == Preference::Own) {
        let _ = writeln!(text, "{}", crate::text::sentence(&assessment.words));
    }
    let shown = if assessment.loose {
        &assessment.combinations[..]
    } else {
        &[]
    };
    for c in shown {
        let (unit, factor) = readable_unit(c.unit);
        let _ = writeln!(
            text,
            "{} = {} +- {} {unit}",
            c.name,
            significant(c.value / factor, 5),
            significant(c.std_error / factor, 2)
        );
    }
    if let Some(zref) = shown.iter().find_map(|c| c.reference) {
        let _ = writeln!(
            text,
            "zref = {} N, the largest force of the law",
            significant(zref, 5)
        );
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}
