//! Networks against laws they are equal to, and drawn at random.

mod support;

use masing_model::{Assembly, Element, Model, ModelError, Part, Rng, Shape, Step, Tape};
use masing_sim::{Column, Motion, Numerics, Prescribed, TAPE_BUDGET};
use support::{irregular, noise, peak};

fn network(text: &str) -> Assembly {
    Assembly::from_names(text, |_| Shape::default()).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn force(text: &str, p: &[f64], motion: &Motion, numerics: Numerics) -> Vec<f64> {
    let assembly = network(text);
    let run = Prescribed::new(&assembly, motion, numerics).run(p);
    run.unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    let difference = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    difference.fold(0.0, f64::max) / peak(b)
}

const WHOLE: Numerics = Numerics {
    increment: f64::INFINITY,
    max_dt: f64::INFINITY,
};

#[test]
fn a_spring_and_a_slider_are_a_spring_slider() {
    let motion = irregular(1e-3, 401);
    let known = force("jenkins", &[1e5, 20.0], &motion, WHOLE);
    for text in ["series(spring, slider)", "series(slider, spring)"] {
        let p = if text.starts_with("series(spring") {
            [1e5, 20.0]
        } else {
            [20.0, 1e5]
        };
        let error = largest_difference(&force(text, &p, &motion, WHOLE), &known);
        assert!(error < 1e-13, "{text}: {error:e}");
    }
}

/// Of second order: a quarter of the error with steps half as long.
#[test]
fn a_spring_and_a_dashpot_are_a_maxwell_element() {
    let motion = irregular(1e-3, 401);
    let known = force("maxwell", &[1e5, 0.01], &motion, WHOLE);
    for text in ["series(spring, dashpot)", "series(dashpot, spring)"] {
        let p = if text.starts_with("series(spring") {
            [1e5, 1e3]
        } else {
            [1e3, 1e5]
        };
        let errors: Vec<f64> = [1.0, 2.0, 4.0, 8.0]
            .map(|finer| {
                let numerics = Numerics {
                    max_dt: 5e-3 / finer,
                    ..WHOLE
                };
                largest_difference(&force(text, &p, &motion, numerics), &known)
            })
            .to_vec();
        assert!(errors[3] < 2e-4, "{text}: {errors:?}");
        for pair in errors.windows(2) {
            assert!((3.0..5.5).contains(&(pair[0] / pair[1])), "{errors:?}");
        }
    }
}

/// A chain of two cells with next to no stiffness at its ends: a spring that drags a power dashpot.
#[test]
fn a_spring_and_a_power_dashpot_are_a_chain_of_one_dashpot() {
    let motion = irregular(1e-3, 201);
    let shape = |_: &str| {
        let mut shape = Shape::default();
        shape.numbers.insert("cells".to_owned(), 2.0);
        shape
    };
    let chain = Assembly::from_names("rt", shape).unwrap();
    let names: Vec<String> = chain.params().map(|(address, _)| address).collect();
    assert_eq!(names, ["rt.k0", "rt.kpa", "rt.kr", "rt.c0", "rt.alpha"]);
    let (k, c, alpha) = (1e5, 200.0, 0.5);
    let fine = Numerics {
        max_dt: 5e-5,
        ..WHOLE
    };
    let known = Prescribed::new(&chain, &motion, fine)
        .run(&[1.0, k, 1.0, c, alpha])
        .unwrap();
    let found = force(
        "series(spring, power-dashpot)",
        &[k, c, alpha],
        &motion,
        fine,
    );
    let error = largest_difference(&found, &known);
    // The two springs of 1 N/m add 1e-5 of the stiffness, in the chain's own arrangement twice.
    assert!(error < 2e-3, "{error:e}");
}

/// One element of a random network.
///
/// Power dashpots are left to the registry test: at rest their slope is infinite, so that rounding of
/// the split shows in the force as 1e-8 of it, which differences of forces do not bear.
fn drawn(rng: &mut Rng, depth: usize, grips: &mut bool) -> String {
    const PLAIN: &[&str] = &[
        "spring",
        "polynomial-spring[powers=1,3]",
        "curve-spring",
        "gap",
        "gap[sides=2, curved=1]",
        "dashpot",
        "polynomial-dashpot[powers=1,3]",
        "eyring-dashpot",
        "maxwell",
        "coulomb",
        "jenkins",
        "iwan",
        "dahl",
        "bouc-wen",
        "rt[cells=3]",
        "sts[cells=3]",
    ];
    let pick = rng.uniform();
    // One series in ten holds another.
    if pick < [0.35, 0.05, 0.0][depth] {
        let branches = 2 + usize::from(rng.uniform() < 0.15);
        let mut slides = false;
        let branches: Vec<String> = (0..branches)
            .map(|_| {
                let parts = 1 + usize::from(rng.uniform() < 0.4);
                let parts: Vec<String> = (0..parts)
                    .map(|_| drawn(rng, depth + 1, &mut slides))
                    .collect();
                parts.join(" + ")
            })
            .collect();
        return format!("series({})", branches.join(", "));
    }
    if depth > 0 && !*grips && pick < 0.45 {
        *grips = true;
        return if rng.uniform() < 0.5 {
            "slider[sides=2]".to_owned()
        } else {
            "slider[stribeck=1]".to_owned()
        };
    }
    PLAIN[((rng.uniform() * PLAIN.len() as f64) as usize).min(PLAIN.len() - 1)].to_owned()
}

/// A random network of one to three terms with values around its defaults; at least one is a series.
fn random_network(seed: u64) -> (String, Assembly, Vec<f64>) {
    let mut rng = Rng::new(seed);
    loop {
        let terms = 1 + (rng.uniform() * 2.0) as usize;
        let terms: Vec<String> = (0..terms).map(|_| drawn(&mut rng, 0, &mut true)).collect();
        let text = terms.join(" + ");
        if !text.contains("series") {
            continue;
        }
        let assembly = network(&text);
        let p = assembly.params().map(|(address, param)| {
            let base = match address.rsplit_once('.').map(|(_, name)| name) {
                Some("width") => 4e-4,
                Some("k3") => 1e10,
                _ if param.default == 0.0 && param.min == 0.0 => 0.02,
                _ => param.default,
            };
            let factor = (0.8 * (rng.uniform() - 0.5)).exp();
            let value = if base > 0.0 { base * factor } else { base };
            value.clamp(param.min, param.max)
        });
        let mut p: Vec<f64> = p.collect();
        // Lists that must rise stay as they are.
        if text.contains("curve-spring") {
            p = assembly.defaults();
        }
        return (text, assembly, p);
    }
}

const CUT: Numerics = Numerics {
    increment: f64::INFINITY,
    max_dt: 0.02,
};

#[test]
fn random_networks_have_adjoints_and_tangents_that_agree() {
    for seed in 0..40 {
        let (text, assembly, p) = random_network(seed);
        let motion = irregular(1e-3, 61);
        let mut random = noise(seed);
        let bar: Vec<f64> = (0..motion.len()).map(|_| random()).collect();
        let columns: Vec<Column<'_>> = (0..p.len())
            .map(Column::Param)
            .chain((0..assembly.state_count()).map(Column::Start))
            .collect();
        let run = Prescribed::new(&assembly, &motion, CUT);
        let tangent = run.tangent(&p, &columns).unwrap();
        let recorded = run.record(&p, TAPE_BUDGET).unwrap();
        assert_eq!(recorded.force(), tangent.force, "{text}");
        let gradient = recorded.pull_back(&bar).unwrap();
        let adjoint = gradient.params.iter().chain(&gradient.start);
        let floor = peak(&tangent.force) / 1e-3;
        for (c, adjoint) in adjoint.enumerate() {
            let terms = (0..motion.len()).map(|i| bar[i] * tangent.jacobian[i * columns.len() + c]);
            let (sum, size) = terms.fold((0.0, 0.0), |(s, a), t| (s + t, a + t.abs()));
            // The floor is for splits whose place does not matter; see the registry test.
            let error = (sum - adjoint).abs();
            assert!(
                error <= 1e-12 * size.max(floor),
                "{text} column {c}: {sum} against {adjoint}"
            );
        }
        // Against differences, at the samples that no kink is near: at least nine in ten.
        for c in 0..p.len() {
            let exact: Vec<f64> = (0..motion.len())
                .map(|i| tangent.jacobian[i * columns.len() + c])
                .collect();
            let scale = p[c].abs().max(1e-6);
            let central = |h: f64| {
                let at = |k: f64| {
                    let mut p = p.clone();
                    p[c] += k * h * scale;
                    Prescribed::new(&assembly, &motion, CUT).run(&p)
                };
                let (Ok(a), Ok(b)) = (at(-1.0), at(1.0)) else {
                    return None;
                };
                let slopes = a.iter().zip(b).map(|(a, b)| (b - a) / (2.0 * h * scale));
                Some(slopes.collect::<Vec<f64>>())
            };
            let tried: Vec<Vec<f64>> = [1e-4, 1e-6].into_iter().filter_map(central).collect();
            let size = peak(&exact).max(1e-3 * peak(&tangent.force) / scale);
            let near = (0..motion.len())
                .filter(|&i| tried.iter().any(|d| (d[i] - exact[i]).abs() <= 1e-6 * size));
            let near = near.count();
            assert!(
                near * 10 >= motion.len() * 9,
                "{text} {}: {near} of {}",
                assembly.params().nth(c).unwrap().0,
                motion.len()
            );
        }
    }
}

#[test]
fn random_networks_dissipate_and_subdivide() {
    for seed in 0..40 {
        let (text, assembly, p) = random_network(seed);
        for part in assembly.parts() {
            assert!(
                part.element
                    .law()
                    .non_passive(&p[part.params.clone()])
                    .is_none(),
                "{text}"
            );
        }
        let motion = support::sine(1e-3, 1.0, 3, 240);
        let fine = Numerics {
            max_dt: 2.1e-3,
            ..WHOLE
        };
        let force = Prescribed::new(&assembly, &motion, fine).run(&p).unwrap();
        let energy: f64 = (481..721)
            .map(|i| 0.5 * (force[i] + force[i - 1]) * (motion.x()[i] - motion.x()[i - 1]))
            .sum();
        let scale = peak(&force) * 1e-3;
        // The trapezoid rule over jumps of a slider errs by a part of a sample.
        assert!(energy >= -1e-3 * scale, "{text}: {energy} of {scale}");
        if assembly.parts().iter().all(|p| p.element.exact()) {
            let thrice = Numerics {
                max_dt: 1.5e-3,
                ..WHOLE
            };
            let elements: Vec<&dyn Element> = assembly
                .parts()
                .iter()
                .map(|p| p.element.as_ref())
                .collect();
            assert!(elements.iter().all(|e| e.exact()), "{text}");
            let cut = cut_in_seven(&assembly, &p, &motion);
            let whole = Prescribed::new(&assembly, &motion, thrice).run(&p).unwrap();
            let error = largest_difference(&cut, &whole);
            assert!(error < 1e-10, "{text}: {error:e}");
        }
    }
}

/// The forces of an assembly each of whose steps is cut in seven.
fn cut_in_seven(assembly: &Assembly, p: &[f64], motion: &Motion) -> Vec<f64> {
    let mut z = vec![0.0; assembly.state_count()];
    assembly.rest(p, |_| motion.x()[0], &mut z);
    let mut force = vec![0.0; motion.len()];
    for part in assembly.parts() {
        let own = &p[part.params.clone()];
        let z = &mut z[part.states.clone()];
        let mut advance = |s: &Step| {
            let done = part.element.advance(own, s, z, &mut Tape::off());
            done.unwrap()
        };
        force[0] += advance(&Step::still(motion.x()[0], motion.v()[0]));
        for i in 1..motion.len() {
            let whole = Step {
                dt: motion.time()[i] - motion.time()[i - 1],
                x: [motion.x()[i - 1], motion.x()[i]],
                v: [motion.v()[i - 1], motion.v()[i]],
                branch: None,
            };
            let mut last = 0.0;
            for k in 0..7 {
                last = advance(&whole.part(f64::from(k) / 7.0, f64::from(k + 1) / 7.0));
            }
            force[i] += last;
        }
    }
    force
}

/// Values from all of their ranges, the ends included, wherever the model takes them and is passive.
fn extreme_values(assembly: &Assembly, seed: u64) -> Vec<f64> {
    let mut rng = Rng::new(seed);
    loop {
        let drawn = assembly.params().map(|(_, param)| {
            let pick = rng.uniform();
            let low = param.min.max(1e-12).ln();
            let high = param.max.max(1e-12).ln();
            let value = match pick {
                _ if pick < 0.1 => param.min.max(0.0),
                _ if pick < 0.2 => param.max,
                _ if pick < 0.7 => (low + (high - low) * rng.uniform()).exp(),
                _ => param.default,
            };
            value.clamp(param.min, param.max)
        });
        let p: Vec<f64> = drawn.collect();
        let passive = |part: &Part| {
            let own = &p[part.params.clone()];
            part.element.law().non_passive(own).is_none()
        };
        if assembly.check(&p).is_ok() && assembly.parts().iter().all(passive) {
            return p;
        }
    }
}

/// Steps of random length, sign and duration, all of which have a finite force.
fn steps_at_random(text: &str, assembly: &Assembly, p: &[f64], seed: u64, steps: usize) {
    let mut rng = Rng::new(seed);
    let mut z = vec![0.0; assembly.state_count()];
    assembly.rest(p, |_| 0.0, &mut z);
    let mut x = 0.0;
    for i in 0..steps {
        let size = 10_f64.powf(-7.0 + 5.0 * rng.uniform());
        let still = rng.uniform() < 0.1;
        let dx = if still {
            0.0
        } else {
            size * (2.0 * rng.uniform() - 1.0)
        };
        // Back towards the middle, so that it stays within a few centimetres.
        let to = if (x + dx).abs() > 0.02 {
            x - dx
        } else {
            x + dx
        };
        let dt = 10_f64.powf(-5.0 + 4.0 * rng.uniform());
        let v = (to - x) / dt;
        let s = Step {
            dt,
            x: [x, to],
            v: [v; 2],
            branch: None,
        };
        for part in assembly.parts() {
            let own = &p[part.params.clone()];
            let z = &mut z[part.states.clone()];
            let force = part.element.advance(own, &s, z, &mut Tape::off());
            assert!(
                force.as_ref().is_ok_and(|f| f.is_finite()),
                "{text} {p:?} step {i}: {force:?}"
            );
        }
        x = to;
    }
}

#[test]
fn a_million_random_steps_have_finite_forces() {
    let mut steps = 0;
    for seed in 0..40 {
        let (text, assembly, p) = random_network(seed);
        // A series in a series costs as many steps of the inner one as the outer one tries.
        let deep = text.matches("series").count() > 1 || text.matches(',').count() > 4;
        let own = if deep { 8_000 } else { 36_000 };
        steps += own;
        steps_at_random(&text, &assembly, &p, 1000 + seed, own);
    }
    assert!(steps >= 1_000_000, "{steps}");
}

/// The ends of all ranges among them: stops of the tenth power, sliders without friction, dashpots
/// that saturate at once.
#[test]
fn extreme_values_have_finite_forces() {
    for seed in 0..40 {
        let (text, assembly, _) = random_network(seed);
        for draw in 0..20 {
            let p = extreme_values(&assembly, 100 * seed + draw);
            steps_at_random(&text, &assembly, &p, draw, 100);
        }
    }
}

/// Cases in which forces that nearly cancel, or that no rate changes, once ended the search for a balance.
#[test]
fn forces_that_are_rounding_are_balanced() {
    let cases: [(&str, &[f64]); 4] = [
        (
            "series(maxwell, curve-spring)",
            &[
                1.4376, 6.413e-9, -4.2529e-3, -2.6955e-3, 0.0, 1.5642e-3, 1.0637e-2, -4329.7,
                -1281.9, 0.0, 653.95, 1551.5,
            ],
        ),
        (
            "series(spring, polynomial-spring, dashpot + spring)",
            &[119_702.0, 0.0, 0.0, 0.0, 0.0, 1523.4, 189_288.0],
        ),
        (
            "series(sts[cells=4], spring)",
            &[54_764_808.0, 1e10, 1.0, 1e-9, 101_857.0],
        ),
        (
            "series(dashpot + spring, eyring-dashpot + spring)",
            &[0.0, 1222.2, 0.0, 1e6, 105_315.8],
        ),
    ];
    for (text, p) in cases {
        let assembly = network(text);
        assembly.check(p).unwrap();
        for seed in 0..300 {
            let mut rng = Rng::new(seed);
            let amplitude = 10_f64.powf(-7.0 + 6.0 * rng.uniform());
            let dt = 10_f64.powf(-5.0 + 6.0 * rng.uniform());
            // Half of the samples return to where the network is at rest.
            let mut place = |i: usize| match i {
                0 => amplitude * rng.uniform(),
                _ if rng.uniform() < 0.5 => 0.0,
                _ => amplitude * (2.0 * rng.uniform() - 1.0),
            };
            let x = (0..60).map(&mut place).collect();
            let time = (0..60).map(|i| f64::from(i) * dt).collect();
            let motion = Motion::new(time, x, None).unwrap();
            let run = Prescribed::new(&assembly, &motion, WHOLE).run(p);
            assert!(
                run.as_ref().is_ok_and(|f| f.iter().all(|f| f.is_finite())),
                "{text} seed {seed}: {run:?}"
            );
        }
    }
}

#[test]
fn networks_are_written_and_read_to_the_same_bits() {
    for seed in 0..40 {
        let (text, assembly, p) = random_network(seed);
        let again = network(&assembly.text());
        assert_eq!(again.text(), assembly.text());
        let model = Model::new(assembly, None, p).unwrap_or_else(|e| panic!("{text}: {e}"));
        let file = masing_model::file::to_text(&model);
        let read = masing_model::file::parse("model.toml".as_ref(), &file)
            .unwrap_or_else(|e| panic!("{text}: {e}\n{file}"));
        assert_eq!(read.values(), model.values(), "{file}");
        assert_eq!(read.assembly().text(), model.assembly().text());
        assert_eq!(masing_model::file::to_text(&read), file);
    }
}

#[test]
fn what_cannot_stand_in_a_series_is_named() {
    let refused = |text: &str, address: &str, value: f64| {
        let assembly = network(text);
        let mut p = assembly.defaults();
        for i in assembly.find(address).unwrap() {
            p[i] = value;
        }
        match Model::new(assembly, None, p) {
            Err(ModelError::NotInSeries { label, why }) => format!("{label}: {why}"),
            other => panic!("{text}: {other:?}"),
        }
    };
    let soft = refused(
        "series(spring, polynomial-spring)",
        "polynomial-spring.k3",
        -1e9,
    );
    assert!(soft.starts_with("polynomial-spring: a negative"), "{soft}");
    let falls = refused("series(a: lugre, gap)", "a.fs", 100.0);
    assert!(falls.starts_with("a: its friction falls"), "{falls}");
    let open = refused("series(spring, gap + bouc-wen)", "bouc-wen.gamma", 1e6);
    assert!(open.starts_with("gap+bouc-wen: |gamma|"), "{open}");
}
