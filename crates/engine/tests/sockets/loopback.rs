//! Addresses of TCP on this machine.

use plimsoll_plan::Address;
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

/// At a free port.
pub(crate) fn bound() -> (TcpListener, Address) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("bound");
    (listener, address.into())
}

/// Where nothing listens.
pub(crate) fn nobody() -> Address {
    bound().1
}

/// Where no connection is made as long as the second value is there: a full backlog leaves further ones unanswered.
pub(crate) fn full() -> (Address, impl Sized) {
    let (listener, address) = bound();
    rustix::net::listen(&listener, 0).expect("the backlog can be cut");
    let connect = |_| {
        let address = listener.local_addr().expect("bound");
        TcpStream::connect_timeout(&address, Duration::from_millis(100))
    };
    let fillers: Vec<_> = (0..4).map(connect).collect();
    (address, (listener, fillers))
}
