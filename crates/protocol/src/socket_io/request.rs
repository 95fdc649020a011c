//! What a client of Socket.IO sends, laid out once.

use crate::request::literals;
use crate::websocket::{MessageLayout, Opening, WebSocketRequest};
use crate::{InvalidRequest, Part, RequestParts};

/// Where services are reached unless they say otherwise.
const USUAL_PATH: &[u8] = b"/socket.io/";
/// Engine.IO 4 over a WebSocket from the beginning.
const QUERY: &[u8] = b"EIO=4&transport=websocket";
/// The namespace that has no name in packets.
const ROOT: &str = "/";
/// Stands for the number by which an acknowledgement is known, as if it were a variable of the caller.
pub(super) const NUMBER: usize = usize::MAX;

/// What is sent on a connection of Socket.IO.
#[derive(Debug, Clone)]
pub enum SocketIoRequest {
    /// What opens it, once and before all else.
    Opening(SocketIoOpening),
    /// An event.
    Event(EventLayout),
}

/// The opening handshake, and how the client joins its namespace.
#[derive(Debug, Clone)]
pub struct SocketIoOpening {
    pub(super) opening: WebSocketRequest,
    pub(super) join: MessageLayout,
}

impl SocketIoOpening {
    /// Lays out the handshake that `request` makes, for this namespace, such as `/`. `auth` is what the client says of itself, an object
    /// in JSON, or nothing.
    ///
    /// # Errors
    /// When a literal would break the framing of the request.
    pub fn new(request: &RequestParts<'_>, namespace: &str, auth: &[Part<'_>]) -> Result<Self, InvalidRequest> {
        let varies = request.target.iter().any(|part| matches!(part, Part::Variable(_)));
        let mut target = match !varies && literals(request.target).flatten().eq(b"/") {
            true => vec![Part::Literal(USUAL_PATH)],
            false => request.target.to_vec(),
        };
        let has_query = literals(&target).any(|literal| literal.contains(&b'?'));
        target.push(Part::Literal(if has_query { b"&" } else { b"?" }));
        target.push(Part::Literal(QUERY));
        let mut join = vec![Part::Literal(b"40")];
        join.extend(in_packet(namespace));
        join.extend_from_slice(auth);
        Ok(Self {
            opening: WebSocketRequest::Opening(Opening::new(&RequestParts {
                target: &target,
                ..*request
            })?),
            join: MessageLayout::text(&join),
        })
    }

    /// Whether `value` may stand for `variable`.
    ///
    /// # Errors
    /// As [`Opening::check_value`].
    pub fn check_value(&self, variable: usize, value: &[u8]) -> Result<(), InvalidRequest> {
        match &self.opening {
            WebSocketRequest::Opening(opening) => opening.check_value(variable, value),
            WebSocketRequest::Message(_) => Ok(()),
        }
    }
}

/// One kind of event.
#[derive(Debug, Clone)]
pub struct EventLayout {
    pub(super) message: WebSocketRequest,
    /// Whether it asks for an acknowledgement.
    pub(super) asks: bool,
}

impl EventLayout {
    /// An event in this namespace: a list in JSON, first its name and then its arguments.
    #[must_use]
    pub fn new(namespace: &str, event: &[Part<'_>], asks: bool) -> Self {
        let mut packet = vec![Part::Literal(b"42")];
        packet.extend(in_packet(namespace));
        if asks {
            packet.push(Part::Variable(NUMBER));
        }
        packet.extend_from_slice(event);
        Self {
            message: WebSocketRequest::Message(MessageLayout::text(&packet)),
            asks,
        }
    }
}

/// How a packet names its namespace.
fn in_packet(namespace: &str) -> impl Iterator<Item = Part<'_>> {
    let name = Some(namespace).filter(|name| *name != ROOT);
    name.into_iter()
        .flat_map(|name| [Part::Literal(name.as_bytes()), Part::Literal(b",")])
}
