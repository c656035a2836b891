//! Friction from the energy dissipated up to turning points and stage crossings.
//!
//! Ed(t) = int T omega - [J omega^2 / 2 + U] is a sum over the nodes of friction times int tanh(eta omega) omega
//! B_n(theta), and of damping times int omega^2 B_n(theta), with B_n the hat function of a node. No acceleration is
//! needed, and no node depends on the one before. Unknowns are not negative and have weak priors: friction that of the
//! slow test, scaled by the overall growth of friction; optional unknowns zero.

use super::device::Device;
use super::energy::Energy;
use super::motion::Motion;
use super::polyline::place;
use masing_identify::search::optimise::{LeastSquares, Linearisation, Options, trust_region};
use nalgebra::{DMatrix, DVector};

/// What may dissipate besides friction at the outer nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extra {
    /// Friction within the clearance, one value.
    pub clearance: bool,
    /// Damping.
    pub viscous: Viscous,
}

/// How damping is estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Viscous {
    /// Not at all.
    #[default]
    None,
    /// One coefficient everywhere.
    One,
    /// One at every node that was reached, and one in the clearance.
    Nodes,
}

/// Friction and damping at all nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Cumulative {
    /// What was estimated besides friction at the outer nodes.
    pub extra: Extra,
    /// Friction.
    pub friction: Vec<f64>,
    /// Damping.
    pub viscous: Vec<f64>,
    /// Squares of the differences of energy over their errors, per turning point and crossing.
    pub chi2: f64,
}

/// Resolution of energies as a share of the total: limited by sampling and kinks.
const FLOOR: f64 = 2.6e-4;

/// Fits friction and damping to the energy over time.
pub fn cumulative(
    motion: &Motion,
    device: &Device,
    eta: f64,
    energy: &Energy,
    extra: Extra,
) -> Cumulative {
    let columns = Columns::of(device, energy, extra);
    let rows = rows(motion, device, eta, energy, &columns);
    let count = columns.scale.len();
    let (mut r, mut j) = (Vec::new(), Vec::new());
    for row in &rows {
        r.push(-row.dissipated / row.error);
        j.extend((0..count).map(|c| row.terms[c] * columns.scale[c] / row.error));
    }
    // Held, in units of the expected value, with an error of one.
    for c in 0..count {
        r.push(-columns.expected[c]);
        j.extend((0..count).map(|k| f64::from(u8::from(k == c))));
    }
    let problem = Linear {
        j: DMatrix::from_row_slice(r.len(), count, &j),
        r: DVector::from_vec(r),
        lower: vec![0.0; count],
        upper: vec![1e6; count],
    };
    let found = trust_region(&problem, &vec![0.5; count], &Options::default());
    let left = found.at.r.iter().take(rows.len()).map(|r| r * r);
    Cumulative {
        extra,
        friction: columns.friction(device, energy, &found.x),
        viscous: columns.viscous(device, &found.x),
        chi2: left.sum::<f64>() / rows.len().saturating_sub(count).max(1) as f64,
    }
}

/// Which unknowns a node belongs to, the size of the unknowns, and what is expected of them in that size.
struct Columns {
    friction: Vec<Option<usize>>,
    damping: Vec<Option<usize>>,
    scale: Vec<f64>,
    expected: Vec<f64>,
}

impl Columns {
    fn of(device: &Device, energy: &Energy, extra: Extra) -> Self {
        let ratio = energy.ratio();
        let typical = device.friction.iter().fold(0.0_f64, |m, h| m.max(*h)) * ratio;
        let mut out = Self {
            friction: vec![None; device.len()],
            damping: vec![None; device.len()],
            scale: Vec::new(),
            expected: Vec::new(),
        };
        let size = |node: usize| {
            (device.friction[node] * ratio)
                .max(0.05 * typical)
                .max(1e-12)
        };
        let reached = || energy.stages.iter().filter(|s| s.coverage > 0.0);
        for stage in reached() {
            let node = stage.stage.outer;
            out.friction[node] = Some(out.add(size(node), 1.0));
        }
        let middle = device.minus..=device.plus;
        if extra.clearance || !device.has_clearance() {
            // Held towards what the slow test has there: none, unless it rubs.
            let slow = device.friction[device.plus] * ratio;
            let column = out.add(size(device.plus), slow / size(device.plus));
            out.friction[middle.clone()].fill(Some(column));
        }
        let damping = (energy.dissipated.max(0.0) / energy.viscous).max(1e-12);
        match extra.viscous {
            Viscous::None => {}
            Viscous::One => {
                let column = out.add(damping, 0.0);
                out.damping.fill(Some(column));
            }
            Viscous::Nodes => {
                let column = out.add(damping, 0.0);
                out.damping[middle].fill(Some(column));
                for stage in reached() {
                    out.damping[stage.stage.outer] = Some(out.add(damping, 0.0));
                }
            }
        }
        out
    }

