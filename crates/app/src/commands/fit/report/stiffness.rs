//! Dynamic stiffness and loss angle of the model over frequency, one line per amplitude.

use super::test::{counted, scaled};
use super::view::{Record, Shown, View};
use crate::figures::rounded;
use crate::names::Names;
use masing_data::cycles;
use masing_data::unit::Quantity;
use masing_export::{Axis, Block, Pen, Plot, Section, Shape};
use masing_identify::Preload;
use masing_model::Model;
use masing_sim::{Care, Motion, Numerics, Prescribed, harmonic_with};

/// Lines of the picture, and points of each.
const MOST_LINES: usize = 4;
const POINTS: usize = 9;
/// Amplitudes that differ by less than this ratio are one.
const SAME: f64 = 1.1;
/// The picture spans at least this ratio of frequencies.
const LEAST_SPAN: f64 = 10.0;

/// A sinusoidal motion that the tests contain, at least roughly.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Covered {
    amplitude: f64,
    frequency: f64,
    /// Middle of the motion, beside the preload.
    middle: f64,
    preload: Preload,
    /// A row of a table, which the picture can show beside the model.
    row: bool,
}

/// One amplitude: frequency, stiffness and loss angle of every point.
pub struct Line {
    pub amplitude: f64,
    pub model: Vec<[f64; 3]>,
    pub measured: Vec<[f64; 3]>,
}

impl Line {
    /// Without points yet.
    pub fn at(amplitude: f64) -> Self {
        Self {
            amplitude,
            model: Vec::new(),
            measured: Vec::new(),
        }
    }
}

/// The pictures; nothing for a model with masses, or without a test that moves.
pub fn section(model: &Model, view: &View, names: &Names) -> Option<Section> {
    if model.system().is_some() {
        return None;
    }
    let covered: Vec<Covered> = view
        .tests
        .iter()
        .flat_map(|t| covered_by(&t.shown))
        .collect();
    let range = span(&covered)?;
    let mut lines: Vec<Line> = amplitudes(&covered)
        .into_iter()
        .map(|at| line(model, at, widened(range)))
        .filter(|line| !line.model.is_empty())
        .collect();
    if lines.is_empty() {
        return None;
    }
    for line in &mut lines {
        line.measured = measured(view, line.amplitude);
    }
    let marked = lines.iter().any(|line| !line.measured.is_empty());
    let frequency = |f| rounded(f, Quantity::Frequency, 3);
    let reached = if range[1] < SAME * range[0] {
        format!("about {}", frequency(range[0]))
    } else {
        format!("{} to {}", frequency(range[0]), frequency(range[1]))
    };
    let circles = if marked {
        " Circles are rows of the tables that were given."
    } else {
        ""
    };
    let text = format!(
        "Steady response of the model to a sine, first harmonic.{circles} The tests moved at {reached}; \
         what the lines show beyond that was not tested."
    );
    let plots = plots("model", &lines, names);
    let blocks = vec![
        Block::Text(text),
        Block::Columns(plots.map(|plot| vec![Block::Plot(plot)]).to_vec()),
    ];
    Some(Section::new("Dynamic stiffness of the model", blocks).on_new_sheet())
}

/// Stiffness and loss angle over frequency: lines for the model, circles for what was measured.
pub fn plots(of: &str, lines: &[Line], names: &Names) -> [Plot; 2] {
    let each = [
        ("Dynamic stiffness", names.stiffness),
        ("Loss angle", Quantity::Angle),
    ];
    let mut column = 0;
    each.map(|(title, quantity)| {
        column += 1;
        let axis = Axis::new("frequency", "Hz").log();
        let (y, _) = scaled(&title.to_lowercase(), quantity, &[]);
        let mut plot = Plot::new(format!("{title}, {of}"), Shape::Path, axis, y);
        let mut add = |k: usize, pen: Pen, name: String, points: &[[f64; 3]]| {
            let known = || points.iter().filter(|p| p[column].is_finite());
            let frequency: Vec<f64> = known().map(|p| p[0]).collect();
            let values: Vec<f64> = known().map(|p| p[column]).collect();
            if !values.is_empty() {
                let values = scaled("", quantity, &values).1;
                plot.add_coloured(k, pen, name, &frequency, &values);
            }
        };
        for (k, line) in lines.iter().enumerate() {
            let name = format!("± {}", rounded(line.amplitude, names.length, 3));
            add(k, Pen::Points, format!("{name}, measured"), &line.measured);
            add(k, Pen::Dotted, name, &line.model);
        }
        plot
    })
}

