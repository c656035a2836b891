//! Least squares for a handful of positive parameters: Levenberg-Marquardt on their logarithms, with
//! the exact Jacobian of the simulation.

use masing_model::dense::Lu;
use masing_sim::{Column, Prescribed, SimError};

/// What came out.
pub struct Fit {
    /// Parameters.
    pub p: Vec<f64>,
    /// Their standard errors.
    pub std_error: Vec<f64>,
    /// Root mean square of the force differences.
    pub rms: f64,
    /// Simulations with Jacobian that it took.
    pub evaluations: usize,
}

/// Fits the force of `run` to `data` from `start`.
pub fn fit(run: &Prescribed<'_>, data: &[f64], start: &[f64]) -> Result<Fit, SimError> {
    let n = start.len();
    let columns: Vec<Column<'_>> = (0..n).map(Column::Param).collect();
    let mut p = start.to_vec();
    let mut damping = 1e-2;
    let (mut cost, mut normal, mut slope) = linearise(run, data, &p, &columns)?;
    let mut evaluations = 1;
    while evaluations < 100 {
        let mut damped = normal.clone();
        for i in 0..n {
            damped[i * n + i] *= 1.0 + damping;
        }
        let mut step = slope.clone();
        let Some(lu) = Lu::new(n, damped) else { break };
        lu.solve(&mut step);
        let trial: Vec<f64> = p
            .iter()
            .zip(&step)
            .map(|(p, s)| p * (-s.clamp(-1.0, 1.0)).exp())
            .collect();
        evaluations += 1;
        let next = linearise(run, data, &trial, &columns)?;
        if next.0 < cost {
            let gain = (cost - next.0) / cost;
            p = trial;
            (cost, normal, slope) = next;
            damping = (damping * 0.2).max(1e-9);
            if gain < 1e-10 {
                break;
            }
        } else {
            damping *= 5.0;
            if damping > 1e8 {
                break;
            }
        }
    }
    let variance = cost / (data.len() - n) as f64;
    let std_error = match Lu::new(n, normal) {
        Some(lu) => (0..n)
            .map(|i| {
                let mut unit = vec![0.0; n];
                unit[i] = 1.0;
                lu.solve(&mut unit);
                p[i] * (variance * unit[i]).sqrt()
            })
            .collect(),
        None => vec![f64::INFINITY; n],
    };
    Ok(Fit {
        p,
        std_error,
        rms: (cost / data.len() as f64).sqrt(),
        evaluations,
    })
}

/// Sum of squares, J'J and J'r with respect to the logarithms.
fn linearise(
    run: &Prescribed<'_>,
    data: &[f64],
    p: &[f64],
    columns: &[Column<'_>],
) -> Result<(f64, Vec<f64>, Vec<f64>), SimError> {
    let n = p.len();
    let out = run.tangent(p, columns)?;
    let (mut cost, mut normal, mut slope) = (0.0, vec![0.0; n * n], vec![0.0; n]);
    for (i, measured) in data.iter().enumerate() {
        let r = out.force[i] - measured;
        let row: Vec<f64> = (0..n).map(|c| out.jacobian[i * n + c] * p[c]).collect();
        cost += r * r;
        for a in 0..n {
            slope[a] += row[a] * r;
            for b in 0..n {
                normal[a * n + b] += row[a] * row[b];
            }
        }
    }
    Ok((cost, normal, slope))
}
