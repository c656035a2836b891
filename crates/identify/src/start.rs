//! Where a search begins when nobody says.
//!
//! Chains are inverted from the slopes at the reversals and the secant of the largest loop; other
//! parameters get the size that their unit and the features of the loop suggest. A seeded handful of
//! variations around that guess makes up for what a guess by units misses.

pub mod features;
pub(crate) mod masses;

use crate::start::features::Features;
use masing_model::{Model, Part, Rng};

/// Speed exponent that a chain starts with.
const ALPHA: f64 = 0.1;

/// A first guess of all values of the model; those of masses stay as they are.
pub fn guess(model: &Model, features: &Features) -> Vec<f64> {
    let assembly = model.assembly();
    let mut p = assembly.defaults();
    let share = 1.0 / assembly.parts().len().max(1) as f64;
    for part in assembly.parts() {
        let own = &mut p[part.params.clone()];
        match part.kind.as_str() {
            "rt" | "sts" => chain(part, features, own),
            _ => by_units(part, features, share, own),
        }
        for (value, param) in own.iter_mut().zip(&part.element.spec().params) {
            *value = value.clamp(param.min, param.max);
        }
    }
    p.extend_from_slice(model.system_values());
    p
}

/// Inversion of the rate-independent chain, all but one cell loaded: with a = 1/kpa, b = (N-1)/kr the
/// slopes and the secant beyond k0 are 1/a after, 1/(a + b) before a reversal, and 1/(a + b/2); so k0
/// follows from their harmonic relation. (Bourgeteau et al., eqs 17 to 26; amplitudes throughout,
/// which doubles the printed friction.)
fn chain(part: &Part, f: &Features, own: &mut [f64]) {
    let cells = (part.states.len() - 1) as f64;
    let (after, before, secant) = (f.slope_after, f.slope_before, f.secant);
    let sum = after + before;
    let mut k0 = (2.0 * after * before - secant * sum) / (sum - 2.0 * secant);
    if !(k0 > 0.02 * secant && k0 < 0.98 * before.min(secant)) {
        // Viscous lag makes the cusp steeper than friction would; fall back on the flat part.
        k0 = 0.7 * before.min(secant).max(0.05 * secant);
    }
    let kpa = (after - k0).max(0.1 * secant);
    let rest = 1.0 / (before - k0).max(0.02 * secant) - 1.0 / kpa;
    let kr = if rest > 0.0 {
        (cells - 1.0) / rest
    } else {
        cells * kpa
    };
    let friction = ((f.force - k0 * f.amplitude) / cells).max(1e-3 * f.force / cells);
    let spec = part.element.spec();
    for (value, param) in own.iter_mut().zip(&spec.params) {
        *value = match param.base() {
            "k0" => k0,
            "kpa" => kpa,
            "kr" => kr,
            "ff" => friction,
            "c0" => friction / f.speed.max(1e-9).powf(ALPHA),
            "alpha" => ALPHA,
            _ => *value,
        };
    }
}

/// Sizes by unit: stiffness the secant, force a third of the peak, length a third of the amplitude,
/// damping what gives the energy of the loop.
fn by_units(part: &Part, f: &Features, share: f64, own: &mut [f64]) {
    let lost = (f.energy / (4.0 * f.amplitude)).max(0.05 * f.force);
    for (value, param) in own.iter_mut().zip(&part.element.spec().params) {
        if param.default == 0.0 {
            continue;
        }
        let size = match param.unit.as_str() {
            "N/m" => f.secant * share,
            "N" => lost,
            "m" => f.amplitude / 3.0,
            "N s/m" => share * lost / f.speed.max(1e-9),
            "s" => f.amplitude / f.speed.max(1e-9),
            "s/m" => 3.0 / f.speed.max(1e-9),
            "m/s" => 0.3 * f.speed.max(1e-9),
            unit => match power(unit) {
                Some((true, n)) => share * f.secant / f.amplitude.powi(n - 1),
                Some((false, n)) => share * lost / f.speed.max(1e-9).powi(n),
                None => continue,
            },
        };
        *value = size.copysign(param.default);
    }
    if part.kind.starts_with("bouc-wen") {
        // Saturation at the friction force: a = (beta + gamma) z^n, with n as it is.
        let (a, n) = (own[0], own[3]);
        own[1] = a / lost.powf(n);
        own[2] = 0.0;
    }
}

/// The power in N/m^n (true) or N (s/m)^n (false).
pub(crate) fn power(unit: &str) -> Option<(bool, i32)> {
    if let Some(n) = unit.strip_prefix("N/m^") {
        return Some((true, n.parse().ok()?));
    }
    Some((false, unit.strip_prefix("N (s/m)^")?.parse().ok()?))
}

/// Variations of a guess from a seed: each unknown times or divided by up to `spread`; one that is zero
/// anywhere between minus and plus its size in `sizes`, which is zero for those that stay.
pub fn variations(
    guess: &[f64],
    sizes: &[f64],
    spread: f64,
    count: usize,
    seed: u64,
) -> Vec<Vec<f64>> {
    let mut random = Rng::new(seed.wrapping_mul(2).wrapping_add(0x9e37_79b9_7f4a_7c15));
    (0..count)
        .map(|_| {
            let each = guess.iter().zip(sizes).map(|(v, size)| {
                let way = 2.0 * random.uniform() - 1.0;
                if *v == 0.0 {
                    size * way
                } else {
                    v * spread.powf(way)
                }
            });
            each.collect()
        })
        .collect()
}
