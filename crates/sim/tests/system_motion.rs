//! Motions of systems with mass against closed forms and independent integrations.

mod support;
mod system_reference;

use masing_model::{Assembly, Masses, Shape};
use masing_sim::Numerics;
use masing_sim::system::{Driven, Load, Response, choose};
use std::f64::consts::TAU;
use support::{noise, peak};
use system_reference::{Piecewise, difference, integrate, interpolate};

fn assembly(sum: &str) -> Assembly {
    Assembly::from_names(sum, |_| Shape::default()).expect("elements of the registry")
}

fn grid(samples: usize, dt: f64) -> Vec<f64> {
    (0..samples).map(|i| i as f64 * dt).collect()
}

/// A load on the first degree of freedom.
fn load(time: Vec<f64>, f: impl Fn(f64) -> f64) -> Load {
    let values = time.iter().map(|&t| f(t)).collect();
    Load::new(time)
        .and_then(|l| l.on(1, values))
        .expect("a load")
}

fn steps(max_dt: f64) -> Numerics {
    Numerics {
        increment: f64::INFINITY,
        max_dt,
    }
}

fn run(assembly: &Assembly, masses: &Masses, load: &Load, p: &[f64], max_dt: f64) -> Response {
    Driven::new(assembly, masses, load, steps(max_dt))
        .and_then(|d| d.run(p))
        .expect("a run")
}

#[test]
fn linear_oscillator_follows_its_closed_form() {
    let (m, c, k, x0, v0) = (2.0, 12.0, 800.0, 0.01, -0.3);
    let (force, ramp) = (3.0, 20.0);
    let assembly = assembly("spring+dashpot");
    let masses = Masses::oscillator();
    let load = load(grid(201, 0.01), |t| force + ramp * t);
    // Half of stiffness and damping in the elements, half in the system itself.
    let p = [0.5 * k, 0.5 * c, m, 0.5 * c, 0.5 * k, x0, v0];
    let numerics = choose(&assembly, &masses, &load, &p, None).expect("sub-steps");
    let found = run(&assembly, &masses, &load, &p, numerics.max_dt);
    let (decay, slope) = (0.5 * c / m, ramp / k);
    let w = (k / m - decay * decay).sqrt();
    let offset = (force - c * slope) / k;
    let (a, b) = (x0 - offset, (v0 - slope + decay * (x0 - offset)) / w);
    let exact = |t: &f64| {
        let (s, c) = (w * t).sin_cos();
        offset + slope * t + (-decay * t).exp() * (a * c + b * s)
    };
    let error = difference(&found.displacement, load.time().iter().map(exact));
    // The accuracy that was asked for, of the largest displacement.
    assert!(error < 1e-8 * peak(&found.displacement), "{error:e}");
    for i in 0..found.samples() {
        let (x, v) = (found.displacement[i], found.velocity[i]);
        assert_eq!(found.force[2 * i], p[0] * x);
        assert_eq!(found.force[2 * i + 1], p[1] * v);
        let rest = (force + ramp * load.time()[i]) - c * v - k * x;
        assert!((m * found.acceleration[i] - rest).abs() < 1e-12 * k * peak(&found.displacement));
    }
    assert_eq!(found.total_force()[7], found.force[14] + found.force[15]);
}

#[test]
fn work_of_the_load_is_stored_or_dissipated() {
    let assembly = assembly("polynomial-spring+polynomial-dashpot+bouc-wen+jenkins");
    let masses = Masses::oscillator();
    let mut p = assembly.defaults();
    let m = 50.0;
    p.extend([m, 20.0, 1e4, 1e-4, 0.01]);
    let dt = 1e-5;
    let load = load(grid(100_001, dt), |t| {
        60.0 * (30.0 * t).sin() + 40.0 * (71.0 * t).cos()
    });
    let r = run(&assembly, &masses, &load, &p, dt);
    let applied = &load.loads()[0].1;
    // The trapezoidal rule on samples 2000 times finer than the motion: 1e-6 of the work.
    let forces = r.total_force();
    let mut work = 0.0;
    let mut size = 0.0;
    for i in 1..r.samples() {
        let power = |i: usize| {
            (applied[i] - forces[i] - 20.0 * r.velocity[i] - 1e4 * r.displacement[i])
                * r.velocity[i]
        };
        work += 0.5 * dt * (power(i) + power(i - 1));
        size += dt * (applied[i] * r.velocity[i]).abs();
        let kinetic = 0.5 * m * (r.velocity[i].powi(2) - r.velocity[0].powi(2));
        assert!((kinetic - work).abs() < 1e-6 * size.max(1e-3), "sample {i}");
    }
}

