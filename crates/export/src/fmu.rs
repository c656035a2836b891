//! Models as FMUs: what stands in `modelDescription.xml` and in the container.
//!
//! The library that goes into the container reads the same list of [`Variables`], so that what the
//! description says and what the library does cannot differ.

mod archive;
mod description;
mod unit;
mod variables;
mod xml;

pub use archive::Archive;
pub use description::{Fmu, Version};
pub use variables::{Meaning, Variable, Variables};

use std::fmt::Write as _;

/// Where the model lies inside the resources of an FMU.
pub const MODEL: &str = "model.toml";

/// A token that ties a description to the text of its model.
pub fn token(model: &str) -> String {
    // FNV-1a, twice with different starts: it tells changed files apart and need not withstand anybody.
    let hash = |start: u64| {
        model.bytes().fold(start, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    };
    let (a, b) = (hash(0xcbf2_9ce4_8422_2325), hash(0x6c62_272e_07bb_0142));
    let mut out = String::from("{");
    let groups = [a >> 32, (a >> 16) & 0xffff, a & 0xffff, b >> 48];
    for (group, width) in groups.into_iter().zip([8, 4, 4, 4]) {
        let _ = write!(out, "{group:0width$x}-");
    }
    let _ = write!(out, "{:012x}}}", b & 0xffff_ffff_ffff);
    out
}
