//! What Tables 1 and 2 are compared with: an independent prototype and the paper. N, mm, s.

use crate::report::NAN;
const INFINITY: f64 = f64::INFINITY;

/// One row of figures by an independent prototype: smoothing, then cost and gradient by backward Euler, the gradient by
/// eqs (12) and (13), a'c and b'b of those. N, mm, s.
pub type Figures = (Option<f64>, [f64; 6], [f64; 5], [f64; 2]);

#[rustfmt::skip]
pub const FIGURES: [Figures; 6] = [
    (Some(0.1), [13834.47, -166.31, -0.5703, -9.749, -39.33, -782.3], [-166.31, -0.5704, -9.749, -39.32, -782.2], [0.007_571, 0.007_571]),
    (Some(1.0), [17120.58, -183.30, -0.5242, -9.520, -897.5, -6938.0], [-183.30, -0.5240, -9.519, -897.6, -6935.0], [0.007_369, 0.007_369]),
    (Some(10.0), [21036.65, -203.71, -0.4502, -10.360, -1443.8, -3511.0], [-203.71, -0.3432, -10.363, -1466.0, -3421.0], [0.007_371, 0.007_301]),
    (Some(100.0), [21390.56, -205.80, -0.4494, -10.547, -1442.3, -1761.0], [-205.80, 14.35, -15.14, -3681.0, 8836.0], [0.0141, 0.007_289]),
    // Only the first is a number; the others are what rounding has grown to.
    (Some(1000.0), [21399.20, -205.87, -0.4492, -10.554, -1440.7, -1687.0], [-205.87, NAN, NAN, NAN, NAN], [NAN, 0.007_287]),
    (None, [21399.73, -205.871, -0.449_13, -10.5538, -1440.72, -1683.48], [NAN; 5], [NAN, NAN]),
];

/// Second order, one step a sample, without smoothing; and extrapolated to no step at all.
pub const SECOND_ORDER: [f64; 6] = [21403.090, -205.885, -0.447_03, -10.5525, -1438.93, -1589.55];
pub const EXTRAPOLATED: [f64; 6] = [
    21_402.852_44,
    -205.883_999_9,
    -0.447_255_59,
    -10.552_415_65,
    -1_438.927_763,
    -1_590.273_567,
];

/// Cost, gradient, a'c and b'b as the paper prints them.
#[rustfmt::skip]
pub const PAPER: [(Option<f64>, [f64; 8]); 5] = [
    (Some(0.1), [921_787.149, -4752.446, -16.3299, -277.728, 49_467.59, -13_149.70, 0.021_569, 0.021_576]),
    (Some(1.0), [888_192.640, -4665.399, -17.630, -268.873, 67_022.15, -13_154.49, 0.021_378, 0.021_351]),
    (Some(10.0), [888_192.739, -4665.399, -17.735, -285.087, 38_570.69, -11_927.34, 0.028_785, 0.020_740]),
    (Some(100.0), [888_192.736, -4665.399, -5.6e9, -8.2e9, -1.3e13, 1.2e12, 3e7, 0.020_359]),
    (None, [888_192.736, -4665.399, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, 0.020_245]),
];
