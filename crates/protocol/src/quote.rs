//! Text of others in our messages: one short, printable line.

/// Most bytes of foreign text that a message quotes.
const QUOTED_BYTES_MAX: usize = 60;

/// The first line of `bytes`, escaped and shortened so that it fits in a message.
pub(crate) fn quote_line(bytes: &[u8]) -> String {
    let line = bytes.split(|&b| b == b'\n').next().unwrap_or_default();
    quote(line.strip_suffix(b"\r").unwrap_or(line))
}

/// The first line of `bytes`, a header line, without its value: that may be a secret, and is not needed to find the line.
pub(crate) fn quote_field(bytes: &[u8]) -> String {
    match bytes.iter().position(|&b| b == b':' || b == b'\n') {
        Some(colon) if bytes[colon] == b':' && colon > 0 => {
            let name = &bytes[..colon.min(QUOTED_BYTES_MAX)];
            format!("`{}: …`", name.escape_ascii())
        }
        _ => quote_line(bytes),
    }
}

/// `bytes`, escaped and shortened so that they fit in a message.
pub(crate) fn quote(bytes: &[u8]) -> String {
    let shown = &bytes[..bytes.len().min(QUOTED_BYTES_MAX)];
    let ellipsis = if shown.len() < bytes.len() { "…" } else { "" };
    format!("`{}{ellipsis}`", shown.escape_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_one_short_printable_line() {
        assert_eq!(quote_line(b"HELO there\r\nmore"), "`HELO there`");
        assert_eq!(quote_line(b"\x15\x03\x01"), r"`\x15\x03\x01`");
        assert_eq!(quote_line(b""), "``");
        assert_eq!(quote_field(b"set-cookie: s=1\0\r\n"), "`set-cookie: …`");
        assert_eq!(quote_field(b"no colon\r\na: b"), "`no colon`");
        assert_eq!(quote_field(b": nameless"), "`: nameless`");
        assert_eq!(quote(&[b'a'; 61]), format!("`{}…`", "a".repeat(60)));
    }
}
