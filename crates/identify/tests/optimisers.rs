//! One contract for all optimisers: the same problems, the same answers, the same manners.
//!
//! Figures marked SciPy are from scipy 1.17.1,
//! `least_squares(r, start, bounds=..., xtol=1e-15, ftol=1e-15, gtol=1e-15, method="trf")`; the bounded
//! tridiagonal problem was also run through its `minimize(method="L-BFGS-B")`, with the same cost to 1e-14.

use masing_identify::search::optimise::{
    LeastSquares, Linearisation, Minimum, Options, Squares, Stop, bfgs, lbfgs, trust_region,
};
use std::cell::RefCell;

const INF: f64 = f64::INFINITY;

type Optimiser = (&'static str, fn(&Problem, &[f64], &Options) -> Minimum);

const OPTIMISERS: [Optimiser; 3] = [
    ("trust region", |p, x, o| trust_region(p, x, o).into()),
    ("bfgs", |p, x, o| bfgs(&Squares(p), x, o)),
    ("lbfgs", |p, x, o| lbfgs(&Squares(p), x, o)),
];

/// Residuals and Jacobian, row by row.
type Rows = Vec<(f64, Vec<f64>)>;

type Residuals = dyn Fn(&[f64]) -> Option<Rows>;

/// A problem that remembers what was asked of it.
struct Problem {
    name: &'static str,
    rows: Box<Residuals>,
    start: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    interrupt_at: usize,
    asked: RefCell<Vec<Vec<f64>>>,
    refused: RefCell<usize>,
    told: RefCell<Vec<(Vec<f64>, f64, usize)>>,
}

impl LeastSquares for Problem {
    fn linearise(&self, x: &[f64]) -> Option<Linearisation> {
        self.asked.borrow_mut().push(x.to_vec());
        let Some(rows) = (self.rows)(x) else {
            *self.refused.borrow_mut() += 1;
            return None;
        };
        let jacobian: Vec<f64> = rows.iter().flat_map(|r| r.1.clone()).collect();
        let residuals = rows.iter().map(|r| r.0).collect();
        Some(Linearisation::from_rows(residuals, &jacobian))
    }

    fn bounds(&self) -> [&[f64]; 2] {
        [&self.lower, &self.upper]
    }

    fn watch(&self, x: &[f64], cost: f64, evaluations: usize) -> bool {
        let mut told = self.told.borrow_mut();
        told.push((x.to_vec(), cost, evaluations));
        told.len() >= self.interrupt_at
    }
}

impl Problem {
    fn new(
        name: &'static str,
        start: &[f64],
        rows: impl Fn(&[f64]) -> Option<Rows> + 'static,
    ) -> Self {
        Self {
            name,
            rows: Box::new(rows),
            start: start.to_vec(),
            lower: vec![-INF; start.len()],
            upper: vec![INF; start.len()],
            interrupt_at: usize::MAX,
            asked: RefCell::default(),
            refused: RefCell::default(),
            told: RefCell::default(),
        }
    }

    fn within(mut self, lower: &[f64], upper: &[f64]) -> Self {
        (self.lower, self.upper) = (lower.to_vec(), upper.to_vec());
        self
    }

    /// Runs an optimiser with a clean memory and checks what must hold on every problem.
    fn run(&self, (name, optimiser): Optimiser, options: &Options) -> Minimum {
        self.asked.borrow_mut().clear();
        self.told.borrow_mut().clear();
        *self.refused.borrow_mut() = 0;
        let found = optimiser(self, &self.start, options);
        let what = format!("{}, {name}", self.name);
        println!(
            "{what}: {:?}, cost {:.3e}, {} evaluations",
            found.stop, found.cost, found.evaluations
        );
        let asked = self.asked.borrow();
        assert_eq!(asked.len(), found.evaluations, "{what}: evaluations");
        assert!(found.evaluations <= options.evaluations, "{what}: budget");
        for x in asked.iter().chain([&found.x]) {
            for i in 0..x.len() {
                let inside = x[i] >= self.lower[i] && x[i] <= self.upper[i];
                assert!(inside, "{what}: {x:?} is outside");
            }
        }
        let told = self.told.borrow();
        assert!(
            told.windows(2)
                .all(|w| w[1].1 <= w[0].1 && w[1].2 >= w[0].2),
            "{what}: the best cost rises"
        );
        for (x, cost, _) in told.iter() {
            assert!(asked.contains(x), "{what}: told of a point never evaluated");
            assert!(found.cost <= *cost, "{what}: worse than what was accepted");
        }
        found
    }
}

fn rosenbrock(x: &[f64]) -> Option<Rows> {
    Some(vec![
        (10.0 * (x[1] - x[0] * x[0]), vec![-20.0 * x[0], 10.0]),
        (1.0 - x[0], vec![-1.0, 0.0]),
    ])
}

/// Broyden's tridiagonal function.
fn tridiagonal(x: &[f64]) -> Option<Rows> {
    let n = x.len();
    let at = |i: isize| usize::try_from(i).ok().and_then(|i| x.get(i));
    Some(
        (0..n)
            .map(|i| {
                let (before, after) = (at(i as isize - 1), at(i as isize + 1));
                let r = (3.0 - 2.0 * x[i]) * x[i]
                    - before.unwrap_or(&0.0)
                    - 2.0 * after.unwrap_or(&0.0)
                    + 1.0;
                let mut row = vec![0.0; n];
                row[i] = 3.0 - 4.0 * x[i];
                if before.is_some() {
                    row[i - 1] = -1.0;
                }
                if after.is_some() {
                    row[i + 1] = -2.0;
                }
                (r, row)
            })
            .collect(),
    )
}

/// a exp(-b t) + c through points that do not quite lie on such a curve.
fn exponential(x: &[f64]) -> Option<Rows> {
    Some(
        (0..31)
            .map(|i| {
                let t = 0.1 * f64::from(i);
                let data = 2.5 * (-1.3 * t).exp() + 0.5 + 0.01 * f64::from(37 * i).sin();
                let e = (-x[1] * t).exp();
                (x[0] * e + x[2] - data, vec![e, -x[0] * t * e, 1.0])
            })
            .collect(),
    )
}

/// A tilted bowl, a million million times steeper one way than another.
fn bowl(x: &[f64]) -> Option<Rows> {
    let minimum = [3.0, -2.0, 0.5, 10.0];
    let scale = [1e3, 1e1, 1e-1, 1e-3];
    let from = |i: usize| x[i] - minimum[i];
    Some(
        (0..4)
            .map(|i| {
                let mut row = vec![0.0; 4];
                row[i] = scale[i];
                let mut r = from(i);
                if i < 3 {
                    row[i + 1] = 0.5 * scale[i];
                    r += 0.5 * from(i + 1);
                }
                (scale[i] * r, row)
            })
            .collect(),
    )
}

/// Cannot be computed at x0 <= 0.2, next to its minimum (0.25, 8).
fn cliff(x: &[f64]) -> Option<Rows> {
    (x[0] > 0.2).then(|| {
        vec![
            (x[0].sqrt() - 0.5, vec![0.5 / x[0].sqrt(), 0.0]),
            (x[0] * x[1] - 2.0, vec![x[1], x[0]]),
        ]
    })
}

/// Enough for the slowest of the methods.
const AMPLE: Options = Options {
    cost: 1e-14,
    step: 1e-13,
    gradient: 1e-12,
    evaluations: 2000,
};

fn assert_found(found: &Minimum, x: &[f64], within: f64, what: &str) {
    assert!(found.stop.converged(), "{what}: {:?}", found.stop);
    for (found, x) in found.x.iter().zip(x) {
        assert!((found - x).abs() <= within, "{what}: {found} against {x}");
    }
}

#[test]
fn minima_with_known_places() {
    // Where the cost vanishes the place is sharp; elsewhere the cost is flat to the square root of
    // rounding.
    for optimiser in OPTIMISERS {
        let free = Problem::new("rosenbrock", &[-1.2, 1.0], rosenbrock);
        let found = free.run(optimiser, &AMPLE);
        assert_found(&found, &[1.0, 1.0], 1e-7, optimiser.0);

        let bowl = Problem::new("bowl", &[0.0; 4], bowl);
        let found = bowl.run(optimiser, &AMPLE);
        assert_found(&found, &[3.0, -2.0, 0.5, 10.0], 1e-4, optimiser.0);

        let many = Problem::new("tridiagonal, 33 unknowns", &[-1.0; 33], tridiagonal);
        let found = many.run(optimiser, &AMPLE);
        // SciPy.
        let first = [
            -0.570_761_192_974_747_7,
            -0.681_910_128_868_078_6,
            -0.702_486_020_667_623_3,
        ];
        assert_found(&found, &first, 1e-7, optimiser.0);
        assert!((found.x[16] + 0.707_106_748_740_666_6).abs() < 1e-7);
        assert!((found.x[32] + 0.416_412_301_166_841_6).abs() < 1e-7);

        let fit = Problem::new("exponential", &[1.0, 0.5, 0.0], exponential);
        let found = fit.run(optimiser, &AMPLE);
        // SciPy.
        let x = [
            2.496_433_486_027_985,
            1.293_259_555_605_953_2,
            0.497_197_204_909_667_46,
        ];
        assert_found(&found, &x, 1e-6, optimiser.0);
        assert!((found.cost - 7.331_195_592_398_706e-4).abs() < 1e-13);
    }
}

#[test]
fn minima_on_bounds() {
    for optimiser in OPTIMISERS {
        let valley = Problem::new("rosenbrock, x1 >= 1.5", &[2.0, 2.0], rosenbrock)
            .within(&[-INF, 1.5], &[INF, INF]);
        let found = valley.run(optimiser, &AMPLE);
        // SciPy. The trust region approaches a bound without touching it.
        assert_found(&found, &[1.224_370_748_739_661_6, 1.5], 2e-6, optimiser.0);
        assert!((found.cost - 0.025_213_093_946_803_57).abs() < 1e-8);

        let valley = Problem::new("rosenbrock, x0 <= 0.5", &[-1.2, 1.0], rosenbrock)
            .within(&[-INF, -INF], &[0.5, INF]);
        let found = valley.run(optimiser, &AMPLE);
        assert_found(&found, &[0.5, 0.25], 1e-6, optimiser.0);

        let lower: Vec<f64> = (0..33)
            .map(|i| if i % 3 == 0 { -0.5 } else { -INF })
            .collect();
        let many = Problem::new("tridiagonal, eleven bounds met", &[-0.4; 33], tridiagonal)
            .within(&lower, &[INF; 33]);
        let found = many.run(optimiser, &AMPLE);
        // SciPy.
        let first = [-0.5, -0.606_865_105_399_122_4, -0.583_917_572_926_191_1];
        assert_found(&found, &first, 1e-6, optimiser.0);
        assert!((found.cost - 3.060_786_437_498_037_6).abs() < 1e-6);

        let fit = Problem::new("exponential, c >= 0.52", &[1.0, 0.5, 0.6], exponential)
            .within(&[0.0, 0.0, 0.52], &[10.0; 3]);
        let found = fit.run(optimiser, &AMPLE);
        // SciPy.
        assert_found(
            &found,
            &[2.486_397_304_430_025, 1.331_974_193_437_075, 0.52],
            1e-5,
            optimiser.0,
        );
    }
}

#[test]
fn starts_on_and_outside_bounds() {
    for optimiser in OPTIMISERS {
        for (name, start) in [
            ("exponential from a bound", [10.0, 0.0, 0.0]),
            ("exponential from a corner", [0.0, 10.0, 10.0]),
            ("exponential from outside", [-5.0, 70.0, 1e3]),
        ] {
            let fit = Problem::new(name, &start, exponential).within(&[0.0; 3], &[10.0; 3]);
            let found = fit.run(optimiser, &AMPLE);
            let start_cost = fit.told.borrow()[0].1;
            assert!(found.stop.converged() && found.cost < start_cost, "{name}");
        }
        let fit = Problem::new("exponential from a bound", &[10.0, 0.0, 0.0], exponential)
            .within(&[0.0; 3], &[10.0; 3]);
        let found = fit.run(optimiser, &AMPLE);
        assert!((found.cost - 7.331_195_592_398_706e-4).abs() < 1e-10);

        // An unknown whose bounds coincide stays where it is.
        let held = Problem::new("rosenbrock, x0 held", &[-1.2, 1.0], rosenbrock)
            .within(&[-1.2, -INF], &[-1.2, INF]);
        let found = held.run(optimiser, &AMPLE);
        assert_found(&found, &[-1.2, 1.44], 1e-6, optimiser.0);
    }
}

#[test]
fn what_cannot_be_evaluated_shortens_the_step() {
    for optimiser in OPTIMISERS {
        let cliff = Problem::new("cliff", &[1.0, 2.2], cliff);
        let found = cliff.run(optimiser, &AMPLE);
        assert_found(&found, &[0.25, 8.0], 1e-6, optimiser.0);
        // Or the problem would show nothing.
        assert!(*cliff.refused.borrow() > 0, "{} never fell", optimiser.0);
        let nowhere = Problem::new("nowhere", &[0.1, 1.0], self::cliff);
        let found = nowhere.run(optimiser, &AMPLE);
        assert_eq!(found.stop, Stop::BadStart);
        assert!(!found.stop.converged() && found.cost == INF);
        assert_eq!(found.x, [0.1, 1.0]);
    }
}

#[test]
fn interruption_keeps_the_best_so_far() {
    for optimiser in OPTIMISERS {
        let mut valley = Problem::new("rosenbrock", &[-1.2, 1.0], rosenbrock);
        valley.interrupt_at = 4;
        let found = valley.run(optimiser, &AMPLE);
        assert_eq!(found.stop, Stop::Interrupted);
        assert!(!found.stop.converged());
        let told = valley.told.borrow();
        assert_eq!(told.len(), 4);
        assert_eq!((&found.x, found.cost), (&told[3].0, told[3].1));
        assert!(found.cost < told[0].1);
    }
}

#[test]
fn evaluations_are_limited() {
    for optimiser in OPTIMISERS {
        for evaluations in [1, 2, 5, 9] {
            let valley = Problem::new("rosenbrock", &[-1.2, 1.0], rosenbrock);
            let options = Options {
                evaluations,
                ..AMPLE
            };
            let found = valley.run(optimiser, &options);
            assert_eq!(found.stop, Stop::Evaluations, "{}", optimiser.0);
            assert!(!found.stop.converged());
            let start_cost = valley.told.borrow()[0].1;
            assert!(found.cost <= start_cost);
        }
    }
}

#[test]
fn the_same_input_gives_the_same_bits() {
    for optimiser in OPTIMISERS {
        let many = Problem::new("tridiagonal", &[-1.0; 33], tridiagonal);
        let once = many.run(optimiser, &AMPLE);
        let asked = many.asked.borrow().clone();
        let again = many.run(optimiser, &AMPLE);
        assert_eq!(once, again);
        assert_eq!(asked, *many.asked.borrow());
    }
}

/// Random convex problems in random boxes: at the end no unknown that may move wants to.
#[test]
fn random_boxes() {
    let mut state = 7_u64;
    let mut random = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1_u32 << 31) * 2.0 - 1.0
    };
    for round in 0..40 {
        let n = 2 + round % 7;
        let a: Vec<Vec<f64>> = (0..n + 2)
            .map(|_| (0..n).map(|_| random()).collect())
            .collect();
        let b: Vec<f64> = (0..n + 2).map(|_| 3.0 * random()).collect();
        let lower: Vec<f64> = (0..n).map(|_| random() - 1.0).collect();
        let upper: Vec<f64> = lower.iter().map(|l| l + 0.1 + random().abs()).collect();
        let start: Vec<f64> = (0..n).map(|_| 4.0 * random()).collect();
        let rows = move |x: &[f64]| {
            Some(
                a.iter()
                    .zip(&b)
                    .map(|(a, b)| {
                        let r = a.iter().zip(x).map(|(a, x)| a * x).sum::<f64>() - b;
                        (r, a.clone())
                    })
                    .collect::<Rows>(),
            )
        };
        let linear = Problem::new("linear", &start, rows).within(&lower, &upper);
        let costs = OPTIMISERS.map(|optimiser| {
            let found = linear.run(optimiser, &AMPLE);
            assert!(found.stop.converged(), "{:?}", found.stop);
            found.cost
        });
        for cost in costs {
            // The trust region stops a little short of a bound.
            let best = costs.iter().copied().fold(INF, f64::min);
            assert!(cost - best <= 1e-6 * best, "round {round}: {costs:?}");
        }
    }
}
