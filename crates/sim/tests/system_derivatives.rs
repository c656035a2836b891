//! Tangent and adjoint of systems with mass: every element alone on a mass, and several assemblies.

mod support;

use masing_model::{Assembly, Masses, Shape};
use masing_sim::system::{Column, Driven, Gradient, Load, Outputs, Sensitivity};
use masing_sim::{Motion, Numerics, Prescribed};
use support::{Sample, noise, peak, samples};

/// A mass under each of the elements, with a spring and a dashpot of its own, in resonance near 3 Hz
/// and driven to about the amplitude at which the element shows its nonlinearity.
struct Case {
    sample: Sample,
    masses: Masses,
    load: Load,
    p: Vec<f64>,
    numerics: Numerics,
}

const SAMPLES: usize = 61;

fn case(sample: Sample) -> Case {
    let probe: Vec<f64> = (0..101).map(|i| f64::from(i) * 1e-2).collect();
    let x = probe
        .iter()
        .map(|t| sample.amplitude * (18.0 * t).sin())
        .collect();
    let probe = Motion::new(probe, x, None).expect("a motion");
    let force = Prescribed::new(&sample.assembly, &probe, Numerics::default())
        .run(&sample.p)
        .expect("a run");
    let stiffness = peak(&force) / sample.amplitude;
    let mass = stiffness / (18.0_f64 * 18.0);
    let masses = Masses::oscillator();
    let mut p = sample.p.clone();
    p.extend([
        mass,
        0.05 * (stiffness * mass).sqrt(),
        0.3 * stiffness,
        0.2 * sample.amplitude,
        -0.3 * sample.amplitude,
    ]);
    let time: Vec<f64> = (0..SAMPLES).map(|i| i as f64 * 1e-2).collect();
    let size = peak(&force);
    let tone = |t: &f64| size * (0.8 * (16.0 * t).sin() + 0.5 * (7.1 * t + 0.3).cos());
    let on = time.iter().map(tone).collect();
    let base = time
        .iter()
        .map(|t| 0.2 * size / mass * (11.0 * t).sin())
        .collect();
    let load = Load::new(time)
        .and_then(|l| l.on(1, on)?.base(base))
        .expect("a load");
    Case {
        sample,
        masses,
        load,
        p,
        numerics: Numerics {
            increment: f64::INFINITY,
            max_dt: 2.5e-3,
        },
    }
}

/// Three masses in a row with elements between them, beside them and to the ground.
fn structure(sum: &str, between: &[[usize; 2]]) -> Case {
    let mut assembly = Assembly::from_names(sum, |_| Shape::default()).expect("a sum");
    for (i, &ends) in between.iter().enumerate() {
        assembly.connect(i, ends);
    }
    let (k, m, amplitude) = (3e5, 800.0, 1e-3);
    let masses = Masses::structure(3);
    let mut p = assembly.defaults();
    p.extend([
        m,
        0.1 * m,
        0.0,
        0.1 * m,
        m,
        0.05 * m,
        0.0,
        0.05 * m,
        0.7 * m,
    ]);
    let spring = [2.0, -1.0, 0.0, -1.0, 2.0, -1.1, 0.1, -1.0, 1.2];
    p.extend(spring.map(|s| 0.02 * s * (k * m).sqrt()));
    p.extend(spring.map(|s| s * k));
    p.extend([0.1, -0.2, 0.3].map(|x| x * amplitude));
    p.extend([1.0, 0.5, -2.0].map(|v| v * amplitude));
    let time: Vec<f64> = (0..SAMPLES).map(|i| i as f64 * 1e-2).collect();
    let tone =
        |w: f64| -> Vec<f64> { time.iter().map(|t| k * amplitude * (w * t).sin()).collect() };
    let load = Load::new(time.clone()).and_then(|l| {
        l.on(1, tone(9.0))?
            .on(3, tone(14.0))?
            .base(tone(11.0).iter().map(|f: &f64| 0.3 * f / m).collect())
    });
    Case {
        sample: Sample {
            name: sum.to_owned(),
            assembly,
            p: Vec::new(),
            amplitude,
        },
        masses,
        load: load.expect("a load"),
        p,
        numerics: Numerics {
            increment: f64::INFINITY,
            max_dt: 2.5e-3,
        },
    }
}

/// Every element alone on a mass, several assemblies, structures for both schemes.
fn cases() -> impl Iterator<Item = Case> {
    let structures = [
        structure(
            "bouc-wen+jenkins+sts+maxwell",
            &[[0, 1], [1, 2], [3, 2], [1, 3]],
        ),
        structure(
            "rt+power-dashpot+bouc-wen+jenkins",
            &[[0, 1], [1, 2], [2, 3], [3, 0]],
        ),
    ];
    // A slider that does not give way is refused between masses.
    let yielding = |sample: &Sample| sample.assembly.parts().iter().all(|p| !p.element.grips());
    let alone = samples().into_iter().filter(yielding);
    alone.map(case).chain(structures)
}

