//! Names, units and remarks above the data.

use super::encoding::Charset;
use super::header;
use super::split::{Cells, Delimiter};

/// Names, units and remarks above the data.
#[derive(Default)]
pub(crate) struct Head {
    pub(crate) names: Vec<String>,
    pub(crate) units: Vec<Option<String>>,
    pub(crate) meta: Vec<(String, String)>,
    /// Lines of the header, to be recognised when a segment repeats them.
    pub(crate) repeated: Vec<Vec<u8>>,
}

impl Head {
    /// Looks through the lines with content above the data, and the comments there.
    pub(crate) fn find(
        above: &[&[u8]],
        comments: &[&[u8]],
        delimiter: Delimiter,
        charset: Charset,
        width: usize,
    ) -> Head {
        let mut head = Head::default();
        let mut end = above.len();
        while end > 0 && is_rule(above[end - 1]) {
            end -= 1;
        }
        let row = |at: usize| header_cells(&charset.decode(above[at]), delimiter, width);
        let units_of = |cells: &[String]| -> Option<Vec<Option<String>>> {
            if !cells.iter().all(|c| header::may_be_unit(c)) {
                return None;
            }
            let units: Vec<Option<String>> = cells.iter().map(|c| header::unit_cell(c)).collect();
            units.iter().any(Option::is_some).then_some(units)
        };
        if end > 0
            && let Some(cells) = row(end - 1)
        {
            // `t,m` may be names as well as units: a units row needs a row of names above it, or brackets, or to be alone.
            if let Some(units) = units_of(&cells) {
                head.units = units;
                head.repeated.push(above[end - 1].to_vec());
                end -= 1;
                while end > 0 && is_rule(above[end - 1]) {
                    end -= 1;
                }
            }
        }
        if end > 0
            && let Some(cells) = row(end - 1)
        {
            head.repeated.push(above[end - 1].to_vec());
            end -= 1;
            head.take_names(&cells);
        }
        for line in &above[..end] {
            head.repeated.push(line.to_vec());
            remark(&charset.decode(line), &mut head.meta);
        }
        for line in comments {
            let text = charset.decode(line);
            let text = text.trim().trim_start_matches(['#', '%', '!', '/']).trim();
            remark(text, &mut head.meta);
        }
        if head.names.is_empty()
            && let Some(line) = comments.last()
        {
            let text = charset.decode(line);
            let text = text.trim().trim_start_matches(['#', '%', '!', '/']).trim();
            let blank = header_cells(text, Delimiter::Blank, width);
            if let Some(cells) = header_cells(text, delimiter, width)
                .or(blank)
                .filter(|c| c.len() == width)
            {
                head.take_names(&cells);
            }
        }
        head
    }

    fn take_names(&mut self, cells: &[String]) {
        let parts: Vec<(String, Option<String>)> =
            cells.iter().map(|c| header::split(c, cells)).collect();
        self.units.resize(self.units.len().max(parts.len()), None);
        for (i, (name, unit)) in parts.into_iter().enumerate() {
            // A units row wins; then the cell is a name as it stands.
            if self.units[i].is_some() {
                self.names.push(cells[i].trim().to_owned());
            } else {
                self.units[i] = unit;
                self.names.push(name);
            }
        }
    }
}

/// A line of dashes.
fn is_rule(line: &[u8]) -> bool {
    line.iter().all(|b| {
        matches!(
            b,
            b'-' | b'=' | b'*' | b'_' | b' ' | b'\t' | b'+' | b'|' | b',' | b';'
        )
    })
}

/// Cells of a header line if they can name `width` columns.
fn header_cells(text: &str, delimiter: Delimiter, width: usize) -> Option<Vec<String>> {
    let trimmed = |mut cells: Vec<String>| {
        while cells.len() > width && cells.last().is_some_and(|c| c.trim().is_empty()) {
            cells.pop();
        }
        cells
    };
    let bytes = text.as_bytes();
    let plain = trimmed(
        Cells::new(bytes, delimiter)
            .map(|c| String::from_utf8_lossy(c).replace("\"\"", "\""))
            .collect(),
    );
    // One column more may be an event column that the first rows leave out.
    let fits = |cells: &[String]| {
        let named = cells.iter().filter(|c| !c.trim().is_empty()).count();
        cells.len() >= width && cells.len() <= width + 4 && 2 * named > width
    };
    if delimiter != Delimiter::Blank {
        return fits(&plain).then_some(plain);
    }
    // `Time (s)   Force (N)`: blanks inside a name.
    let mut joined: Vec<String> = Vec::new();
    for cell in &plain {
        match joined.last_mut() {
            Some(last) if cell.starts_with(['[', '(']) => {
                last.push(' ');
                last.push_str(cell);
            }
            _ => joined.push(cell.clone()),
        }
    }
    let mut wide: Vec<String> = text
        .trim()
        .replace('\t', "  ")
        .split("  ")
        .map(|c| c.trim().to_owned())
        .collect();
    wide.retain(|c| !c.is_empty());
    [wide, joined, plain]
        .into_iter()
        .find(|cells| cells.len() == width)
}

/// Keeps `key: value` and `key = value`.
fn remark(line: &str, meta: &mut Vec<(String, String)>) {
    let pair = line
        .split_once(':')
        .or_else(|| line.split_once('='))
        .or_else(|| line.split_once('\t'))
        .or_else(|| line.split_once([',', ';']));
    let Some((key, value)) = pair else { return };
    let clean = |t: &str| {
        t.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | ',' | ';' | ':'))
            .to_owned()
    };
    let (key, value) = (clean(key), clean(value));
    if !key.is_empty() && !value.is_empty() && meta.len() < 1000 {
        meta.push((key, value));
    }
}
