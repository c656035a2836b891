//! The one list of diagnostics: what a user should know before trusting data or a result.
//!
//! A diagnostic is a variant with typed values. Its code (for programs), severity, message, advice and
//! the condition that triggers it stand beside the variant, in one file per subject. Nothing in the
//! program is decided by comparing codes or words: match on the variant, or ask for its severity.
//!
//! ```
//! use masing_diagnostic::{Diagnostic, FitDiagnostic, Severity, Units};
//!
//! let found = Diagnostic::from(FitDiagnostic::AtBound { address: "bouc-wen.n".to_owned(), value: 10.0 });
//! assert_eq!(found.code().as_str(), "at-bound");
//! assert_eq!(found.severity(), Severity::Warning);
//! assert!(found.message(Units::Translation).starts_with("`bouc-wen.n` ended at the edge of its range"));
//! // A verdict follows from severities.
//! assert!(!masing_diagnostic::all_good(&[found]));
//! ```
//!
//! [`thresholds`] holds every limit beyond which something is a diagnostic, with its reason.
//! `docs/book/src/diagnostics.md` is made from this list by `cargo xtask generate`.

#[macro_use]
mod list;

mod advice;
mod channel;
mod diagnostic;
mod entry;
mod fit;
mod page;
mod reading;
mod record;
mod record_kind;
mod result;
mod stages;
mod terms;
mod test;
pub mod thresholds;
mod units;
mod words;

pub use advice::{Advice, Centre};
pub use channel::{Channel, ChannelKind};
pub use diagnostic::{Code, Diagnostic, Severity, all_good, worst};
pub use entry::{Entry, entries};
pub use fit::{FitDiagnostic, KnownCombination, percent};
pub use page::page;
pub use reading::{Missing, ReadAs, ReadingDiagnostic, TimeFrom};
pub use record::{Ends, FewSamplesSpoil, ImplausibleSize, RecordDiagnostic};
pub use record_kind::RecordKind;
pub use result::{Method, Nuisance, ResultDiagnostic, Sought, TellsApart, Undetermined};
pub use stages::{Clearance, CoarseSampling, NoStages, StagesDiagnostic, WeakFriction};
pub use terms::{Beyond, TermsDiagnostic};
pub use test::{
    AccelerationDoubt, InitialState, OtherTest, PreloadBy, Reuse, SignalSampling, TestDiagnostic,
};
pub use units::Units;
