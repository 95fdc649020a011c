//! What a diagnosis says in words: what a cause is, the figures it rests on, what to do.

use super::calls::Work;
use super::cause::{Bound, Cause, Diagnosis, Kind};
use super::counted::Counted;

/// A cause of a kind with what is the same for all of that kind; the rest is filled in.
pub(super) fn cause(kind: Kind) -> Cause {
    let (what, remedy) = of_kind(kind);
    Cause {
        kind,
        what: what.to_owned(),
        place: None,
        other_places: Vec::new(),
        via: None,
        per_request: None,
        cpu_us_per_request: None,
        cpu_share: None,
        wait_ms_per_request: None,
        evidence: String::new(),
        remedy: remedy.to_owned(),
        predicted: None,
        line_predicted: None,
        doc: format!("docs/findings/{}.md", kind.as_str()),
    }
}

/// What it is, and what to do about it.
const fn of_kind(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::BlockingWrite => (
            "synchronous writes",
            "write less per request, or through a logger that buffers and writes outside of the event loop",
        ),
        Kind::SyncFileRead => (
            "synchronous file access",
            "read the file once at the start and keep it, or read it with fs.promises",
        ),
        Kind::Json => (
            "JSON",
            "parse and serialise less: keep the result, send only what is needed, or serialise by a fixed schema",
        ),
        Kind::SyncCrypto => (
            "cryptography on the event loop",
            "use the asynchronous form, which works in the threadpool, or do it once and keep the result",
        ),
        Kind::SyncZlib => (
            "compression on the event loop",
            "use the asynchronous form, compress static content once, or leave it to the proxy in front",
        ),
        Kind::Regex => (
            "a regular expression",
            "rewrite the expression so that it cannot backtrack, bound its input, or search by plain string methods",
        ),
        Kind::Gc => (
            "garbage collection",
            "create fewer objects per request, or let young ones live longer with --max-semi-space-size",
        ),
        Kind::HeapGrowth => (
            "memory that is never released",
            "bound what is kept: a cache needs a limit, a listener or timer needs an end",
        ),
        Kind::EventLoopStall => (
            "the event loop stands still",
            "move the work to a worker thread, or cut it into pieces with setImmediate in between",
        ),
        Kind::ThreadpoolSaturation => (
            "the threadpool is full",
            "raise UV_THREADPOOL_SIZE to the cores there are, or ask less of fs, dns, crypto and zlib per request",
        ),
        Kind::SerialAwaits => (
            "calls to other services one after the other",
            "start calls that do not need each other's answers together, with Promise.all",
        ),
        Kind::RepeatedUpstream => (
            "the same question to another service again and again",
            "keep the answer for a while, and share one call among requests that ask at the same time",
        ),
        Kind::UpstreamNoKeepalive => (
            "a new connection for each call to another service",
            "use an agent with keepAlive: true, or read each answer of fetch to its end",
        ),
        Kind::ModuleOrTemplatePerRequest => (
            "modules or templates are loaded while serving",
            "load and compile them once, at the start",
        ),
        Kind::NoCompression => (
            "large texts are sent uncompressed",
            "compress answers of more than a few kilobytes, here or in the proxy in front",
        ),
        Kind::NoKeepalive => (
            "clients have to connect again for each request",
            "do not answer `connection: close`, and set keepAliveTimeout above that of the proxy in front",
        ),
        Kind::NoEtag => (
            "clients that hold an answer get it again in full",
            "send an ETag or Last-Modified, and answer 304 where it still holds",
        ),
        Kind::PackageHot => (
            "a package",
            "call it less, configure it to do less, or take one that does less",
        ),
        Kind::HotFunction => (
            "the service's own code",
            "do less in it: keep results, choose a cheaper algorithm, or move it to a worker thread",
        ),
        Kind::OneCoreBusy => (
            "one event loop does all the work",
            "start a process for each core, with node:cluster or by the process manager",
        ),
    }
}

/// Calls of counted functions: `JSON.parse`, `JSON.parse and JSON.stringify`, `fs.readFileSync and 2 more`.
pub(super) fn calls(kind: Kind, functions: &[String], repeated: Option<f64>) -> String {
    let names = match functions {
        [] => return of_kind(kind).0.to_owned(),
        [one] => one.clone(),
        [one, other] => format!("{one} and {other}"),
        [one, rest @ ..] => format!("{one} and {} more", rest.len()),
    };
    match repeated {
        Some(share) if kind == Kind::Json && share >= 0.5 => format!("{names} of the same text again"),
        _ if kind == Kind::EventLoopStall => format!("{names} stops the event loop"),
        _ => names,
    }
}

pub(super) fn calls_evidence(per_request: f64, ns_per_call: f64, bytes: f64, repeated: Option<f64>) -> String {
    let mut text = format!(
        "{} calls per request, {} each",
        number(per_request),
        duration(ns_per_call / 1e3)
    );
    if bytes >= 1.0 {
        text.push_str(&format!(", {} bytes on average", number(bytes)));
    }
    if let Some(share) = repeated {
        text.push_str(&format!(", {} of them of a text that came before", percent(share)));
    }
    text
}

pub(super) fn profile_evidence(share: f64) -> String {
    format!("{} of the busy time in the CPU profile", percent(share))
}

pub(super) fn regex(pattern: &str) -> String {
    const LONGEST: usize = 60;
    let short: String = pattern.chars().take(LONGEST).collect();
    let rest = if short.len() < pattern.len() { "…" } else { "" };
    format!("regular expression /{short}{rest}/")
}

