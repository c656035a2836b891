//! The export check: the exported model re-simulated against the identified one.

use masing_model::Model;
use masing_sim::stepper::usual_motion;
use masing_sim::{Motion, Numerics, Prescribed, SimError, Stepper};
use serde::Serialize;

/// Samples a cycle of the motion that is taken for the truth.
const FINE: usize = 1000;
/// Steps a cycle of the simulations that use the export; they divide the fine samples.
const STEPS: [usize; 5] = [20, 50, 100, 200, 500];
/// Largest difference that rounding explains.
const SAME: f64 = 1e-9;

/// What the check found.
#[derive(Debug, Serialize)]
pub struct Check {
    /// The motion: half the range and frequency of a sine.
    pub amplitude: f64,
    pub frequency: f64,
    pub largest_force: f64,
    /// Largest difference where the export sees the same motion, velocity and all.
    pub same_motion: f64,
    pub steps: Vec<StepCheck>,
}

/// Largest differences over the largest force at one step size.
#[derive(Debug, Serialize)]
pub struct StepCheck {
    /// Step size (s).
    pub step: f64,
    /// Where the velocity is the slope of the displacement.
    pub difference: f64,
    /// Where the velocity is given as well.
    pub with_velocity: f64,
}

/// Duration of the check and a step size to suggest.
pub fn experiment(model: &Model) -> Result<[f64; 2], SimError> {
    let motion = usual_motion(model, 100)?;
    let time = motion.time();
    Ok([time[time.len() - 1], time[1] - time[0]])
}

impl Check {
    /// Runs `identified` over the usual motion, and `exported` with several step sizes.
    pub fn run(identified: &Model, exported: &Model) -> Result<Self, SimError> {
        let motion = usual_motion(identified, FINE)?;
        let numerics = identified
            .numerics
            .map_or_else(Numerics::default, |limits| Numerics {
                increment: limits.increment,
                max_dt: limits.max_dt,
            });
        let assembly = identified.assembly();
        let force =
            Prescribed::new(assembly, &motion, numerics).run(identified.element_values())?;
        let largest_force = force.iter().fold(0.0_f64, |m, f| m.max(f.abs()));
        let compare = |stride: usize, with_velocity: bool| {
            let mut stepper = Stepper::in_the_middle(exported.clone())?;
            let worst = largest_difference(&mut stepper, (&motion, &force), stride, with_velocity)?;
            Ok::<_, SimError>(if largest_force > 0.0 {
                worst / largest_force
            } else {
                worst
            })
        };
        let (time, x) = (motion.time(), motion.x());
        let mut steps = Vec::new();
        for per_cycle in STEPS {
            let stride = FINE / per_cycle;
            steps.push(StepCheck {
                step: time[stride] - time[0],
                difference: compare(stride, false)?,
                with_velocity: compare(stride, true)?,
            });
        }
        Ok(Self {
            amplitude: 0.5 * (x[FINE / 2] - x[0]),
            frequency: 1.0 / (time[FINE] - time[0]),
            largest_force,
            same_motion: compare(1, true)?,
            steps,
        })
    }

    /// Whether the export is another model than the one identified.
    pub fn is_different(&self) -> bool {
        !(self.same_motion <= SAME)
    }
}

/// The export from rest through every `stride`-th sample.
fn largest_difference(
    stepper: &mut Stepper,
    (motion, force): (&Motion, &[f64]),
    stride: usize,
    with_velocity: bool,
) -> Result<f64, SimError> {
    let (time, x, v) = (motion.time(), motion.x(), motion.v());
    let start = stepper.rest_at(x[0], if with_velocity { v[0] } else { 0.0 })?;
    let mut worst = (start - force[0]).abs();
    for i in (stride..motion.len()).step_by(stride) {
        let velocity = with_velocity.then_some(v[i]);
        let got = stepper.step(time[i] - time[i - stride], x[i], velocity)?;
        worst = worst.max((got - force[i]).abs());
    }
    Ok(worst)
}
