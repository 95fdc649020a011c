//! Causes that the probe counts call by call: whatever keeps the event loop busy by a function that is known for it.

use crate::Case;
use crate::calls::Work;
use crate::cost::{OTHER_PLACES_MAX, SHARE_MIN};
use crate::counted::{Counted, Site};
use crate::framework::frameworks;
use crate::made::first_use_us;
use crate::place::via;
use plimsoll_findings::{Cause, CauseKind, Evidence, Place, What};
use plimsoll_measure::probe::FunctionCounter;
use plimsoll_plan::{BodyLength, Request};

/// A call that takes this long, ns …
const STALL_NS: f64 = 20e6;
/// … in fewer than one request of five does not belong to a request: the loop stands still for everybody.
const STALL_PER_REQUEST_MAX: f64 = 0.2;
/// Cryptography in calls that are shorter than the way to the threadpool and back, ns …
const SHORT_CRYPTO_NS: u64 = 50_000;
/// … cannot be moved off the event loop, and few services can do without: a cause from this share on.
const SHORT_CRYPTO_SHARE_MIN: f64 = 0.2;
/// A framework makes text of what a handler returns, and somebody has to read what a request says: a cause from this share on.
const NEEDED_JSON_SHARE_MIN: f64 = 0.2;
/// What reads bodies does so once for each request, but for chance …
const BODY_READS_MAX: f64 = 1.05;
/// … and the texts are as long as the bodies, but for characters of several bytes. Variables make these longer, by at most as
/// much again and a little.
const BODY_LENGTH_OFF: f64 = 0.05;
const VARIABLES_BYTES: f64 = 64.0;

/// So many texts of a line for each message, most of them of a text that came before, are one text for many receivers …
const BROADCAST_CALLS_MIN: f64 = 3.0;
/// … where at least as many messages are sent as texts are made, but for chance.
const BROADCAST_SENT_MIN: f64 = 0.8;

/// Kinds of counters that are causes by themselves.
fn kind_of(counter_kind: &str) -> Option<CauseKind> {
    Some(match counter_kind {
        "output" | "file-write" => CauseKind::BlockingWrite,
        "file-read" => CauseKind::SyncFileRead,
        "json" => CauseKind::Json,
        "crypto" => CauseKind::SyncCrypto,
        "zlib" => CauseKind::SyncZlib,
        "module" | "template" => CauseKind::ModuleOrTemplatePerRequest,
        "construction" => CauseKind::ConstructedPerRequest,
        "error" => CauseKind::ErrorStack,
        "process" => CauseKind::ProcessPerRequest,
        _ => return None,
    })
}

/// Calls of one kind from one line.
#[derive(Debug, Clone, Default)]
struct Calls {
    place: Option<Place>,
    via: Option<String>,
    /// Lines of packages that call, the costliest, and how long its calls took, ns.
    inside: Option<(Place, u64)>,
    functions: Vec<String>,
    calls: u64,
    ns: u64,
    /// CPU of what the calls started, beside the thread that called.
    beside_ns: u64,
    bytes: u64,
    watched: u64,
    seen_again: u64,
}

impl Calls {
    fn add(&mut self, site: &Site) {
        if !self.functions.contains(&site.counter) {
            self.functions.push(site.counter.clone());
        }
        self.calls += site.calls;
        self.ns += site.ns;
        self.bytes += site.bytes;
        self.watched += site.watched;
        self.seen_again += site.seen_again;
    }

    fn add_rest(&mut self, other: &Self) {
        self.calls += other.calls;
        self.ns += other.ns;
        self.beside_ns += other.beside_ns;
        self.bytes += other.bytes;
        self.watched += other.watched;
        self.seen_again += other.seen_again;
    }
}

pub(crate) fn causes(case: &Case<'_>) -> Vec<Cause> {
    match (case.counted, case.cost_us_per_request()) {
        (Some(counted), Some(_)) => {
            let mut causes = Vec::new();
            let frameworks = case.profile.map(frameworks).unwrap_or_default();
            for kind in COUNTED.into_iter().chain([CauseKind::ErrorStack]) {
                let functions: Vec<&FunctionCounter> = counted
                    .functions
                    .iter()
                    .filter(|function| kind_of(&function.kind) == Some(kind))
                    .collect();
                let share = |ns: u64| case.counted_share(kind, ns);
                let calls = functions.iter().map(|function| function.calls).sum();
                let ns: u64 = functions.iter().map(|function| function.ns).sum();
                let beside_ns = started_ns(kind, counted, &functions);
                if share(ns + beside_ns) < least(kind, calls, ns) {
                    continue;
                }
                let mut lines = by_line(case, &counted.sites, &functions);
                if lines.is_empty() {
                    lines.push(without_line(&functions));
                }
                let all = lines.len();
                lines.retain(|calls| {
                    let is_needed = writes_responses(kind, calls, &frameworks) || reads_bodies(case, kind, calls);
                    !is_needed || is_broadcast(counted, kind, calls) || share(calls.ns) >= NEEDED_JSON_SHARE_MIN
                });
                if lines.len() < all && share(lines.iter().map(|calls| calls.ns).sum()) < SHARE_MIN {
                    continue;
                }
                share_out(beside_ns, &mut lines);
                let costly = lines
                    .iter()
                    .take_while(|calls| share(calls.ns + calls.beside_ns) >= SHARE_MIN)
                    .count();
                let rest = lines.split_off(costly.max(1));
                // Many cheap lines together are one cause; the costliest stands for them.
                if costly == 0 {
                    rest.iter().for_each(|other| lines[0].add_rest(other));
                }
                let others: Vec<Place> = rest.iter().filter_map(|calls| calls.place.clone()).collect();
                for (index, calls) in lines.iter().enumerate() {
                    let others = if index == 0 { others.as_slice() } else { &[] };
                    causes.push(cause(case, kind, calls, others));
                }
            }
            causes
        }
        _ => from_profile(case),
    }
}

