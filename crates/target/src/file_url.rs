//! The path that a `file:` URL names.

/// `file:///a%20b.js` is `/a b.js`; `node:fs` and paths stay what they are.
pub(crate) fn path_of(url: &str) -> String {
    let Some(path) = url.strip_prefix("file://") else {
        return url.to_owned();
    };
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let escape = (first == b'%').then(|| after.get(..2)).flatten();
        let decoded = escape
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(decoded.unwrap_or(first));
        rest = if decoded.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_of_a_file_url_is_decoded_and_others_stay() {
        for (url, path) in [
            ("file:///a%20b.js", "/a b.js"),
            ("file:///a.js?x=1#y", "/a.js"),
            ("file:///100%.js", "/100%.js"),
            ("file:///%ff.js", "/%ff.js"),
            ("node:fs", "node:fs"),
            ("/a%20b.js", "/a%20b.js"),
        ] {
            assert_eq!(path_of(url), path, "{url}");
        }
    }
}
