//! Bytes of unknown origin to text: UTF-8, UTF-16 with a mark, Windows-1252 or GBK.

/// How the bytes of a text file stand for characters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Charset {
    Utf8,
    Gbk,
    Windows1252,
}

impl Charset {
    /// Guesses from all bytes that may hold words.
    ///
    /// GBK writes Chinese as pairs of high bytes, the common characters with lead bytes B0 to D7; in Windows-1252 high
    /// bytes stand alone between letters. UTF-8 is tried first: it is almost never valid by accident.
    pub(crate) fn of(bytes: &[u8]) -> Charset {
        if std::str::from_utf8(bytes).is_ok() {
            Charset::Utf8
        } else if looks_like_gbk(bytes) {
            Charset::Gbk
        } else {
            Charset::Windows1252
        }
    }

    /// Text of some bytes.
    pub(crate) fn decode(self, bytes: &[u8]) -> String {
        let table = match self {
            Charset::Utf8 => return String::from_utf8_lossy(bytes).into_owned(),
            Charset::Gbk => encoding_rs::GBK,
            Charset::Windows1252 => encoding_rs::WINDOWS_1252,
        };
        table.decode_without_bom_handling(bytes).0.into_owned()
    }
}

fn looks_like_gbk(bytes: &[u8]) -> bool {
    let (mut common, mut pairs, mut at) = (0, 0, 0);
    while at < bytes.len() {
        if bytes[at] < 0x80 {
            at += 1;
            continue;
        }
        match bytes.get(at + 1) {
            Some(0xa1..=0xfe) if bytes[at] >= 0xa1 => {
                pairs += 1;
                common += usize::from(
                    (0xb0..=0xd7).contains(&bytes[at]) || (0xa1..=0xa9).contains(&bytes[at]),
                );
                at += 2;
            }
            _ => return false,
        }
    }
    pairs > 0 && 2 * common >= pairs
}

/// Whole text from UTF-16 with a byte order mark; `None` if there is no such mark.
pub(crate) fn utf16(bytes: &[u8]) -> Option<Vec<u8>> {
    let (table, rest) = match bytes {
        [0xff, 0xfe, rest @ ..] => (encoding_rs::UTF_16LE, rest),
        [0xfe, 0xff, rest @ ..] => (encoding_rs::UTF_16BE, rest),
        _ => return None,
    };
    Some(
        table
            .decode_without_bom_handling(rest)
            .0
            .into_owned()
            .into_bytes(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(bytes: &[u8]) -> String {
        Charset::of(bytes).decode(bytes)
    }

    #[test]
    fn tells_western_from_chinese() {
        assert_eq!(decode(b"Gr\xf6\xdfe [\xb5m]"), "Größe [µm]");
        assert_eq!(decode(b"Winkel [\xb0]"), "Winkel [°]");
        // 时间, 位移 in GBK
        assert_eq!(decode(b"\xca\xb1\xbc\xe4"), "时间");
        assert_eq!(decode(b"\xce\xbb\xd2\xc6(mm)"), "位移(mm)");
        assert_eq!(decode("°".as_bytes()), "°");
    }
}
