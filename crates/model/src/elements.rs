//! The force laws, one file each.

mod ladder;
pub mod rt;
pub mod spring;
pub mod sts;
