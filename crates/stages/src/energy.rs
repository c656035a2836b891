//! The energy balance of a fast record, whole and stage by stage.
//!
//! The work of the load that is neither stored nor kinetic energy was dissipated: E = W - dU - dV. Within a stage the
//! friction is a straight line from the inner node to the outer one, so that with w the way through the stage (0 to 1
//! on either side), a = int tanh(eta omega) omega, b = the same weighted by w: E_j = h_inner (a - b) + h_outer b. From
//! the clearance outwards every stage gives its outer node; an error of the inner one is amplified (a - b) / b times:
//! the gain.

use super::device::{Device, Stage};
use super::motion::Motion;
use super::paths::ends;
use super::polyline::place;
use masing_diagnostic::thresholds;

/// Energies of a record (J) and integrals that coefficients follow from.
#[derive(Clone, Debug)]
pub struct Energy {
    /// What the load gave.
    pub work: f64,
    /// Change of the elastic energy.
    pub elastic: f64,
    /// Change of the kinetic energy.
    pub kinetic: f64,
    /// What was dissipated.
    pub dissipated: f64,
    /// What the friction of the slow test would dissipate on the same motion.
    pub slow: f64,
    /// int omega^2 dt.
    pub viscous: f64,
    /// int omega tanh(eta omega) dt.
    pub coulomb: f64,
    /// Stage by stage, from the clearance outwards.
    pub stages: Vec<StageEnergy>,
}

/// One stage of the balance.
#[derive(Clone, Debug)]
pub struct StageEnergy {
    /// The stage.
    pub stage: Stage,
    /// Energy dissipated in it.
    pub energy: f64,
    /// How much of the stage the motion covered.
    pub coverage: f64,
    /// Amplification of an error at the inner node: for friction and for damping.
    pub gain: [f64; 2],
    /// Whether friction and damping of the outer node were accepted.
    pub accepted: [bool; 2],
    /// Friction at the outer node.
    pub friction: f64,
    /// Damping at the outer node.
    pub viscous: f64,
}

/// Integrals over one stage for friction and damping.
#[derive(Clone, Copy, Default)]
struct Share {
    energy: f64,
    a: [f64; 2],
    b: [f64; 2],
    reach: f64,
}

impl Energy {
    /// The balance of a record.
    pub fn of(motion: &Motion, device: &Device, eta: f64) -> Self {
        let shares = motion.shares();
        let (n, elastic) = (motion.len(), device.elastic());
        let stages = device.stages();
        let mut own = vec![Share::default(); stages.len()];
        let (mut work, mut slow, mut viscous, mut coulomb) = (0.0, 0.0, 0.0, 0.0);
        for i in 0..n {
            let (x, v, q) = (motion.angle[i], motion.velocity[i], shares[i]);
            let rub = q * v * (eta * v).tanh();
            work += q * motion.torque[i] * v;
            slow += device.friction_at(x) * rub;
            viscous += q * v * v;
            coulomb += rub;
            let (piece, share) = place(&device.angles, x);
            let Some(k) = stages.iter().position(|s| s.inner.min(s.outer) == piece) else {
                continue;
            };
            let way = if stages[k].outer > stages[k].inner {
                share
            } else {
                1.0 - share
            };
            let inertial = motion.inertia * motion.acceleration[i];
            own[k].energy += q * v * (motion.torque[i] - elastic.at(x) - inertial);
            own[k].reach = own[k].reach.max(way);
            for (kind, term) in [rub, q * v * v].into_iter().enumerate() {
                own[k].a[kind] += term;
                own[k].b[kind] += term * way;
            }
        }
        let [low, high] = ends(&motion.angle);
        for (stage, share) in stages.iter().zip(&mut own) {
            let outer = device.angles[stage.outer];
            if share.reach > 0.0 && (low..=high).contains(&outer) {
                // Crossed, even if no sample lies at its very end.
                share.reach = 1.0;
            }
        }
        let stored = elastic.area(motion.angle[n - 1]) - elastic.area(motion.angle[0]);
        let square = motion.velocity[n - 1].powi(2) - motion.velocity[0].powi(2);
        let kinetic = 0.5 * motion.inertia * square;
        let dissipated = work - stored - kinetic;
        let mut energy = Self {
            work,
            elastic: stored,
            kinetic,
            dissipated,
            slow,
            viscous,
            coulomb,
            stages: Vec::new(),
        };
        energy.stages = energy.outwards(device, &stages, &own);
        energy
    }

    /// Ratio of the dissipated energy to that under slow loading.
    pub fn ratio(&self) -> f64 {
        if self.slow > 0.0 {
            (self.dissipated / self.slow).max(0.0)
        } else {
            1.0
        }
    }

    /// Friction and damping of a node in the proportion of the slow friction, scaled so that together they dissipate
    /// the measured energy; used where the balance gives nothing, as in a clearance.
    pub fn grown(&self, device: &Device, node: usize) -> [f64; 2] {
        let slow = device.friction[node].max(0.0);
        let per_friction = if self.slow > 0.0 {
            // Both dissipate the same on the mean friction of the slow test.
            self.ratio() * self.coulomb / self.viscous
        } else {
            0.0
        };
        [slow * self.ratio(), slow * per_friction]
    }

    /// Friction and damping of the outer nodes, stage after stage.
    fn outwards(&self, device: &Device, stages: &[Stage], own: &[Share]) -> Vec<StageEnergy> {
        let grown: Vec<[f64; 2]> = (0..device.len()).map(|i| self.grown(device, i)).collect();
        let mut friction: Vec<f64> = grown.iter().map(|g| g[0]).collect();
        let mut viscous: Vec<f64> = grown.iter().map(|g| g[1]).collect();
        let mut out = Vec::new();
        for (stage, share) in stages.iter().zip(own) {
            let mut gain = [f64::INFINITY; 2];
            let mut accepted = [false; 2];
            for (kind, values) in [&mut friction, &mut viscous].into_iter().enumerate() {
                let (a, b) = (share.a[kind], share.b[kind]);
                let inner = values[stage.inner];
                if b > 0.0 {
                    gain[kind] = (a - b) / b;
                }
                if gain[kind] <= thresholds::MOST_GAIN {
                    accepted[kind] = true;
                    values[stage.outer] = ((share.energy - inner * (a - b)) / b).max(0.0);
                } else {
                    let ratio = device.friction[stage.outer] / device.friction[stage.inner];
                    if ratio.is_finite() && ratio > 0.0 {
                        values[stage.outer] = inner * ratio;
                    }
                }
            }
            out.push(StageEnergy {
                stage: *stage,
                energy: share.energy,
                coverage: share.reach.clamp(0.0, 1.0),
                gain,
                accepted,
                friction: friction[stage.outer],
                viscous: viscous[stage.outer],
            });
        }
        out
    }
}
