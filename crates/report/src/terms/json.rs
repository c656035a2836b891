//! `terms.json`: the result for programs, in SI.

use crate::identified::json::{ErrorDocument, EstimateDocument, TestDocument, warnings};
use crate::json::Named;
use masing_diagnostic::Entry;
use masing_terms::{
    Coefficient, Curve, Estimate, Found, FrictionKind, Offer, Outcome, Slider, Terms, Trend,
};
use schemars::JsonSchema;
use serde::Serialize;

/// `masing.terms/1`.
#[derive(JsonSchema, Serialize)]
pub struct TermsDocument {
    schema: &'static str,
    selected: Vec<String>,
    coefficients: Named<CoefficientDocument>,
    terms: Vec<RankedDocument>,
    apress: Vec<ApressDocument>,
    criteria: CriteriaDocument,
    jenkins: Option<FrictionDocument>,
    distribution: Vec<SliderDocument>,
    chebyshev: ChebyshevDocument,
    preload: PreloadDocument,
    parameters: Named<EstimateDocument>,
    misfit: ErrorDocument,
    experiments: Vec<TestDocument>,
    #[serde(skip_serializing_if = "Named::is_empty")]
    others: Named<EstimateDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offer: Option<VaryingDocument>,
    #[schemars(with = "Vec<crate::json::EntrySchema>")]
    warnings: Vec<Entry>,
}

#[derive(JsonSchema, Serialize)]
struct CoefficientDocument {
    value: f64,
    std_error: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
}

/// A candidate in its place; `coefficient` is `null` beyond the model of the strictest APRESS.
#[derive(JsonSchema, Serialize)]
struct RankedDocument {
    name: String,
    rank: usize,
    err: f64,
    coefficient: Option<f64>,
}

#[derive(JsonSchema, Serialize)]
struct ApressDocument {
    alpha: f64,
    length: usize,
    values: Vec<f64>,
}

#[derive(JsonSchema, Serialize)]
struct CurveDocument {
    length: usize,
    values: Vec<f64>,
}

#[derive(JsonSchema, Serialize)]
struct CriteriaDocument {
    aic: CurveDocument,
    bic: CurveDocument,
    validation: Option<CurveDocument>,
    bic_lead: Option<f64>,
    runner_up: Vec<String>,
    dependent: Vec<String>,
}

#[derive(JsonSchema, Serialize)]
struct FrictionDocument {
    ks: ValueDocument,
    zs: ValueDocument,
    ys: ValueDocument,
    elements: Vec<SliderDocument>,
}

#[derive(JsonSchema, Serialize)]
struct ValueDocument {
    value: f64,
    std_error: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    leave_one_out: Option<f64>,
}

#[derive(JsonSchema, Serialize)]
struct SliderDocument {
    ks: f64,
    ys: f64,
}

/// One slider from Chebyshev coefficients; `ks`, `zs` and `ys` are `null` where a1/a0 is not positive.
#[derive(JsonSchema, Serialize)]
struct ChebyshevDocument {
    coefficients: Vec<Option<f64>>,
    span: f64,
    ks: Option<f64>,
    zs: Option<f64>,
    ys: Option<f64>,
    all_coefficients: Option<WholeSlider>,
}

#[derive(JsonSchema, Serialize)]
struct WholeSlider {
    ks: f64,
    zs: f64,
    ys: f64,
}

#[derive(JsonSchema, Serialize)]
struct PreloadDocument {
    values: Vec<f64>,
    std_error: Option<f64>,
}

/// Coefficients as functions of amplitude and frequency.
#[derive(JsonSchema, Serialize)]
struct VaryingDocument {
    trends: Vec<TrendDocument>,
    coefficients: Named<CoefficientDocument>,
    elements: Vec<SliderDocument>,
    experiments: Vec<VaryingTest>,
    chi2_dof: Option<f64>,
    bic_lead: f64,
}

#[derive(JsonSchema, Serialize)]
struct TrendDocument {
    name: String,
    powers: Vec<PowerDocument>,
    by_test: Vec<ByTest>,
}

#[derive(JsonSchema, Serialize)]
struct PowerDocument {
    by: &'static str,
    exponent: f64,
    std_error: f64,
    at: f64,
}

#[derive(JsonSchema, Serialize)]
struct ByTest {
    name: String,
    amplitude: f64,
    frequency: f64,
    value: f64,
    std_error: f64,
}

#[derive(JsonSchema, Serialize)]
struct VaryingTest {
    name: String,
    role: &'static str,
    relative_misfit: f64,
}

