//! Why a device cannot be characterised.

use masing_diagnostic::{NoStages, Units};
use masing_model::ModelError;
use masing_sim::SimError;
use thiserror::Error;

/// A record that does not show the stages of a device. Values are SI.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum StagesError {
    /// Too little to work with.
    #[error("{found} samples are too few for the stages of a device; expected at least {expected}")]
    TooFewSamples {
        /// Samples with angle and torque.
        found: usize,
        /// The fewest that do.
        expected: usize,
    },
    /// Constant angle or torque.
    #[error("{what} does not change")]
    Constant {
        /// Which.
        what: &'static str,
    },
    /// Only loading, or only unloading.
    #[error(
        "only one direction was measured: {up} samples while the angle grows and {down} while it falls, together over {shared:.0} % of the range; \
         friction is half the distance between the two paths, so that both are needed"
    )]
    OneDirection {
        /// Samples upwards.
        up: usize,
        /// Samples downwards.
        down: usize,
        /// Share of the range that both paths cover, per cent.
        shared: f64,
    },
    /// Torque falls while the angle grows.
    #[error("the torque falls while the angle grows; expected torque positive with positive angle")]
    WrongSign,
    /// The loop runs in the wrong direction although the torque rises.
    #[error(
        "the loop runs the wrong way round (the part would give {energy:.3} J), though the torque rises with the angle; are torque and angle swapped?"
    )]
    Swapped {
        /// Energy given.
        energy: f64,
    },
    /// Something else than springs that engage one after another.
    #[error("the record shows no stages: {}; expected straight stages with corners between them, and friction that is the same in every pass", why.text(Units::Rotation))]
    NoStages {
        /// What speaks against them.
        why: NoStages,
    },
    /// No segmentation with as many stages as asked for.
    #[error(
        "no division of the record into {drive} drive and {coast} coast stages was found; found by itself: {found_drive} drive and {found_coast} coast"
    )]
    NoSuchStages {
        /// Drive stages asked for.
        drive: usize,
        /// Coast stages asked for.
        coast: usize,
        /// Drive stages found without that demand.
        found_drive: usize,
        /// Coast stages found without that demand.
        found_coast: usize,
    },
    /// An invalid inertia.
    #[error("an inertia of {value} is not one; expected a positive number")]
    Inertia {
        /// What was given.
        value: f64,
    },
    /// Channels of different length, or values that are missing.
    #[error("{what} has {found} finite values; expected {expected}")]
    Incomplete {
        /// The channel.
        what: &'static str,
        /// Finite values.
        found: usize,
        /// Samples.
        expected: usize,
    },
    /// No motion in the dynamic record.
    #[error("the dynamic record has no angle, velocity or acceleration")]
    NoMotion,
    /// The first torque is beyond what the device carries.
    #[error(
        "the device carries no torque of {torque:.4} at rest, so that where the dynamic record starts is not known; the slow record ends at {low:.4} and {high:.4}"
    )]
    NoStart {
        /// First torque.
        torque: f64,
        /// Smallest elastic torque.
        low: f64,
        /// Largest elastic torque.
        high: f64,
    },
    /// The motion needs more energy than the load gives.
    #[error(
        "the dynamic record gives energy ({energy:.4} J) instead of taking it; is the sign of torque or motion turned, or the inertia wrong?"
    )]
    GivesEnergy {
        /// Energy taken.
        energy: f64,
    },
    /// The record begins in mid-motion.
    #[error("the dynamic record does not start at rest: its first velocity is {:.0} % of the largest; expected to begin before the load is let go", 100.0 * share)]
    NotAtRest {
        /// Mean of the first velocities over the largest.
        share: f64,
    },
    /// The inertia hardly takes part.
    #[error(
        "the motion of the dynamic record is too slow for the inertia to matter: its kinetic energy is at most {share:.1e} of the work; is it a slow record, or the \
         inertia given in another unit?"
    )]
    TooSlow {
        /// Largest kinetic energy over the product of the ranges of torque and angle.
        share: f64,
    },
    /// So few samples per swing that nothing can be simulated from them.
    #[error(
        "the dynamic record has {found:.1} samples per swing of the stiffest stage it enters, too few to be simulated; expected at least {expected}, better 20; \
         is it a slow record?"
    )]
    TooCoarse {
        /// Samples per swing.
        found: f64,
        /// The fewest that do.
        expected: f64,
    },
    /// The device cannot be made a model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A simulation failed.
    #[error(transparent)]
    Sim(#[from] SimError),
}
