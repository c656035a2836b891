//! Options of every command that reads data files.

use crate::error::AppError;
use crate::request::condition;
use crate::request::{
    GapsName, Role, TargetSource, TestSource, Undo, Value, WindowChoice, expanded,
};
use clap::Args;
use masing_data::{ReadOptions, Slot, Window};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How data files are to be read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading data")]
pub struct Reading {
    /// Which column plays which role: time=t,displacement=x,force=F; sums and differences allowed.
    /// FILE: in front, as in a.csv:force=F, says it of one file, here and in the options below; said of one file with other
    /// columns again, it makes another test of it
    #[arg(long, value_name = "[FILE:]ROLE=COLUMN,...")]
    columns: Vec<String>,
    /// Units of roles or columns: displacement=mm,force=kN
    #[arg(long, value_name = "[FILE:]ROLE=UNIT,...")]
    units: Vec<String>,
    /// Channels whose sign is turned: force,displacement
    #[arg(long, value_name = "[FILE:]ROLE,...")]
    flip: Vec<String>,
    /// Channels whose offset is removed: displacement=mean|first|midrange|0.2mm
    #[arg(long, value_name = "[FILE:]ROLE=WHAT,...", allow_hyphen_values = true)]
    zero: Vec<String>,
    /// Levels of conditions that parameters follow: current=0.5A,temperature=20degC; for `simulate` also a column of the
    /// motion: current=COLUMN
    #[arg(long, value_name = "[FILE:]NAME=LEVEL,...", allow_hyphen_values = true)]
    condition: Vec<String>,
    /// What the force went through before it was written, and the force of a model goes through as well:
    /// moving-average=300 (samples) or low-pass=100Hz/2 (order); several act one after the other
    #[arg(long, value_name = "[FILE:]FILTER")]
    filter: Vec<String>,
    /// Undo moving averages of displacement and force, or only of the channels that are named
    #[arg(long, value_name = "CHANNEL,...", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    undo: Option<String>,
    /// The part of the record that counts: all, stabilised (last full cycle) or 1.5..3s; what comes
    /// before it is its history
    #[arg(long, value_name = "[FILE:]WINDOW", conflicts_with = "cycle")]
    window: Vec<String>,
    /// Only this cycle, from 1
    #[arg(long)]
    cycle: Option<usize>,
    /// What to do with missing values of motion, load or time
    #[arg(long, value_enum, default_value_t = GapsName::Refuse)]
    gaps: GapsName,
    /// Samples per second of a file without a time column
    #[arg(long)]
    rate: Option<String>,
}

/// Takes in what one option says about a test.
type Take = fn(&mut TestSource, &str) -> Result<(), AppError>;

