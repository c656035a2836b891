//! Which model to start with.

use crate::commands::inspect::Test;
use std::fmt::Write as _;

/// A loss angle beyond this (rad) is that of a damper, not of an elastic part.
const DAMPER: f64 = 1.0;

/// What the tests say about the part.
enum Nature {
    /// No force was measured.
    Response,
    /// No time was measured.
    Timeless,
    /// The force follows the speed: loss angle in rad.
    Damper(f64),
    /// Anything else.
    Elastic,
}

fn nature(tests: &[Test]) -> Nature {
    let records: Vec<_> = tests.iter().filter_map(Test::record).collect();
    let none = |missing: fn(&masing_data::Record) -> bool| {
        !records.is_empty() && records.iter().all(|r| missing(r))
    };
    if none(|r| r.force().is_none()) {
        Nature::Response
    } else if none(|r| r.time.is_none()) {
        Nature::Timeless
    } else {
        match loss_angle(tests) {
            Some(angle) if angle > DAMPER => Nature::Damper(angle),
            _ => Nature::Elastic,
        }
    }
}

/// The `[[model.element]]` tables with the reason for them.
pub fn model(tests: &[Test]) -> String {
    let mut out = String::new();
    if tests.iter().any(|t| t.names().force == "torque") {
        out.push_str("[model]\nmotion = \"rotation\"                # N m and rad\n\n");
    }
    match nature(tests) {
        Nature::Response => {
            out.push_str(
                "# No test has a force: a model with mass has to be fitted to the response. Give the mass in\n\
                 # [model.system] as in a model file, and the element that damps.\n",
            );
            element(&mut out, "jenkins", None);
        }
        Nature::Timeless => {
            out.push_str(
                "# No test has a time column, so nothing is known about speed: a rate-independent element. sts is a\n\
                 # chain of springs and spring-sliders, for rubber, wire mesh and joints. Others: bouc-wen, iwan, jenkins.\n\
                 # With a known sampling rate, `masing init --rate 200Hz ...` opens the rate-dependent ones, such as rt.\n",
            );
            element(&mut out, "sts", Some(15));
        }
        Nature::Damper(angle) => {
            let _ = writeln!(
                out,
                "# The force runs {:.0} degrees ahead of the motion: a damper more than a spring. Friction with a soft\n\
                 # knee and a dashpot beside it. Others: power-dashpot, coulomb, rt; add a spring for a gas or rubber force.",
                angle.to_degrees()
            );
            element(&mut out, "bouc-wen", None);
            element(&mut out, "dashpot", None);
        }
        Nature::Elastic => {
            out.push_str(
                "# rt is a chain of springs and rate-dependent sliders, for rubber bushings and mounts. Others: bouc-wen for\n\
                 # joints and yielding parts; polynomial-spring, polynomial-dashpot and jenkins together for wire mesh;\n\
                 # `masing models` lists them all.\n",
            );
            element(&mut out, "rt", Some(15));
        }
    }
    out
}

/// Element and parameter for the example of a bound.
pub fn example(tests: &[Test]) -> (&'static str, &'static str) {
    match nature(tests) {
        Nature::Response => ("jenkins", "ks"),
        Nature::Timeless => ("sts", "k0"),
        Nature::Damper(_) => ("bouc-wen", "n"),
        Nature::Elastic => ("rt", "k0"),
    }
}

fn element(out: &mut String, kind: &str, cells: Option<usize>) {
    let _ = writeln!(out, "[[model.element]]\ntype = \"{kind}\"");
    if let Some(cells) = cells {
        let line = format!("cells = {cells}");
        let _ = writeln!(out, "{line:34} # more cells: smoother loop, more time");
    }
    out.push('\n');
}

/// Median loss angle of all blocks and table rows, rad.
fn loss_angle(tests: &[Test]) -> Option<f64> {
    let points = tests.iter().flat_map(|t| &t.inspection.harmonic);
    let angles = points.map(|p| p.loss_angle.abs());
    let mut angles: Vec<f64> = angles.filter(|a| a.is_finite()).collect();
    angles.sort_by(f64::total_cmp);
    // Beyond a right angle the force still has the wrong sign.
    let angle = *angles.get(angles.len() / 2)?;
    Some(angle.min(std::f64::consts::PI - angle))
}
