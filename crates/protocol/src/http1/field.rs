//! One field of a response's head, for those who need more than its framing.

/// The value of the field `name` in the head at the beginning of `response`, without blanks around it; `None` when the
/// head has no such field, or its line is not whole. Names are compared without case (RFC 9110, section 5.1).
#[must_use]
pub fn field<'a>(response: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let mut lines = response.split_inclusive(|&byte| byte == b'\n').skip(1);
    lines
        .by_ref()
        .map_while(|line| line.strip_suffix(b"\n").map(<[u8]>::trim_ascii))
        .take_while(|line| !line.is_empty())
        .find_map(|line| {
            let (found, value) = line.split_at_checked(name.len())?;
            let value = value.strip_prefix(b":")?;
            found.eq_ignore_ascii_case(name.as_bytes()).then(|| value.trim_ascii())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_found_in_the_head_alone() {
        let response = b"HTTP/1.1 200 OK\r\nSent-At: 12 \r\ncontent-length: 14\r\n\r\nother: body\r\n\r\n";
        let cases: &[(&str, Option<&[u8]>)] = &[
            ("sent-at", Some(b"12")),
            ("content-length", Some(b"14")),
            ("other", None),
            ("sent", None),
            ("HTTP/1.1 200 OK", None),
        ];
        for &(name, value) in cases {
            assert_eq!(field(response, name), value, "{name}");
        }
        assert_eq!(
            field(b"HTTP/1.1 200 OK\r\nsent-at: 1", "sent-at"),
            None,
            "the line goes on"
        );
        assert_eq!(field(b"", "sent-at"), None);
    }
}
