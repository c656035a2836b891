//! Ctrl-C during long work: the first asks it to end with the best so far, the second ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Begins to listen. Where that is not possible Ctrl-C ends the program as ever.
#[cfg(feature = "cli")]
pub fn listen() {
    /// Exit code of a program that was interrupted.
    const INTERRUPTED: i32 = 130;
    let _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
        // A long evaluation is finished first; who waits should know how not to.
        eprintln!("\nending with the best so far; Ctrl-C again ends at once, without a result");
    });
}

/// Whoever calls the library listens.
#[cfg(not(feature = "cli"))]
pub fn listen() {}

/// Whether the work should end.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
