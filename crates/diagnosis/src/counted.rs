//! What the probe counted between the two edges of a window, over all threads that serve.

use crate::grown::{add_function, add_pauses, difference, grown};
use crate::growth::{Growth, Keeping};
use crate::site::Site;
use crate::traced::{Traced, TracedSpans};
use plimsoll_measure::probe::{
    CallSite, ConnectionPoolCounter, FUNCTIONS_MAX, FunctionCounter, GcCounter, LoopCounter, PoolCounter,
    ProbeCounters, ProbeHello, ProbeLine, ProbeMessage, RequestCounter, ResponseCounter, SITES_MAX, SiteCounter,
    SiteFrame, UpstreamCounter,
};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

/// Heap sizes kept of one thread.
const HEAP_SIZES_MAX: usize = 4096;
/// Threads; those that say something after so many are left out.
const THREADS_MAX: usize = 256;
/// Longer than any pass, ms.
const SPAN_MS_MAX: f64 = 1e10;
/// The counter of threads that are started, and from how many a request on they count for it.
const THREAD: &str = "new Worker";
const STARTS_MAX: f64 = 0.02;
/// Pools of connections that are told apart.
const POOLS_MAX: usize = 64;
/// Ports of one thread.
const PORTS_MAX: usize = 64;

/// Takes in the lines of a pass with counters and says what was counted in its window.
#[derive(Debug, Clone, Default)]
pub struct CounterFold {
    threads: BTreeMap<u32, Thread>,
    edge: Edge,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Edge {
    #[default]
    Before,
    Inside,
    After,
}

/// One thread of the service.
#[derive(Debug, Clone, Default)]
struct Thread {
    hello: ProbeHello,
    ports: Vec<Option<u16>>,
    sites: BTreeMap<u32, CallSite>,
    first: Option<ProbeCounters>,
    /// The last message after the first; its peaks are of the time since then.
    last: Option<ProbeCounters>,
    /// The heap after each major collection, bytes, as far as messages tell them apart.
    heap: Vec<u64>,
    /// What was added to from each site, message by message.
    kept: BTreeMap<u32, Keeping>,
}

impl Thread {
    /// A message of the window.
    fn inside(&mut self, counters: &ProbeCounters) {
        for site in counters.sites.iter().filter(|site| site.kept > 0) {
            let kept = self.kept.entry(site.id).or_default();
            kept.push(site.kept, counters.requests.connections_peak);
        }
        if self.first.is_none() {
            self.first = Some(counters.clone());
            return;
        }
        let mut last = counters.clone();
        if let Some(before) = self.last.take() {
            let requests = &mut last.requests;
            requests.connections_peak = requests.connections_peak.max(before.requests.connections_peak);
            for (now, before) in last.upstream.iter_mut().zip(&before.upstream) {
                now.active_peak = now.active_peak.max(before.active_peak);
            }
        }
        self.last = Some(last);
    }

    /// What the heap was after a major collection, if there was one since the last message.
    fn kept(&mut self, counters: &ProbeCounters) {
        let before = self.last.as_ref().or(self.first.as_ref());
        if let (Some(bytes), Some(before)) = (counters.memory.after_major_bytes, before)
            && counters.memory.after_major_count > before.memory.after_major_count
            && self.heap.len() < HEAP_SIZES_MAX
        {
            self.heap.push(grown(bytes, 0));
        }
    }
}

/// What was counted in the window.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Counted {
    pub(crate) hello: ProbeHello,
    pub(crate) threads: u32,
    pub(crate) span_s: f64,
    pub(crate) functions: Vec<FunctionCounter>,
    pub(crate) sites: Vec<Site>,
    pub(crate) requests: RequestCounter,
    pub(crate) responses: ResponseCounter,
    pub(crate) upstream: Vec<UpstreamCounter>,
    /// Pools of connections, those of all threads with the same name and size as one.
    pub(crate) pools: Vec<ConnectionPoolCounter>,
    /// What some requests asked others; `None` where too few were traced.
    pub(crate) traced: Option<Traced>,
    pub(crate) event_loop: LoopCounter,
    pub(crate) gc: GcCounter,
    pub(crate) pool: PoolCounter,
    /// Calls that have no site.
    lost_calls: u64,
    /// CPU time of the processes without the probe's own thread, and of their main threads, ns.
    pub(crate) process_ns: u64,
    pub(crate) main_ns: u64,
    /// Of threads that the service started.
    pub(crate) started_ns: u64,
    /// CPU time of processes that were started and have ended, ns.
    pub(crate) children_ns: u64,
    /// Heap of each thread after each major collection, in order.
    pub(crate) heaps: Vec<Vec<u64>>,
}

