//! Stages of clutch dampers and other piecewise-linear devices with clearance and friction.
//!
//! A slow record of angle and torque gives the [`Device`]: where stages begin, how stiff they are, how wide the clearance is,
//! and the friction at every node ([`characterise`]). A fast record of torque and motion on a known inertia ([`Motion`]) says
//! what changes under fast loading ([`analyse`]): seven formulations of dissipation from the energy balance, simulated and
//! ranked, and a refined device. Angle and torque may as well be a length and a force.
//!
//! ```
//! use masing_stages::{SlowOptions, characterise};
//!
//! // One slow cycle of a damper: 600 N m/rad, then 1500 N m/rad beyond 0.1 rad, friction of 2 N m.
//! let elastic = |a: f64| 600.0 * a + 900.0 * (a - 0.1).max(0.0) + 900.0 * (a + 0.1).min(0.0);
//! let cycle = |i: u32| 0.2 * (std::f64::consts::TAU * f64::from(i) / 2000.0).sin();
//! let angle: Vec<f64> = (0..=2000).map(cycle).collect();
//! let torque: Vec<f64> = (0..=2000)
//!     .map(|i| elastic(cycle(i)) + 2.0 * (cycle(i + 1) - cycle(i)).signum())
//!     .collect();
//! let found = characterise(&angle, &torque, &SlowOptions::default())?;
//! let stiffness: Vec<f64> = found.stiffness.iter().map(|(_, k, _)| k.round()).collect();
//! // Two stages a side, from the middle outwards.
//! assert_eq!(stiffness, [600.0, 1500.0, 600.0, 1500.0]);
//! # Ok::<(), masing_stages::StagesError>(())
//! ```
//!
//! Reference: Krak, M. D., Singh, R. (2016), J. Sound Vib. 377, 243-263; corrections and derivations in
//! `docs/math/stages.md`.

mod candidates;
mod clearance;
mod closing;
mod course;
mod covariance;
mod cumulative;
mod device;
mod diagnostics;
mod dynamics;
mod energy;
mod error;
mod evidence;
mod formulation;
mod identified;
mod knots;
mod linearisation;
mod memory;
mod metrics;
mod motion;
mod paths;
mod polyline;
mod quasi_static;
mod refine;
mod regimes;
mod rest;
mod segments;
mod simulate;
mod slow_diagnostics;
mod smooth;
mod sums;

pub use course::Course;
pub use cumulative::{Cumulative, Extra, Viscous, cumulative};
pub use device::{Device, Side, Stage, roman};
pub use dynamics::{Dynamics, FastOptions, Judged, analyse, analyse_release, analyse_watched};
pub use energy::{Energy, StageEnergy};
pub use error::StagesError;
pub use formulation::{Formulation, formulations};
pub use identified::{Fast, SlowRecord, Stages};
pub use linearisation::{Linearised, linearise};
pub use metrics::{Metrics, OfMotion, Yardstick};
pub use motion::{FastRecord, Measured, Motion};
pub use paths::{Path, Paths, Point};
pub use polyline::Polyline;
pub use quasi_static::{QuasiStatic, SlowOptions, characterise};
pub use refine::{Freedom, NodeStatus, Refined, refine};
pub use regimes::{Regimes, Rule};
pub use rest::Mended;
pub use simulate::{Bench, Predicted};
