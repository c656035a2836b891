//! What the printed damping of the fifth power does at the paper's own amplitude.

use super::record::{C1, C5, FREQUENCY, PASSIVE_C5, SLIDER, STIFFNESS, Y0, drive};
use crate::error::PapersError;
use crate::report::{NAN, Part, column, ours};
use std::f64::consts::{PI, TAU};

/// Energy of a steady sine: of the slider, of c1 v and of c5 v^5.
fn shares(amplitude: f64, c5: f64) -> [f64; 3] {
    let w = TAU * FREQUENCY;
    let slider = 4.0 * SLIDER.zs() * (amplitude - SLIDER.ys).max(0.0);
    let linear = PI * C1 * w * amplitude * amplitude;
    // The mean of cos^6 over a period is 5/16.
    let fifth = 0.3125 * c5 * (w * amplitude).powi(6) / FREQUENCY;
    [slider, linear, fifth]
}

/// Energy over the last cycle of the growing sine, up to 0.5 s, with the printed values.
fn last_cycle(amplitude: f64, first: f64) -> f64 {
    let steps = 100_000_u32;
    let end = 0.5;
    let (mut z, mut last, mut energy) = (SLIDER.ys, 0.0, 0.0);
    for i in 1..=steps {
        let t = end * f64::from(i) / f64::from(steps);
        let (y, v) = drive(amplitude, first, t);
        z = (z + y - last).clamp(-SLIDER.ys, SLIDER.ys);
        let s = y + Y0;
        let powers = [s, s.powi(3), s.powi(5)];
        let elastic: f64 = STIFFNESS.iter().zip(powers).map(|(k, p)| k * p).sum();
        if t > end - 1.0 / FREQUENCY {
            energy += (elastic + C1 * v + C5 * v.powi(5) + SLIDER.ks * z) * (y - last);
        }
        last = y;
    }
    energy
}

/// Energy per cycle over the amplitude.
pub fn energy() -> Result<Part, PapersError> {
    let limit = (C1 / C5.abs()).powf(0.25);
    let row = |amplitude: f64, c5: f64, label: String| {
        let v = TAU * FREQUENCY * amplitude;
        let [slider, linear, fifth] = shares(amplitude, c5);
        let net = slider + linear + fifth;
        let verdict = if v > (C1 / c5.abs()).powf(0.25) {
            "feeds energy in at its largest speed"
        } else {
            "passive"
        };
        let values = [v, C1 * v, c5 * v.powi(5), slider, linear, fifth, net];
        ours(label, values).remark(verdict)
    };
    let mut rows: Vec<_> = [0.516e-3, 0.6e-3, 0.8e-3, 1.5e-3]
        .into_iter()
        .map(|a| row(a, C5, format!("{} mm, c5 as printed", 1e3 * a)))
        .collect();
    let mut last = [NAN; 7];
    last[6] = last_cycle(1.5e-3, 0.25);
    rows.push(
        ours("1.5 mm, last cycle of the transient, c5 as printed", last)
            .remark("it has reached 97 % of its amplitude by then"),
    );
    rows.push(row(1.5e-3, PASSIVE_C5, "1.5 mm, c5 = -6.1e4".to_owned()));
    let text = format!(
        "Steady sines at 20 Hz. c1 v + c5 v^5 opposes the motion only below (c1/|c5|)^(1/4) = {limit:.4} m/s, which is \
         {:.3} mm at 20 Hz. At the paper's 1.5 mm the printed term would be seven times as large as all of the stiffness and \
         the device would give back more energy than it takes: the printed c5 cannot belong to a record of 1.5 mm (its \
         exponent, or the amplitude, is another one). masing terms warns of this (`non-passive`).",
        1e3 * limit / (TAU * FREQUENCY)
    );
    Ok(Part::new(
        "Equation (67): the printed c5 is not passive",
        text,
        vec![
            column("largest speed", "m/s", 4),
            column("c1 v", "N", 4),
            column("c5 v^5", "N", 4),
            column("slider", "J/cycle", 4),
            column("c1", "J/cycle", 4),
            column("c5", "J/cycle", 4),
            column("net", "J/cycle", 4),
        ],
        rows,
    ))
}
