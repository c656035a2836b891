//! RPC-III time histories (.rsp, .drv), as servo-hydraulic rigs write them.
//!
//! Layout (MTS "RPC III file formats"): 512-byte header blocks of 128-byte parameters (32 bytes of key, 96 of value),
//! then groups of `PTS_PER_GROUP` points, channel after channel. Short integers are scaled by `SCALE.CHAN_n`.

use std::collections::HashMap;
use std::path::Path;

use super::text::header;
use crate::error::DataError;
use crate::table::{Channel, Source, Table};

/// Name of the format in messages.
pub(crate) const FORMAT: &str = "RPC-III";

/// True for the header of an RPC-III file.
pub(crate) fn matches(head: &[u8]) -> bool {
    head.starts_with(b"FORMAT\0")
        && head.len() >= 160
        && head[128..].starts_with(b"NUM_HEADER_BLOCKS")
}

struct Header<'f> {
    file: &'f Path,
    values: HashMap<String, String>,
}

impl Header<'_> {
    fn bad(&self, place: &str, reason: impl Into<String>) -> DataError {
        DataError::Format {
            file: self.file.to_owned(),
            format: FORMAT,
            place: format!("header {place}"),
            reason: reason.into(),
        }
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.values.get(key).map(String::as_str)
    }

    fn count(&self, key: &str) -> Result<usize, DataError> {
        let text = self.text(key).ok_or_else(|| self.bad(key, "is missing"))?;
        let value: f64 = text
            .parse()
            .map_err(|_| self.bad(key, format!("found `{text}`, expected a number")))?;
        if (1.0..=1e12).contains(&value) {
            Ok(value as usize)
        } else {
            Err(self.bad(key, format!("found {text}, expected a positive number")))
        }
    }

    /// Byte order (true for big) and number type (true for floating point).
    fn encoding(&self) -> Result<(bool, bool), DataError> {
        let big = match self.text("FORMAT") {
            Some("BINARY_IEEE_LITTLE_END" | "BINARY") => false,
            Some("BINARY_IEEE_BIG_END") => true,
            other => {
                let found = other.unwrap_or("nothing").to_owned();
                return Err(self.bad(
                    "FORMAT",
                    format!(
                        "found {found}, expected BINARY_IEEE_LITTLE_END, BINARY_IEEE_BIG_END or BINARY"
                    ),
                ));
            }
        };
        let float = match self.text("DATA_TYPE") {
            Some("FLOATING_POINT") => true,
            None | Some("SHORT_INTEGER") => false,
            Some(other) => {
                let other = other.to_owned();
                return Err(self.bad(
                    "DATA_TYPE",
                    format!("found {other}, expected SHORT_INTEGER or FLOATING_POINT"),
                ));
            }
        };
        Ok((big, float))
    }
}

fn field(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    bytes[..end]
        .iter()
        .map(|b| char::from(*b))
        .collect::<String>()
        .trim()
        .to_owned()
}

/// Reads a file held in memory.
pub(crate) fn read(file: &Path, bytes: &[u8]) -> Result<Vec<Table>, DataError> {
    let mut header = Header {
        file,
        values: HashMap::new(),
    };
    for pair in bytes.chunks_exact(128).take(3) {
        header.values.insert(field(&pair[..32]), field(&pair[32..]));
    }
    let parameters = header.count("NUM_PARAMS")?.min(1 << 16);
    for pair in bytes.chunks_exact(128).take(parameters) {
        header.values.insert(field(&pair[..32]), field(&pair[32..]));
    }
    let (big, float) = header.encoding()?;
    let size = if float { 4 } else { 2 };
    let channels = header.count("CHANNELS")?;
    let per_frame = header.count("PTS_PER_FRAME")?;
    let per_group = header.count("PTS_PER_GROUP")?;
    let frames = header.count("FRAMES")?;
    let start = header.count("NUM_HEADER_BLOCKS")?.saturating_mul(512);
    let data = bytes
        .get(start..)
        .ok_or_else(|| header.bad("NUM_HEADER_BLOCKS", "the file ends inside the header"))?;
    let mut points = frames.saturating_mul(per_frame);
    let available = data.len() / size;
    let needed = points.checked_mul(channels).filter(|n| *n <= available);
    if needed.is_none() {
        return Err(header.bad(
            "FRAMES",
            format!("{channels} channels of {points} points do not fit the {} bytes of data: the file is cut off", data.len()),
        ));
    }
    // The last frame may be filled up.
    if let Ok(samples) = header.count("SAMPLES") {
        points = points.min(samples);
    }
    let step: f64 = header
        .text("DELTA_T")
        .and_then(|t| t.parse().ok())
        .filter(|t: &f64| *t > 0.0 && t.is_finite())
        .ok_or_else(|| header.bad("DELTA_T", "expected a positive number of seconds"))?;
    let number = |index: usize| -> f64 {
        let Some(raw) = index
            .checked_mul(size)
            .and_then(|at| data.get(at..at.checked_add(size)?))
        else {
            return f64::NAN;
        };
        match (float, big) {
            (true, false) => f64::from(f32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]])),
            (true, true) => f64::from(f32::from_be_bytes([raw[0], raw[1], raw[2], raw[3]])),
            (false, false) => f64::from(i16::from_le_bytes([raw[0], raw[1]])),
            (false, true) => f64::from(i16::from_be_bytes([raw[0], raw[1]])),
        }
    };
    let mut out = vec![Channel::new(
        "time",
        Some("s".into()),
        (0..points).map(|i| step * i as f64).collect(),
    )];
    for c in 0..channels {
        let key = |name: &str| format!("{name}.CHAN_{}", c + 1);
        let scale: f64 = if float {
            1.0
        } else {
            header
                .text(&key("SCALE"))
                .and_then(|t| t.parse().ok())
                .unwrap_or(1.0)
        };
        let value = |i: usize| {
            let (group, inside) = (i / per_group, i % per_group);
            let before = (group * channels + c).saturating_mul(per_group);
            scale * number(before.saturating_add(inside))
        };
        let described = header
            .text(&key("DESC"))
            .filter(|t| !t.is_empty())
            .map_or_else(|| (c + 1).to_string(), str::to_owned);
        let (name, in_name) = header::split(&described, &[]);
        let unit = header
            .text(&key("UNITS"))
            .filter(|t| !t.is_empty() && *t != "-")
            .map(str::to_owned)
            .or(in_name);
        out.push(Channel::new(name, unit, (0..points).map(value).collect()));
    }
    Ok(vec![Table::new("", out, Source::new(file, FORMAT, 1))])
}
