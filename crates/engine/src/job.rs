//! Shards on their threads, and their ticks merged into one stream.

use crate::backend::Backend;
#[cfg(target_os = "linux")]
use crate::backend::io_uring::UringBackend;
use crate::backend::mio::MioBackend;
use crate::backend::tls::Tls;
use crate::backend::tunnel::Tunnel;
use crate::backend::{Io, Route, monotonic_ns};
use crate::connection::{Protocol, RequestsOf};
use crate::descriptors::{make_room, take_own_table};
use crate::drivers::{Arrivals, Closed, Driver, Held, Holding, Open, Source};
use crate::event_loop::{Control, EventLoop, Sink};
use crate::evidence::Hidden;
use crate::generator::Generator;
use crate::laid_out::LaidOut;
use crate::pool::{Limits, Pool};
use crate::resources::{Ports, Resources};
use crate::ticker::Ticks;
use plimsoll_measure::Tick;
use plimsoll_plan::{Address, Connections, Load, Park};
use plimsoll_protocol::http1::Http1;
use plimsoll_protocol::http2::Http2;
use plimsoll_schedule::{AgentShare, Schedule};
use plimsoll_tls::Connector;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

/// Connections being made at once, by all shards together; below the usual accept backlog of a service.
const CONNECTING_LIMIT: u32 = 256;

/// Requests in flight on one connection of HTTP/2, where nobody says how many and they are not made by users: as many as most
/// services allow (RFC 9113, section 6.5.2).
const STREAMS: u32 = 100;

/// One load, from its first start to its last response.
#[derive(Debug, Clone)]
pub struct Job {
    /// What is sent.
    pub requests: LaidOut,
    /// Values of the plan that no report may show, even where the service sends them back.
    pub hidden: Hidden,
    /// When it is sent.
    pub load: Load,
    /// Seed of the arrivals.
    pub seed: u64,
    /// The part of the load that this generator makes.
    pub share: AgentShare,
    /// How connections are used.
    pub connections: Connections,
    /// Where to.
    pub remote: Address,
    /// How TLS is spoken there; else nothing is encrypted.
    pub tls: Option<Connector>,
    /// What opens the way there, where `remote` is a proxy and TLS is spoken.
    pub tunnel: Option<Tunnel>,
    /// What it is generated with.
    pub generator: Generator,
    /// How long ticks are.
    pub ticks: Ticks,
    /// Zero of every time that is reported, a reading of [`monotonic_ns`].
    pub zero_ns: u64,
}

