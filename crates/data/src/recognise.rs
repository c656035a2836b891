//! Which column plays which role when nobody says so.
//!
//! Conservative: role names first, then well-known short forms, then a telling word inside a longer name, then the unit
//! of a column without a name. A unit that cannot belong to a role rules the role out. What was found is reported.

use crate::error::DataError;
use crate::role::{Role, Slot};
use crate::shape;
use crate::table::Table;
use crate::unit::{self, Quantity};

/// How a column was matched to a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Match {
    /// The user said so.
    Given,
    /// The header is the role's name.
    Name,
    /// The header is a well-known short form.
    Synonym,
    /// The header contains a telling word.
    Word,
    /// Only the unit tells.
    Unit,
    /// The shape of the numbers tells: a file without header.
    Shape,
    /// Only the position tells: a file without header.
    Position,
}

/// Well-known short forms; `x value` is that of LabVIEW measurement files.
const SYNONYMS: &[(&[Role], &str)] = &[
    (
        &[Role::Time],
        "t, zeit, timestamp, time stamp, date/time, datetime, date time, running time, elapsed time, total time, x value, 时间",
    ),
    (
        &[Role::Displacement],
        "x, d, disp, displ, stroke, position, pos, deflection, extension, weg, 位移",
    ),
    (&[Role::Angle], "theta, phi, winkel, rotation, 角度"),
    (
        &[Role::Velocity],
        "v, vel, speed, omega, angular velocity, geschwindigkeit, 速度",
    ),
    (&[Role::Acceleration, Role::Amplitude], "a"),
    (&[Role::Acceleration], "acc, accel, beschleunigung, 加速度"),
    (&[Role::BaseAcceleration], "ground acceleration, ag"),
    (&[Role::Force, Role::Frequency], "f"),
    (&[Role::Force], "kraft, load cell, 力, 载荷"),
    (&[Role::Torque], "moment, drehmoment, 扭矩"),
    (&[Role::Frequency], "freq, frequenz, 频率"),
    (&[Role::Amplitude], "ampl, amp"),
    (
        &[Role::Stiffness],
        "dynamic stiffness, kdyn, k dyn, k*, |k*|, cdyn, steifigkeit",
    ),
    (
        &[Role::LossAngle],
        "delta, phase, phase angle, verlustwinkel",
    ),
    (&[Role::TanDelta], "tan delta, tandelta, tan d, loss factor"),
    (&[Role::Storage], "k', storage stiffness"),
    (&[Role::Loss], "k'', k\", loss stiffness"),
    (&[Role::Preload], "vorlast, pre load"),
];

/// Words that tell a role within a longer name.
const WORDS: &[(Role, &str)] = &[
    (Role::Time, "time, zeit"),
    (
        Role::Displacement,
        "weg, displacement, disp, stroke, extension, deflection, position",
    ),
    (Role::Force, "kraft, force, load, reaction"),
    (Role::Angle, "winkel, angle"),
    (Role::Torque, "drehmoment, torque, moment"),
    (Role::Velocity, "velocity, vel"),
    (Role::Acceleration, "acceleration, accel"),
    (Role::Frequency, "frequency"),
    (Role::Amplitude, "amplitude"),
    (Role::Stiffness, "stiffness"),
    (Role::Preload, "preload"),
];

/// Words of channels that are not the measured one.
const NOT_MEASURED: &str = "command, cmd, set, setpoint, target, soll, demand, ref, reference, error, min, max, peak, valley, count, mean, range, limit, loss, phase, static";

/// Whether a text is in a list between commas.
fn among(list: &str, text: &str) -> bool {
    list.split(", ").any(|one| one == text)
}

