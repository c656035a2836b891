//! Terms that were chosen: ranking, friction, coefficients that change between tests, in addition to the
//! model.

pub mod html;
pub mod json;
pub mod text;
mod varying_coefficients;
