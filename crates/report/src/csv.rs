//! CSV as the commands write it: headers `name [unit]`, numbers that read back exactly.

use std::io::{self, Write};

/// One column: its header and its values.
#[derive(Clone, Debug)]
pub struct Column {
    /// `name [unit]`.
    pub header: String,
    /// One value per row.
    pub values: Vec<f64>,
}

impl Column {
    /// A column from name, unit and values.
    pub fn new(name: &str, unit: &str, values: Vec<f64>) -> Self {
        Self {
            header: format!("{name} [{unit}]"),
            values,
        }
    }

    /// Its unit.
    pub fn unit(&self) -> &str {
        let (_, unit) = self.header.split_once(" [").unwrap_or_default();
        unit.trim_end_matches(']')
    }

    /// Its name without the unit.
    pub fn name(&self) -> &str {
        let header = self.header.as_str();
        header.split_once(" [").map_or(header, |(name, _)| name)
    }
}

/// Writes the columns row by row.
pub fn write(out: &mut dyn Write, columns: &[Column]) -> io::Result<()> {
    let headers: Vec<&str> = columns.iter().map(|c| c.header.as_str()).collect();
    writeln!(out, "{}", headers.join(","))?;
    let rows = columns.first().map_or(0, |c| c.values.len());
    for row in 0..rows {
        for (i, column) in columns.iter().enumerate() {
            if i > 0 {
                out.write_all(b",")?;
            }
            // Debug is the shortest text that reads back to the same bits, with an exponent where
            // that is shorter.
            write!(out, "{:?}", column.values[row])?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}
