//! What a field of a response means for whoever reads its head, and what may be wrong with a field (RFC 9113, section 8.2).

/// What a field means. Kept with the fields of the dynamic table, so that it is found out once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Status(u16),
    ContentLength(u64),
    /// The content is that of a response to a call.
    CallContent,
    /// It says nothing about the framing.
    Other,
    Wrong(Wrong),
}

/// What is wrong with a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrong {
    /// A pseudo-header that responses do not have.
    PseudoHeader,
    Status,
    ContentLength,
    Name,
    Value,
    /// It belongs to HTTP/1.1.
    Connection,
}

impl Meaning {
    pub(super) fn of(name: &[u8], value: &[u8]) -> Self {
        match name {
            b":status" => match *value {
                [a @ b'1'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9'] => {
                    let digit = |byte: u8| u16::from(byte - b'0');
                    Self::Status(100 * digit(a) + 10 * digit(b) + digit(c))
                }
                _ => Self::Wrong(Wrong::Status),
            },
            [b':', ..] => Self::Wrong(Wrong::PseudoHeader),
            b"content-length" => length(value).map_or(Self::Wrong(Wrong::ContentLength), Self::ContentLength),
            b"connection" | b"keep-alive" | b"proxy-connection" | b"transfer-encoding" | b"upgrade" => {
                Self::Wrong(Wrong::Connection)
            }
            _ if name.is_empty() || !name.iter().all(|&byte| may_be_in_name(byte)) => Self::Wrong(Wrong::Name),
            _ if !is_value(value) => Self::Wrong(Wrong::Value),
            b"content-type" if is_of_calls(value) => Self::CallContent,
            _ => Self::Other,
        }
    }
}

fn length(value: &[u8]) -> Option<u64> {
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        return None;
    }
    value.iter().try_fold(0_u64, |length, digit| {
        length.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
    })
}

/// `application/grpc`, with a suffix or parameters or without.
fn is_of_calls(content_type: &[u8]) -> bool {
    const OF_CALLS: &[u8] = b"application/grpc";
    let (kind, rest) = content_type.split_at(content_type.len().min(OF_CALLS.len()));
    kind.eq_ignore_ascii_case(OF_CALLS) && matches!(rest.first(), None | Some(b'+' | b';' | b' '))
}

fn may_be_in_name(byte: u8) -> bool {
    matches!(byte, b'!'..=b'~') && byte != b':' && !byte.is_ascii_uppercase()
}

fn is_value(value: &[u8]) -> bool {
    let is_blank = |byte: Option<&u8>| matches!(byte, Some(b' ' | b'\t'));
    !is_blank(value.first()) && !is_blank(value.last()) && !value.iter().any(|byte| b"\0\r\n".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_mean_what_the_rfc_says() {
        use Meaning::{CallContent, ContentLength, Other, Status, Wrong as Bad};
        for (name, value, meaning) in [
            (":status", "200", Status(200)),
            (":status", "999", Status(999)),
            (":status", "099", Bad(Wrong::Status)),
            (":status", "2000", Bad(Wrong::Status)),
            (":status", "", Bad(Wrong::Status)),
            (":path", "/", Bad(Wrong::PseudoHeader)),
            ("content-length", "0012", ContentLength(12)),
            ("content-length", "18446744073709551615", ContentLength(u64::MAX)),
            ("content-length", "18446744073709551616", Bad(Wrong::ContentLength)),
            ("content-length", "-1", Bad(Wrong::ContentLength)),
            ("content-length", "", Bad(Wrong::ContentLength)),
            ("transfer-encoding", "chunked", Bad(Wrong::Connection)),
            ("content-type", "application/grpc", CallContent),
            ("content-type", "Application/gRPC+proto", CallContent),
            ("content-type", "application/grpc; a=b", CallContent),
            ("content-type", "application/grpc-web", Other),
            ("content-type", "application/grp", Other),
            ("content-type", "text/html", Other),
            ("content-type", "application/grpc\n", Bad(Wrong::Value)),
            ("server", "a b", Other),
            ("server", "", Other),
            ("server", " a", Bad(Wrong::Value)),
            ("server", "a\t", Bad(Wrong::Value)),
            ("server", "a\nb", Bad(Wrong::Value)),
            ("Server", "a", Bad(Wrong::Name)),
            ("", "a", Bad(Wrong::Name)),
            ("a b", "a", Bad(Wrong::Name)),
            ("a:", "a", Bad(Wrong::Name)),
            ("\u{e9}", "a", Bad(Wrong::Name)),
        ] {
            assert_eq!(
                Meaning::of(name.as_bytes(), value.as_bytes()),
                meaning,
                "{name}: {value}"
            );
        }
    }
}
