//! The paper's identification problem: a record to be met by five parameters, in themselves or in their logarithms.

use super::rig::{CELLS, SAMPLES, STEP, Set, by_set, chain, parts, si, times};
use crate::error::PapersError;
use masing_identify::search::optimise::{LeastSquares, Linearisation, Smooth};
use masing_identify::{MotionRecord, Test};
use masing_model::Assembly;
use masing_sim::{Column, Motion, Prescribed, TAPE_BUDGET};
use std::ops::Range;

/// A motion, the force it gave, and the samples that are compared.
pub struct Record {
    pub model: Assembly,
    pub motion: Motion,
    pub force: Vec<f64>,
    pub window: Range<usize>,
}

impl Record {
    /// The response of a set, compared over its whole length.
    pub fn of(set: Set, motion: Motion) -> Result<Self, PapersError> {
        let model = chain(CELLS, None)?;
        let force = Prescribed::new(&model, &motion, parts(1)).run(&si(set))?;
        Ok(Self {
            model,
            motion,
            force,
            window: 0..SAMPLES,
        })
    }

    pub fn run(&self) -> Prescribed<'_> {
        Prescribed::new(&self.model, &self.motion, parts(1))
    }

    /// The response of a set.
    pub fn response(&self, set: Set) -> Result<Vec<f64>, PapersError> {
        Ok(self.run().run(&si(set))?)
    }

    /// sqrt(J/J0) at a set.
    pub fn error(&self, set: Set) -> Result<f64, PapersError> {
        let force = self.response(set)?;
        let square = |of: &dyn Fn(usize) -> f64| -> f64 {
            (0..SAMPLES).map(|i| self.weight(i) * of(i).powi(2)).sum()
        };
        let off = square(&|i| force[i] - self.force[i]);
        Ok((off / square(&|i| self.force[i])).sqrt())
    }

    /// The record as the fit takes it.
    pub fn target(&self) -> Test {
        let mut rig = MotionRecord::new(self.motion.clone(), self.force.clone());
        rig.window = self.window.clone();
        rig.numerics = parts(1);
        Test::of("record", rig)
    }

    /// Weight of a sample in the integral over time: trapezoids over the window.
    pub fn weight(&self, i: usize) -> f64 {
        let Range { start, end } = self.window;
        match i {
            i if i < start || i >= end => 0.0,
            i if i == start || i + 1 == end => 0.5 * STEP,
            _ => STEP,
        }
    }
}

/// J/J0 over the parameters, or over their logarithms: as a cost with its gradient by the adjoint, and as squares with
/// their Jacobian by the tangent.
pub struct Cost<'a> {
    record: &'a Record,
    logarithms: bool,
    lower: Vec<f64>,
    upper: Vec<f64>,
    /// 2/J0.
    scale: f64,
}

/// Admissible values (N, mm, s).
const LOWER: Set = [1e-3, 1e-3, 1e-3, 1e-9, 1e-3];
const UPPER: Set = [1e9, 1e7, 1e9, 1e5, 0.999];

impl<'a> Cost<'a> {
    pub fn new(record: &'a Record, logarithms: bool) -> Self {
        let squares = |i: usize| record.weight(i) * record.force[i].powi(2);
        let mut cost = Self {
            record,
            logarithms,
            lower: Vec::new(),
            upper: Vec::new(),
            scale: 2.0 / (0..SAMPLES).map(squares).sum::<f64>(),
        };
        (cost.lower, cost.upper) = (cost.seen(LOWER), cost.seen(UPPER));
        cost
    }

    /// A set as the optimiser sees it.
    pub fn seen(&self, set: Set) -> Vec<f64> {
        let seen = set.map(|v| if self.logarithms { v.ln() } else { v });
        seen.to_vec()
    }

    /// The set behind what the optimiser sees.
    pub fn set(&self, x: &[f64]) -> Set {
        std::array::from_fn(|i| if self.logarithms { x[i].exp() } else { x[i] })
    }

    /// Derivatives by the parameters in SI as derivatives by what the optimiser sees.
    fn derivatives(&self, by_si: &[f64], set: Set) -> Set {
        let by_set = by_set(by_si, set);
        if self.logarithms {
            times(by_set, set)
        } else {
            by_set
        }
    }
}

impl Smooth for Cost<'_> {
    fn slope(&self, x: &[f64]) -> Option<(f64, Vec<f64>)> {
        let set = self.set(x);
        let p = si(set);
        let recorded = self.record.run().record(&p, TAPE_BUDGET).ok()?;
        let off = |i: usize| recorded.force()[i] - self.record.force[i];
        let weighted = |i: usize| self.scale * self.record.weight(i) * off(i);
        let bar: Vec<f64> = (0..SAMPLES).map(weighted).collect();
        let cost = (0..SAMPLES).map(|i| 0.5 * bar[i] * off(i)).sum();
        let gradient = recorded.pull_back(&bar).ok()?.params;
        Some((cost, self.derivatives(&gradient, set).to_vec()))
    }

    fn bounds(&self) -> [&[f64]; 2] {
        [&self.lower, &self.upper]
    }
}

impl LeastSquares for Cost<'_> {
    fn linearise(&self, x: &[f64]) -> Option<Linearisation> {
        let set = self.set(x);
        let along: Vec<Column<'_>> = (0..5).map(Column::Param).collect();
        let found = self.record.run().tangent(&si(set), &along).ok()?;
        let mut residuals = Vec::new();
        let mut jacobian = Vec::new();
        for i in self.record.window.clone() {
            let root = (self.scale * self.record.weight(i)).sqrt();
            residuals.push(root * (found.force[i] - self.record.force[i]));
            let row = self.derivatives(&found.jacobian[5 * i..5 * i + 5], set);
            jacobian.extend(row.map(|d| root * d));
        }
        Some(Linearisation::from_rows(residuals, &jacobian))
    }

    fn bounds(&self) -> [&[f64]; 2] {
        [&self.lower, &self.upper]
    }
}
