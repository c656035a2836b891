//! `pack FOLDER FILE.zip`: a folder as an archive of the same bytes every time; `cargo xtask dist` calls it.

use masing_export::fmu::Archive;
use std::path::Path;
use std::{fs, io};

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, file] = arguments.as_slice() else {
        return Err(io::Error::other("expected FOLDER FILE.zip"));
    };
    let folder = Path::new(folder);
    let title = folder.file_name().unwrap_or_default().to_string_lossy();
    let mut archive = Archive::new();
    add(&mut archive, folder, &title)?;
    fs::write(file, archive.finish()?)
}

/// Adds what lies in a folder, by name.
fn add(archive: &mut Archive, folder: &Path, title: &str) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), entry.file_name());
        let title = format!("{title}/{}", name.to_string_lossy());
        if path.is_dir() {
            add(archive, &path, &title)?;
        } else {
            archive.add(&title, &fs::read(&path)?)?;
        }
    }
    Ok(())
}
