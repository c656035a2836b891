//! A staged device: nodes outwards from the clearance, elastic torque and friction at each.

use super::polyline::Polyline;
use masing_model::{Assembly, Masses, Model, ModelError, MotionKind, presets};

/// Elastic torque and friction as straight lines between nodes. Angle and torque may be a length and a force.
#[derive(Clone, Debug, PartialEq)]
pub struct Device {
    /// Angles of the nodes, growing.
    pub angles: Vec<f64>,
    /// Elastic torque at the nodes.
    pub torques: Vec<f64>,
    /// Friction at the nodes, half the width of the loop.
    pub friction: Vec<f64>,
    /// The node where the coast side begins, `0-`.
    pub minus: usize,
    /// The node where the drive side begins, `0+`; the same node where there is no clearance.
    pub plus: usize,
}

/// A side of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Below the clearance.
    Coast,
    /// Above the clearance.
    Drive,
}

/// A stage: the nodes it lies between, from the inner to the outer one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The side it belongs to.
    pub side: Side,
    /// The node towards the clearance.
    pub inner: usize,
    /// The node away from it, which the stage is named after.
    pub outer: usize,
}

impl Device {
    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.angles.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.angles.is_empty()
    }

    /// Whether it has a clearance.
    pub fn has_clearance(&self) -> bool {
        self.minus < self.plus
    }

    /// The name of a node: `0-`, `0+`, `I-`, `I+`, ... outwards; `0` where there is no clearance.
    pub fn name(&self, node: usize) -> String {
        if node < self.minus {
            format!("{}-", roman(self.minus - node))
        } else if node > self.plus {
            format!("{}+", roman(node - self.plus))
        } else if self.minus == self.plus {
            "0".to_owned()
        } else if node == self.minus {
            "0-".to_owned()
        } else {
            "0+".to_owned()
        }
    }

    /// All stages, from the clearance outwards, coast side first.
    pub fn stages(&self) -> Vec<Stage> {
        let coast = (0..self.minus).rev().map(|outer| Stage {
            side: Side::Coast,
            inner: outer + 1,
            outer,
        });
        let drive = (self.plus + 1..self.len()).map(|outer| Stage {
            side: Side::Drive,
            inner: outer - 1,
            outer,
        });
        coast.chain(drive).collect()
    }

    /// The elastic torque.
    pub fn elastic(&self) -> Polyline<'_> {
        Polyline {
            x: &self.angles,
            y: &self.torques,
        }
    }

    /// Friction at an angle, not below zero.
    pub fn friction_at(&self, angle: f64) -> f64 {
        let friction = Polyline {
            x: &self.angles,
            y: &self.friction,
        };
        friction.at(angle).max(0.0)
    }

    /// Stiffness of a stage.
    pub fn stiffness(&self, stage: Stage) -> f64 {
        self.elastic().slope(stage.inner.min(stage.outer))
    }

    /// The largest torque of either sign: the scale of the paper.
    pub fn largest_torque(&self) -> f64 {
        let with_friction = self.torques.iter().zip(&self.friction);
        with_friction.fold(0.0, |m, (t, h)| m.max(t.abs() + h.max(0.0)))
    }

    /// The nodes between which the device is soft: the first on each side beyond which the stiffness is a fifth of the mean
    /// stiffness of the side. Crossing them is an impact.
    pub fn impacts(&self) -> [Option<usize>; 2] {
        [Side::Coast, Side::Drive].map(|side| {
            let own: Vec<Stage> = self
                .stages()
                .into_iter()
                .filter(|s| s.side == side)
                .collect();
            let (first, last) = (own.first()?, own.last()?);
            let rise = self.torques[last.outer] - self.torques[first.inner];
            let mean = rise / (self.angles[last.outer] - self.angles[first.inner]);
            let hard = own.iter().find(|s| self.stiffness(**s) >= 0.2 * mean)?;
            Some(hard.inner)
        })
    }

    /// The device with other friction.
    pub fn with_friction(&self, friction: Vec<f64>) -> Self {
        Self {
            friction,
            ..self.clone()
        }
    }

    /// The element with that many nodes.
    pub fn assembly(&self, motion: MotionKind) -> Result<Assembly, ModelError> {
        let mut assembly = presets::from_stages(self.len())?;
        assembly.motion = motion;
        Ok(assembly)
    }

    /// Values of the element, with one viscous value per node.
    pub fn values(&self, viscous: &[f64], eta: f64) -> Vec<f64> {
        let friction = self.friction.iter().map(|h| h.max(0.0));
        let mut p = self.angles.clone();
        p.extend(&self.torques);
        p.extend(friction);
        p.extend(viscous);
        p.push(eta);
        p
    }

    /// The device as a model of its own, on an inertia if one is given.
    pub fn model(
        &self,
        motion: MotionKind,
        viscous: &[f64],
        eta: f64,
        inertia: Option<f64>,
    ) -> Result<Model, ModelError> {
        let mut values = self.values(viscous, eta);
        values.extend(inertia.iter().flat_map(|m| [*m, 0.0, 0.0, 0.0, 0.0]));
        let masses = inertia.map(|_| Masses::oscillator());
        Model::new(self.assembly(motion)?, masses, values)
    }
}

/// A number from 1 in Roman letters.
pub fn roman(mut number: usize) -> String {
    const LETTERS: [(usize, &str); 9] = [
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let mut out = String::new();
    for (value, letters) in LETTERS {
        while number >= value {
            out.push_str(letters);
            number -= value;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_named_outwards() {
        let mut device = Device {
            angles: vec![-0.3, -0.1, -0.01, 0.01, 0.2],
            torques: vec![-200.0, -0.5, 0.0, 0.0, 100.0],
            friction: vec![2.0, 1.0, 0.0, 0.0, 1.0],
            minus: 2,
            plus: 3,
        };
        let names = |d: &Device| (0..d.len()).map(|i| d.name(i)).collect::<Vec<_>>();
        assert_eq!(names(&device), ["II-", "I-", "0-", "0+", "I+"]);
        assert_eq!(device.impacts(), [Some(1), Some(3)]);
        assert_eq!(device.stages().len(), 3);
        device.plus = 2;
        assert_eq!(names(&device), ["II-", "I-", "0", "I+", "II+"]);
        assert_eq!(roman(49), "XLIX");
    }
}
