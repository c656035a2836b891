//! Channels of a record, as diagnostics name them.

use crate::Units;
use std::fmt;

/// What a channel holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelKind {
    /// Displacement or angle.
    Motion,
    /// Force or torque.
    Force,
    /// Acceleration.
    Acceleration,
    /// Anything else.
    Other,
}

impl ChannelKind {
    /// Its name in options.
    pub fn name(self, units: Units) -> &'static str {
        match self {
            Self::Motion => units.displacement(),
            Self::Force => units.force(),
            Self::Acceleration => "acceleration",
            Self::Other => "channel",
        }
    }
}

/// A channel of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// What it holds.
    pub kind: ChannelKind,
    /// Its role, such as `force` or `displacement.2`.
    pub name: String,
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
