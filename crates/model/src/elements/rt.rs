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

use super::ladder::{self, Chain, chain_at_rest, chain_law};
use crate::element::{Cotangent, Coupling, Element, Flow, Memory, Step, Tangent, Tape};
use crate::error::{ModelError, StepError};
use crate::law::{GAMMA, Law, Probe, RateLaw};
use crate::registry::{Kind, Shape};
use crate::scalar::Scalar;
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
    chain: Chain,
    alpha: usize,
    smoothing: Option<f64>,
}

fn build(shape: &Shape) -> Result<Box<dyn Element>, ModelError> {
    let chain = Chain::new(shape, Memory::Time, params(), "c0")?;
    let smoothing = shape.numbers.get("smoothing").copied();
    if let Some(s) = smoothing.filter(|s| !(*s > 0.0 && s.is_finite())) {
        let expected = "a positive number (s/m)";
        return Err(ModelError::shape("smoothing", &s, expected));
    }
    Ok(Box::new(Rt {
        alpha: chain.friction.end,
        chain,
        smoothing,
    }))
}

impl Rt {
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
    chain_law!();

    /// Cells of their own have many more parameters than a loop has features. With all cells alike it
    /// is the plain chain, whose minimum is a good place to let them go from.
    fn tied(&self) -> Vec<Range<usize>> {
        let lists = [self.chain.kr.clone(), self.chain.friction.clone()];
        lists.into_iter().filter(|list| list.len() > 1).collect()
    }

    fn reveals(&self, param: usize) -> Probe {
        if self.chain.friction.contains(&param) || param == self.alpha {
            Probe::Speed
        } else {
            Probe::Amplitude
        }
    }
}

impl Element for Rt {
    chain_at_rest!();

    fn increment(&self, p: &[f64], speed: f64) -> f64 {
        self.chain.friction(p).least() * speed.abs().powf(p[self.alpha]) / (3.0 * p[1])
    }

    fn advance(
        &self,
        p: &[f64],
        s: &Step,
        z: &mut [f64],
        tape: &mut Tape,
    ) -> Result<f64, StepError> {
        let n = self.chain.cells;
        let ladder = self.chain.ladder(p);
        let reference = z[0];
        let force = |y1: f64| p[0] * s.x[1] + ladder.kpa * (s.x[1] - reference - y1);
        tape.push(z);
        if s.dt > 0.0 {
            let mut room = tape.take_scratch(Solver::room(n));
            let (c0, kappa) = (self.chain.friction(p), GAMMA * s.dt);
            let mut solver = Solver::new(ladder, c0, self.dashpot(p), kappa, &mut room);
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
        StepError::unless_finite(NAME, s, force(z[1]), &[])
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
        let (kr, c0) = (&p[self.chain.kr.clone()], &p[self.chain.friction.clone()]);
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
