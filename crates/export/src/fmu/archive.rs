//! A zip container, written whole.
//!
//! Files are deflated, without dates, so that the same content gives the same bytes.
//! Reference: APPNOTE.TXT, .ZIP File Format Specification, PKWARE, sections 4.3 and 4.4.

use flate2::Crc;
use flate2::write::DeflateEncoder;
use std::io::Write as _;

/// Files under way into a container.
#[derive(Debug, Default)]
pub struct Archive {
    body: Vec<u8>,
    directory: Vec<u8>,
    entries: u16,
}

/// 1 January 1980, the earliest date there is.
const DATE: u16 = 0x21;
/// Version 2.0 of the format: deflate and folders.
const NEEDED: u16 = 20;
const DEFLATE: u16 = 8;
/// Names are UTF-8.
const UTF8: u16 = 1 << 11;

impl Archive {
    /// An empty container.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file; folders of its name are separated by slashes.
    pub fn add(&mut self, name: &str, content: &[u8]) {
        let offset = self.body.len();
        let mut crc = Crc::new();
        crc.update(content);
        let mut encoder = DeflateEncoder::new(Vec::new(), flate2::Compression::default());
        // Writing to memory does not fail.
        let _ = encoder.write_all(content);
        let packed = encoder.finish().unwrap_or_default();

        let mut common = Vec::new();
        for short in [NEEDED, UTF8, DEFLATE, 0, DATE] {
            common.extend(short.to_le_bytes());
        }
        for long in [crc.sum(), packed.len() as u32, content.len() as u32] {
            common.extend(long.to_le_bytes());
        }
        common.extend((name.len() as u16).to_le_bytes());
        common.extend(0_u16.to_le_bytes());

        self.body.extend(b"PK\x03\x04");
        self.body.extend(&common);
        self.body.extend(name.as_bytes());
        self.body.extend(&packed);

        self.directory.extend(b"PK\x01\x02");
        // Made on Unix, so that libraries keep the permissions below.
        self.directory.extend((NEEDED | 3 << 8).to_le_bytes());
        self.directory.extend(&common);
        for short in [0_u16, 0, 0] {
            self.directory.extend(short.to_le_bytes());
        }
        // An ordinary file that may be run.
        self.directory.extend((0o100_755_u32 << 16).to_le_bytes());
        self.directory.extend((offset as u32).to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.entries += 1;
    }

    /// The bytes of the container.
    pub fn finish(self) -> Vec<u8> {
        let (at, size) = (self.body.len() as u32, self.directory.len() as u32);
        let mut out = self.body;
        out.extend(&self.directory);
        out.extend(b"PK\x05\x06");
        for short in [0, 0, self.entries, self.entries] {
            out.extend(short.to_le_bytes());
        }
        out.extend(size.to_le_bytes());
        out.extend(at.to_le_bytes());
        out.extend(0_u16.to_le_bytes());
        out
    }
}
