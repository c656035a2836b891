//! Coefficients that follow powers of the amplitude and the frequency of a test:
//!
//! c(test) = c (amplitude/amplitude_0)^p (frequency/frequency_0)^q

use super::dictionary::Term;
use super::motion::Prepared;

/// Whose coefficient it is.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// That of a term.
    Term(Term),
    /// The stiffness of all spring-sliders together.
    Friction,
    /// The slip displacement of all spring-sliders together.
    Slip,
}

/// What of a test a coefficient may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The amplitude of its motion.
    Amplitude,
    /// The frequency of its motion.
    Frequency,
}

impl By {
    /// `amplitude` or `frequency`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Amplitude => "amplitude",
            Self::Frequency => "frequency",
        }
    }

    /// That of a test.
    pub fn of(self, test: &Prepared) -> f64 {
        match self {
            Self::Amplitude => test.amplitude,
            Self::Frequency => test.frequency,
        }
    }
}

/// One such coefficient.
#[derive(Clone, Debug, PartialEq)]
pub struct Law {
    /// Whose.
    pub subject: Subject,
    /// What it follows: the exponent, and the value at which it has its own size.
    pub powers: Vec<(By, f64, f64)>,
}

impl Law {
    /// The factor on the coefficient in a test.
    pub fn factor(&self, test: &Prepared) -> f64 {
        let each = self.powers.iter();
        each.map(|(by, exponent, at)| (by.of(test) / at).powf(*exponent))
            .product()
    }
}

/// The product of all factors on a subject.
pub fn factor(laws: &[Law], subject: &Subject, test: &Prepared) -> f64 {
    let own = laws.iter().filter(|law| law.subject == *subject);
    own.map(|law| law.factor(test)).product()
}
