//! What the channels of a test went through before they were written.

use super::TestSource;
use super::value::{OneOrMore, Value};
use crate::error::AppError;
use masing_data::signal::Filter;
use masing_data::unit::{Quantity, parse_quantity};
use masing_data::{ReadOptions, Role, Slot};
use masing_identify::test::TestSpec;
use schemars::JsonSchema;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A filter of the measuring chain.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum FilterSource {
    /// Mean of the present sample and those before it.
    MovingAverage {
        /// Samples in the mean, from 2.
        samples: usize,
        /// Channels that went through it. Default: the force, and what `undo` names.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        channels: Vec<String>,
    },
    /// Butterworth low-pass that knows no future.
    LowPass {
        /// Corner frequency, such as "100Hz".
        frequency: Value,
        /// Order, 1 to 4. Default: 2.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        order: Option<usize>,
        /// Channels that went through it. Default: the force.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        channels: Vec<String>,
    },
}

/// Which averages are undone.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(untagged)]
pub enum Undo {
    /// Those of displacement and force, or none.
    All(bool),
    /// Those of these channels.
    Channels(Vec<String>),
}

impl FromStr for Undo {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names = text.split(',').map(|name| name.trim().to_owned());
        Ok(match text {
            "true" => Undo::All(true),
            "false" => Undo::All(false),
            _ => Undo::Channels(names.collect()),
        })
    }
}

impl Undo {
    /// Whether the average of a channel is undone.
    fn covers(&self, role: Role) -> bool {
        match self {
            Undo::All(all) => *all,
            Undo::Channels(names) => names
                .iter()
                .any(|name| name.parse().is_ok_and(|own: Role| own == role)),
        }
    }
}

/// The order of a low-pass of which nothing is said.
const ORDER: usize = 2;

impl FromStr for FilterSource {
    type Err = AppError;

    /// `moving-average=300` or `low-pass=100Hz/2`.
    fn from_str(text: &str) -> Result<Self, AppError> {
        let wrong = || {
            let expected = "moving-average=SAMPLES or low-pass=FREQUENCY/ORDER, such as moving-average=300 or low-pass=100Hz/2";
            AppError::option("--filter", text, expected)
        };
        let (kind, value) = text.trim().split_once('=').ok_or_else(wrong)?;
        let channels = Vec::new();
        match kind.trim() {
            "moving-average" => {
                let samples = value.trim().parse().map_err(|_| wrong())?;
                Ok(Self::MovingAverage { samples, channels })
            }
            "low-pass" => {
                let (frequency, order) = match value.split_once('/') {
                    Some((f, order)) => (f, Some(order.trim().parse().map_err(|_| wrong())?)),
                    None => (value, None),
                };
                let Ok(frequency) = frequency.parse();
                Ok(Self::LowPass {
                    frequency,
                    order,
                    channels,
                })
            }
            _ => Err(wrong()),
        }
    }
}

impl FilterSource {
    /// The filter, if it is one.
    fn filter(&self) -> Result<Filter, AppError> {
        let filter = match self {
            Self::MovingAverage { samples, .. } => Filter::MovingAverage { samples: *samples },
            Self::LowPass {
                frequency, order, ..
            } => {
                let hz = parse_quantity(&frequency.to_string(), Quantity::Frequency);
                let expected = "a frequency above zero, such as \"100Hz\"";
                let wrong = |_| AppError::option("filter", frequency, expected);
                Filter::LowPass {
                    frequency: hz.map_err(wrong)?,
                    order: order.unwrap_or(ORDER),
                }
            }
        };
        filter.check()?;
        Ok(filter)
    }

