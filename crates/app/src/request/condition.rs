//! Levels of test conditions, and what follows them.

use super::Value;
use crate::error::AppError;
use masing_data::unit::parse_level;
use masing_diagnostic::{Diagnostic, FitDiagnostic};
use masing_identify::{Follow, FormChoice};
use masing_model::{Condition, Form, Levels, Model, condition};
use std::collections::BTreeMap;

/// Levels by the name of their condition.
pub type Conditions = BTreeMap<String, Value>;

const OPTION: &str = "--condition";

/// `NAME=LEVEL,...`, each a number with a unit.
pub fn take(into: &mut Conditions, text: &str) -> Result<(), AppError> {
    for pair in text.split(',') {
        let (name, level) = pair.split_once('=').unwrap_or((pair, ""));
        let (name, level) = (name.trim(), level.trim());
        if name.is_empty() || level.is_empty() {
            let expected = "NAME=LEVEL, such as current=0.5A or temperature=20degC";
            return Err(AppError::option(OPTION, pair, expected));
        }
        let Ok(value) = level.parse();
        into.insert(name.to_owned(), value);
    }
    Ok(())
}

/// What several such texts say.
pub fn parse(texts: &[String]) -> Result<Conditions, AppError> {
    let mut out = Conditions::new();
    texts.iter().try_for_each(|text| take(&mut out, text))?;
    Ok(out)
}

/// A level in SI, and its SI unit where one was given.
fn level(name: &str, value: &Value) -> Result<(f64, Option<&'static str>), AppError> {
    let read = match value {
        Value::Number(number) => Ok((*number, None)),
        Value::Text(text) => parse_level(text),
    };
    let (level, unit) = read.map_err(|error| refused(name, value, error.to_string()))?;
    if !level.is_finite() {
        return Err(refused(name, value, "a finite number".to_owned()));
    }
    Ok((level, unit))
}

fn refused(name: &str, value: &Value, expected: String) -> AppError {
    AppError::option(OPTION, format!("{name}={value}"), expected)
}

/// The levels in SI.
pub fn levels(conditions: &Conditions) -> Result<Levels, AppError> {
    let each = conditions.iter();
    each.map(|(name, value)| Ok((name.clone(), level(name, value)?.0)))
        .collect()
}

/// The conditions of tests with their units, which must be of one kind for each condition; those that a model knows are
/// of its unit.
pub fn conditions_of<'a>(
    tests: impl Iterator<Item = &'a Conditions>,
    known: &[Condition],
) -> Result<Vec<Condition>, AppError> {
    let mut out: Vec<(Condition, bool)> =
        known.iter().map(|c| (c.clone(), c.unit != "1")).collect();
    for (name, value) in tests.flatten() {
        let (level, unit) = level(name, value)?;
        let at = out.iter().position(|(c, _)| c.name == *name);
        let (own, has_unit) = match at {
            Some(at) => &mut out[at],
            None => {
                let range = [level; 2];
                let (name, unit) = (name.clone(), "1".to_owned());
                out.push((Condition { name, unit, range }, false));
                let Some(last) = out.last_mut() else { continue };
                last
            }
        };
        match unit {
            Some(unit) if *has_unit && own.unit != unit => {
                let expected = format!("a level in {}, as elsewhere", own.unit);
                return Err(refused(name, value, expected));
            }
            Some(unit) => (own.unit, *has_unit) = (unit.to_owned(), true),
            None => {}
        }
        own.range = [own.range[0].min(level), own.range[1].max(level)];
    }
    Ok(out.into_iter().map(|(condition, _)| condition).collect())
}

/// The levels at which a model is used: every name one that it knows, every unit of its kind.
pub fn levels_for(model: &Model, conditions: &Conditions) -> Result<Levels, AppError> {
    let known = model.conditions();
    if let Some(name) = conditions
        .keys()
        .find(|n| !known.iter().any(|c| c.name == **n))
    {
        return Err(condition::unknown(name, known).into());
    }
    conditions_of(std::iter::once(conditions), known)?;
    levels(conditions)
}

