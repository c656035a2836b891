//! The force laws, one file each.

/// A law without options that is written as the state after a step: its type, and what builds its element.
macro_rules! plain_law {
    ($law:ident, $memory:ident $(, $state:literal in $unit:literal)?) => {
        /// The law.
        #[derive(Clone, Debug)]
        pub struct $law($crate::spec::Spec);

        fn build(
            _: &$crate::registry::Shape,
        ) -> Result<Box<dyn $crate::element::Element>, $crate::error::ModelError> {
            let memory = $crate::element::Memory::$memory;
            let spec = $crate::spec::Spec::new(memory, params()) $( .state($state, $unit) )?;
            Ok(Box::new($crate::law::Mapped($law(spec))))
        }
    };
}

/// Name and specification of a law: its `NAME` and one of its fields.
macro_rules! named_by {
    ($($spec:tt)+) => {
        fn name(&self) -> &'static str {
            NAME
        }

        fn spec(&self) -> &$crate::spec::Spec {
            &self.$($spec)+
        }
    };
}

pub mod bouc_wen;
pub mod bouc_wen_degrading;
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
pub mod springpot;
pub mod staged;
pub mod sts;
