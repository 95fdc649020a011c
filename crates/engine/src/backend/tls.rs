//! TLS over any backend: what is sent is sealed, what arrives is opened, and a connection is established once its handshake is done.

use super::tunnel::{Opening, Tunnel};
use super::{Arrived, Backend, ConnectStage, End, Event, Fault, Gathers, Handshaken, Slot, Wake};
use plimsoll_measure::ErrorClass;
use plimsoll_tls::{Connector, Failure, Session};
use std::collections::{HashMap, VecDeque};

/// How long the end of a socket may take after that of its session.
const PATIENCE_NS: u64 = 5_000_000;
/// Plain bytes that fill a record (RFC 8446, section 5.1), and are not held back any longer.
const RECORD_BYTES: usize = 1 << 14;

/// Sockets of `B`, over which TLS is spoken.
pub struct Tls<B> {
    inner: B,
    connector: Connector,
    /// What opens the way to the service, where a proxy is between.
    tunnel: Option<Tunnel>,
    /// Connections to the proxy that have no tunnel yet.
    opening: HashMap<Slot, Opening>,
    sessions: Vec<Option<Box<Secured>>>,
    /// Beginnings of records, of the few connections that have some.
    begun: HashMap<Slot, Vec<u8>>,
    /// The ends of handshakes, which go out together with what is sent first: two sends would be two packets, and the second may
    /// have to wait for a completion of the first.
    finishing: Vec<(Slot, Vec<u8>)>,
    /// Connections whose peer has ended the session, and since when. The end of the socket follows, as a rule at once, and says more.
    ending: VecDeque<(Slot, u64)>,
    /// What came of the last event of `inner`.
    happened: VecDeque<Happened>,
    /// Bytes of the last event, as they came and as they are opened.
    incoming: Vec<u8>,
    plain: Vec<u8>,
    /// What is to be sent on the connection of a slot: gathered until another one sends, or until the next wait, because each record
    /// costs both ends as much as a request.
    unsealed: Vec<u8>,
    unsealed_of: Option<Slot>,
    /// The same once it is sealed.
    wire: Vec<u8>,
}

struct Secured {
    session: Session,
    state: State,
    /// The peer has sent something over the session.
    heard: bool,
}

/// How far a session is.
#[derive(Clone, Copy)]
enum State {
    /// The socket is not there yet.
    Connecting,
    /// Since this time.
    Shaking {
        since_ns: u64,
    },
    Established(Handshaken),
    /// The peer has ended it.
    Ended,
}

/// An [`Event`], whose bytes are in `plain`.
enum Happened {
    Connected(Slot),
    ConnectFailed(Slot, Fault),
    Received(Slot, Arrived),
    Closed(Slot, End),
}

impl Happened {
    const fn slot(&self) -> Slot {
        match self {
            Self::Connected(slot) | Self::ConnectFailed(slot, _) | Self::Received(slot, _) | Self::Closed(slot, _) => {
                *slot
            }
        }
    }
}

impl<B: Backend> Tls<B> {
    /// Speaks TLS as `connector` says over each connection of `inner`.
    pub fn new(inner: B, connector: Connector) -> Self {
        Self {
            inner,
            connector,
            tunnel: None,
            opening: HashMap::new(),
            sessions: Vec::new(),
            begun: HashMap::new(),
            finishing: Vec::new(),
            ending: VecDeque::new(),
            happened: VecDeque::new(),
            incoming: Vec::new(),
            plain: Vec::new(),
            unsealed: Vec::new(),
            unsealed_of: None,
            wire: Vec::new(),
        }
    }

    /// The same through a tunnel of the proxy that `inner` connects to.
    #[must_use]
    pub fn through(self, tunnel: Option<Tunnel>) -> Self {
        Self { tunnel, ..self }
    }

