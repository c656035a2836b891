//! Products of many columns with a direction and a residual, in one pass over memory.

use super::columns::Columns;
use masing_identify::Workers;

/// Rows of one block: three stretches of so many stay in the nearest cache.
const BLOCK: usize = 1024;

/// Products of some columns with a direction and with the residual, block by block.
pub(super) fn products(
    columns: &Columns,
    free: &[usize],
    q: &[f64],
    residual: &[f64],
    workers: &Workers,
) -> Vec<[f64; 2]> {
    let work = |free: &[usize]| {
        let mut out = vec![[0.0; 2]; free.len()];
        for start in (0..q.len()).step_by(BLOCK) {
            let end = (start + BLOCK).min(q.len());
            let (q, r) = (&q[start..end], &residual[start..end]);
            for (index, out) in free.iter().zip(out.iter_mut()) {
                let column = &columns.get(*index)[start..end];
                let [with_q, with_r] = two_products(column, q, r);
                out[0] += with_q;
                out[1] += with_r;
            }
        }
        out
    };
    // Below so many numbers a thread costs more than it saves.
    if free.len() * q.len() < 200_000 {
        return work(free);
    }
    let share = free.len().div_ceil(workers.count());
    let shares: Vec<&[usize]> = free.chunks(share).collect();
    workers.map(shares.len(), |i| work(shares[i])).concat()
}

/// `a'b` and `a'c` in one pass.
fn two_products(a: &[f64], b: &[f64], c: &[f64]) -> [f64; 2] {
    let (mut with_b, mut with_c) = ([0.0; 4], [0.0; 4]);
    let whole = a.len() / 4 * 4;
    let pieces = a[..whole].chunks_exact(4);
    for ((a, b), c) in pieces
        .zip(b[..whole].chunks_exact(4))
        .zip(c[..whole].chunks_exact(4))
    {
        for k in 0..4 {
            with_b[k] += a[k] * b[k];
            with_c[k] += a[k] * c[k];
        }
    }
    let mut out = [
        (with_b[0] + with_b[1]) + (with_b[2] + with_b[3]),
        (with_c[0] + with_c[1]) + (with_c[2] + with_c[3]),
    ];
    for k in whole..a.len() {
        out[0] += a[k] * b[k];
        out[1] += a[k] * c[k];
    }
    out
}
