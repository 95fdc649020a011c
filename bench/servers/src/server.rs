//! One thread, one loop: reads requests, sends each piece of a response at its time.

use crate::seen::{Came, Exchange, Seen};
use crate::tls::{Keys, Session};
use crate::wire::{Protocol, Stream, Wire};
use crate::{Door, Part, Piece, Service, stamps};
use anyhow::{Context, Result};
use mio::event::Source;
use mio::net::{TcpListener, TcpStream};
use mio::{Events, Interest, Poll, Token};
use rustix::net::{AddressFamily, SocketType};
use rustix::time::{ClockId, clock_gettime};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, ErrorKind, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Every connection that a generator opens in one go has to fit, or SYNs are dropped and come again a second later.
const BACKLOG: i32 = 4096;
const LISTENER: Token = Token(usize::MAX);
const EVENTS_PER_WAIT: usize = 1024;
const RECEIVE_BUFFER_BYTES: usize = 64 * 1024;
/// The poll waits whole milliseconds and wakes up late; what is due sooner is waited for without sleeping.
const AWAKE_NS: u64 = 2_000_000;
/// Due pieces sent before the sockets are looked at again.
const PIECES_PER_ROUND: usize = 16;
/// The longest wait, so that a signal between two waits is noticed.
const LONGEST_WAIT: Duration = Duration::from_millis(100);

/// Serves its door until SIGTERM or SIGINT, then prints what users saw at its door.
///
/// # Errors
/// When the port or the keys cannot be had, or the kernel gives no poll descriptor.
pub fn serve<S: Service>(door: &Door, service: S) -> Result<()> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGINT] {
        signal_hook::flag::register(signal, Arc::clone(&stop)).context("failed to watch for signals")?;
    }
    let keys = door.keys()?;
    let listener = listen(door.port).with_context(|| format!("failed to listen on port {}", door.port))?;
    let mut server = Server::new(listener, (door.protocol(), door.paths()), keys, service).context("failed to poll")?;
    while !stop.load(Ordering::Relaxed) {
        server.send_what_is_due();
        server.wait().context("failed to poll")?;
    }
    // Responses that users have by now count, though nothing was heard yet of their leaving.
    server.wait().context("failed to poll")?;
    writeln!(io::stdout(), "{}", server.seen).context("failed to print")
}

fn listen(port: u16) -> io::Result<TcpListener> {
    let socket = rustix::net::socket(AddressFamily::INET, SocketType::STREAM, None)?;
    rustix::net::sockopt::set_socket_reuseaddr(&socket, true)?;
    rustix::net::bind(&socket, &SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
    rustix::net::listen(&socket, BACKLOG)?;
    let listener = std::net::TcpListener::from(socket);
    listener.set_nonblocking(true)?;
    Ok(TcpListener::from_std(listener))
}

/// Monotonic time of this machine, nanoseconds; the zero is arbitrary.
#[must_use]
pub fn now_ns() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    // Neither field of a monotonic clock is ever negative.
    time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_nsec.unsigned_abs()
}

/// Time of the calendar, which stamps are taken from.
fn calendar_ns() -> u64 {
    let time = clock_gettime(ClockId::Realtime);
    time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_nsec.unsigned_abs()
}

struct Server<S> {
    service: S,
    protocol: Protocol,
    /// What is seen apart.
    paths: Arc<[String]>,
    keys: Option<Keys>,
    poll: Poll,
    events: Events,
    listener: TcpListener,
    connections: Vec<Option<Connection>>,
    free: Vec<usize>,
    /// Pieces that wait for their time, the earliest on top; those of the same time in the order of their requests.
    held: BinaryHeap<Reverse<Held>>,
    /// How many pieces were ever held.
    holds: u64,
    /// How many connections there ever were.
    opened: u64,
    pieces: Vec<Piece>,
    requests: Vec<Stream>,
    buffer: Box<[u8]>,
    /// What TLS opened, and what is about to be sealed.
    plain: Vec<u8>,
    out: Vec<u8>,
    seen: Seen,
    /// When the sockets were looked at last, on the clock of the calendar: what is read later came later.
    looked_ns: u64,
}

