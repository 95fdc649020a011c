//! Whether a text is UTF-8, in whatever pieces it comes.

/// The beginning of a character that the last piece cut off.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct TextCheck {
    begun: [u8; 3],
    length: u8,
}

impl TextCheck {
    /// Takes the next piece; `false` when no text goes on so.
    pub(super) fn take(&mut self, mut piece: &[u8]) -> bool {
        while self.length > 0 {
            let Some((&next, rest)) = piece.split_first() else {
                return true;
            };
            piece = rest;
            let length = usize::from(self.length);
            let mut character = [0; 4];
            character[..length].copy_from_slice(&self.begun[..length]);
            character[length] = next;
            match std::str::from_utf8(&character[..=length]) {
                Ok(_) => self.length = 0,
                Err(error) if error.error_len().is_none() => {
                    self.begun[length] = next;
                    self.length += 1;
                }
                Err(_) => return false,
            }
        }
        match std::str::from_utf8(piece) {
            Ok(_) => true,
            Err(error) if error.error_len().is_none() => {
                let rest = &piece[error.valid_up_to()..];
                self.begun[..rest.len()].copy_from_slice(rest);
                self.length = rest.len() as u8;
                true
            }
            Err(_) => false,
        }
    }

    /// Whether the text may end here.
    pub(super) fn is_whole(self) -> bool {
        self.length == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_text(pieces: &[&[u8]]) -> bool {
        let mut check = TextCheck::default();
        pieces.iter().all(|piece| check.take(piece)) && check.is_whole()
    }

    #[test]
    fn texts_are_told_from_bytes_wherever_they_are_cut() {
        for bytes in [
            &b""[..],
            b"plain",
            "gr\u{fc}n \u{20ac} \u{1f600}".as_bytes(),
            b"\xff",
            b"a\xc3",
            b"\xed\xa0\x80",
            b"\xf0\x9f\x98",
            b"\xc0\xaf",
            b"\xf4\x90\x80\x80",
        ] {
            let expected = std::str::from_utf8(bytes).is_ok();
            assert_eq!(is_text(&[bytes]), expected, "{}", bytes.escape_ascii());
            for first in 0..=bytes.len() {
                for second in first..=bytes.len() {
                    let pieces = [&bytes[..first], &bytes[first..second], &bytes[second..]];
                    assert_eq!(is_text(&pieces), expected, "{} {first} {second}", bytes.escape_ascii());
                }
            }
        }
    }
}
