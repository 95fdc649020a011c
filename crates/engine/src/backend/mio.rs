//! The portable backend: epoll on Linux, kqueue on macOS.
//!
//! Sockets are registered once, edge-triggered, for reading and writing; a request costs one `send`
//! and one `recv` besides the shared wait. Sends wait for one another until the next wait: what goes out on one connection in a row is
//! one send, and receives and then sends in a row are cheaper than both in turn. A turn has an end: a socket that always has more to read, and a turn in which
//! much is read, leave the rest to the next turn, so that no service keeps a shard from its clock. On Linux the wait ends to the nanosecond by a timer
//! descriptor; elsewhere the poll timeout is rounded down to milliseconds and the rest is polled.

use super::socket::{Begun, Queue, Route, Waited, fault, io_fault, monotonic_ns, thread_cpu_ns};
use super::{Arrived, Backend, ConnectStage, End, Event, Fault, Gathers, Slot, Wake};
use ::mio::unix::SourceFd;
use ::mio::{Events, Interest, Poll, Token};
use plimsoll_measure::ErrorClass;
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags, getpeername, recv, sockopt};
use std::collections::HashMap;
use std::io::{self, ErrorKind};
#[cfg(target_os = "linux")]
use std::os::fd::AsFd as _;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::time::Duration;

const RECEIVE_BUFFER_BYTES: usize = 64 * 1024;
const EVENTS_PER_WAIT: usize = 1024;
/// Sends that wait for one another at most; the first of them is late by as many receives, of about 3 µs.
const SENDS_TOGETHER: usize = 32;
/// Bytes of theirs that are not held back any longer.
const BYTES_TOGETHER: usize = 64 * 1024;
/// Reads that fill the buffer, of one socket in one turn. Another socket waits for as many of about 10 µs.
const FULL_READS_PER_SOCKET: u32 = 8;
/// Reads that fill the buffer, of all sockets in one turn: some 10 ms.
const FULL_READS_PER_TURN: u32 = 512;

/// Sockets over epoll or kqueue.
pub struct MioBackend {
    poll: Poll,
    ready: Events,
    /// Ready sockets of the last wait, taken from the front.
    pending: Vec<Ready>,
    taken: usize,
    /// Those that had more to read when their turn was over. No edge says so again.
    unfinished: Vec<Ready>,
    full_reads: u32,
    sockets: Vec<Socket>,
    /// Bytes that the kernel has not taken yet, of the few sockets that have some.
    unsent: HashMap<Slot, Vec<u8>>,
    /// Sends that wait for one another: the sockets, each with where its bytes end among those of all.
    sends: Vec<(Slot, usize)>,
    to_send: Vec<u8>,
    buffer: Box<[u8]>,
    timer: timer::Timer,
    zero_ns: u64,
    route: Route,
    /// Unix sockets that are not connected yet.
    queue: Queue,
}

#[derive(Clone, Copy)]
struct Ready {
    slot: Slot,
    readable: bool,
    writable: bool,
    ended: bool,
    /// Reads in this turn that filled the buffer.
    full_reads: u32,
    /// Of the socket that it was said of.
    generation: u32,
}

#[derive(Default)]
struct Socket {
    descriptor: Option<OwnedFd>,
    /// Counts the connections of this slot, so that what was ready is told apart from a later one.
    generation: u32,
    /// Where it may stand among those that are ready.
    place: u32,
    connecting: bool,
}

const _: () = assert!(size_of::<Socket>() <= 16, "a million of them must fit");

impl MioBackend {
    /// `zero_ns` is a reading of [`monotonic_ns`].
    ///
    /// # Errors
    /// When the kernel gives no poll or timer descriptor.
    pub fn new(route: Route, zero_ns: u64) -> io::Result<Self> {
        let poll = Poll::new()?;
        let timer = timer::Timer::new(&poll)?;
        Ok(Self {
            poll,
            ready: Events::with_capacity(EVENTS_PER_WAIT),
            pending: Vec::with_capacity(EVENTS_PER_WAIT),
            taken: 0,
            unfinished: Vec::new(),
            full_reads: 0,
            sockets: Vec::new(),
            unsent: HashMap::new(),
            sends: Vec::with_capacity(SENDS_TOGETHER),
            to_send: Vec::new(),
            buffer: vec![0; RECEIVE_BUFFER_BYTES].into_boxed_slice(),
            timer,
            zero_ns,
            route,
            queue: Queue::default(),
        })
    }

