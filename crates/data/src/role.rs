//! What a column means.

use masing_diagnostic::{Channel, ChannelKind};
use std::fmt;
use std::str::FromStr;

use crate::error::DataError;
use crate::named::named;
use crate::unit::Quantity;

named! {
    /// Meaning of a column.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum Role, 1 {
        /// Time.
        Time = ["time"],
        /// Displacement of the part.
        Displacement = ["displacement"],
        /// Angle, instead of displacement.
        Angle = ["angle"],
        /// Velocity, of displacement or angle.
        Velocity = ["velocity"],
        /// Acceleration, absolute.
        Acceleration = ["acceleration"],
        /// Acceleration of the base.
        BaseAcceleration = ["base_acceleration"],
        /// Force that the rig exerts on the part.
        Force = ["force"],
        /// Torque, instead of force.
        Torque = ["torque"],
        /// Load on a system with mass.
        Load = ["load"],
        /// Frequency of a table row.
        Frequency = ["frequency"],
        /// Amplitude of a table row.
        Amplitude = ["amplitude"],
        /// Dynamic stiffness |K*|.
        Stiffness = ["stiffness"],
        /// Loss angle.
        LossAngle = ["loss_angle"],
        /// Tangent of the loss angle.
        TanDelta = ["tan_delta"],
        /// Storage stiffness K'.
        Storage = ["storage"],
        /// Loss stiffness K''.
        Loss = ["loss"],
        /// Preload, as displacement or force.
        Preload = ["preload"],
    }
}

impl Role {
    /// The name in files and on the command line.
    pub const fn name(self) -> &'static str {
        Self::TEXTS[self as usize][0]
    }

    /// The kinds of quantity a column of this role may hold; the first is meant when no unit tells.
    pub const fn quantities(self, rotation: bool) -> &'static [Quantity] {
        use Quantity as Q;
        match (self, rotation) {
            (Role::Time, _) => &[Q::Time],
            (Role::Displacement, _) => &[Q::Length],
            (Role::Angle | Role::LossAngle, _) => &[Q::Angle],
            (Role::Velocity, false) => &[Q::Velocity, Q::AngularVelocity],
            (Role::Velocity, true) => &[Q::AngularVelocity, Q::Velocity],
            (Role::Acceleration | Role::BaseAcceleration, false) => {
                &[Q::Acceleration, Q::AngularAcceleration]
            }
            (Role::Acceleration | Role::BaseAcceleration, true) => {
                &[Q::AngularAcceleration, Q::Acceleration]
            }
            (Role::Force, _) => &[Q::Force],
            (Role::Torque, _) => &[Q::Torque],
            (Role::Load, false) => &[Q::Force, Q::Torque],
            (Role::Load, true) => &[Q::Torque, Q::Force],
            (Role::Frequency, _) => &[Q::Frequency],
            (Role::Amplitude, false) => &[Q::Length, Q::Angle],
            (Role::Amplitude, true) => &[Q::Angle, Q::Length],
            (Role::Stiffness | Role::Storage | Role::Loss, false) => {
                &[Q::Stiffness, Q::AngularStiffness]
            }
            (Role::Stiffness | Role::Storage | Role::Loss, true) => {
                &[Q::AngularStiffness, Q::Stiffness]
            }
            (Role::TanDelta, _) => &[Q::Number],
            (Role::Preload, false) => &[Q::Length, Q::Force],
            (Role::Preload, true) => &[Q::Angle, Q::Torque],
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Role {
    type Err = DataError;

    fn from_str(text: &str) -> Result<Self, DataError> {
        let wanted = text.trim().to_ascii_lowercase().replace(['-', ' '], "_");
        Role::ALL
            .into_iter()
            .find(|r| r.name() == wanted)
            .ok_or_else(|| DataError::UnknownRole {
                found: text.trim().to_owned(),
                known: Role::ALL.iter().map(|r| r.name().to_owned()).collect(),
            })
    }
}

/// A role, with the node it belongs to in a structure: `displacement.3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot {
    /// The role.
    pub role: Role,
    /// Node of a structure, from 1.
    pub index: Option<usize>,
}

impl Slot {
    /// The channel as diagnostics name it.
    pub fn channel(self) -> Channel {
        let kind = match self.role {
            Role::Displacement | Role::Angle => ChannelKind::Motion,
            Role::Force | Role::Torque => ChannelKind::Force,
            Role::Acceleration => ChannelKind::Acceleration,
            _ => ChannelKind::Other,
        };
        Channel {
            kind,
            name: self.to_string(),
        }
    }
}

impl From<Role> for Slot {
    fn from(role: Role) -> Self {
        Slot { role, index: None }
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            Some(index) => write!(f, "{}.{index}", self.role),
            None => self.role.fmt(f),
        }
    }
}

impl FromStr for Slot {
    type Err = DataError;

    fn from_str(text: &str) -> Result<Self, DataError> {
        if let Some((role, index)) = text.rsplit_once('.')
            && let Ok(index) = index.trim().parse::<usize>()
            && index > 0
        {
            return Ok(Slot {
                role: role.parse()?,
                index: Some(index),
            });
        }
        Ok(Slot {
            role: text.parse()?,
            index: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for role in Role::ALL {
            assert_eq!(role.name().parse::<Role>().unwrap(), role);
        }
        assert_eq!("Loss angle".parse::<Role>().unwrap(), Role::LossAngle);
        assert_eq!(
            "displacement.3".parse::<Slot>().unwrap(),
            Slot {
                role: Role::Displacement,
                index: Some(3)
            }
        );
        assert!("displacement.0".parse::<Slot>().is_err());
        assert!(matches!(
            "foo".parse::<Slot>(),
            Err(DataError::UnknownRole { .. })
        ));
    }
}
