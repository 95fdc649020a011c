//! Causes that the probe counts call by call: whatever keeps the event loop busy by a function that is known for it.

use crate::Case;
use crate::calls::{Cost, Work};
use crate::cost::{OTHER_PLACES_MAX, SHARE_MIN};
use crate::counted::Counted;
use crate::framework::frameworks;
use crate::made::first_use_us;
use crate::own_time::{HOT_SHARE_MIN, begin_of, is_made_on, is_shown};
use crate::place::via;
use crate::site::Site;
use crate::things::{costly, sum, things};
use plimsoll_findings::{Cause, CauseKind, Evidence, Place, What};
use plimsoll_measure::Makes;
use plimsoll_measure::probe::{FunctionCounter, SiteFrame};
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

/// Calls of which so many are for what came before are said to be repeated.
const AGAIN_MIN: f64 = 0.5;
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

/// Calls of one kind from one line, or from several.
#[derive(Debug, Clone, Default)]
struct Calls {
    place: Option<Place>,
    /// The function that the line is in, where it is known.
    function: Option<Function>,
    /// The profile shows what the line makes, with what becomes of that.
    is_shown: bool,
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
        add_name(&mut self.functions, &site.counter);
        self.calls += site.calls;
        self.ns += site.ns;
        self.bytes += site.bytes;
        self.watched += site.watched;
        self.seen_again += site.seen_again;
    }

    fn add_line(&mut self, other: &Self) {
        for function in &other.functions {
            add_name(&mut self.functions, function);
        }
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
                    if kind == CauseKind::ErrorStack && calls.is_shown {
                        return false;
                    }
                    let is_needed = writes_responses(kind, calls, &frameworks) || reads_bodies(case, kind, calls);
                    !is_needed || is_broadcast(counted, kind, calls) || share(calls.ns) >= NEEDED_JSON_SHARE_MIN
                });
                if lines.len() < all && share(lines.iter().map(|calls| calls.ns).sum()) < SHARE_MIN {
                    continue;
                }
                share_out(beside_ns, &mut lines);
                let of_function = |calls: &Calls| {
                    let repeated = again(case, kind, calls) >= Some(AGAIN_MIN);
                    Some((calls.function.clone()?, shown_as(case, kind, calls), repeated))
                };
                let share = |calls: &Calls| share(calls.ns + calls.beside_ns);
                let things = costly(things(lines, of_function, share), share);
                causes.extend(things.iter().map(|lines| cause(case, kind, lines)));
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
                    function: function_of(case, &site.frames),
                    is_shown: is_error_shown(case, site),
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

/// A function of the service: its file, its name and where it begins, as far as these are known.
type Function = (String, String, Option<(u32, u32)>);

/// The function that makes calls, if anything tells it from others of its file.
fn function_of(case: &Case<'_>, frames: &[SiteFrame]) -> Option<Function> {
    let own = frames.iter().find(|frame| frame.package.is_none())?;
    let begin = begin_of(case, &own.file, (own.line, own.column));
    let is_known = begin.is_some() || !own.function.is_empty();
    is_known.then(|| (own.file.clone(), own.function.clone(), begin))
}

/// Whether the profile shows that errors are made there, or on the line which calls their constructor.
fn is_error_shown(case: &Case<'_>, site: &Site) -> bool {
    let called = site.frames.first().filter(|_| site.made_in.is_some());
    is_shown(case, Makes::Stack, site) || called.is_some_and(|at| is_made_on(case, Makes::Stack, at))
}

