//! Drive signals: displacement over time, with the exact velocity where there is one.

use masing_model::Rng;
use std::f64::consts::TAU;

/// Displacement at every sample, and velocity if the signal has one everywhere.
///
/// Triangles and ramps have none at their corners: the reader's rule for corners (the slope of the
/// segment just finished) serves them better than a column could.
#[derive(Clone, Debug)]
pub struct Wave {
    /// Displacement about the offset.
    pub x: Vec<f64>,
    /// Velocity.
    pub v: Option<Vec<f64>>,
}

/// Sine of an angle in turns, exact at quarter turns.
pub fn sin_turns(turns: f64) -> f64 {
    let turns = turns - turns.floor();
    let quarter = (4.0 * turns).round();
    let rest = TAU * (turns - quarter / 4.0);
    let sine = match quarter as u8 % 4 {
        0 => rest.sin(),
        1 => rest.cos(),
        2 => -rest.sin(),
        _ => -rest.cos(),
    };
    // No negative zeros in files.
    sine + 0.0
}

/// Cosine of an angle in turns, exact at quarter turns.
fn cos_turns(turns: f64) -> f64 {
    sin_turns(turns + 0.25)
}

/// A sine that starts upwards from zero.
pub fn sine(time: &[f64], amplitude: f64, frequency: f64) -> Wave {
    let speed = TAU * frequency * amplitude;
    Wave {
        x: over(time, |t| amplitude * sin_turns(frequency * t)),
        v: Some(over(time, |t| speed * cos_turns(frequency * t))),
    }
}

/// A triangle that starts upwards from zero.
pub fn triangle(time: &[f64], amplitude: f64, frequency: f64) -> Wave {
    let shape = |t: f64| {
        let turns = frequency * t - (frequency * t).floor();
        if turns <= 0.25 {
            4.0 * turns
        } else if turns <= 0.75 {
            2.0 - 4.0 * turns
        } else {
            4.0 * turns - 4.0
        }
    };
    Wave {
        x: over(time, |t| amplitude * shape(t)),
        v: None,
    }
}

/// A straight rise to the amplitude, then a hold.
pub fn ramp(time: &[f64], amplitude: f64, rise: f64) -> Wave {
    Wave {
        x: over(time, |t| amplitude * (t / rise).min(1.0)),
        v: None,
    }
}

/// How the frequency of a sweep goes from one end to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Pace {
    /// Equal times per octave
    Log,
    /// Equal times per hertz
    Lin,
}

/// A sine whose frequency runs from `from` to `to` within `duration`.
pub fn sweep(
    time: &[f64],
    amplitude: f64,
    [from, to]: [f64; 2],
    duration: f64,
    pace: Pace,
) -> Wave {
    let rate = (to / from).ln() / duration;
    let turns = |t: f64| match pace {
        Pace::Log => from * (rate * t).exp_m1() / rate,
        Pace::Lin => t * (from + 0.5 * (to - from) * t / duration),
    };
    let frequency = |t: f64| match pace {
        Pace::Log => from * (rate * t).exp(),
        Pace::Lin => from + (to - from) * t / duration,
    };
    Wave {
        x: over(time, |t| amplitude * sin_turns(turns(t))),
        v: Some(over(time, |t| {
            TAU * frequency(t) * amplitude * cos_turns(turns(t))
        })),
    }
}

