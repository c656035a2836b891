//! Hysteresis loops: where to start, what a loop determines, whether the law suits.

mod combination;
mod fourier;
mod law;
mod regression;
mod semi_analytic;
pub(crate) mod start;
mod suitability;
mod weak_form;

pub use combination::Combination;
pub use fourier::{Fourier, fourier};
pub use law::{LoopModel, loop_model};
pub(crate) use semi_analytic::by_formula;
pub use semi_analytic::{Crossing, Hypothesis, SemiAnalytic, semi_analytic, semi_analytic_of};
use suitability::assess;
pub use suitability::{Assessment, CompetingLaw, Preference, Suits};
pub use weak_form::{WeakStart, weak_starts};

use crate::fit::{FitOptions, Solution};
use crate::search::Method;

/// What is known in addition about a fit of one hysteresis loop.
#[derive(Clone, Debug)]
pub struct Loops {
    /// Whether the law suits, and what the tests determine together; none where the values come from formulas.
    pub assessment: Option<Assessment>,
    /// The values by formula, with crossings between samples and at the nearest ones.
    pub semi_analytic: Vec<SemiAnalytic>,
}

impl Loops {
    /// Of a fit; none for other laws, or if not requested.
    pub(crate) fn of(found: &Solution, options: &FitOptions) -> Option<Self> {
        if options.effort.method != Method::SemiAnalytic {
            let assessment = options.assess_loops.then(|| assess(found, options))?;
            return assessment.map(|assessment| Self {
                assessment: Some(assessment),
                semi_analytic: Vec::new(),
            });
        }
        let law = loop_model(found.model.assembly())?;
        let rig = found.simulated.first().and_then(|t| t.motion_record())?;
        let each = [Crossing::Interpolated, Crossing::Nearest].into_iter();
        Some(Self {
            assessment: None,
            semi_analytic: each
                .filter_map(|crossing| semi_analytic_of(law.law, rig, crossing))
                .collect(),
        })
    }
}
