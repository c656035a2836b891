//! Which sines the tests contain, at least roughly: amplitudes and frequencies that a picture should show.

use super::test::counted;
use masing_data::{Preload, cycles};
use masing_identify::result::{Comparison, Curves, RecordCurves};

/// Amplitudes that differ by less than this ratio are one.
pub const SAME: f64 = 1.1;
/// The picture spans at least this ratio of frequencies.
const LEAST_SPAN: f64 = 10.0;

/// A sinusoidal motion that the tests contain, at least roughly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Covered {
    pub amplitude: f64,
    pub frequency: f64,
    /// Middle of the motion, beside the preload.
    pub middle: f64,
    pub preload: Preload,
    /// A row of a table, which a picture can show beside the model.
    row: bool,
}

impl Covered {
    /// A sine about the middle.
    #[cfg(test)]
    pub fn sine(amplitude: f64, frequency: f64) -> Self {
        Self {
            amplitude,
            frequency,
            middle: 0.0,
            preload: Preload::default(),
            row: false,
        }
    }
}

/// The sines of all tests.
pub fn covered(tests: &[Comparison]) -> Vec<Covered> {
    let tests = tests.iter();
    tests.flat_map(|test| covered_by(&test.curves)).collect()
}

/// The sines of a test.
fn covered_by(curves: &Curves) -> Vec<Covered> {
    match curves {
        // Without time there is no frequency.
        Curves::Record(record) if counted(&record.time) => Vec::new(),
        Curves::Record(record) => cycles_of(record),
        Curves::Sines(sines) => sines
            .iter()
            .map(|sine| Covered {
                amplitude: sine.amplitude,
                frequency: sine.frequency,
                middle: 0.0,
                preload: sine.preload,
                row: true,
            })
            .collect(),
        Curves::Masses(_) => Vec::new(),
    }
}

/// The cycles of a record; a record without a full cycle counts as part of one.
fn cycles_of(record: &RecordCurves) -> Vec<Covered> {
    let found = cycles::cycles(&record.x, None, Some(&record.time));
    let whole: Vec<Covered> = found
        .iter()
        .filter_map(|cycle| {
            Some(Covered {
                amplitude: cycle.amplitude,
                frequency: cycle.frequency?,
                middle: cycle.offset,
                preload: record.preload,
                row: false,
            })
        })
        .collect();
    if whole.is_empty() {
        stroke(record).into_iter().collect()
    } else {
        whole
    }
}

/// A record without a full cycle: half its range, and the frequency at which a cycle of four such strokes has the mean
/// speed of the record.
fn stroke(record: &RecordCurves) -> Option<Covered> {
    let (time, x) = (&record.time, &record.x);
    let middle = cycles::offset(x);
    let amplitude = x.iter().fold(0.0_f64, |m, x| m.max((x - middle).abs()));
    let (mut path, mut moving) = (0.0, 0.0);
    for i in 1..x.len() {
        let dx = (x[i] - x[i - 1]).abs();
        path += dx;
        moving += if dx > 0.0 { time[i] - time[i - 1] } else { 0.0 };
    }
    let frequency = path / (4.0 * amplitude * moving);
    (amplitude > 0.0 && frequency.is_finite() && frequency > 0.0).then_some(Covered {
        amplitude,
        frequency,
        middle,
        preload: record.preload,
        row: false,
    })
}

/// Lowest and highest frequency of the tests.
pub fn span(covered: &[Covered]) -> Option<[f64; 2]> {
    let frequencies = covered.iter().map(|c| c.frequency);
    let low = frequencies.clone().reduce(f64::min)?;
    let high = frequencies.reduce(f64::max)?;
    (low > 0.0 && high.is_finite()).then_some([low, high])
}

/// At least a decade about the middle.
pub fn widened([low, high]: [f64; 2]) -> [f64; 2] {
    let reach = (LEAST_SPAN / (high / low)).max(1.0).sqrt();
    [low / reach, high * reach]
}

