//! The result of a search for terms.

use super::chebyshev::Slider;
use super::criteria::Curve;
use super::dictionary::Term;
use super::laws::By;
use masing_identify::Identified;
use masing_identify::uncertainty::Status;

/// A model whose terms were chosen, with what only this method knows.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The model, its parameters and its tests.
    pub identified: Identified,
    /// The candidates in the order of their choice.
    pub ranking: Ranking,
    /// The terms that the data support, with their coefficients.
    pub terms: Vec<Coefficient>,
    /// The friction part.
    pub friction: Friction,
    /// Stiffness over slip displacement, fitted together with all terms, non-negative.
    pub distribution: Vec<Slider>,
    /// The paper's route.
    pub chebyshev: Chebyshev,
    /// Preload as a displacement, test by test.
    pub preload: Vec<f64>,
    /// Standard error of the preload, where it was found.
    pub preload_error: Option<f64>,
    /// What the terms make of the tests, in the order of the comparisons.
    pub outcomes: Vec<Outcome>,
    /// Condition of the final problem with columns of length one.
    pub condition: f64,
    /// How much better BIC is than for the next best set of terms.
    pub bic_lead: f64,
    /// That set.
    pub runner_up: Vec<String>,
    /// Coefficients that vary between tests, offered where one set of coefficients was rejected.
    pub offer: Option<Offer>,
    /// Largest speed of the fitted tests.
    pub top_speed: f64,
}

/// The greedy order and the criteria along it.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// The terms in order.
    pub terms: Vec<Ranked>,
    /// Candidates that are linearly dependent on others.
    pub dependent: Vec<String>,
    /// APRESS for every factor.
    pub apress: Vec<(f64, Curve)>,
    /// Akaike's criterion.
    pub aic: Curve,
    /// Schwarz's criterion.
    pub bic: Curve,
    /// Relative error on the tests that were held out.
    pub validation: Option<Curve>,
    /// The length at the minimum of the strictest APRESS.
    pub length: usize,
}

/// One candidate in its place.
#[derive(Clone, Debug)]
pub struct Ranked {
    /// The term.
    pub term: Term,
    /// Error reduction ratio.
    pub err: f64,
    /// Coefficient in the model of the strictest APRESS; none for terms beyond it.
    pub coefficient: Option<f64>,
}

/// A coefficient with its error bar.
#[derive(Clone, Debug)]
pub struct Coefficient {
    /// The term.
    pub term: Term,
    /// Its value.
    pub value: f64,
    /// Its standard error.
    pub std_error: f64,
    /// What leaving out one test at a time says about it, with three tests or more; part of the standard error.
    pub leave_one_out: Option<f64>,
    /// Whether it can be trusted.
    pub status: Status,
}

/// What kind of friction the data support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrictionKind {
    /// None.
    None,
    /// One spring-slider.
    Single,
    /// Several spring-sliders, each with a slip displacement of its own.
    Several,
    /// Stiffnesses over a fixed grid of slip displacements.
    Distribution,
}

/// The friction part.
#[derive(Clone, Debug)]
pub struct Friction {
    /// Its kind.
    pub kind: FrictionKind,
    /// The sliders by slip displacement.
    pub sliders: Vec<FoundSlider>,
    /// Sum of stiffnesses.
    pub ks: Estimate,
    /// Sum of slip forces.
    pub zs: Estimate,
    /// Slip displacement of the whole, zs/ks.
    pub ys: Estimate,
}

/// One slider of the friction part.
#[derive(Clone, Copy, Debug)]
pub struct FoundSlider {
    /// Stiffness.
    pub ks: Estimate,
    /// Slip displacement; on a grid it has no standard error.
    pub ys: Estimate,
}

impl FoundSlider {
    /// Without error bars.
    pub fn plain(&self) -> Slider {
        Slider {
            ks: self.ks.value,
            ys: self.ys.value,
        }
    }
}

/// A value with its error bar.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Its standard error; none where it was not sought.
    pub std_error: Option<f64>,
    /// What leaving out one test at a time says about it; part of the standard error.
    pub leave_one_out: Option<f64>,
}

/// Stiffness and slip of one slider from Chebyshev coefficients.
#[derive(Clone, Debug)]
pub struct Chebyshev {
    /// Coefficients a0, a1, ... of the ranked model; none for degrees that it left out.
    pub coefficients: Vec<Option<f64>>,
    /// The longest stroke.
    pub span: f64,
    /// From a0 and a1, eq (37).
    pub from_two: Option<Slider>,
    /// From all coefficients with their covariance.
    pub from_all: Option<Slider>,
}

/// The motion of one test, and what the terms make of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Amplitude of the motion.
    pub amplitude: f64,
    /// Frequency of the motion.
    pub frequency: f64,
    /// Largest speed.
    pub top_speed: f64,
    /// The samples compared.
    pub rows: Vec<usize>,
    /// Force of the model, for every sample of the record.
    pub predicted: Vec<f64>,
    /// Force of the friction part, for every sample of the record.
    pub friction: Vec<f64>,
}

/// Coefficients that follow powers of amplitude and frequency, offered where one set of coefficients was
/// rejected.
#[derive(Clone, Debug)]
pub struct Offer {
    /// What changes, in the order of its importance.
    pub trends: Vec<Trend>,
    /// The terms with their coefficients at the amplitude and frequency that the trends name.
    pub terms: Vec<Coefficient>,
    /// The friction part, likewise.
    pub friction: Friction,
    /// Relative error of each test with these coefficients, in the order of the comparisons.
    pub errors: Vec<f64>,
    /// Mean square over the noise, where the noise of every test is known.
    pub chi2_dof: Option<f64>,
    /// Improvement of BIC.
    pub bic_lead: f64,
}

/// A coefficient as a power of amplitude and frequency.
#[derive(Clone, Debug)]
pub struct Trend {
    /// Name of the coefficient; `friction` is the stiffness of all spring-sliders, `slip` their slip displacement.
    pub name: String,
    /// Exponents, each with its standard error.
    pub powers: Vec<Power>,
    /// The coefficient of each fitted test if only this coefficient differs between tests, with its standard
    /// error.
    pub by_test: Vec<(f64, f64)>,
}

/// One exponent.
#[derive(Clone, Copy, Debug)]
pub struct Power {
    /// What the coefficient follows.
    pub by: By,
    /// The exponent.
    pub exponent: f64,
    /// Its standard error.
    pub std_error: f64,
    /// The amplitude or frequency at which the coefficient has the size that is given.
    pub at: f64,
}

impl Terms {
    /// The coefficient of a term, 0 where it is not part of the model.
    pub fn value(&self, term: &Term) -> f64 {
        let found = self.terms.iter().find(|c| c.term == *term);
        found.map_or(0.0, |c| c.value)
    }
}
