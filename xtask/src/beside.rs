//! Steps side by side, each as a program of its own, so that what they print can be kept apart.

use crate::process::{cpu_seconds, program, root};
use crate::test::Step;
use std::fs::{self, File};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Instant;

/// Seconds by the clock and of processors.
pub type Taken = [f64; 2];

/// Where a step writes what it prints.
const FOLDER: &str = "target/steps";
/// Begins the last line of a step, which tells its processor time.
const CPU: &str = "CPU seconds: ";

/// Runs the steps, as many at a time as there are cores. What each prints is shown in the order of the list.
pub fn run(steps: &[Step]) -> Result<Vec<(&'static str, Taken)>, String> {
    fs::create_dir_all(root().join(FOLDER)).map_err(|error| format!("{FOLDER}: {error}"))?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (next, (tell, told)) = (AtomicUsize::new(0), mpsc::channel());
    let mut ended: Vec<Option<Ended>> = steps.iter().map(|_| None).collect();
    let (mut times, mut failed) = (Vec::new(), Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..cores {
            let (next, tell) = (&next, tell.clone());
            scope.spawn(move || {
                while let Some((name, _)) = steps.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // Nobody listens any more where the program ends.
                    let _ = tell.send((*name, Ended::of(name)));
                }
            });
        }
        drop(tell);
        for (name, end) in told {
            let at = steps.iter().position(|(own, _)| *own == name);
            ended[at.expect("one of the steps")] = Some(end);
            while let Some(Some(end)) = ended.get(times.len()) {
                let name = steps[times.len()].0;
                println!("==> {name}\n{}", end.printed.trim_end());
                if end.passed {
                    println!("    passed in {:.1} s", end.taken[0]);
                } else {
                    failed.push(name);
                }
                times.push((name, end.taken));
            }
        }
    });
    if failed.is_empty() {
        Ok(times)
    } else {
        Err(format!("failed: {}", failed.join(", ")))
    }
}

/// Runs the step of that name here and tells its processor time in the last line.
pub fn own(steps: &[Step], name: &str) -> Result<(), String> {
    let step = steps.iter().find(|(own, _)| *own == name);
    let (_, step) = step.ok_or_else(|| format!("unknown step `{name}`"))?;
    step()?;
    println!("{CPU}{}", cpu_seconds());
    Ok(())
}

/// How a step ended.
struct Ended {
    passed: bool,
    printed: String,
    taken: Taken,
}

impl Ended {
    /// Runs a step as a program.
    fn of(name: &str) -> Self {
        let begun = Instant::now();
        let outcome = printed(name);
        let seconds = begun.elapsed().as_secs_f64();
        match outcome {
            Ok((passed, text)) => {
                let (printed, cpu) = text.rsplit_once(CPU).unwrap_or((&text, ""));
                Self {
                    passed,
                    printed: printed.to_owned(),
                    taken: [seconds, cpu.trim().parse().unwrap_or(0.0)],
                }
            }
            Err(error) => Self {
                passed: false,
                printed: error.to_string(),
                taken: [seconds, 0.0],
            },
        }
    }
}

/// Whether a step passed, and everything that it printed.
fn printed(name: &str) -> std::io::Result<(bool, String)> {
    let path = root()
        .join(FOLDER)
        .join(format!("{}.log", name.replace(' ', "-")));
    let file = File::create(&path)?;
    // As the build of the whole workspace left it, which may have put it in the place of what runs here.
    let status = program(root().join("target/debug/xtask"))
        .args(["step", name])
        .stderr(file.try_clone()?)
        .stdout(file)
        .status()?;
    let text = fs::read(path)?;
    Ok((
        status.success(),
        String::from_utf8_lossy(&text).into_owned(),
    ))
}
