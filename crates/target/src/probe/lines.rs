//! Lines out of bytes that come as they please. A line that is too long is dropped up to its end and counted; so no more
//! is ever held than a line may have.

/// The part of a line that has come so far.
#[derive(Debug, Default)]
pub(super) struct Lines {
    partial: Vec<u8>,
    /// The rest of the line is dropped.
    dropping: bool,
}

impl Lines {
    /// Takes in `bytes`. Gives each line that ends in them, without its end, to `on_line`, and `None` for each that turns
    /// out to be longer than `bytes_max`, whether it ends or not.
    pub(super) fn feed(&mut self, bytes: &[u8], bytes_max: usize, mut on_line: impl FnMut(Option<&[u8]>)) {
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let (line, after) = (&rest[..end], &rest[end + 1..]);
            rest = after;
            if self.dropping {
                // That was said when it began.
            } else if self.partial.len() + line.len() > bytes_max {
                on_line(None);
            } else if self.partial.is_empty() {
                on_line(Some(line));
            } else {
                self.partial.extend_from_slice(line);
                on_line(Some(&self.partial));
            }
            self.clear();
        }
        if self.dropping || rest.is_empty() {
            return;
        }
        if self.partial.len() + rest.len() > bytes_max {
            self.drop_rest();
            on_line(None);
        } else {
            self.partial.extend_from_slice(rest);
        }
    }

    /// Bytes of the line that is arriving; none when it is dropped.
    pub(super) fn partial_bytes(&self) -> usize {
        self.partial.len()
    }

    /// Bytes that are held.
    pub(super) fn held(&self) -> usize {
        self.partial.capacity()
    }

    /// Lets go of what has come of a line, and of what is still to come of it.
    pub(super) fn drop_rest(&mut self) {
        self.clear();
        self.dropping = true;
    }

    fn clear(&mut self) {
        self.dropping = false;
        // What a long line took is given back.
        if self.partial.capacity() > 1 << 16 {
            self.partial = Vec::new();
        } else {
            self.partial.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of `text` with at most three bytes, when it comes in pieces of `size`.
    fn check(text: &str, size: usize, expected: &[Option<&str>]) {
        let mut lines = Lines::default();
        let mut found = Vec::new();
        for piece in text.as_bytes().chunks(size) {
            lines.feed(piece, 3, |line| {
                found.push(line.map(|line| String::from_utf8_lossy(line).into_owned()));
            });
        }
        let found: Vec<Option<&str>> = found.iter().map(Option::as_deref).collect();
        assert_eq!(found, expected, "{text:?} by {size}");
    }

    #[test]
    fn lines_are_the_same_however_they_come() {
        for size in 1..12 {
            check("", size, &[]);
            check("ab", size, &[]);
            check("ab\n\nabc\n", size, &[Some("ab"), Some(""), Some("abc")]);
            check("abcd\nef\n", size, &[None, Some("ef")]);
            check("abcdefghijkl\nabcd\nx", size, &[None, None]);
        }
    }

    #[test]
    fn an_endless_line_holds_nothing() {
        let mut lines = Lines::default();
        let mut dropped = 0;
        for _ in 0..1000 {
            lines.feed(&[b'x'; 1000], 4000, |line| {
                assert_eq!(line, None);
                dropped += 1;
            });
            assert!(lines.held() <= 8000);
        }
        lines.feed(b"\nok\n", 4000, |line| assert_eq!(line, Some(b"ok".as_slice())));
        assert_eq!(dropped, 1);
    }
}
