//! What Node.js does in each of its files and functions.

use crate::calls::{Class, class};
use plimsoll_findings::Activity;
use plimsoll_measure::{Frame, Profile};

/// What is done in the files that begin so, without `node:`, `internal/` and `_`. The first row that fits counts. Files move
/// and are split between versions of Node.js, but keep to the names of the modules that they are of.
const BY_FILE: &[(&str, Activity)] = &[
    ("http_agent", Activity::HttpClient),
    ("http_client", Activity::HttpClient),
    ("deps/undici", Activity::HttpClient),
    ("http_common", Activity::ReadingMessages),
    ("http_incoming", Activity::ReadingMessages),
    ("http_outgoing", Activity::WritingMessages),
    ("http_server", Activity::EndingRequests),
    ("https", Activity::HttpClient),
    ("http2", Activity::Http2),
    ("http", Activity::WritingMessages),
    ("stream_base_commons", Activity::Sockets),
    ("js_stream_socket", Activity::Sockets),
    ("net", Activity::Sockets),
    ("tls", Activity::Sockets),
    ("dgram", Activity::Sockets),
    ("quic", Activity::Sockets),
    ("socket", Activity::Sockets),
    ("tty", Activity::Sockets),
    ("dns", Activity::Connecting),
    ("stream", Activity::Streams),
    ("webstreams", Activity::Streams),
    ("fixed_queue", Activity::Promises),
    ("timers", Activity::Timers),
    ("linkedlist", Activity::Timers),
    ("priority_queue", Activity::Timers),
    ("process/task_queues", Activity::Promises),
    ("process/promises", Activity::Promises),
    ("promise_hooks", Activity::Promises),
    ("async_", Activity::Promises),
    ("events", Activity::Events),
    ("event_target", Activity::Events),
    ("abort_controller", Activity::Events),
    ("domain", Activity::Events),
    ("buffer", Activity::Buffers),
    ("string_decoder", Activity::Buffers),
    ("encoding", Activity::Buffers),
    ("blob", Activity::Buffers),
    ("file", Activity::Buffers),
    ("url", Activity::Urls),
    ("querystring", Activity::Urls),
    ("punycode", Activity::Urls),
    ("data_url", Activity::Urls),
    ("mime", Activity::Urls),
    ("crypto", Activity::Crypto),
    ("zlib", Activity::Zlib),
    ("fs", Activity::Files),
    ("path", Activity::Files),
    ("deps/minimatch", Activity::Files),
    ("sqlite", Activity::Files),
    ("modules", Activity::Modules),
    ("module", Activity::Modules),
    ("vm", Activity::Modules),
    ("bootstrap", Activity::Modules),
    ("main/", Activity::Modules),
    ("process/pre_execution", Activity::Modules),
    ("process/execution", Activity::Modules),
    ("wasm_web_api", Activity::Modules),
    ("deps/cjs-module-lexer", Activity::Modules),
    ("deps/amaro", Activity::Modules),
    ("console", Activity::Formatting),
    ("util/inspect", Activity::Formatting),
    ("util/colors", Activity::Formatting),
    ("cli_table", Activity::Formatting),
    ("readline", Activity::Formatting),
    ("errors", Activity::Errors),
    ("source_map", Activity::Errors),
    ("child_process", Activity::Processes),
    ("cluster", Activity::Processes),
    ("worker", Activity::Processes),
    ("process/signal", Activity::Processes),
    ("diagnostics_channel", Activity::Observing),
    ("perf", Activity::Observing),
    ("histogram", Activity::Observing),
    ("inspector", Activity::Observing),
    ("trace_events", Activity::Observing),
    ("v8", Activity::Observing),
];

