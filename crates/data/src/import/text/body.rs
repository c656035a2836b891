//! Rows of a text file to columns of numbers, segment by segment.

use std::path::Path;

use super::layout::{Kind, Layout, is_comment};
use super::lines::Lines;
use super::number::{self, Cell};
use super::split::{Cells, Delimiter, Look, look};
use super::stamp;
use crate::error::DataError;

/// Rows between two interruptions.
#[derive(Debug)]
pub(crate) struct Segment {
    pub(crate) columns: Vec<Vec<f64>>,
    /// (row, line) wherever the distance changes.
    pub(crate) lines: Vec<(usize, usize)>,
    /// The text that began it, if any.
    pub(crate) title: String,
    /// For every column the first number that was read as thousands, `1,234`.
    pub(crate) groups: Vec<Option<Vec<u8>>>,
}

impl Segment {
    fn new(width: usize, title: String) -> Self {
        Segment {
            columns: vec![Vec::new(); width],
            lines: Vec::new(),
            title,
            groups: vec![None; width],
        }
    }

    fn rows(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }
}

/// What a line turned out to be.
enum Row {
    Data {
        event: Option<String>,
    },
    /// No numbers: a text line or a repeated header.
    Interruption(String),
}

struct Body<'a> {
    layout: &'a Layout,
    file: &'a Path,
    /// One row, filled before it is appended.
    row: Vec<f64>,
    /// Expect header lines until the next full row.
    between: bool,
    /// Per column: first day, last clock reading, seconds added because the clock passed midnight.
    clocks: Vec<Clock>,
    /// Per column of this row: a number that was read as thousands.
    groups: Vec<Option<Vec<u8>>>,
    /// Whether there is any.
    grouped: bool,
}

#[derive(Clone, Copy, Default)]
struct Clock {
    origin: Option<f64>,
    last: f64,
    shift: f64,
}

impl Clock {
    /// Seconds since midnight of the first day.
    fn seconds(&mut self, stamp: stamp::Stamp) -> f64 {
        if let Some(day) = stamp.day {
            let origin = *self.origin.get_or_insert(day);
            return (day - origin) * 86_400.0 + stamp.seconds;
        }
        // A clock without date that falls back by half a day passed midnight.
        if stamp.seconds < self.last - 43_200.0 {
            self.shift += 86_400.0;
        }
        self.last = stamp.seconds;
        stamp.seconds + self.shift
    }
}

/// Reads all rows.
pub(crate) fn read(
    file: &Path,
    layout: &Layout,
    lines: &mut Lines<'_>,
) -> Result<Vec<Segment>, DataError> {
    let width = layout.kinds.len();
    let mut body = Body {
        layout,
        file,
        row: vec![f64::NAN; width],
        between: false,
        clocks: vec![Clock::default(); width],
        groups: vec![None; width],
        grouped: false,
    };
    let mut segments = vec![Segment::new(width, String::new())];
    loop {
        let number = lines.number + 1;
        let Some(line) = lines.next()? else { break };
        if line.is_empty() || (line[0] <= b' ' && line.trim_ascii().is_empty()) || is_comment(line)
        {
            continue;
        }
        match body.line(line, number)? {
            Row::Data { event } => {
                let begins = event.as_deref().is_some_and(begins_segment);
                if begins {
                    begin(&mut segments, width, event.unwrap_or_default());
                }
                body.between = false;
                if let Some(segment) = segments.last_mut() {
                    let rows = segment.rows();
                    let expected = segment.lines.last().map(|&(row, line)| line + rows - row);
                    if expected != Some(number) {
                        segment.lines.push((rows, number));
                    }
                    for (column, value) in segment.columns.iter_mut().zip(&body.row) {
                        column.push(*value);
                    }
                    if body.grouped {
                        body.grouped = false;
                        for (first, group) in segment.groups.iter_mut().zip(&mut body.groups) {
                            let group = group.take();
                            *first = first.take().or(group);
                        }
                    }
                }
            }
            Row::Interruption(title) => {
                if !body.between {
                    begin(&mut segments, width, title);
                    body.between = true;
                }
            }
        }
    }
    segments.retain(|s| s.rows() > 0);
    Ok(segments)
}

fn begin(segments: &mut Vec<Segment>, width: usize, title: String) {
    match segments.last_mut() {
        Some(last) if last.rows() == 0 => last.title = title,
        _ => segments.push(Segment::new(width, title)),
    }
}

/// Event texts after which a recording goes on from elsewhere.
fn begins_segment(event: &str) -> bool {
    let event = event.to_ascii_lowercase();
    [
        "resume",
        "restart",
        "segment",
        "daq start",
        "new test",
        "start of",
    ]
    .iter()
    .any(|w| event.contains(w))
}

