//! A page and what it is made of.

use crate::error::ExportError;
use crate::plot::Plot;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, context};
use serde::Serialize;

const TEMPLATE: &str = include_str!("../assets/page.html");
const STYLE: &str = include_str!("../assets/page.css");
const SCRIPT: &str = include_str!("../assets/page.js");
const UPLOT_STYLE: &str = include_str!("../assets/uplot/uPlot.min.css");
const UPLOT_SCRIPT: &str = include_str!("../assets/uplot/uPlot.iife.min.js");

/// A whole page.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// The heading.
    pub title: String,
    /// One line below it.
    pub subtitle: String,
    /// The parts, in order; with more than one, links to them stand at the top.
    pub sections: Vec<Section>,
    /// The last line: what made the page.
    pub footer: String,
}

/// A part with a heading.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// What stands below it.
    pub blocks: Vec<Block>,
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
    /// One sentence that sums up: good news or not.
    Verdict {
        /// Whether all is well.
        good: bool,
        /// The sentence.
        text: String,
    },
    /// What a reader should know.
    Notes(Vec<Note>),
    /// Names and values.
    Facts(Vec<(String, String)>),
    /// A table of numbers.
    Table(Table),
    /// A plot.
    Plot(Plot),
}

/// A finding, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// What is the matter.
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
}

/// A section as the template sees it; plots are numbered through the page.
#[derive(Serialize)]
struct Shown<'a> {
    title: &'a str,
    blocks: Vec<ShownBlock<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ShownBlock<'a> {
    Plot {
        kind: &'static str,
        id: usize,
        title: &'a str,
        note: Option<String>,
    },
    Other(&'a Block),
}

impl Page {
    /// The whole file.
    pub fn render(&self) -> Result<String, ExportError> {
        let mut plots = Vec::new();
        let sections: Vec<Shown<'_>> = self
            .sections
            .iter()
            .map(|section| Shown {
                title: &section.title,
                blocks: section
                    .blocks
                    .iter()
                    .map(|block| shown(block, &mut plots))
                    .collect(),
            })
            .collect();
        let mut environment = Environment::new();
        environment.set_auto_escape_callback(|_| AutoEscape::Html);
        environment.add_template("page.html", TEMPLATE)?;
        let text = environment.get_template("page.html")?.render(context! {
            title => self.title.as_str(),
            subtitle => self.subtitle.as_str(),
            footer => self.footer.as_str(),
            sections => Serde(&sections),
            plots => Serde(&plots),
            style => STYLE,
            script => SCRIPT,
            uplot_style => UPLOT_STYLE,
            uplot_script => UPLOT_SCRIPT,
        })?;
        Ok(text)
    }
}

fn shown<'a>(block: &'a Block, plots: &mut Vec<&'a Plot>) -> ShownBlock<'a> {
    let Block::Plot(plot) = block else {
        return ShownBlock::Other(block);
    };
    plots.push(plot);
    ShownBlock::Plot {
        kind: "plot",
        id: plots.len() - 1,
        title: plot.title(),
        note: plot.left_out(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{Axis, Shape};

    fn page(text: &str) -> Page {
        let mut plot = Plot::new(
            text,
            Shape::Path,
            Axis::new(text, "mm"),
            Axis::new("force", "N"),
        );
        plot.add(text, &[0.0, 1.0], &[0.0, 1.0]);
        let table = Table {
            header: vec![text.to_owned()],
            rows: vec![vec![text.to_owned()]],
            note: Some(text.to_owned()),
            words: false,
        };
        let note = Note {
            text: text.to_owned(),
            advice: Some(text.to_owned()),
        };
        Page {
            title: text.to_owned(),
            subtitle: text.to_owned(),
            sections: vec![Section {
                title: text.to_owned(),
                blocks: vec![
                    Block::Heading(text.to_owned()),
                    Block::Text(text.to_owned()),
                    Block::Verdict {
                        good: false,
                        text: text.to_owned(),
                    },
                    Block::Notes(vec![note]),
                    Block::Facts(vec![(text.to_owned(), text.to_owned())]),
                    Block::Table(table),
                    Block::Plot(plot),
                ],
            }],
            footer: text.to_owned(),
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
        // Title twice, subtitle, footer, section, and every block; the plot's texts in its data as well.
        assert!(html.matches("what-was-given").count() >= 16);
    }
}
