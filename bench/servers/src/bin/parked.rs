//! A long-poll service that keeps as little as it can of each connection: the other side of `plimsoll hold`.
//!
//! A request waits until the service has something to say, which it says to connections at random, at a given rate. The
//! response carries when it was sent, on the clock of this machine. `GET /now` gets its response at once. Each thread listens for
//! itself (`SO_REUSEPORT`) and has a descriptor table of its own, so that the limit of one process counts for each.
//! Requests with a body are not understood.
#![expect(unsafe_code, reason = "a thread takes a descriptor table of its own")]

use anyhow::{Context as _, Result};
use clap::Parser;
use plimsoll_bench_servers::now_ns;
use rustix::event::Timespec;
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::io::Errno;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, sockopt};
use rustix::thread::UnshareFlags;
use std::collections::HashMap;
use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::sync::mpsc;
use std::thread;

const BACKLOG: i32 = 4096;
const EVENTS: usize = 256;
const REQUEST_BYTES: usize = 16 * 1024;
const END: &[u8] = b"\r\n\r\n";
/// Not the number of a connection: standard input is open from the start.
const LISTENER: u64 = 0;

/// Parks requests and responds to them at random.
#[derive(Debug, Clone, Parser)]
struct Args {
    /// First port, on 127.0.0.1
    #[arg(long)]
    port: u16,
    /// How many ports, one after the other; threads take them in turn
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    ports: u16,
    /// Threads, each with a descriptor table of its own when there are several
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    tables: u32,
    /// Responses to parked requests per second, by all threads together
    #[arg(long, default_value_t = 0)]
    deliver: u32,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let (tell, told) = mpsc::channel();
    for index in 0..args.tables {
        let (args, tell) = (args.clone(), tell.clone());
        thread::spawn(move || {
            let outcome = Table::open(&args, index).and_then(|table| {
                // Nobody listens any more only when main has given up.
                let _ = tell.send(Ok(()));
                table.serve()
            });
            let _ = tell.send(outcome);
        });
    }
    drop(tell);
    // The first word of each thread is that it listens. Whatever comes after that is why it does not go on, and a service
    // that has lost a table ends as a whole, so that nobody takes what is left for all of it.
    for word in told.iter().take(args.tables as usize) {
        word?;
    }
    let mut stdout = std::io::stdout();
    writeln!(stdout, "listening on 127.0.0.1:{}", args.port)?;
    stdout.flush()?;
    told.recv().context("every thread panicked")?
}

/// The connections of one thread; in every list the place is the number of the descriptor.
struct Table {
    listener: OwnedFd,
    epoll: OwnedFd,
    connections: Vec<Option<OwnedFd>>,
    /// Where a connection stands in `parked`.
    places: Vec<Option<u32>>,
    /// Connections with a request that waits, in no order.
    parked: Vec<u32>,
    /// Beginnings of requests.
    partial: HashMap<u32, Vec<u8>>,
    random: u64,
    delivered: u64,
    start_ns: u64,
    /// Between two responses; `None` never responds.
    every_ns: Option<u64>,
}

impl Table {
    fn open(args: &Args, index: u32) -> Result<Self> {
        if args.tables > 1 {
            // SAFETY: this thread opens its descriptors after this, shares none of them, and closes them itself.
            unsafe { rustix::thread::unshare_unsafe(UnshareFlags::FILES) }
                .context("take a descriptor table of its own")?;
        }
        let port = args.port + (index % u32::from(args.ports)) as u16;
        let listener = rustix::net::socket_with(
            AddressFamily::INET,
            SocketType::STREAM,
            SocketFlags::CLOEXEC | SocketFlags::NONBLOCK,
            None,
        )?;
        sockopt::set_socket_reuseaddr(&listener, true)?;
        if args.tables > 1 {
            sockopt::set_socket_reuseport(&listener, true)?;
        }
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        rustix::net::bind(&listener, &address).with_context(|| format!("listen on {address}"))?;
        rustix::net::listen(&listener, BACKLOG)?;
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        epoll::add(&epoll, &listener, EventData::new_u64(LISTENER), EventFlags::IN)?;
        Ok(Self {
            listener,
            epoll,
            connections: Vec::new(),
            places: Vec::new(),
            parked: Vec::new(),
            partial: HashMap::new(),
            random: 0x9e37_79b9_7f4a_7c15 ^ u64::from(index + 1),
            delivered: 0,
            start_ns: now_ns(),
            every_ns: (args.deliver > 0).then(|| 1_000_000_000 * u64::from(args.tables) / u64::from(args.deliver)),
        })
    }

