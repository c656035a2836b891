//! Readers, chosen by content.

pub(crate) mod text;
