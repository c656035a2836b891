//! Names and quantities of channels, for translation and rotation.

use masing_data::unit::Quantity;
use masing_diagnostic::Units;
use masing_model::MotionKind;

/// Names and quantities of the channels.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// `displacement` or `angle`.
    pub displacement: &'static str,
    /// `force` or `torque`.
    pub force: &'static str,
    /// Kind of the displacement.
    pub length: Quantity,
    /// Kind of the velocity.
    pub velocity: Quantity,
    /// Kind of the acceleration.
    pub acceleration: Quantity,
    /// Kind of the force.
    pub load: Quantity,
    /// Kind of the stiffness.
    pub stiffness: Quantity,
    /// Kind of the inertia.
    pub mass: Quantity,
}

impl Names {
    /// Whether the motion is a rotation.
    pub fn rotation(&self) -> bool {
        self.length == Quantity::Angle
    }

    /// How diagnostics speak about the motion.
    pub fn units(&self) -> Units {
        Units::of_rotation(self.rotation())
    }

    /// Those of a kind of motion.
    pub fn of(motion: MotionKind) -> Self {
        match motion {
            MotionKind::Translation => Self {
                displacement: "displacement",
                force: "force",
                length: Quantity::Length,
                velocity: Quantity::Velocity,
                acceleration: Quantity::Acceleration,
                load: Quantity::Force,
                stiffness: Quantity::Stiffness,
                mass: Quantity::Mass,
            },
            MotionKind::Rotation => Self {
                displacement: "angle",
                force: "torque",
                length: Quantity::Angle,
                velocity: Quantity::AngularVelocity,
                acceleration: Quantity::AngularAcceleration,
                load: Quantity::Torque,
                stiffness: Quantity::AngularStiffness,
                mass: Quantity::Inertia,
            },
        }
    }
}

/// How diagnostics speak about a kind of motion.
pub fn units(motion: MotionKind) -> Units {
    Units::of_rotation(motion == MotionKind::Rotation)
}
