//! What a user should know about a slow record and the stages found in it.

use super::quasi_static::QuasiStatic;
use crate::warning::Warning;

/// All remarks.
pub(super) fn remarks(found: &QuasiStatic, correlated: bool) -> Vec<Warning> {
    let (device, scale) = (&found.device, found.device.largest_torque());
    let percent = |torque: f64| 100.0 * torque.abs() / scale.max(f64::MIN_POSITIVE);
    let mut out = Vec::new();
    let mut add = |code, message| out.push(Warning { code, message });
    let ([low, high], [first, last]) = (found.paths.range, found.paths.whole);
    let missing = 1.0 - (high - low) / (last - first);
    if missing > 0.02 {
        add(
            "not-closed",
            format!(
                "{:.0} % of the range was measured in one direction only, or lies beyond such a part, and is left out",
                100.0 * missing
            ),
        );
    }
    if let Some(drift) = found.paths.drift {
        add(
            "drift",
            format!(
                "at the same angle the torque at the end of the record is {} than at its start, by {:.2} % of the largest: the zero drifts, \
                 and what is below that size cannot be trusted",
                if drift > 0.0 { "higher" } else { "lower" },
                percent(drift)
            ),
        );
    }
    if found.paths.turn_round > 0.0 {
        add(
            "turn-round",
            format!(
                "behind a turn the friction needs {:.1} % of the range to build up; that part is left out",
                100.0 * found.paths.turn_round / (last - first)
            ),
        );
    }
    if found.zero != 0.0 {
        add(
            "zero",
            format!(
                "the zero of the torque is off by {:.3} N m ({:.2} % of the largest): that is the torque within the clearance; it was taken off",
                found.zero,
                percent(found.zero)
            ),
        );
    }
    if !device.has_clearance() {
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
        add("no-clearance", text.to_owned());
    } else if device.minus == 0 || device.plus + 1 == device.len() {
        add(
            "clearance-open",
            "the clearance reaches to the end of the record: its other edge was not seen, so that it may be wider".to_owned(),
        );
    }
    if found.clearance_rubs {
        add(
            "clearance-friction",
            "there is friction within the clearance".to_owned(),
        );
    }
    for (stage, k, error) in &found.stiffness {
        if *k < -2.0 * error {
            let name = device.name(stage.outer);
            add(
                "negative-stiffness",
                format!("the torque of stage {name} falls while it is loaded further"),
            );
        }
    }
    let names = |far: bool| -> Vec<String> {
        let nodes = (0..device.len()).filter(|i| {
            let noise = 3.0 * found.std_error[*i][2].unwrap_or(0.0);
            device.friction[*i] < 0.0 && (device.friction[*i] < -noise) == far
        });
        nodes.map(|i| device.name(i)).collect()
    };
    for (far, how) in [
        (false, "within its noise"),
        (
            true,
            "by more than its noise, as after a drift of the zero,",
        ),
    ] {
        let names = names(far);
        if !names.is_empty() {
            add(
                "no-friction",
                format!(
                    "friction at {} is below zero {how} and counts as none",
                    names.join(", ")
                ),
            );
        }
    }
    if correlated {
        add(
            "correlated-residuals",
            "straight stages leave differences that resemble their neighbours; the error bars were made larger for it"
                .to_owned(),
        );
    }
    if found.max_deviation > 0.1 {
        add(
            "poor-fit",
            format!(
                "straight stages miss the record by up to {:.0} % of the largest torque",
                100.0 * found.max_deviation
            ),
        );
    }
    out
}