impl Reading {
    /// The first of these options that was given.
    pub fn given(&self) -> Option<&'static str> {
        let options = [
            ("--columns", !self.columns.is_empty()),
            ("--units", !self.units.is_empty()),
            ("--flip", !self.flip.is_empty()),
            ("--zero", !self.zero.is_empty()),
            ("--condition", !self.condition.is_empty()),
            ("--filter", !self.filter.is_empty()),
            ("--undo", self.undo.is_some()),
            ("--window", !self.window.is_empty()),
            ("--cycle", self.cycle.is_some()),
            ("--gaps", self.gaps != GapsName::Refuse),
            ("--rate", self.rate.is_some()),
        ];
        let mut given = options.into_iter().filter(|(_, given)| *given);
        given.next().map(|(option, _)| option)
    }

    /// The tests that files stand for, group by group, with what is said about each of them.
    pub fn tests(
        &self,
        groups: &[(&[PathBuf], Option<Role>)],
    ) -> Result<Vec<TestSource>, AppError> {
        let mut tests = Vec::new();
        for (files, role) in groups {
            for file in *files {
                for path in expanded(file)? {
                    let test = TestSource::file(&path);
                    tests.push(TestSource {
                        role: *role,
                        ..test
                    });
                }
            }
        }
        let options: [(&str, &[String], Take); 7] = [
            (COLUMNS, &self.columns, columns),
            ("--units", &self.units, units),
            ("--flip", &self.flip, flip),
            ("--zero", &self.zero, zero),
            ("--filter", &self.filter, filter),
            ("--window", &self.window, window),
            ("--condition", &self.condition, |test, text| {
                condition::take(&mut test.conditions, text)
            }),
        ];
        let choices = self.choices(&mut tests)?;
        for (option, texts, take) in options {
            // What is said of one file counts more than what is said of all.
            for text in texts.iter().filter(|text| of_one(text).is_none()) {
                tests.iter_mut().try_for_each(|test| take(test, text))?;
            }
            for (file, rest) in texts.iter().filter_map(|text| of_one(text)) {
                if option != COLUMNS || !choices.contains_key(file) {
                    said_of(option, file, rest, &mut tests, take)?;
                }
            }
        }
        for (file, texts) in &choices {
            // One choice after the other, for one test after the other of each file.
            let mut counts: BTreeMap<Option<String>, usize> = BTreeMap::new();
            for test in tests.iter_mut().filter(|test| meant(test, file)) {
                let count = counts.entry(test.file.clone()).or_default();
                for text in &texts[*count] {
                    columns(test, text)?;
                }
                *count += 1;
            }
        }
        let undo = self.undo.as_deref().map(str::parse).transpose();
        let Ok(undo): Result<Option<Undo>, _> = undo;
        // Files whose averages are known are restored; without any there is nothing to undo.
        let known = tests.iter().any(|test| !test.filter.is_empty());
        for test in &mut tests {
            if !known || !test.filter.is_empty() {
                test.undo.clone_from(&undo);
            }
            match self.cycle {
                Some(0) => return Err(AppError::option("--cycle", 0, "a number from 1")),
                Some(cycle) => test.window = Some(WindowChoice::Cycle { cycle }),
                None => {}
            }
            test.gaps = Some(self.gaps).filter(|gaps| *gaps != GapsName::Refuse);
            test.rate = self.rate.clone().map(Value::Text);
            test.options().map_err(|wrong| *wrong.error)?;
        }
        Ok(tests)
    }

    /// The tests that files stand for, and the motion that a model is for, read as they are. Parts of a record that count and
    /// what forces went through are not meant for that motion, unless they are said of its file.
    pub fn tests_and_target(
        &self,
        groups: &[(&[PathBuf], Option<Role>)],
        target: Option<&TargetSource>,
    ) -> Result<(Vec<TestSource>, Option<TargetSource>), AppError> {
        let Some(target) = target else {
            return Ok((self.tests(groups)?, None));
        };
        let file = [target.test().path()];
        let mut groups = groups.to_vec();
        groups.push((&file, None));
        let mut tests = self.tests(&groups)?;
        let mut own = tests.split_off(tests.len() - 1);
        let Some(mut target) = own.pop() else {
            return Ok((tests, None));
        };
        let said = |texts: &[String]| {
            let files = texts.iter().filter_map(|text| of_one(text));
            files.into_iter().any(|(file, _)| meant(&target, file))
        };
        let (windowed, filtered) = (said(&self.window), said(&self.filter));
        if !windowed {
            target.window = None;
        }
        if !filtered {
            (target.filter, target.undo) = (Vec::new(), None);
        }
        Ok((tests, Some(target.into())))
    }

    /// Files of which columns were chosen more than once, with the choices in order: each is a test of its own, and the tests are
    /// made as many.
    fn choices(&self, tests: &mut Vec<TestSource>) -> Result<Choices<'_>, AppError> {
        let mut choices: Choices<'_> = BTreeMap::new();
        for (file, rest) in self.columns.iter().filter_map(|text| of_one(text)) {
            let of_file = choices.entry(file).or_default();
            let roles = |text: &str| -> Result<Vec<Slot>, AppError> {
                let mut read = ReadOptions::default();
                read.parse_columns(text)?;
                Ok(read.columns.into_iter().map(|(slot, _)| slot).collect())
            };
            let own = roles(rest)?;
            let mut again = false;
            for text in of_file.last().into_iter().flatten() {
                again |= roles(text)?.iter().any(|slot| own.contains(slot));
            }
            match of_file.last_mut() {
                Some(last) if !again => last.push(rest),
                _ => of_file.push(vec![rest]),
            }
        }
        choices.retain(|_, texts| texts.len() > 1);
        for (file, texts) in &choices {
            let mut made: Vec<TestSource> = Vec::new();
            for test in tests.drain(..) {
                if !meant(&test, file) {
                    made.push(test);
                    continue;
                }
                let given = made.iter().filter(|own| own.file == test.file).count();
                made.push(numbered(test, given + 1));
            }
            let paths: Vec<Option<String>> = made
                .iter()
                .filter(|test| meant(test, file))
                .map(|test| test.file.clone())
                .collect();
            for path in &paths {
                let given = paths.iter().filter(|other| *other == path).count();
                if given == 1 {
                    let at = made.iter().position(|test| test.file == *path).unwrap_or(0);
                    for k in (2..=texts.len()).rev() {
                        made.insert(at + 1, numbered(made[at].clone(), k));
                    }
                } else if given != texts.len() {
                    let expected = format!(
                        "as many choices of columns as the file is given, {given} times, not {}; or the file once",
                        texts.len()
                    );
                    return Err(AppError::option(COLUMNS, file, expected));
                }
            }
            *tests = made;
        }
        Ok(choices)
    }

    /// The test that one file stands for.
    pub fn test(&self, file: &Path) -> Result<TestSource, AppError> {
        let files = [file.to_owned()];
        let mut tests = self.tests(&[(&files, None)])?;
        match tests.pop() {
            Some(test) if tests.is_empty() => Ok(test),
            _ => Err(AppError::option("FILE", file.display(), "one file")),
        }
    }
}

