//! Four parts whose parameter follows a condition, tested at five levels.

use masing_identify::{Follow, FormChoice, Identified, Test};
use masing_model::{Assembly, Condition, Following, Form, Levels, Model, Rng, Shape};
use masing_sim::{Motion, Numerics, Prescribed};
use std::f64::consts::TAU;

/// A law over a condition.
pub struct Law {
    pub model: &'static str,
    pub values: &'static [f64],
    pub address: &'static str,
    pub condition: &'static str,
    pub unit: &'static str,
    pub form: Form,
    pub coefficients: Vec<f64>,
    pub levels: [f64; 5],
}

pub fn laws() -> [Law; 4] {
    [
        Law {
            model: "eyring-dashpot+spring",
            values: &[100.0, 2e-3, 2e4],
            address: "eyring-dashpot.f",
            condition: "current",
            unit: "A",
            form: Form::ExpQuadratic,
            coefficients: vec![2.3, 3.1, -1.2],
            levels: [0.0, 0.25, 0.5, 0.75, 1.0],
        },
        Law {
            model: "jenkins+spring",
            values: &[2e5, 20.0, 3e4],
            address: "jenkins.zs",
            condition: "preload",
            unit: "N",
            form: Form::Linear,
            coefficients: vec![8.0, 0.05],
            levels: [100.0, 300.0, 500.0, 800.0, 1200.0],
        },
        Law {
            model: "maxwell+spring",
            values: &[1e5, 0.05, 4e4],
            address: "maxwell.tau",
            condition: "temperature",
            unit: "K",
            form: Form::Arrhenius,
            coefficients: vec![-12.5, 3000.0],
            levels: [260.0, 280.0, 300.0, 320.0, 340.0],
        },
        Law {
            model: "dahl+dashpot",
            values: &[2e5, 60.0, 1.0, 800.0],
            address: "dahl.fc",
            condition: "pressure",
            unit: "Pa",
            form: Form::Power,
            coefficients: vec![0.02, 0.6],
            levels: [1e5, 2e5, 4e5, 7e5, 1e6],
        },
    ]
}

impl Law {
    pub fn levels_at(&self, level: f64) -> Levels {
        [(self.condition.to_owned(), level)].into()
    }

    /// The plain model, and that with the law.
    pub fn models(&self) -> [Model; 2] {
        let assembly = Assembly::from_names(self.model, |_| Shape::default()).expect("elements");
        let plain = Model::new(assembly, None, self.values.to_vec()).expect("a model");
        let condition = Condition {
            name: self.condition.to_owned(),
            unit: self.unit.to_owned(),
            range: [self.levels[0], self.levels[4]],
        };
        let following = Following {
            param: plain.find(self.address).expect("an address")[0],
            of: vec![(self.condition.to_owned(), self.form.clone())],
            coefficients: self.coefficients.clone(),
        };
        let truth = plain.follow(vec![condition.clone()], vec![following]);
        // The unit says for which forms a condition is meant.
        let plain = plain.follow(vec![condition], vec![]).expect("a model");
        [plain, truth.expect("a law")]
    }

    /// A sine of 1 mm and one of 0.4 mm at a level, with noise of 1 % of the largest force.
    pub fn test(&self, level: f64, noise: f64, seed: u64) -> Test {
        let [_, truth] = self.models();
        let model = truth.at(&self.levels_at(level)).expect("a level");
        let time: Vec<f64> = (0..400).map(|i| f64::from(i) / 200.0).collect();
        let x = time.iter().map(|&t| {
            let amplitude = if t < 1.0 { 1e-3 } else { 4e-4 };
            amplitude * (TAU * 2.0 * t).sin()
        });
        let motion = Motion::new(time.clone(), x.collect(), None).expect("a motion");
        let run = Prescribed::new(model.assembly(), &motion, Numerics::default());
        let mut force = run.run(model.element_values()).expect("a run");
        let peak = force.iter().fold(0.0_f64, |m, f| m.max(f.abs()));
        let mut random = Rng::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
        for f in &mut force {
            *f += noise * peak * random.gaussian();
        }
        let mut test = Test::new(format!("{level}"), motion, force);
        test.conditions = self.levels_at(level);
        test
    }

    /// One record at every level.
    pub fn tests(&self, noise: f64, seed: u64) -> Vec<Test> {
        let each = self.levels.iter().zip(10 * seed..);
        each.map(|(&level, seed)| self.test(level, noise, seed))
            .collect()
    }

    pub fn follow(&self, form: FormChoice) -> Vec<(String, Follow)> {
        let of = vec![self.condition.to_owned()];
        vec![(self.address.to_owned(), Follow { of, form })]
    }

    /// How many true coefficients lie within their intervals, and how many there are.
    #[allow(dead_code, reason = "not every test counts them")]
    pub fn covered(&self, found: &Identified) -> (usize, usize) {
        let own = self.coefficients.iter().enumerate().map(|(k, truth)| {
            let address = format!("{}.{}[{}]", self.address, self.condition, k + 1);
            let own = found.estimates.iter().find(|e| e.address == address);
            let interval = own.and_then(|e| e.interval).expect("an interval");
            interval[0] <= *truth && *truth <= interval[1]
        });
        let inside: Vec<bool> = own.collect();
        (inside.iter().filter(|i| **i).count(), inside.len())
    }
}