    /// The socket is there: asks for a tunnel, or begins the handshake.
    fn connected(&mut self, slot: Slot) {
        match &self.tunnel {
            None => self.begin(slot),
            Some(tunnel) => {
                self.inner.send(slot, |out| out.extend_from_slice(tunnel.request()));
                self.opening.insert(slot, Opening::new());
            }
        }
    }

    /// Takes what the proxy says; `true` while that is not the service.
    fn open_tunnel(&mut self, slot: Slot) -> bool {
        let (Some(tunnel), Some(opening)) = (&self.tunnel, self.opening.get_mut(&slot)) else {
            return false;
        };
        let Some(outcome) = opening.receive(tunnel, &self.incoming) else {
            return true;
        };
        self.opening.remove(&slot);
        match outcome {
            Err(fault) => {
                self.happened.push_back(Happened::ConnectFailed(slot, fault));
                true
            }
            Ok(used) => {
                self.incoming.drain(..used);
                self.begin(slot);
                self.incoming.is_empty()
            }
        }
    }

    fn state(&self, slot: Slot) -> Option<State> {
        let secured = self.sessions.get(slot as usize)?.as_deref()?;
        Some(secured.state)
    }

    fn session(&mut self, slot: Slot) -> Option<&mut Secured> {
        self.sessions.get_mut(slot as usize)?.as_deref_mut()
    }

    fn flush(&mut self, slot: Slot) {
        if !self.wire.is_empty() {
            let wire = &mut self.wire;
            self.inner.send(slot, |out| out.append(wire));
        }
    }

    /// Seals what has been gathered, and hands it on.
    fn seal(&mut self) {
        let Some(slot) = self.unsealed_of.take() else { return };
        let finish = if self.finishing.is_empty() {
            None
        } else {
            self.take_finish(slot)
        };
        if let Some(Some(secured)) = self.sessions.get_mut(slot as usize) {
            let unsealed = &self.unsealed;
            self.inner.send(slot, |out| {
                out.extend(finish.into_iter().flatten());
                secured.session.seal(unsealed, out);
            });
        }
        self.unsealed.clear();
    }

    /// The end of a handshake that has not gone out yet.
    fn take_finish(&mut self, slot: Slot) -> Option<Vec<u8>> {
        let place = self.finishing.iter().position(|(of, _)| *of == slot)?;
        Some(self.finishing.swap_remove(place).1)
    }

    /// The way to the service is there: begins the handshake.
    fn begin(&mut self, slot: Slot) {
        let mut wire = std::mem::take(&mut self.wire);
        let since_ns = self.inner.now_ns();
        let begun = self.session(slot).map(|secured| {
            secured.state = State::Shaking { since_ns };
            secured.session.begin(&mut wire)
        });
        self.wire = wire;
        self.flush(slot);
        if let Some(Err(failure)) = begun {
            self.fail(slot, &failure);
        }
    }

    /// Takes what is in `incoming`.
    fn receive(&mut self, slot: Slot, arrived: Arrived) {
        let Some(secured) = self.sessions.get_mut(slot as usize).and_then(Option::as_mut) else {
            return;
        };
        let outcome = secured
            .session
            .receive(&mut self.incoming, &mut self.plain, &mut self.wire);
        secured.heard |= !self.plain.is_empty();
        let before = secured.state;
        if let Ok(received) = &outcome {
            if let (State::Shaking { since_ns }, Some(kind)) = (before, received.established) {
                let took_ns = arrived.at_ns.saturating_sub(since_ns);
                secured.state = State::Established(Handshaken { kind, took_ns });
                if !self.wire.is_empty() {
                    self.finishing.push((slot, std::mem::take(&mut self.wire)));
                }
                self.happened.push_back(Happened::Connected(slot));
            }
            if received.ended {
                secured.state = State::Ended;
            }
        }
        // What the peer is told of a failure goes out too.
        self.flush(slot);
        if !self.plain.is_empty() {
            self.happened.push_back(Happened::Received(slot, arrived));
        }
        match outcome {
            Ok(received) => {
                if received.used < self.incoming.len() {
                    self.begun.insert(slot, self.incoming.split_off(received.used));
                }
                if received.ended {
                    self.ending.push_back((slot, self.inner.now_ns()));
                }
            }
            Err(failure) if !matches!(before, State::Shaking { .. }) => {
                let end = End::Failed(words(&failure));
                self.happened.push_back(Happened::Closed(slot, end));
            }
            Err(failure) => self.fail(slot, &failure),
        }
    }

