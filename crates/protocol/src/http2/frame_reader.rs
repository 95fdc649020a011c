//! Cuts the bytes of a connection into frames, and refuses those that cannot be where they are.
//!
//! What comes whole is read where it lies. Of a frame that is split over pieces a copy is made, but not of content, which is
//! handed on as it comes. A header block that is split over frames is put together.

use super::connection_error::ConnectionError;
use super::first_frame::{check_first, refuse_other_protocol};
use super::frame::{FrameHeader, HEADER_BYTES, Kind, MAX_PAYLOAD_BYTES, flag};
use super::limits::{MAX_HEAD_BYTES, MAX_HEADER_FRAMES};
use super::payload::{Payload, fragment};

/// Reads the frames of one connection.
#[derive(Debug, Clone, Default)]
pub(super) struct FrameReader {
    /// Beginning of a frame of which there is more to come.
    held: Vec<u8>,
    /// A header block of which there is more to come.
    block: Option<Box<Block>>,
    /// A DATA frame of which there is more to come.
    data: Option<Data>,
    /// The first frame has come, so that the service speaks HTTP/2.
    has_begun: bool,
    /// A frame that cannot be where it is.
    refused: Option<FrameHeader>,
}

#[derive(Debug, Clone)]
struct Block {
    header: FrameHeader,
    bytes: Vec<u8>,
    frames: u32,
}

#[derive(Debug, Clone, Copy)]
struct Data {
    header: FrameHeader,
    content: u32,
    padding: u32,
    /// How much padding there is comes next.
    is_padded: bool,
}