/// A mass on a spring and a spring-slider under a constant load: linear between the kinks.
struct Slider {
    m: f64,
    k: f64,
    ks: f64,
    zs: f64,
    load: f64,
}

impl Slider {
    /// The motion from (x, v, z) at no time, while sticking (slip = 0) or slipping.
    fn at(&self, [x, v, z]: [f64; 3], slip: f64, t: f64) -> [f64; 3] {
        let (stiffness, force) = if slip == 0.0 {
            (self.k + self.ks, self.load - z + self.ks * x)
        } else {
            (self.k, self.load - slip * self.zs)
        };
        let (w, rest) = ((stiffness / self.m).sqrt(), force / stiffness);
        let (s, c) = (w * t).sin_cos();
        let x1 = rest + (x - rest) * c + v / w * s;
        let v1 = v * c - (x - rest) * w * s;
        let z1 = if slip == 0.0 {
            z + self.ks * (x1 - x)
        } else {
            slip * self.zs
        };
        [x1, v1, z1]
    }

    /// The motion at `times`, branch by branch; the ends of the branches by bisection.
    fn motion(&self, times: &[f64], start: [f64; 3]) -> Vec<f64> {
        let (mut t0, mut y, mut slip) = (times[0], start, 0.0);
        let mut out = vec![start[0]];
        for pair in times.windows(2) {
            loop {
                let over = |t: f64| {
                    let [_, v, z] = self.at(y, slip, t - t0);
                    if slip == 0.0 {
                        z.abs() > self.zs
                    } else {
                        v * slip < 0.0
                    }
                };
                if !over(pair[1]) {
                    break;
                }
                let (mut low, mut high) = (t0.max(pair[0]), pair[1]);
                for _ in 0..80 {
                    let middle = 0.5 * (low + high);
                    if over(middle) {
                        high = middle;
                    } else {
                        low = middle;
                    }
                }
                y = self.at(y, slip, high - t0);
                t0 = high;
                slip = if slip == 0.0 { y[2].signum() } else { 0.0 };
                if slip != 0.0 {
                    y[2] = slip * self.zs;
                }
            }
            out.push(self.at(y, slip, pair[1] - t0)[0]);
        }
        out
    }
}

#[test]
fn spring_slider_on_a_mass_follows_its_pieces() {
    let slider = Slider {
        m: 3.0,
        k: 2e3,
        ks: 9e3,
        zs: 12.0,
        load: 5.0,
    };
    let assembly = assembly("jenkins");
    let masses = Masses::oscillator();
    let load = load(grid(301, 5e-3), |_| slider.load);
    let p = [slider.ks, slider.zs, slider.m, 0.0, slider.k, 0.03, 0.2];
    let exact = slider.motion(load.time(), [0.03, 0.2, 0.0]);
    let numerics = choose(&assembly, &masses, &load, &p, None).expect("sub-steps");
    let found = run(&assembly, &masses, &load, &p, numerics.max_dt);
    let error = difference(&found.displacement, exact);
    assert!(error < 1e-8 * 0.03, "{error:e}");
    // It comes to rest with the slider holding: what is left is the swing of the sticking mass.
    assert!(found.micro_steps > 300);
}

/// A chain of masses and springs with one Dahl joint between two of them.
struct Chain {
    m: Vec<f64>,
    c: Vec<f64>,
    k: Vec<f64>,
    joint: [usize; 2],
    dahl: [f64; 3],
    times: Vec<f64>,
    load: Vec<f64>,
}

