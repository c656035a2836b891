//! Derivatives of a step of a series, by the implicit function theorem at every balance.
//!
//! At a stage F1(y) = F2(y); with all inputs moving, dy = -(dF1 - dF2)/(F1' - F2'), where dF are the
//! changes at fixed y. Tangent and adjoint are written once for all schemes.

use super::super::parallel::own_params;
use super::super::scheme::{BALANCE, MOST_STAGES, Stage};
use super::Series;
use super::place::{How, Place, Sought, Way};
use crate::element::{Cotangent, Step, Tangent};

/// What a step left on its tape of one stage.
struct Kept<'a> {
    place: Place,
    how: How,
    steps: [Step; 2],
    tapes: [&'a [f64]; 2],
    /// The stage of the scheme; none where the velocity is shared.
    stage: Option<&'static Stage>,
}

/// The states at the start and the stages of a step.
fn read<'a>(series: &Series, s: &Step, tape: &'a [f64]) -> (&'a [f64], Vec<Kept<'a>>) {
    let (start, mut rest) = tape.split_at(series.described.children[1].states.end);
    let stages: &[Option<&'static Stage>] = &match series.way(s) {
        Some(Way::Stages(scheme)) => scheme.iter().map(Some).collect::<Vec<_>>(),
        Some(Way::Jump(_)) => vec![Some(&BALANCE[0])],
        Some(Way::Share) | None => vec![None],
    };
    // Lengths stand behind what they measure: read from the end.
    let mut found = Vec::with_capacity(stages.len());
    for _ in stages {
        let (before, tail) = rest.split_at(rest.len() - 4);
        let lengths = [tail[2] as usize, tail[3] as usize];
        let (before, second) = before.split_at(before.len() - lengths[1]);
        let (before, first) = before.split_at(before.len() - lengths[0]);
        found.push((tail[0], How::from_number(tail[1]), [first, second]));
        rest = before;
    }
    let mut rates = [0.0; MOST_STAGES];
    let kept =
        found
            .into_iter()
            .rev()
            .zip(stages)
            .enumerate()
            .map(|(i, ((y, how, tapes), stage))| {
                let place = match stage {
                    Some(stage) => Place::of(series, s, stage, &rates, start[0]),
                    None => Place::still(s, start[0]),
                };
                rates[i] = place.rate(y);
                Kept {
                    steps: place.steps(y, how),
                    place,
                    how,
                    tapes,
                    stage: *stage,
                }
            });
    (start, kept.collect())
}

/// Rows of derivatives of one element: those of the columns and, last, of what is sought.
struct Rows {
    motion: [Vec<f64>; 4],
    branch: Vec<f64>,
    z: Vec<f64>,
    force: Vec<f64>,
}

impl Rows {
    fn new(columns: usize, states: usize) -> Self {
        let row = || vec![0.0; columns + 1];
        Self {
            motion: [row(), row(), row(), row()],
            branch: row(),
            z: vec![0.0; states * (columns + 1)],
            force: row(),
        }
    }
}

impl Kept<'_> {
    /// Pushes the rows of both elements through their steps.
    fn push(
        &self,
        series: &Series,
        p: &[f64],
        param: &[Option<usize>],
        rows: &mut [Rows; 2],
        scratch: &mut Vec<f64>,
    ) {
        let [dx, dv] = self.place.along();
        let columns = param.len();
        for (i, (child, rows)) in series.ends().into_iter().zip(rows).enumerate() {
            let sign = if i == 0 { 1.0 } else { -1.0 };
            rows.motion[1][columns] = sign * dx;
            rows.motion[3][columns] = sign * dv;
            let mut own = own_params(param, child);
            own.push(None);
            let Rows {
                motion,
                branch,
                z,
                force,
            } = rows;
            child.element.push_forward(
                &p[child.params.clone()],
                &self.steps[i],
                self.tapes[i],
                &mut Tangent {
                    param: &own,
                    motion: Some(std::array::from_fn(|k| motion[k].as_slice())),
                    branch: Some(branch),
                    z,
                    force,
                    scratch,
                },
            );
        }
    }

    /// The element from which derivatives of the force are taken: that of the step, or, where both
    /// forces are the same, the softer one, because those of the stiffer one cancel.
    fn softer(&self, rows: &[Rows; 2]) -> usize {
        if self.how != How::Free {
            return Series::bearing(self.how);
        }
        let slope = |rows: &Rows| rows.force[rows.force.len() - 1].abs();
        usize::from(slope(&rows[1]) < slope(&rows[0]))
    }

    /// d rate/d sought.
    fn per_time(&self) -> f64 {
        match self.place.sought {
            Sought::Split(per_time) => per_time,
            Sought::Rate => 0.0,
        }
    }
}

