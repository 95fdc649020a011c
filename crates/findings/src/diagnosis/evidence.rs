//! What a cause is, the figures that it rests on, and what a prediction assumes.

use super::cause_kind::CauseKind;
use super::runtime::Activity;
use schemars::JsonSchema;
use serde::Serialize;

/// What a cause is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum What {
    /// What its kind says.
    Kind {
        /// The kind.
        kind: CauseKind,
    },
    /// Calls of functions that the probe counts or the profile shows.
    Calls {
        /// Their names.
        functions: Vec<String>,
        /// Most of them are of a text that came before.
        again: bool,
        /// They stop the event loop.
        stop_loop: bool,
    },
    /// A regular expression.
    Regex {
        /// Its pattern.
        pattern: String,
    },
    /// Garbage, most of it made by the function at the place.
    GarbageOfFunction,
    /// A function of the service.
    Own {
        /// Its name; empty for an anonymous one.
        function: String,
    },
    /// A package.
    Package {
        /// Its name.
        name: String,
        /// Its function that the service calls, where several are told apart.
        #[serde(skip_serializing_if = "Option::is_none")]
        function: Option<String>,
    },
    /// Work of Node.js.
    Node {
        /// Most of it.
        activity: Activity,
    },
    /// A function that stops the event loop.
    Stall {
        /// Its name; empty for an anonymous one.
        function: String,
    },
}

/// The figures that a cause rests on.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Evidence {
    /// Calls that were counted.
    Calls {
        /// How many a request.
        per_request: f64,
        /// How long each, microseconds.
        us_per_call: f64,
        /// Bytes of each, on average.
        mean_bytes: f64,
        /// Share of them of a text that came before, where that was watched.
        repeated_share: Option<f64>,
    },
    /// Time in the CPU profile.
    Profile {
        /// As a share of its busy time.
        share: f64,
    },
    /// Time in the CPU profile that a package takes with others that it calls.
    Packages {
        /// As a share of its busy time, with what they have Node.js do.
        share: f64,
        /// The code of each, the costliest first.
        packages: Vec<PackageShare>,
    },
    /// Garbage collection.
    Collections {
        /// How many per 1,000 requests; `None` where they were not counted.
        per_1000_requests: Option<f64>,
        /// Share of the CPU per request, or of the busy time of the profile.
        share: f64,
        /// The function that makes most of the garbage.
        garbage: Option<Garbage>,
    },
    /// The event loop stood still.
    Stall {
        /// How late it came at most, ms.
        longest_delay_ms: f64,
        /// How long the function ran at a stretch, ms.
        longest_run_ms: f64,
        /// What it calls meanwhile that is costly.
        #[serde(skip_serializing_if = "Option::is_none")]
        calls: Option<StallCalls>,
    },
    /// Work for the threadpool.
    Pool {
        /// Tasks per request.
        per_request: f64,
        /// Threads of the pool.
        threads: u32,
        /// How long a trivial task waited, ms.
        wait_ms: f64,
        /// Share of the CPU of the process that is not of its main thread.
        cpu_share: f64,
    },
    /// A pool of connections that has a bound.
    Connections {
        /// By which function it is asked.
        name: String,
        /// How many it may have; `None` where that is not known.
        size: Option<u32>,
        /// How many are asked for per request.
        per_request: f64,
        /// How long a request waits for them, ms.
        wait_ms: f64,
        /// How long a request takes, ms.
        request_ms: f64,
    },
    /// Calls for what was asked before.
    Repeated {
        /// By the same request; else by requests that differ.
        within_request: bool,
        /// How many a request.
        again_per_request: f64,
        /// Of so many calls per request.
        per_request: f64,
        /// By how much a request would wait less without them, ms.
        saved_ms: f64,
        /// How long a request takes, ms.
        request_ms: f64,
    },
    /// Calls of traced requests, each begun when the one before it had ended.
    Series {
        /// How many a request.
        per_request: f64,
        /// How much longer they take than the longest of them, ms.
        saved_ms: f64,
        /// How long a request takes, ms.
        request_ms: f64,
    },
    /// Calls that seem to be made one after the other, where no request was traced.
    Serial {
        /// Calls per request.
        per_request: f64,
        /// How long they take per request, ms.
        waited_ms: f64,
        /// How long a request takes, ms.
        request_ms: f64,
    },
    /// Connections that were opened to other services.
    UpstreamConnections {
        /// For each call.
        per_call: f64,
        /// How long a request waits for them, ms; `None` where no request was traced.
        saved_ms: Option<f64>,
    },
    /// Connections that clients opened.
    ClientConnections {
        /// For each request.
        per_request: f64,
    },
    /// Handshakes of TLS.
    Handshakes {
        /// For each request.
        per_request: f64,
        /// Share of them that were full.
        full_share: f64,
    },
    /// Text that is sent as it is.
    Uncompressed {
        /// Bytes of a response, on average.
        mean_bytes: f64,
    },
    /// Conditional requests that get a response in full.
    Conditional {
        /// Share of the requests.
        share: f64,
        /// Bytes of a response, on average.
        mean_bytes: f64,
    },
    /// The heap grows from collection to collection.
    Growth {
        /// By how much, bytes.
        bytes: f64,
        /// By how much per request, bytes.
        bytes_per_request: f64,
        /// What it may grow to, bytes.
        limit_bytes: u64,
        /// Between the first collection and the last, seconds: what expires later is still kept.
        over_s: f64,
    },
    /// One text for many receivers, made for each.
    Broadcast {
        /// Messages that the service sends for each that comes.
        sent_per_message: f64,
        /// Texts that the line makes for each that comes.
        made_per_message: f64,
        /// How long each takes, microseconds.
        us_per_call: f64,
        /// Bytes of each, on average.
        mean_bytes: f64,
    },
    /// Listeners or rooms that are added and stay.
    Kept {
        /// How many are added per request.
        added_per_request: f64,
        /// How many more there are where they are added, in the second half of the window.
        by: f64,
        /// How many there are at its end.
        to: f64,
    },
    /// One process serves.
    OneProcess {
        /// Cores that the service may use.
        cores: u32,
    },
}

