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
/// Share of the smallest amplitude, or of the slowest speed, of the fitted tests below which a held-out test
/// hardly enters what was fitted: programs step by factors of two to three, and the small and slow part of
/// a larger motion weighs little in its error.
pub const HARDLY_MOVES: f64 = 1.0 / 3.0;
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
/// Samples in a cycle below which velocities spoil powers of velocity; differentiation costs them more
/// than it costs a fit of a law ([`FEW_SAMPLES`]).
pub const TERMS_FEW_SAMPLES: f64 = 40.0;
/// Ratio of errors on tests left out up to which two models predict equally well: in nested trials on records of real
/// parts the pick was off the best possible by that much.
pub const TIED: f64 = 1.3;
/// Standard errors of the paired difference up to which they do, too: 95 % of what chance makes.
pub const TIED_ERRORS: f64 = 2.0;
/// Difference of BIC below which two choices are as good as each other: "not worth a mention" by the usual
/// reading.
pub const CLOSE_CHOICE: f64 = 2.0;
/// Condition number beyond which noise of 1e-3 and rounding of the data decide about coefficients.
pub const ILL_CONDITIONED: f64 = 1e6;
/// Amplitudes beyond which a preload is taken for a slip of the unit; mm for m would be a thousand.
pub const FAR_PRELOAD: f64 = 50.0;
/// Amplitudes beyond which a preload leaves most of the characteristic untested.
pub const NARROW_RANGE: f64 = 10.0;
/// Factor by which a held-out test may exceed the others: fifth powers grow by 1.6 within it.
pub const EXTRAPOLATED: f64 = 1.1;
/// Standard deviations of the noise from which a force that sliders may keep is visible.
pub const LOCKED_IN_SIGMAS: f64 = 3.0;
/// Residuals below this share of the noise that is believed are rounding, and their correlation says nothing.
pub const ROUNDING: f64 = 0.2;

// Stages.

/// Difference of the Bayesian information criterion by which corners and a smooth curve are told apart: ten is "very strong"
/// evidence (Kass and Raftery 1995, J. Am. Stat. Assoc. 90, 773).
pub const STRONG_EVIDENCE: f64 = 10.0;
/// Largest elastic torque over largest friction of a device with stages, at least: with less it would stay wherever it is
/// left, and its springs would be of no use.
pub const LEAST_ELASTIC: f64 = 1.0;
/// Share of the largest friction that at least one end of the record shows. Between parts that are pressed together friction
/// is there as soon as the motion has turned round, and grows outwards with the load; where half of it is missing at both
/// ends it needs the way to build up.
pub const BUILT_UP: f64 = 0.5;
/// Distance of passes in the same direction, of the friction, beyond which the torque depends on where the motion turned
/// before: dry friction repeats itself within some per cent.
pub const SAME_FRICTION: f64 = 0.2;

/// Deviation of straight stages from the slow record, of the largest torque, beyond which they do not
/// describe it: the curve is then no line between nodes.
pub const POOR_STAGES: f64 = 0.1;
/// As [`BEYOND_NOISE`] for the refinement, whose noise comes from differences of thousands of samples and
/// is known much better; the uncertainty that is left is added (`2 sqrt(5.26/n)`).
pub const BEYOND_NOISE_FAST_STAGES: f64 = 1.1;

// Records.

