//! Rubber bushings (N, mm, s).

use super::{agrees, near, part, parts, row};

const NAN: f64 = f64::NAN;

fn of(id: &str) -> masing_papers::Part {
    part("bushing", id)
}

#[test]
fn all_tables_and_figures_are_there() {
    let ids = [
        "figure-5",
        "figure-6-left",
        "payne",
        "figure-6-right",
        "figure-8",
        "figure-9",
        "figure-10",
        "table-1",
        "table-2",
        "table-3",
        "table-4",
        "figure-11",
        "table-5",
        "figure-12",
        "sensitivity",
        "table-6",
    ];
    assert_eq!(parts("bushing"), ids);
}

#[test]
fn table_1_adjoints_with_and_without_the_product_rule() {
    let table = of("table-1");
    // Four digits, and three for a'c = 0.0141.
    agrees(&table, 3e-4);
    for s in ["s = 0.1", "s = 1", "s = 10", "s = 100", "s = 1000", "none"] {
        let exact = row(&table, &format!("{s}: Euler, exact"));
        // The transpose: to all digits.
        near(&exact[6..7], &exact[7..8], 1e-10);
        // Second order against first: 6 % in alpha, little elsewhere.
        let ours = row(&table, &format!("{s}: masing"));
        near(&ours[..4], &exact[..4], 7e-3);
        near(&ours[4..6], &exact[4..6], 0.06);
    }
    let expanded = |s: &str| row(&table, &format!("{s}: Euler, eqs (12), (13)"));
    // Nearly right, off, wrong, absurd, infinite.
    near(
        &expanded("s = 1")[1..6],
        &row(&table, "s = 1: Euler, exact")[1..6],
        1e-3,
    );
    near(
        expanded("s = 10"),
        &[
            NAN, NAN, -0.3432, -10.363, -1466.0, -3421.0, 0.007_371, 0.007_301,
        ],
        1e-3,
    );
    near(
        expanded("s = 100"),
        &[NAN, NAN, 14.35, -15.14, -3681.0, 8836.0, 0.0141, 0.007_289],
        3e-4,
    );
    for value in &expanded("s = 1000")[2..7] {
        // 1e16 to 1e21: rounding that has grown.
        assert!(value.is_finite() && value.abs() > 1e12, "{value}");
    }
    assert!(expanded("none")[2..7].iter().all(|v| v.is_infinite()));
}

#[test]
fn table_2_the_gradient_is_exact() {
    let table = of("table-2");
    // One step a sample against the same; four steps a sample against none at all (3.5e-5 in alpha).
    agrees(&table, 1e-4);
    let adjoint = row(&table, "masing: adjoint, none");
    // The prototype gave five digits.
    near(
        adjoint,
        &[21403.090, -205.885, -0.447_03, -10.5525, -1438.93, -1589.55],
        3e-5,
    );
    // Central differences with relative steps of 1e-5.
    near(
        row(&table, "masing: central differences, none"),
        adjoint,
        1e-7,
    );
}

/// Both tables have the same rows; only the scan of the valley is reliable from either start.
fn recovered(id: &str) -> masing_papers::Part {
    let table = of(id);
    let fit = row(&table, "masing: fit, with scan");
    near(&fit[..5], &[1.0; 5], 1e-6);
    // Rounding, in per cent.
    assert!(fit[5] < 1e-8, "{fit:?}");
    table
}

#[test]
fn table_3_descents_end_in_the_valley_and_the_scan_leaves_it() {
    let table = recovered("table-3");
    // Minima of a flat valley, by another optimiser, to four digits; errors to three.
    agrees(&table, 3e-3);
    let labels = [
        "masing: line search",
        "masing: trust region",
        "masing: line search, logarithms",
    ];
    for label in labels {
        let local = row(&table, label);
        // All in the valley: Kr C0 between 0.86 and 1 of the truth.
        let product = local[2] * local[3];
        assert!(product > 0.86 && product < 1.0, "{product}");
    }
}

#[test]
fn table_4_a_far_start_arrives() {
    let table = recovered("table-4");
    // The truth, and the stopping rule of the descents.
    agrees(&table, 1e-8);
    for label in ["masing: trust region", "masing: line search, logarithms"] {
        near(&row(&table, label)[..5], &[1.0; 5], 1e-6);
    }
}

#[test]
fn table_5_the_friction_as_printed_is_half() {
    let table = of("table-5");
    // Slopes at the cusps are read from slightly other samples, and the inversion magnifies that.
    agrees(&table, 0.03);
    let triangles = table.rows.iter().filter(|r| r.label.contains("triangle"));
    let values: Vec<&[f64]> = triangles.map(|row| &row.values[..]).collect();
    assert_eq!(values.len(), 4);
    for row in values {
        near(&row[5..6], &[2.0 * row[4]], 1e-12);
        // Independent: 15.8 to 19.6 % as printed, 1.5 to 5.0 % doubled; the paper's start is 15.32 % off.
        assert!(row[6] > 15.0 && row[6] < 20.0, "{row:?}");
        assert!(row[7] > 1.0 && row[7] < 5.5, "{row:?}");
    }
}

