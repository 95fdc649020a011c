//! What the servers say that users saw, beside what a user saw.

use rustix::net::sockopt;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const REQUESTS: u64 = 10;
const RESPONSE_BYTES: usize = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok".len();
/// Of the server's histogram.
const ROUNDING: f64 = 1.001;

/// How long a user waited for each response, and what the server says at its end.
fn ask(program: &str, args: &[&str]) -> (Vec<Duration>, Value) {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let address = free.expect("a free port");
    let server = Command::new(program)
        .arg(address.port().to_string())
        .args(args)
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut user = loop {
        if let Ok(user) = TcpStream::connect(address) {
            break user;
        }
        std::thread::yield_now();
    };
    let waited = (0..REQUESTS).map(|_| {
        // What a user's kernel does by itself on a connection that is older.
        sockopt::set_tcp_quickack(&user, false).expect("the kernel can delay acknowledgements");
        let asked = Instant::now();
        user.write_all(b"GET / HTTP/1.1\r\n\r\n").expect("it reads");
        user.read_exact(&mut [0; RESPONSE_BYTES]).expect("it responds");
        asked.elapsed()
    });
    let waited = waited.collect();
    kill_process(Pid::from_child(&server), Signal::TERM).expect("it still runs");
    let said = server.wait_with_output().expect("it ends").stdout;
    (waited, serde_json::from_slice(&said).expect("it says what users saw"))
}

#[track_caller]
fn check(program: &str, args: &[&str], at_least_ms: f64) {
    let (waited, said) = ask(program, args);
    // The kernel begins a moment after it is asked for the first time, so the first request may have come unnoted.
    let answers = said["answers"].as_u64().expect("a number");
    assert!((REQUESTS - 1..=REQUESTS).contains(&answers), "{said}");
    let ms = |quantile: &str| said[quantile].as_f64().expect("a time");
    assert!(ms("p50_ms") >= at_least_ms, "{said}");
    let longest_waited_ms = waited.iter().max().expect("there are some").as_secs_f64() * 1e3;
    assert!(
        ms("p999_ms") <= longest_waited_ms * ROUNDING,
        "{said}, but the user waited for {longest_waited_ms} ms"
    );
}

#[test]
fn a_response_ends_with_its_last_piece() {
    // Less what the clocks of the machine may be apart.
    check(env!("CARGO_BIN_EXE_two_packets"), &["20"], 19.0);
}

#[test]
fn what_the_kernel_holds_back_counts() {
    // Linux delays acknowledgements by 40 ms, less what has passed of a tick.
    check(env!("CARGO_BIN_EXE_delayed_ack"), &[], 30.0);
}
