//! The unknowns of a refinement, in units of their expected size, and their effect on the device.

use crate::device::{Device, Stage};
use crate::energy::Energy;
use crate::polyline::place;
use nalgebra::DMatrix;

/// What one unknown is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Friction of a node.
    Friction(usize),
    /// Friction within the clearance.
    Clearance,
    /// Shift of an edge of the clearance.
    Edge(usize),
    /// Stiffness of a stage over that of the slow test, less one, by its outer node.
    Scale(usize),
    /// The viscous coefficient.
    Viscous,
    /// Torque that friction carries at the start, before the release.
    Start,
}

/// All unknowns.
#[derive(Clone, Debug)]
pub(super) struct Unknowns {
    kinds: Vec<Kind>,
    units: Vec<f64>,
    /// Expected value and error of every unknown, in its unit.
    held: Vec<(f64, f64)>,
    minus: usize,
    plus: usize,
}

/// Error of a stiffness of the slow test under fast loading.
const STIFFNESS_ERROR: f64 = 0.05;
/// A stage that is entered by less says as little as one entered by this share.
const LEAST_COVERED: f64 = 0.1;
/// Prior error of the friction from the energy balance, in multiples of its expected size: a weak prior.
const FRICTION_ERROR: f64 = 3.0;
/// The same relative to its value, where a stage is hardly entered.
const HARDLY_ENTERED: f64 = 0.5;
/// Upper limit of the friction, in multiples of its expected size.
const MOST_FRICTION: f64 = 20.0;
/// Prior error of clearance and damping: practically free.
const FREE: f64 = 30.0;

/// Derivatives of the values of element and masses: `matrix` has a row per entry of `columns`.
pub(super) struct Chain {
    pub columns: Vec<usize>,
    pub matrix: DMatrix<f64>,
}

impl Unknowns {
    /// Friction of the nodes reached.
    pub fn friction(slow: &Device, energy: &Energy, clearance: bool) -> Self {
        let mut out = Self {
            kinds: Vec::new(),
            units: Vec::new(),
            held: Vec::new(),
            minus: slow.minus,
            plus: slow.plus,
        };
        let largest = slow.friction.iter().fold(0.0_f64, |m, h| m.max(*h));
        let floor = (0.05 * largest * energy.ratio()).max(1e-9 * slow.largest_torque());
        let unit = |node: usize| energy.grown(slow, node)[0].max(floor);
        for stage in energy.stages.iter().filter(|s| s.coverage > 0.0) {
            let own = unit(stage.stage.outer);
            out.add(Kind::Friction(stage.stage.outer), own);
            if let (false, Some(last)) = (stage.accepted[0], out.held.last_mut()) {
                // Hardly entered: held where friction goes on as the slow one does, so that noise does not carry it off.
                let value = (stage.friction / own).clamp(0.3, 3.0);
                *last = (value, HARDLY_ENTERED * value);
            }
        }
        if clearance || !slow.has_clearance() || slow.friction[slow.plus] > 0.0 {
            out.add(Kind::Clearance, unit(slow.plus));
        }
        out
    }

    /// The same, edges of the clearance, stiffness of the stages entered, and damping.
    pub fn all(slow: &Device, energy: &Energy, clearance: bool) -> Self {
        let mut out = Self::friction(slow, energy, clearance);
        let entered = |node: usize| {
            let mut stages = energy.stages.iter();
            stages.any(|s| s.stage.inner == node && s.coverage > 0.0)
        };
        if slow.has_clearance() {
            let width = slow.angles[slow.plus] - slow.angles[slow.minus];
            for edge in [slow.minus, slow.plus] {
                if entered(edge) {
                    out.add(Kind::Edge(edge), width);
                }
            }
        }
        for stage in energy.stages.iter().filter(|s| s.coverage > 0.0) {
            // What is not covered the test says nothing about: the slow test holds there.
            let covered = stage.coverage.clamp(LEAST_COVERED, 1.0);
            out.add(Kind::Scale(stage.stage.outer), STIFFNESS_ERROR * covered);
        }
        let damping = energy.dissipated.max(energy.slow) / energy.viscous;
        out.add(Kind::Viscous, damping.max(1e-12));
        out
    }

