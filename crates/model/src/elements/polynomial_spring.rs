//! Polynomial stiffness.
//!
//! F = k1 (x + x0) + k3 (x + x0)^3 + k5 (x + x0)^5 + ...

use crate::element::{Element, Memory};
use crate::error::ModelError;
use crate::law::{Basis, Interval, Law, Mapped, ReturnMap};
use crate::registry::{Kind, Shape};
use crate::scalar::Scalar;
use crate::spec::{Param, Spec};

crate::params! {
    /// Preload as a displacement.
    x0: "m", -1e3..=1e3, 0.0;
}

/// Registry entry.
pub const KIND: Kind = Kind {
    name: NAME,
    summary: "polynomial stiffness of any integer powers, with preload",
    equations: "F = sum k_i (x + x0)^i",
    reference: "power series of an elastic characteristic",
    options: &[("powers", "list of integer powers (default 1, 3, 5)")],
    build,
    ..Kind::PLAIN
};

const NAME: &str = "polynomial-spring";

/// The law.
#[derive(Clone, Debug)]
pub struct PolynomialSpring {
    spec: Spec,
    powers: Vec<i32>,
}

/// The coefficient of the power `i`.
fn coefficient(i: i32) -> Param {
    // Forces of parts that move by a tenth of a millimetre stay within reach at every power.
    let most = 10.0_f64.powi((4 * i).max(18));
    Param {
        name: format!("k{i}"),
        unit: match i {
            1 => "N/m".to_owned(),
            i => format!("N/m^{i}"),
        },
        doc: "Coefficient of its power of the displacement.",
        min: -most,
        max: most,
        default: if i == 1 { 1e5 } else { 0.0 },
    }
}

fn build(shape: &Shape) -> Result<Box<dyn Element>, ModelError> {
    let powers = shape.powers('k', &[1, 3, 5])?;
    let coefficients = powers.iter().map(|&i| coefficient(i));
    let spec = Spec::new(Memory::None, coefficients.chain(params()).collect());
    Ok(Box::new(Mapped(PolynomialSpring { spec, powers })))
}

/// The sum of powers of `x` with these coefficients.
pub(super) fn power_series<S: Scalar>(powers: &[i32], coefficients: &[S], x: S) -> S {
    let terms = powers.iter().zip(coefficients);
    terms.fold(0.0.into(), |sum, (&i, &k)| sum + k * x.powi(i))
}

impl Law for PolynomialSpring {
    named_by!(spec);

    /// Odd powers with coefficients that are not negative never fall.
    fn falling(&self, p: &[f64]) -> Option<&'static str> {
        let mut terms = self.powers.iter().zip(p);
        terms
            .any(|(power, k)| *k < 0.0 || (power % 2 == 0 && *k != 0.0))
            .then_some("a negative coefficient or an even power makes its force fall; expected odd powers with positive coefficients")
    }

    /// x0 is left out: it stays at no preload.
    fn linear(&self) -> Vec<(usize, Basis)> {
        let powers = self.powers.iter().enumerate();
        powers.map(|(i, &p)| (i, Basis::Displacement(p))).collect()
    }
}

impl ReturnMap for PolynomialSpring {
    fn step<S: Scalar>(&self, p: &[S], s: &Interval<S>, _: &mut [S]) -> S {
        let (k, x0) = p.split_at(self.powers.len());
        let x = s.x[1] + x0[0];
        power_series(&self.powers, k, x)
    }
}
