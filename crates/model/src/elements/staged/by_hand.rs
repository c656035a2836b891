//! The same law with derivatives written by hand: a step touches two nodes of each list, not all.

use super::Staged;
use crate::element::{Cotangent, Element, Step, Tangent, Tape};
use crate::error::StepError;
use crate::law::{Law, ReturnMap};

/// The element.
#[derive(Clone, Debug)]
pub(super) struct ByHand(pub Staged);

/// What a motion makes of the law: the force and everything its derivatives are made of.
struct At {
    /// The node at the lower end of the stage.
    stage: usize,
    /// How far the angle is between the nodes.
    share: f64,
    /// 1 / distance of the nodes.
    per_width: f64,
    /// Rises of torque, friction and damping over the stage.
    rise: [f64; 3],
    /// d force/d torque, friction, damping at the angle.
    to_value: [f64; 3],
    /// d force/d omega.
    to_speed: f64,
    /// d force/d eta.
    to_eta: f64,
    force: f64,
}

impl At {
    fn new(law: &Staged, p: &[f64], theta: f64, omega: f64) -> Self {
        let n = law.nodes;
        let stage = law.stage(p, theta);
        let per_width = 1.0 / (p[stage + 1] - p[stage]);
        let share = (theta - p[stage]) / (p[stage + 1] - p[stage]);
        let mut rise = [0.0; 3];
        let mut value = [0.0; 3];
        for list in 0..3 {
            let left = p[(list + 1) * n + stage];
            rise[list] = p[(list + 1) * n + stage + 1] - left;
            value[list] = left + share * rise[list];
        }
        let eta = p[4 * n];
        let sign = (eta * omega).tanh();
        // Friction and damping below zero count as none.
        let counts = |v: f64| f64::from(u8::from(v >= 0.0));
        let [torque, friction, damping] = value;
        let to_value = [1.0, counts(friction) * sign, counts(damping) * omega];
        let steep = counts(friction) * friction * (1.0 - sign * sign);
        Self {
            stage,
            share,
            per_width,
            rise,
            to_value,
            to_speed: steep * eta + counts(damping) * damping,
            to_eta: steep * omega,
            force: torque + friction.max(0.0) * sign + damping.max(0.0) * omega,
        }
    }

    /// d force/d theta.
    fn to_angle(&self) -> f64 {
        let each = self.rise.iter().zip(self.to_value);
        self.per_width * each.map(|(rise, to)| rise * to).sum::<f64>()
    }

    /// d force/d parameter.
    fn to_param(&self, n: usize, k: usize) -> f64 {
        let (list, node) = (k / n, k % n);
        if list == 4 {
            return self.to_eta;
        }
        let weight = match node.checked_sub(self.stage) {
            Some(0) => 1.0 - self.share,
            Some(1) => self.share,
            _ => return 0.0,
        };
        if list == 0 {
            // A node that moves away takes the line with it.
            -weight * self.to_angle()
        } else {
            weight * self.to_value[list - 1]
        }
    }
}

impl Element for ByHand {
    fn law(&self) -> &dyn Law {
        &self.0
    }

    fn advance(&self, p: &[f64], s: &Step, _: &mut [f64], _: &mut Tape) -> Result<f64, StepError> {
        let force = At::new(&self.0, p, s.x[1], s.v[1]).force;
        StepError::unless_finite(self.0.name(), s, force, &[])
    }

    fn push_forward(&self, p: &[f64], s: &Step, _: &[f64], d: &mut Tangent<'_>) {
        let at = At::new(&self.0, p, s.x[1], s.v[1]);
        match d.motion {
            Some([_, dx, _, dv]) => {
                let to_angle = at.to_angle();
                for (c, force) in d.force.iter_mut().enumerate() {
                    *force = to_angle * dx[c] + at.to_speed * dv[c];
                }
            }
            None => d.force.fill(0.0),
        }
        for (force, param) in d.force.iter_mut().zip(d.param) {
            if let Some(k) = *param {
                *force += at.to_param(self.0.nodes, k);
            }
        }
    }

    fn pull_back(&self, p: &[f64], s: &Step, _: &[f64], bar: &mut Cotangent<'_>) {
        let n = self.0.nodes;
        let at = At::new(&self.0, p, s.x[1], s.v[1]);
        bar.motion[1] += bar.force * at.to_angle();
        bar.motion[3] += bar.force * at.to_speed;
        for list in 0..4 {
            for k in [list * n + at.stage, list * n + at.stage + 1] {
                bar.p[k] += bar.force * at.to_param(n, k);
            }
        }
        bar.p[4 * n] += bar.force * at.to_eta;
    }

    fn guards(&self, p: &[f64], s: &Step, z0: &[f64], z1: &[f64], out: &mut Vec<f64>) {
        ReturnMap::guards(&self.0, p, s, z0, z1, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Mapped;

    /// Inside every stage, beyond both ends (there the coast friction is below zero), on a node.
    const ANGLES: [f64; 7] = [-0.5, -0.2, -0.05, 0.0, 0.01, 0.2, 0.35];

    #[test]
    fn equals_the_generic_derivatives() {
        let law = Staged::new(6);
        let (hand, generic) = (ByHand(law.clone()), Mapped(law));
        let mut p = hand.spec().defaults();
        p[12] = 0.1;
        p[18..24].copy_from_slice(&[0.3, 0.2, 0.1, 0.0, 0.1, 0.2]);
        let columns: Vec<Option<usize>> = (0..p.len()).map(Some).chain([None, None]).collect();
        let slope = |seed: f64| -> Vec<f64> {
            (0..columns.len())
                .map(|i| (seed + i as f64).sin())
                .collect()
        };
        let motion = [slope(1.0), slope(2.0), slope(3.0), slope(4.0)];
        for angle in ANGLES {
            for speed in [-3.0, -0.01, 0.0, 0.02] {
                let s = Step {
                    branch: None,
                    dt: 1e-3,
                    x: [0.0, angle],
                    v: [0.0, speed],
                };
                let run = |element: &dyn Element| {
                    let mut tape = Tape::on();
                    let force = element.advance(&p, &s, &mut [], &mut tape).unwrap();
                    let mut pushed = vec![0.0; columns.len()];
                    element.push_forward(
                        &p,
                        &s,
                        tape.from(0),
                        &mut Tangent {
                            branch: None,
                            param: &columns,
                            motion: Some([&motion[0], &motion[1], &motion[2], &motion[3]]),
                            z: &mut [],
                            force: &mut pushed,
                            scratch: &mut Vec::new(),
                        },
                    );
                    let mut pulled = vec![0.0; p.len()];
                    let mut bar = Cotangent {
                        branch: 0.0,
                        force: 0.7,
                        z: &mut [],
                        p: &mut pulled,
                        motion: [0.0; 4],
                        scratch: &mut Vec::new(),
                    };
                    element.pull_back(&p, &s, tape.from(0), &mut bar);
                    let moved = bar.motion;
                    [vec![force], pushed, pulled, moved.to_vec()].concat()
                };
                for (a, b) in run(&hand).iter().zip(run(&generic)) {
                    assert!(
                        (a - b).abs() <= 1e-12 * (1.0 + b.abs()),
                        "{angle} {speed}: {a} {b}"
                    );
                }
            }
        }
    }
}
