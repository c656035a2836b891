//! ASAM MDF 4: one table per channel group, with its master channel as time.

use std::path::Path;

use falcon_mdf::Mf4File;

use crate::error::DataError;
use crate::table::{Channel, Source, Table};

/// Name of the format in messages.
pub(crate) const FORMAT: &str = "MDF4";

/// True for the identification block.
pub(crate) fn matches(head: &[u8]) -> bool {
    head.starts_with(b"MDF     4") || head.starts_with(b"UnFinMF 4")
}

/// Reads a file held in memory.
pub(crate) fn read(file: &Path, bytes: Vec<u8>) -> Result<Vec<Table>, DataError> {
    let limit = 256 * bytes.len() as u64 + (16 << 20);
    let bad = |place: &str, reason: String| DataError::format(file, FORMAT, place, reason);
    let source = Mf4File::from_bytes(bytes).map_err(|e| bad("blocks", e.to_string()))?;
    let mut out = Vec::new();
    for (number, group) in source
        .data_groups()
        .iter()
        .flat_map(|d| &d.channel_groups)
        .enumerate()
    {
        if group.sample_count == 0 || group.is_vlsd() {
            continue;
        }
        let place = format!("channel group {}", number + 1);
        if group.sample_count.saturating_mul(8) > limit {
            let claimed = group.sample_count;
            let reason = format!("claims {claimed} samples, more than the file can hold");
            return Err(bad(&place, reason));
        }
        let mut channels = Vec::new();
        for channel in group
            .channels
            .iter()
            .filter(|c| c.is_numeric() && !c.is_array())
        {
            let place = format!("{place}, channel `{}`", channel.name);
            let signal = source.signal(channel);
            let signal = signal.map_err(|e| bad(&place, e.to_string()))?;
            let values = signal.values_f64();
            let mut values = values.map_err(|e| bad(&place, e.to_string()))?;
            if let Some(valid) = signal.validity() {
                for (value, valid) in values.iter_mut().zip(valid) {
                    if !valid {
                        *value = f64::NAN;
                    }
                }
            }
            let time = channel.is_master() && channel.is_time_channel();
            let unit = Some(channel.unit.trim().to_owned()).filter(|u| !u.is_empty() && u != "-");
            let (name, in_name) = super::text::header::split(&channel.name, &[]);
            let name = if time { "time".to_owned() } else { name };
            let unit = unit.or(in_name).or_else(|| time.then(|| "s".to_owned()));
            channels.push(Channel::new(name, unit, values));
        }
        if channels.is_empty() {
            continue;
        }
        let named = group.acquisition_name.trim();
        let part = if named.is_empty() {
            (number + 1).to_string()
        } else {
            named.to_owned()
        };
        out.push(Table::new(part, channels, Source::new(file, FORMAT, 1)));
    }
    if let [only] = out.as_mut_slice() {
        only.part.clear();
    }
    Ok(out)
}
