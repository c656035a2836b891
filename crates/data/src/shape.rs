//! What the columns of a file without header are, from the shape of their numbers.
//!
//! An even ramp is time. Of the others, displacement and force form loops: the work over a cycle, the integral of F dx, is
//! positive for a part that dissipates, and changes its sign where the two are exchanged. A force with the sign of a
//! reaction looks exchanged too; the motion of a rig is smoother than the force, which tells the two apart. Where loop and
//! smoothness contradict each other, nothing is guessed.

use crate::cycles::{self, is_constant};
use crate::recognise::{Found, Match};
use crate::record::range;
use crate::role::Role;
use crate::table::Table;
use crate::timing::{self, Spacing};

/// Work over a cycle, of displacement range times force range, from which two columns form a loop; an ellipse has at most
/// pi/4, noise on a straight line less than this.
const LOOP: f64 = 0.01;
/// Share of the cycles that run the same way: those of noise run either way.
const AGREE: f64 = 0.9;
/// Roughness of one column over that of another from which the first is the smoother one.
const SMOOTHER: f64 = 0.8;
/// Samples per cycle at which roughness is compared: noise and digits of finer ones hide the corners.
const PER_CYCLE: usize = 64;
/// Correlation with a derivative, and deviation of its scale from a power of ten, of a column that is one.
const DERIVED: (f64, f64) = (0.99, 0.05);
/// Difference, of the range, up to which two columns are one quantity twice, such as command and measurement.
const TWICE: f64 = 0.1;
/// Columns beyond which pairs are not compared: no rig writes so many without names.
const MOST: usize = 32;

/// Roles of columns without names and units; nothing where they cannot be told.
pub(crate) fn by_shape(table: &Table) -> Found {
    let columns: Vec<&[f64]> = table.channels.iter().map(|c| &c.values[..]).collect();
    if !table.is_numbered() || !(2..=MOST).contains(&columns.len()) {
        return Vec::new();
    }
    let ramps: Vec<usize> = (0..columns.len())
        .filter(|&c| is_ramp(columns[c]))
        .collect();
    let clocks: Vec<usize> = ramps
        .iter()
        .copied()
        .filter(|&c| !counts(columns[c]))
        .collect();
    let Ok(time) = one_at_most(if clocks.is_empty() && columns.len() <= 3 {
        &ramps
    } else {
        &clocks
    }) else {
        return Vec::new();
    };
    let mut others: Vec<usize> = (0..columns.len())
        .filter(|c| Some(*c) != time && !ramps.contains(c) && !is_constant(range(columns[*c])))
        .collect();
    if let Some(step) = time
        .and_then(|c| timing::spacing(columns[c]))
        .map(Spacing::step)
    {
        let all = others.clone();
        others.retain(|&c| {
            all.len() < 3
                || !all
                    .iter()
                    .any(|&of| of != c && is_rate(columns[c], columns[of], step))
        });
    }
    let mut pairs = Vec::new();
    for (i, &a) in others.iter().enumerate() {
        for &b in &others[i + 1..] {
            pairs.extend(
                pair(columns[a], columns[b]).map(|forward| if forward { (a, b) } else { (b, a) }),
            );
        }
    }
    // Two columns of one quantity make pairs with every other one.
    let twice = others.len() > 2
        && others.iter().enumerate().any(|(i, &a)| {
            others[i + 1..]
                .iter()
                .any(|&b| same(columns[a], columns[b]))
        });
    let [(motion, force)] = pairs[..] else {
        return Vec::new();
    };
    if twice {
        return Vec::new();
    }
    let clock = time.map(|c| (Role::Time, c));
    clock
        .into_iter()
        .chain([(Role::Displacement, motion), (Role::Force, force)])
        .map(|(role, column)| (role.into(), column, Match::Shape))
        .collect()
}

/// The only one, none, or an error where there are several.
fn one_at_most(list: &[usize]) -> Result<Option<usize>, ()> {
    match list {
        [] => Ok(None),
        [one] => Ok(Some(*one)),
        _ => Err(()),
    }
}

/// Evenly growing, to within the digits written.
fn is_ramp(values: &[f64]) -> bool {
    values.len() > 3
        && values.windows(2).all(|w| w[1] >= w[0])
        && matches!(
            timing::spacing(values),
            Some(Spacing::Uniform { .. } | Spacing::Rounded { .. })
        )
}

