//! Units that stand beside the numbers in a container file: `Displacement_units = "in"`, `"units": {"force": "kN"}`.

use super::gather::{Value, Variable};
use crate::recognise;
use crate::table::{Channel, Table};

/// A unit and the channel it is said of.
pub(crate) struct UnitKey {
    /// Struct or group; empty at the top.
    group: String,
    /// Channel, in lower case with blanks.
    channel: String,
    unit: String,
}

/// The channel that a key gives the unit of: `displacement units`, `unit_force`.
pub(crate) fn channel_of(key: &str) -> Option<String> {
    let plain = plain(key);
    let (first, rest) = plain.split_once(' ')?;
    if is_unit_word(first) {
        return Some(rest.to_owned());
    }
    let (rest, last) = plain.rsplit_once(' ')?;
    is_unit_word(last).then(|| rest.to_owned())
}

/// All units that texts give.
pub(crate) fn collect(variables: &[Variable]) -> Vec<UnitKey> {
    let mut out = Vec::new();
    for variable in variables {
        let Value::Text(text) = &variable.value else {
            continue;
        };
        let (parent, own) = variable
            .group
            .rsplit_once('.')
            .unwrap_or(("", &variable.group));
        let (group, channel) = if is_unit_word(&plain(own)) {
            (parent, Some(plain(&variable.name)))
        } else {
            (&variable.group[..], channel_of(&variable.name))
        };
        let unit = text.trim().trim_matches(['[', ']', '(', ')']).trim();
        if let Some(channel) = channel
            && !matches!(unit, "" | "-" | "--" | "1" | "none")
        {
            out.push(UnitKey {
                group: group.to_owned(),
                channel,
                unit: unit.to_owned(),
            });
        }
    }
    out
}

/// Gives units to the channels that have none: by name, or by role where one channel of the table plays it.
pub(crate) fn apply(tables: &mut [Table], keys: &[UnitKey]) {
    for key in keys {
        let inside = |t: &Table| {
            let rest = t.part.strip_prefix(&key.group);
            key.group.is_empty() || rest.is_some_and(|r| r.is_empty() || r.starts_with('.'))
        };
        // A group of remarks speaks about all tables.
        let anywhere = !tables.iter().any(inside);
        for table in tables.iter_mut().filter(|t| anywhere || inside(t)) {
            if let Some(channel) = said_of(&key.channel, &mut table.channels) {
                channel.unit.get_or_insert_with(|| key.unit.clone());
            }
        }
    }
}

fn said_of<'a>(name: &str, channels: &'a mut [Channel]) -> Option<&'a mut Channel> {
    if let Some(at) = channels.iter().position(|c| plain(&c.name) == name) {
        return channels.get_mut(at);
    }
    let roles = recognise::roles(name);
    let mut playing = channels
        .iter_mut()
        .filter(|c| recognise::roles(&c.name).iter().any(|r| roles.contains(r)));
    let one = playing.next()?;
    playing.next().is_none().then_some(one)
}

fn is_unit_word(word: &str) -> bool {
    matches!(word, "unit" | "units" | "einheit" | "einheiten")
}

fn plain(name: &str) -> String {
    let spaced = name.to_lowercase().replace(['_', '-', '.', ':'], " ");
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::gather;
    use std::path::Path;

    fn variable(group: &str, name: &str, value: Value) -> Variable {
        Variable {
            group: group.into(),
            name: name.into(),
            unit: None,
            value,
        }
    }

    fn labels(list: &[(&str, &str, Option<&str>)]) -> Vec<String> {
        let numbers = || Value::Numbers {
            dims: vec![3],
            values: vec![0.0, 2.0, 1.0],
        };
        let list = list
            .iter()
            .map(|(g, n, t)| variable(g, n, t.map_or_else(numbers, |t| Value::Text(t.into()))));
        let found = gather::tables(Path::new("f.mat"), "MATLAB", list.collect());
        found.iter().flat_map(Table::labels).collect()
    }

    #[test]
    fn keys_beside_the_numbers() {
        let units = [
            ("", "disp", None),
            ("", "Force", None),
            ("", "t", None),
            ("", "Displacement_units", Some("in")),
            ("", "force unit", Some("[kip]")),
            ("", "unit.time", Some("ms")),
        ];
        assert_eq!(labels(&units), ["disp [in]", "Force [kip]", "t [ms]"]);
    }

    #[test]
    fn a_group_of_units() {
        let own = [
            ("run", "x", None),
            ("run", "F", None),
            ("run.units", "x", Some("mm")),
        ];
        assert_eq!(labels(&own), ["x [mm]", "F"]);
        let remarks = [
            ("run", "x", None),
            ("meta.units", "displacement", Some("mm")),
        ];
        assert_eq!(labels(&remarks), ["x [mm]"]);
        // Units of another group, and a role that two channels play, say nothing.
        let other = [
            ("a", "x", None),
            ("b", "x", None),
            ("b", "x_unit", Some("mm")),
        ];
        assert_eq!(labels(&other), ["x", "x [mm]"]);
        let two = [
            ("", "disp_a", None),
            ("", "disp_b", None),
            ("", "displacement units", Some("mm")),
        ];
        assert_eq!(labels(&two), ["disp_a", "disp_b"]);
    }
}
