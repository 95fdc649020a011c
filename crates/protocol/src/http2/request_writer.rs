//! Heads of requests on one connection.

use super::frame::{FrameHeader, HEADER_BYTES, Kind, MAX_PAYLOAD_BYTES, flag};
use super::hpack::SentTable;
use super::request_layout::{Field, Layout, Value};
use std::sync::Arc;

/// Writes the heads of requests. A kind of request whose constant fields are all in the header table of the peer is put together
/// once, and copied from then on.
#[derive(Debug, Clone)]
pub(super) struct RequestWriter {
    pub(super) table: SentTable,
    ready: Vec<Ready>,
    /// Which of them was used last.
    last: usize,
}

/// Kinds of requests that are kept ready on one connection. A scenario has a handful.
const MAX_READY: usize = 64;

/// A frame as it is sent, but for its stream and what varies.
#[derive(Debug, Clone)]
struct Ready {
    layout: Arc<Layout>,
    /// How often the table had changed: the indices hold for as long as it does not change again.
    changes: u32,
    frame: Vec<u8>,
    /// Behind how many bytes of `frame` each value that varies goes.
    varying: Vec<u32>,
}

impl RequestWriter {
    pub(super) fn new() -> Self {
        Self {
            table: SentTable::new(),
            ready: Vec::new(),
            last: 0,
        }
    }

    /// Appends the head of a request; `ends` where it has no body.
    #[inline]
    pub(super) fn write<'v>(
        &mut self,
        layout: &Arc<Layout>,
        stream: u32,
        ends: bool,
        value: &impl Fn(usize) -> &'v [u8],
        out: &mut Vec<u8>,
    ) {
        let start = out.len();
        match self.find(layout) {
            Some(ready) => ready.write(value, out),
            None => self.put_together(layout).write(value, out),
        }
        let flags = if ends {
            flag::END_HEADERS | flag::END_STREAM
        } else {
            flag::END_HEADERS
        };
        let header = FrameHeader {
            length: (out.len() - start - HEADER_BYTES) as u32,
            kind: Kind::HEADERS,
            flags,
            stream,
        };
        out[start..start + HEADER_BYTES].copy_from_slice(&header.bytes());
        if header.length as usize > MAX_PAYLOAD_BYTES {
            split(&header, start, out);
        }
    }

    #[inline]
    fn find(&mut self, layout: &Arc<Layout>) -> Option<&Ready> {
        let changes = self.table.changes();
        let fits = |ready: &Ready| ready.changes == changes && Arc::ptr_eq(&ready.layout, layout);
        if !self.ready.get(self.last).is_some_and(fits) {
            self.last = self.ready.iter().position(fits)?;
        }
        self.ready.get(self.last)
    }

    /// Puts a kind of request together, and keeps it if another one would look the same.
    #[inline(never)]
    fn put_together(&mut self, layout: &Arc<Layout>) -> Ready {
        let before = self.table.changes();
        let mut frame = vec![0; HEADER_BYTES];
        let mut varying = Vec::new();
        self.table.begin(&mut frame);
        for field in &layout.fields {
            match field {
                Field::Fixed(bytes) => frame.extend_from_slice(bytes),
                Field::Kept(field) => self.table.write(field, &mut frame),
                Field::Varying(bytes) => {
                    frame.extend_from_slice(bytes);
                    varying.push(frame.len() as u32);
                }
            }
        }
        frame.shrink_to_fit();
        let ready = Ready {
            layout: Arc::clone(layout),
            changes: self.table.changes(),
            frame,
            varying,
        };
        if ready.changes == before {
            self.keep(ready.clone());
        }
        ready
    }

    fn keep(&mut self, ready: Ready) {
        let outdated = |kept: &Ready| kept.changes != ready.changes || Arc::ptr_eq(&kept.layout, &ready.layout);
        match self.ready.iter().position(outdated) {
            Some(place) => {
                self.ready[place] = ready;
                self.last = place;
            }
            None if self.ready.len() < MAX_READY => {
                self.last = self.ready.len();
                self.ready.push(ready);
            }
            None => {
                self.last = (self.last + 1) % MAX_READY;
                self.ready[self.last] = ready;
            }
        }
    }
}

impl Ready {
    #[inline]
    fn write<'v>(&self, value: &impl Fn(usize) -> &'v [u8], out: &mut Vec<u8>) {
        if self.varying.is_empty() {
            out.extend_from_slice(&self.frame);
            return;
        }
        let mut from = 0;
        for (&end, varying) in self.varying.iter().zip(self.values()) {
            let end = end as usize;
            out.extend_from_slice(&self.frame[from..end]);
            varying.write(&self.layout.body, value, out);
            from = end;
        }
        out.extend_from_slice(&self.frame[from..]);
    }

    fn values(&self) -> &[Value] {
        &self.layout.varying
    }
}

/// Cuts a frame that is too long into the first one and those that continue it.
#[cold]
fn split(header: &FrameHeader, start: usize, out: &mut Vec<u8>) {
    let block = out.split_off(start + HEADER_BYTES);
    out.truncate(start);
    let last = block.chunks(MAX_PAYLOAD_BYTES).count() - 1;
    for (nth, piece) in block.chunks(MAX_PAYLOAD_BYTES).enumerate() {
        let ends = if nth == last { flag::END_HEADERS } else { 0 };
        let (kind, flags) = match nth {
            0 => (Kind::HEADERS, header.flags & flag::END_STREAM),
            _ => (Kind::CONTINUATION, 0),
        };
        let header = FrameHeader {
            length: piece.len() as u32,
            kind,
            flags: flags | ends,
            stream: header.stream,
        };
        header.write(out);
        out.extend_from_slice(piece);
    }
}