#[test]
fn table_6_a_triangle_alone_does_not_tell_alpha() {
    let table = of("table-6");
    let start = row(&table, "start, eqs (21) to (26)");
    // As far off as the paper's, which had other data.
    near(&start[5..6], &[15.32], 0.1);
    let truth = row(&table, "truth");
    let alone = row(&table, "masing: trust region");
    // Two methods, one minimum: as far as their stopping rules go.
    near(
        &row(&table, "masing: line search, logarithms")[..6],
        &alone[..6],
        1e-3,
    );
    // As good as the noise allows on the triangle, and wrong on the step.
    assert!(alone[5] <= truth[5] && alone[6] > 3.0 * truth[6]);
    let both = row(&table, "masing: fit of triangle and step");
    // 1 % of noise on 3000 samples leaves about 2 % in alpha.
    near(&both[..5], &truth[..5], 0.05);
    // The error that is left is the noise.
    near(&both[5..7], &truth[5..7], 0.01);
}

#[test]
fn figure_5_converges_with_cells() {
    let figure = of("figure-5");
    let off: Vec<f64> = figure.rows.iter().map(|row| row.values[3]).collect();
    assert!(off.windows(2).all(|w| w[1] < w[0]), "{off:?}");
    // The paper calls 10 cells converged by eye and takes 15: a width of the line, and half of it.
    assert!(row(&figure, "10 cells")[3] < 2.5);
    assert!(row(&figure, "15 cells")[3] < 1.5);
}

#[test]
fn figure_6_left_stiffens_as_in_the_paper() {
    let figure = of("figure-6-left");
    // Rises of 3 % from stiffnesses of five digits.
    agrees(&figure, 2e-3);
    // The paper says 4 % and 4.5 %: half a unit of its last digit.
    near(&row(&figure, "10 Hz")[1..2], &[4.0], 0.02);
    near(&row(&figure, "100 Hz")[1..2], &[4.5], 0.02);
}

#[test]
fn section_3_4_softens_with_amplitude() {
    // Steps chosen for 1e-4.
    agrees(&of("payne"), 1e-4);
}

#[test]
fn figure_6_right_relaxes() {
    // Steps chosen for 1e-4.
    agrees(&of("figure-6-right"), 1e-4);
}

#[test]
fn figure_8_only_the_rate_dependent_bushing_relaxes() {
    let figure = of("figure-8");
    // The example prints 1.6 %: half a unit of its last digit.
    agrees(&figure, 0.03);
    for law in ["sts", "spring"] {
        // What is left of the swing of the car (%); the example has 0.002 % with `sts`.
        assert!(row(&figure, law)[2].abs() < 0.01, "{law}");
    }
}

#[test]
fn figure_9_the_memory_of_a_turn_fades_with_rate_dependence_alone() {
    let figure = of("figure-9");
    // Digits that the example prints: three of 0.0115 degrees.
    agrees(&figure, 5e-3);
    // Turned back the bushing takes 334 N where it takes 270 N in the same direction.
    near(row(&figure, "rt, after 2 s"), &[270.0, 334.0], 2e-3);
    let gap = |label: &str| row(&figure, label)[2];
    // Dry friction remembers for ever.
    near(&[gap("sts, after 8 s")], &[gap("sts, after 2 s")], 1e-4);
    // A spring has no memory: what is left of the swing after two seconds, of some 300 N.
    assert!(gap("spring, after 2 s").abs() < 1e-3);
    let alpha = 0.075_f64;
    for (early, late) in [("2", "8"), ("8", "32"), ("32", "128")] {
        let left = gap(&format!("rt, after {late} s")) / gap(&format!("rt, after {early} s"));
        // The power law holds for times that are long against the turn.
        near(&[left], &[4_f64.powf(-alpha / (1.0 - alpha))], 0.01);
    }
    // The paper: relaxation of the load is stronger after opposite turns.
    let rt = row(&figure, "rt, after 2 s");
    assert!(rt[5] > 3.0 * rt[4], "{rt:?}");
}

#[test]
fn figure_10_is_equation_14_without_its_overflow() {
    let figure = of("figure-10");
    // Rounding of the exponentials.
    agrees(&figure, 1e-9);
    for (label, s) in [("s = 0.1", 0.1), ("s = 1", 1.0), ("s = 100", 100.0)] {
        near(&row(&figure, label)[..1], &[2.0 * 2_f64.ln() / s], 1e-12);
    }
}

#[test]
fn figure_11_slopes_are_exact_and_the_force_is_peak_to_peak() {
    let figure = of("figure-11");
    // The chain without rate dependence is exact; slopes are differences of 1e-3 of forces of 500 N.
    agrees(&figure, 1e-9);
    let force = row(&figure, "largest force Fmax, eq (20), N");
    near(&[force[1] / force[0]], &[2.0], 1e-9);
}

#[test]
fn figure_12_errors_of_a_slope_grow() {
    let figure = of("figure-12");
    // A closed formula.
    agrees(&figure, 1e-9);
    let low = row(&figure, "Tg2 x 0.9");
    assert!(low[0] < 0.5 && low[2] > 1.5, "{low:?}");
}

#[test]
fn sensitivity_one_frequency_says_little_about_alpha() {
    let table = of("sensitivity");
    // The truth is without error, up to rounding.
    assert!(row(&table, "x 1").iter().all(|error| *error < 1e-9));
    for label in ["x 0.9", "x 1.1"] {
        let [elsewhere @ .., alpha] = row(&table, label) else {
            panic!("five parameters");
        };
        assert!(elsewhere.iter().all(|error| error > alpha), "{label}");
    }
}
