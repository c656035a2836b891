//! What to do about a diagnostic.

use crate::{ChannelKind, Nuisance, Units};
use std::borrow::Cow;

/// What the middle of a motion is measured by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Centre {
    /// The mean.
    Mean,
    /// The middle between the extremes, where rests and part cycles pull the mean away.
    MidRange,
    /// The first value, where a record begins at rest.
    First,
}

impl Centre {
    /// Its word in options.
    pub fn word(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::MidRange => "midrange",
            Self::First => "first",
        }
    }
}

/// What to do about a diagnostic.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Advice {
    /// Turn the sign of a channel.
    Flip(ChannelKind),
    /// Remove the offset of a channel.
    Zero {
        /// The channel.
        channel: ChannelKind,
        /// What its middle is measured by.
        centre: Centre,
        /// Whether a fit may estimate it instead.
        or_estimate: bool,
    },
    /// Use the last full cycle only.
    Stabilised,
    /// Fill missing values.
    Interpolate,
    /// Say what average channels went through.
    Filter {
        /// Samples of the average.
        samples: usize,
        /// Whether the motion was averaged, which has to be undone.
        motion: bool,
    },
    /// Estimate what the rig added to a test.
    Nuisance(Nuisance),
    /// Hold a parameter at a value.
    Fix {
        /// Address of the parameter.
        address: String,
        /// Value to hold it at.
        value: f64,
    },
    /// Name the column of a channel.
    Columns(ChannelKind),
    /// Say the units of motion and force.
    Units,
    /// Another option, with what it does.
    Option(Cow<'static, str>),
    /// Something to do that no option does.
    Do(Cow<'static, str>),
}

impl Advice {
    /// Something to do, in words.
    pub(crate) fn to(words: impl Into<Cow<'static, str>>) -> Option<Self> {
        Some(Self::Do(words.into()))
    }

    /// An option with what it does.
    pub(crate) fn option(words: impl Into<Cow<'static, str>>) -> Option<Self> {
        Some(Self::Option(words.into()))
    }

    /// The option to type, or the words.
    pub fn typed(&self, units: Units) -> String {
        match self {
            Self::Flip(channel) => format!("--flip {}", channel.name(units)),
            Self::Zero {
                channel, centre, ..
            } => {
                format!("--zero {}={}", channel.name(units), centre.word())
            }
            Self::Stabilised => "--window stabilised".to_owned(),
            Self::Interpolate => "--gaps interpolate".to_owned(),
            Self::Filter { samples, motion } => format!(
                "--filter moving-average={samples}{}",
                if *motion { " --undo" } else { "" }
            ),
            Self::Nuisance(kind) => format!("--nuisance {}", kind.option()),
            Self::Fix { address, value } => format!("--fix {address}={value}"),
            Self::Columns(channel) => format!(
                "--columns {}=NAME, if another column is meant",
                channel.name(units)
            ),
            Self::Units => {
                let example = match units {
                    Units::Translation => "displacement=mm,force=kN",
                    Units::Rotation => "angle=deg,torque=Nm",
                };
                format!("--units {example}, with the units of the file")
            }
            Self::Option(words) | Self::Do(words) => words.clone().into_owned(),
        }
    }

    /// A clause that follows the message.
    pub fn sentence(&self, units: Units) -> String {
        let typed = self.typed(units);
        match self {
            Self::Flip(_) => format!("`{typed}` turns its sign"),
            Self::Zero {
                or_estimate: false, ..
            } => format!("`{typed}` removes it"),
            Self::Zero { .. } => format!(
                "`{typed}` removes it, `--nuisance displacement-offset` finds it with the fit"
            ),
            Self::Stabilised => format!("`{typed}` uses the last full cycle only"),
            Self::Interpolate => format!("`{typed}` fills them"),
            Self::Filter { motion: true, .. } => format!("`{typed}` restores them"),
            Self::Filter { .. } => format!(
                "`{typed}` compares it with the force of the model after the same average; add --undo if the displacement was averaged too"
            ),
            Self::Nuisance(kind) => format!(
                "add {typed}, or nuisance = {{ {} = true }} in a study, if the rig may have caused it",
                kind.option()
            ),
            Self::Fix { .. } => format!("hold it: {typed}"),
            Self::Columns(_) | Self::Units | Self::Option(_) | Self::Do(_) => typed,
        }
    }

    /// A line of its own for people.
    pub fn line(&self, units: Units) -> String {
        match self {
            Self::Do(words) => format!("hint: {words}"),
            _ => format!("fix: {}", self.typed(units)),
        }
    }
}
