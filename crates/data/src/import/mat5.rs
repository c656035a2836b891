//! MATLAB files of versions 5 to 7: numbers, texts, structs, cells, compressed or not.
//!
//! Layout: 128 bytes of header, then data elements (type, size, bytes, padded to 8). MathWorks, "MAT-File Format".

use std::io::Read;
use std::path::Path;

use super::gather::{self, Value, Variable};
use crate::error::DataError;
use crate::table::Table;

/// Name of the format in messages.
pub(crate) const FORMAT: &str = "MATLAB v5-v7";
/// Nested structs deeper than this are not rig data.
const DEEPEST: usize = 16;

/// True for the header of a version 5 file.
pub(crate) fn matches(head: &[u8]) -> bool {
    head.len() >= 128 && matches!(&head[124..128], [0, 1, b'I', b'M'] | [1, 0, b'M', b'I'])
}

/// Reads all variables of a file held in memory.
pub(crate) fn read(file: &Path, bytes: &[u8]) -> Result<Vec<Table>, DataError> {
    let mut reader = Reader {
        file,
        big: bytes[126] == b'M',
        out: Vec::new(),
        budget: 256 * bytes.len() + (16 << 20),
    };
    let mut at = 128;
    while at + 8 <= bytes.len() {
        let (element, next) = reader.element(bytes, at, at)?;
        match element.kind {
            COMPRESSED => {
                let inflated = reader.inflate(element.data, at)?;
                let (inner, _) = reader.element(&inflated, 0, at)?;
                if inner.kind == MATRIX {
                    reader.variable(inner.data, "", None, 0, at)?;
                }
            }
            MATRIX => reader.variable(element.data, "", None, 0, at)?,
            _ => {}
        }
        // Compressed elements are not padded.
        at = if element.kind == COMPRESSED {
            element.end
        } else {
            next
        };
    }
    Ok(gather::tables(file, FORMAT, reader.out))
}

const MATRIX: u32 = 14;
const COMPRESSED: u32 = 15;

struct Element<'a> {
    kind: u32,
    data: &'a [u8],
    end: usize,
}

struct Reader<'f> {
    file: &'f Path,
    big: bool,
    out: Vec<Variable>,
    /// Bytes that may still be inflated.
    budget: usize,
}

