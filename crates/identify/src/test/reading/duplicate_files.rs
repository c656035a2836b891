//! Tests that share a name or a file.

use super::Tests;
use masing_data::{ReadOptions, Window};
use masing_diagnostic::{Reuse, TestDiagnostic};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Gives tests that share a name distinct names, and reports files that were given more than once: a
/// file that is fitted twice counts double, and one that is both fitted and held out proves nothing.
pub fn tell_apart(fitted: &mut Tests, held_out: &mut Tests) {
    let mut names = BTreeSet::new();
    for target in fitted.list.iter_mut().chain(&mut held_out.list) {
        let first = target.name.clone();
        let mut count = 1;
        while !names.insert(target.name.clone()) {
            count += 1;
            target.name = format!("{first}-{count}");
        }
    }
    let mut notes = Vec::new();
    let (of_fit, of_check) = (Source::all(fitted), Source::all(held_out));
    for (i, source) in of_fit.iter().enumerate() {
        if of_fit[..i].iter().any(|other| other.overlaps(source)) {
            let reuse = Reuse::FittedAgain;
            notes.push(TestDiagnostic::SameFile { reuse }.in_file(source.path));
        }
    }
    for source in &of_check {
        if of_fit.iter().any(|other| other.overlaps(source)) {
            let reuse = Reuse::HeldOutAndFitted;
            notes.push(TestDiagnostic::SameFile { reuse }.in_file(source.path));
        }
    }
    fitted.diagnostics.append(&mut notes);
}

/// Where the numbers of a test come from.
struct Source<'a> {
    path: &'a Path,
    /// The same however it is written.
    file: PathBuf,
    asked: &'a ReadOptions,
}

impl<'a> Source<'a> {
    fn all(targets: &'a Tests) -> Vec<Self> {
        let pairs = targets.files.iter().zip(&targets.asked);
        pairs.map(|(path, asked)| Self::of(path, asked)).collect()
    }

    fn of(path: &'a Path, asked: &'a ReadOptions) -> Self {
        // A name such as `file.mat#variable` is none of the file system.
        let file = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        Self { path, file, asked }
    }

    /// Whether both are about the same samples; other columns or another window make another test.
    fn overlaps(&self, other: &Self) -> bool {
        let whole = |window: Window| window == Window::All;
        let (own, its) = (self.asked, other.asked);
        self.file == other.file
            && own.columns == its.columns
            && (own.window == its.window || whole(own.window) || whole(its.window))
    }
}
