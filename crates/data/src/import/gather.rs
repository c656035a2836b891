//! Named arrays of a container file (MATLAB, HDF5, JSON) to tables.
//!
//! Vectors of the same length in the same struct or group form a table; a matrix is a table of its own; single numbers
//! and texts are remarks. `Y(2).Data` with `Y(2).Name` is a channel of the parent.

use std::path::Path;

use super::unit_keys;
use crate::table::{Channel, Source, Table};

/// What a variable holds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// Numbers, column after column, with their size.
    Numbers { dims: Vec<usize>, values: Vec<f64> },
    /// A text.
    Text(String),
}

/// A variable with the path of its struct or group.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Variable {
    /// Struct or group; empty at the top.
    pub(crate) group: String,
    /// Name inside it.
    pub(crate) name: String,
    /// Unit from an attribute.
    pub(crate) unit: Option<String>,
    pub(crate) value: Value,
}

/// Name of the top level where there are other parts.
const TOP: &str = "top";

/// Tables of a container.
pub(crate) fn tables(file: &Path, format: &'static str, variables: Vec<Variable>) -> Vec<Table> {
    let units = unit_keys::collect(&variables);
    let variables = lift_channels(variables);
    let mut groups: Vec<(String, Vec<Variable>)> = Vec::new();
    for variable in variables {
        match groups.iter_mut().find(|g| g.0 == variable.group) {
            Some(group) => group.1.push(variable),
            None => groups.push((variable.group.clone(), vec![variable])),
        }
    }
    let mut out = Vec::new();
    for (group, members) in groups {
        out.extend(group_tables(file, format, &group, members));
    }
    if let [only] = out.as_mut_slice() {
        // A struct or group keeps its name; a lone top level has none.
        if only.part == TOP {
            only.part.clear();
        }
    }
    unit_keys::apply(&mut out, &units);
    out
}

fn group_tables(
    file: &Path,
    format: &'static str,
    group: &str,
    members: Vec<Variable>,
) -> Vec<Table> {
    let mut meta = Vec::new();
    let mut classes: Vec<(usize, Vec<Channel>)> = Vec::new();
    let mut matrices: Vec<(String, Vec<Channel>)> = Vec::new();
    for variable in members {
        match variable.value {
            Value::Text(text) => meta.push((variable.name, text)),
            Value::Numbers { values, .. } if values.len() == 1 => {
                meta.push((variable.name, values[0].to_string()));
            }
            Value::Numbers { dims, values } => {
                let long = dims.iter().filter(|d| **d > 1).count();
                if long == 1 {
                    let channel = Channel::new(variable.name, variable.unit, values);
                    match classes.iter_mut().find(|c| c.0 == channel.values.len()) {
                        Some(class) => class.1.push(channel),
                        None => classes.push((channel.values.len(), vec![channel])),
                    }
                } else if long == 2 {
                    matrices.push((variable.name, columns(&dims, &values)));
                }
            }
        }
    }
    let top = if group.is_empty() { TOP } else { group };
    let several = classes.len() > 1;
    let mut out = Vec::new();
    for (_, channels) in classes {
        let part = if several && channels.len() == 1 {
            join(group, &channels[0].name)
        } else {
            top.to_owned()
        };
        out.push((part, channels));
    }
    out.extend(
        matrices
            .into_iter()
            .map(|(name, channels)| (join(group, &name), channels)),
    );
    out.into_iter()
        .map(|(part, channels)| {
            let mut table = Table::new(part, channels, Source::new(file, format, 1));
            table.meta.clone_from(&meta);
            table
        })
        .collect()
}

pub(crate) fn join(group: &str, name: &str) -> String {
    if group.is_empty() {
        name.to_owned()
    } else {
        format!("{group}.{name}")
    }
}