impl Case {
    fn driven(&self) -> Driven<'_> {
        Driven::new(
            &self.sample.assembly,
            &self.masses,
            &self.load,
            self.numerics,
        )
        .expect("a system")
    }

    fn columns(&self) -> Vec<Column> {
        let params = (0..self.p.len()).map(Column::Param);
        let states = (0..self.sample.assembly.state_count()).map(Column::Start);
        params.chain(states).collect()
    }
}

/// The gradient as one vector in the order of the columns.
fn flat(gradient: &Gradient) -> Vec<f64> {
    let values = gradient.params.iter().chain(&gradient.start);
    values.copied().collect()
}

/// Compares bar . tangent with the gradient, column by column.
fn compare(name: &str, tangent: &Sensitivity, bar: &Outputs, gradient: &[f64], tolerance: f64) {
    let columns = tangent.columns;
    for (c, &adjoint) in gradient.iter().enumerate() {
        // Where the elements of a series stand does not matter to laws of the path: that sensitivity is
        // the difference of two stiffnesses, 1e4 N/m and more, whose rounding is left.
        let (mut sum, mut size) = (0.0, if name.contains("series") { 1e3 } else { 0.0 });
        for (rows, bar) in [
            (&tangent.displacement, &bar.displacement),
            (&tangent.velocity, &bar.velocity),
            (&tangent.acceleration, &bar.acceleration),
            (&tangent.force, &bar.force),
        ] {
            for (i, bar) in bar.iter().enumerate() {
                let term = bar * rows[i * columns + c];
                sum += term;
                size += f64::abs(term);
            }
        }
        assert!(
            (sum - adjoint).abs() <= tolerance * size,
            "{name} column {c}: {sum:e} against {adjoint:e}, terms {size:e}"
        );
    }
}

/// Random sensitivities to all rows.
fn random_outputs(response: &masing_sim::system::Response, seed: u64) -> Outputs {
    let mut random = noise(seed);
    let mut weights = |rows: &[f64]| -> Vec<f64> {
        let size = peak(rows).max(1e-300);
        rows.iter().map(|_| random() / size).collect()
    };
    Outputs {
        displacement: weights(&response.displacement),
        velocity: weights(&response.velocity),
        acceleration: weights(&response.acceleration),
        force: weights(&response.force),
    }
}

#[test]
fn adjoint_equals_tangent() {
    for case in cases() {
        let name = &case.sample.name;
        let driven = case.driven();
        let run = driven
            .run(&case.p)
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        let tangent = driven.tangent(&case.p, &case.columns()).expect("a tangent");
        let recorded = driven.record(&case.p).expect("a record");
        assert_eq!(run, tangent.response, "{name}: same bits");
        assert_eq!(&run, recorded.response(), "{name}: same bits");
        let bar = random_outputs(&run, 3);
        let gradient = recorded.pull_back(&bar).expect("an adjoint");
        compare(name, &tangent, &bar, &flat(&gradient), 1e-11);
    }
}

#[test]
fn checkpoints_change_no_bit_of_the_adjoint() {
    for case in cases() {
        let name = &case.sample.name;
        let (whole, cut) = (case.driven(), case.driven().within(2000));
        let (whole, cut) = (whole.record(&case.p), cut.record(&case.p));
        let (whole, cut) = (whole.expect("a record"), cut.expect("a record"));
        assert!(!whole.is_checkpointed() && cut.is_checkpointed());
        assert!(cut.bytes() < whole.bytes() / 4, "{name}");
        let bar = random_outputs(whole.response(), 5);
        assert_eq!(whole.pull_back(&bar), cut.pull_back(&bar), "{name}");
    }
}

/// Fourth-order central differences of displacement, velocity, acceleration and force.
fn difference(case: &Case, column: Column, step: f64) -> [Vec<f64>; 4] {
    let at = |k: f64| {
        let mut p = case.p.clone();
        let mut driven = case.driven();
        match column {
            Column::Param(i) => p[i] += k * step,
            Column::Start(i) => {
                let n = case.masses.dofs();
                let x0 = &case.p[case.p.len() - 2 * n..];
                let x = |end: usize| if end == 0 { 0.0 } else { x0[end - 1] };
                let mut z = vec![0.0; case.sample.assembly.state_count()];
                let across = |part: &masing_model::Part| x(part.between[1]) - x(part.between[0]);
                case.sample.assembly.rest(&p, across, &mut z);
                z[i] += k * step;
                driven = driven.starting_with(z);
            }
        }
        let r = driven.run(&p).expect("a run");
        [r.displacement, r.velocity, r.acceleration, r.force]
    };
    let [a, b, c, d] = [at(-2.0), at(-1.0), at(1.0), at(2.0)];
    std::array::from_fn(|row| {
        (0..a[row].len())
            .map(|i| (a[row][i] - 8.0 * b[row][i] + 8.0 * c[row][i] - d[row][i]) / (12.0 * step))
            .collect()
    })
}

