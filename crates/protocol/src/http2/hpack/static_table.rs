//! Fields that both ends know without being told (RFC 7541, appendix A).

/// Names and values; the first has the index 1.
pub(super) const STATIC: [(&str, &str); 61] = [
    (":authority", ""),
    (":method", "GET"),
    (":method", "POST"),
    (":path", "/"),
    (":path", "/index.html"),
    (":scheme", "http"),
    (":scheme", "https"),
    (":status", "200"),
    (":status", "204"),
    (":status", "206"),
    (":status", "304"),
    (":status", "400"),
    (":status", "404"),
    (":status", "500"),
    ("accept-charset", ""),
    ("accept-encoding", "gzip, deflate"),
    ("accept-language", ""),
    ("accept-ranges", ""),
    ("accept", ""),
    ("access-control-allow-origin", ""),
    ("age", ""),
    ("allow", ""),
    ("authorization", ""),
    ("cache-control", ""),
    ("content-disposition", ""),
    ("content-encoding", ""),
    ("content-language", ""),
    ("content-length", ""),
    ("content-location", ""),
    ("content-range", ""),
    ("content-type", ""),
    ("cookie", ""),
    ("date", ""),
    ("etag", ""),
    ("expect", ""),
    ("expires", ""),
    ("from", ""),
    ("host", ""),
    ("if-match", ""),
    ("if-modified-since", ""),
    ("if-none-match", ""),
    ("if-range", ""),
    ("if-unmodified-since", ""),
    ("last-modified", ""),
    ("link", ""),
    ("location", ""),
    ("max-forwards", ""),
    ("proxy-authenticate", ""),
    ("proxy-authorization", ""),
    ("range", ""),
    ("referer", ""),
    ("refresh", ""),
    ("retry-after", ""),
    ("server", ""),
    ("set-cookie", ""),
    ("strict-transport-security", ""),
    ("transfer-encoding", ""),
    ("user-agent", ""),
    ("vary", ""),
    ("via", ""),
    ("www-authenticate", ""),
];

/// What of a field the table has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// All of it, under this index.
    Field(u32),
    /// Its name, under this index.
    Name(u32),
    Nothing,
}

pub(super) fn find(name: &[u8], value: &[u8]) -> Found {
    let mut found = Found::Nothing;
    for (index, (known, known_value)) in (1..).zip(STATIC) {
        if known.as_bytes() == name {
            if known_value.as_bytes() == value {
                return Found::Field(index);
            }
            if found == Found::Nothing {
                found = Found::Name(index);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_found_by_as_much_as_is_there() {
        for (name, value, found) in [
            (":method", "GET", Found::Field(2)),
            (":method", "POST", Found::Field(3)),
            (":method", "PUT", Found::Name(2)),
            (":status", "500", Found::Field(14)),
            ("content-length", "0", Found::Name(28)),
            ("www-authenticate", "", Found::Field(61)),
            ("x-other", "", Found::Nothing),
        ] {
            assert_eq!(find(name.as_bytes(), value.as_bytes()), found, "{name}: {value}");
        }
    }
}
