//! Lists of names and numbers of things in a sentence.

use std::fmt::Display;

/// `a`, `b` and `c`.
pub(crate) fn listed(names: &[impl Display]) -> String {
    joined(&names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>())
}

/// a, b and c.
pub(crate) fn joined(names: &[impl Display]) -> String {
    match names {
        [] => String::new(),
        [one] => one.to_string(),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(ToString::to_string).collect();
            format!("{} and {last}", first.join(", "))
        }
    }
}

/// `1 cycle`, `2 cycles`.
pub(crate) fn counted(count: usize, thing: &str) -> String {
    if count == 1 {
        format!("1 {thing}")
    } else {
        format!("{count} {thing}s")
    }
}

/// `is` or `are`.
pub(crate) fn is(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_names() {
        assert_eq!(listed(&["a"]), "`a`");
        assert_eq!(listed(&["a", "b", "c"]), "`a`, `b` and `c`");
        assert_eq!(joined(&Vec::<String>::new()), "");
        assert_eq!(counted(1, "value"), "1 value");
        assert_eq!(counted(2, "value"), "2 values");
    }
}
