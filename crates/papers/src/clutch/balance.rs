//! Tables 1 and 2: the formulations and the energy balance that gives them.

use super::device::Tests;
use crate::error::PapersError;
use crate::report::{NAN, Part, column, ours, path};
use masing_report::Pen;

/// Friction at every node by every way.
pub fn table_1_and_2(tests: &Tests) -> Result<Part, PapersError> {
    let (found, device) = (&tests.dynamics, &tests.found.device);
    let mut rows = Vec::new();
    for i in 0..device.len() {
        let stage = found.energy.stages.iter().find(|s| s.stage.outer == i);
        let recursion = stage.filter(|s| s.accepted[0]).map_or(NAN, |s| s.friction);
        let status = found.refined.status[i].word();
        let own = ours(
            device.name(i),
            [
                tests.truth.friction[i],
                tests.fast_friction[i],
                recursion,
                found.cumulative[0].friction[i],
                found.refined.device.friction[i],
                found.refined.friction_error[i].unwrap_or(NAN),
                // None where the stage was not entered.
                stage.map_or(NAN, |s| if s.coverage > 0.0 { s.gain[0] } else { NAN }),
                stage.map_or(NAN, |s| 100.0 * s.coverage),
            ],
        );
        rows.push(own.remark(if status == "ok" { "" } else { status }));
    }
    let one = |name: &str| {
        let judged = found.formulation(name);
        judged
            .and_then(|j| j.formulation.parameters.first())
            .map_or(NAN, |p| p.1)
    };
    let text = format!(
        "Dissipated: {:.4} J, of which the slow friction explains {:.4} J. D1.1: c = {:.3}, D1.2: h = {:.3}, D2.1: c = {:.3}, D2.2: h = {:.3} \
         (prototype 0.470, 1.822, 0.274, 1.063). D3.2 by the corrected recursion; an error of the inner node comes back at the outer one gain \
         times, and above 5 the node is not accepted. Better: the energy dissipated up to turning points and stage crossings, fitted without \
         the acceleration; best: least squares on the velocity (chi2 {:.3}).",
        found.energy.dissipated,
        found.energy.slow,
        one("D1.1"),
        one("D1.2"),
        one("D2.1"),
        one("D2.2"),
        found.refined.chi2_dof,
    );
    let mut plot = path(
        "Friction at the nodes: slow, and fast by three ways",
        ("angle", "rad"),
        ("friction h", "N m"),
    );
    let recursion = found.formulation("D3.2").map(|j| &j.formulation.friction);
    let sets = [
        ("fast, put in", Some(&tests.fast_friction)),
        ("slow", Some(&tests.truth.friction)),
        ("D3.2, recursion", recursion),
        ("refined", Some(&found.refined.device.friction)),
    ];
    for (name, values) in sets {
        if let Some(values) = values {
            plot.draw(Pen::Dotted, name, &device.angles, values);
        }
    }
    let part = Part::new(
        "Tables 1 and 2: friction by the energy balance",
        text,
        vec![
            column("hQ", "N m", 3),
            column("hD, put in", "N m", 3),
            column("recursion", "N m", 4),
            column("cumulative", "N m", 4),
            column("refined", "N m", 4),
            column("+-", "N m", 2),
            column("gain", "", 3),
            column("covered", "%", 3),
        ],
        rows,
    );
    Ok(part.with_plots([plot]))
}
