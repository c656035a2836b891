//! What a law says of itself, whichever way its step is written.
//!
//! Whoever looks for parameters, warns about them or compares laws asks these questions and never for
//! the name of a law. Every answer has a default that is made from units and ranges, so that a law
//! that is new to everybody gets a start, diagnostics and a report.

use super::{Features, LoopLaw, by_unit};
use crate::error::ModelError;
use crate::spec::Spec;
use std::ops::Range;

/// A force law in its own words.
pub trait Law: Send + Sync {
    /// Name in messages; that of the registry for its elements.
    fn name(&self) -> &'static str;

    /// Parameters, states and kind of memory.
    fn spec(&self) -> &Spec;

    /// Says what is wrong with a set of parameter values, if anything.
    fn check(&self, p: &[f64]) -> Result<(), ModelError> {
        self.spec().check(p)
    }

    /// Why some motion could draw energy from the law: the condition that is broken, and what may
    /// happen. `None` where no motion can, however far or fast; laws that are so for all of their
    /// parameters do not write this.
    fn non_passive(&self, p: &[f64]) -> Option<&'static str> {
        let _ = p;
        None
    }

    /// Why the force may fall while the law is moved on, for these parameters: then it cannot stand in
    /// a series. `None` where the force never falls.
    fn falling(&self, p: &[f64]) -> Option<&'static str> {
        let _ = p;
        None
    }

    /// Whether the force depends on how fast the path is gone.
    fn rate_dependent(&self) -> bool {
        by_unit::rate_dependent(self.spec())
    }

    /// A first guess of the parameters for a record with these features, where the elements beside
    /// it leave it this share of the stiffness. The caller moves it into the ranges.
    fn guess(&self, features: &Features, share: f64) -> Vec<f64> {
        by_unit::guess(self.spec(), features, share)
    }

    /// Whether the guess solves the equations of the law for the features. A guess that is only of
    /// the right size is varied before the search descends.
    fn guess_solves(&self) -> bool {
        false
    }

    /// A curve along which the response hardly changes, so that it holds several minima.
    fn valley(&self) -> Option<Valley> {
        None
    }

    /// Groups of parameters that may move together at first: the entries of lists that a loop can
    /// hardly tell apart.
    fn tied(&self) -> Vec<Range<usize>> {
        Vec::new()
    }

    /// Parameters that act alike, each of which may be zero, and the size that they share at `p`: an
    /// optimiser would otherwise measure each by its own value.
    fn common_scale(&self, p: &[f64]) -> Option<(Vec<usize>, f64)> {
        let _ = p;
        None
    }

    /// The kind of test that reveals a parameter.
    fn reveals(&self, param: usize) -> Probe {
        by_unit::probe(&self.spec().params[param].unit)
    }

    /// The parameters that make the force larger where the part is stronger, as at another coil current or
    /// temperature: those that follow a condition where nobody says which.
    fn strength(&self) -> Strength {
        by_unit::strength(self.spec())
    }

    /// Moves `p` to the null point: the values within the ranges at which the law adds nothing.
    /// What only shapes the force stays as it is.
    fn null(&self, p: &mut [f64]) {
        by_unit::null(self.spec(), p);
    }

    /// The parameters that the force is linear in, with what each multiplies, if the others at their
    /// defaults add nothing. Empty where the force is not linear.
    fn linear(&self) -> Vec<(usize, Basis)> {
        Vec::new()
    }

    /// Parameters that the force is linear in for any values of the others, none of them negative: a
    /// search starts them by non-negative least squares. Empty where it has no need of that.
    fn weights(&self) -> Vec<usize> {
        Vec::new()
    }

    /// The law as one whose parameters can be read off a hysteresis loop.
    fn loop_law(&self) -> Option<&dyn LoopLaw> {
        None
    }

    /// The loop law whose regressions start a search; its parameters are the first ones of this law.
    fn loop_start(&self) -> Option<&dyn LoopLaw> {
        self.loop_law()
    }

    /// The law as one of bristles, whose regressions start a search.
    fn bristles(&self) -> Option<Bristles> {
        None
    }
}

/// How a law says how strong it is; all of these parameters are positive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Strength {
    /// By forces, such as a friction limit: stiffness beside them says how soon they are reached.
    Forces(Vec<usize>),
    /// By the slopes of the force over displacement or speed.
    Slopes(Vec<usize>),
}

