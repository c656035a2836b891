//! Elements of an XML document, as text.

use std::fmt::Write as _;

/// A document under way.
#[derive(Debug)]
pub(super) struct Xml {
    out: String,
    depth: usize,
}

impl Xml {
    pub fn new() -> Self {
        Self {
            out: String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"),
            depth: 0,
        }
    }

    /// An element without content; attributes without a value are left out.
    pub fn leaf(&mut self, name: &str, attributes: &[(&str, Option<String>)]) {
        self.tag(name, attributes, "/>");
    }

    /// An element with content.
    pub fn nest(
        &mut self,
        name: &str,
        attributes: &[(&str, Option<String>)],
        content: impl FnOnce(&mut Self),
    ) {
        self.tag(name, attributes, ">");
        self.depth += 1;
        content(self);
        self.depth -= 1;
        let _ = writeln!(self.out, "{:1$}</{name}>", "", 2 * self.depth);
    }

    fn tag(&mut self, name: &str, attributes: &[(&str, Option<String>)], end: &str) {
        let _ = write!(self.out, "{:1$}<{name}", "", 2 * self.depth);
        for (key, value) in attributes {
            if let Some(value) = value {
                let _ = write!(self.out, " {key}=\"{}\"", escaped(value));
            }
        }
        let _ = writeln!(self.out, "{end}");
    }

    pub fn finish(self) -> String {
        self.out
    }
}

/// Text inside the quotes of an attribute. Characters that XML has no way to write are left out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\r' | '\t' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_people_cannot_break_out() {
        assert_eq!(
            escaped("a<b> & \"c\"\u{1}\n"),
            "a&lt;b&gt; &amp; &quot;c&quot; "
        );
    }
}