    /// The handshake has failed.
    fn fail(&mut self, slot: Slot, failure: &Failure) {
        let fault = tls_fault(words(failure));
        self.happened.push_back(Happened::ConnectFailed(slot, fault));
    }

    /// The socket has ended.
    fn closed(&mut self, slot: Slot, end: End) {
        if let (Some(_), Some(tunnel)) = (self.opening.remove(&slot), &self.tunnel) {
            let fault = tunnel.fault("the proxy closed the connection when asked");
            self.happened.push_back(Happened::ConnectFailed(slot, fault));
            return;
        }
        let Some(secured) = self.session(slot) else { return };
        let happened = match end {
            _ if matches!(secured.state, State::Connecting | State::Shaking { .. }) => {
                let words = "the service closed the connection during the handshake";
                Happened::ConnectFailed(slot, tls_fault(words.into()))
            }
            // Some services, Node.js among them, say no more to a client without a certificate.
            End::Finished | End::Reset { .. } if !secured.heard && secured.session.lacks_identity() => {
                Happened::Closed(slot, End::Failed(words(&Failure::no_identity())))
            }
            End::Finished if !matches!(secured.state, State::Ended) => Happened::Closed(slot, End::Truncated),
            end => Happened::Closed(slot, end),
        };
        self.happened.push_back(happened);
    }

    /// A connection whose session ended a while ago, and whose socket did not.
    fn next_overdue(&mut self) -> Option<Slot> {
        while let Some(&(slot, since_ns)) = self.ending.front() {
            let has_ended = matches!(self.state(slot), Some(State::Ended));
            if has_ended && self.inner.now_ns() < since_ns + PATIENCE_NS {
                return None;
            }
            self.ending.pop_front();
            if has_ended {
                return Some(slot);
            }
        }
        None
    }
}

/// What failed, and what to do about it.
fn words(failure: &Failure) -> Box<str> {
    match failure.hint() {
        Some(hint) => format!("{failure} ({hint})").into(),
        None => failure.to_string().into(),
    }
}

fn tls_fault(words: Box<str>) -> Fault {
    Fault {
        class: ErrorClass::Tls,
        errno: None,
        words: Some(words),
    }
}

impl<B: Backend> Backend for Tls<B> {
    fn now_ns(&self) -> u64 {
        self.inner.now_ns()
    }

    fn cpu_ns(&self) -> u64 {
        self.inner.cpu_ns()
    }

    fn stamps(&self) -> bool {
        self.inner.stamps()
    }

    fn gathers(&self) -> Gathers {
        match self.inner.gathers() {
            // The last record waits.
            Gathers::Nothing | Gathers::Part => Gathers::Part,
            Gathers::All => Gathers::All,
        }
    }

    fn connect(&mut self, slot: Slot) -> Result<(), Fault> {
        self.inner.connect(slot)?;
        let index = slot as usize;
        if index >= self.sessions.len() {
            self.sessions.resize_with(index + 1, || None);
        }
        self.sessions[index] = Some(Box::new(Secured {
            session: self.connector.session(),
            state: State::Connecting,
            heard: false,
        }));
        Ok(())
    }

