//! Independent pieces of work on several threads, results in order.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;

/// Threads that share independent work. Results do not depend on their number.
#[derive(Clone, Debug, Default)]
pub struct Workers(Option<Arc<ThreadPool>>);

impl Workers {
    /// That many threads; if none can be started, the caller does the work.
    pub fn new(count: usize) -> Self {
        let pool = (count > 1).then(|| ThreadPoolBuilder::new().num_threads(count).build());
        Self(pool.and_then(Result::ok).map(Arc::new))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.as_ref().map_or(1, |pool| pool.current_num_threads())
    }

    /// `f` of every index below `count`, in order.
    pub fn map<T: Send>(&self, count: usize, f: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
        match &self.0 {
            // One by one: the pieces are few and of different length.
            Some(pool) if count > 1 => pool.install(|| {
                let each = (0..count).into_par_iter().with_max_len(1);
                each.map(f).collect()
            }),
            _ => (0..count).map(f).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Workers;

    #[test]
    fn results_stand_in_order() {
        let square = |i: usize| i * i;
        let (one, four) = (Workers::new(1), Workers::new(4));
        assert_eq!([one.count(), four.count()], [1, 4]);
        assert_eq!(one.map(100, square), four.map(100, square));
        assert!(four.map(0, square).is_empty());
    }
}
