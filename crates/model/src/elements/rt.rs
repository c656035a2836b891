//! Rate-dependent Triboelastic chain: springs and power-law dashpots.
//!
//! K y + c0 sign(y') |y'|^alpha = kpa (x - reference) e1
//! F = k0 x + kpa (x - reference - y1)
//!
//! Solved in inverse form, y' = sign(f) |f / c0|^(1/alpha) with f = kpa (x - reference) e1 - K y, by
//! SDIRK2 along the straight motion: L-stable, order 2, no smoothing, O(cells) per step. Force and
//! speed of a cell are both functions of one unknown along the graph of the law (`rt/cell.rs`), with
//! continuation in the load where Newton alone does not settle. Tangent and adjoint are those of the
//! converged stages. Derivations: `docs/math/inverse-form.md`, `docs/math/graph-parametrisation.md`,
//! `docs/math/sdirk-derivatives.md`.
//!
//! Reference: Coveney, V. A., Johnson, D. E. (2000), Rubber Chem. Technol. 73, 565-577; Bourgeteau,
//! B., Puel, G., Aubry, D., rubber bushings in multibody simulation, eqs (1) and (2).

mod cell;
mod derivatives;
mod stage;

use super::ladder::{self, Ladder, PerCell, chain_spec};
use crate::element::{Cotangent, Coupling, Element, Flow, Memory, Step, Tangent, Tape};
use crate::error::{ModelError, StepError};
use crate::law::{Features, GAMMA, Law, Probe, RateLaw, Valley};
use crate::registry::{Kind, Shape};
use crate::scalar::Scalar;
use crate::spec::Spec;
use cell::Dashpot;
use stage::Solver;
use std::ops::Range;

crate::params! {
    /// Elastic stiffness in parallel to the chain.
    k0: "N/m", 1.0..=1e12, 2e5;
    /// Stiffness that the chain adds at small amplitudes.
    kpa: "N/m", 1.0..=1e10, 8e5;
    /// Stiffness between neighbouring cells.
    kr: "N/m", 1.0..=1e12, 3e6;
    /// Dashpot force at 1 m/s.
    c0: "N (s/m)^alpha", 1e-9..=1e8, 25.0;
    /// Dashpot exponent: 0 is dry friction, 1 a viscous dashpot.
    alpha: "1", 0.001..=0.999, 0.1;
}

/// Registry entry.
pub const KIND: Kind = Kind {
    name: NAME,
    summary: "Rate-dependent Triboelastic chain: rubber with amplitude- and rate-dependent stiffness and relaxation",
    equations: "K y + c0 sign(y') |y'|^alpha = kpa (x - reference) e1\n\
                F = k0 x + kpa (x - reference - y1)",
    reference: "Coveney & Johnson (2000), Rubber Chem. Technol. 73, 565-577",
    options: &[
        ("cells", "number of cells, at least 2 (default 15)"),
        (
            "smoothing",
            "s (s/m) of the smoothed sign and absolute value; only to reproduce published tables",
        ),
    ],
    optional_lists: &["kr", "c0"],
    build,
    ..Kind::PLAIN
};

const NAME: &str = "rt";

/// The law.
#[derive(Clone, Debug)]
pub struct Rt {
    spec: Spec,
    cells: usize,
    kr: Range<usize>,
    c0: Range<usize>,
    alpha: usize,
    smoothing: Option<f64>,
}

fn build(shape: &Shape) -> Result<Box<dyn Element>, ModelError> {
    let (spec, cells) = chain_spec(shape, Memory::Time, params(), &["kr", "c0"])?;
    let smoothing = shape.numbers.get("smoothing").copied();
    if let Some(s) = smoothing.filter(|s| !(*s > 0.0 && s.is_finite())) {
        return Err(ModelError::Shape {
            option: "smoothing".to_owned(),
            value: s.to_string(),
            expected: "a positive number (s/m)".to_owned(),
        });
    }
    let (kr, c0) = (spec.range_of("kr"), spec.range_of("c0"));
    let alpha = c0.end;
    Ok(Box::new(Rt {
        spec,
        cells,
        kr,
        c0,
        alpha,
        smoothing,
    }))
}

impl Rt {
    fn ladder<'a>(&self, p: &'a [f64]) -> Ladder<'a> {
        Ladder {
            kpa: p[1],
            kr: PerCell::new(&p[self.kr.clone()]),
            cells: self.cells,
        }
    }

    fn c0<'a>(&self, p: &'a [f64]) -> PerCell<'a> {
        PerCell::new(&p[self.c0.clone()])
    }

    fn dashpot(&self, p: &[f64]) -> Dashpot {
        match self.smoothing {
            None => Dashpot::Power {
                alpha: p[self.alpha],
            },
            Some(s) => Dashpot::Smoothed {
                alpha: p[self.alpha],
                s,
            },
        }
    }
}