/// The share of the CPU per request from which on so many calls, `ns` in all, are a cause.
fn least(kind: CauseKind, calls: u64, ns: u64) -> f64 {
    if kind == CauseKind::SyncCrypto && ns < calls.saturating_mul(SHORT_CRYPTO_NS) {
        SHORT_CRYPTO_SHARE_MIN
    } else {
        SHARE_MIN
    }
}

/// Whether calls serialise what a framework responds with.
fn writes_responses(kind: CauseKind, calls: &Calls, frameworks: &[&str]) -> bool {
    let by_framework = calls.via.as_deref().is_some_and(|via| frameworks.contains(&via));
    kind == CauseKind::Json && by_framework && calls.functions == ["JSON.stringify"]
}

/// Whether calls read what requests say. That such a text came before is the doing of the load.
fn reads_bodies(case: &Case<'_>, kind: CauseKind, calls: &Calls) -> bool {
    let once = case
        .counted
        .is_some_and(|counted| counted.per_request(calls.calls) <= BODY_READS_MAX);
    let mean_bytes = calls.bytes as f64 / calls.calls.max(1) as f64;
    let is_body = |request: &Request| {
        let BodyLength { bytes, is_least } = request.body_length();
        let bytes = bytes as f64;
        let most = if is_least {
            2.0 * bytes + VARIABLES_BYTES
        } else {
            bytes * (1.0 + BODY_LENGTH_OFF)
        };
        bytes > 0.0 && (bytes * (1.0 - BODY_LENGTH_OFF)..=most).contains(&mean_bytes)
    };
    let parses = kind == CauseKind::Json && calls.functions == ["JSON.parse"];
    parses && once && case.plan.scenario().all_requests().any(is_body)
}

/// Whether calls serialise one value for many receivers, once for each.
fn is_broadcast(counted: &Counted, kind: CauseKind, calls: &Calls) -> bool {
    let per_message = counted.per_request(calls.calls);
    let sent = counted.per_request(counted.requests.messages_sent);
    kind == CauseKind::Json
        && calls.functions == ["JSON.stringify"]
        && per_message >= BROADCAST_CALLS_MIN
        && sent >= per_message * BROADCAST_SENT_MIN
        && calls.watched > 0
        && calls.seen_again * 2 >= calls.watched
}

/// CPU of the processes and threads that calls of a kind started, ns. A process that is waited for uses it within the call.
fn started_ns(kind: CauseKind, counted: &Counted, functions: &[&FunctionCounter]) -> u64 {
    if kind != CauseKind::ProcessPerRequest {
        return 0;
    }
    let waited_ns = functions
        .iter()
        .filter(|function| function.name.ends_with("Sync"))
        .map(|function| function.ns)
        .sum();
    let threads_ns = if counted.starts_threads() {
        counted.process_ns.saturating_sub(counted.main_ns)
    } else {
        0
    };
    counted.children_ns.saturating_sub(waited_ns) + threads_ns
}

/// In proportion to how often each line calls.
fn share_out(ns: u64, lines: &mut [Calls]) {
    let all: u64 = lines.iter().map(|line| line.calls).sum();
    for line in lines {
        line.beside_ns = (ns as f64 * line.calls as f64 / all.max(1) as f64) as u64;
    }
}

/// Kinds that the probe counts call by call.
pub(crate) const COUNTED: [CauseKind; 9] = [
    CauseKind::BlockingWrite,
    CauseKind::SyncFileRead,
    CauseKind::Json,
    CauseKind::SyncCrypto,
    CauseKind::SyncZlib,
    CauseKind::ModuleOrTemplatePerRequest,
    CauseKind::ConstructedPerRequest,
    CauseKind::ProcessPerRequest,
    CauseKind::EventLoopStall,
];