impl Reader<'_> {
    fn bad(&self, offset: usize, reason: impl Into<String>) -> DataError {
        DataError::format(self.file, FORMAT, format!("byte {offset}"), reason.into())
    }

    fn u32(&self, bytes: &[u8], at: usize) -> Option<u32> {
        let four: [u8; 4] = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(if self.big {
            u32::from_be_bytes(four)
        } else {
            u32::from_le_bytes(four)
        })
    }

    /// The element at `at` and where the next begins; `offset` names the place in the file.
    fn element<'a>(
        &self,
        bytes: &'a [u8],
        at: usize,
        offset: usize,
    ) -> Result<(Element<'a>, usize), DataError> {
        let cut = || self.bad(offset, "the file ends inside an element");
        let tag = self.u32(bytes, at).ok_or_else(cut)?;
        if tag >> 16 != 0 {
            // Small element: size in the upper half, up to four bytes in the tag itself.
            let size = (tag >> 16) as usize;
            let data = bytes.get(at + 4..at + 4 + size.min(4)).ok_or_else(cut)?;
            let (kind, end) = (tag & 0xffff, at + 8);
            return Ok((Element { kind, data, end }, end));
        }
        let size = self.u32(bytes, at + 4).ok_or_else(cut)? as usize;
        let end = (at + 8).checked_add(size).ok_or_else(cut)?;
        let data = bytes.get(at + 8..end).ok_or_else(cut)?;
        let kind = tag;
        Ok((Element { kind, data, end }, end.next_multiple_of(8)))
    }

    fn inflate(&mut self, data: &[u8], offset: usize) -> Result<Vec<u8>, DataError> {
        let mut out = Vec::new();
        let limit = self.budget as u64;
        let result = flate2::read::ZlibDecoder::new(data)
            .take(limit)
            .read_to_end(&mut out);
        if out.len() as u64 == limit {
            return Err(self.bad(offset, "inflates to more than 256 times the file"));
        }
        self.budget -= out.len();
        // A damaged tail (wrong checksum) may still hold the whole matrix; its sizes decide.
        match result {
            Err(e) if out.is_empty() => Err(self.bad(offset, format!("cannot inflate: {e}"))),
            _ => Ok(out),
        }
    }

    /// One matrix; `name` overrides its own name (fields of structs have none).
    fn variable(
        &mut self,
        data: &[u8],
        group: &str,
        name: Option<&str>,
        depth: usize,
        offset: usize,
    ) -> Result<(), DataError> {
        if depth > DEEPEST {
            return Err(self.bad(offset, "structs nested too deeply"));
        }
        if data.is_empty() {
            return Ok(());
        }
        let (flags, at) = self.element(data, 0, offset)?;
        let class = self
            .u32(flags.data, 0)
            .ok_or_else(|| self.bad(offset, "no array flags"))?
            & 0xff;
        // Objects of classes (tables, timeseries) keep their data elsewhere in a private layout.
        if class == 17 {
            return Ok(());
        }
        let (dims, at) = self.element(data, at, offset)?;
        let dims: Vec<usize> = self.integers(&dims).iter().map(|d| *d as usize).collect();
        let (own, at) = self.element(data, at, offset)?;
        let own = String::from_utf8_lossy(own.data).into_owned();
        let name = name.map_or(own, str::to_owned);
        match class {
            1 => self.cells(data, at, group, &name, depth, offset),
            2 | 3 => self.fields(data, at, class, &dims, group, &name, depth, offset),
            4 => {
                let (chars, _) = self.element(data, at, offset)?;
                let text = self.text(&chars);
                self.push(group, name, Value::Text(text));
                Ok(())
            }
            6..=15 => {
                let (real, _) = self.element(data, at, offset)?;
                let values = self.numbers(&real, offset)?;
                let count = dims.iter().try_fold(1_usize, |n, d| n.checked_mul(*d));
                if count != Some(values.len()) {
                    return Err(self.bad(
                        offset,
                        format!("`{name}` says {dims:?} but holds {} numbers", values.len()),
                    ));
                }
                if !values.is_empty() {
                    self.push(group, name, Value::Numbers { dims, values });
                }
                Ok(())
            }
            // Sparse matrices and function handles hold no signals.
            _ => Ok(()),
        }
    }

    fn push(&mut self, group: &str, name: String, value: Value) {
        self.out.push(Variable {
            group: group.to_owned(),
            name,
            unit: None,
            value,
        });
    }

    fn cells(
        &mut self,
        data: &[u8],
        mut at: usize,
        group: &str,
        name: &str,
        depth: usize,
        offset: usize,
    ) -> Result<(), DataError> {
        let mut number = 1;
        while at + 8 <= data.len() {
            let (element, next) = self.element(data, at, offset)?;
            if element.kind == MATRIX {
                let own = format!("{name}{{{number}}}");
                self.variable(element.data, group, Some(&own), depth + 1, offset)?;
            }
            number += 1;
            at = next;
        }
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one struct header")]
    fn fields(
        &mut self,
        data: &[u8],
        mut at: usize,
        class: u32,
        dims: &[usize],
        group: &str,
        name: &str,
        depth: usize,
        offset: usize,
    ) -> Result<(), DataError> {
        if class == 3 {
            // Old objects carry a class name before their fields.
            at = self.element(data, at, offset)?.1;
        }
        let (length, next) = self.element(data, at, offset)?;
        let length = self.u32(length.data, 0).unwrap_or(0) as usize;
        let (names, mut at) = self.element(data, next, offset)?;
        if length == 0 || length > 4096 {
            return Err(self.bad(
                offset,
                format!("field names of length {length} in `{name}`"),
            ));
        }
        let names: Vec<String> = names
            .data
            .chunks(length)
            .map(|n| {
                String::from_utf8_lossy(n.split(|b| *b == 0).next().unwrap_or_default())
                    .into_owned()
            })
            .collect();
        let elements = dims
            .iter()
            .try_fold(1_usize, |n, d| n.checked_mul(*d))
            .unwrap_or(0);
        let path = gather::join(group, name);
        for element in 0..elements {
            let own = if elements > 1 {
                format!("{path}({})", element + 1)
            } else {
                path.clone()
            };
            for field in &names {
                if at + 8 > data.len() {
                    return Ok(());
                }
                let (inner, next) = self.element(data, at, offset)?;
                if inner.kind == MATRIX {
                    self.variable(inner.data, &own, Some(field), depth + 1, offset)?;
                }
                at = next;
            }
            if names.is_empty() {
                break;
            }
        }
        Ok(())
    }

    fn integers(&self, element: &Element<'_>) -> Vec<u32> {
        element
            .data
            .chunks_exact(4)
            .filter_map(|c| self.u32(c, 0))
            .collect()
    }

    fn text(&self, element: &Element<'_>) -> String {
        if element.kind == 4 || element.kind == 17 {
            let units = element.data.chunks_exact(2).map(|c| {
                if self.big {
                    u16::from_be_bytes([c[0], c[1]])
                } else {
                    u16::from_le_bytes([c[0], c[1]])
                }
            });
            return char::decode_utf16(units)
                .map(|c| c.unwrap_or('\u{fffd}'))
                .collect();
        }
        String::from_utf8_lossy(element.data).into_owned()
    }

    fn numbers(&self, element: &Element<'_>, offset: usize) -> Result<Vec<f64>, DataError> {
        macro_rules! all {
            ($kind:ty) => {{
                let size = size_of::<$kind>();
                element
                    .data
                    .chunks_exact(size)
                    .map(|c| {
                        let mut raw = [0; size_of::<$kind>()];
                        raw.copy_from_slice(c);
                        let value = if self.big {
                            <$kind>::from_be_bytes(raw)
                        } else {
                            <$kind>::from_le_bytes(raw)
                        };
                        value as f64
                    })
                    .collect()
            }};
        }
        #[expect(clippy::cast_lossless, reason = "one macro for all number types")]
        Ok(match element.kind {
            1 => all!(i8),
            2 => all!(u8),
            3 => all!(i16),
            4 => all!(u16),
            5 => all!(i32),
            6 => all!(u32),
            7 => all!(f32),
            9 => all!(f64),
            12 => all!(i64),
            13 => all!(u64),
            other => return Err(self.bad(offset, format!("number type {other} is not known"))),
        })
    }
}
