//! Stages of a device: nodes and friction under slow and fast loading, in addition to the model.

pub mod html;
pub mod json;
pub mod text;
mod unit_text;
