//! The Linux backend: requests and responses through an io_uring, without a system call for each.
//!
//! Receives are multishot into buffers that the kernel picks from a ring; sends are gathered, for each connection into one, and
//! handed over with the next wait; one system call submits, waits and collects. It needs
//! `unsafe`: the kernel reads and writes memory that must stay where it is.
#![expect(
    unsafe_code,
    reason = "memory is shared with the kernel; each block says why it is sound"
)]

use super::socket::{Begun, Queue, Route, Waited, fault, monotonic_ns, thread_cpu_ns};
use super::stamps::Stamps;
use super::timerfd::Ahead;
use super::unread;
use super::{Arrived, Backend, ConnectStage, End, Event, Fault, Gathers, Slot, Wake};
use ::io_uring::{IoUring, cqueue, opcode, squeue, types};
use plimsoll_measure::ErrorClass;
use rustix::event::PollFlags;
use rustix::io::Errno;
use rustix::net::{SendFlags, Shutdown};
use std::alloc::{self, Layout};
use std::collections::HashMap;
use std::io;
use std::mem::ManuallyDrop;
use std::net::SocketAddr;
use std::os::fd::{AsFd as _, AsRawFd, OwnedFd};
use std::ptr::NonNull;
use std::slice;
use std::sync::atomic::{AtomicU16, Ordering};

const SUBMISSIONS: u32 = 4096;
const COMPLETIONS: u32 = 32_768;
/// A power of two, at most 32,768.
const BUFFERS: u16 = 2048;
const BUFFER_BYTES: usize = 4096;
const BUFFER_GROUP: u16 = 0;
/// `MSG_WAITALL` of linux/socket.h: send all, not as much as there is room for.
const MSG_WAITALL: u32 = 0x100;
/// Completions that end a wait which gathers them, well before buffers run out.
const GATHER_MOST: usize = 512;
const PAGE_BYTES: usize = 4096;
/// Buffers of past sends that are kept.
const SPARE_BUFFERS: usize = 1024;
/// `IORING_ENTER_GETEVENTS` of linux/io_uring.h: what has happened to this ring's sockets becomes completions.
const ENTER_GETEVENTS: u32 = 1;
/// When the backend goes, sends that are still under way get this long and this often.
const DRAIN_ROUNDS: u32 = 10;
const DRAIN_WAIT_NS: u64 = 10_000_000;

/// Whether io_uring works here, with all that this backend needs of it.
pub(super) fn probe() -> io::Result<()> {
    let anywhere = SocketAddr::from(([127, 0, 0, 1], 0));
    UringBackend::new(Route::new(&anywhere.into(), Vec::new()), 0).map(drop)
}

/// Sockets over an io_uring.
pub struct UringBackend {
    ring: IoUring,
    buffers: ManuallyDrop<Buffers>,
    /// Multishot receives that have not come to their end.
    receiving: u64,
    sockets: Vec<Socket>,
    /// When the ring ends a wait; it stays set over waits that end before.
    alarm_ns: Option<u64>,
    /// Where the kernel reads that from when it takes the operation.
    alarm: Box<types::Timespec>,
    ahead: Ahead,
    stamps: Option<Stamps>,
    /// Completions of the last wait, taken from the front, and when it ended: by then all of them were there.
    done: Vec<cqueue::Entry>,
    taken: usize,
    ended_ns: u64,
    /// The buffer that the last event showed.
    shown: Option<u16>,
    /// Sockets with bytes to be sent that are not queued yet.
    to_send: Vec<Slot>,
    /// Buffers of sends that have come to their end, for the next ones: a connection that waits keeps none.
    spare: Vec<Vec<u8>>,
    /// What the kernel still sends of connections that have been closed, by the tag of the send.
    orphans: HashMap<u64, Vec<u8>>,
    zero_ns: u64,
    route: Route,
    /// Unix sockets that are not connected yet.
    queue: Queue,
}

#[derive(Default)]
struct Socket {
    descriptor: Option<OwnedFd>,
    /// Counts the connections of this slot, so that completions of an earlier one are told apart.
    generation: u32,
    /// Bytes to be sent: gathered until the next wait, and once `in_kernel` not touched until the send has completed.
    sending: Vec<u8>,
    /// In the hands of the kernel, or queued for it.
    in_kernel: bool,
    /// Bytes to be sent after those.
    unsent: Vec<u8>,
}

