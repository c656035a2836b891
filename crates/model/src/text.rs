//! Models as one line of text: `bouc-wen + polynomial-spring[powers=1,3] + mid: jenkins`.
//!
//! ```text
//! sum     = term { "+" term }
//! term    = [ label ":" ] name [ "[" options "]" ] [ "(" sum { "," sum } ")" ]
//! options = name "=" number { "," number } { "," name "=" number { "," number } }
//! ```
//!
//! Names are those of elements and presets. What stands in parentheses is held by what stands before them: a `series` of
//! elements, or a wrapper around one.

use crate::error::ModelError;
use crate::file::suggest::nearest;
use crate::presets::PRESETS;
use crate::registry::{Kind, Shape, find};
use std::fmt;

/// One term of a sum.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The name it goes by in addresses, if it was given one.
    pub label: Option<String>,
    /// An element or a preset.
    pub name: String,
    /// What shapes it, as it was written.
    pub options: Vec<(String, Vec<f64>)>,
    /// What it holds, each a sum.
    pub holds: Vec<Vec<Term>>,
}

/// The terms of a sum.
pub fn parse(text: &str) -> Result<Vec<Term>, ModelError> {
    let mut reader = Reader { text, at: 0 };
    let terms = reader.sum(0)?;
    match reader.peek() {
        None => Ok(terms),
        Some(_) => Err(reader.refuse("`+` or the end")),
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(label) = &self.label {
            write!(f, "{label}: ")?;
        }
        f.write_str(&self.name)?;
        let list = |values: &[f64]| {
            let each: Vec<String> = values.iter().map(f64::to_string).collect();
            each.join(",")
        };
        let options = self.options.iter();
        let options: Vec<String> = options.map(|(n, v)| format!("{n}={}", list(v))).collect();
        if !options.is_empty() {
            write!(f, "[{}]", options.join(", "))?;
        }
        if !self.holds.is_empty() {
            let held: Vec<String> = self.holds.iter().map(|sum| written(sum)).collect();
            write!(f, "({})", held.join(", "))?;
        }
        Ok(())
    }
}

/// A sum as it is read by [`parse`].
pub fn written(terms: &[Term]) -> String {
    let each: Vec<String> = terms.iter().map(Term::to_string).collect();
    each.join(" + ")
}

/// An element of a sum, ready to be built.
pub(crate) struct Named {
    pub kind: &'static Kind,
    pub label: Option<String>,
    pub shape: Shape,
}

impl Term {
    /// The elements that the term stands for; `shape_of` shapes what the term leaves open.
    pub(crate) fn elements(
        &self,
        shape_of: &impl Fn(&str) -> Shape,
    ) -> Result<Vec<Named>, ModelError> {
        if !self.holds.is_empty() {
            return Err(ModelError::Holds {
                name: self.name.clone(),
                found: self.holds.len(),
                expected: "nothing: only series(...) and softening(...) hold others",
            });
        }
        let preset = PRESETS.iter().find(|(preset, ..)| *preset == self.name);
        let own = [self.name.as_str()];
        let kinds = preset.map_or(&own[..], |(_, kinds, _)| kinds);
        if let (Some(label), true) = (&self.label, kinds.len() > 1) {
            return Err(ModelError::Rejected(format!(
                "the label `{label}` cannot name the {} elements of `{}`",
                kinds.len(),
                self.name
            )));
        }
        let kinds = kinds.iter().map(|kind| find(kind));
        let kinds = kinds.collect::<Result<Vec<_>, _>>()?;
        for (option, _) in &self.options {
            if !kinds.iter().any(|kind| kind.takes(option)) {
                return Err(self.unknown(option, &kinds));
            }
        }
        let named = kinds.into_iter().map(|kind| {
            Ok(Named {
                kind,
                label: self.label.clone(),
                shape: self.shape_among(kind, shape_of)?,
            })
        });
        named.collect()
    }

    /// What shapes an element of this kind, of the options that it takes.
    fn shape_among(
        &self,
        kind: &Kind,
        shape_of: &impl Fn(&str) -> Shape,
    ) -> Result<Shape, ModelError> {
        let mut shape = shape_of(kind.name);
        for (option, values) in self.options.iter().filter(|(name, _)| kind.takes(name)) {
            set(&mut shape, option, values)?;
        }
        Ok(shape)
    }

