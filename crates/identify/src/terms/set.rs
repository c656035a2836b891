//! All tests as one tall linear problem: rows over the noise of their test.

use super::dictionary::Term;
use super::error::TermsError;
use super::motion::{Preload, Prepared, Sign, Slope, Test};
use std::ops::Range;

/// Tests side by side.
#[derive(Clone, Debug)]
pub struct Set {
    /// The tests.
    pub tests: Vec<Prepared>,
    /// Noise of each, by which its rows are divided.
    pub sigma: Vec<f64>,
    /// The longest stroke, which Chebyshev terms are scaled by.
    pub span: f64,
}

/// Noise below this share of the largest force is not believed.
const LEAST_NOISE: f64 = 1e-4;

impl Set {
    /// Prepares tests; their noise is set to their rms force, so that they count alike.
    pub fn of(tests: &[Test], sign: Sign, slope: Slope) -> Result<Self, TermsError> {
        let tests: Result<Vec<Prepared>, TermsError> =
            tests.iter().map(|t| Prepared::of(t, sign, slope)).collect();
        let tests = tests?;
        let span = tests
            .iter()
            .map(|t| t.longest_stroke().max(f64::MIN_POSITIVE))
            .fold(0.0, f64::max);
        let sigma = tests
            .iter()
            .map(|t| {
                let sum: f64 = t.rows.iter().map(|&i| t.force[i].powi(2)).sum();
                let rms = (sum / t.rows.len().max(1) as f64).sqrt();
                if rms > 0.0 { rms } else { 1.0 }
            })
            .collect();
        Ok(Self { tests, sigma, span })
    }

    /// Rows of all tests: their samples, and one for a preload that is given as a force.
    pub fn rows(&self) -> usize {
        self.tests.iter().map(rows_of).sum()
    }

    /// Rows of each test.
    pub fn ranges(&self) -> Vec<Range<usize>> {
        let mut start = 0;
        let each = self.tests.iter().map(|t| {
            let range = start..start + rows_of(t);
            start = range.end;
            range
        });
        each.collect()
    }

    /// The force over the noise.
    pub fn force(&self) -> Vec<f64> {
        let mut out = Vec::with_capacity(self.rows());
        for (test, sigma) in self.tests.iter().zip(&self.sigma) {
            out.extend(test.rows.iter().map(|&i| test.force[i] / sigma));
            if let Preload::Force(force) = test.preload {
                out.push(force / sigma);
            }
        }
        out
    }

    /// A term over the noise.
    pub fn column(&self, term: &Term) -> Vec<f64> {
        self.gather(|test| term.column(test, self.span), |y0| at_rest(term, y0))
    }

    /// Spring-sliders of stiffness one over the noise, and their derivative with respect to the slip displacement:
    /// the direction of the last slip.
    pub fn slider(&self, r: f64) -> (Vec<f64>, Vec<f64>) {
        let mut slips = Vec::new();
        let stretch = self.gather(
            |test| {
                let (stretch, slip) = test.slider(r);
                slips.push(slip);
                stretch
            },
            |y0| y0.clamp(-r, r),
        );
        let mut slips = slips.into_iter();
        let slip = self.gather(
            |_| slips.next().unwrap_or_default(),
            |y0| if y0.abs() > r { y0.signum() } else { 0.0 },
        );
        (stretch, slip)
    }

    /// Derivative of a term with respect to the preload of the tests whose preload is sought.
    pub fn by_preload(&self, term: &Term) -> Option<Vec<f64>> {
        if !term.feels_preload() {
            return None;
        }
        Some(self.gather(
            |test| match test.preload {
                Preload::Displacement(_) => vec![0.0; test.x.len()],
                _ => term.by_preload(test).unwrap_or_default(),
            },
            |y0| match term {
                Term::Stiffness(power) => f64::from(*power) * y0.powi(*power as i32 - 1),
                _ => 0.0,
            },
        ))
    }

    fn gather(
        &self,
        mut samples: impl FnMut(&Prepared) -> Vec<f64>,
        rest: impl Fn(f64) -> f64,
    ) -> Vec<f64> {
        let mut out = Vec::with_capacity(self.rows());
        for (test, sigma) in self.tests.iter().zip(&self.sigma) {
            let values = samples(test);
            out.extend(test.rows.iter().map(|&i| values[i] / sigma));
            if let Preload::Force(_) = test.preload {
                out.push(rest(test.y0) / sigma);
            }
        }
        out
    }

