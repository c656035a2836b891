//! Diagnostics of tests: records made ready for a fit, drives of simulations and signals.

use crate::advice::Advice;
use crate::units::digits;
use crate::{ChannelKind, Nuisance, Units, thresholds};

/// How a file is used more than once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reuse {
    /// Fitted more than once.
    FittedAgain,
    /// Held out and fitted as well.
    HeldOutAndFitted,
}

/// Why a measured acceleration was not used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AccelerationDoubt {
    /// Values are missing.
    Missing,
    /// It does not follow from the displacement; the correlation of the two.
    Disagrees(f64),
}

/// A static load on a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PreloadBy {
    /// A displacement, m or rad.
    Motion(f64),
    /// A force, N or N m.
    Force(f64),
}

impl PreloadBy {
    fn show(self, units: Units) -> String {
        match self {
            Self::Motion(x) => units.show_length(x),
            Self::Force(f) => units.show_force(f),
        }
    }
}

/// A kind of test that is no record of motion and force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherTest {
    /// A table of dynamic stiffness.
    Table,
    /// Masses under loads.
    Masses,
}

/// An initial state that a record seems to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitialState {
    /// In motion; estimated with the parameters.
    Estimated,
    /// The same as at the end of the record.
    Periodic,
}

/// What the sampling of a signal cuts off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SignalSampling {
    /// Corners of a triangle lie between samples.
    CornersBetween,
    /// The end of a rise lies between samples.
    RiseBetween,
    /// The last sample, at this time in s, lies before the end.
    EndsAt(f64),
    /// Few samples in the fastest cycle.
    PerCycle {
        /// How many.
        samples: f64,
        /// Frequency of the cycle, Hz.
        frequency: f64,
    },
}

