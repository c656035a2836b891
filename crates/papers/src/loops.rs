//! Hysteresis loops of joints: the tables and figures of Onera's paper in the proceedings of ISMA 2018.

mod bouc_wen;
mod dahl;
mod figures;
mod record;

use crate::paper::Paper;

pub const PAPER: Paper = Paper {
    name: "loops",
    summary: "Joints: Dahl and Bouc-Wen from one hysteresis loop",
    title: "Hysteresis loops of joints: Dahl and Bouc-Wen from one loop",
    reference: "Onera, on Dahl and Bouc-Wen parameters from the hysteresis curve, Proc. ISMA2018 and USD2018, Damping, to \
                p. 1046: Tables 1 to 3, Figures 2 to 7",
    about: "An oscillator with the law in parallel, m x'' + k x + z = F sin(2 pi f t), runs from rest for 8 s; the \
            last period, sampled every millisecond, is the loop. Dahl: m = 1 kg, k = 1e5 N/m, F = 1 N, f = 2 Hz. \
            Bouc-Wen: m = 1 kg, k = 200 N/m, F = 10 N, f = 5 Hz, and a gain of 200, by which a, beta and gamma are \
            divided here. Three ways: the paper's own numbers; its method on our loops, read at the nearest \
            samples as its numbers suggest, and with interpolation (eqs 8, 13 and 14 with the signs that follow \
            from the laws); and what masing fit finds, by least squares on the exact law from an automatic start, \
            with a free start of the force and turns refined between samples. Independent figures are those of a \
            prototype that shares no code with this program.",
    reads: false,
    run: |job| {
        job.parts(
            || Ok(()),
            &[
                ("figure-2", |()| figures::figure_2()),
                ("table-1", |()| dahl::table_1()),
                ("table-2", |()| dahl::table_2()),
                ("figure-3", |()| figures::figure_3()),
                ("table-3", |()| bouc_wen::table_3()),
                ("low-damping", |()| bouc_wen::low_damping()),
            ],
        )
    },
};