    /// Whether a preload is sought.
    pub fn seeks_preload(&self) -> bool {
        let given = |t: &Prepared| matches!(t.preload, Preload::Displacement(_));
        !self.tests.iter().all(given)
    }

    /// The same tests with another preload where it is sought.
    pub fn with_preload(&self, y0: f64) -> Self {
        let mut other = self.clone();
        for test in &mut other.tests {
            if !matches!(test.preload, Preload::Displacement(_)) {
                test.y0 = y0;
            }
        }
        other
    }

    /// Takes the noise of each test where it is known, else from what is left of it (weighted, with `parameters` spent
    /// on all tests).
    pub fn update_noise(&mut self, left: &[f64], parameters: usize) {
        let share = parameters as f64 / self.tests.len().max(1) as f64;
        let ranges = self.ranges();
        for (k, test) in self.tests.iter_mut().enumerate() {
            let rest: f64 = left[ranges[k].clone()].iter().map(|r| r * r).sum();
            let count = (ranges[k].len() as f64 - share).max(1.0);
            let own = self.sigma[k] * (rest / count).sqrt();
            // Cycles of a motion that still grows differ by more than noise; what is left of a fit cannot be less than
            // the noise.
            test.noise = test.noise.filter(|noise| *noise <= 1.3 * own);
            let found = test.noise.unwrap_or(own);
            let peak = test.rows.iter();
            let peak = peak.fold(0.0_f64, |m, &i| m.max(test.force[i].abs()));
            let floor = LEAST_NOISE * peak;
            self.sigma[k] = found.max(floor).max(f64::MIN_POSITIVE);
        }
    }

    /// Mean square, over the noise, below which BIC believes nothing: a thousandth of the force's standard deviation.
    pub fn floor(&self) -> f64 {
        let mut sum = 0.0;
        for (test, sigma) in self.tests.iter().zip(&self.sigma) {
            let n = test.rows.len().max(1) as f64;
            let mean = test.rows.iter().map(|&i| test.force[i]).sum::<f64>() / n;
            let square: f64 = test
                .rows
                .iter()
                .map(|&i| (test.force[i] - mean).powi(2))
                .sum();
            sum += 1e-6 * square / (sigma * sigma);
        }
        sum / self.rows().max(1) as f64
    }

    /// How many independent samples the rows are worth, where neighbours of what is left resemble each other.
    pub fn effective_rows(&self, left: &[f64]) -> f64 {
        let worth = |range: Range<usize>| {
            let n = range.len() as f64;
            n / inflation(&left[range])
        };
        self.ranges().into_iter().map(worth).sum::<f64>().max(2.0)
    }

    /// Largest amplitude.
    pub fn amplitude(&self) -> f64 {
        self.tests.iter().fold(0.0, |m, t| m.max(t.amplitude))
    }

    /// Largest speed.
    pub fn top_speed(&self) -> f64 {
        self.tests.iter().fold(0.0, |m, t| m.max(t.top_speed()))
    }
}

/// By how much correlated neighbours make the variance of estimates larger.
pub(super) fn inflation(left: &[f64]) -> f64 {
    let rho = lag1(left);
    if rho > 3.0 / (left.len().max(1) as f64).sqrt() {
        (1.0 + rho) / (1.0 - rho).max(1e-3)
    } else {
        1.0
    }
}

/// Correlation of neighbours.
pub(super) fn lag1(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    let spread: f64 = values.iter().map(|r| (r - mean).powi(2)).sum();
    let product: f64 = values
        .windows(2)
        .map(|w| (w[0] - mean) * (w[1] - mean))
        .sum();
    if spread > 0.0 { product / spread } else { 0.0 }
}

fn rows_of(test: &Prepared) -> usize {
    test.rows.len() + usize::from(matches!(test.preload, Preload::Force(_)))
}

/// A term under the preload alone, loaded for the first time.
fn at_rest(term: &Term, y0: f64) -> f64 {
    match term {
        Term::Stiffness(power) => y0.powi(*power as i32),
        Term::Slider(r) => y0.clamp(-r, *r),
        Term::One => 1.0,
        _ => 0.0,
    }
}