/// What a completion belongs to: slot, generation and kind in 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tag {
    slot: Slot,
    generation: u32,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Connect,
    Receive,
    Send,
    Timer,
}

const GENERATION_BITS: u32 = 30;

impl Tag {
    fn encode(self) -> u64 {
        u64::from(self.slot) << 32 | u64::from(self.generation) << 2 | self.kind as u64
    }

    fn decode(bits: u64) -> Self {
        Self {
            slot: (bits >> 32) as Slot,
            generation: (bits >> 2) as u32 & ((1 << GENERATION_BITS) - 1),
            kind: match bits & 3 {
                0 => Kind::Connect,
                1 => Kind::Receive,
                2 => Kind::Send,
                _ => Kind::Timer,
            },
        }
    }
}

/// The timer that ends waits, and what became of moving it.
const ALARM: Tag = Tag {
    slot: Slot::MAX,
    generation: 0,
    kind: Kind::Timer,
};
const ALARM_MOVED: Tag = Tag { generation: 1, ..ALARM };

impl UringBackend {
    /// `zero_ns` is a reading of [`monotonic_ns`]. To be made on the thread that uses it.
    ///
    /// # Errors
    /// When the kernel is too old (before 6.1), or io_uring is forbidden here, as in many containers.
    pub fn new(route: Route, zero_ns: u64) -> io::Result<Self> {
        let ring = IoUring::builder()
            .setup_single_issuer()
            .setup_defer_taskrun()
            .setup_cqsize(COMPLETIONS)
            .build(SUBMISSIONS)?;
        let buffers = Buffers::new()?;
        // SAFETY: the ring of buffers is aligned to a page and has that many entries. It is freed only once the kernel
        // has let go of it; see `drop`.
        unsafe {
            ring.submitter()
                .register_buf_ring_with_flags(buffers.address(), BUFFERS, BUFFER_GROUP, 0)?;
        }
        Ok(Self {
            ring,
            buffers: ManuallyDrop::new(buffers),
            receiving: 0,
            alarm_ns: None,
            alarm: Box::default(),
            ahead: Ahead::new()?,
            stamps: None,
            sockets: Vec::new(),
            done: Vec::with_capacity(COMPLETIONS as usize),
            taken: 0,
            ended_ns: 0,
            shown: None,
            to_send: Vec::new(),
            spare: Vec::new(),
            orphans: HashMap::new(),
            zero_ns,
            route,
            queue: Queue::default(),
        })
    }

    /// Lets the kernel say when bytes arrive, which costs a little for each receive.
    #[must_use]
    pub fn stamping(mut self) -> Self {
        self.stamps = Some(Stamps::new());
        self
    }

    /// Queues an operation; when the queue is full, the kernel is given it first.
    ///
    /// # Safety
    /// What the entry points to must stay valid and unmoved until its completion.
    unsafe fn push(&mut self, entry: &squeue::Entry) {
        loop {
            // SAFETY: the caller keeps what it points to.
            if unsafe { self.ring.submission().push(entry) }.is_ok() {
                return;
            }
            // A busy kernel takes them with the next try; it cannot refuse for good.
            let _ = self.ring.submit();
        }
    }

    /// Queues a send for each socket that has something to be sent.
    fn queue_sends(&mut self) {
        let mut to_send = std::mem::take(&mut self.to_send);
        to_send.drain(..).for_each(|slot| self.flush(slot));
        self.to_send = to_send;
    }

    /// Gives the kernel what is queued or to be sent, without waiting.
    fn submit_queued(&mut self) {
        self.queue_sends();
        if !self.ring.submission().is_empty() {
            let _ = self.ring.submit();
        }
    }

