//! Tangent and adjoint of a step of the chain; `docs/math/sdirk-derivatives.md`.

use super::super::ladder::rows;
use super::stage::STAGE_ROWS;
use super::{Rt, STAGES};
use crate::element::{Cotangent, Step, Tangent};
use crate::law::GAMMA;

/// Columns of derivatives that go through a stage together.
const WIDTH: usize = 4;

/// What a stage left on the tape.
#[derive(Clone, Copy)]
struct Recorded<'a> {
    v: &'a [f64],
    f: &'a [f64],
    v_slope: &'a [f64],
    f_slope: &'a [f64],
    log_v: &'a [f64],
}

impl<'a> Recorded<'a> {
    fn new(tape: &'a [f64], n: usize, stage: usize) -> Self {
        let rows = &tape[1 + n + stage * STAGE_ROWS * n..];
        let row = |k: usize| &rows[k * n..(k + 1) * n];
        Self {
            v: row(0),
            f: row(1),
            v_slope: row(2),
            f_slope: row(3),
            log_v: row(4),
        }
    }

    /// df/dc0 at fixed speed; a cell at rest takes whatever force balances it.
    #[inline]
    fn by_c0(&self, j: usize, c0: f64) -> f64 {
        if self.v[j] == 0.0 {
            0.0
        } else {
            self.f[j] / c0
        }
    }

    /// df/dalpha at fixed speed.
    #[inline]
    fn by_alpha(&self, j: usize) -> f64 {
        self.f[j] * self.log_v[j]
    }

    /// Solves M x = b for `W` right sides at once: forward elimination with the pivots on the way,
    /// then backwards. `diagonal` and `link` hold kappa K_jj and kappa kr_j; `upper` is room for a row.
    #[inline]
    fn solve<const W: usize>(
        &self,
        diagonal: &[f64],
        link: &[f64],
        upper: &mut [f64],
        b: &mut [[f64; W]],
    ) {
        let n = b.len();
        let (diagonal, link) = (&diagonal[..n], &link[..n]);
        let (v_slope, f_slope, upper, b) = (
            &self.v_slope[..n],
            &self.f_slope[..n],
            &mut upper[..n],
            &mut b[..n],
        );
        let (mut lower, mut upper_before, mut before) = (0.0, 0.0, [0.0; W]);
        for j in 0..n {
            let pivot = f_slope[j] + diagonal[j] * v_slope[j] - lower * upper_before;
            let reciprocal = 1.0 / pivot;
            for l in 0..W {
                before[l] = (b[j][l] + lower * before[l]) * reciprocal;
            }
            b[j] = before;
            upper_before = if j + 1 < n {
                link[j] * v_slope[j + 1] * reciprocal
            } else {
                0.0
            };
            upper[j] = upper_before;
            lower = link[j] * v_slope[j];
        }
        let mut after = [0.0; W];
        for j in (0..n).rev() {
            for l in 0..W {
                after[l] = b[j][l] + upper[j] * after[l];
            }
            b[j] = after;
        }
    }
}

impl Rt {
    pub(super) fn tangent(&self, p: &[f64], s: &Step, tape: &[f64], d: &mut Tangent<'_>) {
        let n = self.chain.cells;
        let columns = d.columns();
        let mut scratch = std::mem::take(d.scratch);
        scratch.resize((4 + 2 * WIDTH) * n, 0.0);
        let mut next = 0;
        while next < columns {
            // k0 acts on the force alone: its column stays out of the stages while nothing is in it.
            let mut group = [0; WIDTH];
            let mut lanes = 0;
            while next < columns && lanes < WIDTH {
                let c = next;
                next += 1;
                if d.param[c] == Some(0)
                    && d.motion.is_none()
                    && (0..=n).all(|i| d.z[i * columns + c] == 0.0)
                {
                    d.force[c] = s.x[1];
                } else {
                    group[lanes] = c;
                    lanes += 1;
                }
            }
            if lanes > 0 {
                self.tangent_group(p, s, tape, d, &group[..lanes], &mut scratch);
            }
        }
        *d.scratch = scratch;
    }

