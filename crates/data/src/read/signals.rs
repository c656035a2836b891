//! Columns to signals in SI.

use crate::columns::{self, Term};
use crate::cycles;
use crate::error::DataError;
use crate::options::{ReadOptions, Zero};
use crate::recognise::{self, Match};
use crate::record::{Signal, UnitFrom};
use crate::role::{Role, Slot};
use crate::table::{Channel, Table};
use crate::unit;

/// Adds a column for every table value given as a number: `amplitude=0.1mm`.
pub(super) fn constants(table: &mut Table, options: &ReadOptions) {
    for (slot, text) in &options.columns {
        let fixed = matches!(slot.role, Role::Frequency | Role::Amplitude | Role::Preload);
        if !fixed || columns::parse(text, table).is_ok() {
            continue;
        }
        let kinds = [false, true]
            .into_iter()
            .flat_map(|rotation| slot.role.quantities(rotation));
        let found = kinds
            .copied()
            .find_map(|q| unit::parse_quantity(text, q).ok().map(|v| (q, v)));
        if let Some((quantity, value)) = found {
            let values = vec![value; table.rows()];
            let unit = Some(quantity.si().to_owned());
            table
                .channels
                .push(Channel::new(text.clone(), unit, values));
        }
    }
}

/// Every column that plays a role, in SI.
pub(super) fn signals(table: &Table, options: &ReadOptions) -> Result<Vec<Signal>, DataError> {
    let taken: Vec<Slot> = options.columns.iter().map(|c| c.0).collect();
    let units: Vec<Option<String>> = table
        .channels
        .iter()
        .map(|c| {
            options
                .unit(None, &c.name)
                .map(str::to_owned)
                .or_else(|| c.unit.clone())
        })
        .collect();
    let mut plans: Vec<(Slot, Vec<Term>, Match, String)> = Vec::new();
    for (slot, text) in &options.columns {
        let terms = columns::parse(text, table)?;
        plans.push((*slot, terms, Match::Given, text.clone()));
    }
    let mentioned = |column: usize| plans.iter().any(|p| p.1.iter().any(|t| t.column == column));
    let found: Vec<_> = recognise::recognise(table, &taken, &units)?
        .into_iter()
        .filter(|f| !mentioned(f.1))
        .collect();
    for (slot, column, matched) in found {
        let (terms, label) = (
            vec![Term { sign: 1.0, column }],
            table.channels[column].label(),
        );
        plans.push((slot, terms, matched, label));
    }
    plans.sort_by_key(|p| p.0);
    // Displacement and angle of the same node exclude each other: the straight pair wins unless asked otherwise.
    let has = |roles: [Role; 2]| plans.iter().any(|p| roles.contains(&p.0.role));
    let rotation = has([Role::Angle, Role::Torque]) && !has([Role::Displacement, Role::Force]);
    plans
        .into_iter()
        .map(|(slot, terms, matched, text)| {
            signal(table, options, slot, &terms, matched, text, rotation)
        })
        .collect()
}

fn signal(
    table: &Table,
    options: &ReadOptions,
    slot: Slot,
    terms: &[Term],
    matched: Match,
    text: String,
    rotation: bool,
) -> Result<Signal, DataError> {
    let quantities = slot.role.quantities(rotation);
    let mut values: Vec<f64> = Vec::new();
    let mut quantity = quantities[0];
    let mut unit_text = quantity.si().to_owned();
    let mut unit_from = UnitFrom::Assumed;
    for (i, term) in terms.iter().enumerate() {
        let channel = &table.channels[term.column];
        let given = options.unit(Some(slot), &channel.name);
        let place = match given {
            Some(_) => format!("unit of {slot}"),
            None => format!(
                "{}, column `{}`",
                table.source.file.display(),
                channel.label()
            ),
        };
        let mut factor = 1.0;
        if let Some(unit) = given.or(channel.unit.as_deref()) {
            let allowed = if i == 0 {
                quantities
            } else {
                std::slice::from_ref(&quantity)
            };
            (factor, quantity) = unit::factor(unit, allowed, &place)?;
            unit.clone_into(&mut unit_text);
            unit_from = if given.is_some() {
                UnitFrom::Given
            } else {
                UnitFrom::File
            };
        }
        let scale = term.sign * factor;
        if i == 0 {
            values = channel.values.iter().map(|v| v * scale).collect();
        } else {
            for (value, v) in values.iter_mut().zip(&channel.values) {
                *value += v * scale;
            }
        }
    }
    let mut signal = Signal {
        slot,
        quantity,
        column: text,
        unit: unit_text,
        unit_from,
        matched,
        values,
    };
    if slot.role < Role::Frequency
        && !signal.values.is_empty()
        && signal.values.iter().all(|v| !v.is_finite())
    {
        return Err(DataError::Channel {
            file: table.source.file.clone(),
            role: slot.to_string(),
            column: signal.column,
            reason: "has no numbers".into(),
        });
    }
    if options.flips(slot) {
        signal.values.iter_mut().for_each(|v| *v = -*v);
    }
    if let Some(zero) = options.zero_of(slot) {
        remove_offset(&mut signal, zero)?;
    }
    Ok(signal)
}

fn remove_offset(signal: &mut Signal, zero: &Zero) -> Result<(), DataError> {
    let finite = || signal.values.iter().copied().filter(|v| v.is_finite());
    let offset = match zero {
        Zero::Mean => finite().sum::<f64>() / finite().count().max(1) as f64,
        Zero::First => finite().next().unwrap_or(0.0),
        Zero::Midrange => cycles::offset(&signal.values),
        Zero::Value(text) => unit::parse_quantity(text, signal.quantity)?,
    };
    signal.values.iter_mut().for_each(|v| *v -= offset);
    Ok(())
}
