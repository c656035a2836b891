//! Candidate terms by name, and their columns.
//!
//! k3     (y + y0)^3            c5   v^5
//! a4     sgn^5 cos(4 arccos(2 (y - y_m)/Dy - sgn)), a0 is sgn/2; y_m is the turn that the branch began with
//! sgn    direction of the branch      one   a constant
//! E(r)   spring-slider of stiffness one that slips at r
//! x^2*v  products of powers of y + y0, v, |v| and sgn

use super::error::TermsError;
use super::motion::Prepared;
use std::fmt;

/// One candidate.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Term {
    /// A power of the displacement from the unloaded position.
    Stiffness(u32),
    /// A power of the velocity.
    Damping(u32),
    /// A Chebyshev polynomial of a branch.
    Chebyshev(u32),
    /// A spring-slider of stiffness one that slips at this displacement.
    Slider(f64),
    /// Direction of the branch: dry friction without a spring.
    Direction,
    /// A constant force.
    One,
    /// A product of powers.
    Product {
        /// Power of y + y0.
        x: u32,
        /// Power of v.
        v: u32,
        /// Power of |v|.
        speed: u32,
        /// Power of the direction, 0 or 1.
        direction: u32,
    },
    /// A column of the user.
    Column(String),
}

impl Term {
    /// The term of that name; `columns` are the user's own.
    pub fn parse(name: &str, columns: &[String]) -> Result<Self, TermsError> {
        let unknown = || TermsError::UnknownTerm {
            name: name.to_owned(),
        };
        if columns.iter().any(|c| c == name) {
            return Ok(Self::Column(name.to_owned()));
        }
        match name {
            "sgn" => return Ok(Self::Direction),
            "one" => return Ok(Self::One),
            _ => {}
        }
        let number = |prefix: char, most: u32| -> Option<u32> {
            let power: u32 = name.strip_prefix(prefix)?.parse().ok()?;
            (power <= most).then_some(power)
        };
        match (number('k', 31), number('c', 31), number('a', 40)) {
            (Some(power @ 1..), ..) => return Ok(Self::Stiffness(power)),
            (_, Some(power @ 1..), _) => return Ok(Self::Damping(power)),
            (.., Some(degree)) => return Ok(Self::Chebyshev(degree)),
            _ => {}
        }
        product(name).ok_or_else(unknown)
    }

    /// Its values over one whole test; `span` is the longest stroke of all tests.
    pub fn column(&self, test: &Prepared, span: f64) -> Vec<f64> {
        let n = test.x.len();
        match self {
            Self::Stiffness(power) => {
                let power = *power as i32;
                test.x.iter().map(|x| (x + test.y0).powi(power)).collect()
            }
            Self::Damping(power) => test.v.iter().map(|v| v.powi(*power as i32)).collect(),
            Self::Chebyshev(degree) => (0..n)
                .map(|i| {
                    chebyshev(
                        *degree,
                        2.0 * (test.x[i] - test.from[i]) / span,
                        test.sign[i],
                    )
                })
                .collect(),
            Self::Slider(r) => test.slider(*r).0,
            Self::Direction => test.sign.clone(),
            Self::One => vec![1.0; n],
            Self::Product {
                x,
                v,
                speed,
                direction,
            } => (0..n)
                .map(|i| {
                    let own = (test.x[i] + test.y0).powi(*x as i32) * test.v[i].powi(*v as i32);
                    own * test.v[i].abs().powi(*speed as i32) * test.sign[i].powi(*direction as i32)
                })
                .collect(),
            Self::Column(name) => {
                let found = test.columns.iter().find(|(own, _)| own == name);
                found.map_or_else(|| vec![0.0; n], |(_, values)| values.clone())
            }
        }
    }

    /// Derivative of its column with respect to the preload; `None` where there is none.
    pub fn by_preload(&self, test: &Prepared) -> Option<Vec<f64>> {
        let of = |power: u32, rest: &dyn Fn(usize) -> f64| -> Vec<f64> {
            let slope = |i: usize| f64::from(power) * (test.x[i] + test.y0).powi(power as i32 - 1);
            (0..test.x.len()).map(|i| slope(i) * rest(i)).collect()
        };
        match self {
            Self::Stiffness(power) => Some(of(*power, &|_| 1.0)),
            Self::Product {
                x: power @ 1..,
                v,
                speed,
                direction,
            } => Some(of(*power, &|i| {
                test.v[i].powi(*v as i32)
                    * test.v[i].abs().powi(*speed as i32)
                    * test.sign[i].powi(*direction as i32)
            })),
            _ => None,
        }
    }

