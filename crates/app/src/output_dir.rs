//! Folders of results that appear whole or not at all.

use crate::error::AppError;
use crate::output::OutFile;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A folder to be filled once the work is done; checked beforehand.
#[derive(Debug)]
pub struct OutDir {
    given: PathBuf,
}

impl OutDir {
    /// Makes sure that the folder can be made or written to later, without leaving anything behind.
    pub fn prepare(given: &Path) -> Result<Self, AppError> {
        let refuse = |error: io::Error| AppError::unwritable(given, &error);
        match fs::metadata(given) {
            Ok(meta) if meta.is_dir() => {
                OutFile::prepare(&given.join("probe"))?;
            }
            Ok(_) => return Err(refuse(io::ErrorKind::NotADirectory.into())),
            Err(_) => {
                let beside = beside(given);
                fs::create_dir(&beside).map_err(refuse)?;
                fs::remove_dir(&beside).map_err(refuse)?;
            }
        }
        Ok(Self {
            given: given.to_owned(),
        })
    }

    /// Writes the files; a new folder appears only when all of them are in it.
    pub fn write(&self, files: &[(&str, Vec<u8>)]) -> Result<(), AppError> {
        let refuse = |error: io::Error| AppError::unwritable(&self.given, &error);
        if self.given.is_dir() {
            for (name, content) in files {
                OutFile::prepare(&self.given.join(name))?.write(|to| to.write_all(content))?;
            }
            return Ok(());
        }
        let beside = beside(&self.given);
        let done = fs::create_dir(&beside)
            .and_then(|()| {
                files
                    .iter()
                    .try_for_each(|(name, content)| fs::write(beside.join(name), content))
            })
            .and_then(|()| fs::rename(&beside, &self.given));
        if done.is_err() {
            // The first error is the one to report.
            let _ = fs::remove_dir_all(&beside);
        }
        done.map_err(refuse)
    }
}

/// A name beside the folder that nobody else uses.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.part", std::process::id()))
}
