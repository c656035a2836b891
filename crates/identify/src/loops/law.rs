//! The loop law of a model: one Dahl or Bouc-Wen element, and what lies in parallel with it.

use masing_model::{Assembly, Part};

/// The laws of this family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// `dahl`.
    Dahl,
    /// `bouc-wen`.
    BoucWen,
}

impl Law {
    /// The law of a registry name.
    pub fn of(kind: &str) -> Option<Self> {
        match kind {
            "dahl" => Some(Self::Dahl),
            "bouc-wen" => Some(Self::BoucWen),
            _ => None,
        }
    }

    /// Its registry name.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Dahl => "dahl",
            Self::BoucWen => "bouc-wen",
        }
    }

    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dahl => "Dahl",
            Self::BoucWen => "Bouc-Wen",
        }
    }

    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::Dahl => Self::BoucWen,
            Self::BoucWen => Self::Dahl,
        }
    }
}

/// A force that is its parameter times a function of the present motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linear {
    /// Where the parameter stands among those of the assembly.
    pub param: usize,
    basis: Basis,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Basis {
    Displacement(i32),
    Velocity(i32),
}

impl Linear {
    /// The force for a parameter of one.
    pub fn at(&self, x: f64, v: f64) -> f64 {
        match self.basis {
            Basis::Displacement(power) => x.powi(power),
            Basis::Velocity(power) => v.powi(power),
        }
    }

    /// Whether it is a plain stiffness, which a loop law has as well.
    pub fn is_stiffness(&self) -> bool {
        self.basis == Basis::Displacement(1)
    }

    /// Whether it is plain viscous damping, which LuGre has as well.
    pub fn is_viscous(&self) -> bool {
        self.basis == Basis::Velocity(1)
    }
}

/// One loop law with linear parts in parallel.
#[derive(Clone, Debug, PartialEq)]
pub struct LoopLaw {
    /// Which law.
    pub law: Law,
    /// Which element of the assembly it is.
    pub part: usize,
    /// Everything in parallel with it.
    pub linear: Vec<Linear>,
}

/// The loop law of an assembly; `None` if there is none, or more than one, or something beside it
/// whose force is not linear in its parameters.
pub fn loop_law(assembly: &Assembly) -> Option<LoopLaw> {
    let (law, part, linear) = beside_linear(assembly, Law::of)?;
    Some(LoopLaw { law, part, linear })
}

/// The same for starts, where the asymmetric law begins as the symmetric one.
pub(super) fn starting_law(assembly: &Assembly) -> Option<LoopLaw> {
    let begins_as = |kind: &str| Law::of(kind.strip_suffix("-asymmetric").unwrap_or(kind));
    let (law, part, linear) = beside_linear(assembly, begins_as)?;
    Some(LoopLaw { law, part, linear })
}

/// The one element that `recognise` knows by its kind, where it stands, and everything beside it, if
/// the force of that is linear in its parameters.
pub(super) fn beside_linear<T>(
    assembly: &Assembly,
    recognise: impl Fn(&str) -> Option<T>,
) -> Option<(T, usize, Vec<Linear>)> {
    let mut found: Option<(T, usize)> = None;
    let mut linear = Vec::new();
    for (index, part) in assembly.parts().iter().enumerate() {
        match recognise(&part.kind) {
            Some(known) if found.is_none() => found = Some((known, index)),
            Some(_) => return None,
            None => linear.extend(columns(part)?),
        }
    }
    let (known, part) = found?;
    Some((known, part, linear))
}

/// The linear parameters of an element; `None` if its force is not linear in them.
fn columns(part: &Part) -> Option<Vec<Linear>> {
    let first = part.params.start;
    let params = part.element.spec().params.iter().enumerate();
    let column = |i: usize, basis: Basis| Linear {
        param: first + i,
        basis,
    };
    let powers = |letter: char, basis: fn(i32) -> Basis| {
        let listed = params.clone().filter_map(|(i, p)| {
            let power = p.name.strip_prefix(letter)?.parse().ok()?;
            Some(column(i, basis(power)))
        });
        Some(listed.collect())
    };
    match part.kind.as_str() {
        "spring" => Some(vec![column(0, Basis::Displacement(1))]),
        "dashpot" => Some(vec![column(0, Basis::Velocity(1))]),
        // What is left out, x0, stays at no preload.
        "polynomial-spring" => powers('k', Basis::Displacement),
        "polynomial-dashpot" => powers('c', Basis::Velocity),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use masing_model::Shape;

    fn law_of(sum: &str) -> Option<LoopLaw> {
        loop_law(&Assembly::from_names(sum, |_| Shape::default()).unwrap())
    }

    #[test]
    fn one_law_with_linear_parts_is_known() {
        let found = law_of("dashpot+bouc-wen+polynomial-spring").unwrap();
        assert_eq!((found.law, found.part), (Law::BoucWen, 1));
        let params: Vec<usize> = found.linear.iter().map(|l| l.param).collect();
        assert_eq!(params, [0, 5, 6, 7]);
        assert_eq!(found.linear[2].at(2.0, 5.0), 8.0);
        assert_eq!(found.linear[0].at(2.0, 5.0), 5.0);
        assert!(found.linear[1].is_stiffness() && !found.linear[2].is_stiffness());
        for sum in ["spring", "dahl+bouc-wen", "dahl+dahl", "dahl+maxwell"] {
            assert_eq!(law_of(sum), None, "{sum}");
        }
    }
}
