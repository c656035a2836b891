//! Real text files and bad ones, through the public interface.

use masing_diagnostic::Units;
use std::path::{Path, PathBuf};

use masing_data::{DataError, Gaps, ReadOptions, Role, Window, load, read, read_all};

/// The folder with records by others.
fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data")
}

fn file(name: &str, content: &[u8]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("masing-data-text-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path
}

#[test]
#[ignore = "needs ../shared/data"]
fn rig_text_has_five_segments() {
    let shared = shared();
    let path = shared.join("mr-damper/ME2mm5Hz.txt");
    let tables = load(&path).unwrap();
    assert_eq!(tables.len(), 5);
    let rows: Vec<usize> = tables.iter().map(masing_data::Table::rows).collect();
    assert_eq!(rows, [1860, 1200, 1120, 1260, 1980]);
    assert_eq!(tables[1].source.line(0), 1868);
    let mut options = ReadOptions::default();
    options
        .parse_columns("force=CHANNEL0,displacement=CHANNEL1")
        .unwrap();
    options
        .parse_units("force=980.665 N,displacement=10 mm")
        .unwrap();
    let all = read_all(&path, &options).unwrap();
    assert_eq!(all.len(), 5);
    let record = all[0].record().unwrap();
    assert!((record.force().unwrap()[0] - 0.0259 * 980.665).abs() < 1e-9);
    assert!((record.motion().unwrap()[0] + 2.9931e-2).abs() < 1e-12);
    let time = record.time.as_ref().unwrap();
    assert!(
        (time[1859] - time[0] - 1859.0 * 0.005).abs() < 2e-3,
        "{}",
        time[1859]
    );
    assert!(matches!(
        read(&path, &options),
        Err(DataError::SeveralParts { .. })
    ));
    let third = read(format!("{}#3", path.display()), &options).unwrap();
    assert_eq!(third.record().unwrap().len(), 1120);
    assert_eq!(third.name, "ME2mm5Hz#3");
}

#[test]
#[ignore = "needs ../shared/data"]
fn every_shared_text_file_loads() {
    let shared = shared();
    for folder in ["mr-damper", "steel-dampers", "reference-simulations"] {
        for entry in std::fs::read_dir(shared.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.file_name().is_some_and(|n| n == "LICENSE") {
                continue;
            }
            let tables = load(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            assert!(
                tables.iter().all(|t| t.channels.len() >= 2),
                "{}",
                path.display()
            );
        }
    }
    let damper = read(
        shared.join("mr-damper/2mm_5Hz_0A.csv"),
        &ReadOptions::default(),
    )
    .unwrap();
    let record = damper.record().unwrap();
    assert!((record.motion().unwrap()[0] + 29.931e-3).abs() < 1e-12);
    assert_eq!(record.signal(Role::Force).unwrap().unit, "N");
    let steel = read(
        shared.join("steel-dampers/damper1_Hys1.csv"),
        &ReadOptions::default(),
    )
    .unwrap();
    assert!(steel.record().unwrap().time.is_none());
    assert!(
        steel
            .diagnostics
            .iter()
            .any(|f| f.code().as_str() == "no-time")
    );
}

#[test]
fn bad_input_says_what_is_wrong() {
    let options = ReadOptions::default();
    let error = |name: &str, content: &[u8]| {
        read(file(name, content), &options)
            .map(|e| e.name)
            .unwrap_err()
    };
    assert!(matches!(error("empty.csv", b""), DataError::Empty { .. }));
    assert!(matches!(
        error("one.csv", b"q\n1\n2\n"),
        DataError::MissingRole { .. }
    ));
    assert!(matches!(
        error("word.csv", b"t,x,F\n0,1,2\n1,two,3\n2,3,4\n"),
        DataError::Cell {
            line: 3,
            column: 2,
            ..
        }
    ));
    assert!(matches!(
        error("nan.csv", b"t,x,F\n0,nan,2\n1,nan,3\n2,nan,4\n"),
        DataError::Channel { .. }
    ));
    assert!(matches!(
        error("back.csv", b"t,x,F\n0,1,2\n2,2,3\n1,3,4\n"),
        DataError::Time { line: 4, .. }
    ));
    assert!(matches!(
        error("twice.csv", b"t,x,F\n0,1,2\n1,2,3\n1,2,3\n2.5,3,4\n"),
        DataError::Time { line: 4, .. }
    ));
    assert!(matches!(
        error("unit.csv", b"t [s],x [furlong],F [N]\n0,1,2\n2,2,3\n"),
        DataError::UnknownUnit { .. }
    ));
    assert!(matches!(
        error("kind.csv", b"t [s],displacement [N]\n0,1\n2,2\n"),
        DataError::WrongUnit { .. }
    ));
    assert!(matches!(
        error("zeros.bin", &[0; 10_000]),
        DataError::UnknownFormat { .. }
    ));
    assert!(matches!(
        read(std::env::temp_dir(), &options),
        Err(DataError::Directory { .. })
    ));
    assert!(matches!(
        read("no/such/file.csv", &options),
        Err(DataError::Io { .. })
    ));
    let still = read(file("still.csv", b"t,x,F\n0,1,2\n1,1,3\n2,1,4\n"), &options).unwrap();
    assert!(matches!(
        still.record().unwrap().require_motion(),
        Err(DataError::Channel { .. })
    ));
    let short = read(file("short.csv", b"t,x,F\n0,1,2\n1,2,3\n"), &options).unwrap();
    assert!(matches!(
        short.record().unwrap().require_motion(),
        Err(DataError::TooFew { found: 2, .. })
    ));
    let gap = read(file("gap.csv", b"t,x,F\n0,1,2\n1,,3\n2,1,4\n"), &options).unwrap();
    assert!(matches!(
        gap.record().unwrap().require_complete(),
        Err(DataError::Missing { line: 3, .. })
    ));
    assert_eq!(gap.diagnostics[0].code().as_str(), "gap");
}

#[test]
fn infinite_values_are_not_called_missing() {
    let options = ReadOptions::default();
    let text = b"t,x,F\n0,1,2\n1,inf,3\n2,1,-inf\n3,2,5\n";
    let test = read(file("inf.csv", text), &options).unwrap();
    let codes: Vec<_> = test.diagnostics.iter().map(|f| f.code().as_str()).collect();
    assert_eq!(codes, ["not-finite", "not-finite"]);
    let message = test.diagnostics[0].text(Units::Translation);
    assert!(
        message.contains("not a finite number") && message.contains("line 3"),
        "{message}"
    );
    let record = test.record().unwrap();
    let error = record.require_complete().unwrap_err();
    assert!(matches!(error, DataError::NotFinite { line: 3, .. }));
    assert!(error.to_string().contains("not a finite number"), "{error}");
    // Forces that cannot be used are left out like missing ones.
    assert!(record.force().unwrap()[2].is_nan());
    assert!(matches!(
        read(
            file("inf-time.csv", b"t,x,F\n0,1,2\ninf,1,3\n2,1,4\n"),
            &options
        ),
        Err(DataError::NotFinite { line: 3, .. })
    ));
    let fill = ReadOptions {
        gaps: masing_data::Gaps::Interpolate,
        ..ReadOptions::default()
    };
    let filled = read(file("inf-filled.csv", text), &fill).unwrap();
    assert!(filled.record().unwrap().require_complete().is_ok());
    assert_eq!(filled.diagnostics[0].code().as_str(), "filled");
}

#[test]
fn columns_that_ought_to_be_numbers_are_not_dropped_in_silence() {
    let options = ReadOptions::default();
    let text = b"time [s];displacement [mm];force [N]\n0.1;1.5;12 N\n0.2;2.5;13 N\n0.3;1.5;12 N\n";
    let test = read(file("words.csv", text), &options).unwrap();
    let codes: Vec<_> = test.diagnostics.iter().map(|f| f.code().as_str()).collect();
    assert_eq!(codes, ["text-column"]);
    assert!(
        test.diagnostics[0]
            .text(Units::Translation)
            .contains("force")
    );
    // Thousands are a finding about a column only where it is used.
    let text =
        b"time\tdisplacement\tforce\tcounter\n0.1\t1.5\t1,787\t10,001\n0.2\t2.5\t987\t10,002\n";
    let test = read(file("thousands.tsv", text), &options).unwrap();
    let codes: Vec<_> = test.diagnostics.iter().map(|f| f.code().as_str()).collect();
    assert_eq!(codes, ["thousands"]);
    assert_eq!(test.record().unwrap().force().unwrap(), [1787.0, 987.0]);
    let mut scaled = ReadOptions::default();
    scaled.parse_units("force=1000N").unwrap();
    let text = b"time;displacement;force [N]\n0;1;1,787\n1;2;1,787\n";
    let test = read(file("doubt.csv", text), &options).unwrap();
    assert_eq!(test.diagnostics[0].code().as_str(), "thousands-or-decimal");
    assert_eq!(test.record().unwrap().force().unwrap(), [1.787, 1.787]);
    let test = read(file("doubt.csv", text), &scaled).unwrap();
    assert_eq!(test.record().unwrap().force().unwrap(), [1787.0, 1787.0]);
}

#[test]
fn a_sparse_file_of_two_gigabytes_is_refused_at_once() {
    let path = file("sparse.csv", b"t,x,F\n0,1,2\n1,2,3\n");
    let handle = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    handle.set_len(2 << 30).unwrap();
    let error = read(&path, &ReadOptions::default()).unwrap_err();
    std::fs::remove_file(&path).unwrap();
    assert!(!error.to_string().is_empty(), "{error}");
    eprintln!("{error}");
}

#[test]
fn mending_in_the_same_line() {
    let path = file(
        "mend.csv",
        b"t [ms],n_in,n_out,F [kN]\n0,1,0.5,1\n10,2,0.5,2\n20,3,0.5,3\n30,4,0.5,4\n",
    );
    let mut options = ReadOptions::default();
    options.parse_columns("displacement=n_in - n_out").unwrap();
    options.parse_units("displacement=mm").unwrap();
    options.parse_flip("force").unwrap();
    options.parse_zero("displacement=midrange").unwrap();
    options.window = "0.01..0.03".parse::<Window>().unwrap();
    let test = read(&path, &options).unwrap();
    let record = test.record().unwrap();
    assert_eq!(record.time.as_deref(), Some(&[0.01, 0.02, 0.03][..]));
    for (found, expected) in record
        .motion()
        .unwrap()
        .iter()
        .zip([-0.5e-3, 0.5e-3, 1.5e-3])
    {
        assert!((found - expected).abs() < 1e-12);
    }
    assert_eq!(record.force().unwrap(), [-2000.0, -3000.0, -4000.0]);
    assert_eq!(record.line(0), 3);
    assert!(
        test.assumptions
            .iter()
            .any(|a| a.contains("n_in - n_out") && a.contains("mm")),
        "{:?}",
        test.assumptions
    );
}

#[test]
fn rotation_and_structures() {
    let path = file(
        "turn.csv",
        b"time [s],angle [deg],torque [N m],velocity [rpm]\n0,0,1,60\n1,180,2,60\n2,90,3,60\n",
    );
    let test = read(&path, &ReadOptions::default()).unwrap();
    let record = test.record().unwrap();
    assert!(record.rotation);
    assert!((record.motion().unwrap()[1] - std::f64::consts::PI).abs() < 1e-15);
    assert!((record.velocity().unwrap()[0] - std::f64::consts::TAU).abs() < 1e-14);
    assert_eq!(record.force().unwrap(), [1.0, 2.0, 3.0]);
    let path = file(
        "nodes.csv",
        b"time,displacement.1,displacement.2,load.1\n0,1,2,3\n1,2,3,4\n",
    );
    let test = read(&path, &ReadOptions::default()).unwrap();
    let slot: masing_data::Slot = "displacement.2".parse().unwrap();
    assert_eq!(test.record().unwrap().need(slot).unwrap(), [2.0, 3.0]);
    assert!(
        test.channels.iter().all(|c| c.role.is_some()),
        "{:?}",
        test.channels
    );
}

#[test]
fn windows_and_gaps() {
    let mut text = String::from("t,x,F,note\n");
    for i in 0..=400 {
        let t = f64::from(i) * 0.01;
        let x = (std::f64::consts::TAU * t).sin();
        let shown = if i == 50 {
            String::new()
        } else {
            x.to_string()
        };
        text.push_str(&[t.to_string(), shown, (2.0 * x).to_string(), "ok".to_owned()].join(","));
        text.push('\n');
    }
    let path = file("window.csv", text.as_bytes());
    let mut options = ReadOptions {
        window: Window::Cycle(2),
        ..ReadOptions::default()
    };
    let second = read(&path, &options).unwrap();
    let record = second.record().unwrap();
    assert!(
        (record.time.as_ref().unwrap()[0] - 1.0).abs() < 0.011
            && (100..=103).contains(&record.len())
    );
    assert_eq!(
        record.line(0),
        2 + (record.time.as_ref().unwrap()[0] * 100.0).round() as usize
    );
    options.window = Window::Stabilised;
    let last = read(&path, &options).unwrap();
    assert!((last.record().unwrap().time.as_ref().unwrap()[0] - 3.0).abs() < 0.011);
    options.window = Window::Cycle(9);
    assert!(matches!(
        read(&path, &options),
        Err(DataError::NoCycle { found: 4, .. })
    ));
    options.window = Window::All;
    assert!(
        read(&path, &options)
            .unwrap()
            .record()
            .unwrap()
            .require_complete()
            .is_err()
    );
    options.gaps = Gaps::Interpolate;
    let filled = read(&path, &options).unwrap();
    assert!(filled.record().unwrap().require_complete().is_ok());
    assert!(
        filled
            .diagnostics
            .iter()
            .any(|f| f.code().as_str() == "filled")
    );
    let names: Vec<_> = filled
        .channels
        .iter()
        .map(|c| (c.name.as_str(), c.role.is_some()))
        .collect();
    assert_eq!(
        names,
        [("t", true), ("x", true), ("F", true), ("note", false)]
    );
}
