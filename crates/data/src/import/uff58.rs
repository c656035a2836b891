//! Universal file format, data set 58: functions, as text or binary.
//!
//! Layout (SDRC universal file, data set 58): blocks between lines of `-1`; eleven header records; then the ordinates,
//! with abscissae when they are not even.

use std::path::Path;

use crate::error::DataError;
use crate::recognise;
use crate::table::{Channel, Source, Table};

/// Name of the format in messages.
pub(crate) const FORMAT: &str = "UFF58";

/// True for a file that begins with a universal data set.
pub(crate) fn matches(head: &[u8]) -> bool {
    let mut lines = head
        .split(|b| *b == b'\n')
        .map(<[u8]>::trim_ascii)
        .skip_while(|l| l.is_empty());
    lines.next() == Some(b"-1")
        && lines.next().is_some_and(|l| {
            let digits = l.iter().take_while(|b| b.is_ascii_digit()).count();
            (1..=4).contains(&digits)
                && l.get(digits)
                    .is_none_or(|b| matches!(b, b'b' | b' ' | b'\r'))
        })
}

/// One function.
struct Function {
    channel: Channel,
    /// Times: given, or begin and step.
    times: Option<Vec<f64>>,
    even: (f64, f64),
}

/// Reads a file held in memory.
pub(crate) fn read(file: &Path, bytes: &[u8]) -> Result<Vec<Table>, DataError> {
    let mut cursor = Cursor {
        bytes,
        at: 0,
        line: 0,
    };
    let mut functions = Vec::new();
    let mut others: Vec<String> = Vec::new();
    while let Some(line) = cursor.next() {
        if line.trim_ascii() != b"-1" {
            continue;
        }
        let Some(kind) = cursor.next() else { break };
        let kind = String::from_utf8_lossy(kind).into_owned();
        let number = kind
            .trim()
            .split(|c: char| !c.is_ascii_digit())
            .next()
            .unwrap_or_default()
            .to_owned();
        if number == "58" {
            let binary = kind.contains('b').then(|| kind.clone());
            if let Some(function) = function(file, &mut cursor, binary.as_deref())? {
                functions.push(function);
            }
        } else {
            others.push(number);
        }
        // On to the end of the block.
        while cursor.next().is_some_and(|l| l.trim_ascii() != b"-1") {}
    }
    if functions.is_empty() {
        let what = format!("no time function of data set 58; found data sets {others:?}");
        return Err(DataError::empty(file, what));
    }
    Ok(tables(file, functions))
}

/// Functions of the same length and abscissa form a table.
fn tables(file: &Path, functions: Vec<Function>) -> Vec<Table> {
    let mut out: Vec<(Vec<f64>, Vec<Channel>)> = Vec::new();
    for function in functions {
        let n = function.channel.values.len();
        let (begin, step) = function.even;
        let times = function
            .times
            .unwrap_or_else(|| (0..n).map(|i| begin + step * i as f64).collect());
        match out.iter_mut().find(|t| t.0 == times) {
            Some(table) => table.1.push(function.channel),
            None => out.push((times, vec![function.channel])),
        }
    }
    let several = out.len() > 1;
    out.into_iter()
        .enumerate()
        .map(|(i, (times, mut channels))| {
            channels.insert(0, Channel::new("time", Some("s".into()), times));
            let part = if several {
                (i + 1).to_string()
            } else {
                String::new()
            };
            Table::new(part, channels, Source::new(file, FORMAT, 1))
        })
        .collect()
}

fn function(
    file: &Path,
    cursor: &mut Cursor<'_>,
    binary: Option<&str>,
) -> Result<Option<Function>, DataError> {
    let first = cursor.line + 1;
    let bad = |line: usize, reason: String| {
        DataError::format(file, FORMAT, format!("line {line}"), reason)
    };
    let mut records = Vec::with_capacity(11);
    for _ in 0..11 {
        let line = cursor
            .next()
            .ok_or_else(|| bad(first, "the file ends inside a header".into()))?;
        records.push(String::from_utf8_lossy(line).into_owned());
    }
    let kind: i64 = columns(&records[5], 0, 5).parse().unwrap_or(-1);
    let form = &records[6];
    let number = |from, to| {
        columns(form, from, to)
            .parse::<f64>()
            .ok()
            .filter(|v| v.is_finite())
    };
    let (Some(data_type), Some(points), Some(spacing)) =
        (number(0, 10), number(10, 20), number(20, 30))
    else {
        return Err(bad(
            first + 6,
            format!("found `{form}`, expected data type, number of points and spacing"),
        ));
    };
    let (begin, step) = (number(30, 43).unwrap_or(0.0), number(43, 56).unwrap_or(0.0));
    // Only real functions over time are records.
    let double = match data_type as i64 {
        2 => false,
        4 => true,
        _ => return Ok(None),
    };
    if !(0..=1).contains(&kind) || !(1.0..=1e10).contains(&points) {
        return Ok(None);
    }
    let even = spacing == 1.0;
    let count = points as usize * if even { 1 } else { 2 };
    let numbers = match binary {
        Some(head) => cursor.binary(head, count, double),
        None => cursor.text(count, even, double),
    };
    let numbers = numbers.map_err(|reason| bad(cursor.line, reason))?;
    let (times, values) = if even {
        (None, numbers)
    } else {
        let times = numbers.iter().step_by(2).copied().collect();
        (
            Some(times),
            numbers.iter().skip(1).step_by(2).copied().collect(),
        )
    };
    let channel = Channel::new(
        name(&records),
        Some(columns(&records[8], 47, 67))
            .filter(|u| !u.is_empty() && !u.eq_ignore_ascii_case("none")),
        values,
    );
    Ok(Some(Function {
        channel,
        times,
        even: (begin, step),
    }))
}

