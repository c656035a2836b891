//! Section 5: the first step with all 31 candidate terms, and what its ill-conditioning is.

use super::record::{C5, PASSIVE_C5, STIFFNESS, record};
use crate::error::PapersError;
use crate::report::{NAN, Part, Row, column, ours, paper};
use masing_identify::Workers;
use masing_terms::criteria::{STRICTEST, apress};
use masing_terms::ols::{Columns, Selection, select};
use masing_terms::set::Set;
use masing_terms::{Options, Sign, Slope, Term};
use nalgebra::{DMatrix, DVector};

/// The first odd numbers.
fn odd(count: u32) -> Vec<u32> {
    (0..count).map(|i| 2 * i + 1).collect()
}

/// All 31 candidates, and the 21 that the paper keeps.
pub fn candidates() -> Result<Part, PapersError> {
    let mut rows = Vec::new();
    // The condition of unit columns by an independent prototype, which had other noise.
    for (name, test, condition) in [
        ("1.5 mm", record(1.5e-3, 0.25, PASSIVE_C5), 6.5e6),
        ("0.516 mm", record(0.516e-3, 0.65, C5), 1.4e9),
    ] {
        let set = Set::of(&[test], Sign::default(), Slope::default())?;
        rows.push(row(name, &set, [10, 10])?.against([NAN, NAN, condition]));
        rows.push(row(name, &set, [3, 7])?);
    }
    rows.push(paper("paper", [31.0]).remark("powers above k5 and c13 ill-conditioned: left out"));
    rows.push(paper("paper, without them", [21.0]).remark("k1 k3 k5 c1 c5 among the first 13"));
    let text = "The paper begins with ten powers of the displacement, ten of the velocity and a0 to a10, finds that powers \
        above k5 and c13 make the matrix ill-conditioned, and leaves them out. Most of that is units: displacements are \
        millimetres written in metres, and the lengths of their powers differ by up to 49 decades. With columns of unit \
        length the condition number is harmless for orthogonal least squares in double precision, and even classical \
        Gram-Schmidt without scaling, as the paper describes it, chooses the same order for the first 25 terms or all. The normal \
        equations, eq (38), stand it at 1.5 mm and break down at 0.516 mm. What is left is that high powers look alike: \
        with all of them k1 is less certain, at the smaller amplitude the last three repeat the others (below 1e-12 of their \
        squared length), and one of them gets into the selection. That they do not belong there is knowledge which the data do not \
        have. Last column: powers that are chosen at the minimum of APRESS with alpha = 16.";
    Ok(Part::new(
        "Section 5: all 31 candidate terms",
        text,
        vec![
            column("candidates", "", 3),
            column("lengths", "largest over least", 2),
            column("condition", "unit columns", 2),
            column("same order", "classical", 3),
            column("k1, normal equations", "% error", 3),
            column("k1, orthogonal", "% error", 3),
            column("dependent", "", 2),
        ],
        rows,
    ))
}

fn row(name: &str, set: &Set, [stiffness, damping]: [u32; 2]) -> Result<Row, PapersError> {
    let options = Options {
        stiffness: odd(stiffness),
        damping: odd(damping),
        ..Options::default()
    };
    let terms = options.dictionary(&[]);
    let columns: Vec<Vec<f64>> = terms.iter().map(|term| set.column(term)).collect();
    let force = set.force();
    let mut all = Columns::new(set.rows());
    for column in &columns {
        all.push(column);
    }
    let found = select(all, &force, terms.len(), &Workers::default(), &|j| {
        terms[j].to_string()
    })?;
    let order: Vec<usize> = found.steps.iter().map(|step| step.index).collect();
    let alike = order.iter().zip(classical(&columns, &force));
    let alike = alike.take_while(|(a, b)| **a == *b).count();
    let lengths: Vec<f64> = columns.iter().map(|c| dot(c, c).sqrt()).collect();
    let largest = lengths.iter().copied().fold(0.0, f64::max);
    let least = lengths.iter().copied().fold(f64::INFINITY, f64::min);
    let first = terms.iter().position(|t| *t == Term::Stiffness(1));
    // Columns and force are both over the noise of the test, so that coefficients are those of the force.
    let off = |k1: Option<f64>| k1.map_or(NAN, |k1| 100.0 * (k1 / STIFFNESS[0] - 1.0));
    let normal = first.and_then(|i| Some(normal_equations(&columns, &force)?[i]));
    let coefficients = found.coefficients(order.len());
    let orthogonal = order.iter().position(|j| Some(*j) == first);
    let values = [
        terms.len() as f64,
        largest / least,
        condition(&columns, &lengths),
        alike as f64,
        off(normal),
        off(orthogonal.map(|k| coefficients[k])),
        found.dependent.len() as f64,
    ];
    Ok(ours(format!("{name}, {} candidates", terms.len()), values)
        .remark(chosen(set, &found, &terms)))
}

/// Powers at the minimum of APRESS.
fn chosen(set: &Set, found: &Selection, terms: &[Term]) -> String {
    let rests: Vec<f64> = found.rests().collect();
    let length = apress(&rests, set.rows(), STRICTEST).length;
    let mut powers: Vec<usize> = found.steps[..length]
        .iter()
        .map(|step| step.index)
        .collect();
    powers.sort_unstable();
    let names = powers.iter().map(|j| &terms[*j]);
    let names = names.filter(|t| !matches!(t, Term::Chebyshev(_)));
    names.map(Term::to_string).collect::<Vec<_>>().join(" ")
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Condition number of the columns, each made one long.
fn condition(columns: &[Vec<f64>], lengths: &[f64]) -> f64 {
    let unit = DMatrix::from_fn(columns[0].len(), columns.len(), |i, j| {
        columns[j][i] / lengths[j]
    });
    let values = unit.singular_values();
    values.max() / values.min()
}

/// Coefficients by eq (38).
fn normal_equations(columns: &[Vec<f64>], force: &[f64]) -> Option<DVector<f64>> {
    let n = columns.len();
    let matrix = DMatrix::from_fn(n, n, |i, j| dot(&columns[i], &columns[j]));
    matrix
        .lu()
        .solve(&DVector::from_fn(n, |i, _| dot(&columns[i], force)))
}

/// The order in which classical Gram-Schmidt chooses, without scaling and without a threshold, as the paper has it.
fn classical(columns: &[Vec<f64>], force: &[f64]) -> Vec<usize> {
    let mut order = Vec::new();
    let mut chosen: Vec<Vec<f64>> = Vec::new();
    while order.len() < columns.len() {
        let free = (0..columns.len()).filter(|j| !order.contains(j));
        let tried = free.map(|j| {
            let mut own = columns[j].clone();
            for w in &chosen {
                let share = dot(w, &columns[j]) / dot(w, w);
                own.iter_mut().zip(w).for_each(|(own, w)| *own -= share * w);
            }
            let gain = dot(&own, force).powi(2) / dot(&own, &own);
            (j, own, gain)
        });
        let Some((j, own, _)) = tried.max_by(|a, b| a.2.total_cmp(&b.2)) else {
            break;
        };
        order.push(j);
        chosen.push(own);
    }
    order
}
