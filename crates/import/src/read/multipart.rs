//! Bodies in parts, as forms with files are sent.

use crate::journey::{Body, Request};
use crate::text::Text;

/// Between the parts; the same in each import, so that a plan does not change from one to the next.
pub(crate) const BOUNDARY: &str = "plimsoll-7d1c0f9a4b6e2358";

/// The value of `content-type` that goes with it.
pub(crate) fn content_type() -> Text {
    Text::literal(format!("multipart/form-data; boundary={BOUNDARY}"))
}

/// Whether a type of content is one of such bodies.
pub(crate) fn is_media(media: &str) -> bool {
    media
        .trim_start()
        .get(..10)
        .is_some_and(|begin| begin.eq_ignore_ascii_case("multipart/"))
}

/// A named value, with its type where one is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) name: Text,
    pub(crate) value: Text,
    pub(crate) content_type: Option<Text>,
}

/// Has a request send named values, whatever type of content it says.
pub(crate) fn put(request: &mut Request, parts: &[(Text, Text)]) {
    put_parts(request, &parts_of(parts));
}

/// The same, with values that have types.
pub(crate) fn put_parts(request: &mut Request, parts: &[Part]) {
    request.remove_header("content-type");
    request.headers.push(("content-type".to_owned(), content_type()));
    request.body = Body::Text(body(parts));
}

fn parts_of(parts: &[(Text, Text)]) -> Vec<Part> {
    let part = |(name, value): &(Text, Text)| Part {
        name: name.clone(),
        value: value.clone(),
        content_type: None,
    };
    parts.iter().map(part).collect()
}

/// The body of named values.
fn body(parts: &[Part]) -> Text {
    let mut body = Text::default();
    for Part {
        name,
        value,
        content_type,
    } in parts
    {
        body.push_str(&format!("--{BOUNDARY}\r\ncontent-disposition: form-data; name=\""));
        body.append(&name.map(|literal| Text::literal(literal.replace('"', "%22"))));
        body.push_str("\"\r\n");
        if let Some(content_type) = content_type {
            body.push_str("content-type: ");
            body.append(content_type);
            body.push_str("\r\n");
        }
        body.push_str("\r\n");
        body.append(value);
        body.push_str("\r\n");
    }
    body.push_str(&format!("--{BOUNDARY}--\r\n"));
    body
}