    /// The same, and the torque that friction carries at the start: up to about the slow friction there.
    pub fn with_start(mut self, slow: &Device, start: f64) -> Self {
        let friction = slow.friction_at(start);
        if friction > 0.0 {
            self.add(Kind::Start, friction);
        }
        self
    }

    fn add(&mut self, kind: Kind, unit: f64) {
        self.kinds.push(kind);
        self.units.push(unit);
        self.held.push(match kind {
            Kind::Friction(_) | Kind::Clearance => (1.0, FRICTION_ERROR),
            Kind::Scale(_) | Kind::Start => (0.0, 1.0),
            Kind::Edge(_) | Kind::Viscous => (0.0, FREE),
        });
    }

    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    pub fn unit(&self, i: usize) -> f64 {
        self.units[i]
    }

    fn find(&self, kind: Kind) -> Option<usize> {
        self.kinds.iter().position(|k| *k == kind)
    }

    /// The unknown that is the friction of a node.
    pub fn friction_of(&self, node: usize) -> Option<usize> {
        let inner = node >= self.minus && node <= self.plus;
        self.find(if inner {
            Kind::Clearance
        } else {
            Kind::Friction(node)
        })
    }

    pub fn seeks(&self, node: usize) -> bool {
        self.friction_of(node).is_some()
    }

    pub fn viscous(&self) -> Option<usize> {
        self.find(Kind::Viscous)
    }

    pub fn start(&self) -> Option<usize> {
        self.find(Kind::Start)
    }

    /// Torque that friction carries at the start.
    pub fn carried(&self, x: &[f64]) -> f64 {
        self.start().map_or(0.0, |i| x[i] * self.units[i])
    }

    /// The same point among the unknowns of another set; its additional unknowns are zero.
    pub fn moved_to(&self, other: &Self, x: &[f64]) -> Vec<f64> {
        let value = |kind: &Kind| self.find(*kind).map_or(0.0, |i| x[i]);
        other.kinds.iter().map(value).collect()
    }

    pub fn edges(&self) -> [Option<usize>; 2] {
        [self.minus, self.plus].map(|edge| self.find(Kind::Edge(edge)))
    }

    /// Outer node and unknown of every stage whose stiffness is sought.
    pub fn scales(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.kinds
            .iter()
            .enumerate()
            .filter_map(|(i, kind)| match kind {
                Kind::Scale(node) => Some((*node, i)),
                _ => None,
            })
    }

    /// The point with that friction and everything else unchanged.
    pub fn at(&self, friction: &[f64]) -> Vec<f64> {
        let value = |(kind, unit): (&Kind, &f64)| match kind {
            Kind::Friction(node) => friction[*node] / unit,
            Kind::Clearance => friction[self.plus] / unit,
            _ => 0.0,
        };
        self.kinds.iter().zip(&self.units).map(value).collect()
    }

    /// Expected value and error of every unknown, in its unit.
    pub fn held(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.held.iter().copied()
    }

    pub fn bounds(&self, slow: &Device) -> (Vec<f64>, Vec<f64>) {
        let width = |node: usize, other: usize| (slow.angles[other] - slow.angles[node]).abs();
        let each = self
            .kinds
            .iter()
            .zip(&self.units)
            .map(|(kind, unit)| match kind {
                Kind::Friction(_) | Kind::Clearance => (
                    0.0,
                    MOST_FRICTION.min(slow.largest_torque() / unit).max(1.0),
                ),
                Kind::Viscous => (0.0, 1e3),
                // Friction may have grown under fast loading; it holds no more than it can carry.
                Kind::Start => (-3.0, 3.0),
                // Half of the stiffness to one and a half times.
                Kind::Scale(_) => (-0.5 / unit, 0.5 / unit),
                Kind::Edge(node) => {
                    let inwards = 0.49 * width(self.minus, self.plus) / unit;
                    if *node == self.minus {
                        let outwards = node
                            .checked_sub(1)
                            .map_or(0.0, |o| 0.9 * width(*node, o) / unit);
                        (-outwards - 1e-9, inwards)
                    } else {
                        let last = slow.len() - 1;
                        let outwards = 0.9 * width(*node, (node + 1).min(last)) / unit;
                        (-inwards, outwards + 1e-9)
                    }
                }
            });
        each.unzip()
    }

