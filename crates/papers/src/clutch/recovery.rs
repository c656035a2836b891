//! Every formulation as the truth: does the ranking find it?

use super::device::{ETA, INERTIA, Tests, measured, release};
use crate::error::PapersError;
use crate::report::{Part, alike, ours};
use masing_stages::{Bench, Energy, Motion, StagesError, formulations};

/// Six truths by seven formulations.
pub fn recovery(tests: &Tests) -> Result<Part, PapersError> {
    let mut rows = Vec::new();
    let mut right = 0;
    let truths = formulations(&tests.truth, &tests.dynamics.energy);
    for (k, truth) in truths.iter().enumerate().skip(1) {
        let errors = errors(tests, &truth.friction, &truth.viscous, k as u64)?;
        let best = (0..errors.len()).min_by(|a, b| errors[*a].total_cmp(&errors[*b]));
        right += usize::from(best == Some(k));
        rows.push(ours(format!("truth {}", truth.name), errors));
    }
    let text = format!(
        "The device is given the friction and damping of one formulation after another; from a noisy record of each all are estimated \
         and simulated. Root mean square errors of the angle in mrad: {right} of 6 truths come out best."
    );
    let names = ["D0", "D1.1", "D1.2", "D2.1", "D2.2", "D3.1", "D3.2"];
    Ok(Part::new(
        "Recovery of the formulations",
        text,
        alike(names, "mrad", 3),
        rows,
    ))
}

/// Errors (mrad) of all formulations on a device with that friction and damping.
fn errors(
    tests: &Tests,
    friction: &[f64],
    viscous: &[f64],
    seed: u64,
) -> Result<Vec<f64>, StagesError> {
    let device = &tests.truth;
    let exact = release(&device.with_friction(friction.to_vec()), viscous)?;
    let motion = Motion::of(&measured(&exact, 100 + seed), device, INERTIA)?;
    let energy = Energy::of(&motion, device, ETA);
    let bench = Bench::of(&motion, device, ETA)?;
    let error = |f: &masing_stages::Formulation| {
        let run = bench.run_once(
            &motion,
            &device.with_friction(f.friction.clone()),
            &f.viscous,
        )?;
        let squares = motion
            .angle
            .iter()
            .zip(&run.angle)
            .map(|(a, b)| (a - b).powi(2));
        Ok(1e3 * (squares.sum::<f64>() / motion.len() as f64).sqrt())
    };
    formulations(device, &energy).iter().map(error).collect()
}