/// The option for columns.
const COLUMNS: &str = "--columns";

/// Choices of columns by file; each is made of one text or several.
type Choices<'a> = BTreeMap<&'a str, Vec<Vec<&'a str>>>;

/// The test of that number among those of one file, under a name of its own.
fn numbered(test: TestSource, number: usize) -> TestSource {
    let path = test.path();
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = (number > 1).then(|| format!("{stem}-{number}"));
    TestSource { name, ..test }
}

/// Whether a file, or a pattern, stands for a test.
fn meant(test: &TestSource, file: &str) -> bool {
    let path = test.path();
    let name = path.file_name().map(|name| name.to_string_lossy());
    path == Path::new(file)
        || name.is_some_and(|name| name == file)
        || glob::Pattern::new(file).is_ok_and(|p| p.matches_path(&path))
}

/// `FILE:rest`: the file and the rest. A colon after the first `=` belongs to a name.
fn of_one(text: &str) -> Option<(&str, &str)> {
    let (before, _) = text.split_once('=').unwrap_or((text, ""));
    let at = before.rfind(':')?;
    Some((&text[..at], &text[at + 1..]))
}

/// Says something of the tests of one file, or of those that a pattern matches.
fn said_of(
    option: &str,
    file: &str,
    rest: &str,
    tests: &mut [TestSource],
    take: Take,
) -> Result<(), AppError> {
    let mut found = false;
    let files: Vec<String> = tests.iter().filter_map(|t| t.file.clone()).collect();
    for test in tests.iter_mut().filter(|test| meant(test, file)) {
        found = true;
        take(test, rest)?;
    }
    if found {
        return Ok(());
    }
    if option == "--units" {
        // A column may have a colon in its name.
        let whole = format!("{file}:{rest}");
        return tests.iter_mut().try_for_each(|test| take(test, &whole));
    }
    let expected = format!("one of the files before the colon: {}", files.join(", "));
    Err(AppError::option(option, format!("{file}:{rest}"), expected))
}

