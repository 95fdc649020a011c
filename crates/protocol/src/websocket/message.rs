//! One kind of message as a frame, with what varies in its place.

use super::frame::{FrameKind, write_frame};
use crate::Part;

/// Writes one kind of message, again and again.
#[derive(Debug, Clone)]
pub struct MessageLayout {
    kind: FrameKind,
    pieces: Vec<Piece>,
    literal_bytes: usize,
    mark: Option<usize>,
}

#[derive(Debug, Clone)]
enum Piece {
    Literal(Box<[u8]>),
    Variable(usize),
}

impl MessageLayout {
    /// A text of these parts. That it is UTF-8 is for the caller to know: a service closes the connection where it is not.
    #[must_use]
    pub fn text(parts: &[Part<'_>]) -> Self {
        Self::new(FrameKind::Text, parts)
    }

    /// The same, of which the value of this variable is the [mark](crate::mark): by that its response is known.
    #[must_use]
    pub fn marked_by(self, variable: usize) -> Self {
        Self {
            mark: Some(variable),
            ..self
        }
    }

    pub(super) fn mark(&self) -> Option<usize> {
        self.mark
    }

    fn new(kind: FrameKind, parts: &[Part<'_>]) -> Self {
        let pieces: Vec<Piece> = parts
            .iter()
            .map(|part| match *part {
                Part::Literal(bytes) => Piece::Literal(bytes.into()),
                Part::Variable(variable) => Piece::Variable(variable),
            })
            .collect();
        let literals = pieces.iter().map(|piece| match piece {
            Piece::Literal(bytes) => bytes.len(),
            Piece::Variable(_) => 0,
        });
        Self {
            literal_bytes: literals.sum(),
            kind,
            pieces,
            mark: None,
        }
    }

    /// Appends the message to `out`, masked. `value` gives the value of a variable and must give the same one throughout a call.
    pub fn encode<'v>(&self, value: impl Fn(usize) -> &'v [u8], mask: [u8; 4], out: &mut Vec<u8>) {
        let values = self.pieces.iter().map(|piece| match piece {
            Piece::Literal(_) => 0,
            Piece::Variable(variable) => value(*variable).len(),
        });
        let length = self.literal_bytes + values.sum::<usize>();
        write_frame(self.kind, length, mask, |out| self.append(value, out), out);
    }

    /// Appends what the message says to `out`.
    pub(crate) fn append<'v>(&self, value: impl Fn(usize) -> &'v [u8], out: &mut Vec<u8>) {
        for piece in &self.pieces {
            match piece {
                Piece::Literal(bytes) => out.extend_from_slice(bytes),
                Piece::Variable(variable) => out.extend_from_slice(value(*variable)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_count_in_the_length() {
        let layout = MessageLayout::text(&[Part::Literal(b"say "), Part::Variable(0), Part::Literal(b"!")]);
        for length in [0, 120, 121, 65_530, 65_531] {
            let value = vec![b'x'; length];
            let mut out = Vec::new();
            layout.encode(|_| &value, [0; 4], &mut out);
            let head = match length + 5 {
                0..=125 => vec![0x81, 0x80 | (length + 5) as u8],
                126..=65_535 => [&[0x81, 0xfe][..], &((length + 5) as u16).to_be_bytes()].concat(),
                _ => [&[0x81, 0xff][..], &((length + 5) as u64).to_be_bytes()].concat(),
            };
            assert_eq!(out[..head.len()], head, "{length}");
            assert_eq!(out.len(), head.len() + 4 + length + 5);
            assert!(out.ends_with(b"!"));
        }
    }
}
