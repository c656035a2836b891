//! A page and its parts.

use crate::chart::{Bars, Intervals, Matrix};
use crate::error::PageError;
use crate::plot::Plot;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, HtmlEscape, Value, context};
use serde::Serialize;

const TEMPLATE: &str = include_str!("../assets/page.html");
const STYLE: &str = include_str!("../assets/page.css");
/// One script in pieces, put into one function: later ones use what the earlier ones define.
const SCRIPT: [&str; 4] = [
    include_str!("../assets/drawing.js"),
    include_str!("../assets/plot.js"),
    include_str!("../assets/chart.js"),
    include_str!("../assets/page.js"),
];
const UPLOT_STYLE: &str = include_str!("../assets/uplot/uPlot.min.css");
const UPLOT_SCRIPT: &str = include_str!("../assets/uplot/uPlot.iife.min.js");

/// A whole page.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// The heading.
    pub title: String,
    /// One line below it.
    pub subtitle: String,
    /// The sections, in order; with more than one, the page begins with links to them.
    pub sections: Vec<Section>,
    /// The last line: what made the page.
    pub footer: String,
}

/// A part with a heading.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// The content below it.
    pub blocks: Vec<Block>,
    /// Folded on the screen until the reader opens it; always open on paper.
    pub expert: bool,
    /// Begins a sheet of paper.
    pub sheet: bool,
}

impl Section {
    /// A section that is open and follows the one before on the same sheet.
    pub fn new(title: impl Into<String>, blocks: Vec<Block>) -> Self {
        Self {
            title: title.into(),
            blocks,
            expert: false,
            sheet: false,
        }
    }

    /// Folds it on the screen.
    #[must_use]
    pub fn expert(mut self) -> Self {
        self.expert = true;
        self
    }

    /// Gives it a sheet of its own.
    #[must_use]
    pub fn on_new_sheet(mut self) -> Self {
        self.sheet = true;
        self
    }
}

/// A piece of a section.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", content = "content", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Block {
    /// A smaller heading.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// A summary in a few sentences, marked as good or not.
    Verdict {
        /// Whether all is well.
        good: bool,
        /// The sentences.
        text: String,
    },
    /// What a reader should know.
    Notes(Vec<Note>),
    /// Names and values.
    Facts(Vec<(String, String)>),
    /// A table of numbers.
    Table(Table),
    /// Text whose lines are kept, such as a file or a command.
    Listing(String),
    /// A plot.
    Plot(Plot),
    /// Values with their intervals.
    Intervals(Intervals),
    /// Bars.
    Bars(Bars),
    /// A matrix in colours.
    Matrix(Matrix),
    /// Columns side by side where there is room, else one below the other.
    Columns(Vec<Vec<Block>>),
}

/// A finding, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// The message.
    pub text: String,
    /// What to do, in words.
    pub advice: Option<String>,
}

/// A table of numbers; line breaks in the header are kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Default)]
pub struct Table {
    /// Header cells.
    pub header: Vec<String>,
    /// Rows of cells.
    pub rows: Vec<Vec<String>>,
    /// A line below the table.
    pub note: Option<String>,
    /// Cells are words, aligned to the left.
    pub words: bool,
    /// Columns of words in a table of numbers.
    pub word_columns: Vec<usize>,
}

