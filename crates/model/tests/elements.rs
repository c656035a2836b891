//! What is particular to single elements; what all share is in the registry tests.

use masing_model::law::fixed;
use masing_model::{
    Cotangent, Coupling, Element, Interval, Law, Mapped, Memory, ModelError, ReturnMap, Scalar,
    Shape, Spec, Step, Tangent, Tape, registry,
};
use std::f64::consts::TAU;

fn element(name: &str, shape: &Shape) -> Box<dyn Element> {
    let kind = registry::find(name).expect("a registered element");
    (kind.build)(shape).expect("a possible shape")
}

/// The shape with lists of these lengths.
fn lists<const N: usize>(lengths: [(&str, usize); N]) -> Shape {
    Shape {
        lists: lengths.map(|(name, len)| (name.to_owned(), len)).into(),
        ..Shape::default()
    }
}

/// The force of a law without memory.
fn force(law: &dyn Element, p: &[f64], x: f64, v: f64) -> f64 {
    let s = Step {
        branch: None,
        dt: 1e-3,
        x: [x, x],
        v: [v, v],
    };
    law.advance(p, &s, &mut [], &mut Tape::off())
        .expect("a step")
}

/// Forces along the displacements `x`, sampled every `dt`, from rest at the first.
fn forces(law: &dyn Element, p: &[f64], dt: f64, x: &[f64]) -> Vec<f64> {
    let mut z = vec![0.0; law.spec().states.len()];
    law.rest(p, x[0], &mut z);
    x.windows(2)
        .map(|x| {
            let v = (x[1] - x[0]) / dt;
            let s = Step {
                branch: None,
                dt,
                x: [x[0], x[1]],
                v: [v, v],
            };
            law.advance(p, &s, &mut z, &mut Tape::off())
                .expect("a step")
        })
        .collect()
}

/// `parts` equal steps through every one of the corners.
fn through(corners: &[f64], parts: usize) -> Vec<f64> {
    let mut x = vec![corners[0]];
    for c in corners.windows(2) {
        x.extend((1..=parts).map(|i| c[0] + (c[1] - c[0]) * i as f64 / parts as f64));
    }
    x
}

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a:e} and {b:e}");
}

#[test]
fn the_catalogue_is_complete_and_in_order() {
    let expected = [
        "spring",
        "curve-spring",
        "polynomial-spring",
        "gap",
        "dashpot",
        "polynomial-dashpot",
        "power-dashpot",
        "eyring-dashpot",
        "maxwell",
        "springpot",
        "coulomb",
        "slider",
        "jenkins",
        "iwan",
        "sts",
        "rt",
        "dahl",
        "bouc-wen",
        "bouc-wen-asymmetric",
        "bouc-wen-degrading",
        "lugre",
        "staged",
    ];
    assert_eq!(registry::names(), expected);
    for kind in registry::KINDS {
        let law = element(kind.name, &Shape::default());
        law.law()
            .check(&law.spec().defaults())
            .expect("sound defaults");
        assert!(law.spec().params.iter().all(|p| !p.doc.is_empty()));
    }
}

#[test]
fn curve_passes_through_its_points_without_overshoot() {
    let law = element("curve-spring", &lists([("x", 6), ("f", 6)]));
    let x = [-3.0, -1.0, -0.5, 0.0, 2.0, 2.5];
    let f = [-10.0, -9.0, 0.0, 0.0, 1.0, 30.0];
    let p = [x, f].concat();
    law.law().check(&p).expect("sound points");
    for (x, f) in x.into_iter().zip(f) {
        assert_eq!(force(&*law, &p, x, 0.0), f);
    }
    let mut last = f64::NEG_INFINITY;
    for i in 0..=10_000 {
        let now = force(&*law, &p, -4.0 + 8e-4 * f64::from(i), 0.0);
        assert!(now >= last);
        last = now;
    }
    assert_eq!(force(&*law, &p, -0.25, 0.0), 0.0, "a level chord is level");
}