    /// Lists a socket once in a turn, however often it is ready: else a socket that always has more would be listed twice after
    /// each.
    fn list(&mut self, ready: Ready) {
        let Some(socket) = self.sockets.get_mut(ready.slot as usize) else {
            return;
        };
        let ready = Ready {
            generation: socket.generation,
            ..ready
        };
        let listed = self.pending.get_mut(socket.place as usize);
        if let Some(listed) = listed.filter(|listed| listed.is_of(ready.slot, socket)) {
            listed.readable |= ready.readable;
            listed.writable |= ready.writable;
            listed.ended |= ready.ended;
        } else {
            socket.place = self.pending.len() as u32;
            self.pending.push(ready);
        }
    }

    /// Has the poll say what becomes of a socket.
    fn watch(&mut self, slot: Slot, descriptor: OwnedFd) -> Result<(), Fault> {
        self.poll
            .registry()
            .register(
                &mut SourceFd(&descriptor.as_raw_fd()),
                Token(slot as usize),
                Interest::READABLE | Interest::WRITABLE,
            )
            .map_err(|e| io_fault(&e))?;
        let index = slot as usize;
        if index >= self.sockets.len() {
            self.sockets.resize_with(index + 1, Socket::default);
        }
        let socket = &mut self.sockets[index];
        socket.descriptor = Some(descriptor);
        socket.connecting = true;
        Ok(())
    }

    /// Goes on with the sockets that wait for room in the queue of the service; the first failure among them.
    fn next_waited(&mut self) -> Option<Event<'static>> {
        loop {
            let (slot, fault) = match self.queue.next(&self.route)? {
                Waited::Failed(slot, fault) => (slot, fault),
                Waited::Connected(slot, descriptor) => match self.watch(slot, descriptor) {
                    Ok(()) => continue,
                    Err(fault) => (slot, fault),
                },
            };
            return Some(Event::ConnectFailed(slot, fault));
        }
    }

    fn send_all(&mut self) {
        let mut begin = 0;
        for (slot, end) in self.sends.drain(..) {
            let socket = self.sockets.get(slot as usize);
            if let Some(descriptor) = socket.and_then(|socket| socket.descriptor.as_ref()) {
                send(descriptor, slot, &self.to_send[begin..end], &mut self.unsent);
            }
            begin = end;
        }
        self.to_send.clear();
    }
}

impl Ready {
    /// Whether it was said of this connection of the slot.
    fn is_of(&self, slot: Slot, socket: &Socket) -> bool {
        self.slot == slot && self.generation == socket.generation && socket.descriptor.is_some()
    }
}

/// Sends bytes, after those of its slot that are unsent.
fn send(descriptor: &OwnedFd, slot: Slot, bytes: &[u8], unsent: &mut HashMap<Slot, Vec<u8>>) {
    if !unsent.is_empty()
        && let Some(before) = unsent.get_mut(&slot)
    {
        before.extend_from_slice(bytes);
        return;
    }
    match rustix::net::send(descriptor, bytes, SendFlags::NOSIGNAL) {
        Ok(count) if count == bytes.len() => {}
        Ok(count) => _ = unsent.insert(slot, bytes[count..].to_vec()),
        Err(Errno::AGAIN | Errno::INTR) => _ = unsent.insert(slot, bytes.to_vec()),
        // The peer has gone. The poll reports that too, and reading the socket tells how.
        Err(_) => _ = unsent.insert(slot, bytes.to_vec()),
    }
}

/// Writes what is left of a slot; an error shows when the socket is read.
fn flush(descriptor: &OwnedFd, slot: Slot, unsent: &mut HashMap<Slot, Vec<u8>>) {
    let Some(bytes) = unsent.get_mut(&slot) else { return };
    while !bytes.is_empty() {
        match rustix::net::send(descriptor, bytes, SendFlags::NOSIGNAL) {
            Ok(count) => _ = bytes.drain(..count),
            Err(Errno::INTR) => {}
            Err(_) => return,
        }
    }
    unsent.remove(&slot);
}

impl Backend for MioBackend {
    fn now_ns(&self) -> u64 {
        monotonic_ns().saturating_sub(self.zero_ns)
    }

    fn cpu_ns(&self) -> u64 {
        thread_cpu_ns()
    }

    fn gathers(&self) -> Gathers {
        Gathers::Part
    }

