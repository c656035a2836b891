//! Dynamic stiffness and loss angle of the model over frequency, one line per amplitude.

use super::covered::{Covered, SAME, amplitudes, covered, span, widened};
use super::test::scaled;
use crate::figures::rounded;
use crate::{Axis, Block, Pen, Plot, Section, Shape};
use masing_data::Preload;
use masing_data::unit::Quantity;
use masing_identify::Names;
use masing_identify::result::{Comparison, Curves, Identified};
use masing_model::Model;
use masing_sim::{Care, Motion, Numerics, Prescribed, harmonic_with};

/// Lines of the picture, and points of each.
const MOST_LINES: usize = 4;
const POINTS: usize = 9;
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
pub fn section(found: &Identified) -> Option<Section> {
    let (model, tests, names) = (&found.model, &found.comparisons, found.names());
    if model.system().is_some() {
        return None;
    }
    let covered = covered(tests);
    let range = span(&covered)?;
    let mut lines: Vec<Line> = amplitudes(&covered, MOST_LINES)
        .into_iter()
        .map(|at| line(model, at, widened(range)))
        .filter(|line| !line.model.is_empty())
        .collect();
    if lines.is_empty() {
        return None;
    }
    for line in &mut lines {
        line.measured = measured(tests, line.amplitude);
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
    let plots = plots("model", &lines, &names);
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
fn measured(tests: &[Comparison], amplitude: f64) -> Vec<[f64; 3]> {
    let same = |a: f64| a < SAME * amplitude && amplitude < SAME * a;
    let tables = tests.iter().filter_map(|test| match &test.curves {
        Curves::Sines(sines) => Some(sines),
        _ => None,
    });
    tables
        .flatten()
        .filter(|sine| same(sine.amplitude))
        .map(|sine| [sine.frequency, sine.stiffness[0], sine.loss_angle[0]])
        .collect()
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

/// The displacement that a preload stands for; for a force it is searched on the static curve of the part, up to a
/// hundred amplitudes away.
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
    use super::*;
    use masing_model::Assembly;

    #[test]
    fn a_preload_by_force_is_a_displacement() {
        let assembly = Assembly::from_names("spring", |_| masing_model::Shape::default()).unwrap();
        let model = Model::new(assembly, None, vec![2e5]).unwrap();
        let mut drive = Covered::sine(1e-3, 1.0);
        drive.preload = Preload::Force(-100.0);
        let x = shift(&model, drive).unwrap();
        assert!((x + 5e-4).abs() < 1e-12, "{x}");
        drive.preload = Preload::Force(1e9);
        assert_eq!(shift(&model, drive), None);
    }
}