#[test]
fn curve_has_the_slopes_of_fritsch_and_butland() {
    let law = element("curve-spring", &lists([("x", 3), ("f", 3)]));
    let p = [0.0, 1.0, 2.0, 0.0, 1.0, 4.0];
    // By hand: slopes 0, 3/2, 4.
    close(force(&*law, &p, 0.5, 0.0), 0.3125, 1e-15);
    close(force(&*law, &p, 3.0, 0.0), 8.0, 1e-14);
    close(force(&*law, &p, -1.0, 0.0), 0.0, 0.0);
    let line = element("curve-spring", &lists([("x", 2), ("f", 2)]));
    close(force(&*line, &[1.0, 3.0, 2.0, 8.0], -1.0, 0.0), -4.0, 1e-15);
}

#[test]
fn curves_that_are_none_are_refused() {
    let law = element("curve-spring", &lists([("x", 3)]));
    let not_increasing = |p: &[f64]| match law.law().check(p) {
        Err(ModelError::NotIncreasing { list, index, .. }) => (list, index),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        not_increasing(&[0.0, 1.0, 1.0, 0.0, 1.0, 2.0]),
        ("x".to_owned(), 3)
    );
    assert_eq!(
        not_increasing(&[0.0, 1.0, 2.0, 0.0, -1.0, 2.0]),
        ("f".to_owned(), 2)
    );
    let build = registry::find("curve-spring").expect("a kind").build;
    assert!(matches!(
        build(&lists([("f", 1)])),
        Err(ModelError::Shape { .. })
    ));
    assert!(matches!(
        build(&lists([("x", 4), ("f", 5)])),
        Err(ModelError::Lengths { .. })
    ));
}

#[test]
fn polynomials_take_their_powers_from_the_names_given() {
    let shape = Shape {
        given: ["k1", "k2", "x0"].map(str::to_owned).into(),
        ..Shape::default()
    };
    let law = element("polynomial-spring", &shape);
    let names: Vec<&str> = law.spec().params.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["k1", "k2", "x0"]);
    close(force(&*law, &[3.0, 5.0, 0.5], 1.5, 9.0), 26.0, 1e-14);

    let shape = Shape {
        powers: Some(vec![5, 1]),
        ..Shape::default()
    };
    let law = element("polynomial-dashpot", &shape);
    assert_eq!(law.spec().params[1].unit, "N (s/m)^5");
    close(force(&*law, &[3.0, 5.0], 1.5, -2.0), -166.0, 1e-13);
}

#[test]
fn dashpots_without_memory_are_odd_in_speed() {
    let [dashpot, power, coulomb] =
        ["dashpot", "power-dashpot", "coulomb"].map(|name| element(name, &Shape::default()));
    for v in [0.0, 1e-9, 0.3, 7.0] {
        for (law, p) in [
            (&dashpot, &[20.0][..]),
            (&power, &[20.0, 0.3]),
            (&coulomb, &[20.0, 50.0]),
        ] {
            assert_eq!(force(&**law, p, 0.1, v), -force(&**law, p, 0.1, -v));
        }
        close(
            force(&*power, &[20.0, 1.0], 0.0, v),
            force(&*dashpot, &[20.0], 0.0, v),
            1e-14,
        );
    }
    assert!(matches!(power.coupling(), Coupling::Implicit));
    close(force(&*coulomb, &[20.0, 50.0], 0.0, 7.0), 20.0, 1e-12);
    close(force(&*coulomb, &[20.0, 50.0], 0.0, 1e-6), 1e-3, 1e-11);
}

#[test]
fn maxwell_relaxes_with_its_time() {
    let law = element("maxwell", &Shape::default());
    let p = [2e5, 0.3];
    let mut z = [0.0];
    let mut hold = |dt: f64, x: [f64; 2]| {
        let s = Step {
            branch: None,
            dt,
            x,
            v: [0.0; 2],
        };
        law.advance(&p, &s, &mut z, &mut Tape::off())
            .expect("a step")
    };
    assert_eq!(hold(0.0, [0.0, 1e-3]), 200.0, "a jump is elastic");
    close(hold(0.3, [1e-3; 2]), 200.0 * (-1.0_f64).exp(), 1e-12);
    assert_eq!(hold(1e9, [1e-3; 2]), 0.0);
    // Much slower than the relaxation it is a dashpot of k tau.
    close(hold(1e4, [0.0, 1.0]), 2e5 * 0.3 * 1e-4, 1e-12);
    // Much faster it is a spring.
    close(hold(1e-9, [0.0, 1e-3]), 6.0 + 200.0, 1e-5);
}

