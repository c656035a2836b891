//! One estimate with its uncertainty.

use crate::uncertainty::Status;

/// A parameter of the model, or a number that belongs to one test.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Address of the parameter; test and kind for a number that belongs to a test.
    pub address: String,
    /// Value.
    pub value: f64,
    /// SI unit.
    pub unit: String,
    /// Standard error; none for a parameter that was given.
    pub std_error: Option<f64>,
    /// Interval that contains the true value in 95 of 100 cases.
    pub interval: Option<[f64; 2]>,
    /// Standard error from leaving out one test at a time, where there are three or more; part of the standard error.
    pub leave_one_out: Option<f64>,
    /// Whether it can be trusted.
    pub status: Status,
}

impl Estimate {
    /// A number with its standard error, where it was sought; the interval reaches so many of them to either side.
    pub fn new(
        address: String,
        unit: String,
        value: f64,
        (std_error, status): (Option<f64>, Status),
        reach: f64,
    ) -> Self {
        Self {
            address,
            value,
            unit,
            std_error,
            interval: std_error.map(|e| [value - reach * e, value + reach * e]),
            leave_one_out: None,
            status,
        }
    }

    /// Whether the tests say too little about it, or it ended at the end of its range.
    pub fn is_weak(&self) -> bool {
        self.status.sought() && self.status != Status::Ok
    }
}
