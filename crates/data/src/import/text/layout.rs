//! Finds out how a text file is laid out, from its beginning.
//!
//! The delimiter and decimal sign are those under which most cells are numbers; the data begin at the first line whose
//! cells fit the columns; names and units are looked for above it.

use super::encoding::Charset;
use super::head::Head;
use super::split::{Cells, Delimiter, Look, look};
use super::thousands::{self, Signs};

/// A line of the beginning of the file; a quoted cell may span several.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'a> {
    pub(crate) text: &'a [u8],
    /// Line of the file, from 1.
    pub(crate) number: usize,
    /// Byte offset in the file.
    pub(crate) offset: usize,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Number,
    Stamp,
    Text,
    /// Nothing yet.
    Empty,
}

/// How a text file is laid out.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) delimiter: Delimiter,
    pub(crate) signs: Signs,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) names: Vec<String>,
    pub(crate) units: Vec<Option<String>>,
    pub(crate) meta: Vec<(String, String)>,
    pub(crate) charset: Charset,
    /// Line and byte offset of the first data row.
    pub(crate) line: usize,
    pub(crate) offset: usize,
    /// Lines of the header, to be recognised when a segment repeats them.
    pub(crate) repeated: Vec<Vec<u8>>,
    /// For every column of text a cell of it, with its line.
    pub(crate) texts: Vec<Option<(usize, String)>>,
}

const CANDIDATES: [(Delimiter, u8); 9] = [
    (Delimiter::Byte(b'\t'), b'.'),
    (Delimiter::Byte(b'\t'), b','),
    (Delimiter::Byte(b';'), b'.'),
    (Delimiter::Byte(b';'), b','),
    (Delimiter::Byte(b','), b'.'),
    // Quoted numbers with decimal commas between commas.
    (Delimiter::Byte(b','), b','),
    (Delimiter::Byte(b'|'), b'.'),
    (Delimiter::Blank, b'.'),
    (Delimiter::Blank, b','),
];

/// Most lines looked at to find the delimiter.
const SAMPLE: usize = 300;

pub(crate) fn is_comment(line: &[u8]) -> bool {
    let text = line.trim_ascii_start();
    matches!(text.first(), Some(b'#' | b'%' | b'!')) || text.starts_with(b"//")
}

/// What the cells of a line look like.
#[derive(Default)]
struct Tally {
    numbers: usize,
    groups: usize,
    stamps: usize,
    texts: usize,
    cells: usize,
}

impl Tally {
    fn of(line: &[u8], delimiter: Delimiter, decimal: u8) -> Tally {
        let mut out = Tally::default();
        for (i, cell) in Cells::new(line, delimiter).enumerate() {
            match look(cell, decimal) {
                Look::Number => out.numbers += 1,
                Look::Group => out.groups += 1,
                Look::Stamp => out.stamps += 1,
                Look::Text => out.texts += 1,
                Look::Missing => {}
            }
            // Trailing empty cells do not count.
            if !cell.is_empty() {
                out.cells = i + 1;
            }
        }
        out
    }

    /// Cells that hold data.
    fn data(&self) -> usize {
        self.numbers + self.groups + self.stamps
    }

    /// More data than words.
    fn is_row(&self) -> bool {
        self.data() > self.texts
    }

    /// How well the signs fit the line: a group of thousands is a number, but not the likeliest reading.
    fn points(&self) -> usize {
        if self.is_row() {
            (4 * (self.numbers + self.stamps) + 3 * self.groups).saturating_sub(4 * self.texts)
        } else {
            0
        }
    }
}

