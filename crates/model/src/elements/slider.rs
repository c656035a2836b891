//! Slider: dry friction without compliance.
//!
//! F = limit sign(dx), the last force while it rests
//!
//! With `sides = 2` the limits differ towards minus and plus. With `stribeck = 1` they are higher at low
//! speed: limit (1 + rise exp(-|v|/speed)), where v is the speed of the series that the slider stands
//! in, over the interval.
//!
//! Reference: Armstrong-Helouvry, B., Dupont, P., Canudas de Wit, C. (1994), Automatica 30(7), 1083-1138.

use super::side::{SIDES_OPTION, sides};
use crate::element::{Coupling, Element, Memory, Step};
use crate::error::ModelError;
use crate::law::{Interval, Law, Mapped, Probe, ReturnMap};
use crate::registry::{Kind, Shape};
use crate::scalar::Scalar;
use crate::spec::Spec;

crate::params! {
    /// Force at which the slider slips.
    limit: "N", 0.0..=1e9, 20.0;
    /// How much higher the limit is at rest, as a share.
    rise: "1", 0.0..=10.0, 0.2;
    /// Speed over which the limit falls.
    speed: "m/s", 1e-9..=1e6, 0.01;
}

/// Registry entry.
pub const KIND: Kind = Kind {
    name: NAME,
    summary: "slider: dry friction that does not give way, for series with a spring or a gap",
    equations: "F = limit sign(dx), the last force while it rests",
    reference: "Armstrong-Helouvry et al. (1994), Automatica 30(7), 1083-1138",
    options: &[
        SIDES_OPTION,
        (
            "stribeck",
            "1 for limits that fall with the speed; 0 for constant ones",
        ),
    ],
    optional_lists: &["limit"],
    on_request: &["rise", "speed"],
    build,
    ..Kind::PLAIN
};

const NAME: &str = "slider";

/// The law.
#[derive(Clone, Debug)]
pub struct Slider {
    spec: Spec,
    sides: usize,
    stribeck: bool,
}

fn build(shape: &Shape) -> Result<Box<dyn Element>, ModelError> {
    let sides = sides(shape, &["limit"])?;
    let given = shape.given.contains("rise") || shape.given.contains("speed");
    let stribeck = shape.count("stribeck", usize::from(given), 0..=1)? == 1;
    let memory = if stribeck { Memory::Time } else { Memory::Path };
    let mut spec = Spec::new(memory, params()).state("z", "N");
    if !stribeck {
        spec.params.truncate(1);
    }
    if sides == 2 {
        spec = spec.list("limit", 2);
    }
    Ok(Box::new(Mapped(Slider {
        spec,
        sides,
        stribeck,
    })))
}

impl Law for Slider {
    fn name(&self) -> &'static str {
        NAME
    }

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn reveals(&self, param: usize) -> Probe {
        if param < self.sides {
            Probe::Amplitude
        } else {
            Probe::Speed
        }
    }
}

impl ReturnMap for Slider {
    fn step<S: Scalar>(&self, p: &[S], s: &Interval<S>, z: &mut [S]) -> S {
        let dx = s.dx().value();
        if dx != 0.0 {
            let limit = if dx > 0.0 { p[self.sides - 1] } else { -p[0] };
            z[0] = if self.stribeck {
                let (rise, speed) = (p[self.sides], p[self.sides + 1]);
                let travel = if s.dt > 0.0 { s.branch / s.dt } else { s.v[1] };
                limit * (rise * (-travel.abs() / speed).exp() + 1.0)
            } else {
                limit
            };
        }
        z[0]
    }

    fn grips(&self) -> bool {
        true
    }

    fn coupling(&self) -> Coupling<'_> {
        Coupling::Implicit
    }

    fn guards(&self, _: &[f64], s: &Step, _: &[f64], _: &[f64], out: &mut Vec<f64>) {
        out.extend([s.v[1], -s.v[1]]);
    }
}
