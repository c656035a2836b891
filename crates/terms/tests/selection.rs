//! Forward selection and non-negative least squares against plain QR and SciPy on 100 random problems, and where
//! candidates nearly repeat each other.

#[allow(dead_code)]
#[path = "../../identify/tests/noise/mod.rs"]
mod noise;

use masing_identify::Workers;
use masing_identify::search::non_negative::non_negative;
use masing_terms::TermsError;
use masing_terms::ols::{Columns, select};
use nalgebra::{DMatrix, DVector};
use noise::Noise;

const GOLDEN: &str = include_str!("../../../tests/golden/forward-selection/selection.csv");

/// As in `tests/golden/forward-selection/make.py`.
fn problem(p: usize) -> (Vec<Vec<f64>>, Vec<f64>) {
    let mut noise = Noise::new(1000 + p as u64);
    let (rows, count) = (60 + (7 * p) % 140, 6 + p % 11);
    let mut columns: Vec<Vec<f64>> = Vec::new();
    for j in 0..count {
        let mut own: Vec<f64> = (0..rows).map(|_| noise.gaussian()).collect();
        if j > count / 2 {
            let other = &columns[j - count / 2 - 1];
            for (own, other) in own.iter_mut().zip(other) {
                *own = 0.9 * other + 0.4 * *own;
            }
        }
        columns.push(own);
    }
    let mut y = vec![0.0; rows];
    for (k, weight) in [3.0, -2.0, 1.0, 0.5].into_iter().enumerate() {
        for (y, a) in y.iter_mut().zip(&columns[(5 * k + p) % count]) {
            *y += weight * a;
        }
    }
    for y in &mut y {
        *y += 0.3 * noise.gaussian();
    }
    for (j, column) in columns.iter_mut().enumerate() {
        let scale = 10.0_f64.powi(((3 * j) % 13) as i32 - 6);
        for v in column.iter_mut() {
            *v *= scale;
        }
    }
    (columns, y)
}

fn gathered(columns: &[Vec<f64>]) -> Columns {
    let mut all = Columns::new(columns.first().map_or(0, Vec::len));
    for column in columns {
        all.push(column);
    }
    all
}

fn name(j: usize) -> String {
    format!("column {j}")
}

#[test]
fn same_order_ratios_and_coefficients_as_plain_qr() {
    let mut lines = GOLDEN.lines().skip(1).peekable();
    let mut compared = 0;
    for p in 0..100 {
        let (columns, y) = problem(p);
        let found = select(gathered(&columns), &y, 8, &Workers::new(1 + p % 2), &name).unwrap();
        let coefficients = found.coefficients(8);
        let mut chosen: Vec<&[f64]> = Vec::new();
        let mut expected = Vec::new();
        for (step, coefficient) in found.steps.iter().zip(&coefficients) {
            let cells: Vec<f64> = lines
                .next()
                .unwrap()
                .split(',')
                .map(|c| c.parse().unwrap())
                .collect();
            assert_eq!((cells[0] as usize, cells[2] as usize), (p, step.index));
            // Both lose a few digits of a difference of sums of squares.
            assert!(
                (step.err - cells[3]).abs() < 1e-12,
                "{p}: {} {}",
                step.err,
                cells[3]
            );
            assert!(
                (coefficient / cells[4] - 1.0).abs() < 1e-9,
                "{p}: {coefficient} {}",
                cells[4]
            );
            chosen.push(&columns[step.index]);
            expected.push(cells[5]);
            compared += 1;
        }
        let positive = non_negative(&[], &chosen, &y).unwrap().positive;
        for (found, expected) in positive.iter().zip(&expected) {
            assert!(
                (found - expected).abs() <= 1e-9 * expected.abs().max(1e-300),
                "{p}: {found} {expected}"
            );
        }
    }
    assert!(lines.peek().is_none() && compared > 700);
}

