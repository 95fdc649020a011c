//! What the probe inside of the service says, as `docs/reference/probe.md` defines it.
//!
//! Figures are cumulative since a thread armed, unless they are called a gauge.

mod bounded;
mod gauges;
mod kept;
mod routes;
mod traced;
mod upstream;
mod without;

pub use gauges::{GcCounter, MemoryGauge, Pauses, PoolCounter};
pub use kept::{KeptMemory, ProbeKept, SpaceUse};
pub use routes::Route;
pub use traced::{TracedCounter, TracedSite};
pub use upstream::{ConnectionPoolCounter, UpstreamCounter};
pub use without::{Content, Removable};

use serde::{Deserialize, Serialize};

/// Frames of a call site: eight, and one of the service's own code that lies deeper, with two of its callers.
const FRAMES_MAX: usize = 11;
/// Call sites of a thread, with the one for all that have no number.
pub const SITES_MAX: usize = 1024;
/// Threads of the runtime that are told of.
const THREADS_MAX: usize = 2048;
/// Functions that are counted.
pub const FUNCTIONS_MAX: usize = 512;
/// Other services.
const ORIGINS_MAX: usize = 64;
/// Pools of connections.
const POOLS_MAX: usize = 64;
/// Routes.
const ROUTES_MAX: usize = 1000;
/// Parts of the probe that are left out.
const SKIPPED_MAX: usize = 32;
/// Classes of delays.
const DELAYS_MAX: usize = 64;

/// Delays of the event loop in one message; it tells 20.
const TOLD_DELAYS_MAX: usize = 4096;

/// A message of the probe. A message of a type that is not known is [`ProbeMessage::Unknown`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ProbeMessage {
    /// The first of every connection.
    Hello(Box<ProbeHello>),
    /// The thread listens on one more address.
    Listening {
        /// TCP port; `None` for a unix socket.
        #[serde(default)]
        port: Option<u16>,
    },
    /// A call site was seen for the first time.
    Site(CallSite),
    /// What was counted so far.
    Counters(Box<ProbeCounters>),
    /// For how long the event loop kept timers waiting.
    LoopDelays {
        /// Each of them, µs.
        #[serde(default, deserialize_with = "bounded::list::<TOLD_DELAYS_MAX, _, _>")]
        delays_us: Vec<u32>,
    },
    /// All garbage was collected.
    Kept(Box<ProbeKept>),
    /// A command was carried out.
    Started {
        /// Of the command.
        #[serde(default)]
        id: u64,
        /// Threads that work for the service's: V8's, the threadpool's, the probe's.
        #[serde(
            default,
            deserialize_with = "bounded::list::<THREADS_MAX, _, _>",
            skip_serializing_if = "Vec::is_empty"
        )]
        beside: Vec<u32>,
    },
    /// A command could not be carried out.
    Error {
        /// Why.
        #[serde(default, deserialize_with = "bounded::name")]
        message: String,
    },
    /// A command is being carried out.
    Working {
        /// Of the command.
        #[serde(default)]
        id: u64,
    },
    /// The probe is in a thread and cannot do its work there.
    Off {
        /// Why, after "because".
        #[serde(default, deserialize_with = "bounded::name")]
        reason: String,
    },
    /// The service has something that can be left out of it.
    Removable(Removable),
    /// It was left out for the first time.
    Removed(Removable),
    /// What one of the first responses said.
    Content(Content),
    /// The routes of the service.
    Routes {
        /// Those that are registered by now.
        #[serde(default, deserialize_with = "bounded::list::<ROUTES_MAX, _, _>")]
        routes: Vec<Route>,
    },
    /// The process exits by itself.
    Bye {
        /// Its exit code.
        #[serde(default)]
        code: Option<i32>,
    },
    /// Something that a later probe added.
    #[serde(other)]
    Unknown,
}

/// A line of `probe.jsonl`: a message and where it came from, or an edge of the window that counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProbeLine {
    /// A thread said something.
    From {
        /// The connection of that thread, from 0.
        connection: u32,
        /// What it said.
        message: ProbeMessage,
    },
    /// Messages from here on are inside of the window that counts.
    WindowBegins,
    /// The last messages before this are the end of it.
    WindowEnds,
}

/// Who is speaking.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ProbeHello {
    /// `plimsoll.probe/1`.
    #[serde(deserialize_with = "bounded::name")]
    pub protocol: String,
    /// Process.
    pub pid: u32,
    /// 0 for the main thread.
    pub thread_id: u32,
    /// Version of Node.js.
    #[serde(deserialize_with = "bounded::name")]
    pub node: String,
    /// Working directory.
    #[serde(deserialize_with = "bounded::path")]
    pub cwd: String,
    /// The script that it was started with.
    #[serde(deserialize_with = "bounded::some_path")]
    pub main: Option<String>,
    /// What the probe could not install in this thread, and why.
    #[serde(
        deserialize_with = "bounded::list::<SKIPPED_MAX, _, _>",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub skipped: Vec<Skipped>,
    /// Threads of the libuv pool.
    pub threadpool_size: u32,
    /// Cores that the process may use.
    pub cores: u32,
    /// Bound of the heap, bytes.
    pub heap_limit_bytes: u64,
    /// What standard output is: `file`, `pipe`, `tty`, `socket`, `null` or `other`.
    #[serde(deserialize_with = "bounded::name")]
    pub stdout: String,
}

