//! Amplitude and frequency dependence, loss angle and relaxation of the chain against figures of an
//! independent prototype (N, mm, s; parameter sets of `tests/golden/bushing/SOURCE.md`).

mod support;

use masing_sim::{
    ACCURACY, Care, Closure, Column, Cycled, Motion, Numerics, Prescribed, Repeat, harmonic,
    harmonic_with, sine_cycle, steady_state,
};
use support::{SET_A, SET_B, rt, si};

/// Relative agreement asked of the published three to five digits.
const WITHIN: f64 = 2e-3;

fn assert_within(found: f64, expected: f64, what: &str) {
    assert!(
        (found - expected).abs() <= WITHIN * expected,
        "{what}: {found} against {expected}"
    );
}

#[test]
fn stiffness_falls_with_amplitude_and_rises_with_frequency() {
    let model = rt();
    let payne = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0];
    let stiffening = [0.01, 0.1, 1.0, 10.0, 100.0];
    let figures = [
        (
            SET_B,
            [999.9, 937.5, 840.0, 740.8, 643.4, 525.7, 450.8, 406.6],
            [423.40, 435.86, 450.76, 468.58, 489.45],
        ),
        (
            SET_A,
            [996.9, 932.2, 846.4, 759.0, 670.6, 559.1, 483.3, 425.4],
            [418.56, 445.02, 483.25, 527.21, 572.83],
        ),
    ];
    for (set, by_amplitude, by_frequency) in figures {
        let p = si(set);
        for (amplitude, expected) in payne.into_iter().zip(by_amplitude) {
            let h = harmonic(&model, &p, (amplitude * 1e-3, 1.0), 0.0, ACCURACY)
                .expect("a steady state");
            println!(
                "{amplitude} mm: {} cycles, {:.3}",
                h.cycles,
                h.secant_stiffness / 1e3
            );
            assert_within(
                h.secant_stiffness / 1e3,
                expected,
                &format!("{amplitude} mm"),
            );
        }
        for (frequency, expected) in stiffening.into_iter().zip(by_frequency) {
            let h = harmonic(&model, &p, (1e-3, frequency), 0.0, ACCURACY).expect("a steady state");
            println!(
                "{frequency} Hz: {} cycles, {:.3}",
                h.cycles,
                h.secant_stiffness / 1e3
            );
            assert_within(
                h.secant_stiffness / 1e3,
                expected,
                &format!("{frequency} Hz"),
            );
        }
    }
    let h = harmonic(&model, &si(SET_B), (1e-3, 1.0), 0.0, ACCURACY).expect("a steady state");
    assert_within(h.dynamic_stiffness() / 1e3, 442.31, "dynamic stiffness");
    assert_within(h.loss_angle().to_degrees(), 11.67, "loss angle");
    assert_within(h.energy * 1e3, 280.97, "energy");
    let h = harmonic(&model, &si(SET_A), (1e-3, 1.0), 0.0, ACCURACY).expect("a steady state");
    assert_within(h.dynamic_stiffness() / 1e3, 479.41, "dynamic stiffness");
    assert_within(h.loss_angle().to_degrees(), 13.45, "loss angle");
    assert_within(h.energy * 1e3, 350.42, "energy");
}

#[test]
fn a_picture_is_as_good_as_the_eye() {
    let model = rt();
    for set in [SET_A, SET_B] {
        let p = si(set);
        for amplitude in [2e-5, 2e-4, 2e-3] {
            for frequency in [0.1, 30.0] {
                let drive = (amplitude, frequency);
                let fine = harmonic(&model, &p, drive, 0.0, ACCURACY).expect("a steady state");
                let coarse = harmonic_with(&model, &p, drive, 0.0, &Care::PICTURE)
                    .expect("nearly a steady state");
                assert!(coarse.cycles <= Care::PICTURE.closure.cycles);
                let off = coarse.dynamic_stiffness() / fine.dynamic_stiffness() - 1.0;
                let turned = (coarse.loss_angle() - fine.loss_angle()).to_degrees();
                println!(
                    "{amplitude} m, {frequency} Hz: {} against {} cycles, {off:.1e}, {turned:.2} deg",
                    coarse.cycles, fine.cycles
                );
                // A line on a page is one part in two hundred wide.
                assert!(off.abs() < 5e-3 && turned.abs() < 0.2, "{off} {turned}");
            }
        }
    }
}

