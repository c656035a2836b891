//! What a fit of a loop law says beside the rest: combinations, suitability, the semi-analytic values.

use masing_identify::loops::{
    Assessment, CompetingLaw, Crossing, Preference, SemiAnalytic, assess, loop_model,
    semi_analytic_of,
};
use masing_identify::{Fit, FitOptions, Method};
use masing_report::figures::{readable_unit, significant};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// The entries of `fit.json`; empty for other models.
#[derive(Default, Serialize)]
pub struct Loops {
    #[serde(skip_serializing_if = "Map::is_empty")]
    combinations: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suitability: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    semi_analytic: Vec<Value>,
    #[serde(skip)]
    assessment: Option<Assessment>,
}

impl Loops {
    /// Assesses the fit and adds what the user should know to its warnings.
    pub fn of(found: &mut Fit, options: &FitOptions) -> Self {
        if options.effort.method == Method::SemiAnalytic {
            return Self {
                semi_analytic: semi_analytic_values(found),
                ..Self::default()
            };
        }
        let Some(assessment) = assess(found, options) else {
            return Self::default();
        };
        found
            .diagnostics
            .extend(assessment.diagnostics.iter().cloned());
        let combinations = assessment.combinations.iter().map(|c| {
            let entry = json!({
                "value": c.value,
                "unit": c.unit,
                "std_error": c.std_error,
                "status": c.status.word(),
                "zref": c.reference,
            });
            (c.name.clone(), entry)
        });
        let rival = assessment.rival.as_ref().map(|rival| {
            json!({
                "model": rival.name,
                "relative_misfit": rival.relative,
                "delta_bic": rival.bic,
                "better": match rival.preference() {
                    Preference::Own => Some(assessment.law),
                    Preference::Other => Some(rival.name),
                    Preference::CannotTell => None,
                },
            })
        });
        Self {
            combinations: combinations.collect(),
            suitability: Some(json!({
                "suits": assessment.suits.word(),
                "other": rival,
                "message": assessment.words,
            })),
            semi_analytic: vec![],
            assessment: Some(assessment),
        }
    }

    /// The verdict and the combinations for people; what is a warning is not said twice.
    pub fn text(&self) -> String {
        let Some(assessment) = &self.assessment else {
            return String::new();
        };
        let mut text = String::new();
        let preference = assessment.rival.as_ref().map(CompetingLaw::preference);
        if preference.is_none_or(|p| p == Preference::Own) {
            let mut words = assessment.words.clone();
            if let Some(first) = words.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            let _ = writeln!(text, "{words}.");
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
}

/// The method on the fitted loop, with crossings between samples and at the nearest ones.
fn semi_analytic_values(found: &Fit) -> Vec<Value> {
    let law = loop_model(found.model.assembly());
    let rig = found.targets.first().and_then(|t| t.motion_record());
    let (Some(law), Some(rig)) = (law, rig) else {
        return vec![];
    };
    let part = &found.model.assembly().parts()[law.part];
    let names: Vec<String> = part
        .element
        .spec()
        .params
        .iter()
        .map(|p| p.name.clone())
        .collect();
    let each = [Crossing::Interpolated, Crossing::Nearest].into_iter();
    each.filter_map(|crossing| semi_analytic_of(law.law, rig, crossing))
        .map(|values| document(&values, &names))
        .collect()
}

fn document(values: &SemiAnalytic, names: &[String]) -> Value {
    let named = |p: &Vec<f64>| -> Map<String, Value> {
        let pairs = names.iter().zip(p);
        pairs
            .map(|(name, value)| (name.clone(), json!(value)))
            .collect()
    };
    let hypotheses = values.hypotheses.iter().map(|h| {
        json!({
            "hypothesis": h.name,
            "growing": h.halves[0].as_ref().map(named),
            "falling": h.halves[1].as_ref().map(named),
            "mean": h.mean().as_ref().map(named),
            "disparity": h.disparity().as_ref().map(named),
        })
    });
    json!({
        "crossings": match values.crossing {
            Crossing::Interpolated => "interpolated",
            Crossing::Nearest => "nearest",
        },
        "damping_ratio": values.damping_ratio,
        "hypotheses": hypotheses.collect::<Vec<_>>(),
    })
}
