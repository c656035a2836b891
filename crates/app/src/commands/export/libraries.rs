//! The libraries that go into an FMU.

use crate::error::AppError;
use serde::Serialize;
use std::path::{Path, PathBuf};

const LINUX: &str = "libmasing_c.so";
const WINDOWS: &str = "masing_c.dll";

/// What there is.
pub struct Libraries {
    pub linux: Option<Vec<u8>>,
    pub windows: Option<Vec<u8>>,
}

/// A platform that an FMU will not run on.
#[derive(Debug, Serialize)]
pub struct Missing {
    pub platform: &'static str,
    /// The file that was not found.
    pub library: &'static str,
}

impl Libraries {
    /// Looks in the folder given, or around the program itself.
    pub fn find(given: Option<&Path>) -> Result<Self, AppError> {
        let folders = match given {
            Some(folder) => vec![folder.to_owned()],
            None => around_program(),
        };
        let read = |name: &str| {
            let paths = folders.iter().map(|folder| folder.join(name));
            match paths.into_iter().find(|path| path.is_file()) {
                None => Ok(None),
                Some(path) => {
                    std::fs::read(&path)
                        .map(Some)
                        .map_err(|error| AppError::Unreadable {
                            reason: error.to_string(),
                            path,
                        })
                }
            }
        };
        let found = Self {
            linux: read(LINUX)?,
            windows: read(WINDOWS)?,
        };
        if found.linux.is_none() && found.windows.is_none() {
            return Err(AppError::NoLibrary {
                folders,
                names: vec![LINUX, WINDOWS],
            });
        }
        Ok(found)
    }

    /// The platforms that the FMU will run on.
    pub fn names(&self) -> Vec<&'static str> {
        let names = self.platforms().into_iter();
        names
            .filter_map(|(name, _, there)| there.then_some(name))
            .collect()
    }

    /// The platforms that it will not run on, with the file that was not found.
    pub fn missing(&self) -> Vec<Missing> {
        let missing = self.platforms().into_iter().filter(|(.., there)| !there);
        missing
            .map(|(platform, library, _)| Missing { platform, library })
            .collect()
    }

    fn platforms(&self) -> [(&'static str, &'static str, bool); 2] {
        [
            ("Linux x86-64", LINUX, self.linux.is_some()),
            ("Windows x86-64", WINDOWS, self.windows.is_some()),
        ]
    }
}

/// Beside the program, in `lib` there or one level up, and where `cargo xtask dist` puts it.
fn around_program() -> Vec<PathBuf> {
    let program = std::env::current_exe().unwrap_or_default();
    let folder = program.parent().unwrap_or(Path::new("."));
    ["", "lib", "../lib", "../dist/lib"]
        .into_iter()
        .map(|place| match place {
            "" => folder.to_owned(),
            place => folder.join(place),
        })
        .collect()
}
