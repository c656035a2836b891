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
        // A record without force leaves some guesses undefined.
        let known = |v: f64, default: f64| if v.is_nan() { default } else { v };
        let each = own.iter().zip(params);
        p.extend(each.map(|(v, q)| known(*v, q.default).clamp(q.min, q.max)));
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
    use masing_model::{Assembly, Shape};

    fn model(text: &str) -> Model {
        let assembly = Assembly::from_names(text, |_| Shape::default()).unwrap();
        Model::with_defaults(assembly, None).unwrap()
    }

    /// A loop of 1 mm and 200 N whose stiffness falls from 4e5 to 1e5 N/m.
    fn features() -> Features {
        Features {
            amplitude: 1e-3,
            force: 200.0,
            slope_after: 4e5,
            slope_before: 1e5,
            secant: 2e5,
            speed: 0.02,
            energy: 0.2,
        }
    }

    /// The parts of a sum share the loop: together they begin as stiff as one part alone would.
    #[test]
    fn parts_of_a_sum_share_the_loop() {
        let one = guess(&model("spring"), &features());
        let three = guess(&model("spring+spring+spring"), &features());
        assert_eq!(three.len(), 3);
        assert!((three.iter().sum::<f64>() / one[0] - 1.0).abs() < 1e-12);
    }

    /// A search begins inside the range of every parameter, whatever the record looks like.
    #[test]
    fn guesses_stay_within_the_ranges_of_parameters() {
        for scale in [0.0, 1e-15, 1.0, 1e15] {
            let all = features();
            let odd = Features {
                force: scale * all.force,
                slope_after: scale * all.slope_after,
                slope_before: -scale * all.slope_before,
                secant: scale * all.secant,
                energy: scale * all.energy,
                speed: 0.0,
                ..all
            };
            for name in masing_model::registry::names() {
                // Some stand only inside others.
                let Ok(assembly) = Assembly::from_names(&name, |_| Shape::default()) else {
                    continue;
                };
                let model = Model::with_defaults(assembly, None).unwrap();
                let params = model.params();
                for (value, (address, param)) in guess(&model, &odd).iter().zip(params) {
                    let inside = (param.min..=param.max).contains(value);
                    assert!(inside, "{address}: {value} at {scale}");
                }
            }
        }
    }

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