/// Fraction of the step at which a stage stands, and the share of the step that its speed adds to
/// what comes after it.
const STAGES: [(f64, f64); 2] = [(GAMMA, 1.0 - GAMMA), (1.0, GAMMA)];

impl Law for Rt {
    fn name(&self) -> &'static str {
        NAME
    }

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn guess(&self, features: &Features, _: f64) -> Vec<f64> {
        ladder::guess(&self.spec, self.cells, features)
    }

    fn guess_solves(&self) -> bool {
        true
    }

    fn valley(&self) -> Option<Valley> {
        ladder::valley(&self.kr, &self.c0)
    }

    /// Cells of their own have many more parameters than a loop has features. With all cells alike it
    /// is the plain chain, whose minimum is a good place to let them go from.
    fn tied(&self) -> Vec<Range<usize>> {
        let lists = [self.kr.clone(), self.c0.clone()];
        lists.into_iter().filter(|list| list.len() > 1).collect()
    }

    fn reveals(&self, param: usize) -> Probe {
        if self.c0.contains(&param) || param == self.alpha {
            Probe::Speed
        } else {
            Probe::Amplitude
        }
    }
}

impl Element for Rt {
    fn law(&self) -> &dyn Law {
        self
    }

    fn rest(&self, _: &[f64], x: f64, z: &mut [f64]) {
        z.fill(0.0);
        z[0] = x;
    }

    fn rest_slope(&self, _: &[f64], _: f64, slope: &mut [f64]) {
        slope.fill(0.0);
        slope[0] = 1.0;
    }

    fn increment(&self, p: &[f64], speed: f64) -> f64 {
        self.c0(p).least() * speed.abs().powf(p[self.alpha]) / (3.0 * p[1])
    }

    fn advance(
        &self,
        p: &[f64],
        s: &Step,
        z: &mut [f64],
        tape: &mut Tape,
    ) -> Result<f64, StepError> {
        let n = self.cells;
        let ladder = self.ladder(p);
        let reference = z[0];
        let force = |y1: f64| p[0] * s.x[1] + ladder.kpa * (s.x[1] - reference - y1);
        tape.push(z);
        if s.dt > 0.0 {
            let mut room = tape.take_scratch(Solver::room(n));
            let mut solver =
                Solver::new(ladder, self.c0(p), self.dashpot(p), GAMMA * s.dt, &mut room);
            let y = &mut z[1..];
            solver.start(ladder.kpa * (s.x[0] - reference), y);
            let mut outcome = Ok(());
            for (c, share) in STAGES {
                let x = if c == 1.0 {
                    s.x[1]
                } else {
                    s.x[0] + c * s.dx()
                };
                outcome = solver.solve(ladder.kpa * (x - reference), y);
                if outcome.is_err() {
                    break;
                }
                tape.push(solver.result());
                for (y, v) in y.iter_mut().zip(solver.speeds()) {
                    *y += share * s.dt * v;
                }
            }
            tape.return_scratch(room);
            outcome?;
        }
        let force = force(z[1]);
        if force.is_finite() {
            Ok(force)
        } else {
            Err(StepError::NotFinite {
                element: NAME,
                from: s.x[0],
                to: s.x[1],
            })
        }
    }

    fn push_forward(&self, p: &[f64], s: &Step, tape: &[f64], d: &mut Tangent<'_>) {
        self.tangent(p, s, tape, d);
    }

    fn pull_back(&self, p: &[f64], s: &Step, tape: &[f64], bar: &mut Cotangent<'_>) {
        self.adjoint(p, s, tape, bar);
    }

    fn exact(&self) -> bool {
        false
    }

    fn coupling(&self) -> Coupling<'_> {
        Coupling::Implicit
    }

    /// Stiff, and only for solvers made for that; the smoothed law has no inverse in closed form.
    fn flow(&self) -> Option<&dyn Flow> {
        self.smoothing.is_none().then_some(self as &dyn Flow)
    }
}

impl RateLaw for Rt {
    fn rate<S: Scalar>(&self, p: &[S], x: S, _: S, z: &[S], dz: &mut [S]) {
        let (kr, c0) = (&p[self.kr.clone()], &p[self.c0.clone()]);
        let of = |values: &[S], j: usize| values[if values.len() > 1 { j } else { 0 }];
        let sharpness = S::from(1.0) / p[self.alpha];
        dz[0] = 0.0.into();
        let y = &mut dz[1..];
        ladder::forces(p[1] * (x - z[0]), p[1], |j| of(kr, j), &z[1..], y);
        for (j, y) in y.iter_mut().enumerate() {
            *y = (*y / of(c0, j)).signed_pow(sharpness);
        }
    }

    fn force<S: Scalar>(&self, p: &[S], x: S, _: S, z: &[S]) -> S {
        p[0] * x + p[1] * (x - z[0] - z[1])
    }
}
