//! Where the resources of an FMU lie.

use std::path::PathBuf;

/// The folder of a `file` URI (FMI 2.0); `None` if it is another kind of address.
pub fn from_uri(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file:")?;
    let path = match rest.strip_prefix("//") {
        // Behind two slashes comes the host: none, or this one.
        Some(rest) => rest.strip_prefix("localhost").unwrap_or(rest),
        None => rest,
    };
    let path = decoded(path)?;
    // `/C:/folder` is `C:/folder`; some tools forget the slash.
    let bare = path.strip_prefix('/').unwrap_or(&path);
    if has_drive(bare) {
        return Some(PathBuf::from(bare));
    }
    if path.starts_with('/') {
        return Some(PathBuf::from(path));
    }
    // Another machine: Windows calls its folders `\\machine\folder`, other systems have no name for them.
    let named = rest.starts_with("//") && cfg!(windows);
    named.then(|| PathBuf::from(format!("//{path}")))
}

/// Whether a path begins as on Windows, `C:`.
fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// A text with its `%41` read as characters.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        if first == b'%' {
            let (digits, after) = after.split_at_checked(2)?;
            let digits = std::str::from_utf8(digits).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = after;
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_become_folders() {
        let folder = |uri| from_uri(uri).map(|p| p.display().to_string());
        assert_eq!(folder("file:///a/b%20c").as_deref(), Some("/a/b c"));
        assert_eq!(folder("file:/a").as_deref(), Some("/a"));
        assert_eq!(folder("file://localhost/a").as_deref(), Some("/a"));
        assert_eq!(folder("file:///C:/a").as_deref(), Some("C:/a"));
        assert_eq!(
            folder("file:///C:/Pr%C3%BCf%20stand").as_deref(),
            Some("C:/Prüf stand")
        );
        assert_eq!(folder("file://C:/a").as_deref(), Some("C:/a"));
        assert_eq!(folder("file:////machine/a").as_deref(), Some("//machine/a"));
        let other = folder("file://machine/a");
        assert_eq!(other.as_deref(), cfg!(windows).then_some("//machine/a"));
        for bad in ["", "/a", "http://a/b", "file:///a%2", "file:///%ff"] {
            assert_eq!(folder(bad), None, "{bad}");
        }
    }
}
