//! Development only: servers whose response times are arithmetic, for `bench/`.
//!
//! A [`Service`] says when each piece of a response leaves; [`serve`] keeps these times on one thread and says at the end
//! what users at its door saw, by the stamps of the kernel. It speaks HTTP/1.1, HTTP/2, WebSocket or Socket.IO, over TLS or not, as its [`Door`] says. The programs in `src/bin`
//! are one service each. This crate does not know who asks, nor any part of plimsoll: what judges the generator must not share its code.

mod door;
mod seen;
mod server;
mod stamps;
mod tls;
mod wire;

pub use door::Door;
pub use server::{now_ns, serve};

/// When responses leave.
pub trait Service {
    /// Whether small pieces wait for the client to acknowledge the one before (Nagle's algorithm, RFC 896).
    const NAGLE: bool = false;

    /// Adds the pieces of the response to the next request, which was read at `arrived_ns`, in the order in which they
    /// leave. Times are those of a monotonic clock; one that is not in the future is at once. The last leaves last.
    fn respond(&mut self, arrived_ns: u64, pieces: &mut Vec<Piece>);
}

/// A part of a response, and when it leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// When it leaves.
    pub at_ns: u64,
    /// What it says.
    pub part: Part,
}

/// What a piece says. A response is [`Part::Whole`], or [`Part::Begin`] and [`Part::Rest`], or [`Part::Head`] and bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// All of the shortest response.
    Whole,
    /// The beginning of the shortest response: in HTTP/1.1 it ends in the middle of a header, in HTTP/2 with the headers, on a WebSocket in
    /// the head of its frame.
    Begin,
    /// What is left of it.
    Rest,
    /// The head of a response with a body of so many bytes.
    Head(u64),
    /// Bytes of that body.
    Body(&'static [u8]),
}

impl Piece {
    /// A whole response that leaves at `at_ns`.
    #[must_use]
    pub const fn whole(at_ns: u64) -> Self {
        Self {
            at_ns,
            part: Part::Whole,
        }
    }
}

/// Nanoseconds in this many milliseconds of a command line.
#[must_use]
pub fn ns_of_ms(ms: f64) -> u64 {
    (ms * 1e6).round() as u64
}
