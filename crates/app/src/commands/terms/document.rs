//! `terms.json`: the result for programs, in SI.

use super::model::Built;
use crate::commands::fit::Remark;
use crate::error::AppError;
use masing_data::Finding;
use masing_identify::terms::{Found, FrictionKind, Outcome, Slider};
use masing_model::MotionKind;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The result.
#[derive(Serialize)]
pub struct Document {
    schema: &'static str,
    pub selected: Vec<String>,
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    by_test: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    trends: Vec<Value>,
    pub warnings: Vec<Remark>,
}

impl Document {
    pub fn new(found: &Found, built: &Built, findings: &[Finding]) -> Self {
        let ranking = &found.ranking;
        let terms = ranking.terms.iter().enumerate().map(|(k, r)| {
            json!({ "name": r.term.to_string(), "rank": k + 1, "err": r.err, "coefficient": r.coefficient })
        });
        let apress = ranking.apress.iter().map(|(alpha, curve)| {
            json!({ "alpha": alpha, "length": curve.length, "values": curve.values })
        });
        let units = built.model.params().into_iter().map(|(_, p)| p.unit);
        let parameters = built.parameters.iter().zip(units).map(|(p, unit)| {
            let entry = json!({
                "value": p.value, "unit": unit, "std_error": p.std_error, "ci95": p.ci95,
                "status": p.status.word(),
            });
            (p.address.clone(), entry)
        });
        let mut warnings: Vec<Remark> = findings.iter().map(Remark::of).collect();
        warnings.extend(found.warnings.iter().map(|w| Remark {
            code: w.code.to_owned(),
            message: w.message.clone(),
        }));
        if built.several_preloads {
            warnings.push(Remark {
                code: "preload-per-test".to_owned(),
                message: "the tests have different preloads; model.toml holds none, give it with the motion".to_owned(),
            });
        }
        let coefficient =
            |c: &masing_identify::terms::Curve| json!({ "length": c.length, "values": c.values });
        let unit = match built.model.motion() {
            MotionKind::Translation => "N",
            MotionKind::Rotation => "N m",
        };
        Self {
            schema: "masing.terms/1",
            selected: found.terms.iter().map(|c| c.term.to_string()).collect(),
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
            by_test: found.by_test.iter().map(|t| {
                let mut values: Map<String, Value> = Map::new();
                let names = found.terms.iter().map(|c| c.term.to_string());
                for (name, value) in names.chain(["ks".to_owned()]).zip(&t.values) {
                    values.insert(name, json!(value.is_finite().then_some(value)));
                }
                json!({ "name": t.name, "amplitude": t.amplitude, "frequency": t.frequency,
                        "relative_misfit": t.relative, "values": values })
            }).collect(),
            trends: found.trends.iter().map(|t| {
                json!({ "name": t.name, "amplitude_exponent": t.amplitude, "frequency_exponent": t.frequency })
            }).collect(),
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
    let pair = |(value, std_error): (f64, f64)| json!({ "value": value, "std_error": std_error });
    json!({
        "ks": pair(friction.ks), "zs": pair(friction.zs), "ys": pair(friction.ys),
        "elements": friction.sliders.iter().map(|(s, ..)| element(s)).collect::<Vec<_>>(),
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

/// A test as in `fit.json`.
fn test(outcome: &Outcome, unit: &str) -> Value {
    json!({
        "name": outcome.name,
        "role": if outcome.held_out { "validate" } else { "fit" },
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
