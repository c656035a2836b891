//! Parameters with their intervals, as a table and as a picture.

use super::Report;
use super::view::View;
use masing_identify::{Found, Status};
use masing_report::figures::{readable_beside, readable_unit, significant};
use masing_report::{Block, Interval, Intervals, Section, Table};

/// Table, picture, and what was found beside the parameters.
pub fn section(report: &Report<'_>, view: &View) -> Section {
    let units = report.model.params().into_iter().map(|(_, p)| p.unit);
    let found: Vec<(&Found, String)> = report.fit.parameters.iter().zip(units).collect();
    let mut left = vec![Block::Table(table(&found))];
    left.extend(others(report).map(Block::Table));
    let rows: Vec<Interval> = found.iter().filter_map(|(p, _)| interval(p)).collect();
    let mut columns = vec![left];
    if !rows.is_empty() {
        columns.push(vec![Block::Intervals(Intervals {
            title: "How well each parameter is determined".to_owned(),
            axis: "95 % interval, relative to the value".to_owned(),
            rows,
        })]);
    }
    let mut blocks = vec![Block::Columns(columns)];
    if view.tests.iter().filter(|t| !t.held_out).count() == 1 {
        let text = "The intervals come from one test; how parts and tests scatter is not in them.";
        blocks.push(Block::Text(text.to_owned()));
    }
    Section::new("Parameters", blocks)
}

/// Values with their intervals.
pub fn table(found: &[(&Found, String)]) -> Table {
    let rows = found.iter().map(|(p, unit)| {
        let (unit, factor) = readable_unit(unit);
        let firm = p.status != Status::Unidentifiable;
        let ends = p.ci95.filter(|_| firm).map(|ci| ci.map(|v| v / factor));
        let (value, ends) = match ends {
            None if !firm => (significant(p.value / factor, 3), String::new()),
            ends => figures(p.value / factor, ends),
        };
        vec![
            p.address.clone(),
            value,
            ends,
            unit.to_owned(),
            status(p.status).to_owned(),
        ]
    });
    Table {
        header: ["parameter", "value", "95 % interval", "unit", ""]
            .map(str::to_owned)
            .to_vec(),
        rows: rows.collect(),
        note: found
            .iter()
            .any(|(p, _)| p.status == Status::Unidentifiable)
            .then(|| {
                "not determined: these tests say nothing about it, or only together with others"
                    .to_owned()
            }),
        words: false,
        word_columns: vec![0, 3, 4],
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

fn status(status: Status) -> &'static str {
    match status {
        Status::Ok => "",
        Status::AtBound => "at the edge of its range",
        Status::PoorlyDetermined => "roughly determined",
        Status::Unidentifiable => "not determined",
        Status::Fixed => "given",
    }
}

/// A row of the picture; parameters that were given have none.
pub fn interval(found: &Found) -> Option<Interval> {
    let ci95 = found.ci95?;
    let ratio = Interval::ratio(found.value, ci95);
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

/// Offsets, delays and masses that were found with the parameters.
fn others(report: &Report<'_>) -> Option<Table> {
    let rows: Vec<Vec<String>> = report
        .document
        .other_rows
        .iter()
        .zip(&report.fit.others)
        .map(|(row, other)| {
            let (unit, factor) = readable_beside(&row.unit);
            let ends = other.ci95.map(|v| v / factor);
            let (value, ends) = figures(other.value / factor, Some(ends));
            vec![row.address.clone(), value, ends, unit.to_owned()]
        })
        .collect();
    (!rows.is_empty()).then(|| Table {
        header: ["found beside them", "value", "95 % interval", "unit"]
            .map(str::to_owned)
            .to_vec(),
        rows,
        note: None,
        words: false,
        word_columns: vec![0, 3],
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
