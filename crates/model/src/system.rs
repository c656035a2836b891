//! What drives the elements: prescribed motion, or masses that move under loads.
//!
//! M q'' + C q' + K q + sum of element forces = load - M 1 base acceleration, q(0) = x0, q'(0) = v0.
//! An `oscillator` has one degree of freedom, a `structure` several. With base acceleration q is
//! the motion relative to the base.

use crate::error::ModelError;
use crate::spec::Param;
use std::ops::Range;

/// Masses, linear damping and linear stiffness; the values stand in one vector laid out as
/// `m`, `c`, `k` (rows of the matrices), `x0`, `v0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Masses {
    name: &'static str,
    dofs: usize,
}

impl Masses {
    /// One mass.
    pub fn oscillator() -> Self {
        Self {
            name: "oscillator",
            dofs: 1,
        }
    }

    /// Several masses.
    pub fn structure(dofs: usize) -> Self {
        Self {
            name: "structure",
            dofs,
        }
    }

    /// `oscillator` or `structure`: the type in files and the label in addresses.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Number of degrees of freedom.
    pub fn dofs(&self) -> usize {
        self.dofs
    }

    /// Number of values.
    pub fn param_count(&self) -> usize {
        3 * self.dofs * self.dofs + 2 * self.dofs
    }

    /// Where the mass matrix stands.
    pub fn m(&self) -> Range<usize> {
        0..self.dofs * self.dofs
    }

    /// Where the damping matrix stands.
    pub fn c(&self) -> Range<usize> {
        self.dofs * self.dofs..2 * self.dofs * self.dofs
    }

    /// Where the stiffness matrix stands.
    pub fn k(&self) -> Range<usize> {
        2 * self.dofs * self.dofs..3 * self.dofs * self.dofs
    }

    /// Where the initial displacements stand.
    pub fn x0(&self) -> Range<usize> {
        let start = 3 * self.dofs * self.dofs;
        start..start + self.dofs
    }

    /// Where the initial velocities stand.
    pub fn v0(&self) -> Range<usize> {
        let start = 3 * self.dofs * self.dofs + self.dofs;
        start..start + self.dofs
    }

    /// The values as parameters: `m`, ... of an oscillator, `m[1,2]`, ..., `x0[1]`, ... of a structure.
    pub fn params(&self) -> Vec<Param> {
        let param = |name: &str, index: String, unit: &str, doc, [min, max]: [f64; 2]| Param {
            name: match self.dofs {
                1 => name.to_owned(),
                _ => format!("{name}[{index}]"),
            },
            unit: unit.to_owned(),
            doc,
            min,
            max,
            default: 0.0,
        };
        let mut out = Vec::with_capacity(self.param_count());
        let matrices = [
            ("m", "kg", "mass"),
            ("c", "N s/m", "damping"),
            ("k", "N/m", "stiffness"),
        ];
        let least = if self.dofs == 1 { 0.0 } else { -1e15 };
        for (name, unit, doc) in matrices {
            for i in 1..=self.dofs {
                for j in 1..=self.dofs {
                    let mut own = param(name, format!("{i},{j}"), unit, doc, [least, 1e15]);
                    if name == "m" && i == j {
                        (own.min, own.default) = (1e-12, 1.0);
                    }
                    out.push(own);
                }
            }
        }
        for (name, unit, doc) in [
            ("x0", "m", "initial displacement"),
            ("v0", "m/s", "initial velocity"),
        ] {
            let each = (1..=self.dofs).map(|i| param(name, i.to_string(), unit, doc, [-1e9, 1e9]));
            out.extend(each);
        }
        out
    }

    /// Ranges respected, mass matrix symmetric and positive definite.
    pub fn check(&self, p: &[f64]) -> Result<(), ModelError> {
        for (param, &value) in self.params().iter().zip(p) {
            param.check(value).map_err(|error| error.of(self.name))?;
        }
        let (n, m) = (self.dofs, &p[self.m()]);
        for i in 0..n {
            for j in 0..i {
                if m[i * n + j] != m[j * n + i] {
                    return Err(ModelError::Rejected(format!(
                        "the mass matrix is not symmetric: m[{},{}] = {:?}, m[{},{}] = {:?}",
                        i + 1,
                        j + 1,
                        m[i * n + j],
                        j + 1,
                        i + 1,
                        m[j * n + i]
                    )));
                }
            }
        }
        if is_positive_definite(n, m) {
            Ok(())
        } else {
            Err(ModelError::Rejected(
                "the mass matrix is not positive definite".to_owned(),
            ))
        }
    }
}

/// Whether a symmetric matrix has a Cholesky factor.
fn is_positive_definite(n: usize, m: &[f64]) -> bool {
    let mut l = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| l[i * n + k] * l[j * n + k]).sum();
            let rest = m[i * n + j] - sum;
            if i == j {
                if rest <= 0.0 {
                    return false;
                }
                l[i * n + i] = rest.sqrt();
            } else {
                l[i * n + j] = rest / l[j * n + j];
            }
        }
    }
    true
}
