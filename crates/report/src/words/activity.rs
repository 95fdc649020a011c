//! What Node.js does, in words.

use plimsoll_findings::Activity;

/// What Node.js does.
pub(crate) const fn activity(activity: Activity) -> &'static str {
    match activity {
        Activity::ReadingMessages => "reading HTTP messages",
        Activity::WritingMessages => "writing HTTP messages",
        Activity::EndingRequests => "ending requests",
        Activity::HttpClient => "calling other services",
        Activity::Http2 => "HTTP/2",
        Activity::Sockets => "sockets",
        Activity::Connecting => "connecting",
        Activity::Streams => "streams",
        Activity::Timers => "timers",
        Activity::Promises => "promises and async hooks",
        Activity::Events => "events",
        Activity::Buffers => "buffers and encodings",
        Activity::Urls => "URLs",
        Activity::Crypto => "cryptography",
        Activity::Zlib => "compression",
        Activity::Files => "files",
        Activity::Modules => "loading modules",
        Activity::Formatting => "console and formatting",
        Activity::Errors => "errors and stacks",
        Activity::Processes => "processes and threads",
        Activity::Observing => "diagnostics",
        Activity::NativeFunctions => "native functions",
        Activity::Garbage => "collecting garbage",
        Activity::Native => "event loop and V8",
        Activity::Other => "other parts of Node.js",
    }
}