/// The number of the sample.
fn counts(values: &[f64]) -> bool {
    matches!(values.first(), Some(0.0 | 1.0)) && values.windows(2).all(|w| w[1] - w[0] == 1.0)
}

/// Whether the first of two columns is displacement and the second force; `None` where it cannot be told.
fn pair(a: &[f64], b: &[f64]) -> Option<bool> {
    let forward = loop_direction(a, b)?;
    let (motion, force) = if forward { (a, b) } else { (b, a) };
    (loop_direction(motion, force)? && roughness(force, motion) < SMOOTHER.recip())
        .then_some(forward)
}

/// Whether loops of force over motion run the right way; `None` without clear loops.
fn loop_direction(motion: &[f64], force: &[f64]) -> Option<bool> {
    let found = cycles::cycles(motion, Some(force), None);
    let shares: Vec<f64> = found
        .iter()
        .filter_map(|c| {
            let (low, high) = c.force_range?;
            let size = 2.0 * c.amplitude * (high - low);
            Some(c.energy? / size).filter(|s| s.is_finite())
        })
        .collect();
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    let agreeing = shares.iter().filter(|s| **s * mean > 0.0).count();
    (mean.abs() > LOOP && agreeing as f64 >= AGREE * shares.len() as f64).then_some(mean > 0.0)
}

/// Roughness of the second column over that of the first, at a few samples per cycle.
fn roughness(of: &[f64], to: &[f64]) -> f64 {
    let per_cycle = |x: &[f64]| {
        let found = cycles::cycles(x, None, None);
        found.iter().map(|c| c.end - c.start).min().unwrap_or(0)
    };
    let stride = (per_cycle(of).max(per_cycle(to)) / PER_CYCLE).max(1);
    let rough = |x: &[f64]| {
        let few: Vec<f64> = x
            .iter()
            .copied()
            .step_by(stride)
            .filter(|v| v.is_finite())
            .collect();
        let square = |d: f64| d * d;
        let first: f64 = few.windows(2).map(|w| square(w[1] - w[0])).sum();
        let second: f64 = few
            .windows(3)
            .map(|w| square(w[2] - 2.0 * w[1] + w[0]))
            .sum();
        (second / first).sqrt()
    };
    rough(to) / rough(of)
}

/// Whether a column is the first or second derivative of another, in the same unit or in thousandths.
fn is_rate(rate: &[f64], of: &[f64], step: f64) -> bool {
    let first: Vec<f64> = of.windows(3).map(|w| 0.5 * (w[2] - w[0]) / step).collect();
    let second: Vec<f64> = of
        .windows(3)
        .map(|w| (w[2] - 2.0 * w[1] + w[0]) / (step * step))
        .collect();
    let inner = rate
        .get(1..rate.len().saturating_sub(1))
        .unwrap_or_default();
    [first, second].iter().any(|derivative| {
        let (slope, correlation) = regression(derivative, inner);
        let power = slope.log10();
        correlation > DERIVED.0 && (power - 3.0 * (power / 3.0).round()).abs() < DERIVED.1
    })
}

/// Whether two columns hold the same quantity.
fn same(a: &[f64], b: &[f64]) -> bool {
    let (low, high) = range(a);
    let apart: Vec<f64> = a
        .iter()
        .zip(b)
        .map(|(a, b)| (a - b).abs())
        .filter(|d| d.is_finite())
        .collect();
    let mean = apart.iter().sum::<f64>() / apart.len().max(1) as f64;
    mean < TWICE * (high - low)
}

