//! Model files: round trips over the whole registry, and what bad files are told.

use masing_model::PRESETS;
use masing_model::file::{self, Problem, to_text};
use masing_model::registry::{KINDS, Shape};
use masing_model::{Assembly, FileError, Masses, Model, MotionKind, StepLimits, Validity};
use proptest::prelude::*;
use std::path::Path;

fn read(text: &str) -> Result<Model, FileError> {
    file::parse(Path::new("model.toml"), text)
}

/// The complaint about a text, checked to name the file and the line.
fn complaint(text: &str, line: usize) -> String {
    let error = read(text).expect_err(text);
    assert_eq!(error.line, Some(line), "{error}");
    let message = error.to_string();
    assert!(
        message.starts_with(&format!("model.toml, line {line}: ")),
        "{message}"
    );
    message
}

fn with_spring(body: &str) -> String {
    format!("schema = \"masing.model/1\"\n[[element]]\ntype = \"spring\"\n{body}\n")
}

/// Every element and preset with its defaults, in the shapes that files can give them.
fn catalogue() -> Vec<Assembly> {
    let mut out: Vec<Assembly> = KINDS
        .iter()
        .map(|kind| kind.name)
        .chain(PRESETS.iter().map(|(name, ..)| *name))
        .map(|name| Assembly::from_names(name, |_| Shape::default()).unwrap())
        .collect();
    for kind in KINDS {
        let mut shape = Shape::default();
        for (option, _) in kind.options {
            match *option {
                "powers" => shape.powers = Some(vec![1, 2, 7]),
                "cells" => {
                    shape.numbers.insert("cells".to_owned(), 4.0);
                    for list in kind.optional_lists {
                        shape.lists.insert((*list).to_owned(), 4);
                    }
                }
                _ => {}
            }
        }
        let mut assembly = Assembly::new();
        assembly.add(kind, shape, Some("odd-one")).unwrap();
        out.push(assembly);
    }
    let shaped = [
        "iwan[spread=5]",
        "iwan[spread=3, weights=1, growing=1]",
        "iwan[growing=1]",
        "bouc-wen-degrading[pinching=1]",
        "softening(spring)",
        "soft: softening[lag=1, cycles=1, floor=1e-5](spring + gap) + dashpot",
        "softening[strokes=0](series(spring, slider + spring))",
        "softening(softening[sides=1](polynomial-spring[powers=1,5]) + iwan[spread=4])",
    ];
    let built = |text: &&str| Assembly::from_names(text, |_| Shape::default()).unwrap();
    out.extend(shaped.iter().map(built));
    out
}

