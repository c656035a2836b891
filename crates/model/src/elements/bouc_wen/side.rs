//! What the asymmetric law has beside the parameters of Bouc-Wen.

use crate::spec::Param;

crate::params! {
    /// Asymmetry: the force ends at (a / (beta + gamma + 2 phi))^(1/n) upwards, with -phi downwards.
    phi: "N^(1-n)/m", -1e12..=1e12, 0.0;
}

/// The parameter of the sides.
pub(super) fn asymmetry() -> Vec<Param> {
    params()
}