impl Chain {
    fn across(&self, row: &[f64]) -> f64 {
        let at = |dof: usize| if dof == 0 { 0.0 } else { row[dof - 1] };
        at(self.joint[1]) - at(self.joint[0])
    }
}

impl Piecewise for Chain {
    fn rates(&self, t: f64, y: &[f64], b: &[i32], dy: &mut [f64]) {
        let n = self.m.len();
        let [sigma, fc, alpha] = self.dahl;
        let (z, v) = (y[2 * n], self.across(&y[n..2 * n]));
        let w = 1.0 - z * f64::from(b[0]) / fc;
        dy[2 * n] = sigma * v * w.signum() * w.abs().powf(alpha);
        for i in 0..n {
            dy[i] = y[n + i];
            let mut force = 0.0;
            for j in 0..n {
                force -= self.c[i * n + j] * y[n + j] + self.k[i * n + j] * y[j];
            }
            if i == 0 {
                force += interpolate(&self.times, &self.load, t);
            }
            if i + 1 == self.joint[1] {
                force -= z;
            }
            if i + 1 == self.joint[0] {
                force += z;
            }
            dy[n + i] = force / self.m[i];
        }
    }

    fn branch(&self, _: f64, y: &[f64]) -> Vec<i32> {
        let n = self.m.len();
        vec![if self.across(&y[n..2 * n]) < 0.0 {
            -1
        } else {
            1
        }]
    }
}

fn chain_case(n: usize, joint: [usize; 2], dt: f64, samples: usize) {
    let mut random = noise(17);
    let m: Vec<f64> = (0..n).map(|_| 2.0 + random()).collect();
    let mut k = vec![0.0; n * n];
    for i in 0..n {
        let stiffness = 3e4 * (1.5 + random());
        k[i * n + i] += stiffness;
        if i > 0 {
            k[(i - 1) * n + i - 1] += stiffness;
            k[(i - 1) * n + i] -= stiffness;
            k[i * n + i - 1] -= stiffness;
        }
    }
    let c: Vec<f64> = k.iter().map(|k| 2e-4 * k).collect();
    let dahl = [2e4, 15.0, 1.4];
    let times = grid(samples, dt);
    let values: Vec<f64> = times
        .iter()
        .map(|t| 60.0 * (TAU * 4.0 * t).sin() + 45.0 * (TAU * 11.0 * t).sin())
        .collect();
    let chain = Chain {
        m,
        c,
        k,
        joint,
        dahl,
        times: times.clone(),
        load: values.clone(),
    };
    let mut scale = vec![1e-2; 2 * n + 1];
    scale[2 * n] = 15.0;
    let reference = integrate(&chain, &times, vec![0.0; 2 * n + 1], &scale, 4);
    let mut assembly = assembly("dahl");
    assembly.connect(0, joint);
    let masses = Masses::structure(n);
    let mut p = dahl.to_vec();
    for i in 0..n {
        p.extend((0..n).map(|j| if i == j { chain.m[i] } else { 0.0 }));
    }
    p.extend(chain.c.iter().chain(&chain.k));
    p.extend(vec![0.0; 2 * n]);
    let load = Load::new(times)
        .and_then(|l| l.on(1, values))
        .expect("a load");
    let numerics = choose(&assembly, &masses, &load, &p, None).expect("sub-steps");
    let found = run(&assembly, &masses, &load, &p, numerics.max_dt);
    let exact = reference.iter().flat_map(|y| y[..n].iter().copied());
    let error = difference(&found.displacement, exact) / peak(&found.displacement);
    // The accuracy that was asked for, with room for the estimate.
    assert!(error < 2e-8, "{error:e}");
    let force = difference(&found.force, reference.iter().map(|y| y[2 * n]));
    assert!(force < 1e-6 * 15.0, "{force:e}");
    assert!(peak(&found.force) > 12.0, "the joint slips");
}

#[test]
fn structures_with_a_joint_follow_an_independent_integration() {
    chain_case(2, [0, 2], 2e-3, 501);
    chain_case(2, [2, 1], 2e-3, 501);
    chain_case(10, [4, 7], 1e-3, 401);
}

