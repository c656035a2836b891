//! What a call of an FMU ends with when it does not end well.

use crate::boundary::Null;
use masing_model::ModelError;
use masing_sim::SimError;
use std::ffi::CStr;
use std::fmt::Display;

/// The statuses that FMI 2.0 and 3.0 share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Status {
    /// All is well.
    Ok = 0,
    /// All is well, but something is odd.
    Warning = 1,
    /// Not done; another step may do.
    Discard = 2,
    /// Not done.
    Error = 3,
    /// The instance can no longer be used.
    Fatal = 4,
}

impl Status {
    /// The category of its messages, by the name that both standards give it.
    pub fn category(self) -> &'static CStr {
        match self {
            Status::Ok => c"logAll",
            Status::Warning => c"logStatusWarning",
            Status::Discard => c"logStatusDiscard",
            Status::Error => c"logStatusError",
            Status::Fatal => c"logStatusFatal",
        }
    }
}

/// A call that was not done, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Discard, error or fatal.
    pub status: Status,
    /// The reason, for people.
    pub message: String,
}

impl Fault {
    /// An error.
    pub fn error(message: impl Display) -> Self {
        Self {
            status: Status::Error,
            message: message.to_string(),
        }
    }
}

impl From<Null> for Fault {
    fn from(_: Null) -> Self {
        Self::error("a pointer is null, or a count of values impossible")
    }
}

impl From<ModelError> for Fault {
    fn from(error: ModelError) -> Self {
        Self::error(error)
    }
}

impl From<SimError> for Fault {
    /// A step without a solution may have one if it is shorter.
    fn from(error: SimError) -> Self {
        Self {
            status: match error {
                SimError::Unsolved(_) => Status::Discard,
                _ => Status::Error,
            },
            message: error.to_string(),
        }
    }
}
