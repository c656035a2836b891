//! What a force law is to everything else: one pure step, with its derivatives.
//!
//! The caller owns the state. A step takes parameters, the motion at both ends of an interval and
//! the state, and returns the new state and the force. Nothing is remembered between calls, so the
//! same input gives the same bits after a roll-back, a checkpoint or a restart.

use crate::error::StepError;
use crate::law::Law;
use crate::scalar::Lanes;
use crate::spec::Spec;

/// The motion over one interval: displacement and velocity at its start and at its end.
///
/// Displacement runs straight from `x[0]` to `x[1]`. The velocities are those of the record at the
/// two ends; laws with a memory of time use the slope of the straight line instead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Duration (s). Rate-independent laws ignore it.
    pub dt: f64,
    /// Displacement (m or rad) at start and end.
    pub x: [f64; 2],
    /// Velocity at start and end.
    pub v: [f64; 2],
    /// The displacement increment of the series that the law stands in; `None` where it stands by
    /// itself, and the increment is its own.
    pub branch: Option<f64>,
}

impl Step {
    /// A step of no length: where a law stands.
    pub fn still(x: f64, v: f64) -> Step {
        Step {
            dt: 0.0,
            x: [x; 2],
            v: [v; 2],
            branch: None,
        }
    }

    /// The displacement increment.
    pub fn dx(&self) -> f64 {
        self.x[1] - self.x[0]
    }

    /// The part of the step between the fractions `a` and `b` of its duration.
    pub fn part(&self, a: f64, b: f64) -> Step {
        let at = |q: [f64; 2], s: f64| {
            if s >= 1.0 {
                q[1]
            } else {
                q[0] + s * (q[1] - q[0])
            }
        };
        Step {
            dt: self.dt * (b - a),
            x: [at(self.x, a), at(self.x, b)],
            v: [at(self.v, a), at(self.v, b)],
            branch: self.branch.map(|dx| dx * (b - a)),
        }
    }
}

/// What the force of a law depends on besides the present motion, the least demanding first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Memory {
    /// Nothing: the present displacement and velocity give the force.
    None,
    /// The path of the displacement, not its speed: splitting a monotone step changes nothing.
    Path,
    /// The displacement as a function of time.
    Time,
}

/// Where a step leaves what its derivatives need, and room for its intermediate values.
#[derive(Debug, Default)]
pub struct Tape {
    data: Vec<f64>,
    recording: bool,
    scratch: Vec<f64>,
}

impl Tape {
    /// A tape that keeps nothing: for steps whose derivatives nobody asks for.
    pub fn off() -> Self {
        Self::default()
    }

    /// A tape that keeps what the steps push.
    pub fn on() -> Self {
        Self {
            recording: true,
            ..Self::default()
        }
    }

    /// Whether pushed values are kept.
    pub fn recording(&self) -> bool {
        self.recording
    }

    /// Makes room for `more` values, if recording.
    pub fn reserve(&mut self, more: usize) {
        if self.recording {
            self.data.reserve(more);
        }
    }

    /// Keeps `values`, if recording.
    pub fn push(&mut self, values: &[f64]) {
        if self.recording {
            self.data.extend_from_slice(values);
        }
    }

    /// How many values are kept.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// The values kept from position `start` on.
    pub fn from(&self, start: usize) -> &[f64] {
        &self.data[start..]
    }

    /// The values kept between two positions.
    pub fn between(&self, start: usize, end: usize) -> &[f64] {
        &self.data[start..end]
    }

    /// Forgets everything after position `len`.
    pub fn truncate(&mut self, len: usize) {
        self.data.truncate(len);
    }

    /// Takes the scratch room out, at least `len` long with arbitrary content; give it back with
    /// [`Tape::return_scratch`].
    pub fn take_scratch(&mut self, len: usize) -> Vec<f64> {
        let mut room = std::mem::take(&mut self.scratch);
        if room.len() < len {
            room.resize(len, 0.0);
        }
        room
    }

    /// Gives scratch room back for the next step.
    pub fn return_scratch(&mut self, room: Vec<f64>) {
        self.scratch = room;
    }
}

/// Derivatives along several columns (directions), pushed through one step.
#[derive(Debug)]
pub struct Tangent<'a> {
    /// For every column the parameter it perturbs with weight one, if any.
    pub param: &'a [Option<usize>],
    /// d(x0, x1, v0, v1)/d column, each as long as `param`; `None` where the motion is fixed.
    pub motion: Option<[&'a [f64]; 4]>,
    /// d(increment of the branch)/d column, where the step names one.
    pub branch: Option<&'a [f64]>,
    /// States by columns, `z[i * columns + c]`: before the step on entry, after it on return.
    pub z: &'a mut [f64],
    /// d force/d column on return.
    pub force: &'a mut [f64],
    /// Room for intermediate values, of any length.
    pub scratch: &'a mut Vec<f64>,
}

impl Tangent<'_> {
    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.param.len()
    }
}

/// Sensitivities of a scalar to the results of one step, pulled back to its inputs.
#[derive(Debug)]
pub struct Cotangent<'a> {
    /// Sensitivity to the force.
    pub force: f64,
    /// Sensitivities to the state: after the step on entry, before it on return.
    pub z: &'a mut [f64],
    /// Sensitivities to the parameters; the step adds its share.
    pub p: &'a mut [f64],
    /// Sensitivities to (x0, x1, v0, v1); the step adds its share.
    pub motion: [f64; 4],
    /// Sensitivity to the increment of the branch, where the step names one; the step adds its share.
    pub branch: f64,
    /// Room for intermediate values, of any length.
    pub scratch: &'a mut Vec<f64>,
}

