//! Units that nobody gives.

use masing_data::{Experiment, Role, UnitFrom};
use masing_diagnostic::{Diagnostic, ReadingDiagnostic};

/// Channels whose unit nobody gives: millimetres taken for metres spoil everything that follows.
pub fn assumed_units(experiment: &Experiment) -> Option<Diagnostic> {
    let all = experiment.channels.iter();
    let channels: Vec<(String, String)> = all
        .filter(|c| c.unit_from == Some(UnitFrom::Assumed))
        .filter_map(|c| {
            let slot = c
                .role
                .filter(|slot| slot.role != Role::Time && slot.role != Role::TanDelta)?;
            Some((slot.to_string(), c.unit.clone()?))
        })
        .collect();
    (!channels.is_empty()).then(|| ReadingDiagnostic::UnitAssumed { channels }.into())
}
