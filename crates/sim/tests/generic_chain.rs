//! The chain written by hand against the same chain written as a plain rate law: step, tangent and
//! adjoint of the structured code are those of the generic one.

mod support;

use masing_model::{Assembly, Law, Memory, Param, RateLaw, Rated, Scalar, Shape, Spec};
use masing_sim::{Column, Numerics, Prescribed, TAPE_BUDGET};
use std::sync::Arc;
use support::{irregular, peak};

const CELLS: usize = 3;

/// y' = sign(f) |f / c0|^(1/alpha), f = kpa x e1 - K y, in the words of the literature.
struct Chain(Spec);

impl Chain {
    fn new() -> Self {
        let params = ["k0", "kpa", "kr", "c0", "alpha"]
            .map(|name| Param {
                name: name.to_owned(),
                unit: String::new(),
                doc: "",
                min: 1e-9,
                max: 1e12,
                default: 1.0,
            })
            .to_vec();
        let spec = (0..CELLS).fold(Spec::new(Memory::Time, params), |s, j| {
            s.state(format!("y{j}"), "m")
        });
        Self(spec)
    }
}

impl Law for Chain {
    fn name(&self) -> &'static str {
        "chain"
    }

    fn spec(&self) -> &Spec {
        &self.0
    }
}

impl RateLaw for Chain {
    fn rate<S: Scalar>(&self, p: &[S], x: S, _: S, y: &[S], dy: &mut [S]) {
        let (kpa, kr, c0, alpha) = (p[1], p[2], p[3], p[4]);
        for j in 0..CELLS {
            let before = if j == 0 {
                kpa * (x - y[0])
            } else {
                kr * (y[j - 1] - y[j])
            };
            let after = kr * if j + 1 < CELLS { y[j] - y[j + 1] } else { y[j] };
            dy[j] = ((before - after) / c0).signed_pow(S::from(1.0) / alpha);
        }
    }

    fn force<S: Scalar>(&self, p: &[S], x: S, _: S, y: &[S]) -> S {
        p[0] * x + p[1] * (x - y[0])
    }
}

#[test]
fn structured_and_generic_chain_agree() {
    let mut shape = Shape::default();
    shape.numbers.insert("cells".to_owned(), CELLS as f64);
    let by_hand = Assembly::from_names("rt", |_| shape.clone()).expect("a chain");
    let mut generic = Assembly::new();
    generic
        .push("chain", Arc::new(Rated(Chain::new())), None)
        .expect("a new label");
    // The motion starts at zero, so that the reference of the chain is zero as well.
    let motion = irregular(1e-3, 201);
    assert_eq!(motion.x()[0], 0.0);
    let columns: Vec<Column<'_>> = (0..5).map(Column::Param).collect();
    let bar: Vec<f64> = (0..motion.len()).map(|i| (0.1 * i as f64).sin()).collect();
    for alpha in [0.5, 0.8] {
        let p = [2e5, 8e5, 3e6, 400.0, alpha];
        let run = |model| Prescribed::new(model, &motion, Numerics::default());
        let own = run(&by_hand).tangent(&p, &columns).expect("a tangent");
        let plain = run(&generic).tangent(&p, &columns).expect("a tangent");
        for (a, b) in own.force.iter().zip(&plain.force) {
            // Both solve the same stages, each to its own tolerance.
            assert!(
                (a - b).abs() < 1e-8 * peak(&plain.force),
                "alpha {alpha}: {a} {b}"
            );
        }
        for c in 0..5 {
            let column = |j: &[f64]| {
                (0..motion.len())
                    .map(|i| j[i * 5 + c])
                    .collect::<Vec<f64>>()
            };
            let (a, b) = (column(&own.jacobian), column(&plain.jacobian));
            for i in 0..a.len() {
                assert!(
                    (a[i] - b[i]).abs() < 1e-6 * peak(&b),
                    "alpha {alpha}, column {c}, sample {i}"
                );
            }
        }
        let gradient = |model| {
            run(model)
                .record(&p, TAPE_BUDGET)
                .and_then(|r| r.pull_back(&bar))
                .expect("an adjoint")
        };
        let (a, b) = (gradient(&by_hand), gradient(&generic));
        for c in 0..5 {
            assert!(
                (a.params[c] - b.params[c]).abs() < 1e-6 * b.params[c].abs(),
                "{:?} {:?}",
                a.params,
                b.params
            );
        }
    }
}
