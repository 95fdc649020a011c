//! The requests of a scenario in the protocol in which they are sent.

use crate::journeys::Kept;
use crate::messages::Marks;
use crate::redirects::Redirects;
use crate::requests::{Requests, beside, message_variable};
use plimsoll_plan::{
    ActionRequest, HttpVersion, Messages, Piece, Plan, Request, Scenario, Scheme, Template, Transport, Url, Values,
};
use plimsoll_protocol::http1::RequestEncoder;
use plimsoll_protocol::http2::{self, RequestLayout};
use plimsoll_protocol::socket_io::{self, EventLayout, SocketIoOpening, SocketIoRequest};
use plimsoll_protocol::websocket::{MessageLayout, Opening, WebSocketRequest};
use plimsoll_protocol::{InvalidRequest, Part, RequestParts};

/// Requests, laid out for a protocol.
#[derive(Debug, Clone)]
pub enum LaidOut {
    /// As HTTP/1.1.
    Http1(Requests<RequestEncoder>),
    /// As HTTP/2.
    Http2(Requests<RequestLayout>),
    /// As what opens WebSockets, and messages on them.
    WebSocket(Requests<WebSocketRequest>),
    /// As messages on WebSockets that have responses, and what opens these.
    Exchange(Requests<WebSocketRequest>),
    /// As events of Socket.IO, and what opens its connections.
    SocketIo(Requests<SocketIoRequest>),
}

impl LaidOut {
    /// Lays out every request of a plan as its service is spoken to.
    ///
    /// # Errors
    /// When a literal or a value of a list would break a request.
    pub fn of(plan: &Plan) -> Result<Self, InvalidRequest> {
        let (scenario, target) = (plan.scenario(), plan.target());
        if target.url.scheme.is_socket_io() {
            return Self::socket_io(scenario, &target.url);
        }
        if target.url.scheme.is_web_socket() {
            return Self::web_socket(scenario, &target.url);
        }
        match target.http {
            HttpVersion::Http1 => {
                let keep_alive = plan.connections().keep_alive;
                match target.through_proxy(scenario) {
                    Some((scenario, url)) => Self::http1(&scenario, &url, keep_alive, target.follow_redirects),
                    None => Self::http1(scenario, &target.url, keep_alive, target.follow_redirects),
                }
            }
            HttpVersion::Http2 => Self::http2(scenario, &target.url, target.follow_redirects),
        }
    }

    /// Lays out every request of the scenario for `url`, as HTTP/1.1. Each follows at most so many redirects.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub fn http1(
        scenario: &Scenario,
        url: &Url,
        keep_alive: bool,
        follow_redirects: u32,
    ) -> Result<Self, InvalidRequest> {
        let lay_out = |request: &Request, url: &Url| {
            let body = parts(&request.body);
            let encoder = with_parts(request, url, keep_alive, &body, RequestEncoder::new)?;
            check_values(scenario, |variable, value| encoder.check_value(variable, value))?;
            Ok(encoder)
        };
        let requests = Requests::lay_out(scenario, |request, action| lay_out(request, url_of(action, url)))?;
        let redirects = Redirects::lay_out(scenario, url, follow_redirects, &beside(scenario), lay_out)?;
        Ok(Self::Http1(requests.redirected_by(redirects)))
    }

    /// Lays out every request of the scenario for `url`, as HTTP/2. Each follows at most so many redirects.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub fn http2(scenario: &Scenario, url: &Url, follow_redirects: u32) -> Result<Self, InvalidRequest> {
        let scheme = match url.scheme {
            Scheme::Http | Scheme::Ws | Scheme::SocketIo => http2::Scheme::Http,
            Scheme::Https | Scheme::Wss | Scheme::SocketIoTls => http2::Scheme::Https,
        };
        let lay_out = |request: &Request, url: &Url| {
            let layout = match &request.grpc {
                None => with_parts(request, url, true, &parts(&request.body), |parts| {
                    RequestLayout::new(parts, scheme)
                }),
                Some(grpc) => with_parts(request, url, true, &[message(scenario, &grpc.messages)], |parts| {
                    RequestLayout::call(parts, scheme)
                }),
            }?;
            check_values(scenario, |variable, value| layout.check_value(variable, value))?;
            Ok(layout)
        };
        let requests = Requests::lay_out(scenario, |request, action| lay_out(request, url_of(action, url)))?;
        let redirects = Redirects::lay_out(scenario, url, follow_redirects, &beside(scenario), lay_out)?;
        Ok(Self::Http2(requests.redirected_by(redirects)))
    }

    /// Lays out every request of the scenario as what opens a WebSocket at `url` or as a message on it, and every action as a message.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub fn web_socket(scenario: &Scenario, url: &Url) -> Result<Self, InvalidRequest> {
        let mark = scenario
            .variables
            .iter()
            .position(|variable| variable.values == Values::Message);
        let lay_out = |request: &Request, action: Option<&ActionRequest>| match (action, mark) {
            (Some(_), _) => Ok(WebSocketRequest::Message(MessageLayout::text(&parts(&request.body)))),
            (None, Some(mark)) if request.is_message() => {
                let layout = MessageLayout::text(&parts(&request.body)).marked_by(mark);
                Ok(WebSocketRequest::Message(layout))
            }
            (None, _) => {
                let opening = with_parts(request, url, true, &[], Opening::new)?;
                check_values(scenario, |variable, value| opening.check_value(variable, value))?;
                Ok(WebSocketRequest::Opening(opening))
            }
        };
        let requests = Requests::lay_out(scenario, lay_out)?;
        Ok(match scenario.openings.is_empty() {
            true => Self::WebSocket(requests),
            false => Self::Exchange(requests),
        })
    }
}

