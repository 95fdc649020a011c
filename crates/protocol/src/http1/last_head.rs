//! A head that comes again is not parsed again.

use super::error::Malformed;
use super::head::Head;
use crate::RequestKind;

/// Longest head that is kept for comparison: most are shorter, and one that is longer is cheap beside its transport.
const MAX_KEPT_BYTES: usize = 1024;

/// The head of the response before, on any connection of the same service.
///
/// Services send the same head over and over, but for a date that changes once a second. To compare it costs a tenth of
/// parsing it, and equal bytes have equal meaning.
#[derive(Debug, Default)]
pub struct LastHead {
    bytes: Vec<u8>,
    meaning: Option<(RequestKind, Head)>,
}

impl LastHead {
    /// What [`Head::parse`] gives for these bytes.
    #[inline]
    pub(super) fn parse(&mut self, bytes: &[u8], request: RequestKind) -> Result<Option<Head>, Malformed> {
        if let Some((kind, head)) = self.meaning
            && kind == request
            && bytes.starts_with(&self.bytes)
        {
            return Ok(Some(head));
        }
        let head = Head::parse(bytes, request)?;
        if let Some(head) = head
            && head.bytes <= MAX_KEPT_BYTES
        {
            self.bytes.clear();
            self.bytes.extend_from_slice(&bytes[..head.bytes]);
            self.meaning = Some((request, head));
        }
        Ok(head)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses these one after the other; each must be what it would be alone.
    fn check(heads: &[(&str, RequestKind)]) {
        let mut last = LastHead::default();
        for &(head, request) in heads {
            let bytes = head.as_bytes();
            assert_eq!(
                last.parse(bytes, request),
                Head::parse(bytes, request),
                "{head:?} {request:?}"
            );
        }
    }

    #[test]
    fn a_head_means_what_it_means_alone_whatever_came_before() {
        use RequestKind::{Head, Other};
        let two = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n";
        check(&[
            (two, Other),
            (&format!("{two}ok"), Other),
            (two, Head),
            (two, Other),
            ("HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n", Other),
            (
                "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n",
                Other,
            ),
            ("HTTP/1.1 200 OK\r\ncontent-le", Other),
            ("HTTP/1.1 OK\r\n\r\n", Other),
            (two, Other),
        ]);
    }

    #[test]
    fn a_long_head_is_not_kept() {
        let mut last = LastHead::default();
        let long = format!("HTTP/1.1 204 No Content\r\nx: {}\r\n\r\n", "y".repeat(MAX_KEPT_BYTES));
        assert!(
            last.parse(long.as_bytes(), RequestKind::Other)
                .is_ok_and(|head| head.is_some())
        );
        assert!(last.bytes.is_empty());
    }
}
