//! What a client of Socket.IO sends, laid out once.

use crate::http1::RequestEncoder;
use crate::request::literals;
use crate::websocket::{MessageLayout, Opening};
use crate::{InvalidRequest, Part, RequestParts};

/// Where services are reached unless they say otherwise.
const USUAL_PATH: &[u8] = b"/socket.io/";
/// Engine.IO 4.
const OVER_WEB_SOCKET: &[u8] = b"EIO=4&transport=websocket";
const BY_POLLING: &[u8] = b"EIO=4&transport=polling";
const OF_SESSION: [Part<'_>; 2] = [Part::Literal(b"&sid="), Part::Variable(SESSION)];
/// The namespace that has no name in packets.
const ROOT: &str = "/";
/// Stands for the number by which an acknowledgement is known, as if it were a variable of the caller.
pub(super) const NUMBER: usize = usize::MAX;
/// The same for the identifier of the session, and for the length of what is said by long polling.
pub(super) const SESSION: usize = usize::MAX - 1;
pub(super) const LENGTH: usize = usize::MAX - 2;

/// What is sent on a connection of Socket.IO.
#[derive(Debug, Clone)]
pub enum SocketIoRequest {
    /// What opens it, once and before all else.
    Opening(SocketIoOpening),
    /// An event.
    Event(EventLayout),
}

/// How a session begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Transport {
    /// On a WebSocket.
    #[default]
    WebSocket,
    /// By long polling. Once the client is let in, a WebSocket takes over.
    Upgrade,
}

/// How a session begins, and how the client joins its namespace.
#[derive(Debug, Clone)]
pub struct SocketIoOpening {
    pub(super) beginning: Beginning,
    pub(super) join: MessageLayout,
    /// The packet with which the client leaves its namespace.
    pub(super) leave: Box<[u8]>,
}

#[derive(Debug, Clone)]
pub(super) enum Beginning {
    WebSocket(Box<Opening>),
    Upgrade(Box<UpgradeLayout>),
}

/// The requests by which a session begins and becomes a WebSocket.
#[derive(Debug, Clone)]
pub(super) struct UpgradeLayout {
    pub(super) begin: RequestEncoder,
    pub(super) poll: RequestEncoder,
    pub(super) post: RequestEncoder,
    pub(super) upgrade: Opening,
}

impl SocketIoOpening {
    /// Lays out what `request` begins, for this namespace, such as `/`. `auth` is what the client says of itself, an object
    /// in JSON, or nothing.
    ///
    /// # Errors
    /// When a literal would break the framing of the request.
    pub fn new(
        request: &RequestParts<'_>,
        namespace: &str,
        auth: &[Part<'_>],
        transport: Transport,
    ) -> Result<Self, InvalidRequest> {
        let varies = request.target.iter().any(|part| matches!(part, Part::Variable(_)));
        let mut target = match !varies && literals(request.target).flatten().eq(b"/") {
            true => vec![Part::Literal(USUAL_PATH)],
            false => request.target.to_vec(),
        };
        let has_query = literals(&target).any(|literal| literal.contains(&b'?'));
        target.push(Part::Literal(if has_query { b"&" } else { b"?" }));
        let mut join = vec![Part::Literal(b"40")];
        join.extend(in_packet(namespace));
        join.extend_from_slice(auth);
        let mut leave = vec![Part::Literal(b"41")];
        leave.extend(in_packet(namespace));
        let beginning = match transport {
            Transport::WebSocket => {
                target.push(Part::Literal(OVER_WEB_SOCKET));
                Beginning::WebSocket(Box::new(Opening::new(&RequestParts {
                    target: &target,
                    ..*request
                })?))
            }
            Transport::Upgrade => Beginning::Upgrade(Box::new(UpgradeLayout::new(request, &target)?)),
        };
        Ok(Self {
            beginning,
            join: MessageLayout::text(&join),
            leave: literals(&leave).flatten().copied().collect(),
        })
    }

    /// Whether `value` may stand for `variable`.
    ///
    /// # Errors
    /// As [`Opening::check_value`].
    pub fn check_value(&self, variable: usize, value: &[u8]) -> Result<(), InvalidRequest> {
        match &self.beginning {
            Beginning::WebSocket(opening) => opening.check_value(variable, value),
            Beginning::Upgrade(layout) => layout.upgrade.check_value(variable, value),
        }
    }
}

impl UpgradeLayout {
    /// `path` is the target as far as the transport, which each request says for itself.
    fn new(request: &RequestParts<'_>, path: &[Part<'_>]) -> Result<Self, InvalidRequest> {
        let target = |transport, of_session: &[Part<'static>]| {
            let mut target = path.to_vec();
            target.push(Part::Literal(transport));
            target.extend_from_slice(of_session);
            target
        };
        // What is said of the WebSocket alone.
        let mut headers = request.headers.to_vec();
        headers.retain(|(name, _)| {
            let name = name.to_ascii_lowercase();
            !name.starts_with("sec-websocket-") && name != "upgrade" && name != "connection"
        });
        let get = |target: &[Part<'_>]| {
            RequestEncoder::new(&RequestParts {
                target,
                headers: &headers,
                body: &[],
                keep_alive: true,
                ..*request
            })
        };
        let (begin, poll) = (target(BY_POLLING, &[]), target(BY_POLLING, &OF_SESSION));
        let length = [Part::Variable(LENGTH)];
        let mut of_post = headers.clone();
        if !request.gives("content-type") {
            of_post.push(("content-type", &[Part::Literal(b"text/plain;charset=UTF-8")]));
        }
        of_post.push(("content-length", &length));
        Ok(Self {
            begin: get(&begin)?,
            poll: get(&poll)?,
            post: RequestEncoder::new(&RequestParts {
                method: "POST",
                target: &poll,
                headers: &of_post,
                body: &[],
                keep_alive: true,
                ..*request
            })?,
            upgrade: Opening::new(&RequestParts {
                target: &target(OVER_WEB_SOCKET, &OF_SESSION),
                ..*request
            })?,
        })
    }
}

/// One kind of event.
#[derive(Debug, Clone)]
pub struct EventLayout {
    pub(super) message: MessageLayout,
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
            message: MessageLayout::text(&packet),
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
