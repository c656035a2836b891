//! National Instruments TDMS: one table per group and channel length.

use std::path::Path;

use tdms_rs::{DataType, PropertyValue, TdmsChannel, TdmsFile};

use crate::error::DataError;
use crate::table::{Channel, Source, Table};

/// Name of the format in messages.
pub(crate) const FORMAT: &str = "TDMS";

/// True for the lead-in of a segment.
pub(crate) fn matches(head: &[u8]) -> bool {
    head.starts_with(b"TDSm")
}

/// Reads all number channels.
pub(crate) fn read(file: &Path, size: u64) -> Result<Vec<Table>, DataError> {
    let bad = |place: &str, reason: String| DataError::format(file, FORMAT, place, reason);
    let source = TdmsFile::open(file).map_err(|e| bad("meta data", e.to_string()))?;
    let mut out: Vec<Table> = Vec::new();
    let meta: Vec<(String, String)> = source
        .properties()
        .map(|(k, v)| (k.to_owned(), words(v)))
        .collect();
    for group in source.groups() {
        let begin = out.len();
        for channel in group.channels() {
            let place = format!("channel `{}`/`{}`", group.name(), channel.name());
            if channel.len() as u64 > size {
                let claimed = channel.len();
                let reason = format!("claims {claimed} samples, more than the file can hold");
                return Err(bad(&place, reason));
            }
            let Some(values) = numbers(&channel).map_err(|e| bad(&place, e.to_string()))? else {
                continue;
            };
            let property = |name: &str| channel.property(name).map(words).filter(|t| !t.is_empty());
            let unit = property("unit_string")
                .or_else(|| property("unit"))
                .or_else(|| property("Unit"));
            let (name, in_name) = super::text::header::split(channel.name(), &[]);
            let column = Channel::new(name, unit.or(in_name), values);
            let step = property("wf_increment");
            let like = |t: &Table| {
                t.rows() == column.values.len()
                    && t.meta(&["wf_increment"]).map(str::to_owned) == step
            };
            match out[begin..].iter_mut().find(|t| like(t)) {
                Some(table) => table.channels.push(column),
                None => {
                    let mut table =
                        Table::new(group.name(), vec![column], Source::new(file, FORMAT, 1));
                    table.meta.clone_from(&meta);
                    table
                        .meta
                        .extend(step.map(|s| ("wf_increment".to_owned(), s)));
                    out.push(table);
                }
            }
        }
    }
    if let [only] = out.as_mut_slice() {
        only.part.clear();
    }
    Ok(out)
}

/// Text of a property, numbers with all their digits.
fn words(value: &PropertyValue) -> String {
    match value {
        PropertyValue::String(s) => s.clone(),
        PropertyValue::Double(v) => format!("{v:e}"),
        PropertyValue::Float(v) => format!("{v:e}"),
        other => other.to_string(),
    }
}

fn numbers(channel: &TdmsChannel<'_>) -> Result<Option<Vec<f64>>, tdms_rs::TdmsError> {
    macro_rules! all {
        ($kind:ty) => {{
            let mut raw: Vec<$kind> = vec![<$kind>::default(); channel.len()];
            channel.read(0..channel.len(), &mut raw)?;
            Some(raw.into_iter().map(|v| v as f64).collect())
        }};
    }
    #[expect(clippy::cast_lossless, reason = "one macro for all number types")]
    Ok(match channel.dtype() {
        DataType::I8 => all!(i8),
        DataType::I16 => all!(i16),
        DataType::I32 => all!(i32),
        DataType::I64 => all!(i64),
        DataType::U8 => all!(u8),
        DataType::U16 => all!(u16),
        DataType::U32 => all!(u32),
        DataType::U64 => all!(u64),
        DataType::Float => all!(f32),
        DataType::Double => all!(f64),
        _ => None,
    })
}
