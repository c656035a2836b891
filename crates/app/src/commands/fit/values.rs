//! Values of parameters that a request gives: held, started at, kept within.

use crate::error::AppError;
use crate::request::condition;
use crate::request::{Assignment, FitRequest, Value};
use masing_identify::Follow;
use masing_model::{Draft, Model, unit_for};
use std::cmp::Ordering;

/// Values by address.
type Pairs = Vec<(String, f64)>;

/// What is said about parameters, in SI.
#[derive(Debug, Default)]
pub struct Values {
    pub fixed: Pairs,
    pub starts: Pairs,
    /// Addresses that are sought although they are not by default.
    pub free: Vec<String>,
    pub bounds: Vec<(String, f64, f64)>,
    /// Parameters that follow conditions.
    pub follow: Vec<(String, Follow)>,
}

impl Values {
    /// Adds what `[parameters]` says.
    pub fn choose(&mut self, request: &FitRequest, model: &Model) -> Result<(), AppError> {
        for (address, choice) in &request.parameters {
            let about = |key: &str, what: String| {
                let keys: [&[&str]; 2] = [&["parameters", address, key], &["parameters", address]];
                request.about(&keys, what)
            };
            model
                .find(address)
                .map_err(|error| about("", format!("[parameters]: {error}")))?;
            let number = |key: &str, value: &Option<Value>| match value {
                None => Ok(None),
                Some(value) => si(model, address, value).map(Some).map_err(|what| {
                    about(key, format!("[parameters] \"{address}\": {key} = {what}"))
                }),
            };
            let own = Numbers {
                start: number("start", &choice.start)?,
                fixed: number("fixed", &choice.fixed)?,
                min: number("min", &choice.min)?,
                max: number("max", &choice.max)?,
            };
            own.check()
                .map_err(|(key, what)| about(key, format!("[parameters] \"{address}\": {what}")))?;
            if choice.of.is_empty() && !choice.form.is_empty() {
                let what = format!("[parameters] \"{address}\": form without `of`, the condition");
                return Err(about("form", what));
            }
            if !choice.of.is_empty() {
                let follow = condition::asked(choice.of.clone(), &choice.form);
                let follow = follow.map_err(|error| {
                    about("form", format!("[parameters] \"{address}\": {error}"))
                })?;
                self.follow.push((address.clone(), follow));
            }
            let pair = |value: f64| (address.clone(), value);
            self.fixed.extend(own.fixed.map(pair));
            self.starts.extend(own.start.map(pair));
            if own.fixed.is_none() {
                self.free.push(address.clone());
            }
            if own.min.is_some() || own.max.is_some() {
                let (low, high) = own.range();
                self.bounds.push((address.clone(), low, high));
            }
        }
        Ok(())
    }

    /// Adds `--start` and `--fix`. A parameter that is started is no longer held, whether it was named as an entry of a list
    /// or with the list as a whole.
    pub fn assign(&mut self, request: &FitRequest, model: &Model) -> Result<(), AppError> {
        for text in &request.options.follow {
            self.follow.push(condition::follow(text)?);
        }
        let starts = resolved("--start", &request.options.start, model)?;
        let fixed = resolved("--fix", &request.options.fix, model)?;
        let clash = starts.iter().find(|(_, places, _)| {
            let taken = |(_, others, _): &Resolved| others.iter().any(|i| places.contains(i));
            fixed.iter().any(taken)
        });
        if let Some((pair, ..)) = clash {
            let expected = "a parameter that --fix does not hold";
            return Err(AppError::option("--start", pair, expected));
        }
        let names: Vec<String> = model.params().into_iter().map(|(name, _)| name).collect();
        let started = |i: &usize| starts.iter().any(|(_, places, _)| places.contains(i));
        let mut held = Vec::with_capacity(self.fixed.len());
        for (address, value) in self.fixed.drain(..) {
            let places = model.find(&address)?;
            if !places.iter().any(started) {
                held.push((address, value));
                continue;
            }
            let left = places.iter().filter(|i| !started(i));
            held.extend(left.map(|i| (names[*i].clone(), value)));
        }
        self.fixed = held;
        let pair = |(pair, _, value): Resolved| (pair.address, value);
        self.starts.extend(starts.into_iter().map(pair));
        self.fixed.extend(fixed.into_iter().map(pair));
        Ok(())
    }
}

/// An assignment, where the parameter stands among the values, and its value.
type Resolved = (Assignment, Vec<usize>, f64);

fn resolved(option: &str, pairs: &[Assignment], model: &Model) -> Result<Vec<Resolved>, AppError> {
    let each = pairs.iter().map(|pair| {
        let places = model.find(&pair.address)?;
        let value = si(model, &pair.address, &pair.value);
        let value = value.map_err(|what| {
            let (_, expected) = what.split_once("expected ").unwrap_or(("", &what));
            AppError::option(option, pair, expected)
        })?;
        Ok((pair.clone(), places, value))
    });
    each.collect()
}

