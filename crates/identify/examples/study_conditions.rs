//! `cargo xtask study conditions`: four laws over five levels, 100 draws each with 1 % noise: how often the 95 % interval
//! of a coefficient holds the true one.

#[path = "../tests/condition_laws/mod.rs"]
mod condition_laws;

use condition_laws::laws;
use masing_identify::{FitOptions, FormChoice, fit};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut all, mut held) = (0, 0);
    for law in laws() {
        let begun = Instant::now();
        let (mut inside, mut count) = (0, 0);
        let [plain, _] = law.models();
        for seed in 1..=100 {
            let options = FitOptions {
                follow: law.follow(FormChoice::Given(vec![law.form.clone()])),
                workers: 2,
                ..FitOptions::default()
            };
            let found = fit(&plain, law.tests(0.01, seed), vec![], &options, None)?;
            let (own, of) = law.covered(&found);
            (inside, count) = (inside + own, count + of);
        }
        let share = 100.0 * f64::from(u32::try_from(inside)?) / f64::from(u32::try_from(count)?);
        let seconds = begun.elapsed().as_secs_f64();
        println!(
            "{} over {} ({}): {inside} of {count} inside, {share:.1} %, {seconds:.0} s",
            law.address,
            law.condition,
            law.form.name()
        );
        (held, all) = (held + inside, all + count);
    }
    let share = 100.0 * f64::from(u32::try_from(held)?) / f64::from(u32::try_from(all)?);
    println!("together: {held} of {all}, {share:.1} %");
    Ok(())
}
