//! Several pairs of displacement and force in one table: `x1, f1, x2, f2`, or `disp_a, force_a, disp_b, force_b`. Each pair is
//! a test of its own; columns that belong to none, such as the time, belong to all.

use crate::recognise;
use crate::role::{Role, Slot};
use crate::table::Table;

/// The columns of one pair.
struct Pair {
    suffix: String,
    /// Role and place of its columns.
    columns: Vec<(Slot, usize)>,
}

impl Pair {
    fn has(&self, straight: Role, turning: Role) -> bool {
        let plays = |(slot, _): &&(Slot, usize)| slot.role == straight || slot.role == turning;
        self.columns.iter().filter(plays).count() == 1
    }

    fn is_complete(&self) -> bool {
        self.has(Role::Displacement, Role::Angle) && self.has(Role::Force, Role::Torque)
    }
}

/// A part of a table, and the columns that it is read by.
pub(crate) type Part = (Table, Vec<(Slot, String)>);

/// The pairs of a table as parts; nothing where its columns tell one test, or no pair.
pub(crate) fn parts(table: &Table) -> Vec<Part> {
    let units: Vec<Option<String>> = table.channels.iter().map(|c| c.unit.clone()).collect();
    if let Ok(found) = recognise::recognise(table, &[], &units) {
        let has = |roles: [Role; 2]| found.iter().any(|(slot, ..)| roles.contains(&slot.role));
        if has([Role::Displacement, Role::Angle]) && has([Role::Force, Role::Torque]) {
            return Vec::new();
        }
    }
    let mut pairs: Vec<Pair> = Vec::new();
    for (column, channel) in table.channels.iter().enumerate() {
        let Some((role, suffix)) = split(&channel.name) else {
            continue;
        };
        let own = (role.into(), column);
        match pairs
            .iter_mut()
            .find(|p| p.suffix.eq_ignore_ascii_case(suffix))
        {
            Some(pair) => pair.columns.push(own),
            None => pairs.push(Pair {
                suffix: suffix.to_owned(),
                columns: vec![own],
            }),
        }
    }
    pairs.retain(Pair::is_complete);
    let paired: Vec<usize> = pairs
        .iter()
        .flat_map(|p| p.columns.iter().map(|c| c.1))
        .collect();
    let part = |pair: &Pair| {
        let own = |k: usize| pair.columns.iter().any(|(_, column)| *column == k);
        let mut part = table.clone();
        let mut place = 0;
        part.channels.retain(|_| {
            place += 1;
            own(place - 1) || !paired.contains(&(place - 1))
        });
        let picked = table.part.rsplit('.').next() == Some(&pair.suffix);
        part.part = match table.part.as_str() {
            "" => pair.suffix.clone(),
            own if picked => own.to_owned(),
            own => format!("{own}.{}", pair.suffix),
        };
        let named = |(slot, column): &(Slot, usize)| (*slot, table.channels[*column].name.clone());
        (part, pair.columns.iter().map(named).collect())
    };
    pairs.iter().map(part).collect()
}

/// The role that a name tells without its number, or without what stands behind its last separator; and that.
fn split(name: &str) -> Option<(Role, &str)> {
    if name.parse::<Slot>().is_ok() {
        // `displacement.1` is the first of several masses.
        return None;
    }
    let separators = ['_', '-', '.', ' '];
    let number = name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let at = if number < name.len() {
        number
    } else {
        name.rfind(separators)? + 1
    };
    let (stem, suffix) = name.split_at(at);
    let stem = stem.trim_end_matches(separators);
    let mut roles = recognise::roles(stem).into_iter();
    let role = roles.next().filter(|role| *role < Role::Load)?;
    (!suffix.is_empty()).then_some((role, suffix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Channel, Source};
    use std::path::Path;

    fn found(names: &[&str]) -> Vec<String> {
        let channel = |name: &&str| Channel::new(*name, None, vec![0.0, 2.0, 1.0]);
        let source = Source::new(Path::new("x.csv"), "text", 2);
        let table = Table::new("", names.iter().map(channel).collect(), source);
        let told = |(table, columns): &Part| {
            let columns: Vec<String> = columns.iter().map(|(s, c)| format!("{s}={c}")).collect();
            format!(
                "{}: {} of {}",
                table.part,
                columns.join(","),
                table.channels.len()
            )
        };
        parts(&table).iter().map(told).collect()
    }

    #[test]
    fn pairs_by_number_and_by_name() {
        assert_eq!(
            found(&["t", "x1", "f1", "x2", "f2"]),
            [
                "1: displacement=x1,force=f1 of 3",
                "2: displacement=x2,force=f2 of 3"
            ]
        );
        assert_eq!(
            found(&["time", "disp_slow", "force_slow", "disp_fast", "force_fast"]),
            [
                "slow: displacement=disp_slow,force=force_slow of 3",
                "fast: displacement=disp_fast,force=force_fast of 3"
            ]
        );
        // One pair whose names nobody would recognise otherwise; its time is its own.
        assert_eq!(
            found(&["t1", "x1", "f1"]),
            ["1: time=t1,displacement=x1,force=f1 of 3"]
        );
    }

    #[test]
    fn one_test_is_not_cut() {
        assert!(found(&["t", "x", "F", "x2", "F2"]).is_empty());
        assert!(found(&["time", "disp_x", "force_x"]).is_empty());
        assert!(found(&["displacement.1", "displacement.2", "load.1"]).is_empty());
        assert!(found(&["x1", "x2"]).is_empty());
        assert!(found(&["1", "2"]).is_empty());
    }
}
