//! Room for values that live no longer than a step: on the stack where they are few, so that steps
//! allocate nothing.

/// Room for `N` values, or for more that are then allocated.
pub(crate) struct Room<T, const N: usize> {
    few: [T; N],
    many: Vec<T>,
}

impl<T: Copy, const N: usize> Room<T, N> {
    pub(crate) const fn new(value: T) -> Self {
        Self {
            few: [value; N],
            many: Vec::new(),
        }
    }

    /// So many values: as the room was made, or whatever was left in it.
    pub(crate) fn take(&mut self, len: usize) -> &mut [T] {
        if len <= N {
            return &mut self.few[..len];
        }
        self.many.resize(len, self.few[0]);
        &mut self.many[..len]
    }

    /// A copy of values.
    pub(crate) fn copy(&mut self, values: &[T]) -> &mut [T] {
        let own = self.take(values.len());
        own.copy_from_slice(values);
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_values_find_room() {
        let mut room = Room::<f64, 3>::new(0.5);
        assert_eq!(room.take(2), [0.5; 2]);
        assert_eq!(room.copy(&[1.0, 2.0, 3.0]), [1.0, 2.0, 3.0]);
        assert_eq!(room.take(7).len(), 7);
        assert_eq!(room.copy(&[4.0; 5]), [4.0; 5]);
    }
}
