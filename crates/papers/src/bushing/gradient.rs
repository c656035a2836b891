//! Tables 1 and 2: the cost and its gradient, with and without smoothing.

mod figures;

use super::euler::{Form, Run};
use super::rig::{CELLS, SAMPLES, SET_B, Set, by_set, chain, parts, si, sine, times, weight};
use crate::error::PapersError;
use crate::report::{Column, NAN, Part, column, ours, paper};
use figures::{EXTRAPOLATED, FIGURES, PAPER, SECOND_ORDER};
use masing_sim::{Column as Along, Motion, Prescribed, TAPE_BUDGET};

/// Where the gradient is taken, as factors on the set that made the data.
const AT: Set = [0.5, 2.0, 0.5, 0.5, 2.0];

fn columns(dot_product: bool) -> Vec<Column> {
    let mut columns = vec![
        column("J", "N^2 s", 7),
        column("dJ/dK0", "N mm s", 6),
        column("dJ/dKpa", "N mm s", 5),
        column("dJ/dKr", "N mm s", 6),
        column("dJ/dC0", "N s\n(mm/s)^alpha", 6),
        column("dJ/dalpha", "N^2 s", 6),
    ];
    if dot_product {
        columns.push(column("a'c", "", 5));
        columns.push(column("b'b", "", 5));
    }
    columns
}

/// Cost and gradient of the chain as `rt` steps it, in `m` steps a sample, by the discrete adjoint.
fn exact(smoothing: Option<f64>, motion: &Motion, m: usize) -> Result<[f64; 6], PapersError> {
    let model = chain(CELLS, smoothing)?;
    let at = times(SET_B, AT);
    let (p, run) = (si(at), Prescribed::new(&model, motion, parts(m)));
    let data = run.run(&si(SET_B))?;
    let recorded = run.record(&p, TAPE_BUDGET)?;
    let (cost, bar) = cost(recorded.force(), &data);
    let [a, b, c, d, e] = by_set(&recorded.pull_back(&bar)?.params, at);
    Ok([cost, a, b, c, d, e])
}

/// Half the squared difference over time, and its derivatives by the forces.
fn cost(force: &[f64], data: &[f64]) -> (f64, Vec<f64>) {
    let off = force.iter().zip(data).map(|(f, d)| f - d);
    let bar: Vec<f64> = off.enumerate().map(|(i, off)| weight(i) * off).collect();
    let cost = (0..SAMPLES).map(|i| 0.5 * bar[i] * (force[i] - data[i]));
    (cost.sum(), bar)
}

/// Table 1.
pub fn table_1() -> Result<Part, PapersError> {
    let motion = sine()?;
    let x: Vec<f64> = motion.x().iter().map(|x| 1e3 * x).collect();
    let mut rows = Vec::new();
    let (mut smooth, mut none) = ([NAN; 6], [NAN; 6]);
    for (s, figures, expanded, [ac, bb]) in FIGURES {
        let name = s.map_or_else(|| "none".to_owned(), |s| format!("s = {s}"));
        let second = exact(s, &motion, 1)?;
        let row = ours(format!("{name}: masing"), second);
        rows.push(match s {
            // The independent figures with smoothing are of first order: the next row's.
            Some(_) => row,
            None => row.against(SECOND_ORDER),
        });
        match s {
            Some(1.0) => smooth = second,
            Some(_) => {}
            None => none = second,
        }
        let label = format!("{name}: Euler, exact");
        let data = Run::new(SET_B, s, &x);
        let run = Run::new(times(SET_B, AT), s, &x);
        let (Some(data), Some(run)) = (data, run) else {
            rows.push(ours(label, []).remark("no convergence"));
            continue;
        };
        let values = |form: Form| {
            let (cost, gradient) = run.gradient(form, &data.force);
            let test = run.dot_product(form);
            let values = [cost].into_iter().chain(gradient).chain([test.ac, test.bb]);
            values.map(|v| if v.is_finite() { v } else { f64::INFINITY })
        };
        rows.push(ours(label, values(Form::Kept)).against(figures.into_iter().chain([bb, bb])));
        rows.push(
            ours(
                format!("{name}: Euler, eqs (12), (13)"),
                values(Form::Expanded),
            )
            .against([figures[0]].into_iter().chain(expanded).chain([ac, bb])),
        );
        if let Some((_, values)) = PAPER.iter().find(|(of, _)| *of == s) {
            rows.push(paper(format!("{name}: paper"), *values));
        }
    }
    let text = format!(
        "Cost and gradient at (K0/2, 2 Kpa, Kr/2, C0/2, 2 alpha) for several smoothings s (s/mm), and the dot-product \
         test a'c = b'b. `masing` steps with second order; the rows marked Euler step with backward Euler, once with \
         the exact adjoint and once with the paper's eqs (12) and (13). The rows of the paper are for parameters that \
         it does not give, so that only their pattern can be compared (its a'c at s = 100 is given as more than 3e7). \
         The paper takes smoothing to be necessary because its adjoint grows without bounds where \
         smoothing vanishes. That is not in the model but in eq (12), which writes out (D z)' by the product rule: with \
         D z kept as one unknown the same equation gives the exact gradient at every s and without any smoothing, and \
         the dot-product test holds to ten digits. The smoothing s = 1 that the paper settles on is another model at \
         bushing speeds: the cost is {:.0} % lower, the derivative by alpha {:.1} times as large.",
        100.0 * (1.0 - smooth[0] / none[0]),
        smooth[5] / none[5]
    );
    Ok(Part::new(
        "Table 1: cost, gradient and dot-product test for several smoothings",
        text,
        columns(true),
        rows,
    ))
}