/// A value in the SI unit of a parameter; otherwise what is wrong with it.
pub fn si(model: &Model, address: &str, value: &Value) -> Result<f64, String> {
    let places = model.find(address).map_err(|error| error.to_string())?;
    let params = model.params();
    let unit = places
        .first()
        .map(|i| unit_for(&params[*i].1.unit, model.motion()));
    let unit = unit.unwrap_or_default();
    value
        .si(&unit)
        .map_err(|expected| format!("{value}; expected {expected}"))
}

/// A choice in SI.
struct Numbers {
    start: Option<f64>,
    min: Option<f64>,
    max: Option<f64>,
    fixed: Option<f64>,
}

impl Numbers {
    fn range(&self) -> (f64, f64) {
        (
            self.min.unwrap_or(f64::NEG_INFINITY),
            self.max.unwrap_or(f64::INFINITY),
        )
    }

    /// Refuses what contradicts itself: the key and why.
    fn check(&self) -> Result<(), (&'static str, String)> {
        if let (Some(fixed), Some(start)) = (self.fixed, self.start) {
            let what = format!(
                "fixed = {fixed} holds it, start = {start} sets it free; expected one of the two"
            );
            return Err(("fixed", what));
        }
        let (min, max) = self.range();
        if min.partial_cmp(&max) != Some(Ordering::Less) {
            let what =
                format!("min = {min}, max = {max}; expected min below max (`fixed` holds a value)");
            return Err(("min", what));
        }
        for (key, value) in [("start", self.start), ("fixed", self.fixed)] {
            if let Some(value) = value.filter(|v| *v < min || *v > max) {
                let expected = match (self.min, self.max) {
                    (Some(min), Some(max)) => format!("from min = {min} to max = {max}"),
                    (Some(min), None) => format!("from min = {min}"),
                    (None, _) => format!("up to max = {max}"),
                };
                return Err((key, format!("{key} = {value}; expected a value {expected}")));
            }
        }
        Ok(())
    }
}

/// The values that a draft gives, by address.
pub fn given(draft: &Draft) -> Pairs {
    let values = draft.model.params().into_iter().zip(draft.model.values());
    values
        .zip(&draft.given)
        .filter(|(_, given)| **given)
        .map(|(((address, _), value), _)| (address, *value))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Choice;
    use masing_model::{Assembly, Shape};

    /// A list of two spring-sliders whose stiffnesses are held, as a study holds them.
    fn lists() -> (Model, Values) {
        let mut shape = Shape::default();
        shape.lists.insert("ks".to_owned(), 2);
        shape.lists.insert("ys".to_owned(), 2);
        let assembly = Assembly::from_names("iwan", |_| shape.clone()).unwrap();
        let model = Model::with_defaults(assembly, None).unwrap();
        let fixed = ["iwan.ks[1]", "iwan.ks[2]"].map(|a| (a.to_owned(), 1e5));
        let values = Values {
            fixed: fixed.to_vec(),
            ..Values::default()
        };
        (model, values)
    }

    fn request(start: &[&str], fix: &[&str]) -> FitRequest {
        let pairs = |texts: &[&str]| texts.iter().map(|t| t.parse().unwrap()).collect();
        let mut request = FitRequest::default();
        request.options.start = pairs(start);
        request.options.fix = pairs(fix);
        request
    }

    #[test]
    fn a_list_is_started_as_a_whole_or_entry_by_entry() {
        let (model, mut values) = lists();
        values
            .assign(&request(&["iwan.ks=300N/mm"], &[]), &model)
            .unwrap();
        assert_eq!(values.fixed, []);
        assert_eq!(values.starts, [("iwan.ks".to_owned(), 3e5)]);
        let (model, mut values) = lists();
        values
            .assign(&request(&["iwan.ks[1]=3e5"], &[]), &model)
            .unwrap();
        assert_eq!(values.fixed, [("iwan.ks[2]".to_owned(), 1e5)]);
        let (model, mut values) = lists();
        let both = request(&["iwan.ks=3e5"], &["iwan.ks[2]=1e5"]);
        let error = values.assign(&both, &model).unwrap_err().to_string();
        assert!(error.contains("that --fix does not hold"), "{error}");
        let wrong = request(&[], &["iwan.ks[2]=3kg"]);
        let error = values.assign(&wrong, &model).unwrap_err().to_string();
        assert!(error.contains("such as N/mm"), "{error}");
    }

    #[test]
    fn choices_that_contradict_themselves_are_refused() {
        let (model, mut values) = lists();
        let mut request = FitRequest::default();
        let value = |v: f64| Some(Value::Number(v));
        let choice = Choice {
            start: value(2.0),
            fixed: value(1.0),
            ..Choice::default()
        };
        request.parameters.insert("iwan.ks".to_owned(), choice);
        let error = values.choose(&request, &model).unwrap_err().to_string();
        assert!(error.contains("expected one of the two"), "{error}");
    }
}