    /// Up to [`WIDTH`] columns through both stages.
    fn tangent_group(
        &self,
        p: &[f64],
        s: &Step,
        tape: &[f64],
        d: &mut Tangent<'_>,
        group: &[usize],
        scratch: &mut [f64],
    ) {
        let n = self.chain.cells;
        let (ladder, c0) = (self.chain.ladder(p), self.chain.friction(p));
        let columns = d.columns();
        let reference = tape[0];
        let kappa = GAMMA * s.dt;
        let (work, rest) = scratch.split_at_mut(4 * n);
        let [y, upper, diagonal, link] = rows::<4>(work, n);
        ladder.scaled(kappa, diagonal, link);
        let (base, theta) = rest.as_chunks_mut::<WIDTH>().0.split_at_mut(n);
        let theta = &mut theta[..n];
        for j in 0..n {
            base[j] = [0.0; WIDTH];
            for (l, &c) in group.iter().enumerate() {
                base[j][l] = d.z[(j + 1) * columns + c];
            }
        }
        let motion = |k: usize, c: usize| d.motion.map_or(0.0, |m| m[k][c]);
        y.copy_from_slice(&tape[1..=n]);
        let stages = if s.dt > 0.0 { &STAGES[..] } else { &[] };
        for (i, &(c, share)) in stages.iter().enumerate() {
            let r = Recorded::new(tape, n, i);
            // Right side: d(pull) e1 - K d(base) - explicit parameter terms. The stage stands at
            // base + kappa v, where the chain is in equilibrium.
            let mut before = [0.0; WIDTH];
            let mut link_before = 0.0;
            for j in 0..n {
                let (k, link) = (ladder.diagonal(j), ladder.kr.at(j));
                let after = if j + 1 < n { base[j + 1] } else { [0.0; WIDTH] };
                for l in 0..WIDTH {
                    theta[j][l] = link_before * before[l] + link * after[l] - k * base[j][l];
                }
                (before, link_before) = (base[j], link);
                y[j] += kappa * r.v[j];
            }
            let x = s.x[0] + c * s.dx();
            for (l, &column) in group.iter().enumerate() {
                let (x0, x1) = (motion(0, column), motion(1, column));
                theta[0][l] += ladder.kpa * (x0 + c * (x1 - x0) - d.z[column]);
                match d.param[column] {
                    Some(1) => theta[0][l] += x - reference - y[0],
                    Some(q) if self.chain.kr.contains(&q) => {
                        for j in self.chain.cells_of(&self.chain.kr, q) {
                            ladder.add_spring(y, j, -1.0, |row, v| theta[row][l] += v);
                        }
                    }
                    Some(q) if self.chain.friction.contains(&q) => {
                        for j in self.chain.cells_of(&self.chain.friction, q) {
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
            r.solve(diagonal, link, upper, theta);
            for j in 0..n {
                y[j] += (share * s.dt - kappa) * r.v[j];
                let weight = share * s.dt * r.v_slope[j];
                for l in 0..WIDTH {
                    base[j][l] += weight * theta[j][l];
                }
            }
        }
        for (l, &c) in group.iter().enumerate() {
            let dx = motion(1, c);
            d.force[c] = p[0] * dx + ladder.kpa * (dx - d.z[c] - base[0][l]);
            match d.param[c] {
                Some(0) => d.force[c] += s.x[1],
                Some(1) => d.force[c] += s.x[1] - reference - y[0],
                _ => {}
            }
            for j in 0..n {
                d.z[(j + 1) * columns + c] = base[j][l];
            }
        }
    }

    pub(super) fn adjoint(&self, p: &[f64], s: &Step, tape: &[f64], bar: &mut Cotangent<'_>) {
        let n = self.chain.cells;
        let (ladder, c0) = (self.chain.ladder(p), self.chain.friction(p));
        let reference = tape[0];
        let kappa = GAMMA * s.dt;
        bar.scratch.resize(6 * n, 0.0);
        let [y, upper, w, sums, diagonal, link] = rows::<6>(bar.scratch, n);
        ladder.scaled(kappa, diagonal, link);
        y.copy_from_slice(&tape[1..=n]);
        let stages = if s.dt > 0.0 { 2 } else { 0 };
        for i in 0..stages {
            let r = Recorded::new(tape, n, i);
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
            let r = Recorded::new(tape, n, i);
            for j in 0..n {
                w[j] = share * s.dt * bar.z[j + 1];
            }
            r.solve(diagonal, link, upper, w.as_chunks_mut::<1>().0);
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
            if ladder.kr.shared() {
                let sum: f64 = (0..n)
                    .map(|j| ladder.stretch(y, j) * ladder.stretch(w, j))
                    .sum();
                bar.p[self.chain.kr.start] -= sum;
            } else {
                for j in 0..n {
                    bar.p[self.chain.kr.start + j] -= ladder.stretch(y, j) * ladder.stretch(w, j);
                }
            }
            if c0.shared() {
                // v = 0 where a cell rests, and w with it.
                let sum: f64 = (0..n).map(|j| w[j] * r.f[j]).sum();
                bar.p[self.chain.friction.start] -= sum / c0.at(0);
            } else {
                for j in 0..n {
                    bar.p[self.chain.friction.start + j] -= w[j] * r.by_c0(j, c0.at(j));
                }
            }
            let by_pull = ladder.kpa * w[0];
            bar.motion[0] += (1.0 - c) * by_pull;
            bar.motion[1] += c * by_pull;
            bar.z[0] -= by_pull;
            ladder.forces(0.0, w, sums);
            for j in 0..n {
                bar.z[j + 1] += sums[j];
                // Back to the position before this stage.
                y[j] -= kappa * r.v[j];
            }
        }
    }
}
