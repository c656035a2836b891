//! Dynamic stiffness tables from columns, long or wide.

use masing_diagnostic::{Diagnostic, Missing, ReadingDiagnostic};
use std::f64::consts::FRAC_PI_2;

use crate::error::DataError;
use crate::harmonic::{HarmonicPoint, HarmonicTable};
use crate::options::{AmplitudeKind, ReadOptions};
use crate::preload::Preload;
use crate::record::{Signal, UnitFrom};
use crate::role::Role;
use crate::table::{Channel, Table};
use crate::unit::{self, Quantity};

/// Turns a wide table (frequency down, amplitude across, or the other way round) into a long one; says whether it was wide.
pub(super) fn unfold(
    table: &mut Table,
    options: &ReadOptions,
    findings: &mut Vec<Diagnostic>,
) -> bool {
    if !options.columns.is_empty()
        || table.channels.len() < 2
        || table.channels[0].values.is_empty()
    {
        return false;
    }
    let down = &table.channels[0];
    let corner = down.name.to_lowercase();
    let heads: Option<Vec<Head>> = table.channels[1..].iter().map(Head::parse).collect();
    let Some(heads) = heads else { return false };
    let is_frequency = |u: &Option<String>| {
        u.as_ref()
            .is_some_and(|u| unit::kinds(u).contains(&Quantity::Frequency))
    };
    let down_is_frequency =
        is_frequency(&down.unit) || corner.starts_with('f') || corner.contains("hz");
    if table.is_numbered() || !(down_is_frequency || corner.starts_with('a')) {
        return false;
    }
    let across_is_frequency = !down_is_frequency || heads.iter().any(|h| is_frequency(&h.unit));
    let (across, along) = if across_is_frequency {
        (Role::Frequency, Role::Amplitude)
    } else {
        (Role::Amplitude, Role::Frequency)
    };
    let rows = down.values.len();
    let mut lines = Vec::new();
    let columns = heads.len();
    let mut long = [Vec::new(), Vec::new(), Vec::new()];
    for (head, channel) in heads.iter().zip(&table.channels[1..]) {
        for row in 0..rows {
            lines.push((lines.len(), table.source.line(row)));
            long[0].push(down.values[row]);
            long[1].push(head.value);
            long[2].push(channel.values.get(row).copied().unwrap_or(f64::NAN));
        }
    }
    let value = value_role(&corner, table);
    let value_unit = table.channels[1].unit.clone().filter(|u| {
        let kinds = unit::kinds(u);
        value
            .quantities(false)
            .iter()
            .chain(value.quantities(true))
            .any(|q| kinds.contains(q))
    });
    let [first, second, third] = long;
    let down_unit = down.unit.clone();
    let head_unit = heads[0].unit.clone();
    let wide = ReadingDiagnostic::WideTable {
        down: along.to_string(),
        across: across.to_string(),
        columns,
        inside: value.to_string(),
    };
    findings.push(wide.into());
    table.channels = vec![
        Channel::new(along.name(), down_unit, first),
        Channel::new(across.name(), head_unit, second),
        Channel::new(value.name(), value_unit, third),
    ];
    table.source.lines = lines;
    true
}

/// What a wide table holds, from its corner or sheet name.
fn value_role(corner: &str, table: &Table) -> Role {
    let words = format!("{corner} {}", table.part.to_lowercase());
    let has = |list: &[&str]| list.iter().any(|w| words.contains(w));
    if has(&["tan"]) {
        Role::TanDelta
    } else if has(&["delta", "phase", "loss angle", "loss_angle", "winkel"]) {
        Role::LossAngle
    } else if has(&["k''", "loss"]) {
        Role::Loss
    } else if has(&["k'", "storage"]) {
        Role::Storage
    } else {
        Role::Stiffness
    }
}

/// The number at the top of a column: `0.1`, `0.1 mm`, `A = 0.1mm`, `0.1 [mm]`.
struct Head {
    value: f64,
    unit: Option<String>,
}

impl Head {
    fn parse(channel: &Channel) -> Option<Head> {
        let text = channel
            .name
            .rsplit(['=', ':'])
            .next()?
            .trim()
            .trim_start_matches(['±', '+'])
            .trim();
        let end = text
            .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | 'e' | 'E')))
            .unwrap_or(text.len());
        let value: f64 = text[..end].parse().ok()?;
        let rest = text[end..].trim();
        let own = (!rest.is_empty()).then(|| rest.to_owned());
        if own.as_ref().is_some_and(|u| unit::kinds(u).is_empty()) {
            return None;
        }
        let head_kinds = [Quantity::Length, Quantity::Angle, Quantity::Frequency];
        let bracket = channel
            .unit
            .clone()
            .filter(|u| unit::kinds(u).iter().any(|k| head_kinds.contains(k)));
        value.is_finite().then_some(Head {
            value,
            unit: own.or(bracket),
        })
    }
}