/// Why a load could not be made at all. The text fits after "failed to".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The operating system refused a thread or a descriptor.
    #[error("start a generator thread: {0}")]
    Start(#[source] io::Error),
    /// The thread may not run on the wanted core.
    #[error("pin a generator thread to core {cpu}: {source}")]
    Pin {
        /// The wanted core.
        cpu: usize,
        /// What the operating system said.
        source: io::Error,
    },
    /// The operating system does not let a thread have descriptors of its own.
    #[error("give a generator thread a descriptor table of its own: {0}")]
    OwnTable(#[source] io::Error),
    /// A generator thread ended by a fault of our own.
    #[error("go on with the load: a generator thread panicked, which is a bug in plimsoll")]
    Panicked,
}

impl Job {
    /// Makes the load on this machine and hands every merged tick to `on_tick`, which may end the
    /// run. Setting `stop` ends it too. Returns when the last shard has ended.
    ///
    /// # Errors
    /// When a generator thread cannot be started or pinned. Failures to reach the service are
    /// counted in the ticks.
    pub fn run(&self, stop: &AtomicBool, mut on_tick: impl FnMut(Tick) -> Control) -> Result<(), EngineError> {
        make_room(self.connections_max());
        let mut resources = self.resources();
        let start_ns = monotonic_ns() - self.zero_ns;
        let (finishes, ended) = (AtomicBool::new(false), AtomicBool::new(false));
        let (ticks, merged) = mpsc::channel();
        thread::scope(|scope| {
            let mut threads = Vec::new();
            for shard in 0..self.generator.shards.max(1) {
                let sink = ChannelSink {
                    ticks: ticks.clone(),
                    stop,
                    finishes: &finishes,
                    ended: &ended,
                };
                let thread = thread::Builder::new()
                    .name(format!("shard-{shard}"))
                    .spawn_scoped(scope, move || self.run_shard(shard, start_ns, sink));
                match thread {
                    Ok(thread) => threads.push(thread),
                    Err(error) => {
                        ended.store(true, Ordering::Relaxed);
                        return Err(EngineError::Start(error));
                    }
                }
            }
            drop(ticks);
            merge(&merged, self.generator.shards.max(1), |mut tick| {
                resources.look(monotonic_ns(), tick.gauges.connections, &mut tick.generator);
                let over = self.is_over(&tick);
                match on_tick(tick) {
                    _ if over => ended.store(true, Ordering::Relaxed),
                    Control::Continue => {}
                    Control::Finish => finishes.store(true, Ordering::Relaxed),
                    Control::Stop => ended.store(true, Ordering::Relaxed),
                }
            });
            let outcomes: Vec<_> = threads.into_iter().map(thread::ScopedJoinHandle::join).collect();
            outcomes
                .into_iter()
                .try_for_each(|outcome| outcome.unwrap_or(Err(EngineError::Panicked)))
        })
    }

    /// Whether no connection is left to be held. One shard does not know of the others.
    fn is_over(&self, tick: &Tick) -> bool {
        matches!(self.load, Load::Hold(_)) && tick.gauges.connections + tick.gauges.queued == 0
    }

    /// Makes the whole load with one shard on the calling thread over `backend`, for example one
    /// with a virtual clock. Every tick goes to `on_tick`, which may end the run.
    pub fn run_on<B: Backend>(&self, backend: B, on_tick: impl FnMut(Tick) -> Control) {
        match &self.requests {
            LaidOut::Http1(requests) => self.run_client_on(backend, self.http1(), requests.clone(), on_tick),
            LaidOut::Http2(requests) => self.run_client_on(backend, self.http2(), requests.clone(), on_tick),
        }
    }

    /// The same in any protocol: each connection begins with a copy of `client`, and `requests` are laid out for it.
    pub fn run_client_on<B: Backend, C: Protocol>(
        &self,
        backend: B,
        client: C,
        requests: RequestsOf<C>,
        mut on_tick: impl FnMut(Tick) -> Control,
    ) {
        let on_tick = |tick: Tick| {
            let over = self.is_over(&tick);
            let control = on_tick(tick);
            if over { Control::Stop } else { control }
        };
        let part = Part {
            share: self.share,
            shards: 1,
            start_ns: backend.now_ns(),
        };
        let mut sink = CallSink {
            on_tick,
            control: Control::Continue,
        };
        self.make(backend, client, requests, &part, &mut sink);
    }

    /// Requests that a connection takes at a time.
    fn at_once(&self) -> u32 {
        match (&self.requests, &self.load) {
            _ if !self.connections.keep_alive => 1,
            (_, Load::Hold(_)) => 1,
            (LaidOut::Http1(_), _) => self.connections.pipelining.max(1),
            (LaidOut::Http2(_), Load::Open(_)) => self.connections.streams.unwrap_or(STREAMS),
            (LaidOut::Http2(_), Load::Closed(_)) => self.connections.streams.unwrap_or(1),
        }
    }

    /// What is held is held by keep-alive.
    fn keep_alive(&self) -> bool {
        self.connections.keep_alive || matches!(self.load, Load::Hold(_))
    }

    /// A client of HTTP/1.1.
    fn http1<T: Copy + Default>(&self) -> Http1<T> {
        Http1::new(self.at_once().min(u16::MAX.into()) as u16, self.keep_alive())
    }

    /// A client of HTTP/2.
    fn http2<T: Copy>(&self) -> Http2<T> {
        Http2::new(self.at_once(), self.keep_alive())
    }

    fn run_shard(&self, index: u32, start_ns: u64, mut sink: ChannelSink<'_>) -> Result<(), EngineError> {
        let outcome = self.drive(index, start_ns, &mut sink);
        if outcome.is_err() {
            // The load cannot be made as it was asked for: the other shards end too.
            sink.ended.store(true, Ordering::Relaxed);
        }
        outcome
    }

    fn drive(&self, index: u32, start_ns: u64, sink: &mut ChannelSink<'_>) -> Result<(), EngineError> {
        if !self.generator.cpus.is_empty() {
            let cpu = self.generator.cpus[index as usize % self.generator.cpus.len()];
            plimsoll_thread::pin(&[cpu]).map_err(|source| EngineError::Pin { cpu, source })?;
        }
        plimsoll_thread::sharpen_timers();
        if let Load::Open(_) = self.load {
            // Nothing else that wants the core holds up a start, then. Where the kernel cannot do that, the lag shows it.
            plimsoll_thread::shorten_slices(None);
        }
        if self.generator.own_tables {
            take_own_table().map_err(EngineError::OwnTable)?;
        }
        let shards = self.generator.shards.max(1);
        let part = Part {
            share: self.share.split(shards)[index as usize],
            shards,
            start_ns,
        };
        match self.generator.io {
            Io::Mio => {
                let backend = MioBackend::new(self.route(), self.zero_ns).map_err(EngineError::Start)?;
                self.secure(backend, &part, sink);
            }
            #[cfg(target_os = "linux")]
            Io::IoUring => {
                let mut backend = UringBackend::new(self.route(), self.zero_ns).map_err(EngineError::Start)?;
                // In the closed model a response makes the next request, and is read as soon as it can be. Of unix sockets the
                // kernel does not say when bytes arrived.
                if let (Load::Open(_), Address::Tcp(_)) = (&self.load, &self.remote) {
                    backend = backend.stamping();
                }
                self.secure(backend, &part, sink);
            }
        }
        Ok(())
    }

    fn resources(&self) -> Resources {
        let remotes = match &self.load {
            Load::Hold(hold) => hold.ports.len().max(1),
            Load::Open(_) | Load::Closed(_) => 1,
        };
        let ports = match &self.remote {
            Address::Tcp(remote) => Some(Ports {
                local_addrs: self.generator.local_addrs.len() as u64,
                remotes: remotes as u64,
                on_loopback: remote.ip().is_loopback(),
            }),
            Address::Unix(_) => None,
        };
        Resources::new(
            Path::new("/"),
            &self.generator.cpus,
            ports,
            self.generator.own_tables,
            monotonic_ns(),
        )
    }

    fn route(&self) -> Route {
        let route = Route::new(&self.remote, self.generator.local_addrs.clone());
        match &self.load {
            // While a request is parked, only the kernel can ask whether the peer is there.
            Load::Hold(hold) => route
                .to_ports(&hold.ports)
                .resetting()
                .probing(hold.ping.filter(|_| hold.park == Park::Request)),
            Load::Open(_) | Load::Closed(_) => route,
        }
    }

    /// Connections that share one table of descriptors.
    fn connections_max(&self) -> u64 {
        let all = match &self.load {
            Load::Open(_) => self.connections.max,
            Load::Closed(closed) => closed.connections,
            // Its threads have tables of their own, which grow without waiting for anyone.
            Load::Hold(_) => 0,
        };
        self.share.count_below(all.into())
    }

    /// Makes a part of the load over `backend`, encrypted where the service wants it so.
    fn secure<B: Backend>(&self, backend: B, part: &Part, sink: &mut impl Sink) {
        match &self.tls {
            None => self.speak(backend, part, sink),
            Some(connector) => self.speak(
                Tls::new(backend, connector.clone()).through(self.tunnel.clone()),
                part,
                sink,
            ),
        }
    }

    /// Makes a part of the load over `backend`, in the protocol that its requests are laid out for.
    fn speak<B: Backend>(&self, backend: B, part: &Part, sink: &mut impl Sink) {
        match &self.requests {
            LaidOut::Http1(requests) => self.make(backend, self.http1(), requests.clone(), part, sink),
            LaidOut::Http2(requests) => self.make(backend, self.http2(), requests.clone(), part, sink),
        }
    }

    /// Makes a part of the load over `backend`.
    fn make<B: Backend, C: Protocol>(
        &self,
        backend: B,
        client: C,
        requests: RequestsOf<C>,
        part: &Part,
        sink: &mut impl Sink,
    ) {
        let limits = self.limits(part);
        let mut pool = Pool::new(backend, client, requests, self.hidden.clone(), limits);
        let source = match &self.load {
            Load::Hold(load) => {
                let holding = Holding {
                    load: load.clone(),
                    share: part.share,
                    start_ns: part.start_ns,
                    zero_ns: self.zero_ns,
                };
                pool.reserve();
                return self.run_loop(pool, Held::new(holding, &limits), part, sink);
            }
            Load::Open(load) => Source::Open(Open::new(
                Schedule::new(load, self.seed, part.share),
                part.start_ns,
                load.duration().as_nanos() as u64,
            )),
            Load::Closed(load) => {
                let users_each = u64::from(self.at_once());
                Source::Closed(Closed::new(load, part.share, users_each, part.start_ns))
            }
        };
        let driver = Arrivals::new(source, self.generator.wakeups, &limits, part.start_ns);
        self.run_loop(pool, driver, part, sink);
    }

    fn run_loop<B: Backend, C: Protocol, D: Driver>(
        &self,
        pool: Pool<B, C>,
        driver: D,
        part: &Part,
        sink: &mut impl Sink,
    ) {
        EventLoop::new(pool, driver, part.start_ns, self.ticks).run(sink);
    }

    fn limits(&self, part: &Part) -> Limits {
        let response_timeout_ns = self.connections.response_timeout.as_nanos() as u64;
        let (connections, response_timeout_ns) = match &self.load {
            // A parked request waits for as long as the service likes.
            Load::Hold(hold) if hold.park == Park::Request => (hold.connections, u64::MAX),
            Load::Hold(hold) => (hold.connections, response_timeout_ns),
            Load::Open(_) => (self.connections.max, response_timeout_ns),
            Load::Closed(closed) => (closed.connections, response_timeout_ns),
        };
        Limits {
            connections: part.share.count_below(connections.into()).max(1) as u32,
            connecting: (CONNECTING_LIMIT / part.shards).max(4),
            at_once: self.at_once(),
            connect_timeout_ns: self.connections.connect_timeout.as_nanos() as u64,
            response_timeout_ns,
        }
    }
}

/// What falls to one shard.
struct Part {
    /// Of the connections and requests of all agents.
    share: AgentShare,
    /// How many shards there are.
    shards: u32,
    start_ns: u64,
}

/// A shard's end of the channel.
struct ChannelSink<'a> {
    ticks: Sender<Tick>,
    stop: &'a AtomicBool,
    finishes: &'a AtomicBool,
    ended: &'a AtomicBool,
}