impl Table {
    /// A table of numbers.
    pub fn new<H: Into<String>>(
        header: impl IntoIterator<Item = H>,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Self {
        Self {
            header: header.into_iter().map(H::into).collect(),
            rows: rows.into_iter().collect(),
            ..Self::default()
        }
    }

    /// With columns of words.
    #[must_use]
    pub fn with_words(mut self, columns: impl Into<Vec<usize>>) -> Self {
        self.word_columns = columns.into();
        self
    }

    /// With a line below.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }
}

impl Block {
    /// Names and values.
    pub fn facts<N: Into<String>>(facts: impl IntoIterator<Item = (N, String)>) -> Self {
        let facts = facts.into_iter().map(|(name, value)| (name.into(), value));
        Self::Facts(facts.collect())
    }
}

/// A section as the template sees it; pictures are numbered through the page.
#[derive(Serialize)]
struct Shown<'a> {
    title: &'a str,
    expert: bool,
    sheet: bool,
    blocks: Vec<ShownBlock<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ShownBlock<'a> {
    Picture {
        kind: &'static str,
        id: usize,
        title: &'a str,
        note: Option<String>,
    },
    Columns {
        kind: &'static str,
        columns: Vec<Vec<ShownBlock<'a>>>,
    },
    Other(&'a Block),
}

impl Page {
    /// The whole file.
    pub fn render(&self) -> Result<String, PageError> {
        let mut pictures = Vec::new();
        let sections: Vec<Shown<'_>> = self
            .sections
            .iter()
            .map(|section| Shown {
                title: &section.title,
                expert: section.expert,
                sheet: section.sheet,
                blocks: shown(&section.blocks, &mut pictures),
            })
            .collect();
        let mut environment = Environment::new();
        environment.set_auto_escape_callback(|_| AutoEscape::Html);
        environment.add_filter("marked", |text: &str| Value::from_safe_string(marked(text)));
        environment.add_template("page.html", TEMPLATE)?;
        let text = environment.get_template("page.html")?.render(context! {
            title => self.title.as_str(),
            subtitle => self.subtitle.as_str(),
            footer => self.footer.as_str(),
            sections => Serde(&sections),
            pictures => Serde(&pictures),
            style => STYLE,
            script => format!("\"use strict\";\n(() => {{\n{}}})();\n", SCRIPT.concat()),
            uplot_style => UPLOT_STYLE,
            uplot_script => UPLOT_SCRIPT,
        })?;
        Ok(text)
    }
}

/// HTML of a sentence whose `names` stand between backticks.
fn marked(text: &str) -> String {
    if text.matches('`').count() % 2 == 1 {
        return HtmlEscape(text).to_string();
    }
    let pieces = text.split('`').enumerate().map(|(i, piece)| {
        let piece = HtmlEscape(piece);
        if i % 2 == 0 {
            piece.to_string()
        } else {
            format!("<code>{piece}</code>")
        }
    });
    pieces.collect()
}

fn shown<'a>(blocks: &'a [Block], pictures: &mut Vec<&'a Block>) -> Vec<ShownBlock<'a>> {
    let mut out = Vec::with_capacity(blocks.len());
    for block in blocks {
        let (title, note) = match block {
            Block::Plot(plot) => (plot.title(), plot.left_out()),
            Block::Intervals(chart) => (chart.title.as_str(), None),
            Block::Bars(chart) => (chart.title.as_str(), None),
            Block::Matrix(chart) => (chart.title.as_str(), None),
            Block::Columns(columns) => {
                let columns = columns.iter().map(|c| shown(c, pictures)).collect();
                let kind = "columns";
                out.push(ShownBlock::Columns { kind, columns });
                continue;
            }
            _ => {
                out.push(ShownBlock::Other(block));
                continue;
            }
        };
        out.push(ShownBlock::Picture {
            kind: "picture",
            id: pictures.len(),
            title,
            note,
        });
        pictures.push(block);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{Bar, Interval};
    use crate::plot::{Axis, Shape};

    fn pictures(text: &str) -> Vec<Block> {
        let axes = || (Axis::new(text, text).log(), Axis::new("force", "N"));
        let (x, y) = axes();
        let mut plot = Plot::new(text, Shape::Path, x, y).grouped(text);
        plot.add(text, &[0.0, 1.0], &[0.0, 1.0]);
        let text = || text.to_owned();
        vec![
            Block::Plot(plot),
            Block::Intervals(Intervals {
                title: text(),
                axis: text(),
                rows: vec![Interval {
                    name: text(),
                    text: text(),
                    ratio: Some([0.9, 1.1]),
                    firm: true,
                }],
            }),
            Block::Bars(Bars {
                title: text(),
                axis: text(),
                rows: vec![Bar {
                    name: text(),
                    value: f64::NAN,
                    text: text(),
                    marked: true,
                }],
                from: None,
                legend: [text(), text()],
            }),
            Block::Matrix(Matrix {
                title: text(),
                names: vec![text()],
                values: vec![f64::NAN],
            }),
        ]
    }

    fn page(text: &str) -> Page {
        let pictures = pictures(text);
        let text = || text.to_owned();
        let table = Table {
            header: vec![text()],
            rows: vec![vec![text()]],
            note: Some(text()),
            words: false,
            word_columns: vec![0],
        };
        let note = Note {
            text: text(),
            advice: Some(text()),
        };
        let mut blocks = vec![
            Block::Heading(text()),
            Block::Text(text()),
            Block::Verdict {
                good: false,
                text: text(),
            },
            Block::Notes(vec![note]),
            Block::Facts(vec![(text(), text())]),
            Block::Table(table),
            Block::Listing(text()),
            Block::Columns(vec![vec![Block::Text(text())], pictures.clone()]),
        ];
        blocks.extend(pictures);
        Page {
            title: text(),
            subtitle: text(),
            sections: vec![
                Section::new(text(), blocks.clone()).on_new_sheet(),
                Section::new(text(), blocks).expert(),
            ],
            footer: text(),
        }
    }

    #[test]
    fn text_from_files_stays_text() {
        let evil = "</script><img src=x onerror=alert(1)>\"'&{{ 7 }}";
        let html = page(evil).render().unwrap();
        assert!(!html.contains("<img"), "markup got through");
        assert_eq!(html.matches("</script>").count(), 3);
        let plain = page("abc").render().unwrap();
        assert_eq!(plain.matches("</script>").count(), 3);
        assert!(html.contains("{{ 7 }}"));
    }

    #[test]
    fn names_in_sentences_stand_out() {
        assert_eq!(marked("`a<b` is it"), "<code>a&lt;b</code> is it");
        assert_eq!(marked("5 o`clock & later"), "5 o`clock &amp; later");
    }

    #[test]
    fn nothing_is_fetched() {
        let html = page("abc").render().unwrap();
        assert!(html.contains("default-src 'none'"));
        for word in ["<link", " src=", "@import", "fetch(", "XMLHttpRequest"] {
            assert!(!html.contains(word), "{word}");
        }
    }

    #[test]
    fn every_block_is_shown() {
        let html = page("what-was-given").render().unwrap();
        // Title twice, subtitle, footer; twice in each section: heading and link, thirteen texts of blocks, pictures
        // with two headings each and 4 + 4 + 5 + 2 texts in their data.
        assert_eq!(html.matches("<figure").count(), 16);
        assert!(html.matches("what-was-given").count() >= 4 + 2 * (2 + 11 + 2 * (4 + 15)));
    }

    #[test]
    fn what_is_for_experts_is_folded() {
        let html = page("abc").render().unwrap();
        assert_eq!(html.matches("<details").count(), 1);
        assert_eq!(html.matches("class=\"sheet\"").count(), 1);
    }

    #[test]
    fn numbers_that_are_none_do_not_break_the_data() {
        let html = page("abc").render().unwrap();
        assert!(!html.contains("NaN,") && !html.contains(":NaN"));
    }
}