impl LaidOut {
    /// Lays out every request of the scenario as what opens a connection of Socket.IO at `url` or as an event on it that asks for an
    /// acknowledgement, and every action as an event that asks for none.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub fn socket_io(scenario: &Scenario, url: &Url) -> Result<Self, InvalidRequest> {
        let opens = scenario.openings.first().or(scenario.requests.first());
        let namespace = opens.map_or("/", Request::namespace);
        let lay_out = |request: &Request, action: Option<&ActionRequest>| {
            if request.is_message() {
                let event = EventLayout::new(namespace, &parts(&request.body), action.is_none());
                return Ok(SocketIoRequest::Event(event));
            }
            let auth = parts(&request.body);
            let opening = with_parts(request, url, true, &[], |parts| {
                SocketIoOpening::new(parts, namespace, &auth, transport(request))
            })?;
            check_values(scenario, |variable, value| opening.check_value(variable, value))?;
            Ok(SocketIoRequest::Opening(opening))
        };
        Ok(Self::SocketIo(Requests::lay_out(scenario, lay_out)?))
    }

    /// The same requests, of which those that are actions are sent, with these marks.
    pub(crate) fn acting(&self, marks: Marks) -> Self {
        match self {
            Self::Http1(requests) => Self::Http1(requests.acting(marks)),
            Self::Http2(requests) => Self::Http2(requests.acting(marks)),
            Self::WebSocket(requests) => Self::WebSocket(requests.acting(marks)),
            Self::Exchange(requests) => Self::Exchange(requests.acting(marks)),
            Self::SocketIo(requests) => Self::SocketIo(requests.acting(marks)),
        }
    }

    /// What the first user who came to the end of a journey had kept, by the place of the variable in the scenario.
    pub(crate) fn left(&self) -> Option<&Kept> {
        let journeys = match self {
            Self::Http1(requests) => requests.journeys(),
            Self::Http2(requests) => requests.journeys(),
            // Users speak HTTP.
            Self::WebSocket(_) | Self::Exchange(_) | Self::SocketIo(_) => None,
        };
        journeys.and_then(|program| program.left())
    }

    /// The place of the first request that is an action.
    pub(crate) fn first_action(&self) -> u16 {
        match self {
            Self::Http1(requests) => requests.first_action(),
            Self::Http2(requests) => requests.first_action(),
            Self::WebSocket(requests) | Self::Exchange(requests) => requests.first_action(),
            Self::SocketIo(requests) => requests.first_action(),
        }
    }
}

/// Where a request goes, which may be an action with a URL of its own.
fn url_of<'a>(action: Option<&'a ActionRequest>, url: &'a Url) -> &'a Url {
    action.and_then(|action| action.url.as_ref()).unwrap_or(url)
}

fn transport(opening: &Request) -> socket_io::Transport {
    match opening.transport() {
        Transport::WebSocket => socket_io::Transport::WebSocket,
        Transport::Upgrade => socket_io::Transport::Upgrade,
    }
}

/// What a request for `url` consists of, given to `lay_out`.
fn with_parts<R>(
    request: &Request,
    url: &Url,
    keep_alive: bool,
    body: &[Part<'_>],
    lay_out: impl FnOnce(&RequestParts<'_>) -> R,
) -> R {
    let base_path = url.path.reveal().trim_end_matches('/');
    let mut target = vec![Part::Literal(base_path.as_bytes())];
    target.extend(parts(&request.path));
    let values: Vec<(&str, Vec<Part<'_>>)> = request
        .headers
        .iter()
        .map(|(name, value)| (name.as_str(), parts(value)))
        .collect();
    let headers: Vec<(&str, &[Part<'_>])> = values.iter().map(|(name, value)| (*name, value.as_slice())).collect();
    lay_out(&RequestParts {
        method: request.method.as_str(),
        authority: &url.authority(),
        target: &target,
        headers: &headers,
        body,
        keep_alive,
    })
}

/// What a call sends.
fn message<'a>(scenario: &Scenario, messages: &'a Messages) -> Part<'a> {
    match messages.count() {
        1 => Part::Literal(messages.reveal(0)),
        _ => Part::Variable(message_variable(scenario)),
    }
}

/// Whether each value of a list may stand where it is to stand.
fn check_values(
    scenario: &Scenario,
    check: impl Fn(usize, &[u8]) -> Result<(), InvalidRequest>,
) -> Result<(), InvalidRequest> {
    for (index, variable) in scenario.variables.iter().enumerate() {
        if let Values::List(texts) = variable.values.in_turn() {
            texts
                .iter()
                .try_for_each(|text| check(index, text.reveal().as_bytes()))?;
        }
    }
    Ok(())
}

fn parts(template: &Template) -> Vec<Part<'_>> {
    template
        .reveal()
        .map(|piece| match piece {
            Piece::Literal(bytes) => Part::Literal(bytes),
            Piece::Variable(index) => Part::Variable(index),
        })
        .collect()
}
