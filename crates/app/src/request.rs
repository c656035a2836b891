//! Requests: everything that can be asked of `masing`, as plain values.
//!
//! What a study, the command line and a program say become the same request, which can be written and read with serde. A
//! request is run by its command and answered with a document.

/// A choice that a study, the command line and a program make by name, and what the libraries call it.
macro_rules! choice {
    (
        $(#[$about:meta])*
        pub enum $name:ident for $own:path {
            $($(#[$doc:meta])* $choice:ident,)*
        }
    ) => {
        $(#[$about])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
        )]
        #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
        #[serde(rename_all = "kebab-case")]
        pub enum $name {
            $($(#[$doc])* $choice,)*
        }

        impl From<$name> for $own {
            fn from(name: $name) -> Self {
                match name {
                    $($name::$choice => Self::$choice,)*
                }
            }
        }
    };
}
pub(crate) use choice;

mod compare;
pub(crate) mod condition;
mod export;
mod filter;
mod fit;
mod harmonic;
mod inspect;
mod model;
mod origin;
mod paths;
mod simulate;
mod stages;
pub(crate) mod study;
mod target;
mod terms;
mod test;
mod validate;
mod value;

pub use compare::{Budget, CompareOptions, CompareRequest};
pub use export::{ExportRequest, Format};
pub use filter::{FilterSource, Undo, unfiltered, unfiltered_drive};
pub use fit::{Choice, FitOptions, FitRequest, Held};
pub use harmonic::HarmonicRequest;
pub use inspect::{InitRequest, InspectRequest};
pub use model::{GivenModel, ModelSource, is_toml};
pub use origin::Origin;
pub use paths::expanded;
pub use simulate::SimulateRequest;
pub use stages::{StagesOptions, StagesRequest};
pub use target::TargetSource;
pub use terms::{RankingName, SignName, SlopeName, TermsOptions, TermsRequest};
pub use test::{
    AmplitudeName, GapsName, Initial, KindName, MovingMass, Nuisances, Role, TestSource,
    WindowChoice,
};
pub use validate::ValidateRequest;
pub use value::{Assignment, Listed, Value, assignments};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Show the catalogue of models, or one of them.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields, default)]
pub struct ModelsRequest {
    /// An element or preset
    pub name: Option<String>,
}
