//! A paper: what it is, and the tables and figures that are computed again.

use crate::error::PapersError;
use crate::report::{Part, Report};
use masing_identify::Workers;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A source paper whose tables and figures are computed again.
#[derive(Debug)]
pub struct Paper {
    /// Name on the command line.
    pub name: &'static str,
    /// One line on what it is about.
    pub summary: &'static str,
    /// Heading of the report.
    pub title: &'static str,
    /// Where it was published.
    pub reference: &'static str,
    /// What holds for all parts.
    pub about: &'static str,
    /// Whether it reads records that are not part of the project.
    pub reads: bool,
    pub(crate) run: fn(&Job<'_>) -> Result<Vec<Part>, PapersError>,
}

/// Records that are not part of the project, for the one paper that reads some.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// What is fitted.
    pub train: Option<PathBuf>,
    /// What is predicted.
    pub tests: Vec<PathBuf>,
}

/// Told after every part: how many are done, and of how many.
pub type Progress<'a> = &'a (dyn Fn(usize, usize) + Sync);

impl Paper {
    /// Computes all parts, in the order of the paper.
    pub fn reproduce(
        &self,
        records: &Records,
        progress: Progress<'_>,
    ) -> Result<Report, PapersError> {
        let job = Job {
            paper: self.name,
            records,
            only: None,
            progress,
        };
        Ok(Report {
            paper: self.name,
            title: self.title,
            reference: self.reference,
            about: self.about,
            parts: (self.run)(&job)?,
        })
    }

    /// Computes one part.
    pub fn part(&self, id: &str, records: &Records) -> Result<Part, PapersError> {
        let job = Job {
            paper: self.name,
            records,
            only: Some(id),
            progress: &|_, _| {},
        };
        let mut parts = (self.run)(&job)?;
        parts.pop().ok_or_else(|| job.unknown(id, Vec::new()))
    }
}

/// What a paper is asked for.
pub(crate) struct Job<'a> {
    paper: &'static str,
    pub records: &'a Records,
    only: Option<&'a str>,
    progress: Progress<'a>,
}

/// A part by its name: a function of what all parts of a paper share.
pub(crate) type Entry<Shared> = (&'static str, fn(&Shared) -> Result<Part, PapersError>);

impl Job<'_> {
    /// Makes the parts that are asked for, on all cores; each is by itself, so that the results do not depend on their
    /// number.
    pub fn parts<Shared: Sync>(
        &self,
        shared: impl FnOnce() -> Result<Shared, PapersError>,
        all: &[Entry<Shared>],
    ) -> Result<Vec<Part>, PapersError> {
        let asked: Vec<_> = all
            .iter()
            .filter(|(id, _)| self.only.is_none_or(|only| only == *id))
            .collect();
        if let (Some(only), true) = (self.only, asked.is_empty()) {
            return Err(self.unknown(only, all.iter().map(|(id, _)| *id).collect()));
        }
        let shared = shared()?;
        let finished = AtomicUsize::new(0);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let done = Workers::new(cores).map(asked.len(), |i| {
            let (id, make) = asked[i];
            let part = make(&shared).map(|part| Part { id, ..part });
            (self.progress)(finished.fetch_add(1, Ordering::Relaxed) + 1, asked.len());
            part
        });
        done.into_iter().collect()
    }

    fn unknown(&self, id: &str, known: Vec<&'static str>) -> PapersError {
        PapersError::UnknownPart {
            paper: self.paper,
            part: id.to_owned(),
            known,
        }
    }
}