#[test]
fn bouc_wen_benchmark_converges_with_fourth_order() {
    // Noel and Schoukens: m = 2, c = 10, k = 5e4, alpha = 5e4, beta gamma = 800, beta delta = -1100.
    let assembly = assembly("bouc-wen");
    let masses = Masses::oscillator();
    let p = [5e4, 800.0, -1100.0, 1.0, 2.0, 10.0, 5e4, 0.0, 0.0];
    let mut random = noise(5);
    let lines: Vec<(f64, f64)> = (0..100)
        .map(|i| (5.0 + 1.45 * f64::from(i), std::f64::consts::PI * random()))
        .collect();
    // 50 N rms from 5 to 150 Hz.
    let amplitude = 50.0 * (2.0_f64 / lines.len() as f64).sqrt();
    let dt = 1.0 / 3750.0;
    let load = load(grid(2251, dt), |t| {
        let tones = lines.iter().map(|(f, phase)| (TAU * f * t + phase).sin());
        amplitude * tones.sum::<f64>()
    });
    let fine = run(&assembly, &masses, &load, &p, dt / 64.0);
    let errors: Vec<f64> = [1.0, 2.0, 4.0, 8.0]
        .map(|parts| {
            let found = run(&assembly, &masses, &load, &p, dt / parts);
            difference(&found.displacement, fine.displacement.iter().copied())
        })
        .to_vec();
    let orders: Vec<f64> = errors.windows(2).map(|e| (e[0] / e[1]).log2()).collect();
    assert!(orders.iter().all(|o| *o > 3.8), "{errors:?}: {orders:?}");
    let numerics = choose(&assembly, &masses, &load, &p, None).expect("sub-steps");
    let found = run(&assembly, &masses, &load, &p, numerics.max_dt);
    let error = difference(&found.displacement, fine.displacement.iter().copied());
    assert!(error < 1e-8 * peak(&fine.displacement), "{error:e}");
}

#[test]
fn base_acceleration_acts_like_a_load() {
    let mut assembly = assembly("bouc-wen+jenkins+dashpot");
    assembly.connect(1, [1, 2]);
    assembly.connect(2, [2, 0]);
    let masses = Masses::structure(2);
    let mut p = assembly.defaults();
    let m = [40.0, 6.0, 6.0, 30.0];
    p.extend(m);
    p.extend([30.0, -10.0, -10.0, 20.0]);
    p.extend([4e4, -1e4, -1e4, 3e4]);
    p.extend([0.0; 4]);
    let time = grid(401, 2e-3);
    let base: Vec<f64> = time.iter().map(|t| 2.0 * (33.0 * t).sin()).collect();
    let row = |i: usize| -> Vec<f64> {
        base.iter()
            .map(|a| -(m[2 * i] + m[2 * i + 1]) * a)
            .collect()
    };
    let moved = Load::new(time.clone())
        .and_then(|l| l.base(base.clone()))
        .expect("a load");
    let pushed = Load::new(time)
        .and_then(|l| l.on(1, row(0))?.on(2, row(1)))
        .expect("a load");
    let (moved, pushed) = (
        run(&assembly, &masses, &moved, &p, 1e-3),
        run(&assembly, &masses, &pushed, &p, 1e-3),
    );
    // Rounding only: the same right side, added up in another order.
    let same = |a: &[f64], b: &[f64]| {
        let error = difference(a, b.iter().copied());
        assert!(error < 1e-11 * peak(b), "{error:e}");
    };
    same(&moved.displacement, &pushed.displacement);
    same(&moved.velocity, &pushed.velocity);
    same(&moved.acceleration, &pushed.acceleration);
    same(&moved.force, &pushed.force);
    for i in 0..moved.samples() {
        for j in 0..2 {
            let expected = moved.acceleration[2 * i + j] + base[i];
            assert_eq!(moved.absolute_acceleration[2 * i + j], expected);
        }
    }
    assert_eq!(pushed.absolute_acceleration, pushed.acceleration);
}
