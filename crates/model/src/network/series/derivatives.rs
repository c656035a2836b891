//! Derivatives of a step of a series, by the implicit function theorem at every balance.
//!
//! At a stage F1(y) = F2(y); with all inputs moving, dy = -(dF1 - dF2)/(F1' - F2'), where dF are the
//! changes at fixed y. Tangent and adjoint are written once for all schemes.

use super::super::parallel::{FEW, number};
use super::super::scheme::{BALANCE, MOST_STAGES, Stage};
use super::Series;
use super::place::{How, Place, Sought, Way};
use crate::element::{Cotangent, Step, Tangent};
use crate::room::Room;

/// So many derivatives of a stage need no memory of their own: eight columns and four states.
const FEW_ROWS: usize = 160;

/// What a step left on its tape of one stage.
#[derive(Clone, Copy)]
struct Kept<'a> {
    place: Place,
    how: How,
    steps: [Step; 2],
    tapes: [&'a [f64]; 2],
    /// The stage of the scheme; none where the velocity is shared.
    stage: Option<&'static Stage>,
}

/// The stages of a step, in order.
fn read<'a>(series: &Series, s: &Step, tape: &'a [f64]) -> [Option<Kept<'a>>; MOST_STAGES] {
    let (start, mut rest) = tape.split_at(series.described.children[1].states.end);
    let (scheme, shared) = match series.way(s) {
        Some(Way::Stages(scheme)) => (scheme, false),
        Some(Way::Jump(_)) => (BALANCE, false),
        Some(Way::Share) | None => (BALANCE, true),
    };
    // Lengths stand behind what they measure: read from the end.
    let mut found = [(0.0, How::Free, [&[][..]; 2]); MOST_STAGES];
    for found in found[..scheme.len()].iter_mut().rev() {
        let (before, tail) = rest.split_at(rest.len() - 4);
        let lengths = [tail[2] as usize, tail[3] as usize];
        let (before, second) = before.split_at(before.len() - lengths[1]);
        let (before, first) = before.split_at(before.len() - lengths[0]);
        *found = (tail[0], How::from_number(tail[1]), [first, second]);
        rest = before;
    }
    let mut rates = [0.0; MOST_STAGES];
    let mut kept = [None; MOST_STAGES];
    for (i, stage) in scheme.iter().enumerate() {
        let (y, how, tapes) = found[i];
        let place = if shared {
            Place::still(s, start[0])
        } else {
            Place::of(series, s, stage, &rates, start[0])
        };
        rates[i] = place.rate(y);
        kept[i] = Some(Kept {
            steps: place.steps(y, how),
            place,
            how,
            tapes,
            stage: (!shared).then_some(stage),
        });
    }
    kept
}

/// Rows of derivatives of one element: those of the columns and, last, of what is sought.
struct End<'a> {
    x0: &'a mut [f64],
    x1: &'a mut [f64],
    v1: &'a mut [f64],
    force: &'a mut [f64],
    z: &'a mut [f64],
}

/// Rows of both elements.
struct Rows<'a> {
    zero: &'a [f64],
    branch: &'a mut [f64],
    ends: [End<'a>; 2],
}

impl<'a> Rows<'a> {
    /// Values in the rows of both elements, for so many columns.
    fn room(series: &Series, columns: usize) -> usize {
        let states: usize = series.ends().iter().map(|child| child.states.len()).sum();
        (10 + states) * (columns + 1)
    }

    /// Cuts room that is zero into rows; returns what is left of it.
    fn cut(series: &Series, columns: usize, room: &'a mut [f64]) -> (Self, &'a mut [f64]) {
        let mut rest = room;
        let mut rows = |count: usize| {
            let (own, after) = std::mem::take(&mut rest).split_at_mut(count * (columns + 1));
            rest = after;
            own
        };
        let rows = Self {
            zero: rows(1),
            branch: rows(1),
            ends: series.ends().map(|child| End {
                x0: rows(1),
                x1: rows(1),
                v1: rows(1),
                force: rows(1),
                z: rows(child.states.len()),
            }),
        };
        (rows, rest)
    }
}