pub(super) fn push_forward(
    series: &Series,
    p: &[f64],
    s: &Step,
    tape: &[f64],
    d: &mut Tangent<'_>,
) {
    let columns = d.columns();
    let (_, stages) = read(series, s, tape);
    let zero = vec![0.0; columns];
    let [x0, x1, _, v1] = d.motion.unwrap_or([&zero; 4]);
    let u0 = d.z[..columns].to_vec();
    let mut rates: Vec<Vec<f64>> = Vec::with_capacity(stages.len());
    let last = stages.len() - 1;
    for (i, kept) in stages.iter().enumerate() {
        let mut rows = series
            .ends()
            .map(|child| Rows::new(columns, child.states.len()));
        let (c, weights) = kept
            .stage
            .map_or((1.0, &[][..]), |stage| (stage.c, stage.a));
        let per_time = kept.per_time();
        let at = |c: f64, col: usize| x0[col] + c * (x1[col] - x0[col]);
        let mut base = u0.clone();
        for (a, rate) in weights.iter().zip(&rates) {
            for (base, rate) in base.iter_mut().zip(rate) {
                *base += a * s.dt * rate;
            }
        }
        let speed = |col: usize| match kept.place.sought {
            Sought::Rate => v1[col],
            Sought::Split(per_time) if per_time > 0.0 => (x1[col] - x0[col]) / s.dt,
            Sought::Split(_) => 0.0,
        };
        for col in 0..columns {
            // At a fixed sought value: the rate falls as the base rises.
            let fixed = match kept.place.sought {
                Sought::Rate => u0[col],
                Sought::Split(_) => 0.0,
            };
            let rate = -per_time * base[col];
            let [first, second] = &mut rows;
            first.motion[0][col] = u0[col];
            first.motion[1][col] = fixed;
            first.motion[3][col] = rate;
            second.motion[0][col] = x0[col] - u0[col];
            second.motion[1][col] = at(c, col) - fixed;
            second.motion[3][col] = speed(col) - rate;
            let branch = at(c, col) - x0[col];
            first.branch[col] = branch;
            second.branch[col] = branch;
        }
        for (child, rows) in series.ends().into_iter().zip(&mut rows) {
            for (k, state) in child.states.clone().enumerate() {
                rows.z[k * (columns + 1)..][..columns]
                    .copy_from_slice(&d.z[state * columns..][..columns]);
            }
        }
        kept.push(series, p, d.param, &mut rows, d.scratch);
        let slope = rows[0].force[columns] - rows[1].force[columns];
        let sought: Vec<f64> = (0..columns)
            .map(|col| match (kept.how, kept.place.sought) {
                (How::Held(0), Sought::Split(_)) => u0[col],
                (How::Held(0), Sought::Rate) => 0.0,
                (How::Held(_), Sought::Split(_)) => at(c, col) - x0[col] + u0[col],
                (How::Held(_), Sought::Rate) => v1[col],
                _ if slope == 0.0 => u0[col],
                _ => (rows[1].force[col] - rows[0].force[col]) / slope,
            })
            .collect();
        if i < last {
            let rate = sought.iter().zip(&base).map(|(y, b)| (y - b) * per_time);
            rates.push(rate.collect());
            continue;
        }
        let bearing = &rows[kept.softer(&rows)];
        for col in 0..columns {
            d.force[col] = bearing.force[col] + bearing.force[columns] * sought[col];
        }
        if kept.place.sought == Sought::Rate {
            return;
        }
        d.z[..columns].copy_from_slice(&sought);
        for (child, rows) in series.ends().into_iter().zip(&rows) {
            for (k, state) in child.states.clone().enumerate() {
                let own = &rows.z[k * (columns + 1)..][..=columns];
                for col in 0..columns {
                    d.z[state * columns + col] = own[col] + own[columns] * sought[col];
                }
            }
        }
    }
}

