//! Key figures of a model, independent of its law: rates and friction.

use crate::test::Test;
use masing_model::{Model, MotionKind};
use masing_sim::{Care, Cycled, Motion, Prescribed, Repeat, choose, sine_cycle};

/// Numbers that mean something without knowing the law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyFigures {
    /// A small amplitude: a hundredth of the large one.
    pub small: f64,
    /// The largest amplitude of the tests.
    pub large: f64,
    /// The frequency at which the rates hold (Hz).
    pub frequency: f64,
    /// Secant stiffness at the small amplitude.
    pub small_rate: f64,
    /// Secant stiffness at the large amplitude.
    pub large_rate: f64,
    /// Speed at which the friction holds: 1 mm/s, or 1 deg/s for rotation.
    pub speed: f64,
    /// Half the width of the loop in the middle of a slow stroke over the large amplitude.
    pub friction: f64,
}

/// Share of the large amplitude that counts as small.
const SMALL: f64 = 0.01;
/// Cycles of a sine after which its rate is read off, settled or not.
const CYCLES: usize = 5;
/// Samples per stroke of the slow triangle.
const PER_STROKE: usize = 100;

/// The key figures of a model over the range of its tests; `None` without a prescribed motion, or
/// if the model cannot be simulated.
pub fn key_figures(model: &Model, tests: &[Test]) -> Option<KeyFigures> {
    if model.system().is_some() {
        return None;
    }
    let loops = tests.iter().filter_map(|t| t.features());
    let largest = loops.max_by(|a, b| a.amplitude.total_cmp(&b.amplitude))?;
    let (assembly, p) = (model.assembly(), model.element_values());
    let (small, large) = (SMALL * largest.amplitude, largest.amplitude);
    let frequency = (largest.speed / (4.0 * large)).max(1e-3);
    let rate = |amplitude: f64| {
        let cycle = sine_cycle(amplitude, frequency, 0.0, Care::PICTURE.per_cycle).ok()?;
        let numerics = choose(assembly, p, &cycle, Care::PICTURE.accuracy).ok()?;
        let cycled = Cycled {
            assembly,
            cycle: &cycle,
            run_in: None,
            numerics,
        };
        let force = cycled.run(p, Repeat::Times(CYCLES)).ok()?.force;
        let least = force.iter().copied().fold(f64::INFINITY, f64::min);
        let most = force.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Some((most - least) / (2.0 * amplitude))
    };
    let speed = match model.motion() {
        MotionKind::Translation => 1e-3,
        MotionKind::Rotation => 1_f64.to_radians(),
    };
    Some(KeyFigures {
        small,
        large,
        frequency,
        small_rate: rate(small)?,
        large_rate: rate(large)?,
        speed,
        friction: friction(model, large, speed)?,
    })
}

/// Half the difference of the forces on the way up and down through the middle, second cycle of a
/// triangle.
fn friction(model: &Model, amplitude: f64, speed: f64) -> Option<f64> {
    let stroke = 2 * PER_STROKE;
    let step = amplitude / PER_STROKE as f64;
    let count = 2 * 2 * stroke;
    let time = (0..=count).map(|i| i as f64 * step / speed).collect();
    let x = (0..=count).map(|i| {
        let phase = (i + PER_STROKE) % (2 * stroke);
        let up = phase <= stroke;
        let way = if up { phase } else { 2 * stroke - phase };
        (way as f64 - PER_STROKE as f64) * step
    });
    let motion = Motion::new(time, x.collect(), None).ok()?;
    let (assembly, p) = (model.assembly(), model.element_values());
    let numerics = choose(assembly, p, &motion, Care::PICTURE.accuracy).ok()?;
    let force = Prescribed::new(assembly, &motion, numerics).run(p).ok()?;
    // Down through the middle after one and a half cycles, up again at the end.
    Some(0.5 * (force[count] - force[count - stroke]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use masing_model::{Assembly, Shape};

    #[test]
    fn a_spring_with_a_slider_has_its_rates_and_its_friction() {
        let assembly = Assembly::from_names("spring+jenkins", |_| Shape::default()).unwrap();
        let model = Model::new(assembly, None, vec![1e5, 9e5, 45.0]).unwrap();
        let x: Vec<f64> = (0..401)
            .map(|i| 1e-3 * (f64::from(i) * 0.05).sin())
            .collect();
        let time = (0..401).map(f64::from).collect();
        let motion = Motion::new(time, x.clone(), None).unwrap();
        let test = Test::new("t", motion, x);
        let found = key_figures(&model, &[test]).unwrap();
        assert!((found.small_rate - 1e6).abs() < 1.0, "{found:?}");
        assert!(
            (found.large_rate - (1e5 + 45.0 / found.large)).abs() < 100.0,
            "{found:?}"
        );
        assert!((found.friction - 45.0).abs() < 1e-9, "{found:?}");
    }
}
