//! Choices that the command line and a study share.

use masing_identify::{Loss, Method, Weights};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How tests count against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
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
