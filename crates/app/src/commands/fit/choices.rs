//! Choices that the command line and a study share.

use crate::error::AppError;
use clap::ValueEnum;
use masing_identify::test::TestSpec;
use masing_identify::{Loss, Method, Nuisance, Weights};

/// How tests count against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Share {
    /// Every test counts the same
    Equal,
    /// Every sample counts by its noise
    Noise,
}

impl From<Share> for Weights {
    fn from(share: Share) -> Self {
        match share {
            Share::Equal => Weights::Equal,
            Share::Noise => Weights::Noise,
        }
    }
}

/// How much large differences count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, serde::Deserialize)]
pub enum LossName {
    /// Their square
    #[serde(rename = "linear")]
    Linear,
    /// The square up to 1.3 standard deviations, straight beyond
    #[serde(rename = "huber")]
    Huber,
    /// A smooth blend of both
    #[serde(rename = "soft-l1")]
    SoftL1,
}

impl From<LossName> for Loss {
    fn from(name: LossName) -> Self {
        match name {
            LossName::Linear => Loss::Linear,
            LossName::Huber => Loss::Huber,
            LossName::SoftL1 => Loss::SoftL1,
        }
    }
}

/// How to go downhill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MethodName {
    /// Trust region on exact Jacobians, with adjoint gradients first where there are many unknowns
    Auto,
    /// Trust region on exact Jacobians
    TrustRegion,
    /// Quasi-Newton line search on adjoint gradients
    Bfgs,
    /// The same with limited memory
    Lbfgs,
    /// No search: formulas for one loop of dahl or bouc-wen
    SemiAnalytic,
}

impl From<MethodName> for Method {
    fn from(name: MethodName) -> Self {
        match name {
            MethodName::Auto => Method::Auto,
            MethodName::TrustRegion => Method::TrustRegion,
            MethodName::Bfgs => Method::Bfgs,
            MethodName::Lbfgs => Method::Lbfgs,
            MethodName::SemiAnalytic => Method::SemiAnalytic,
        }
    }
}

/// A negative mass asks for it to be found.
pub const SOUGHT: f64 = -1.0;

/// `force-offset,delay,moving-mass=0.35`.
pub fn nuisance(texts: &[String]) -> Result<Nuisance, AppError> {
    let mut out = Nuisance::default();
    for text in texts.iter().flat_map(|text| text.split(',')).map(str::trim) {
        let mass = text.strip_prefix("moving-mass=").map(str::parse::<f64>);
        match (text, mass) {
            ("force-offset", _) => out.force_offset = true,
            ("displacement-offset", _) => out.motion_offset = true,
            ("delay", _) => out.delay = true,
            ("moving-mass", _) => out.moving_mass = Some(SOUGHT),
            (_, Some(Ok(mass))) if mass >= 0.0 && mass.is_finite() => out.moving_mass = Some(mass),
            _ => {
                let expected = "force-offset, displacement-offset, delay, moving-mass or moving-mass=KG, separated by commas";
                return Err(AppError::option("--nuisance", text, expected));
            }
        }
    }
    Ok(out)
}

/// What the command line says about every test.
pub fn said_of_all(
    spec: &mut TestSpec,
    preload: Option<&String>,
    disturbed: &[String],
) -> Result<(), AppError> {
    if let Some(preload) = preload {
        spec.preload = Some(preload.clone());
    }
    if !disturbed.is_empty() {
        spec.nuisance = nuisance(disturbed)?;
    }
    Ok(())
}
