//! Lines of a stream of any length, in constant memory.

use std::io::Read;
use std::path::Path;

use crate::error::DataError;

/// Longest line accepted: far beyond any rig, far below memory.
const LONGEST: usize = 1 << 24;
/// Bytes read at once: some thousand lines.
const CHUNK: usize = 1 << 18;

/// Reads lines, remembering their numbers.
pub(crate) struct Lines<'f> {
    input: Box<dyn Read + 'f>,
    file: &'f Path,
    buffer: Vec<u8>,
    at: usize,
    ended: bool,
    end_of_line: u8,
    /// Number of the line last returned.
    pub(crate) number: usize,
}

impl<'f> Lines<'f> {
    /// Lines of `input`, of which `head` was read already.
    pub(crate) fn new(file: &'f Path, head: Vec<u8>, input: Box<dyn Read + 'f>) -> Self {
        Lines {
            input,
            file,
            buffer: head,
            at: 0,
            ended: false,
            end_of_line: b'\n',
            number: 0,
        }
    }

    /// The beginning, whether it is all, and what ends its lines.
    pub(crate) fn head(&mut self) -> Result<(&[u8], bool, u8), DataError> {
        while !self.ended && self.buffer.len() < CHUNK {
            self.fill()?;
        }
        if !self.buffer.contains(&b'\n') && self.buffer.contains(&b'\r') {
            self.end_of_line = b'\r';
        }
        Ok((&self.buffer[self.at..], self.ended, self.end_of_line))
    }

    /// Moves on to a byte of the head; the line there has the given number.
    pub(crate) fn skip(&mut self, bytes: usize, number: usize) {
        self.at = (self.at + bytes).min(self.buffer.len());
        self.number = number.saturating_sub(1);
    }

    fn fill(&mut self) -> Result<(), DataError> {
        self.buffer.drain(..self.at);
        self.at = 0;
        let filled = self.buffer.len();
        self.buffer.resize(filled + CHUNK, 0);
        let got = self.input.read(&mut self.buffer[filled..]);
        let got = got.map_err(|e| DataError::Io {
            file: self.file.to_owned(),
            reason: e.to_string(),
        })?;
        self.buffer.truncate(filled + got);
        self.ended = got == 0;
        Ok(())
    }

    /// The next line without its end, as (start, end) in the buffer.
    fn advance(&mut self) -> Result<Option<(usize, usize)>, DataError> {
        let mut searched = self.at;
        loop {
            if let Some(found) = memchr::memchr(self.end_of_line, &self.buffer[searched..]) {
                let (start, end) = (self.at, searched + found);
                self.at = end + 1;
                return Ok(Some((start, end)));
            }
            if self.ended {
                let (start, end) = (self.at, self.buffer.len());
                self.at = end;
                return Ok((start < end).then_some((start, end)));
            }
            let pending = self.buffer.len() - self.at;
            if pending > LONGEST {
                return Err(DataError::LongLine {
                    file: self.file.to_owned(),
                    line: self.number + 1,
                    limit: LONGEST,
                });
            }
            self.fill()?;
            searched = pending;
        }
    }

    /// The next line, without its end.
    pub(crate) fn next(&mut self) -> Result<Option<&[u8]>, DataError> {
        let Some((start, end)) = self.advance()? else {
            return Ok(None);
        };
        self.number += 1;
        let line = &self.buffer[start..end];
        Ok(Some(line.strip_suffix(b"\r").unwrap_or(line)))
    }
}
