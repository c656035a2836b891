//! Rubber bushings: the tables and figures of Bourgeteau, Puel and Aubry.

mod actual;
mod euler;
mod gradient;
mod guess;
mod law;
mod record;
mod recovery;
mod response;
mod rig;

use super::report::{Part, Report};
use crate::console::Console;
use crate::error::AppError;
use masing_identify::FitError;
use masing_model::ModelError;
use masing_sim::SimError;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a part can fail with.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Build(#[from] ModelError),
    #[error(transparent)]
    Run(#[from] SimError),
    #[error(transparent)]
    Fit(#[from] FitError),
}

impl From<Failure> for AppError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Build(error) => error.into(),
            Failure::Run(source) => AppError::Simulation {
                path: PathBuf::from("reproduce bushing"),
                line: None,
                source,
            },
            Failure::Fit(source) => AppError::Fit {
                model: "rt".to_owned(),
                source,
            },
        }
    }
}

/// All parts, in the order of the paper.
pub fn report(console: Console) -> Result<Report, AppError> {
    let parts: [fn() -> Result<Part, Failure>; 12] = [
        response::figure_5,
        response::stiffening,
        response::payne,
        response::relaxation,
        gradient::table_1,
        gradient::table_2,
        recovery::table_3,
        recovery::table_4,
        guess::table_5,
        guess::figure_12,
        guess::sensitivity,
        actual::table_6,
    ];
    let progress = console.progress(parts.len(), "tables and figures");
    let done = in_parallel(&parts, || progress.inc(1));
    progress.finish_and_clear();
    Ok(Report {
        paper: "bushing",
        title: "Rubber bushings: triboelastic chains and their identification",
        reference: "Bourgeteau, B., Puel, G., Aubry, D., on rubber bushings in multibody simulation: Tables 1 to 6, \
                    Figures 5, 6 and 12",
        about: "Every table of the paper that can be computed again, beside the paper's own numbers. The paper prints no \
                parameters and its measurements are not public, so that ratios can be compared but not forces. Here \
                set B stands for its bushing: K0 = 200, Kpa = 800, Kr = 3000 N/mm, C0 = 15 N (s/mm)^0.075, alpha = \
                0.075; it stiffens with frequency as the paper's does. Set A, a rounder loop, has C0 = 20 N \
                (s/mm)^0.15 and alpha = 0.15. 15 cells; two cycles of 1 mm at 1 Hz, 1 ms between samples, one step a \
                sample, unless said. Rows marked paper are the paper's. Independent figures are those of a prototype \
                that shares no code with this program. Errors are in per cent of the rms force: the paper's \
                sqrt(J/J0).",
        parts: done.into_iter().collect::<Result<_, _>>()?,
    })
}

/// Computes the parts on all cores; each is by itself, so that the results do not depend on their number.
fn in_parallel(
    parts: &[fn() -> Result<Part, Failure>],
    tell: impl Fn() + Sync,
) -> Vec<Result<Part, Failure>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(parts.len()));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores.min(parts.len()) {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(part) = parts.get(i) else { break };
                    let part = part();
                    if let Ok(mut done) = done.lock() {
                        done.push((i, part));
                    }
                    tell();
                }
            });
        }
    });
    let mut done = done
        .into_inner()
        .expect("no thread panics while it holds the lock");
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, part)| part).collect()
}