    /// Has the ring say when a socket is connected.
    fn watch(&mut self, slot: Slot, descriptor: OwnedFd) {
        if self.stamps.is_some() {
            Stamps::ask_for(&descriptor);
        }
        let index = slot as usize;
        if index >= self.sockets.len() {
            self.sockets.resize_with(index + 1, Socket::default);
        }
        let socket = &mut self.sockets[index];
        let tag = Tag {
            slot,
            generation: socket.generation,
            kind: Kind::Connect,
        };
        let entry = opcode::PollAdd::new(types::Fd(descriptor.as_raw_fd()), PollFlags::OUT.bits().into())
            .build()
            .user_data(tag.encode());
        socket.descriptor = Some(descriptor);
        // SAFETY: a poll points to nothing.
        unsafe { self.push(&entry) };
    }

    /// Goes on with the sockets that wait for room in the queue of the service; the first failure among them.
    fn next_waited(&mut self) -> Option<Event<'static>> {
        loop {
            match self.queue.next(&self.route)? {
                Waited::Connected(slot, descriptor) => self.watch(slot, descriptor),
                Waited::Failed(slot, fault) => return Some(Event::ConnectFailed(slot, fault)),
            }
        }
    }

    fn receive(&mut self, slot: Slot) {
        let socket = &self.sockets[slot as usize];
        let Some(descriptor) = &socket.descriptor else { return };
        let tag = Tag {
            slot,
            generation: socket.generation,
            kind: Kind::Receive,
        };
        let descriptor = types::Fd(descriptor.as_raw_fd());
        let entry = match &self.stamps {
            None => opcode::RecvMulti::new(descriptor, BUFFER_GROUP).build(),
            Some(stamps) => opcode::RecvMsgMulti::new(descriptor, stamps.shape(), BUFFER_GROUP).build(),
        }
        .user_data(tag.encode());
        self.receiving += 1;
        // SAFETY: a multishot receive points to nothing but the registered buffers and the shape, which live as long.
        unsafe { self.push(&entry) };
    }

    fn flush(&mut self, slot: Slot) {
        let socket = &mut self.sockets[slot as usize];
        let Some(descriptor) = &socket.descriptor else {
            return socket.sending.clear();
        };
        socket.in_kernel = true;
        let tag = Tag {
            slot,
            generation: socket.generation,
            kind: Kind::Send,
        };
        let entry = opcode::Send::new(
            types::Fd(descriptor.as_raw_fd()),
            socket.sending.as_ptr(),
            socket.sending.len() as u32,
        )
        // The kernel goes on until all is sent.
        .flags(
            (SendFlags::NOSIGNAL | SendFlags::from_bits_retain(MSG_WAITALL))
                .bits()
                .cast_signed(),
        )
        .build()
        .user_data(tag.encode());
        // SAFETY: `sending` is not touched while `in_kernel`; a socket that is closed meanwhile
        // hands it to `orphans`. Moving the Vec does not move its bytes.
        unsafe { self.push(&entry) };
    }

    /// Makes the ring end a wait at `at_ns` or earlier. A timer for each wait would be set and taken back with every response.
    fn set_alarm(&mut self, at_ns: u64) {
        if self.alarm_ns.is_some_and(|alarm_ns| alarm_ns <= at_ns) {
            return;
        }
        *self.alarm = timespec(self.zero_ns + at_ns);
        let flags = types::TimeoutFlags::ABS;
        let entry = match self.alarm_ns.replace(at_ns) {
            None => opcode::Timeout::new(&raw const *self.alarm)
                .flags(flags)
                .build()
                .user_data(ALARM.encode()),
            Some(_) => opcode::TimeoutUpdate::new(ALARM.encode(), &raw const *self.alarm)
                .flags(flags)
                .build()
                .flags(squeue::Flags::SKIP_SUCCESS)
                .user_data(ALARM_MOVED.encode()),
        };
        // SAFETY: the kernel reads the time when it takes the entry, which is in the wait that this is for.
        unsafe { self.push(&entry) };
    }

    /// Takes what is there. A wait with a limit of zero would set a timer, and sleep until it goes off.
    fn look(&mut self) {
        let queued = self.ring.submission().len() as u32;
        // SAFETY: the kernel reads the queued entries, whose memory is kept, and no argument.
        let _ = unsafe { self.ring.submitter().enter::<()>(queued, 0, ENTER_GETEVENTS, None) };
    }

    fn wait_for_one(&mut self, until_ns: u64) {
        self.set_alarm(until_ns);
        let _ = self.ring.submit_and_wait(1);
    }

    /// Waits for so many completions, or so long. As any wait it also ends by a signal or when the completions are full,
    /// each of which is a reason to look.
    fn gather(&mut self, completions: usize, limit_ns: u64) {
        let timeout = timespec(limit_ns);
        let args = types::SubmitArgs::new().timespec(&timeout);
        let _ = self.ring.submitter().submit_with_args(completions, &args);
    }

    /// The timer has gone off, or it had before it could be moved: then its own completion is there as well.
    fn rang(&mut self, tag: Tag) {
        if tag == ALARM {
            self.alarm_ns = None;
        }
    }

    fn is_current(&self, tag: Tag) -> bool {
        self.sockets
            .get(tag.slot as usize)
            .is_some_and(|socket| socket.descriptor.is_some() && socket.generation == tag.generation)
    }

    /// A send has come to its end.
    fn sent(&mut self, tag: Tag, outcome: i32) {
        if !self.is_current(tag) {
            self.orphans.remove(&tag.encode());
            return;
        }
        let socket = &mut self.sockets[tag.slot as usize];
        socket.in_kernel = false;
        let mut sent = std::mem::take(&mut socket.sending);
        if outcome <= 0 {
            // A failed send shows when the socket is read.
            if socket.unsent.is_empty() {
                std::mem::swap(&mut socket.unsent, &mut sent);
            }
        } else if !socket.unsent.is_empty() {
            socket.sending = std::mem::take(&mut socket.unsent);
            self.to_send.push(tag.slot);
        }
        if self.spare.len() < SPARE_BUFFERS {
            sent.clear();
            self.spare.push(sent);
        }
    }
}