/// Columns that differ by a millionth: their Gram matrix has no digits left for the difference, the columns have.
#[test]
fn nearly_dependent_candidates_are_told_apart() {
    let mut noise = Noise::new(5);
    let rows = 4000;
    let mut random = || -> Vec<f64> { (0..rows).map(|_| noise.gaussian()).collect() };
    let (base, first, second, third) = (random(), random(), random(), random());
    let near = |own: &[f64], by: f64| -> Vec<f64> {
        base.iter().zip(own).map(|(a, b)| a + by * b).collect()
    };
    let columns = vec![
        base.clone(),
        near(&first, 1e-5),
        near(&second, 1e-5),
        near(&third, 1e-5),
    ];
    // The force is what the third candidate has beyond the base.
    let y: Vec<f64> = base
        .iter()
        .zip(&second)
        .map(|(a, b)| 100.0 * a + b)
        .collect();
    let found = select(gathered(&columns), &y, 4, &Workers::default(), &name).unwrap();
    // Any of them explains the common part; the second choice completes the force exactly.
    let two: Vec<usize> = found.steps[..2].iter().map(|s| s.index).collect();
    assert!(two.contains(&2), "{two:?}");
    assert!(
        found.steps[1].rest < 1e-9 * found.total,
        "{:?}",
        found.steps
    );
    let coefficients = found.coefficients(2);
    let own = found.steps[..2].iter().position(|s| s.index == 2).unwrap();
    if two.contains(&0) {
        assert!((coefficients[own] / 1e5 - 1.0).abs() < 1e-6);
    }
    // Exactly the same column twice, and one that is the sum of others.
    let sum: Vec<f64> = first
        .iter()
        .zip(&second)
        .map(|(a, b)| a + 2.0 * b)
        .collect();
    let columns = vec![first.clone(), second.clone(), first.clone(), sum];
    let found = select(gathered(&columns), &y, 4, &Workers::default(), &name).unwrap();
    assert_eq!(found.steps.len(), 2);
    assert_eq!(found.dependent.len(), 2);
}

/// Ten pairs of columns that differ by 3e-6: their Gram matrix has lost the difference before anybody asks for it, so that
/// coefficients from it are off by 1e-4; from the columns they have ten digits.
#[test]
fn gram_matrices_lose_what_columns_keep() {
    let mut noise = Noise::new(8);
    let (rows, pairs) = (4000, 10);
    let mut random = || -> Vec<f64> { (0..rows).map(|_| noise.gaussian()).collect() };
    let mut columns: Vec<Vec<f64>> = (0..pairs).map(|_| random()).collect();
    for k in 0..pairs {
        let own = random();
        let near = columns[k].iter().zip(&own).map(|(a, b)| a + 3e-6 * b);
        columns.push(near.collect());
    }
    let truth = |j: usize| if j < pairs { 1e5 } else { 1.0 - 1e5 };
    let mut y = vec![0.0; rows];
    for (j, column) in columns.iter().enumerate() {
        for (y, a) in y.iter_mut().zip(column) {
            *y += truth(j) * a;
        }
    }
    let found = select(
        gathered(&columns),
        &y,
        2 * pairs,
        &Workers::default(),
        &name,
    )
    .unwrap();
    assert_eq!(found.steps.len(), 2 * pairs);
    let coefficients = found.coefficients(2 * pairs);
    let ours = found.steps.iter().zip(&coefficients);
    let worst = |errors: &mut dyn Iterator<Item = f64>| errors.fold(0.0_f64, f64::max);
    let ours = worst(&mut ours.map(|(s, c)| (c / truth(s.index) - 1.0).abs()));
    let a = DMatrix::from_fn(rows, 2 * pairs, |i, j| columns[j][i]);
    let gram = a.tr_mul(&a);
    let by_gram = gram.lu().solve(&a.tr_mul(&DVector::from_vec(y))).unwrap();
    let each = by_gram.iter().enumerate();
    let theirs = worst(&mut each.map(|(j, c)| (c / truth(j) - 1.0).abs()));
    assert!(ours < 1e-9 && theirs > 1e-6, "{ours:e} {theirs:e}");
}

#[test]
fn bad_columns_are_named() {
    let y = vec![1.0; 20];
    let good: Vec<f64> = (0..20).map(f64::from).collect();
    let run = |columns: &[Vec<f64>], y: &[f64]| {
        select(gathered(columns), y, 5, &Workers::default(), &name).map(|_| ())
    };
    assert_eq!(
        run(&[good.clone(), vec![0.0; 20]], &y),
        Err(TermsError::ZeroColumn {
            term: "column 1".into()
        })
    );
    let mut odd = good.clone();
    odd[3] = f64::NAN;
    assert_eq!(
        run(&[odd], &y),
        Err(TermsError::NotFinite {
            term: "column 0".into(),
            sample: 3
        })
    );
    assert_eq!(
        run(std::slice::from_ref(&good), &[0.0; 20]),
        Err(TermsError::NoForce)
    );
    let few = vec![good[..2].to_vec(); 2];
    assert!(matches!(
        run(&few, &y[..2]),
        Err(TermsError::TooFewSamples { .. })
    ));
    assert_eq!(run(&[], &y), Err(TermsError::NoCandidates));
}
