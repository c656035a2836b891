//! What a reproduction is made of; one definition gives the text, the page and the JSON.

use masing_report::figures::significant;
use masing_report::text::printed;
use masing_report::{Axis, Block, Page, Plot, Section, Shape, Table};
use serde::ser::SerializeSeq as _;
use serde::{Serialize, Serializer};

/// The tables and figures of one paper.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Name of the reproduction.
    pub paper: &'static str,
    /// Heading.
    pub title: &'static str,
    /// Where the paper was published.
    pub reference: &'static str,
    /// What holds for all parts.
    pub about: &'static str,
    /// The tables and figures, in the order of the paper.
    pub parts: Vec<Part>,
}

/// One table or figure.
#[derive(Debug, Serialize)]
pub struct Part {
    /// Its name within the paper.
    pub id: &'static str,
    /// Heading.
    pub title: &'static str,
    /// What it shows.
    pub text: String,
    /// What the numbers of a row are.
    pub columns: Vec<Column>,
    /// The numbers.
    pub rows: Vec<Row>,
    /// Largest relative difference from independent figures, where there are any.
    pub difference: Option<Difference>,
    /// Drawn on the page.
    #[serde(skip)]
    pub plots: Vec<Plot>,
}

/// One column of numbers.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Column {
    /// The quantity.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    #[serde(skip)]
    digits: u8,
}

/// Who says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// This program.
    Masing,
    /// The paper.
    Paper,
}

/// One row.
#[derive(Debug, Serialize)]
pub struct Row {
    /// What the row is.
    pub label: String,
    /// Who says so.
    pub source: Source,
    /// NaN where there is nothing to say.
    #[serde(serialize_with = "numbers")]
    pub values: Vec<f64>,
    /// The same by independent computation, NaN where it is not known.
    #[serde(serialize_with = "numbers")]
    pub reference: Vec<f64>,
    /// A word at the end of the row.
    pub remark: String,
}

/// Where the numbers are farthest from the independent ones.
#[derive(Debug, Serialize)]
pub struct Difference {
    /// |ours/theirs - 1|.
    pub relative: f64,
    /// Label of the row.
    pub row: String,
    /// Name of the column.
    pub column: &'static str,
}

/// Numbers as JSON: null where there is none, a word where it is infinite.
fn numbers<S: Serializer>(values: &[f64], to: S) -> Result<S::Ok, S::Error> {
    let mut list = to.serialize_seq(Some(values.len()))?;
    for value in values {
        if value.is_infinite() {
            list.serialize_element(INFINITE)?;
        } else {
            list.serialize_element(&(!value.is_nan()).then_some(value))?;
        }
    }
    list.end()
}

/// What stands for a number that has grown without bounds.
const INFINITE: &str = "infinite";

/// An empty plot of a path in the plane.
pub(crate) fn path(title: impl Into<String>, x: Quantity, y: Quantity) -> Plot {
    plot(title, Shape::Path, x, y)
}

/// An empty plot over a growing abscissa.
pub(crate) fn history(title: impl Into<String>, x: Quantity, y: Quantity) -> Plot {
    plot(title, Shape::History, x, y)
}

fn plot(title: impl Into<String>, shape: Shape, x: Quantity, y: Quantity) -> Plot {
    Plot::new(title, shape, Axis::new(x.0, x.1), Axis::new(y.0, y.1))
}

/// What an axis shows, and its unit.
pub(crate) type Quantity = (&'static str, &'static str);

pub(crate) const DISPLACEMENT: Quantity = ("displacement", "mm");
pub(crate) const FORCE: Quantity = ("force", "N");
pub(crate) const TIME: Quantity = ("time", "s");

/// Where there is no number.
pub(crate) const NAN: f64 = f64::NAN;

