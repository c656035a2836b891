//! Cycles of a record.

use crate::error::DataError;
use crate::options::Window;
use crate::record::Record;

/// Cuts a record to one cycle.
pub(crate) fn cut(record: Record, window: Window) -> Result<Record, DataError> {
    let _ = window;
    Ok(record)
}