    fn serve(mut self) -> Result<()> {
        let mut events = Vec::with_capacity(EVENTS);
        let mut buffer = vec![0; REQUEST_BYTES];
        loop {
            let timeout = self.due_in().map(|ns| Timespec {
                tv_sec: (ns / 1_000_000_000) as i64,
                tv_nsec: (ns % 1_000_000_000) as i64,
            });
            match epoll::wait(
                &self.epoll,
                rustix::buffer::spare_capacity(&mut events),
                timeout.as_ref(),
            ) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
            for event in events.drain(..) {
                match event.data.u64() {
                    LISTENER => self.accept()?,
                    number => self.read(number as u32, &mut buffer),
                }
            }
            while self.due_in() == Some(0) {
                self.deliver();
            }
        }
    }

    /// How long until the next response is due; `None` when none ever is.
    fn due_in(&self) -> Option<u64> {
        let due_ns = self.start_ns + (self.delivered + 1) * self.every_ns?;
        Some(due_ns.saturating_sub(now_ns()))
    }

    fn accept(&mut self) -> Result<()> {
        loop {
            let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
            let connection = match rustix::net::accept_with(&self.listener, flags) {
                Ok(connection) => connection,
                Err(Errno::AGAIN | Errno::CONNABORTED | Errno::INTR) => return Ok(()),
                Err(error) => return Err(error).context("accept a connection"),
            };
            sockopt::set_tcp_nodelay(&connection, true)?;
            let number = connection.as_raw_fd().unsigned_abs();
            epoll::add(
                &self.epoll,
                &connection,
                EventData::new_u64(number.into()),
                EventFlags::IN | EventFlags::RDHUP,
            )?;
            let place = number as usize;
            if place >= self.connections.len() {
                self.connections.resize_with(place + 1, || None);
                self.places.resize(place + 1, None);
            }
            self.connections[place] = Some(connection);
        }
    }

    fn read(&mut self, number: u32, buffer: &mut [u8]) {
        let Some(Some(connection)) = self.connections.get(number as usize) else {
            return;
        };
        let count = match rustix::net::recv(connection, &mut *buffer, RecvFlags::empty()) {
            Ok((0, _)) => return self.close(number),
            Ok((count, _)) => count,
            Err(Errno::AGAIN | Errno::INTR) => return,
            Err(_) => return self.close(number),
        };
        let mut request = self.partial.remove(&number).unwrap_or_default();
        request.extend_from_slice(&buffer[..count]);
        if !request.ends_with(END) {
            self.partial.insert(number, request);
        } else if request.starts_with(b"GET /now ") {
            self.respond(number);
        } else if self.places[number as usize].is_none() {
            self.places[number as usize] = Some(self.parked.len() as u32);
            self.parked.push(number);
        }
    }

    /// Responds to one of the parked requests.
    fn deliver(&mut self) {
        self.delivered += 1;
        // xorshift64 (Marsaglia, 2003): any connection, without a library.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        if self.parked.is_empty() {
            return;
        }
        let number = self.parked[(self.random % self.parked.len() as u64) as usize];
        self.unpark(number);
        self.respond(number);
    }

    fn respond(&mut self, number: u32) {
        let Some(Some(connection)) = self.connections.get(number as usize) else {
            return;
        };
        let response = format!(
            "HTTP/1.1 200 OK\r\ncontent-length: 12\r\nsent-monotonic-ns: {}\r\n\r\n{{\"sprite\":1}}",
            now_ns()
        );
        let sent = rustix::net::send(connection, response.as_bytes(), SendFlags::NOSIGNAL);
        // So little always fits into the buffer of a peer that reads.
        if sent != Ok(response.len()) {
            self.close(number);
        }
    }

    fn unpark(&mut self, number: u32) {
        let Some(place) = self.places.get_mut(number as usize).and_then(Option::take) else {
            return;
        };
        self.parked.swap_remove(place as usize);
        if let Some(&moved) = self.parked.get(place as usize) {
            self.places[moved as usize] = Some(place);
        }
    }

    fn close(&mut self, number: u32) {
        self.unpark(number);
        self.partial.remove(&number);
        // Closing a descriptor takes it out of the epoll set.
        self.connections[number as usize] = None;
    }
}