/// Amplitudes that differ: those of tables first, since they can be compared, then those of records.
pub fn amplitudes(covered: &[Covered], most: usize) -> Vec<Covered> {
    let mut sorted: Vec<Covered> = covered
        .iter()
        .copied()
        .filter(|c| c.amplitude > 0.0)
        .collect();
    sorted.sort_by(|a, b| a.amplitude.total_cmp(&b.amplitude));
    let mut groups: Vec<Vec<Covered>> = Vec::new();
    for at in sorted {
        match groups.last_mut() {
            Some(group) if at.amplitude < SAME * group[0].amplitude => group.push(at),
            _ => groups.push(vec![at]),
        }
    }
    let (mut rows, mut cycles) = (Vec::new(), Vec::new());
    for group in &groups {
        match group.iter().find(|c| c.row) {
            Some(row) => rows.push(*row),
            None => cycles.push(group[group.len() / 2]),
        }
    }
    let mut chosen = spread(&rows, most);
    chosen.extend(spread(&cycles, most - chosen.len()));
    chosen.sort_by(|a, b| a.amplitude.total_cmp(&b.amplitude));
    chosen
}

/// `most` entries of a list, including both ends.
fn spread(all: &[Covered], most: usize) -> Vec<Covered> {
    let count = all.len().min(most);
    let last = all.len().saturating_sub(1);
    let place = |k: usize| {
        if count == 1 {
            last
        } else {
            k * last / (count - 1)
        }
    };
    (0..count).map(|k| all[place(k)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use masing_identify::result::Pair;

    #[test]
    fn amplitudes_are_grouped_and_spread() {
        let of = |covered: &[Covered]| -> Vec<f64> {
            let chosen = amplitudes(covered, 4);
            chosen.iter().map(|c| c.amplitude).collect()
        };
        let at = Covered::sine;
        let many: Vec<Covered> = (1..=20).map(|i| at(f64::from(i), 1.0)).collect();
        let few = of(&many);
        assert_eq!((few.len(), few[0], few[3]), (4, 1.0, 20.0));
        assert_eq!(of(&[at(1.0, 1.0), at(1.04, 2.0), at(0.0, 1.0)]), [1.04]);
        assert_eq!(of(&[]), [0.0; 0]);
        // What can be compared comes first, in its own amplitude.
        let mut table = at(7.4, 1.0);
        table.row = true;
        let mixed: Vec<Covered> = many.into_iter().chain([table]).collect();
        assert_eq!(of(&mixed), [1.0, 7.4, 8.0, 20.0]);
    }

    #[test]
    fn frequencies_span_a_decade() {
        let at = |frequency| Covered::sine(1.0, frequency);
        assert_eq!(span(&[]), None);
        assert_eq!(span(&[at(2.0), at(0.5)]), Some([0.5, 2.0]));
        let [low, high] = widened([2.0, 2.0]);
        assert!((high / low - LEAST_SPAN).abs() < 1e-9 && (low * high - 4.0).abs() < 1e-9);
        assert_eq!(widened([1.0, 1000.0]), [1.0, 1000.0]);
    }

    #[test]
    fn a_ramp_counts_as_part_of_a_cycle() {
        let time: Vec<f64> = (0..=20).map(|i| 0.1 * f64::from(i)).collect();
        // Up by 2 mm in a second, then held.
        let x: Vec<f64> = time.iter().map(|t| 2e-3 * t.min(1.0)).collect();
        let record = RecordCurves {
            force: Pair {
                measured: x.clone(),
                model: x.clone(),
            },
            preload: Preload::default(),
            time,
            x,
            outside: 0,
        };
        let [one] = cycles_of(&record)[..] else {
            panic!()
        };
        assert!((one.amplitude - 1e-3).abs() < 1e-9 && (one.frequency - 0.5).abs() < 1e-6);
    }
}
