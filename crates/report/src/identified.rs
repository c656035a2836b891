//! A result of any method: for people on a terminal and a page, for programs, and as columns.

mod columns;
pub mod html;
pub mod json;
mod loops;
pub mod text;

pub use columns::{Curve, curves};

use masing_identify::result::{Comparison, Role};
use masing_identify::{InitialState, Status};

/// What a test was used for.
pub fn role(role: Role) -> &'static str {
    match role {
        Role::Fitted => "fitted",
        Role::LeftOut => "left out",
        Role::HeldOut => "held out",
    }
}

/// The state at the first sample: a word for files and one for people.
pub fn initial_state(state: InitialState) -> (&'static str, &'static str) {
    match state {
        InitialState::AtRest => ("rest", "at rest"),
        InitialState::Estimated => ("free", "estimated"),
        InitialState::Periodic => ("periodic", "periodic"),
    }
}

/// A status for people; nothing to say where all is well.
pub fn status(status: Status) -> &'static str {
    match status {
        Status::Ok => "ok",
        Status::AtBound => "at the edge of its range",
        Status::PoorlyDetermined => "poorly determined",
        Status::Unidentifiable => "not determined by these tests",
        Status::Fixed => "fixed",
        Status::PerTest => "per test",
    }
}

/// Whether some test has an error over its alternating part.
fn alternating(tests: &[Comparison]) -> bool {
    tests.iter().any(|t| t.alternating.is_some())
}