struct Connection {
    stream: TcpStream,
    /// Tells it from an earlier one in the same place.
    number: u64,
    tls: Option<Session>,
    wire: Wire,
    exchange: Exchange,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Held {
    at_ns: u64,
    nth: u64,
    place: usize,
    connection: u64,
    stream: Stream,
    part: Part,
    /// Whether the response is whole with it.
    last: bool,
}

impl<S: Service> Server<S> {
    fn new(
        mut listener: TcpListener,
        (protocol, paths): (Protocol, &[String]),
        keys: Option<Keys>,
        service: S,
    ) -> io::Result<Self> {
        let poll = Poll::new()?;
        listener.register(poll.registry(), LISTENER, Interest::READABLE)?;
        Ok(Self {
            service,
            protocol,
            paths: paths.into(),
            keys,
            poll,
            events: Events::with_capacity(EVENTS_PER_WAIT),
            listener,
            connections: Vec::new(),
            free: Vec::new(),
            held: BinaryHeap::new(),
            holds: 0,
            opened: 0,
            pieces: Vec::new(),
            requests: Vec::new(),
            plain: Vec::new(),
            out: Vec::new(),
            buffer: vec![0; RECEIVE_BUFFER_BYTES].into_boxed_slice(),
            seen: Seen::new(paths),
            looked_ns: calendar_ns(),
        })
    }

    fn send_what_is_due(&mut self) {
        for _ in 0..PIECES_PER_ROUND {
            if self.held.peek().is_none_or(|Reverse(first)| first.at_ns > now_ns()) {
                return;
            }
            let Some(Reverse(held)) = self.held.pop() else { return };
            let current = self.connections[held.place]
                .as_ref()
                .is_some_and(|connection| connection.number == held.connection);
            if current {
                self.write(held.place, held.stream, held.part, held.last);
            }
        }
    }

    fn wait(&mut self) -> io::Result<()> {
        let timeout = self.held.peek().map_or(LONGEST_WAIT, |Reverse(first)| {
            let asleep_ns = first.at_ns.saturating_sub(now_ns()).saturating_sub(AWAKE_NS);
            Duration::from_millis(asleep_ns / 1_000_000).min(LONGEST_WAIT)
        });
        match self.poll.poll(&mut self.events, Some(timeout)) {
            Err(error) if error.kind() == ErrorKind::Interrupted => return Ok(()),
            outcome => outcome?,
        }
        let arrived_ns = now_ns();
        let before_ns = std::mem::replace(&mut self.looked_ns, calendar_ns());
        let events = std::mem::replace(&mut self.events, Events::with_capacity(0));
        for event in &events {
            match event.token() {
                LISTENER => self.accept(),
                Token(place) => {
                    // Before the next response, which would be taken for the one that has left.
                    if event.is_error() {
                        self.note_departures(place);
                    }
                    self.read(place, arrived_ns, before_ns, event.is_read_closed());
                }
            }
        }
        self.events = events;
        Ok(())
    }

    fn accept(&mut self) {
        // An error ends it as an empty backlog does: what is left comes with the next edge.
        while let Ok((mut stream, _)) = self.listener.accept() {
            let place = self.free.pop().unwrap_or(self.connections.len());
            let registered = stream.register(self.poll.registry(), Token(place), Interest::READABLE);
            let stamped = stamps::ask_for(&stream);
            let session = self.keys.as_ref().map(Keys::session).transpose();
            let set = stream.set_nodelay(!S::NAGLE).and(registered).and(stamped);
            let (Ok(()), Ok(tls)) = (set, session) else {
                self.free.push(place);
                continue;
            };
            if place >= self.connections.len() {
                self.connections.resize_with(place + 1, || None);
            }
            self.opened += 1;
            self.connections[place] = Some(Connection {
                stream,
                number: self.opened,
                tls,
                wire: Wire::new(self.protocol, &self.paths),
                exchange: Exchange::default(),
            });
        }
    }

