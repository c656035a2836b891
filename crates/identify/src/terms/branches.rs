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
}
