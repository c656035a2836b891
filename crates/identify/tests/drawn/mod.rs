//! Data sets drawn from known networks: three to five tests each, 1 % noise.

use masing_identify::compare::{Added, Candidate, CompareOptions, Compared, Watching, compare};
use masing_identify::test::InitialState;
use masing_identify::{MotionRecord, Test};
use masing_model::{Assembly, Model, MotionKind, Rng, Shape};
use masing_sim::{ACCURACY, Motion, Prescribed, choose};
use std::f64::consts::TAU;

/// Networks of one to four elements with typical values, SI.
pub const NETWORKS: [(&str, &[f64]); 15] = [
    ("spring", &[2e5]),
    ("spring + dashpot", &[2e5, 3e3]),
    (
        "jenkins + spring + series(eyring-dashpot, spring)",
        &[3e5, 100.0, 1e5, 60.0, 1e-3, 5e5],
    ),
    ("spring + jenkins", &[1e5, 4e5, 100.0]),
    ("spring + eyring-dashpot", &[1e5, 60.0, 2e-3]),
    (
        "spring + dashpot + series(gap, slider)",
        &[1e5, 2e3, 5e5, 3e-4, 120.0],
    ),
    ("spring + maxwell", &[1.5e5, 2e5, 0.05]),
    ("polynomial-spring[powers=1,3]", &[1e5, 1e11, 0.0]),
    ("bouc-wen", &[3e5, 2e3, 5e2, 1.0]),
    ("spring + bouc-wen", &[1e5, 3e5, 2e3, 5e2, 1.0]),
    ("spring + dashpot + jenkins", &[1e5, 3e3, 3e5, 80.0]),
    (
        "spring + maxwell + jenkins + dashpot",
        &[1e5, 2e5, 0.05, 3e5, 80.0, 3e3],
    ),
    ("series(eyring-dashpot, spring)", &[60.0, 1e-3, 5e5]),
    ("series(gap, slider)", &[5e5, 3e-4, 120.0]),
    ("dahl + dashpot", &[4e5, 100.0, 1.0, 2e3]),
];

/// What a data set is drawn from.
pub struct Drawn {
    pub truth: Model,
    pub text: &'static str,
    pub tests: Vec<Test>,
    /// A test that no candidate sees.
    pub fresh: Test,
}

/// Data set `index` of a seed; every fifth network follows the next.
pub fn draw(index: usize) -> Drawn {
    let (text, typical) = NETWORKS[index % NETWORKS.len()];
    let mut random = Rng::new((index as u64 + 1).wrapping_mul(0x2545_f491_4f6c_dd1d));
    let assembly = Assembly::from_names(text, |_| Shape::default()).expect("a network");
    let model = Model::with_defaults(assembly, None).expect("defaults");
    // Exponents stay, everything else varies by a factor of up to 1.6.
    let values = typical.iter().zip(model.params()).map(|(v, (_, param))| {
        let factor = 1.6_f64.powf(2.0 * random.uniform() - 1.0);
        if param.unit == "1" { *v } else { v * factor }
    });
    let truth = model.with(values.collect()).expect("values");
    let count = 3 + (random.uniform() * 3.0) as usize;
    let amplitudes = [1e-3, 0.4e-3, 1e-3, 0.7e-3, 0.4e-3];
    let frequencies = [1.0, 2.0, 4.0, 0.5, 8.0];
    let mut test = |k: usize, amplitude: f64, frequency: f64| {
        let (n, cycles) = (900, 3.0);
        let at = |i: usize| cycles * i as f64 / n as f64;
        let time: Vec<f64> = (0..=n).map(|i| at(i) / frequency).collect();
        let x = (0..=n).map(|i| amplitude * (TAU * at(i)).sin()).collect();
        let motion = Motion::new(time, x, None).expect("a motion");
        let numerics = choose(truth.assembly(), truth.values(), &motion, ACCURACY);
        let numerics = numerics.expect("steps");
        let run = Prescribed::new(truth.assembly(), &motion, numerics).run(truth.values());
        let mut force = run.expect("a run");
        let rms = (force.iter().map(|f| f * f).sum::<f64>() / force.len() as f64).sqrt();
        for f in &mut force {
            *f += 0.01 * rms * random.gaussian();
        }
        let mut rig = MotionRecord::new(motion, force);
        rig.noise = Some(0.01 * rms);
        rig.initial = InitialState::AtRest;
        Test::of(format!("test {}", k + 1), rig)
    };
    let tests = (0..count).map(|k| test(k, amplitudes[k], frequencies[k]));
    let tests = tests.collect();
    let fresh = test(count, 0.85e-3, 3.0);
    Drawn {
        truth,
        text,
        tests,
        fresh,
    }
}

/// Compares on tests without a hint.
pub fn compared(tests: &[Test], budget: usize, workers: usize) -> Compared {
    let options = CompareOptions {
        models: Vec::new(),
        budget,
        seed: 0,
        workers,
        timed: true,
        target: None,
        motion: MotionKind::Translation,
    };
    let begun = std::time::Instant::now();
    let watching = Watching {
        stop: &|| false,
        tell: &|_, _, _| (),
        clock: &|| begun.elapsed().as_secs_f64(),
    };
    compare(tests, &[], &options, &watching).expect("a ladder")
}

/// What came of a data set.
pub struct Outcome {
    pub truth: &'static str,
    pub chosen: String,
    pub added: Added,
    /// Error on the fresh test over that of the truth.
    pub ratio: f64,
    /// Elements more than the truth has.
    pub more: i64,
    pub tried: usize,
}

/// Compares on data set `index` and judges the choice by a test that nobody saw.
pub fn judged(index: usize, budget: usize, workers: usize) -> Outcome {
    let drawn = draw(index);
    let found = compared(&drawn.tests, budget, workers);
    let chosen = &found.chosen().expect("a choice").trial;
    let error = |model: &Model| {
        let mut fresh = drawn.fresh.clone();
        let own = masing_identify::predict_held_out(model, &mut fresh);
        own.expect("a prediction").0.relative
    };
    let elements = |model: &Model| {
        let parts = model.assembly().parts().iter();
        parts.map(|p| p.laws().len() as i64).sum::<i64>()
    };
    Outcome {
        truth: drawn.text,
        chosen: chosen.candidate.text(),
        added: chosen.candidate.added,
        ratio: error(&chosen.model) / error(&drawn.truth),
        more: elements(&chosen.model) - elements(&drawn.truth),
        tried: found.ladder.len(),
    }
}

impl Outcome {
    /// Whether the choice is the truth, or predicts within 1.2 times of it.
    pub fn sound(&self) -> bool {
        let same = Candidate::new(self.truth).expect("a network").text() == self.chosen;
        (same || self.ratio <= 1.2) && self.more < 2
    }
}