    /// Whether the preload enters.
    pub fn feels_preload(&self) -> bool {
        matches!(self, Self::Stiffness(_) | Self::Product { x: 1.., .. })
    }
}

/// The combined expression (27) of the paper: `s` is 2 (y - y_m)/Dy, which runs from 0 to 2 on a rising branch and from 0
/// to -2 on a falling one.
fn chebyshev(degree: u32, s: f64, sign: f64) -> f64 {
    if degree == 0 {
        return 0.5 * sign;
    }
    // A stroke may exceed the span by noise; the arccos must not.
    let angle = (s - sign).clamp(-1.0, 1.0).acos();
    sign.powi(degree as i32 + 1) * (f64::from(degree) * angle).cos()
}

/// `x^2*v`, `x*|v|`, `sgn*x`.
fn product(name: &str) -> Option<Term> {
    let (mut x, mut v, mut speed, mut direction) = (0, 0, 0, 0);
    for factor in name.split('*') {
        let (base, power) = match factor.trim().split_once('^') {
            Some((base, power)) => (base, power.parse::<u32>().ok()?),
            None => (factor.trim(), 1),
        };
        if !(1..=31).contains(&power) {
            return None;
        }
        match base {
            "x" => x += power,
            "v" => v += power,
            "|v|" => speed += power,
            "sgn" => direction += power,
            _ => return None,
        }
    }
    (x + v + speed <= 31).then_some(Term::Product {
        x,
        v,
        speed,
        // The square of a direction is one.
        direction: direction % 2,
    })
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stiffness(power) => write!(f, "k{power}"),
            Self::Damping(power) => write!(f, "c{power}"),
            Self::Chebyshev(degree) => write!(f, "a{degree}"),
            Self::Slider(r) => write!(f, "E({r:.3e})"),
            Self::Direction => f.write_str("sgn"),
            Self::One => f.write_str("one"),
            Self::Product {
                x,
                v,
                speed,
                direction,
            } => {
                let mut first = true;
                for (name, power) in [("x", x), ("v", v), ("|v|", speed), ("sgn", direction)] {
                    if *power == 0 {
                        continue;
                    }
                    if !first {
                        f.write_str("*")?;
                    }
                    first = false;
                    match power {
                        1 => f.write_str(name)?,
                        power => write!(f, "{name}^{power}")?,
                    }
                }
                Ok(())
            }
            Self::Column(name) => f.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        let own = ["temperature".to_owned()];
        for name in [
            "k1",
            "k31",
            "c13",
            "a0",
            "a10",
            "sgn",
            "one",
            "x^2*v",
            "x*|v|",
            "v*sgn",
            "temperature",
        ] {
            assert_eq!(Term::parse(name, &own).unwrap().to_string(), name);
        }
        for name in ["k0", "c32", "a41", "x^0", "", "y", "x^40", "k", "x*", "k-1"] {
            assert!(Term::parse(name, &own).is_err(), "{name}");
        }
    }

    #[test]
    fn chebyshev_terms_run_from_end_to_end() {
        // Rising: from -1 at the turn to 1 a span later; falling: the mirror.
        // T_n(-1) = (-1)^n and T_n(1) = 1; sgn^(n+1) turns the even degrees on falling branches.
        for degree in 1..6 {
            let odd = if degree % 2 == 1 { -1.0 } else { 1.0 };
            for (s, sign, expected) in [
                (0.0, 1.0, odd),
                (2.0, 1.0, 1.0),
                (0.0, -1.0, -odd),
                (-2.0, -1.0, -1.0),
            ] {
                let found = chebyshev(degree, s, sign);
                assert!((found - expected).abs() < 1e-12, "{degree} {s} {sign}");
            }
        }
        assert_eq!(chebyshev(0, 1.0, -1.0), -0.5);
        assert!(chebyshev(3, 2.1, 1.0).is_finite());
    }
}
