//! Diagnostics of staged devices: the slow record, and the fast one analysed with it.

use crate::advice::Advice;
use crate::units::digits;
use crate::{Units, thresholds};

/// Why no clearance was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clearance {
    /// The torque passes zero without a gap.
    None,
    /// Next to zero the torque is smaller than its noise.
    BelowNoise,
}

/// Why friction at nodes is poorly determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeakFriction {
    /// The motion hardly enters the stage.
    HardlyEntered,
    /// Its error is a large part of it.
    LargeError,
}

/// What is sampled too coarsely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CoarseSampling {
    /// So many samples in a swing of the stiffest stage.
    Swing(f64),
    /// The torque changes by this share of its range between two samples.
    Sudden(f64),
    /// So many samples in a passage of the soft zone.
    Passage(f64),
}

/// Why a slow record shows no stages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoStages {
    /// Friction is larger than the torque of all springs.
    Friction {
        /// Largest elastic torque over largest friction.
        ratio: f64,
    },
    /// Friction builds up on the way from either turn.
    BuildsUp {
        /// Friction at the ends of the record, of the largest.
        share: f64,
    },
    /// The torque depends on where the motion turned before.
    Memory {
        /// Distance of passes in the same direction, of the friction.
        share: f64,
    },
    /// A curve without corners describes the record better.
    Smooth {
        /// What stages leave (rms), of the largest torque.
        stages: f64,
        /// What the curve leaves.
        smooth: f64,
    },
}

impl NoStages {
    /// What was found.
    pub fn text(self, units: Units) -> String {
        let (motion, torque) = (units.displacement(), units.force());
        match self {
            Self::Friction { ratio } => format!(
                "the elastic {torque} reaches {} of the friction, so that the loop is mostly friction",
                percent(ratio)
            ),
            Self::BuildsUp { share } => format!(
                "the friction builds up along the way, from {} of its largest at the ends of the record, as in a hysteresis loop",
                percent(share)
            ),
            Self::Memory { share } => format!(
                "at the same {motion} and in the same direction the {torque} of single passes differs by {} of the friction, so that it \
                 depends on where the motion turned before",
                percent(share)
            ),
            Self::Smooth { stages, smooth } => format!(
                "a smooth curve through the same nodes leaves {} of the largest {torque}, straight stages {}",
                percent(smooth),
                percent(stages)
            ),
        }
    }
}

fn percent(share: f64) -> String {
    format!("{} %", digits(100.0 * share, 2))
}

fn nodes() -> Vec<String> {
    vec!["D1".to_owned(), "D2".to_owned()]
}