impl Sink for ChannelSink<'_> {
    fn tick(&mut self, tick: Tick) {
        // Nobody listens any more only when the run is being torn down.
        let _ = self.ticks.send(tick);
    }

    fn control(&self) -> Control {
        if self.stop.load(Ordering::Relaxed) || self.ended.load(Ordering::Relaxed) {
            Control::Stop
        } else if self.finishes.load(Ordering::Relaxed) {
            Control::Finish
        } else {
            Control::Continue
        }
    }
}

/// Hands ticks to a function on the same thread.
struct CallSink<F> {
    on_tick: F,
    control: Control,
}

impl<F: FnMut(Tick) -> Control> Sink for CallSink<F> {
    fn tick(&mut self, tick: Tick) {
        let control = (self.on_tick)(tick);
        self.control = match (self.control, control) {
            (Control::Stop, _) | (_, Control::Stop) => Control::Stop,
            (Control::Finish, _) | (_, Control::Finish) => Control::Finish,
            (Control::Continue, Control::Continue) => Control::Continue,
        };
    }

    fn control(&self) -> Control {
        self.control
    }
}

/// Merges the ticks of all shards by their index until all shards have ended.
///
/// A shard may end before the others; what it left unmerged comes out at the end.
fn merge(ticks: &Receiver<Tick>, shards: u32, mut on_tick: impl FnMut(Tick)) {
    let mut open: BTreeMap<u32, (u32, Tick)> = BTreeMap::new();
    while let Ok(tick) = ticks.recv() {
        let index = tick.index;
        let (parts, merged) = open.entry(index).or_default();
        *parts += 1;
        if *parts == 1 {
            *merged = tick;
        } else {
            merged.merge(&tick);
        }
        if *parts == shards
            && let Some((_, whole)) = open.remove(&index)
        {
            on_tick(whole);
        }
    }
    for (_, tick) in open.into_values() {
        on_tick(tick);
    }
}