    fn connect(&mut self, slot: Slot) -> Result<(), Fault> {
        match self.route.connect()? {
            Begun::Underway(descriptor) => self.watch(slot, descriptor),
            Begun::Full(descriptor) => {
                self.queue.push(slot, descriptor);
                Ok(())
            }
        }
    }

    #[inline]
    fn send(&mut self, slot: Slot, write: impl FnOnce(&mut Vec<u8>)) -> usize {
        let begin = self.to_send.len();
        write(&mut self.to_send);
        let end = self.to_send.len();
        match self.sends.last_mut() {
            Some((last, ends)) if *last == slot => *ends = end,
            _ => self.sends.push((slot, end)),
        }
        if self.sends.len() == SENDS_TOGETHER || end >= BYTES_TOGETHER {
            self.send_all();
        }
        end - begin
    }

    #[cfg(target_os = "linux")]
    fn ended_before_it_read(&mut self, slot: Slot) -> Option<bool> {
        self.send_all();
        let descriptor = self.sockets.get(slot as usize)?.descriptor.as_ref()?;
        if self.unsent.contains_key(&slot) {
            Some(true)
        } else {
            super::unread::ended_before_it_read(descriptor.as_fd())
        }
    }

    fn connect_stage(&self, slot: Slot) -> ConnectStage {
        if self.queue.has(slot) {
            ConnectStage::Queueing
        } else {
            ConnectStage::Accepting
        }
    }

    fn close(&mut self, slot: Slot) {
        // What is to be sent on this socket would meet the next one of the slot.
        self.send_all();
        self.queue.remove(slot);
        // Closing the descriptor takes it out of the poll set.
        if let Some(socket) = self.sockets.get_mut(slot as usize) {
            socket.descriptor = None;
            socket.generation = socket.generation.wrapping_add(1);
            self.unsent.remove(&slot);
        }
    }

    fn wait(&mut self, until_ns: u64, wake: Wake) {
        self.send_all();
        let until_ns = self.queue.end_of_wait(|| self.now_ns(), until_ns);
        self.full_reads = 0;
        self.pending.drain(..self.taken);
        self.taken = 0;
        // After those that had no turn.
        self.pending.append(&mut self.unfinished);
        for (place, ready) in self.pending.iter().enumerate() {
            if let Some(socket) = self.sockets.get_mut(ready.slot as usize)
                && socket.generation == ready.generation
            {
                socket.place = place as u32;
            }
        }
        let mut due_in = if self.pending.is_empty() {
            until_ns.saturating_sub(self.now_ns())
        } else {
            0
        };
        if wake == Wake::AtTheEnd {
            std::thread::sleep(Duration::from_nanos(due_in));
            due_in = 0;
        }
        let timeout = self.timer.arm(self.zero_ns + until_ns, due_in);
        if let Err(error) = self.poll.poll(&mut self.ready, timeout) {
            // A signal ends the wait early; the shard asks again. Nothing else can go wrong with
            // a poll descriptor that is ours.
            debug_assert_eq!(error.kind(), ErrorKind::Interrupted, "{error}");
            return;
        }
        let ready = std::mem::replace(&mut self.ready, Events::with_capacity(0));
        for event in &ready {
            if event.token() == timer::TOKEN {
                self.timer.fired();
                continue;
            }
            self.list(Ready {
                slot: event.token().0 as Slot,
                readable: event.is_readable(),
                writable: event.is_writable(),
                ended: event.is_read_closed() || event.is_write_closed() || event.is_error(),
                full_reads: 0,
                generation: 0,
            });
        }
        self.ready = ready;
    }

