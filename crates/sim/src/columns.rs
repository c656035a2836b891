//! What a tangent is taken with respect to.

use masing_model::Part;

/// One column of a Jacobian.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Column<'a> {
    /// A parameter of the model, by index.
    Param(usize),
    /// A state at the start of the record, by index.
    Start(usize),
    /// A change of the motion itself: displacement and velocity per sample (offset, delay, scale).
    Motion {
        /// d displacement / d unknown.
        x: &'a [f64],
        /// d velocity / d unknown.
        v: &'a [f64],
    },
}

/// The columns that concern one element, in its own numbering.
pub(crate) struct PartColumns<'a> {
    /// Which columns of the whole.
    pub(crate) global: Vec<usize>,
    /// The parameter that each perturbs.
    pub(crate) param: Vec<Option<usize>>,
    /// The start state that each perturbs.
    pub(crate) start: Vec<Option<usize>>,
    /// The change of motion that each makes.
    pub(crate) motion: Vec<Option<(&'a [f64], &'a [f64])>>,
}

impl<'a> PartColumns<'a> {
    pub(crate) fn new(part: &Part, columns: &[Column<'a>]) -> Self {
        let mut own = Self {
            global: vec![],
            param: vec![],
            start: vec![],
            motion: vec![],
        };
        for (global, column) in columns.iter().enumerate() {
            let (param, start, motion) = match *column {
                Column::Param(k) if part.params.contains(&k) => {
                    (Some(k - part.params.start), None, None)
                }
                Column::Start(k) if part.states.contains(&k) => {
                    (None, Some(k - part.states.start), None)
                }
                Column::Motion { x, v } => (None, None, Some((x, v))),
                _ => continue,
            };
            own.global.push(global);
            own.param.push(param);
            own.start.push(start);
            own.motion.push(motion);
        }
        own
    }

    /// The same columns along another motion, whose changes of displacement are given for all columns
    /// of the whole, and of velocity for all alike.
    pub(crate) fn moving_with<'b>(&self, x: &'b [Vec<f64>], v: &'b [f64]) -> PartColumns<'b> {
        let motion = self.motion.iter().zip(&self.global);
        PartColumns {
            global: self.global.clone(),
            param: self.param.clone(),
            start: self.start.clone(),
            motion: motion
                .map(|(change, &k)| change.map(|_| (x[k].as_slice(), v)))
                .collect(),
        }
    }

    pub(crate) fn moves(&self) -> bool {
        self.motion.iter().any(Option::is_some)
    }
}
