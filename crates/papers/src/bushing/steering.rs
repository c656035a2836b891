//! Figures 8 and 9: a car that is steered once and twice, its rear axle held by two bushings.
//!
//! The car of `examples/multibody`: a single-track model whose rear axle yaws against the body. The bushings stand
//! w to the left and right of its middle and move by s and -s. Their laws are odd, so that both together act as one of
//! twice the force on s:
//!
//! J/w^2 s'' + d/w^2 s' + (c + l Cr)/w^2 s - l Cr/(w u) (y' - b psi') + 2 F(s) = 0
//! m (y'' + u psi') = Cf (delta - (y' + a psi')/u) + Cr (s/w - (y' - b psi')/u)
//! I psi'' = a Cf (delta - (y' + a psi')/u) - b Cr (s/w - (y' - b psi')/u)

use super::rig::{CELLS, shape};
use crate::error::PapersError;
use crate::report::{FORCE, NAN, Part, Row, TIME, column, history, ours, paper};
use masing_model::{Assembly, Masses, Shape};
use masing_report::Plot;
use masing_sim::{Driven, Load, Numerics};

/// Speed u (m/s), mass m (kg), inertia I (kg m^2), axles a ahead of and b behind the centre of mass (m), tyres (N/rad).
const SPEED: f64 = 20.0;
const MASS: f64 = 1250.0;
const INERTIA: f64 = 1900.0;
const FRONT: f64 = 1.1;
const REAR: f64 = 1.45;
const FRONT_TYRES: f64 = 9.0e4;
const REAR_TYRES: f64 = 1.1e5;
/// The axle: inertia J (kg m^2), bushings l ahead of the wheels and w beside the middle (m), other links c (N m/rad)
/// and d (N m s/rad).
const AXLE_INERTIA: f64 = 25.0;
const TRAIL: f64 = 0.4;
const HALF_WIDTH: f64 = 0.5;
const LINKS: f64 = 2.5e5;
const LINK_DAMPING: f64 = 400.0;

/// The front wheels turn by 1.5 degrees within 0.1 s; the first time at 0.1 s.
const ANGLE: f64 = 1.5;
const RAMP: f64 = 0.1;
const START: f64 = 0.1;

/// A law and what two of the bushing have for parameters: set B; the same chain with the friction of set B at 10 mm/s;
/// a spring.
type Law = (&'static str, &'static [f64]);

const LAWS: [Law; 3] = [
    ("rt", &[4e5, 1.6e6, 6e6, 50.36, 0.075]),
    ("sts", &[4e5, 1.6e6, 6e6, 35.6]),
    ("spring", &[9e5]),
];

/// A drive: load of a bushing (N, positive when steered to the left) and toe of the axle (degrees).
struct Drive {
    time: Vec<f64>,
    load: Vec<f64>,
    toe: Vec<f64>,
}

/// Times: 2 ms for two seconds from every turn, then growing by 2 % a step; until `after` seconds from the last turn.
fn grid(turns: &[(f64, f64)], after: f64) -> Vec<f64> {
    let step = 2e-3;
    let mut time = vec![0.0];
    let mut fill = |from: f64, until: f64| {
        let mut h = step;
        loop {
            let now = time[time.len() - 1];
            if now >= until - 1e-9 {
                break;
            }
            if now > from + 2.0 {
                h *= 1.02;
            }
            // Never a remainder that is much shorter than a step.
            time.push(if until - now < 1.5 * h {
                until
            } else {
                now + h
            });
        }
    };
    fill(0.0, START);
    for (k, (start, _)) in turns.iter().enumerate() {
        let until = turns.get(k + 1).map_or(start + after, |next| next.0);
        // The end of the ramp is a sample too.
        fill(*start, start + RAMP);
        fill(*start, until);
    }
    time
}

