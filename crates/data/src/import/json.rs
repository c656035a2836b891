//! JSON: rows as objects or arrays, columns as arrays, one document or one object a line.

use std::path::Path;

use serde_json::Value as Json;

use super::gather::{self, Value, Variable};
use super::text::header;
use super::unit_keys;
use crate::error::DataError;
use crate::table::{Channel, Source, Table};

/// Name of the format in messages.
pub(crate) const FORMAT: &str = "JSON";

/// True for text that may be JSON.
pub(crate) fn matches(head: &[u8]) -> bool {
    let text = head
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(head)
        .trim_ascii_start();
    matches!(text.first(), Some(b'{' | b'['))
}

/// Reads a file held in memory.
pub(crate) fn read(file: &Path, bytes: &[u8]) -> Result<Vec<Table>, DataError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let bad = |e: &serde_json::Error| {
        let place = format!("line {}, column {}", e.line(), e.column());
        DataError::format(file, FORMAT, place, e)
    };
    match serde_json::from_slice::<Json>(bytes) {
        Ok(Json::Array(rows)) => Ok(from_list(file, &rows)),
        Ok(Json::Object(map)) => Ok(from_object(file, &map)),
        Ok(_) => Err(DataError::empty(file, "JSON without rows or columns")),
        Err(error) => {
            // One object a line.
            let lines = bytes
                .split(|b| *b == b'\n')
                .filter(|l| !l.trim_ascii().is_empty());
            let rows: Result<Vec<Json>, _> = lines.map(serde_json::from_slice).collect();
            match rows {
                Ok(rows) if rows.len() > 1 => Ok(from_list(file, &rows)),
                _ => Err(bad(&error)),
            }
        }
    }
}

fn number(value: &Json) -> f64 {
    match value {
        Json::Number(n) => n.as_f64().unwrap_or(f64::NAN),
        Json::Bool(b) => f64::from(u8::from(*b)),
        _ => f64::NAN,
    }
}

fn channel(label: &str, siblings: &[String], values: Vec<f64>) -> Channel {
    let (name, unit) = header::split(label, siblings);
    Channel::new(name, unit, values)
}

/// A list of rows, or of records that hold their columns as lists.
fn from_list(file: &Path, rows: &[Json]) -> Vec<Table> {
    match records(rows) {
        Some(records) => from_object(file, &records),
        None => from_rows(file, "", rows),
    }
}

/// Objects with lists inside are records; they are called by their numbers.
fn records(rows: &[Json]) -> Option<serde_json::Map<String, Json>> {
    let is_record = |row: &Json| {
        row.as_object()
            .is_some_and(|r| r.values().any(Json::is_array))
    };
    let numbered = rows.iter().enumerate();
    let named = numbered.map(|(i, row)| ((i + 1).to_string(), row.clone()));
    (!rows.is_empty() && rows.iter().all(is_record)).then(|| named.collect())
}

fn from_rows(file: &Path, part: &str, rows: &[Json]) -> Vec<Table> {
    let source = Source::new(file, FORMAT, 1);
    if rows.iter().any(Json::is_object) {
        let mut names: Vec<String> = Vec::new();
        for row in rows.iter().filter_map(Json::as_object).take(1000) {
            for key in row.keys() {
                if !names.contains(key) && names.len() < 4096 {
                    names.push(key.clone());
                }
            }
        }
        let values = |n: &String| -> Vec<f64> {
            rows.iter()
                .map(|r| r.get(n).map_or(f64::NAN, number))
                .collect()
        };
        let channels = names
            .iter()
            .map(|n| channel(n, &names, values(n)))
            .filter(|c| c.values.iter().any(|v| !v.is_nan()))
            .collect();
        return vec![Table::new(part, channels, source)];
    }
    let Some(first) = rows.first().and_then(Json::as_array) else {
        return Vec::new();
    };
    // A first row of texts names the columns.
    let named = !first.is_empty() && first.iter().all(Json::is_string);
    let name = |(i, cell): (usize, &Json)| match cell.as_str() {
        Some(text) if named => text.to_owned(),
        _ => (i + 1).to_string(),
    };
    let names: Vec<String> = first.iter().enumerate().map(name).collect();
    let body = &rows[usize::from(named)..];
    let values = |i: usize| body.iter().map(move |r| r.get(i).map_or(f64::NAN, number));
    let channels = names.iter().enumerate();
    let channels = channels
        .map(|(i, n)| channel(n, &names, values(i).collect()))
        .collect();
    vec![Table::new(part, channels, source)]
}

