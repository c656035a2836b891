//! Files of every kind, written by programs that are not ours (`tests/make_files.py`).

use std::path::{Path, PathBuf};

use masing_data::{ReadOptions, inspect, read, read_all};

/// The folder with the files, which `cargo xtask test` makes.
fn files() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/test-files")
}

/// Every file holds the same test; `digits` is what the format keeps of a number.
fn check(path: &Path, part: &str, options: &ReadOptions, digits: f64) {
    let asked = if part.is_empty() {
        path.display().to_string()
    } else {
        format!("{}#{part}", path.display())
    };
    let test = read(&asked, options).unwrap_or_else(|e| panic!("{asked}: {e}"));
    let record = test.record().unwrap();
    let (t, x, f) = (
        record.need_time().unwrap(),
        record.need_motion().unwrap(),
        record.need_force().unwrap(),
    );
    assert_eq!(t.len(), 1001, "{asked}");
    for i in 0..1001 {
        let phase = std::f64::consts::TAU * 5.0 * 1e-3 * i as f64;
        let expected = [
            1e-3 * i as f64,
            1.5e-3 * phase.sin(),
            450.0 * (phase + 0.2).sin(),
        ];
        for ((found, expected), scale) in [t[i], x[i], f[i]]
            .into_iter()
            .zip(expected)
            .zip([1.0, 1.5e-3, 450.0])
        {
            assert!(
                (found - expected).abs() <= digits * scale || found.is_nan(),
                "{asked}, row {i}: {found} instead of {expected}"
            );
        }
    }
    let found = inspect(&test).unwrap();
    assert!((found.frequency.unwrap() - 5.0).abs() < 1e-3, "{asked}");
    assert!(
        (found.cycles[1].loss_angle.unwrap() - 0.2).abs() < 1e-3,
        "{asked}"
    );
}

#[cfg(any(feature = "mat", feature = "hdf5"))]
fn units() -> ReadOptions {
    let mut options = ReadOptions::default();
    options
        .parse_units("displacement=mm,force=N,time=s")
        .unwrap();
    options
}

#[test]
#[ignore = "needs target/test-files"]
fn text_in_other_alphabets() {
    let files = files();
    for name in ["cp1252.csv", "decimal_comma.csv", "gbk.csv", "utf16.txt"] {
        check(&files.join(name), "", &ReadOptions::default(), 1e-12);
    }
}

#[cfg(feature = "mat")]
#[test]
#[ignore = "needs target/test-files"]
fn matlab_by_scipy() {
    let files = files();
    for name in ["v5.mat", "v7.mat", "column.mat", "matrix.mat"] {
        check(&files.join(name), "", &units(), 1e-12);
    }
    check(&files.join("struct.mat"), "run", &units(), 1e-12);
    check(&files.join("struct.mat"), "", &units(), 1e-12);
    check(
        &files.join("dspace.mat"),
        "",
        &ReadOptions::default(),
        1e-12,
    );
    let mut scaled = ReadOptions::default();
    scaled.parse_units("x=1e-4 mm,F=N").unwrap();
    check(&files.join("types.mat"), "", &scaled, 1e-4);
    let tables = masing_data::load(files.join("v7.mat")).unwrap();
    assert_eq!(tables[0].meta(&["comment"]), Some("made by scipy"));
    assert!(matches!(
        read(
            format!("{}#nothing", files.join("v7.mat").display()),
            &units()
        ),
        Err(masing_data::DataError::MissingPart { .. })
    ));
}

#[cfg(feature = "hdf5")]
#[test]
#[ignore = "needs target/test-files"]
fn hdf5_by_h5py() {
    let files = files();
    check(&files.join("v73.mat"), "run", &units(), 1e-12);
    check(
        &files.join("plain.h5"),
        "test",
        &ReadOptions::default(),
        1e-12,
    );
    check(&files.join("v110.h5"), "", &ReadOptions::default(), 1e-12);
    check(
        &files.join("compound.h5"),
        "table",
        &ReadOptions::default(),
        1e-7,
    );
}

#[cfg(feature = "tdms")]
#[test]
#[ignore = "needs target/test-files"]
fn tdms_by_nptdms() {
    let files = files();
    check(
        &files.join("two_segments.tdms"),
        "",
        &ReadOptions::default(),
        1e-7,
    );
}

#[test]
#[ignore = "needs target/test-files"]
fn uff58_by_pyuff() {
    let files = files();
    check(&files.join("ascii.uff"), "", &ReadOptions::default(), 1e-11);
    check(
        &files.join("binary.uff"),
        "",
        &ReadOptions::default(),
        1e-12,
    );
    check(&files.join("single.uff"), "", &ReadOptions::default(), 1e-5);
}

#[test]
#[ignore = "needs target/test-files"]
fn rpc3_by_rpc3_file() {
    let files = files();
    check(&files.join("float.rsp"), "", &ReadOptions::default(), 1e-6);
    // 16 bits over the range.
    check(&files.join("short.rsp"), "", &ReadOptions::default(), 4e-5);
    check(&files.join("groups.rsp"), "", &ReadOptions::default(), 4e-5);
}

