//! Parquet files with flat columns of numbers.

use std::fs::File;
use std::path::Path;

use parquet::basic::{LogicalType, TimeUnit};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};

use super::text::header;
use crate::error::DataError;
use crate::table::{Channel, Source, Table};

/// Name of the format in messages.
pub(crate) const FORMAT: &str = "Parquet";
/// Rows read at a time.
const BATCH: usize = 65_536;

/// True for the magic number.
pub(crate) fn matches(head: &[u8]) -> bool {
    head.starts_with(b"PAR1")
}

/// Reads all number columns.
pub(crate) fn read(file: &Path, input: File) -> Result<Vec<Table>, DataError> {
    let bad = |place: &str, e: &ParquetError| DataError::format(file, FORMAT, place, e);
    let reader = SerializedFileReader::new(input).map_err(|e| bad("footer", &e))?;
    let schema = reader.metadata().file_metadata().schema_descr();
    let labels: Vec<String> = schema.columns().iter().map(|c| c.path().string()).collect();
    let mut channels: Vec<Option<Channel>> = Vec::new();
    for (i, column) in schema.columns().iter().enumerate() {
        let (name, unit) = header::split(&labels[i], &labels);
        // Lists repeat, nested structs define in levels: neither is a signal.
        let flat = column.max_rep_level() == 0 && column.max_def_level() <= 1;
        channels.push(flat.then(|| Channel::new(name, unit, Vec::new())));
    }
    for group in 0..reader.num_row_groups() {
        let rows = reader
            .get_row_group(group)
            .map_err(|e| bad(&format!("row group {group}"), &e))?;
        for (i, slot) in channels.iter_mut().enumerate() {
            let Some(channel) = slot else { continue };
            let place = format!("row group {group}, column `{}`", labels[i]);
            let column = rows.get_column_reader(i).map_err(|e| bad(&place, &e))?;
            let optional = schema.column(i).max_def_level() > 0;
            if !append(column, optional, &mut channel.values).map_err(|e| bad(&place, &e))? {
                *slot = None;
            }
        }
    }
    let mut out = Vec::new();
    for (i, channel) in channels.into_iter().enumerate() {
        let Some(mut channel) = channel else { continue };
        let unit = match schema.column(i).logical_type_ref() {
            Some(LogicalType::Timestamp(stamp)) => Some(stamp.unit),
            Some(LogicalType::Time(time)) => Some(time.unit),
            _ => None,
        };
        if let Some(unit) = unit {
            to_seconds(&mut channel, unit);
        }
        out.push(channel);
    }
    Ok(vec![Table::new("", out, Source::new(file, FORMAT, 1))])
}

/// Stamps count from the first row, in seconds.
fn to_seconds(channel: &mut Channel, unit: TimeUnit) {
    let factor = match unit {
        TimeUnit::MILLIS => 1e-3,
        TimeUnit::MICROS => 1e-6,
        TimeUnit::NANOS => 1e-9,
    };
    let first = channel
        .values
        .iter()
        .copied()
        .find(|v| !v.is_nan())
        .unwrap_or(0.0);
    channel
        .values
        .iter_mut()
        .for_each(|v| *v = (*v - first) * factor);
    channel.unit = Some("s".into());
}

/// Appends a column chunk; false if it holds no numbers.
fn append(column: ColumnReader, optional: bool, out: &mut Vec<f64>) -> Result<bool, ParquetError> {
    match column {
        ColumnReader::DoubleColumnReader(r) => chunk(r, optional, out, |v| v),
        ColumnReader::FloatColumnReader(r) => chunk(r, optional, out, f64::from),
        ColumnReader::Int32ColumnReader(r) => chunk(r, optional, out, f64::from),
        ColumnReader::Int64ColumnReader(r) => chunk(r, optional, out, |v| v as f64),
        ColumnReader::BoolColumnReader(r) => chunk(r, optional, out, |v| f64::from(u8::from(v))),
        _ => return Ok(false),
    }?;
    Ok(true)
}

fn chunk<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    optional: bool,
    out: &mut Vec<f64>,
    number: impl Fn(T::T) -> f64,
) -> Result<(), ParquetError> {
    loop {
        let mut values: Vec<T::T> = Vec::new();
        let mut levels: Vec<i16> = Vec::new();
        let (records, _, _) =
            reader.read_records(BATCH, optional.then_some(&mut levels), None, &mut values)?;
        if records == 0 {
            return Ok(());
        }
        let mut numbers = values.into_iter().map(&number);
        if optional {
            out.extend(levels.iter().map(|l| {
                if *l > 0 {
                    numbers.next().unwrap_or(f64::NAN)
                } else {
                    f64::NAN
                }
            }));
        } else {
            out.extend(numbers);
        }
    }
}