/// What comes next on a connection.
#[derive(Debug)]
pub(super) enum Next<'a> {
    /// A header block.
    Head { header: FrameHeader, block: Payload<'a> },
    /// Content of a DATA frame: all of it, or a piece.
    Content {
        header: FrameHeader,
        begins: bool,
        content: &'a [u8],
        ends: bool,
    },
    /// Part of a header block.
    Nothing,
    /// Any other frame.
    Frame { header: FrameHeader, payload: Payload<'a> },
}

impl FrameReader {
    /// Takes what comes next from the beginning of `bytes`; `None` when all of them are taken and there is more to come.
    #[inline]
    pub(super) fn next<'a>(&mut self, bytes: &mut &'a [u8]) -> Result<Option<Next<'a>>, ConnectionError> {
        if let Some(data) = self.data {
            return self.go_on_in_data(data, bytes).map(Some);
        }
        if !self.held.is_empty() {
            return self.go_on_in_frame(bytes);
        }
        let Some((header, rest)) = FrameHeader::split(bytes) else {
            return self.hold(bytes).map(|()| None);
        };
        if let Err(error) = self.check(&header, bytes) {
            self.refused = Some(header);
            return Err(error);
        }
        if header.kind == Kind::DATA {
            *bytes = rest;
            return self.begin_data(header, bytes).map(Some);
        }
        let Some((payload, behind)) = rest.split_at_checked(header.length as usize) else {
            return self.hold(bytes).map(|()| None);
        };
        *bytes = behind;
        self.frame(header, Payload::Here(payload))
    }

    /// Whether a frame begins with the next byte, and any may come.
    #[inline]
    pub(super) fn is_between_frames(&self) -> bool {
        self.has_begun && self.held.is_empty() && self.data.is_none() && self.block.is_none()
    }

    /// How many bytes of a header block for this stream have come.
    pub(super) fn head_bytes(&self, stream: u32) -> usize {
        let held = FrameHeader::split(&self.held).filter(|(header, _)| header.kind == Kind::HEADERS);
        match (&self.block, held) {
            (Some(block), _) if block.header.stream == stream => block.bytes.len(),
            (_, Some((header, payload))) if header.stream == stream => payload.len(),
            _ => 0,
        }
    }

    /// The service has ended the connection. What had come then may be no frame.
    pub(super) fn end(&self) -> Result<(), ConnectionError> {
        match self.held[..] {
            [] => Ok(()),
            _ if self.has_begun => Ok(()),
            _ => refuse_other_protocol(&self.held, true),
        }
    }

    /// The bytes of a frame whose end has not come.
    pub(super) fn held(&self) -> &[u8] {
        &self.held
    }

    /// The frame that was refused.
    pub(super) fn refused(&self) -> Option<FrameHeader> {
        self.refused
    }

    /// Keeps the beginning of a frame.
    #[inline(never)]
    fn hold(&mut self, bytes: &mut &[u8]) -> Result<(), ConnectionError> {
        self.held.extend_from_slice(bytes);
        *bytes = &[];
        match self.has_begun {
            true => Ok(()),
            false => refuse_other_protocol(&self.held, false),
        }
    }

    /// Completes a frame of which the beginning is held.
    #[inline(never)]
    fn go_on_in_frame<'a>(&mut self, bytes: &mut &'a [u8]) -> Result<Option<Next<'a>>, ConnectionError> {
        if self.held.len() < HEADER_BYTES {
            self.fill(HEADER_BYTES, bytes);
        }
        let Some((header, _)) = FrameHeader::split(&self.held) else {
            return self.hold(bytes).map(|()| None);
        };
        if let Err(error) = self.check(&header, &self.held) {
            self.refused = Some(header);
            return Err(error);
        }
        if header.kind == Kind::DATA {
            self.held = Vec::new();
            return self.begin_data(header, bytes).map(Some);
        }
        let end = HEADER_BYTES + header.length as usize;
        self.fill(end, bytes);
        if self.held.len() < end {
            self.has_begun = true;
            return Ok(None);
        }
        let held = std::mem::take(&mut self.held);
        let payload = Payload::Held {
            bytes: held,
            from: HEADER_BYTES,
            to: end,
        };
        self.frame(header, payload)
    }

    /// Holds more, up to this length.
    fn fill(&mut self, length: usize, bytes: &mut &[u8]) {
        let missing = length.saturating_sub(self.held.len()).min(bytes.len());
        let (taken, rest) = bytes.split_at(missing);
        self.held.extend_from_slice(taken);
        *bytes = rest;
    }

    /// Refuses what can be seen to be wrong without the payload. `bytes` begin with the header.
    #[inline]
    fn check(&self, header: &FrameHeader, bytes: &[u8]) -> Result<(), ConnectionError> {
        if !self.has_begun {
            check_first(header, bytes)?;
        }
        if header.length as usize > MAX_PAYLOAD_BYTES {
            let (kind, length) = (header.kind, header.length);
            return Err(ConnectionError::FrameTooLarge { kind, length });
        }
        if self.block.is_some() || !matches!(header.kind, Kind::DATA | Kind::HEADERS) || header.stream == 0 {
            return self.check_other(header);
        }
        Ok(())
    }

    #[inline(never)]
    fn check_other(&self, header: &FrameHeader) -> Result<(), ConnectionError> {
        if self.block.is_some() || header.kind == Kind::CONTINUATION {
            self.check_block(header)?;
        }
        let FrameHeader {
            length, kind, stream, ..
        } = *header;
        let is_of_stream = match kind {
            Kind::DATA | Kind::HEADERS | Kind::PRIORITY | Kind::RST_STREAM => stream != 0,
            Kind::SETTINGS | Kind::PING | Kind::GOAWAY => stream == 0,
            Kind::PUSH_PROMISE => return Err(ConnectionError::Push),
            _ => true,
        };
        let has_length = match kind {
            Kind::RST_STREAM | Kind::WINDOW_UPDATE => length == 4,
            Kind::SETTINGS if header.has(flag::ACK) => length == 0,
            Kind::SETTINGS => length.is_multiple_of(6),
            Kind::PING => length == 8,
            Kind::GOAWAY => length >= 8,
            _ => true,
        };
        match (is_of_stream, has_length) {
            (false, _) => Err(ConnectionError::WrongStream { kind, stream }),
            (_, false) => Err(ConnectionError::FrameLength { kind, length }),
            _ => Ok(()),
        }
    }

    /// Within a header block nothing comes but what continues it (RFC 9113, section 6.10).
    #[inline(never)]
    fn check_block(&self, header: &FrameHeader) -> Result<(), ConnectionError> {
        let (kind, stream) = (header.kind, header.stream);
        let Some(block) = &self.block else {
            return Err(ConnectionError::NoBlock { stream });
        };
        if kind != Kind::CONTINUATION || stream != block.header.stream {
            let block = block.header.stream;
            return Err(ConnectionError::WithinBlock { kind, stream, block });
        }
        if block.bytes.len() + header.length as usize > MAX_HEAD_BYTES {
            return Err(ConnectionError::BlockTooLarge);
        }
        if block.frames >= MAX_HEADER_FRAMES {
            return Err(ConnectionError::BlockTooScattered);
        }
        Ok(())
    }

    /// A whole frame that is not DATA.
    #[inline]
    fn frame<'a>(&mut self, header: FrameHeader, payload: Payload<'a>) -> Result<Option<Next<'a>>, ConnectionError> {
        if header.kind == Kind::HEADERS && header.has(flag::END_HEADERS) {
            let block = fragment(&header, payload)?;
            return Ok(Some(Next::Head { header, block }));
        }
        self.other_frame(header, payload)
    }

    #[inline(never)]
    fn other_frame<'a>(
        &mut self,
        header: FrameHeader,
        payload: Payload<'a>,
    ) -> Result<Option<Next<'a>>, ConnectionError> {
        self.has_begun = true;
        match header.kind {
            Kind::HEADERS => {
                let bytes = fragment(&header, payload)?.to_vec();
                self.block = Some(Box::new(Block {
                    header,
                    bytes,
                    frames: 1,
                }));
            }
            Kind::CONTINUATION => {
                let Some(mut block) = self.block.take() else {
                    return Err(ConnectionError::NoBlock { stream: header.stream });
                };
                block.bytes.extend_from_slice(&payload);
                block.frames += 1;
                if header.has(flag::END_HEADERS) {
                    let to = block.bytes.len();
                    let (header, bytes) = (block.header, block.bytes);
                    let block = Payload::Held { bytes, from: 0, to };
                    return Ok(Some(Next::Head { header, block }));
                }
                self.block = Some(block);
            }
            _ => return Ok(Some(Next::Frame { header, payload })),
        }
        Ok(Some(Next::Nothing))
    }

    #[inline]
    fn begin_data<'a>(&mut self, header: FrameHeader, bytes: &mut &'a [u8]) -> Result<Next<'a>, ConnectionError> {
        if !header.has(flag::PADDED)
            && let Some((content, rest)) = bytes.split_at_checked(header.length as usize)
        {
            *bytes = rest;
            return Ok(Next::Content {
                header,
                begins: true,
                content,
                ends: true,
            });
        }
        self.begin_data_in_pieces(header)
    }

    #[inline(never)]
    fn begin_data_in_pieces<'a>(&mut self, header: FrameHeader) -> Result<Next<'a>, ConnectionError> {
        let is_padded = header.has(flag::PADDED);
        let Some(content) = header.length.checked_sub(is_padded.into()) else {
            return Err(ConnectionError::Padding { kind: header.kind });
        };
        self.data = Some(Data {
            header,
            content,
            padding: 0,
            is_padded,
        });
        Ok(Next::Content {
            header,
            begins: true,
            content: &[],
            ends: false,
        })
    }

    /// Takes what there is of the payload of a DATA frame. `bytes` are not empty.
    #[inline(never)]
    fn go_on_in_data<'a>(&mut self, mut data: Data, bytes: &mut &'a [u8]) -> Result<Next<'a>, ConnectionError> {
        if data.is_padded
            && let Some((&padding, rest)) = bytes.split_first()
        {
            *bytes = rest;
            data.is_padded = false;
            data.padding = padding.into();
            let kind = Kind::DATA;
            data.content = data
                .content
                .checked_sub(data.padding)
                .ok_or(ConnectionError::Padding { kind })?;
        }
        let (content, rest) = bytes.split_at(bytes.len().min(data.content as usize));
        // No more than what there was, which is a number of 32 bits.
        data.content -= content.len() as u32;
        let (padding, rest) = match data.content {
            0 => rest.split_at(rest.len().min(data.padding as usize)),
            _ => (&[][..], rest),
        };
        data.padding -= padding.len() as u32;
        *bytes = rest;
        let ends = data.content == 0 && data.padding == 0 && !data.is_padded;
        self.data = (!ends).then_some(data);
        Ok(Next::Content {
            header: data.header,
            begins: false,
            content,
            ends,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kind, stream and payload.
    type Frames = Vec<(u8, u32, Vec<u8>)>;

    /// What a reader says of these bytes, with the content of DATA frames put together.
    fn read<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> (Frames, Result<(), ConnectionError>) {
        let mut reader = FrameReader::default();
        let mut frames = Frames::new();
        for mut piece in pieces {
            while !piece.is_empty() {
                match reader.next(&mut piece) {
                    Ok(Some(Next::Head { header, block })) => frames.push((1, header.stream, block.to_vec())),
                    Ok(Some(Next::Frame { header, payload })) => {
                        frames.push((header.kind.0, header.stream, payload.to_vec()));
                    }
                    Ok(Some(Next::Content {
                        header,
                        begins,
                        content,
                        ..
                    })) => {
                        if begins {
                            frames.push((0, header.stream, Vec::new()));
                        }
                        frames.last_mut().expect("it has begun").2.extend_from_slice(content);
                    }
                    Ok(Some(Next::Nothing)) => {}
                    Ok(None) => assert!(piece.is_empty()),
                    Err(error) => return (frames, Err(error)),
                }
            }
        }
        (frames, reader.end())
    }

    const SETTINGS: &[u8] = &[0, 0, 0, 4, 0, 0, 0, 0, 0];

    fn frame(kind: u8, flags: u8, stream: u8, payload: &[u8]) -> Vec<u8> {
        [&[0, 0, payload.len() as u8, kind, flags, 0, 0, 0, stream], payload].concat()
    }

    #[track_caller]
    fn check(bytes: &[u8], expected: &[(u8, u32, &[u8])], outcome: &Result<(), ConnectionError>) {
        let expected: Frames = expected
            .iter()
            .map(|(kind, stream, bytes)| (*kind, *stream, bytes.to_vec()))
            .collect();
        assert_eq!(read([bytes]), (expected.clone(), outcome.clone()));
        for length in 1..12 {
            assert_eq!(
                read(bytes.chunks(length)),
                (expected.clone(), outcome.clone()),
                "{length}"
            );
        }
    }

    #[test]
    fn frames_are_read_without_padding_and_priority() {
        let bytes = [
            SETTINGS,
            &frame(1, 0x2c, 1, &[2, 9, 9, 9, 9, 9, b'a', b'b', 0, 0]),
            &frame(0, 0x08, 1, &[1, b'c', b'd', 0]),
            &frame(0, 0x08, 3, &[0]),
            &frame(0, 0x00, 1, b"efg"),
            &frame(0, 0x01, 1, b""),
            &frame(0x42, 0xff, 5, b"unknown"),
        ]
        .concat();
        let expected: &[(u8, u32, &[u8])] = &[
            (4, 0, b""),
            (1, 1, b"ab"),
            (0, 1, b"cd"),
            (0, 3, b""),
            (0, 1, b"efg"),
            (0, 1, b""),
            (0x42, 5, b"unknown"),
        ];
        check(&bytes, expected, &Ok(()));
    }

    #[test]
    fn a_header_block_over_frames_is_put_together() {
        let bytes = [
            SETTINGS,
            &frame(1, 0x09, 1, &[1, b'a', 0]),
            &frame(9, 0, 1, b"b"),
            &frame(9, 0, 1, b""),
            &frame(9, 4, 1, b"c"),
        ];
        check(&bytes.concat(), &[(4, 0, b""), (1, 1, b"abc")], &Ok(()));
        let bytes = [SETTINGS, &frame(1, 0, 1, b"a"), &frame(6, 0, 0, &[0; 8])];
        let within = ConnectionError::WithinBlock {
            kind: Kind::PING,
            stream: 0,
            block: 1,
        };
        check(&bytes.concat(), &[(4, 0, b"")], &Err(within));
        let bytes = [SETTINGS, &frame(9, 4, 1, b"a")];
        check(
            &bytes.concat(),
            &[(4, 0, b"")],
            &Err(ConnectionError::NoBlock { stream: 1 }),
        );
    }

    #[test]
    fn padding_that_is_longer_than_its_frame_is_refused() {
        for (kind, payload) in [(0, &[2, 0][..]), (0, &[]), (1, &[2, 0]), (1, &[])] {
            let bytes = [SETTINGS, &frame(kind, 0x0c, 1, payload)].concat();
            let outcome = read([&bytes[..]]).1;
            assert_eq!(
                outcome,
                Err(ConnectionError::Padding { kind: Kind(kind) }),
                "{payload:?}"
            );
        }
    }
}
