//! Shards on their threads, and their ticks merged into one stream.

mod actions;
mod alone;
mod clients;

pub use actions::{Actions, Elsewhere};
pub use alone::Alone;

use crate::backend::Backend;
#[cfg(target_os = "linux")]
use crate::backend::io_uring::UringBackend;
use crate::backend::mio::MioBackend;
use crate::backend::tls::Tls;
use crate::backend::tunnel::Tunnel;
use crate::backend::{Io, Route, monotonic_ns, unix_ns_at};
use crate::connection::{Protocol, RequestsOf};
use crate::descriptors::{make_room, take_own_table};
use crate::drivers::{Acting, Arrivals, Closed, Driver, Held, HeldStreams, Holding, Journeys, Open, Source, Speaking};
use crate::engine_error::EngineError;
use crate::event_loop::{Control, EventLoop, Sink};
use crate::evidence::Hidden;
use crate::generator::Generator;
use crate::laid_out::LaidOut;
use crate::messages::{Ledger, Marks, Reception};
use crate::pool::{Limits, Openings, Pool};
use crate::resources::{Ports, Resources};
use crate::sinks::{Beside, CallSink, ChannelSink, merge};
use crate::ticker::Ticks;
use plimsoll_measure::{HeldClients, Tick};
use plimsoll_plan::{Address, Connections, Load, Park};
use plimsoll_schedule::{AgentShare, Schedule};
use plimsoll_tls::Connector;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// Connections being made at once, by all shards together; below the usual accept backlog of a service.
const CONNECTING_LIMIT: u32 = 256;

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
    /// Number of the first request or user. Values of variables are drawn by numbers, so that those of an earlier load do not come again.
    pub first: u64,
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
    /// What connections do while they are held.
    pub actions: Option<Actions>,
}

impl Job {
    /// Makes the load on this machine and hands every merged tick to `on_tick`, which may end the
    /// run. Setting `stop` ends it too. Returns when the last shard has ended.
    ///
    /// # Errors
    /// When a generator thread cannot be started or pinned. Failures to reach the service are
    /// counted in the ticks.
    pub fn run(&self, stop: &AtomicBool, on_tick: impl FnMut(Tick) -> Control) -> Result<(), EngineError> {
        self.run_from(monotonic_ns(), stop, None, on_tick)
    }

