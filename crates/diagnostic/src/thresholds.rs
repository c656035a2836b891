//! Every limit beyond which something is a diagnostic, each with its reason.

// Results of every method.

/// Largest relative error at which a model still describes the tests. A fifth of the rms force is more
/// than any use of such a model tolerates; exit code 3 follows from the same limit.
pub const POOR_FIT: f64 = 0.2;
/// Relative error up to which a model describes the tests; beyond it, only roughly. Test rigs and parts
/// repeat to a few per cent, so that a tenth is clearly more than scatter.
pub const FAIR_FIT: f64 = 0.1;
/// Relative error up to which a model describes the tests well: about what specimens of one part differ by.
pub const GOOD_FIT: f64 = 0.05;
/// Mean square of residuals over noise (chi2/dof) beyond which a model misses something. Noise from a
/// handful of repeated cycles is known to about a tenth, its square to about a fifth; 1.3 is beyond that.
pub const BEYOND_NOISE: f64 = 1.3;
/// A held-out test is predicted weakly where its error exceeds that of the fitted tests by this factor:
/// other specimens and settings of a rig differ by less.
pub const WEAK_HELD_OUT_FACTOR: f64 = 2.0;
/// Error below which a held-out test is never called weakly predicted, however small the fitted error is.
pub const WEAK_HELD_OUT_LEAST: f64 = 0.03;
/// Standard error over value beyond which a parameter is poorly determined: at 0.3 the 95 % interval
/// spans a factor of four.
pub const POORLY_DETERMINED: f64 = 0.3;
/// Correlation of neighbouring residuals counts where it exceeds this many standard errors, 1/sqrt(n), of
/// an uncorrelated series.
pub const CORRELATED_SIGMAS: f64 = 3.0;

/// Whether a held-out test is predicted much worse than the fitted ones.
pub fn weakly_predicted(held_out: f64, fitted: f64) -> bool {
    held_out > WEAK_HELD_OUT_FACTOR * fitted && held_out > WEAK_HELD_OUT_LEAST
}

/// Whether neighbouring residuals of so many samples resemble each other, by their correlation.
pub fn correlated(lag1: f64, samples: usize) -> bool {
    lag1 > CORRELATED_SIGMAS / (samples.max(1) as f64).sqrt()
}

// Fits.

/// Correlation of a mass of the rig and a parameter beyond which one stands in for the other: the data
/// then hold less than a twentieth of the information that would tell them apart.
pub const MASS_OR_STIFFNESS: f64 = 0.98;
/// Share of the weakest direction from which an unknown belongs to those that cannot be told apart.
/// The squares of the shares add up to one: what is left out explains at most a few per cent.
pub const TOGETHER: f64 = 0.2;
/// Share of a test's squared error that a nuisance, or outliers, must explain to be named: the error
/// falls by a tenth at least.
pub const NUISANCE_CLEAR: f64 = 0.2;
/// Standard errors by which a nuisance must differ from none. Several are tried in every test, so that
/// two would be exceeded by chance.
pub const NUISANCE_SIGMAS: f64 = 5.0;
/// Relative error below which no nuisance and no outlier is looked for: nobody would act on it.
pub const NUISANCE_SMALL: f64 = 2e-3;
/// Samples below which a nuisance explains anything by chance.
pub const NUISANCE_SAMPLES: usize = 30;
/// Standard deviations beyond which a residual is an outlier: one in two million by chance.
pub const OUTLIER_SIGMAS: f64 = 5.0;
/// Neighbours up to which outliers are single values; a longer run is an error of the model.
pub const OUTLIER_RUN: usize = 3;
/// Outliers of a test below which they are not worth a word.
pub const OUTLIER_COUNT: usize = 3;
/// Correlation of neighbours beyond which residuals are a smooth error of the model, not outliers.
pub const OUTLIER_SMOOTH: f64 = 0.5;

// Loop laws.

/// As [`BEYOND_NOISE`], where residuals do not visibly repeat each other: a test may have too few samples
/// to show it, and only a much larger ratio is then a sign against the law.
pub const FAR_BEYOND_NOISE: f64 = 3.0;
/// Difference of the Bayesian information criterion that decides between two laws: "very strong" evidence
/// by the usual reading (odds of 150 to 1).
pub const LAW_DECIDES: f64 = 10.0;
/// Samples beyond the number of unknowns below which a curve passes through them whatever the law.
pub const LAW_SAMPLES: usize = 20;

// Terms.

/// As [`NUISANCE_CLEAR`]; terms that are missing look like offsets and delays more easily than a
/// parameter that is off does, so that the error must fall by almost a third.
pub const TERMS_NUISANCE_CLEAR: f64 = 0.5;

// Stages.

/// Deviation of straight stages from the slow record, of the largest torque, beyond which they do not
/// describe it: the curve is then no line between nodes.
pub const POOR_STAGES: f64 = 0.1;
/// As [`BEYOND_NOISE`] for the refinement, whose noise comes from differences of thousands of samples and
/// is known much better; the uncertainty that is left is added (`2 sqrt(5.26/n)`).
pub const BEYOND_NOISE_FAST_STAGES: f64 = 1.1;