/// A fixed field of a record.
fn columns(record: &str, from: usize, to: usize) -> String {
    record
        .chars()
        .skip(from)
        .take(to - from)
        .collect::<String>()
        .trim()
        .to_owned()
}

/// The first of description, axis label and data type that tells a role; else the description.
fn name(records: &[String]) -> String {
    let by_type = match columns(&records[8], 0, 10).as_str() {
        "8" => "displacement",
        "9" | "13" => "force",
        "11" => "velocity",
        "12" => "acceleration",
        _ => "",
    };
    let candidates = [
        records[0].trim().to_owned(),
        columns(&records[8], 26, 46),
        by_type.to_owned(),
    ];
    let known = candidates
        .iter()
        .find(|c| !c.is_empty() && recognise::is_known(c));
    known
        .or(candidates.iter().find(|c| !c.is_empty()))
        .cloned()
        .unwrap_or_else(|| "function".into())
}

/// Lines of the file, with binary stretches in between.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
}

impl<'a> Cursor<'a> {
    fn next(&mut self) -> Option<&'a [u8]> {
        if self.at >= self.bytes.len() {
            return None;
        }
        let rest = &self.bytes[self.at..];
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        self.at += end + 1;
        self.line += 1;
        let line = &rest[..end];
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// `b`, byte order, number format, ...: 58b     1     2          11        8000
    fn binary(&mut self, head: &str, count: usize, double: bool) -> Result<Vec<f64>, String> {
        let mut fields = head.split_once('b').map_or("", |h| h.1).split_whitespace();
        let big = match fields.next() {
            Some("1") => false,
            Some("2") => true,
            other => return Err(format!("byte order {other:?}, expected 1 or 2")),
        };
        if fields.next() != Some("2") {
            return Err("number format other than IEEE 754 (2)".into());
        }
        // Writers disagree on the size of single numbers: the right one is followed by the end of the block.
        let ends = |size: usize| -> Option<usize> {
            let end = self.at.checked_add(count.checked_mul(size)?)?;
            self.bytes
                .get(end..)?
                .trim_ascii_start()
                .starts_with(b"-1")
                .then_some(end)
        };
        let usual = if double { 8 } else { 4 };
        let size = [usual, 12 - usual]
            .into_iter()
            .find(|s| ends(*s).is_some())
            .unwrap_or(usual);
        let end = count
            .checked_mul(size)
            .and_then(|n| n.checked_add(self.at))
            .ok_or("too many points")?;
        let raw = self
            .bytes
            .get(self.at..end)
            .ok_or("the file ends inside the data")?;
        self.at = end;
        Ok(raw
            .chunks_exact(size)
            .map(|c| match (c, big) {
                (&[a, b, c, d], false) => f64::from(f32::from_le_bytes([a, b, c, d])),
                (&[a, b, c, d], true) => f64::from(f32::from_be_bytes([a, b, c, d])),
                (&[a, b, c, d, e, f, g, h], false) => f64::from_le_bytes([a, b, c, d, e, f, g, h]),
                (&[a, b, c, d, e, f, g, h], true) => f64::from_be_bytes([a, b, c, d, e, f, g, h]),
                _ => f64::NAN,
            })
            .collect())
    }

    /// Fixed fields of 13 or 20 characters, which may touch.
    fn text(&mut self, count: usize, even: bool, double: bool) -> Result<Vec<f64>, String> {
        let widths: &[usize] = match (even, double) {
            (_, false) => &[13],
            (true, true) => &[20],
            (false, true) => &[13, 20],
        };
        // No more room than the rest of the file can fill.
        let mut out = Vec::with_capacity(
            count.min((self.bytes.len() - self.at.min(self.bytes.len())) / 2 + 1),
        );
        while out.len() < count {
            let line = self.next().ok_or("the file ends inside the data")?;
            if line.trim_ascii() == b"-1" {
                return Err(format!(
                    "the data end after {} of {count} numbers",
                    out.len()
                ));
            }
            let mut at = 0;
            let mut field = 0;
            while at < line.len() && out.len() < count {
                let width = widths[field % widths.len()];
                let cell = line[at..(at + width).min(line.len())].trim_ascii();
                at += width;
                field += 1;
                if cell.is_empty() {
                    continue;
                }
                match super::text::cell(cell, b'.') {
                    super::text::Cell::Number(value) | super::text::Cell::NotFinite(value) => {
                        out.push(value);
                    }
                    super::text::Cell::Missing => out.push(f64::NAN),
                    super::text::Cell::Group(_) | super::text::Cell::Other => {
                        return Err(format!(
                            "found `{}`, expected a number",
                            String::from_utf8_lossy(cell)
                        ));
                    }
                }
            }
        }
        Ok(out)
    }
}
