//! A diagnostic of any subject.

use crate::{
    Advice, ChannelKind, FitDiagnostic, Missing, ReadingDiagnostic, RecordDiagnostic,
    ResultDiagnostic, StagesDiagnostic, TermsDiagnostic, TestDiagnostic, Units,
};
use std::fmt;
use std::path::{Path, PathBuf};

/// The name of a diagnostic for programs, kebab-case; it stays the same from version to version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
pub struct Code(pub(crate) &'static str);

impl Code {
    /// As text.
    pub fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// How much a diagnostic matters for the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Good to know; the result is as good without it.
    Note,
    /// The result holds with a reservation that the user should judge.
    Warning,
    /// The result is not to be trusted as it is.
    Untrusted,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Untrusted => "untrusted",
        })
    }
}

macro_rules! subjects {
    ($( $(#[$doc:meta])* $subject:ident($type:ident), )+) => {
        /// Something a user should know.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Diagnostic {
            $( $(#[$doc])* $subject($type), )+
            /// Any of them, said of one of several files.
            InFile {
                /// The file.
                file: PathBuf,
                /// What is said of it.
                about: Box<Diagnostic>,
            },
        }

        $(
            impl From<$type> for Diagnostic {
                fn from(own: $type) -> Self {
                    Self::$subject(own)
                }
            }
        )+

        impl Diagnostic {
            /// Its name for programs.
            pub fn code(&self) -> Code {
                match self {
                    $( Self::$subject(own) => own.code(), )+
                    Self::InFile { about, .. } => about.code(),
                }
            }

            /// How much it matters.
            pub fn severity(&self) -> Severity {
                match self {
                    $( Self::$subject(own) => own.severity(), )+
                    Self::InFile { about, .. } => about.severity(),
                }
            }

            /// What was found, with its values, without advice.
            pub fn message(&self, units: Units) -> String {
                match self {
                    $( Self::$subject(own) => own.message(units), )+
                    Self::InFile { file, about } => {
                        format!("{}: {}", file.display(), about.message(units))
                    }
                }
            }

            /// What to do about it, where there is something to do.
            pub fn advice(&self) -> Option<Advice> {
                match self {
                    $( Self::$subject(own) => own.advice(), )+
                    Self::InFile { about, .. } => about.advice(),
                }
            }

            /// What it means, whatever the values.
            pub fn meaning(&self) -> &'static str {
                match self {
                    $( Self::$subject(own) => own.meaning(), )+
                    Self::InFile { about, .. } => about.meaning(),
                }
                .trim()
            }

            /// The condition under which it appears.
            pub fn trigger(&self) -> String {
                match self {
                    $( Self::$subject(own) => own.trigger(), )+
                    Self::InFile { about, .. } => about.trigger(),
                }
            }

            /// One example of each diagnostic, by subject, in the order of the list.
            pub fn examples() -> Vec<(&'static str, Vec<Diagnostic>)> {
                vec![ $( ($type::SUBJECT, $type::examples()), )+ ]
            }
        }
    };
}

subjects! {
    /// Said while a file is read.
    Reading(ReadingDiagnostic),
    /// Said of a record.
    Record(RecordDiagnostic),
    /// Said of tests, drives and signals.
    Test(TestDiagnostic),
    /// Said of the results of every method.
    Result(ResultDiagnostic),
    /// Said of fits of parameters.
    Fit(FitDiagnostic),
    /// Said of terms.
    Terms(TermsDiagnostic),
    /// Said of staged devices.
    Stages(StagesDiagnostic),
}

impl Diagnostic {
    /// The same, said of a file.
    pub fn in_file(self, file: &Path) -> Self {
        Self::InFile {
            file: file.to_owned(),
            about: Box::new(self),
        }
    }

    /// What is said, of whatever file.
    pub fn about(&self) -> &Self {
        match self {
            Self::InFile { about, .. } => about.about(),
            own => own,
        }
    }

    /// Message and advice in one line.
    pub fn text(&self, units: Units) -> String {
        let message = self.message(units);
        match self.advice() {
            None => message,
            Some(advice) => format!("{message}; {}", advice.sentence(units)),
        }
    }

    /// Whether values of a force or torque are missing.
    pub fn is_gap_in_force(&self) -> bool {
        matches!(
            self.about(),
            Self::Reading(ReadingDiagnostic::Gap {
                missing: Missing::Values { channel, .. },
            }) if channel.kind == ChannelKind::Force
        )
    }

    /// Whether an average of a channel was undone.
    pub fn is_undone(&self) -> bool {
        matches!(
            self.about(),
            Self::Reading(ReadingDiagnostic::Undone { .. } | ReadingDiagnostic::UndoneNoise { .. })
        )
    }

    /// Whether it says that a unit is a guess or wrong, so that every number may be.
    pub fn doubts_units(&self) -> bool {
        matches!(
            self.about(),
            Self::Reading(ReadingDiagnostic::UnitAssumed { .. })
                | Self::Record(RecordDiagnostic::ImplausibleSize { .. })
        )
    }

    /// Whether a channel does not follow what was measured, or the part met something that is none of it.
    pub fn is_channel_fault(&self) -> bool {
        use RecordDiagnostic::{Clipped, Coarse, EndStop, Stuck};
        matches!(
            self.about(),
            Self::Record(Clipped { .. } | Coarse { .. } | EndStop { .. } | Stuck { .. })
        )
    }

    /// The test that was held out and moves where nothing was fitted, if it says so.
    pub fn untested(&self) -> Option<&str> {
        match self.about() {
            Self::Result(ResultDiagnostic::UntestedMotion { test, .. }) => Some(test),
            _ => None,
        }
    }

    /// Whether the residuals are larger than the noise explains.
    pub fn is_beyond_noise(&self) -> bool {
        matches!(
            self.about(),
            Self::Result(ResultDiagnostic::BeyondNoise { .. })
        )
    }

    /// Whether a model that was found gives out energy or pushes the wrong way inside what was tested.
    pub fn is_unsound(&self) -> bool {
        matches!(
            self.about(),
            Self::Terms(
                TermsDiagnostic::NonPassive { .. } | TermsDiagnostic::NegativeStiffness { .. }
            )
        )
    }
}

/// The largest severity among diagnostics; `None` where there are none.
pub fn worst(diagnostics: &[Diagnostic]) -> Option<Severity> {
    diagnostics.iter().map(Diagnostic::severity).max()
}

/// Whether nothing among them is more than a note.
pub fn all_good(diagnostics: &[Diagnostic]) -> bool {
    worst(diagnostics).is_none_or(|severity| severity == Severity::Note)
}