/// Sines of equal height at the multiples `lines` of 1 / `period`, with phases drawn from `seed`,
/// scaled so that the largest sample has the amplitude. `samples` per period, `cycles` periods and
/// the sample that closes the last one.
pub fn multisine(
    amplitude: f64,
    lines: std::ops::RangeInclusive<usize>,
    period: f64,
    samples: usize,
    cycles: usize,
    seed: u64,
) -> Wave {
    let table: Vec<f64> = (0..samples)
        .map(|i| sin_turns(i as f64 / samples as f64))
        .collect();
    let cosines: Vec<f64> = (0..samples)
        .map(|i| cos_turns(i as f64 / samples as f64))
        .collect();
    let mut random = Rng::new(seed);
    let (mut x, mut v) = (vec![0.0; samples], vec![0.0; samples]);
    for line in lines {
        let phase = random.uniform();
        let (sine, cosine) = (sin_turns(phase), cos_turns(phase));
        let speed = TAU * line as f64 / period;
        let mut at = 0;
        for i in 0..samples {
            x[i] += table[at] * cosine + cosines[at] * sine;
            v[i] += speed * (cosines[at] * cosine - table[at] * sine);
            at = (at + line) % samples;
        }
    }
    let largest = x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let scale = if largest > 0.0 {
        amplitude / largest
    } else {
        0.0
    };
    let repeat = |one: &[f64]| {
        one.iter()
            .map(|value| scale * value)
            .cycle()
            .take(samples * cycles + 1)
            .collect()
    };
    Wave {
        x: repeat(&x),
        v: Some(repeat(&v)),
    }
}

fn over(time: &[f64], f: impl Fn(f64) -> f64) -> Vec<f64> {
    time.iter().map(|&t| f(t)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(n: usize, dt: f64) -> Vec<f64> {
        (0..n).map(|i| i as f64 * dt).collect()
    }

    /// Velocities agree with central differences of the displacement.
    fn assert_velocity(time: &[f64], wave: &Wave, tolerance: f64) {
        let v = wave.v.as_ref().unwrap();
        let largest = v.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        for i in 1..time.len() - 1 {
            let slope = (wave.x[i + 1] - wave.x[i - 1]) / (time[i + 1] - time[i - 1]);
            assert!((slope - v[i]).abs() < tolerance * largest, "{i}");
        }
    }

    #[test]
    fn sine_is_exact_at_quarter_turns() {
        let wave = sine(&[0.0, 0.25, 0.5, 0.75, 1.0, 1.25], 2.0, 1.0);
        assert_eq!(wave.x, [0.0, 2.0, 0.0, -2.0, 0.0, 2.0]);
        let time = grid(1001, 1e-3);
        // A central difference of a sine is off by (2 pi f dt)^2 / 6.
        assert_velocity(&time, &sine(&time, 1e-3, 3.0), 1e-4);
    }

    #[test]
    fn triangle_and_ramp_have_straight_flanks() {
        let wave = triangle(&[0.0, 0.125, 0.25, 0.5, 0.75, 0.875, 1.0], 1.0, 1.0);
        assert_eq!(wave.x, [0.0, 0.5, 1.0, 0.0, -1.0, -0.5, 0.0]);
        let wave = ramp(&[0.0, 0.05, 0.1, 2.0], 3.0, 0.1);
        assert_eq!(wave.x, [0.0, 1.5, 3.0, 3.0]);
    }

    #[test]
    fn sweeps_reach_both_ends() {
        let time = grid(100_001, 1e-4);
        for pace in [Pace::Log, Pace::Lin] {
            for ends in [[1.0, 20.0], [20.0, 1.0]] {
                let wave = sweep(&time, 1.0, ends, 10.0, pace);
                assert_velocity(&time, &wave, 1e-4);
                let v = wave.v.unwrap();
                assert!((v[0] / TAU - ends[0]).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn multisine_repeats_and_has_the_amplitude() {
        let wave = multisine(1e-3, 2..=20, 1.0, 1000, 2, 7);
        assert_eq!(wave.x.len(), 2001);
        assert_eq!(wave.x[..1000], wave.x[1000..2000]);
        assert_eq!(wave.x[0], wave.x[2000]);
        let largest = wave.x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        assert!((largest - 1e-3).abs() < 1e-15);
        assert_velocity(&grid(2001, 1e-3), &wave, 4e-3);
        assert_ne!(wave.x, multisine(1e-3, 2..=20, 1.0, 1000, 2, 8).x);
    }
}
