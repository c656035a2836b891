//! Plots of a page: lines and points over two axes.

use crate::series::{Column, MOST_POINTS, thin_together};
use masing_data::unit::Quantity;
use serde::Serialize;

/// How a plot is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Shape {
    /// Values over a growing abscissa, such as time.
    History,
    /// A path in the plane, such as a loop of force and displacement.
    Path,
}

/// What an axis shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Axis {
    /// Name of the quantity.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Equal steps are equal ratios; values that are not positive are left out.
    pub log: bool,
}

impl Axis {
    /// An axis from its parts.
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            unit: unit.into(),
            log: false,
        }
    }

    /// An axis of a quantity, in the unit people read.
    pub fn of(name: impl Into<String>, quantity: Quantity) -> Self {
        Self::new(name, quantity.engineering().0)
    }

    /// The same, in equal ratios.
    #[must_use]
    pub fn log(mut self) -> Self {
        self.log = true;
        self
    }
}

/// How a trace is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Pen {
    /// A line.
    Line,
    /// A line with small points on it: few values, each of which counts.
    Dotted,
    /// A broad, pale line for what was measured, with a [`Pen::Model`] line over it: distinguished by width
    /// and lightness, not only by colour.
    Measured,
    /// A thin, dark line over a broad one.
    Model,
    /// Points without a line.
    Points,
    /// Thin and grey, behind the others.
    Faint,
}

/// One line of a plot.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Trace {
    name: String,
    pen: Pen,
    /// Place in the list of colours.
    colour: usize,
    /// Left out where it is that of the trace before.
    x: Option<Column>,
    y: Column,
    #[serde(skip)]
    given: usize,
}

/// A dashed line across a plot with a name at its end: a limit, or where something begins.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Mark {
    /// Whether it is vertical, at a value of the abscissa; otherwise it is horizontal, at a value of the
    /// ordinate.
    upright: bool,
    at: f64,
    name: String,
}

/// A plot that can be zoomed, read and saved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Plot {
    title: String,
    shape: Shape,
    x: Axis,
    y: Axis,
    traces: Vec<Trace>,
    marks: Vec<Mark>,
    /// Plots of one group share the cursor and the zoom of their abscissa.
    group: String,
    /// Drawn with less height than others.
    low: bool,
    #[serde(skip)]
    most: usize,
}

impl Plot {
    /// An empty plot.
    pub fn new(title: impl Into<String>, shape: Shape, x: Axis, y: Axis) -> Self {
        Self {
            title: title.into(),
            shape,
            x,
            y,
            traces: Vec::new(),
            marks: Vec::new(),
            group: String::new(),
            low: false,
            most: MOST_POINTS,
        }
    }

    /// Joins the plots that share cursor and zoom.
    #[must_use]
    pub fn grouped(mut self, group: impl Into<String>) -> Self {
        self.group = group.into();
        self
    }

    /// Less height than others: for a plot that accompanies another one.
    #[must_use]
    pub fn low(mut self) -> Self {
        self.low = true;
        self
    }

    /// Keeps about that many points of the traces added from now on, instead of [`MOST_POINTS`].
    #[must_use]
    pub fn at_most(mut self, points: usize) -> Self {
        self.most = points;
        self
    }

    /// Adds a line; of long ones about [`MOST_POINTS`] points are kept.
    pub fn add(&mut self, name: impl Into<String>, x: &[f64], y: &[f64]) {
        self.draw(Pen::Line, name, x, y);
    }

    /// Adds a line that stays in the background.
    pub fn add_faint(&mut self, name: impl Into<String>, x: &[f64], y: &[f64]) {
        self.draw(Pen::Faint, name, x, y);
    }

    /// Adds one trace.
    pub fn draw(&mut self, pen: Pen, name: impl Into<String>, x: &[f64], y: &[f64]) {
        self.add_all(x, [(pen, name.into(), y)]);
    }

    /// Adds what was measured, and what a model makes of it over that.
    pub fn compare(&mut self, x: &[f64], measured: (&str, &[f64]), model: (&str, &[f64])) {
        let pens = [(Pen::Measured, measured), (Pen::Model, model)];
        self.add_all(x, pens.map(|(pen, (name, y))| (pen, name.to_owned(), y)));
    }

