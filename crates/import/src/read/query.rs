//! Names and values as forms and queries have them.

use crate::text::Text;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What stays in a value of a form or a query.
const IN_VALUE: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b'*');

/// A value as it is sent; variables stay.
pub(crate) fn encoded(text: &Text) -> Text {
    text.map(|literal| Text::literal(utf8_percent_encode(literal, IN_VALUE).to_string()))
}

/// `name=value&…`
pub(crate) fn form<'a>(pairs: impl IntoIterator<Item = (&'a Text, &'a Text)>) -> Text {
    let mut form = Text::default();
    for (name, value) in pairs {
        if !form.is_empty() {
            form.push_str("&");
        }
        form.append(&encoded(name));
        form.push_str("=");
        form.append(&encoded(value));
    }
    form
}

/// `url` with more of a query.
pub(crate) fn with_query(url: &Text, query: &Text) -> Text {
    if query.is_empty() {
        return url.clone();
    }
    let (mut url, fragment) = match url.split_once('#') {
        Some((url, fragment)) => (url, Some(fragment)),
        None => (url.clone(), None),
    };
    let mark = match url.split_once('?') {
        None => "?",
        Some((_, rest)) if rest.is_empty() => "",
        Some(_) => "&",
    };
    url.push_str(mark);
    url.append(query);
    if let Some(fragment) = fragment {
        url.push_str("#");
        url.append(&fragment);
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_encoded_and_variables_stay() {
        let pairs = [
            (Text::literal("a b"), Text::literal("c&d")),
            (Text::literal("e"), Text::with_braces("{{f}}")),
        ];
        let form = form(pairs.iter().map(|(name, value)| (name, value)));
        assert_eq!(form, Text::with_braces("a%20b=c%26d&e={{f}}"));
    }

    #[test]
    fn query_is_added_to_what_is_there() {
        let with = |url: &str| with_query(&Text::literal(url), &Text::literal("a=1"));
        for (url, expected) in [
            ("/x", "/x?a=1"),
            ("/x?", "/x?a=1"),
            ("/x?b", "/x?b&a=1"),
            ("/x#y", "/x?a=1#y"),
        ] {
            assert_eq!(with(url).as_literal(), Some(expected));
        }
    }
}