    fn read(&mut self, place: usize, arrived_ns: u64, before_ns: u64, ended: bool) {
        while let Some(Some(connection)) = self.connections.get_mut(place) {
            match stamps::read(&connection.stream, &mut self.buffer) {
                Ok((count @ 1.., came_ns)) => {
                    let mut requests = std::mem::take(&mut self.requests);
                    let understood =
                        connection.understand(&self.buffer[..count], &mut self.plain, &mut requests, &mut self.out);
                    let last = requests.len().wrapping_sub(1);
                    for (nth, stream) in requests.drain(..).enumerate() {
                        // The stamp is that of the last bytes.
                        let came = came_ns.map(|latest_ns| Came {
                            earliest_ns: if nth == last {
                                latest_ns
                            } else {
                                before_ns.min(latest_ns)
                            },
                            latest_ns,
                        });
                        if let Some(Some(connection)) = self.connections.get_mut(place) {
                            connection.exchange.request_came(stream, came);
                        }
                        self.respond(place, stream, arrived_ns);
                    }
                    self.requests = requests;
                    if !understood {
                        return self.close(place);
                    }
                    // A short read has drained the socket: what comes later brings a new edge. An end that has come
                    // already does not.
                    if count < self.buffer.len() && !ended {
                        return;
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(_) | Err(_) => self.close(place),
            }
        }
    }

    fn respond(&mut self, place: usize, stream: Stream, arrived_ns: u64) {
        let mut pieces = std::mem::take(&mut self.pieces);
        self.service.respond(arrived_ns, &mut pieces);
        let last = pieces.len().wrapping_sub(1);
        for (number, piece) in pieces.drain(..).enumerate() {
            let Some(Some(connection)) = self.connections.get(place) else {
                continue;
            };
            if piece.at_ns <= arrived_ns {
                self.write(place, stream, piece.part, number == last);
                continue;
            }
            self.holds += 1;
            self.held.push(Reverse(Held {
                at_ns: piece.at_ns,
                nth: self.holds,
                place,
                connection: connection.number,
                stream,
                part: piece.part,
                last: number == last,
            }));
        }
        self.pieces = pieces;
    }

    fn write(&mut self, place: usize, stream: Stream, part: Part, last: bool) {
        let Some(Some(connection)) = self.connections.get_mut(place) else {
            return;
        };
        self.plain.clear();
        connection.wire.write(stream, part, last, &mut self.plain);
        if connection.send(&self.plain, &mut self.out).is_err() {
            return self.close(place);
        }
        if last {
            connection.exchange.response_went(stream);
        }
    }

    fn note_departures(&mut self, place: usize) {
        let Some(Some(connection)) = self.connections.get_mut(place) else {
            return;
        };
        while let Some(departure) = stamps::departure(&connection.stream) {
            connection
                .exchange
                .left(departure, |stream, waited| self.seen.record(stream, waited));
        }
    }

    fn close(&mut self, place: usize) {
        // Closing the descriptor takes it out of the poll set.
        if self.connections[place].take().is_some() {
            self.free.push(place);
        }
    }
}

impl Connection {
    /// Adds the requests that end in bytes from the socket, and sends what they ask of the protocol at once. False when the
    /// client is not understood.
    fn understand(&mut self, bytes: &[u8], plain: &mut Vec<u8>, requests: &mut Vec<Stream>, out: &mut Vec<u8>) -> bool {
        let Some(tls) = &mut self.tls else {
            out.clear();
            return self.wire.read(bytes, requests, out) && self.send_sealed(out).is_ok();
        };
        plain.clear();
        out.clear();
        let opened = tls.open(bytes, plain, out);
        if self.send_sealed(out).is_err() || opened.is_err() {
            return false;
        }
        let mut response = Vec::new();
        self.wire.read(plain, requests, &mut response) && self.send(&response, out).is_ok()
    }

    fn send(&mut self, plain: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
        let Some(tls) = &mut self.tls else {
            return self.send_sealed(plain);
        };
        out.clear();
        tls.seal(plain, out)?;
        self.send_sealed(out)
    }

    /// A few bytes always fit, unless the client has stopped reading: it is left, and will count that as an error.
    fn send_sealed(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        if self.stream.write(bytes)? < bytes.len() {
            return Err(ErrorKind::WriteZero.into());
        }
        self.exchange.sent(bytes.len());
        Ok(())
    }
}
