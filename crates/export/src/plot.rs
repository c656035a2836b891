//! Plots of a page.

use crate::series::{Column, MOST_POINTS, thin_history, thin_path};
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
}

impl Axis {
    /// An axis from its parts.
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            unit: unit.into(),
        }
    }
}

/// One line of a plot.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trace {
    name: String,
    /// Drawn thin and grey, behind the others.
    faint: bool,
    x: Column,
    y: Column,
    #[serde(skip)]
    given: usize,
}

/// A plot that can be zoomed, read off and saved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Plot {
    title: String,
    shape: Shape,
    x: Axis,
    y: Axis,
    traces: Vec<Trace>,
    /// Plots of one group share the cursor and the zoom of their abscissa.
    group: String,
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
            group: String::new(),
        }
    }

    /// Joins the plots that share cursor and zoom.
    #[must_use]
    pub fn grouped(mut self, group: impl Into<String>) -> Self {
        self.group = group.into();
        self
    }

    /// Adds a line; of long ones about [`MOST_POINTS`] points are kept.
    pub fn add(&mut self, name: impl Into<String>, x: &[f64], y: &[f64]) {
        self.push(name.into(), x, y, false);
    }

    /// Adds a line that stays in the background.
    pub fn add_faint(&mut self, name: impl Into<String>, x: &[f64], y: &[f64]) {
        self.push(name.into(), x, y, true);
    }

    fn push(&mut self, name: String, x: &[f64], y: &[f64], faint: bool) {
        let given = x.len().min(y.len());
        let (x, y) = match self.shape {
            Shape::History => thin_history(x, y, MOST_POINTS),
            Shape::Path => thin_path(x, y, MOST_POINTS),
        };
        self.traces.push(Trace {
            name,
            faint,
            x: Column(x),
            y: Column(y),
            given,
        });
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
            .filter(|t| t.given > t.x.0.len())
            .max_by_key(|t| t.given)?;
        Some(format!(
            "Drawn with {} of {} samples: the smallest and largest of every stretch.",
            longest.x.0.len(),
            longest.given
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_is_said() {
        let axis = || Axis::new("a", "m");
        let mut plot = Plot::new("t", Shape::History, axis(), axis());
        plot.add("short", &[0.0, 1.0], &[0.0, 1.0]);
        assert_eq!(plot.left_out(), None);
        let long: Vec<f64> = (0..20_000).map(f64::from).collect();
        plot.add("long", &long, &long);
        assert!(
            plot.left_out()
                .is_some_and(|t| t.contains("of 20000 samples"))
        );
    }
}
