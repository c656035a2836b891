//! `modelDescription.xml` for FMI 2.0 and 3.0.

use super::unit::{self, Base};
use super::variables::{Meaning, Variable, Variables};
use super::xml::Xml;
use super::{Archive, MODEL, token};
use masing_model::{Model, file};
use std::collections::BTreeMap;

/// The version of the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// FMI 2.0.
    Two,
    /// FMI 3.0.
    Three,
}

impl Version {
    /// Folder of the library of a platform, and how its name ends.
    fn folder(self, windows: bool) -> (&'static str, &'static str) {
        match (self, windows) {
            (Self::Two, false) => ("linux64", "so"),
            (Self::Two, true) => ("win64", "dll"),
            (Self::Three, false) => ("x86_64-linux", "so"),
            (Self::Three, true) => ("x86_64-windows", "dll"),
        }
    }
}

/// A model to be put into an FMU.
#[derive(Clone, Debug)]
pub struct Fmu {
    version: Version,
    /// Name of the library inside.
    identifier: String,
    title: String,
    text: String,
    variables: Variables,
    /// Duration and step suggested to whoever runs it.
    experiment: [f64; 2],
}

impl Fmu {
    /// The FMU of a model without masses; `name` is what the file will be called.
    pub fn new(model: &Model, version: Version, name: &str, experiment: [f64; 2]) -> Self {
        let mut identifier: String = name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        if !identifier.starts_with(|c: char| c.is_ascii_alphabetic()) {
            identifier.insert_str(0, "fmu_");
        }
        let title = if model.name.is_empty() {
            name.to_owned()
        } else {
            model.name.clone()
        };
        Self {
            version,
            identifier,
            title,
            text: file::to_text(model),
            variables: Variables::of(model),
            experiment,
        }
    }

    /// The variables.
    pub fn variables(&self) -> &Variables {
        &self.variables
    }

    /// The text of the model as it lies in the container.
    pub fn model_text(&self) -> &str {
        &self.text
    }

    /// The container: description, model and the libraries for Linux and Windows that there are.
    pub fn archive(
        &self,
        linux: Option<&[u8]>,
        windows: Option<&[u8]>,
    ) -> std::io::Result<Archive> {
        let mut archive = Archive::new();
        archive.add("modelDescription.xml", self.description().as_bytes())?;
        for (library, is_windows) in [(linux, false), (windows, true)] {
            if let Some(library) = library {
                let (folder, end) = self.version.folder(is_windows);
                let name = format!("binaries/{folder}/{}.{end}", self.identifier);
                archive.add(&name, library)?;
            }
        }
        archive.add(&format!("resources/{MODEL}"), self.text.as_bytes())?;
        Ok(archive)
    }

    /// The text of `modelDescription.xml`.
    pub fn description(&self) -> String {
        let two = self.version == Version::Two;
        let token = Some(token(&self.text));
        let indicators = self.variables.indicators();
        let mut xml = Xml::new();
        let attributes = [
            ("fmiVersion", some(if two { "2.0" } else { "3.0" })),
            ("modelName", Some(self.title.clone())),
            (if two { "guid" } else { "instantiationToken" }, token),
            (
                "generationTool",
                some(concat!("masing ", env!("CARGO_PKG_VERSION"))),
            ),
            ("variableNamingConvention", some("flat")),
            (
                "numberOfEventIndicators",
                two.then(|| indicators.to_string()),
            ),
        ];
        xml.nest("fmiModelDescription", &attributes, |xml| {
            self.interfaces(xml);
            self.units(xml);
            let [stop, step] = self.experiment;
            xml.leaf(
                "DefaultExperiment",
                &[
                    ("startTime", some("0")),
                    ("stopTime", Some(number(stop))),
                    ("stepSize", Some(number(step))),
                ],
            );
            xml.nest("ModelVariables", &[], |xml| {
                let pairs = self.variables.state_pairs();
                for (reference, variable) in self.variables.list().iter().enumerate() {
                    let pair = pairs.iter().find(|(_, rate)| *rate == reference);
                    let state = pair.map(|(state, _)| *state);
                    if two {
                        variable_two(xml, reference, variable, state);
                    } else {
                        variable_three(xml, reference, variable, state);
                    }
                }
            });
            xml.nest("ModelStructure", &[], |xml| {
                if two {
                    self.structure_two(xml);
                } else {
                    self.structure_three(xml);
                }
            });
        });
        xml.finish()
    }

    fn interfaces(&self, xml: &mut Xml) {
        let two = self.version == Version::Two;
        let (state, serial, derivative) = if two {
            (
                "canGetAndSetFMUstate",
                "canSerializeFMUstate",
                "providesDirectionalDerivative",
            )
        } else {
            (
                "canGetAndSetFMUState",
                "canSerializeFMUState",
                "providesDirectionalDerivatives",
            )
        };
        let common = [
            ("modelIdentifier", Some(self.identifier.clone())),
            (state, some("true")),
            (serial, some("true")),
            (derivative, some("true")),
        ];
        if self.variables.model_exchange().is_ok() {
            let mut attributes = common.to_vec();
            if !two {
                attributes.push(("needsCompletedIntegratorStep", some("true")));
            }
            xml.leaf("ModelExchange", &attributes);
        }
        let mut attributes = common.to_vec();
        attributes.push(("canHandleVariableCommunicationStepSize", some("true")));
        xml.leaf("CoSimulation", &attributes);
    }

