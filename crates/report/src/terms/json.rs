//! `terms.json`: the result for programs, in SI.

use crate::identified::json::{ErrorDocument, EstimateDocument, TestDocument, warnings};
use crate::json::{Named, document, each};
use masing_diagnostic::Entry;
use masing_identify::result::Comparison;
use masing_terms::{
    Chebyshev, Coefficient, Curve, Estimate, FoundSlider, Friction, FrictionKind, Offer, Outcome,
    Power, Ranked, Slider, Terms, Trend,
};

document! {
    /// `masing.terms/1`.
    pub TermsDocument(terms: &Terms) {
        schema: &'static str = "masing.terms/1",
        selected: Vec<String> = each(&terms.terms, |c| c.term.to_string()),
        coefficients: Named<CoefficientDocument> = coefficients(&terms.terms, true),
        terms: Vec<RankedDocument> = {
            let ranked = terms.ranking.terms.iter().enumerate();
            ranked.map(|(k, own)| RankedDocument::of(own, k + 1)).collect()
        },
        apress: Vec<ApressDocument> = each(&terms.ranking.apress, ApressDocument::of),
        criteria: CriteriaDocument = CriteriaDocument::of(terms),
        jenkins: Option<FrictionDocument> = {
            let friction = Some(&terms.friction);
            friction.filter(|own| own.kind != FrictionKind::None).map(FrictionDocument::of)
        },
        distribution: Vec<SliderDocument> =
            each(&terms.distribution, |own| SliderDocument::of(*own)),
        chebyshev: ChebyshevDocument = ChebyshevDocument::of(&terms.chebyshev),
        preload: PreloadDocument = PreloadDocument::of(terms),
        parameters: Named<EstimateDocument> = EstimateDocument::all(&terms.identified.estimates),
        misfit: ErrorDocument = ErrorDocument::of(&terms.identified.error),
        experiments: Vec<TestDocument> = each(&terms.identified.comparisons, TestDocument::of),
        #[serde(skip_serializing_if = "Named::is_empty")]
        others: Named<EstimateDocument> = EstimateDocument::all(&terms.identified.nuisance),
        #[serde(skip_serializing_if = "Option::is_none")]
        offer: Option<VaryingDocument> = terms.offer.as_ref().map(|own| VaryingDocument::of(own, terms)),
        #[schemars(with = "Vec<crate::json::EntrySchema>")]
        warnings: Vec<Entry> = warnings(&terms.identified),
    }
}

fn coefficients(terms: &[Coefficient], graded: bool) -> Named<CoefficientDocument> {
    let entry = |c| CoefficientDocument::of(c, graded);
    Named(each(terms, |c| (c.term.to_string(), entry(c))))
}

document! {
    pub(crate) CoefficientDocument(own: &Coefficient, graded: bool) {
        value: f64 = own.value,
        std_error: f64 = own.std_error,
        #[serde(skip_serializing_if = "Option::is_none")]
        status: Option<&'static str> = graded.then(|| own.status.word()),
    }
}

document! {
    /// A candidate in its place; `coefficient` is `null` beyond the model of the strictest APRESS.
    pub(crate) RankedDocument(own: &Ranked, rank: usize) {
        name: String = own.term.to_string(),
        rank: usize = rank,
        err: f64 = own.err,
        coefficient: Option<f64> = own.coefficient,
    }
}

document! {
    pub(crate) ApressDocument(own: &(f64, Curve)) {
        alpha: f64 = own.0,
        length: usize = own.1.length,
        values: Vec<f64> = own.1.values.clone(),
    }
}

document! {
    pub(crate) CurveDocument(own: &Curve) {
        length: usize = own.length,
        values: Vec<f64> = own.values.clone(),
    }
}

document! {
    pub(crate) CriteriaDocument(found: &Terms) {
        aic: CurveDocument = CurveDocument::of(&found.ranking.aic),
        bic: CurveDocument = CurveDocument::of(&found.ranking.bic),
        validation: Option<CurveDocument> = found.ranking.validation.as_ref().map(CurveDocument::of),
        bic_lead: Option<f64> = Some(found.bic_lead).filter(|lead| lead.is_finite()),
        runner_up: Vec<String> = found.runner_up.clone(),
        dependent: Vec<String> = found.ranking.dependent.clone(),
    }
}