/// How a law takes part in a system with mass, whose motion is not known beforehand.
#[derive(Clone, Copy)]
pub enum Coupling<'a> {
    /// By its step: the force at any instant of a monotone interval is what the step from the start
    /// of the interval gives. Exact for laws without memory and for memory of the path.
    Map,
    /// By its rates, integrated together with the motion.
    Flow(&'a dyn Flow),
    /// By whole steps only, in an implicit scheme: stiff laws.
    Implicit,
}

/// The rates of a law whose states follow z' = rate(x, v, z).
pub trait Flow: Send + Sync {
    /// Writes the rates into `dz` and returns the force.
    fn eval(&self, p: &[f64], x: f64, v: f64, z: &[f64], dz: &mut [f64]) -> f64;
    /// The same with derivatives.
    fn eval_lanes(&self, p: &[Lanes], x: Lanes, v: Lanes, z: &[Lanes], dz: &mut [Lanes]) -> Lanes;
}

/// [`Element::response`] by a step and its derivative.
pub(crate) fn response_by_tangent<E: Element + ?Sized>(
    element: &E,
    p: &[f64],
    s: &Step,
    along: [f64; 2],
    z: &mut [f64],
) -> Result<[f64; 2], StepError> {
    let mut tape = Tape::on();
    let force = element.advance(p, s, z, &mut tape)?;
    let mut slope = [0.0];
    element.push_forward(
        p,
        s,
        tape.from(0),
        &mut Tangent {
            param: &[None],
            motion: Some([&[0.0], &along[..1], &[0.0], &along[1..]]),
            branch: s.branch.map(|_| &[0.0][..]),
            z: &mut vec![0.0; z.len()],
            force: &mut slope,
            scratch: &mut Vec::new(),
        },
    );
    Ok([force, slope[0]])
}

/// A force law.
pub trait Element: Send + Sync {
    /// What the law says of itself.
    fn law(&self) -> &dyn Law;

    /// Parameters, states and kind of memory.
    fn spec(&self) -> &Spec {
        self.law().spec()
    }

    /// Writes the state at rest at displacement `x`: memory unstrained.
    fn rest(&self, p: &[f64], x: f64, z: &mut [f64]) {
        let _ = (p, x);
        z.fill(0.0);
    }

    /// Writes the derivative of the state at rest with respect to `x`.
    fn rest_slope(&self, p: &[f64], x: f64, slope: &mut [f64]) {
        let _ = (p, x);
        slope.fill(0.0);
    }

    /// Writes the derivative of the state at rest with respect to parameter `k`. Unstrained memory is
    /// the same for all parameters of a law; where springs in series stand at rest is not.
    fn rest_by(&self, p: &[f64], x: f64, k: usize, slope: &mut [f64]) {
        let _ = (p, x, k);
        slope.fill(0.0);
    }

    /// Whether the force at rest comes from the displacement: springs. Laws with a memory and dashpots
    /// bear no force at rest, wherever that is.
    fn elastic(&self) -> bool {
        self.spec().memory == Memory::None && !self.law().rate_dependent()
    }

    /// Whether the force jumps where the motion turns: a slider without compliance.
    fn grips(&self) -> bool {
        false
    }

    /// Whether the force resists a sudden displacement without bound: dashpots.
    fn damped(&self) -> bool {
        self.spec().memory == Memory::None && self.law().rate_dependent()
    }

    /// A step that returns the force at its end and its slope along the end of the motion, where
    /// displacement and velocity there change by `along`; the increment of the branch stays.
    fn response(
        &self,
        p: &[f64],
        s: &Step,
        along: [f64; 2],
        z: &mut [f64],
    ) -> Result<[f64; 2], StepError> {
        response_by_tangent(self, p, s, along, z)
    }

    /// Whether the step is exact for straight motion, so that cutting it changes nothing.
    fn exact(&self) -> bool {
        true
    }

    /// Whether errors of steps sit in short layers, after jumps of the speed and where contacts close, so
    /// that steps are best cut where a record asks for it.
    fn layered(&self) -> bool {
        false
    }

    /// First guess of the longest accurate sub-step in displacement, at the given speed; infinite if
    /// the step is exact for straight motion.
    fn increment(&self, p: &[f64], speed: f64) -> f64 {
        let _ = (p, speed);
        f64::INFINITY
    }

    /// One step: updates the state, returns the force at its end.
    fn advance(
        &self,
        p: &[f64],
        s: &Step,
        z: &mut [f64],
        tape: &mut Tape,
    ) -> Result<f64, StepError>;

    /// Derivatives of the step along columns; `tape` is what `advance` pushed.
    fn push_forward(&self, p: &[f64], s: &Step, tape: &[f64], d: &mut Tangent<'_>);

    /// Sensitivities pulled back through the step; `tape` is what `advance` pushed.
    fn pull_back(&self, p: &[f64], s: &Step, tape: &[f64], bar: &mut Cotangent<'_>);

    /// How the law takes part in a system with mass.
    fn coupling(&self) -> Coupling<'_> {
        Coupling::Map
    }

    /// The rates of the law, for an external solver; none where it has only steps.
    fn flow(&self) -> Option<&dyn Flow> {
        match self.coupling() {
            Coupling::Flow(flow) => Some(flow),
            Coupling::Map | Coupling::Implicit => None,
        }
    }

    /// Whether states run straight over the displacement between two kinks, and a step of no length
    /// puts them back onto their limits: then rates follow from steps.
    fn straight(&self) -> bool {
        false
    }

    /// Pushes values that go from negative to positive where the law has a kink (slip limit, stage
    /// node, reversal) inside the step from `z0` to `z1`. Called with a step of no length for the
    /// values at the start.
    fn guards(&self, p: &[f64], s: &Step, z0: &[f64], z1: &[f64], out: &mut Vec<f64>) {
        let _ = (p, s, z0, z1, out);
    }
}
