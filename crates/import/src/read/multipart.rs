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

/// Has a request send named values, whatever type of content it says.
pub(crate) fn put(request: &mut Request, parts: &[(Text, Text)]) {
    request.remove_header("content-type");
    request.headers.push(("content-type".to_owned(), content_type()));
    request.body = Body::Text(body(parts));
}

/// The body of named values.
pub(crate) fn body(parts: &[(Text, Text)]) -> Text {
    let mut body = Text::default();
    for (name, value) in parts {
        body.push_str(&format!("--{BOUNDARY}\r\ncontent-disposition: form-data; name=\""));
        body.append(&name.map(|literal| Text::literal(literal.replace('"', "%22"))));
        body.push_str("\"\r\n\r\n");
        body.append(value);
        body.push_str("\r\n");
    }
    body.push_str(&format!("--{BOUNDARY}--\r\n"));
    body
}