/// Works the layout out from the first lines; `None` if no line holds a number.
pub(crate) fn detect(lines: &[Line<'_>]) -> Option<Layout> {
    let content: Vec<&Line<'_>> = lines
        .iter()
        .filter(|l| !l.text.trim_ascii().is_empty() && !is_comment(l.text))
        .collect();
    let sample = &content[content.len().saturating_sub(SAMPLE)..];
    let score = |&(delimiter, decimal): &(Delimiter, u8)| -> usize {
        sample
            .iter()
            .map(|l| Tally::of(l.text, delimiter, decimal).points())
            .sum()
    };
    let mut best = (CANDIDATES[0], 0);
    for candidate in CANDIDATES {
        let points = score(&candidate);
        // Blanks also part words and dates above the data: they must win clearly.
        let rivals = candidate.0 == Delimiter::Blank && best.1 > 0;
        let margin = if rivals { best.1 / 10 + 4 } else { 0 };
        if points > best.1 + margin {
            best = (candidate, points);
        }
    }
    let ((delimiter, decimal), points) = best;
    if points == 0 {
        return None;
    }
    let width = modal_width(sample, delimiter, decimal);
    let rows = sample
        .iter()
        .filter(|l| Tally::of(l.text, delimiter, decimal).is_row())
        .map(|l| Cells::new(l.text, delimiter).collect());
    let mut signs = thousands::weigh(rows, decimal, width);
    let decimal = signs.decimal;
    let (mut kinds, examples) = column_kinds(sample, delimiter, decimal, width);
    let first = first_row(&content, delimiter, decimal, &kinds)?;
    let charset = {
        let end = lines
            .iter()
            .position(|l| l.number == content[first].number)
            .unwrap_or(lines.len());
        let words: Vec<u8> = lines[..end]
            .iter()
            .flat_map(|l| l.text.iter().copied().chain([b'\n']))
            .collect();
        Charset::of(&words)
    };
    let above: Vec<&[u8]> = content[..first].iter().map(|l| l.text).collect();
    let comments: Vec<&[u8]> = lines
        .iter()
        .filter(|l| l.number < content[first].number && is_comment(l.text))
        .map(|l| l.text)
        .collect();
    let head = Head::find(&above, &comments, delimiter, charset, kinds.len());
    while kinds.len() < head.names.len() {
        kinds.push(Kind::Empty);
    }
    let Head {
        mut names,
        mut units,
        meta,
        repeated,
    } = head;
    names.resize(kinds.len(), String::new());
    units.resize(kinds.len(), None);
    signs.groups.resize(kinds.len(), true);
    signs.examples.resize(kinds.len(), None);
    let mut texts: Vec<Option<(usize, String)>> = examples
        .into_iter()
        .map(|cell| cell.map(|(line, text)| (line, charset.decode(text))))
        .collect();
    texts.resize(kinds.len(), None);
    Some(Layout {
        delimiter,
        signs,
        kinds,
        names,
        units,
        meta,
        charset,
        line: content[first].number,
        offset: content[first].offset,
        repeated,
        texts,
    })
}

/// The most frequent number of cells among lines with numbers.
fn modal_width(sample: &[&Line<'_>], delimiter: Delimiter, decimal: u8) -> usize {
    let mut widths: Vec<usize> = Vec::new();
    for line in sample {
        let tally = Tally::of(line.text, delimiter, decimal);
        if tally.is_row() {
            widths.push(tally.cells);
        }
    }
    widths.sort_unstable();
    let mut best = (0, 0);
    let mut at = 0;
    while at < widths.len() {
        let run = widths[at..]
            .iter()
            .take_while(|w| **w == widths[at])
            .count();
        // On a tie the wider wins: short rows miss values, long rows do not invent them.
        if run >= best.0 {
            best = (run, widths[at]);
        }
        at += run;
    }
    best.1
}

/// A cell and its line.
type Place<'a> = (usize, &'a [u8]);

/// What each column holds, and the first text of those that hold text.
fn column_kinds<'a>(
    sample: &[&Line<'a>],
    delimiter: Delimiter,
    decimal: u8,
    width: usize,
) -> (Vec<Kind>, Vec<Option<Place<'a>>>) {
    let mut counts: Vec<[usize; 3]> = vec![[0; 3]; width];
    let mut texts = vec![None; width];
    for line in sample {
        if !Tally::of(line.text, delimiter, decimal).is_row() {
            continue;
        }
        for (i, cell) in Cells::new(line.text, delimiter).enumerate().take(width) {
            match look(cell, decimal) {
                Look::Number | Look::Group => counts[i][0] += 1,
                Look::Stamp => counts[i][1] += 1,
                Look::Text => {
                    counts[i][2] += 1;
                    texts[i].get_or_insert((line.number, cell));
                }
                // The word NaN says that numbers are meant, an empty cell says nothing.
                Look::Missing => counts[i][0] += usize::from(!cell.is_empty()),
            }
        }
    }
    let kind = |&[numbers, stamps, texts]: &[usize; 3]| {
        if numbers + stamps + texts == 0 {
            Kind::Empty
        } else if stamps > numbers && stamps >= texts {
            Kind::Stamp
        } else if numbers >= texts {
            Kind::Number
        } else {
            Kind::Text
        }
    };
    let kinds: Vec<Kind> = counts.iter().map(kind).collect();
    for (text, kind) in texts.iter_mut().zip(&kinds) {
        *text = text.filter(|_| *kind == Kind::Text);
    }
    (kinds, texts)
}

/// Index of the first data row among the lines with content.
fn first_row(
    content: &[&Line<'_>],
    delimiter: Delimiter,
    decimal: u8,
    kinds: &[Kind],
) -> Option<usize> {
    let wanted = kinds
        .iter()
        .filter(|k| matches!(k, Kind::Number | Kind::Stamp))
        .count();
    let fits = |line: &Line<'_>| {
        let mut good = 0;
        for (kind, cell) in kinds.iter().zip(Cells::new(line.text, delimiter)) {
            match (kind, look(cell, decimal)) {
                (Kind::Number, Look::Number | Look::Group) | (Kind::Stamp, Look::Stamp) => {
                    good += 1;
                }
                (Kind::Number | Kind::Stamp, Look::Text | Look::Stamp) => return false,
                _ => {}
            }
        }
        good > 0 && 2 * good >= wanted
    };
    let mut first = content.iter().position(|l| fits(l))?;
    // A row above with a number under a header is data with a bad cell, not a header.
    while first >= 2 {
        let own = Tally::of(content[first - 1].text, delimiter, decimal);
        let above = Tally::of(content[first - 2].text, delimiter, decimal);
        let row = own.data() > 0 && own.cells == kinds.len() && 2 * own.data() >= wanted;
        if !row || above.cells < kinds.len() {
            break;
        }
        first -= 1;
    }
    Some(first)
}