/// The model at the levels of a request; an ordinary model follows none.
pub fn at_levels(model: &Model, conditions: &Conditions) -> Result<Model, AppError> {
    Ok(model.at(&levels_for(model, conditions)?)?)
}

/// Levels outside those that the model was fitted to.
pub fn outside(model: &Model, levels: &Levels) -> Vec<Diagnostic> {
    let beyond = model.conditions().iter().filter_map(|c| {
        let level = *levels.get(&c.name)?;
        c.is_outside(level).then(|| {
            FitDiagnostic::LevelOutside {
                test: "the model".to_owned(),
                condition: c.name.clone(),
                level,
                range: c.range,
                unit: c.unit.clone(),
            }
            .into()
        })
    });
    beyond.collect()
}

/// `eyring-dashpot.f=current:exp-quadratic`; a second condition after `*`, the form left out for `auto`.
pub fn follow(text: &str) -> Result<(String, Follow), AppError> {
    let expected = "PARAMETER=CONDITION:FORM, such as eyring-dashpot.f=current:exp-quadratic; a second condition after *";
    let refuse = || AppError::option("--follow", text, expected);
    let (address, rest) = text.split_once('=').ok_or_else(refuse)?;
    let (mut of, mut forms) = (Vec::new(), Vec::new());
    for part in rest.split('*') {
        let (name, form) = part.split_once(':').unwrap_or((part, AUTO));
        if name.trim().is_empty() {
            return Err(refuse());
        }
        of.push(name.trim().to_owned());
        forms.push(form.trim().to_owned());
    }
    Ok((address.trim().to_owned(), asked(of, &forms)?))
}

const AUTO: &str = "auto";

/// What a parameter follows, with forms by name; none or `auto` for one that is chosen.
pub fn asked(of: Vec<String>, forms: &[String]) -> Result<Follow, AppError> {
    if forms.iter().all(|form| form == AUTO) {
        let form = FormChoice::Auto;
        return Ok(Follow { of, form });
    }
    let forms: Result<Vec<Form>, _> = forms.iter().map(|name| Form::named(name)).collect();
    Ok(Follow {
        of,
        form: FormChoice::Given(forms?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conditions(text: &str) -> Conditions {
        let mut out = Conditions::new();
        take(&mut out, text).unwrap();
        out
    }

    #[test]
    fn levels_are_read_and_kinds_of_units_must_agree() {
        let warm = conditions("current=500mA, temperature=20degC");
        let found = levels(&warm).unwrap();
        assert_eq!((found["current"], found["temperature"]), (0.5, 293.15));
        let cold = conditions("temperature=-10degC,current=1");
        let all = conditions_of([&warm, &cold].into_iter(), &[]).unwrap();
        let told: Vec<(&str, &str)> = all.iter().map(|c| (&c.name[..], &c.unit[..])).collect();
        assert_eq!(told, [("current", "A"), ("temperature", "K")]);
        let volts = conditions("current=3V");
        let said = conditions_of([&warm, &volts].into_iter(), &[]).unwrap_err();
        assert!(said.to_string().contains("a level in A"), "{said}");
        assert!(take(&mut Conditions::new(), "current").is_err());
        assert!(levels(&conditions("current=strong")).is_err());
    }

    #[test]
    fn what_follows_is_read_with_its_form() {
        let (address, found) = follow("eyring-dashpot.f=current:exp-quadratic").unwrap();
        assert_eq!(address, "eyring-dashpot.f");
        assert_eq!(found.form, FormChoice::Given(vec![Form::ExpQuadratic]));
        assert_eq!(follow("a.b=current").unwrap().1.form, FormChoice::Auto);
        let two = follow("a.b=current:linear*heat:arrhenius").unwrap().1;
        assert_eq!(two.of, ["current", "heat"]);
        let said = follow("a.b=current:exp-qadratic").unwrap_err().to_string();
        assert!(said.contains("did you mean `exp-quadratic`?"), "{said}");
        assert!(follow("a.b").is_err());
    }
}
