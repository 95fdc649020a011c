//! Words for causes: what they are, what they cost, what to do about them.

use super::asked::of_messages;
use crate::figures::{self, duration_ms, duration_us, number, share};
use crate::words::activity::activity as activity_words;
use plimsoll_findings::{Activity, Cause, CauseKind, CodeClass, Diagnosis, Pass, Place, SpentOn, What};

/// Heads of [`pass`].
pub(crate) const fn pass_heads(diagnosis: &Diagnosis) -> [&'static str; 5] {
    let cpu = match diagnosis.by_message {
        false => "CPU per request",
        true => "CPU per message",
    };
    ["completed", cpu, "against plain", "p50", "p99"]
}

/// The figures of a pass, by [`pass_heads`].
pub(crate) fn pass(pass: &Pass) -> [String; 5] {
    [
        figures::known(pass.throughput_per_s, number),
        figures::known(pass.cpu_us_per_request, duration_us),
        figures::known(pass.extra_cpu_share, figures::signed_share),
        figures::known(pass.p50_ms, duration_ms),
        figures::known(pass.p99_ms, duration_ms),
    ]
}

/// Names of the classes of code in a call tree.
pub(crate) const CODE_CLASSES: [(CodeClass, &str); 7] = [
    (CodeClass::Own, "own code"),
    (CodeClass::Package, "packages"),
    (CodeClass::Node, "Node.js"),
    (CodeClass::Native, "native code"),
    (CodeClass::Regex, "regular expressions"),
    (CodeClass::Gc, "garbage collection"),
    (CodeClass::Engine, "JavaScript engine"),
];

/// What it is, and what to do about it.
const fn of_kind(kind: CauseKind) -> (&'static str, &'static str) {
    match kind {
        CauseKind::BlockingWrite => (
            "synchronous writes",
            "write less per request, or through a logger that buffers and writes outside of the event loop",
        ),
        CauseKind::SyncFileRead => (
            "synchronous file access",
            "read the file once at the start and keep it, or read it with fs.promises",
        ),
        CauseKind::Json => (
            "JSON",
            "parse and serialise less: keep the result, send only what is needed, or serialise by a fixed schema",
        ),
        CauseKind::BroadcastPerSocket => (
            "one message for many receivers, serialised for each",
            "serialise it once and send that text to all; with Socket.IO emit to a room, `io.to(room).emit`, and not to each socket",
        ),
        CauseKind::SyncCrypto => (
            "cryptography on the event loop",
            "use the asynchronous form, which works in the threadpool, or do it once and keep the result",
        ),
        CauseKind::SyncZlib => (
            "compression on the event loop",
            "use the asynchronous form, compress static content once, or leave it to the proxy in front",
        ),
        CauseKind::Regex => (
            "a regular expression",
            "rewrite the expression so that it cannot backtrack, bound its input, or search by plain string methods",
        ),
        CauseKind::Gc => (
            "garbage collection",
            "create fewer objects per request, or let young ones live longer with --max-semi-space-size",
        ),
        CauseKind::ListenerGrowth => (
            "listeners that are added and never removed",
            "remove each with `off` once what it waits for is over or its connection closes, or add one that serves all",
        ),
        CauseKind::RoomGrowth => (
            "rooms that are joined and never left",
            "leave each with `socket.leave` once its purpose is over: a socket is taken out of its rooms only when it disconnects",
        ),
        CauseKind::HeapGrowth => (
            "memory that grew during the pass",
            "see by a longer pass, `-d 2m`, whether it is released later; if not, bound what is kept: a cache needs a limit, a \
             listener or timer an end",
        ),
        CauseKind::EventLoopStall => (
            "the event loop stands still",
            "move the work to a worker thread, or cut it into pieces with setImmediate in between",
        ),
        CauseKind::ThreadpoolSaturation => (
            "the threadpool is full",
            "raise UV_THREADPOOL_SIZE to the cores there are, or ask less of fs, dns, crypto and zlib per request",
        ),
        CauseKind::ThreadpoolWork => (
            "costly work on the threadpool",
            "do it once and keep the result, or choose cheaper parameters: brotli has quality 11 unless told otherwise, for what is \
             compressed once",
        ),
        CauseKind::MessageCompression => (
            "compression of each message",
            "leave permessage-deflate off, or let small messages stay below its `threshold`, which holds with `serverNoContextTakeover: \
             true` alone: each copy of a message is compressed for itself",
        ),
        CauseKind::ConnectionPool => (
            "all connections of a pool are taken",
            "raise the bound of the pool as far as the other side can take it, hold a connection for less time, or make fewer \
             calls per request",
        ),
        CauseKind::SerialAwaits => (
            "calls to other services one after the other",
            "start calls that do not need each other's results together, with Promise.all",
        ),
        CauseKind::RepeatedUpstream => (
            "the same question to another service again and again",
            "ask once and pass the response on, or keep it for a while, and share one call among requests that ask at the same \
             time",
        ),
        CauseKind::UpstreamNoKeepalive => (
            "a new connection for each call to another service",
            "use an agent with keepAlive: true, or read each response of fetch to its end",
        ),
        CauseKind::ModuleOrTemplatePerRequest => (
            "modules or templates are loaded while serving",
            "load and compile them once, at the start",
        ),
        CauseKind::ConstructedPerRequest => (
            "what could be kept is made anew for each request",
            "make it once, at the start, or keep those that were made by what they were made from",
        ),
        CauseKind::ErrorStack => (
            "stacks of errors",
            "read the stack of an error only where it is logged, and return a value where nothing failed; a lower \
             Error.stackTraceLimit makes each cheaper",
        ),
        CauseKind::ProcessPerRequest => (
            "processes or threads are started while serving",
            "keep processes or threads that work for many requests, or do the work by a library in this process",
        ),
        CauseKind::NoCompression => (
            "large texts are sent uncompressed",
            "compress responses of more than a few kilobytes, here or in the proxy in front",
        ),
        CauseKind::NoKeepalive => (
            "clients have to connect again for each request",
            "do not respond with `connection: close`, and set keepAliveTimeout above that of the proxy in front",
        ),
        CauseKind::FullHandshakes => (
            "TLS sessions are not resumed",
            "let clients resume: leave session tickets on, give all processes the same `ticketKeys`, and keep the server object when \
             its certificate changes (`setSecureContext`)",
        ),
        CauseKind::NoEtag => (
            "clients that hold a response get it again in full",
            "send an ETag or Last-Modified, and respond with 304 where it still holds",
        ),
        CauseKind::PackageHot => (
            "a package",
            "call it less, configure it to do less, or take one that does less",
        ),
        CauseKind::HotFunction => (
            "the service's own code",
            "do less in it: keep results, choose a cheaper algorithm, or move it to a worker thread",
        ),
        CauseKind::NodeHot => (
            "work of Node.js that the service asks for",
            "ask for less of it, and once for many",
        ),
        CauseKind::OneCoreBusy => (
            "one event loop does all the work",
            "start a process for each core, with node:cluster or by the process manager",
        ),
    }
}

