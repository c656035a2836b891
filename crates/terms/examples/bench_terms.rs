//! Forward selection beside others on the same data: `cargo xtask bench`.
//!
//! Argument: the folder that `xtask/bench_terms.py` has written.

use masing_identify::Workers;
use masing_terms::ols::{Columns, select};
use std::path::{Path, PathBuf};
use std::time::Instant;

const TERMS: usize = 20;

fn main() {
    let folder = std::env::args().nth(1).map(PathBuf::from);
    match folder.as_deref().map(compare) {
        Some(Ok(())) => {}
        Some(Err(error)) => eprintln!("bench_terms: {error}"),
        None => eprintln!("bench_terms: give the folder that xtask/bench_terms.py has written"),
    }
}

fn compare(folder: &Path) -> Result<(), String> {
    let (candidates, y) = read(&folder.join("candidates.f64"), 200)?;
    let workers = Workers::new(std::thread::available_parallelism().map_or(1, usize::from));
    let mut seconds = f64::INFINITY;
    let mut chosen = Vec::new();
    for _ in 0..3 {
        let begun = Instant::now();
        // The copy is part of the work, as it is for the others.
        let found = select(candidates.clone(), &y, TERMS, &workers, &|j| j.to_string());
        let found = found.map_err(|error| error.to_string())?;
        seconds = seconds.min(begun.elapsed().as_secs_f64());
        chosen = found.steps.iter().map(|s| s.index).collect();
    }
    println!(
        "{TERMS} of {} terms over {} samples, {} threads\n",
        candidates.len(),
        candidates.rows(),
        workers.count()
    );
    println!(
        "{:36} {:>9} {:>9}  same terms",
        "method", "seconds", "ratio"
    );
    println!("{:36} {seconds:>9.3} {:>9}", "masing", 1.0);
    for line in lines(&folder.join("peers.txt"))? {
        let [name, other, list] = line.split(';').collect::<Vec<_>>()[..] else {
            return Err(format!("peers.txt: `{line}`"));
        };
        let other: f64 = other.parse().map_err(|_| format!("peers.txt: `{other}`"))?;
        let mut theirs: Vec<usize> = list.split(' ').filter_map(|j| j.parse().ok()).collect();
        let mut ours = chosen.clone();
        theirs.sort_unstable();
        ours.sort_unstable();
        let same = if ours == theirs { "yes" } else { "NO" };
        println!("{name:36} {other:>9.3} {:>9.2}  {same}", other / seconds);
    }
    println!("\nten pairs that differ by 3e-6: largest relative error of the coefficients");
    let (pairs, y) = read(&folder.join("dependent.f64"), 20)?;
    let found = select(pairs, &y, TERMS, &workers, &|j| j.to_string());
    let found = found.map_err(|error| error.to_string())?;
    let mut worst = if found.steps.len() == TERMS {
        0.0_f64
    } else {
        f64::INFINITY
    };
    for (step, value) in found.steps.iter().zip(found.coefficients(TERMS)) {
        let truth = if step.index < 10 { 1e5 } else { 1.0 - 1e5 };
        worst = worst.max((value / truth - 1.0).abs());
    }
    println!("{:36} {worst:>9.1e}", "masing");
    for line in lines(&folder.join("dependent.txt"))? {
        let Some((name, error)) = line.split_once(';') else {
            continue;
        };
        let error: f64 = error.parse().unwrap_or(f64::NAN);
        println!("{name:36} {error:>9.1e}");
    }
    Ok(())
}

fn lines(path: &Path) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// `count` columns and one more.
fn read(path: &Path, count: usize) -> Result<(Columns, Vec<f64>), String> {
    let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let (whole, _) = bytes.as_chunks::<8>();
    let mut values: Vec<f64> = whole.iter().map(|b| f64::from_le_bytes(*b)).collect();
    let rows = values.len() / (count + 1);
    let y = values.split_off(rows * count);
    Ok((Columns::from_values(rows, values), y))
}