#[test]
fn maxwell_has_its_complex_stiffness() {
    let law = element("maxwell", &Shape::default());
    let (k, tau, samples, cycles) = (2e5, 0.005, 4000, 8);
    for frequency in [1.0, 8.0, 50.0] {
        let omega = TAU * frequency;
        let angle = |i: usize| TAU * i as f64 / samples as f64;
        let x: Vec<f64> = (0..=samples * cycles).map(|i| angle(i).sin()).collect();
        let dt = 1.0 / (frequency * samples as f64);
        let f = forces(&*law, &[k, tau], dt, &x);
        let last = samples * (cycles - 1);
        let (mut storage, mut loss) = (0.0, 0.0);
        for i in last..samples * cycles {
            storage += f[i] * angle(i + 1).sin() * 2.0 / samples as f64;
            loss += f[i] * angle(i + 1).cos() * 2.0 / samples as f64;
        }
        let wt = omega * tau;
        // Straight segments instead of the sine cost (2 pi / samples)^2 / 12 = 2e-7; the slowest
        // transient left is exp(-28).
        close(storage, k * wt * wt / (1.0 + wt * wt), 1e-6 * k);
        close(loss, k * wt / (1.0 + wt * wt), 1e-6 * k);
    }
}

#[test]
fn rates_of_laws_with_a_flow_are_those_of_their_steps() {
    for (name, p, z) in [
        ("maxwell", &[2e5, 0.3][..], 40.0),
        ("dahl", &[2e5, 100.0, 1.7], 40.0),
        ("bouc-wen", &[2e5, 0.4, -0.1, 2.3], -40.0),
    ] {
        let law = element(name, &Shape::default());
        let Coupling::Flow(flow) = law.coupling() else {
            panic!("{name} has rates")
        };
        for v in [0.02, -0.05] {
            let mut rate = [0.0];
            let force = flow.eval(p, 0.0, v, &[z], &mut rate);
            assert_eq!(force, z);
            let dt = 1e-7;
            let mut moved = [z];
            let s = Step {
                branch: None,
                dt,
                x: [0.0, v * dt],
                v: [v, v],
            };
            law.advance(p, &s, &mut moved, &mut Tape::off())
                .expect("a step");
            // The step is linear to second order in its length.
            let slope = (moved[0] - z) / dt;
            assert!(
                (slope - rate[0]).abs() < 1e-4 * rate[0].abs(),
                "{name}: {slope} {}",
                rate[0]
            );
        }
    }
}

#[test]
fn jenkins_loop_encloses_its_energy() {
    let law = element("jenkins", &Shape::default());
    let (ks, zs, amplitude) = (5e4, 20.0, 1e-3);
    let x = through(&[0.0, amplitude, -amplitude, amplitude], 1000);
    let f = forces(&*law, &[ks, zs], 1e-3, &x);
    let energy: f64 = (1000..3000)
        .map(|i| 0.5 * (f[i] + f[i - 1]) * (x[i + 1] - x[i]))
        .sum();
    // The trapezoids miss the corners, half a sample wide.
    let expected = 4.0 * zs * (amplitude - zs / ks);
    close(energy, expected, 1e-5 * expected);
}

#[test]
fn a_slider_at_its_limit_is_no_event() {
    for (name, shape) in [
        ("jenkins", Shape::default()),
        ("iwan", lists([("ks", 1), ("ys", 1)])),
    ] {
        let law = element(name, &shape);
        let p = if name == "iwan" {
            [3e4, 7e-4]
        } else {
            [3e4, 21.0]
        };
        let guards = |z0: f64, dx: f64| {
            let s = Step {
                branch: None,
                dt: 1e-3,
                x: [0.1, 0.1 + dx],
                v: [1.0, 1.0],
            };
            let mut z = [z0];
            let mut out = Vec::new();
            law.advance(&p, &s, &mut z, &mut Tape::off())
                .expect("a step");
            law.guards(&p, &s, &[z0], &z, &mut out);
            (z[0], out)
        };
        let (slipping, beyond) = guards(0.0, 1e-3);
        assert!(guards(0.0, 0.0).1[0] < 0.0 && beyond[0] > 0.0);
        close(beyond[0], 3e-4, 1e-12);
        assert!(guards(slipping, 0.0).1[0] >= 0.0, "already slipping");
        assert!(guards(slipping, -1e-4).1[0] < 0.0);
        assert_eq!(guards(0.0, 0.0).1[1..], [1.0, -1.0], "reversals");
    }
}