/// A part of the probe that is left out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Skipped {
    /// Which part.
    #[serde(deserialize_with = "bounded::name")]
    pub part: String,
    /// Why, after "because".
    #[serde(deserialize_with = "bounded::name")]
    pub reason: String,
}

/// A place in the code from which a counted function is called.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CallSite {
    /// Its number; 0 stands for all that have none.
    pub id: u32,
    /// The counted function.
    #[serde(deserialize_with = "bounded::name")]
    pub counter: String,
    /// Up to eight, and those of the service's own code that lie deeper; innermost first, without those of Node.js.
    #[serde(deserialize_with = "bounded::list::<FRAMES_MAX, _, _>")]
    pub frames: Vec<SiteFrame>,
    /// The constructor that takes the time, of an error whose stack begins where `new` called that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made_in: Option<SiteFrame>,
}

/// A frame of a call site.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SiteFrame {
    /// Path.
    #[serde(deserialize_with = "bounded::path")]
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// May be empty.
    #[serde(deserialize_with = "bounded::name")]
    pub function: String,
    /// The package that the file belongs to; `None` for the service's own code.
    #[serde(deserialize_with = "bounded::some_name")]
    pub package: Option<String>,
    /// It had waited for something, and goes on: nobody called it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub resumed: bool,
}

/// Everything that is counted.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ProbeCounters {
    /// Since the thread armed, ms.
    pub since_ms: f64,
    /// By function.
    #[serde(deserialize_with = "bounded::list::<FUNCTIONS_MAX, _, _>")]
    pub counters: Vec<FunctionCounter>,
    /// By call site; estimated.
    #[serde(deserialize_with = "bounded::list::<SITES_MAX, _, _>")]
    pub sites: Vec<SiteCounter>,
    /// Requests that the service responded to.
    pub requests: RequestCounter,
    /// A sample of its responses.
    pub responses: ResponseCounter,
    /// What it asked others.
    #[serde(deserialize_with = "bounded::list::<ORIGINS_MAX, _, _>")]
    pub upstream: Vec<UpstreamCounter>,
    /// Pools of connections that have a bound.
    #[serde(
        deserialize_with = "bounded::list::<POOLS_MAX, _, _>",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub pools: Vec<ConnectionPoolCounter>,
    /// What some requests asked others, traced exactly; `None` from a probe that did not trace any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traced: Option<TracedCounter>,
    /// Its event loop.
    #[serde(rename = "loop")]
    pub event_loop: LoopCounter,
    /// Pauses of garbage collection.
    pub gc: GcCounter,
    /// Gauges of memory.
    pub memory: MemoryGauge,
    /// The threadpool.
    pub pool: PoolCounter,
    /// CPU time.
    pub cpu: CpuCounter,
}

/// Calls of one function.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FunctionCounter {
    /// `JSON.parse`, for instance.
    #[serde(deserialize_with = "bounded::name")]
    pub name: String,
    /// `json`, for instance.
    #[serde(deserialize_with = "bounded::name")]
    pub kind: String,
    /// How many.
    pub calls: u64,
    /// How long they took together.
    pub ns: u64,
    /// What went through them.
    pub bytes: u64,
    /// Texts that were picked at random …
    pub watched: u64,
    /// … and those of them that came again soon.
    pub seen_again: u64,
}

/// Calls from one place.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SiteCounter {
    /// Number of the [`CallSite`].
    pub id: u32,
    /// How many.
    pub calls: u64,
    /// How long they took together.
    pub ns: u64,
    /// What went through them.
    pub bytes: u64,
    /// As in [`FunctionCounter`].
    pub watched: u64,
    /// As in [`FunctionCounter`].
    pub seen_again: u64,
    /// Gauge: the fewest listeners or rooms that were added to from here since the last message; 0 where none were.
    #[serde(skip_serializing_if = "is_zero")]
    pub kept: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Requests of servers of Node.js: those of HTTP/1.1, and streams of HTTP/2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RequestCounter {
    /// Begun.
    pub started: u64,
    /// Begun, as far as those stand for that were picked as they began, and have ended.
    pub followed: u64,
    /// Their times from start to end, summed, ns.
    pub followed_ns: u64,
    /// Connections accepted.
    pub connections: u64,
    /// Most of them that were open at once since the last message.
    pub connections_peak: u64,
    /// Handshakes of TLS with certificates and a key exchange.
    pub handshakes_full: u64,
    /// Handshakes that resumed an earlier session.
    pub handshakes_resumed: u64,
    /// Messages that came on WebSockets.
    pub messages: u64,
    /// Messages that were sent on them, each copy for itself.
    pub messages_sent: u64,
    /// Of these, those that were compressed.
    pub messages_compressed: u64,
}

