//! Parallel spring-sliders (Prandtl-Ishlinskii).
//!
//! F = sum z_i,  z_i = clip(z_i + ks_i dx, -ks_i ys_i, ks_i ys_i)
//!
//! Any loop that obeys Masing's rule is approached by enough sliders. Step, tangent and adjoint cost
//! one pass over the sliders. Limits that grow, and sliders spread by a few numbers: `grown`.
//!
//! Reference: Iwan, W. D. (1966), J. Appl. Mech. 33(4), 893-900.

mod grown;

use crate::element::{Cotangent, Element, Memory, Step, Tangent, Tape};
use crate::error::{ModelError, StepError};
use crate::law::Law;
use crate::registry::{Kind, Shape};
use crate::scalar::sign;
use crate::spec::Spec;

crate::params! {
    /// Stiffnesses of the springs.
    ks: "N/m", 1e-3..=1e12, 1e5;
    /// Displacements at which the sliders slip.
    ys: "m", 1e-12..=1e6, 1e-3;
}

/// Registry entry.
pub const KIND: Kind = Kind {
    name: NAME,
    summary: "parallel spring-sliders: any loop that obeys Masing's rule",
    equations: "F = sum z_i,  z_i = clip(z_i + ks_i dx, -ks_i ys_i, ks_i ys_i)",
    reference: "Iwan (1966), J. Appl. Mech. 33(4), 893-900",
    options: &[
        (
            "spread",
            "number of sliders whose slip displacements run from `ymin` to `ymax` by equal factors, instead of lists",
        ),
        (
            "weights",
            "with `spread`, 1 to seek the slip force of each slider; 0: they follow `zs` and `tilt` (default)",
        ),
        (
            "growing",
            "1 for limits that grow with the displacement, times 1 + (x/growth)^2; 0 without (default)",
        ),
    ],
    lists: LISTS,
    optional_lists: &["zs"],
    on_request: &["ymin", "ymax", "tilt", "growth"],
    build,
    ..Kind::PLAIN
};

const NAME: &str = "iwan";
const LISTS: &[&str] = &["ks", "ys"];
const SLIDERS: usize = 8;

/// The law.
#[derive(Clone, Debug)]
pub struct Iwan {
    spec: Spec,
    sliders: usize,
}

fn build(shape: &Shape) -> Result<Box<dyn Element>, ModelError> {
    if let Some(grown) = grown::build(shape)? {
        return Ok(grown);
    }
    let sliders = shape.common_length(LISTS, SLIDERS, 1)?;
    let mut spec = Spec::new(Memory::Path, params())
        .list("ks", sliders)
        .list("ys", sliders);
    // Sliders that share a stiffness and give way one after the other.
    for i in 0..sliders {
        spec.params[i].default /= sliders as f64;
        spec.params[sliders + i].default *= (i + 1) as f64 / sliders as f64;
        spec = spec.state(format!("z[{}]", i + 1), "N");
    }
    Ok(Box::new(Iwan { spec, sliders }))
}

/// Slip direction of a slider that would be stretched to `trial`; 0 where it sticks.
fn slip(trial: f64, limit: f64) -> f64 {
    if trial.abs() > limit {
        sign(trial)
    } else {
        0.0
    }
}

impl Law for Iwan {
    named_by!(spec);
}

impl Element for Iwan {
    fn law(&self) -> &dyn Law {
        self
    }

    fn advance(
        &self,
        p: &[f64],
        s: &Step,
        z: &mut [f64],
        tape: &mut Tape,
    ) -> Result<f64, StepError> {
        let (ks, ys) = p.split_at(self.sliders);
        let mut force = 0.0;
        for i in 0..self.sliders {
            let (trial, limit) = (z[i] + ks[i] * s.dx(), ks[i] * ys[i]);
            let direction = slip(trial, limit);
            z[i] = if direction == 0.0 {
                trial
            } else {
                direction * limit
            };
            force += z[i];
            tape.push(&[direction]);
        }
        StepError::unless_finite(NAME, s, force, &[])
    }

    fn push_forward(&self, p: &[f64], s: &Step, tape: &[f64], d: &mut Tangent<'_>) {
        let (n, columns) = (self.sliders, d.columns());
        let (ks, ys) = p.split_at(n);
        for (i, row) in d.z.chunks_exact_mut(columns.max(1)).enumerate() {
            if tape[i] != 0.0 {
                row.fill(0.0);
            } else if let Some([x0, x1, ..]) = d.motion {
                for c in 0..columns {
                    row[c] += ks[i] * (x1[c] - x0[c]);
                }
            }
        }
        for (c, param) in d.param.iter().enumerate() {
            if let &Some(k) = param {
                let i = k % n;
                d.z[i * columns + c] += match (k < n, tape[i] != 0.0) {
                    (true, false) => s.dx(),
                    (true, true) => tape[i] * ys[i],
                    (false, false) => 0.0,
                    (false, true) => tape[i] * ks[i],
                };
            }
        }
        d.force.fill(0.0);
        for row in d.z.chunks_exact(columns.max(1)) {
            for (sum, own) in d.force.iter_mut().zip(row) {
                *sum += own;
            }
        }
    }

    fn pull_back(&self, p: &[f64], s: &Step, tape: &[f64], bar: &mut Cotangent<'_>) {
        let n = self.sliders;
        let (ks, ys) = p.split_at(n);
        for i in 0..n {
            let after = bar.z[i] + bar.force;
            if tape[i] == 0.0 {
                bar.z[i] = after;
                bar.p[i] += after * s.dx();
                bar.motion[0] -= after * ks[i];
                bar.motion[1] += after * ks[i];
            } else {
                bar.z[i] = 0.0;
                bar.p[i] += after * tape[i] * ys[i];
                bar.p[n + i] += after * tape[i] * ks[i];
            }
        }
    }

    fn straight(&self) -> bool {
        true
    }

    fn guards(&self, p: &[f64], s: &Step, z0: &[f64], _: &[f64], out: &mut Vec<f64>) {
        let (ks, ys) = p.split_at(self.sliders);
        for i in 0..self.sliders {
            // As in the step, so that a slider left at its limit is exactly there: no event.
            out.push(((z0[i] + ks[i] * s.dx()).abs() - ks[i] * ys[i]) / ks[i]);
        }
        out.extend([s.v[1], -s.v[1]]);
    }
}