impl Kept<'_> {
    /// Pushes the rows of both elements through their steps.
    fn push(
        &self,
        series: &Series,
        p: &[f64],
        param: &[Option<usize>],
        rows: &mut Rows<'_>,
        scratch: &mut Vec<f64>,
    ) {
        let [dx, dv] = self.place.along();
        let columns = param.len();
        let mut own = Room::<Option<usize>, FEW>::new(None);
        let own = own.take(columns + 1);
        own[columns] = None;
        for (i, (child, end)) in series.ends().into_iter().zip(&mut rows.ends).enumerate() {
            let sign = if i == 0 { 1.0 } else { -1.0 };
            end.x1[columns] = sign * dx;
            end.v1[columns] = sign * dv;
            number(param, &child.params, own);
            child.element.push_forward(
                &p[child.params.clone()],
                &self.steps[i],
                self.tapes[i],
                &mut Tangent {
                    param: own,
                    motion: Some([&*end.x0, &*end.x1, rows.zero, &*end.v1]),
                    branch: Some(rows.branch),
                    z: end.z,
                    force: end.force,
                    scratch,
                },
            );
        }
    }

    /// The element from which derivatives of the force are taken: that of the step, or, where both
    /// forces are the same, the softer one, because those of the stiffer one cancel.
    fn softer(&self, rows: &Rows<'_>) -> usize {
        if self.how != How::Free {
            return Series::bearing(self.how);
        }
        let [first, second] = slopes(rows).map(f64::abs);
        usize::from(second < first)
    }

    /// Fraction of the step, and weights of the rates so far.
    fn stage(&self) -> (f64, &'static [f64]) {
        self.stage
            .map_or((1.0, &[][..]), |stage| (stage.c, stage.a))
    }

    /// d rate/d sought.
    fn per_time(&self) -> f64 {
        match self.place.sought {
            Sought::Split(per_time) => per_time,
            Sought::Rate => 0.0,
        }
    }
}

/// Slopes of both forces along what is sought.
fn slopes(rows: &Rows<'_>) -> [f64; 2] {
    [0, 1].map(|i: usize| rows.ends[i].force[rows.zero.len() - 1])
}