pub(super) fn pull_back(
    series: &Series,
    p: &[f64],
    s: &Step,
    tape: &[f64],
    bar: &mut Cotangent<'_>,
) {
    let (_, stages) = read(series, s, tape);
    let last = stages.len() - 1;
    let still = stages[last].place.sought == Sought::Rate;
    // Sensitivities to the states before the step, and to the rates of the stages.
    let mut before = if still {
        bar.z.to_vec()
    } else {
        vec![0.0; bar.z.len()]
    };
    let mut rates = [0.0; MOST_STAGES];
    for (i, kept) in stages.iter().enumerate().rev() {
        let mut rows = series.ends().map(|child| Rows::new(0, child.states.len()));
        kept.push(series, p, &[], &mut rows, bar.scratch);
        let per_time = kept.per_time();
        let (c, weights) = kept
            .stage
            .map_or((1.0, &[][..]), |stage| (stage.c, stage.a));
        let slope = rows[0].force[0] - rows[1].force[0];
        // Sensitivities of the forces and states of the stage at a fixed sought value.
        let mut forces = [0.0; 2];
        let mut states: [Vec<f64>; 2] = series.ends().map(|child| vec![0.0; child.states.len()]);
        let mut sought = rates[i] * per_time;
        let mut base = -rates[i] * per_time;
        if i == last {
            let bearing = kept.softer(&rows);
            forces[bearing] = bar.force;
            sought += bar.force * rows[bearing].force[0];
            if !still {
                sought += bar.z[0];
                for (k, child) in series.ends().into_iter().enumerate() {
                    states[k].copy_from_slice(&bar.z[child.states.clone()]);
                    sought += states[k]
                        .iter()
                        .zip(&rows[k].z)
                        .map(|(b, z)| b * z)
                        .sum::<f64>();
                }
            }
        }
        match (kept.how, kept.place.sought) {
            (How::Held(0), Sought::Split(_)) => before[0] += sought,
            (How::Held(0), Sought::Rate) => {}
            (How::Held(_), Sought::Split(_)) => {
                before[0] += sought;
                bar.motion[0] -= c * sought;
                bar.motion[1] += c * sought;
            }
            (How::Held(_), Sought::Rate) => bar.motion[3] += sought,
            _ if slope == 0.0 => before[0] += sought,
            _ => {
                forces[0] -= sought / slope;
                forces[1] += sought / slope;
            }
        }
        let mut motions = [[0.0; 4]; 2];
        let mut branch = 0.0;
        for (k, child) in series.ends().into_iter().enumerate() {
            let mut own = Cotangent {
                force: forces[k],
                z: &mut states[k],
                p: &mut bar.p[child.params.clone()],
                motion: [0.0; 4],
                branch: 0.0,
                scratch: bar.scratch,
            };
            child.element.pull_back(
                &p[child.params.clone()],
                &kept.steps[k],
                kept.tapes[k],
                &mut own,
            );
            motions[k] = own.motion;
            branch += own.branch;
            for (sum, own) in before[child.states.clone()].iter_mut().zip(&states[k]) {
                *sum += own;
            }
        }
        let [first, second] = motions;
        before[0] += first[0] - second[0];
        bar.motion[0] += second[0] + (1.0 - c) * second[1] - c * branch;
        bar.motion[1] += c * (second[1] + branch);
        match kept.place.sought {
            Sought::Rate => {
                before[0] += first[1] - second[1];
                bar.motion[3] += second[3];
            }
            Sought::Split(per_time) if per_time > 0.0 => {
                base += per_time * (second[3] - first[3]);
                bar.motion[0] -= second[3] / s.dt;
                bar.motion[1] += second[3] / s.dt;
            }
            Sought::Split(_) => {}
        }
        before[0] += base;
        for (a, rate) in weights.iter().zip(&mut rates[..i]) {
            *rate += a * s.dt * base;
        }
    }
    bar.z.copy_from_slice(&before);
}
