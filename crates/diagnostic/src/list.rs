//! One table per subject: each variant with everything that is known about it.

/// Declares the diagnostics of one subject.
///
/// The doc comment of a variant is its meaning on the page of diagnostics; each field has an example,
/// from which tests and page are made.
macro_rules! diagnostics {
    (
        $(#[$outer:meta])*
        pub enum $name:ident, $subject:literal {
            $(
                $(#[doc = $meaning:literal])+
                $variant:ident { $( $field:ident : $type:ty = $example:expr ),* $(,)? }
                code: $code:literal, severity: $severity:ident;
                trigger: $trigger:expr;
                message($units:pat): $message:expr;
                $( advice: $advice:expr; )?
            )+
        }
    ) => {
        $(#[$outer])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "fields are named after what the message says about them")]
        pub enum $name {
            $( $(#[doc = $meaning])+ $variant { $( $field: $type ),* }, )+
        }

        #[allow(unused_variables, reason = "not every field is in every text")]
        impl $name {
            /// What these diagnostics are about.
            pub(crate) const SUBJECT: &'static str = $subject;

            pub(crate) fn code(&self) -> $crate::Code {
                match self {
                    $( Self::$variant { .. } => $crate::Code($code), )+
                }
            }

            pub(crate) fn severity(&self) -> $crate::Severity {
                match self {
                    $( Self::$variant { .. } => $crate::Severity::$severity, )+
                }
            }

            pub(crate) fn meaning(&self) -> &'static str {
                match self {
                    $( Self::$variant { .. } => concat!($($meaning),+), )+
                }
            }

            pub(crate) fn trigger(&self) -> String {
                match self {
                    $( Self::$variant { .. } => ($trigger).to_string(), )+
                }
            }

            pub(crate) fn message(&self, units: $crate::Units) -> String {
                match self {
                    $( Self::$variant { $( $field ),* } => {
                        let $units = units;
                        $message
                    } )+
                }
            }

            pub(crate) fn advice(&self) -> Option<$crate::Advice> {
                match self {
                    $( Self::$variant { $( $field ),* } => diagnostics!(@advice $( $advice )?), )+
                }
            }

            pub(crate) fn examples() -> Vec<$crate::Diagnostic> {
                vec![ $( Self::$variant { $( $field: $example ),* }.into(), )+ ]
            }

            /// The diagnostic, said of a file.
            pub fn in_file(self, file: &std::path::Path) -> $crate::Diagnostic {
                $crate::Diagnostic::from(self).in_file(file)
            }
        }
    };
    (@advice) => { None };
    (@advice $advice:expr) => { $advice };
}
