//! Steps of `dahl` and `bouc-wen` and their derivatives against `tests/golden/dahl-bouc-wen`, and what
//! must hold for every exact rate-independent flow.

use masing_model::{Cotangent, Element, Shape, Step, StepError, Tangent, Tape, registry};
use proptest::prelude::*;

const BOUC_WEN: &str = include_str!("../../../tests/golden/dahl-bouc-wen/bouc-wen.csv");
const DAHL: &str = include_str!("../../../tests/golden/dahl-bouc-wen/dahl.csv");

fn element(name: &str) -> Box<dyn Element> {
    let kind = registry::find(name).expect("a registered element");
    (kind.build)(&Shape::default()).expect("the default shape is possible")
}

fn motion(dx: f64) -> Step {
    Step {
        dt: 1.0,
        x: [0.0, dx],
        v: [dx, dx],
    }
}

fn step(law: &dyn Element, p: &[f64], z0: f64, dx: f64) -> Result<f64, StepError> {
    let mut z = [z0];
    let force = law.advance(p, &motion(dx), &mut z, &mut Tape::off())?;
    assert_eq!(force, z[0]);
    Ok(force)
}

/// Derivatives with respect to z0, dx and the parameters, by the tangent; the adjoint must agree.
fn slopes(law: &dyn Element, p: &[f64], z0: f64, dx: f64) -> Vec<f64> {
    let mut tape = Tape::on();
    let s = motion(dx);
    law.advance(p, &s, &mut [z0], &mut tape).expect("a step");
    let columns = 2 + p.len();
    let param: Vec<Option<usize>> = (0..columns).map(|c| c.checked_sub(2)).collect();
    let (zero, mut end) = (vec![0.0; columns], vec![0.0; columns]);
    end[1] = 1.0;
    let mut z = vec![0.0; columns];
    z[0] = 1.0;
    let mut force = vec![f64::NAN; columns];
    law.push_forward(
        p,
        &s,
        tape.from(0),
        &mut Tangent {
            param: &param,
            motion: Some([&zero, &end, &zero, &zero]),
            z: &mut z,
            force: &mut force,
            scratch: &mut Vec::new(),
        },
    );
    assert_eq!(z, force);

    let (mut bar_z, mut bar_p) = ([0.25], vec![0.0; p.len()]);
    let mut bar = Cotangent {
        force: 0.75,
        z: &mut bar_z,
        p: &mut bar_p,
        motion: [0.0; 4],
        scratch: &mut Vec::new(),
    };
    law.pull_back(p, &s, tape.from(0), &mut bar);
    assert_eq!(bar.motion[0], -bar.motion[1]);
    let back: Vec<f64> = [bar.z[0], bar.motion[1]]
        .into_iter()
        .chain(bar.p.iter().copied())
        .collect();
    for (forward, back) in force.iter().zip(&back) {
        // The same numbers, combined in another order.
        assert!((forward - back).abs() <= 1e-13 * forward.abs() || forward == back);
    }
    force
}

struct Golden {
    p: Vec<f64>,
    z0: f64,
    dx: f64,
    z1: f64,
    slopes: Vec<f64>,
}

fn golden(text: &str, params: usize) -> Vec<Golden> {
    text.lines()
        .skip(1)
        .map(|line| {
            let v: Vec<f64> = line
                .split(',')
                .map(|cell| cell.parse().expect("a number"))
                .collect();
            Golden {
                p: v[..params].to_vec(),
                z0: v[params],
                dx: v[params + 1],
                z1: v[params + 2],
                slopes: v[params + 3..].to_vec(),
            }
        })
        .collect()
}

/// Largest errors of force and slopes, relative to the largest force; slopes per relative change.
fn errors(law: &dyn Element, case: &Golden, scales: &[f64]) -> (f64, f64) {
    let peak = case.z0.abs().max(case.z1.abs());
    let z1 = step(law, &case.p, case.z0, case.dx).expect("a step");
    let slopes = slopes(law, &case.p, case.z0, case.dx);
    let worst = (0..slopes.len()).fold(0.0_f64, |worst, i| {
        worst.max((slopes[i] - case.slopes[i]).abs() * scales[i])
    });
    ((z1 - case.z1).abs() / peak, worst / peak)
}

#[test]
fn bouc_wen_steps_match_the_golden_ones() {
    let law = element("bouc-wen");
    let cases = golden(BOUC_WEN, 4);
    assert!(cases.len() > 200);
    for case in cases {
        let [a, beta, gamma, n] = case.p[..] else {
            panic!("four parameters")
        };
        let peak = case.z0.abs().max(case.z1.abs());
        let scales = [peak, case.dx.abs(), a, beta, beta, 1.0];
        let (force, slope) = errors(&*law, &case, &scales);
        let at = format!("n {n} beta {beta} gamma {gamma} z0 {} dx {}", case.z0, case.dx);
        println!("{force:.1e} {slope:.1e} {at}");
        // Both are rounding. Slopes divide by z1, which may be a small difference of larger forces.
        assert!(force < 2e-14, "{at}: {force:e}");
        assert!(slope < 1e-12, "{at}: {slope:e}");
    }
}

#[test]
fn dahl_steps_match_the_golden_ones() {
    let law = element("dahl");
    let cases = golden(DAHL, 3);
    assert!(cases.len() > 50);
    for case in cases {
        let [sigma, fc, alpha] = case.p[..] else {
            panic!("three parameters")
        };
        let scales = [fc, case.dx.abs(), sigma, fc, 1.0];
        let (force, slope) = errors(&*law, &case, &scales);
        let at = format!("alpha {alpha} z0 {} dx {}", case.z0, case.dx);
        println!("{force:.1e} {slope:.1e} {at}");
        assert!(force < 1e-14, "{at}: {force:e}");
        // 1e-11: where series and quotient of the logarithm meet.
        assert!(slope < 1e-11, "{at}: {slope:e}");
    }
}
