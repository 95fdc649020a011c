//! What the probe counted between the two edges of a window, over all threads that serve.

use plimsoll_measure::probe::{
    CallSite, FunctionCounter, GcCounter, LoopCounter, Pauses, PoolCounter, ProbeCounters, ProbeHello, ProbeLine,
    ProbeMessage, RequestCounter, ResponseCounter, SiteCounter, SiteFrame, UpstreamCounter,
};
use std::collections::{BTreeMap, HashMap};

/// Heap sizes kept of one thread.
const HEAP_SIZES_MAX: usize = 4096;

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
    ports: Vec<u16>,
    sites: HashMap<u32, CallSite>,
    first: Option<ProbeCounters>,
    last: Option<ProbeCounters>,
    /// The heap after each major collection, bytes, as far as messages tell them apart.
    heap: Vec<u64>,
}

/// What was counted in the window.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Counted {
    pub(super) hello: ProbeHello,
    pub(super) threads: u32,
    pub(super) span_s: f64,
    pub(super) functions: Vec<FunctionCounter>,
    pub(super) sites: Vec<Site>,
    pub(super) requests: RequestCounter,
    pub(super) responses: ResponseCounter,
    pub(super) upstream: Vec<UpstreamCounter>,
    pub(super) event_loop: LoopCounter,
    pub(super) gc: GcCounter,
    pub(super) pool: PoolCounter,
    /// Calls that have no site.
    lost_calls: u64,
    /// CPU time of the processes without the probe's own thread, and of their main threads, ns.
    pub(super) process_ns: u64,
    pub(super) main_ns: u64,
    /// Heap of each thread after each major collection, in order.
    pub(super) heaps: Vec<Vec<u64>>,
}

/// A call site, and what came from it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Site {
    pub(super) counter: String,
    pub(super) frames: Vec<SiteFrame>,
    pub(super) calls: u64,
    pub(super) ns: u64,
    pub(super) bytes: u64,
    pub(super) watched: u64,
    pub(super) seen_again: u64,
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

    /// The folder in which the service runs, once a thread has said so.
    pub(super) fn folder(&self) -> Option<&str> {
        let folders = self.threads.values().map(|thread| thread.hello.cwd.as_str());
        folders.into_iter().find(|folder| !folder.is_empty())
    }

    fn message(&mut self, connection: u32, message: &ProbeMessage) {
        let thread = self.threads.entry(connection).or_default();
        match message {
            ProbeMessage::Hello(hello) => thread.hello = (**hello).clone(),
            ProbeMessage::Listening { port } => thread.ports.extend(*port),
            ProbeMessage::Site(site) => {
                thread.sites.insert(site.id, site.clone());
            }
            ProbeMessage::Counters(counters) if self.edge == Edge::Inside => {
                let before = thread.last.as_ref().map_or(0, |last| last.memory.after_major_count);
                if let Some(bytes) = counters.memory.after_major_bytes
                    && counters.memory.after_major_count > before
                    && thread.heap.len() < HEAP_SIZES_MAX
                {
                    thread.heap.push(bytes);
                }
                thread.first.get_or_insert_with(|| (**counters).clone());
                thread.last = Some((**counters).clone());
            }
            _ => {}
        }
    }

    /// What the threads that listen on `port` counted; all threads where none says that it does, as behind a
    /// proxy. `None` when no thread was seen at both edges of the window, or no request came.
    pub(super) fn counted(&self, port: u16) -> Option<Counted> {
        let serves = |thread: &&Thread| thread.ports.contains(&port);
        let any = self.threads.values().any(|thread| serves(&thread));
        let mut sum = Counted::default();
        for thread in self.threads.values().filter(|thread| !any || serves(thread)) {
            if let (Some(first), Some(last)) = (&thread.first, &thread.last) {
                sum.add(thread, first, last);
            }
        }
        sum.fit_sites();
        (sum.threads > 0 && sum.requests.started > 0).then_some(sum)
    }
}

impl Counted {
    /// Counts per request.
    pub(super) fn per_request(&self, count: u64) -> f64 {
        count as f64 / self.requests.started.max(1) as f64
    }

    /// Mean time of a request in the service, ns, of those that were followed.
    pub(super) fn mean_ns(&self) -> Option<f64> {
        let RequestCounter {
            followed, followed_ns, ..
        } = self.requests;
        (followed > 0).then(|| followed_ns as f64 / followed as f64)
    }

