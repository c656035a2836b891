//! The rate-dependent triboelastic chain against independent figures: `tests/golden/bushing`.

mod support;

use masing_sim::{Column, Motion, Numerics, Prescribed, TAPE_BUDGET};
use support::{SET_A, SET_B, golden_motion, peak, rt, si, sine};

const GOLDEN: &str = include_str!("../../../tests/golden/bushing/forces.csv");

/// Numerics that cut every interval of a 1 ms record into `m` parts.
fn parts(m: usize) -> Numerics {
    Numerics {
        max_dt: 1e-3 / m as f64 * (1.0 + 1e-9),
        ..Numerics::default()
    }
}

struct Case {
    label: String,
    p: Vec<f64>,
    motion: Motion,
    golden: Vec<(usize, f64)>,
}

fn cases() -> Vec<Case> {
    let mut lines = GOLDEN.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let golden = (2..cells.len())
                .map(|i| {
                    (
                        header[i].parse().expect("a sample"),
                        cells[i].parse().expect("a force"),
                    )
                })
                .collect();
            Case {
                label: format!("{} {}", cells[0], cells[1]),
                p: si(if cells[0] == "A" { SET_A } else { SET_B }),
                motion: golden_motion(cells[1]),
                golden,
            }
        })
        .collect()
}

fn error(case: &Case, force: &[f64]) -> f64 {
    case.golden
        .iter()
        .fold(0.0_f64, |m, &(i, f)| m.max((force[i] - f).abs()))
        / peak(force)
}

#[test]
fn golden_forces_with_one_sub_step_and_second_order_beyond() {
    let model = rt();
    for case in cases() {
        let errors: Vec<f64> = [1, 2, 4, 8]
            .map(|m| {
                let force = Prescribed::new(&model, &case.motion, parts(m))
                    .run(&case.p)
                    .expect("a run");
                error(&case, &force)
            })
            .to_vec();
        println!("{:12} {errors:?}", case.label);
        assert!(
            errors[0] <= 1e-4,
            "{}: {:.1e} at the listed samples",
            case.label,
            errors[0]
        );
        // Second order from two sub-steps on; the golden figures carry 1e-9.
        assert!(
            errors[3] <= (errors[1] / 12.0).max(3e-9),
            "{}: {errors:?}",
            case.label
        );
        let coarse = Prescribed::new(&model, &case.motion, parts(1))
            .run(&case.p)
            .expect("a run");
        let fine = Prescribed::new(&model, &case.motion, parts(32))
            .run(&case.p)
            .expect("a run");
        let whole = coarse
            .iter()
            .zip(&fine)
            .fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()))
            / peak(&fine);
        println!("{:12} whole record {whole:.1e}", "");
        assert!(whole <= 3e-4, "{}: whole record {whole:.1e}", case.label);
    }
}

#[test]
fn unsmoothed_gradient_of_the_reference_row() {
    // Extrapolated by an independent prototype, relative uncertainty 1e-8: misfit J = 1/2 sum dt (F - Fexp)^2
    // and its gradient at (k0/2, 2 kpa, kr/2, c0/2, 2 alpha) against data of set B; N, mm, s.
    let reference = [
        -205.883_999_9,
        -0.447_255_59,
        -10.552_415_65,
        -1_438.927_763,
        -1_590.273_567,
    ];
    let misfit = 21_402.852_44;
    let model = rt();
    let motion = golden_motion("sine");
    let [k0, kpa, kr, c0, alpha] = SET_B;
    let at = si([k0 / 2.0, 2.0 * kpa, kr / 2.0, c0 / 2.0, 2.0 * alpha]);
    for (m, tolerance) in [(1, 1e-3), (4, 1e-4)] {
        let run = Prescribed::new(&model, &motion, parts(m));
        let data = run.run(&si(SET_B)).expect("a run");
        let recorded = run.record(&at, TAPE_BUDGET).expect("a run");
        let weight = |i: usize| if i == 0 || i == 2000 { 0.5e-3 } else { 1e-3 };
        let bar: Vec<f64> = recorded
            .force()
            .iter()
            .zip(&data)
            .enumerate()
            .map(|(i, (f, d))| weight(i) * (f - d))
            .collect();
        let j: f64 = recorded
            .force()
            .iter()
            .zip(&data)
            .zip(&bar)
            .map(|((f, d), b)| 0.5 * b * (f - d))
            .sum();
        let gradient = recorded.pull_back(&bar).expect("an adjoint").params;
        // To N, mm, s: c0 in N (s/mm)^alpha is c0 1000^-alpha, so alpha at fixed c0 (s/mm) adds ln 1000 c0 d/dc0.
        let scale = 1e3_f64.powf(2.0 * alpha);
        let by_alpha = gradient[4] + gradient[3] * at[3] * 1e3_f64.ln();
        let found = [
            gradient[0] * 1e3,
            gradient[1] * 1e3,
            gradient[2] * 1e3,
            gradient[3] * scale,
            by_alpha,
        ];
        println!("m = {m}: J {j} {found:?}");
        assert!((j - misfit).abs() <= 1e-4 * misfit, "J = {j}");
        for (f, r) in found.iter().zip(reference) {
            assert!(
                (f - r).abs() <= tolerance * r.abs(),
                "m = {m}: {f} against {r}"
            );
        }
        let columns: Vec<Column<'_>> = (0..5).map(Column::Param).collect();
        let tangent = run.tangent(&at, &columns).expect("a tangent");
        for c in 0..5 {
            let sum: f64 = (0..bar.len())
                .map(|i| bar[i] * tangent.jacobian[i * 5 + c])
                .sum();
            assert!(
                (sum - gradient[c]).abs() <= 1e-12 * gradient[c].abs(),
                "{sum} {}",
                gradient[c]
            );
        }
    }
}

