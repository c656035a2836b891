//! Friction, damping, clearance and stiffness for which the simulated motion fits the measured one best.
//!
//! Shooting from the known start with a growing horizon, because over a long one the simulation soon loses phase and
//! the sum of squares has many minima. First friction alone, then everything, with exact derivatives through all stage
//! events.

mod shooting;
mod unknowns;

use super::device::Device;
use super::energy::Energy;
use super::error::StagesError;
use super::motion::Motion;
use super::simulate::Bench;
use masing_identify::objective::Watch;
use masing_identify::search::optimise::{Options, Stop, trust_region};
use shooting::Shooting;
use unknowns::Unknowns;

/// What is estimated in the last search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freedom {
    /// Friction within the clearance.
    pub clearance_friction: bool,
    /// Edges of the clearance, stiffness of the stages entered and one viscous coefficient.
    pub more_than_friction: bool,
}

/// Whether the friction of a node can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeStatus {
    /// Yes.
    Ok,
    /// It is at the lower or upper limit of its range.
    AtBound,
    /// Its standard error is more than 0.3 of its value.
    PoorlyDetermined,
    /// The motion never entered the stage on its inner side.
    NotReached,
    /// It was not estimated.
    Fixed,
}

impl NodeStatus {
    /// The word in files.
    pub fn word(self) -> &'static str {
        match self {
            NodeStatus::Ok => "ok",
            NodeStatus::AtBound => "at-bound",
            NodeStatus::PoorlyDetermined => "poorly-determined",
            NodeStatus::NotReached => "not-reached",
            NodeStatus::Fixed => "fixed",
        }
    }
}

/// The refined device.
#[derive(Clone, Debug)]
pub struct Refined {
    /// Nodes, torques and friction.
    pub device: Device,
    /// One viscous coefficient, and its standard error.
    pub viscous: [f64; 2],
    /// Standard errors of the friction; none where it was not estimated.
    pub friction_error: Vec<Option<f64>>,
    /// Standard errors of the edges of the clearance; none where they were not estimated.
    pub edge_error: [Option<f64>; 2],
    /// Torque that friction carries at the start, and its standard error.
    pub carried: [f64; 2],
    /// Stiffness over that of the slow test, with its standard error, by the outer node of the stage.
    pub scales: Vec<(usize, f64, f64)>,
    /// Status of every node.
    pub status: Vec<NodeStatus>,
    /// Chi squared per degree of freedom.
    pub chi2_dof: f64,
    /// Correlation of neighbouring differences.
    pub lag1: f64,
    /// Simulations with derivatives.
    pub evaluations: usize,
    /// Why the last search stopped.
    pub stop: Stop,
}

/// Shares of the record that the search passes through.
const HORIZONS: [f64; 5] = [0.15, 0.3, 0.5, 0.75, 1.0];

/// A torque that friction carries at the start counts above this many standard errors.
const STANDARD_ERRORS: f64 = 3.0;

/// Refines from a friction at all nodes. `watch` is told of every better point, with the evaluations so far; `true` asks to
/// stop with the best so far.
pub fn refine(
    motion: &Motion,
    slow: &Device,
    energy: &Energy,
    bench: &Bench,
    start: &[f64],
    freedom: Freedom,
    watch: Option<&Watch<'_>>,
) -> Result<Refined, StagesError> {
    let mut evaluations = 0;
    // Where the record starts follows from its first torque, up to what friction holds.
    let started = |unknowns: Unknowns| {
        if freedom.more_than_friction && !motion.start_known {
            unknowns.with_start(slow, motion.angle[0])
        } else {
            unknowns
        }
    };
    let friction = started(Unknowns::friction(slow, energy, freedom.clearance_friction));
    let mut x = friction.at(start);
    for horizon in HORIZONS {
        let shooting = Shooting::new(motion, slow, energy, bench, &friction, horizon)?
            .watched(watch, evaluations);
        let last = horizon == 1.0;
        let options = Options {
            cost: if last { 1e-8 } else { 1e-4 },
            step: 1e-6,
            gradient: 1e-10,
            evaluations: if last { 25 } else { 15 },
        };
        let found = trust_region(&shooting, &x, &options);
        evaluations += found.evaluations;
        x = found.x;
        if found.stop == Stop::Interrupted {
            break;
        }
    }
    let all = if freedom.more_than_friction {
        started(Unknowns::all(slow, energy, freedom.clearance_friction))
    } else {
        friction.clone()
    };
    let x = friction.moved_to(&all, &x);
    // Who asked to stop is asked again at the first point, so that only its error bars are still computed.
    let shooting =
        Shooting::new(motion, slow, energy, bench, &all, 1.0)?.watched(watch, evaluations);
    let options = Options {
        cost: 1e-7,
        step: 1e-7,
        gradient: 1e-10,
        evaluations: 40,
    };
    let found = trust_region(&shooting, &x, &options);
    if found.stop == Stop::BadStart {
        // The simulation says what is wrong.
        bench.run(motion, slow, &vec![0.0; slow.len()])?;
    }
    evaluations += found.evaluations;
    let refined = shooting.finished(&found.x, &found.at, evaluations, found.stop);
    let [carried, error] = refined.carried;
    if all.start().is_none() || carried.abs() > STANDARD_ERRORS * error || !found.stop.converged() {
        return Ok(refined);
    }
    // Nothing is held from equilibrium: the start is where the device carries the first torque, and the rest is known the better.
    let fewer = Unknowns::all(slow, energy, freedom.clearance_friction);
    let x = all.moved_to(&fewer, &found.x);
    let shooting =
        Shooting::new(motion, slow, energy, bench, &fewer, 1.0)?.watched(watch, evaluations);
    let found = trust_region(&shooting, &x, &options);
    evaluations += found.evaluations;
    Ok(shooting.finished(&found.x, &found.at, evaluations, found.stop))
}
