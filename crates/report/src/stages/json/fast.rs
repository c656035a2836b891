//! Results of the fast record, for programs.

use super::{NodeDocument, NodeErrors};
use masing_diagnostic::Diagnostic;
use masing_stages::{
    Cumulative, Device, Dynamics, Fast, Measured, Metrics, Motion, OfMotion, Regimes, Viscous,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// Keys in addition to `quasi_static`.
#[derive(JsonSchema, Serialize)]
pub(crate) struct FastDocument {
    pub(crate) dynamic: RecordDocument,
    pub(crate) formulations: Vec<FormulationDocument>,
    pub(crate) ranking: Vec<&'static str>,
    pub(crate) refined: RefinedDocument,
    /// Whether the residual of the refined device is larger than noise.
    #[serde(skip)]
    pub(crate) beyond_noise: bool,
}

/// The record and its energy.
#[derive(JsonSchema, Serialize)]
pub(crate) struct RecordDocument {
    pub(crate) samples: usize,
    pub(crate) measured: &'static str,
    pub(crate) noise: f64,
    pub(crate) inertia: f64,
    pub(crate) eta: f64,
    pub(crate) mended: MendedDocument,
    pub(crate) time_unit: f64,
    pub(crate) energy: EnergyDocument,
    pub(crate) linearisation: LinearisedDocument,
    pub(crate) stages: Vec<StageDocument>,
    pub(crate) cumulative: Vec<CumulativeDocument>,
    pub(crate) regimes: RegimesDocument,
    pub(crate) regimes_last_crossing: RegimesDocument,
}

#[derive(JsonSchema, Serialize)]
pub(crate) struct EnergyDocument {
    pub(crate) work: f64,
    pub(crate) elastic: f64,
    pub(crate) kinetic: f64,
    pub(crate) dissipated: f64,
    pub(crate) quasi_static: f64,
}

/// Corrections for a start in equilibrium and an end at rest; null where none were needed.
#[derive(JsonSchema, Serialize)]
pub(crate) struct MendedDocument {
    pub(crate) angle_shift: Option<f64>,
    pub(crate) held_start: Option<f64>,
    pub(crate) velocity_zero: Option<f64>,
    pub(crate) angle_wander: Option<f64>,
}

/// Differences are relative to the largest torque.
#[derive(JsonSchema, Serialize)]
pub(crate) struct LinearisedDocument {
    pub(crate) window: f64,
    pub(crate) mean_deviation: f64,
    pub(crate) max_deviation: f64,
    pub(crate) elastic_mean_deviation: f64,
    pub(crate) elastic_max_deviation: f64,
    pub(crate) elastic_by_stage: Vec<StageDeviation>,
}

/// The largest difference of the elastic torque at turning points within one stage.
#[derive(JsonSchema, Serialize)]
pub(crate) struct StageDeviation {
    pub(crate) name: String,
    pub(crate) turning_points: usize,
    pub(crate) max_deviation: f64,
}

/// Friction and damping from the energy over time; `viscous` is `none`, `one` or `nodes`.
#[derive(JsonSchema, Serialize)]
pub(crate) struct CumulativeDocument {
    pub(crate) clearance_friction: bool,
    pub(crate) viscous: &'static str,
    pub(crate) chi2: f64,
    pub(crate) nodes: Vec<CumulativeNode>,
}

#[derive(JsonSchema, Serialize)]
pub(crate) struct CumulativeNode {
    pub(crate) name: String,
    pub(crate) friction: f64,
    pub(crate) viscous: f64,
}

impl CumulativeDocument {
    fn of(found: &Cumulative, device: &Device) -> Self {
        let nodes = (0..device.len()).map(|i| CumulativeNode {
            name: device.name(i),
            friction: found.friction[i],
            viscous: found.viscous[i],
        });
        Self {
            clearance_friction: found.extra.clearance,
            viscous: match found.extra.viscous {
                Viscous::None => "none",
                Viscous::One => "one",
                Viscous::Nodes => "nodes",
            },
            chi2: found.chi2,
            nodes: nodes.collect(),
        }
    }
}

/// The balance of one stage; a gain is null where nothing was dissipated.
#[derive(JsonSchema, Serialize)]
pub(crate) struct StageDocument {
    pub(crate) name: String,
    pub(crate) energy: f64,
    pub(crate) coverage: f64,
    pub(crate) gain: Option<f64>,
    pub(crate) accepted: bool,
    pub(crate) gain_viscous: Option<f64>,
    pub(crate) accepted_viscous: bool,
}

/// Instants at which double-sided and all impacts end (s).
#[derive(JsonSchema, Serialize)]
pub(crate) struct RegimesDocument {
    pub(crate) double_ends: Option<f64>,
    pub(crate) single_ends: Option<f64>,
}

/// One formulation.
#[derive(JsonSchema, Serialize)]
pub(crate) struct FormulationDocument {
    pub(crate) name: &'static str,
    pub(crate) parameters: Map<String, Value>,
    #[serde(flatten)]
    pub(crate) metrics: MetricsDocument,
}

/// R1 to R6; R4 to R6 in units of `time_unit`.
#[derive(Clone, Copy, JsonSchema, Serialize)]
pub(crate) struct MetricsDocument {
    #[serde(rename = "R1")]
    pub(crate) r1: Option<Errors>,
    #[serde(rename = "R2")]
    pub(crate) r2: Option<Errors>,
    #[serde(rename = "R3")]
    pub(crate) r3: Option<Errors>,
    #[serde(rename = "R4")]
    pub(crate) r4: Option<f64>,
    #[serde(rename = "R5")]
    pub(crate) r5: Option<f64>,
    #[serde(rename = "R6")]
    pub(crate) r6: Option<f64>,
    pub(crate) last_crossing: [Option<f64>; 3],
    pub(crate) rms_theta: f64,
}

#[derive(Clone, Copy, JsonSchema, Serialize)]
pub(crate) struct Errors {
    pub(crate) theta: f64,
    pub(crate) omega: f64,
    pub(crate) alpha: f64,
}

/// The refined device.
#[derive(JsonSchema, Serialize)]
pub(crate) struct RefinedDocument {
    pub(crate) nodes: Vec<NodeDocument>,
    /// Stiffness; its error is that of the scale alone, 0 where no scale was estimated.
    pub(crate) stages: Vec<super::StageDocument>,
    pub(crate) viscous: f64,
    pub(crate) viscous_std_error: f64,
    pub(crate) stiffness_scales: Map<String, Value>,
    pub(crate) chi2_dof: f64,
    pub(crate) lag1: f64,
    pub(crate) evaluations: usize,
    pub(crate) converged: bool,
    pub(crate) stop: &'static str,
    #[serde(flatten)]
    pub(crate) metrics: MetricsDocument,
}

impl FastDocument {
    pub fn of(fast: &Fast, slow: &Device) -> Self {
        let (motion, found, unit) = (&fast.motion, &fast.dynamics, fast.time_unit);
        let formulations = found.judged.iter().map(|j| FormulationDocument {
            name: j.formulation.name,
            parameters: j
                .formulation
                .parameters
                .iter()
                .map(|(name, value)| (name.clone(), json!(value)))
                .collect(),
            metrics: MetricsDocument::of(&j.metrics, unit),
        });
        Self {
            dynamic: RecordDocument::of(motion, slow, found, unit),
            formulations: formulations.collect(),
            ranking: found.ranking.clone(),
            refined: RefinedDocument::of(found, unit),
            beyond_noise: found.diagnostics.iter().any(Diagnostic::is_beyond_noise),
        }
    }
}

impl RecordDocument {
    fn of(motion: &Motion, slow: &Device, found: &Dynamics, time_unit: f64) -> Self {
        let device = &found.refined.device;
        let finite = |value: f64| value.is_finite().then_some(value);
        let stages = found.energy.stages.iter().map(|s| StageDocument {
            name: device.name(s.stage.outer),
            energy: s.energy,
            coverage: s.coverage,
            gain: finite(s.gain[0]),
            accepted: s.accepted[0],
            gain_viscous: finite(s.gain[1]),
            accepted_viscous: s.accepted[1],
        });
        let regimes = |r: Regimes| RegimesDocument {
            double_ends: r.double_ends,
            single_ends: r.single_ends,
        };
        Self {
            samples: motion.len(),
            measured: match motion.measured {
                Measured::Angle => "angle",
                Measured::Velocity => "velocity",
                Measured::Acceleration => "acceleration",
            },
            noise: motion.noise,
            inertia: motion.inertia,
            eta: found.eta,
            mended: MendedDocument {
                angle_shift: motion.mended.angle,
                held_start: motion.mended.start,
                velocity_zero: motion.mended.velocity,
                angle_wander: motion.mended.wander,
            },
            time_unit,
            energy: EnergyDocument {
                work: found.energy.work,
                elastic: found.energy.elastic,
                kinetic: found.energy.kinetic,
                dissipated: found.energy.dissipated,
                quasi_static: found.energy.slow,
            },
            linearisation: LinearisedDocument {
                window: found.linearised.window,
                mean_deviation: found.linearised.deviation[0],
                max_deviation: found.linearised.deviation[1],
                elastic_mean_deviation: found.linearised.elastic_deviation[0],
                elastic_max_deviation: found.linearised.elastic_deviation[1],
                elastic_by_stage: found
                    .linearised
                    .by_stage(slow)
                    .into_iter()
                    .map(|(stage, turning_points, max_deviation)| StageDeviation {
                        name: slow.name(stage.outer),
                        turning_points,
                        max_deviation,
                    })
                    .collect(),
            },
            stages: stages.collect(),
            cumulative: found
                .cumulative
                .iter()
                .map(|c| CumulativeDocument::of(c, device))
                .collect(),
            regimes: regimes(found.regimes[0]),
            regimes_last_crossing: regimes(found.regimes[1]),
        }
    }
}

impl MetricsDocument {
    fn of(metrics: &Metrics, unit: f64) -> Self {
        let errors = |of: Option<OfMotion>| {
            of.map(|[theta, omega, alpha]| Errors {
                theta,
                omega,
                alpha,
            })
        };
        let period = |value: Option<f64>| value.map(|v| v / unit);
        Self {
            r1: errors(metrics.errors[0]),
            r2: errors(metrics.errors[1]),
            r3: errors(metrics.errors[2]),
            r4: period(metrics.periods[0]),
            r5: period(metrics.periods[1]),
            r6: period(metrics.periods[2]),
            last_crossing: metrics.periods_last_crossing.map(period),
            rms_theta: metrics.rms_angle,
        }
    }

    /// R4 to R6.
    pub fn periods(&self) -> [Option<f64>; 3] {
        [self.r4, self.r5, self.r6]
    }
}

impl RefinedDocument {
    fn of(found: &Dynamics, unit: f64) -> Self {
        let refined = &found.refined;
        let device = &refined.device;
        let edge = |node: usize| match node {
            n if n == device.minus => refined.edge_error[0],
            n if n == device.plus => refined.edge_error[1],
            _ => None,
        };
        let nodes = (0..device.len()).map(|i| NodeDocument {
            name: device.name(i),
            angle: device.angles[i],
            torque: device.torques[i],
            friction: device.friction[i],
            hysteresis: 2.0 * device.friction[i],
            std_error: NodeErrors {
                angle: edge(i),
                torque: None,
                friction: refined.friction_error[i],
            },
            status: Some(refined.status[i].word()),
        });
        let stages = device.stages().into_iter().map(|stage| {
            let k = device.stiffness(stage);
            let own = refined.scales.iter().find(|s| s.0 == stage.outer);
            super::StageDocument {
                name: device.name(stage.outer),
                side: super::side(stage.side),
                stiffness: k,
                std_error: own.map_or(0.0, |(_, scale, error)| k / scale * error),
            }
        });
        Self {
            nodes: nodes.collect(),
            stages: stages.collect(),
            viscous: refined.viscous[0],
            viscous_std_error: refined.viscous[1],
            stiffness_scales: refined
                .scales
                .iter()
                .map(|(node, value, error)| {
                    let entry = json!({ "value": value, "std_error": error });
                    (device.name(*node), entry)
                })
                .collect(),
            chi2_dof: refined.chi2_dof,
            lag1: refined.lag1,
            evaluations: refined.evaluations,
            converged: refined.stop.converged(),
            stop: refined.stop.word(),
            metrics: MetricsDocument::of(&found.refined_metrics, unit),
        }
    }
}