/// What to do about a cause.
pub(crate) fn remedy(cause: &Cause) -> String {
    let remedy = remedy_of_kind(cause.kind);
    let such_as = match &cause.what {
        What::Node { activity } => asks_less(*activity),
        _ => None,
    };
    such_as.map_or(remedy.to_owned(), |such_as| format!("{remedy}: {such_as}"))
}

/// What to do about a kind of cause.
pub(crate) const fn remedy_of_kind(kind: CauseKind) -> &'static str {
    of_kind(kind).1
}

/// How to ask for less of what Node.js and native functions do.
const fn asks_less(activity: Activity) -> Option<&'static str> {
    match activity {
        Activity::Buffers => Some("join buffers once and not piece by piece"),
        Activity::Files => Some("read files in large pieces, and small ones at once"),
        Activity::Formatting => Some("format only what is read"),
        Activity::NativeFunctions => Some("query the rows of a database together, and write them in one transaction"),
        Activity::Processes => Some("give threads only what they need"),
        Activity::Urls => Some("parse an address once per request"),
        _ => None,
    }
}

/// Its page in the project.
pub(crate) fn doc(kind: CauseKind) -> String {
    format!("docs/findings/{}.md", kind.as_str())
}

/// What a cause is: `JSON.parse and JSON.stringify of the same text again`.
pub(crate) fn cause_what(what: &What) -> String {
    match what {
        What::Kind { kind } => of_kind(*kind).0.to_owned(),
        What::Calls {
            functions,
            again,
            stop_loop,
        } => {
            let names = function_names(functions);
            match (again, stop_loop) {
                (true, _) => format!("{names} of the same text again"),
                (false, true) => format!("{names} stops the event loop"),
                (false, false) => names,
            }
        }
        What::Regex { pattern } => {
            const LONGEST: usize = 60;
            let short: String = pattern.chars().take(LONGEST).collect();
            let rest = if short.len() < pattern.len() { "…" } else { "" };
            format!("regular expression /{short}{rest}/")
        }
        What::GarbageOfFunction => "garbage, most of it made by this function".to_owned(),
        What::Own { function } => match function.as_str() {
            "" => "an anonymous function".to_owned(),
            name => format!("own code: {name}"),
        },
        What::Package { name, function: None } => format!("package {name}"),
        What::Package {
            name,
            function: Some(function),
        } => format!("{function} of package {name}"),
        What::Node {
            activity: Activity::NativeFunctions,
        } => "native functions that it calls".to_owned(),
        What::Node { activity } => format!("{} by Node.js", activity_words(*activity)),
        What::Stall { function } => match function.as_str() {
            "" => "an anonymous function stops the event loop".to_owned(),
            name => format!("{name} stops the event loop"),
        },
    }
}

