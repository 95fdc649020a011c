//! XML as a tree of elements with their lines. A document type is refused, so there are no entities but those of XML itself.

use crate::error::ImportError;
use crate::left_out::Place;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

const DEPTH_MAX: usize = 200;
const MOST_ELEMENTS: usize = 500_000;

/// An element.
#[derive(Debug, Default)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) line: usize,
    attributes: Vec<(String, String)>,
    pub(crate) text: String,
    pub(crate) children: Vec<Element>,
}

impl Element {
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// The root of a document.
pub(crate) fn read(text: &str) -> Result<Element, ImportError> {
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
    let mut lines = Lines { text, at: 0, line: 1 };
    let mut open: Vec<Element> = vec![Element::default()];
    let mut count = 0;
    loop {
        let line = lines.at(reader.buffer_position());
        let place = Place::Line(line);
        let malformed =
            |why: String| ImportError::new(Some(&place), "text that is not XML", "a document in XML").hint(why);
        let event = reader.read_event().map_err(|error| malformed(error.to_string()))?;
        let Some(top) = open.last_mut() else {
            return Err(malformed("an element ends that did not begin".to_owned()));
        };
        match event {
            Event::Start(start) => {
                open.push(element(&start, line).map_err(malformed)?);
                count += 1;
                if open.len() > DEPTH_MAX || count > MOST_ELEMENTS {
                    return Err(ImportError::new(
                        Some(&place),
                        "a further element",
                        format!("at most {DEPTH_MAX} in each other and {MOST_ELEMENTS} in all"),
                    ));
                }
            }
            Event::Empty(start) => {
                top.children.push(element(&start, line).map_err(malformed)?);
                count += 1;
            }
            Event::End(_) => {
                let done = open.pop().unwrap_or_default();
                match open.last_mut() {
                    Some(parent) => parent.children.push(done),
                    None => return Err(malformed("an element ends that did not begin".to_owned())),
                }
            }
            Event::Text(text) => top.text.push_str(&text.xml10_content()),
            Event::CData(text) => top.text.push_str(&text.xml10_content()),
            Event::GeneralRef(reference) => {
                let character = reference
                    .resolve_char_ref()
                    .map_err(|error| malformed(error.to_string()))?;
                match (character, &*reference) {
                    (Some(c), _) => top.text.push(c),
                    (None, "amp") => top.text.push('&'),
                    (None, "lt") => top.text.push('<'),
                    (None, "gt") => top.text.push('>'),
                    (None, "quot") => top.text.push('"'),
                    (None, "apos") => top.text.push('\''),
                    (None, _) => return Err(malformed("an entity that is not one of XML".to_owned())),
                }
            }
            Event::DocType(_) => {
                return Err(ImportError::new(
                    Some(&place),
                    "a document type",
                    "a document without one",
                ));
            }
            Event::Eof => break,
            Event::Decl(_) | Event::PI(_) | Event::Comment(_) => {}
        }
    }
    let place = Place::Line(lines.at(reader.buffer_position()));
    let unfinished = || ImportError::new(Some(&place), "the end of the file", "the end of an element");
    let root = open.pop().filter(|_| open.is_empty()).ok_or_else(unfinished)?;
    root.children.into_iter().next().ok_or_else(unfinished)
}

fn element(start: &BytesStart<'_>, line: usize) -> Result<Element, String> {
    let mut element = Element {
        name: start.name().as_ref().to_owned(),
        line,
        ..Element::default()
    };
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let value = attribute
            .normalized_value(XmlVersion::Implicit1_0)
            .map_err(|error| error.to_string())?;
        element
            .attributes
            .push((attribute.key.as_ref().to_owned(), value.into_owned()));
    }
    Ok(element)
}

/// Lines of places that are asked for in ascending order.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl Lines<'_> {
    fn at(&mut self, position: u64) -> usize {
        let position = (position as usize).min(self.text.len());
        let passed = self.text.as_bytes().get(self.at..position).unwrap_or_default();
        self.line += passed.iter().filter(|byte| **byte == b'\n').count();
        self.at = position.max(self.at);
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_have_lines_attributes_and_text() {
        let root =
            read("<?xml version=\"1.0\"?>\n<a b=\"x &amp; y\">\n  <c>1 &lt; 2 &#65;</c><d/>\n</a>\n").expect("XML");
        assert_eq!(
            (root.name.as_str(), root.line, root.attribute("b")),
            ("a", 2, Some("x & y"))
        );
        assert_eq!((root.children[0].text.as_str(), root.children[0].line), ("1 < 2 A", 3));
        assert_eq!(root.children[1].name, "d");
    }

    #[test]
    fn entities_of_a_document_and_endless_depth_are_refused() {
        for text in [
            "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>",
            "<a>&b;</a>",
            "<a>",
            "</a>",
            "",
            "text",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        let deep = "<a>".repeat(DEPTH_MAX + 10);
        assert!(read(&deep).expect_err("deep").to_string().contains("in each other"));
    }
}
