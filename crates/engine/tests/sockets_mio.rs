//! The suite of sockets over epoll or kqueue, over TCP.

use plimsoll_engine::backend::mio::MioBackend;
use plimsoll_engine::backend::{Backend as _, Event, Io, Route, Wake};
use plimsoll_plan::Address;
use std::io::Write as _;

const IO: Io = Io::Mio;

fn backend(remote: &Address) -> MioBackend {
    MioBackend::new(Route::new(remote, Vec::new()), 0).expect("a poll descriptor")
}

#[path = "sockets/addresses.rs"]
mod addresses;

#[path = "sockets/backends.rs"]
mod backends;

#[path = "sockets/failures.rs"]
mod failures;

#[path = "sockets/hold.rs"]
mod hold;

#[path = "sockets/tcp.rs"]
mod net;

#[path = "sockets/suite.rs"]
mod suite;

/// Reads of one socket in one turn, those that fill the buffer and a last one.
const READS_MAX: u32 = 9;

#[test]
fn a_turn_ends_although_every_socket_has_more() {
    const SOCKETS: u32 = 4;
    let remote = suite::server(|mut stream| while stream.write_all(&[b'x'; 1 << 18]).is_ok() {});
    let mut backend = backend(&remote);
    (0..SOCKETS).for_each(|slot| backend.connect(slot).expect("a socket"));
    let (mut received, mut longest) = (0, 0);
    while received < 1 << 30 {
        backend.wait(backend.now_ns() + 3_600_000_000_000, Wake::AtOnce);
        let mut reads = 0;
        while let Some(event) = backend.next_event() {
            if let Event::Received(_, bytes, _) = event {
                received += bytes.len();
                reads += 1;
            }
        }
        longest = longest.max(reads);
    }
    assert!(longest <= READS_MAX * SOCKETS, "{longest} reads in one turn");
}