#[cfg(feature = "mdf")]
#[test]
#[ignore = "needs target/test-files"]
fn mdf4_by_asammdf() {
    let files = files();
    for name in ["plain.mf4", "deflate.mf4", "transposed.mf4"] {
        check(&files.join(name), "", &ReadOptions::default(), 1e-7);
    }
}

#[cfg(feature = "excel")]
#[test]
#[ignore = "needs target/test-files"]
fn excel_by_openpyxl() {
    let files = files();
    check(
        &files.join("book.xlsx"),
        "test 1",
        &ReadOptions::default(),
        1e-12,
    );
    let mut options = ReadOptions::default();
    options.parse_units("stiffness=N/mm").unwrap();
    let table = read(
        format!("{}#kdyn", files.join("book.xlsx").display()),
        &options,
    )
    .unwrap();
    let points = &table.harmonic().unwrap().points;
    assert_eq!(points.len(), 9);
    assert_eq!((points[4].frequency, points[4].stiffness), (5.0, 405e3));
    assert!((points[4].amplitude - 0.5e-3).abs() < 1e-15);
    assert_eq!(
        read_all(files.join("book.xlsx"), &options).unwrap().len(),
        2
    );
}

#[cfg(feature = "parquet")]
#[test]
#[ignore = "needs target/test-files"]
fn parquet_by_pyarrow() {
    let files = files();
    for name in [
        "snappy.parquet",
        "zstd.parquet",
        "gzip.parquet",
        "stamps.parquet",
    ] {
        check(&files.join(name), "", &ReadOptions::default(), 1e-7);
    }
    let test = read(files.join("zstd.parquet"), &ReadOptions::default()).unwrap();
    assert!(test.record().unwrap().force().unwrap()[7].is_nan());
    assert!(test.diagnostics.iter().any(|f| f.code().as_str() == "gap"));
}

#[cfg(feature = "json")]
#[test]
#[ignore = "needs target/test-files"]
fn json_by_python() {
    let files = files();
    for name in ["rows.json", "lines.json", "columns.json", "arrays.json"] {
        // Python and numpy round the sine differently in the last digit.
        check(&files.join(name), "", &ReadOptions::default(), 1e-12);
    }
}

/// Largest memory of this process so far, MB.
fn peak() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

/// Cuts and flips bits of every file: an error or a table, never a panic, never a hang.
#[test]
#[ignore = "needs target/test-files"]
fn damaged_files_are_errors() {
    let files = files();
    let folder = std::env::temp_dir().join(format!("masing-data-damaged-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    let rounds: usize = std::env::var("MASING_FUZZ_ROUNDS")
        .ok()
        .and_then(|r| r.parse().ok())
        .unwrap_or(40);
    let mut names: Vec<PathBuf> = std::fs::read_dir(&files)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    // Real files too, where they are there.
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    names.extend(
        [
            "mr-damper/ME2mm5Hz.txt",
            "rubber-bearing/Test.mat",
            "bouc-wen-benchmark/train.h5",
            "steel-dampers/damper1_Hys1.csv",
        ]
        .iter()
        .map(|n| shared.join(n))
        .filter(|p| p.exists()),
    );
    names.sort();
    let mut panics = Vec::new();
    for path in names {
        let whole = std::fs::read(&path).unwrap();
        let (mut refused, mut read_anyway) = (0, 0);
        for round in 0..rounds {
            let mut bytes = whole.clone();
            if round % 3 != 0 {
                // Damage near the start hits headers, elsewhere data.
                for _ in 0..=random(4) {
                    let at = if round % 2 == 0 {
                        random(bytes.len().min(1024))
                    } else {
                        random(bytes.len())
                    };
                    bytes[at] ^= 1 << random(8);
                }
            }
            if round % 3 != 1 {
                bytes.truncate(random(bytes.len()));
            }
            let target = folder.join(path.file_name().unwrap());
            std::fs::write(&target, &bytes).unwrap();
            let begin = std::time::Instant::now();
            match read_all(&target, &ReadOptions::default()) {
                Ok(tests) => {
                    read_anyway += 1;
                    for test in &tests {
                        let _ = inspect(test);
                    }
                }
                Err(error) => {
                    refused += 1;
                    if error.to_string().contains("gave up") {
                        panics.push(path.file_name().unwrap().to_owned());
                    }
                }
            }
            assert!(begin.elapsed().as_secs() < 20, "{} hangs", path.display());
            // The largest of these files has 0.7 MB: a hundred times that is a runaway.
            assert!(
                peak().is_none_or(|mb| mb < 300.0),
                "{}: {:?} MB",
                path.display(),
                peak()
            );
        }
        eprintln!(
            "{}: {refused} refused, {read_anyway} read",
            path.file_name().unwrap().display()
        );
    }
    eprintln!("panics caught in foreign readers: {panics:?}");
    std::fs::remove_dir_all(&folder).unwrap();
}