/// Call sites of these functions, put together by line, costliest first.
fn by_line(case: &Case<'_>, sites: &[Site], functions: &[&FunctionCounter]) -> Vec<Calls> {
    let mut lines: Vec<Calls> = Vec::new();
    let known = sites
        .iter()
        .filter(|site| functions.iter().any(|function| function.name == site.counter));
    for site in known {
        let (place, via) = (case.places.of_site(&site.frames), via(&site.frames));
        let line = |place: &Option<Place>| place.as_ref().map(|place| (place.file.clone(), place.line));
        let same = lines
            .iter_mut()
            .find(|calls| line(&calls.place) == line(&place) && (place.is_some() || calls.via == via));
        let inside = case.places.inside(&site.frames).map(|place| (place, site.ns));
        match same {
            Some(calls) => {
                if inside.as_ref().map(|(_, ns)| ns) > calls.inside.as_ref().map(|(_, ns)| ns) {
                    calls.inside = inside;
                }
                calls.add(site);
            }
            None => {
                let mut calls = Calls {
                    place,
                    via,
                    inside,
                    ..Calls::default()
                };
                calls.add(site);
                lines.push(calls);
            }
        }
    }
    lines.sort_by_key(|calls| std::cmp::Reverse(calls.ns));
    lines
}

fn without_line(functions: &[&FunctionCounter]) -> Calls {
    let mut calls = Calls::default();
    for function in functions {
        calls.functions.push(function.name.clone());
        calls.calls += function.calls;
        calls.ns += function.ns;
        calls.bytes += function.bytes;
        calls.watched += function.watched;
        calls.seen_again += function.seen_again;
    }
    calls
}

fn cause(case: &Case<'_>, kind: CauseKind, calls: &Calls, others: &[Place]) -> Cause {
    let per_request = case.counted.map(|counted| counted.per_request(calls.calls));
    let ns_per_call = calls.ns as f64 / calls.calls.max(1) as f64;
    let rare = per_request.is_some_and(|calls| calls < STALL_PER_REQUEST_MAX);
    let kind = if rare && ns_per_call >= STALL_NS {
        CauseKind::EventLoopStall
    } else if case.counted.is_some_and(|counted| is_broadcast(counted, kind, calls)) {
        CauseKind::BroadcastPerSocket
    } else {
        kind
    };
    let used_us = match &calls.place {
        Some(place) if kind == CauseKind::ConstructedPerRequest => first_use_us(case, place),
        _ => 0,
    };
    let cpu_share = case.counted_share(kind, calls.ns + calls.beside_ns) + case.cpu_share_of(used_us);
    let cpu_share = match (kind, per_request) {
        // Once it has to be done.
        (CauseKind::BroadcastPerSocket, Some(calls)) => cpu_share * (1.0 - 1.0 / calls.max(1.0)),
        _ => cpu_share,
    };
    let cpu_share = cpu_share.min(1.0);
    let repeated =
        (calls.watched > 0 && !reads_bodies(case, kind, calls)).then(|| calls.seen_again as f64 / calls.watched as f64);
    let mean_bytes = calls.bytes as f64 / calls.calls.max(1) as f64;
    let evidence = match case.counted.filter(|_| kind == CauseKind::BroadcastPerSocket) {
        Some(counted) => Evidence::Broadcast {
            sent_per_message: counted.per_request(counted.requests.messages_sent),
            made_per_message: per_request.unwrap_or_default(),
            us_per_call: ns_per_call / 1e3,
            mean_bytes,
        },
        None => Evidence::Calls {
            per_request: per_request.unwrap_or_default(),
            us_per_call: ns_per_call / 1e3,
            mean_bytes,
            repeated_share: repeated,
        },
    };
    Cause {
        place: calls.place.clone(),
        other_places: others.iter().take(OTHER_PLACES_MAX).cloned().collect(),
        via: calls.via.clone(),
        inside: calls.inside.as_ref().map(|(place, _)| place.clone()),
        per_request,
        cpu_us_per_request: case.us_of_share(cpu_share),
        cpu_share: Some(cpu_share),
        ..Cause::new(kind, called(kind, &calls.functions, repeated), evidence)
    }
}

/// Calls of counted functions.
fn called(kind: CauseKind, functions: &[String], repeated_share: Option<f64>) -> What {
    if functions.is_empty() || kind == CauseKind::BroadcastPerSocket {
        return What::Kind { kind };
    }
    What::Calls {
        functions: functions.to_vec(),
        again: kind == CauseKind::Json && repeated_share >= Some(0.5),
        stop_loop: kind == CauseKind::EventLoopStall,
    }
}

/// Without counters the profile knows the same causes, but for JSON, which has no frames, and without exact lines.
fn from_profile(case: &Case<'_>) -> Vec<Cause> {
    let mut causes = Vec::new();
    for cost in case.costs {
        let Work::Known(kind) = cost.work else { continue };
        if case.share_of(cost.us) >= SHARE_MIN && COUNTED.contains(&kind) {
            let what = called(kind, std::slice::from_ref(&cost.detail.function), None);
            causes.push(case.profiled(kind, cost, what));
        }
    }
    causes
}