    /// What shapes an element of this kind; options that it does not take are refused.
    pub(crate) fn shape(
        &self,
        kind: &Kind,
        shape_of: &impl Fn(&str) -> Shape,
    ) -> Result<Shape, ModelError> {
        match self.options.iter().find(|(option, _)| !kind.takes(option)) {
            Some((option, _)) => Err(self.unknown(option, &[kind])),
            None => self.shape_among(kind, shape_of),
        }
    }

    /// Complains about options of something that has none.
    pub(crate) fn refuse_options(&self) -> Result<(), ModelError> {
        match self.options.first() {
            None => Ok(()),
            Some((option, _)) => Err(self.unknown(option, &[])),
        }
    }

    fn unknown(&self, option: &str, kinds: &[&Kind]) -> ModelError {
        let known = kinds.iter().flat_map(|kind| kind.options);
        let known: Vec<&str> = known.map(|(name, _)| *name).collect();
        let expected = match (known.is_empty(), nearest(option, known.iter().copied())) {
            (true, _) => format!("no options: `{}` has none", self.name),
            (false, Some(name)) => format!("{}; did you mean `{name}`?", known.join(", ")),
            (false, None) => known.join(", "),
        };
        ModelError::shape(option, &"given in brackets", expected)
    }
}

fn set(shape: &mut Shape, option: &str, values: &[f64]) -> Result<(), ModelError> {
    let refuse = |expected: &str| ModelError::shape(option, &format!("{values:?}"), expected);
    if option == "powers" {
        let whole = |v: &f64| v.fract() == 0.0 && (1.0..=1e3).contains(v);
        if !values.iter().all(whole) {
            return Err(refuse("positive whole numbers"));
        }
        shape.powers = Some(values.iter().map(|v| *v as u32).collect());
        return Ok(());
    }
    let &[value] = values else {
        return Err(refuse("one number"));
    };
    shape.numbers.insert(option.to_owned(), value);
    Ok(())
}

