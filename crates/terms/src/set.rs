//! All tests as one tall linear problem: rows over the noise of their test.

use super::dictionary::Term;
use super::error::TermsError;
use super::laws::{By, Law, Subject, factor};
use super::motion::Prepared;
use super::test::{Sign, Slope, Test};
use masing_data::Preload;
use masing_identify::uncertainty::inflation::{inflation, lag1};
use std::ops::Range;

/// Tests side by side.
#[derive(Clone, Debug)]
pub struct Set {
    /// The tests.
    pub tests: Vec<Prepared>,
    /// Noise of each, by which its rows are divided.
    pub sigma: Vec<f64>,
    /// The longest stroke, which scales the Chebyshev terms.
    pub span: f64,
    /// Half the width of the friction band: a preload that is given as a force may differ from the elastic curve by
    /// this much, because friction can hold the part anywhere inside.
    pub band: f64,
    /// Coefficients that follow amplitude or frequency; none where one set of coefficients does.
    pub laws: Vec<Law>,
}

/// Noise below this share of the largest force is not believed.
const LEAST_NOISE: f64 = 1e-4;

impl Set {
    /// Prepares tests; their noise is set to their rms force, so that they have equal weights.
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
        Ok(Self {
            tests,
            sigma,
            span,
            band: 0.0,
            laws: Vec::new(),
        })
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
            if let Some(Preload::Force(force)) = test.preload {
                out.push(force / self.preload_sigma(*sigma));
            }
        }
        out
    }

    /// Standard deviation of a preload that is given as a force: anywhere in the friction band is equally
    /// likely.
    fn preload_sigma(&self, sigma: f64) -> f64 {
        sigma.hypot(self.band / 3.0_f64.sqrt())
    }

    /// A term over the noise.
    pub fn column(&self, term: &Term) -> Vec<f64> {
        self.gather(
            &Subject::Term(term.clone()),
            |test| term.column(test, self.span),
            |y0| at_rest(term, y0),
        )
    }

    /// Spring-sliders of stiffness one over the noise, and their derivative with respect to the slip displacement:
    /// the direction of the last slip.
    pub fn slider(&self, r: f64) -> (Vec<f64>, Vec<f64>) {
        let mut slips = Vec::new();
        let stretch = self.gather(
            &Subject::Friction,
            |test| {
                let own = factor(&self.laws, &Subject::Slip, test);
                let (stretch, slip) = test.slider(r * own);
                slips.push(slip.into_iter().map(|s| s * own).collect());
                stretch
            },
            |_| 0.0,
        );
        let mut slips = slips.into_iter();
        let slip = self.gather(
            &Subject::Friction,
            |_| slips.next().unwrap_or_default(),
            |_| 0.0,
        );
        (stretch, slip)
    }

    /// Derivative of a term with respect to the preload of the tests whose preload is sought.
    pub fn by_preload(&self, term: &Term) -> Option<Vec<f64>> {
        if !term.feels_preload() {
            return None;
        }
        Some(self.gather(
            &Subject::Term(term.clone()),
            |test| match test.preload {
                Some(Preload::Motion(_)) => vec![0.0; test.x.len()],
                _ => term.by_preload(test).unwrap_or_default(),
            },
            |y0| match term {
                Term::Stiffness(power) => f64::from(*power) * y0.powi(*power as i32 - 1),
                _ => 0.0,
            },
        ))
    }

    /// A column times the logarithm of what its coefficient follows: the derivative with respect to the exponent.
    pub fn by_exponent(&self, column: &[f64], by: By, at: f64) -> Vec<f64> {
        let mut out = column.to_vec();
        for (test, range) in self.tests.iter().zip(self.ranges()) {
            let slope = (by.of(test) / at).ln();
            out[range].iter_mut().for_each(|v| *v *= slope);
        }
        out
    }

    fn gather(
        &self,
        subject: &Subject,
        mut samples: impl FnMut(&Prepared) -> Vec<f64>,
        rest: impl Fn(f64) -> f64,
    ) -> Vec<f64> {
        let mut out = Vec::with_capacity(self.rows());
        for (test, sigma) in self.tests.iter().zip(&self.sigma) {
            let values = samples(test);
            let own = factor(&self.laws, subject, test);
            out.extend(test.rows.iter().map(|&i| own * values[i] / sigma));
            if let Some(Preload::Force(_)) = test.preload {
                out.push(own * rest(test.y0) / self.preload_sigma(*sigma));
            }
        }
        out
    }

    /// Whether a preload is sought.
    pub fn seeks_preload(&self) -> bool {
        let given = |t: &Prepared| matches!(t.preload, Some(Preload::Motion(_)));
        !self.tests.iter().all(given)
    }

    /// The preload of the tests whose preload is sought.
    pub fn sought_preload(&self) -> Option<f64> {
        let sought = |t: &&Prepared| !matches!(t.preload, Some(Preload::Motion(_)));
        self.tests.iter().find(sought).map(|t| t.y0)
    }

    /// The same tests with another preload where it is sought.
    pub fn with_preload(&self, y0: f64) -> Self {
        let mut other = self.clone();
        for test in &mut other.tests {
            if !matches!(test.preload, Some(Preload::Motion(_))) {
                test.y0 = y0;
            }
        }
        other
    }

    /// The same tests with coefficients that follow laws.
    pub fn with_laws(&self, laws: &[Law]) -> Self {
        Self {
            laws: laws.to_vec(),
            ..self.clone()
        }
    }

    /// Gives the laws these exponents, one after the other.
    pub fn set_exponents(&mut self, exponents: &[f64]) {
        let powers = self.laws.iter_mut().flat_map(|law| &mut law.powers);
        for ((_, exponent, _), found) in powers.zip(exponents) {
            *exponent = *found;
        }
    }

    /// Some of the tests.
    pub fn only(&self, kept: impl Fn(usize) -> bool) -> Self {
        let places = (0..self.tests.len()).filter(|k| kept(*k));
        let places: Vec<usize> = places.collect();
        Self {
            tests: places.iter().map(|k| self.tests[*k].clone()).collect(),
            sigma: places.iter().map(|k| self.sigma[*k]).collect(),
            laws: self.laws.clone(),
            ..*self
        }
    }

    /// Sets the noise of each test where it is known, else from its residual (weighted, with `parameters` used for all
    /// tests).
    pub fn update_noise(&mut self, left: &[f64], parameters: usize) {
        let share = parameters as f64 / self.tests.len().max(1) as f64;
        let ranges = self.ranges();
        for (k, test) in self.tests.iter_mut().enumerate() {
            // A preload that contradicts the samples is no noise of theirs.
            let samples = left[ranges[k].clone()].iter().take(test.rows.len());
            let rest: f64 = samples.map(|r| r * r).sum();
            let count = (test.rows.len() as f64 - share).max(1.0);
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

    /// Smallest mean square, relative to the noise, that BIC believes: a thousandth of the standard deviation
    /// of the force.
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

    /// Number of independent samples that the rows are worth, given the correlation of neighbouring
    /// residuals.
    pub fn effective_rows(&self, left: &[f64]) -> f64 {
        let worth = |range: Range<usize>| {
            let n = range.len() as f64;
            let left = &left[range];
            n / inflation(lag1(left), left.len())
        };
        self.ranges().into_iter().map(worth).sum::<f64>().max(2.0)
    }

    /// Whether nearly all samples have the same speed, as under triangles.
    pub fn one_speed(&self) -> bool {
        let of =
            |test: &Prepared| -> Vec<f64> { test.rows.iter().map(|&i| test.v[i].abs()).collect() };
        let mut speeds: Vec<f64> = self.tests.iter().flat_map(of).collect();
        speeds.sort_by(f64::total_cmp);
        let at = |share: f64| speeds.get((share * speeds.len() as f64) as usize).copied();
        matches!((at(0.1), at(0.9)), (Some(slow), Some(fast)) if slow > 0.9 * fast)
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

fn rows_of(test: &Prepared) -> usize {
    test.rows.len() + usize::from(matches!(test.preload, Some(Preload::Force(_))))
}

/// A term of the elastic curve under the preload alone.
fn at_rest(term: &Term, y0: f64) -> f64 {
    match term {
        Term::Stiffness(power) => y0.powi(*power as i32),
        Term::One => 1.0,
        _ => 0.0,
    }
}