/// Steers by turns that are given by their begin (s) and direction.
fn drive((kind, p): Law, turns: &[(f64, f64)], after: f64) -> Result<Drive, PapersError> {
    let assembly = Assembly::from_names(kind, |kind| match kind {
        "spring" => Shape::default(),
        _ => shape(CELLS),
    })?;
    let masses = Masses::structure(3);
    let time = grid(turns, after);
    let angle = |t: f64| -> f64 {
        let each = turns.iter();
        let gone = each.map(|(start, way)| way * ((t - start) / RAMP).clamp(0.0, 1.0));
        ANGLE.to_radians() * gone.sum::<f64>()
    };
    let steered = |factor: f64| -> Vec<f64> { time.iter().map(|t| factor * angle(*t)).collect() };
    let load = Load::new(time.clone())?
        .on(2, steered(FRONT_TYRES))?
        .on(3, steered(FRONT * FRONT_TYRES))?;
    let (u, w, cf, cr) = (SPEED, HALF_WIDTH, FRONT_TYRES, REAR_TYRES);
    // m, c, k by rows for s, y and psi; then the beginning at rest.
    let lever = FRONT * cf - REAR * cr;
    let rest = [0.0; 6];
    let system = [
        [AXLE_INERTIA / (w * w), 0.0, 0.0],
        [0.0, MASS, 0.0],
        [0.0, 0.0, INERTIA],
        [
            LINK_DAMPING / (w * w),
            -TRAIL * cr / (u * w),
            TRAIL * REAR * cr / (u * w),
        ],
        [0.0, (cf + cr) / u, lever / u + MASS * u],
        [0.0, lever / u, (FRONT * FRONT * cf + REAR * REAR * cr) / u],
        [(LINKS + TRAIL * cr) / (w * w), 0.0, 0.0],
        [-cr / w, 0.0, 0.0],
        [REAR * cr / w, 0.0, 0.0],
    ];
    let values: Vec<f64> = p
        .iter()
        .chain(system.as_flattened())
        .chain(&rest)
        .copied()
        .collect();
    let driven = Driven::new(&assembly, &masses, &load, Numerics::default())?;
    // An explicit scheme is stable below a tenth of the period of the axle, 35 ms.
    let limit = Numerics {
        max_dt: if driven.is_implicit() {
            f64::INFINITY
        } else {
            3e-3
        },
        ..Numerics::default()
    };
    let run = driven.stepping(limit).run(&values)?;
    let toe = |s: &f64| -(s / w).to_degrees();
    Ok(Drive {
        load: run.force.iter().map(|f| -0.5 * f).collect(),
        toe: run.displacement.iter().step_by(3).map(toe).collect(),
        time,
    })
}

impl Drive {
    /// A channel so many seconds after the first turn began.
    fn at(&self, channel: &[f64], seconds: f64) -> f64 {
        let t = START + seconds;
        let i = self
            .time
            .partition_point(|s| *s < t)
            .clamp(1, self.time.len() - 1);
        let (a, b) = (self.time[i - 1], self.time[i]);
        channel[i - 1] + (channel[i] - channel[i - 1]) * (t - a) / (b - a)
    }
}

/// Figure 8.
pub fn figure_8() -> Result<Part, PapersError> {
    // What `examples/multibody` prints for the fall, with the bushings as FMUs.
    let known = [1.6, NAN, NAN];
    let mut plot = history(
        "Figure 8: load of the bushing after a turn",
        TIME,
        ("load", "of largest"),
    );
    let mut toe = history("Toe of the rear axle after a turn", TIME, ("toe", "deg"));
    let mut rows = Vec::new();
    for (law, known) in LAWS.into_iter().zip(known) {
        let run = drive(law, &[(START, 1.0)], 6.0)?;
        let fall = 1.0 - run.at(&run.load, 6.0) / run.at(&run.load, 1.5);
        let values = [run.at(&run.load, 1.0), run.at(&run.toe, 1.0), 100.0 * fall];
        rows.push(ours(law.0, values).against([NAN, NAN, known]));
        let largest = run.load.iter().fold(0.0_f64, |m, f| m.max(*f));
        let share: Vec<f64> = run.load.iter().map(|f| f / largest).collect();
        plot.add(law.0, &run.time, &share);
        toe.add(law.0, &run.time, &run.toe);
    }
    rows.push(paper("paper: RT", []).remark("the load relaxes"));
    rows.push(paper("paper: STS", []).remark("no relaxation"));
    let text = "The front wheels of a small car at 20 m/s are turned by 1.5 degrees within 0.1 s. The paper shows the load of \
        one rear axle bushing in its own model of a car, divided by the largest, and gives no numbers; the car is that of \
        examples/multibody, which does the same with the bushings as FMUs (its figures are the independent ones here). From \
        1.5 s on the car is settled, and what still changes does so by relaxation: with the rate-dependent bushing (rt) the \
        load falls until 6 s, with the rate-independent one (sts) of the same stiffnesses it does not.";
    let part = Part::new(
        "Figure 8: load of a rear axle bushing after a turn of the steering wheel",
        text,
        vec![
            column("load after 1 s", "N", 4),
            column("toe after 1 s", "deg", 4),
            column("fall, 1.5 to 6 s", "% of load", 2),
        ],
        rows,
    );
    Ok(part.with_plots([plot, toe]))
}

