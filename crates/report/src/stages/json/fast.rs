//! Results of the fast record, for programs.

use super::NodeDocument;
use crate::json::{document, each};
use masing_diagnostic::Diagnostic;
use masing_stages::{
    Cumulative, Device, Dynamics, Energy, Fast, Judged, Linearised, Measured, Mended, Metrics,
    Motion, OfMotion, Regimes, Stage, StageEnergy, Viscous,
};
use serde_json::{Map, Value, json};

document! {
    /// Keys beside `quasi_static`.
    pub(crate) FastDocument(fast: &Fast, slow: &Device) {
        dynamic: RecordDocument = RecordDocument::of(&fast.motion, slow, &fast.dynamics, fast.time_unit),
        formulations: Vec<FormulationDocument> =
            each(&fast.dynamics.judged, |judged| FormulationDocument::of(judged, fast.time_unit)),
        ranking: Vec<&'static str> = fast.dynamics.ranking.clone(),
        refined: RefinedDocument = RefinedDocument::of(&fast.dynamics, fast.time_unit),
        /// Whether the refined device leaves more than noise.
        #[serde(skip)]
        beyond_noise: bool = fast.dynamics.diagnostics.iter().any(Diagnostic::is_beyond_noise),
    }
}

document! {
    /// The record and its energy.
    pub(crate) RecordDocument(motion: &Motion, slow: &Device, found: &Dynamics, unit: f64) {
        samples: usize = motion.len(),
        measured: &'static str = match motion.measured {
            Measured::Angle => "angle",
            Measured::Velocity => "velocity",
            Measured::Acceleration => "acceleration",
        },
        noise: f64 = motion.noise,
        inertia: f64 = motion.inertia,
        eta: f64 = found.eta,
        mended: MendedDocument = MendedDocument::of(&motion.mended),
        time_unit: f64 = unit,
        energy: EnergyDocument = EnergyDocument::of(&found.energy),
        linearisation: LinearisedDocument = LinearisedDocument::of(&found.linearised, slow),
        stages: Vec<StageDocument> =
            each(&found.energy.stages, |own| StageDocument::of(&found.refined.device, own)),
        cumulative: Vec<CumulativeDocument> =
            each(&found.cumulative, |own| CumulativeDocument::of(own, &found.refined.device)),
        regimes: RegimesDocument = RegimesDocument::of(found.regimes[0]),
        regimes_last_crossing: RegimesDocument = RegimesDocument::of(found.regimes[1]),
    }
}

document! {
    pub(crate) EnergyDocument(energy: &Energy) {
        work: f64 = energy.work,
        elastic: f64 = energy.elastic,
        kinetic: f64 = energy.kinetic,
        dissipated: f64 = energy.dissipated,
        quasi_static: f64 = energy.slow,
    }
}

document! {
    /// What contradicted a start in equilibrium and an end at rest, and was mended; null where nothing was.
    pub(crate) MendedDocument(mended: &Mended) {
        angle_shift: Option<f64> = mended.angle,
        held_start: Option<f64> = mended.start,
        velocity_zero: Option<f64> = mended.velocity,
        angle_wander: Option<f64> = mended.wander,
    }
}

document! {
    /// Differences are of the largest torque.
    pub(crate) LinearisedDocument(found: &Linearised, slow: &Device) {
        window: f64 = found.window,
        mean_deviation: f64 = found.deviation[0],
        max_deviation: f64 = found.deviation[1],
        elastic_mean_deviation: f64 = found.elastic_deviation[0],
        elastic_max_deviation: f64 = found.elastic_deviation[1],
        elastic_by_stage: Vec<StageDeviation> =
            each(&found.by_stage(slow), |own| StageDeviation::of(slow, *own)),
    }
}

document! {
    /// The largest difference of the elastic torque at turning points within one stage.
    pub(crate) StageDeviation(device: &Device, own: (Stage, usize, f64)) {
        name: String = device.name(own.0.outer),
        turning_points: usize = own.1,
        max_deviation: f64 = own.2,
    }
}

document! {
    /// Friction and damping by the energy over time; `viscous` is `none`, `one` or `nodes`.
    pub(crate) CumulativeDocument(found: &Cumulative, device: &Device) {
        clearance_friction: bool = found.extra.clearance,
        viscous: &'static str = match found.extra.viscous {
            Viscous::None => "none",
            Viscous::One => "one",
            Viscous::Nodes => "nodes",
        },
        chi2: f64 = found.chi2,
        nodes: Vec<CumulativeNode> =
            (0..device.len()).map(|i| CumulativeNode::of(found, device, i)).collect(),
    }
}

document! {
    pub(crate) CumulativeNode(found: &Cumulative, device: &Device, node: usize) {
        name: String = device.name(node),
        friction: f64 = found.friction[node],
        viscous: f64 = found.viscous[node],
    }
}