    /// The device of a point: edges move, stiffness is scaled, torques follow from the clearance outwards.
    pub fn device(&self, slow: &Device, x: &[f64]) -> Device {
        let mut device = slow.clone();
        for ((kind, unit), x) in self.kinds.iter().zip(&self.units).zip(x) {
            match kind {
                Kind::Friction(node) => device.friction[*node] = x * unit,
                Kind::Clearance => device.friction[self.minus..=self.plus].fill(x * unit),
                Kind::Edge(node) => device.angles[*node] += x * unit,
                Kind::Scale(_) | Kind::Viscous | Kind::Start => {}
            }
        }
        for stage in slow.stages() {
            let width = device.angles[stage.outer] - device.angles[stage.inner];
            let k = slow.stiffness(stage) * self.scale(stage, x);
            device.torques[stage.outer] = device.torques[stage.inner] + k * width;
        }
        device
    }

    fn scale(&self, stage: Stage, x: &[f64]) -> f64 {
        let own = self.find(Kind::Scale(stage.outer));
        1.0 + own.map_or(0.0, |i| x[i] * self.units[i])
    }

    /// Derivatives of all values that change, at a point whose device is known.
    pub fn chain(&self, slow: &Device, device: &Device, x: &[f64], start: Option<f64>) -> Chain {
        let (n, count) = (device.len(), self.len());
        let (torque, friction, masses) = (n, 2 * n, 4 * n + 1);
        // Values: angles, torques, friction, then c and x0 of the masses.
        let (c, x0) = (masses + 1, masses + 3);
        let mut full = DMatrix::<f64>::zeros(x0 + 1, count);
        for (i, kind) in self.kinds.iter().enumerate() {
            let unit = self.units[i];
            match kind {
                Kind::Friction(node) => full[(friction + node, i)] = unit,
                Kind::Clearance => {
                    for node in self.minus..=self.plus {
                        full[(friction + node, i)] = unit;
                    }
                }
                Kind::Edge(node) => full[(*node, i)] = unit,
                Kind::Viscous => full[(c, i)] = unit,
                Kind::Scale(_) | Kind::Start => {}
            }
        }
        for stage in slow.stages() {
            let k = slow.stiffness(stage);
            let width = device.angles[stage.outer] - device.angles[stage.inner];
            let scale = self.scale(stage, x);
            let own = self.find(Kind::Scale(stage.outer));
            for i in 0..count {
                let moved = full[(stage.outer, i)] - full[(stage.inner, i)];
                full[(torque + stage.outer, i)] =
                    full[(torque + stage.inner, i)] + k * scale * moved;
            }
            if let Some(i) = own {
                full[(torque + stage.outer, i)] += k * width * self.units[i];
            }
            if !self.seeks(stage.outer) {
                let ratio = slow.friction[stage.outer] / slow.friction[stage.inner];
                if ratio.is_finite() && ratio > 0.0 {
                    for i in 0..count {
                        full[(friction + stage.outer, i)] =
                            ratio * full[(friction + stage.inner, i)];
                    }
                }
            }
        }
        if let Some(start) = start {
            self.add_start(device, start, &mut full, (torque, x0));
        }
        let columns: Vec<usize> = (0..=x0)
            .filter(|row| full.row(*row).iter().any(|v| *v != 0.0))
            .collect();
        Chain {
            matrix: full.select_rows(&columns),
            columns,
        }
    }

    /// The start is where the elastic torque carries the load: it moves opposite to the change of torque
    /// there.
    fn add_start(
        &self,
        device: &Device,
        start: f64,
        full: &mut DMatrix<f64>,
        (torque, x0): (usize, usize),
    ) {
        let (i, share) = place(&device.angles, start);
        let slope = device.elastic().slope(i);
        if slope == 0.0 {
            return;
        }
        for u in 0..self.len() {
            let mut risen = 0.0;
            for (node, weight) in [(i, 1.0 - share), (i + 1, share)] {
                risen += weight * (full[(torque + node, u)] - slope * full[(node, u)]);
            }
            let carried = if self.kinds[u] == Kind::Start {
                self.units[u]
            } else {
                0.0
            };
            full[(x0, u)] = (carried - risen) / slope;
        }
    }
}