/// The law of `iwan` written the generic way.
struct GenericIwan(Spec);

impl Law for GenericIwan {
    fn name(&self) -> &'static str {
        "iwan"
    }

    fn spec(&self) -> &Spec {
        &self.0
    }
}

impl ReturnMap for GenericIwan {
    fn step<S: Scalar>(&self, p: &[S], s: &Interval<S>, z: &mut [S]) -> S {
        let [k1, k2, k3, y1, y2, y3] = fixed(p);
        for (z, (k, y)) in z.iter_mut().zip([(k1, y1), (k2, y2), (k3, y3)]) {
            *z = (*z + k * s.dx()).max(-k * y).min(k * y);
        }
        z[0] + z[1] + z[2]
    }
}

#[test]
fn iwan_agrees_with_its_generic_form() {
    let own = element("iwan", &lists([("ks", 3), ("ys", 3)]));
    let generic = Mapped(GenericIwan(own.spec().clone()));
    let laws: [&dyn Element; 2] = [&*own, &generic];
    assert_eq!(own.spec().memory, Memory::Path);
    let p = [1e5, 3e4, 7e4, 1e-4, 4e-4, 9e-4];
    let columns = 3 + 2 + p.len();
    let param: Vec<Option<usize>> = (0..columns).map(|c| c.checked_sub(5)).collect();
    let motion: [Vec<f64>; 2] = [3, 4].map(|at| {
        let mut row = vec![0.0; columns];
        row[at] = 1.0;
        row
    });
    let still = vec![0.0; columns];
    for dx in [5e-5, 3e-4, -6e-4, 2e-3, 0.0] {
        let z0 = [8.0, -9.0, 20.0];
        let s = Step {
            branch: None,
            dt: 1e-3,
            x: [0.01, 0.01 + dx],
            v: [1.0, 1.0],
        };
        let results = laws.map(|law| {
            let mut tape = Tape::on();
            let mut z = z0;
            let f = law.advance(&p, &s, &mut z, &mut tape).expect("a step");
            let mut dz: Vec<f64> = (0..3 * columns)
                .map(|i| f64::from(u8::from(i % columns == i / columns)))
                .collect();
            let mut df = vec![0.0; columns];
            let mut tangent = Tangent {
                branch: None,
                param: &param,
                motion: Some([&motion[0], &motion[1], &still, &still]),
                z: &mut dz,
                force: &mut df,
                scratch: &mut Vec::new(),
            };
            law.push_forward(&p, &s, tape.from(0), &mut tangent);
            let (mut bar_z, mut bar_p) = ([0.3, -0.1, 0.7], [0.0; 6]);
            let mut bar = Cotangent {
                branch: 0.0,
                force: 2.0,
                z: &mut bar_z,
                p: &mut bar_p,
                motion: [0.0; 4],
                scratch: &mut Vec::new(),
            };
            law.pull_back(&p, &s, tape.from(0), &mut bar);
            let motion = bar.motion;
            [&[f], &z[..], &dz, &df, &motion, &bar_z, &bar_p].concat()
        });
        for (own, generic) in results[0].iter().zip(&results[1]) {
            close(*own, *generic, 1e-12 * generic.abs());
        }
    }
}

#[test]
fn iwan_obeys_masing() {
    let law = element("iwan", &Shape::default());
    let p = law.spec().defaults();
    let skeleton = |x: f64| forces(&*law, &p, 1e-3, &[0.0, x])[0];
    let amplitude = 6e-4;
    let back = through(&[amplitude, -amplitude], 40);
    let f = forces(&*law, &p, 1e-3, &[&[0.0], &back[..]].concat());
    for (x, f) in back.iter().zip(f) {
        let expected = skeleton(amplitude) - 2.0 * skeleton(0.5 * (amplitude - x));
        close(f, expected, 1e-12);
    }
    // All sliders give way together at the end: the ultimate force.
    close(skeleton(1.0), 1e5 / 8.0 * 1e-3 * 4.5, 1e-12);
}