/// What one function has to do with the garbage.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Garbage {
    /// Share of the memory that it asks for.
    pub memory_share: f64,
    /// Share of the busy time that it takes itself; 0 where that is not worth a word.
    pub making_share: f64,
}

/// Costly calls of a function that stops the event loop.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StallCalls {
    /// Of what.
    pub functions: Vec<String>,
    /// How many a request.
    pub per_request: f64,
    /// How long each, microseconds.
    pub us_per_call: f64,
}

/// What the code of a package takes.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PackageShare {
    /// Its name.
    pub name: String,
    /// Share of the busy time.
    pub share: f64,
}

/// What must hold for a prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Assumption {
    /// The cost goes completely.
    CostGone,
    /// The function takes half as long.
    FunctionHalved,
    /// Half as much garbage is made.
    GarbageHalved,
    /// All causes at the line go.
    LineGone,
    /// Requests share nothing but the machine.
    NothingShared,
    /// The event loop no longer stands still.
    LoopRuns,
    /// The threadpool has a thread for each task.
    PoolWide,
    /// The pool has a connection for each call, and the other side serves so many at once.
    ConnectionsEnough,
    /// Other services respond to what is still asked as fast as now.
    OthersAsNow,
}

/// Why it is said what runs out first.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum BoundBecause {
    /// The objective on CPU broke first above the line.
    CpuBroke,
    /// A neighbour of the service has no CPU left at the least rate that failed, and the service has.
    NeighbourFull,
    /// A quota of CPU time keeps the service from running at the least rate that failed.
    Throttled {
        /// The quota, in cores.
        cpu_cores: f64,
        /// For how much of each second, ms.
        ms_per_s: f64,
    },
    /// One core is busy.
    CoreBusy {
        /// At the load line; else at the rate of the diagnosis.
        at_line: bool,
        /// How busy, 0 to 1 but for rounding.
        busy: f64,
    },
    /// One core is full at the least rate that failed.
    CoreFull {
        /// How busy, 0 to 1 but for rounding.
        busy: f64,
    },
    /// Something rare stops the event loop for longer than a request may take, or nearly.
    LoopStands {
        /// How long at most, ms.
        longest_ms: f64,
        /// Share of the time in which it stands still; `None` where nothing says what stops it.
        share: Option<f64>,
    },
    /// The event loop is full while the CPU is not: it waits in calls that block.
    LoopWaits {
        /// How full the loop is at the least rate that failed, 0 to 1 but for rounding.
        full: f64,
        /// How busy one core is there.
        busy: f64,
    },
    /// Tasks wait for a thread of the threadpool.
    PoolFull {
        /// Threads of the pool.
        threads: u32,
        /// How long a trivial task waits, ms.
        wait_ms: f64,
    },
    /// Requests wait for a connection of a pool.
    ConnectionsTaken {
        /// How many it may have; `None` where that is not known.
        size: Option<u32>,
        /// Share of the time of a request.
        share: f64,
    },
    /// Collections of all memory stop the event loop.
    CollectionsStop {
        /// How long each does on average, ms.
        pause_ms: f64,
    },
    /// Requests wait for other services.
    WaitsForOthers {
        /// Share of their time.
        share: f64,
    },
    /// No response came in the passes.
    NoResponse,
    /// The CPU of the service could not be sampled.
    NoCpu,
    /// Requests are CPU.
    TimeIsCpu {
        /// Share of their time.
        share: f64,
    },
    /// Requests are neither.
    TimeIsNeither {
        /// How long a request takes, ms.
        request_ms: f64,
        /// Share of it that is CPU.
        cpu_share: f64,
        /// Share of it that is waiting for other services; `None` where that was not counted.
        waiting_share: Option<f64>,
    },
}

/// What the main threads spent time on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum SpentOn {
    /// What a kind of cause is about.
    Cause {
        /// The kind.
        kind: CauseKind,
    },
    /// A package, its own code.
    Package {
        /// Its name.
        name: String,
    },
    /// The package that runs the service's code, its own code.
    Framework {
        /// Its name.
        name: String,
    },
    /// Code of the service.
    Own,
    /// Node.js.
    Runtime,
    /// Whatever is not named.
    Rest,
}

/// What kind of code it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CodeClass {
    /// The engine itself.
    Engine,
    /// The garbage collector.
    Gc,
    /// A regular expression.
    Regex,
    /// A native binding.
    Native,
    /// JavaScript inside of Node.js.
    Node,
    /// A package.
    Package,
    /// Code of the service.
    Own,
}