/// The site of calls for which the probe had no place left, whatever function they are of.
const OVERFLOW: u32 = 0;

impl CounterFold {
    /// Takes in the next line.
    pub fn push(&mut self, line: &ProbeLine) {
        match line {
            ProbeLine::WindowBegins => self.edge = Edge::Inside,
            ProbeLine::WindowEnds => self.edge = Edge::After,
            ProbeLine::From { connection, message } => self.message(*connection, message),
        }
    }

    /// The call sites that are known, with the connection that each is of.
    pub fn sites(&self) -> impl Iterator<Item = (u32, &CallSite)> {
        self.threads
            .iter()
            .flat_map(|(connection, thread)| thread.sites.values().map(|site| (*connection, site)))
    }

    /// The directory in which the service runs, once a thread has said so.
    pub fn directory(&self) -> Option<&str> {
        let directories = self.threads.values().map(|thread| thread.hello.cwd.as_str());
        directories.into_iter().find(|directory| !directory.is_empty())
    }

    fn message(&mut self, connection: u32, message: &ProbeMessage) {
        if self.threads.len() >= THREADS_MAX && !self.threads.contains_key(&connection) {
            return;
        }
        let thread = self.threads.entry(connection).or_default();
        match message {
            ProbeMessage::Hello(hello) => thread.hello = (**hello).clone(),
            ProbeMessage::Listening { port } if thread.ports.len() < PORTS_MAX => thread.ports.push(*port),
            ProbeMessage::Site(site) if thread.sites.len() < SITES_MAX || thread.sites.contains_key(&site.id) => {
                thread.sites.insert(site.id, site.clone());
            }
            ProbeMessage::Counters(counters) if self.edge == Edge::Inside => {
                thread.kept(counters);
                thread.inside(counters);
            }
            // A last collection comes when the load is over.
            ProbeMessage::Counters(counters) if self.edge == Edge::After => thread.kept(counters),
            _ => {}
        }
    }

    /// What the threads that listen on `port` counted, or on a unix socket without one; all threads where none says that it does, as behind a
    /// proxy. Where the service is asked by messages, these are its requests. `None` when no thread was seen at both edges of the window, or no
    /// request came.
    pub(crate) fn counted(&self, port: Option<u16>, by_message: bool) -> Option<Counted> {
        let serves = |thread: &&Thread| thread.ports.contains(&port);
        let any = self.threads.values().any(|thread| serves(&thread));
        let mut sum = Counted::default();
        let mut places = Places::default();
        let mut traced = TracedSpans::default();
        for thread in self.threads.values().filter(|thread| !any || serves(thread)) {
            if let (Some(first), Some(last)) = (&thread.first, &thread.last) {
                sum.add(thread, first, last, &mut places);
                if let Some(now) = &last.traced {
                    traced.add(now, first.traced.as_ref(), |id| thread.sites.get(&id));
                }
            }
        }
        sum.fit_sites();
        sum.traced = traced.enough();
        if by_message {
            // Those of HTTP open connections, or look after the service, and are none of the load.
            sum.requests.started = sum.requests.messages;
        }
        (sum.threads > 0 && sum.requests.started > 0).then_some(sum)
    }
}

/// Where the figures of what several threads have in common stand in [`Counted`].
#[derive(Default)]
struct Places<'a> {
    functions: HashMap<&'a str, usize>,
    sites: HashMap<(&'a str, &'a [SiteFrame]), usize>,
    upstream: HashMap<(&'a str, &'a str), usize>,
}

