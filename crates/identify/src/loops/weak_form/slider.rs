//! Starts from a spring-slider in place of the law.
//!
//! Where a loop slips over most of its stroke, the integrals of the weak form collect nothing but
//! noise. There a spring-slider is close to the law, and linear in its force once its slip
//! displacement is taken from a grid.

use super::{Problem, Solved};
use masing_data::range;

/// Slip displacements over the amplitude.
const SLIPS: [f64; 6] = [0.005, 0.015, 0.04, 0.1, 0.25, 0.6];

impl Problem<'_> {
    /// A solution for every slip displacement with a slider that resists.
    pub(super) fn sliders(&self) -> Vec<Solved> {
        SLIPS.iter().flat_map(|&slip| self.slipping(slip)).collect()
    }

    /// The states of sliders that slip after this share of the amplitude, between -1 and 1.
    pub(super) fn slider(&self, share: f64) -> Vec<f64> {
        let mut out = Vec::with_capacity(self.force.len());
        for p in self.paths {
            let (low, high) = range(&p.x);
            let slip = 0.5 * share * (high - low);
            let mut z = 0.0_f64;
            for (i, x) in p.x.iter().enumerate() {
                z = (z + x - p.x[i.saturating_sub(1)]).clamp(-slip, slip);
                out.push(z / slip);
            }
        }
        out
    }

    fn slipping(&self, share: f64) -> Vec<Solved> {
        let linear = &self.law.linear;
        let mut theta: Vec<f64> = linear
            .iter()
            .map(|l| (self.held)(l.param).unwrap_or(0.0))
            .collect();
        let free: Vec<usize> = (0..linear.len())
            .filter(|&j| (self.held)(linear[j].param).is_none())
            .collect();
        let mut columns = self.constants();
        let first = columns.len();
        columns.push(self.slider(share));
        columns.extend(free.iter().map(|&j| self.column(j)));
        let known = self.parallel(&theta);
        let y: Vec<f64> = self.force.iter().zip(known).map(|(f, p)| f - p).collect();
        let Some(found) = self.fit(&columns, &y) else {
            return vec![];
        };
        let limit = found.coefficients[first];
        if !(limit > 0.0) {
            return vec![];
        }
        for (&j, value) in free.iter().zip(&found.coefficients[first + 1..]) {
            theta[j] = *value;
        }
        // The slip displacement of the longest stroke.
        let strokes = self.paths.iter().map(|p| {
            let (low, high) = range(&p.x);
            0.5 * (high - low)
        });
        let slip = share * strokes.fold(0.0, f64::max);
        let stiffness = limit / slip;
        let sets = self.law.law.like_slider(stiffness, limit).into_iter();
        let each = sets.map(|own| Solved {
            own,
            linear: theta.clone(),
            rest: found.rest,
        });
        each.collect()
    }
}