    /// For how long others were waited for, over all requests, as a multiple of the time of the requests.
    pub(super) fn upstream_share(&self) -> Option<f64> {
        let waited = self.of_upstream(|upstream| upstream.active_ns);
        self.mean_ns()
            .filter(|mean| *mean > 0.0)
            .map(|mean_ns| self.per_request(waited) / mean_ns)
    }

    /// A figure over all other services.
    pub(super) fn of_upstream(&self, figure: impl Fn(&UpstreamCounter) -> u64) -> u64 {
        self.upstream.iter().map(figure).sum()
    }

    fn add(&mut self, thread: &Thread, first: &ProbeCounters, last: &ProbeCounters) {
        if self.threads == 0 {
            self.hello = thread.hello.clone();
        }
        self.threads += 1;
        self.span_s += (last.since_ms - first.since_ms).max(0.0) / 1e3;
        self.heaps.push(thread.heap.clone());
        for now in &last.counters {
            let then = first.counters.iter().find(|then| then.name == now.name);
            let new = difference(now, then.unwrap_or(&FunctionCounter::default()));
            match self.functions.iter_mut().find(|sum| sum.name == new.name) {
                Some(sum) => add_function(sum, &new),
                None => self.functions.push(new),
            }
        }
        for now in &last.sites {
            let then = first.sites.iter().find(|then| then.id == now.id);
            let site = thread.sites.get(&now.id);
            self.add_site(site, now, then.unwrap_or(&SiteCounter::default()));
        }
        for now in &last.upstream {
            let then = first.upstream.iter().find(|then| then.origin == now.origin);
            self.add_upstream(now, then.unwrap_or(&UpstreamCounter::default()));
        }
        let (now, then) = (&last.requests, &first.requests);
        let sum = &mut self.requests;
        sum.started += now.started.saturating_sub(then.started);
        sum.followed += now.followed.saturating_sub(then.followed);
        sum.followed_ns += now.followed_ns.saturating_sub(then.followed_ns);
        sum.connections += now.connections.saturating_sub(then.connections);
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
        self.pool.canaries += now.canaries.saturating_sub(then.canaries);
        self.pool.wait_ns += now.wait_ns.saturating_sub(then.wait_ns);
        self.pool.longest_wait_ns = self.pool.longest_wait_ns.max(now.longest_wait_ns);
        self.pool.pending_ns = self.pool.pending_ns.max(now.pending_ns);
        let (now, then) = (&last.cpu, &first.cpu);
        // Only of main threads; those of workers are not told apart.
        if let (Some(now_ns), Some(then_ns)) = (now.thread_ns, then.thread_ns) {
            let probe_ns = now.probe_thread_ns.saturating_sub(then.probe_thread_ns);
            let process_ns = now.process_ns.saturating_sub(then.process_ns);
            self.process_ns += process_ns.saturating_sub(probe_ns);
            self.main_ns += now_ns.saturating_sub(then_ns);
        }
    }

    fn add_site(&mut self, site: Option<&CallSite>, now: &SiteCounter, then: &SiteCounter) {
        if now.id == OVERFLOW {
            self.lost_calls += now.calls.saturating_sub(then.calls);
        }
        let Some(site) = site else { return };
        let new = Site {
            counter: site.counter.clone(),
            frames: site.frames.clone(),
            calls: now.calls.saturating_sub(then.calls),
            ns: now.ns.saturating_sub(then.ns),
            bytes: now.bytes.saturating_sub(then.bytes),
            watched: now.watched.saturating_sub(then.watched),
            seen_again: now.seen_again.saturating_sub(then.seen_again),
        };
        match self
            .sites
            .iter_mut()
            .find(|sum| sum.counter == new.counter && sum.frames == new.frames)
        {
            Some(sum) => {
                sum.calls += new.calls;
                sum.ns += new.ns;
                sum.bytes += new.bytes;
                sum.watched += new.watched;
                sum.seen_again += new.seen_again;
            }
            None => self.sites.push(new),
        }
    }