fn assert_same(a: &Model, b: &Model) {
    assert_eq!(a.name, b.name);
    assert_eq!(a.part, b.part);
    assert_eq!(a.numerics, b.numerics);
    assert_eq!(a.validity, b.validity);
    assert_eq!(a.motion(), b.motion());
    assert_eq!(a.system(), b.system());
    let parts = |m: &Model| {
        m.assembly()
            .parts()
            .iter()
            .map(|p| {
                (
                    p.label.clone(),
                    p.kind.clone(),
                    p.between,
                    p.element.spec().clone(),
                )
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(parts(a), parts(b));
    let bits = |m: &Model| m.values().iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(a), bits(b));
}

#[test]
fn whole_catalogue_survives_a_round_trip() {
    for assembly in catalogue() {
        let mut model = Model::with_defaults(assembly, None).unwrap();
        model.name = "say \"hello\"\n\u{1}\\ größer".to_owned();
        model
            .part
            .insert("sample no.".to_owned(), "4711-A".to_owned());
        model.numerics = Some(StepLimits {
            increment: 1.0 / 3.0e5,
            max_dt: f64::INFINITY,
        });
        model.validity = Some(Validity {
            displacement: [-1.0 / 3.0e3, 2e-3],
            speed: 0.1,
            frequency: Some([0.5, 30.0]),
        });
        let text = file::to_text(&model);
        let back = read(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_same(&model, &back);
        assert_eq!(file::to_text(&back), text, "written text is stable");
    }
}

#[test]
fn what_softening_is_given_wrongly_is_told() {
    let soft = |body: &str| {
        let head = "schema = \"masing.model/1\"\n[[element]]\ntype = \"softening\"\n";
        format!("{head}{body}\n[[element.element]]\ntype = \"spring\"\nk = 1e5\n")
    };
    assert!(read(&soft("stroke = 0.1\npower = 0.6")).is_ok());
    let missing = complaint(&soft("stroke = 0.1"), 2);
    assert!(missing.contains("power"), "{missing}");
    let unknown = complaint(&soft("stroke = 0.1\npower = 0.6\nfad = 0.1"), 6);
    assert!(unknown.contains("fade"), "{unknown}");
    let range = complaint(&soft("stroke = -0.1\npower = 0.6"), 4);
    assert!(range.contains("softening.stroke"), "{range}");
    let empty = "schema = \"masing.model/1\"\n[[element]]\ntype = \"softening\"\nstroke = 0.1\npower = 1.0\n";
    assert!(complaint(empty, 2).contains("[[element.element]]"));
    // Softening in a series: by name, with what to do instead.
    let assembly = Assembly::from_names("series(soft: softening(spring), dashpot)", |_| {
        Shape::default()
    });
    let refused = Model::with_defaults(assembly.unwrap(), None).unwrap_err();
    let refused = refused.to_string();
    assert!(
        refused.contains("`soft` cannot stand in a series") && refused.contains("softening(series"),
        "{refused}"
    );
}

#[test]
fn repeated_elements_and_systems_survive_a_round_trip() {
    let mut assembly = Assembly::from_names("spring+spring+spring", |_| Shape::default()).unwrap();
    assembly.motion = MotionKind::Rotation;
    assembly.connect(1, [2, 1]);
    let mut values = vec![1.0, 2.0, 3.0];
    values.extend([2.0, 0.5, 0.5, 1.0]);
    values.extend([0.1, -0.1, -0.1, 0.1]);
    values.extend([1e5, -1e5, -1e5, 2e5]);
    values.extend([1e-3, 0.0, 0.0, -0.1]);
    let model = Model::new(assembly.clone(), Some(Masses::structure(2)), values).unwrap();
    assert_same(&model, &read(&file::to_text(&model)).unwrap());

    assembly.connect(1, [0, 1]);
    let values = vec![1.0, 2.0, 3.0, 1.5, 0.0, 1e4, 0.0, 1e-3];
    let model = Model::new(assembly, Some(Masses::oscillator()), values).unwrap();
    assert_same(&model, &read(&file::to_text(&model)).unwrap());
}

proptest! {
    #[test]
    fn any_admissible_values_read_back_to_the_same_bits(
        which in 0..1000usize,
        parts in prop::collection::vec(0.0..=1.0f64, 64),
    ) {
        let all = catalogue();
        let assembly = all[which % all.len()].clone();
        let values: Vec<f64> = assembly
            .params()
            .enumerate()
            .map(|(i, (_, p))| {
                let s = parts[i % parts.len()];
                if p.min > 0.0 {
                    (p.min * (p.max / p.min).powf(s)).clamp(p.min, p.max)
                } else {
                    (p.min + s * (p.max - p.min)).clamp(p.min, p.max)
                }
            })
            .collect();
        // Lists that must increase and the like are refused here; the defaults cover them.
        if let Ok(model) = Model::new(assembly, None, values) {
            assert_same(&model, &read(&file::to_text(&model)).unwrap());
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,200}") {
        let _ = read(&text);
        let _ = read(&with_spring(&text));
    }
}

#[test]
fn numbers_may_be_written_in_any_way_toml_knows() {
    for (text, value) in [
        ("200000", 2e5),
        ("2e5", 2e5),
        ("200_000.0", 2e5),
        ("0x10", 16.0),
        ("+1.5", 1.5),
    ] {
        let model = read(&with_spring(&format!("k = {text}"))).unwrap();
        assert_eq!(model.values(), [value]);
    }
    let windows = with_spring("k = 1.0").replace('\n', "\r\n");
    assert!(read(&format!("\u{feff}{windows}")).is_ok());
}

#[test]
fn drafts_say_what_was_given() {
    let text = "schema = \"masing.model/1\"\n[[element]]\ntype = \"spring\"\n\
                [[element]]\ntype = \"spring\"\nk = 7.0\n";
    let draft = file::parse_draft(Path::new("m"), text).unwrap();
    assert_eq!(draft.given, [false, true]);
    assert_eq!(draft.model.values(), [1e5, 7.0]);
    assert_eq!(draft.model.find("spring-2.k").unwrap(), [1]);
}

#[test]
fn missing_and_extra_keys_are_named_with_line_and_known_ones() {
    let message = complaint(&with_spring(""), 2);
    assert!(
        message.contains("[[element]] spring lacks `k`"),
        "{message}"
    );
    let message = complaint(&with_spring("k = 1.0\nkk = 2.0"), 5);
    assert!(message.contains("unknown key `kk`"), "{message}");
    assert!(message.contains("known keys: type, label, k"), "{message}");
    assert!(message.contains("did you mean `k`?"), "{message}");
    let message = complaint("schema = \"masing.model/1\"\n[[elements]]\n", 2);
    assert!(message.contains("did you mean `element`?"), "{message}");
    let message = complaint("schema = \"masing.model/1\"\n[[element]]\nk = 1.0\n", 2);
    assert!(message.contains("lacks `type`"), "{message}");
    let message = complaint("schema = \"masing.model/1\"\n", 1);
    assert!(message.contains("[[element]]"), "{message}");
}

#[test]
fn unknown_elements_are_told_the_known_ones() {
    let message = complaint(&with_spring("").replace("\"spring\"", "\"sprnig\""), 3);
    assert!(message.contains("unknown element `sprnig`"), "{message}");
    assert!(message.contains("known elements: spring"), "{message}");
    assert!(message.contains("did you mean `spring`?"), "{message}");
    let preset = with_spring("").replace("\"spring\"", "\"metal-rubber\"");
    let message = complaint(&preset, 3);
    assert!(message.contains("polynomial-spring"), "{message}");
}

#[test]
fn bad_values_are_shown_with_what_was_expected() {
    let message = complaint(&with_spring("k = -5.0"), 4);
    assert!(message.contains("`spring.k` = -5.0 N/m"), "{message}");
    assert!(message.contains("range 0.0 to"), "{message}");
    for bad in ["nan", "inf", "-inf", "1e999"] {
        let message = complaint(&with_spring(&format!("k = {bad}")), 4);
        assert!(message.contains(&format!("`k` = {bad}")), "{message}");
        assert!(message.contains("expected a finite number"), "{message}");
    }
    for bad in ["\"soft\"", "true", "2026-11-15"] {
        let message = complaint(&with_spring(&format!("k = {bad}")), 4);
        assert!(message.contains("expected a number"), "{message}");
    }
    // A table says what a parameter follows.
    let message = complaint(&with_spring("k = { a = 1 }"), 4);
    assert!(message.contains("unknown key `a`"), "{message}");
    let message = complaint(&with_spring("k = [1.0, 2.0]"), 4);
    assert!(
        message.contains("expected a number, not a list"),
        "{message}"
    );
}

#[test]
fn other_versions_and_broken_files_are_told_apart() {
    let message = complaint("schema = \"masing.model/2\"\nnew = 1\n", 1);
    assert!(
        message.contains("this file says masing.model/2; this version reads masing.model/1"),
        "{message}"
    );
    assert!(complaint("name = \"x\"\n", 1).contains("schema = \"masing.model/1\""));
    assert!(complaint(&with_spring("k = "), 4).contains("not valid TOML"));
    let message = complaint(&with_spring("k = 1.0\nk = 2.0"), 5);
    assert!(message.contains("duplicate key"), "{message}");
    assert!(complaint("schema = 1\n", 1).contains("expected text in quotes"));
}

#[test]
fn labels_must_differ_and_be_plain() {
    let twice = format!(
        "{}[[element]]\ntype = \"spring\"\nlabel = \"spring\"\nk = 1.0\n",
        with_spring("k = 1.0")
    );
    let message = complaint(&twice, 7);
    assert!(message.contains("already used in line 2"), "{message}");
    for bad in ["", "a.b", "a[1]", "a b", "oscillator"] {
        let message = complaint(&with_spring(&format!("k = 1.0\nlabel = \"{bad}\"")), 5);
        assert!(message.contains("`label`"), "{message}");
    }
}

#[test]
fn systems_are_checked() {
    let system = |body: &str| with_spring(&format!("k = 1.0\n[system]\n{body}"));
    let message = complaint(&system("type = \"oscillator\"\nc = 1.0"), 5);
    assert!(message.contains("lacks `m`"), "{message}");
    let message = complaint(&system("type = \"pendulum\""), 6);
    assert!(
        message.contains("\"oscillator\" or \"structure\""),
        "{message}"
    );
    let message = complaint(&system("type = \"oscillator\"\nm = -1.0\nc = 0\nk = 0"), 7);
    assert!(message.contains("`oscillator.m` = -1.0 kg"), "{message}");
    let message = complaint(&system("type = \"oscillator\"\nM = 1.0"), 7);
    assert!(message.contains("did you mean `m`?"), "{message}");
}

#[test]
fn an_oscillator_needs_only_its_mass() {
    let text = with_spring("k = 1.0\n[system]\ntype = \"oscillator\"\nm = 2.0");
    let model = read(&text).expect("a whole model");
    assert_eq!(model.system_values(), [2.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn structures_are_checked() {
    let structure = |m: &str, between: &str| {
        with_spring(&format!(
            "k = 1.0\n{between}\n[system]\ntype = \"structure\"\nm = {m}\n\
             c = [[0, 0], [0, 0]]\nk = [[0, 0], [0, 0]]"
        ))
    };
    let good = read(&structure("[[1, 0], [0, 1]]", "between = [0, 2]")).unwrap();
    assert_eq!(good.assembly().parts()[0].between, [0, 2]);
    let message = complaint(&structure("[[1, 0], [0, 1]]", ""), 2);
    assert!(message.contains("lacks `between`"), "{message}");
    for bad in ["[0, 3]", "[1, 1]", "[0, 1, 2]", "[0.5, 1]", "[-1, 1]"] {
        let text = structure("[[1, 0], [0, 1]]", &format!("between = {bad}"));
        let message = complaint(&text, 5);
        assert!(message.contains("from 0 (ground) to 2"), "{message}");
    }
    let message = complaint(&structure("[[1, 0], [0]]", "between = [0, 1]"), 8);
    assert!(
        message.contains("`m[2]` has 1 entries; expected 2"),
        "{message}"
    );
    let message = complaint(&structure("[[1, 2], [3, 1]]", "between = [0, 1]"), 8);
    assert!(message.contains("not symmetric"), "{message}");
    let message = complaint(&structure("[1, 1]", "between = [0, 1]"), 8);
    assert!(message.contains("a row of 2 numbers"), "{message}");
    let message = complaint(&with_spring("k = 1.0\nbetween = [0, 1]"), 5);
    assert!(message.contains("structure"), "{message}");
}

#[test]
fn validity_is_read_and_checked() {
    let with = |text: &str| with_spring(&format!("k = 1.0\n[validity]\n{text}"));
    let model = read(&with("displacement = [-1, 2e-3]\n")).unwrap();
    let tests = model.validity.unwrap();
    assert_eq!(tests.displacement, [-1.0, 2e-3]);
    assert!(tests.speed.is_infinite() && tests.frequency.is_none());
    assert!(!tests.is_outside(0.0, 1e9) && tests.is_outside(3e-3, 0.0));
    for (text, word) in [
        ("speed = 1.0", "displacement"),
        ("displacement = 1.0", "[lowest, highest]"),
        ("displacement = [1.0, 0.0]", "rising"),
        ("displacement = [0.0, nan]", "rising"),
        ("displacement = [0.0, 1.0]\nspeed = -1.0", "positive"),
        ("displacement = [0.0, 1.0]\nspeed = \"fast\"", "a number"),
        (
            "displacement = [0.0, 1.0]\nfrequency = [2.0, 1.0]",
            "rising",
        ),
        ("displacement = [0.0, 1.0]\ncolour = 1", "colour"),
    ] {
        let message = read(&with(text)).unwrap_err().to_string();
        assert!(message.contains(word), "{text}: {message}");
    }
}

#[test]
fn numerics_and_part_are_read() {
    let text = with_spring(
        "k = 1.0\n[numerics]\nincrement = 5.0e-6\n\
         [part]\nnumber = \"4711-A\"\ntemperature = 23\ndate = 2026-11-15",
    );
    let model = read(&text).unwrap();
    let limits = model.numerics.unwrap();
    assert_eq!(limits.increment, 5e-6);
    assert!(limits.max_dt.is_infinite());
    assert_eq!(model.part["temperature"], "23");
    assert_eq!(model.part["date"], "2026-11-15");
    let message = complaint(&with_spring("k = 1.0\n[numerics]\nmax_dt = 0.0"), 6);
    assert!(message.contains("a positive number"), "{message}");
}

#[test]
fn hostile_sizes_are_refused_without_being_built() {
    for kind in KINDS {
        if !kind.options.iter().any(|(name, _)| *name == "cells") {
            continue;
        }
        for cells in ["1e12", "1e300", "-1", "2.5", "0"] {
            let text = format!(
                "schema = \"masing.model/1\"\n[[element]]\ntype = \"{}\"\ncells = {cells}\n",
                kind.name
            );
            let message = complaint(&text, 4);
            assert!(message.contains("`cells`"), "{message}");
        }
    }
    let deep = format!("a = {}", "[".repeat(100_000));
    assert!(matches!(
        *read(&deep).unwrap_err().problem,
        Problem::Syntax { .. }
    ));
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let error = file::read(Path::new("no/such/model.toml")).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("no/such/model.toml: cannot be read")
    );
    assert!(file::read(Path::new(".")).is_err());
}

#[test]
fn every_parameter_left_out_is_named() {
    for kind in KINDS {
        let text = format!(
            "schema = \"masing.model/1\"\n[[element]]\ntype = \"{}\"\n",
            kind.name
        );
        let message = complaint(&text, 2);
        let element = (kind.build)(&Shape::default()).unwrap();
        for param in &element.spec().params {
            assert!(
                message.contains(&format!("`{}`", param.base())),
                "{message}"
            );
        }
    }
}

fn with_element(kind: &str, body: &str) -> String {
    format!("schema = \"masing.model/1\"\n[[element]]\ntype = \"{kind}\"\n{body}\n")
}

#[test]
fn lists_are_checked_entry_by_entry() {
    let staged = |angles: &str| {
        format!(
            "angles = {angles}\ntorques = [-1, 0, 0, 1]\nfriction = [0.1, 0.1, 0.1, 0.1]\n\
             viscous = [0, 0, 0, 0]\neta = 50"
        )
    };
    let good = read(&with_element("staged", &staged("[-0.2, -0.1, 0.1, 0.2]"))).unwrap();
    assert_eq!(good.motion(), MotionKind::Rotation);
    assert_eq!(good.find("staged.angles[3]").unwrap(), [2]);

    let message = complaint(
        &with_element("staged", &staged("[\n-0.2,\n0.1,\n-0.1,\n0.2]")),
        7,
    );
    assert!(message.contains("must increase"), "{message}");
    let message = complaint(&with_element("staged", &staged("[-0.2, -0.1, 0.1]")), 5);
    assert!(
        message.contains("`angles` has 3") && message.contains("`torques` has 4"),
        "{message}"
    );
    let message = complaint(
        &with_element("staged", &staged("[-0.2, \"a\", 0.1, 0.2]")),
        4,
    );
    assert!(message.contains("`angles[2]` = \"a\""), "{message}");
    let message = complaint(&with_element("staged", "angels = [1, 2]"), 4);
    assert!(message.contains("did you mean `angles`?"), "{message}");
    let message = complaint(&with_element("staged", "angles = 3.0"), 4);
    assert!(message.contains("expected a list of numbers"), "{message}");
    let negative = staged("[-0.2, -0.1, 0.1, 0.2]").replace("[0.1, 0.1,", "[0.1, -0.1,");
    let message = complaint(&with_element("staged", &negative), 6);
    assert!(
        message.contains("`staged.friction[2]` = -0.1 N m"),
        "{message}"
    );
    // A straight one says so, and goes on saying so.
    let straight = with_element("staged", &staged("[-0.2, -0.1, 0.1, 0.2]"))
        .replace("[[element]]", "motion = \"translation\"\n[[element]]");
    let model = read(&straight).unwrap();
    assert_eq!(model.motion(), MotionKind::Translation);
    let again = read(&to_text(&model)).unwrap();
    assert_eq!(again.motion(), MotionKind::Translation);
    let message = complaint(&straight.replace("[0.1, 0.1,", "[0.1, -0.1,"), 7);
    assert!(
        message.contains("`staged.friction[2]` = -0.1 N is"),
        "{message}"
    );
}

#[test]
fn parameters_per_cell_are_numbers_or_lists_of_that_length() {
    let rt = |kr: &str| format!("cells = 3\nk0 = 2e5\nkpa = 8e5\nkr = {kr}\nc0 = 25\nalpha = 0.1");
    assert!(read(&with_element("rt", &rt("3e6"))).is_ok());
    let model = read(&with_element("rt", &rt("[1e6, 2e6, 3e6]"))).unwrap();
    assert_eq!(model.find("rt.kr").unwrap(), [2, 3, 4]);
    let message = complaint(&with_element("rt", &rt("[1e6, 2e6]")), 7);
    assert!(message.contains("`kr`"), "{message}");
    let message = complaint(&with_element("rt", &rt("[1e6, 2e6, nan]")), 7);
    assert!(message.contains("`kr[3]` = nan"), "{message}");
}

#[test]
fn polynomials_take_their_powers_from_names_or_from_the_option() {
    let model = read(&with_element(
        "polynomial-spring",
        "k1 = 1.0\nk2 = 2.0\nx0 = 0.0",
    ))
    .unwrap();
    assert_eq!(model.find("polynomial-spring.k2").unwrap(), [1]);
    let message = complaint(
        &with_element("polynomial-spring", "powers = [1, 3]\nk1 = 1.0"),
        2,
    );
    assert!(message.contains("`k3`, `x0`"), "{message}");
    let message = complaint(
        &with_element(
            "polynomial-spring",
            "powers = [1, 3]\nk1 = 1.0\nk3 = 0\nx0 = 0\nk5 = 1.0",
        ),
        8,
    );
    assert!(message.contains("unknown key `k5`"), "{message}");
    for bad in ["[1e12]", "[0]", "[1.5]", "[]", "3", "[\"a\"]"] {
        let text = with_element("polynomial-spring", &format!("powers = {bad}"));
        assert!(complaint(&text, 4).contains("powers"));
    }
    assert!(read(&with_element("polynomial-spring", "k4000000000 = 1.0")).is_err());
    assert!(
        read(&with_element(
            "polynomial-spring",
            "k99999999999999999999 = 1.0"
        ))
        .is_err()
    );
}