/// Columns of a matrix, along its longer side.
fn columns(dims: &[usize], values: &[f64]) -> Vec<Channel> {
    let mut sides = dims.iter().copied().filter(|d| *d > 1);
    let (Some(rows), Some(cols)) = (sides.next(), sides.next()) else {
        return Vec::new();
    };
    let (channels, length, along) = if rows >= cols {
        (cols, rows, true)
    } else {
        (rows, cols, false)
    };
    if channels > 4096 || rows.checked_mul(cols) != Some(values.len()) {
        return Vec::new();
    }
    (0..channels)
        .map(|c| {
            let at = |i: usize| {
                if along {
                    values[c * rows + i]
                } else {
                    values[i * rows + c]
                }
            };
            Channel::new((c + 1).to_string(), None, (0..length).map(at).collect())
        })
        .collect()
}

/// `Y(2).Data` beside `Y(2).Name` and `Y(2).Unit` becomes the channel `Name` of the parent.
fn lift_channels(variables: Vec<Variable>) -> Vec<Variable> {
    let mut out = Vec::with_capacity(variables.len());
    let mut rest = variables.into_iter().peekable();
    while let Some(first) = rest.next() {
        let group = first.group.clone();
        let mut members = vec![first];
        while let Some(next) = rest.next_if(|v| v.group == group) {
            members.push(next);
        }
        match lone_data(&members).filter(|_| !group.is_empty()) {
            Some(at) => {
                let text = |names: &[&str]| members.iter().find_map(|v| text_of(v, names));
                let (parent, own) = group.rsplit_once('.').unwrap_or(("", &group));
                let name = text(&["name", "label"]).unwrap_or_else(|| own.to_owned());
                let unit = text(&["unit", "units"]);
                let data = members.swap_remove(at);
                out.push(Variable {
                    group: parent.to_owned(),
                    name,
                    unit: unit.or(data.unit),
                    value: data.value,
                });
            }
            None => out.append(&mut members),
        }
    }
    out
}

/// The only vector of a group, if it is called data.
fn lone_data(members: &[Variable]) -> Option<usize> {
    let is_vector =
        |v: &Variable| matches!(&v.value, Value::Numbers { values, .. } if values.len() > 1);
    let mut vectors = members.iter().enumerate().filter(|(_, v)| is_vector(v));
    let (at, data) = vectors.next()?;
    let named = ["data", "values", "value", "y"]
        .iter()
        .any(|n| data.name.eq_ignore_ascii_case(n));
    (named && vectors.next().is_none()).then_some(at)
}

fn text_of(variable: &Variable, names: &[&str]) -> Option<String> {
    match &variable.value {
        Value::Text(text) if names.iter().any(|n| variable.name.eq_ignore_ascii_case(n)) => {
            Some(text.clone())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(group: &str, name: &str, dims: &[usize]) -> Variable {
        let n = dims.iter().product();
        let value = Value::Numbers {
            dims: dims.to_vec(),
            values: (0..n).map(|i| i as f64).collect(),
        };
        Variable {
            group: group.into(),
            name: name.into(),
            unit: None,
            value,
        }
    }

    fn text(group: &str, name: &str, t: &str) -> Variable {
        Variable {
            group: group.into(),
            name: name.into(),
            unit: None,
            value: Value::Text(t.into()),
        }
    }

    #[test]
    fn vectors_matrices_scalars() {
        let list = vec![
            variable("", "t", &[5, 1]),
            variable("", "x", &[1, 5]),
            variable("", "fs", &[1, 1]),
            variable("", "m", &[4, 3]),
            variable("s", "a", &[7, 1]),
        ];
        let found = tables(Path::new("f.mat"), "MATLAB", list);
        let parts: Vec<&str> = found.iter().map(|t| t.part.as_str()).collect();
        assert_eq!(parts, ["top", "m", "s"]);
        assert_eq!(found[0].channels.len(), 2);
        assert_eq!(found[0].meta(&["fs"]), Some("0"));
        assert_eq!(found[1].channels[1].values, [4.0, 5.0, 6.0, 7.0]);
    }

    #[test]
    fn named_data_is_a_channel_of_its_parent() {
        let list = vec![
            text("r.Y(1)", "Name", "Force"),
            text("r.Y(1)", "Unit", "kN"),
            variable("r.Y(1)", "Data", &[1, 9]),
            variable("r.X", "Data", &[1, 9]),
        ];
        let found = tables(Path::new("f.mat"), "MATLAB", list);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].labels(), ["Force [kN]", "X"]);
        assert_eq!(found[0].part, "r");
    }
}
