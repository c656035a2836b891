//! Figures 5 and 6: what the chain does with more cells, higher frequency, larger amplitude, and after a step.

use super::rig::{CELLS, SAMPLES, SET_B, Set, chain, parts, si, triangle};
use crate::error::PapersError;
use crate::report::{DISPLACEMENT, FORCE, NAN, Part, column, ours, paper, path};
use masing_report::{Axis, Plot, Shape};
use masing_sim::{
    ACCURACY, Closure, Harmonic, Motion, Prescribed, choose, sine_cycle, steady_state,
};

/// Cells of the chain that counts as converged.
const MANY: usize = 60;

/// The steady loop of set B at an amplitude (mm) and a frequency: what it says in one line, its displacements (mm) and
/// its forces. Closed to 1e-6: cells that barely move creep on for thousands of cycles without changing the force.
fn steady(amplitude: f64, frequency: f64) -> Result<(Harmonic, Vec<f64>, Vec<f64>), PapersError> {
    let (model, p) = (chain(CELLS, None)?, si(SET_B));
    let cycle = sine_cycle(1e-3 * amplitude, frequency, 0.0, 512)?;
    let numerics = choose(&model, &p, &cycle, ACCURACY)?;
    let closure = Closure {
        tolerance: 1e-6,
        ..Closure::default()
    };
    let steady = steady_state(&model, &p, &cycle, numerics, closure)?;
    let x = cycle.x().iter().map(|x| 1e3 * x).collect();
    let found = Harmonic::of_cycle(1e-3 * amplitude, frequency, &steady.force, steady.cycles);
    Ok((found, x, steady.force))
}

/// Set B on another number of cells, with the same slopes, force and displacement at the tips: eqs (22) to (24) have
/// Kr as N - 1 and the friction as 1/N.
fn spread(cells: usize) -> Set {
    let [k0, kpa, kr, c0, alpha] = SET_B;
    let (n, of) = (cells as f64, CELLS as f64);
    [k0, kpa, kr * (n - 1.0) / (of - 1.0), c0 * of / n, alpha]
}

/// Figure 5.
pub fn figure_5() -> Result<Part, PapersError> {
    let motion = triangle()?;
    let x: Vec<f64> = motion.x().iter().map(|x| 1e3 * x).collect();
    let force = |cells: usize| -> Result<Vec<f64>, PapersError> {
        let model = chain(cells, None)?;
        Ok(Prescribed::new(&model, &motion, parts(1)).run(&si(spread(cells)))?)
    };
    let last = 1000..SAMPLES;
    let many = force(MANY)?;
    let peak = |f: &[f64]| f[last.clone()].iter().fold(0.0_f64, |m, f| m.max(f.abs()));
    let mut plot = path(
        "Second cycle under a triangle for several numbers of cells",
        DISPLACEMENT,
        FORCE,
    );
    let mut rows = Vec::new();
    for cells in [2, 3, 5, 7, 10, 15, 20, 30] {
        let found = force(cells)?;
        let off = last
            .clone()
            .fold(0.0_f64, |m, i| m.max((found[i] - many[i]).abs()));
        let [_, _, kr, c0, _] = spread(cells);
        rows.push(ours(
            format!("{cells} cells"),
            [kr, c0, peak(&found), 100.0 * off / peak(&many)],
        ));
        if [2, 3, 5, 10, 15].contains(&cells) {
            plot.add(
                format!("{cells} cells"),
                &x[last.clone()],
                &found[last.clone()],
            );
        }
    }
    let off_at = |cells: usize| {
        let row = rows
            .iter()
            .find(|row| row.label == format!("{cells} cells"));
        row.map_or(NAN, |row| row.values[3])
    };
    plot.add_faint(
        format!("{MANY} cells"),
        &x[last.clone()],
        &many[last.clone()],
    );
    let text = format!(
        "The loop with more and more cells, parameters such that slopes, force and displacement at the tips stay the \
         same, against the loop with {MANY} cells. The paper calls it converged from 10 cells on and takes 15, where \
         the difference is {:.1} % and {:.1} % of the largest force.",
        off_at(10),
        off_at(15)
    );
    let part = Part::new(
        "Figure 5: convergence with the number of cells",
        text,
        vec![
            column("Kr", "N/mm", 5),
            column("C0", "N (s/mm)^alpha", 5),
            column("largest force", "N", 5),
            column("difference", "% of largest", 3),
        ],
        rows,
    );
    Ok(part.with_plots([plot]))
}

