//! Channels that were averaged before they were written.

use crate::record::Record;
use crate::signal;
use crate::timing::{self, Spacing};
use masing_diagnostic::{ChannelKind, Diagnostic, RecordDiagnostic};

/// One diagnostic for every length, with the channels of motion and force that have it.
pub(super) fn diagnostics(record: &Record) -> Vec<Diagnostic> {
    let spacing = record.time.as_deref().and_then(timing::spacing);
    let step = match spacing {
        Some(Spacing::Uneven { .. }) => return Vec::new(),
        known => known.map(Spacing::step),
    };
    let mut found: Vec<(usize, Vec<_>)> = Vec::new();
    for signal in &record.signals {
        let channel = signal.slot.channel();
        if !matches!(channel.kind, ChannelKind::Motion | ChannelKind::Force) {
            continue;
        }
        let Some(samples) = signal::averaged(&signal.values) else {
            continue;
        };
        // The spectrum tells the length to a sample.
        match found.iter_mut().find(|(own, _)| own.abs_diff(samples) <= 1) {
            Some((_, channels)) => channels.push(channel),
            None => found.push((samples, vec![channel])),
        }
    }
    let each = found.into_iter().map(|(samples, channels)| {
        let seconds = step.map(|step| step * samples as f64);
        let averaged = RecordDiagnostic::Averaged {
            channels,
            samples,
            seconds,
        };
        averaged.into()
    });
    each.collect()
}
