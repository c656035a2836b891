//! Parameters that follow conditions: in files, and at levels.

use masing_model::{Levels, Model, ModelError, file};
use std::path::Path;

const DAMPER: &str = r#"schema = "masing.model/1"

[[element]]
type = "series"

[[element.element]]
type = "eyring-dashpot"
f = { of = "current", form = "exp-quadratic", coefficients = [3.363, 4.066, -1.983] }
v0 = 2.61e-4

[[element.element]]
type = "slider"
limit = [{ of = ["current", "heat"], form = ["piecewise", "arrhenius"], knots = [[0.0, 0.5, 1.0], []], coefficients = [0.1, 0.3, 0.4, 2100.0] }, 13600.0]

[[element]]
type = "spring"
k = 970.0

[conditions.current]
unit = "A"
range = [0.0, 1.0]

[conditions.heat]
unit = "K"
range = [280.0, 340.0]
"#;

fn parse(text: &str) -> Result<Model, String> {
    file::parse(Path::new("model.toml"), text).map_err(|error| error.to_string())
}

fn levels(current: f64, heat: f64) -> Levels {
    let pairs = [("current", current), ("heat", heat)];
    pairs.map(|(name, v)| (name.to_owned(), v)).into()
}

#[test]
fn files_are_read_and_written_back_to_the_same_bits() {
    let model = parse(DAMPER).unwrap();
    assert_eq!(model.following().len(), 2);
    let text = file::to_text(&model);
    let again = parse(&text).unwrap();
    assert_eq!(again.following(), model.following());
    assert_eq!(again.conditions(), model.conditions());
    assert_eq!(again.values(), model.values());
    assert_eq!(file::to_text(&again), text);
    assert!(text.contains("knots = [[0.0, 0.5, 1.0], []]"), "{text}");
}

#[test]
fn at_a_level_a_model_is_an_ordinary_one() {
    let model = parse(DAMPER).unwrap();
    let at = model.at(&levels(0.5, 300.0)).unwrap();
    assert!(at.conditions().is_empty() && at.following().is_empty());
    let f = at.values()[at.find("eyring-dashpot.f").unwrap()[0]];
    let expected = (3.363_f64 + 4.066 * 0.5 - 1.983 * 0.25).exp();
    assert!((f / expected - 1.0).abs() < 1e-15, "{f}");
    let limit = at.values()[at.find("slider.limit[1]").unwrap()[0]];
    // Rounding of one exponential.
    assert!(
        (limit / (0.3 * 7.0_f64.exp()) - 1.0).abs() < 1e-14,
        "{limit}"
    );
    // What follows nothing is unchanged.
    assert_eq!(at.values()[at.find("spring.k").unwrap()[0]], 970.0);
    let missing = model.at(&[("current".to_owned(), 0.5)].into());
    assert!(matches!(missing, Err(ModelError::NoLevel { condition }) if condition == "heat"));
    // Far outside the law leaves the range of the parameter: an error, not another number.
    let far = model.at(&levels(-300.0, 300.0)).unwrap_err().to_string();
    assert!(
        far.contains("current = -300.0 A") && far.contains("outside its range"),
        "{far}"
    );
}

#[test]
fn mistakes_name_the_line_and_what_was_expected() {
    for (from, to, words) in [
        (
            "exp-quadratic",
            "exp-qadratic",
            "line 8: unknown form `exp-qadratic`",
        ),
        (
            "exp-quadratic",
            "exp-qadratic",
            "did you mean `exp-quadratic`?",
        ),
        (
            "exp-quadratic",
            "exp-linear",
            "has 3 coefficients; the form exp-linear has 2",
        ),
        (
            "of = \"current\"",
            "of = \"curent\"",
            "did you mean `current`?",
        ),
        ("of = \"current\"", "off = \"current\"", "unknown key `off`"),
        ("3.363,", "'a',", "expected a number"),
        ("[0.0, 0.5, 1.0]", "[0.0, 0.5, 0.5]", "must increase"),
        (
            "range = [0.0, 1.0]",
            "range = [1.0, 0.0]",
            "two rising numbers",
        ),
        ("range = [0.0, 1.0]\n", "", "lacks `range`"),
        (
            "range = [280.0, 340.0]",
            "range = [-10.0, 10.0]",
            "absolute temperature above 0 K",
        ),
        (
            "[\"current\", \"heat\"]",
            "[\"heat\", \"heat\"]",
            "two different",
        ),
        ("3.363,", "3363.0,", "outside its range"),
        (
            "2.61e-4",
            "{ of = 'current' }",
            "lacks `form`, `coefficients`",
        ),
    ] {
        assert!(DAMPER.contains(from), "{from}");
        let said = parse(&DAMPER.replacen(from, to, 1)).unwrap_err();
        assert!(said.contains(words), "{to}: {said}");
    }
}