/// Slope of `y` over `x`, and their correlation.
fn regression(x: &[f64], y: &[f64]) -> (f64, f64) {
    let pairs = || {
        x.iter()
            .zip(y)
            .filter(|(x, y)| x.is_finite() && y.is_finite())
    };
    let n = pairs().count().max(1) as f64;
    let (mx, my) = pairs().fold((0.0, 0.0), |s, (x, y)| (s.0 + x / n, s.1 + y / n));
    let (xx, xy, yy) = pairs().fold((0.0, 0.0, 0.0), |s, (x, y)| {
        let (x, y) = (x - mx, y - my);
        (s.0 + x * x, s.1 + x * y, s.2 + y * y)
    });
    (xy / xx, xy / (xx * yy).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Channel, Source};
    use crate::{DataError, ReadOptions, experiment};
    use std::f64::consts::TAU;
    use std::path::Path;

    /// Spring-slider beside a spring: time, displacement in mm, velocity, force, and noise of a channel with nothing on it.
    fn columns(noise: f64) -> [Vec<f64>; 5] {
        let mut state = 1_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        let t: Vec<f64> = (0..1600).map(|i| f64::from(i) * 0.005).collect();
        let x: Vec<f64> = t.iter().map(|t| 2.0 * (TAU * t).sin()).collect();
        let v = t.iter().map(|t| 2.0 * TAU * (TAU * t).cos()).collect();
        let mut z = 0.0_f64;
        let mut f = vec![0.0];
        for w in x.windows(2) {
            z = (z + 1e3 * (w[1] - w[0])).clamp(-400.0, 400.0);
            f.push(z + 300.0 * w[1] + 1000.0 * noise * random());
        }
        let idle = t.iter().map(|_| random()).collect();
        [t, x, v, f, idle]
    }

    fn read(columns: &[&Vec<f64>]) -> Result<Vec<String>, DataError> {
        let channels = (1..)
            .zip(columns)
            .map(|(i, c)| Channel::new(i.to_string(), None, (*c).clone()));
        let table = Table::new(
            "",
            channels.collect(),
            Source::new(Path::new("x.txt"), "text", 1),
        );
        let found = experiment(table, &ReadOptions::default())?;
        Ok(found.assumptions)
    }

    fn roles(columns: &[&Vec<f64>]) -> Vec<String> {
        let said = read(columns).unwrap_or_else(|e| panic!("{e}"));
        assert!(
            said.iter().all(|s| s.contains("from its shape")),
            "{said:?}"
        );
        said.iter()
            .map(|s| s[..s.find("` (").unwrap()].replace(": column `", "="))
            .collect()
    }

    #[test]
    fn any_order_of_the_columns() {
        for noise in [0.0, 0.02] {
            let [t, x, v, f, idle] = columns(noise);
            assert_eq!(
                roles(&[&t, &x, &f]),
                ["time=1", "displacement=2", "force=3"]
            );
            assert_eq!(
                roles(&[&t, &f, &x]),
                ["time=1", "displacement=3", "force=2"]
            );
            assert_eq!(
                roles(&[&f, &x, &t]),
                ["time=3", "displacement=2", "force=1"]
            );
            assert_eq!(roles(&[&f, &x]), ["displacement=2", "force=1"]);
            assert_eq!(
                roles(&[&t, &idle, &f, &x]),
                ["time=1", "displacement=4", "force=3"]
            );
            assert_eq!(
                roles(&[&t, &x, &v, &f]),
                ["time=1", "displacement=2", "force=4"]
            );
            let number = (1..=1600).map(f64::from).collect();
            assert_eq!(
                roles(&[&number, &t, &x, &f]),
                ["time=2", "displacement=3", "force=4"]
            );
        }
    }

    #[test]
    fn a_reaction_is_not_taken_for_exchanged_columns() {
        let [t, x, _, f, idle] = columns(0.02);
        let reaction: Vec<f64> = f.iter().map(|f| -f).collect();
        // Three columns keep their usual order, and the direction of the loop is told as before.
        let said = read(&[&t, &x, &reaction]).unwrap();
        assert!(
            said[1].contains("column `2` (from its position"),
            "{said:?}"
        );
        assert!(read(&[&t, &x, &reaction, &idle]).is_err());
    }

    #[test]
    fn what_cannot_be_told_is_shown_with_its_range() {
        let [t, x, _, f, _] = columns(0.02);
        let command: Vec<f64> = t.iter().map(|t| 2.0 * (TAU * t + 0.1).sin()).collect();
        let error = read(&[&t, &command, &x, &f]).unwrap_err().to_string();
        for part in [
            "1: 0..7.995",
            "2: -2..2",
            "4: -",
            "--columns time=1,displacement=2,force=3",
        ] {
            assert!(error.contains(part), "{error}");
        }
    }
}