/// Share of the amplitude by which the middle of a motion may be off zero, or move within a block: rigs
/// are centred to about a per cent, and a model feels a twentieth.
pub const OFFSET: f64 = 0.05;
/// As [`OFFSET`] for a random motion, whose mean over one record is itself random.
pub const RANDOM_OFFSET: f64 = 0.5;
/// Distance of the mean from the middle between the extremes, of the range, up to which the mean is the
/// middle of a motion; rests and part cycles pull it further.
pub const MEAN_OFF: f64 = 0.02;
/// Samples in a cycle below which peaks and speeds from differences are off by percents: at 30 samples a
/// sine loses 0.5 % of its peak and 0.7 % of its speed.
pub const FEW_SAMPLES: usize = 30;
/// Samples in a cycle below which every corner looks like a spike, so that none is looked for at turns.
pub const SPIKES_SAMPLES: usize = 60;
/// Step of a channel, of its range, beyond which its resolution is visible in a fit: noise of a third of
/// a per cent.
pub const COARSE_STEP: f64 = 0.01;
/// As [`COARSE_STEP`] for a motion whose step is longer than the usual way between two samples, so that
/// differences are rounding; below a thousandth the speeds that a fit takes from longer stretches are sound.
pub const COARSE_MOTION_STEP: f64 = 1e-3;
/// Samples in a row of exactly the same value from which a channel may be stuck: digits of a slow channel
/// repeat some values, not ten.
pub const STUCK_SAMPLES: usize = 10;
/// Share of its range that the other channel must move meanwhile; steps of a coarse channel hide less.
pub const STUCK_MOVED: f64 = 0.1;
/// Share of its range by which the force in the middle of a stretch in which the motion is clipped must
/// exceed the mean of its two ends; at a place that is held it relaxes and falls below.
pub const CLIPPED_MOTION_FORCE: f64 = 0.02;
/// Negative work over closed paths, of displacement range times force range, beyond which a loop runs the
/// wrong way; less than that is noise and offset.
pub const WRONG_WAY: f64 = 2e-3;
/// Samples in a row at the same extreme force from which it is clipped rather than rounded.
pub const CLIPPED_SAMPLES: usize = 4;
/// Share of the stroke that the part must move meanwhile.
pub const CLIPPED_MOVED: f64 = 0.01;
/// Gain of force over the last twentieth of the stroke, of its range, that only a stop explains: a straight
/// line gains a twentieth.
pub const END_STOP: f64 = 0.25;
/// Ratio of two swings in the same direction from which they are alike: cycles of one amplitude repeat to a
/// few per cent, and of the independent ones of a random motion a fifth are as near to each other.
pub const ALIKE_SWINGS: f64 = 0.8;
/// Ratio to the one before from which a swing counts as no shorter, among swings that grow steadily.
pub const STEADY_SWINGS: f64 = 0.95;
/// Share of the groups of four swings that must be regular in a record of cycles: about one in five is by
/// chance in a random motion, nearly all are in a program of cycles.
pub const CYCLIC_SHARE: f64 = 0.5;
/// Share of the range within which a motion is held: rigs hold a place to about that.
pub const HELD_WITHIN: f64 = 0.01;
/// Share of a record from which a stretch is a hold: one way through the range takes a hundredth of the
/// time for [`HELD_WITHIN`].
pub const HOLD_LENGTH: f64 = 0.04;
/// Share of a record that is held away from where it began, from which it is one of holds; a sine is that
/// near to its peaks over an eighth of the time.
pub const HELD_SHARE: f64 = 0.3;
/// Share of a record that holds the middle nine tenths of its squared speeds, below which it is strong
/// for a part of the time only: nine tenths in a stationary motion, about a half in earthquakes.
pub const STRONG_PHASE: f64 = 0.7;
/// Change of the energy of the last cycles of a block beyond which it is not stabilised.
pub const NOT_STABILISED: f64 = 0.02;
/// Samples by which the force is late from which it is told; one sample is the resolution of the estimate.
pub const SKEW_SAMPLES: f64 = 1.5;
/// Spread of the delay over turns, of the delay, up to which it is one and the same.
pub const SKEW_SPREAD: f64 = 0.5;
/// Correlation of neighbouring differences between cycles beyond which they are no noise of a sensor.
pub const SMOOTHED: f64 = 0.9;
/// Difference between cycles, of the force range, below which nothing is said about it: digits.
pub const SMOOTHED_LEAST: f64 = 1e-5;
/// Rms error that the steps of a displacement leave in speeds, of the rms speed, from which they are smoothed: below it the
/// mean square of the speed is off by less than a thousandth.
pub const QUANTISED_SPEED: f64 = 0.03;
/// Depth of the nulls in the spectrum of a moving average, as the logarithm of a power, from which there is one: records of
/// sensors reach 2.7 by chance of their lines, those that were averaged 4 to 9.
pub const AVERAGED_DEPTH: f64 = 3.5;
/// Expected error of a channel whose average was undone, of its rms, up to which it is as good as measured.
pub const UNDONE_GOOD: f64 = 1e-3;
/// Expected error beyond which an average is not undone: what is left is then noise rather than the channel, and a twentieth
/// is as much as specimens of one part differ by.
pub const UNDONE_MOST: f64 = 0.05;
/// Correlation of a measured acceleration with the second difference of the displacement, which is noisy,
/// from which the two belong together.
pub const ACCELERATION_AGREES: f64 = 0.3;
/// Share of the largest force below which a force is none.
pub const NO_FORCE: f64 = 0.02;
/// Share of a preload below which the force of the part does not carry it.
pub const NO_PRELOAD: f64 = 0.1;
/// Share of the amplitude within which a record begins in the middle.
pub const BEGINS_IN_MIDDLE: f64 = 0.05;
/// Share of the range of the slow record that may lack a path in one direction: samples at the ends.
pub const NOT_CLOSED: f64 = 0.02;
/// Standard errors below zero from which the stiffness of a stage is called falling.
pub const FALLING_SIGMAS: f64 = 2.0;
/// Standard errors below zero up to which friction is below zero by noise alone.
pub const NO_FRICTION_SIGMAS: f64 = 3.0;
/// Growth of errors by the energy balance beyond which its friction is not accepted: about half of the
/// stage has to be covered.
pub const MOST_GAIN: f64 = 5.0;
/// Ratio of the errors of two formulations below which they cannot be told apart.
pub const RANKING_APART: f64 = 1.2;
/// Share of the slow friction's energy below which a fast record is said to dissipate less; energies are
/// known to a few per cent.
pub const LESS_FRICTION: f64 = 0.9;
/// Samples that a swing of the stiffest stage needs: its acceleration is then known to about 1 %.
pub const SAMPLES_PER_SWING: f64 = 20.0;
/// Samples that a passage of the soft zone needs to be seen at all.
pub const SAMPLES_PER_PASSAGE: f64 = 2.0;
/// Change of the load between two samples, of its range, beyond which what it did between matters.
pub const SUDDEN_LOAD: f64 = 0.3;
/// Range of a displacement (m) beyond which it is more likely in millimetres: rigs for parts move by less, those for
/// seismic dampers by no more.
pub const LONG_STROKE: f64 = 1.2;
/// Secant stiffness (N/m) beyond which no mount, joint or damper is: 300 kN/mm is that of a solid steel block.
pub const STIFF_PART: f64 = 3e8;
/// Ratio of errors at levels left out up to which forms over a condition are tied: single-level values scatter by about as
/// much between records.
pub const FORMS_TIED: f64 = 1.1;
/// Frequency (Hz) below which a cycle would last a quarter of an hour: time is more likely in other units.
pub const SLOW_CYCLE: f64 = 1.1e-3;

