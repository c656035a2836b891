//! Whether a law depends on speed.

use crate::error::SimError;
use crate::motion::Motion;
use crate::numerics::Numerics;
use crate::prescribed::Prescribed;
use masing_model::Assembly;

/// Whether the forces of an assembly depend on the path only and not on the speed: found by trial,
/// with a path that reverses at two speeds a thousand times apart.
pub fn rate_independent(assembly: &Assembly, p: &[f64]) -> Result<bool, SimError> {
    if !assembly.parts().iter().all(|part| part.element.exact()) {
        return Ok(false);
    }
    for amplitude in [1e-5, 1e-3, 1e-1] {
        let path = [0.0, 0.4, 1.0, 0.2, -0.7, -1.0, -0.1, 0.5, 0.3, 0.3, 0.9];
        let x: Vec<f64> = path.iter().map(|x| x * amplitude).collect();
        let run = |dt: f64| {
            let time = (0..x.len()).map(|i| i as f64 * dt).collect();
            let motion = Motion::new(time, x.clone(), None)?;
            Prescribed::new(assembly, &motion, Numerics::default()).run(p)
        };
        let (slow, fast) = (run(1.0)?, run(1e-3)?);
        let size = slow.iter().fold(0.0_f64, |m, f| m.max(f.abs()));
        let same = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * size;
        if !slow.iter().zip(&fast).all(same) {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use masing_model::Shape;

    #[test]
    fn laws_are_told_apart() {
        for (sum, expected) in [
            (
                "spring+jenkins+dahl+bouc-wen+iwan+sts+polynomial-spring",
                true,
            ),
            ("spring+dashpot", false),
            ("rt", false),
            ("maxwell", false),
            ("coulomb", false),
            ("power-dashpot", false),
        ] {
            let assembly = Assembly::from_names(sum, |_| Shape::default()).unwrap();
            let p = assembly.defaults();
            assert_eq!(rate_independent(&assembly, &p), Ok(expected), "{sum}");
        }
    }
}
