use super::*;
use masing_diagnostic::Units;
use proptest::prelude::*;
use std::fmt::Write as _;

fn try_read(bytes: &[u8]) -> Result<Vec<Table>, DataError> {
    let (head, rest) = bytes.split_at(bytes.len().min(16));
    read(
        Path::new("t.csv"),
        head.to_vec(),
        Box::new(Cursor::new(rest.to_vec())),
    )
}

fn one(bytes: &[u8]) -> Table {
    let mut tables = try_read(bytes).unwrap();
    assert_eq!(tables.len(), 1, "{tables:?}");
    tables.remove(0)
}

fn labels(bytes: &[u8]) -> Vec<String> {
    one(bytes).labels()
}

#[test]
fn plain_csv() {
    let table = one(b"t_s,x_mm,F_N\n0,1,2\n0.1,1.5,-2e3\n");
    assert_eq!(table.labels(), ["t [s]", "x [mm]", "F [N]"]);
    assert_eq!(table.channels[2].values, [2.0, -2e3]);
    assert_eq!(table.source.line(0), 2);
}

#[test]
fn decimal_commas() {
    let table = one("\u{feff}Zeit [s];Weg [mm]\r\n0,0;1,5\r\n0,1;-2,25\r\n".as_bytes());
    assert_eq!(table.labels(), ["Zeit [s]", "Weg [mm]"]);
    assert_eq!(table.channels[1].values, [1.5, -2.25]);
    assert_eq!(
        one(b"t\tx\n0,5\t1,5\n1,5\t2,5\n").channels[1].values,
        [1.5, 2.5]
    );
    assert_eq!(one(b"0,5 1,5\n1,5 2,5\n").channels[1].values, [1.5, 2.5]);
}

#[test]
fn comments_preamble_units_row() {
    let text = b"# rig 7\nOperator: Jo\nSampling Rate,200\n\nTime,Disp,Force\nsec,mm,kN\n# start\n0,1,2\n\n# gap\n1,2,3\n";
    let table = one(text);
    assert_eq!(table.labels(), ["Time [sec]", "Disp [mm]", "Force [kN]"]);
    assert_eq!(table.meta(&["operator"]), Some("Jo"));
    assert_eq!(table.meta(&["sampling rate"]), Some("200"));
    assert_eq!((table.source.line(0), table.source.line(1)), (8, 11));
}

#[test]
fn headers_of_other_shapes() {
    assert_eq!(labels(b"# t x F\n0 1 2\n1 2 3\n"), ["t", "x", "F"]);
    assert_eq!(
        labels(b"Time (s)  Force (N)\n0 1\n1 2\n"),
        ["Time [s]", "Force [N]"]
    );
    assert_eq!(labels(b"1,2\n3,4\n"), ["1", "2"]);
    assert_eq!(labels(b"s,mm\n3,4\n4,5\n"), ["1 [s]", "2 [mm]"]);
    assert_eq!(
        labels(b"\"time, total [s]\",\"x [mm]\",\n0,1,\n1,2,\n"),
        ["time, total [s]", "x [mm]"]
    );
    assert_eq!(
        labels(b"\"Force\n(kN)\",\"x [mm]\"\n0,1\n1,2\n"),
        ["Force [kN]", "x [mm]"]
    );
    assert_eq!(labels(b"a,a\nt,x\n---,---\n0,1\n1,2\n"), ["t", "x"]);
    assert_eq!(
        labels(b"f/A,0.1,0.5\n1,100,90\n2,110,95\n"),
        ["f/A", "0.1", "0.5"]
    );
    assert_eq!(
        labels(b"Gr\xf6\xdfe [\xb5m];F [N]\n1;2\n3;4\n"),
        ["Größe [µm]", "F [N]"]
    );
    assert_eq!(
        labels(b"\xca\xb1\xbc\xe4,\xce\xbb\xd2\xc6(mm)\n1,2\n3,4\n"),
        ["时间", "位移 [mm]"]
    );
    assert_eq!(labels(b"t,x\r0,1\r1,2\r"), ["t", "x"]);
    let utf16: Vec<u8> = "\u{feff}t\tx\n0\t1\n1\t2\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(labels(&utf16), ["t", "x"]);
}

