//! The force laws, one file each.

pub mod rt;
pub mod spring;
pub mod sts;