/// Table 2.
pub fn table_2() -> Result<Part, PapersError> {
    let motion = sine()?;
    let model = chain(CELLS, None)?;
    let run = Prescribed::new(&model, &motion, parts(1));
    let data = run.run(&si(SET_B))?;
    let at = times(SET_B, AT);
    let value = |set: Set| run.run(&si(set)).map(|force| cost(&force, &data).0);
    let mut differences = [value(at)?, 0.0, 0.0, 0.0, 0.0, 0.0];
    for c in 0..5 {
        let shifted = |by: f64| {
            let mut set = at;
            set[c] *= 1.0 + by;
            value(set)
        };
        differences[c + 1] = (shifted(1e-5)? - shifted(-1e-5)?) / (2e-5 * at[c]);
    }
    let none = exact(None, &motion, 1)?;
    let tangent = tangent_gradient(&run, at, &data)?;
    let agreement = |of: &dyn Fn(usize) -> f64| {
        (0..5).fold(0.0_f64, |m, c| m.max((of(c) / none[c + 1] - 1.0).abs()))
    };
    let text = format!(
        "The gradient by the adjoint with s = 1 and by finite differences without smoothing, where the paper finds \
         differences of up to 2.6 times. Without smoothing the adjoint agrees with central differences to {:.0e} and \
         with the tangent to {:.0e}; with s = 1 it is exact too, but for another model. In the paper the costs with \
         s = 1 and without smoothing agree to 1e-7; where the costs are that close, here the gradients are as well, \
         which suggests that its adjoint at s = 1 is wrong rather than smoothed.",
        agreement(&|c| differences[c + 1]),
        agreement(&|c| tangent[c]),
    );
    let rows = vec![
        ours("masing: adjoint, s = 1", exact(Some(1.0), &motion, 1)?),
        ours("masing: adjoint, none", none).against(SECOND_ORDER),
        ours(
            "masing: adjoint, none, 4 steps a sample",
            exact(None, &motion, 4)?,
        )
        .against(EXTRAPOLATED),
        ours("masing: central differences, none", differences).against(SECOND_ORDER),
        paper(
            "paper: adjoint, s = 1",
            [NAN, -4665.399, -17.630, -268.873, 67_022.15, -13_154.49],
        ),
        paper(
            "paper: finite differences, none",
            [NAN, -4665.399, -6.7776, -241.145, 39_672.53, -8141.242],
        ),
    ];
    Ok(Part::new(
        "Table 2: gradient by adjoint and by finite differences",
        text,
        columns(false),
        rows,
    ))
}

/// The gradient from the derivatives of all forces, for comparison.
fn tangent_gradient(run: &Prescribed<'_>, at: Set, data: &[f64]) -> Result<Set, PapersError> {
    let along: Vec<Along<'_>> = (0..5).map(Along::Param).collect();
    let linearised = run.tangent(&si(at), &along)?;
    let (_, bar) = cost(&linearised.force, data);
    let sums: [f64; 5] = std::array::from_fn(|c| {
        (0..SAMPLES)
            .map(|i| bar[i] * linearised.jacobian[i * 5 + c])
            .sum()
    });
    Ok(by_set(&sums, at))
}
