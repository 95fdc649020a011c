//! What Node.js itself does, and for whom.

use super::layer::LayerRole;
use super::place::Place;
use schemars::JsonSchema;
use serde::Serialize;

/// The time of Node.js itself, and to whom all time is charged. Shares are of the busy time of the main threads.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RuntimeTime {
    /// Time in functions of Node.js, in native code and in collections.
    pub share: f64,
    /// That time by what is done, greatest first.
    pub activities: Vec<ActivityTime>,
    /// That time by the line that it is charged to, greatest first. What no line is charged with is not among them.
    pub charges: Vec<RuntimeCharge>,
    /// All busy time.
    pub charged: Charged,
}

/// Time of one activity.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ActivityTime {
    /// What is done.
    pub activity: Activity,
    /// Share of the busy time.
    pub share: f64,
    /// The part of that share which no line is charged with.
    pub uncharged_share: f64,
}

/// Time of Node.js that one function, or what one line registers, is charged with.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RuntimeCharge {
    /// The line: the costliest of the function, or the one that registers a middleware, hook or handler.
    pub place: Place,
    /// The package that it is in; `None` for the service's own code.
    pub package: Option<String>,
    /// What the line registers with a framework, or the server that it makes listen; `None` where it is one that calls Node.js.
    pub registers: Option<Registered>,
    /// Share of the busy time.
    pub share: f64,
    /// What Node.js does for it, greatest first.
    pub activities: Vec<ChargedActivity>,
}

/// What a line registers with a framework, or makes listen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Registered {
    /// What it is.
    pub role: LayerRole,
    /// Its name; empty for an anonymous function.
    pub name: String,
}

/// A part of a charge.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct ChargedActivity {
    /// What is done.
    pub activity: Activity,
    /// Share of the busy time.
    pub share: f64,
}

/// To whom all busy time is charged, that in the code of the service and of packages included. What the service, packages and
/// no line are charged with makes one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Charged {
    /// To lines of the service's own code.
    pub application_share: f64,
    /// To lines of packages.
    pub package_share: f64,
    /// The part of that for packages that run the service's code, such as Express.
    pub framework_share: f64,
    /// The part of the first two for lines that make a server listen: what Node.js does there for requests before and after any function
    /// of the service has to do with them.
    pub listening_share: f64,
    /// To none: it is known by what Node.js does.
    pub rest_share: f64,
    /// The part of the first two for which no line is on the stack: labels, or the memory that was asked for, say whose it is.
    pub estimated_share: f64,
}

/// What Node.js does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// Parses requests, and responses of other services, and makes objects of them.
    ReadingMessages,
    /// Checks, stores and writes headers of HTTP, and hands bodies on.
    WritingMessages,
    /// Follows requests to the service to their end.
    EndingRequests,
    /// Calls other services over HTTP.
    HttpClient,
    /// HTTP/2 in both directions.
    Http2,
    /// Reads, writes, accepts and closes sockets, with TLS.
    Sockets,
    /// Looks names up and connects.
    Connecting,
    /// Streams.
    Streams,
    /// Timers.
    Timers,
    /// Runs promises and what was queued for later, and follows them by async hooks.
    Promises,
    /// Event emitters.
    Events,
    /// Buffers and texts in their encodings.
    Buffers,
    /// URLs and query strings.
    Urls,
    /// Cryptography.
    Crypto,
    /// Compression.
    Zlib,
    /// Files and paths.
    Files,
    /// Finds, loads and starts modules and scripts.
    Modules,
    /// Console and the formatting of values.
    Formatting,
    /// Errors and the text of their stacks.
    Errors,
    /// Other processes and threads.
    Processes,
    /// Diagnostics that the service or its packages ask for.
    Observing,
    /// Native functions that the service and its packages call, such as those of a database in the process.
    NativeFunctions,
    /// Collects garbage.
    Garbage,
    /// The event loop and V8, where no function says more.
    Native,
    /// Whatever else.
    Other,
}
