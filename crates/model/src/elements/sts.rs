//! Standard Triboelastic Solid: a chain of spring-sliders.
//!
//! K y + s = kpa (x - reference) e1, |s_j| <= ff, s_j = ff sign(y_j') where cell j moves
//! F = k0 x + kpa (x - reference - y1)
//!
//! The limit alpha = 0 of `rt`. Exact for straight motion: under a monotone input the cells that
//! move are the first m, all in the direction of the input, so one step solves a tridiagonal system
//! for them, whatever the length of the segment. Derivation: `docs/math/stop-operator.md`.
//!
//! Reference: Coveney, V. A., Johnson, D. E., Turner, D. M. (1995), Rubber Chem. Technol. 68,
//! 660-670; Bourgeteau, B., Puel, G., Aubry, D., rubber bushings in multibody simulation, eq (2).

use super::ladder::{Chain, Ladder, chain_at_rest, chain_law, rows};
use crate::element::{Cotangent, Element, Memory, Step, Tangent, Tape};
use crate::error::{ModelError, StepError};
use crate::law::Law;
use crate::registry::{Kind, Shape};
use crate::scalar::sign;

crate::params! {
    /// Elastic stiffness in parallel to the chain.
    k0: "N/m", 1.0..=1e12, 2e5;
    /// Stiffness that the chain adds at small amplitudes.
    kpa: "N/m", 1.0..=1e10, 8e5;
    /// Stiffness between neighbouring cells.
    kr: "N/m", 1.0..=1e12, 3e6;
    /// Force at which a cell slips.
    ff: "N", 1e-9..=1e8, 18.0;
}

/// Registry entry.
pub const KIND: Kind = Kind {
    name: NAME,
    summary: "Standard Triboelastic Solid: rate-independent rubber with amplitude-dependent stiffness",
    equations: "K y + s = kpa (x - reference) e1,  |s_j| <= ff,  s_j = ff sign(y_j') where cell j moves\n\
                F = k0 x + kpa (x - reference - y1)",
    reference: "Coveney, Johnson & Turner (1995), Rubber Chem. Technol. 68, 660-670",
    options: &[("cells", "number of cells, at least 2 (default 15)")],
    optional_lists: &["kr", "ff"],
    build,
    ..Kind::PLAIN
};

const NAME: &str = "sts";

/// The law.
#[derive(Clone, Debug)]
pub struct Sts {
    chain: Chain,
}

fn build(shape: &Shape) -> Result<Box<dyn Element>, ModelError> {
    let chain = Chain::new(shape, Memory::Path, params(), "ff")?;
    Ok(Box::new(Sts { chain }))
}

impl Sts {
    /// What a step left: reference, new positions, number of moving cells, direction.
    fn recorded<'a>(&self, tape: &'a [f64]) -> (f64, &'a [f64], usize, f64) {
        let n = self.chain.cells;
        (tape[0], &tape[1..=n], tape[n + 1] as usize, tape[n + 2])
    }
}

/// Solves the first `m` rows of K x = b in place, with x fixed at zero beyond.
fn solve_leading(ladder: &Ladder<'_>, m: usize, b: &mut [f64], pivots: &mut [f64]) {
    for j in 0..m {
        pivots[j] = ladder.diagonal(j);
        if j > 0 {
            let link = ladder.kr.at(j - 1);
            let factor = link / pivots[j - 1];
            pivots[j] -= factor * link;
            b[j] += factor * b[j - 1];
        }
    }
    for j in (0..m).rev() {
        if j + 1 < m {
            b[j] += ladder.kr.at(j) * b[j + 1];
        }
        b[j] /= pivots[j];
    }
}

impl Law for Sts {
    chain_law!();
}

impl Element for Sts {
    chain_at_rest!();

    fn advance(
        &self,
        p: &[f64],
        s: &Step,
        z: &mut [f64],
        tape: &mut Tape,
    ) -> Result<f64, StepError> {
        let n = self.chain.cells;
        let (ladder, ff) = (self.chain.ladder(p), self.chain.friction(p));
        let direction = sign(s.dx());
        let (reference, y) = z
            .split_first_mut()
            .expect("the first state is the reference");
        let pull = ladder.kpa * (s.x[1] - *reference);
        let mut room = tape.take_scratch(2 * n);
        let [pivots, b] = rows::<2>(&mut room, n);
        let after = |y: &[f64], j: usize| match y.get(j + 1) {
            Some(next) => ladder.kr.at(j) * next,
            None => 0.0,
        };
        // Grow the moving set from the driven end while the next cell is pushed beyond its limit;
        // forward elimination gives the position of the last moving cell, which is all that counts.
        let mut m = 0;
        let mut last = 0.0;
        while m < n && direction != 0.0 {
            let before = if m == 0 {
                pull
            } else {
                ladder.kr.at(m - 1) * last
            };
            let force = before + after(y, m);
            if direction * (force - ladder.diagonal(m) * y[m]) <= ff.at(m) {
                break;
            }
            pivots[m] = ladder.diagonal(m);
            b[m] = -direction * ff.at(m) + if m == 0 { pull } else { 0.0 };
            if m > 0 {
                let link = ladder.kr.at(m - 1);
                let factor = link / pivots[m - 1];
                pivots[m] -= factor * link;
                b[m] += factor * b[m - 1];
            }
            last = (b[m] + after(y, m)) / pivots[m];
            m += 1;
        }
        for j in (0..m).rev() {
            y[j] = (b[j] + after(y, j)) / pivots[j];
        }
        tape.return_scratch(room);
        let force = p[0] * s.x[1] + ladder.kpa * (s.x[1] - *reference - y[0]);
        let force = StepError::unless_finite(NAME, s, force, y)?;
        tape.push(z);
        tape.push(&[m as f64, direction]);
        Ok(force)
    }

