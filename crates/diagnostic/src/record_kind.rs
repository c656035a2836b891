//! Kinds of record, by how they move: advice that suits one is wrong for another.

use crate::Advice;

/// How the motion of a record goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    /// Cycles: neighbouring ones are alike.
    Cycles,
    /// Random from the first to the last sample.
    Random,
    /// As in an earthquake: irregular, strong for a part of the time, small before and after.
    Earthquake,
    /// Steps to places where the motion is held, as in relaxation tests.
    Holds,
    /// There and back once at most.
    Ramp,
}

impl RecordKind {
    /// Its name for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cycles => "cycles",
            Self::Random => "random",
            Self::Earthquake => "earthquake",
            Self::Holds => "holds",
            Self::Ramp => "ramp",
        }
    }

    /// The same for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::Cycles => "cycles",
            Self::Random => "random",
            Self::Earthquake => "irregular and strong for a part of the time, as an earthquake",
            Self::Holds => "steps and holds",
            Self::Ramp => "one way, or there and back once",
        }
    }

    /// How to use a part of the record only.
    pub(crate) fn part(self) -> Option<Advice> {
        Advice::option(match self {
            Self::Cycles => "--cycle N or --window T0..T1, to use a part without it",
            _ => "--window T0..T1, to use a part without it",
        })
    }
}
