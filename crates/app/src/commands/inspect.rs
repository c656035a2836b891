//! `masing inspect`: what is in a file, and what is wrong with it, before anything is fitted.

use crate::console::Console;
use crate::error::AppError;
use crate::output_dir::OutDir;
use crate::request::{InspectRequest, TestSource};
use masing_data::{Content, DataError, Experiment, ReadOptions};
use masing_diagnostic::ReadingDiagnostic;
use masing_report::inspect::json::{FileDocument, InspectDocument};
use masing_report::inspect::{Inspected, html, text};
use std::path::Path;

/// The name of the page in the folder.
const PAGE: &str = "inspect.html";

impl InspectRequest {
    /// Reads, inspects, and tells what was found.
    pub fn run(&self, console: Console) -> Result<(), AppError> {
        let out = self.out.as_deref().map(OutDir::prepare).transpose()?;
        let spinner = console.spinner("reading".to_owned());
        let mut files = Vec::new();
        let mut texts = Vec::new();
        let mut sections = Vec::new();
        // One file after another, so that the numbers of only one are held at a time.
        for source in &self.tests {
            spinner.set_message(format!("reading {}", source.path().display()));
            for (test, _) in tests(source)? {
                if out.is_some() {
                    sections.push(html::section(&test));
                }
                if !console.json && !console.quiet {
                    texts.push(text::text(&test));
                }
                files.push(FileDocument::of(&test));
            }
        }
        spinner.finish_and_clear();
        let written = self.out.as_ref().map(|folder| folder.join(PAGE));
        if let Some(out) = &out {
            let page = html::page(sections, &files).render()?;
            out.write(&[(PAGE, page.into_bytes())])?;
        }
        let document = InspectDocument::of(
            files,
            written.as_ref().map(|path| path.display().to_string()),
        );
        console.show(&document, || {
            let mut all = texts.join("\n\n\n");
            if let Some(path) = &written {
                all.push_str("\n\nwritten to ");
                all.push_str(&path.display().to_string());
            }
            all
        })
    }
}

/// Reads and inspects every part of the files of a test, and says how they were to be read.
pub fn tests(source: &TestSource) -> Result<Vec<(Inspected, ReadOptions)>, AppError> {
    let mut found = Vec::new();
    for source in source.each(Path::new("")).map_err(|wrong| *wrong.error)? {
        let options = source.options().map_err(|wrong| *wrong.error)?;
        let parts = parts(&source.path(), &options)?.into_iter();
        found.extend(parts.map(|part| (part, options.clone())));
    }
    Ok(found)
}

/// Reads and inspects every part of a file. A part that cannot be a test is left out with a remark, unless there is no
/// other.
fn parts(path: &Path, options: &ReadOptions) -> Result<Vec<Inspected>, AppError> {
    let mut found: Vec<Inspected> = Vec::new();
    let mut refused = Vec::new();
    for experiment in masing_data::read_all(path, options)? {
        match refuse_lone_column(&experiment).and_then(|()| masing_data::inspect(&experiment)) {
            Ok(inspection) => found.push(Inspected {
                file: path.to_owned(),
                experiment,
                inspection,
            }),
            Err(error) => refused.push((experiment.part, error)),
        }
    }
    let Some(first) = found.first_mut() else {
        let error = refused.into_iter().next().map(|(_, error)| error);
        return Err(error.map_or_else(|| empty(path), AppError::from));
    };
    for (part, error) in refused {
        let error = error.to_string();
        let left_out = ReadingDiagnostic::PartLeftOut { part, error };
        first.inspection.diagnostics.push(left_out.into());
    }
    for test in &mut found {
        test.inspection
            .diagnostics
            .extend(test.experiment.assumed_units());
        test.inspection
            .diagnostics
            .extend(masing_data::implausible_sizes(&test.experiment));
    }
    Ok(found)
}

/// One column, without time, is a list of numbers and no test.
fn refuse_lone_column(experiment: &Experiment) -> Result<(), DataError> {
    match &experiment.content {
        Content::Record(record) if record.time.is_none() && record.signals.len() < 2 => {
            record.need_motion()?;
            record.need_force().map(drop)
        }
        _ => Ok(()),
    }
}

fn empty(path: &Path) -> AppError {
    DataError::Empty {
        file: path.to_owned(),
        what: "no data".into(),
    }
    .into()
}