    /// The channels that went through it.
    fn channels(&self, undo: Option<&Undo>) -> Result<Vec<Role>, AppError> {
        let (Self::MovingAverage { channels, .. } | Self::LowPass { channels, .. }) = self;
        if !channels.is_empty() {
            return channels.iter().map(|name| role(name)).collect();
        }
        let average = matches!(self, Self::MovingAverage { .. });
        let undone = average && undo.is_some_and(|undo| undo.covers(Role::Displacement));
        let motion = undone.then_some(Role::Displacement);
        Ok(motion.into_iter().chain([Role::Force]).collect())
    }
}

/// A channel that a filter can have been on.
fn role(name: &str) -> Result<Role, AppError> {
    match name.parse() {
        Ok(role @ (Role::Displacement | Role::Angle | Role::Force | Role::Torque)) => Ok(role),
        _ => {
            let expected = "displacement or force, or angle or torque, as channels";
            Err(AppError::option("filter", name, expected))
        }
    }
}

/// Filters that the force of the model goes through, and averages that are undone, the last one first.
pub type Resolved = (Vec<Filter>, Vec<(Slot, usize)>);

/// What filters and `undo` of a test come to.
pub fn resolve(filters: &[FilterSource], undo: Option<&Undo>) -> Result<Resolved, AppError> {
    let (mut kept, mut undone) = (Vec::new(), Vec::new());
    if let Some(Undo::Channels(names)) = undo {
        names.iter().try_for_each(|name| role(name).map(drop))?;
    }
    if filters.is_empty() && undo.is_some_and(|undo| *undo != Undo::All(false)) {
        let expected = "a moving average to undo, as in filter = { kind = \"moving-average\", samples = 300 } or --filter moving-average=300";
        return Err(AppError::option("undo", "true", expected));
    }
    for source in filters {
        let filter = source.filter()?;
        for role in source.channels(undo)? {
            let force = matches!(role, Role::Force | Role::Torque);
            match (undo.is_some_and(|undo| undo.covers(role)), filter) {
                (true, Filter::MovingAverage { samples }) => {
                    undone.insert(0, (role.into(), samples));
                }
                (true, _) => {
                    let expected = "a moving average where undo = true: what a low-pass took away lies below the noise and cannot be brought back";
                    return Err(AppError::option("filter", "low-pass", expected));
                }
                (false, _) if force => kept.push(filter),
                (false, _) => {
                    let expected = "undo = true (--undo) with a filter on the motion: the part moved as the motion was before the filter, and only the force of a model can be sent through the same filter";
                    return Err(AppError::option("filter", role, expected));
                }
            }
        }
    }
    Ok((kept, undone))
}

/// The test, refused where the force of a model would have to go through a filter: only `fit` and `validate` do that.
pub fn unfiltered(spec: TestSpec) -> Result<TestSpec, AppError> {
    refuse(spec.filters.is_empty(), &spec.path)?;
    Ok(spec)
}

/// How a drive is to be read, with the same refusal; its conditions may be columns of it.
pub fn unfiltered_drive(drive: &TestSource) -> Result<ReadOptions, AppError> {
    let (filters, _) = drive.filtered().map_err(|wrong| *wrong.error)?;
    refuse(filters.is_empty(), &drive.path())?;
    drive.options().map_err(|wrong| *wrong.error)
}

fn refuse(unfiltered: bool, path: &Path) -> Result<(), AppError> {
    let expected = "undo = true (--undo) with it, or `masing fit` or `masing validate`, which send the force of a model through it";
    if unfiltered {
        return Ok(());
    }
    Err(AppError::option("filter", path.display(), expected))
}

/// Reads one filter or a list of filters.
pub fn filters<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<FilterSource>, D::Error> {
    struct Filters;

    impl<'de> Visitor<'de> for Filters {
        type Value = Vec<FilterSource>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(
                "a table such as { kind = \"moving-average\", samples = 300 }, or a list of them",
            )
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
            FilterSource::deserialize(MapAccessDeserializer::new(map)).map(|one| vec![one])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(seq))
        }
    }

    from.deserialize_any(Filters)
}

/// How filters are written: one or a list.
pub type Written = OneOrMore<FilterSource>;