fn from_object(file: &Path, map: &serde_json::Map<String, Json>) -> Vec<Table> {
    let mut variables = Vec::new();
    let mut tables = Vec::new();
    collect(file, "", map, &mut variables, &mut tables, 0);
    // Rows as objects or arrays are tables of their own.
    unit_keys::apply(&mut tables, &unit_keys::collect(&variables));
    tables.extend(gather::tables(file, FORMAT, variables));
    tables
}

fn collect(
    file: &Path,
    group: &str,
    map: &serde_json::Map<String, Json>,
    variables: &mut Vec<Variable>,
    tables: &mut Vec<Table>,
    depth: usize,
) {
    let siblings: Vec<String> = map.keys().cloned().collect();
    for (key, value) in map {
        let path = gather::join(group, key);
        let mut push = |name: String, unit: Option<String>, value: Value| {
            variables.push(Variable {
                group: group.to_owned(),
                name,
                unit,
                value,
            });
        };
        match value {
            Json::Object(inner) if depth < 16 => {
                collect(file, &path, inner, variables, tables, depth + 1);
            }
            Json::Array(rows) if rows.iter().any(|r| r.is_object() || r.is_array()) => {
                match records(rows).filter(|_| depth < 16) {
                    Some(inner) => collect(file, &path, &inner, variables, tables, depth + 1),
                    None => tables.extend(from_rows(file, &path, rows)),
                }
            }
            Json::Array(values) => {
                let (name, unit) = header::split(key, &siblings);
                let value = Value::Numbers {
                    dims: vec![values.len()],
                    values: values.iter().map(number).collect(),
                };
                push(name, unit, value);
            }
            Json::String(text) => push(key.clone(), None, Value::Text(text.clone())),
            Json::Number(_) => {
                let value = Value::Numbers {
                    dims: vec![1],
                    values: vec![number(value)],
                };
                push(key.clone(), None, value);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(text: &str) -> Vec<String> {
        let tables = read(Path::new("f.json"), text.as_bytes()).unwrap();
        tables.iter().flat_map(Table::labels).collect()
    }

    #[test]
    fn several_records() {
        let parts = |text: &str| -> Vec<String> {
            let tables = read(Path::new("f.json"), text.as_bytes()).unwrap();
            tables
                .iter()
                .map(|t| format!("{} {:?}", t.part, t.labels()))
                .collect()
        };
        let list = r#"[{"x": [0, 1, 0], "F": [0, 5, 1]}, {"x": [0, 2], "F": [0, 6]}]"#;
        assert_eq!(parts(list).len(), 2);
        assert!(parts(list)[1].starts_with("2 "), "{:?}", parts(list));
        let lines = list.trim_matches(['[', ']']).replace("]}, ", "]}\n") + "]}";
        assert_eq!(parts(&lines.replace("]}]}", "]}")), parts(list));
        let runs = format!(r#"{{"part": "bush", "runs": {list}}}"#);
        assert!(parts(&runs)[0].starts_with("runs.1 "), "{:?}", parts(&runs));
    }

    #[test]
    fn units_beside_columns_and_rows() {
        let columns = r#"{"displacement units": "in", "displacement": [0, 1, 0], "force": [0, 5, 1], "force units": "kip"}"#;
        assert_eq!(labels(columns), ["displacement [in]", "force [kip]"]);
        let rows =
            r#"{"units": {"x": "mm", "F": "kN"}, "rows": [{"x": 0, "F": 1}, {"x": 1, "F": 2}]}"#;
        let mut found = labels(rows);
        found.sort();
        assert_eq!(found, ["F [kN]", "x [mm]"]);
    }
}
