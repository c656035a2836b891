//! The blocks that a model is built from where nobody names one: one line each.
//!
//! A block is a model text with the signs in the records that call for it. Whoever compares models adds
//! blocks side by side, exchanges one for another of its family, and takes away what does not pay.

/// What records show before any law is fitted to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    /// The force depends on the speed: loops of one amplitude differ between speeds.
    Rate,
    /// The force grows less than in proportion to the speed.
    Saturation,
    /// Travel without force.
    Gap,
    /// Later cycles are softer than the first at the same amplitude.
    Softening,
    /// The forces on the two sides differ.
    Asymmetry,
    /// The force grows more than in proportion to the displacement.
    Stiffening,
    /// Loops have an area.
    Hysteresis,
}

impl Sign {
    /// The word in documents.
    pub fn word(self) -> &'static str {
        match self {
            Sign::Rate => "rate",
            Sign::Saturation => "saturation",
            Sign::Gap => "gap",
            Sign::Softening => "softening",
            Sign::Asymmetry => "asymmetry",
            Sign::Stiffening => "stiffening",
            Sign::Hysteresis => "hysteresis",
        }
    }
}

/// What a block mainly does; one of a family may take the place of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// A force over the displacement.
    Elastic,
    /// A force over the speed.
    Viscous,
    /// A force that relaxes.
    Relaxing,
    /// A force that depends on the path.
    Friction,
}

/// A building block of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// As a model text.
    pub text: &'static str,
    /// What it mainly does.
    pub family: Family,
    /// The sign without which it cannot be told from a simpler block; none for what is always tried.
    pub calls: Option<Sign>,
    /// Whether a second one beside the first makes another model.
    pub repeats: bool,
    /// The simpler block that it holds as a special case, if there is one.
    pub refines: Option<&'static str>,
}

const fn block(text: &'static str, family: Family, calls: Option<Sign>) -> Block {
    Block {
        text,
        family,
        calls,
        repeats: false,
        refines: None,
    }
}

impl Block {
    /// The same, which holds another as a special case.
    const fn refining(self, simpler: &'static str) -> Block {
        Block {
            refines: Some(simpler),
            ..self
        }
    }
}

const fn repeated(text: &'static str, family: Family, calls: Option<Sign>) -> Block {
    Block {
        repeats: true,
        ..block(text, family, calls)
    }
}

/// All blocks, the simplest of each family first.
pub const BLOCKS: &[Block] = &[
    block("spring", Family::Elastic, None),
    block("polynomial-spring[powers=1,3]", Family::Elastic, None).refining("spring"),
    block("polynomial-spring[powers=3,5]", Family::Elastic, None),
    block("softening(spring)", Family::Elastic, Some(Sign::Softening)).refining("spring"),
    block(
        "softening[cycles=1](spring)",
        Family::Elastic,
        Some(Sign::Softening),
    )
    .refining("softening(spring)"),
    block(
        "softening[cycles=1](polynomial-spring[powers=1,3])",
        Family::Elastic,
        Some(Sign::Softening),
    )
    .refining("softening[cycles=1](spring)"),
    block("gap", Family::Elastic, Some(Sign::Gap)),
    block("dashpot", Family::Viscous, Some(Sign::Rate)),
    block("power-dashpot", Family::Viscous, Some(Sign::Rate)).refining("dashpot"),
    block("eyring-dashpot", Family::Viscous, Some(Sign::Rate)).refining("dashpot"),
    repeated("maxwell", Family::Relaxing, Some(Sign::Rate)),
    block("springpot", Family::Relaxing, Some(Sign::Rate)),
    block(
        "series(eyring-dashpot, spring)",
        Family::Relaxing,
        Some(Sign::Rate),
    ),
    block(
        "series(eyring-dashpot, gap + eyring-dashpot)",
        Family::Relaxing,
        Some(Sign::Rate),
    )
    .refining("series(eyring-dashpot, spring)"),
    repeated("jenkins", Family::Friction, Some(Sign::Hysteresis)),
    block("dahl", Family::Friction, Some(Sign::Hysteresis)),
    block("bouc-wen", Family::Friction, Some(Sign::Hysteresis)).refining("dahl"),
    block(
        "bouc-wen-asymmetric",
        Family::Friction,
        Some(Sign::Asymmetry),
    )
    .refining("bouc-wen"),
    block("sts[cells=8]", Family::Friction, Some(Sign::Hysteresis)),
    block("iwan", Family::Friction, Some(Sign::Hysteresis)),
    block(
        "iwan[spread=8, growing=1]",
        Family::Friction,
        Some(Sign::Hysteresis),
    ),
    block(
        "softening[strokes=0, cycles=1](iwan[spread=8, growing=1])",
        Family::Friction,
        Some(Sign::Softening),
    )
    .refining("iwan[spread=8, growing=1]"),
    block("rt[cells=6]", Family::Relaxing, Some(Sign::Rate)),
    block("lugre", Family::Friction, Some(Sign::Rate)),
    repeated(
        "series(gap, slider)",
        Family::Friction,
        Some(Sign::Hysteresis),
    ),
    block(
        "series(gap[sides=2, off-centre=1], slider[sides=2])",
        Family::Friction,
        Some(Sign::Gap),
    )
    .refining("series(gap, slider)"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Assembly, Shape};

    #[test]
    fn every_block_is_a_model_and_stands_once() {
        for (i, block) in BLOCKS.iter().enumerate() {
            let built = Assembly::from_names(block.text, |_| Shape::default());
            assert!(built.is_ok(), "{}: {built:?}", block.text);
            assert!(BLOCKS[..i].iter().all(|b| b.text != block.text));
            let known = |simpler| BLOCKS[..i].iter().any(|b| b.text == simpler);
            assert!(block.refines.is_none_or(known), "{}", block.text);
        }
    }
}