#[cfg(test)]
mod tests {
    use super::super::TestSource;
    use super::*;

    fn resolved(text: &str) -> Result<Resolved, String> {
        let test: TestSource = toml::from_str(text).map_err(|error| error.to_string())?;
        resolve(&test.filter, test.undo.as_ref()).map_err(|error| error.to_string())
    }

    const AVERAGE: &str = "filter = { kind = 'moving-average', samples = 300 }\n";

    #[test]
    fn filters_are_kept_or_undone_channel_by_channel() {
        let average = Filter::MovingAverage { samples: 300 };
        let (x, f) = (Slot::from(Role::Displacement), Slot::from(Role::Force));
        assert_eq!(resolved(AVERAGE), Ok((vec![average], vec![])));
        let both = Ok((vec![], vec![(f, 300), (x, 300)]));
        assert_eq!(resolved(&format!("{AVERAGE}undo = true")), both);
        let motion = Ok((vec![average], vec![(x, 300)]));
        assert_eq!(
            resolved(&format!("{AVERAGE}undo = ['displacement']")),
            motion
        );
        let low = Filter::LowPass {
            frequency: 100.0,
            order: 3,
        };
        let list = "filter = [{ kind = 'moving-average', samples = 300, channels = ['displacement', 'force'] }, { kind = 'low-pass', frequency = '100Hz', order = 3, channels = ['force'] }]\nundo = ['displacement']";
        assert_eq!(resolved(list), Ok((vec![average, low], vec![(x, 300)])));
        assert_eq!(resolved(""), Ok((vec![], vec![])));
    }

    #[test]
    fn wrong_filters_are_refused_with_the_reason() {
        for (text, words) in [
            (
                "filter = { kind = 'moving-average', samples = 0 }",
                "whole number from 2",
            ),
            ("filter = { kind = 'moving-average', samples = -3 }", "-3"),
            (
                "filter = { kind = 'moving-average' }",
                "missing field `samples`",
            ),
            (
                "filter = { kind = 'median', samples = 3 }",
                "unknown variant `median`",
            ),
            (
                "filter = { kind = 'low-pass', frequency = '100Hz', order = 7 }",
                "1, 2, 3 or 4",
            ),
            (
                "filter = { kind = 'low-pass', frequency = '-1Hz' }",
                "above zero",
            ),
            (
                "filter = { kind = 'low-pass', frequency = '3mm' }",
                "such as \"100Hz\"",
            ),
            (
                "filter = { kind = 'low-pass', frequency = '9Hz' }\nundo = true",
                "below the noise",
            ),
            (
                "filter = { kind = 'moving-average', samples = 9, channels = ['temperature'] }",
                "displacement or force",
            ),
            (
                "filter = { kind = 'moving-average', samples = 9, channels = ['displacement'] }",
                "the part moved as",
            ),
            ("filter = 300", "a table such as"),
            ("undo = true", "a moving average to undo"),
            ("undo = ['voltage']", "displacement or force"),
        ] {
            let said = resolved(text).unwrap_err();
            assert!(said.contains(words), "{text}: {said}");
        }
    }

    #[test]
    fn filters_of_the_command_line_are_those_of_a_study() {
        let read = |text: &str| text.parse::<FilterSource>();
        let low = read("low-pass=100Hz/3").unwrap().filter().unwrap();
        assert_eq!(
            low,
            Filter::LowPass {
                frequency: 100.0,
                order: 3
            }
        );
        let low = read("low-pass=100Hz").unwrap().filter().unwrap();
        assert_eq!(
            low,
            Filter::LowPass {
                frequency: 100.0,
                order: ORDER
            }
        );
        for bad in [
            "median=3",
            "moving-average",
            "moving-average=3.5",
            "low-pass=9Hz/two",
        ] {
            let said = read(bad).unwrap_err().to_string();
            assert!(said.contains("moving-average=300"), "{said}");
        }
    }
}
