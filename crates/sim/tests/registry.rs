//! What every element must keep, over the whole registry, the presets, a few assemblies and laws
//! written in the generic ways.

mod support;

use masing_model::{Assembly, Memory, Shape, Tape};
use masing_sim::{Column, Linearised, Motion, Numerics, Prescribed, TAPE_BUDGET};
use proptest::prelude::*;
use support::{Sample, irregular, noise, peak, samples};

/// All parameters, all start states, and one change of the motion.
fn all_columns<'a>(sample: &Sample, dx: &'a [f64], dv: &'a [f64]) -> Vec<Column<'a>> {
    let params = (0..sample.assembly.param_count()).map(Column::Param);
    let starts = (0..sample.assembly.state_count()).map(Column::Start);
    params
        .chain(starts)
        .chain([Column::Motion { x: dx, v: dv }])
        .collect()
}

fn linearised(
    sample: &Sample,
    motion: &Motion,
    numerics: Numerics,
    columns: &[Column<'_>],
) -> Linearised {
    Prescribed::new(&sample.assembly, motion, numerics)
        .tangent(&sample.p, columns)
        .unwrap_or_else(|e| panic!("{}: {e}", sample.name))
}

const CUT: Numerics = Numerics {
    increment: f64::INFINITY,
    max_dt: 3.4e-3,
};

#[test]
fn adjoint_equals_tangent() {
    for sample in samples() {
        let motion = irregular(sample.amplitude, 201);
        let mut random = noise(7);
        let dx: Vec<f64> = (0..motion.len())
            .map(|_| sample.amplitude * random())
            .collect();
        let dv: Vec<f64> = (0..motion.len())
            .map(|_| sample.amplitude * random())
            .collect();
        let bar: Vec<f64> = (0..motion.len()).map(|_| random()).collect();
        let columns = all_columns(&sample, &dx, &dv);
        let tangent = linearised(&sample, &motion, CUT, &columns);
        let run = Prescribed::new(&sample.assembly, &motion, CUT);
        let recorded = run.record(&sample.p, TAPE_BUDGET).expect("a run");
        assert_eq!(
            recorded.force(),
            tangent.force,
            "{}: same forces",
            sample.name
        );
        let gradient = recorded.pull_back(&bar).expect("an adjoint");
        let by_motion: f64 = (0..motion.len())
            .map(|i| gradient.x[i] * dx[i] + gradient.v[i] * dv[i])
            .sum();
        let adjoint: Vec<f64> = gradient
            .params
            .iter()
            .chain(&gradient.start)
            .copied()
            .chain([by_motion])
            .collect();
        for c in 0..columns.len() {
            let terms = (0..motion.len()).map(|i| bar[i] * tangent.jacobian[i * columns.len() + c]);
            let (sum, size) = terms.fold((0.0, 0.0), |(s, a), t| (s + t, a + t.abs()));
            let error = (sum - adjoint[c]).abs();
            // Where the elements of a series stand does not matter to laws of the path: that
            // sensitivity is the difference of two stiffnesses, whose rounding is left.
            let stiffness = peak(&tangent.force) / sample.amplitude;
            let series = sample
                .assembly
                .parts()
                .iter()
                .any(|p| !p.branches.is_empty());
            let size = size.max(if series { stiffness } else { 0.0 });
            assert!(
                error <= 1e-12 * size,
                "{} column {c}: {sum} against {}",
                sample.name,
                adjoint[c]
            );
        }
    }
}

#[test]
fn checkpoints_change_no_bit_of_the_adjoint() {
    for sample in samples() {
        let motion = irregular(sample.amplitude, 301);
        let bar: Vec<f64> = (0..motion.len()).map(|i| (i as f64).cos()).collect();
        let run = Prescribed::new(&sample.assembly, &motion, CUT);
        let whole = run.record(&sample.p, TAPE_BUDGET).expect("a run");
        let cut = run.record(&sample.p, 2000).expect("a run");
        assert!(whole.stretches() == 1 && cut.stretches() > 1);
        assert_eq!(
            whole.pull_back(&bar),
            cut.pull_back(&bar),
            "{}",
            sample.name
        );
    }
}

/// Fourth-order central differences of the forces along a change of parameters, start and motion.
fn difference(
    sample: &Sample,
    (motion, dx, dv): (&Motion, &[f64], &[f64]),
    column: usize,
    h: f64,
    scale: f64,
) -> Vec<f64> {
    let (count, states) = (sample.assembly.param_count(), sample.assembly.state_count());
    let at = |k: f64| {
        let mut p = sample.p.clone();
        let mut start = vec![0.0; states];
        if column < count {
            p[column] += k * h * scale;
        }
        sample.assembly.rest(&p, |_| motion.x()[0], &mut start);
        let (mut x, mut v) = (motion.x().to_vec(), motion.v().to_vec());
        if column < count {
            // The state at rest goes with the parameters.
        } else if column < count + states {
            start[column - count] += k * h * scale;
        } else {
            for i in 0..x.len() {
                x[i] += k * h * scale * dx[i];
                v[i] += k * h * scale * dv[i];
            }
            start.fill(0.0);
            sample.assembly.rest(&p, |_| x[0], &mut start);
        }
        let motion = Motion::new(motion.time().to_vec(), x, Some(v)).expect("a motion");
        Prescribed::new(&sample.assembly, &motion, CUT)
            .from_state(&start)
            .run(&p)
            .expect("a run")
    };
    let [a, b, c, d] = [at(-2.0), at(-1.0), at(1.0), at(2.0)];
    (0..a.len())
        .map(|i| (a[i] - 8.0 * b[i] + 8.0 * c[i] - d[i]) / (12.0 * h * scale))
        .collect()
}

#[test]
fn tangent_equals_differences_away_from_kinks() {
    for sample in samples() {
        let motion = irregular(sample.amplitude, 101);
        // Displacement and velocity change by themselves at every sample.
        let mut random = noise(3);
        let dx: Vec<f64> = (0..motion.len()).map(|_| random()).collect();
        let dv: Vec<f64> = (0..motion.len()).map(|_| 20.0 * random()).collect();
        let columns = all_columns(&sample, &dx, &dv);
        let tangent = linearised(&sample, &motion, CUT, &columns);
        let (params, states) = (sample.assembly.param_count(), sample.assembly.state_count());
        let force = peak(&tangent.force);
        for c in 0..columns.len() {
            let scale = if c < params {
                if sample.p[c] == 0.0 {
                    sample.amplitude
                } else {
                    sample.p[c].abs()
                }
            } else if c < params + states
                && sample
                    .assembly
                    .states()
                    .nth(c - params)
                    .expect("a state")
                    .1
                    .unit
                    == "N"
            {
                force
            } else {
                sample.amplitude
            };
            let exact: Vec<f64> = (0..motion.len())
                .map(|i| tangent.jacobian[i * columns.len() + c])
                .collect();
            let size = peak(&exact).max(1e-3 * force / scale);
            // A sample is judged by the best of several steps: short ones suffer from rounding, long
            // ones reach over kinks.
            let mut errors = vec![f64::INFINITY; motion.len()];
            let missed = |errors: &[f64]| errors.iter().position(|e| !(*e <= 1e-6 * size));
            for h in [1e-4, 1e-5, 1e-3, 1e-6] {
                let found = difference(&sample, (&motion, &dx, &dv), c, h, scale);
                for ((error, found), exact) in errors.iter_mut().zip(&found).zip(&exact) {
                    *error = error.min((found - exact).abs());
                }
                if missed(&errors).is_none() {
                    break;
                }
            }
            if let Some(i) = missed(&errors) {
                let (exact, error) = (exact[i], errors[i]);
                panic!(
                    "{} column {c} sample {i}: {exact} misses by {error:e}",
                    sample.name
                );
            }
        }
    }
}

#[test]
fn steps_are_pure() {
    for sample in samples() {
        let motion = irregular(sample.amplitude, 201);
        let run = Prescribed::new(&sample.assembly, &motion, CUT);
        let force = run.run(&sample.p).expect("a run");
        assert_eq!(
            force,
            run.run(&sample.p).expect("a run"),
            "{}: same bits",
            sample.name
        );
        // Cut the record in two and go on from the state alone.
        let cut = 77;
        let piece = |range: std::ops::Range<usize>| {
            Motion::new(
                motion.time()[range.clone()].to_vec(),
                motion.x()[range.clone()].to_vec(),
                Some(motion.v()[range].to_vec()),
            )
            .expect("a motion")
        };
        let (first, second) = (piece(0..cut + 1), piece(cut..motion.len()));
        let (_, state) = Prescribed::new(&sample.assembly, &first, CUT)
            .run_to(&sample.p)
            .expect("a run");
        let rest = Prescribed::new(&sample.assembly, &second, CUT)
            .from_state(&state)
            .run(&sample.p)
            .expect("a run");
        assert_eq!(
            rest[1..],
            force[cut + 1..],
            "{}: same bits after a restart",
            sample.name
        );
    }
}

#[test]
fn cutting_an_exact_step_changes_nothing() {
    for sample in samples() {
        for part in sample.assembly.parts() {
            if !part.element.exact() {
                continue;
            }
            let motion = irregular(sample.amplitude, 61);
            let p = &sample.p[part.params.clone()];
            let run = |pieces: usize| {
                let mut z = vec![0.0; part.states.len()];
                part.element.rest(p, motion.x()[0], &mut z);
                let mut force = Vec::new();
                for i in 1..motion.len() {
                    let step = masing_model::Step {
                        branch: None,
                        dt: motion.time()[i] - motion.time()[i - 1],
                        x: [motion.x()[i - 1], motion.x()[i]],
                        v: [motion.v()[i - 1], motion.v()[i]],
                    };
                    let mut last = 0.0;
                    for k in 0..pieces {
                        let step =
                            step.part(k as f64 / pieces as f64, (k + 1) as f64 / pieces as f64);
                        last = part
                            .element
                            .advance(p, &step, &mut z, &mut Tape::off())
                            .expect("a step");
                    }
                    force.push(last);
                }
                force
            };
            let (whole, cut) = (run(1), run(7));
            for (a, b) in whole.iter().zip(&cut) {
                assert!(
                    (a - b).abs() <= 1e-11 * peak(&whole),
                    "{} {}: {a} {b}",
                    sample.name,
                    part.label
                );
            }
        }
    }
}

#[test]
fn closed_cycles_do_not_produce_energy() {
    let mut all = samples();
    for share in [-0.9, 0.5, 0.9] {
        // Slanted loops stay passive while |gamma| <= beta.
        let mut slanted = samples()
            .into_iter()
            .find(|s| s.name == "bouc-wen")
            .expect("bouc-wen");
        slanted.p[2] = share * slanted.p[1];
        slanted.name = format!("bouc-wen, gamma {share} beta");
        all.push(slanted);
    }
    let of = |name: &str| {
        samples()
            .into_iter()
            .find(|s| s.name == name)
            .expect("a law")
    };
    let mut sided = of("bouc-wen-asymmetric");
    sided.p[4] = -0.4 * sided.p[1];
    all.push(sided);
    // As much bristle damping as keeps the law passive, at speeds around that of Stribeck and beyond.
    for vs in [1e-4, 5e-3, 0.1] {
        let mut damped = of("lugre");
        let [_, sigma1, sigma2, fc, fs, speed] = &mut damped.p[..] else {
            panic!("six parameters")
        };
        *sigma1 = *sigma2 * *fc / (*fs - *fc);
        *speed = vs;
        all.push(damped);
    }
    for sample in &all {
        for part in sample.assembly.parts() {
            let p = &sample.p[part.params.clone()];
            // Cycles that are forgotten and two memories on one loop are told; a sine gains nothing by them.
            let told = ["cycles=1", "sides=2, lag"]
                .iter()
                .any(|word| sample.name.contains(word));
            let told = told && part.kind == "softening";
            let non_passive = part.element.law().non_passive(p).is_some();
            assert_eq!(non_passive, told, "{}", sample.name);
        }
    }
    for sample in all {
        for share in [0.05, 0.4, 1.0, 3.0] {
            let motion = support::sine(share * sample.amplitude, 1.0, 3, 400);
            let force = Prescribed::new(&sample.assembly, &motion, CUT)
                .run(&sample.p)
                .expect("a run");
            let energy: f64 = (801..1201)
                .map(|i| 0.5 * (force[i] + force[i - 1]) * (motion.x()[i] - motion.x()[i - 1]))
                .sum();
            let scale = peak(&force) * share * sample.amplitude;
            assert!(
                energy >= -1e-9 * scale,
                "{} at {share}: {energy} of {scale}",
                sample.name
            );
            let mut laws = sample.assembly.parts().iter().flat_map(|p| p.laws());
            let lossless = laws.all(|p| {
                ["spring", "curve-spring", "polynomial-spring", "gap"].contains(&p.kind.as_str())
            });
            // Sliders that stick at small amplitudes lose nothing; at three times the amplitude all do.
            if lossless || share == 3.0 {
                let found = energy.abs() <= 1e-9 * scale;
                assert_eq!(
                    lossless, found,
                    "{} at {share}: {energy} of {scale}",
                    sample.name
                );
            }
        }
    }
}

#[test]
fn path_laws_do_not_feel_the_speed() {
    for sample in samples()
        .iter()
        .filter(|s| s.assembly.memory() == Memory::Path)
    {
        if sample
            .assembly
            .parts()
            .iter()
            .any(|p| p.element.spec().memory == Memory::None)
        {
            continue;
        }
        let slow = irregular(sample.amplitude, 201);
        let time = slow
            .time()
            .iter()
            .map(|t| t.powi(2) * 0.01 + 1e-4 * t)
            .collect();
        let fast = Motion::new(time, slow.x().to_vec(), None).expect("a motion");
        let run = |m: &Motion| {
            Prescribed::new(&sample.assembly, m, Numerics::default())
                .run(&sample.p)
                .expect("a run")
        };
        assert_eq!(run(&slow), run(&fast), "{}", sample.name);
    }
}

/// Every law closes under a sine, from amplitudes at which it sticks to those at which it slides.
#[test]
fn steady_states_close() {
    // What degrades with every cycle has no steady state.
    let lasting = |s: &Sample| !s.name.contains("degrading");
    for sample in samples().into_iter().filter(lasting) {
        for share in [0.01, 0.1, 1.0, 3.0] {
            let cycle =
                masing_sim::sine_cycle(share * sample.amplitude, 1.0, 0.3 * sample.amplitude, 64)
                    .expect("a motion");
            let steady = masing_sim::steady_state(
                &sample.assembly,
                &sample.p,
                &cycle,
                Numerics::default(),
                masing_sim::Closure::default(),
            );
            match steady {
                Ok(steady) => assert!(
                    steady.force.iter().all(|f| f.is_finite()),
                    "{}",
                    sample.name
                ),
                Err(error) => panic!("{} at {share}: {error}", sample.name),
            }
        }
    }
}

/// Friction of nearly no force and no rise with the speed beside springs of all sizes, and a friction that
/// falls to a part of it that double precision does not see beside it.
#[test]
fn friction_at_the_ends_of_its_range_steps() {
    let cases: [(&str, &[f64]); 3] = [
        ("rt", &[7.4e8, 3.857_421_028_992_202e9, 1.0, 1e-9, 1e-3]),
        ("rt", &[1e12, 1e10, 3.0, 2.9e-5, 1e-3]),
        ("lugre", &[1.0, 0.0, 0.0, 2.28e8, 1e-9, 897.0]),
    ];
    for (name, p) in cases {
        let assembly = Assembly::from_names(name, |_| Shape::default()).expect("a law");
        for seed in 0..250 {
            let mut random = noise(seed);
            let amplitude = 10_f64.powf(-4.0 + 3.0 * random());
            let dt = 10_f64.powf(-2.0 + 3.0 * random());
            let time = (0..60).map(|i| f64::from(i) * dt).collect();
            let x = (0..60).map(|_| amplitude * random()).collect();
            let motion = Motion::new(time, x, None).expect("a motion");
            let run = Prescribed::new(&assembly, &motion, Numerics::default()).run(p);
            assert!(
                run.as_ref().is_ok_and(|f| f.iter().all(|f| f.is_finite())),
                "{name} seed {seed}: {run:?}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any admissible parameters, any history: a finite force or an error, in finite time.
    #[test]
    fn random_histories_never_hang_and_never_give_nan(
        draws in prop::collection::vec(0.0..1.0_f64, 64),
        jumps in prop::collection::vec(-1.0..1.0_f64, 60),
        log_dt in -5.0..1.0_f64,
        log_amplitude in -7.0..-1.0_f64,
    ) {
        for sample in samples() {
            let mut p = sample.p.clone();
            for (at, (value, (_, param))) in p.iter_mut().zip(sample.assembly.params()).enumerate() {
                // Log-uniform over the whole range for positive parameters, near the default for others.
                let u = draws[at % draws.len()];
                *value = if param.min > 0.0 {
                    (param.min.ln() + u * (param.max.ln() - param.min.ln())).exp().clamp(param.min, param.max)
                } else {
                    (*value * 2.0 * u).clamp(param.min, param.max)
                };
            }
            if sample.assembly.check(&p).is_err() {
                p = sample.p.clone();
            }
            let dt = 10_f64.powf(log_dt);
            let time = (0..jumps.len()).map(|i| i as f64 * dt).collect();
            let x = jumps.iter().map(|j| j * 10_f64.powf(log_amplitude)).collect();
            let motion = Motion::new(time, x, None).expect("a motion");
            // Laws that can run away (a hardening Bouc-Wen branch, polynomials beyond the range of
            // numbers), those solved by plain Newton, and chains whose neighbouring springs differ by
            // more than double precision resolves (1e11 here) may say no; all others always step.
            // The balance of a series never fails: what may run away is not taken into one.
            let may_refuse = ["bouc-wen", "polynomial", "metal-rubber", "law", "smoothed", "per cell"]
                .iter()
                .any(|word| sample.name.contains(word));
            let may_refuse = may_refuse && !sample.name.starts_with("series");
            match Prescribed::new(&sample.assembly, &motion, Numerics::default()).run(&p) {
                Ok(force) => prop_assert!(force.iter().all(|f| f.is_finite()), "{}: {p:?}", sample.name),
                Err(error) => prop_assert!(may_refuse, "{}: {error}, {p:?}", sample.name),
            }
        }
    }
}