/// Functions of a file that do something else than the file.
const BY_FUNCTION: &[(&str, &[&str], Activity)] = &[
    (
        "http_server",
        &[
            "parserOnIncoming",
            "onParserExecute",
            "onParserExecuteCommon",
            "socketOnData",
            "connectionListener",
            "connectionListenerInternal",
        ],
        Activity::ReadingMessages,
    ),
    (
        "http_server",
        &[
            "ServerResponse",
            "writeHead",
            "_implicitHeader",
            "writeContinue",
            "writeProcessing",
            "writeEarlyHints",
            "statusMessage",
        ],
        Activity::WritingMessages,
    ),
    (
        "http_common",
        &["checkIsHttpToken", "checkInvalidHeaderChar"],
        Activity::WritingMessages,
    ),
    (
        "net",
        &[
            "connect",
            "createConnection",
            "internalConnect",
            "internalConnectMultiple",
            "lookupAndConnect",
            "lookupAndConnectMultiple",
            "afterConnect",
            "afterConnectMultiple",
        ],
        Activity::Connecting,
    ),
    (
        "util",
        &["inspect", "format", "formatWithOptions"],
        Activity::Formatting,
    ),
];

/// Native functions that are called by no function of Node.js, by how their names end.
const BY_NATIVE: &[(&str, Activity)] = &[
    ("Slice", Activity::Buffers),
    ("Write", Activity::Buffers),
    ("WriteStatic", Activity::Buffers),
    ("byteLengthUtf8", Activity::Buffers),
    ("runMicrotasks", Activity::Promises),
    ("consoleCall", Activity::Formatting),
    ("get stack", Activity::Errors),
];

/// What is done in each call of a profile; `None` in code of the service and of packages.
pub(crate) fn activities(profile: &Profile) -> Vec<Option<Activity>> {
    let mut found: Vec<Option<Activity>> = Vec::with_capacity(profile.calls.len());
    for call in &profile.calls {
        // What serves all files, and native code, does what it is called for.
        let by = match call.caller.map(|caller| found[caller]) {
            None => By::Nobody,
            Some(None) => By::Code,
            Some(Some(activity)) => By::Node(activity),
        };
        found.push(activity(&profile.frames[call.frame], by));
    }
    found
}

/// Who calls something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    /// The loop.
    Nobody,
    /// The service or a package.
    Code,
    /// Node.js, while it does this.
    Node(Activity),
}

fn activity(frame: &Frame, by: By) -> Option<Activity> {
    let caller = match by {
        By::Node(activity) if activity != Activity::Native => Some(activity),
        _ => None,
    };
    match class(frame) {
        Class::Own | Class::Package(_) => None,
        // Expressions belong to the code that they are in.
        Class::Regex => caller,
        Class::Gc => Some(Activity::Garbage),
        Class::Engine => Some(Activity::Native),
        Class::Native => caller.or_else(|| Some(by_native(&frame.function, by))),
        Class::Runtime => by_file(frame).or(caller).or(Some(Activity::Other)),
    }
}

fn by_file(frame: &Frame) -> Option<Activity> {
    let file = frame.file.strip_prefix("node:").unwrap_or(&frame.file);
    let file = file.strip_prefix("internal/").unwrap_or(file);
    let file = file.trim_start_matches('_');
    let method = frame.function.rsplit([' ', '.']).next().unwrap_or_default();
    let by_function = BY_FUNCTION
        .iter()
        .find(|(of, functions, _)| *of == file && functions.contains(&method))
        .map(|(.., activity)| *activity);
    let of_file = || BY_FILE.iter().find(|(prefix, _)| file.starts_with(prefix));
    by_function.or_else(|| of_file().map(|(_, activity)| *activity))
}