/// Rows of tables at an amplitude.
fn measured(view: &View, amplitude: f64) -> Vec<[f64; 3]> {
    let same = |a: f64| a < SAME * amplitude && amplitude < SAME * a;
    let tables = view.tests.iter().filter_map(|test| match &test.shown {
        Shown::Sines(sines) => Some(sines),
        _ => None,
    });
    tables
        .flatten()
        .filter(|sine| same(sine.amplitude))
        .map(|sine| [sine.frequency, sine.stiffness[0], sine.loss_angle[0]])
        .collect()
}

/// The sines of a test.
fn covered_by(shown: &Shown) -> Vec<Covered> {
    match shown {
        // Without time there is no frequency.
        Shown::Record(record) if counted(&record.time) => Vec::new(),
        Shown::Record(record) => cycles_of(record),
        Shown::Sines(sines) => sines
            .iter()
            .map(|sine| Covered {
                amplitude: sine.amplitude,
                frequency: sine.frequency,
                middle: 0.0,
                preload: sine.preload,
                row: true,
            })
            .collect(),
        Shown::Masses(_) => Vec::new(),
    }
}

/// The cycles of a record; one that has none counts as a part of one.
fn cycles_of(record: &Record) -> Vec<Covered> {
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

/// A record without a full cycle: half its range, and the frequency at which a cycle of four such strokes takes as long
/// as its motion does per length.
fn stroke(record: &Record) -> Option<Covered> {
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
fn span(covered: &[Covered]) -> Option<[f64; 2]> {
    let frequencies = covered.iter().map(|c| c.frequency);
    let low = frequencies.clone().reduce(f64::min)?;
    let high = frequencies.reduce(f64::max)?;
    (low > 0.0 && high.is_finite()).then_some([low, high])
}

/// At least a decade about the middle.
fn widened([low, high]: [f64; 2]) -> [f64; 2] {
    let reach = (LEAST_SPAN / (high / low)).max(1.0).sqrt();
    [low / reach, high * reach]
}

/// Amplitudes that differ: those of tables first, since they can be compared, then those of records.
fn amplitudes(covered: &[Covered]) -> Vec<Covered> {
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
    let mut chosen = spread(&rows, MOST_LINES);
    chosen.extend(spread(&cycles, MOST_LINES - chosen.len()));
    chosen.sort_by(|a, b| a.amplitude.total_cmp(&b.amplitude));
    chosen
}

/// So many of a list, its ends among them.
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

/// One line; a point whose response does not become periodic soon is left out.
fn line(model: &Model, at: Covered, [low, high]: [f64; 2]) -> Line {
    let p = model.element_values();
    let mut line = Line::at(at.amplitude);
    let Some(shift) = shift(model, at) else {
        return line;
    };
    line.model = (0..POINTS)
        .filter_map(|i| {
            let frequency = low * (high / low).powf(i as f64 / (POINTS - 1) as f64);
            let drive = (at.amplitude, frequency);
            let mean = at.middle + shift;
            let found = harmonic_with(model.assembly(), p, drive, mean, &Care::PICTURE).ok()?;
            Some([frequency, found.dynamic_stiffness(), found.loss_angle()])
        })
        .collect();
    line
}

/// The displacement that a preload stands for; a force is sought on the curve of the part at rest, as far as a hundred
/// amplitudes away.
fn shift(model: &Model, at: Covered) -> Option<f64> {
    let force = match at.preload {
        Preload::Motion(x) => return Some(x),
        Preload::Force(force) => force,
    };
    let carried = |x: f64| {
        let motion = Motion::new(vec![0.0, 1.0], vec![x; 2], None).ok()?;
        let run = Prescribed::new(model.assembly(), &motion, Numerics::default());
        run.run(model.element_values()).ok()?.last().copied()
    };
    let (mut near, mut far) = (0.0, (100.0 * at.amplitude).copysign(force));
    if !(carried(far)?.abs() >= force.abs()) {
        return None;
    }
    for _ in 0..60 {
        let middle = 0.5 * (near + far);
        if carried(middle)?.abs() < force.abs() {
            near = middle;
        } else {
            far = middle;
        }
    }
    Some(far)
}

#[cfg(test)]
mod tests {
    use super::super::view::Pair;
    use super::*;
    use masing_model::Assembly;

    fn at(amplitude: f64, frequency: f64) -> Covered {
        Covered {
            amplitude,
            frequency,
            middle: 0.0,
            preload: Preload::default(),
            row: false,
        }
    }

    #[test]
    fn amplitudes_are_grouped_and_spread() {
        let many: Vec<Covered> = (1..=20).map(|i| at(f64::from(i), 1.0)).collect();
        let few = amplitudes(&many);
        assert_eq!(few.len(), MOST_LINES);
        assert_eq!((few[0].amplitude, few[3].amplitude), (1.0, 20.0));
        let one: Vec<f64> = amplitudes(&[at(1.0, 1.0), at(1.04, 2.0), at(0.0, 1.0)])
            .iter()
            .map(|c| c.amplitude)
            .collect();
        assert_eq!(one, [1.04]);
        assert!(amplitudes(&[]).is_empty());
        // What can be compared comes first, in its own amplitude.
        let mut table = at(7.4, 1.0);
        table.row = true;
        let mixed: Vec<Covered> = many.iter().copied().chain([table]).collect();
        let few: Vec<f64> = amplitudes(&mixed).iter().map(|c| c.amplitude).collect();
        assert_eq!(few, [1.0, 7.4, 9.0, 20.0]);
    }

    #[test]
    fn frequencies_span_a_decade() {
        assert_eq!(span(&[]), None);
        assert_eq!(span(&[at(1.0, 2.0), at(1.0, 0.5)]), Some([0.5, 2.0]));
        let [low, high] = widened([2.0, 2.0]);
        assert!((high / low - LEAST_SPAN).abs() < 1e-9 && (low * high - 4.0).abs() < 1e-9);
        assert_eq!(widened([1.0, 1000.0]), [1.0, 1000.0]);
    }

    #[test]
    fn a_ramp_counts_as_part_of_a_cycle() {
        let time: Vec<f64> = (0..=20).map(|i| 0.1 * f64::from(i)).collect();
        // Up by 2 mm in a second, then held.
        let x: Vec<f64> = time.iter().map(|t| 2e-3 * t.min(1.0)).collect();
        let record = Record {
            force: Pair {
                measured: x.clone(),
                model: x.clone(),
            },
            preload: Preload::default(),
            time,
            x,
            facts: Vec::new(),
        };
        let [one] = cycles_of(&record)[..] else {
            panic!()
        };
        assert!((one.amplitude - 1e-3).abs() < 1e-9 && (one.frequency - 0.5).abs() < 1e-6);
    }

    #[test]
    fn a_preload_by_force_is_a_displacement() {
        let assembly = Assembly::from_names("spring", |_| masing_model::Shape::default()).unwrap();
        let model = Model::new(assembly, None, vec![2e5]).unwrap();
        let mut drive = at(1e-3, 1.0);
        drive.preload = Preload::Force(-100.0);
        let x = shift(&model, drive).unwrap();
        assert!((x + 5e-4).abs() < 1e-12, "{x}");
        drive.preload = Preload::Force(1e9);
        assert_eq!(shift(&model, drive), None);
    }
}