    /// The same with a load that begins at `begins_ns`, which has just passed, so that several machines begin together. With a `lease`, nothing
    /// is started once it has ended, even where this process stood still meanwhile. Both are readings of [`monotonic_ns`].
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn run_from(
        &self,
        begins_ns: u64,
        stop: &AtomicBool,
        lease: Option<&AtomicU64>,
        mut on_tick: impl FnMut(Tick) -> Control,
    ) -> Result<(), EngineError> {
        make_room(self.connections_max());
        let mut resources = self.resources();
        let start_ns = begins_ns.saturating_sub(self.zero_ns);
        let (finishes, ended) = (AtomicBool::new(false), AtomicBool::new(false));
        let (ticks, merged) = mpsc::channel();
        let ledger = self.ledger(start_ns);
        let acting = ledger.as_ref().and_then(|ledger| self.acting(ledger));
        let held = (0..self.generator.shards.max(1)).map(|shard| (format!("shard-{shard}"), self, shard));
        let beside = acting.iter().map(|job| ("actions".to_owned(), job, 0));
        let shards: Vec<_> = held.chain(beside).collect();
        let count = shards.len() as u32;
        thread::scope(|scope| {
            let mut threads = Vec::new();
            for (name, job, shard) in shards {
                let sink = ChannelSink {
                    ticks: ticks.clone(),
                    stop,
                    lease,
                    finishes: &finishes,
                    ended: &ended,
                };
                let ledger = ledger.clone();
                let thread = thread::Builder::new()
                    .name(name)
                    .spawn_scoped(scope, move || job.run_shard(shard, start_ns, ledger, sink));
                match thread {
                    Ok(thread) => threads.push(thread),
                    Err(error) => {
                        ended.store(true, Ordering::Relaxed);
                        return Err(EngineError::Start(error));
                    }
                }
            }
            drop(ticks);
            merge(&merged, count, |mut tick| {
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

    /// Whether nobody is left to be held. One shard does not know of the others.
    fn is_over(&self, tick: &Tick) -> bool {
        let live = HeldClients::of(&tick.counters, &tick.gauges).live;
        matches!(self.load, Load::Hold(_)) && live + tick.gauges.queued == 0
    }

    /// Makes the whole load with one shard on the calling thread over `backend`, for example one
    /// with a virtual clock. Every tick goes to `on_tick`, which may end the run.
    pub fn run_on<B: Backend>(&self, backend: B, on_tick: impl FnMut(Tick) -> Control) {
        match &self.requests {
            LaidOut::Http1(requests) => self.run_client_on(backend, self.http1(), requests.clone(), on_tick),
            LaidOut::Http2(requests) => self.run_client_on(backend, self.http2(), requests.clone(), on_tick),
            LaidOut::WebSocket(requests) => self.run_client_on(backend, self.web_socket(), requests.clone(), on_tick),
            LaidOut::Exchange(requests) => self.run_client_on(backend, self.exchange(), requests.clone(), on_tick),
            LaidOut::SocketIo(requests) => self.run_client_on(backend, self.socket_io(), requests.clone(), on_tick),
        }
    }

    /// The same in any protocol: each connection begins with a copy of `client`, and `requests` are laid out for it.
    pub fn run_client_on<B: Backend, C: Protocol>(
        &self,
        backend: B,
        client: C,
        requests: RequestsOf<C>,
        on_tick: impl FnMut(Tick) -> Control,
    ) {
        self.run_part_on(backend, client, requests, None, on_tick);
    }

    /// Holds connections over one backend and does their actions over another, in HTTP/1.1. First all actions are done, over
    /// `before`; the connections are held afterwards, over what `held` makes, on a clock that begins anew, as only virtual ones do.
    pub fn run_acting_on<A: Backend, B: Backend>(
        &self,
        before: A,
        held: impl FnOnce() -> B,
        mut on_tick: impl FnMut(Tick) -> Control,
    ) {
        let Some(ledger) = self.ledger(before.now_ns()) else {
            return;
        };
        let Some(job) = self.acting(&ledger) else { return };
        let (LaidOut::Http1(acting), LaidOut::Http1(requests)) = (&job.requests, &self.requests) else {
            return;
        };
        job.run_part_on(
            before,
            job.http1(),
            acting.clone(),
            Some(Arc::clone(&ledger)),
            &mut on_tick,
        );
        self.run_part_on(held(), self.http1(), requests.clone(), Some(ledger), on_tick);
    }

    fn run_part_on<B: Backend, C: Protocol>(
        &self,
        backend: B,
        client: C,
        requests: RequestsOf<C>,
        ledger: Option<Arc<Ledger>>,
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
            ledger,
        };
        let mut sink = CallSink {
            on_tick,
            control: Control::Continue,
        };
        self.make(backend, client, requests, &part, &mut sink);
    }

    fn run_shard(
        &self,
        index: u32,
        start_ns: u64,
        ledger: Option<Arc<Ledger>>,
        mut sink: ChannelSink<'_>,
    ) -> Result<(), EngineError> {
        let outcome = self.drive(index, start_ns, ledger, &mut sink);
        if outcome.is_err() {
            // The load cannot be made as it was asked for: the other shards end too.
            sink.ended.store(true, Ordering::Relaxed);
        }
        outcome
    }

    fn drive(
        &self,
        index: u32,
        start_ns: u64,
        ledger: Option<Arc<Ledger>>,
        sink: &mut ChannelSink<'_>,
    ) -> Result<(), EngineError> {
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
            ledger,
        };
        match self.generator.io {
            Io::Mio => {
                let backend = MioBackend::new(self.route(), self.zero_ns).map_err(EngineError::Start)?;
                self.secure(backend, &part, sink);
            }
            #[cfg(target_os = "linux")]
            Io::IoUring => {
                let mut backend = UringBackend::new(self.route(), self.zero_ns).map_err(EngineError::Start)?;
                // Of unix sockets the kernel does not say when bytes arrived. Connections that are held have no response times.
                if let (Load::Open(_) | Load::Closed(_), Address::Tcp(_)) = (&self.load, &self.remote) {
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
            Some(connector) => {
                let secured = Tls::new(backend, connector.clone()).through(self.tunnel.clone());
                self.speak(secured, part, sink);
            }
        }
    }

    /// Makes a part of the load over `backend`, in the protocol that its requests are laid out for.
    fn speak<B: Backend>(&self, backend: B, part: &Part, sink: &mut impl Sink) {
        match &self.requests {
            LaidOut::Http1(requests) => self.make(backend, self.http1(), requests.clone(), part, sink),
            LaidOut::Http2(requests) => self.make(backend, self.http2(), requests.clone(), part, sink),
            LaidOut::WebSocket(requests) => self.make(backend, self.web_socket(), requests.clone(), part, sink),
            LaidOut::Exchange(requests) => self.make(backend, self.exchange(), requests.clone(), part, sink),
            LaidOut::SocketIo(requests) => self.make(backend, self.socket_io(), requests.clone(), part, sink),
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
        // The clock is asked for nothing else.
        let requests = match requests.tells_time() {
            true => requests.dated(unix_ns_at(self.zero_ns)),
            false => requests,
        };
        let openings = requests.openings().map(|requests| Openings {
            requests,
            next: part.share.first(),
            stride: part.share.stride(),
        });
        let requests = match &openings {
            None => requests,
            // What they open has messages, which are known by their marks.
            Some(_) => requests.marked(Marks::of_run(self.zero_ns, self.seed)),
        };
        let mut pool = Pool::new(backend, client, requests, self.hidden.clone(), limits);
        pool.openings = openings;
        if let Load::Closed(_) = self.load {
            pool.recorder.requests_follow();
        }
        let source = match &self.load {
            Load::Hold(load) => {
                let holding = Holding {
                    load: load.clone(),
                    share: part.share,
                    start_ns: part.start_ns,
                    zero_ns: self.zero_ns,
                    parks: load.park == Park::Request && !C::OPENED_BY_REQUEST,
                };
                let reception = part.ledger.clone().map(Reception::new);
                if C::INDEPENDENT && holding.parks {
                    return self.run_loop(pool, HeldStreams::new(holding, &limits, reception), part, sink);
                }
                pool.reserve();
                let on_these = self.actions.as_ref().is_some_and(|actions| actions.elsewhere.is_none());
                let speaking = part.ledger.as_ref().filter(|_| on_these).map(|ledger| {
                    pool.messages = Some(pool.requests.acting(ledger.marks));
                    let own = part.share.count_below(load.connections.into());
                    Speaking::new(Arc::clone(ledger), part.share, own)
                });
                return self.run_loop(pool, Held::new(holding, &limits, reception, speaking), part, sink);
            }
            Load::Open(load) => Source::Open(Open::new(
                Schedule::new(load, self.seed, part.share),
                self.first,
                part.ledger
                    .as_ref()
                    .and_then(|ledger| ledger.first_ns())
                    .unwrap_or(part.start_ns),
                load.duration().as_nanos() as u64,
            )),
            Load::Closed(load) => {
                let users_each = u64::from(self.at_once());
                Source::Closed(Closed::new(load, part.share, users_each, self.first, part.start_ns))
            }
        };
        if let Some(program) = pool.requests.journeys() {
            let per_user = self.connections.per_user;
            let own = (self.seed, self.share, pool.requests.unix_zero_ns());
            let users = Journeys::new(source, Arc::clone(program), own, per_user);
            let driver = Arrivals::new(users, self.generator.wakeups, &limits, part.start_ns);
            return self.run_loop(pool, driver, part, sink);
        }
        let driver = Arrivals::new(source, self.generator.wakeups, &limits, part.start_ns);
        match &part.ledger {
            None => self.run_loop(pool, driver, part, sink),
            Some(ledger) => self.run_loop(pool, Acting::new(driver, Arc::clone(ledger)), part, &mut Beside(sink)),
        }
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
        let min = self.connections.min;
        let (connections, at_start, response_timeout_ns) = match &self.load {
            // A parked request waits for as long as the service likes.
            Load::Hold(hold) if hold.park == Park::Request => (hold.connections, 0, u64::MAX),
            Load::Hold(hold) => (hold.connections, 0, response_timeout_ns),
            Load::Open(_) => (self.connections.max, min, response_timeout_ns),
            Load::Closed(closed) => (closed.connections, min.min(closed.connections), response_timeout_ns),
        };
        Limits {
            at_start: part.share.count_below(at_start.into()) as u32,
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
    /// What is known of messages, where connections that are held act.
    ledger: Option<Arc<Ledger>>,
}