/// The synthetic clutch damper: angles, elastic torques, friction.
const DEVICE: [[f64; 10]; 3] = [
    [
        -0.32, -0.25, -0.11, -0.05, -0.01, 0.01, 0.07, 0.13, 0.30, 0.40,
    ],
    [
        -168.4, -98.4, -42.4, -0.4, 0.0, 0.0, 0.6, 60.6, 128.6, 278.6,
    ],
    [8.0, 4.5, 2.4, 1.0, 0.0, 0.0, 1.3, 3.0, 5.5, 9.0],
];

#[test]
fn staged_device_has_its_torques() {
    let law = element("staged", &lists([("angles", 10)]));
    let p = [&DEVICE.concat()[..], &[0.02; 10], &[50.0]].concat();
    law.law().check(&p).expect("a sound device");
    for i in 0..10 {
        close(force(&*law, &p, DEVICE[0][i], 0.0), DEVICE[1][i], 1e-12);
        let damping = DEVICE[2][i] * (50.0_f64 * 0.03).tanh() + 0.02 * 0.03;
        let torque = DEVICE[1][i] + damping;
        close(force(&*law, &p, DEVICE[0][i], 0.03), torque, 1e-12);
    }
    // The torques at which the device rests at 0.25 rad and 0.0944 rad; clearance; both stops.
    for (angle, torque) in [
        (0.25, 108.6),
        (0.0944, 25.0),
        (0.004, 0.0),
        (0.42, 308.6),
        (-0.34, -188.4),
    ] {
        close(force(&*law, &p, angle, 0.0), torque, 1e-11);
    }
}

#[test]
fn staged_damping_does_not_turn_negative_outside() {
    let law = element("staged", &lists([("angles", 2)]));
    let p = [-1.0, 1.0, -5.0, 5.0, 0.0, 2.0, 2.0, 0.0, 1e3];
    close(force(&*law, &p, 2.0, 10.0), 10.0 + 3.0, 1e-12);
    close(force(&*law, &p, -2.0, 10.0), -10.0 + 30.0, 1e-12);
    let wrong = [1.0, -1.0, -5.0, 5.0, 0.0, 2.0, 2.0, 0.0, 1e3];
    assert!(matches!(
        law.law().check(&wrong),
        Err(ModelError::NotIncreasing { index: 2, .. })
    ));
}

#[test]
fn staged_nodes_are_events_both_ways() {
    let law = element("staged", &Shape::default());
    let p = law.spec().defaults();
    let guards = |x: f64| {
        let s = Step {
            branch: None,
            dt: 1e-3,
            x: [x, x],
            v: [0.0, 0.0],
        };
        let mut out = Vec::new();
        law.guards(&p, &s, &[], &[], &mut out);
        out
    };
    let (inside, drive) = (guards(0.0), guards(0.02));
    let crossed = |from: &[f64], to: &[f64]| -> Vec<usize> {
        (0..from.len())
            .filter(|&i| from[i] < 0.0 && to[i] > 0.0)
            .collect()
    };
    // The fourth node, 0.01 rad, has the seventh and eighth guard.
    assert_eq!(crossed(&inside, &drive), [6]);
    assert_eq!(crossed(&drive, &inside), [7]);
}

#[test]
fn holding_still_leaves_path_memory_as_it_is() {
    for kind in registry::KINDS {
        let law = element(kind.name, &Shape::default());
        if law.spec().memory != Memory::Path {
            continue;
        }
        let p = law.spec().defaults();
        let mut z = vec![0.0; law.spec().states.len()];
        law.rest(&p, 0.0, &mut z);
        let step = |z: &mut [f64], x: [f64; 2]| {
            let s = Step {
                branch: None,
                dt: 1e-3,
                x,
                v: [0.0, 0.0],
            };
            law.advance(&p, &s, z, &mut Tape::off()).expect("a step")
        };
        let before = step(&mut z, [0.0, 3e-4]);
        let held = z.clone();
        let after = step(&mut z, [3e-4; 2]);
        assert_eq!((after, z), (before, held), "{}", kind.name);
    }
}
