//! The C interface of `include/masing.h`: one part, stepped from outside.

use crate::boundary::{borrow, give, guarded, put, put_text, slice, slice_mut, take, text};
use masing_model::file;
use masing_sim::{Moment, Stepper};
use std::ffi::{CString, c_char, c_int};
use std::path::Path;

/// A model that is open, and what went wrong last.
#[derive(Debug)]
pub struct OpenModel {
    stepper: Stepper,
    message: Option<CString>,
    /// Conditions whose levels are still to be set.
    missing: Vec<String>,
}

/// A call with a null pointer.
const NULL: &str = "a pointer is null";

/// Opens the model file at `path`; null if that cannot be done. The reason is written to `message`,
/// which has room for `size` characters, and may be null.
#[unsafe(no_mangle)]
pub extern "C" fn masing_open(
    path: *const c_char,
    message: *mut c_char,
    size: usize,
) -> *mut OpenModel {
    guarded(std::ptr::null_mut(), || match open(path) {
        Ok((stepper, missing)) => {
            put_text("", message, size);
            give(OpenModel {
                stepper,
                message: None,
                missing,
            })
        }
        Err(reason) => {
            put_text(&reason, message, size);
            std::ptr::null_mut()
        }
    })
}

/// The model, and the conditions that it follows.
fn open(path: *const c_char) -> Result<(Stepper, Vec<String>), String> {
    let path = text(path).ok_or("the path is null or not UTF-8")?;
    let model = file::read(Path::new(path)).map_err(|error| error.to_string())?;
    let followed = model.following().iter().flat_map(|own| &own.of);
    let missing = followed.map(|(name, _)| name.clone()).collect();
    let stepper = Stepper::in_the_middle(model);
    let stepper = stepper.map_err(|error| format!("{path}: {error}"))?;
    Ok((stepper, missing))
}

/// Runs `work` on an open model; `otherwise` where there is none or it fails, whose reason is kept.
fn with<T: Copy>(
    model: *mut OpenModel,
    otherwise: T,
    work: impl FnOnce(&mut Stepper) -> Result<T, String>,
) -> T {
    with_open(model, otherwise, |model| work(&mut model.stepper))
}

/// The same with everything about the model.
fn with_open<T: Copy>(
    model: *mut OpenModel,
    otherwise: T,
    work: impl FnOnce(&mut OpenModel) -> Result<T, String>,
) -> T {
    guarded(otherwise, || {
        let Some(model) = borrow(model) else {
            return otherwise;
        };
        let done = work(model);
        model.message = match &done {
            Ok(_) => None,
            Err(message) => CString::new(message.replace('\0', " ")).ok(),
        };
        done.unwrap_or(otherwise)
    })
}

fn step(model: *mut OpenModel, dt: f64, displacement: f64, velocity: Option<f64>) -> f64 {
    with_open(model, f64::NAN, |model| {
        if let Some(name) = model.missing.first() {
            return Err(format!(
                "the model follows `{name}`, but its level is not set; masing_set_condition sets it"
            ));
        }
        let force = model.stepper.step(dt, displacement, velocity);
        force.map_err(|error| error.to_string())
    })
}

/// Sets the level of a condition that the model follows, in SI, from the next step on; 0 if all is well.
#[unsafe(no_mangle)]
pub extern "C" fn masing_set_condition(
    model: *mut OpenModel,
    name: *const c_char,
    level: f64,
) -> c_int {
    with_open(model, 1, |model| {
        let name = text(name).ok_or("the name is null or not UTF-8")?;
        let levels = [(name.to_owned(), level)].into();
        let set = model.stepper.set_levels(&levels);
        set.map_err(|error| error.to_string())?;
        model.missing.retain(|missing| missing != name);
        Ok(0)
    })
}

/// Moves straight to `displacement` within `dt` and returns the force there; not a number if that
/// cannot be done, and then nothing has changed.
#[unsafe(no_mangle)]
pub extern "C" fn masing_step(model: *mut OpenModel, dt: f64, displacement: f64) -> f64 {
    step(model, dt, displacement, None)
}

/// The same with the velocity at the end of the step, where it is known.
#[unsafe(no_mangle)]
pub extern "C" fn masing_step_with_velocity(
    model: *mut OpenModel,
    dt: f64,
    displacement: f64,
    velocity: f64,
) -> f64 {
    step(model, dt, displacement, Some(velocity))
}

/// The derivatives of the last force with respect to displacement and velocity at the end of its
/// step; 0 if all is well.
#[unsafe(no_mangle)]
pub extern "C" fn masing_slopes(
    model: *mut OpenModel,
    stiffness: *mut f64,
    damping: *mut f64,
) -> c_int {
    with(model, 1, |stepper| {
        let [k, c] = stepper.slopes().map_err(|error| error.to_string())?;
        put(stiffness, k).and(put(damping, c)).map_err(|_| NULL)?;
        Ok(0)
    })
}

/// How many numbers the state is.
#[unsafe(no_mangle)]
pub extern "C" fn masing_state_size(model: *const OpenModel) -> usize {
    guarded(0, || {
        let model = borrow(model.cast_mut());
        model.map_or(0, |model| Moment::size(model.stepper.now().z.len()))
    })
}

/// Writes the state, as many numbers as `masing_state_size` says; 0 if all is well.
#[unsafe(no_mangle)]
pub extern "C" fn masing_get_state(model: *mut OpenModel, state: *mut f64) -> c_int {
    with(model, 1, |stepper| {
        let room = slice_mut(state, Moment::size(stepper.now().z.len())).map_err(|_| NULL)?;
        for (to, from) in room.iter_mut().zip(stepper.now().numbers()) {
            *to = from;
        }
        Ok(0)
    })
}

/// Goes back (or on) to a state that `masing_get_state` wrote; 0 if all is well.
#[unsafe(no_mangle)]
pub extern "C" fn masing_set_state(model: *mut OpenModel, state: *const f64) -> c_int {
    with(model, 1, |stepper| {
        let numbers = slice(state, Moment::size(stepper.now().z.len())).map_err(|_| NULL)?;
        let moment =
            Moment::from_numbers(numbers).ok_or("the state has numbers that no state has")?;
        stepper.set(moment).map_err(|error| error.to_string())?;
        Ok(0)
    })
}

/// Whether the present motion goes beyond the tests of the model: 1 if so.
#[unsafe(no_mangle)]
pub extern "C" fn masing_outside_validity(model: *const OpenModel) -> c_int {
    guarded(0, || {
        let model = borrow(model.cast_mut());
        c_int::from(model.is_some_and(|model| model.stepper.outside_validity()))
    })
}

/// The work done on the part so far; over a closed cycle, the dissipated energy.
#[unsafe(no_mangle)]
pub extern "C" fn masing_dissipated_energy(model: *const OpenModel) -> f64 {
    guarded(f64::NAN, || {
        let model = borrow(model.cast_mut());
        model.map_or(f64::NAN, |model| model.stepper.now().work)
    })
}

/// What went wrong in the last call with this model; null if nothing did. The text lives until the
/// next call.
#[unsafe(no_mangle)]
pub extern "C" fn masing_error(model: *const OpenModel) -> *const c_char {
    guarded(std::ptr::null(), || {
        let model = borrow(model.cast_mut());
        let message = model.and_then(|model| model.message.as_ref());
        message.map_or(std::ptr::null(), |text| text.as_ptr())
    })
}

/// Closes a model; null is left alone.
#[unsafe(no_mangle)]
pub extern "C" fn masing_close(model: *mut OpenModel) {
    guarded((), || take(model));
}
