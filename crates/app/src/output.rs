//! Files that appear whole or not at all.

use crate::error::AppError;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file to be written once the work is done; checked beforehand.
#[derive(Debug)]
pub struct OutFile {
    given: PathBuf,
    target: Target,
}

#[derive(Debug)]
enum Target {
    /// An ordinary file: written beside itself, then renamed.
    Replace(PathBuf),
    /// A device or pipe: it cannot be replaced, only written to.
    Stream,
}

impl OutFile {
    /// Makes sure that the file can be written later, without touching it.
    pub fn prepare(given: &Path) -> Result<Self, AppError> {
        let refuse = |error: io::Error| AppError::unwritable(given, &error);
        let target = match fs::metadata(given) {
            Ok(meta) if meta.is_dir() => {
                return Err(refuse(io::ErrorKind::IsADirectory.into()));
            }
            Ok(meta) if !meta.is_file() => Target::Stream,
            Ok(meta) if meta.permissions().readonly() => {
                return Err(refuse(io::ErrorKind::PermissionDenied.into()));
            }
            // A link is followed: what it points to is replaced, not the link.
            Ok(_) => Target::Replace(fs::canonicalize(given).map_err(refuse)?),
            Err(_) => Target::Replace(given.to_owned()),
        };
        if let Target::Replace(path) = &target {
            // Only trying tells whether the folder takes a new file.
            let (_, beside) = create_beside(path).map_err(refuse)?;
            fs::remove_file(beside).map_err(refuse)?;
        }
        Ok(Self {
            given: given.to_owned(),
            target,
        })
    }

    /// The path as it was given.
    pub fn path(&self) -> &Path {
        &self.given
    }

    /// Writes the content; on failure nothing is left behind.
    pub fn write(
        &self,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), AppError> {
        let refuse = |error: io::Error| AppError::unwritable(&self.given, &error);
        let fill = |file: File| {
            let mut out = BufWriter::new(file);
            content(&mut out)?;
            out.into_inner().map_err(io::IntoInnerError::into_error)
        };
        match &self.target {
            Target::Stream => {
                let file = OpenOptions::new()
                    .write(true)
                    .open(&self.given)
                    .map_err(refuse)?;
                fill(file).map(drop).map_err(refuse)
            }
            Target::Replace(path) => {
                let (file, beside) = create_beside(path).map_err(refuse)?;
                let done = fill(file)
                    .and_then(|file| file.sync_all())
                    .and_then(|()| fs::rename(&beside, path));
                if done.is_err() {
                    // The first error is the one to report.
                    let _ = fs::remove_file(&beside);
                }
                done.map_err(refuse)
            }
        }
    }
}

/// A new file in the folder of `path`, under a name of its own.
fn create_beside(path: &Path) -> io::Result<(File, PathBuf)> {
    let Some(name) = path.file_name() else {
        return Err(io::ErrorKind::InvalidFilename.into());
    };
    let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
    for attempt in 0..100 {
        let mut beside = std::ffi::OsString::from(".");
        beside.push(name);
        beside.push(format!(".{}-{attempt}.part", std::process::id()));
        let beside = path.with_file_name(beside);
        match OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&beside)
        {
            Ok(file) => return Ok((file, beside)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
            Err(error) => return Err(error),
        }
    }
    Err(last)
}