impl TermsDocument {
    /// Of a result.
    pub fn of(terms: &Terms) -> Self {
        let (found, identified) = (&terms.found, &terms.identified);
        let ranking = &found.ranking;
        let ranked = ranking
            .terms
            .iter()
            .enumerate()
            .map(|(k, r)| RankedDocument {
                name: r.term.to_string(),
                rank: k + 1,
                err: r.err,
                coefficient: r.coefficient,
            });
        let apress = ranking.apress.iter().map(|(alpha, curve)| ApressDocument {
            alpha: *alpha,
            length: curve.length,
            values: curve.values.clone(),
        });
        Self {
            schema: "masing.terms/1",
            selected: found.terms.iter().map(|c| c.term.to_string()).collect(),
            coefficients: coefficients(&found.terms, true),
            terms: ranked.collect(),
            apress: apress.collect(),
            criteria: CriteriaDocument {
                aic: curve(&ranking.aic),
                bic: curve(&ranking.bic),
                validation: ranking.validation.as_ref().map(curve),
                bic_lead: found.bic_lead.is_finite().then_some(found.bic_lead),
                runner_up: found.runner_up.clone(),
                dependent: ranking.dependent.clone(),
            },
            jenkins: friction(found),
            distribution: found.distribution.iter().map(slider).collect(),
            chebyshev: chebyshev(found),
            preload: PreloadDocument {
                values: found.preload.clone(),
                std_error: found.preload_error,
            },
            parameters: EstimateDocument::all(&identified.estimates),
            misfit: ErrorDocument::of(&identified.error),
            experiments: identified
                .comparisons
                .iter()
                .map(TestDocument::of)
                .collect(),
            others: EstimateDocument::all(&identified.nuisance),
            offer: found.offer.as_ref().map(varying),
            warnings: warnings(identified),
        }
    }
}

fn coefficients(terms: &[Coefficient], graded: bool) -> Named<CoefficientDocument> {
    let each = terms.iter().map(|c| {
        let entry = CoefficientDocument {
            value: c.value,
            std_error: c.std_error,
            status: graded.then(|| c.status.word()),
        };
        (c.term.to_string(), entry)
    });
    Named(each.collect())
}

fn curve(own: &Curve) -> CurveDocument {
    CurveDocument {
        length: own.length,
        values: own.values.clone(),
    }
}

fn slider(own: &Slider) -> SliderDocument {
    SliderDocument {
        ks: own.ks,
        ys: own.ys,
    }
}

fn friction(found: &Found) -> Option<FrictionDocument> {
    let friction = &found.friction;
    let value = |own: Estimate| ValueDocument {
        value: own.value,
        std_error: own.std_error,
        leave_one_out: own.leave_one_out,
    };
    (friction.kind != FrictionKind::None).then(|| FrictionDocument {
        ks: value(friction.ks),
        zs: value(friction.zs),
        ys: value(friction.ys),
        elements: friction
            .sliders
            .iter()
            .map(|s| slider(&s.plain()))
            .collect(),
    })
}

fn chebyshev(found: &Found) -> ChebyshevDocument {
    let own = &found.chebyshev;
    let two = own.from_two;
    ChebyshevDocument {
        coefficients: own.coefficients.clone(),
        span: own.span,
        ks: two.map(|s| s.ks),
        zs: two.map(|s| s.zs()),
        ys: two.map(|s| s.ys),
        all_coefficients: own.from_all.map(|s| WholeSlider {
            ks: s.ks,
            zs: s.zs(),
            ys: s.ys,
        }),
    }
}

fn varying(offer: &Offer) -> VaryingDocument {
    let sliders = offer.friction.sliders.iter();
    VaryingDocument {
        trends: offer
            .trends
            .iter()
            .map(|t| trend(t, &offer.tests))
            .collect(),
        coefficients: coefficients(&offer.terms, false),
        elements: sliders.map(|s| slider(&s.plain())).collect(),
        experiments: offer
            .tests
            .iter()
            .map(|t| VaryingTest {
                name: t.name.clone(),
                role: if t.held_out { "validate" } else { "fit" },
                relative_misfit: t.relative,
            })
            .collect(),
        chi2_dof: offer.chi2_dof,
        bic_lead: offer.bic_lead,
    }
}

fn trend(trend: &Trend, tests: &[Outcome]) -> TrendDocument {
    let powers = trend.powers.iter().map(|p| PowerDocument {
        by: p.by.word(),
        exponent: p.exponent,
        std_error: p.std_error,
        at: p.at,
    });
    let each = trend.by_test.iter().zip(tests);
    let by_test = each.map(|((value, std_error), test)| ByTest {
        name: test.name.clone(),
        amplitude: test.amplitude,
        frequency: test.frequency,
        value: *value,
        std_error: *std_error,
    });
    TrendDocument {
        name: trend.name.clone(),
        powers: powers.collect(),
        by_test: by_test.collect(),
    }
}