/// A sample of about 20 responses a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ResponseCounter {
    /// Looked at.
    pub sampled: u64,
    /// Responses to GET among them.
    pub get: u64,
    /// Bytes of their bodies.
    pub body_bytes: u64,
    /// Texts of at least 1 KiB.
    pub compressible: u64,
    /// Their bytes.
    pub compressible_bytes: u64,
    /// Of those: the client would have taken them compressed.
    pub accepts_encoding: u64,
    /// Of those: they were compressed.
    pub compressed: u64,
    /// Responses to GET with an ETag.
    pub etag: u64,
    /// Requests by GET that could have had a 304 as their response.
    pub conditional: u64,
    /// Responses of 304.
    pub not_modified: u64,
    /// Responses that close the connection.
    pub connection_close: u64,
}

/// The event loop.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LoopCounter {
    /// Beats, due every 20 ms.
    pub beats: u64,
    /// Busy.
    pub active_ns: u64,
    /// Waiting for something to happen.
    pub idle_ns: u64,
    /// Sum of the delays of the beats.
    pub delay_ns: u64,
    /// Longest delay.
    pub longest_delay_ns: u64,
    /// Upper bounds of delays, ns, and how many lie below each and above the one before; the last has no bound.
    #[serde(deserialize_with = "bounded::list::<DELAYS_MAX, _, _>")]
    pub delays: Vec<(Option<u64>, u64)>,
}

/// CPU time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CpuCounter {
    /// Of the process.
    pub process_ns: u64,
    /// Of the thread that is watched, where it is known.
    pub thread_ns: Option<u64>,
    /// Of the probe's own thread.
    pub probe_thread_ns: u64,
    /// Of processes that it started and that have ended, where it is known.
    pub children_ns: Option<u64>,
    /// Of threads that the service started.
    pub started_ns: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_and_what_is_new_is_left_out() {
        let read = |text: &str| serde_json::from_str::<ProbeMessage>(text);
        let counters = r#"{"type":"counters","since_ms":5000.2,"new":1,
            "counters":[{"name":"JSON.parse","kind":"json","calls":5000,"ns":91000000,"bytes":4100000}],
            "loop":{"beats":240,"delays":[[1000000,200],[null,30]]},
            "cpu":{"process_ns":3100000000,"thread_ns":null},"memory":{"low_bytes":null}}"#;
        let Ok(ProbeMessage::Counters(counters)) = read(counters) else {
            panic!("counters are read");
        };
        assert_eq!(counters.counters[0].calls, 5000);
        assert_eq!(counters.event_loop.delays, [(Some(1_000_000), 200), (None, 30)]);
        assert_eq!(
            read(r#"{"type":"weather","sun":true}"#).expect("left out"),
            ProbeMessage::Unknown
        );
        assert!(read(r#"{"type":"counters","counters":7}"#).is_err());
    }

    #[test]
    fn what_is_sent_has_bounds() {
        let many = |one: &str, count: usize| vec![one; count].join(",");
        for (field, max) in [
            ("counters", FUNCTIONS_MAX),
            ("sites", SITES_MAX),
            ("upstream", ORIGINS_MAX),
        ] {
            let read = |count| {
                let text = format!(r#"{{"type":"counters","{field}":[{}]}}"#, many("{}", count));
                serde_json::from_str::<ProbeMessage>(&text)
            };
            assert!(read(max).is_ok() && read(max + 1).is_err(), "{field}");
        }
        let name = "\u{fc}".repeat(1000);
        let site = format!(r#"{{"type":"site","counter":"\u001b[2J{name}","frames":[{{"package":null}}]}}"#);
        let Ok(ProbeMessage::Site(site)) = serde_json::from_str(&site) else {
            panic!("a site");
        };
        assert!(
            site.counter.starts_with(" [2J\u{fc}") && site.counter.len() <= 512,
            "{}",
            site.counter
        );
        for text in [
            r#"{"type":"counters","since_ms":1e999}"#,
            r#"{"type":"counters","since_ms":NaN}"#,
            r#"{"type":"counters","requests":{"started":-1}}"#,
            r#"{"type":"counters","requests":{"started":18446744073709551616}}"#,
            r#"{"type":"hello","pid":1e300}"#,
        ] {
            assert!(serde_json::from_str::<ProbeMessage>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_line_of_the_run_directory_reads_back() {
        let line = ProbeLine::From {
            connection: 3,
            message: ProbeMessage::Site(CallSite {
                id: 7,
                counter: "JSON.parse".to_owned(),
                frames: vec![SiteFrame {
                    file: "/srv/app.js".to_owned(),
                    line: 31,
                    ..SiteFrame::default()
                }],
                made_in: None,
            }),
        };
        for line in [line, ProbeLine::WindowBegins, ProbeLine::WindowEnds] {
            let text = serde_json::to_string(&line).expect("plain data");
            assert_eq!(serde_json::from_str::<ProbeLine>(&text).expect(&text), line);
        }
    }
}
