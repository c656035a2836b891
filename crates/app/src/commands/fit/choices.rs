//! Choices that the command line and a study share.

use crate::request::choice;

choice! {
    /// How tests count against each other.
    pub enum Share for masing_identify::Weights {
        /// Every test counts the same
        Equal,
        /// Every sample counts by its noise
        Noise,
    }
}

choice! {
    /// How much large differences count.
    pub enum LossName for masing_identify::Loss {
        /// Their square
        Linear,
        /// The square up to 1.3 standard deviations, straight beyond
        Huber,
        /// A smooth blend of both
        SoftL1,
    }
}

choice! {
    /// How to go downhill.
    pub enum MethodName for masing_identify::Method {
        /// Trust region on exact Jacobians, with adjoint gradients first where there are many unknowns
        Auto,
        /// Trust region on exact Jacobians
        TrustRegion,
        /// Quasi-Newton line search on adjoint gradients
        Bfgs,
        /// The same with limited memory
        Lbfgs,
        /// No search: formulas for one loop of dahl or bouc-wen
        SemiAnalytic,
    }
}
