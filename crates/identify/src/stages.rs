//! Stages of clutch dampers and other piecewise-linear devices with clearance and friction.
//!
//! A slow record of angle and torque gives the [`Device`]: where stages begin, how stiff they are, how wide the clearance is,
//! and the friction at every node ([`characterise`]). Angle and torque may as well be a length and a force.
//!
//! Reference: Krak, M. D., Singh, R. (2016), J. Sound Vib. 377, 243-263; corrections and derivations in
//! `docs/math/stages.md`.

mod candidates;
mod clearance;
mod device;
mod error;
mod knots;
mod paths;
mod polyline;
mod quasi_static;
mod segments;
mod sums;

pub use device::{Device, Side, Stage, roman};
pub use error::StagesError;
pub use paths::{Path, Paths, Point};
pub use polyline::Polyline;
pub use quasi_static::{QuasiStatic, SlowOptions, characterise};