#[test]
fn files_as_rigs_write_them() {
    // LabVIEW, Catman, Instron, MTS: dates and words above the data, quoted numbers, thousands.
    assert_eq!(
        labels(b"Kan\xe4le: 3\r\nDatum: 01.02.2023 10:11:12\r\n\r\nZeit  1 - Rate [s]\tWeg [mm]\r\n0,001\t1,234\r\n0,002\t2,345\r\n"),
        ["Zeit  1 - Rate [s]", "Weg [mm]"]
    );
    assert_eq!(
        one(b"t,x\n\"0,001\",\"1,234\"\n\"0,002\",\"2,345\"\n").channels[1].values,
        [1.234, 2.345]
    );
    assert_eq!(
        one(b"t;F\n0;1.000,5\n1;1.001,5\n").channels[1].values,
        [1000.5, 1001.5]
    );
    assert_eq!(labels(b"\"Label\",\"A1\"\n\n\"Time\",\"Load\"\n\"(s)\",\"(kN)\"\n\"0.0\",\"1.0\"\n\"0.1\",\"2.0\"\n"), ["Time [s]", "Load [kN]"]);
    let mts = b"Data Acquisition: Timed\t\t\tTime:\t12.3\tSec\nTime\tDisp\tForce\nSec\tmm\tkN\n0\t1\t2\n1\t2\t3\n\nData Acquisition: Timed\t\t\tTime:\t99.5\tSec\nTime\tDisp\tForce\nSec\tmm\tkN\n0\t5\t6\n1\t6\t7\n";
    let tables = try_read(mts).unwrap();
    assert_eq!(tables.len(), 2);
    assert_eq!(tables[1].channels[1].values, [5.0, 6.0]);
    assert_eq!(
        tables[1].labels(),
        ["Time [Sec]", "Disp [mm]", "Force [kN]"]
    );
}

fn codes(table: &Table) -> Vec<&'static str> {
    table
        .remarks
        .iter()
        .map(|(_, f)| f.code().as_str())
        .collect()
}

#[test]
fn thousands_where_the_file_says_so() {
    // Most forces with commas, few, and some with several groups; decimals elsewhere.
    let most = b"t [s]\tx [mm]\tF [N]\n0.001\t0.5\t987\n0.002\t0.6\t1,787\n0.003\t0.7\t-2,001\n";
    let table = one(most);
    assert_eq!(table.channels[2].values, [987.0, 1787.0, -2001.0]);
    assert_eq!(codes(&table), ["thousands"]);
    assert!(
        table.remarks[0].1.text(Units::Translation).contains("1787"),
        "{table:?}"
    );
    let few = b"t [s];x [mm];F [N]\n0.001;0.5;987\n0.002;0.6;988\n0.003;0.7;1,001\n";
    assert_eq!(one(few).channels[2].values[2], 1001.0);
    let large = b"t;x;F\n0;1;987,654\n1;2;1,234,567\n";
    assert_eq!(one(large).channels[2].values, [987_654.0, 1_234_567.0]);
    let both = b"x;F\n1;1,787\n2;1,787.5\n";
    assert_eq!(one(both).channels[1].values, [1787.0, 1787.5]);
    // The other way round.
    let german = b"t;F\n0,5;987\n1,5;1.787\n";
    assert_eq!(one(german).channels[1].values, [987.0, 1787.0]);
    // Beyond the lines that the layout is found from.
    let mut late = String::from("t\tF\n");
    for i in 0..40_000 {
        let f = i / 20;
        let text = if f < 1000 {
            f.to_string()
        } else {
            format!("{},{:03}", f / 1000, f % 1000)
        };
        writeln!(late, "{i}.5\t{text}").unwrap();
    }
    let table = one(late.as_bytes());
    assert_eq!(table.channels[1].values[39_999], 1999.0);
    assert_eq!(codes(&table), ["thousands"]);
}

#[test]
fn thousands_or_decimals_is_said_where_nobody_knows() {
    let table = one(b"t;x;axial force [N]\n0;1;1,787\n1;2;1,790\n");
    assert_eq!(table.channels[2].values, [1.787, 1.79]);
    assert_eq!(codes(&table), ["thousands-or-decimal"]);
    let message = table.remarks[0].1.text(Units::Translation);
    assert!(message.contains("`1,787` was read as 1.787"), "{message}");
    assert!(
        message.contains("--units \"axial force=1000N\""),
        "{message}"
    );
    let table = one(b"t;F [N]\n0;987\n1;1,787\n");
    assert_eq!(table.channels[1].values, [987.0, 1787.0]);
    assert_eq!(codes(&table), ["thousands-or-decimal"]);
    assert!(
        table.remarks[0]
            .1
            .text(Units::Translation)
            .contains("--units F=0.001N")
    );
    // No doubt about these.
    assert!(codes(&one(b"t;F\n0,1;1,787\n0,2;1,790\n")).is_empty());
    assert!(codes(&one(b"t,F\n0,1.787\n1,1.790\n")).is_empty());
}

#[test]
fn a_comma_among_points_is_a_mistake() {
    assert!(matches!(
        try_read(b"t\tF\n0\t987.5\n1\t988.5\n2\t1,001\n3\t990.5\n"),
        Err(DataError::Cell {
            line: 4,
            column: 2,
            ..
        })
    ));
}

#[test]
fn columns_of_text_are_remembered() {
    let table = one(b"t;x;force [N]\n0.1;1.5;12 N\n0.2;2.5;13 N\n");
    assert_eq!(table.labels(), ["t", "x"]);
    assert_eq!(codes(&table), ["text-column"]);
    let message = table.remarks[0].1.text(Units::Translation);
    assert!(message.contains("`12 N` in line 2"), "{message}");
}