pub(super) fn gc_of_function() -> String {
    "garbage, most of it made by this function".to_owned()
}

pub(super) fn gc_evidence(counted: Option<&Counted>, share: f64) -> String {
    match counted {
        Some(counted) => format!(
            "{} collections per 1,000 requests, together {} of the CPU per request",
            number(counted.per_request(counted.gc.minor.count + counted.gc.major.count) * 1e3),
            percent(share)
        ),
        None => profile_evidence(share),
    }
}

/// Goes on after [`gc_evidence`].
pub(super) fn garbage_evidence(memory: f64, making: f64) -> String {
    let itself = if making > 0.0 {
        format!(" and takes {} of the busy time itself", percent(making))
    } else {
        String::new()
    };
    format!("; this function asks for {} of the memory{itself}", percent(memory))
}

pub(super) fn own(function: &str) -> String {
    match function {
        "" => "an anonymous function".to_owned(),
        name => format!("own code: {name}"),
    }
}

pub(super) fn package(name: &str) -> String {
    format!("package {name}")
}

pub(super) fn stall(function: &str) -> String {
    match function {
        "" => "an anonymous function stops the event loop".to_owned(),
        name => format!("{name} stops the event loop"),
    }
}

pub(super) fn stall_evidence(longest_delay_ns: u64, longest_us: u64) -> String {
    format!(
        "the loop came up to {} late, and this ran for {} at a stretch",
        duration(longest_delay_ns as f64 / 1e3),
        duration(longest_us as f64)
    )
}

pub(super) fn pool_evidence(wait_ms: f64, per_request: f64, threads: u32, pool_share: f64) -> String {
    format!(
        "{} tasks per request for {threads} threads, where even a trivial one waited {}; {} of the CPU of the process is \
         not that of its main thread",
        number(per_request),
        duration(wait_ms * 1e3),
        percent(pool_share)
    )
}

pub(super) fn repeated_evidence(share: f64, per_request: f64, waited_ms: f64) -> String {
    format!(
        "{} of the calls asked for a URL that was asked for less than a second before; {} calls and {} per request",
        percent(share),
        number(per_request),
        duration(waited_ms * 1e3)
    )
}

pub(super) fn serial_evidence(per_request: f64, waited_ms: f64, mean_ms: f64) -> String {
    format!(
        "{} calls per request take {} together, and the request {}: there is hardly a moment with two under way",
        number(per_request),
        duration(waited_ms * 1e3),
        duration(mean_ms * 1e3)
    )
}

pub(super) fn connections_evidence(share: f64, of: &str) -> String {
    format!("{} connections opened for 100 {of}", number(share * 100.0))
}

pub(super) fn compression_evidence(mean_bytes: f64) -> String {
    format!(
        "text of {} bytes on average, to clients that accept compression",
        number(mean_bytes)
    )
}

pub(super) fn etag_evidence(conditional: f64, mean_bytes: f64) -> String {
    format!(
        "{} of the requests ask on a condition, and each gets the answer of {} bytes",
        percent(conditional),
        number(mean_bytes)
    )
}

pub(super) fn growth_evidence(bytes: f64, bytes_per_request: f64, limit_bytes: u64) -> String {
    format!(
        "after collections the heap still grew by {:.1} MB, {} bytes per request; its limit is {:.0} MB",
        bytes / 1e6,
        number(bytes_per_request),
        limit_bytes as f64 / 1e6
    )
}

pub(super) fn one_core_evidence(cores: u32) -> String {
    format!("one process serves, and the service may use {cores} cores")
}

/// A part of the breakdown.
pub(super) fn work(work: &Work) -> String {
    match work {
        Work::Known(kind) => kind.as_str().to_owned(),
        Work::Package(name) => format!("package {name}"),
        Work::Own => "own code".to_owned(),
        Work::Runtime => "Node.js".to_owned(),
    }
}

pub(super) fn headline(diagnosis: &Diagnosis) -> String {
    let bound = match diagnosis.bound {
        Bound::Cpu => "CPU-bound",
        Bound::Upstream => "bound by other services",
        Bound::Neither => "bound neither by CPU nor by other services",
        Bound::Unknown => "bound by something that could not be seen",
    };
    match diagnosis.causes.first() {
        Some(first) => {
            let at = first
                .place
                .as_ref()
                .map(|place| format!(" at {place}"))
                .unwrap_or_default();
            format!("The service is {bound}; first cause: {}{at}", first.what)
        }
        None => format!("The service is {bound}; nothing found that is known to be costly"),
    }
}

pub(super) fn next_step(diagnosis: &Diagnosis) -> String {
    match diagnosis.causes.first() {
        Some(first) => format!("{}; then diagnose again", first.remedy),
        None => "look at the flame graph for what the service itself does, or give it more cores".to_owned(),
    }
}

fn percent(share: f64) -> String {
    let percent = share.clamp(0.0, 1.0) * 100.0;
    if percent < 10.0 {
        format!("{percent:.1} %")
    } else {
        format!("{percent:.0} %")
    }
}

fn number(value: f64) -> String {
    match value {
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v => format!("{v:.2}").trim_end_matches('0').trim_end_matches('.').to_owned(),
    }
}

fn duration(us: f64) -> String {
    match us {
        us if us >= 1e6 => format!("{:.1} s", us / 1e6),
        us if us >= 1e3 => format!("{:.1} ms", us / 1e3),
        us if us >= 10.0 => format!("{us:.0} µs"),
        us => format!("{us:.1} µs"),
    }
}
