//! The branches of a motion: which way it goes, and which turn it came from.

use masing_data::cycles::Reversal;

/// Directions and beginnings of branches, sample by sample.
pub(super) struct Branches {
    pub(super) sign: Vec<f64>,
    pub(super) from: Vec<f64>,
}

impl Branches {
    pub(super) fn of(x: &[f64], turns: &[Reversal]) -> Self {
        let n = x.len();
        let (mut sign, mut from) = (Vec::with_capacity(n), Vec::with_capacity(n));
        let rises = turns.first().map_or(x[n - 1] >= x[0], |turn| turn.top);
        let mut direction = if rises { 1.0 } else { -1.0 };
        let (mut beginning, mut next) = (x[0], 0);
        for i in 0..n {
            while let Some(turn) = turns.get(next) {
                // A sample on the turn still belongs to the branch that ends there.
                if turn.position >= i as f64 {
                    break;
                }
                direction = if turn.top { -1.0 } else { 1.0 };
                beginning = turn.value;
                next += 1;
            }
            sign.push(direction);
            from.push(beginning);
        }
        Self { sign, from }
    }

    /// As the paper reads its equation (27): a branch begins with its largest or least sample, `t` in `[t_m, t_m+1]`, and
    /// the sign is that of the velocity (1 for v > 0, else -1). Where the true turn lies after that sample the velocity
    /// still has the sign of the branch before, and the friction jumps from one end to the other for one sample.
    pub(super) fn by_velocity(x: &[f64], v: &[f64], turns: &[Reversal]) -> Self {
        let last = x.len().saturating_sub(1);
        let extreme = |turn: &Reversal| {
            let near = turn.position.round() as usize;
            let few = near.saturating_sub(1)..=(near + 1).min(last);
            let side = if turn.top { 1.0 } else { -1.0 };
            few.max_by(|&i, &j| (side * x[i]).total_cmp(&(side * x[j])))
                .unwrap_or(near.min(last))
        };
        let places: Vec<usize> = turns.iter().map(extreme).collect();
        let (mut beginning, mut next) = (x[0], 0);
        let from = (0..x.len()).map(|i| {
            while places.get(next).is_some_and(|&place| place <= i) {
                beginning = x[places[next]];
                next += 1;
            }
            beginning
        });
        Self {
            from: from.collect(),
            sign: v
                .iter()
                .map(|v| if *v > 0.0 { 1.0 } else { -1.0 })
                .collect(),
        }
    }
}