fn columns(test: &mut TestSource, text: &str) -> Result<(), AppError> {
    let mut read = ReadOptions::default();
    read.parse_columns(text)?;
    let each = read.columns.into_iter();
    test.columns
        .extend(each.map(|(slot, column)| (slot.to_string(), Value::Text(column))));
    Ok(())
}

fn units(test: &mut TestSource, text: &str) -> Result<(), AppError> {
    let mut read = ReadOptions::default();
    read.parse_units(text)?;
    test.units.extend(read.units);
    Ok(())
}

fn flip(test: &mut TestSource, text: &str) -> Result<(), AppError> {
    let mut read = ReadOptions::default();
    read.parse_flip(text)?;
    test.flip.extend(read.flip.iter().map(ToString::to_string));
    Ok(())
}

fn zero(test: &mut TestSource, text: &str) -> Result<(), AppError> {
    let mut read = ReadOptions::default();
    read.parse_zero(text)?;
    let each = read.zero.into_iter();
    test.zero
        .extend(each.map(|(slot, zero)| (slot.to_string(), Value::Text(zero.to_string()))));
    Ok(())
}

fn filter(test: &mut TestSource, text: &str) -> Result<(), AppError> {
    test.filter.push(text.parse()?);
    Ok(())
}

fn window(test: &mut TestSource, text: &str) -> Result<(), AppError> {
    text.parse::<Window>()?;
    test.window = Some(WindowChoice::Named(text.to_owned()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Only {
        #[command(flatten)]
        reading: Reading,
    }

    fn read(words: &[&str]) -> Result<Vec<TestSource>, AppError> {
        let words = std::iter::once("masing").chain(words.iter().copied());
        let reading = Only::try_parse_from(words).unwrap().reading;
        let files = ["runs/a.csv", "b.csv"].map(PathBuf::from);
        reading.tests(&[(&files, None)])
    }

    #[test]
    fn options_are_said_of_all_files_or_of_one() {
        let tests = read(&[
            "--columns=a.csv:force=F, total",
            "--columns=time=t,force=Load: sum",
            "--units=*.csv:force=kN",
            "--flip=runs/a.csv:force",
            "--zero=b.csv:displacement=0.2mm",
            "--window=b.csv:1..2s",
            "--filter=a.csv:moving-average=300",
            "--filter=a.csv:low-pass=100Hz/2",
            "--undo=displacement",
        ])
        .unwrap();
        let text = |value: &Value| value.to_string();
        assert_eq!(text(&tests[0].columns["force"]), "F, total");
        assert_eq!(text(&tests[1].columns["force"]), "Load: sum");
        assert_eq!(text(&tests[0].columns["time"]), "t");
        assert_eq!(tests[1].units["force"], "kN");
        assert_eq!((tests[0].flip.len(), tests[1].flip.len()), (1, 0));
        assert_eq!(text(&tests[1].zero["displacement"]), "0.2mm");
        assert!(tests[0].window.is_none() && tests[1].window.is_some());
        assert_eq!((tests[0].filter.len(), tests[1].filter.len()), (2, 0));
        assert!(tests[0].undo.is_some() && tests[1].undo.is_none());
        assert!(read(&["--undo"]).is_err());
        let pairs = read(&[
            "--columns=b.csv:displacement=x1,force=f1",
            "--columns=b.csv:displacement=x2",
            "--columns=b.csv:force=f2",
            "--columns=time=t",
        ])
        .unwrap();
        let told: Vec<String> = pairs
            .iter()
            .map(|test| {
                let columns = test.columns.values().map(text).collect::<Vec<_>>();
                format!(
                    "{} {:?} {}",
                    test.path().display(),
                    test.name,
                    columns.join(",")
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                "runs/a.csv None t",
                "b.csv None x1,f1,t",
                "b.csv Some(\"b-2\") x2,f2,t"
            ]
        );
        let error = read(&["--flip=c.csv:force"]).unwrap_err().to_string();
        assert!(error.contains("runs/a.csv, b.csv"), "{error}");
        assert!(read(&["--window=some"]).is_err());
        assert!(read(&["--cycle=0"]).is_err());
    }
}
