//! Dynamic stiffness and loss angle of the first harmonic.

use super::StiffnessTable;
use crate::error::FitError;
use crate::objective::predict::{Prediction, Question};
use crate::problem::unknown::Place;
use crate::test::preload::displacement;
use masing_sim::{Column, Cycled, Repeat};
use std::f64::consts::TAU;

pub(super) fn predict(
    question: &Question<'_>,
    table: &StiffnessTable,
) -> Result<Prediction, FitError> {
    let count = question.columns();
    let p = question.elements();
    let mut out = Prediction {
        values: Vec::with_capacity(2 * table.points.len()),
        jacobian: vec![0.0; 2 * table.points.len() * count],
    };
    for (k, point) in table.points.iter().enumerate() {
        let (mean, slope) = displacement(question.model, p, point.preload, point.amplitude, true)?;
        let motion = point.motion(mean)?;
        let n = motion.len();
        let (ones, zeros) = (vec![1.0; n], vec![0.0; n]);
        let mut columns: Vec<Column<'_>> = Vec::new();
        let mut of = Vec::new();
        for (c, u) in question.unknowns.iter().enumerate().take(count) {
            if let Place::Param(index) = u.place
                && index < p.len()
            {
                columns.push(Column::Param(index));
                of.push((c, index));
            }
        }
        if !slope.is_empty() && count > 0 {
            columns.push(Column::Motion {
                x: &ones,
                v: &zeros,
            });
        }
        let cycled = Cycled {
            assembly: question.model.assembly(),
            cycle: &motion,
            run_in: None,
            numerics: point.numerics,
        };
        let (run, _) = cycled.tangent(p, Repeat::Times(point.cycles), &columns)?;
        let width = columns.len();
        // Storage and loss stiffness of anything sampled over the cycle, first sample left out.
        let harmonic = |value: &dyn Fn(usize) -> f64| {
            let (mut storage, mut loss) = (0.0, 0.0);
            for i in 1..n {
                let angle = TAU * i as f64 / (n - 1) as f64;
                storage += value(i) * angle.sin();
                loss += value(i) * angle.cos();
            }
            let scale = 2.0 / ((n - 1) as f64 * point.amplitude);
            (storage * scale, loss * scale)
        };
        let (storage, loss) = harmonic(&|i| run.force[i]);
        let stiffness = storage.hypot(loss);
        out.values.extend([stiffness, loss.atan2(storage)]);
        if stiffness == 0.0 {
            continue;
        }
        let shift = if slope.is_empty() || count == 0 {
            (0.0, 0.0)
        } else {
            harmonic(&|i| run.jacobian[i * width + width - 1])
        };
        for (from, &(c, index)) in of.iter().enumerate() {
            let (mut a, mut b) = harmonic(&|i| run.jacobian[i * width + from]);
            if let Some(slope) = slope.get(index) {
                a += shift.0 * slope;
                b += shift.1 * slope;
            }
            let row = 2 * k * count;
            out.jacobian[row + c] = (storage * a + loss * b) / stiffness;
            out.jacobian[row + count + c] = (storage * b - loss * a) / (stiffness * stiffness);
        }
    }
    Ok(out)
}
