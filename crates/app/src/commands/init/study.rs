//! The text of a study.

use super::model::Written;
use crate::request::condition::Conditions;
use masing_data::{Gaps, Kind, ReadOptions, Slot, Window};
use masing_diagnostic::{Advice, Diagnostic, Nuisance, Units};
use masing_identify::compare::Added;
use masing_model::file::quoted;
use masing_report::figures::engineering;
use masing_report::inspect::Inspected;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A test with what is said about it.
pub struct Told {
    /// What was found in it.
    pub test: Inspected,
    /// How it was read.
    pub options: ReadOptions,
    /// Levels of its conditions.
    pub conditions: Conditions,
}

/// The whole file with a model; `folder` is where it will lie.
pub fn study(tests: &[Told], model: &Written, folder: Option<&Path>) -> String {
    let mut out = String::from(
        "#:schema masing.study.schema.json\n\
         # A study for `masing fit`. Lines that start with # are comments, or choices that are not made.\n\
         schema = \"masing.study/1\"\n\n\
         [part]                             # free text, printed on the report\n\
         number = \"\"\n\
         direction = \"\"\n\
         # sample = \"\"\n\
         # temperature = \"\"\n\
         # rig = \"\"\n\n",
    );
    out.push_str(&model.text());
    let held_out = held_out(tests);
    for (i, told) in tests.iter().enumerate() {
        out.push('\n');
        let role = (held_out == Some(i), tests.len());
        experiment(&mut out, told, folder, role, model.added);
    }
    out
}

/// The test that is kept for checking: of those that do not have the largest amplitude the one in the middle, so that
/// it lies inside the range that was fitted.
fn held_out(tests: &[Told]) -> Option<usize> {
    let mut order: Vec<usize> = (0..tests.len()).collect();
    // The sort is stable: with equal amplitudes the first test stays first, and is fitted.
    let size = |i: usize| amplitude(&tests[i].test);
    order.sort_by(|&a, &b| size(b).total_cmp(&size(a)));
    (tests.len() > 1).then(|| order[(tests.len() / 2).max(1)])
}

fn amplitude(test: &Inspected) -> f64 {
    let found = &test.inspection;
    let cycles = found.cycles.iter().map(|c| c.amplitude);
    let rows = found.harmonic.iter().map(|p| p.amplitude);
    cycles
        .chain(rows)
        .filter(|a| a.is_finite())
        .fold(0.0, f64::max)
}

fn experiment(
    out: &mut String,
    told: &Told,
    folder: Option<&Path>,
    (held_out, count): (bool, usize),
    added: Added,
) {
    let Told { test, options, .. } = told;
    let found = &test.inspection;
    for finding in &found.diagnostics {
        let _ = writeln!(out, "# found: {}", one_line(&finding.message(test.units())));
    }
    out.push_str("[[experiment]]\n");
    let mut line = |key: &str, value: &str, remark: &str| {
        let text = format!("{key} = {value}");
        let _ = match remark {
            "" => writeln!(out, "{text}"),
            _ => writeln!(out, "{text:34} # {remark}"),
        };
    };
    line("name", &quoted(&test.experiment.name), "");
    line("file", &quoted(&path(test, folder)), "");
    let why = match (held_out, count) {
        (true, _) => "held out: predicted, never fitted",
        (false, 1) => "or \"validate\"; with a second test one of them is best held out",
        _ => "or \"validate\", to hold it out",
    };
    line(
        "role",
        if held_out { "\"validate\"" } else { "\"fit\"" },
        why,
    );
    if test.experiment.kind() == Kind::Harmonic {
        line("kind", "\"harmonic\"", "a dynamic stiffness table");
        line("amplitude", "\"zero-to-peak\"", "or \"peak-to-peak\"");
    }
    let channels = || test.experiment.channels.iter().filter(|c| c.role.is_some());
    let columns = channels().filter_map(|c| Some((c.role?.to_string(), c.name.clone())));
    line("columns", &inline(columns), "");
    let units = channels().filter_map(|c| Some((c.role?.to_string(), c.unit.clone()?)));
    line("units", &inline(units), "");
    let advice: Vec<Advice> = found
        .diagnostics
        .iter()
        .filter_map(Diagnostic::advice)
        .collect();
    let flips = flips(options, &advice, test.units());
    if !flips.is_empty() {
        line(
            "flip",
            &format!("[{}]", flips.join(", ")),
            "the loop ran the wrong way",
        );
    }
    let zeros = zeros(options, &advice, test.units());
    if !zeros.is_empty() {
        let middle = engineering(found.offset, test.names().length);
        line(
            "zero",
            &inline(zeros),
            &format!("the middle of the motion was {middle}"),
        );
    }
    if options.gaps == Gaps::Interpolate || advice.contains(&Advice::Interpolate) {
        line(
            "gaps",
            "\"interpolate\"",
            "missing motion is filled with straight lines",
        );
    }
    if let Some(rate) = options.rate {
        line("rate", &format!("{rate:?}"), "Hz; the file has no time");
    }
    if !told.conditions.is_empty() {
        let levels = told.conditions.iter();
        let levels = levels.map(|(name, level)| (name.clone(), level.to_string()));
        line("conditions", &inline(levels), "parameters may follow them");
    }
    let (chosen, value, remark) = window(test, options);
    line(if chosen { "window" } else { "# window" }, &value, remark);
    line(
        "# initial",
        "\"auto\"",
        "state at the first sample: \"rest\", \"periodic\", \"estimated\"",
    );
    let delay = advice.contains(&Advice::Nuisance(Nuisance::Delay));
    let mut estimated = added.words();
    if delay {
        estimated.push("delay");
    }
    let key = if estimated.is_empty() {
        estimated.push("delay");
        "# nuisance"
    } else {
        "nuisance"
    };
    let each = estimated.iter().map(|word| format!("{word} = true"));
    line(
        key,
        &format!("{{ {} }}", each.collect::<Vec<_>>().join(", ")),
        "found with the parameters; also delay, force-offset, moving-mass",
    );
}