fn add_name(names: &mut Vec<String>, name: &str) {
    if !names.iter().any(|known| known == name) {
        names.push(name.to_owned());
    }
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

/// What calls of a kind are shown as.
fn shown_as(case: &Case<'_>, kind: CauseKind, calls: &Calls) -> CauseKind {
    let ns_per_call = calls.ns as f64 / calls.calls.max(1) as f64;
    let is_rare = |counted: &Counted| counted.per_request(calls.calls) < STALL_PER_REQUEST_MAX;
    if ns_per_call >= STALL_NS && case.counted.is_some_and(is_rare) {
        CauseKind::EventLoopStall
    } else if case.counted.is_some_and(|counted| is_broadcast(counted, kind, calls)) {
        CauseKind::BroadcastPerSocket
    } else {
        kind
    }
}

/// How many of the calls are for what came before, as far as that is not the doing of the load.
fn again(case: &Case<'_>, kind: CauseKind, calls: &Calls) -> Option<f64> {
    let is_watched = calls.watched > 0 && !reads_bodies(case, kind, calls);
    is_watched.then(|| calls.seen_again as f64 / calls.watched as f64)
}

/// The costliest line stands for all.
fn cause(case: &Case<'_>, kind: CauseKind, lines: &[Calls]) -> Cause {
    let kind = shown_as(case, kind, &lines[0]);
    let mut calls = lines[0].clone();
    lines[1..].iter().for_each(|other| calls.add_line(other));
    let per_request = case.counted.map(|counted| counted.per_request(calls.calls));
    let ns_per_call = calls.ns as f64 / calls.calls.max(1) as f64;
    let places = || lines.iter().filter_map(|calls| calls.place.as_ref());
    let used_us = match kind {
        CauseKind::ConstructedPerRequest => places().map(|place| first_use_us(case, place)).sum(),
        _ => 0,
    };
    let cpu_share = case.counted_share(kind, calls.ns + calls.beside_ns) + case.cpu_share_of(used_us);
    let cpu_share = match (kind, per_request) {
        // Once it has to be done.
        (CauseKind::BroadcastPerSocket, Some(calls)) => cpu_share * (1.0 - 1.0 / calls.max(1.0)),
        _ => cpu_share,
    };
    let cpu_share = cpu_share.min(1.0);
    let repeated = again(case, kind, &calls);
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
        place: places().next().cloned(),
        other_places: places().skip(1).take(OTHER_PLACES_MAX).cloned().collect(),
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
        again: kind == CauseKind::Json && repeated_share >= Some(AGAIN_MIN),
        stop_loop: kind == CauseKind::EventLoopStall,
    }
}

/// Without counters the profile knows the same causes without exact lines; of JSON, which has no frames, it knows the lines alone.
fn from_profile(case: &Case<'_>) -> Vec<Cause> {
    let known = case.costs.iter().filter_map(|cost| match cost.work {
        // Schemas go with all else that is made.
        Work::Known(CauseKind::ConstructedPerRequest) => None,
        Work::Known(kind) if COUNTED.contains(&kind) => Some((kind, cost)),
        Work::Made(Makes::Json) => Some((CauseKind::Json, cost)),
        _ => None,
    });
    // Somebody has to read what a request says, and nobody counted whether this is that.
    let has_body = case
        .plan
        .scenario()
        .all_requests()
        .any(|request| request.body_length().bytes > 0);
    let least = |(kind, cost): (CauseKind, &Cost)| match kind {
        CauseKind::Json if has_body => NEEDED_JSON_SHARE_MIN,
        // Deriving a key takes long. Hashing and signing do not, and what is sampled of them has more of Node.js in it than what is counted.
        CauseKind::SyncCrypto if !cost.detail.function.ends_with("Sync") => HOT_SHARE_MIN,
        _ => SHARE_MIN,
    };
    let of_function = |(kind, cost): &(CauseKind, &Cost)| Some((*kind, cost.owner.clone()?));
    let share = |(_, cost): &(CauseKind, &Cost)| case.share_of(cost.us);
    let things = things(known.collect(), of_function, share).into_iter();
    let cause = |lines: Vec<(CauseKind, &Cost)>| {
        let (kind, _) = lines[0];
        let costs: Vec<&Cost> = lines.into_iter().map(|(_, cost)| cost).collect();
        let mut functions: Vec<String> = Vec::new();
        for cost in costs.iter().filter(|cost| matches!(cost.work, Work::Known(_))) {
            add_name(&mut functions, &cost.detail.function);
        }
        case.profiled(kind, &costs, called(kind, &functions, None))
    };
    things
        .filter(|lines| sum(lines, share) >= least(lines[0]))
        .map(cause)
        .collect()
}