diagnostics! {
    /// What was noticed while tests, drives and signals were made ready.
    pub enum TestDiagnostic, "Tests" {
        /// A file is used for more than one test.
        SameFile { reuse: Reuse = Reuse::FittedAgain }
        code: "same-file", severity: Warning;
        trigger: "Two tests share a file, columns and window.";
        message(_): match reuse {
            Reuse::FittedAgain => "the file is fitted more than once and counts as often".to_owned(),
            Reuse::HeldOutAndFitted => "the file is held out but fitted as well, so that its error says nothing about other tests".to_owned(),
        };
        advice: match reuse {
            Reuse::FittedAgain => Advice::to("leave it out once, or give the tests windows of their own"),
            Reuse::HeldOutAndFitted => None,
        };

        /// Samples without a force do not count.
        MissingForce { missing: usize = 4, of: usize = 1000, line: usize = 112 }
        code: "missing-force", severity: Note;
        trigger: "Some samples of the force are missing or infinite.";
        message(units): format!(
            "{missing} of {of} {} samples are missing, the first in line {line}; they were left out", units.force()
        );

        /// The record holds no loop, so that loading and unloading cannot be told apart.
        FewReversals { reversals: usize = 1 }
        code: "few-reversals", severity: Warning;
        trigger: "The model has a law with a loop, and the motion turns less than twice.";
        message(_): format!(
            "the motion turns {}; a loop needs two turns, and with fewer loading and unloading cannot be told apart",
            if *reversals == 0 { "nowhere" } else { "once" }
        );

        /// The acceleration column was not used.
        Acceleration { doubt: AccelerationDoubt = AccelerationDoubt::Disagrees(-0.98) }
        code: "acceleration", severity: Warning;
        trigger: format!("Its values are missing, or their correlation with the displacement's second derivative is below {}.", thresholds::ACCELERATION_AGREES);
        message(_): {
            let why = match doubt {
                AccelerationDoubt::Missing => "has missing values".to_owned(),
                AccelerationDoubt::Disagrees(correlation) => format!(
                    "does not agree with the displacement (correlation {correlation:.2})"
                ),
            };
            format!("the acceleration column {why}; the moving mass was found from the displacement instead")
        };
        advice: match doubt {
            AccelerationDoubt::Missing => None,
            AccelerationDoubt::Disagrees(_) => Some(Advice::Flip(ChannelKind::Acceleration)),
        };

        /// The acceleration of a moving mass is that of the smoothed displacement.
        SmoothAcceleration { test: String = "sine".to_owned(), samples: usize = 25, seconds: f64 = 0.024 }
        code: "smooth-acceleration", severity: Note;
        trigger: "A moving mass is estimated or given, its acceleration was not measured, and a mass explains more of the force with the displacement smoothed.";
        message(_): format!(
            "`{test}`: the acceleration of the moving mass is that of the displacement smoothed over {samples} samples ({} ms); a mass at \
             frequencies beyond that is not seen",
            digits(1e3 * seconds, 2)
        );

        /// The displacement was replaced by its Fourier series, which leaves its noise out.
        ErrorsInVariables { harmonics: usize = 12, frequency: f64 = 1.0, noise: f64 = 2e-3 }
        code: "eiv", severity: Note;
        trigger: "`eiv` was asked for.";
        message(units): format!(
            "the {} was taken as {harmonics} harmonics of {} Hz; its noise, {} % of the amplitude, was left out",
            units.displacement(), digits(*frequency, 5), digits(100.0 * noise, 2)
        );

        /// The displacement was smoothed, because its steps spoil the speeds that the model depends on.
        QuantisedSmoothed { step: f64 = 5e-5, speed: f64 = 0.3, window: usize = 21, seconds: f64 = 0.02 }
        code: "quantised-smoothed", severity: Note;
        trigger: format!(
            "The model depends on speed, there is no velocity column, and the steps leave an error of more than {:.0} % in speeds.",
            100.0 * thresholds::QUANTISED_SPEED
        );
        message(units): format!(
            "the {} moves in steps of {}, which put speeds off by {:.0} % of the rms speed; it was smoothed over {window} samples ({} ms)",
            units.displacement(), units.show_length(*step), 100.0 * speed, digits(1e3 * seconds, 3)
        );
        advice: Advice::to("a velocity column is used as it is");

        /// A part under preload whose force begins at zero: the load cell was zeroed under it.
        ZeroedUnderPreload { preload: PreloadBy = PreloadBy::Motion(2e-3), first: f64 = 0.4 }
        code: "preload", severity: Warning;
        trigger: "A preload is given, the record begins in the middle of the motion, and its force begins near zero.";
        message(units): format!(
            "the part is under a preload of {}, but its {} begins at {}: was the load cell zeroed under preload?",
            preload.show(units), units.force(), units.show_force(*first)
        );
        advice: Some(Advice::Nuisance(Nuisance::ForceOffset));

        /// Nuisances were asked for where they cannot be estimated.
        NuisanceNotSought { test: OtherTest = OtherTest::Table }
        code: "nuisance", severity: Note;
        trigger: "A nuisance is asked for in a test that is no record of motion and force.";
        message(_): format!(
            "this is {}; offsets, delay and moving mass are estimated only in records of motion and force",
            match test { OtherTest::Table => "a table", OtherTest::Masses => "a record of masses under loads" }
        );

        /// The initial state of a record of masses was chosen from the record itself.
        Start { state: InitialState = InitialState::Estimated }
        code: "start", severity: Note;
        trigger: "A record of masses does not begin at rest, and the study does not say how it begins.";
        message(_): match state {
            InitialState::Estimated => "the record begins in motion; its initial state is estimated".to_owned(),
            InitialState::Periodic => "the record closes on itself and is taken as one period of a steady response".to_owned(),
        };

        /// A record that closes on itself, but whose masses are so little damped that no steady response comes out.
        Unsteady { test: String = "sine".to_owned(), cycles: usize = 40, change: f64 = 0.12 }
        code: "unsteady", severity: Note;
        trigger: "A record is one period of a steady response, and the simulated one still changes after as many cycles as are tried.";
        message(_): format!(
            "`{test}` is one period of a steady response, but the simulated one still changes by {} % a cycle after {cycles} cycles: \
             there is hardly any damping; its initial state was estimated instead",
            digits(100.0 * change, 2)
        );

        /// A load that never changes shows little about the masses.
        ConstantLoad {}
        code: "constant-load", severity: Warning;
        trigger: "All loads and base accelerations are constant, and not all zero.";
        message(_): "the load never changes: the masses show only how they come to rest under it, and mass and stiffness are known no better than that".to_owned();
        advice: Advice::to("expected a load that varies");

        /// The angle turns so far that degrees were probably taken for radians.
        WideAngle { span: f64 = 40.0 }
        code: "wide-angle", severity: Warning;
        trigger: "The angle of a staged device covers more than half a turn.";
        message(_): format!("the angle covers {:.0} deg", span.to_degrees());
        advice: Advice::option("--units angle=deg, if the file has degrees");

        /// Motions of a shaken system are given against its base.
        RelativeMotion {}
        code: "relative-motion", severity: Note;
        trigger: "The base of a system with mass is accelerated.";
        message(_): "displacement and velocity are relative to the base, acceleration is absolute".to_owned();

        /// The motion goes beyond what the tests of the model covered: the force is extrapolated there.
        OutsideValidity {
            displacement: Option<(f64, [f64; 2])> = Some((2e-3, [-1e-3, 1e-3])),
            speed: Option<(f64, f64)> = Some((0.5, 0.1)),
            frequency: Option<(f64, [f64; 2])> = Some((80.0, [1.0, 20.0]))
        }
        code: "outside-validity", severity: Warning;
        trigger: "Displacement, speed or frequency leaves the range in `[validity]` of the model file.";
        message(units): {
            let mut parts = Vec::new();
            if let Some((found, [low, high])) = displacement {
                let [found, low, high] = [found, low, high].map(|x| units.show_length(*x));
                parts.push(format!("{} {found} (tested {low} to {high})", units.displacement()));
            }
            if let Some((found, most)) = speed {
                parts.push(format!("speed {} (tested up to {})", units.show_speed(*found), units.show_speed(*most)));
            }
            if let Some((found, [low, high])) = frequency {
                parts.push(format!("frequency {found} Hz (tested {low} to {high} Hz)"));
            }
            format!("the motion leaves what the model was identified from: {}", parts.join(", "))
        };
        advice: Advice::to("the force is extrapolated there; validate the model on a test that covers it");

        /// The sampling of a signal cuts something off.
        Sampling { cut: SignalSampling = SignalSampling::RiseBetween }
        code: "sampling", severity: Note;
        trigger: "Corners, ends or fast cycles of the signal are not met by its samples.";
        message(_): match cut {
            SignalSampling::CornersBetween => "the corners of the triangle fall between samples and are cut off".to_owned(),
            SignalSampling::RiseBetween => "the end of the rise falls between samples".to_owned(),
            SignalSampling::EndsAt(last) => format!("the record ends at {last} s, the last whole sample"),
            SignalSampling::PerCycle { samples, frequency } => format!("only {samples:.1} samples per cycle at {frequency} Hz: the tops are cut off"),
        };
        advice: match cut {
            SignalSampling::CornersBetween => Advice::to("take a multiple of four samples per cycle"),
            _ => None,
        };
    }
}