impl Backend for UringBackend {
    fn now_ns(&self) -> u64 {
        monotonic_ns().saturating_sub(self.zero_ns)
    }

    fn cpu_ns(&self) -> u64 {
        thread_cpu_ns()
    }

    fn stamps(&self) -> bool {
        self.stamps.is_some()
    }

    fn gathers(&self) -> Gathers {
        Gathers::All
    }

    fn connect(&mut self, slot: Slot) -> Result<(), Fault> {
        match self.route.connect()? {
            Begun::Underway(descriptor) => self.watch(slot, descriptor),
            Begun::Full(descriptor) => self.queue.push(slot, descriptor),
        }
        Ok(())
    }

    #[inline]
    fn send(&mut self, slot: Slot, write: impl FnOnce(&mut Vec<u8>)) -> usize {
        let Some(socket) = self.sockets.get_mut(slot as usize) else {
            return 0;
        };
        if socket.in_kernel {
            let before = socket.unsent.len();
            write(&mut socket.unsent);
            return socket.unsent.len() - before;
        }
        if socket.sending.capacity() == 0 {
            socket.sending = self.spare.pop().unwrap_or_default();
        }
        let before = socket.sending.len();
        write(&mut socket.sending);
        let length = socket.sending.len() - before;
        if before == 0 && length > 0 {
            self.to_send.push(slot);
        }
        length
    }

