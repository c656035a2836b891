//! Elements of an XML document.

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, Event};
use std::borrow::Cow;

/// A document being written.
pub(super) struct Xml {
    writer: Writer<Vec<u8>>,
}

impl Xml {
    pub fn new() -> Self {
        let mut xml = Self {
            writer: Writer::new_with_indent(Vec::new(), b' ', 2),
        };
        xml.write(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
        xml
    }

    /// An element without content; attributes without a value are left out.
    pub fn leaf(&mut self, name: &str, attributes: &[(&str, Option<String>)]) {
        self.write(Event::Empty(tag(name, attributes)));
    }

    /// An element with content.
    pub fn nest(
        &mut self,
        name: &str,
        attributes: &[(&str, Option<String>)],
        content: impl FnOnce(&mut Self),
    ) {
        self.write(Event::Start(tag(name, attributes)));
        content(self);
        self.write(Event::End(BytesEnd::new(name)));
    }

    fn write(&mut self, event: Event<'_>) {
        // Writing to memory does not fail.
        let _ = self.writer.write_event(event);
    }

    pub fn finish(self) -> String {
        let mut out = String::from_utf8_lossy(&self.writer.into_inner()).into_owned();
        out.push('\n');
        out
    }
}

fn tag<'a>(name: &'a str, attributes: &[(&str, Option<String>)]) -> BytesStart<'a> {
    let mut tag = BytesStart::new(name);
    for (key, value) in attributes {
        if let Some(value) = value {
            tag.push_attribute((*key, Cow::from(writable(value))));
        }
    }
    tag
}

/// The text on one line, without the characters that XML has no way to write.
fn writable(text: &str) -> String {
    text.chars()
        .map(|c| {
            if matches!(c, '\n' | '\r' | '\t') {
                ' '
            } else {
                c
            }
        })
        .filter(|c| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_people_cannot_break_out() {
        let mut xml = Xml::new();
        xml.leaf("a", &[("b", Some("a<b> & \"c\"\u{1}\n".to_owned()))]);
        assert_eq!(
            xml.finish(),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a b=\"a&lt;b&gt; &amp; &quot;c&quot; \"/>\n"
        );
    }
}