fn normal(name: &str) -> String {
    let spaced = name
        .trim()
        .to_lowercase()
        .replace(['_', '-', '.', '\u{a0}'], " ");
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Roles a header name may stand for, and how well.
fn roles_of(name: &str) -> (Match, Vec<Slot>) {
    if let Ok(slot) = name.parse::<Slot>() {
        return (Match::Name, vec![slot]);
    }
    let plain = normal(name);
    if let Ok(role) = plain.parse::<Role>() {
        return (Match::Name, vec![role.into()]);
    }
    if let Some((roles, _)) = SYNONYMS.iter().find(|(_, list)| among(list, &plain)) {
        return (Match::Synonym, roles.iter().map(|&r| r.into()).collect());
    }
    let words: Vec<&str> = plain.split(' ').collect();
    if words.iter().any(|w| among(NOT_MEASURED, w)) {
        return (Match::Word, Vec::new());
    }
    let told = |list: &str| words.iter().any(|word| among(list, word));
    let roles = WORDS.iter().filter(|(_, list)| told(list));
    let roles: Vec<Slot> = roles.map(|&(role, _)| role.into()).collect();
    (
        Match::Word,
        if roles.len() == 1 { roles } else { Vec::new() },
    )
}

/// True if a name tells a role.
pub(crate) fn is_known(name: &str) -> bool {
    !roles_of(name).1.is_empty()
}

/// The roles that a name tells.
pub(crate) fn roles(name: &str) -> Vec<Role> {
    roles_of(name).1.iter().map(|slot| slot.role).collect()
}

/// Columns and the roles they were given.
pub(crate) type Found = Vec<(Slot, usize, Match)>;

/// Finds roles for the columns of a table; `taken` are given by the user, `units` overrides unit texts by column.
pub(crate) fn recognise(
    table: &Table,
    taken: &[Slot],
    units: &[Option<String>],
) -> Result<Found, DataError> {
    let fits = |slot: &Slot, column: usize| {
        let Some(text) = &units[column] else {
            return true;
        };
        let kinds = unit::kinds(text);
        let allowed: Vec<Quantity> = [false, true]
            .iter()
            .flat_map(|&r| slot.role.quantities(r))
            .copied()
            .collect();
        // An unknown unit does not speak against the role: it is refused with a message when the column is used.
        kinds.is_empty() || kinds.iter().any(|k| allowed.contains(k))
    };
    let mut candidates: Vec<(Slot, usize, Match)> = Vec::new();
    let like_table = table.channels.iter().any(|c| {
        roles_of(&c.name).1.iter().any(|s| {
            matches!(
                s.role,
                Role::Stiffness | Role::Storage | Role::TanDelta | Role::LossAngle
            )
        })
    });
    for (column, channel) in table.channels.iter().enumerate() {
        let (quality, mut slots) = roles_of(&channel.name);
        // A role's own name with a unit of another kind is a mistake to report, not another column.
        slots.retain(|slot| quality == Match::Name || fits(slot, column));
        if slots.len() > 1 {
            // `f` and `a`: the kind of file decides.
            slots = vec![if like_table {
                slots[slots.len() - 1]
            } else {
                slots[0]
            }];
        }
        candidates.extend(slots.into_iter().map(|slot| (slot, column, quality)));
    }
    let mut found: Found = Vec::new();
    let mut slots: Vec<Slot> = candidates.iter().map(|c| c.0).collect();
    slots.sort_unstable();
    slots.dedup();
    for slot in slots.into_iter().filter(|s| !taken.contains(s)) {
        let best = candidates.iter().filter(|c| c.0 == slot).map(|c| c.2).min();
        let matching: Vec<usize> = candidates
            .iter()
            .filter(|c| c.0 == slot && Some(c.2) == best)
            .map(|c| c.1)
            .collect();
        match (matching.as_slice(), best) {
            (&[column], Some(quality)) => found.push((slot, column, quality)),
            // Velocities and accelerations are extras: an ambiguous extra is left out.
            _ if matches!(
                slot.role,
                Role::Velocity | Role::Acceleration | Role::BaseAcceleration
            ) => {}
            _ => {
                return Err(DataError::AmbiguousRole {
                    file: table.source.file.clone(),
                    role: slot.to_string(),
                    candidates: matching
                        .iter()
                        .map(|&c| table.channels[c].label())
                        .collect(),
                });
            }
        }
    }
    if found.is_empty() && taken.is_empty() {
        found = by_unit(table, units);
    }
    if found.is_empty() && taken.is_empty() {
        found = by_shape_or_position(table, units);
    }
    Ok(found)
}

/// Columns without names but with units.
fn by_unit(table: &Table, units: &[Option<String>]) -> Found {
    let roles = [
        (Quantity::Time, Role::Time),
        (Quantity::Length, Role::Displacement),
        (Quantity::Angle, Role::Angle),
        (Quantity::Force, Role::Force),
        (Quantity::Torque, Role::Torque),
    ];
    let mut found = Vec::new();
    for (quantity, role) in roles {
        let of_kind = |c: &usize| {
            units[*c]
                .as_ref()
                .is_some_and(|u| unit::kinds(u).first() == Some(&quantity))
        };
        let columns: Vec<usize> = (0..table.channels.len()).filter(of_kind).collect();
        if let [column] = columns[..] {
            found.push((role.into(), column, Match::Unit));
        }
    }
    found
}

/// Columns without names and units: by their shape, or two or three as `[time,] displacement, force`.
fn by_shape_or_position(table: &Table, units: &[Option<String>]) -> Found {
    if !table.is_numbered() || units.iter().any(Option::is_some) {
        return Vec::new();
    }
    let found = shape::by_shape(table);
    if !found.is_empty() || !(2..=3).contains(&table.channels.len()) {
        return found;
    }
    let first = &table.channels[0].values;
    let clock = first.len() > 2 && first.windows(2).all(|w| w[1] > w[0]);
    let roles: &[Role] = match (table.channels.len(), clock) {
        (2, true) => &[Role::Time, Role::Displacement],
        (2, false) => &[Role::Displacement, Role::Force],
        (3, true) => &[Role::Time, Role::Displacement, Role::Force],
        _ => &[],
    };
    roles
        .iter()
        .enumerate()
        .map(|(column, &role)| (role.into(), column, Match::Position))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Channel, Source};
    use std::path::Path;

    fn table(names: &[&str]) -> (Table, Vec<Option<String>>) {
        let channels: Vec<Channel> = names
            .iter()
            .map(|n| {
                let (name, unit) = crate::import::text::header::split(n, &[]);
                Channel::new(name, unit, vec![0.0, 2.0, 1.0])
            })
            .collect();
        let units = channels.iter().map(|c| c.unit.clone()).collect();
        (
            Table::new("", channels, Source::new(Path::new("x.csv"), "text", 2)),
            units,
        )
    }

    fn found(names: &[&str]) -> Vec<String> {
        let (table, units) = table(names);
        let mut found: Vec<_> = recognise(&table, &[], &units).unwrap();
        found.sort_by_key(|f| f.1);
        found
            .iter()
            .map(|(slot, column, _)| format!("{}={slot}", names[*column]))
            .collect()
    }

    #[test]
    fn common_headers() {
        assert_eq!(
            found(&["t_s", "x_mm", "F_N"]),
            ["t_s=time", "x_mm=displacement", "F_N=force"]
        );
        assert_eq!(
            found(&["Time", "Axial Displacement", "Axial Load", "Axial Count"]).len(),
            3
        );
        assert_eq!(
            found(&["time", "accel_x", "disp_x", "reaction_x", "vel_x"]).len(),
            5
        );
        assert_eq!(
            found(&["f [Hz]", "A [mm]", "Kdyn [N/mm]", "delta [deg]"])[0],
            "f [Hz]=frequency"
        );
        assert_eq!(
            found(&["f", "a", "K*", "delta"])[..2],
            ["f=frequency", "a=amplitude"]
        );
        assert_eq!(
            found(&["displacement.1", "displacement.2", "load.1"]).len(),
            3
        );
        assert_eq!(found(&["1", "2"]), ["1=displacement", "2=force"]);
        assert_eq!(
            found(&["zeit [s]", "displacement command [mm]", "displacement [mm]"]).len(),
            2
        );
    }

    #[test]
    fn ambiguity_is_an_error() {
        let (table, units) = table(&["time", "disp_x", "disp_y"]);
        assert!(matches!(
            recognise(&table, &[], &units),
            Err(DataError::AmbiguousRole { .. })
        ));
        assert!(recognise(&table, &[Role::Displacement.into()], &units).is_ok());
    }
}