impl Counted {
    /// Counts per request.
    pub(crate) fn per_request(&self, count: u64) -> f64 {
        count as f64 / self.requests.started.max(1) as f64
    }

    /// Mean time of a request in the service, ns, of those that were followed.
    pub(crate) fn mean_ns(&self) -> Option<f64> {
        let RequestCounter {
            followed, followed_ns, ..
        } = self.requests;
        (followed > 0).then(|| followed_ns as f64 / followed as f64)
    }

    /// Whether requests have threads started for them.
    pub(crate) fn starts_threads(&self) -> bool {
        let starts = self.functions.iter().filter(|function| function.name == THREAD);
        self.per_request(starts.map(|function| function.calls).sum()) > STARTS_MAX
    }

    /// For how long others were waited for, over all requests, as a multiple of the time of the requests.
    pub(crate) fn upstream_share(&self) -> Option<f64> {
        let waited = self.of_upstream(|upstream| upstream.active_ns);
        self.mean_ns()
            .filter(|mean| *mean > 0.0)
            .map(|mean_ns| self.per_request(waited) / mean_ns)
    }

    /// A figure over all other services.
    pub(crate) fn of_upstream(&self, figure: impl Fn(&UpstreamCounter) -> u64) -> u64 {
        self.upstream.iter().map(figure).sum()
    }