fn by_native(function: &str, by: By) -> Activity {
    let found = BY_NATIVE.iter().find(|(end, _)| function.ends_with(end));
    let otherwise = match by {
        By::Code if !function.is_empty() => Activity::NativeFunctions,
        _ => Activity::Native,
    };
    found.map_or(otherwise, |(_, activity)| *activity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::profile;
    use Activity as A;

    /// What the last of these functions does, each of which calls the next.
    fn last(path: &[&str]) -> Option<Activity> {
        let drawn = path.iter().zip(0..);
        let drawn: Vec<String> = drawn
            .map(|(call, depth)| format!("{:1$}{call} 1", "", 2 * depth))
            .collect();
        activities(&profile(&drawn.join("\n"))).pop().flatten()
    }

    #[test]
    fn files_of_node_20_to_24_have_the_activity_of_their_module() {
        for (function, expected) in [
            ("node:_http_common parserOnHeadersComplete", A::ReadingMessages),
            ("node:_http_server parserOnIncoming", A::ReadingMessages),
            ("node:_http_server resOnFinish", A::EndingRequests),
            ("node:_http_server ServerResponse._implicitHeader", A::WritingMessages),
            ("node:_http_outgoing _storeHeader", A::WritingMessages),
            ("node:internal/http utcDate", A::WritingMessages),
            ("node:internal/http2/core onSessionRead", A::Http2),
            ("node:_http_client onSocketNT", A::HttpClient),
            ("node:internal/deps/undici/undici fetch", A::HttpClient),
            ("node:net Socket._read", A::Sockets),
            ("node:net internalConnect", A::Connecting),
            ("node:_tls_wrap onread", A::Sockets),
            ("node:internal/tls/wrap onread", A::Sockets),
            ("node:internal/stream_base_commons onStreamRead", A::Sockets),
            ("node:internal/streams/readable Readable.read", A::Streams),
            ("node:_stream_readable Readable.read", A::Streams),
            ("node:internal/timers listOnTimeout", A::Timers),
            (
                "node:internal/process/task_queues processTicksAndRejections",
                A::Promises,
            ),
            ("node:internal/async_local_storage/async_hooks run", A::Promises),
            ("node:internal/async_hooks emitHook", A::Promises),
            ("node:events emit", A::Events),
            ("node:buffer from", A::Buffers),
            ("node:internal/url URL", A::Urls),
            ("node:internal/crypto/hash update", A::Crypto),
            ("node:zlib processCallback", A::Zlib),
            ("node:internal/fs/promises open", A::Files),
            ("node:dns lookup", A::Connecting),
            ("node:internal/modules/cjs/loader load", A::Modules),
            ("node:internal/util/inspect formatValue", A::Formatting),
            ("node:internal/console/constructor log", A::Formatting),
            ("node:internal/errors prepareStackTraceCallback", A::Errors),
            ("node:diagnostics_channel publish", A::Observing),
            ("node:internal/validators validateNumber", A::Other),
            ("node:of-another-version f", A::Other),
        ] {
            assert_eq!(last(&["- (root)", function]), Some(expected), "{function}");
        }
    }

    #[test]
    fn what_serves_all_files_does_what_it_is_called_for() {
        let reads = "node:fs readFile";
        assert_eq!(last(&["- (root)", reads, "- open"]), Some(A::Files));
        assert_eq!(
            last(&["- (root)", reads, "node:internal/validators validateString"]),
            Some(A::Files)
        );
        let writes = "node:internal/stream_base_commons writeGeneric";
        assert_eq!(last(&["- (root)", writes, "- writeUtf8String"]), Some(A::Sockets));
        assert_eq!(
            last(&["- (root)", "node:buffer toString", "- utf8Slice"]),
            Some(A::Buffers)
        );
        // A package that calls a builtin by itself.
        let package = "/srv/node_modules/raw-body/index.js onData";
        assert_eq!(last(&["- (root)", package, "- utf8Slice"]), Some(A::Buffers));
        assert_eq!(last(&["- (root)", package, "- unheardOf"]), Some(A::NativeFunctions));
    }

    #[test]
    fn code_that_is_not_of_node_does_none_of_it() {
        assert_eq!(last(&["- (root)", "/srv/app.js handle"]), None);
        assert_eq!(last(&["- (root)", "/srv/app.js handle", "- RegExp: ^a"]), None);
        assert_eq!(last(&["- (root)", "node:path join", "- RegExp: ^a"]), Some(A::Files));
        assert_eq!(
            last(&["- (root)", "/srv/app.js handle", "- (garbage collector)"]),
            Some(A::Garbage)
        );
        assert_eq!(last(&["- (root)", "- (program)"]), Some(A::Native));
        // Of a database in the process, called by the service or a package; what Node.js calls does what that does.
        assert_eq!(last(&["/srv/app.js handle", "- all"]), Some(A::NativeFunctions));
        assert_eq!(
            last(&["/srv/node_modules/db/index.js prepare", "- prepare"]),
            Some(A::NativeFunctions)
        );
        assert_eq!(last(&["/srv/app.js handle", "- consoleCall"]), Some(A::Formatting));
        assert_eq!(last(&["- (root)", "- all"]), Some(A::Native));
    }
}