    fn units(&self, xml: &mut Xml) {
        let units: BTreeMap<&str, Base> = self
            .variables
            .list()
            .iter()
            .filter_map(|v| v.unit.as_deref())
            .filter_map(|unit| Some((unit, unit::base(unit)?)))
            .collect();
        xml.nest("UnitDefinitions", &[], |xml| {
            for (name, base) in units {
                xml.nest("Unit", &[("name", some(name))], |xml| {
                    let power = |p: i32| (p != 0).then(|| p.to_string());
                    let Base {
                        kg,
                        m,
                        s,
                        a,
                        k,
                        rad,
                    } = base;
                    let powers = [
                        ("kg", power(kg)),
                        ("m", power(m)),
                        ("s", power(s)),
                        ("A", power(a)),
                        ("K", power(k)),
                        ("rad", power(rad)),
                    ];
                    xml.leaf("BaseUnit", &powers);
                });
            }
        });
    }

    /// Value references of outputs, rates of states, and what is calculated at the start.
    fn structure(&self) -> [Vec<usize>; 3] {
        let outputs = vec![3, 4, 5, 6];
        let mut initial = outputs.clone();
        let mut rates = Vec::new();
        if self.variables.model_exchange().is_ok() {
            for (state, rate) in self.variables.state_pairs() {
                rates.push(rate);
                initial.extend([state, rate]);
            }
            initial.sort_unstable();
            initial.dedup();
        }
        [outputs, rates, initial]
    }

    fn structure_two(&self, xml: &mut Xml) {
        let [outputs, rates, initial] = self.structure();
        for (name, references) in [
            ("Outputs", outputs),
            ("Derivatives", rates),
            ("InitialUnknowns", initial),
        ] {
            if references.is_empty() {
                continue;
            }
            xml.nest(name, &[], |xml| {
                for reference in references {
                    // Counted from one here, unlike value references.
                    xml.leaf("Unknown", &[("index", Some((reference + 1).to_string()))]);
                }
            });
        }
    }

    fn structure_three(&self, xml: &mut Xml) {
        let [outputs, rates, initial] = self.structure();
        let indicators = self.variables.list().iter().enumerate();
        let indicators = indicators
            .filter(|(_, v)| matches!(v.meaning, Meaning::Indicator(_)))
            .map(|(reference, _)| reference)
            .collect();
        for (name, references) in [
            ("Output", outputs),
            ("ContinuousStateDerivative", rates),
            ("InitialUnknown", initial),
            ("EventIndicator", indicators),
        ] {
            for reference in references {
                xml.leaf(name, &[("valueReference", Some(reference.to_string()))]);
            }
        }
    }
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// The shortest number that reads back to the same bits.
fn number(value: f64) -> String {
    format!("{value:?}")
}

/// Causality and variability.
fn role(variable: &Variable) -> [&'static str; 2] {
    match variable.meaning {
        Meaning::Time => ["independent", "continuous"],
        Meaning::Displacement | Meaning::Velocity | Meaning::Level(_) => ["input", "continuous"],
        Meaning::Force | Meaning::Reaction | Meaning::Work => ["output", "continuous"],
        Meaning::Outside => ["output", "discrete"],
        Meaning::UseVelocity => ["parameter", "fixed"],
        Meaning::Param(_) => ["parameter", "tunable"],
        Meaning::State(_) | Meaning::Rate(_) | Meaning::Power | Meaning::Indicator(_) => {
            ["local", "continuous"]
        }
    }
}

fn is_boolean(variable: &Variable) -> bool {
    matches!(variable.meaning, Meaning::Outside | Meaning::UseVelocity)
}

/// Start, range, unit and size, as far as there are any.
fn value(variable: &Variable) -> Vec<(&'static str, Option<String>)> {
    if is_boolean(variable) {
        return vec![(
            "start",
            variable.start.map(|start| (start != 0.0).to_string()),
        )];
    }
    vec![
        ("unit", variable.unit.clone()),
        ("min", variable.range.map(|[low, _]| number(low))),
        ("max", variable.range.map(|[_, high]| number(high))),
        ("nominal", variable.nominal.map(number)),
        ("start", variable.start.map(number)),
    ]
}

fn variable_two(xml: &mut Xml, reference: usize, variable: &Variable, state: Option<usize>) {
    let [causality, variability] = role(variable);
    let attributes = [
        ("name", Some(variable.name.clone())),
        ("valueReference", Some(reference.to_string())),
        ("description", Some(variable.doc.clone())),
        ("causality", some(causality)),
        ("variability", some(variability)),
    ];
    xml.nest("ScalarVariable", &attributes, |xml| {
        let mut own = value(variable);
        own.push(("derivative", state.map(|state| (state + 1).to_string())));
        xml.leaf(
            if is_boolean(variable) {
                "Boolean"
            } else {
                "Real"
            },
            &own,
        );
    });
}

fn variable_three(xml: &mut Xml, reference: usize, variable: &Variable, state: Option<usize>) {
    let [causality, variability] = role(variable);
    let mut attributes = vec![
        ("name", Some(variable.name.clone())),
        ("valueReference", Some(reference.to_string())),
        ("description", Some(variable.doc.clone())),
        ("causality", some(causality)),
        ("variability", some(variability)),
    ];
    attributes.extend(value(variable));
    attributes.push(("derivative", state.map(|state| state.to_string())));
    let name = if is_boolean(variable) {
        "Boolean"
    } else {
        "Float64"
    };
    xml.leaf(name, &attributes);
}
