//! Coefficients of every test by itself, and how they change with amplitude and frequency: what is offered where one set
//! for all tests does not describe them.

use super::algebra::{axpy, norm2, solve};
use super::chebyshev::Slider;
use super::dictionary::Term;
use super::found::{OneTest, Trend};
use super::set::Set;

/// Every test by itself, with the terms and the shape of the friction found from all.
pub fn one_by_one(set: &Set, terms: &[Term], sliders: &[Slider]) -> Vec<OneTest> {
    let alone = (0..set.tests.len()).map(|k| Set {
        tests: vec![set.tests[k].clone()],
        sigma: vec![set.sigma[k]],
        span: set.span,
    });
    alone
        .map(|own| {
            let mut columns: Vec<Vec<f64>> = terms.iter().map(|t| own.column(t)).collect();
            let force = own.force();
            let total: f64 = sliders.iter().map(|s| s.ks).sum();
            if total > 0.0 {
                let mut friction = vec![0.0; force.len()];
                for slider in sliders {
                    axpy(slider.ks / total, &own.slider(slider.ys).0, &mut friction);
                }
                columns.push(friction);
            }
            let test = &own.tests[0];
            let solved = solve(&columns, &force);
            let (values, rest) = match &solved {
                None => (vec![f64::NAN; columns.len()], f64::NAN),
                Some(s) => {
                    let freedom = (force.len() as f64 - columns.len() as f64).max(1.0);
                    let noise = s.rest / freedom;
                    let each = s.coefficients.iter().enumerate().map(|(i, c)| {
                        let error = (noise * s.covariance[(i, i)]).sqrt();
                        if error < c.abs() { *c } else { f64::NAN }
                    });
                    (each.collect(), s.rest)
                }
            };
            OneTest {
                name: test.name.clone(),
                amplitude: test.amplitude,
                frequency: test.frequency,
                values,
                relative: (rest / norm2(&force)).sqrt(),
            }
        })
        .collect()
}

/// Exponents of amplitude and frequency by least squares of logarithms, for coefficients of one sign that three tests
/// or more determine.
pub fn trends(tests: &[OneTest], names: &[String]) -> Vec<Trend> {
    let trend = |(k, name): (usize, &String)| {
        let known: Vec<&OneTest> = tests
            .iter()
            .filter(|t| t.values.get(k).is_some_and(|v| v.is_finite()))
            .collect();
        let positive = known.iter().filter(|t| t.values[k] > 0.0).count();
        if known.len() < 3 || (positive != 0 && positive != known.len()) {
            return None;
        }
        let logs = |of: &dyn Fn(&OneTest) -> f64| -> Vec<f64> {
            known.iter().map(|t| of(t).ln()).collect()
        };
        let size = logs(&|t| t.values[k].abs());
        let mut columns = vec![vec![1.0; known.len()]];
        let mut places = [None; 2];
        for (place, column) in [logs(&|t| t.amplitude), logs(&|t| t.frequency)]
            .into_iter()
            .enumerate()
        {
            let (low, high) = column
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| {
                    (a.min(*v), b.max(*v))
                });
            // Amplitudes that a controller meant to be equal differ by a few per cent.
            if high - low > 0.1 && known.len() > columns.len() {
                places[place] = Some(columns.len());
                columns.push(column);
            }
        }
        let solved = if columns.len() < known.len() {
            solve(&columns, &size)?
        } else {
            return None;
        };
        let [amplitude, frequency] = places.map(|p| p.map(|p| solved.coefficients[p]));
        Some(Trend {
            name: name.clone(),
            amplitude,
            frequency,
        })
    };
    names.iter().enumerate().filter_map(trend).collect()
}
