//! Diagnostics of records: channels, sampling, the shape of the loop.

use crate::advice::{Advice, Centre};
use crate::units::short;
use crate::words::counted;
use crate::{Channel, ChannelKind, Nuisance, RecordKind, Units, thresholds};

/// What too few samples in a cycle spoil.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FewSamplesSpoil {
    /// Reversals and peaks.
    Peaks,
    /// Speeds from differences, by this share.
    Speed(f64),
    /// Accelerations from differences, by this share.
    Acceleration(f64),
}

/// Ends of a stroke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// The upper one.
    Upper,
    /// The lower one.
    Lower,
    /// Both.
    Both,
}

/// A size that parts and rigs do not have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ImplausibleSize {
    /// Range of the displacement (m).
    Stroke(f64),
    /// Secant stiffness (N/m).
    Stiffness(f64),
    /// Frequency of a cycle (Hz).
    Frequency(f64),
}

impl std::fmt::Display for ImplausibleSize {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use crate::units::short;
        match self {
            Self::Stroke(range) => write!(f, "a stroke of {} m", short(*range)),
            Self::Stiffness(k) => write!(f, "a stiffness of {} kN/mm", short(1e-6 * k)),
            Self::Frequency(hz) => write!(f, "a frequency of {} Hz", short(*hz)),
        }
    }
}

/// A value of a channel of motion or force.
fn shown(channel: ChannelKind, value: f64, units: Units) -> String {
    match channel {
        ChannelKind::Motion => units.show_length(value),
        _ => units.show_force(value),
    }
}

/// The channel beside that of motion or force.
fn other(channel: ChannelKind) -> ChannelKind {
    match channel {
        ChannelKind::Motion => ChannelKind::Force,
        _ => ChannelKind::Motion,
    }
}

