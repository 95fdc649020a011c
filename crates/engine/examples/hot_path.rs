//! What the engine itself does for a request, without a kernel: a whole shard over a backend that responds at once.
//! `bench/instructions/run` counts its instructions: `hot_path closed|open REQUESTS MIX`, of which
//! the last says how many requests the scenario has.

use plimsoll_engine::backend::{Arrived, Backend, Event, Fault, Io, Slot, Wake};
use plimsoll_engine::{Control, Generator, Hidden, Job, LaidOut, Ticks};
use plimsoll_plan::{
    Address, Arrivals, ClosedLoad, Connections, Expect, Load, Method, OpenLoad, Rate, Request, Scenario, Template, Url,
};
use plimsoll_schedule::AgentShare;
use std::time::Duration;

const CONNECTIONS: u32 = 64;
const RATE_PER_S: u32 = 100_000;
/// Time passes with each wait alone.
const WAIT_NS: u64 = 10_000;

const RESPONSE: &[u8] = b"HTTP/1.1 200 OK\r\nServer: nginx/1.26.3\r\nDate: Mon, 19 Jan 2026 08:12:31 GMT\r\n\
Content-Type: application/octet-stream\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok";

/// Each wait brings the responses to what was sent before it.
#[derive(Default)]
struct Loopback {
    now_ns: u64,
    connecting: Vec<Slot>,
    sent: Vec<Slot>,
    responded: Vec<Slot>,
    out: Vec<u8>,
}

impl Backend for Loopback {
    fn now_ns(&self) -> u64 {
        self.now_ns
    }

    fn cpu_ns(&self) -> u64 {
        0
    }

    fn connect(&mut self, slot: Slot) -> Result<(), Fault> {
        self.connecting.push(slot);
        Ok(())
    }

    fn send(&mut self, slot: Slot, write: impl FnOnce(&mut Vec<u8>)) -> usize {
        // As each backend does it: into a buffer of its own, which is emptied when the bytes are sent.
        self.out.clear();
        write(&mut self.out);
        self.sent.push(slot);
        self.out.len()
    }

    fn close(&mut self, _slot: Slot) {}

    fn wait(&mut self, until_ns: u64, _wake: Wake) {
        self.now_ns = if self.sent.is_empty() && self.connecting.is_empty() {
            until_ns.max(self.now_ns)
        } else {
            self.now_ns + WAIT_NS
        };
        std::mem::swap(&mut self.sent, &mut self.responded);
    }

    fn next_event(&mut self) -> Option<Event<'_>> {
        if let Some(slot) = self.connecting.pop() {
            return Some(Event::Connected(slot));
        }
        let slot = self.responded.pop()?;
        Some(Event::Received(slot, RESPONSE, Arrived::at(self.now_ns)))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, requests, mix] = arguments.as_slice() else {
        return Err("expected `closed` or `open`, a number of requests, and how many the scenario has".into());
    };
    let requests: u64 = requests.parse()?;
    let load = match model.as_str() {
        "closed" => Load::Closed(ClosedLoad {
            connections: CONNECTIONS,
            duration: None,
            requests: Some(requests),
            think_time: Duration::ZERO,
            pacing: Duration::ZERO,
            ramp: Duration::ZERO,
            stages: Vec::new(),
        }),
        "open" => Load::Open(OpenLoad::constant(
            Rate::per_s(RATE_PER_S),
            Duration::from_nanos(requests * 1_000_000_000 / u64::from(RATE_PER_S)),
            Arrivals::Poisson,
        )),
        other => return Err(format!("the model is `{other}`; expected closed or open").into()),
    };
    let mut passed = 0;
    job(load, mix.parse()?)?.run_on(Loopback::default(), |tick| {
        passed += tick.counters.passed;
        Control::Continue
    });
    if model == "closed" && passed != requests {
        return Err(format!("{passed} of {requests} requests passed").into());
    }
    Ok(())
}

fn job(load: Load, mix: u32) -> Result<Job, Box<dyn std::error::Error>> {
    let url = Url::at("localhost", 80);
    let scenario = Scenario {
        requests: (0..mix).map(request).collect::<Result<_, _>>()?,
        ..Scenario::default()
    };
    Ok(Job {
        requests: LaidOut::http1(&scenario, &url, true, 0)?,
        hidden: Hidden::default(),
        load,
        seed: 1,
        first: 0,
        share: AgentShare::WHOLE,
        connections: Connections {
            max: CONNECTIONS,
            ..Connections::default()
        },
        remote: Address::Tcp("127.0.0.1:80".parse()?),
        tls: None,
        tunnel: None,
        generator: Generator::single(Io::Mio),
        ticks: Ticks::each(Duration::from_secs(1)),
        zero_ns: 0,
        actions: None,
    })
}

fn request(number: u32) -> Result<Request, &'static str> {
    Ok(Request {
        name: format!("request {number}"),
        weight: 1,
        method: Method::new("GET").ok_or("a method")?,
        path: Template::literal("/"),
        headers: Vec::new(),
        body: Template::default(),
        grpc: None,
        expect: Expect::default(),
        form: plimsoll_plan::Form::default(),
    })
}