// Comparing models.

/// As [`TIED`], where the differences from test to test scatter so much that two of their standard errors hide
/// it: with three tests they would hide nearly anything.
pub const TIED_AT_MOST: f64 = 1.5;
/// Fewest parts left out whose differences have a useful scatter: with three, two standard errors hide half as
/// much error again.
pub const PAIRS: usize = 5;
/// Ratio of errors on every part left out beyond which two models are not tied: three parts or more that all say the same
/// are no chance. The value was chosen on one part and is to be tried on others.
pub const WORSE_EVERYWHERE: f64 = 1.1;
/// Parts left out that it takes for that.
pub const EVERYWHERE: usize = 3;
/// Amplitude of a test over that of all others beyond which they do not predict it: laws that are within 5 % of a
/// rubber bearing up to 76 mm miss 230 mm by 10 to 30 %, and not the better ones by less.
pub const FAR_BEYOND: f64 = 2.0;
/// Left-out error over the noise up to which a model leaves nothing but noise, which is known to about a tenth.
pub const LEAVES_NOISE: f64 = 1.2;
/// Left-out error over that of a model that leaves nothing but noise up to which another is tied with it: a
/// twentieth is a third of the noise more.
pub const TIED_AT_NOISE: f64 = 1.05;
/// Error on the fastest or largest record or samples, when left out, over the left-out error elsewhere, beyond
/// which a model explodes outside the tests. Sound models of real parts stay below 2, those that explode reach
/// 10 to 30.
pub const EXPLODES: f64 = 3.0;
/// Error below which no model explodes: it is a good prediction.
pub const EXPLODES_LEAST: f64 = 0.05;

// Signs of records.

/// Area of a loop over that of the rectangle around it from which it has a hysteresis: noise makes none, a
/// damping ratio of 1 % does.
pub const SIGN_AREA: f64 = 0.01;
/// Relative change of force or energy between speeds at one amplitude from which the speed matters: parts
/// repeat to 1 or 2 %.
pub const SIGN_RATE: f64 = 0.03;
/// By how much the power of the speed that the force grows with falls short of one where it saturates.
pub const SIGN_SATURATION: f64 = 0.3;
/// Share of the travel on which the force is below a twentieth of its largest: an ellipse has 0.05 of it, a
/// friction loop none.
pub const SIGN_GAP: f64 = 0.07;
/// Share by which later cycles are softer: parts repeat to 1 or 2 %.
pub const SIGN_SOFTENING: f64 = 0.03;
/// Difference of the forces of the two sides over their sum: offsets of a load cell make a few per cent.
pub const SIGN_ASYMMETRY: f64 = 0.05;
/// Share of the largest force that a cubic makes up.
pub const SIGN_STIFFENING: f64 = 0.05;
/// Logarithm of the ratio of amplitudes that are alike.
pub const SAME_AMPLITUDE: f64 = 0.2;
/// Logarithm of the ratio of speeds that differ.
pub const OTHER_SPEED: f64 = 0.3;
