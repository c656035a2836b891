//! Combinations of elements by name and by purpose.

use crate::assembly::Assembly;
use crate::elements::{iwan, jenkins, polynomial_dashpot, polynomial_spring, staged};
use crate::error::ModelError;
use crate::registry::{self, KINDS, Shape};

/// Named combinations of elements: name, the elements, what it is for.
pub const PRESETS: &[(&str, &[&str], &str)] = &[
    (
        "bushing",
        &["rt"],
        "rubber bushing with amplitude- and rate-dependent stiffness",
    ),
    (
        "metal-rubber",
        &["polynomial-spring", "polynomial-dashpot", "jenkins"],
        "metal-rubber damper: polynomial stiffness and damping with bilinear friction",
    ),
];

/// What tests say about a part before any law is fitted to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    /// No force was measured.
    Response,
    /// No time was measured.
    Timeless,
    /// The force follows the speed.
    Damper,
    /// Anything else.
    Elastic,
}

/// The elements to begin with.
#[derive(Clone, Copy, Debug)]
pub struct FirstChoice {
    /// The elements, each with its number of cells where it has some.
    pub elements: &'static [(&'static str, Option<usize>)],
    /// Why these, and which others there are, in lines for a comment.
    pub why: &'static [&'static str],
    /// A parameter of the first element for the example of a bound.
    pub example: &'static str,
}

impl Nature {
    /// The elements to begin with for such a part.
    pub fn first_choice(self) -> FirstChoice {
        match self {
            Nature::Response => FirstChoice {
                elements: &[("jenkins", None)],
                why: &[
                    "No test has a force: a model with mass has to be fitted to the response. Give the mass in",
                    "[model.system] as in a model file, and the element that damps.",
                ],
                example: "ks",
            },
            Nature::Timeless => FirstChoice {
                elements: &[("sts", Some(15))],
                why: &[
                    "No test has a time column, so nothing is known about speed: a rate-independent element. sts is a",
                    "chain of springs and spring-sliders, for rubber, wire mesh and joints. Others: bouc-wen, iwan, jenkins.",
                    "With a known sampling rate, `masing init --rate 200Hz ...` opens the rate-dependent ones, such as rt.",
                ],
                example: "k0",
            },
            Nature::Damper => FirstChoice {
                elements: &[("bouc-wen", None), ("dashpot", None)],
                why: &[
                    "A damper more than a spring: friction with a soft knee and a dashpot beside it. Others: power-dashpot,",
                    "coulomb, rt; add a spring for a gas or rubber force.",
                ],
                example: "n",
            },
            Nature::Elastic => FirstChoice {
                elements: &[("rt", Some(15))],
                why: &[
                    "rt is a chain of springs and rate-dependent sliders, for rubber bushings and mounts. Others: bouc-wen for",
                    "joints and yielding parts; polynomial-spring, polynomial-dashpot and jenkins together for wire mesh;",
                    "`masing models` lists them all.",
                ],
                example: "k0",
            },
        }
    }
}

/// The elements and presets that an option such as `cells` shapes.
pub fn shaped_by(option: &str) -> Vec<&'static str> {
    let takes = |name: &str| registry::find(name).is_ok_and(|kind| kind.takes(option));
    let kinds = KINDS
        .iter()
        .map(|kind| kind.name)
        .filter(|name| takes(name));
    let presets = PRESETS
        .iter()
        .filter(|(_, kinds, _)| kinds.iter().any(|name| takes(name)));
    kinds.chain(presets.map(|(name, ..)| *name)).collect()
}

/// Powers of the displacement and of the velocity beside spring-sliders, what `terms` finds: the
/// parameters are the coefficients of the first powers and x0, those of the second, then stiffness
/// and slip of the sliders.
pub fn from_terms(
    stiffness: &[u32],
    damping: &[u32],
    sliders: usize,
) -> Result<Assembly, ModelError> {
    let with_powers = |powers: &[u32]| Shape {
        powers: Some(powers.to_vec()),
        ..Shape::default()
    };
    let mut assembly = Assembly::new();
    if !stiffness.is_empty() {
        assembly.add(&polynomial_spring::KIND, with_powers(stiffness), None)?;
    }
    if !damping.is_empty() {
        assembly.add(&polynomial_dashpot::KIND, with_powers(damping), None)?;
    }
    match sliders {
        0 => {}
        1 => {
            assembly.add(&jenkins::KIND, Shape::default(), None)?;
        }
        count => {
            assembly.add(&iwan::KIND, with_lists(iwan::KIND.lists, count), None)?;
        }
    }
    Ok(assembly)
}

/// A damper with stages between so many nodes.
pub fn from_stages(nodes: usize) -> Result<Assembly, ModelError> {
    let mut assembly = Assembly::new();
    assembly.add(&staged::KIND, with_lists(staged::KIND.lists, nodes), None)?;
    Ok(assembly)
}

/// A shape whose lists all have that length.
fn with_lists(names: &[&str], length: usize) -> Shape {
    let lists = names.iter().map(|name| ((*name).to_owned(), length));
    Shape {
        lists: lists.collect(),
        ..Shape::default()
    }
}
