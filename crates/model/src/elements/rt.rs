//! Rate-dependent Triboelastic chain: springs and power-law dashpots.
//!
//! K y + c0 sign(y') |y'|^alpha = kpa (x - reference) e1
//! F = k0 x + kpa (x - reference - y1)
//!
//! Solved in inverse form, y' = sign(f) |f / c0|^(1/alpha) with f = kpa (x - reference) e1 - K y, by
//! SDIRK2 along the straight motion: L-stable, order 2, no smoothing, O(cells) per step. Force and
//! speed of a cell are both functions of one unknown along the graph of the law ([`cell`]), with
//! continuation in the load where Newton alone does not settle. Tangent and adjoint are those of the
//! converged stages. Derivations: `docs/math/inverse-form.md`, `docs/math/graph-parametrisation.md`,
//! `docs/math/sdirk-derivatives.md`.
//!
//! Reference: Coveney, V. A., Johnson, D. E. (2000), Rubber Chem. Technol. 73, 565-577; Bourgeteau,
//! B., Puel, G., Aubry, D., rubber bushings in multibody simulation, eqs (1) and (2).

mod cell;
mod stage;

use super::ladder::{Ladder, PerCell, chain_spec, rows};
use crate::element::{Cotangent, Coupling, Element, Memory, Step, Tangent, Tape};
use crate::error::{ModelError, StepError};
use crate::law::GAMMA;
use crate::registry::{Kind, Shape};
use crate::spec::Spec;
use cell::Law;
use stage::{Factors, Recorded, STAGE_ROWS, Solver};
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
    lists: &[],
    optional_lists: &["kr", "c0"],
    rotational: false,
    build,
};

const NAME: &str = "rt";

/// Columns of derivatives that go through a stage together.
const WIDTH: usize = 4;

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

    fn law(&self, p: &[f64]) -> Law {
        match self.smoothing {
            None => Law::Power {
                alpha: p[self.alpha],
            },
            Some(s) => Law::Smoothed {
                alpha: p[self.alpha],
                s,
            },
        }
    }
}

/// Fraction of the step at which a stage stands, and the share of the step that its speed adds to
/// what comes after it.
const STAGES: [(f64, f64); 2] = [(GAMMA, 1.0 - GAMMA), (1.0, GAMMA)];

impl Element for Rt {
    fn spec(&self) -> &Spec {
        &self.spec
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
            let mut solver = Solver::new(ladder, self.c0(p), self.law(p), GAMMA * s.dt, &mut room);
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
        let n = self.cells;
        let (ladder, c0) = (self.ladder(p), self.c0(p));
        let columns = d.columns();
        let reference = tape[0];
        // Positions at the end of the stage, factors, and WIDTH columns of states and of solutions.
        d.scratch.resize((1 + Factors::ROWS + 2 * WIDTH) * n, 0.0);
        let (y, rest) = d.scratch.split_at_mut(n);
        let (factors, rest) = rest.split_at_mut(Factors::ROWS * n);
        let (base, rest) = rest.as_chunks_mut::<WIDTH>().0.split_at_mut(n);
        let theta = &mut rest[..n];
        for first in (0..columns).step_by(WIDTH) {
            let group = first..(first + WIDTH).min(columns);
            for j in 0..n {
                base[j] = [0.0; WIDTH];
                base[j][..group.len()].copy_from_slice(&d.z[(j + 1) * columns..][group.clone()]);
            }
            let param = |lane: usize| d.param.get(first + lane).copied().flatten();
            let motion = |k: usize, lane: usize| {
                d.motion
                    .map_or(0.0, |m| m[k].get(first + lane).copied().unwrap_or(0.0))
            };
            let mut dreference = [0.0; WIDTH];
            dreference[..group.len()].copy_from_slice(&d.z[group.clone()]);
            y.copy_from_slice(&tape[1..=n]);
            let stages = if s.dt > 0.0 { &STAGES[..] } else { &[] };
            for (i, &(c, share)) in stages.iter().enumerate() {
                let r = Recorded::new(&tape[1 + n + i * STAGE_ROWS * n..], n);
                let kappa = GAMMA * s.dt;
                r.factor(&ladder, kappa, factors);
                // Right side: d(pull) e1 - K d(base) - explicit parameter terms.
                for j in 0..n {
                    let k = ladder.diagonal(j);
                    let before = if j > 0 {
                        (ladder.kr.at(j - 1), base[j - 1])
                    } else {
                        (0.0, [0.0; WIDTH])
                    };
                    let after = if j + 1 < n {
                        (ladder.kr.at(j), base[j + 1])
                    } else {
                        (0.0, [0.0; WIDTH])
                    };
                    for l in 0..WIDTH {
                        theta[j][l] =
                            before.0 * before.1[l] + after.0 * after.1[l] - k * base[j][l];
                    }
                }
                // Position in the stage itself: base + kappa v; the chain is then in equilibrium.
                for j in 0..n {
                    y[j] += kappa * r.v[j];
                }
                let x = s.x[0] + c * s.dx();
                for l in 0..group.len() {
                    let dx = motion(0, l) + c * (motion(1, l) - motion(0, l));
                    theta[0][l] += ladder.kpa * (dx - dreference[l]);
                    match param(l) {
                        Some(1) => theta[0][l] += x - reference - y[0],
                        Some(q) if self.kr.contains(&q) => {
                            for j in (0..n).filter(|&j| self.kr.start + ladder.kr.index(j) == q) {
                                ladder.add_spring(y, j, -1.0, |row, v| theta[row][l] += v);
                            }
                        }
                        Some(q) if self.c0.contains(&q) => {
                            for j in (0..n).filter(|&j| self.c0.start + c0.index(j) == q) {
                                theta[j][l] -= r.by_c0(j, c0.at(j));
                            }
                        }
                        Some(q) if q == self.alpha => {
                            for j in 0..n {
                                theta[j][l] -= r.by_alpha(j);
                            }
                        }
                        _ => {}
                    }
                }
                r.solve_wide(&ladder, kappa, factors, theta);
                for j in 0..n {
                    y[j] += (share * s.dt - kappa) * r.v[j];
                    let weight = share * s.dt * r.v_slope[j];
                    for l in 0..WIDTH {
                        base[j][l] += weight * theta[j][l];
                    }
                }
            }
            for (l, c) in group.clone().enumerate() {
                let dx = motion(1, l);
                let mut force = p[0] * dx + ladder.kpa * (dx - dreference[l] - base[0][l]);
                match param(l) {
                    Some(0) => force += s.x[1],
                    Some(1) => force += s.x[1] - reference - y[0],
                    _ => {}
                }
                d.force[c] = force;
                for j in 0..n {
                    d.z[(j + 1) * columns + c] = base[j][l];
                }
            }
        }
    }