/// What time was spent on.
pub(crate) fn spent_on(on: &SpentOn) -> String {
    match on {
        SpentOn::Cause { kind } => kind.as_str().to_owned(),
        SpentOn::Package { name } => format!("package {name}"),
        SpentOn::Framework { name } => format!("{name} itself, which runs your code"),
        SpentOn::Own => "own code".to_owned(),
        SpentOn::Runtime => "Node.js, but for these".to_owned(),
        SpentOn::Rest => "everything else".to_owned(),
    }
}

/// A line of code: `src/app.js:42 (handler)`.
pub(crate) fn place(place: &Place) -> String {
    /// A function that begins farther right is one of several in its line.
    const FAR_RIGHT: u32 = 200;
    let shows_column = |column: &u32| !place.is_function || *column > FAR_RIGHT;
    let column = place.column.filter(shows_column).map(|column| format!(":{column}"));
    let function = match place.function.as_str() {
        "" => String::new(),
        name => format!(" ({name})"),
    };
    format!("{place}{}{function}", column.unwrap_or_default())
}

/// A few names, and how many there are besides.
pub(super) fn function_names(functions: &[String]) -> String {
    match functions {
        [] => String::new(),
        [one] => one.clone(),
        [one, other] => format!("{one} and {other}"),
        [one, rest @ ..] => format!("{one} and {} more", rest.len()),
    }
}

/// A cause and the package that it is reached through.
pub(crate) fn cause_title(cause: &Cause) -> String {
    let names_it = |via: &String| matches!(&cause.what, What::Package { name, .. } if name == via);
    let via = cause.via.as_ref().filter(|via| !names_it(via));
    let via = via.map(|via| format!(", through {via}"));
    cause_what(&cause.what) + &via.unwrap_or_default()
}

/// The line inside of a package, and the line of the service that called it.
pub(crate) fn inside(cause: &Cause) -> Option<String> {
    let inside = place(cause.inside.as_ref()?);
    let Some(from) = &cause.place else { return Some(inside) };
    Some(format!("{inside}, called from {from}"))
}

/// A function of the service's own through which the places of a cause reach it.
pub(crate) fn helper(helper: &Place) -> String {
    format!("{}, which other lines call as well", place(helper))
}

/// A cause and the line that it comes from.
pub(crate) fn cause(cause: &Cause) -> String {
    let title = cause_title(cause);
    match &cause.place {
        Some(at) if at.is_function => format!("{title}, in {}", place(at)),
        Some(at) => format!("{title}, at {}", place(at)),
        None => title,
    }
}

/// What a cause costs each request.
pub(crate) fn cause_costs(cause: &Cause) -> String {
    let mut costs = Vec::new();
    if let Some(us) = cause.cpu_us_per_request {
        let of_cpu = cause.cpu_share.map(|of_cpu| format!(", {} of its CPU", share(of_cpu)));
        costs.push(format!("{} per request{}", duration_us(us), of_cpu.unwrap_or_default()));
    }
    if let Some(ms) = cause.wait_ms_per_request {
        costs.push(format!("{} of waiting per request", duration_ms(ms)));
    }
    if let Some(calls) = cause.per_request {
        costs.push(match (0.9995..1.0005).contains(&calls) {
            true => "once per request".to_owned(),
            false => format!("{} times per request", number(calls)),
        });
    }
    if costs.is_empty() {
        return "not known in CPU or time".to_owned();
    }
    of_messages(cause.by_message, costs.join("; "))
}
