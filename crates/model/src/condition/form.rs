//! Forms: how a parameter goes over one condition.

use crate::error::ModelError;

/// A parameter over the level x of a condition, with coefficients c1, c2, ...
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// c1 + c2 x
    Linear,
    /// c1 + c2 x + c3 x^2
    Quadratic,
    /// exp(c1 + c2 x)
    ExpLinear,
    /// exp(c1 + c2 x + c3 x^2)
    ExpQuadratic,
    /// c1 x^c2
    Power,
    /// Straight between its knots, where its values are the coefficients; the outer pieces go on.
    Piecewise(Vec<f64>),
    /// exp(c1 + c2 / x), x an absolute temperature
    Arrhenius,
}

/// The forms of fixed length, simplest first, and the one with knots.
static ALL: [Form; 7] = [
    Form::Linear,
    Form::ExpLinear,
    Form::Power,
    Form::Arrhenius,
    Form::Quadratic,
    Form::ExpQuadratic,
    Form::Piecewise(Vec::new()),
];

impl Form {
    /// All forms, simplest first; that with knots has none yet.
    pub fn all() -> &'static [Form] {
        &ALL
    }

    /// Its name in files.
    pub fn name(&self) -> &'static str {
        match self {
            Form::Linear => "linear",
            Form::Quadratic => "quadratic",
            Form::ExpLinear => "exp-linear",
            Form::ExpQuadratic => "exp-quadratic",
            Form::Power => "power",
            Form::Piecewise(_) => "piecewise",
            Form::Arrhenius => "arrhenius",
        }
    }

    /// Its formula over `x`.
    pub fn formula(&self) -> &'static str {
        match self {
            Form::Linear => "c1 + c2 x",
            Form::Quadratic => "c1 + c2 x + c3 x^2",
            Form::ExpLinear => "exp(c1 + c2 x)",
            Form::ExpQuadratic => "exp(c1 + c2 x + c3 x^2)",
            Form::Power => "c1 x^c2",
            Form::Piecewise(_) => "straight between knots",
            Form::Arrhenius => "exp(c1 + c2/x)",
        }
    }

    /// The form of that name.
    pub fn named(name: &str) -> Result<Form, ModelError> {
        let found = ALL.iter().find(|form| form.name() == name);
        found.cloned().ok_or_else(|| ModelError::UnknownForm {
            name: name.to_owned(),
            known: ALL.iter().map(|form| form.name().to_owned()).collect(),
        })
    }

    /// How many coefficients it has.
    pub fn count(&self) -> usize {
        match self {
            Form::Linear | Form::ExpLinear | Form::Power | Form::Arrhenius => 2,
            Form::Quadratic | Form::ExpQuadratic => 3,
            Form::Piecewise(knots) => knots.len(),
        }
    }

    /// Whether the parameter is the exponential of a sum.
    pub fn is_exponential(&self) -> bool {
        matches!(self, Form::ExpLinear | Form::ExpQuadratic | Form::Arrhenius)
    }

    /// The first coefficient of a form of size one.
    pub fn unit_size(&self) -> f64 {
        if self.is_exponential() { 0.0 } else { 1.0 }
    }

    /// Coefficients with which it is `value` at every level.
    pub fn flat(&self, value: f64) -> Vec<f64> {
        let mut c = vec![0.0; self.count()];
        if let Form::Piecewise(_) = self {
            c.fill(value);
        } else if let Some(first) = c.first_mut() {
            *first = if self.is_exponential() {
                value.ln()
            } else {
                value
            };
        }
        c
    }

    /// What the coefficients are multiplied by; in the form's own coordinates (logarithms for exponentials and for the
    /// power) the value is the sum of the products.
    pub fn basis(&self, x: f64) -> Vec<f64> {
        match self {
            Form::Linear | Form::ExpLinear => vec![1.0, x],
            Form::Quadratic | Form::ExpQuadratic => vec![1.0, x, x * x],
            Form::Power => vec![1.0, x.ln()],
            Form::Arrhenius => vec![1.0, 1.0 / x],
            Form::Piecewise(knots) => hats(knots, x),
        }
    }

    /// The value at a level and its derivatives by the coefficients.
    pub fn value(&self, c: &[f64], x: f64) -> (f64, Vec<f64>) {
        let mut slopes = self.basis(x);
        let sum = |skip: usize| -> f64 {
            let pairs = slopes.iter().zip(c).skip(skip);
            pairs.map(|(b, c)| b * c).sum()
        };
        if let Form::Power = self {
            let size = sum(1).exp();
            slopes[0] = size;
            slopes[1] *= c[0] * size;
            return (c[0] * size, slopes);
        }
        let value = sum(0);
        if !self.is_exponential() {
            return (value, slopes);
        }
        let value = value.exp();
        for slope in &mut slopes {
            *slope *= value;
        }
        (value, slopes)
    }

    /// Refuses levels at which the form has no value.
    pub fn check_level(&self, condition: &str, level: f64) -> Result<(), ModelError> {
        let positive = matches!(self, Form::Power | Form::Arrhenius);
        if level.is_finite() && (!positive || level > 0.0) {
            return Ok(());
        }
        Err(ModelError::Level {
            condition: condition.to_owned(),
            level,
            form: self.name(),
            expected: match self {
                Form::Arrhenius => "an absolute temperature above 0 K",
                Form::Power => "a level above 0",
                _ => "a finite number",
            },
        })
    }

    /// Its knots, which must rise.
    pub(crate) fn check(&self, address: &str) -> Result<(), ModelError> {
        let Form::Piecewise(knots) = self else {
            return Ok(());
        };
        let list = format!("{address}.knots");
        if knots.len() < 2 || !knots.iter().all(|k| k.is_finite()) {
            let found = format!("{knots:?}");
            return Err(ModelError::shape(
                list,
                &found,
                "at least two finite levels",
            ));
        }
        match knots.windows(2).position(|w| w[1] <= w[0]) {
            Some(i) => Err(ModelError::NotIncreasing {
                list,
                index: i + 2,
                value: knots[i + 1],
                before: knots[i],
            }),
            None => Ok(()),
        }
    }

    /// The unit of a coefficient, for the units of the parameter and of the condition.
    pub fn unit_of(&self, k: usize, param: &str, condition: &str) -> String {
        let per = match (condition, k) {
            ("1", _) | (_, 0) => String::new(),
            (unit, 1) => format!("/{}", grouped(unit)),
            (unit, k) => format!("/{}^{k}", grouped(unit)),
        };
        match self {
            Form::Piecewise(_) => param.to_owned(),
            Form::Power if k == 0 => param.to_owned(),
            Form::Power => "1".to_owned(),
            Form::Arrhenius if k == 1 => condition.to_owned(),
            form if form.is_exponential() => format!("1{per}"),
            _ if k == 0 => param.to_owned(),
            _ => format!("{}{per}", grouped(param)),
        }
    }
}

/// A unit that may stand in a product.
fn grouped(unit: &str) -> String {
    if unit.contains([' ', '/']) {
        format!("({unit})")
    } else {
        unit.to_owned()
    }
}

/// Shares of the knots in the straight line at `x`.
fn hats(knots: &[f64], x: f64) -> Vec<f64> {
    let mut shares = vec![0.0; knots.len()];
    if knots.len() < 2 {
        shares.fill(1.0);
        return shares;
    }
    let inner = &knots[1..knots.len() - 1];
    let i = inner.iter().take_while(|knot| x > **knot).count();
    let share = (x - knots[i]) / (knots[i + 1] - knots[i]);
    (shares[i], shares[i + 1]) = (1.0 - share, share);
    shares
}