/// The rows of a table.
pub(super) fn table(
    table: &Table,
    signals: &[Signal],
    rotation: bool,
    options: &ReadOptions,
    findings: &mut Vec<Diagnostic>,
) -> Result<HarmonicTable, DataError> {
    let column = |role: Role| signals.iter().find(|s| s.slot.role == role);
    let missing = |role: &str| DataError::MissingRole {
        file: table.source.file.clone(),
        role: role.to_owned(),
        available: table.available(),
    };
    let frequency = column(Role::Frequency).ok_or_else(|| missing("frequency"))?;
    let amplitude = column(Role::Amplitude).ok_or_else(|| missing("amplitude"))?;
    let answer = Answer::new(signals).ok_or_else(|| missing("stiffness"))?;
    answer.check_units(table)?;
    let peak_to_peak =
        options.amplitude == AmplitudeKind::PeakToPeak || says_peak_to_peak(&amplitude.column);
    if peak_to_peak {
        findings.push(ReadingDiagnostic::PeakToPeak {}.into());
    }
    let scale = if peak_to_peak { 0.5 } else { 1.0 };
    let mut points = Vec::new();
    let mut dropped = 0;
    let mut last = (f64::NAN, f64::NAN);
    for row in 0..frequency.values.len() {
        // Merged cells leave blanks below the first: frequency and amplitude carry on.
        let carry = |value: f64, last: f64| if value.is_nan() { last } else { value };
        last = (
            carry(frequency.values[row], last.0),
            carry(amplitude.values[row], last.1),
        );
        let (stiffness, loss_angle) = answer.at(row);
        let known = [stiffness, last.0, last.1].iter().all(|v| v.is_finite());
        if !known || loss_angle.is_infinite() {
            dropped += 1;
            continue;
        }
        let bad = |role: Role, found: f64, reason: &str| DataError::TableValue {
            file: table.source.file.clone(),
            line: table.source.line(row),
            role: role.to_string(),
            found,
            reason: reason.to_owned(),
        };
        if stiffness <= 0.0 {
            return Err(bad(
                Role::Stiffness,
                stiffness,
                "expected a positive stiffness",
            ));
        }
        if last.0 < 0.0 || last.1 <= 0.0 {
            return Err(bad(
                Role::Amplitude,
                last.1,
                "expected a positive amplitude and frequency",
            ));
        }
        if loss_angle > FRAC_PI_2 {
            return Err(bad(
                Role::LossAngle,
                loss_angle,
                "above pi/2 rad; 180 - delta, or a wrong unit?",
            ));
        }
        points.push(HarmonicPoint {
            frequency: last.0,
            amplitude: scale * last.1,
            stiffness,
            loss_angle,
            preload: column(Role::Preload).map(|s| match s.quantity {
                Quantity::Force | Quantity::Torque => Preload::Force(s.values[row]),
                _ => Preload::Motion(s.values[row]),
            }),
        });
    }
    if dropped > 0 {
        let missing = Missing::Rows { count: dropped };
        findings.push(ReadingDiagnostic::Gap { missing }.into());
    }
    if points.is_empty() {
        return Err(DataError::Empty {
            file: table.source.file.clone(),
            what: "no complete row in the table".into(),
        });
    }
    Ok(HarmonicTable {
        points,
        rotation,
        source: table.source.clone(),
    })
}

fn says_peak_to_peak(column: &str) -> bool {
    let words = column.to_lowercase().replace(['_', '-', ' '], "");
    let words = words.split('[').next().unwrap_or_default().to_owned();
    ["peaktopeak", "pp)", "(pp", "p2p", "pkpk"]
        .iter()
        .any(|w| words.contains(w))
        || words.ends_with("pp")
}

/// The columns that give stiffness and loss angle.
enum Answer<'a> {
    Polar {
        stiffness: &'a Signal,
        angle: Option<&'a Signal>,
        tan: Option<&'a Signal>,
    },
    Cartesian {
        storage: &'a Signal,
        loss: Option<&'a Signal>,
        tan: Option<&'a Signal>,
    },
}

impl<'a> Answer<'a> {
    fn new(signals: &'a [Signal]) -> Option<Self> {
        let column = |role: Role| signals.iter().find(|s| s.slot.role == role);
        let tan = column(Role::TanDelta);
        if let Some(storage) = column(Role::Storage) {
            return Some(Answer::Cartesian {
                storage,
                loss: column(Role::Loss),
                tan,
            });
        }
        column(Role::Stiffness).map(|stiffness| Answer::Polar {
            stiffness,
            angle: column(Role::LossAngle),
            tan,
        })
    }

    /// A loss angle above pi/2 without a unit was not meant in rad.
    fn check_units(&self, table: &Table) -> Result<(), DataError> {
        let Answer::Polar {
            angle: Some(angle), ..
        } = self
        else {
            return Ok(());
        };
        if angle.unit_from != UnitFrom::Assumed {
            return Ok(());
        }
        match angle.values.iter().position(|v| *v > FRAC_PI_2) {
            Some(row) => Err(DataError::TableValue {
                file: table.source.file.clone(),
                line: table.source.line(row),
                role: Role::LossAngle.to_string(),
                found: angle.values[row],
                reason: "above pi/2 and the column has no unit; degrees? then `--units loss_angle=deg`; or is it 90 - delta?".into(),
            }),
            None => Ok(()),
        }
    }