diagnostics! {
    /// What was noticed about a record before anything is fitted.
    pub enum RecordDiagnostic, "Records" {
        /// The motion does not swing about zero.
        Offset { offset: f64 = 2e-4, amplitude: f64 = 1e-3, centre: Centre = Centre::Mean, or_estimate: bool = false }
        code: "offset", severity: Warning;
        trigger: format!(
            "The middle of the motion is off zero by more than {:.0} % of the amplitude; of a random one by more than {:.0} %; an earthquake begins away from zero.",
            100.0 * thresholds::OFFSET, 100.0 * thresholds::RANDOM_OFFSET
        );
        message(units): format!(
            "the motion {} {}, not {} zero (amplitude {})",
            match centre { Centre::First => "begins at", _ => "swings about" }, units.show_length(*offset),
            match centre { Centre::First => "at", _ => "about" }, units.show_length(*amplitude)
        );
        advice: Some(Advice::Zero { channel: ChannelKind::Motion, centre: *centre, or_estimate: *or_estimate });

        /// The motion cycles about a middle that moves on, so that cycles are not found.
        Wandering { cycles: usize = 20, amplitude: f64 = 1e-3, moved: f64 = 4e-3, counted: usize = 0 }
        code: "wandering", severity: Warning;
        trigger: "The middle of the cycles moves by more than their amplitude, and cycles are lost by it.";
        message(units): format!(
            "the motion makes about {cycles} cycles of amplitude {} while their middle moves by {}: {}",
            units.show_length(*amplitude), units.show_length(*moved),
            match counted {
                0 => "none of them crosses the middle of the whole record, so no full cycle was found".to_owned(),
                n => format!("only {n} cross the middle of the whole record and are counted"),
            }
        );
        advice: Advice::option("--window T0..T1, to use a stretch about one middle");

        /// The middle of the motion wanders over the cycles of a block.
        Drift { change: f64 = 1e-4, cycles: usize = 8 }
        code: "drift", severity: Warning;
        trigger: format!("The middle moves by more than {:.0} % of the amplitude over a block of cycles.", 100.0 * thresholds::OFFSET);
        message(units): format!("the middle of the motion wanders by {} over {cycles} cycles", units.show_length(*change));
        advice: Some(Advice::Stabilised);

        /// The record is interrupted.
        TimeGap { duration: f64 = 1.5, line: usize = 800, gaps: usize = 2, step: f64 = 0.005, broken_cycles: usize = 1 }
        code: "time-gap", severity: Warning;
        trigger: "A time step is many times longer than the usual one.";
        message(_): format!(
            "time has a gap of {duration:.4} s before line {line}{}; the usual step is {step:.3e} s{}",
            match gaps { 1 => String::new(), n => format!(", the longest of {n}") },
            match broken_cycles {
                0 => String::new(),
                1 => "; one cycle that it breaks was left out".to_owned(),
                n => format!("; {n} cycles with a gap were left out"),
            }
        );
        advice: Advice::option("--window T0..T1, to use one side of the gap");

        /// Samples are not evenly spaced.
        UnevenTime { step: f64 = 0.005 }
        code: "uneven-time", severity: Note;
        trigger: "Time steps differ by more than rounding explains, without a gap.";
        message(_): format!("time steps are uneven, {step:.3e} s in the middle");

        /// A cycle has so few samples that something is cut off.
        FewSamples { per_cycle: usize = 22, spoils: FewSamplesSpoil = FewSamplesSpoil::Peaks, kind: RecordKind = RecordKind::Cycles }
        code: "few-samples", severity: Warning;
        trigger: format!(
            "A cycle has fewer than {} samples; in a record without cycles, the usual way from a turn of the motion to the next but one.",
            thresholds::FEW_SAMPLES
        );
        message(_): {
            let found = match kind {
                RecordKind::Cycles => format!("only {per_cycle} samples in a cycle"),
                _ => format!("only about {per_cycle} samples from a turn of the motion to the next but one"),
            };
            let short = |what: &str, share: f64| format!(
                "{found}, from which the {what} comes out up to {:.0} % short", 100.0 * share
            );
            match spoils {
                FewSamplesSpoil::Peaks => format!("{found}: reversals and peaks are cut off"),
                FewSamplesSpoil::Speed(share) => short("speed", *share),
                FewSamplesSpoil::Acceleration(share) => short("acceleration", *share),
            }
        };
        advice: match spoils {
            FewSamplesSpoil::Peaks => Advice::to(match kind {
                RecordKind::Cycles => "sample faster, 100 samples in a cycle or more",
                _ => "sample faster, 50 samples between turns or more",
            }),
            FewSamplesSpoil::Speed(_) => Advice::to("a velocity column or a higher sampling rate avoids it"),
            FewSamplesSpoil::Acceleration(_) => Advice::to("an acceleration column or a higher sampling rate avoids it"),
        };

        /// Single values stick out of a channel.
        Spikes { channel: Channel = Channel { kind: ChannelKind::Force, name: "force".to_owned() }, count: usize = 2, line: usize = 91 }
        code: "spikes", severity: Warning;
        trigger: "A value differs from both its neighbours far more than values usually do.";
        message(_): format!("{channel} has {}, the first in line {line}; nothing was removed", counted(*count, "spike"));
        advice: Advice::option("--window T0..T1, to use a part without them");

        /// A channel moves in steps that are visible.
        Coarse {
            channel: Channel = Channel { kind: ChannelKind::Motion, name: "displacement".to_owned() },
            step: f64 = 1e-5,
            share: f64 = 0.002,
            per_sample: Option<f64> = Some(0.4),
        }
        code: "coarse", severity: Warning;
        trigger: format!(
            "All values are multiples of a step of more than {:.0} % of the range; for the motion also of one of more than {} % that is longer than the usual way from sample to sample.",
            100.0 * thresholds::COARSE_STEP, 100.0 * thresholds::COARSE_MOTION_STEP
        );
        message(units): format!(
            "{channel} moves in steps of {}, {:.1} % of its range{}",
            shown(channel.kind, *step, units), 100.0 * share,
            per_sample.map_or_else(String::new, |steps| format!(
                ", and usually by {steps:.1} of them from sample to sample: speeds from differences are mostly rounding"
            ))
        );
        advice: Advice::to(match (per_sample, channel.kind) {
            (Some(_), _) => "use a velocity column, or a smaller measuring range of the amplifier",
            (None, _) => "use a smaller measuring range of the amplifier",
        });

        /// A channel repeats one value while the other channel moves on.
        Stuck {
            channel: ChannelKind = ChannelKind::Force,
            value: f64 = 120.0,
            samples: usize = 85,
            seconds: Option<f64> = Some(0.085),
            line: usize = 57,
            moved: f64 = 3e-4,
        }
        code: "stuck", severity: Warning;
        trigger: format!(
            "At least {} samples in a row have exactly the same value while the other channel moves by more than {:.0} % of its range; a force has that value over no other stretch, and under a motion that is held the force relaxes instead.",
            thresholds::STUCK_SAMPLES, 100.0 * thresholds::STUCK_MOVED
        );
        message(units): format!(
            "the {} is exactly {} in {samples} samples in a row{} from line {line} on while the {} moves by {}: a stuck channel",
            channel.name(units), shown(*channel, *value, units),
            seconds.map_or_else(String::new, |s| format!(" ({} s)", crate::units::digits(s, 3))),
            other(*channel).name(units), shown(other(*channel), *moved, units)
        );
        advice: Advice::option("--window T0..T1, to use a part without it");

        /// The displacement moves in steps that spoil speeds between neighbouring samples.
        Quantised { step: f64 = 5e-5, speed: f64 = 0.3 }
        code: "quantised", severity: Note;
        trigger: format!("The steps leave an error of more than {:.0} % in speeds, and there is no velocity column.", 100.0 * thresholds::QUANTISED_SPEED);
        message(units): format!(
            "the {} moves in steps of {}: speeds between neighbouring samples are off by {:.0} % of the rms speed",
            units.displacement(), units.show_length(*step), 100.0 * speed
        );
        advice: Advice::to("a velocity column avoids it; `fit` smooths the displacement where the model depends on speed");

        /// The force never changes: a dead channel, or the wrong column.
        ConstantForce { value: f64 = 0.0 }
        code: "constant-force", severity: Untrusted;
        trigger: "All values of the force are the same.";
        message(units): format!(
            "the {} is {} throughout: a dead channel, or another column is meant; it has no stiffness and no energy",
            units.force(), units.show_force(*value)
        );
        advice: Some(Advice::Columns(ChannelKind::Force));

        /// There is no full cycle, so that nothing per cycle is given.
        NoCycle { reversals: usize = 1, broken_cycles: usize = 0 }
        code: "no-cycle", severity: Note;
        trigger: "The motion does not return to where it was twice, or gaps in time break all cycles.";
        message(_): format!(
            "{}, so there is no full cycle: energy, stiffness and damping per cycle are not given",
            match (broken_cycles, reversals) {
                (0, 0) => "the motion never turns".to_owned(),
                (0, 1) => "the motion turns only once".to_owned(),
                (0, turns) => format!("the motion turns {turns} times"),
                (1, _) => "the only cycle has a gap in time".to_owned(),
                (n, _) => format!("all {n} cycles have gaps in time"),
            }
        );

        /// The loop runs the wrong way: the part would give out energy.
        WrongWay { energy: f64 = 1.2, cycles: usize = 5 }
        code: "wrong-way", severity: Untrusted;
        trigger: format!("The work over closed paths is negative, beyond {} of displacement range times force range.", thresholds::WRONG_WAY);
        message(_): format!(
            "the loop runs the wrong way: the part would give out {} J in {cycles} full cycles; the force has the sign of a reaction, or force and displacement are exchanged",
            crate::units::short(*energy)
        );
        advice: Some(Advice::Flip(ChannelKind::Force));

        /// A size that parts and rigs do not have: a unit is wrong, most likely.
        ImplausibleSize { size: ImplausibleSize = ImplausibleSize::Stroke(1.5) }
        code: "implausible-size", severity: Warning;
        trigger: format!(
            "A stroke beyond {} m, a secant stiffness beyond {:.0} kN/mm, or a cycle slower than {} Hz.",
            thresholds::LONG_STROKE, 1e-6 * thresholds::STIFF_PART, thresholds::SLOW_CYCLE
        );
        message(_): format!("{size} is implausible for a part on a rig: the units may be wrong");
        advice: Some(Advice::Units);

        /// A channel stays at a limit while the other moves on: the amplifier or the range cuts it off.
        Clipped {
            channel: ChannelKind = ChannelKind::Force,
            largest: bool = true,
            value: f64 = 5000.0,
            samples: usize = 217,
            places: usize = 3,
            line: usize = 57,
            kind: RecordKind = RecordKind::Cycles,
        }
        code: "clipped", severity: Warning;
        trigger: "The force has exactly its largest or smallest value over several samples while the part moves; or the motion has, while the force turns instead of relaxing.";
        message(units): format!(
            "the {} is exactly {}, its {} value, in {samples} samples in {} while the {} moves on, first in line {line}: clipped by the amplifier or the range",
            channel.name(units), shown(*channel, *value, units), if *largest { "largest" } else { "smallest" },
            counted(*places, "place"), other(*channel).name(units)
        );
        advice: kind.part();

        /// The force shoots up at the end of the stroke.
        EndStop {
            ends: Ends = Ends::Upper,
            at: f64 = 9.6e-4,
            stiffness: f64 = 1e7,
            before: f64 = 1e5,
            line: usize = 57,
            kind: RecordKind = RecordKind::Cycles,
        }
        code: "end-stop", severity: Warning;
        trigger: format!("Over the last twentieth of the stroke the force gains more than {:.0} % of its range.", 100.0 * thresholds::END_STOP);
        message(units): format!(
            "the {} shoots up {} of the stroke, from about {} on, at {} against {} before; first in line {line}: end stop hit",
            units.force(),
            match ends { Ends::Upper => "at the upper end", Ends::Lower => "at the lower end", Ends::Both => "at both ends" },
            units.show_length(*at), units.show_stiffness(*stiffness), units.show_stiffness(*before)
        );
        advice: kind.part();

        /// The energy per cycle still changes at the end of a block.
        NotStabilised { from: usize = 1, to: usize = 10, change: f64 = 0.04 }
        code: "not-stabilised", severity: Warning;
        trigger: format!("The energy of the last cycles of a block changes by more than {:.0} %.", 100.0 * thresholds::NOT_STABILISED);
        message(_): format!(
            "only partly stabilised: over the last of cycles {from} to {to} the energy still changes by {:.1} %", 100.0 * change
        );
        advice: Some(Advice::Stabilised);

        /// The force channel is late, or early, against the motion.
        Skew { samples: f64 = 2.3, seconds: Option<f64> = Some(0.0023) }
        code: "skew", severity: Warning;
        trigger: format!("The force peaks more than {} samples after the motion turns, at every turn alike.", thresholds::SKEW_SAMPLES);
        message(units): format!(
            "the {} peaks about {samples:.1} samples{} after the motion turns: phase skew between channels",
            units.force(),
            seconds.map_or_else(String::new, |s| format!(" ({:.2} ms)", 1e3 * s))
        );
        advice: Some(Advice::Nuisance(Nuisance::Delay));

        /// The difference between cycles is smooth: the record was filtered, or the cycles differ.
        Smoothed { lag1: f64 = 0.97 }
        code: "smoothed", severity: Note;
        trigger: format!("The correlation of neighbouring differences between cycles exceeds {}.", thresholds::SMOOTHED);
        message(_): format!(
            "the difference between cycles is smooth from sample to sample (correlation {lag1:.2}): filtered upstream, or the cycles differ; sharp corners may be rounded"
        );
        advice: Advice::to("if the rig filtered it, ask for the record before the filter");

        /// A channel was averaged before it was written: loops are wider and corners rounder than those of the part.
        Averaged { channels: Vec<Channel> = vec![Channel { kind: ChannelKind::Force, name: "force".to_owned() }], samples: usize = 300, seconds: Option<f64> = Some(0.3) }
        code: "averaged", severity: Warning;
        trigger: "The spectrum has nulls at every multiple of the sampling rate over a number of samples.";
        message(_): format!(
            "{} {} a moving average of {samples} samples{}: the spectrum has a null at every multiple of {}",
            crate::words::joined(channels), if channels.len() == 1 { "is" } else { "are" },
            seconds.map_or_else(String::new, |s| format!(" ({} s)", short(s))),
            seconds.map_or_else(|| format!("1/{samples} of the sampling rate"), |s| format!("{} Hz", short(1.0 / s)))
        );
        advice: Some(Advice::Filter { samples: *samples, motion: channels.iter().any(|c| c.kind == ChannelKind::Motion) });
    }
}
