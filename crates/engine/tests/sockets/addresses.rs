//! Addresses that connections leave from, which TCP alone has.

use super::suite::{OK, closed, job, read_request, server, total};
use plimsoll_plan::Connections;
use std::io::Write as _;

#[test]
fn local_addresses_are_used_in_turn() {
    let (peers, seen) = std::sync::mpsc::channel();
    let address = server(move |mut stream| {
        let _ = peers.send(stream.peer_addr().expect("connected").ip().to_string());
        while read_request(&mut stream) && stream.write_all(OK).is_ok() {}
    });
    let mut job = job(address, closed(4, 40), Connections::default());
    job.generator.local_addrs = vec![
        "127.0.0.2".parse().expect("an address"),
        "127.0.0.3".parse().expect("an address"),
    ];
    assert_eq!(total(&job).counters.passed, 40);
    let mut peers: Vec<_> = seen.try_iter().collect();
    peers.sort();
    assert_eq!(peers, ["127.0.0.2", "127.0.0.2", "127.0.0.3", "127.0.0.3"]);
}
