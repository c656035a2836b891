//! Automatic starts.
//!
//! Every law makes its own guess from the features of the largest loop. A few seeded variations around
//! it help where the guess is only of the right order.

pub mod features;
pub(crate) mod masses;
pub(crate) mod nested;
pub(crate) mod weights;

use masing_model::{Features, Model, Rng};

/// A first guess of all values of the model, element by element; those of masses are unchanged.
pub fn guess(model: &Model, features: &Features) -> Vec<f64> {
    let parts = model.assembly().parts();
    let share = 1.0 / parts.len().max(1) as f64;
    let mut p = Vec::with_capacity(model.param_count());
    for part in parts {
        let own = part.element.law().guess(features, share);
        let params = &part.element.spec().params;
        p.extend(own.iter().zip(params).map(|(v, q)| v.clamp(q.min, q.max)));
    }
    p.extend_from_slice(model.system_values());
    p
}

/// Variations of a guess from a seed: each unknown is multiplied or divided by up to `spread`; one that
/// is zero is drawn from plus or minus its size in `sizes`, where zero means that it stays.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variations_stay_within_their_spread_and_vary_zero() {
        let all = variations(&[2.0, 0.0, 0.0, -3.0], &[1.0, 7.0, 0.0, 1.0], 5.0, 200, 1);
        let ends = |i: usize| {
            let each = || all.iter().map(|v| v[i]);
            (
                each().fold(f64::INFINITY, f64::min),
                each().fold(f64::NEG_INFINITY, f64::max),
            )
        };
        let (low, high) = ends(0);
        assert!(
            (0.4..0.5).contains(&low) && (8.0..=10.0).contains(&high),
            "{low} {high}"
        );
        // Zero between minus and plus its size; where that is zero it stays.
        let (low, high) = ends(1);
        assert!(
            (-7.0..-6.0).contains(&low) && (6.0..=7.0).contains(&high),
            "{low} {high}"
        );
        assert_eq!(ends(2), (0.0, 0.0));
        assert!(ends(3).1 < 0.0);
        // The same seed gives the same, another one others.
        assert_eq!(
            all,
            variations(&[2.0, 0.0, 0.0, -3.0], &[1.0, 7.0, 0.0, 1.0], 5.0, 200, 1)
        );
        assert_ne!(
            all,
            variations(&[2.0, 0.0, 0.0, -3.0], &[1.0, 7.0, 0.0, 1.0], 5.0, 200, 2)
        );
    }
}