impl Strength {
    /// The parameters.
    pub fn params(&self) -> &[usize] {
        let (Strength::Forces(params) | Strength::Slopes(params)) = self;
        params
    }

    /// That of several laws together, of parameters from these places on: their forces, where any has some.
    pub(crate) fn together(each: impl IntoIterator<Item = (usize, Self)>) -> Self {
        let (mut forces, mut slopes, mut any) = (Vec::new(), Vec::new(), false);
        for (start, own) in each {
            let params = own.params().iter().map(|k| k + start);
            match own {
                Strength::Forces(_) => {
                    any = true;
                    forces.extend(params);
                }
                Strength::Slopes(_) => slopes.extend(params),
            }
        }
        if any {
            Strength::Forces(forces)
        } else {
            Strength::Slopes(slopes)
        }
    }
}

/// A kind of test, by what it varies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// Another amplitude.
    Amplitude,
    /// Another speed.
    Speed,
    /// A displacement that is held: relaxation.
    Hold,
    /// Another frequency.
    Frequency,
}

/// A curve in the space of the parameters.
#[derive(Clone, Debug)]
pub struct Valley {
    /// The parameters that change along it; the first one measures the way.
    pub params: Vec<usize>,
    /// Moves the values of these parameters to where the first one is that many times as large.
    pub walk: fn(&mut [f64], f64),
}

/// What a coefficient of a linear force multiplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// A power of the displacement.
    Displacement(i32),
    /// A power of the velocity.
    Velocity(i32),
}

impl Basis {
    /// The force for a coefficient of one.
    pub fn at(self, x: f64, v: f64) -> f64 {
        match self {
            Basis::Displacement(power) => x.powi(power),
            Basis::Velocity(power) => v.powi(power),
        }
    }
}

/// Where the parameters of a law of bristles stand: F = z + damping z'/stiffness + viscous v, where z
/// follows the motion up to a friction force that falls with the speed (Stribeck).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bristles {
    /// Stiffness of the bristles.
    pub stiffness: usize,
    /// Damping of the bristles.
    pub damping: usize,
    /// Viscous damping.
    pub viscous: usize,
    /// Friction force at high speed.
    pub friction: usize,
    /// Friction force at the onset of sliding.
    pub onset: usize,
    /// Speed over which the friction falls.
    pub speed: usize,
}

#[cfg(test)]
mod tests {
    use crate::registry::{KINDS, Shape};
    use crate::{Assembly, Model};

    fn strong(text: &str) -> Vec<String> {
        let assembly = Assembly::from_names(text, |_| Shape::default()).expect("a model");
        let model = Model::with_defaults(assembly, None).expect("defaults");
        let params = model.params();
        let parts = model.assembly().parts().iter();
        let each = parts.flat_map(|part| {
            let own = part.element.law().strength();
            let own: Vec<usize> = own.params().iter().map(|k| part.params.start + k).collect();
            own
        });
        each.map(|k| params[k].0.clone()).collect()
    }

    #[test]
    fn strengths_are_forces_where_a_law_has_some() {
        assert_eq!(strong("jenkins"), ["jenkins.zs"]);
        assert_eq!(strong("springpot"), ["springpot.c"]);
        assert_eq!(strong("bouc-wen"), ["bouc-wen.a"]);
        // The spring in front of a dashpot that saturates says how soon, not how much.
        let damper = "series(eyring-dashpot, spring) + dashpot";
        assert_eq!(strong(damper), ["eyring-dashpot.f", "dashpot.c"]);
        assert_eq!(strong("series(maxwell, spring)"), ["maxwell.k", "spring.k"]);
        assert_eq!(strong("softening(series(gap, slider))"), ["slider.limit"]);
    }

    #[test]
    fn what_says_how_strong_a_law_is_cannot_be_negative() {
        for kind in KINDS {
            let Ok(assembly) = Assembly::from_names(kind.name, |_| Shape::default()) else {
                continue;
            };
            for part in assembly.parts() {
                let law = part.element.law();
                for k in law.strength().params() {
                    assert!(law.spec().params[*k].min >= 0.0, "{}", kind.name);
                }
            }
        }
    }
}
