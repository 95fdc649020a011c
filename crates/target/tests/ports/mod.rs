//! Ports for the services of tests.

use std::io::Read as _;
use std::net::{TcpListener, TcpStream};

/// A port of 127.0.0.1 that nothing listens on, and that the kernel gives to nobody else for a minute: a connection of it was
/// just closed (TIME_WAIT). Whoever sets `SO_REUSEADDR`, as servers do, can still listen there.
pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("it is bound");
    let mut client = TcpStream::connect(address).expect("it listens");
    // The side that closes first keeps the port.
    drop(listener.accept().expect("a connection"));
    assert_eq!(client.read(&mut [0]).expect("its end"), 0);
    address.port()
}
