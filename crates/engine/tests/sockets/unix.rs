//! Unix sockets, in a directory that goes with the thread of the test.

use plimsoll_engine::Connector;
use plimsoll_plan::{Address, SocketPath};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

pub(crate) type Stream = UnixStream;

thread_local! {
    static DIRECTORY: TempDir = tempfile::tempdir().expect("a directory");
}

/// A path that nobody has.
fn path() -> String {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("{}.sock", NEXT.fetch_add(1, Ordering::Relaxed));
    DIRECTORY.with(|directory| directory.path().join(name).to_str().expect("UTF-8").to_owned())
}

/// At a free path.
pub(crate) fn listen() -> (UnixListener, Address) {
    let path = SocketPath::new(path()).expect("a short path");
    let listener = UnixListener::bind(&path).expect("a free path");
    (listener, Address::Unix(path))
}

/// How TLS is spoken to what listens here.
pub(crate) fn connector() -> Option<Connector> {
    None
}

/// Where nothing listens any more.
pub(crate) fn nobody() -> Address {
    listen().1
}

/// Where no connection is made as long as the second value is there.
pub(crate) fn full() -> (Address, impl Sized) {
    let (listener, address) = listen();
    rustix::net::listen(&listener, 0).expect("the queue can be cut");
    let Address::Unix(path) = &address else { unreachable!() };
    let filler = UnixStream::connect(path).expect("room for one");
    (address, (listener, filler))
}