    fn next_event(&mut self) -> Option<Event<'_>> {
        while let Some(ready) = self.pending.get_mut(self.taken) {
            if self.full_reads == FULL_READS_PER_TURN {
                return None;
            }
            let slot = ready.slot;
            let socket = &mut self.sockets[slot as usize];
            let current = socket.generation == ready.generation;
            let Some(descriptor) = socket.descriptor.as_ref().filter(|_| current) else {
                self.taken += 1;
                continue;
            };
            if socket.connecting {
                match connect_outcome(descriptor, *ready) {
                    // The event belonged to an earlier connection of this slot.
                    None => self.taken += 1,
                    Some(Ok(())) => {
                        socket.connecting = false;
                        if !ready.readable {
                            self.taken += 1;
                        }
                        return Some(Event::Connected(slot));
                    }
                    Some(Err(fault)) => {
                        self.taken += 1;
                        return Some(Event::ConnectFailed(slot, fault));
                    }
                }
                continue;
            }
            if ready.writable && !self.unsent.is_empty() {
                flush(descriptor, slot, &mut self.unsent);
            }
            if !ready.readable && !ready.ended {
                self.taken += 1;
                continue;
            }
            match recv(descriptor, &mut *self.buffer, RecvFlags::empty()).map(|(_, count)| count) {
                Ok(0) => {
                    self.taken += 1;
                    return Some(Event::Closed(slot, End::Finished));
                }
                Ok(count) => {
                    // A short read has drained the socket: the next bytes bring a new edge. Where
                    // the peer has ended already, no edge follows and the end is read now.
                    if count < self.buffer.len() {
                        if !ready.ended {
                            self.taken += 1;
                        }
                    } else {
                        self.full_reads += 1;
                        ready.full_reads += 1;
                        if ready.full_reads == FULL_READS_PER_SOCKET {
                            self.unfinished.push(Ready {
                                full_reads: 0,
                                ..*ready
                            });
                            self.taken += 1;
                        }
                    }
                    let now_ns = monotonic_ns().saturating_sub(self.zero_ns);
                    return Some(Event::Received(slot, &self.buffer[..count], Arrived::at(now_ns)));
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => self.taken += 1,
                Err(errno) => {
                    self.taken += 1;
                    let errno = Some(errno.raw_os_error());
                    return Some(Event::Closed(slot, End::Reset { errno }));
                }
            }
        }
        self.next_waited()
    }
}

/// `None` while the connection is still being made.
fn connect_outcome(descriptor: &OwnedFd, ready: Ready) -> Option<Result<(), Fault>> {
    if let Ok(Err(errno)) = sockopt::socket_error(descriptor) {
        return Some(Err(fault(errno)));
    }
    if (ready.writable || ready.readable) && getpeername(descriptor).is_ok() {
        return Some(Ok(()));
    }
    ready.ended.then_some(Err(ErrorClass::Refused.into()))
}

#[cfg(target_os = "linux")]
mod timer {
    //! A timer descriptor in the poll set. It stays set over waits that end before, as setting it costs a system call.

    use super::super::timerfd::Timerfd;
    use ::mio::unix::SourceFd;
    use ::mio::{Interest, Poll, Token};
    use std::io;
    use std::os::fd::AsRawFd;
    use std::time::Duration;

    pub(super) const TOKEN: Token = Token(usize::MAX);

    pub(super) struct Timer {
        descriptor: Timerfd,
        armed_for_ns: Option<u64>,
    }

    impl Timer {
        pub(super) fn new(poll: &Poll) -> io::Result<Self> {
            let descriptor = Timerfd::new()?;
            poll.registry()
                .register(&mut SourceFd(&descriptor.as_raw_fd()), TOKEN, Interest::READABLE)?;
            Ok(Self {
                descriptor,
                armed_for_ns: None,
            })
        }

        /// Makes the poll end at `at_ns` of the monotonic clock or earlier; returns the poll's own timeout.
        pub(super) fn arm(&mut self, at_ns: u64, due_in_ns: u64) -> Option<Duration> {
            if due_in_ns == 0 {
                return Some(Duration::ZERO);
            }
            if self.armed_for_ns.is_none_or(|armed_for_ns| armed_for_ns > at_ns) {
                self.descriptor.set(at_ns);
                self.armed_for_ns = Some(at_ns);
            }
            None
        }

        /// Setting it anew also clears its readiness, so nothing has to be read.
        pub(super) fn fired(&mut self) {
            self.armed_for_ns = None;
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod timer {
    //! Elsewhere the poll waits whole milliseconds; what is left is polled.

    use ::mio::{Poll, Token};
    use std::io;
    use std::time::Duration;

    pub(super) const TOKEN: Token = Token(usize::MAX);

    pub(super) struct Timer;

    impl Timer {
        pub(super) fn new(_poll: &Poll) -> io::Result<Self> {
            Ok(Self)
        }

        pub(super) fn arm(&mut self, _at_ns: u64, due_in_ns: u64) -> Option<Duration> {
            Some(Duration::from_millis(due_in_ns / 1_000_000))
        }

        pub(super) fn fired(&mut self) {}
    }
}