/// Figure 6, left.
pub fn stiffening() -> Result<Part, PapersError> {
    let mut rows = Vec::new();
    let mut plot = path("Steady loops at 1 mm", DISPLACEMENT, FORCE);
    let mut before = NAN;
    for (frequency, reference, rise) in [
        (0.01, 423.40, NAN),
        (0.1, 435.86, 2.94),
        (1.0, 450.76, 3.42),
        (10.0, 468.58, 3.95),
        (100.0, 489.45, 4.45),
    ] {
        let (h, x, force) = steady(1.0, frequency)?;
        if frequency >= 1.0 {
            plot.add(format!("{frequency} Hz"), &x, &force);
        }
        let secant = h.secant_stiffness / 1e3;
        let values = [
            secant,
            100.0 * (secant / before - 1.0),
            h.dynamic_stiffness() / 1e3,
            h.loss_angle().to_degrees(),
            h.energy * 1e3,
        ];
        let mut known = [reference, rise, NAN, NAN, NAN];
        if frequency == 1.0 {
            known = [reference, rise, 442.31, 11.67, 280.97];
        }
        rows.push(ours(format!("{frequency} Hz"), values).against(known));
        before = secant;
    }
    rows.extend([
        paper("paper: 1 to 10 Hz", [NAN, 4.0]),
        paper("paper: 10 to 100 Hz", [NAN, 4.5]),
    ]);
    let text = "Secant stiffness of set B under a sine of 1 mm, and its rise per decade of frequency. Nothing was \
        fitted to the paper's two figures beyond the choice of set B.";
    let part = Part::new(
        "Figure 6, left: stiffening with frequency",
        text,
        vec![
            column("secant stiffness", "N/mm", 5),
            column("rise per decade", "%", 3),
            column("dynamic stiffness", "N/mm", 5),
            column("loss angle", "deg", 4),
            column("energy per cycle", "mJ", 5),
        ],
        rows,
    );
    Ok(part.with_plots([plot]))
}

/// The amplitude dependence that the text of section 3.4 mentions.
pub fn payne() -> Result<Part, PapersError> {
    let mut rows = Vec::new();
    for (amplitude, reference) in [
        (0.01, 999.9),
        (0.02, 937.5),
        (0.05, 840.0),
        (0.1, 740.8),
        (0.2, 643.4),
        (0.5, 525.7),
        (1.0, 450.8),
        (2.0, 406.6),
    ] {
        let (h, ..) = steady(amplitude, 1.0)?;
        let values = [h.secant_stiffness / 1e3, h.loss_angle().to_degrees()];
        rows.push(ours(format!("{amplitude} mm"), values).against([reference]));
    }
    let text = "Secant stiffness and loss angle of set B over the amplitude at 1 Hz: from K0 + Kpa = 1000 N/mm for \
        small motion to less than half of it.";
    Ok(Part::new(
        "Section 3.4: softening with amplitude (Payne effect)",
        text,
        vec![
            column("secant stiffness", "N/mm", 5),
            column("loss angle", "deg", 4),
        ],
        rows,
    ))
}

/// Figure 6, right.
pub fn relaxation() -> Result<Part, PapersError> {
    let known = [
        (0.1, 468.41),
        (0.2, 441.36),
        (0.5, 432.88),
        (1.0, 428.27),
        (2.0, 424.27),
        (10.0, 416.22),
        (60.0, 408.59),
    ];
    // Longer and longer intervals, with samples where the force is looked at.
    let mut time: Vec<f64> = (0..=200).map(|i| f64::from(i) * 1e-3).collect();
    while time[time.len() - 1] < 60.0 {
        time.push((time[time.len() - 1] * 1.01).min(60.0));
    }
    for (t, _) in known {
        let at = time.partition_point(|&s| s < t - 1e-9);
        time[at] = t;
    }
    let x = time.iter().map(|&t| 1e-3 * (t / 0.1).min(1.0)).collect();
    let motion = Motion::new(time.clone(), x, None)?;
    let (model, p) = (chain(CELLS, None)?, si(SET_B));
    let numerics = choose(&model, &p, &motion, ACCURACY)?;
    let force = Prescribed::new(&model, &motion, numerics).run(&p)?;
    let mut rows = Vec::new();
    for (t, reference) in known {
        let at = time.partition_point(|&s| s < t - 1e-9);
        rows.push(ours(format!("{t} s"), [force[at]]).against([reference]));
    }
    let [k0, kpa, kr, ..] = SET_B;
    let limit = k0 + 1.0 / (1.0 / kpa + CELLS as f64 / kr);
    rows.push(ours("for ever", [limit]).against([360.0]));
    let mut plot = Plot::new(
        "Force after a ramp to 1 mm in 0.1 s",
        Shape::History,
        Axis::new("time", "s").log(),
        Axis::new("force", "N"),
    );
    let held = time.partition_point(|&t| t < 0.1 - 1e-9);
    plot.add("set B", &time[held..], &force[held..]);
    let text = format!(
        "Force after a ramp to 1 mm within 0.1 s that is then held. It relaxes like a power of time: in a record of \
         seconds it looks constant long before it is, and after a minute it is still {:.0} % above the limit \
         K0 + 1/(1/Kpa + N/Kr).",
        100.0 * (force[force.len() - 1] / limit - 1.0)
    );
    let part = Part::new(
        "Figure 6, right: relaxation after a step",
        text,
        vec![column("force", "N", 5)],
        rows,
    );
    Ok(part.with_plots([plot]))
}
