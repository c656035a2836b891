//! Spring-sliders of stiffness one under the motion of a test (stop operators).

use super::motion::Prepared;

impl Prepared {
    /// Stretch of sliders that slip at `r`, and the direction of their last slip (0 before the first), sample by
    /// sample. Turns between samples are stepped onto.
    pub fn slider(&self, r: f64) -> (Vec<f64>, Vec<f64>) {
        let n = self.x.len();
        let (mut out, mut slipped) = (Vec::with_capacity(n), Vec::with_capacity(n));
        let (mut z, mut slip) = (0.0_f64, 0.0_f64);
        let mut last = self.x[0];
        let mut turn = 0;
        if self.mid_motion {
            if let [first, second, ..] = self.turns.as_slice() {
                // A settled cycle of this stroke turns with its sliders stretched by half of it at most.
                let reach = 0.5 * (second.value - first.value).abs();
                let side = if first.top { 1.0 } else { -1.0 };
                slip = if r < reach { side } else { 0.0 };
                z = side * r.min(reach) - (first.value - self.x[0]);
                z = z.clamp(-r, r);
            }
        } else {
            z = self.y0.clamp(-r, r);
            slip = if self.y0.abs() >= r {
                self.y0.signum()
            } else {
                0.0
            };
        }
        let mut step = |to: f64, last: &mut f64| {
            let trial = z + (to - *last);
            z = trial.clamp(-r, r);
            if trial > r {
                slip = 1.0;
            } else if trial < -r {
                slip = -1.0;
            }
            *last = to;
            (z, slip)
        };
        for i in 0..n {
            while let Some(next) = self.turns.get(turn) {
                if next.position > i as f64 {
                    break;
                }
                if next.position < i as f64 {
                    step(next.value, &mut last);
                }
                turn += 1;
            }
            let (stretch, direction) = step(self.x[i], &mut last);
            out.push(stretch);
            slipped.push(direction);
        }
        (out, slipped)
    }
}
