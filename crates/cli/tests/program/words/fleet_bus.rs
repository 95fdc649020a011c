//! What becomes of a bus whose broker is gone.

use crate::bench::{can_run_broker, free_port};
use plimsoll_bus::Nats;
use plimsoll_fleet::{Address, Dial as _, Listener, RunId};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// More than a client keeps for a broker that may come back.
const MESSAGES: usize = 10_000;
const SOON: Duration = Duration::from_secs(30);

#[test]
fn bus_whose_broker_is_gone_can_be_left() {
    if !can_run_broker() {
        return;
    }
    let port = free_port();
    let mut broker = Command::new("nats-server")
        .args(["-a", "127.0.0.1", "-p", &port.to_string()])
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let deadline = Instant::now() + SOON;
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(Instant::now() < deadline, "it does not listen");
        thread::sleep(Duration::from_millis(10));
    }
    let nats = Nats::at(&format!("nats://127.0.0.1:{port}")).expect("a URL");
    let mut bus = nats.dial(&Listener::Coordinator(RunId::new(1))).expect("a broker");
    broker.kill().and_then(|()| broker.wait()).expect("it ran");
    for _ in 0..MESSAGES {
        bus.send(&Address::Agents, b"is anybody there?".to_vec())
            .expect("it may be lost");
    }
    let (says, left) = mpsc::channel();
    thread::spawn(move || {
        drop(bus);
        says.send(())
    });
    left.recv_timeout(SOON).expect("nobody waits for a broker that is gone");
}
