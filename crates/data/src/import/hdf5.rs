//! HDF5, MATLAB v7.3 included.
//!
//! MATLAB v7.3 keeps its variables as data sets (structs as groups, text as 16-bit numbers) with `MATLAB_class` attributes.

use std::path::Path;

use hdf5_pure::{DType, Dataset, Datatype, File, Group};

use super::gather::{self, Value, Variable};
use super::unit_keys;
use crate::error::DataError;
use crate::table::{Channel, Source, Table};

/// Name of the format in messages.
pub(crate) const FORMAT: &str = "HDF5";
/// Groups nested deeper than this are not rig data.
const DEEPEST: usize = 16;
/// Most data sets looked at.
const MOST: usize = 10_000;

/// True for the signature at the start or behind a user block.
pub(crate) fn matches(head: &[u8]) -> bool {
    let signature = b"\x89HDF\r\n\x1a\n";
    [0, 512, 1024, 2048]
        .iter()
        .any(|&at| head.get(at..).is_some_and(|h| h.starts_with(signature)))
}

/// Reads a file held in memory.
pub(crate) fn read(file: &Path, bytes: Vec<u8>) -> Result<Vec<Table>, DataError> {
    let bad = |place: &str, e: &dyn std::fmt::Display| {
        let reason = format!(
            "{e}; files written with libver=\"latest\" of HDF5 2.0 cannot be read: save with an earlier library version"
        );
        DataError::format(file, FORMAT, place, reason)
    };
    // Chunked data may be compressed, but not without end.
    let limit = 256 * bytes.len() as u64 + (16 << 20);
    let source = File::from_bytes(bytes).map_err(|e| bad("superblock", &e))?;
    let mut walk = Walk {
        file,
        limit,
        count: 0,
        variables: Vec::new(),
        tables: Vec::new(),
        failures: Vec::new(),
    };
    walk.group(&source.root(), "", 0);
    let mut tables = walk.tables;
    unit_keys::apply(&mut tables, &unit_keys::collect(&walk.variables));
    tables.extend(gather::tables(file, FORMAT, walk.variables));
    match (tables.is_empty(), walk.failures.first()) {
        (true, Some((place, reason))) => Err(bad(place, reason)),
        _ => Ok(tables),
    }
}

struct Walk<'f> {
    file: &'f Path,
    /// Largest data set accepted, bytes.
    limit: u64,
    count: usize,
    variables: Vec<Variable>,
    tables: Vec<Table>,
    failures: Vec<(String, String)>,
}

