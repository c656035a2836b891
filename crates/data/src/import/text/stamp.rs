//! Date and time stamps as seconds.
//!
//! Only differences matter: the origin is midnight of 1 March of year 0. Day and month are told apart by the separator
//! (`.` day first, `/` month first, `-` year first) unless a number above 12 says otherwise.

/// A stamp: day and seconds are kept apart, since their sum would lose microseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stamp {
    /// Days since the origin, if a date was given.
    pub(crate) day: Option<f64>,
    /// Seconds since midnight.
    pub(crate) seconds: f64,
}

/// Reads a trimmed cell as a stamp: `04/29/2022 12:11:14.596 PM`, `29.04.2022 12:11:14,596`, ISO 8601, `12:11:14.596`.
pub(crate) fn parse(text: &[u8]) -> Option<Stamp> {
    if text.len() < 5 || text.len() > 40 || !text[0].is_ascii_digit() {
        return None;
    }
    let text = std::str::from_utf8(text).ok()?;
    let first = text.find([':', '/', '-', '.'])?;
    if text.as_bytes()[first] == b':' {
        return Some(Stamp {
            day: None,
            seconds: clock(text)?,
        });
    }
    let end = text.find(['T', ' ', '\t']).unwrap_or(text.len());
    let day = days(&text[..end])?;
    let rest = text[end..].trim_start_matches(['T', ' ', '\t']);
    let seconds = if rest.is_empty() { 0.0 } else { clock(rest)? };
    Some(Stamp {
        day: Some(day),
        seconds,
    })
}

fn clock(text: &str) -> Option<f64> {
    let mut text = text.trim().trim_end_matches('Z');
    let mut shift = None;
    for (mark, hours) in [("AM", 0.0), ("PM", 12.0), ("am", 0.0), ("pm", 12.0)] {
        if let Some(rest) = text.strip_suffix(mark) {
            text = rest.trim_end();
            shift = Some(hours);
        }
    }
    // A zone offset shifts every stamp alike.
    if let Some(at) = text.rfind(['+', '-']) {
        text = &text[..at];
    }
    let mut parts = text.split(':');
    let hours = whole(parts.next()?)?;
    let minutes = whole(parts.next()?)?;
    let seconds = match parts.next() {
        Some(part) => {
            let part = part.replace(',', ".");
            if !part.starts_with(|c: char| c.is_ascii_digit()) {
                return None;
            }
            part.parse::<f64>().ok()?
        }
        None => 0.0,
    };
    let seconds = match parts.next() {
        // LabVIEW: hours:minutes:seconds:milliseconds
        Some(ms) => seconds + whole(ms)? / 1e3,
        None => seconds,
    };
    if parts.next().is_some() || minutes >= 60.0 || !(0.0..62.0).contains(&seconds) {
        return None;
    }
    let hours = match shift {
        Some(_) if hours > 12.0 => return None,
        Some(shift) => hours % 12.0 + shift,
        None => hours,
    };
    Some(hours * 3600.0 + minutes * 60.0 + seconds)
}

fn whole(text: &str) -> Option<f64> {
    let text = text.trim();
    (!text.is_empty() && text.len() <= 4 && text.bytes().all(|b| b.is_ascii_digit()))
        .then(|| text.parse().ok())
        .flatten()
}

/// Days since the origin (Hinnant's civil calendar).
fn days(text: &str) -> Option<f64> {
    let separator = text.find(['/', '-', '.']).map(|at| text.as_bytes()[at])?;
    let mut parts = text.split(char::from(separator));
    let (a, b, c) = (
        whole(parts.next()?)?,
        whole(parts.next()?)?,
        whole(parts.next()?)?,
    );
    if parts.next().is_some() {
        return None;
    }
    let (year, month, day) = if a > 31.0 {
        (a, b, c)
    } else if a > 12.0 || (separator == b'.' && b <= 12.0) {
        (c, b, a)
    } else {
        (c, a, b)
    };
    if !(1.0..=12.0).contains(&month) || !(1.0..=31.0).contains(&day) {
        return None;
    }
    let year = if year < 100.0 { year + 2000.0 } else { year };
    let y = if month <= 2.0 { year - 1.0 } else { year };
    let m = (month + 9.0) % 12.0;
    let leap = (y / 4.0).floor() - (y / 100.0).floor() + (y / 400.0).floor();
    Some(365.0 * y + leap + ((153.0 * m + 2.0) / 5.0).floor() + day - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(text: &str) -> f64 {
        let stamp = parse(text.as_bytes()).unwrap_or_else(|| panic!("{text}"));
        stamp.day.unwrap_or(0.0) * 86_400.0 + stamp.seconds
    }

    #[test]
    fn the_same_moment_in_many_spellings() {
        let iso = seconds("2022-04-29 12:11:14.596");
        for text in [
            "04/29/2022 12:11:14.596 PM",
            "29.04.2022 12:11:14,596",
            "2022-04-29T12:11:14.596Z",
            "2022/04/29 12:11:14.596",
            "29/04/2022 12:11:14:596",
            "2022-04-29T12:11:14.596+02:00",
        ] {
            assert!((seconds(text) - iso).abs() < 1e-4, "{text}");
        }
        assert!(
            (seconds("2022-05-01 00:00:00") - seconds("2022-04-30 00:00:00") - 86_400.0).abs()
                < 1e-9
        );
        assert_eq!(seconds("12:11:14.5"), 43_874.5);
        assert_eq!(seconds("12:00:00 AM"), 0.0);
    }

    #[test]
    fn numbers_are_not_stamps() {
        for text in [
            "1.5",
            "-1.5",
            "1-2",
            "1/2",
            "12345.6",
            "1e-5",
            "29.04",
            "",
            "abc:de",
            "1:2:3:4:5",
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }
}
