//! Everything that an instance remembers, kept for a step back or written as bytes.

use super::exchange::Exchange;
use super::fault::Fault;
use super::instance::{Inputs, Instance, Outcome, Phase};
use masing_model::Step;
use masing_sim::{Modes, Moment};
use std::collections::BTreeMap;

/// What was kept of an instance.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Snapshot {
    pub phase: Phase,
    pub time: f64,
    pub stale: bool,
    pub inputs: Inputs,
    pub moment: Moment,
    pub exchange: Option<Exchange>,
}

/// Kept snapshots by number; numbers, not pointers, so that a wrong one is told and not followed.
#[derive(Debug, Default)]
pub(super) struct Snapshots {
    kept: BTreeMap<usize, Snapshot>,
    last: usize,
}

impl Snapshots {
    /// Keeps a snapshot in the place of another, or in a new one.
    pub fn put(&mut self, handle: usize, snapshot: Snapshot) -> usize {
        let handle = if self.kept.contains_key(&handle) {
            handle
        } else {
            self.last += 1;
            self.last
        };
        self.kept.insert(handle, snapshot);
        handle
    }

    pub fn get(&self, handle: usize) -> Outcome<&Snapshot> {
        self.kept
            .get(&handle)
            .ok_or_else(|| Fault::error("there is no such state; it was freed, or never kept"))
    }

    pub fn drop(&mut self, handle: usize) {
        self.kept.remove(&handle);
    }
}

impl Instance {
    /// Keeps everything that a later call may depend on; the number tells it apart.
    pub fn keep(&mut self, handle: usize) -> usize {
        let snapshot = Snapshot::of(self);
        self.snapshots.put(handle, snapshot)
    }

    /// Goes back to what was kept.
    pub fn restore(&mut self, handle: usize) -> Outcome {
        let snapshot = self.snapshots.get(handle)?.clone();
        self.take_over(&snapshot.inputs)?;
        self.stepper.set(snapshot.moment)?;
        self.exchange = snapshot.exchange;
        self.inputs = snapshot.inputs;
        self.time = snapshot.time;
        self.phase = snapshot.phase;
        (self.pending, self.stale) = (false, snapshot.stale);
        Ok(())
    }

    /// Forgets what was kept.
    pub fn forget(&mut self, handle: usize) {
        self.snapshots.drop(handle);
    }

    /// What was kept, as bytes.
    pub fn serialised(&self, handle: usize) -> Outcome<Vec<u8>> {
        Ok(self.snapshots.get(handle)?.to_bytes())
    }

    /// Keeps what comes as bytes.
    pub fn deserialise(&mut self, bytes: &[u8]) -> Outcome<usize> {
        let snapshot = Snapshot::from_bytes(self, bytes)?;
        Ok(self.snapshots.put(0, snapshot))
    }
}

/// Copies a serialised state to where there is room for it.
pub(crate) fn write_bytes(serialised: &[u8], room: &mut [u8]) -> Result<(), Fault> {
    let len = serialised.len();
    match room.get_mut(..len) {
        Some(room) => {
            room.copy_from_slice(serialised);
            Ok(())
        }
        None => Err(Fault::error(format!("the state takes {len} bytes"))),
    }
}

const PHASES: [Phase; 4] = [
    Phase::Instantiated,
    Phase::Initialization,
    Phase::Running,
    Phase::Terminated,
];

/// How serialised states begin.
const MAGIC: &[u8; 8] = b"masing/1";

impl Snapshot {
    pub fn of(instance: &Instance) -> Self {
        Self {
            phase: instance.phase,
            time: instance.time,
            stale: instance.stale,
            inputs: instance.inputs.clone(),
            moment: instance.stepper.now().clone(),
            exchange: instance.exchange.clone(),
        }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let flag = |yes: bool| f64::from(u8::from(yes));
        let phase = f64::from(self.phase as u8);
        let Inputs { x, v, .. } = self.inputs;
        let use_velocity = flag(self.inputs.use_velocity);
        let mut numbers = vec![phase, self.time, flag(self.stale), x, v, use_velocity];
        numbers.extend(&self.inputs.values);
        numbers.extend(&self.inputs.levels);
        numbers.extend(self.moment.numbers());
        numbers.push(flag(self.moment.last.is_some()));
        if let Some((s, z)) = &self.moment.last {
            numbers.extend([s.dt, s.x[0], s.x[1], s.v[0], s.v[1]]);
            numbers.extend(z);
        }
        if let Some(exchange) = &self.exchange {
            numbers.extend(&exchange.z);
            numbers.push(exchange.work);
            numbers.extend(exchange.modes.slopes.iter().flatten());
            numbers.extend(exchange.modes.above.iter().map(|above| flag(*above)));
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
        bytes
    }

    /// The snapshot of an instance of the same model.
    pub fn from_bytes(instance: &Instance, bytes: &[u8]) -> Outcome<Self> {
        Self::parsed(instance, bytes)
            .ok_or_else(|| Fault::error("the bytes are not a state of this model"))
    }

    fn parsed(instance: &Instance, bytes: &[u8]) -> Option<Self> {
        let (chunks, []) = bytes.strip_prefix(MAGIC)?.as_chunks::<8>() else {
            return None;
        };
        let mut numbers = chunks.iter().map(|chunk| f64::from_le_bytes(*chunk));
        if !numbers.clone().all(f64::is_finite) {
            return None;
        }
        let mut next = |count: usize| {
            let taken: Vec<f64> = numbers.by_ref().take(count).collect();
            (taken.len() == count).then_some(taken)
        };
        let states = instance.stepper.now().z.len();
        let head = next(6)?;
        let phase = PHASES
            .into_iter()
            .find(|p| f64::from(*p as u8) == head[0])?;
        let values = next(instance.inputs.values.len())?;
        let levels = next(instance.inputs.levels.len())?;
        let mut moment = Moment::from_numbers(&next(Moment::size(states))?)?;
        if next(1)?[0] == 1.0 {
            let s = next(5)?;
            let step = Step {
                branch: None,
                dt: s[0],
                x: [s[1], s[2]],
                v: [s[3], s[4]],
            };
            moment.last = Some((step, next(states)?));
        }
        let exchange = match &instance.exchange {
            None => None,
            Some(_) => {
                let z = next(states)?;
                let work = next(1)?[0];
                let slopes = next(2 * states)?;
                let (pairs, _) = slopes.as_chunks::<2>();
                Some(Exchange {
                    z,
                    work,
                    modes: Modes {
                        slopes: pairs.to_vec(),
                        above: next(instance.counts()[1])?
                            .iter()
                            .map(|f| *f == 1.0)
                            .collect(),
                    },
                })
            }
        };
        if numbers.next().is_some() {
            return None;
        }
        Some(Self {
            phase,
            time: head[1],
            stale: head[2] == 1.0,
            inputs: Inputs {
                x: head[3],
                v: head[4],
                use_velocity: head[5] == 1.0,
                values,
                levels,
            },
            moment,
            exchange,
        })
    }
}
