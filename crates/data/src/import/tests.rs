//! Every reader on bytes that only begin like its format: an error or a table, never a panic.

use super::*;
use proptest::prelude::*;

/// Beginnings of all formats.
fn beginnings() -> Vec<Vec<u8>> {
    let mut mat = vec![b' '; 124];
    mat.extend([0, 1, b'I', b'M']);
    let mut nested = mat.clone();
    // A matrix element that claims more than there is.
    nested.extend([
        14, 0, 0, 0, 0xff, 0xff, 0, 0, 6, 0, 0, 0, 8, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0,
    ]);
    let mut rpc = Vec::new();
    for (key, value) in [
        ("FORMAT", "BINARY_IEEE_LITTLE_END"),
        ("NUM_HEADER_BLOCKS", "3"),
        ("NUM_PARAMS", "9"),
        ("CHANNELS", "2"),
        ("DELTA_T", "0.001"),
        ("PTS_PER_FRAME", "4"),
        ("PTS_PER_GROUP", "8"),
        ("FRAMES", "3"),
        ("SCALE.CHAN_1", "0.5"),
        ("", ""),
        ("", ""),
        ("", ""),
    ] {
        let mut record = [0; 128];
        record[..key.len()].copy_from_slice(key.as_bytes());
        record[32..32 + value.len()].copy_from_slice(value.as_bytes());
        rpc.extend(record);
    }
    let mut uff = b"    -1\n    58\nforce\n\n\n\n\n    1         0    0         0       NONE         1   1       NONE         1   1\n         4         3         1  0.00000e+00  1.00000e-03  0.00000e+00\n        17    0    0    0 NONE                 s\n        13    0    0    0 NONE                 N\n\n\n".to_vec();
    let mut binary = b"    -1\n    58b     1     2          11          24\n".to_vec();
    binary.extend(&uff[17..]);
    uff.extend(b"   0.00000000000e+00   4.71161386172e-02   9.41857792940e-02\n    -1\n");
    vec![
        mat,
        nested,
        rpc,
        uff,
        binary,
        b"\x89HDF\r\n\x1a\n".to_vec(),
        b"TDSm\x0e\x00\x00\x00\x69\x12\x00\x00".to_vec(),
        b"MDF     4.10    masing  ".to_vec(),
        b"PAR1".to_vec(),
        b"PK\x03\x04".to_vec(),
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec(),
        b"[{\"t\":1,\"x\":2},".to_vec(),
        b"{\"t\":[1,2,3],\"x\":[".to_vec(),
        b"\xff\xfet\0,\0x\0".to_vec(),
    ]
}

fn load_bytes(bytes: &[u8]) -> Result<Vec<Table>, DataError> {
    let thread = std::thread::current().id();
    let path = std::env::temp_dir().join(format!(
        "masing-data-import-{}-{thread:?}",
        std::process::id()
    ));
    std::fs::write(&path, bytes).unwrap();
    let result = load(&path);
    std::fs::remove_file(&path).unwrap();
    result
}

#[test]
fn own_binary_formats_in_small() {
    let all = beginnings();
    let mut rpc = all[2].clone();
    rpc.extend((0..32_u8).flat_map(|i| [i, 0]));
    let table = load_bytes(&rpc).unwrap().remove(0);
    assert_eq!(table.rows(), 12);
    // Two channels in groups of eight: the second group starts at number 16.
    assert_eq!(table.channels[1].values[7..9], [3.5, 8.0]);
    assert_eq!(table.channels[2].values[..2], [8.0, 9.0]);
    let uff = load_bytes(&all[3]).unwrap().remove(0);
    assert_eq!(uff.channels[1].values[1], 4.711_613_861_72e-2);
    assert_eq!(uff.labels(), ["time [s]", "force [N]"]);
    assert!(load_bytes(&all[1]).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn damaged_beginnings(
        which in 0usize..14,
        tail in proptest::collection::vec(any::<u8>(), 0..600),
        flips in proptest::collection::vec((0usize..2000, 0u8..8), 0..6),
    ) {
        let mut bytes = beginnings().swap_remove(which);
        bytes.extend(tail);
        for (at, bit) in flips {
            if let Some(b) = bytes.get_mut(at) {
                *b ^= 1 << bit;
            }
        }
        let _ = load_bytes(&bytes);
    }
}
