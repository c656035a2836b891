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
mod smoothing;
mod steering;

use crate::paper::Paper;

pub const PAPER: Paper = Paper {
    name: "bushing",
    summary: "Rubber bushings: triboelastic chains and the adjoint state",
    title: "Rubber bushings: triboelastic chains and their identification",
    reference: "Bourgeteau, B., Puel, G., Aubry, D., on rubber bushings in multibody simulation: Tables 1 to 6, \
                Figures 5, 6 and 8 to 12",
    about: "Every table of the paper that can be computed again, beside the paper's own numbers. The paper prints no \
            parameters and its measurements are not public, so that ratios can be compared but not forces. Here \
            set B stands for its bushing: K0 = 200, Kpa = 800, Kr = 3000 N/mm, C0 = 15 N (s/mm)^0.075, alpha = \
            0.075; it stiffens with frequency as the paper's does. Set A, a rounder loop, has C0 = 20 N \
            (s/mm)^0.15 and alpha = 0.15. 15 cells; two cycles of 1 mm at 1 Hz, 1 ms between samples, one step a \
            sample, unless said. Rows marked paper are the paper's. Independent figures are those of a prototype \
            that shares no code with this program. Errors are in per cent of the rms force: the paper's \
            sqrt(J/J0).",
    reads: false,
    run: |job| {
        job.parts(
            || Ok(()),
            &[
                ("figure-5", |()| response::figure_5()),
                ("figure-6-left", |()| response::stiffening()),
                ("payne", |()| response::payne()),
                ("figure-6-right", |()| response::relaxation()),
                ("figure-8", |()| steering::figure_8()),
                ("figure-9", |()| steering::figure_9()),
                ("figure-10", |()| smoothing::figure_10()),
                ("table-1", |()| gradient::table_1()),
                ("table-2", |()| gradient::table_2()),
                ("table-3", |()| recovery::table_3()),
                ("table-4", |()| recovery::table_4()),
                ("figure-11", |()| guess::figure_11()),
                ("table-5", |()| guess::table_5()),
                ("figure-12", |()| guess::figure_12()),
                ("sensitivity", |()| guess::sensitivity()),
                ("table-6", |()| actual::table_6()),
            ],
        )
    },
};