    fn push_forward(&self, p: &[f64], s: &Step, tape: &[f64], d: &mut Tangent<'_>) {
        let chain = &self.chain;
        let (n, ladder) = (chain.cells, chain.ladder(p));
        let (reference, y, m, direction) = self.recorded(tape);
        let columns = d.columns();
        let pull = s.x[1] - reference;
        d.scratch.resize(2 * n, 0.0);
        let [pivots, b] = rows::<2>(d.scratch, n);
        for c in 0..columns {
            let dx = d.motion.map_or(0.0, |motion| motion[1][c]);
            let dpull = dx - d.z[c];
            let param = d.param[c];
            if m > 0 {
                b[..m].fill(0.0);
                b[0] = ladder.kpa * dpull;
                if m < n {
                    b[m - 1] += ladder.kr.at(m - 1) * d.z[(m + 1) * columns + c];
                }
                match param {
                    Some(1) => b[0] += pull - y[0],
                    Some(q) if chain.kr.contains(&q) => {
                        for j in chain.cells_of(&chain.kr, q) {
                            ladder.add_spring(y, j, -1.0, |row, v| {
                                if row < m {
                                    b[row] += v;
                                }
                            });
                        }
                    }
                    Some(q) if chain.friction.contains(&q) => {
                        for j in chain.cells_of(&chain.friction, q).filter(|&j| j < m) {
                            b[j] -= direction;
                        }
                    }
                    _ => {}
                }
                solve_leading(&ladder, m, b, pivots);
                for j in 0..m {
                    d.z[(j + 1) * columns + c] = b[j];
                }
            }
            let mut force = p[0] * dx + ladder.kpa * (dpull - d.z[columns + c]);
            match param {
                Some(0) => force += s.x[1],
                Some(1) => force += pull - y[0],
                _ => {}
            }
            d.force[c] = force;
        }
    }

    fn pull_back(&self, p: &[f64], s: &Step, tape: &[f64], bar: &mut Cotangent<'_>) {
        let n = self.chain.cells;
        let (ladder, ff) = (self.chain.ladder(p), self.chain.friction(p));
        let (reference, y, m, direction) = self.recorded(tape);
        let pull = s.x[1] - reference;
        bar.p[0] += bar.force * s.x[1];
        bar.p[1] += bar.force * (pull - y[0]);
        bar.motion[1] += bar.force * (p[0] + ladder.kpa);
        bar.z[0] -= bar.force * ladder.kpa;
        bar.z[1] -= bar.force * ladder.kpa;
        if m == 0 {
            return;
        }
        // K is symmetric, so the transposed system is the system itself.
        bar.scratch.resize(2 * n, 0.0);
        let [pivots, w] = rows::<2>(bar.scratch, n);
        w[..m].copy_from_slice(&bar.z[1..=m]);
        solve_leading(&ladder, m, w, pivots);
        bar.z[1..=m].fill(0.0);
        if m < n {
            bar.z[m + 1] += ladder.kr.at(m - 1) * w[m - 1];
        }
        bar.motion[1] += ladder.kpa * w[0];
        bar.z[0] -= ladder.kpa * w[0];
        bar.p[1] += w[0] * (pull - y[0]);
        for j in 0..n {
            ladder.add_spring(y, j, 1.0, |row, v| {
                if row < m {
                    bar.p[self.chain.kr.start + ladder.kr.index(j)] -= w[row] * v;
                }
            });
        }
        for j in 0..m {
            bar.p[self.chain.friction.start + ff.index(j)] -= direction * w[j];
        }
    }

    fn guards(&self, p: &[f64], s: &Step, z0: &[f64], z1: &[f64], out: &mut Vec<f64>) {
        out.extend([s.v[1], -s.v[1]]);
        // A cell that starts to slip: its force reaches the limit in the direction of the motion,
        // and stays there while the motion goes on. The allowance keeps slipping cells from looking
        // as if they were about to start.
        let (ladder, ff) = (self.chain.ladder(p), self.chain.friction(p));
        let direction = if s.dx() == 0.0 {
            sign(s.v[1])
        } else {
            sign(s.dx())
        };
        for j in 0..self.chain.cells {
            let moved = direction * (z1[j + 1] - z0[j + 1]);
            let pull = if j == 0 {
                ladder.kpa * (s.x[1] - z1[0])
            } else {
                0.0
            };
            let short = direction * (pull - ladder.row(&z1[1..], j)) - ff.at(j);
            out.push(if moved != 0.0 {
                moved
            } else if short > -1e-10 * ff.at(j) {
                0.0
            } else {
                short / ladder.diagonal(j)
            });
        }
    }
}
