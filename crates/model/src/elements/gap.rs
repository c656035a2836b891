//! Gap: a dead zone between two stops.
//!
//! F = k max(x - c - w/2, 0)^n - k max(c - w/2 - x, 0)^n
//!
//! With `sides = 2` each side has its own stiffness and power.
//!
//! Reference: Kahraman, A., Singh, R. (1990), J. Sound Vib. 142(1), 49-75 (clearance as a dead zone).

use super::side::{SIDES_OPTION, sides};
use crate::element::{Element, Memory, Step};
use crate::error::ModelError;
use crate::law::{Features, Interval, Law, Mapped, ReturnMap, by_unit};
use crate::registry::{Kind, Shape};
use crate::scalar::Scalar;
use crate::spec::Spec;

crate::params! {
    /// Stiffness of the stops.
    k: "N/m^power", 0.0..=1e12, 1e6;
    /// Free travel between the stops.
    width: "m", 0.0..=1e6, 1e-3;
    /// Middle of the free travel.
    centre: "m", -1e6..=1e6, 0.0;
    /// Power of the force over the depth: 1 for straight stops.
    power: "1", 1.0..=10.0, 1.0;
}

/// Registry entry.
pub const KIND: Kind = Kind {
    name: NAME,
    summary: "gap: free travel between two stops",
    equations: "F = k max(x - centre - width/2, 0)^power - k max(centre - width/2 - x, 0)^power",
    reference: "Kahraman & Singh (1990), J. Sound Vib. 142(1), 49-75",
    options: &[
        SIDES_OPTION,
        ("off-centre", "1 to seek `centre`; 0 without"),
        ("curved", "1 to seek `power`; 0 for straight stops"),
    ],
    optional_lists: &["k", "power"],
    on_request: &["centre", "power"],
    build,
    ..Kind::PLAIN
};

const NAME: &str = "gap";

/// The law.
#[derive(Clone, Debug)]
pub struct Gap {
    spec: Spec,
    sides: usize,
    off_centre: bool,
    curved: bool,
}

fn build(shape: &Shape) -> Result<Box<dyn Element>, ModelError> {
    let sides = sides(shape, &["k", "power"])?;
    let asked = |option: &str, param: &str| -> Result<bool, ModelError> {
        let given = shape.given.contains(param) || shape.lists.contains_key(param);
        Ok(shape.count(option, usize::from(given), 0..=1)? == 1)
    };
    let off_centre = asked("off-centre", "centre")?;
    let curved = asked("curved", "power")?;
    let mut spec = Spec::new(Memory::None, params());
    spec.params.retain(|p| match p.name.as_str() {
        "centre" => off_centre,
        "power" => curved,
        _ => true,
    });
    if !curved {
        "N/m".clone_into(&mut spec.params[0].unit);
    }
    if sides == 2 {
        spec = spec.list("k", 2).list("power", 2);
    }
    Ok(Box::new(Mapped(Gap {
        spec,
        sides,
        off_centre,
        curved,
    })))
}

/// Values of a gap by name; pairs are towards minus, towards plus.
struct Values<S> {
    k: [S; 2],
    width: S,
    centre: S,
    power: [S; 2],
}

impl Gap {
    fn values<S: Scalar>(&self, p: &[S]) -> Values<S> {
        let n = self.sides;
        let pair = |at: usize| [p[at], p[at + n - 1]];
        let after = n + 1 + usize::from(self.off_centre);
        Values {
            k: pair(0),
            width: p[n],
            centre: if self.off_centre {
                p[n + 1]
            } else {
                0.0.into()
            },
            power: if self.curved {
                pair(after)
            } else {
                [1.0.into(); 2]
            },
        }
    }
}

/// Depth into a stop to the power of its curve.
fn depth<S: Scalar>(over: S, power: S, curved: bool) -> S {
    if over.value() <= 0.0 {
        0.0.into()
    } else if curved {
        over.abs_pow(power)
    } else {
        over
    }
}

impl Law for Gap {
    fn name(&self) -> &'static str {
        NAME
    }

    fn spec(&self) -> &Spec {
        &self.spec
    }

    /// As wide as the part of the stroke in which the force hardly changes, with stops that reach the
    /// force on what is left.
    fn guess(&self, f: &Features, share: f64) -> Vec<f64> {
        let mut values = by_unit::guess(&self.spec, f, share);
        for (value, param) in values.iter_mut().zip(&self.spec.params) {
            match param.base() {
                "k" => *value = f.slope_after.max(f.secant) * share,
                "width" => *value = 0.5 * f.amplitude,
                "power" => *value = 1.0,
                _ => {}
            }
        }
        values
    }
}

impl ReturnMap for Gap {
    fn step<S: Scalar>(&self, p: &[S], s: &Interval<S>, _: &mut [S]) -> S {
        let Values {
            k,
            width,
            centre,
            power,
        } = self.values(p);
        let from_centre = s.x[1] - centre;
        let half = width * 0.5;
        // Only the stop on this side of the centre can be touched.
        if from_centre.value() < 0.0 {
            -(k[0] * depth(-from_centre - half, power[0], self.curved))
        } else {
            k[1] * depth(from_centre - half, power[1], self.curved)
        }
    }

    fn guards(&self, p: &[f64], s: &Step, _: &[f64], _: &[f64], out: &mut Vec<f64>) {
        let Values { width, centre, .. } = self.values(p);
        for edge in [centre - 0.5 * width, centre + 0.5 * width] {
            out.extend([s.x[1] - edge, edge - s.x[1]]);
        }
    }
}
