//! Dynamic stiffness tables from columns.

use crate::error::DataError;
use crate::finding::Finding;
use crate::harmonic::HarmonicTable;
use crate::options::ReadOptions;
use crate::record::Signal;
use crate::table::Table;

/// Turns a wide table (frequency down, amplitude across) into a long one; says whether it was wide.
#[expect(clippy::unnecessary_wraps, reason = "filled in below")]
pub(super) fn unfold(
    _table: &mut Table,
    _options: &ReadOptions,
    _findings: &mut Vec<Finding>,
) -> Result<bool, DataError> {
    Ok(false)
}

/// The rows of a table.
#[expect(clippy::unnecessary_wraps, reason = "filled in below")]
pub(super) fn table(
    table: &Table,
    _signals: &[Signal],
    rotation: bool,
    _options: &ReadOptions,
) -> Result<HarmonicTable, DataError> {
    Ok(HarmonicTable {
        points: Vec::new(),
        rotation,
        source: table.source.clone(),
    })
}
