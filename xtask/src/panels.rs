//! Pictures of several small plots beside each other: measured and simulated loops.

use std::fmt::Write;

/// Size of a panel with its labels, and of the plot inside.
const PANEL: (f64, f64) = (320.0, 250.0);
const PLOT: (f64, f64) = (235.0, 165.0);
/// Upper left corner of the plot in the panel.
const CORNER: (f64, f64) = (68.0, 34.0);
/// Room above the panels for the key.
const TOP: f64 = 30.0;

const MEASURED: &str = "#b0b0b0";
const SIMULATED: &str = "#08519c";

/// One plot.
pub struct Panel {
    pub title: String,
    /// Displacement (mm) and force (kN), as measured.
    pub measured: Vec<(f64, f64)>,
    /// The same from a model.
    pub simulated: Vec<(f64, f64)>,
}

/// The picture, with so many panels in a row.
pub fn picture(title: &str, columns: usize, panels: &[Panel]) -> String {
    let rows = panels.len().div_ceil(columns);
    let (width, height) = (PANEL.0 * columns as f64, TOP + PANEL.1 * rows as f64);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n<title>{title}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (at, name, colour, stroke) in [
        (70.0, "measured", MEASURED, 4.0),
        (190.0, "model", SIMULATED, 1.5),
    ] {
        let _ = writeln!(
            out,
            "<path stroke-width=\"{stroke}\" stroke=\"{colour}\" d=\"M{at} 18 h30\"/>\n\
             <text x=\"{}\" y=\"22\" fill=\"#444444\">{name}</text>",
            at + 38.0
        );
    }
    for (i, panel) in panels.iter().enumerate() {
        let left = PANEL.0 * (i % columns) as f64;
        let top = TOP + PANEL.1 * (i / columns) as f64;
        let _ = writeln!(out, "<g transform=\"translate({left} {top})\">");
        panel.draw(&mut out);
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

impl Panel {
    fn draw(&self, out: &mut String) {
        let points = || self.measured.iter().chain(&self.simulated);
        let across = Axis::over(points().map(|p| p.0), CORNER.0, PLOT.0);
        let down = Axis::over(points().map(|p| p.1), CORNER.1 + PLOT.1, -PLOT.1);
        let (left, right) = (CORNER.0, CORNER.0 + PLOT.0);
        let (top, bottom) = (CORNER.1, CORNER.1 + PLOT.1);
        let _ = writeln!(
            out,
            "<text x=\"{left}\" y=\"{}\" fill=\"#222222\" font-weight=\"bold\">{}</text>",
            top - 10.0,
            self.title
        );
        for tick in across.ticks() {
            let x = across.place(tick);
            let colour = colour(tick);
            let _ = writeln!(
                out,
                "<path stroke=\"{colour}\" d=\"M{x:.1} {top} V{bottom}\"/>\n\
                 <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#444444\">{tick}</text>",
                bottom + 16.0
            );
        }
        for tick in down.ticks() {
            let y = down.place(tick);
            let colour = colour(tick);
            let _ = writeln!(
                out,
                "<path stroke=\"{colour}\" d=\"M{left} {y:.1} H{right}\"/>\n\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#444444\">{tick}</text>",
                left - 6.0,
                y + 4.0
            );
        }
        for (points, colour, stroke) in [
            (&self.measured, MEASURED, 4.0),
            (&self.simulated, SIMULATED, 1.5),
        ] {
            let _ = write!(
                out,
                "<path fill=\"none\" stroke-linejoin=\"round\" stroke=\"{colour}\" stroke-width=\"{stroke}\" d=\""
            );
            for (i, &(x, force)) in points.iter().enumerate() {
                let letter = if i == 0 { 'M' } else { 'L' };
                let _ = write!(
                    out,
                    "{letter}{:.1} {:.1} ",
                    across.place(x),
                    down.place(force)
                );
            }
            out.push_str("\"/>\n");
        }
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#222222\">displacement (mm)</text>\n\
             <text transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\" fill=\"#222222\">force (kN)</text>",
            f64::midpoint(left, right),
            bottom + 34.0,
            f64::midpoint(top, bottom)
        );
    }
}

/// The line through zero stands out.
fn colour(tick: f64) -> &'static str {
    if tick == 0.0 { "#888888" } else { "#e4e4e4" }
}

/// A range of values laid over a length.
struct Axis {
    low: f64,
    high: f64,
    start: f64,
    length: f64,
    step: f64,
}

impl Axis {
    /// With a little room on both sides, and a few steps of 1, 2 or 5.
    fn over(values: impl Iterator<Item = f64>, start: f64, length: f64) -> Self {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| {
            (a.min(v), b.max(v))
        });
        let room = 0.05 * (high - low).max(f64::MIN_POSITIVE);
        let most = (high - low) / 2.5;
        let decade = 10_f64.powf(most.log10().floor());
        let steps = [5.0, 2.0, 1.0].map(|m| m * decade);
        let step = steps.into_iter().find(|s| *s <= most).unwrap_or(decade);
        Self {
            low: low - room,
            high: high + room,
            start,
            length,
            step,
        }
    }

    fn place(&self, value: f64) -> f64 {
        self.start + self.length * (value - self.low) / (self.high - self.low)
    }

    fn ticks(&self) -> Vec<f64> {
        let (first, last) = (
            (self.low / self.step).ceil() as i32,
            (self.high / self.step).floor() as i32,
        );
        // Multiples of 0.2 are not exact.
        let tidy = |k: i32| (f64::from(k) * self.step * 1e6).round() / 1e6;
        (first..=last).map(tidy).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let axis = Axis::over([-24.8, 24.8].into_iter(), 0.0, 100.0);
        assert_eq!(axis.ticks(), [-20.0, -10.0, 0.0, 10.0, 20.0]);
        let axis = Axis::over([-1.61, 1.58].into_iter(), 0.0, 100.0);
        assert_eq!(axis.ticks(), [-1.0, 0.0, 1.0]);
        assert!((axis.place(axis.high) - 100.0).abs() < 1e-9);
    }

    #[test]
    fn an_empty_panel_is_no_failure() {
        let panel = Panel {
            title: String::new(),
            measured: vec![],
            simulated: vec![],
        };
        assert!(picture("", 1, &[panel]).ends_with("</svg>\n"));
    }
}