/// Deeper networks than this are a mistake.
const DEEPEST: usize = 32;

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    /// Takes a sign if it is the next.
    fn take(&mut self, sign: char) -> bool {
        let found = self.peek() == Some(sign);
        if found {
            self.at += sign.len_utf8();
        }
        found
    }

    /// Takes characters for as long as they belong together.
    fn run(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        self.peek();
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !belongs(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn refuse(&mut self, expected: &'static str) -> ModelError {
        self.peek();
        let rest = &self.text[self.at..];
        ModelError::Text {
            text: self.text.to_owned(),
            found: rest.chars().take(20).collect(),
            expected,
        }
    }

    fn sum(&mut self, depth: usize) -> Result<Vec<Term>, ModelError> {
        if depth > DEEPEST {
            return Err(self.refuse("fewer parentheses inside each other"));
        }
        let mut terms = vec![self.term(depth)?];
        while self.take('+') {
            terms.push(self.term(depth)?);
        }
        Ok(terms)
    }

    fn name(&mut self) -> Result<&'a str, ModelError> {
        let name = self.run(|c| c.is_alphanumeric() || c == '-' || c == '_');
        if name.is_empty() {
            return Err(self.refuse("the name of an element"));
        }
        Ok(name)
    }

    fn term(&mut self, depth: usize) -> Result<Term, ModelError> {
        let first = self.name()?;
        let (label, name) = if self.take(':') {
            (Some(first.to_owned()), self.name()?)
        } else {
            (None, first)
        };
        let mut term = Term {
            label,
            name: name.to_owned(),
            options: Vec::new(),
            holds: Vec::new(),
        };
        if self.take('[') {
            term.options = self.options()?;
        }
        if self.take('(') {
            loop {
                term.holds.push(self.sum(depth + 1)?);
                if !self.take(',') {
                    break;
                }
            }
            if !self.take(')') {
                return Err(self.refuse("`+`, `,` or `)`"));
            }
        }
        Ok(term)
    }

    fn options(&mut self) -> Result<Vec<(String, Vec<f64>)>, ModelError> {
        let mut options: Vec<(String, Vec<f64>)> = Vec::new();
        loop {
            let start = self.at;
            let word = self.run(|c| !matches!(c, ',' | '=' | ']' | '['));
            let word = word.trim();
            if self.take('=') {
                options.push((word.to_owned(), vec![self.number()?]));
            } else {
                // A number after a comma belongs to the option before it.
                self.at = start;
                let number = self.number()?;
                match options.last_mut() {
                    Some((_, values)) => values.push(number),
                    None => {
                        self.at = start;
                        return Err(self.refuse("an option such as cells=15"));
                    }
                }
            }
            if self.take(']') {
                return Ok(options);
            }
            if !self.take(',') {
                return Err(self.refuse("`,` or `]`"));
            }
        }
    }

    fn number(&mut self) -> Result<f64, ModelError> {
        self.peek();
        let start = self.at;
        let word = self.run(|c| c.is_alphanumeric() || matches!(c, '.' | '+' | '-'));
        match word.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => {
                self.at = start;
                Err(self.refuse("a number"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Assembly;

    fn labels(text: &str) -> Vec<String> {
        let assembly = Assembly::from_names(text, |_| Shape::default()).unwrap();
        assembly.parts().iter().map(|p| p.label.clone()).collect()
    }

    fn refused(text: &str) -> String {
        let error = Assembly::from_names(text, |_| Shape::default()).unwrap_err();
        error.to_string()
    }

    #[test]
    fn terms_have_labels_options_and_what_they_hold() {
        let terms =
            parse("bouc-wen + mid: series(gap, slider+spring) + p[powers=1,3, order = 2]").unwrap();
        assert_eq!(terms.len(), 3);
        assert_eq!(terms[1].label.as_deref(), Some("mid"));
        assert_eq!(terms[1].holds.len(), 2);
        assert_eq!(terms[1].holds[1][1].name, "spring");
        let options = [
            ("powers".to_owned(), vec![1.0, 3.0]),
            ("order".to_owned(), vec![2.0]),
        ];
        assert_eq!(terms[2].options, options);
    }

    #[test]
    fn what_is_written_is_read_back() {
        let text = "bouc-wen + mid: series(gap[sides=2, off-centre=1], slider + spring) + \
                    polynomial-spring[powers=1,3]";
        let terms = parse(text).unwrap();
        assert_eq!(written(&terms), text);
        assert_eq!(parse(&written(&terms)).unwrap(), terms);
    }

    #[test]
    fn sums_become_assemblies() {
        assert_eq!(labels("spring+spring"), ["spring", "spring-2"]);
        assert_eq!(
            labels("mid: jenkins + metal-rubber").join(" "),
            "mid polynomial-spring polynomial-dashpot jenkins-2"
        );
        let text = "polynomial-spring[powers=1,2] + rt[cells=4]";
        let assembly = Assembly::from_names(text, |_| Shape::default()).unwrap();
        let spring = assembly.parts()[0].element.spec();
        assert!(spring.params.iter().any(|p| p.name == "k2"));
        assert!(spring.params.iter().all(|p| p.name != "k3"));
        assert_eq!(assembly.parts()[1].shape.numbers["cells"], 4.0);
        // Options of a preset go to the elements that have them.
        let bushing = Assembly::from_names("bushing[cells=3]", |_| Shape::default()).unwrap();
        assert_eq!(bushing.parts()[0].shape.numbers["cells"], 3.0);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        assert!(refused("spring+").contains("expected the name of an element"));
        assert!(refused("").contains("expected the name of an element"));
        assert!(refused("spring dashpot").contains("`dashpot`; expected `+`"));
        assert!(refused("rt[cells]").contains("expected a number"));
        assert!(refused("rt[15]").contains("expected an option"));
        assert!(refused("rt[cells=4").contains("expected `,` or `]`"));
        assert!(refused("rt[cels=4]").contains("did you mean `cells`"));
        assert!(refused("spring[cells=4]").contains("has none"));
        assert!(refused("series").contains("holds 0; expected two or more"));
        assert!(refused("series(spring)").contains("holds 1; expected two or more"));
        assert!(refused("spring(dashpot)").contains("only series(...)"));
        assert!(refused("softening").contains("holds 0; expected one element"));
        assert!(refused("softening(spring, gap)").contains("holds 2; expected one element"));
        assert!(refused("softening[cycels=1](spring)").contains("did you mean `cycles`"));
        assert!(refused("softening[strokes=0, cycles=0](spring)").contains("nothing softens"));
        assert!(refused("softening[floor=0](spring)").contains("a stroke from 1e-12"));
        assert!(refused("series(slider, slider)").contains("`slider-2` cannot stand"));
        assert!(refused("series[cells=2](spring, gap)").contains("has none"));
        assert!(refused("spring + series(spring: dashpot, gap)").contains("used twice"));
        assert!(refused("a: spring + a: dashpot").contains("`a` is used twice"));
        assert!(refused("a: metal-rubber").contains("3 elements"));
        assert!(refused("rtt").contains("unknown element `rtt`"));
        assert!(refused("series(gapp, slider)").ends_with("; did you mean `gap`?"));
        assert!(refused(&"series(".repeat(100)).contains("fewer parentheses"));
    }
}
