//! Shards on their threads, and their ticks merged into one stream.

use crate::backend::Backend;
#[cfg(target_os = "linux")]
use crate::backend::io_uring::UringBackend;
use crate::backend::mio::MioBackend;
use crate::backend::{Io, Route, monotonic_ns};
use crate::descriptors::{make_room, take_own_table};
use crate::evidence::Hidden;
use crate::generator::Generator;
use crate::hold::{Holder, Terms};
use crate::pool::{Limits, Pool};
use crate::requests::Requests;
use crate::resources::{Ports, Resources};
use crate::shard::{Control, Shard, Sink};
use crate::source::{Closed, Open, Source};
use crate::ticker::Ticks;
use plimsoll_measure::Tick;
use plimsoll_plan::{ClosedLoad, Connections, Load, OpenLoad, Park};
use plimsoll_schedule::{AgentShare, Schedule};
use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

/// One load, from its first start to its last answer.
#[derive(Debug, Clone)]
pub struct Job {
    /// What is sent.
    pub requests: Requests,
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
    pub remote: SocketAddr,
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
        make_room(self.connections_max().into());
        let mut resources = self.resources();
        let start_ns = monotonic_ns() - self.zero_ns;
        let ended = AtomicBool::new(false);
        let (ticks, merged) = mpsc::channel();
        thread::scope(|scope| {
            let mut threads = Vec::new();
            for shard in 0..self.generator.shards.max(1) {
                let sink = ChannelSink {
                    ticks: ticks.clone(),
                    stop,
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
                if on_tick(tick) == Control::Stop || over {
                    ended.store(true, Ordering::Relaxed);
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
    pub fn run_on<B: Backend>(&self, backend: B, mut on_tick: impl FnMut(Tick) -> Control) {
        let on_tick = |tick: Tick| {
            let over = self.is_over(&tick);
            let control = on_tick(tick);
            if over { Control::Stop } else { control }
        };
        let start_ns = backend.now_ns();
        let mut sink = CallSink {
            on_tick,
            stopped: false,
        };
        self.make(backend, 0, 1, start_ns, &mut sink);
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
        match self.generator.io {
            Io::Mio => {
                let backend = MioBackend::new(self.route(), self.zero_ns).map_err(EngineError::Start)?;
                self.make(backend, index, self.generator.shards.max(1), start_ns, sink);
            }
            #[cfg(target_os = "linux")]
            Io::IoUring => {
                let mut backend = UringBackend::new(self.route(), self.zero_ns).map_err(EngineError::Start)?;
                // In the closed model an answer makes the next request, and is read as soon as it can be.
                if let Load::Open(_) = self.load {
                    backend = backend.stamping();
                }
                self.make(backend, index, self.generator.shards.max(1), start_ns, sink);
            }
        }
        Ok(())
    }

    fn resources(&self) -> Resources {
        let remotes = match &self.load {
            Load::Hold(hold) => hold.ports.len().max(1),
            Load::Open(_) | Load::Closed(_) => 1,
        };
        let ports = Ports {
            local_addrs: self.generator.local_addrs.len() as u64,
            remotes: remotes as u64,
            on_loopback: self.remote.ip().is_loopback(),
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
        let route = Route::new(self.remote, self.generator.local_addrs.clone());
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
    fn connections_max(&self) -> u32 {
        match &self.load {
            Load::Open(_) => self.connections.max,
            Load::Closed(closed) => closed.connections,
            // Its threads have tables of their own, which grow without waiting for anyone.
            Load::Hold(_) => 0,
        }
    }

    /// Makes the part of shard `index` over `backend`.
    fn make<B: Backend>(&self, backend: B, index: u32, shards: u32, start_ns: u64, sink: &mut impl Sink) {
        let source = match &self.load {
            Load::Hold(hold) => {
                let terms = Terms {
                    shard: index,
                    shards,
                    start_ns,
                    ticks: self.ticks,
                    zero_ns: self.zero_ns,
                    connect_timeout_ns: self.connections.connect_timeout.as_nanos() as u64,
                    response_timeout_ns: self.connections.response_timeout.as_nanos() as u64,
                };
                return Holder::new(backend, self.requests.clone(), self.hidden.clone(), hold, terms).run(sink);
            }
            Load::Open(open) => self.open(open, index, shards, start_ns),
            Load::Closed(closed) => self.closed(closed, index, shards, start_ns),
        };
        let pool = Pool::new(
            backend,
            self.requests.clone(),
            self.hidden.clone(),
            self.limits(index, shards),
        );
        Shard::new(pool, source, self.generator.wakeups, start_ns, self.ticks).run(sink);
    }

    fn limits(&self, shard: u32, shards: u32) -> Limits {
        Limits {
            connections: part(self.connections_max().into(), shard, shards).max(1) as u32,
            pipelining: self.connections.pipelining.clamp(1, u16::MAX.into()) as u16,
            keep_alive: self.connections.keep_alive,
            connect_timeout_ns: self.connections.connect_timeout.as_nanos() as u64,
            response_timeout_ns: self.connections.response_timeout.as_nanos() as u64,
        }
    }

    fn open(&self, open: &OpenLoad, shard: u32, shards: u32, start_ns: u64) -> Source {
        let share = self.share.split(shards)[shard as usize];
        Source::Open(Open::new(
            Schedule::new(open, self.seed, share),
            start_ns,
            open.duration().as_nanos() as u64,
        ))
    }

    fn closed(&self, closed: &ClosedLoad, shard: u32, shards: u32, start_ns: u64) -> Source {
        let share = self.share.split(shards)[shard as usize];
        let users = part(closed.connections.into(), shard, shards) * u64::from(self.connections.pipelining);
        let requests = closed.requests.map(|requests| part(requests, shard, shards));
        Source::Closed(Closed::new(
            closed,
            users,
            requests,
            start_ns,
            share.first(),
            share.stride(),
        ))
    }
}

/// The part of `whole` that falls to one of `shards`; the parts add up to the whole.
fn part(whole: u64, shard: u32, shards: u32) -> u64 {
    let (shard, shards) = (u64::from(shard), u64::from(shards));
    whole / shards + u64::from(shard < whole % shards)
}

/// A shard's end of the channel.
struct ChannelSink<'a> {
    ticks: Sender<Tick>,
    stop: &'a AtomicBool,
    ended: &'a AtomicBool,
}

impl Sink for ChannelSink<'_> {
    fn tick(&mut self, tick: Tick) {
        // Nobody listens any more only when the run is being torn down.
        let _ = self.ticks.send(tick);
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.ended.load(Ordering::Relaxed)
    }
}

/// Hands ticks to a function on the same thread.
struct CallSink<F> {
    on_tick: F,
    stopped: bool,
}

impl<F: FnMut(Tick) -> Control> Sink for CallSink<F> {
    fn tick(&mut self, tick: Tick) {
        self.stopped |= (self.on_tick)(tick) == Control::Stop;
    }

    fn stopped(&self) -> bool {
        self.stopped
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
