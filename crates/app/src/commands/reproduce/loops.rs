//! Hysteresis loops of joints: the tables and figures of Onera's paper in the proceedings of ISMA 2018.

mod bouc_wen;
mod dahl;
mod record;

use super::report::{Part, Report};
use crate::console::Console;
use crate::error::AppError;
use masing_identify::FitError;
use masing_sim::SimError;
use std::path::PathBuf;

/// A run that failed.
fn run_failed(source: SimError) -> AppError {
    AppError::Simulation {
        path: PathBuf::from("reproduce loops"),
        line: None,
        source,
    }
}

/// A fit that failed.
fn fit_failed(kind: &str, source: FitError) -> AppError {
    AppError::Fit {
        model: kind.to_owned(),
        source,
    }
}

/// All parts, in the order of the paper.
pub fn report(console: Console) -> Result<Report, AppError> {
    let parts: [fn() -> Result<Part, AppError>; 4] = [
        dahl::table_1,
        dahl::table_2,
        bouc_wen::table_3,
        bouc_wen::low_damping,
    ];
    let progress = console.progress(parts.len(), "tables");
    let mut done = Vec::new();
    for part in parts {
        done.push(part()?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(Report {
        paper: "loops",
        title: "Hysteresis loops of joints: Dahl and Bouc-Wen from one loop",
        reference: "Onera, on Dahl and Bouc-Wen parameters from the hysteresis curve, Proc. ISMA2018 and USD2018, Damping, to \
                    p. 1046: Tables 1 to 3, Figures 4 to 7",
        about: "An oscillator with the law in parallel, m x'' + k x + z = F sin(2 pi f t), runs from rest for 8 s; the \
                last period, sampled every millisecond, is the loop. Dahl: m = 1 kg, k = 1e5 N/m, F = 1 N, f = 2 Hz. \
                Bouc-Wen: m = 1 kg, k = 200 N/m, F = 10 N, f = 5 Hz, and a gain of 200, by which a, beta and gamma are \
                divided here. Three ways: the paper's own numbers; its method on our loops, read at the nearest \
                samples as its numbers suggest, and with interpolation (eqs 8, 13 and 14 with the signs that follow \
                from the laws); and what masing fit finds, by least squares on the exact law from an automatic start, \
                with a free start of the force and turns refined between samples. Independent figures are those of a \
                prototype that shares no code with this program.",
        parts: done,
    })
}