    /// Adds traces over the same abscissa, which keep the same points.
    pub fn add_all<'a>(
        &mut self,
        x: &[f64],
        traces: impl IntoIterator<Item = (Pen, String, &'a [f64])>,
    ) {
        let traces: Vec<_> = traces.into_iter().collect();
        let mut channels: Vec<&[f64]> = traces.iter().map(|(_, _, y)| *y).collect();
        let given = channels.iter().fold(x.len(), |n, y| n.min(y.len()));
        if self.shape == Shape::Path {
            channels.insert(0, x);
        }
        let kept = thin_together(&channels, given, self.most);
        let pick = |values: &[f64]| Column(kept.iter().map(|&i| values[i]).collect());
        for (k, (pen, name, y)) in traces.into_iter().enumerate() {
            self.traces.push(Trace {
                name,
                pen,
                colour: self.traces.len(),
                x: (k == 0).then(|| pick(x)),
                y: pick(y),
                given,
            });
        }
    }

    /// Adds a trace in the colour of that place in the list: points that belong to a line, for instance.
    pub fn add_coloured(
        &mut self,
        colour: usize,
        pen: Pen,
        name: impl Into<String>,
        x: &[f64],
        y: &[f64],
    ) {
        self.draw(pen, name, x, y);
        if let Some(trace) = self.traces.last_mut() {
            trace.colour = colour;
        }
    }

    /// Marks a place of the abscissa by a dashed line with a name.
    pub fn mark_x(&mut self, at: f64, name: impl Into<String>) {
        self.mark(true, at, name.into());
    }

    /// Marks a place of the ordinate by a dashed line with a name.
    pub fn mark_y(&mut self, at: f64, name: impl Into<String>) {
        self.mark(false, at, name.into());
    }

    fn mark(&mut self, upright: bool, at: f64, name: String) {
        if at.is_finite() {
            self.marks.push(Mark { upright, at, name });
        }
    }

    /// The heading above the plot.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What was left out, in words; nothing if all points are drawn.
    pub fn left_out(&self) -> Option<String> {
        let longest = self
            .traces
            .iter()
            .filter(|t| t.given > t.y.0.len())
            .max_by_key(|t| t.given)?;
        Some(format!(
            "Drawn with {} of {} samples: the smallest and largest of every stretch.",
            longest.y.0.len(),
            longest.given
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(shape: Shape) -> Plot {
        Plot::new("t", shape, Axis::new("a", "m"), Axis::new("b", "m").log())
    }

    #[test]
    fn thinning_is_said() {
        let mut plot = plot(Shape::History);
        plot.add("short", &[0.0, 1.0], &[0.0, 1.0]);
        assert_eq!(plot.left_out(), None);
        let long: Vec<f64> = (0..20_000).map(f64::from).collect();
        plot.add("long", &long, &long);
        assert!(
            plot.left_out()
                .is_some_and(|t| t.contains("of 20000 samples"))
        );
    }

    #[test]
    fn traces_that_belong_together_keep_the_same_points() {
        for shape in [Shape::History, Shape::Path] {
            let mut plot = plot(shape).at_most(1000);
            let x: Vec<f64> = (0..30_000).map(f64::from).collect();
            let measured: Vec<f64> = x.iter().map(|x| (x * 0.01).sin()).collect();
            let mut model = measured.clone();
            model[12_345] = 9.0;
            plot.add_all(
                &x,
                [
                    (Pen::Measured, "measured".to_owned(), &measured[..]),
                    (Pen::Model, "model".to_owned(), &model[..]),
                ],
            );
            let [a, b] = &plot.traces[..] else { panic!() };
            assert_eq!(a.y.0.len(), b.y.0.len());
            assert!(a.y.0.len() <= 1002 && b.y.0.contains(&9.0));
            assert!(a.x.is_some() && b.x.is_none());
        }
    }

    #[test]
    fn marks_have_a_place() {
        let mut plot = plot(Shape::History);
        plot.mark_x(1.0, "end");
        plot.mark_y(f64::NAN, "nowhere");
        assert_eq!(plot.marks.len(), 1);
        assert!(plot.marks[0].upright);
    }

    #[test]
    fn points_take_the_colour_of_their_line() {
        let mut plot = plot(Shape::Path);
        plot.add("model", &[1.0], &[1.0]);
        plot.add_coloured(0, Pen::Points, "measured", &[1.0], &[1.0]);
        assert_eq!(plot.traces[1].colour, 0);
    }
}