impl Body<'_> {
    fn line(&mut self, line: &[u8], number: usize) -> Result<Row, DataError> {
        let Layout {
            delimiter,
            signs,
            kinds,
            ..
        } = self.layout;
        let decimal = &signs.decimal;
        let mut at = if *delimiter == Delimiter::Blank {
            line.len() - line.trim_ascii_start().len()
        } else {
            0
        };
        let mut event = None;
        let mut good = 0;
        let mut bad = None;
        for (i, kind) in kinds.iter().enumerate() {
            self.row[i] = f64::NAN;
            if at > line.len() {
                continue;
            }
            if *kind == Kind::Number
                && let Some((value, next)) = plain(line, at, *delimiter, *decimal)
            {
                self.row[i] = value;
                good += 1;
                at = next;
                continue;
            }
            let mut cells = Cells::from(line, at, *delimiter);
            let cell = cells.next().unwrap_or_default();
            at = cells.position();
            match (kind, number::cell(cell, *decimal)) {
                (Kind::Number | Kind::Empty, Cell::Number(value)) => {
                    self.row[i] = value;
                    good += 1;
                }
                (Kind::Number | Kind::Empty, Cell::Group(value)) if signs.groups[i] => {
                    self.row[i] = value;
                    good += 1;
                    self.groups[i] = Some(cell.to_vec());
                    self.grouped = true;
                }
                (Kind::Number | Kind::Empty, Cell::NotFinite(value)) => self.row[i] = value,
                (Kind::Text | Kind::Empty, Cell::Group(_) | Cell::Other) => {
                    event = Some(self.layout.charset.decode(cell));
                }
                (Kind::Number, Cell::Group(_) | Cell::Other) => {
                    bad.get_or_insert((i, "a number", cell));
                }
                (Kind::Stamp, found) => match (stamp::parse(cell), found) {
                    (Some(stamp), _) => {
                        self.row[i] = self.clocks[i].seconds(stamp);
                        good += 1;
                    }
                    (None, Cell::Missing) => {}
                    (None, _) => {
                        bad.get_or_insert((i, "a date and time", cell));
                    }
                },
                _ => {}
            }
        }
        let Some((column, expected, found)) = bad else {
            let surplus = if at <= line.len() {
                self.surplus(line, at, number, &mut event)?
            } else {
                0
            };
            // A row of empty cells is a row of missing values.
            let empty = good == 0 && event.is_none() && surplus == 0;
            return Ok(if good > 0 || empty {
                Row::Data { event }
            } else {
                Row::Interruption(event.unwrap_or_default())
            });
        };
        let filled = Cells::new(line, *delimiter)
            .take(kinds.len())
            .filter(|c| !c.is_empty())
            .count();
        let header = self
            .layout
            .repeated
            .iter()
            .any(|h| h.trim_ascii() == line.trim_ascii());
        let words = Cells::new(line, *delimiter).any(|c| look(c, *decimal) == Look::Text);
        let remark = good == 0 && filled < kinds.len().div_ceil(2).max(2);
        if header || remark || (self.between && words) {
            return Ok(Row::Interruption(
                self.layout.charset.decode(line.trim_ascii()),
            ));
        }
        Err(DataError::Cell {
            file: self.file.to_owned(),
            line: number,
            column: column + 1,
            name: self.layout.names.get(column).cloned().unwrap_or_default(),
            found: shorten(&self.layout.charset.decode(found)),
            expected,
        })
    }

    /// Cells beyond the last column: events are kept, numbers are refused.
    fn surplus(
        &self,
        line: &[u8],
        at: usize,
        number: usize,
        event: &mut Option<String>,
    ) -> Result<usize, DataError> {
        let width = self.layout.kinds.len();
        let mut found = 0;
        for (extra, cell) in Cells::from(line, at, self.layout.delimiter).enumerate() {
            if cell.is_empty() {
                continue;
            }
            found += 1;
            let text = self.layout.charset.decode(cell);
            if look(cell, self.layout.signs.decimal) != Look::Text {
                return Err(DataError::Ragged {
                    file: self.file.to_owned(),
                    line: number,
                    found: width + extra + 1,
                    expected: width,
                    text: shorten(&text),
                });
            }
            event.get_or_insert(text);
        }
        Ok(found)
    }
}

/// A cell that is nothing but a number, and where the next cell starts.
fn plain(line: &[u8], at: usize, delimiter: Delimiter, decimal: u8) -> Option<(f64, usize)> {
    let mut start = at;
    while line.get(start) == Some(&b' ') {
        start += 1;
    }
    let (value, used) = number::prefix(&line[start..], decimal)?;
    if !value.is_finite() {
        return None;
    }
    let mut end = start + used;
    match delimiter {
        Delimiter::Byte(d) => {
            while line.get(end) == Some(&b' ') && d != b' ' {
                end += 1;
            }
            match line.get(end) {
                None => Some((value, line.len() + 1)),
                Some(b) if *b == d => Some((value, end + 1)),
                Some(_) => None,
            }
        }
        Delimiter::Blank => {
            if !matches!(line.get(end), None | Some(b' ' | b'\t')) {
                return None;
            }
            while matches!(line.get(end), Some(b' ' | b'\t')) {
                end += 1;
            }
            Some((value, if end == line.len() { end + 1 } else { end }))
        }
    }
}

/// Long cells are cut for messages.
fn shorten(text: &str) -> String {
    if text.chars().count() <= 40 {
        return text.to_owned();
    }
    text.chars().take(37).chain("...".chars()).collect()
}
