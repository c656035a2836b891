//! A zip container, made in memory.

use std::io::{Cursor, Result, Write as _};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipWriter};

/// Files on their way into a container.
#[derive(Debug)]
pub struct Archive {
    writer: ZipWriter<Cursor<Vec<u8>>>,
}

impl Default for Archive {
    fn default() -> Self {
        Self::new()
    }
}

impl Archive {
    /// An empty container.
    pub fn new() -> Self {
        Self {
            writer: ZipWriter::new(Cursor::default()),
        }
    }

    /// Adds a file; folders in its name are separated by slashes. A name that is taken is an error.
    pub fn add(&mut self, name: &str, content: &[u8]) -> Result<()> {
        // No date and the same system everywhere, so that the same content gives the same bytes. Libraries may be run.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::DEFAULT)
            .system(System::Unix)
            .unix_permissions(0o755);
        self.writer.start_file(name, options)?;
        self.writer.write_all(content)
    }

    /// The bytes of the container.
    pub fn finish(self) -> Result<Vec<u8>> {
        Ok(self.writer.finish()?.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed() -> Vec<u8> {
        let mut archive = Archive::new();
        archive.add("a.txt", b"one").unwrap();
        archive.add("folder/b.bin", &[7; 10_000]).unwrap();
        assert!(archive.add("a.txt", b"two").is_err());
        archive.finish().unwrap()
    }

    #[test]
    fn the_same_content_gives_the_same_bytes_and_can_be_run() {
        let bytes = packed();
        assert_eq!(bytes, packed());
        assert!(bytes.len() < 1_000, "{}", bytes.len());
        let mut read = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        assert_eq!(read.len(), 2);
        let file = read.by_name("folder/b.bin").unwrap();
        assert_eq!(file.size(), 10_000);
        assert_eq!(file.unix_mode().map(|mode| mode & 0o777), Some(0o755));
    }
}