document! {
    /// The balance of one stage; a gain is null where nothing was dissipated.
    pub(crate) StageDocument(device: &Device, own: &StageEnergy) {
        name: String = device.name(own.stage.outer),
        energy: f64 = own.energy,
        coverage: f64 = own.coverage,
        gain: Option<f64> = Some(own.gain[0]).filter(|gain| gain.is_finite()),
        accepted: bool = own.accepted[0],
        gain_viscous: Option<f64> = Some(own.gain[1]).filter(|gain| gain.is_finite()),
        accepted_viscous: bool = own.accepted[1],
    }
}

document! {
    /// Instants at which double-sided and all impacts end (s).
    pub(crate) RegimesDocument(regimes: Regimes) {
        double_ends: Option<f64> = regimes.double_ends,
        single_ends: Option<f64> = regimes.single_ends,
    }
}

document! {
    /// One formulation.
    pub(crate) FormulationDocument(judged: &Judged, unit: f64) {
        name: &'static str = judged.formulation.name,
        parameters: Map<String, Value> = {
            let parameters = judged.formulation.parameters.iter();
            parameters.map(|(name, value)| (name.clone(), json!(value))).collect()
        },
        #[serde(flatten)]
        metrics: MetricsDocument = MetricsDocument::of(&judged.metrics, unit),
    }
}

document! {
    /// R1 to R6; R4 to R6 in units of `time_unit`.
    #[derive(Clone, Copy)]
    pub(crate) MetricsDocument(metrics: &Metrics, unit: f64) {
        #[serde(rename = "R1")]
        r1: Option<Errors> = metrics.errors[0].map(Errors::of),
        #[serde(rename = "R2")]
        r2: Option<Errors> = metrics.errors[1].map(Errors::of),
        #[serde(rename = "R3")]
        r3: Option<Errors> = metrics.errors[2].map(Errors::of),
        #[serde(rename = "R4")]
        r4: Option<f64> = metrics.periods[0].map(|period| period / unit),
        #[serde(rename = "R5")]
        r5: Option<f64> = metrics.periods[1].map(|period| period / unit),
        #[serde(rename = "R6")]
        r6: Option<f64> = metrics.periods[2].map(|period| period / unit),
        last_crossing: [Option<f64>; 3] =
            metrics.periods_last_crossing.map(|period| period.map(|period| period / unit)),
        rms_theta: f64 = metrics.rms_angle,
    }
}

document! {
    #[derive(Clone, Copy)]
    pub(crate) Errors(of: OfMotion) {
        theta: f64 = of[0],
        omega: f64 = of[1],
        alpha: f64 = of[2],
    }
}

document! {
    /// The refined device.
    pub(crate) RefinedDocument(found: &Dynamics, unit: f64) {
        nodes: Vec<NodeDocument> = nodes(found),
        /// Stiffness; its error is that of the scale alone, 0 where no scale was sought.
        stages: Vec<super::StageDocument> = each(&found.refined.device.stages(), |&stage| {
            let device = &found.refined.device;
            let k = device.stiffness(stage);
            let own = found.refined.scales.iter().find(|s| s.0 == stage.outer);
            let error = own.map_or(0.0, |(_, scale, error)| k / scale * error);
            super::StageDocument::of(device, stage, k, error)
        }),
        viscous: f64 = found.refined.viscous[0],
        viscous_std_error: f64 = found.refined.viscous[1],
        stiffness_scales: Map<String, Value> = {
            let scale = |(node, value, error): &(usize, f64, f64)| {
                let entry = json!({ "value": value, "std_error": error });
                (found.refined.device.name(*node), entry)
            };
            found.refined.scales.iter().map(scale).collect()
        },
        chi2_dof: f64 = found.refined.chi2_dof,
        lag1: f64 = found.refined.lag1,
        evaluations: usize = found.refined.evaluations,
        converged: bool = found.refined.stop.converged(),
        stop: &'static str = found.refined.stop.word(),
        #[serde(flatten)]
        metrics: MetricsDocument = MetricsDocument::of(&found.refined_metrics, unit),
    }
}

fn nodes(found: &Dynamics) -> Vec<NodeDocument> {
    let refined = &found.refined;
    let device = &refined.device;
    let node = |i: usize| {
        let edge = match i {
            i if i == device.minus => refined.edge_error[0],
            i if i == device.plus => refined.edge_error[1],
            _ => None,
        };
        let errors = [edge, None, refined.friction_error[i]];
        NodeDocument::of(device, i, errors, Some(refined.status[i].word()))
    };
    (0..device.len()).map(node).collect()
}

impl MetricsDocument {
    /// R4 to R6.
    pub(crate) fn periods(&self) -> [Option<f64>; 3] {
        [self.r4, self.r5, self.r6]
    }
}