impl Walk<'_> {
    fn group(&mut self, group: &Group, path: &str, depth: usize) {
        self.units(group, path);
        let note = |e: hdf5_pure::Error| (format!("group `/{path}`"), e.to_string());
        match group.datasets() {
            Ok(names) => {
                for name in names {
                    self.count += 1;
                    if self.count > MOST {
                        return;
                    }
                    match group
                        .dataset(&name)
                        .map_err(|e| e.to_string())
                        .and_then(|set| self.dataset(&set, path, &name))
                    {
                        Ok(()) => {}
                        Err(reason) => self
                            .failures
                            .push((format!("data set `/{path}/{name}`"), reason)),
                    }
                }
            }
            Err(e) => self.failures.push(note(e)),
        }
        if depth >= DEEPEST {
            return;
        }
        match group.groups() {
            Ok(names) => {
                // MATLAB keeps cells and objects in groups of its own.
                for name in names.iter().filter(|n| !n.starts_with('#')) {
                    self.count += 1;
                    if self.count > MOST {
                        return;
                    }
                    let inner = gather::join(path, name);
                    match group.group(name) {
                        Ok(group) => self.group(&group, &inner, depth + 1),
                        Err(e) => self
                            .failures
                            .push((format!("group `/{inner}`"), e.to_string())),
                    }
                }
            }
            Err(e) => self.failures.push(note(e)),
        }
    }

    /// Attributes of the group that give units of its data sets.
    fn units(&mut self, group: &Group, path: &str) {
        let attributes = group.attrs().unwrap_or_default();
        let mut texts: Vec<_> = attributes
            .iter()
            .filter(|(key, _)| unit_keys::channel_of(key).is_some())
            .filter_map(|(key, value)| Some((key, value.as_str()?)))
            .collect();
        texts.sort_unstable();
        self.variables
            .extend(texts.into_iter().map(|(key, text)| Variable {
                group: path.to_owned(),
                name: key.clone(),
                unit: None,
                value: Value::Text(text.trim_matches('\0').to_owned()),
            }));
    }

    fn dataset(&mut self, set: &Dataset, path: &str, name: &str) -> Result<(), String> {
        let shape = set.shape().map_err(|e| e.to_string())?;
        let elements = shape
            .iter()
            .try_fold(1_u64, |n, d| n.checked_mul(*d))
            .ok_or("too large")?;
        let size = set.element_size().map_err(|e| e.to_string())?;
        if elements
            .checked_mul(size.max(8))
            .is_none_or(|b| b > self.limit)
        {
            return Err(format!(
                "claims {elements} elements, more than the file can hold"
            ));
        }
        if elements == 0 {
            return Ok(());
        }
        let attributes = set.attrs().unwrap_or_default();
        let attribute = |names: &[&str]| {
            let found = attributes
                .iter()
                .find(|(key, _)| names.iter().any(|n| n.eq_ignore_ascii_case(key)));
            found
                .and_then(|(_, value)| value.as_str())
                .map(|s| s.trim_matches('\0').to_owned())
        };
        let class = attribute(&["MATLAB_class"]);
        let value = match set.dtype().map_err(|e| e.to_string())? {
            DType::String | DType::VariableLengthString => {
                let texts = set.read_string().map_err(|e| e.to_string())?;
                Value::Text(texts.join(" "))
            }
            DType::U16 if class.as_deref() == Some("char") => {
                let units = set.read_u16().map_err(|e| e.to_string())?;
                Value::Text(String::from_utf16_lossy(&units))
            }
            DType::Compound(_) => return self.compound(set, path, name),
            DType::Array(..) | DType::ObjectReference | DType::Enum(_) | DType::Other(_) => {
                return Ok(());
            }
            _ => {
                let values = set.read_f64().map_err(|e| e.to_string())?;
                // Rows first in HDF5 is columns first with the sizes turned round.
                let dims = shape.iter().rev().map(|d| *d as usize).collect();
                Value::Numbers { dims, values }
            }
        };
        self.variables.push(Variable {
            group: path.to_owned(),
            name: name.to_owned(),
            unit: attribute(&["unit", "units"]).filter(|u| !u.is_empty()),
            value,
        });
        Ok(())
    }

    /// Records of plain numbers: a table.
    fn compound(&mut self, set: &Dataset, path: &str, name: &str) -> Result<(), String> {
        let Datatype::Compound { size, members } = set.datatype().map_err(|e| e.to_string())?
        else {
            return Ok(());
        };
        let raw = set.read_raw().map_err(|e| e.to_string())?;
        let size = size as usize;
        if size == 0 {
            return Ok(());
        }
        let mut channels = Vec::new();
        for member in members {
            let at = member.byte_offset as usize;
            let width = member.datatype.type_size() as usize;
            let float = matches!(member.datatype, Datatype::FloatingPoint { .. });
            let decode = |record: &[u8]| -> f64 {
                match (record.get(at..at.saturating_add(width)), float) {
                    (Some(&[a, b, c, d, e, f, g, h]), true) => {
                        f64::from_le_bytes([a, b, c, d, e, f, g, h])
                    }
                    (Some(&[a, b, c, d]), true) => f64::from(f32::from_le_bytes([a, b, c, d])),
                    (Some(&[a, b, c, d, e, f, g, h]), false) => {
                        i64::from_le_bytes([a, b, c, d, e, f, g, h]) as f64
                    }
                    (Some(&[a, b, c, d]), false) => f64::from(i32::from_le_bytes([a, b, c, d])),
                    (Some(&[a, b]), false) => f64::from(i16::from_le_bytes([a, b])),
                    _ => f64::NAN,
                }
            };
            let plain = float || matches!(member.datatype, Datatype::FixedPoint { .. });
            if plain {
                let (label, unit) = super::text::header::split(&member.name, &[]);
                channels.push(Channel::new(
                    label,
                    unit,
                    raw.chunks_exact(size).map(decode).collect(),
                ));
            }
        }
        let part = gather::join(path, name);
        let source = Source::new(self.file, FORMAT, 1);
        self.tables.push(Table::new(part, channels, source));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdf5_pure::{AttrValue, FileBuilder};

    #[test]
    fn units_of_the_file_and_of_a_data_set() {
        let mut file = FileBuilder::new();
        for name in ["displacement", "force", "time"] {
            let set = file.create_dataset(name);
            set.with_f64_data(&[0.0, 2.0, 1.0]).with_shape(&[3]);
            if name == "force" {
                set.set_attr("units", AttrValue::String("kN".into()));
            }
        }
        file.set_attr("Displacement_units", AttrValue::String("in".into()));
        file.set_attr("force units", AttrValue::String("N".into()));
        let tables = read(Path::new("f.h5"), file.finish().unwrap()).unwrap();
        let mut labels = tables[0].labels();
        labels.sort();
        // What a data set says of itself goes first.
        assert_eq!(labels, ["displacement [in]", "force [kN]", "time"]);
    }
}
