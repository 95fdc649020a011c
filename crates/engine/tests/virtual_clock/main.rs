//! Whole shards on a virtual clock, against services whose response times are known.

mod clients;
mod cookies;
mod held_streams;
mod journey_times;
mod journeys;
mod late;
mod loads;
mod made;
mod messages;
mod mixes;
mod once;
mod one_message;
mod redirects;
mod shares;

use plimsoll_engine::backend::Io;
use plimsoll_engine::{Control, Generator, Hidden, Job, LaidOut, Ticks};
use plimsoll_measure::Tick;
use plimsoll_plan::{
    Address, Arrivals, Connections, Expect, Load, Method, OpenLoad, Rate, Request, Scenario, Template, Url,
};
use plimsoll_schedule::AgentShare;
use plimsoll_sim::backend::{Peer, ResponseTime, VirtualBackend};
use std::time::Duration;

pub(crate) const MS: u64 = 1_000_000;
pub(crate) const S: u64 = 1000 * MS;

/// Requests with these names, methods and weights.
pub(crate) fn scenario(requests: &[(&str, &str, u32)]) -> Scenario {
    let request = |&(name, method, weight): &(&str, &str, u32)| Request {
        name: name.to_owned(),
        weight,
        method: Method::new(method).expect("a token"),
        path: Template::literal(format!("/{name}")),
        headers: Vec::new(),
        body: Template::default(),
        grpc: None,
        expect: Expect::default(),
        form: plimsoll_plan::Form::default(),
    };
    Scenario {
        requests: requests.iter().map(request).collect(),
        ..Scenario::default()
    }
}

pub(crate) fn job(load: Load) -> Job {
    job_of(&scenario(&[("root", "GET", 1)]), load)
}

pub(crate) fn job_of(scenario: &Scenario, load: Load) -> Job {
    let url = Url::at("localhost", 80);
    Job {
        requests: LaidOut::http1(scenario, &url, true, 0).expect("a valid scenario"),
        hidden: Hidden::default(),
        load,
        seed: 1,
        first: 0,
        share: AgentShare::WHOLE,
        connections: Connections {
            max: 2000,
            ..Connections::default()
        },
        remote: Address::Tcp("127.0.0.1:80".parse().expect("an address")),
        tls: None,
        tunnel: None,
        generator: Generator::single(Io::Mio),
        ticks: Ticks::each(Duration::from_secs(1)),
        zero_ns: 0,
        actions: None,
    }
}

pub(crate) fn open(rate: u32, seconds: u64) -> Load {
    Load::Open(OpenLoad::constant(
        Rate::per_s(rate),
        Duration::from_secs(seconds),
        Arrivals::Even,
    ))
}

/// Before whatever service, with whatever is done with ticks: by way of this the engine is compiled once for most tests, and not for
/// each of them.
pub(crate) fn run_on(job: &Job, backend: VirtualBackend<impl Peer>, mut on_tick: impl FnMut(Tick) -> Control) {
    let on_tick: &mut dyn FnMut(Tick) -> Control = &mut on_tick;
    job.run_on(backend.before_any(), on_tick);
}

/// All ticks in one.
pub(crate) fn total(job: &Job, service: impl ResponseTime) -> Tick {
    let mut total = Tick::default();
    run_on(job, VirtualBackend::new(service), |tick| {
        total.merge(&tick);
        Control::Continue
    });
    total
}