    #[inline]
    fn send(&mut self, slot: Slot, write: impl FnOnce(&mut Vec<u8>)) -> usize {
        if self.unsealed_of.is_some_and(|of| of != slot) {
            self.seal();
        }
        self.unsealed_of = Some(slot);
        let before = self.unsealed.len();
        write(&mut self.unsealed);
        let length = self.unsealed.len() - before;
        if self.unsealed.len() >= RECORD_BYTES {
            self.seal();
        }
        length
    }

    fn ended_before_it_read(&mut self, slot: Slot) -> Option<bool> {
        self.seal();
        self.inner.ended_before_it_read(slot)
    }

    fn connect_stage(&self, slot: Slot) -> ConnectStage {
        match self.state(slot) {
            Some(State::Shaking { .. }) => ConnectStage::Handshaking,
            _ if self.opening.contains_key(&slot) => ConnectStage::Tunnelling,
            _ => self.inner.connect_stage(slot),
        }
    }

    fn is_secured(&self) -> bool {
        true
    }

    fn handshake(&self, slot: Slot) -> Option<Handshaken> {
        match self.state(slot) {
            Some(State::Established(handshaken)) => Some(handshaken),
            _ => None,
        }
    }

    fn close(&mut self, slot: Slot) {
        if self.unsealed_of == Some(slot) {
            self.seal();
        }
        if let Some(secured) = self.sessions.get_mut(slot as usize).and_then(Option::take)
            && let State::Established(_) | State::Ended = secured.state
        {
            let mut session = secured.session;
            let finish = self.take_finish(slot);
            self.inner.send(slot, |out| {
                out.extend(finish.into_iter().flatten());
                session.end(out);
            });
        }
        self.begun.remove(&slot);
        self.opening.remove(&slot);
        self.happened.retain(|happened| happened.slot() != slot);
        self.inner.close(slot);
    }

    fn expect(&mut self, now_ns: u64, at_ns: u64) {
        self.inner.expect(now_ns, at_ns);
    }

    fn wait(&mut self, until_ns: u64, wake: Wake) {
        self.seal();
        for (slot, finish) in self.finishing.drain(..) {
            self.inner.send(slot, |out| out.extend(finish));
        }
        let overdue_ns = self.ending.front().map(|(_, since_ns)| since_ns + PATIENCE_NS);
        self.inner
            .wait(overdue_ns.map_or(until_ns, |ns| ns.min(until_ns)), wake);
    }

    fn next_event(&mut self) -> Option<Event<'_>> {
        while self.happened.is_empty() {
            let Some(event) = self.inner.next_event() else {
                return self.next_overdue().map(|slot| Event::Closed(slot, End::Finished));
            };
            match event {
                Event::Connected(slot) => self.connected(slot),
                Event::Received(slot, bytes, arrived) => {
                    self.plain.clear();
                    self.incoming.clear();
                    if !self.begun.is_empty()
                        && let Some(begun) = self.begun.remove(&slot)
                    {
                        self.incoming = begun;
                    }
                    self.incoming.extend_from_slice(bytes);
                    if self.opening.is_empty() || !self.open_tunnel(slot) {
                        self.receive(slot, arrived);
                    }
                }
                Event::ConnectFailed(slot, mut fault) => {
                    if self.tunnel.is_some() {
                        let errno = fault.errno.map(std::io::Error::from_raw_os_error);
                        let said = errno.map_or_else(String::new, |error| format!(": {error}"));
                        fault.words = Some(format!("the proxy cannot be reached{said}").into());
                    }
                    self.happened.push_back(Happened::ConnectFailed(slot, fault));
                }
                Event::Closed(slot, end) => self.closed(slot, end),
            }
        }
        Some(match self.happened.pop_front()? {
            Happened::Connected(slot) => Event::Connected(slot),
            Happened::ConnectFailed(slot, fault) => Event::ConnectFailed(slot, fault),
            Happened::Received(slot, arrived) => Event::Received(slot, &self.plain, arrived),
            Happened::Closed(slot, end) => Event::Closed(slot, end),
        })
    }
}
