//! Nuisances of a record of motion and force: offsets, levels, lags, masses of the rig, the initial state.

use super::{InitialState, MotionRecord, TURNS};
use crate::problem::unknown::{Place, Unknown};
use masing_model::{Model, Scale};

/// The nuisances of a record.
pub(super) fn unknowns(model: &Model, test: &str, rig: &MotionRecord, k: usize) -> Vec<Unknown> {
    let linear = |name: &str, place: Place, typical: f64, (min, max): (f64, f64)| Unknown {
        name: format!("{test} {name}"),
        place,
        min,
        max,
        scale: Scale::Linear,
        typical,
    };
    let wide = (f64::NEG_INFINITY, f64::INFINITY);
    let amplitude = rig.amplitude().max(f64::MIN_POSITIVE);
    let mut out = Vec::new();
    if rig.nuisance.force_offset {
        let place = Place::ForceOffset(k);
        out.push(linear("force offset", place, rig.peak(), wide));
    }
    if rig.nuisance.motion_offset {
        let reach = (-10.0 * amplitude, 10.0 * amplitude);
        let place = Place::MotionOffset(k);
        out.push(linear("displacement offset", place, amplitude, reach));
    }
    if rig.nuisance.delay {
        let (t, n) = (rig.motion.time(), rig.motion.len());
        let step = (t[n - 1] - t[0]) / (n - 1) as f64;
        let reach = (-20.0 * step, 20.0 * step);
        out.push(linear("delay", Place::Delay(k), step, reach));
    }
    if rig.nuisance.level {
        out.push(linear("level", Place::Level(k), LEVEL, MOST_LEVEL));
    }
    if rig.nuisance.moving_mass.is_some_and(|m| m < 0.0) {
        let a = rig
            .acceleration()
            .iter()
            .fold(0.0_f64, |m, a| m.max(a.abs()));
        let size = if a > 0.0 { 0.1 * rig.peak() / a } else { 1.0 };
        let place = Place::MovingMass(k);
        out.push(linear("moving mass", place, size, (0.0, 1e3 * size)));
    }
    if rig.initial == InitialState::Estimated {
        out.extend(of_beginning(model, rig, k, linear));
    }
    out
}

/// Typical level of a record: what the same part repeats to on another day.
const LEVEL: f64 = 0.05;
/// Levels beyond these are a wrong unit or another part.
const MOST_LEVEL: (f64, f64) = (-0.5, 1.0);

/// Most states that are estimated individually; more are described by the motion that led to them.
const FEW_STATES: usize = 3;

/// The initial state of a record that begins neither at rest nor in a closed cycle.
fn of_beginning(
    model: &Model,
    rig: &MotionRecord,
    k: usize,
    linear: impl Fn(&str, Place, f64, (f64, f64)) -> Unknown,
) -> Vec<Unknown> {
    let amplitude = rig.amplitude().max(f64::MIN_POSITIVE);
    // The reference of a chain is where it is unstrained; together with the cells it would be counted
    // twice.
    let states = || {
        let all = model.assembly().states().enumerate();
        all.filter(|(_, (name, _))| !name.ends_with(".reference"))
    };
    if states().count() > FEW_STATES {
        let middle = rig.rest_position();
        let reach = (middle - 10.0 * amplitude, middle + 10.0 * amplitude);
        let turn = |turn| {
            let name = format!("turning point {} before the record", turn + 1);
            let place = Place::Turn { target: k, turn };
            linear(&name, place, amplitude, reach)
        };
        return (0..TURNS).map(turn).collect();
    }
    let each = states().map(|(state, (name, spec))| {
        let size = if spec.unit == "N" {
            rig.peak()
        } else {
            amplitude
        };
        let place = Place::Start { target: k, state };
        let wide = (f64::NEG_INFINITY, f64::INFINITY);
        linear(&format!("start of {name}"), place, size, wide)
    });
    each.collect()
}