#[test]
fn force_relaxes_after_a_ramp() {
    // 1 mm in 0.1 s, then held for a minute, with longer and longer intervals.
    let mut time: Vec<f64> = (0..=200).map(|i| f64::from(i) * 1e-3).collect();
    while time[time.len() - 1] < 60.0 {
        time.push((time[time.len() - 1] * 1.01).min(60.0));
    }
    for t in [0.2, 0.5, 1.0, 2.0, 10.0] {
        let at = time.partition_point(|&s| s < t);
        time[at] = t;
    }
    let x = time.iter().map(|&t| 1e-3 * (t / 0.1).min(1.0)).collect();
    let motion = Motion::new(time.clone(), x, None).expect("a sound motion");
    let model = rt();
    let figures = [
        (
            SET_B,
            [468.41, 441.36, 432.88, 428.27, 424.27, 416.22, 408.59],
        ),
        (
            SET_A,
            [515.89, 465.01, 444.23, 433.35, 424.43, 408.22, 395.11],
        ),
    ];
    for (set, expected) in figures {
        let p = si(set);
        let numerics = masing_sim::choose(&model, &p, &motion, ACCURACY).expect("a choice");
        let force = Prescribed::new(&model, &motion, numerics)
            .run(&p)
            .expect("a run");
        for (t, expected) in [0.1, 0.2, 0.5, 1.0, 2.0, 10.0, 60.0]
            .into_iter()
            .zip(expected)
        {
            let i = time.partition_point(|&s| s < t - 1e-9);
            assert_within(force[i], expected, &format!("F({t} s)"));
        }
    }
}

#[test]
fn steady_state_closes_and_its_derivative_is_that_of_the_cycles() {
    let model = rt();
    let p = si(SET_A);
    let cycle = sine_cycle(1e-3, 1.0, 0.0, 200).expect("a sound motion");
    let steady =
        steady_state(&model, &p, &cycle, Numerics::default(), Closure::default()).expect("closed");
    let n = cycle.len();
    assert!((steady.force[n - 1] - steady.force[0]).abs() < 1e-7);
    let again = Prescribed::new(&model, &cycle, Numerics::default())
        .from_state(&steady.state)
        .run(&p)
        .expect("a run");
    for (a, b) in again.iter().zip(&steady.force) {
        assert!(
            (a - b).abs() < 1e-6,
            "one more cycle changes nothing: {a} {b}"
        );
    }
    let columns: Vec<Column<'_>> = (0..5).map(Column::Param).collect();
    let cycled = Cycled {
        assembly: &model,
        cycle: &cycle,
        run_in: None,
        numerics: Numerics::default(),
    };
    let (tangent, cycles) = cycled
        .tangent(&p, Repeat::UntilClosed(Closure::default()), &columns)
        .expect("closed");
    assert_eq!(
        (tangent.force.as_slice(), cycles),
        (steady.force.as_slice(), steady.cycles)
    );
    for c in 0..5 {
        let h = 1e-5 * p[c];
        let mut shifted = [p.clone(), p.clone()];
        shifted[0][c] -= h;
        shifted[1][c] += h;
        let [low, high] = shifted.map(|p| {
            steady_state(&model, &p, &cycle, Numerics::default(), Closure::default())
                .expect("closed")
                .force
        });
        let scale = (0..n).fold(0.0_f64, |m, i| m.max(tangent.jacobian[i * 5 + c].abs()));
        for i in 0..n {
            let difference = (high[i] - low[i]) / (2.0 * h);
            // Central differences: 1e-5 relative steps through a law with curvature 1/alpha.
            assert!(
                (tangent.jacobian[i * 5 + c] - difference).abs() < 1e-5 * scale,
                "column {c}, sample {i}"
            );
        }
    }
}
