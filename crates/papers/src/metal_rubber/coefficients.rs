//! The law of the slider, and its Chebyshev series.

use super::record::{SLIDER, drive};
use crate::error::PapersError;
use crate::report::{Part, column, ours};
use masing_terms::chebyshev::{coefficients, invert};

/// Equation (6) as printed and as it must read.
pub fn slider_law() -> Result<Part, PapersError> {
    let (mut literal, mut right) = (0.0_f64, 0.0_f64);
    let mut ends = [[0.0_f64; 2]; 2];
    let zs = SLIDER.zs();
    let mut last = 0.0;
    for i in 1..=200_000 {
        let y = drive(1.5e-3, 0.25, f64::from(i) * 2.5e-6).0;
        let dy = y - last;
        last = y;
        // dz = ks/2 (1 + sgn(zs - |z|)) dy, with the paper's sgn 0 = -1.
        if zs - literal.abs() > 0.0 {
            literal += SLIDER.ks * dy;
        }
        right = (right + SLIDER.ks * dy).clamp(-zs, zs);
        for (ends, z) in ends.iter_mut().zip([literal, right]) {
            *ends = [ends[0].min(z), ends[1].max(z)];
        }
    }
    let rows = vec![
        ours("equation (6) as printed", ends[0]).remark("sticks for ever once |z| has reached zs"),
        ours("z = clip(z + ks dy, -zs, zs)", ends[1]).against([-zs, zs]),
    ];
    Ok(Part::new(
        "Equation (6): the spring-slider",
        "Under the growing sine of 1.5 mm from z = 0. As printed, dz is zero wherever |z| >= zs, on unloading too; with \
         sgn(zs - z sgn(dy)) the slider lets go again, which is the stop operator that everything here uses.",
        vec![column("least z", "N", 5), column("largest z", "N", 5)],
        rows,
    ))
}

/// Equation (25) with the printed parameters, and equation (37) back.
pub fn series() -> Result<Part, PapersError> {
    let span = 3e-3;
    let found = coefficients(SLIDER, span, 11);
    // By quadrature of the branch itself, in a prototype that shares no code with this program.
    let known = [
        25.21799, 14.64914, -11.18240, 6.71411, -2.60104, -0.15576, 1.24833, -1.04640, 0.28380,
        0.35520, -0.52959,
    ];
    let mut rows: Vec<_> = found
        .iter()
        .zip(known)
        .enumerate()
        .map(|(n, (a, known))| ours(format!("a{n}"), [*a]).against([known]))
        .collect();
    if let Some(back) = invert(found[0], found[1], span) {
        let text = format!(
            "back by equation (37): ks {:.3} N/mm, ys {:.5} mm",
            1e-3 * back.ks,
            1e3 * back.ys
        );
        if let Some(first) = rows.first_mut() {
            first.remark = text;
        }
    }
    Ok(Part::new(
        "Equations (25) and (37): Chebyshev coefficients of a branch",
        "Printed ks and zs, strokes of 3 mm. The second branch of (24) must read +ks ys; (25) was derived with that. The \
         ratio a1/a0 falls strictly with phi, so that (37) has exactly one solution for a1/a0 > 0 and none otherwise. The \
         coefficients fall off as 1/n^2 only: ten of them leave 11.7 % of zs at the kinks.",
        vec![column("coefficient", "N", 7)],
        rows,
    ))
}