/// What a column is perturbed relative to; a parameter of an element that is zero has no scale.
fn scale_of(case: &Case, column: Column, force: f64) -> Option<f64> {
    Some(match column {
        Column::Param(i) if case.p[i] != 0.0 => case.p[i].abs(),
        Column::Param(i) => {
            // A zero of a matrix is perturbed like its other entries.
            let at = case.sample.assembly.param_count();
            let (masses, own) = (&case.masses, &case.p[at..]);
            let blocks = [masses.m(), masses.c(), masses.k()];
            let block = blocks
                .into_iter()
                .find(|b| i >= at && b.contains(&(i - at)));
            peak(&own[block?])
        }
        Column::Start(i) => {
            let state = case.sample.assembly.states().nth(i).expect("a state").1;
            if state.unit == "N" {
                force
            } else {
                case.sample.amplitude
            }
        }
    })
}

/// Whether a column is a largest stroke of `softening` at the start, which the first sample exceeds.
fn exceeded_at_once(case: &Case, column: Column) -> bool {
    let Column::Start(i) = column else {
        return false;
    };
    let mut parts = case.sample.assembly.parts().iter();
    let part = parts.find(|part| part.states.contains(&i));
    part.is_some_and(|part| {
        let state = &part.element.spec().states[i - part.states.start];
        part.kind == "softening" && matches!(state.name.as_str(), "m" | "m[1]" | "m[2]")
    })
}

#[test]
fn tangent_equals_differences() {
    for mut case in cases() {
        let name = case.sample.name.clone();
        // Event times are constants of the tangent, which is exact for the motion itself and so for
        // short steps; a scheme without events needs none.
        if !case.driven().is_implicit() {
            case.numerics.max_dt = 2.5e-4;
        }
        // Of long chains a few initial states are enough.
        let last = case.sample.assembly.state_count().saturating_sub(1);
        let mut columns = case.columns();
        columns.retain(|c| !matches!(c, Column::Start(i) if *i > 1 && *i != last));
        let tangent = case.driven().tangent(&case.p, &columns).expect("a tangent");
        let force = peak(&tangent.response.force);
        let rows = [
            &tangent.displacement,
            &tangent.velocity,
            &tangent.acceleration,
            &tangent.force,
        ];
        let response = &tangent.response;
        let outputs = [
            &response.displacement,
            &response.velocity,
            &response.acceleration,
            &response.force,
        ];
        for (c, &column) in columns.iter().enumerate() {
            let Some(scale) = scale_of(&case, column, force) else {
                continue;
            };
            // |z|^n with n between 1 and 2 has no second derivative at z = 0, where the run starts: a difference
            // over h misses its slope by h^(n-1) during the first step.
            let within = if name.contains("pinching") && column == Column::Start(0) {
                1e-5
            } else {
                1e-6
            };
            // What moves hardly anything (a split that is found anew) is judged by the rounding of the output
            // and of the instants of kinks; a largest stroke of a micrometre moves even less, since the
            // first sample exceeds it.
            let floor = if exceeded_at_once(&case, column) {
                1e-4
            } else {
                1e-5
            };
            let exact = rows.map(|rows| -> Vec<f64> {
                rows.iter()
                    .skip(c)
                    .step_by(columns.len())
                    .copied()
                    .collect()
            });
            let mut errors = exact.each_ref().map(|e| vec![f64::INFINITY; e.len()]);
            let missed = |errors: &[Vec<f64>; 4]| {
                (0..4).find_map(|row| {
                    let floor = floor * peak(outputs[row]) / scale;
                    let limit = within * peak(&exact[row]).max(floor);
                    let i = errors[row].iter().position(|error| !(*error <= limit))?;
                    Some((row, i))
                })
            };
            // A value is judged by the best of several steps: short ones suffer from rounding, long
            // ones reach over kinks.
            for step in [1e-4, 1e-5, 1e-3, 1e-6] {
                let found = difference(&case, column, step * scale);
                for ((errors, found), exact) in errors.iter_mut().zip(&found).zip(&exact) {
                    for ((error, found), exact) in errors.iter_mut().zip(found).zip(exact) {
                        *error = error.min((found - exact).abs());
                    }
                }
                if missed(&errors).is_none() {
                    break;
                }
            }
            if let Some((row, i)) = missed(&errors) {
                let (exact, error) = (exact[row][i], errors[row][i]);
                panic!("{name} {column:?}, output {row}, entry {i}: {exact} misses by {error:e}");
            }
        }
    }
}
