//! Whether the torque depends on more than angle and direction: on where the motion turned before.

use super::paths::ends;

/// Stretches of the range in which passes are compared.
const STRETCHES: usize = 50;
/// Fewest samples of a pass in a stretch.
const LEAST: f64 = 3.0;

/// Rounds in which the means of passes and of stretches are made to agree.
const ROUNDS: usize = 50;

/// Samples of one pass in one stretch: how many, their mean, and the sum of squares about it.
#[derive(Clone, Copy, Default)]
struct Cell {
    n: f64,
    mean: f64,
    squares: f64,
}

impl Cell {
    fn add(&mut self, value: f64) {
        self.n += 1.0;
        let off = value - self.mean;
        self.mean += off / self.n;
        self.squares += off * (value - self.mean);
    }
}

/// How far passes in the same direction lie apart at the same angle (rms), noise taken off. A zero that drifts moves whole
/// passes and counts as none. `rest` is what a device leaves of every sample, in the order of the record.
pub(super) fn apart(angle: &[f64], rest: &[f64], direction: &[i8]) -> f64 {
    let (mut between, mut samples) = (0.0, 0.0);
    for sense in [1, -1] {
        let mut passes = passes(angle, rest, direction, sense);
        for k in 0..STRETCHES {
            let count = passes.iter().filter(|cells| cells[k].n >= LEAST).count();
            let alone = count < 2;
            for cells in &mut passes {
                if alone || cells[k].n < LEAST {
                    cells[k] = Cell::default();
                }
            }
        }
        let (apart, counted) = interaction(&passes);
        between += apart;
        samples += counted;
    }
    if samples > 0.0 {
        (between.max(0.0) / samples).sqrt()
    } else {
        0.0
    }
}

/// The samples of one direction from turn to turn, by stretches.
fn passes(angle: &[f64], rest: &[f64], direction: &[i8], wanted: i8) -> Vec<Vec<Cell>> {
    let [low, high] = ends(angle);
    let stretch = |x: f64| ((x - low) / (high - low) * STRETCHES as f64) as usize;
    let mut passes: Vec<Vec<Cell>> = Vec::new();
    let mut last = 0;
    for ((x, rest), &sense) in angle.iter().zip(rest).zip(direction) {
        if sense == wanted {
            if last != wanted {
                passes.push(vec![Cell::default(); STRETCHES]);
            }
            if let Some(cells) = passes.last_mut() {
                cells[stretch(*x).min(STRETCHES - 1)].add(*rest);
            }
        }
        if sense != 0 {
            last = sense;
        }
    }
    passes
}

/// What is neither of the pass nor of the stretch, as a sum of squares less that of noise, and how many samples it is of.
fn interaction(passes: &[Vec<Cell>]) -> (f64, f64) {
    let cells = || {
        passes
            .iter()
            .enumerate()
            .flat_map(|(p, cells)| cells.iter().enumerate().map(move |(k, c)| (p, k, c)))
    };
    let (mut pass, mut stretch) = (vec![0.0; passes.len()], vec![0.0; STRETCHES]);
    for _ in 0..ROUNDS {
        let mut sums = vec![(0.0, 0.0); passes.len()];
        for (p, k, c) in cells() {
            sums[p] = (sums[p].0 + c.n, sums[p].1 + c.n * (c.mean - stretch[k]));
        }
        pass = sums
            .iter()
            .map(|(n, sum)| sum / f64::max(*n, 1.0))
            .collect();
        let mut sums = vec![(0.0, 0.0); STRETCHES];
        for (p, k, c) in cells() {
            sums[k] = (sums[k].0 + c.n, sums[k].1 + c.n * (c.mean - pass[p]));
        }
        stretch = sums
            .iter()
            .map(|(n, sum)| sum / f64::max(*n, 1.0))
            .collect();
    }
    let used = |filled: &dyn Fn(&(usize, usize, &Cell)) -> bool| {
        cells().filter(|c| filled(c) && c.2.n > 0.0).count()
    };
    let filled = used(&|_| true);
    let rows = (0..passes.len())
        .filter(|p| used(&|c| c.0 == *p) > 0)
        .count();
    let columns = (0..STRETCHES).filter(|k| used(&|c| c.1 == *k) > 0).count();
    let Some(free) = (filled + 1)
        .checked_sub(rows + columns)
        .filter(|free| *free > 0)
    else {
        return (0.0, 0.0);
    };
    let (mut between, mut within, mut samples) = (0.0, 0.0, 0.0);
    for (p, k, c) in cells() {
        between += c.n * (c.mean - pass[p] - stretch[k]).powi(2);
        within += c.squares;
        samples += c.n;
    }
    let noise = within / (samples - filled as f64);
    (between - free as f64 * noise, samples)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Up and down over one length, then over half of it, with what is left of the torque on the way.
    fn record(rest: impl Fn(f64, f64, usize) -> f64) -> f64 {
        let (mut angle, mut left, mut direction) = (Vec::new(), Vec::new(), Vec::new());
        for (pass, (from, to)) in [(0.0, 1.0), (1.0, 0.0), (0.0, 0.5), (0.5, 0.0)]
            .into_iter()
            .enumerate()
        {
            for i in 0..1000 {
                let x = from + (to - from) * f64::from(i) / 1000.0;
                angle.push(x);
                left.push(rest(x, from, pass));
                direction.push(if to > from { 1 } else { -1 });
            }
        }
        apart(&angle, &left, &direction)
    }

    #[test]
    fn what_follows_from_the_turn_is_seen_and_noise_and_drift_are_not() {
        let noise = |x: f64| 0.1 * (1e4 * x).sin();
        assert_eq!(record(|_, _, _| 0.0), 0.0);
        assert!(record(|x, _, _| noise(x)) < 0.02);
        assert!(record(|x, _, pass| noise(x) + 3.0 * pass as f64) < 0.02);
        // A curve of angle alone is no memory, whatever the device makes of it.
        assert!(record(|x, _, _| noise(x) + 5.0 * (7.0 * x).sin()) < 0.02);
        // Friction that builds up over a third of the way: downwards 0.2 on either side of the mean, upwards nothing.
        let memory = record(|x, from, _| 2.0 * (-(x - from).abs() / 0.3).exp() + noise(x));
        assert!((0.1..0.2).contains(&memory), "{memory}");
    }
}
