//! Values of a request: numbers in SI, or texts with a unit.

use masing_data::unit::{Quantity, parse_quantity};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::str::FromStr;

/// A number in SI, or a text with a unit such as `"2.2mm"`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Value {
    /// SI.
    Number(f64),
    /// A number with a unit, or a word.
    Text(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Text(text) => f.write_str(text),
        }
    }
}

impl FromStr for Value {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        Ok(match text.parse() {
            Ok(number) => Value::Number(number),
            Err(_) => Value::Text(text.to_owned()),
        })
    }
}

impl Value {
    /// The number in SI of a parameter whose SI unit is `unit`; otherwise what was expected.
    pub fn si(&self, unit: &str) -> Result<f64, String> {
        let quantity = Quantity::ALL.into_iter().find(|q| q.si() == unit);
        let expected = || match quantity {
            Some(quantity) if quantity != Quantity::Number => format!(
                "a number in {unit}, or one with a unit such as {}",
                quantity.engineering().0
            ),
            _ => format!("a number in {unit}, without a unit"),
        };
        let value = match (self, quantity) {
            (Value::Number(number), _) => Some(*number),
            (Value::Text(text), Some(quantity)) => parse_quantity(text, quantity).ok(),
            (Value::Text(_), None) => None,
        };
        value.filter(|v| v.is_finite()).ok_or_else(expected)
    }
}

/// A value given to a parameter: `rt.k0=200N/mm`.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// The address of the parameter.
    pub address: String,
    /// Its value.
    pub value: Value,
}

impl fmt::Display for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.address, self.value)
    }
}

impl FromStr for Assignment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected =
            "expected PARAMETER=VALUE, in SI or with a unit, such as rt.alpha=0.1 or rt.k0=200N/mm";
        let (address, value) = text.split_once('=').ok_or(expected)?;
        let Ok(value) = value.parse();
        let sound = match &value {
            Value::Number(number) => number.is_finite(),
            Value::Text(text) => {
                text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
            }
        };
        if !sound || address.trim().is_empty() {
            return Err(expected.to_owned());
        }
        Ok(Self {
            address: address.trim().to_owned(),
            value,
        })
    }
}

/// Assignments as a table: `{ "rt.k0" = "200N/mm" }`.
pub mod assignments {
    use super::{Assignment, Value};
    use serde::{Deserialize as _, Deserializer, Serializer};
    use std::collections::BTreeMap;

    /// Writes them.
    pub fn serialize<S: Serializer>(list: &[Assignment], to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(list.iter().map(|a| (&a.address, &a.value)))
    }

    /// Reads them.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Assignment>, D::Error> {
        let table = BTreeMap::<String, Value>::deserialize(from)?;
        let each = table.into_iter();
        Ok(each
            .map(|(address, value)| Assignment { address, value })
            .collect())
    }
}

/// A list of values or a range, as text: `0.1mm,0.5mm` or `1..100Hz`; in files and programs also a number or a list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Listed(#[schemars(with = "OneOrMore<Value>")] pub String);

impl From<String> for Listed {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl<'de> Deserialize<'de> for Listed {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let values = OneOrMore::<Value>::deserialize(from)?.into_vec();
        let texts: Vec<String> = values.iter().map(Value::to_string).collect();
        Ok(Self(texts.join(",")))
    }
}

/// One, or a list.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum OneOrMore<T> {
    /// One.
    One(T),
    /// Several.
    More(Vec<T>),
}

impl<T> OneOrMore<T> {
    /// As a list.
    pub fn into_vec(self) -> Vec<T> {
        match self {
            OneOrMore::One(one) => vec![one],
            OneOrMore::More(more) => more,
        }
    }
}

/// Reads a text or a list of texts.
pub fn one_or_more<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    OneOrMore::<String>::deserialize(from).map(OneOrMore::into_vec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_si_or_have_a_unit() {
        let read = |text: &str, unit: &str| text.parse::<Value>().unwrap().si(unit);
        assert_eq!(read("200N/mm", "N/m"), Ok(2e5));
        assert_eq!(read("2e5", "N/m"), Ok(2e5));
        assert_eq!(read("3", "N^(1-n)/m"), Ok(3.0));
        assert!(
            read("3mm", "N^(1-n)/m")
                .unwrap_err()
                .contains("without a unit")
        );
        assert!(read("3kg", "N/m").unwrap_err().contains("such as N/mm"));
        assert!(read("inf", "N/m").is_err());
    }

    #[test]
    fn assignments_are_read_and_refused() {
        let read = |text: &str| text.parse::<Assignment>();
        assert_eq!(
            read("rt.k0 = 200N/mm").unwrap().value,
            Value::Text("200N/mm".into())
        );
        for bad in ["rt.k0", "rt.k0=", "rt.k0=fast", "=3", "rt.k0=nan"] {
            assert!(read(bad).unwrap_err().contains("PARAMETER=VALUE"), "{bad}");
        }
    }
}