#[test]
fn minus_signs_of_word_processors() {
    let table = one("t;x\n0;\u{2212}1.5\n1;\u{2212}2e\u{2212}3\n".as_bytes());
    assert_eq!(table.channels[1].values, [-1.5, -2e-3]);
    let table = one("t;x\n0;\u{2212}1,5\n1;2,5\n".as_bytes());
    assert_eq!(table.channels[1].values, [-1.5, 2.5]);
}

#[test]
fn missing_values_stay_missing() {
    let table = one(b"t,x,F\n0,,1\n1,NaN,2\n2,3\n");
    assert!(table.channels[1].values[0].is_nan() && table.channels[1].values[1].is_nan());
    assert!(table.channels[2].values[2].is_nan());
    let table = one(b"t,x\n0,1\n1,-inf\n2,1e999\n");
    assert_eq!(
        table.channels[1].values,
        [1.0, f64::NEG_INFINITY, f64::INFINITY]
    );
}

#[test]
fn segments() {
    let text = b"No, Date/Time, C0, Events\n1, 04/29/2022 12:11:14.596 PM, 0.5, DAQ Start\n2, 04/29/2022 12:11:14.601 PM, 0.6\n3, 04/29/2022 12:12:14.601 PM, 0.7, DAQ Resume\n";
    let tables = try_read(text).unwrap();
    assert_eq!(tables.len(), 2);
    assert_eq!(tables[0].labels(), ["No", "Date/Time [s]", "C0"]);
    let time = &tables[0].channels[1].values;
    assert!((time[1] - time[0] - 0.005).abs() < 1e-4, "{time:?}");
    assert_eq!(tables[1].channels[2].values, [0.7]);
    assert_eq!(tables[1].source.line(0), 4);
    let blocks = b"t\tx\n0\t1\n1\t2\nBlock 2\nt\tx\n0\t3\n1\t4\n";
    let tables = try_read(blocks).unwrap();
    assert_eq!(tables.len(), 2);
    assert_eq!(tables[1].channels[1].values, [3.0, 4.0]);
}

#[test]
fn errors_name_the_place() {
    for (text, line, column, found) in [
        (&b"t,x,F\n0,1,2\n1,abc,3\n2,3,4\n"[..], 3, 2, "abc"),
        (b"t,x,F\n0,abc,2\n1,1,3\n2,3,4\n", 2, 2, "abc"),
        (b"t;x\n0;1,5\n1;1.5x\n2;2,5\n3;3,5\n", 3, 2, "1.5x"),
    ] {
        match try_read(text) {
            Err(DataError::Cell {
                line: l,
                column: c,
                found: f,
                ..
            }) => assert_eq!((l, c, f.as_str()), (line, column, found)),
            other => panic!("{other:?}"),
        }
    }
    assert!(matches!(
        try_read(b"t,x\n0,1\n1,2,3\n2,3\n"),
        Err(DataError::Ragged { line: 3, .. })
    ));
    assert!(matches!(
        try_read(b"only words\nhere\n"),
        Err(DataError::Empty { .. })
    ));
}

#[test]
fn a_million_rows_are_quick() {
    let mut text = String::from("t,x,F\n");
    for i in 0..1_000_000 {
        let t = f64::from(i) * 1e-3;
        writeln!(text, "{t:.4},{:.6},{:.3}", t.sin(), 1e3 * t.cos()).unwrap();
    }
    let start = std::time::Instant::now();
    let table = one(text.as_bytes());
    eprintln!(
        "1e6 rows x 3 from memory: {:.3} s",
        start.elapsed().as_secs_f64()
    );
    assert_eq!(table.rows(), 1_000_000);
}

proptest! {
    #[test]
    fn never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = try_read(&bytes);
    }

    #[test]
    fn never_panics_on_nearly_csv(text in "[0-9a-z,;\\.\\t \\-\"#\\n\\[\\]:/NA]{0,300}") {
        let _ = try_read(text.as_bytes());
    }

    #[test]
    fn damaged_files_never_panic(at in 0usize..200, bit in 0u8..8, cut in 0usize..200) {
        let mut text = b"Zeit [s];Weg (mm);\"F [N]\";Ev\n0,0;1,5;2;\n0,1;2,5;3;DAQ Resume\n01.02.2020 10:00:00;2;3;4\n0,3;NaN;;\n".to_vec();
        if let Some(b) = text.get_mut(at) { *b ^= 1 << bit; }
        text.truncate(cut);
        let _ = try_read(&text);
    }

    #[test]
    fn numbers_survive(rows in proptest::collection::vec((any::<f64>(), any::<f64>()), 2..20)) {
        let mut text = String::from("a,b\n");
        for (a, b) in &rows { writeln!(text, "{a:e},{b}").unwrap(); }
        if rows.iter().all(|(a, b)| a.is_finite() && b.is_finite()) {
            let table = one(text.as_bytes());
            for (i, (a, b)) in rows.iter().enumerate() {
                prop_assert_eq!(table.channels[0].values[i].to_bits(), a.to_bits());
                prop_assert_eq!(table.channels[1].values[i].to_bits(), b.to_bits());
            }
        }
    }
}