pub(super) fn push_forward(
    series: &Series,
    p: &[f64],
    s: &Step,
    tape: &[f64],
    d: &mut Tangent<'_>,
) {
    let columns = d.columns();
    let stages = read(series, s, tape);
    let count = stages.iter().flatten().count();
    let own = Rows::room(series, columns);
    let mut room = Room::<f64, FEW_ROWS>::new(0.0);
    let room = room.take(own + (MOST_STAGES + 2) * columns);
    let (mut rows, rest) = Rows::cut(series, columns, room);
    let (base, rest) = rest.split_at_mut(columns);
    let (sought, rates) = rest.split_at_mut(columns);
    for (i, kept) in stages.iter().flatten().enumerate() {
        let zero = &rows.zero[..columns];
        let [x0, x1, _, v1] = d.motion.unwrap_or([zero; 4]);
        let u0 = &d.z[..columns];
        let (c, weights) = kept.stage();
        let per_time = kept.per_time();
        let at = |c: f64, col: usize| x0[col] + c * (x1[col] - x0[col]);
        base.copy_from_slice(u0);
        for (a, rate) in weights[..i].iter().zip(rates.chunks_exact(columns.max(1))) {
            for (base, rate) in base.iter_mut().zip(rate) {
                *base += a * s.dt * rate;
            }
        }
        let speed = |col: usize| match kept.place.sought {
            Sought::Rate => v1[col],
            Sought::Split(per_time) if per_time > 0.0 => (x1[col] - x0[col]) / s.dt,
            Sought::Split(_) => 0.0,
        };
        let [first, second] = &mut rows.ends;
        for col in 0..columns {
            // At a fixed sought value: the rate falls as the base rises.
            let fixed = match kept.place.sought {
                Sought::Rate => u0[col],
                Sought::Split(_) => 0.0,
            };
            let rate = -per_time * base[col];
            first.x0[col] = u0[col];
            first.x1[col] = fixed;
            first.v1[col] = rate;
            second.x0[col] = x0[col] - u0[col];
            second.x1[col] = at(c, col) - fixed;
            second.v1[col] = speed(col) - rate;
            rows.branch[col] = at(c, col) - x0[col];
        }
        for (child, end) in series.ends().into_iter().zip(&mut rows.ends) {
            for (row, state) in end
                .z
                .chunks_exact_mut(columns + 1)
                .zip(child.states.clone())
            {
                row[..columns].copy_from_slice(&d.z[state * columns..][..columns]);
                row[columns] = 0.0;
            }
        }
        kept.push(series, p, d.param, &mut rows, d.scratch);
        let [first, second] = slopes(&rows);
        let slope = first - second;
        for (col, sought) in sought.iter_mut().enumerate() {
            *sought = match (kept.how, kept.place.sought) {
                (How::Held(0), Sought::Split(_)) => u0[col],
                (How::Held(0), Sought::Rate) => 0.0,
                (How::Held(_), Sought::Split(_)) => at(c, col) - x0[col] + u0[col],
                (How::Held(_), Sought::Rate) => v1[col],
                _ if slope == 0.0 => u0[col],
                _ => (rows.ends[1].force[col] - rows.ends[0].force[col]) / slope,
            };
        }
        if i + 1 < count {
            let own = rates[i * columns..][..columns].iter_mut();
            for ((rate, y), b) in own.zip(&*sought).zip(&*base) {
                *rate = (y - b) * per_time;
            }
            continue;
        }
        let bearing = &rows.ends[kept.softer(&rows)];
        for col in 0..columns {
            d.force[col] = bearing.force[col] + bearing.force[columns] * sought[col];
        }
        if kept.place.sought == Sought::Rate {
            return;
        }
        d.z[..columns].copy_from_slice(sought);
        for (child, end) in series.ends().into_iter().zip(&rows.ends) {
            for (own, state) in end.z.chunks_exact(columns + 1).zip(child.states.clone()) {
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
    let stages = read(series, s, tape);
    let last = stages.iter().flatten().count() - 1;
    let mut room = Room::<f64, FEW_ROWS>::new(0.0);
    let room = room.take(Rows::room(series, 0) + 2 * bar.z.len());
    let (mut rows, rest) = Rows::cut(series, 0, room);
    // Sensitivities to the states before the step and of the stage at hand, and to the rates of the stages.
    let (before, states) = rest.split_at_mut(bar.z.len());
    let mut rates = [0.0; MOST_STAGES];
    let backwards = stages.iter().enumerate().rev();
    for (i, kept) in backwards.filter_map(|(i, kept)| Some((i, kept.as_ref()?))) {
        let still = kept.place.sought == Sought::Rate;
        if still {
            before.copy_from_slice(bar.z);
        }
        rows.ends.iter_mut().for_each(|end| end.z.fill(0.0));
        kept.push(series, p, &[], &mut rows, bar.scratch);
        let per_time = kept.per_time();
        let (c, weights) = kept.stage();
        let [first, second] = slopes(&rows);
        let slope = first - second;
        // Sensitivities of the forces and states of the stage at a fixed sought value.
        let mut forces = [0.0; 2];
        states.fill(0.0);
        let mut sought = rates[i] * per_time;
        let mut base = -rates[i] * per_time;
        if i == last {
            let bearing = kept.softer(&rows);
            forces[bearing] = bar.force;
            sought += bar.force * rows.ends[bearing].force[0];
            if !still {
                sought += bar.z[0];
                for (child, end) in series.ends().into_iter().zip(&rows.ends) {
                    let own = &mut states[child.states.clone()];
                    own.copy_from_slice(&bar.z[child.states.clone()]);
                    sought += own.iter().zip(&*end.z).map(|(b, z)| b * z).sum::<f64>();
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
                z: &mut states[child.states.clone()],
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
            let own = &states[child.states.clone()];
            for (sum, own) in before[child.states.clone()].iter_mut().zip(own) {
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
    bar.z.copy_from_slice(before);
}