    /// |K*| and loss angle of a row; NaN where the table gives none.
    fn at(&self, row: usize) -> (f64, f64) {
        match self {
            Answer::Polar {
                stiffness,
                angle,
                tan,
            } => {
                let loss = match (angle, tan) {
                    (Some(angle), _) => angle.values[row],
                    (None, Some(tan)) => tan.values[row].atan(),
                    (None, None) => f64::NAN,
                };
                (stiffness.values[row], loss)
            }
            Answer::Cartesian { storage, loss, tan } => {
                let k = storage.values[row];
                match (loss, tan) {
                    (Some(loss), _) => (k.hypot(loss.values[row]), loss.values[row].atan2(k)),
                    (None, Some(tan)) => (k.hypot(k * tan.values[row]), tan.values[row].atan()),
                    (None, None) => (k, f64::NAN),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{DataError, ReadOptions, experiment, import};
    use std::io::Cursor;
    use std::path::Path;

    fn points(text: &str, options: &ReadOptions) -> Result<Vec<crate::HarmonicPoint>, DataError> {
        let input = Box::new(Cursor::new(text.as_bytes().to_vec()));
        let table = import::text::read(Path::new("k.csv"), Vec::new(), input)
            .unwrap()
            .remove(0);
        Ok(experiment(table, options)?.harmonic()?.points.clone())
    }

    #[test]
    fn the_same_table_in_many_forms() {
        let options = ReadOptions::default();
        let (k, d) = (500e3_f64, 0.1_f64);
        let forms = [
            format!(
                "frequency [Hz],amplitude [mm],stiffness [N/mm],loss_angle [deg]\n5,0.1,500,{}\n",
                d.to_degrees()
            ),
            format!("f,a,K*,delta\n5,1e-4,5e5,{d}\n"),
            format!(
                "f [Hz],Amplitude_pp [mm],Kdyn [kN/mm],tan delta\n5,0.2,0.5,{}\n",
                d.tan()
            ),
            format!(
                "f [Hz],amp [mm],K' [N/mm],K'' [N/mm]\n5,0.1,{},{}\n",
                500.0 * d.cos(),
                500.0 * d.sin()
            ),
            format!(
                "frequency [Hz],amplitude [mm],storage [N/mm],tan_delta\n5,0.1,{},{}\n",
                500.0 * d.cos(),
                d.tan()
            ),
        ];
        for text in forms {
            let found = points(&text, &options).unwrap_or_else(|e| panic!("{text}: {e}"));
            let p = found[0];
            assert_eq!(found.len(), 1);
            assert!((p.frequency - 5.0).abs() < 1e-12, "{text}");
            assert!((p.amplitude / 1e-4 - 1.0).abs() < 1e-12, "{text} {p:?}");
            assert!((p.stiffness / k - 1.0).abs() < 1e-12, "{text} {p:?}");
            assert!((p.loss_angle - d).abs() < 1e-12, "{text} {p:?}");
        }
    }

    #[test]
    fn wide_tables() {
        let mut options = ReadOptions::default();
        options.parse_units("stiffness=N/mm").unwrap();
        for head in [
            "f [Hz],0.1 mm,0.5 mm",
            "f [Hz],0.1 [mm],0.5 [mm]",
            "f [Hz],A=0.1mm,A=0.5mm",
        ] {
            let found = points(&format!("{head}\n1,500,400\n2,510,410\n"), &options).unwrap();
            assert_eq!(found.len(), 4, "{head}");
            assert!(
                (found[2].amplitude - 5e-4).abs() < 1e-15 && found[2].frequency == 1.0,
                "{head}"
            );
            assert_eq!(found[3].stiffness, 410e3);
            assert!(found[0].loss_angle.is_nan());
        }
    }

    #[test]
    fn angles_that_cannot_be_are_refused() {
        let options = ReadOptions::default();
        let error = points("f,a,K*,delta\n5,1e-4,5e5,12\n", &options).unwrap_err();
        assert!(error.to_string().contains("degrees"), "{error}");
        assert!(points("f,a,K*,delta [deg]\n5,1e-4,5e5,120\n", &options).is_err());
        assert!(points("f,a,K*,delta [deg]\n5,1e-4,-5e5,12\n", &options).is_err());
        let mut degrees = ReadOptions::default();
        degrees.parse_units("loss_angle=deg").unwrap();
        assert!(points("f,a,K*,delta\n5,1e-4,5e5,12\n", &degrees).is_ok());
    }

    #[test]
    fn a_missing_amplitude_can_be_given() {
        let mut options = ReadOptions::default();
        let text = "frequency,stiffness,loss_angle\n5,5e5,0.1\n";
        assert!(matches!(
            points(text, &options),
            Err(DataError::MissingRole { .. })
        ));
        options.parse_columns("amplitude=0.1mm").unwrap();
        assert!((points(text, &options).unwrap()[0].amplitude - 1e-4).abs() < 1e-18);
    }
}