/// Columns in the same unit, printed with as many digits.
pub(crate) fn alike<const N: usize>(
    names: [&'static str; N],
    unit: &'static str,
    digits: u8,
) -> Vec<Column> {
    names.map(|name| column(name, unit, digits)).to_vec()
}

/// A column of numbers that are printed with so many digits.
pub(crate) fn column(name: &'static str, unit: &'static str, digits: u8) -> Column {
    Column { name, unit, digits }
}

/// A row of our own.
pub(crate) fn ours(label: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Row {
    row(label, Source::Masing, values)
}

/// A row of the paper.
pub(crate) fn paper(label: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Row {
    row(label, Source::Paper, values)
}

fn row(label: impl Into<String>, source: Source, values: impl IntoIterator<Item = f64>) -> Row {
    Row {
        label: label.into(),
        source,
        values: values.into_iter().collect(),
        reference: Vec::new(),
        remark: String::new(),
    }
}

impl Row {
    /// With further values.
    pub(crate) fn and(mut self, values: impl IntoIterator<Item = f64>) -> Self {
        self.values.extend(values);
        self
    }

    /// With what an independent computation gave.
    pub(crate) fn against(mut self, reference: impl IntoIterator<Item = f64>) -> Self {
        self.reference = reference.into_iter().collect();
        self
    }

    pub(crate) fn remark(mut self, text: impl Into<String>) -> Self {
        self.remark = text.into();
        self
    }
}

impl Part {
    pub(crate) fn new(
        title: &'static str,
        text: impl Into<String>,
        columns: Vec<Column>,
        rows: Vec<Row>,
    ) -> Self {
        let difference = difference(&columns, &rows);
        Self {
            // Known to the list of the paper.
            id: "",
            title,
            text: text.into(),
            columns,
            rows,
            difference,
            plots: Vec::new(),
        }
    }

    /// The row of that label.
    pub fn row(&self, label: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.label == label)
    }

    pub(crate) fn with_plots(mut self, plots: impl IntoIterator<Item = Plot>) -> Self {
        self.plots.extend(plots);
        self
    }

    /// How close the numbers are to the independent ones, in words.
    fn verdict(&self) -> Option<String> {
        self.difference.as_ref().map(|d| {
            format!(
                "Largest difference from independent figures: {} % ({}, {}).",
                significant(100.0 * d.relative, 2),
                d.row,
                d.column
            )
        })
    }

    fn has_remarks(&self) -> bool {
        self.rows.iter().any(|row| !row.remark.is_empty())
    }

    fn table(&self) -> Table {
        let mut header = vec![String::new()];
        header.extend(self.columns.iter().map(|c| match c.unit {
            "" => c.name.to_owned(),
            unit => format!("{}\n{unit}", c.name),
        }));
        let mut word_columns = vec![0];
        if self.has_remarks() {
            word_columns.push(header.len());
            header.push(String::new());
        }
        let rows = self.rows.iter().map(|row| {
            let mut cells = vec![row.label.clone()];
            for (k, column) in self.columns.iter().enumerate() {
                cells.push(match row.values.get(k) {
                    Some(value) if value.is_finite() => significant(*value, column.digits),
                    Some(value) if value.is_infinite() => INFINITE.to_owned(),
                    _ => String::new(),
                });
            }
            if self.has_remarks() {
                cells.push(row.remark.clone());
            }
            cells
        });
        Table {
            note: self.verdict(),
            ..Table::new(header, rows).with_words(word_columns)
        }
    }

    fn printed(&self) -> String {
        let text = wrapped(&self.text);
        format!("{}\n{text}\n\n{}", self.title, printed(&self.table()))
    }
}

fn difference(columns: &[Column], rows: &[Row]) -> Option<Difference> {
    let mut largest: Option<Difference> = None;
    for row in rows {
        for ((column, value), reference) in columns.iter().zip(&row.values).zip(&row.reference) {
            let relative = (value / reference - 1.0).abs();
            // Not where either is missing.
            if relative >= largest.as_ref().map_or(0.0, |l| l.relative) {
                largest = Some(Difference {
                    relative,
                    row: row.label.clone(),
                    column: column.name,
                });
            }
        }
    }
    largest
}

impl Report {
    /// What is printed.
    pub fn text(&self) -> String {
        let mut parts = vec![format!(
            "{}\n{}\n\n{}",
            self.title,
            self.reference,
            wrapped(self.about)
        )];
        parts.extend(self.parts.iter().map(Part::printed));
        parts.join("\n\n\n")
    }

    /// The page.
    pub fn page(&self) -> Page {
        let about = Section::new("About", vec![Block::Text(self.about.to_owned())]);
        let sections = self.parts.iter().map(|part| {
            let mut blocks = vec![Block::Text(part.text.clone()), Block::Table(part.table())];
            blocks.extend(part.plots.iter().cloned().map(Block::Plot));
            Section::new(part.title, blocks)
        });
        Page {
            title: self.title.to_owned(),
            subtitle: self.reference.to_owned(),
            sections: std::iter::once(about).chain(sections).collect(),
            footer: format!(
                "Made by masing {} reproduce {}.",
                env!("CARGO_PKG_VERSION"),
                self.paper
            ),
        }
    }
}

/// Breaks a paragraph into lines of at most 100 letters.
fn wrapped(text: &str) -> String {
    let mut out = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let letters = word.chars().count();
        if length > 0 {
            let fits = length + 1 + letters <= 100;
            out.push(if fits { ' ' } else { '\n' });
            length = if fits { length + 1 } else { 0 };
        }
        out.push_str(word);
        length += letters;
    }
    out
}