    fn add(&mut self, scale: f64, expected: f64) -> usize {
        self.scale.push(scale);
        self.expected.push(expected);
        self.scale.len() - 1
    }

    /// Friction at all nodes; beyond those reached it is extrapolated in proportion to the slow friction.
    fn friction(&self, device: &Device, energy: &Energy, found: &[f64]) -> Vec<f64> {
        let value = |c: usize| found[c] * self.scale[c];
        let mut friction: Vec<f64> = self
            .friction
            .iter()
            .map(|column| column.map_or(0.0, value))
            .collect();
        carry_on(device, energy, &mut friction, |node| {
            self.friction[node].is_none()
        });
        friction
    }

    /// Damping at all nodes; beyond those reached it keeps the value of the last node.
    fn viscous(&self, device: &Device, found: &[f64]) -> Vec<f64> {
        let value = |c: usize| found[c] * self.scale[c];
        let mut viscous: Vec<f64> = self
            .damping
            .iter()
            .map(|column| column.map_or(0.0, value))
            .collect();
        for stage in device.stages() {
            if self.damping[stage.outer].is_none() {
                viscous[stage.outer] = viscous[stage.inner];
            }
        }
        viscous
    }
}

/// Continues friction outwards to nodes that were not reached, in the proportion of the slow test.
pub(super) fn carry_on(
    device: &Device,
    energy: &Energy,
    friction: &mut [f64],
    unknown: impl Fn(usize) -> bool,
) {
    for stage in device.stages() {
        if unknown(stage.outer) {
            let ratio = device.friction[stage.outer] / device.friction[stage.inner];
            friction[stage.outer] = if ratio.is_finite() && ratio > 0.0 {
                friction[stage.inner] * ratio
            } else {
                device.friction[stage.outer].max(0.0) * energy.ratio()
            };
        }
    }
}

struct Row {
    dissipated: f64,
    error: f64,
    terms: Vec<f64>,
}

/// One row per turning point and stage crossing.
fn rows(
    motion: &Motion,
    device: &Device,
    eta: f64,
    energy: &Energy,
    columns: &Columns,
) -> Vec<Row> {
    let (n, elastic) = (motion.len(), device.elastic());
    let stored = |i: usize| {
        0.5 * motion.inertia * motion.velocity[i].powi(2) + elastic.area(motion.angle[i])
    };
    let floor = FLOOR * energy.dissipated.abs().max(1e-300);
    let mut terms = vec![0.0; columns.scale.len()];
    let (mut work, mut wander) = (0.0, 0.0);
    let mut out = Vec::new();
    let noise = motion.velocity_noise;
    for i in 1..n {
        let dt = motion.time[i] - motion.time[i - 1];
        for k in [i - 1, i] {
            let (x, v, half) = (motion.angle[k], motion.velocity[k], 0.5 * dt);
            work += half * motion.torque[k] * v;
            wander += half * ((motion.torque[k] - elastic.at(x)) * noise).powi(2) * dt;
            let (piece, share) = place(&device.angles, x);
            let share = share.clamp(0.0, 1.0);
            for (node, weight) in [(piece, 1.0 - share), (piece + 1, share)] {
                if let Some(c) = columns.friction[node] {
                    terms[c] += half * v * (eta * v).tanh() * weight;
                }
                if let Some(c) = columns.damping[node] {
                    terms[c] += half * v * v * weight;
                }
            }
        }
        let turned = motion.velocity[i - 1] * motion.velocity[i] <= 0.0;
        let before = place(&device.angles, motion.angle[i - 1]).0;
        let crossed = before != place(&device.angles, motion.angle[i]).0;
        if turned || crossed || i + 1 == n {
            let kinetic = motion.inertia * motion.velocity[i] * noise;
            out.push(Row {
                dissipated: work - (stored(i) - stored(0)),
                error: (kinetic * kinetic + wander + floor * floor).sqrt(),
                terms: terms.clone(),
            });
        }
    }
    out
}

/// A linear problem with bounds.
struct Linear {
    r: DVector<f64>,
    j: DMatrix<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl LeastSquares for Linear {
    fn linearise(&self, x: &[f64]) -> Option<Linearisation> {
        Some(Linearisation {
            r: &self.r + &self.j * DVector::from_column_slice(x),
            j: self.j.clone(),
        })
    }

    fn bounds(&self) -> [&[f64]; 2] {
        [&self.lower, &self.upper]
    }
}