document! {
    pub(crate) FrictionDocument(friction: &Friction) {
        ks: ValueDocument = ValueDocument::of(friction.ks),
        zs: ValueDocument = ValueDocument::of(friction.zs),
        ys: ValueDocument = ValueDocument::of(friction.ys),
        elements: Vec<SliderDocument> = sliders(&friction.sliders),
    }
}

fn sliders(found: &[FoundSlider]) -> Vec<SliderDocument> {
    each(found, |own| SliderDocument::of(own.plain()))
}

document! {
    pub(crate) ValueDocument(own: Estimate) {
        value: f64 = own.value,
        std_error: Option<f64> = own.std_error,
        #[serde(skip_serializing_if = "Option::is_none")]
        leave_one_out: Option<f64> = own.leave_one_out,
    }
}

document! {
    pub(crate) SliderDocument(own: Slider) {
        ks: f64 = own.ks,
        ys: f64 = own.ys,
    }
}

document! {
    /// One slider from Chebyshev coefficients; `ks`, `zs` and `ys` are `null` where a1/a0 is not positive.
    pub(crate) ChebyshevDocument(own: &Chebyshev) {
        coefficients: Vec<Option<f64>> = own.coefficients.clone(),
        span: f64 = own.span,
        ks: Option<f64> = own.from_two.map(|s| s.ks),
        zs: Option<f64> = own.from_two.map(|s| s.zs()),
        ys: Option<f64> = own.from_two.map(|s| s.ys),
        all_coefficients: Option<WholeSlider> = own.from_all.map(WholeSlider::of),
    }
}

document! {
    pub(crate) WholeSlider(own: Slider) {
        ks: f64 = own.ks,
        zs: f64 = own.zs(),
        ys: f64 = own.ys,
    }
}

document! {
    pub(crate) PreloadDocument(found: &Terms) {
        values: Vec<f64> = found.preload.clone(),
        std_error: Option<f64> = found.preload_error,
    }
}

document! {
    /// Coefficients as functions of amplitude and frequency.
    pub(crate) VaryingDocument(offer: &Offer, of: &Terms) {
        trends: Vec<TrendDocument> = each(&offer.trends, |trend| TrendDocument::of(trend, of)),
        coefficients: Named<CoefficientDocument> = coefficients(&offer.terms, false),
        elements: Vec<SliderDocument> = sliders(&offer.friction.sliders),
        experiments: Vec<VaryingTest> = {
            let tests = of.identified.comparisons.iter().zip(&offer.errors);
            tests.map(|(test, error)| VaryingTest::of(test, *error)).collect()
        },
        chi2_dof: Option<f64> = offer.chi2_dof,
        bic_lead: f64 = offer.bic_lead,
    }
}

document! {
    pub(crate) TrendDocument(trend: &Trend, of: &Terms) {
        name: String = trend.name.clone(),
        powers: Vec<PowerDocument> = each(&trend.powers, PowerDocument::of),
        by_test: Vec<ByTest> = {
            let tests = of.identified.comparisons.iter().zip(&of.outcomes);
            let each = trend.by_test.iter().zip(tests);
            each.map(|(own, (test, motion))| ByTest::of(*own, test, motion)).collect()
        },
    }
}

document! {
    pub(crate) PowerDocument(own: &Power) {
        by: &'static str = own.by.word(),
        exponent: f64 = own.exponent,
        std_error: f64 = own.std_error,
        at: f64 = own.at,
    }
}

document! {
    pub(crate) ByTest(own: (f64, f64), test: &Comparison, motion: &Outcome) {
        name: String = test.name.clone(),
        amplitude: f64 = motion.amplitude,
        frequency: f64 = motion.frequency,
        value: f64 = own.0,
        std_error: f64 = own.1,
    }
}

document! {
    pub(crate) VaryingTest(test: &Comparison, error: f64) {
        name: String = test.name.clone(),
        role: &'static str = test.role.word(),
        relative_misfit: f64 = error,
    }
}
