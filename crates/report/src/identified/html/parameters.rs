//! Parameters with their intervals, as a table and as a picture.

use crate::figures::{readable_beside, readable_unit, significant};
use crate::{Block, Interval, Intervals, Table};
use masing_identify::result::Role;
use masing_identify::{Estimate, Identified, Status};

/// Table, plot and nuisances; side by side where names are short.
pub fn blocks(found: &Identified, beside: bool) -> Vec<Block> {
    let mut left = vec![Block::Table(parameters(&found.estimates))];
    if !found.nuisance.is_empty() {
        left.push(Block::Table(nuisance(&found.nuisance)));
    }
    let rows: Vec<Interval> = found.estimates.iter().filter_map(interval).collect();
    let right = (!rows.is_empty()).then(|| {
        Block::Intervals(Intervals {
            title: "How well each parameter is determined".to_owned(),
            axis: "95 % interval, relative to the value".to_owned(),
            rows,
        })
    });
    let mut blocks = if beside {
        let columns = std::iter::once(left).chain(right.map(|picture| vec![picture]));
        vec![Block::Columns(columns.collect())]
    } else {
        left.into_iter().chain(right).collect()
    };
    let fitted = found.comparisons.iter().filter(|c| c.role == Role::Fitted);
    if fitted.count() == 1 {
        let text = "The intervals come from one test; how parts and tests scatter is not in them.";
        blocks.push(Block::Text(text.to_owned()));
    }
    blocks
}

/// Values with their intervals.
fn parameters(estimates: &[Estimate]) -> Table {
    let open = |e: &Estimate| e.status == Status::Unidentifiable;
    let rows = estimates.iter().map(|e| {
        let mut row = cells(e, readable_unit(&e.unit));
        if open(e) {
            // An interval as wide as the range says nothing.
            row[1] = significant(e.value / readable_unit(&e.unit).1, 3);
            row[2].clear();
        }
        if e.status == Status::PerTest {
            row[1].clear();
        }
        row.push(status(e.status).to_owned());
        row
    });
    let header = ["parameter", "value", "95 % interval", "unit", ""];
    let table = Table::new(header, rows).with_words([0, 3, 4]);
    if !estimates.iter().any(open) {
        return table;
    }
    table
        .with_note("not determined: these tests say nothing about it, or only together with others")
}

/// Offsets, delays and masses that were estimated with the parameters.
fn nuisance(estimates: &[Estimate]) -> Table {
    let rows = estimates.iter().map(|e| cells(e, readable_beside(&e.unit)));
    Table::new(["also estimated", "value", "95 % interval", "unit"], rows).with_words([0, 3])
}

/// Name, value, interval and unit.
fn cells(e: &Estimate, (unit, factor): (&str, f64)) -> Vec<String> {
    let ends = e.interval.map(|ends| ends.map(|v| v / factor));
    let (value, ends) = figures(e.value / factor, ends);
    vec![e.address.clone(), value, ends, unit.to_owned()]
}

fn status(status: Status) -> &'static str {
    match status {
        Status::Ok => "",
        Status::AtBound => "at the edge of its range",
        Status::PoorlyDetermined => "roughly determined",
        Status::Unidentifiable => "not determined",
        Status::Fixed => "given",
        Status::PerTest => "per test",
    }
}

/// A value and both ends of its interval, with as many digits as the interval allows.
fn figures(value: f64, ci95: Option<[f64; 2]>) -> (String, String) {
    let Some([low, high]) = ci95.filter(|ci| ci.iter().all(|v| v.is_finite())) else {
        return (significant(value, 5), String::new());
    };
    let size = value.abs().max(low.abs()).max(high.abs());
    // Two digits of what is uncertain.
    let half = 0.5 * (high - low);
    let digits = size.log10().floor() - half.log10().floor() + 2.0;
    let digits = if digits.is_finite() {
        digits.clamp(3.0, 7.0) as u8
    } else {
        5
    };
    let text = |v| significant(v, digits);
    (text(value), format!("{} to {}", text(low), text(high)))
}

/// A row of the picture; parameters that were given have none.
fn interval(found: &Estimate) -> Option<Interval> {
    let ends = found.interval?;
    let ratio = Interval::ratio(found.value, ends);
    let text = match ratio {
        None => "value is 0".to_owned(),
        Some([low, high]) => {
            let half = 0.5 * (high - low);
            if half < 1.0 {
                format!("± {} %", significant(100.0 * half, 2))
            } else if high > 100.0 || low < -100.0 {
                "beyond a factor of 100".to_owned()
            } else {
                let [low, high] = [low, high].map(|r| significant(r, 2));
                format!("× {low} to {high}")
            }
        }
    };
    Some(Interval {
        name: found.address.clone(),
        text,
        ratio,
        firm: matches!(found.status, Status::Ok | Status::AtBound),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_follow_the_interval() {
        let of = |value, low, high| figures(value, Some([low, high]));
        assert_eq!(
            of(800.123, 799.9, 800.35),
            ("800.12".into(), "799.9 to 800.35".into())
        );
        assert_eq!(of(0.15, 0.05, 0.45), ("0.15".into(), "0.05 to 0.45".into()));
        assert_eq!(of(5.0, 5.0, 5.0), ("5".into(), "5 to 5".into()));
        assert_eq!(figures(3.0, None), ("3".into(), String::new()));
        assert_eq!(
            of(1.0, f64::NEG_INFINITY, f64::INFINITY),
            ("1".into(), String::new())
        );
    }
}