#[test]
fn never_fails_from_nearly_viscous_to_nearly_dry() {
    let model = rt();
    let mut seed = 1_u64;
    let mut random = || {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as f64 / f64::from(1_u32 << 31) * 2.0 - 1.0
    };
    let jumps: Vec<f64> = (0..2001).map(|_| 1e-3 * random()).collect();
    for alpha in [0.9, 0.7, 0.5, 0.3, 0.15, 0.075, 0.05, 0.02, 0.01, 0.001] {
        let p = si([200.0, 800.0, 3000.0, 15.0, alpha]);
        for per_cycle in [1000, 100, 20] {
            let dt = 1.0 / per_cycle as f64;
            let samples = 2 * per_cycle + 1;
            let motions = [
                sine(1e-3, 1.0, 2, per_cycle),
                support::motion(samples, dt, |t| if t > 0.2 { 1e-3 } else { 0.0 }),
                support::motion(samples, dt, |t| jumps[(t / dt).round() as usize]),
            ];
            for (k, motion) in motions.iter().enumerate() {
                let force = Prescribed::new(&model, motion, Numerics::default())
                    .run(&p)
                    .unwrap_or_else(|e| {
                        panic!("alpha {alpha}, {per_cycle} per cycle, motion {k}: {e}")
                    });
                assert!(force.iter().all(|f| f.is_finite() && f.abs() < 3e3));
            }
        }
    }
}

/// Parameters drawn over the whole admissible range, smooth motion and jumps: every chain steps.
#[test]
fn every_admissible_chain_can_be_stepped() {
    for seed in 0..1500 {
        let mut random = support::noise(seed);
        let mut draw = |low: f64, high: f64| low * (high / low).powf(0.5 * (random() + 1.0));
        let mut shape = masing_model::Shape::default();
        shape
            .numbers
            .insert("cells".to_owned(), draw(2.0, 40.0).floor());
        let model = masing_model::Assembly::from_names("rt", |_| shape.clone()).expect("a chain");
        let p = [
            draw(1.0, 1e12),
            draw(1.0, 1e10),
            draw(1.0, 1e12),
            draw(1e-9, 1e8),
            draw(0.001, 0.999),
        ];
        let (dt, amplitude) = (draw(1e-6, 10.0), draw(1e-6, 0.1));
        let x = (0..40)
            .map(|i| {
                if seed % 2 == 0 {
                    amplitude * (0.3 * f64::from(i)).sin()
                } else {
                    amplitude * draw(0.1, 10.0).ln()
                }
            })
            .collect();
        let motion =
            Motion::new((0..40).map(|i| f64::from(i) * dt).collect(), x, None).expect("a motion");
        let force = Prescribed::new(&model, &motion, Numerics::default()).run(&p);
        assert!(
            force.is_ok_and(|f| f.iter().all(|f| f.is_finite())),
            "seed {seed}: {p:?}, dt {dt}, {amplitude} m"
        );
    }
}
