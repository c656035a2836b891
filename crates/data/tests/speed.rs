//! Time and memory of a large file. Limits are wide: the machine may be busy; the figures are printed.

use std::io::Write;

use masing_data::{ReadOptions, inspect, read};

/// Largest memory of this process so far, MB.
fn peak() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

#[test]
fn a_million_rows() {
    let path = std::env::temp_dir().join(format!("masing-data-speed-{}.csv", std::process::id()));
    for rows in [250_000, 1_000_000] {
        let mut file = std::io::BufWriter::new(std::fs::File::create(&path).unwrap());
        writeln!(file, "time [s],displacement [mm],force [N]").unwrap();
        let mut z = 0.0_f64;
        for i in 0..rows {
            let t = f64::from(i) * 1e-3;
            let x = (std::f64::consts::TAU * t).sin();
            z = (z + 0.01 * (std::f64::consts::TAU * t).cos()).clamp(-0.2, 0.2);
            writeln!(file, "{t:.4},{x:.6},{:.4}", 100.0 * x + 300.0 * z).unwrap();
        }
        drop(file);
        let begin = std::time::Instant::now();
        let test = read(&path, &ReadOptions::default()).unwrap();
        let reading = begin.elapsed().as_secs_f64();
        let found = inspect(&test).unwrap();
        let all = begin.elapsed().as_secs_f64();
        eprintln!(
            "{rows} rows: read {reading:.3} s, with inspect {all:.3} s, peak {:?} MB, {} cycles",
            peak(),
            found.cycles.len()
        );
        assert!(all < 10.0, "{all} s");
        assert!(peak().is_none_or(|mb| mb < 200.0), "{:?} MB", peak());
    }
    std::fs::remove_file(&path).unwrap();
}