    fn pull_back(&self, p: &[f64], s: &Step, tape: &[f64], bar: &mut Cotangent<'_>) {
        let n = self.cells;
        let (ladder, c0) = (self.ladder(p), self.c0(p));
        let reference = tape[0];
        bar.scratch.resize((3 + Factors::ROWS) * n, 0.0);
        let (y, rest) = bar.scratch.split_at_mut(n);
        let (factors, rest) = rest.split_at_mut(Factors::ROWS * n);
        let [w, sums] = rows::<2>(rest, n);
        y.copy_from_slice(&tape[1..=n]);
        let stages = if s.dt > 0.0 { 2 } else { 0 };
        let stage = |i: usize| Recorded::new(&tape[1 + n + i * STAGE_ROWS * n..], n);
        for i in 0..stages {
            let r = stage(i);
            for j in 0..n {
                y[j] += STAGES[i].1 * s.dt * r.v[j];
            }
        }
        bar.p[0] += bar.force * s.x[1];
        bar.p[1] += bar.force * (s.x[1] - reference - y[0]);
        bar.motion[1] += bar.force * (p[0] + ladder.kpa);
        bar.z[0] -= bar.force * ladder.kpa;
        bar.z[1] -= bar.force * ladder.kpa;
        for i in (0..stages).rev() {
            let (c, share) = STAGES[i];
            let r = stage(i);
            let kappa = GAMMA * s.dt;
            r.factor(&ladder, kappa, factors);
            for j in 0..n {
                w[j] = share * s.dt * bar.z[j + 1];
            }
            r.solve(&ladder, kappa, factors, w);
            let mut by_alpha = 0.0;
            for j in 0..n {
                // w becomes the sensitivity to the right side of the equation of cell j; y the
                // position in the stage.
                w[j] *= r.v_slope[j];
                y[j] += (kappa - share * s.dt) * r.v[j];
                by_alpha += w[j] * r.by_alpha(j);
            }
            bar.p[self.alpha] -= by_alpha;
            bar.p[1] += w[0] * (s.x[0] + c * s.dx() - reference - y[0]);
            if ladder.kr.shared() && c0.shared() {
                let (mut by_kr, mut by_c0) = (0.0, 0.0);
                for j in 0..n {
                    by_kr += ladder.stretch(y, j) * ladder.stretch(w, j);
                    by_c0 += w[j] * r.by_c0(j, c0.at(j));
                }
                bar.p[self.kr.start] -= by_kr;
                bar.p[self.c0.start] -= by_c0;
            } else {
                for j in 0..n {
                    bar.p[self.kr.start + ladder.kr.index(j)] -=
                        ladder.stretch(y, j) * ladder.stretch(w, j);
                    bar.p[self.c0.start + c0.index(j)] -= w[j] * r.by_c0(j, c0.at(j));
                }
            }
            let by_pull = ladder.kpa * w[0];
            bar.motion[0] += (1.0 - c) * by_pull;
            bar.motion[1] += c * by_pull;
            bar.z[0] -= by_pull;
            for j in 0..n {
                sums[j] = ladder.row(w, j);
            }
            for j in 0..n {
                bar.z[j + 1] -= sums[j];
                // Back to the position before this stage.
                y[j] -= kappa * r.v[j];
            }
        }
    }

    fn exact(&self) -> bool {
        false
    }

    fn coupling(&self) -> Coupling<'_> {
        Coupling::Implicit
    }
}