/// What the second of two turns does, in its own direction: change of load (N) and toe (degrees) within a second, load a
/// second after it, and by how much the change falls in the two seconds after that.
fn second(run: &Drive, wait: f64, way: f64) -> [f64; 4] {
    let change = |channel: &[f64], from: f64, to: f64| {
        way * (run.at(channel, wait + to) - run.at(channel, wait + from))
    };
    [
        change(&run.load, 0.0, 1.0),
        change(&run.toe, 0.0, 1.0),
        run.at(&run.load, wait + 1.0),
        -change(&run.load, 1.0, 3.0),
    ]
}

/// One law, one wait (s), and by how much the change of load and toe of the second turn depends on the direction of the
/// first (N, degrees) in `examples/multibody`.
type Memory = (Law, f64, [f64; 2]);

/// Figure 9.
pub fn figure_9() -> Result<Part, PapersError> {
    let [rt, sts, spring] = LAWS;
    let cases: [Memory; 7] = [
        (rt, 2.0, [63.6, -0.0161]),
        (rt, 8.0, [56.5, -0.0143]),
        (rt, 32.0, [50.8, -0.0128]),
        (rt, 128.0, [45.8, -0.0115]),
        (sts, 2.0, [82.63, -0.0209]),
        (sts, 8.0, [82.63, -0.0209]),
        (spring, 2.0, [NAN; 2]),
    ];
    let (mut rows, mut plots) = (Vec::new(), Vec::new());
    for (law, wait, known) in cases {
        let turned = |way: f64| drive(law, &[(START, 1.0), (START + wait, way)], 3.0);
        let (same, opposite) = (turned(1.0)?, turned(-1.0)?);
        rows.push(row(law, wait, [&same, &opposite], known));
        if plots.is_empty() {
            plots.push(loads(wait, &same, &opposite));
        }
    }
    rows.push(
        paper("paper", [])
            .remark("very different by direction; relaxation stronger after opposite turns"),
    );
    let text = "A second turn of the same size follows after a wait, on in the same direction or back. Without memory both \
        would change the load equally, as they do with a spring; a bushing is stiffer when it is turned back. Dry friction (sts) \
        remembers for ever, the memory of rt fades as t^(-alpha/(1 - alpha)): waiting four times as long leaves 89 % of it. That \
        relaxation is stronger after opposite turns, as the paper says, holds for the load that then acts, of which most is \
        memory; of the change by the second turn less relaxes when it is turned back. Independent figures: examples/multibody.";
    let part = Part::new(
        "Figure 9: load of the bushing during the second of two turns",
        text,
        vec![
            column("change, same", "N", 4),
            column("change, opposite", "N", 4),
            column("opposite less same", "N", 4),
            column("toe, opposite less same", "deg", 3),
            column("relaxed, same", "% of load", 2),
            column("relaxed, opposite", "% of load", 2),
        ],
        rows,
    );
    Ok(part.with_plots(plots))
}

fn row((kind, _): Law, wait: f64, runs: [&Drive; 2], known: [f64; 2]) -> Row {
    let [same, opposite] = [second(runs[0], wait, 1.0), second(runs[1], wait, -1.0)];
    // A spring that is turned back carries nothing that could relax.
    let relaxed = |of: [f64; 4]| {
        if of[2].abs() > 1.0 {
            100.0 * of[3] / of[2].abs()
        } else {
            NAN
        }
    };
    let gaps = [opposite[0] - same[0], opposite[1] - same[1]];
    ours(format!("{kind}, after {wait} s"), [same[0], opposite[0]])
        .and(gaps)
        .and([relaxed(same), relaxed(opposite)])
        .against([NAN; 2].into_iter().chain(known))
}

/// The load from the second turn on, less what it was there.
fn loads(wait: f64, same: &Drive, opposite: &Drive) -> Plot {
    let mut plot = history(
        "Figure 9: change of the load by the second turn, in its own direction",
        TIME,
        FORCE,
    );
    for (name, run, way) in [("same direction", same, 1.0), ("opposite", opposite, -1.0)] {
        let from = run.time.partition_point(|t| *t < START + wait - 1e-9);
        let time: Vec<f64> = run.time[from..].iter().map(|t| t - START - wait).collect();
        let change: Vec<f64> = run.load[from..]
            .iter()
            .map(|f| way * (f - run.load[from]))
            .collect();
        plot.add(name, &time, &change);
    }
    plot
}
