//! Figure 10: the smoothed sign and absolute value of eq (14).

use super::law::{sign, size};
use super::rig::SET_B;
use crate::error::PapersError;
use crate::report::{Part, column, ours, path};

/// Figure 10.
pub fn figure_10() -> Result<Part, PapersError> {
    let speed = ("speed", "mm/s");
    let mut signs = path("Figure 10, left: smoothed sign", speed, ("sign", ""));
    let mut sizes = path(
        "Figure 10, right: smoothed absolute value",
        speed,
        ("absolute value", "mm/s"),
    );
    let around: Vec<f64> = (-200..=200).map(|i| 0.02 * f64::from(i)).collect();
    // Largest speed of a sine of 1 mm at 1 Hz.
    let (fast, alpha) = (std::f64::consts::TAU, SET_B[4]);
    let mut rows = Vec::new();
    for s in [0.1, 1.0, 10.0, 100.0] {
        let force = |v: f64| sign(s, v) * size(s, v).powf(alpha) / v.powf(alpha);
        let own = [
            size(s, 0.0),
            sign(s, 1.0),
            size(s, 1.0),
            100.0 * force(fast),
        ];
        // Eq (14) as it is printed.
        let printed = |v: f64| {
            [
                2.0 / (1.0 + (-s * v).exp()) - 1.0,
                2.0 / s * (s * v).exp().ln_1p() - v,
            ]
        };
        let [at_one, of_one] = printed(1.0);
        let [a, b] = printed(fast);
        let known = [
            printed(0.0)[1],
            at_one,
            of_one,
            100.0 * a * (b / fast).powf(alpha),
        ];
        rows.push(ours(format!("s = {s}"), own).against(known));
        let of = |f: fn(f64, f64) -> f64| -> Vec<f64> { around.iter().map(|v| f(s, *v)).collect() };
        signs.add(format!("s = {s} s/mm"), &around, &of(sign));
        sizes.add(format!("s = {s} s/mm"), &around, &of(size));
    }
    let text = "sign_s(v) = tanh(s v/2) and |v|_s = 2/s ln(2 cosh(s v/2)), which eq (14) writes with exponentials that \
        overflow above s v = 709. s is in s/mm, so that s = 1, which the paper settles on, means something else in \
        other units: at 1 mm/s the sign is then half of what it should be. |0|_s is 2 ln(2)/s and not zero. Last column: \
        force of a dashpot of set B at the largest speed of a sine of 1 mm at 1 Hz, of that without smoothing.";
    let part = Part::new(
        "Figure 10: the smoothed sign and absolute value",
        text,
        vec![
            column("|0|_s", "mm/s", 5),
            column("sign_s", "at 1 mm/s", 5),
            column("|v|_s", "mm/s, at 1 mm/s", 5),
            column("force", "%, at 6.3 mm/s", 5),
        ],
        rows,
    );
    Ok(part.with_plots([signs, sizes]))
}
