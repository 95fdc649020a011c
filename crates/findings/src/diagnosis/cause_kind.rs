//! Kinds of causes.

use schemars::JsonSchema;
use serde::Serialize;

/// Kinds of causes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CauseKind {
    /// Synchronous writes: logs to a file or terminal, `fs.*Sync`.
    BlockingWrite,
    /// Synchronous reads and checks of files.
    SyncFileRead,
    /// Parsing and serialising JSON.
    Json,
    /// One text for many receivers, made for each.
    BroadcastPerSocket,
    /// Hashing, signing and key derivation on the event loop.
    SyncCrypto,
    /// Compression on the event loop.
    SyncZlib,
    /// Regular expressions.
    Regex,
    /// Garbage collection.
    Gc,
    /// Listeners that are added and never removed.
    ListenerGrowth,
    /// Rooms that are joined and never left.
    RoomGrowth,
    /// Memory that grows with each request.
    HeapGrowth,
    /// Now and then the event loop stands still.
    EventLoopStall,
    /// More asynchronous work than the threadpool has threads.
    ThreadpoolSaturation,
    /// Work of the threadpool that takes the CPU.
    ThreadpoolWork,
    /// Messages on WebSockets that are compressed one by one.
    MessageCompression,
    /// All connections of a pool are taken.
    ConnectionPool,
    /// Independent waits one after the other.
    SerialAwaits,
    /// Asking another service for the same again.
    RepeatedUpstream,
    /// A new connection for each call to another service.
    UpstreamNoKeepalive,
    /// Loading modules or compiling templates while serving.
    ModuleOrTemplatePerRequest,
    /// Making anew for each request what could be kept: formatters, expressions, validators.
    ConstructedPerRequest,
    /// Stacks of errors, captured and written out while serving.
    ErrorStack,
    /// Starting a process or a thread while serving.
    ProcessPerRequest,
    /// Large texts sent as they are.
    NoCompression,
    /// Clients have to connect again for each request.
    NoKeepalive,
    /// Sessions of TLS begin anew, although clients would resume them.
    FullHandshakes,
    /// The same response in full to clients that could revalidate.
    NoEtag,
    /// Time inside of one package.
    PackageHot,
    /// Time in the service's own code.
    HotFunction,
    /// Time inside of Node.js that one function of the service asks for.
    NodeHot,
    /// One event loop is the limit while cores are idle.
    OneCoreBusy,
}

impl CauseKind {
    /// Every kind.
    pub const ALL: [Self; 31] = [
        Self::BlockingWrite,
        Self::SyncFileRead,
        Self::Json,
        Self::BroadcastPerSocket,
        Self::SyncCrypto,
        Self::SyncZlib,
        Self::Regex,
        Self::Gc,
        Self::ListenerGrowth,
        Self::RoomGrowth,
        Self::HeapGrowth,
        Self::EventLoopStall,
        Self::ThreadpoolSaturation,
        Self::ThreadpoolWork,
        Self::MessageCompression,
        Self::ConnectionPool,
        Self::SerialAwaits,
        Self::RepeatedUpstream,
        Self::UpstreamNoKeepalive,
        Self::ModuleOrTemplatePerRequest,
        Self::ConstructedPerRequest,
        Self::ErrorStack,
        Self::ProcessPerRequest,
        Self::NoCompression,
        Self::NoKeepalive,
        Self::FullHandshakes,
        Self::NoEtag,
        Self::PackageHot,
        Self::HotFunction,
        Self::NodeHot,
        Self::OneCoreBusy,
    ];

    /// As in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BlockingWrite => "blocking-write",
            Self::SyncFileRead => "sync-file-read",
            Self::Json => "json",
            Self::BroadcastPerSocket => "broadcast-per-socket",
            Self::SyncCrypto => "sync-crypto",
            Self::SyncZlib => "sync-zlib",
            Self::Regex => "regex",
            Self::Gc => "gc",
            Self::ListenerGrowth => "listener-growth",
            Self::RoomGrowth => "room-growth",
            Self::HeapGrowth => "heap-growth",
            Self::EventLoopStall => "event-loop-stall",
            Self::ThreadpoolSaturation => "threadpool-saturation",
            Self::ThreadpoolWork => "threadpool-work",
            Self::MessageCompression => "message-compression",
            Self::ConnectionPool => "connection-pool",
            Self::SerialAwaits => "serial-awaits",
            Self::RepeatedUpstream => "repeated-upstream",
            Self::UpstreamNoKeepalive => "upstream-no-keepalive",
            Self::ModuleOrTemplatePerRequest => "module-or-template-per-request",
            Self::ConstructedPerRequest => "constructed-per-request",
            Self::ErrorStack => "error-stack",
            Self::ProcessPerRequest => "process-per-request",
            Self::NoCompression => "no-compression",
            Self::NoKeepalive => "no-keepalive",
            Self::FullHandshakes => "full-handshakes",
            Self::NoEtag => "no-etag",
            Self::PackageHot => "package-hot",
            Self::HotFunction => "hot-function",
            Self::NodeHot => "node-hot",
            Self::OneCoreBusy => "one-core-busy",
        }
    }
}