diagnostics! {
    /// What the analysis of a staged device has to say.
    pub enum StagesDiagnostic, "Stages" {
        /// A part of the range was measured in one direction only.
        NotClosed { missing: f64 = 0.05 }
        code: "not-closed", severity: Warning;
        trigger: format!("More than {:.0} % of the range has no path in both directions.", 100.0 * thresholds::NOT_CLOSED);
        message(_): format!(
            "{:.0} % of the range was measured in one direction only, or lies beyond such a part, and is left out", 100.0 * missing
        );

        /// The zero of the torque moves during the slow record.
        Drift { higher: bool = true, share: f64 = 0.01 }
        code: "drift", severity: Warning;
        trigger: "Where the record comes back to the same angle, its torque differs by more than noise.";
        message(units): format!(
            "at the same {} the {} at the end of the record is {} than at its start, by {:.2} % of the largest: the zero drifts, and what is below that size cannot be trusted",
            units.displacement(), units.force(), if *higher { "higher" } else { "lower" }, 100.0 * share
        );

        /// Behind a turn friction needs some way to build up.
        TurnRound { share: f64 = 0.03 }
        code: "turn-round", severity: Note;
        trigger: "The paths behind turns differ from the others over a part of the range.";
        message(_): format!("behind a turn the friction needs {:.1} % of the range to build up; that part is left out", 100.0 * share);

        /// The torque was not zeroed.
        Zero { zero: f64 = 0.4, share: f64 = 0.005 }
        code: "zero", severity: Note;
        trigger: "Within the clearance the torque is not zero.";
        message(units): format!(
            "the zero offset of the {0} is {1:.3} {2} ({3:.2} % of the largest), its value within the clearance; it was subtracted",
            units.force(), zero, units.force_unit(), 100.0 * share
        );

        /// One edge of the clearance was not seen.
        ClearanceOpen {}
        code: "clearance-open", severity: Warning;
        trigger: "The clearance reaches to the end of the record.";
        message(_): "the clearance reaches to the end of the record: its other edge was not seen, so that it may be wider".to_owned();

        /// The device has no clearance, or none that can be seen.
        NoClearance { found: Clearance = Clearance::None }
        code: "no-clearance", severity: Note;
        trigger: "The torque passes zero without a gap, or is below its noise there.";
        message(units): match found {
            Clearance::BelowNoise => format!("whether there is a clearance cannot be told: next to zero the {} is smaller than its noise", units.force()),
            Clearance::None => format!("no clearance was found: the {} passes zero without a gap", units.force()),
        };

        /// There is friction within the clearance.
        ClearanceFriction { fast: bool = false }
        code: "clearance-friction", severity: Note;
        trigger: "Loading and unloading differ within the clearance, or the fast record cannot be described without friction there.";
        message(_): if *fast {
            "without friction within the clearance the fast record is not described; it was estimated too".to_owned()
        } else {
            "there is friction within the clearance".to_owned()
        };

        /// The record may be of a device without stages.
        Doubtful { why: NoStages = NoStages::Smooth { stages: 0.004, smooth: 0.0038 } }
        code: "no-stages", severity: Warning;
        trigger: format!(
            "By the Bayesian information criterion corners are not better than a smooth curve through the same nodes by {}. Or the number of stages is \
             given where the record would be refused: the criterion speaks for the curve by as much, the springs carry less than the friction, at \
             both ends of the record less than {} of the largest friction is there, or passes in the same direction differ by more than {} of it.",
            thresholds::STRONG_EVIDENCE, thresholds::BUILT_UP, thresholds::SAME_FRICTION
        );
        message(units): format!("whether there are stages is doubtful: {}", why.text(units));
        advice: Advice::to("`masing fit` and `masing terms` describe loops without stages");

        /// The torque of a stage falls while it is loaded further.
        NegativeStiffness { stage: String = "D2".to_owned() }
        code: "negative-stiffness", severity: Warning;
        trigger: format!("The stiffness of a stage is below zero by more than {} standard errors.", thresholds::FALLING_SIGMAS);
        message(units): format!("the {} of stage {stage} falls while it is loaded further", units.force());

        /// Friction of a node came out below zero and counts as none.
        NoFriction { nodes: Vec<String> = nodes(), beyond_noise: bool = false }
        code: "no-friction", severity: Note;
        trigger: format!("Unloading lies above loading at a node; beyond its noise means by more than {} standard errors.", thresholds::NO_FRICTION_SIGMAS);
        message(_): format!(
            "friction at {} is below zero {} and counts as none", nodes.join(", "),
            if *beyond_noise { "by more than its noise, as after a drift of the zero," } else { "within its noise" }
        );

        /// The fast record was shifted so that its first angle carries its first torque.
        AngleZero { share: f64 = 0.02 }
        code: "angle-zero", severity: Note;
        trigger: "The first angle and torque of the fast record do not lie on the slow device.";
        message(units): format!(
            "the first {0} of the dynamic record does not carry its first {1} on the slow device; the whole record was shifted by {2:.1} % of the range of the device, so that it does",
            units.displacement(), units.force(), 100.0 * share
        );

        /// Friction holds the device away from equilibrium before its release.
        HeldStart { share: f64 = 0.01, beyond: bool = true }
        code: "held-start", severity: Note;
        trigger: "The record starts within the friction band, but not in its middle.";
        message(units): format!(
            "before its release the device is held from equilibrium by friction: the record starts {:.2} % of the range of the device {} where the slow device carries the first {}",
            100.0 * share, if *beyond { "beyond" } else { "short of" }, units.force()
        );

        /// The zero offset of the velocity was subtracted.
        VelocityZero { share: f64 = 0.004 }
        code: "velocity-zero", severity: Note;
        trigger: "The velocity is not zero where the record ends at rest.";
        message(_): format!(
            "the velocity is not zero where the record ends at rest: its zero offset, {:.2} % of its peak, was subtracted", 100.0 * share
        );

        /// The integrated angle wanders and was bent back.
        Wander { share: f64 = 0.03 }
        code: "wander", severity: Warning;
        trigger: "The angle comes from the acceleration, and does not end where the device rests.";
        message(units): format!(
            "the {}, integrated twice, wanders by {:.1} % of the range of the device until the end and was bent back; energies and regimes follow what is left of it, and the formulations are ranked by the acceleration",
            units.displacement(), 100.0 * share
        );

        /// The motion stays in one stage, so that the formulations cannot be told apart.
        OneStage {}
        code: "one-stage", severity: Warning;
        trigger: "The fast record never leaves one stage.";
        message(_): "the motion never leaves one stage, so that the formulations cannot be told apart: the ranking cannot tell".to_owned();
        advice: Advice::to("a larger step of the load is needed");

        /// Two formulations describe the record about equally well.
        CloseRanking { first: String = "D3".to_owned(), second: String = "D2".to_owned() }
        code: "close-ranking", severity: Note;
        trigger: format!("Their errors differ by less than the factor {}.", thresholds::RANKING_APART);
        message(_): format!("{first} and {second} describe the record about equally well; the ranking cannot tell which of the two it is");

        /// The energy balance gives no friction for stages that the motion hardly covers.
        Gain { nodes: Vec<String> = nodes() }
        code: "gain", severity: Warning;
        trigger: format!("Errors of the energies would grow more than {} times.", thresholds::MOST_GAIN);
        message(_): format!(
            "the energy balance does not give friction at {}: errors would grow more than {} times, because the motion covers too little of the stage; there the friction of D3 is extrapolated from the slow test",
            nodes.join(", "), thresholds::MOST_GAIN
        );

        /// The fast record loses less energy than the slow friction would take.
        LessFriction { share: f64 = 0.7 }
        code: "less-friction", severity: Note;
        trigger: format!("The fast record dissipates less than {:.0} % of what the slow friction would.", 100.0 * thresholds::LESS_FRICTION);
        message(_): format!("the fast record dissipates {:.0} % of what the slow friction would; D2 adds nothing", 100.0 * share);

        /// The fast record did not reach some stages.
        NotReached { nodes: Vec<String> = nodes() }
        code: "not-reached", severity: Note;
        trigger: "The motion of the fast record ends before a stage begins.";
        message(_): format!("the dynamic test did not reach the stages of {}; their friction is extrapolated from the slow test", nodes.join(", "));

        /// Friction of a node wanted to leave its range.
        AtBound { nodes: Vec<String> = nodes() }
        code: "at-bound", severity: Warning;
        trigger: "The best friction is zero, or the most that is allowed.";
        message(_): format!("friction at {} came out at a bound: none, or more than is possible", nodes.join(", "));

        /// The fast record determines the friction of some nodes only roughly.
        PoorlyDetermined { nodes: Vec<String> = nodes(), why: WeakFriction = WeakFriction::HardlyEntered }
        code: "poorly-determined", severity: Warning;
        trigger: "The error of the friction is a large part of what the slow test lets expect.";
        message(_): format!(
            "friction at {} is poorly determined: {}", nodes.join(", "),
            match why {
                WeakFriction::HardlyEntered => "the dynamic test hardly enters the stage; it is held at the value extrapolated from the slow test",
                WeakFriction::LargeError => "its error is a large part of what the slow test lets expect",
            }
        );

        /// The refined device describes the angle less well than a formulation.
        RefinedWorse { formulation: String = "D3".to_owned() }
        code: "refined-worse", severity: Warning;
        trigger: "The rms error of the angle of the refined device exceeds that of the best formulation.";
        message(units): format!(
            "the refined device, friction at the nodes and one damper, describes the {} less well than {formulation}; the model holds the refined device",
            units.displacement()
        );

        /// Impacts are sampled too coarsely to be analysed.
        CoarseSampling { what: CoarseSampling = CoarseSampling::Swing(12.0) }
        code: "coarse-sampling", severity: Warning;
        trigger: format!(
            "Fewer than {} samples per swing of the stiffest stage, or {} per passage of the soft zone, or a jump of the load of more than {:.0} %.",
            thresholds::SAMPLES_PER_SWING, thresholds::SAMPLES_PER_PASSAGE, 100.0 * thresholds::SUDDEN_LOAD
        );
        message(units): format!("the sampling is too coarse for the impacts: {}", match what {
            CoarseSampling::Swing(samples) => format!(
                "{samples:.0} samples per swing of the stiffest stage entered; {} or more are needed", thresholds::SAMPLES_PER_SWING
            ),
            CoarseSampling::Sudden(share) => format!(
                "the {} changes by {:.0} % of its range from one sample to the next, and what it did between is not known",
                units.force(), 100.0 * share
            ),
            CoarseSampling::Passage(samples) => format!(
                "the motion passes the soft zone within {samples:.1} samples; {} or more are needed", thresholds::SAMPLES_PER_PASSAGE
            ),
        });
    }
}
