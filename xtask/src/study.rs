//! `cargo xtask study`: longer studies whose results the docs quote.

/// A study: name, what it shows, how to run it.
type Study = (&'static str, &'static str, fn() -> Result<(), String>);

/// Every study there is.
const STUDIES: &[Study] = &[];

/// Prints the studies.
pub fn list() {
    if STUDIES.is_empty() {
        println!("there are no studies yet");
    }
    for (name, about, _) in STUDIES {
        println!("{name:20} {about}");
    }
}

/// Runs the study of that name.
pub fn run(name: &str) -> Result<(), String> {
    match STUDIES.iter().find(|(known, ..)| *known == name) {
        Some((.., run)) => run(),
        None => Err(format!(
            "unknown study `{name}`; `cargo xtask study` lists those there are"
        )),
    }
}
