//! Additional results for one hysteresis loop: combinations, suitability, semi-analytic values.

use crate::figures::{readable_unit, significant};
use crate::json::Named;
use masing_identify::Identified;
use masing_identify::loops::{
    Assessment, Combination, CompetingLaw, Crossing, Preference, SemiAnalytic, loop_model,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// The entries of `fit.json`; empty for other models.
#[derive(JsonSchema, Serialize)]
pub struct LoopsDocument {
    #[serde(skip_serializing_if = "Named::is_empty")]
    combinations: Named<CombinationDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suitability: Option<SuitabilityDocument>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    semi_analytic: Vec<SemiAnalyticDocument>,
}

#[derive(JsonSchema, Serialize)]
struct CombinationDocument {
    value: f64,
    unit: &'static str,
    std_error: f64,
    status: &'static str,
    zref: Option<f64>,
}

#[derive(JsonSchema, Serialize)]
struct SuitabilityDocument {
    suits: &'static str,
    other: Option<OtherLaw>,
    message: String,
}

/// The other law on the same tests; `better` is `null` where these data cannot tell.
#[derive(JsonSchema, Serialize)]
struct OtherLaw {
    model: &'static str,
    relative_misfit: f64,
    delta_bic: f64,
    better: Option<&'static str>,
}

#[derive(JsonSchema, Serialize)]
struct SemiAnalyticDocument {
    crossings: &'static str,
    damping_ratio: f64,
    hypotheses: Vec<HypothesisDocument>,
}

#[derive(JsonSchema, Serialize)]
struct HypothesisDocument {
    hypothesis: &'static str,
    growing: Option<Named<f64>>,
    falling: Option<Named<f64>>,
    mean: Option<Named<f64>>,
    disparity: Option<Named<f64>>,
}

impl LoopsDocument {
    /// Of a result.
    pub fn of(found: &Identified) -> Self {
        let loops = found.loops.as_ref();
        let assessment = loops.and_then(|l| l.assessment.as_ref());
        let combinations = assessment.map_or(&[][..], |a| &a.combinations);
        let names = parameter_names(found);
        let values = loops.map_or(&[][..], |l| &l.semi_analytic);
        Self {
            combinations: Named(combinations.iter().map(combination).collect()),
            suitability: assessment.map(suitability),
            semi_analytic: values.iter().map(|v| semi_analytic(v, &names)).collect(),
        }
    }
}

fn combination(own: &Combination) -> (String, CombinationDocument) {
    let entry = CombinationDocument {
        value: own.value,
        unit: own.unit,
        std_error: own.std_error,
        status: own.status.word(),
        zref: own.reference,
    };
    (own.name.clone(), entry)
}

fn suitability(assessment: &Assessment) -> SuitabilityDocument {
    SuitabilityDocument {
        suits: assessment.suits.word(),
        other: assessment.rival.as_ref().map(|rival| OtherLaw {
            model: rival.name,
            relative_misfit: rival.relative,
            delta_bic: rival.bic,
            better: match rival.preference() {
                Preference::Own => Some(assessment.law),
                Preference::Other => Some(rival.name),
                Preference::CannotTell => None,
            },
        }),
        message: assessment.words.clone(),
    }
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

fn semi_analytic(values: &SemiAnalytic, names: &[String]) -> SemiAnalyticDocument {
    let named = |p: &Vec<f64>| Named(names.iter().cloned().zip(p.iter().copied()).collect());
    let hypotheses = values.hypotheses.iter().map(|h| HypothesisDocument {
        hypothesis: h.name,
        growing: h.halves[0].as_ref().map(named),
        falling: h.halves[1].as_ref().map(named),
        mean: h.mean().as_ref().map(named),
        disparity: h.disparity().as_ref().map(named),
    });
    SemiAnalyticDocument {
        crossings: match values.crossing {
            Crossing::Interpolated => "interpolated",
            Crossing::Nearest => "nearest",
        },
        damping_ratio: values.damping_ratio,
        hypotheses: hypotheses.collect(),
    }
}

/// Whether the law suits, and the combinations, for people; diagnostics are not repeated.
pub fn text(found: &Identified) -> String {
    let Some(assessment) = found.loops.as_ref().and_then(|l| l.assessment.as_ref()) else {
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