    /// Sites are estimated from samples, and the sums of each function are exact: what its sites are said to have had
    /// is brought to those. Then those that show no code are left out.
    fn fit_sites(&mut self) {
        if self.lost_calls == 0 {
            for function in &self.functions {
                let of = |site: &&Site| site.counter == function.name;
                let sum = |figure: fn(&Site) -> u64| self.sites.iter().filter(of).map(figure).sum::<u64>();
                let (calls, ns, bytes) = (sum(|site| site.calls), sum(|site| site.ns), sum(|site| site.bytes));
                for site in self.sites.iter_mut().filter(|site| site.counter == function.name) {
                    site.calls = share_of(function.calls, site.calls, calls);
                    site.ns = share_of(function.ns, site.ns, ns);
                    site.bytes = share_of(function.bytes, site.bytes, bytes);
                }
            }
        }
        self.sites.retain(|site| !site.frames.is_empty());
    }

    fn add_upstream(&mut self, now: &UpstreamCounter, then: &UpstreamCounter) {
        let new = UpstreamCounter {
            origin: now.origin.clone(),
            requests: now.requests.saturating_sub(then.requests),
            answered: now.answered.saturating_sub(then.answered),
            active_ns: now.active_ns.saturating_sub(then.active_ns),
            connections: now.connections.saturating_sub(then.connections),
            repeated: now.repeated.saturating_sub(then.repeated),
        };
        match self.upstream.iter_mut().find(|sum| sum.origin == new.origin) {
            Some(sum) => {
                sum.requests += new.requests;
                sum.answered += new.answered;
                sum.active_ns += new.active_ns;
                sum.connections += new.connections;
                sum.repeated += new.repeated;
            }
            None => self.upstream.push(new),
        }
    }

    fn add_responses(&mut self, now: &ResponseCounter, then: &ResponseCounter) {
        let sum = &mut self.responses;
        sum.sampled += now.sampled.saturating_sub(then.sampled);
        sum.get += now.get.saturating_sub(then.get);
        sum.body_bytes += now.body_bytes.saturating_sub(then.body_bytes);
        sum.compressible += now.compressible.saturating_sub(then.compressible);
        sum.compressible_bytes += now.compressible_bytes.saturating_sub(then.compressible_bytes);
        sum.accepts_encoding += now.accepts_encoding.saturating_sub(then.accepts_encoding);
        sum.compressed += now.compressed.saturating_sub(then.compressed);
        sum.etag += now.etag.saturating_sub(then.etag);
        sum.conditional += now.conditional.saturating_sub(then.conditional);
        sum.not_modified += now.not_modified.saturating_sub(then.not_modified);
        sum.connection_close += now.connection_close.saturating_sub(then.connection_close);
    }

    fn add_loop(&mut self, now: &LoopCounter, then: &LoopCounter) {
        let sum = &mut self.event_loop;
        sum.beats += now.beats.saturating_sub(then.beats);
        sum.active_ns += now.active_ns.saturating_sub(then.active_ns);
        sum.idle_ns += now.idle_ns.saturating_sub(then.idle_ns);
        sum.delay_ns += now.delay_ns.saturating_sub(then.delay_ns);
        sum.longest_delay_ns = sum.longest_delay_ns.max(now.longest_delay_ns);
        for &(bound, count) in &now.delays {
            let before = then
                .delays
                .iter()
                .find(|(then, _)| *then == bound)
                .map_or(0, |(_, n)| *n);
            let new = count.saturating_sub(before);
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

fn difference(now: &FunctionCounter, then: &FunctionCounter) -> FunctionCounter {
    FunctionCounter {
        name: now.name.clone(),
        kind: now.kind.clone(),
        calls: now.calls.saturating_sub(then.calls),
        ns: now.ns.saturating_sub(then.ns),
        bytes: now.bytes.saturating_sub(then.bytes),
        watched: now.watched.saturating_sub(then.watched),
        seen_again: now.seen_again.saturating_sub(then.seen_again),
    }
}

fn add_function(sum: &mut FunctionCounter, new: &FunctionCounter) {
    sum.calls += new.calls;
    sum.ns += new.ns;
    sum.bytes += new.bytes;
    sum.watched += new.watched;
    sum.seen_again += new.seen_again;
}

fn add_pauses(sum: &mut Pauses, now: Pauses, then: Pauses) {
    sum.count += now.count.saturating_sub(then.count);
    sum.ns += now.ns.saturating_sub(then.ns);
}
