//! The force laws, one file each.

pub mod bouc_wen;
pub mod coulomb;
pub mod curve_spring;
pub mod dahl;
pub mod dashpot;
mod decay;
pub mod eyring_dashpot;
pub mod gap;
pub mod iwan;
pub mod jenkins;
mod ladder;
pub mod lugre;
pub mod maxwell;
pub mod polynomial_dashpot;
pub mod polynomial_spring;
pub mod power_dashpot;
pub mod rt;
mod side;
pub mod slider;
pub mod spring;
pub mod staged;
pub mod sts;
