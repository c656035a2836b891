//! How well a simulated motion agrees with the measured one: R1 to R6 (eqs 44 to 49).

use super::device::Device;
use super::motion::Motion;
use super::regimes::{Regimes, Rest, Rule, regimes};
use super::simulate::Predicted;

/// Errors of angle, velocity and acceleration over those of D0.
pub type OfMotion = [f64; 3];

/// The metrics of one formulation; none where a regime does not occur.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metrics {
    /// R1 to R3: while impacts are double-sided, single-sided, and while there are none.
    pub errors: [Option<OfMotion>; 3],
    /// R4 to R6: differences of the lengths of the regimes (s), by the envelope.
    pub periods: [Option<f64>; 3],
    /// The same by the last crossings.
    pub periods_last_crossing: [Option<f64>; 3],
    /// Root mean square difference of the angle.
    pub rms_angle: f64,
}

/// The measured motion with its regimes, with which predictions are compared.
#[derive(Clone, Debug)]
pub struct Yardstick<'a> {
    motion: &'a Motion,
    edges: [f64; 2],
    rest: Rest,
    /// Regimes of the measurement by the envelope.
    pub regimes: Regimes,
    /// Regimes of the measurement by the last crossings.
    pub last_crossings: Regimes,
    /// Squares of the errors of D0 in every regime.
    reference: [OfMotion; 3],
    /// First sample of each regime, and the end.
    bounds: [usize; 4],
}

impl<'a> Yardstick<'a> {
    /// From the measurement and the prediction of D0.
    pub fn new(motion: &'a Motion, device: &Device, slow: &Predicted) -> Self {
        let [coast, drive] = device.impacts();
        let edges = [
            device.angles[coast.unwrap_or(device.minus)],
            device.angles[drive.unwrap_or(device.plus)],
        ];
        let settled = device.elastic().inverse(motion.last_torque());
        let rest = match settled {
            Some(angle) if angle <= edges[0] => Rest::Coast,
            Some(angle) if angle < edges[1] => Rest::Between,
            _ => Rest::Drive,
        };
        let of = |rule| regimes(&motion.time, &motion.angle, edges, rest, rule);
        // The paper's metrics R1 to R3 count by the last crossings.
        let crossings = of(Rule::LastCrossing);
        let n = motion.len();
        let index = |end: Option<f64>| end.map_or(n, |t| motion.time.partition_point(|s| *s < t));
        let double = index(crossings.double_ends);
        let bounds = [0, double, index(crossings.single_ends).max(double), n];
        let mut yardstick = Self {
            motion,
            edges,
            rest,
            regimes: of(Rule::Envelope),
            last_crossings: crossings,
            reference: [[0.0; 3]; 3],
            bounds,
        };
        yardstick.reference = [0, 1, 2].map(|k| yardstick.squares(slow, k));
        yardstick
    }

    /// Squares of the differences in one regime.
    fn squares(&self, predicted: &Predicted, regime: usize) -> OfMotion {
        let own = self.bounds[regime]..self.bounds[regime + 1];
        let pairs = [
            (&self.motion.angle, &predicted.angle),
            (&self.motion.velocity, &predicted.velocity),
            (&self.motion.acceleration, &predicted.acceleration),
        ];
        pairs.map(|(a, b)| own.clone().map(|i| (a[i] - b[i]).powi(2)).sum())
    }

    /// The metrics of a prediction.
    pub fn measure(&self, predicted: &Predicted) -> Metrics {
        let errors = [0, 1, 2].map(|k| {
            let (own, reference) = (self.squares(predicted, k), self.reference[k]);
            let some = reference.iter().all(|r| *r > 0.0);
            some.then(|| [0, 1, 2].map(|i| (own[i] / reference[i]).sqrt()))
        });
        let n = self.motion.len();
        let square: f64 = (0..n)
            .map(|i| (self.motion.angle[i] - predicted.angle[i]).powi(2))
            .sum();
        let of = |rule| {
            regimes(
                &predicted.time,
                &predicted.angle,
                self.edges,
                self.rest,
                rule,
            )
        };
        Metrics {
            errors,
            periods: self.periods(self.regimes, of(Rule::Envelope)),
            periods_last_crossing: self.periods(self.last_crossings, of(Rule::LastCrossing)),
            rms_angle: (square / n as f64).sqrt(),
        }
    }

    /// Differences of the lengths of the regimes.
    fn periods(&self, measured: Regimes, predicted: Regimes) -> [Option<f64>; 3] {
        let (first, last) = (self.motion.time[0], self.motion.time[self.motion.len() - 1]);
        let lengths = |r: Regimes| {
            let double = r.double_ends.map(|t| t - first);
            let single = r.double_ends.zip(r.single_ends).map(|(a, b)| b - a);
            // A motion that still has impacts when the record ends has no third regime in it.
            let none = r.single_ends.map(|t| last - t).filter(|d| *d >= 0.0);
            [double, single, none]
        };
        let (a, b) = (lengths(measured), lengths(predicted));
        [0, 1, 2].map(|k| a[k].zip(b[k]).map(|(a, b)| (a - b).abs()))
    }
}