/// Whether a window is set, its value, and why.
fn window(test: &Inspected, options: &ReadOptions) -> (bool, String, &'static str) {
    let given = "as given";
    match options.window {
        Window::Stabilised => return (true, "\"stabilised\"".to_owned(), given),
        Window::Cycle(n) => return (true, format!("{{ cycle = {n} }}"), given),
        Window::Time(from, to) => return (true, format!("[{from:?}, {to:?}]"), given),
        _ => {}
    }
    let found = &test.inspection;
    let settles = found.blocks.len() == 1 && found.cycles.len() >= 3 && found.stabilised.is_some();
    let value = "\"stabilised\"".to_owned();
    match found.blocks.len() {
        1 if settles => (
            true,
            value,
            "the last full cycle; \"all\" fits the run-in as well",
        ),
        0 | 1 => (
            false,
            value,
            "the last full cycle; without this line all of it",
        ),
        _ => (
            false,
            value,
            "all is fitted, the amplitudes differ; this takes the last cycle only",
        ),
    }
}

fn flips(options: &ReadOptions, advice: &[Advice], units: Units) -> Vec<String> {
    let mut flipped: Vec<String> = options.flip.iter().map(Slot::to_string).collect();
    for one in advice {
        if let Advice::Flip(channel) = one {
            let role = channel.name(units);
            // Turned twice is not turned.
            match flipped.iter().position(|f| f == role) {
                Some(at) => drop(flipped.remove(at)),
                None => flipped.push(role.to_owned()),
            }
        }
    }
    flipped.iter().map(|role| quoted(role)).collect()
}

fn zeros(options: &ReadOptions, advice: &[Advice], units: Units) -> Vec<(String, String)> {
    let given = options.zero.iter();
    let given = given.map(|(slot, zero)| (slot.to_string(), zero.to_string()));
    let mut out: Vec<(String, String)> = given.collect();
    for one in advice {
        if let Advice::Zero {
            channel, centre, ..
        } = one
        {
            let role = channel.name(units);
            out.retain(|(known, _)| known != role);
            out.push((role.to_owned(), centre.word().to_owned()));
        }
    }
    out
}

/// `{ key = "value", ... }`
fn inline(pairs: impl IntoIterator<Item = (String, String)>) -> String {
    let pairs = pairs.into_iter().map(|(key, value)| {
        let key = if key.contains('.') { quoted(&key) } else { key };
        format!("{key} = {}", quoted(&value))
    });
    format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
}

/// Text of a remark, which must not end it.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

/// The file as seen from the folder of the study, with its part.
fn path(test: &Inspected, folder: Option<&Path>) -> String {
    let part = &test.experiment.part;
    let suffix = if part.is_empty() {
        String::new()
    } else {
        format!("#{part}")
    };
    let given = test.file.display().to_string();
    let file = given.strip_suffix(&suffix).unwrap_or(&given).to_owned();
    let seen = match folder {
        Some(folder) if !folder.as_os_str().is_empty() => relative(Path::new(&file), folder),
        _ => None,
    };
    let seen = seen.map_or(file, |path| path.display().to_string().replace('\\', "/"));
    format!("{seen}{suffix}")
}

/// `file` as seen from `folder`, unless it was given from the root.
fn relative(file: &Path, folder: &Path) -> Option<PathBuf> {
    if file.is_absolute() {
        return None;
    }
    let (file, folder) = (file.canonicalize().ok()?, folder.canonicalize().ok()?);
    let shared = file
        .components()
        .zip(folder.components())
        .take_while(|(a, b)| a == b)
        .count();
    let up = folder.components().skip(shared).map(|_| "..");
    let down = file.components().skip(shared);
    Some(up.collect::<PathBuf>().join(down.collect::<PathBuf>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_survive_toml() {
        for text in ["plain", "a \"b\" \\ c", "tab\there", "µ°\u{7f}"] {
            let line = format!("x = {}", quoted(text));
            let table: toml::Table = line.parse().unwrap();
            assert_eq!(table["x"].as_str(), Some(text));
        }
    }
}
