//! The catalogue of elements: one line each. It feeds simulation, fits, exports, bindings,
//! `masing models`, the docs page and the registry tests.

use crate::element::Element;
use crate::elements;
use crate::error::ModelError;
use std::collections::{BTreeMap, BTreeSet};

/// One kind of element.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Name in files and on the command line.
    pub name: &'static str,
    /// One line on what it is for.
    pub summary: &'static str,
    /// The law, one equation per line.
    pub equations: &'static str,
    /// Where the law comes from.
    pub reference: &'static str,
    /// Keys that shape the element rather than being sought: name and meaning.
    pub options: &'static [(&'static str, &'static str)],
    /// Parameters that are lists, all of the same length.
    pub lists: &'static [&'static str],
    /// Parameters that are one number, or a list with one entry per cell.
    pub optional_lists: &'static [&'static str],
    /// Parameters that are there only where they are given or an option asks for them.
    pub on_request: &'static [&'static str],
    /// Whether the element speaks of angles and torques by nature.
    pub rotational: bool,
    /// Makes the element.
    pub build: fn(&Shape) -> Result<Box<dyn Element>, ModelError>,
}

impl Kind {
    /// What a kind is without options and lists; every kind names its own rest.
    pub(crate) const PLAIN: Kind = Kind {
        name: "",
        summary: "",
        equations: "",
        reference: "",
        options: &[],
        lists: &[],
        optional_lists: &[],
        on_request: &[],
        rotational: false,
        build: |_| Err(ModelError::Rejected(String::new())),
    };

    /// Whether an option shapes elements of this kind.
    pub fn takes(&self, option: &str) -> bool {
        self.options.iter().any(|(name, _)| *name == option)
    }
}

/// What distinguishes elements of one kind: number of cells, powers, lengths of lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// Options with a number: `cells`, `smoothing`.
    pub numbers: BTreeMap<String, f64>,
    /// Powers of a polynomial, if given.
    pub powers: Option<Vec<u32>>,
    /// Lengths of the lists that were given.
    pub lists: BTreeMap<String, usize>,
    /// Names of the scalar parameters that were given.
    pub given: BTreeSet<String>,
}

impl Shape {
    /// The whole number given for `option`, or `default`; an error outside `range`.
    pub fn count(
        &self,
        option: &str,
        default: usize,
        range: std::ops::RangeInclusive<usize>,
    ) -> Result<usize, ModelError> {
        let Some(&value) = self.numbers.get(option) else {
            return Ok(default);
        };
        if value.fract() == 0.0 && value >= *range.start() as f64 && value <= *range.end() as f64 {
            return Ok(value as usize);
        }
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        Err(ModelError::shape(option, &value, expected))
    }

    /// The common length of the lists `names` (those that were given), or `default`; an error if
    /// they differ or are shorter than `least`.
    pub fn common_length(
        &self,
        names: &[&str],
        default: usize,
        least: usize,
    ) -> Result<usize, ModelError> {
        let mut found: Option<(&str, usize)> = None;
        for &name in names {
            let Some(&len) = self.lists.get(name) else {
                continue;
            };
            match found {
                Some((first, first_len)) if first_len != len => {
                    return Err(ModelError::Lengths {
                        first: first.to_owned(),
                        first_len,
                        second: name.to_owned(),
                        second_len: len,
                    });
                }
                _ => found = Some((name, len)),
            }
        }
        let (name, len) = found.unwrap_or((names.first().copied().unwrap_or_default(), default));
        if len < least || len > MOST_ENTRIES {
            let expected = format!("{least} to {MOST_ENTRIES} entries");
            let value = format!("a list of {len}");
            return Err(ModelError::shape(name, &value, expected));
        }
        Ok(len)
    }

    /// The powers of a polynomial: given as such, or by the names `prefix1`, `prefix3`, ... of the
    /// coefficients; `default` if neither.
    pub fn powers(&self, prefix: char, default: &[u32]) -> Result<Vec<i32>, ModelError> {
        let mut powers: Vec<u32> = match &self.powers {
            Some(powers) => powers.clone(),
            None => self
                .given
                .iter()
                .filter_map(|n| n.strip_prefix(prefix)?.parse().ok())
                .collect(),
        };
        if powers.is_empty() {
            powers = default.to_vec();
        }
        powers.sort_unstable();
        powers.dedup();
        match powers.iter().find(|&&p| p == 0 || p > 31) {
            None => Ok(powers.into_iter().map(|p| p as i32).collect()),
            Some(bad) => Err(ModelError::shape("powers", bad, "powers from 1 to 31")),
        }
    }
}

/// Longest list of an element, and most cells of a chain.
pub const MOST_ENTRIES: usize = 10_000;

/// Every element there is, in the order of the catalogue.
pub const KINDS: &[Kind] = &[
    elements::spring::KIND,
    elements::curve_spring::KIND,
    elements::polynomial_spring::KIND,
    elements::gap::KIND,
    elements::dashpot::KIND,
    elements::polynomial_dashpot::KIND,
    elements::power_dashpot::KIND,
    elements::eyring_dashpot::KIND,
    elements::maxwell::KIND,
    elements::springpot::KIND,
    elements::coulomb::KIND,
    elements::slider::KIND,
    elements::jenkins::KIND,
    elements::iwan::KIND,
    elements::sts::KIND,
    elements::rt::KIND,
    elements::dahl::KIND,
    elements::bouc_wen::KIND,
    elements::bouc_wen::ASYMMETRIC_KIND,
    elements::bouc_wen_degrading::KIND,
    elements::lugre::KIND,
    elements::staged::KIND,
];

/// What wraps an element; `build` makes what it adds to what it holds.
pub const WRAPPERS: &[Kind] = &[crate::network::softening::KIND];

/// The names of all elements.
pub fn names() -> Vec<String> {
    KINDS.iter().map(|k| k.name.to_owned()).collect()
}

/// The kind of that name.
pub fn find(name: &str) -> Result<&'static Kind, ModelError> {
    KINDS
        .iter()
        .find(|k| k.name == name)
        .ok_or_else(|| ModelError::UnknownElement {
            name: name.to_owned(),
            known: names(),
        })
}
