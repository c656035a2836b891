//! The masing command.
fn main() {}
