//! Polynomial damping.
//!
//! F = c1 v + c3 v^3 + c5 v^5 + ...
//!
//! Odd powers are odd forces; coefficients may be negative, and then the law feeds energy in above
//! some speed.

use super::polynomial_spring::power_series;
use crate::element::{Element, Memory};
use crate::error::ModelError;
use crate::law::{Basis, Interval, Law, Mapped, ReturnMap};
use crate::registry::{Kind, Shape};
use crate::scalar::Scalar;
use crate::spec::{Param, Spec};

/// Registry entry.
pub const KIND: Kind = Kind {
    name: NAME,
    summary: "polynomial damping of any integer powers",
    equations: "F = sum c_i v^i",
    reference: "power series of a damping characteristic",
    options: &[("powers", "list of integer powers (default 1, 3, 5)")],
    build,
    ..Kind::PLAIN
};

const NAME: &str = "polynomial-dashpot";

/// The law.
#[derive(Clone, Debug)]
pub struct PolynomialDashpot {
    spec: Spec,
    powers: Vec<i32>,
}

/// The coefficient of the power `i`.
fn coefficient(i: i32) -> Param {
    Param {
        name: format!("c{i}"),
        unit: match i {
            1 => "N s/m".to_owned(),
            i => format!("N (s/m)^{i}"),
        },
        doc: "Coefficient of its power of the speed.",
        // Forces at speeds of some mm/s stay within reach at every power.
        min: -10.0_f64.powi((3 * i).max(18)),
        max: 10.0_f64.powi((3 * i).max(18)),
        default: if i == 1 { 1e3 } else { 0.0 },
    }
}

fn build(shape: &Shape) -> Result<Box<dyn Element>, ModelError> {
    let powers = shape.powers('c', &[1, 3, 5])?;
    let params = powers.iter().map(|&i| coefficient(i)).collect();
    let spec = Spec::new(Memory::None, params);
    Ok(Box::new(Mapped(PolynomialDashpot { spec, powers })))
}

impl Law for PolynomialDashpot {
    named_by!(spec);

    /// Odd powers with coefficients that are not negative never fall.
    fn falling(&self, p: &[f64]) -> Option<&'static str> {
        let mut terms = self.powers.iter().zip(p);
        terms
            .any(|(power, k)| *k < 0.0 || (power % 2 == 0 && *k != 0.0))
            .then_some("a negative coefficient or an even power makes its force fall; expected odd powers with positive coefficients")
    }

    fn linear(&self) -> Vec<(usize, Basis)> {
        let powers = self.powers.iter().enumerate();
        powers.map(|(i, &p)| (i, Basis::Velocity(p))).collect()
    }
}

impl ReturnMap for PolynomialDashpot {
    fn step<S: Scalar>(&self, p: &[S], s: &Interval<S>, _: &mut [S]) -> S {
        power_series(&self.powers, p, s.v[1])
    }
}