    fn ended_before_it_read(&mut self, slot: Slot) -> Option<bool> {
        // The kernel tries to send as soon as it is given what is to be sent, and then says so.
        self.submit_queued();
        self.done.extend(self.ring.completion());
        let socket = self.sockets.get(slot as usize)?;
        let tag = Tag {
            slot,
            generation: socket.generation,
            kind: Kind::Send,
        };
        let is_failed = |done: &cqueue::Entry| done.user_data() == tag.encode() && done.result() < 0;
        let failed = self.done[self.taken..].iter().any(is_failed);
        if socket.unsent.is_empty() && !failed {
            unread::ended_before_it_read(socket.descriptor.as_ref()?.as_fd())
        } else {
            Some(true)
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
        // What is still queued for this socket would meet the next one that gets its descriptor.
        self.submit_queued();
        self.queue.remove(slot);
        let Some(socket) = self.sockets.get_mut(slot as usize) else {
            return;
        };
        let Some(descriptor) = socket.descriptor.take() else {
            return;
        };
        // Ends the operations that are under way; without it they would keep the socket open.
        let _ = rustix::net::shutdown(&descriptor, Shutdown::Both);
        if socket.in_kernel {
            let tag = Tag {
                slot,
                generation: socket.generation,
                kind: Kind::Send,
            };
            self.orphans.insert(tag.encode(), std::mem::take(&mut socket.sending));
        }
        socket.in_kernel = false;
        socket.sending.clear();
        socket.unsent.clear();
        socket.generation = (socket.generation + 1) & ((1 << GENERATION_BITS) - 1);
    }

    fn expect(&mut self, now_ns: u64, at_ns: u64) {
        self.ahead.expect(self.zero_ns + now_ns, self.zero_ns + at_ns);
    }

    fn wait(&mut self, until_ns: u64, wake: Wake) {
        if let Some(buffer) = self.shown.take() {
            self.buffers.give_back(buffer);
        }
        self.done.clear();
        self.taken = 0;
        self.queue_sends();
        let until_ns = self.queue.end_of_wait(|| self.now_ns(), until_ns);
        if wake == Wake::AtTheEnd {
            // The limit counts from when the kernel begins to wait; what is to be sent is sent before.
            self.submit_queued();
        }
        let limit_ns = until_ns.saturating_sub(self.now_ns());
        match wake {
            _ if limit_ns == 0 => self.look(),
            Wake::AtOnce => self.wait_for_one(until_ns),
            Wake::Together { events, within_ns } => {
                // What is queued is nearly always sends, whose completions are there as soon as the kernel has taken them.
                let completions = self.ring.submission().len() + events.min(GATHER_MOST);
                self.gather(completions, limit_ns.min(within_ns));
                if self.ring.completion().is_empty() {
                    self.wait_for_one(until_ns);
                }
            }
            Wake::AtTheEnd => self.gather(GATHER_MOST, limit_ns),
        }
        self.ended_ns = self.now_ns();
        if let Some(stamps) = &mut self.stamps {
            stamps.synchronise(self.ended_ns);
        }
        self.done.extend(self.ring.completion());
    }

    fn next_event(&mut self) -> Option<Event<'_>> {
        if let Some(buffer) = self.shown.take() {
            self.buffers.give_back(buffer);
        }
        while let Some(completion) = self.done.get(self.taken) {
            self.taken += 1;
            let (outcome, flags) = (completion.result(), completion.flags());
            let tag = Tag::decode(completion.user_data());
            let slot = tag.slot;
            match tag.kind {
                Kind::Send => self.sent(tag, outcome),
                Kind::Connect if self.is_current(tag) => {
                    let descriptor = self.sockets[slot as usize].descriptor.as_ref()?;
                    return Some(match rustix::net::sockopt::socket_error(descriptor) {
                        Ok(Ok(())) if outcome >= 0 => {
                            self.receive(slot);
                            Event::Connected(slot)
                        }
                        Ok(Err(errno)) | Err(errno) => Event::ConnectFailed(slot, fault(errno)),
                        Ok(Ok(())) => Event::ConnectFailed(slot, ErrorClass::Unreachable.into()),
                    });
                }
                Kind::Receive => {
                    let buffer = cqueue::buffer_select(flags);
                    if !cqueue::more(flags) {
                        self.receiving -= 1;
                    }
                    if !self.is_current(tag) {
                        if let Some(buffer) = buffer {
                            self.buffers.give_back(buffer);
                        }
                        continue;
                    }
                    match (outcome, buffer) {
                        (1.., Some(buffer)) => {
                            if !cqueue::more(flags) {
                                self.receive(slot);
                            }
                            self.shown = Some(buffer);
                            let bytes = self.buffers.read(buffer, outcome as usize);
                            let (bytes, stamp_ns) = match &self.stamps {
                                None => (bytes, None),
                                Some(stamps) => stamps.parse(bytes),
                            };
                            if bytes.is_empty() {
                                return Some(Event::Closed(slot, End::Finished));
                            }
                            let arrived = Arrived {
                                at_ns: stamp_ns.unwrap_or(self.ended_ns).min(self.ended_ns),
                                found_ns: self.ended_ns,
                            };
                            return Some(Event::Received(slot, bytes, arrived));
                        }
                        // All buffers were in use; by the time this is submitted they are back.
                        _ if outcome == -Errno::NOBUFS.raw_os_error() => self.receive(slot),
                        _ => {
                            let end = match outcome {
                                0 => End::Finished,
                                _ => End::Reset {
                                    errno: (outcome < 0).then_some(-outcome),
                                },
                            };
                            return Some(Event::Closed(slot, end));
                        }
                    }
                }
                Kind::Timer => self.rang(tag),
                Kind::Connect => {}
            }
        }
        self.next_waited()
    }
}

