//! The C interface, called as C calls it.

use masing_c::api::*;
use masing_c::boundary::text;
use std::ffi::{CString, c_char};
use std::path::Path;
use std::ptr::{null, null_mut};

fn open(path: &Path) -> (*mut OpenModel, String) {
    let path = CString::new(path.to_str().unwrap()).unwrap();
    let mut message = [0 as c_char; 300];
    let model = masing_open(path.as_ptr(), message.as_mut_ptr(), message.len());
    (model, text(message.as_ptr()).unwrap().to_owned())
}

fn bushing() -> *mut OpenModel {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/bushing.toml");
    let (model, message) = open(&path);
    assert!(!model.is_null(), "{message}");
    assert_eq!(message, "");
    model
}

#[test]
fn a_model_is_stepped_and_put_back() {
    let model = bushing();
    assert_eq!(masing_state_size(model), 5 + 16);
    assert_eq!(masing_step(model, 0.0, 0.0), 0.0);
    let mut kept = vec![0.0; masing_state_size(model)];
    assert_eq!(masing_get_state(model, kept.as_mut_ptr()), 0);
    let force = masing_step(model, 1e-3, 1e-5);
    assert!(force > 0.0 && masing_error(model).is_null());
    assert_eq!(masing_set_state(model, kept.as_ptr()), 0);
    assert_eq!(masing_step(model, 1e-3, 1e-5), force);
    let (mut k, mut c) = (0.0, 0.0);
    assert_eq!(masing_slopes(model, &raw mut k, &raw mut c), 0);
    assert!(k > 2e5 && k < 1e6 && c == 0.0);
    assert!(masing_dissipated_energy(model) > 0.0);
    assert_eq!(masing_outside_validity(model), 0);
    masing_step_with_velocity(model, 1.0, 2e-3, 0.0);
    assert_eq!(masing_outside_validity(model), 1);
    masing_close(model);
}

#[test]
fn failures_have_a_code_and_a_message() {
    let model = bushing();
    let said = || text(masing_error(model)).unwrap_or_default().to_owned();
    for (dt, x) in [(f64::NAN, 0.0), (-1.0, 0.0), (1e-3, f64::NAN), (1e-3, 1e12)] {
        assert!(masing_step(model, dt, x).is_nan());
        assert!(said().contains("expected"), "{}", said());
    }
    let mut state = vec![f64::NAN; masing_state_size(model)];
    assert_eq!(masing_set_state(model, state.as_ptr()), 1);
    assert!(!said().is_empty());
    assert_eq!(masing_get_state(model, state.as_mut_ptr()), 0);
    assert_eq!(said(), "");
    assert_eq!(masing_set_state(model, null()), 1);
    assert_eq!(masing_get_state(model, null_mut()), 1);
    assert_eq!(masing_slopes(model, null_mut(), null_mut()), 1);
    masing_close(model);

    assert!(masing_step(null_mut(), 1e-3, 0.0).is_nan());
    assert!(masing_step_with_velocity(null_mut(), 1e-3, 0.0, 0.0).is_nan());
    assert!(masing_dissipated_energy(null()).is_nan());
    assert_eq!(masing_state_size(null()), 0);
    assert_eq!(masing_set_state(null_mut(), state.as_ptr()), 1);
    assert_eq!(masing_outside_validity(null()), 0);
    assert!(masing_error(null()).is_null());
    masing_close(null_mut());

    assert!(masing_open(null(), null_mut(), 0).is_null());
    let (model, message) = open(Path::new("nowhere/model.toml"));
    assert!(
        model.is_null() && message.contains("nowhere/model.toml"),
        "{message}"
    );
    let broken = Path::new(env!("CARGO_TARGET_TMPDIR")).join("broken.toml");
    for (content, words) in [
        (
            "schema = \"masing.model/1\"\n[[element]]\ntype = \"rt\"\n",
            "k0",
        ),
        ("schema = \"masing.model/9\"\n", "masing.model/1"),
        ("", "schema"),
        (
            "schema = \"masing.model/1\"\n[[element]]\ntype = \"spring\"\nk = 1.0\n[system]\n\
             type = \"oscillator\"\nm = 1.0\nc = 0.0\nk = 1.0\nx0 = 0.0\nv0 = 0.0\n",
            "masses",
        ),
    ] {
        std::fs::write(&broken, content).unwrap();
        let (model, message) = open(&broken);
        assert!(model.is_null() && message.contains(words), "{message}");
    }
}

#[test]
fn a_model_that_follows_a_condition_needs_its_level() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("follows.toml");
    let content = "schema = \"masing.model/1\"\n[[element]]\ntype = \"jenkins\"\nks = 1e5\n\
        zs = { of = \"current\", form = \"linear\", coefficients = [20.0, 60.0] }\n\
        [conditions.current]\nunit = \"A\"\nrange = [0.0, 1.0]\n";
    std::fs::write(&path, content).unwrap();
    let (model, message) = open(&path);
    assert!(!model.is_null(), "{message}");
    let said = || text(masing_error(model)).unwrap_or_default().to_owned();
    assert!(masing_step(model, 1e-3, 1e-3).is_nan());
    assert!(said().contains("follows `current`"), "{}", said());
    let set = |name: &str, level: f64| {
        let name = CString::new(name).unwrap();
        masing_set_condition(model, name.as_ptr(), level)
    };
    assert_eq!(set("curent", 1.0), 1);
    assert!(said().contains("did you mean `current`?"), "{}", said());
    assert_eq!(set("current", 1.0), 0);
    assert_eq!(masing_step(model, 1e-3, 1e-3), 80.0);
    assert_eq!(set("current", 0.5), 0);
    // The limit comes down while the part stands still.
    assert_eq!(masing_step(model, 1e-3, 1e-3), 50.0);
    assert_eq!(masing_outside_validity(model), 0);
    assert_eq!(set("current", 1.5), 0);
    assert_eq!(masing_outside_validity(model), 1);
    assert_eq!(set("current", f64::NAN), 1);
    assert_eq!(masing_set_condition(model, null(), 1.0), 1);
    assert_eq!(masing_set_condition(null_mut(), null(), 1.0), 1);
    masing_close(model);
}