    fn add<'a>(
        &mut self,
        thread: &'a Thread,
        first: &'a ProbeCounters,
        last: &'a ProbeCounters,
        places: &mut Places<'a>,
    ) {
        if self.threads == 0 {
            self.hello = thread.hello.clone();
        }
        self.threads += 1;
        self.span_s += (last.since_ms - first.since_ms).clamp(0.0, SPAN_MS_MAX) / 1e3;
        self.heaps.push(thread.heap.clone());
        for now in &last.counters {
            let then = first.counters.iter().find(|then| then.name == now.name);
            let new = difference(now, then.unwrap_or(&FunctionCounter::default()));
            match places.functions.get(now.name.as_str()) {
                Some(&place) => add_function(&mut self.functions[place], &new),
                None if self.functions.len() < FUNCTIONS_MAX => {
                    places.functions.insert(&now.name, self.functions.len());
                    self.functions.push(new);
                }
                None => {}
            }
        }
        for now in &last.sites {
            let then = first.sites.iter().find(|then| then.id == now.id);
            let site = thread.sites.get(&now.id);
            let growth = thread.kept.get(&now.id).map(Keeping::growth).unwrap_or_default();
            self.add_site(site, now, then.unwrap_or(&SiteCounter::default()), growth, places);
        }
        for now in &last.upstream {
            let then = first
                .upstream
                .iter()
                .find(|then| then.origin == now.origin && then.client == now.client);
            self.add_upstream(now, then.unwrap_or(&UpstreamCounter::default()), places);
        }
        // They are listed in the order in which they were first used.
        for (index, now) in last.pools.iter().enumerate() {
            self.add_pool(now, first.pools.get(index).unwrap_or(&ConnectionPoolCounter::default()));
        }
        let (now, then) = (&last.requests, &first.requests);
        let sum = &mut self.requests;
        sum.started += grown(now.started, then.started);
        sum.followed += grown(now.followed, then.followed);
        sum.followed_ns += grown(now.followed_ns, then.followed_ns);
        sum.connections += grown(now.connections, then.connections);
        sum.connections_peak += grown(now.connections_peak, 0);
        sum.handshakes_full += grown(now.handshakes_full, then.handshakes_full);
        sum.handshakes_resumed += grown(now.handshakes_resumed, then.handshakes_resumed);
        sum.messages += grown(now.messages, then.messages);
        sum.messages_sent += grown(now.messages_sent, then.messages_sent);
        sum.messages_compressed += grown(now.messages_compressed, then.messages_compressed);
        self.add_responses(&last.responses, &first.responses);
        self.add_loop(&last.event_loop, &first.event_loop);
        for (sum, now, then) in [
            (&mut self.gc.minor, last.gc.minor, first.gc.minor),
            (&mut self.gc.major, last.gc.major, first.gc.major),
            (&mut self.gc.incremental, last.gc.incremental, first.gc.incremental),
            (&mut self.gc.weak, last.gc.weak, first.gc.weak),
        ] {
            add_pauses(sum, now, then);
        }
        let (now, then) = (&last.pool, &first.pool);
        self.pool.canaries += grown(now.canaries, then.canaries);
        self.pool.wait_ns += grown(now.wait_ns, then.wait_ns);
        self.pool.longest_wait_ns = self.pool.longest_wait_ns.max(grown(now.longest_wait_ns, 0));
        self.pool.pending_ns = self.pool.pending_ns.max(grown(now.pending_ns, 0));
        let (now, then) = (&last.cpu, &first.cpu);
        if let (Some(now_ns), Some(then_ns)) = (now.children_ns, then.children_ns) {
            self.children_ns += grown(now_ns, then_ns);
        }
        // Only of main threads; those of workers are not told apart.
        if let (Some(now_ns), Some(then_ns)) = (now.thread_ns, then.thread_ns) {
            let probe_ns = grown(now.probe_thread_ns, then.probe_thread_ns);
            let process_ns = grown(now.process_ns, then.process_ns);
            self.process_ns += process_ns.saturating_sub(probe_ns);
            self.started_ns += grown(now.started_ns, then.started_ns);
            self.main_ns += grown(now_ns, then_ns);
        }
    }

    fn add_site<'a>(
        &mut self,
        site: Option<&'a CallSite>,
        now: &SiteCounter,
        then: &SiteCounter,
        growth: Growth,
        places: &mut Places<'a>,
    ) {
        if now.id == OVERFLOW {
            self.lost_calls += grown(now.calls, then.calls);
        }
        let Some(site) = site else { return };
        let new = Site {
            counter: site.counter.clone(),
            frames: site.frames.clone(),
            made_in: site.made_in.clone(),
            calls: grown(now.calls, then.calls),
            ns: grown(now.ns, then.ns),
            bytes: grown(now.bytes, then.bytes),
            watched: grown(now.watched, then.watched),
            seen_again: grown(now.seen_again, then.seen_again),
            growth,
        };
        match places.sites.entry((&site.counter, &site.frames)) {
            Entry::Occupied(place) => {
                let sum = &mut self.sites[*place.get()];
                sum.calls += new.calls;
                sum.ns += new.ns;
                sum.bytes += new.bytes;
                sum.watched += new.watched;
                sum.seen_again += new.seen_again;
                sum.growth.by += new.growth.by;
                sum.growth.to += new.growth.to;
            }
            Entry::Vacant(place) => {
                place.insert(self.sites.len());
                self.sites.push(new);
            }
        }
    }

    /// Sites are estimated from samples, and the sums of each function are exact: what its sites are said to have had
    /// is brought to those. Then those that show no code are left out.
    fn fit_sites(&mut self) {
        if self.lost_calls == 0 {
            let mut sums: HashMap<&str, (u64, u64, u64)> = HashMap::new();
            for site in &self.sites {
                let (calls, ns, bytes) = sums.entry(&site.counter).or_default();
                *calls += site.calls;
                *ns += site.ns;
                *bytes += site.bytes;
            }
            let fits: HashMap<&str, (&FunctionCounter, (u64, u64, u64))> = self
                .functions
                .iter()
                .filter_map(|function| Some((function.name.as_str(), (function, *sums.get(function.name.as_str())?))))
                .collect();
            let fitted: Vec<Option<(u64, u64, u64)>> = self
                .sites
                .iter()
                .map(|site| {
                    let &(function, (calls, ns, bytes)) = fits.get(site.counter.as_str())?;
                    Some((
                        share_of(function.calls, site.calls, calls),
                        share_of(function.ns, site.ns, ns),
                        share_of(function.bytes, site.bytes, bytes),
                    ))
                })
                .collect();
            for (site, fitted) in self.sites.iter_mut().zip(fitted) {
                if let Some(figures) = fitted {
                    (site.calls, site.ns, site.bytes) = figures;
                }
            }
        }
        self.sites.retain(|site| !site.frames.is_empty());
    }

    fn add_upstream<'a>(&mut self, now: &'a UpstreamCounter, then: &UpstreamCounter, places: &mut Places<'a>) {
        let new = UpstreamCounter {
            origin: now.origin.clone(),
            client: now.client.clone(),
            requests: grown(now.requests, then.requests),
            answered: grown(now.answered, then.answered),
            active_peak: grown(now.active_peak, 0),
            active_ns: grown(now.active_ns, then.active_ns),
            connections: grown(now.connections, then.connections),
            repeated: grown(now.repeated, then.repeated),
        };
        match places.upstream.entry((&now.origin, &now.client)) {
            Entry::Occupied(place) => {
                let sum = &mut self.upstream[*place.get()];
                sum.requests += new.requests;
                sum.answered += new.answered;
                sum.active_peak += new.active_peak;
                sum.active_ns += new.active_ns;
                sum.connections += new.connections;
                sum.repeated += new.repeated;
            }
            Entry::Vacant(place) => {
                place.insert(self.upstream.len());
                self.upstream.push(new);
            }
        }
    }

    fn add_pool(&mut self, now: &ConnectionPoolCounter, then: &ConnectionPoolCounter) {
        let (asked, waiting_ns) = (grown(now.asked, then.asked), grown(now.waiting_ns, then.waiting_ns));
        let is_it = |pool: &&mut ConnectionPoolCounter| pool.name == now.name && pool.size == now.size;
        if let Some(sum) = self.pools.iter_mut().find(is_it) {
            sum.asked += asked;
            sum.waiting_ns += waiting_ns;
        } else if self.pools.len() < POOLS_MAX {
            self.pools.push(ConnectionPoolCounter {
                asked,
                waiting_ns,
                ..now.clone()
            });
        }
    }

    fn add_responses(&mut self, now: &ResponseCounter, then: &ResponseCounter) {
        let sum = &mut self.responses;
        sum.sampled += grown(now.sampled, then.sampled);
        sum.get += grown(now.get, then.get);
        sum.body_bytes += grown(now.body_bytes, then.body_bytes);
        sum.compressible += grown(now.compressible, then.compressible);
        sum.compressible_bytes += grown(now.compressible_bytes, then.compressible_bytes);
        sum.accepts_encoding += grown(now.accepts_encoding, then.accepts_encoding);
        sum.compressed += grown(now.compressed, then.compressed);
        sum.etag += grown(now.etag, then.etag);
        sum.conditional += grown(now.conditional, then.conditional);
        sum.not_modified += grown(now.not_modified, then.not_modified);
        sum.connection_close += grown(now.connection_close, then.connection_close);
    }

    fn add_loop(&mut self, now: &LoopCounter, then: &LoopCounter) {
        let sum = &mut self.event_loop;
        sum.beats += grown(now.beats, then.beats);
        sum.active_ns += grown(now.active_ns, then.active_ns);
        sum.idle_ns += grown(now.idle_ns, then.idle_ns);
        sum.delay_ns += grown(now.delay_ns, then.delay_ns);
        sum.longest_delay_ns = sum.longest_delay_ns.max(grown(now.longest_delay_ns, 0));
        for &(bound, count) in &now.delays {
            let before = then
                .delays
                .iter()
                .find(|(then, _)| *then == bound)
                .map_or(0, |(_, n)| *n);
            let new = grown(count, before);
            match sum.delays.iter_mut().find(|(sum, _)| *sum == bound) {
                Some((_, sum)) => *sum += new,
                None => sum.delays.push((bound, new)),
            }
        }
    }
}

/// `part` of `whole`, of an amount that is known exactly.
fn share_of(exact: u64, part: u64, whole: u64) -> u64 {
    (u128::from(exact) * u128::from(part) / u128::from(whole.max(1))) as u64
}
