//! Clutch dampers: Krak and Singh on slow and fast tests of a staged device, on a synthetic one.

mod balance;
mod device;
mod linearised;
mod recovery;
mod slow;
mod table_3;

use crate::paper::Paper;
use device::Tests;

pub const PAPER: Paper = Paper {
    name: "clutch",
    summary: "Clutch dampers: quasi-static and dynamic tests of a staged device",
    title: "Clutch dampers: slow and fast tests of a staged device",
    reference: "Krak, M. D., Singh, R. (2016), Correlation between quasi-static and dynamic experiments for a practical \
                torsional device with multiple discontinuous nonlinearities, J. Sound Vib. 377, 243-263: Tables 1 to 3, \
                Figures 4 to 15 and B1 to B5",
    about: "The paper's records are not public and its axes carry no numbers, so that its Table 3 cannot be computed again from its data; the \
            same analysis is made of a synthetic device of the same kind: four stages a side, spline clearance, a pre-load, \
            stiffness ratios up to 100, friction about twice as large under fast as under slow loading at every node. Slow test: \
            6000 samples, 0.15 N m of noise. Fast test: an inertia of 0.25 kg m^2 is let go from 108.6 to 25 N m within 5 ms; its \
            velocity is measured every 0.7 ms with 0.01 rad/s of noise; tau_s = 0.1 s. Corrected equations: in (5) and (8) the coast window begins at \
            Theta_j-, (37) is the coast side of (36), and in (41) and (43) alpha and beta are added, because beta is negative \
            there. Independent figures are medians of ten runs of a prototype that shares no code with this program.",
    reads: false,
    run: |job| {
        job.parts(
            || Ok(Tests::new()?),
            &[
                ("slow", slow::figures_4_to_6),
                ("linearisation", linearised::figures_8_to_11),
                ("balance", balance::table_1_and_2),
                ("table-3", table_3::table_3),
                ("recovery", recovery::recovery),
            ],
        )
    },
};