impl Drop for UringBackend {
    fn drop(&mut self) {
        // The kernel must let go of every buffer before it is freed.
        for slot in 0..self.sockets.len() as Slot {
            self.close(slot);
        }
        for _ in 0..DRAIN_ROUNDS {
            // A wait forgets what was left of the one before: receives that have ended, and that its own timer has gone off.
            while self.next_event().is_some() {}
            if self.orphans.is_empty() && self.receiving == 0 {
                break;
            }
            self.wait(self.now_ns() + DRAIN_WAIT_NS, Wake::AtOnce);
        }
        if self.receiving == 0 && self.ring.submitter().unregister_buf_ring(BUFFER_GROUP).is_ok() {
            // SAFETY: no receive is under way and the kernel does not know the buffers any more; nothing uses them
            // after this.
            unsafe { ManuallyDrop::drop(&mut self.buffers) };
        }
        // What the kernel still holds outlives us: leaking it is sound, freeing it is not.
        std::mem::take(&mut self.orphans)
            .into_values()
            .for_each(std::mem::forget);
    }
}

fn timespec(ns: u64) -> types::Timespec {
    types::Timespec::new()
        .sec(ns / 1_000_000_000)
        .nsec((ns % 1_000_000_000) as u32)
}

/// Buffers that the kernel picks from, and the ring by which it gets them back.
struct Buffers {
    ring: NonNull<types::BufRingEntry>,
    memory: Box<[u8]>,
    tail: u16,
}

impl Buffers {
    fn layout() -> Layout {
        Layout::array::<types::BufRingEntry>(BUFFERS.into())
            .and_then(|layout| layout.align_to(PAGE_BYTES))
            .expect("a constant layout")
    }

    fn new() -> io::Result<Self> {
        // SAFETY: the layout is not empty.
        let memory = unsafe { alloc::alloc_zeroed(Self::layout()) };
        let ring = NonNull::new(memory.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        let mut buffers = Self {
            ring,
            memory: vec![0; BUFFER_BYTES * usize::from(BUFFERS)].into_boxed_slice(),
            tail: 0,
        };
        (0..BUFFERS).for_each(|buffer| buffers.give_back(buffer));
        Ok(buffers)
    }

    fn address(&self) -> u64 {
        self.ring.as_ptr() as u64
    }

    fn give_back(&mut self, buffer: u16) {
        let begin = usize::from(buffer) * BUFFER_BYTES;
        let address = self.memory[begin..begin + BUFFER_BYTES].as_ptr() as u64;
        let index = usize::from(self.tail & (BUFFERS - 1));
        // SAFETY: the index is inside the ring, and the kernel reads an entry only after the tail
        // has passed it.
        let entry = unsafe { &mut *self.ring.as_ptr().add(index) };
        entry.set_addr(address);
        entry.set_len(BUFFER_BYTES as u32);
        entry.set_bid(buffer);
        self.tail = self.tail.wrapping_add(1);
        // SAFETY: the tail lies inside the ring, in a field of its first entry that set_addr,
        // set_len and set_bid do not touch; the kernel reads it as one 16-bit value.
        let tail = unsafe { AtomicU16::from_ptr(types::BufRingEntry::tail(self.ring.as_ptr()).cast_mut()) };
        tail.store(self.tail, Ordering::Release);
    }

    fn read(&self, buffer: u16, length: usize) -> &[u8] {
        let begin = usize::from(buffer) * BUFFER_BYTES;
        // SAFETY: the kernel has written these bytes and does not touch the buffer again before it
        // is given back, which needs `&mut self`.
        unsafe { slice::from_raw_parts(self.memory.as_ptr().add(begin), length.min(BUFFER_BYTES)) }
    }
}

impl Drop for Buffers {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, and unregistered before.
        unsafe { alloc::dealloc(self.ring.as_ptr().cast(), Self::layout()) };
    }
}
