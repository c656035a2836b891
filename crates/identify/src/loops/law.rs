//! The loop law of a model, and what lies in parallel with it.

use masing_model::law::{Basis, Law, LoopLaw};
use masing_model::{Assembly, Part};

/// A force that is its parameter times a function of the present motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linear {
    /// Where the parameter stands among those of the assembly.
    pub param: usize,
    basis: Basis,
}

impl Linear {
    /// The force for a parameter of one.
    pub fn at(&self, x: f64, v: f64) -> f64 {
        self.basis.at(x, v)
    }

    /// Whether it is a plain stiffness, which the loop law already contains.
    pub fn is_stiffness(&self) -> bool {
        self.basis == Basis::Displacement(1)
    }

    /// Whether it is plain viscous damping, which a bristle law already contains.
    pub fn is_viscous(&self) -> bool {
        self.basis == Basis::Velocity(1)
    }
}

/// One loop law with linear parts in parallel.
#[derive(Clone)]
pub struct LoopModel<'a> {
    /// The law.
    pub law: &'a dyn LoopLaw,
    /// Which element of the assembly it is.
    pub part: usize,
    /// Everything in parallel with it.
    pub linear: Vec<Linear>,
}

/// The loop law of an assembly; `None` if there is none, or more than one, or another element whose
/// force is not linear in its parameters.
pub fn loop_model(assembly: &Assembly) -> Option<LoopModel<'_>> {
    let (law, part, linear) = beside_linear(assembly, Law::loop_law)?;
    Some(LoopModel { law, part, linear })
}

/// The same for starts.
pub(super) fn starting_model(assembly: &Assembly) -> Option<LoopModel<'_>> {
    let (law, part, linear) = beside_linear(assembly, Law::loop_start)?;
    Some(LoopModel { law, part, linear })
}

/// What `wanted` returns for the one element that has it, the place of that element, and all other
/// elements, if their forces are linear in their parameters.
pub(super) fn beside_linear<'a, T>(
    assembly: &'a Assembly,
    wanted: impl Fn(&'a dyn Law) -> Option<T>,
) -> Option<(T, usize, Vec<Linear>)> {
    let mut found: Option<(T, usize)> = None;
    let mut linear = Vec::new();
    for (index, part) in assembly.parts().iter().enumerate() {
        match wanted(part.element.law()) {
            Some(own) if found.is_none() => found = Some((own, index)),
            Some(_) => return None,
            None => linear.extend(columns(part)?),
        }
    }
    let (own, part) = found?;
    Some((own, part, linear))
}

/// The linear parameters of an element; `None` if its force is not linear in them.
fn columns(part: &Part) -> Option<impl Iterator<Item = Linear>> {
    let first = part.params.start;
    let own = part.element.law().linear();
    (!own.is_empty()).then(|| {
        own.into_iter().map(move |(i, basis)| Linear {
            param: first + i,
            basis,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use masing_model::Shape;

    fn of(sum: &str) -> Assembly {
        Assembly::from_names(sum, |_| Shape::default()).unwrap()
    }

    #[test]
    fn one_law_with_linear_parts_is_known() {
        let assembly = of("dashpot+bouc-wen+polynomial-spring");
        let found = loop_model(&assembly).unwrap();
        assert_eq!((found.law.name(), found.part), ("bouc-wen", 1));
        let params: Vec<usize> = found.linear.iter().map(|l| l.param).collect();
        assert_eq!(params, [0, 5, 6, 7]);
        assert_eq!(found.linear[2].at(2.0, 5.0), 8.0);
        assert_eq!(found.linear[0].at(2.0, 5.0), 5.0);
        assert!(found.linear[1].is_stiffness() && !found.linear[2].is_stiffness());
        for sum in [
            "spring",
            "dahl+bouc-wen",
            "dahl+dahl",
            "dahl+maxwell",
            "bouc-wen-asymmetric",
        ] {
            assert!(loop_model(&of(sum)).is_none(), "{sum}");
        }
        assert!(starting_model(&of("bouc-wen-asymmetric+spring")).is_some());
    }
}
