//! What a user should know about a slow record and the stages found in it.

use super::quasi_static::QuasiStatic;
use masing_identify::Warning;

/// All remarks.
pub(super) fn remarks(found: &QuasiStatic, correlated: bool) -> Vec<Warning> {
    let each = [
        not_closed(found),
        drift(found),
        turn_round(found),
        zero(found),
        clearance(found),
        rubs(found),
    ];
    each.into_iter()
        .chain(falling(found))
        .chain([
            no_friction(found, false),
            no_friction(found, true),
            correlated.then(resembling),
            poor_fit(found),
        ])
        .flatten()
        .map(|(code, message)| Warning { code, message })
        .collect()
}

/// A code and the words.
type Remark = Option<(&'static str, String)>;

/// A torque, in per cent of the largest.
fn percent(found: &QuasiStatic, torque: f64) -> f64 {
    100.0 * torque.abs() / found.device.largest_torque().max(f64::MIN_POSITIVE)
}

fn not_closed(found: &QuasiStatic) -> Remark {
    let ([low, high], [first, last]) = (found.paths.range, found.paths.whole);
    let missing = 1.0 - (high - low) / (last - first);
    (missing > 0.02).then(|| {
        (
            "not-closed",
            format!(
                "{:.0} % of the range was measured in one direction only, or lies beyond such a part, and is left out",
                100.0 * missing
            ),
        )
    })
}

fn drift(found: &QuasiStatic) -> Remark {
    found.paths.drift.map(|drift| {
        (
            "drift",
            format!(
                "at the same angle the torque at the end of the record is {} than at its start, by {:.2} % of the largest: the zero drifts, \
                 and what is below that size cannot be trusted",
                if drift > 0.0 { "higher" } else { "lower" },
                percent(found, drift)
            ),
        )
    })
}

fn turn_round(found: &QuasiStatic) -> Remark {
    let [first, last] = found.paths.whole;
    (found.paths.turn_round > 0.0).then(|| {
        (
            "turn-round",
            format!(
                "behind a turn the friction needs {:.1} % of the range to build up; that part is left out",
                100.0 * found.paths.turn_round / (last - first)
            ),
        )
    })
}

fn zero(found: &QuasiStatic) -> Remark {
    (found.zero != 0.0).then(|| {
        (
            "zero",
            format!(
                "the zero of the torque is off by {:.3} N m ({:.2} % of the largest): that is the torque within the clearance; it was taken off",
                found.zero,
                percent(found, found.zero)
            ),
        )
    })
}

fn clearance(found: &QuasiStatic) -> Remark {
    let device = &found.device;
    if device.has_clearance() {
        let open = device.minus == 0 || device.plus + 1 == device.len();
        let text = "the clearance reaches to the end of the record: its other edge was not seen, so that it may be wider";
        return open.then(|| ("clearance-open", text.to_owned()));
    }
    let next = [device.minus.checked_sub(1), Some(device.plus + 1)];
    let weak = next
        .into_iter()
        .flatten()
        .filter_map(|i| device.torques.get(i))
        .any(|t| t.abs() < found.noise);
    let text = if weak {
        "whether there is a clearance cannot be told: next to zero the torque is smaller than its noise"
    } else {
        "no clearance was found: the torque passes zero without a gap"
    };
    Some(("no-clearance", text.to_owned()))
}

fn rubs(found: &QuasiStatic) -> Remark {
    let text = "there is friction within the clearance";
    found
        .clearance_rubs
        .then(|| ("clearance-friction", text.to_owned()))
}

fn falling(found: &QuasiStatic) -> impl Iterator<Item = Remark> + '_ {
    let stages = found.stiffness.iter();
    stages
        .filter(|(_, k, error)| *k < -2.0 * error)
        .map(|(stage, _, _)| {
            let name = found.device.name(stage.outer);
            let text = format!("the torque of stage {name} falls while it is loaded further");
            Some(("negative-stiffness", text))
        })
}

/// Nodes whose friction came out below zero, within three standard errors or beyond.
fn no_friction(found: &QuasiStatic, far: bool) -> Remark {
    let device = &found.device;
    let nodes = (0..device.len()).filter(|i| {
        let noise = 3.0 * found.std_error[*i][2].unwrap_or(0.0);
        device.friction[*i] < 0.0 && (device.friction[*i] < -noise) == far
    });
    let names: Vec<String> = nodes.map(|i| device.name(i)).collect();
    let how = if far {
        "by more than its noise, as after a drift of the zero,"
    } else {
        "within its noise"
    };
    (!names.is_empty()).then(|| {
        (
            "no-friction",
            format!(
                "friction at {} is below zero {how} and counts as none",
                names.join(", ")
            ),
        )
    })
}

fn resembling() -> (&'static str, String) {
    (
        "correlated-residuals",
        "straight stages leave differences that resemble their neighbours; the error bars were made larger for it"
            .to_owned(),
    )
}

fn poor_fit(found: &QuasiStatic) -> Remark {
    (found.max_deviation > 0.1).then(|| {
        (
            "poor-fit",
            format!(
                "straight stages miss the record by up to {:.0} % of the largest torque",
                100.0 * found.max_deviation
            ),
        )
    })
}
