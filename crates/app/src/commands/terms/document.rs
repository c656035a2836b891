//! `terms.json`: the result for programs, in SI.

use super::model::Built;
use crate::error::AppError;
use crate::names::units as units_of;
use masing_diagnostic::{Diagnostic, Entry, TermsDiagnostic};
use masing_model::MotionKind;
use masing_terms::{Estimate, Found, FrictionKind, Offer, Outcome, Slider};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The result.
#[derive(Serialize)]
pub struct Document {
    schema: &'static str,
    pub selected: Vec<String>,
    coefficients: Map<String, Value>,
    terms: Vec<Value>,
    apress: Vec<Value>,
    criteria: Value,
    jenkins: Value,
    distribution: Vec<Value>,
    chebyshev: Value,
    preload: Value,
    pub parameters: Map<String, Value>,
    misfit: Value,
    experiments: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offer: Option<Value>,
    pub warnings: Vec<Entry>,
}

impl Document {
    pub fn new(found: &Found, built: &Built, findings: &[Diagnostic]) -> Self {
        let ranking = &found.ranking;
        let terms = ranking.terms.iter().enumerate().map(|(k, r)| {
            json!({ "name": r.term.to_string(), "rank": k + 1, "err": r.err, "coefficient": r.coefficient })
        });
        let apress = ranking.apress.iter().map(|(alpha, curve)| {
            json!({ "alpha": alpha, "length": curve.length, "values": curve.values })
        });
        let units = built.model.params().into_iter().map(|(_, p)| p.unit);
        let parameters = built.parameters.iter().zip(units).map(|(p, unit)| {
            let mut entry = json!({
                "value": p.value, "unit": unit, "std_error": p.std_error, "ci95": p.ci95,
                "status": p.status.word(),
            });
            if let Some(spread) = p.leave_one_out {
                entry["leave_one_out"] = json!(spread);
            }
            (p.address.clone(), entry)
        });
        let preloads: Option<Diagnostic> = built
            .several_preloads
            .then(|| TermsDiagnostic::PreloadPerTest {}.into());
        let spoken = units_of(built.model.motion());
        let mut warnings: Vec<Entry> = Vec::new();
        for one in findings.iter().chain(&found.diagnostics).chain(&preloads) {
            let entry = Entry::of(one, spoken);
            // One file that is read for several tests says the same every time.
            if !warnings.contains(&entry) {
                warnings.push(entry);
            }
        }
        let coefficient =
            |c: &masing_terms::Curve| json!({ "length": c.length, "values": c.values });
        let unit = match built.model.motion() {
            MotionKind::Translation => "N",
            MotionKind::Rotation => "N m",
        };
        Self {
            schema: "masing.terms/1",
            selected: found.terms.iter().map(|c| c.term.to_string()).collect(),
            coefficients: found
                .terms
                .iter()
                .map(|c| {
                    let entry = json!({ "value": c.value, "std_error": c.std_error, "status": c.status.word() });
                    (c.term.to_string(), entry)
                })
                .collect(),
            terms: terms.collect(),
            apress: apress.collect(),
            criteria: json!({
                "aic": coefficient(&ranking.aic),
                "bic": coefficient(&ranking.bic),
                "validation": ranking.validation.as_ref().map(coefficient),
                "bic_lead": found.bic_lead.is_finite().then_some(found.bic_lead),
                "runner_up": found.runner_up,
                "dependent": ranking.dependent,
            }),
            jenkins: jenkins(found),
            distribution: found.distribution.iter().map(element).collect(),
            chebyshev: chebyshev(found),
            preload: json!({ "values": found.preload, "std_error": found.preload_error }),
            parameters: parameters.collect(),
            misfit: json!({
                "relative": found.relative, "rms": found.rms, "unit": unit, "chi2_dof": found.chi2_dof,
            }),
            experiments: found.tests.iter().map(|t| test(t, unit)).collect(),
            offer: found.offer.as_ref().map(offer),
            warnings,
        }
    }

    /// The bytes of `terms.json`.
    pub fn to_json(&self) -> Result<Vec<u8>, AppError> {
        let mut bytes =
            serde_json::to_vec_pretty(self).map_err(|error| AppError::Stdout(error.into()))?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

fn element(slider: &Slider) -> Value {
    json!({ "ks": slider.ks, "ys": slider.ys })
}

fn jenkins(found: &Found) -> Value {
    let friction = &found.friction;
    if friction.kind == FrictionKind::None {
        return Value::Null;
    }
    let pair = |own: Estimate| {
        let mut entry = json!({ "value": own.value, "std_error": own.std_error });
        if let Some(spread) = own.leave_one_out {
            entry["leave_one_out"] = json!(spread);
        }
        entry
    };
    json!({
        "ks": pair(friction.ks), "zs": pair(friction.zs), "ys": pair(friction.ys),
        "elements": friction.sliders.iter().map(|s| element(&s.plain())).collect::<Vec<_>>(),
    })
}

fn chebyshev(found: &Found) -> Value {
    let own = &found.chebyshev;
    let two = own.from_two;
    let all = own
        .from_all
        .map(|s| json!({ "ks": s.ks, "zs": s.zs(), "ys": s.ys }));
    json!({
        "coefficients": own.coefficients, "span": own.span,
        "ks": two.map(|s| s.ks), "zs": two.map(|s| s.zs()), "ys": two.map(|s| s.ys),
        "all_coefficients": all,
    })
}

/// Coefficients as functions of amplitude and frequency.
fn offer(offer: &Offer) -> Value {
    let trends = offer.trends.iter().map(|trend| {
        let powers = trend.powers.iter().map(|p| {
            json!({ "by": p.by.word(), "exponent": p.exponent, "std_error": p.std_error, "at": p.at })
        });
        let tests = trend.by_test.iter().zip(&offer.tests).map(|((value, error), test)| {
            json!({ "name": test.name, "amplitude": test.amplitude, "frequency": test.frequency,
                    "value": value, "std_error": error })
        });
        json!({ "name": trend.name, "powers": powers.collect::<Vec<_>>(),
                "by_test": tests.collect::<Vec<_>>() })
    });
    let coefficients = offer.terms.iter().map(|c| {
        let entry = json!({ "value": c.value, "std_error": c.std_error });
        (c.term.to_string(), entry)
    });
    let tests = offer
        .tests
        .iter()
        .map(|t| json!({ "name": t.name, "role": role(t), "relative_misfit": t.relative }));
    let sliders = offer.friction.sliders.iter();
    json!({
        "trends": trends.collect::<Vec<_>>(),
        "coefficients": coefficients.collect::<Map<_, _>>(),
        "elements": sliders.map(|s| element(&s.plain())).collect::<Vec<_>>(),
        "experiments": tests.collect::<Vec<_>>(),
        "chi2_dof": offer.chi2_dof, "bic_lead": offer.bic_lead,
    })
}

fn role(outcome: &Outcome) -> &'static str {
    if outcome.held_out { "validate" } else { "fit" }
}

/// A test as in `fit.json`.
fn test(outcome: &Outcome, unit: &str) -> Value {
    json!({
        "name": outcome.name,
        "role": role(outcome),
        "samples": outcome.samples,
        "relative_misfit": outcome.relative,
        "rms": outcome.rms,
        "unit": unit,
        "lag1": outcome.lag1,
        "noise": {
            "value": outcome.noise,
            "source": if outcome.noise_known { "cycles" } else { "residual" },
        },
    })
}
