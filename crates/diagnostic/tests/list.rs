//! What holds for every diagnostic of the list.

use masing_diagnostic::{
    Advice, Diagnostic, Entry, FitDiagnostic, ReadingDiagnostic, Severity, TermsDiagnostic, Units,
    all_good, page, thresholds, worst,
};
use std::collections::BTreeSet;
use std::path::Path;

const BOTH: [Units; 2] = [Units::Translation, Units::Rotation];

fn all() -> impl Iterator<Item = Diagnostic> {
    Diagnostic::examples()
        .into_iter()
        .flat_map(|(_, examples)| examples)
}

#[test]
fn codes_are_unique_within_a_subject() {
    for (subject, examples) in Diagnostic::examples() {
        let mut codes = BTreeSet::new();
        for one in examples {
            let code = one.code();
            assert!(codes.insert(code), "{subject}: {code} twice");
            let kebab = |c: char| c.is_ascii_lowercase() || c == '-';
            assert!(code.as_str().chars().all(kebab), "{code}");
        }
    }
}

#[test]
fn every_diagnostic_says_what_it_means() {
    for one in all() {
        let code = one.code();
        for text in [one.meaning(), &one.trigger()] {
            assert!(text.ends_with('.'), "{code}: {text}");
            let first = text.chars().next().unwrap();
            assert!(
                !first.is_lowercase() || text.starts_with("a1"),
                "{code}: {text}"
            );
            assert!(!text.contains("  "), "{code}: {text}");
        }
        for units in BOTH {
            let message = one.message(units);
            assert!(
                !message.is_empty() && !message.contains("  "),
                "{code}: {message}"
            );
            assert!(
                !message.ends_with('.') && !message.ends_with(';'),
                "{code}: {message}"
            );
            assert!(!message.contains("NaN"), "{code}: {message}");
            if let Some(advice) = one.advice() {
                for text in [
                    advice.typed(units),
                    advice.sentence(units),
                    advice.line(units),
                ] {
                    assert!(
                        !text.is_empty() && !text.ends_with(['.', ';']),
                        "{code}: {text}"
                    );
                    assert!(!text.contains("  "), "{code}: {text}");
                }
            }
        }
    }
}

/// Rotation speaks of angles and torques, translation never does.
#[test]
fn words_follow_the_kind_of_motion() {
    for one in all().filter(|one| !matches!(one, Diagnostic::Test(_) | Diagnostic::Reading(_))) {
        let text = one.message(Units::Translation);
        for word in ["torque", "N m", " deg"] {
            assert!(!text.contains(word), "{}: {text}", one.code());
        }
    }
    let turned = TermsDiagnostic::NegativeStiffness { at: 0.1 };
    let text = Diagnostic::from(turned).message(Units::Rotation);
    assert!(text.contains("5.73 deg"), "{text}");
}

#[test]
fn a_model_without_friction_is_sound() {
    let note = Diagnostic::from(TermsDiagnostic::NoFriction {});
    assert!(all_good(&[]) && all_good(std::slice::from_ref(&note)));
    let from = TermsDiagnostic::NonPassive {
        from: 0.1,
        top_speed: 0.2,
    };
    let both = [note, from.into()];
    assert!(!all_good(&both) && both[1].is_unsound());
    assert_eq!(worst(&both), Some(Severity::Untrusted));
}

#[test]
fn said_of_a_file() {
    let plain = Diagnostic::from(ReadingDiagnostic::PeakToPeak {});
    let said = plain.clone().in_file(Path::new("a.csv"));
    assert_eq!(said.about(), &plain);
    assert_eq!(said.code(), plain.code());
    let entry = Entry::of(&said, Units::Translation);
    assert_eq!(
        entry.message,
        "a.csv: amplitudes are peak to peak and were halved"
    );
}

#[test]
fn advice_follows_the_message() {
    let at = FitDiagnostic::MassOrStiffness {
        mass: "fast.moving-mass".to_owned(),
        parameter: "spring.k".to_owned(),
    };
    let text = Diagnostic::from(at).text(Units::Translation);
    assert!(
        text.contains("these tests; a mass acts like a stiffness"),
        "{text}"
    );
    let flip = Advice::Flip(masing_diagnostic::ChannelKind::Force);
    assert_eq!(flip.line(Units::Rotation), "fix: --flip torque");
}

#[test]
fn thresholds_are_what_they_say() {
    assert!(thresholds::weakly_predicted(0.05, 0.02));
    assert!(!thresholds::weakly_predicted(0.029, 0.001));
    assert!(!thresholds::weakly_predicted(0.19, 0.1));
    assert!(thresholds::correlated(0.31, 100) && !thresholds::correlated(0.29, 100));
    assert!(!thresholds::correlated(1.0, 0));
}

#[test]
fn the_page_lists_all() {
    let page = page();
    for one in all() {
        assert!(page.contains(&format!("### `{}`", one.code())));
    }
}
