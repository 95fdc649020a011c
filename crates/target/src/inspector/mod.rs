//! The inspector of a Node.js process that runs already: opened by SIGUSR1, asked for profiles, and closed again.
//!
//! Nothing is loaded into the process. V8 ends a profile by itself when the connection is gone, and a timer in the process closes
//! the inspector where nobody else did, so the process is as before however this one ends.

mod error;
mod restored;

pub use error::InspectorError;

use crate::namespace;
use crate::ownership::{Endpoint, endpoints};
use crate::process::Process;
use crate::sys;
use error::{OPENING, USUAL_PORT};
use plimsoll_files::kernel;
use plimsoll_measure::probe::{ProbeKept, ProbeMessage};
use plimsoll_protocol::Part;
use plimsoll_protocol::websocket::{FrameReader, Incoming, MessageLayout};
use restored::{Origin, Place, restored};
use rustix::process::Signal;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::MetadataExt as _;
use std::thread;
use std::time::{Duration, Instant};

const LOOK: Duration = Duration::from_millis(20);
/// Commands that have nothing to hand over are carried out at once, or when the event loop comes to them.
const PATIENCE: Duration = Duration::from_secs(10);
/// A profile of some minutes is some 10 MB; reading it together takes the service a while.
const PROFILE_PATIENCE: Duration = Duration::from_secs(60);
/// Longest message that is taken in.
const MOST_BYTES: usize = 100 << 20;
/// The same for what says where the connection goes.
const MOST_HEAD_BYTES: usize = 64 << 10;
/// Bit of SIGUSR1 among the signals that a process handles.
const SIGUSR1_BIT: u64 = 1 << (10 - 1);
/// Any 16 bytes do: what is asked for is a connection and no secret.
const KEY: &str = "cGxpbXNvbGwgaW5zcGVjdA==";

/// What the probe does in a service that was started with it.
const MEMORY: &str = include_str!("../../../../probe/memory.cjs");
const ORIGINS: &str = include_str!("../../../../probe/origins.cjs");

/// A connection to the inspector of one process. Dropping it ends the profiles, and has the process close the inspector if it was
/// opened here.
#[derive(Debug)]
pub struct Inspector {
    process: Process,
    stream: TcpStream,
    frames: FrameReader,
    /// What has come of the next message.
    partial: Vec<u8>,
    /// Messages that were not looked at yet.
    waiting: VecDeque<Vec<u8>>,
    last_id: u64,
    opened_here: bool,
}

/// What a process of Node.js says of itself.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Inspected {
    /// Where it runs.
    pub cwd: String,
    /// Its script.
    pub main: Option<String>,
}

impl Inspector {
    /// Opens the inspector of one of these processes, the busiest first, and connects to it. After `closes_after` the process
    /// closes it again, whatever becomes of us.
    pub(crate) fn open(members: &[Process], closes_after: Duration) -> Result<Self, InspectorError> {
        let mut nodes: Vec<&Process> = members.iter().filter(|process| opens_on_signal(process)).collect();
        nodes.sort_by_key(|process| std::cmp::Reverse(sys::cpu_ns(process.id.pid).unwrap_or(process.own_ticks)));
        let node = *nodes.first().ok_or(InspectorError::NoNode)?;
        let before = loopback(node);
        let (address, opened_here) = match before.iter().copied().find(|address| address.port() == USUAL_PORT) {
            Some(open) => (open, false),
            None => (open_by_signal(node, &before)?, true),
        };
        let mut inspector = Self {
            process: node.clone(),
            stream: connect(node, address).map_err(|found| failed(node, found))?,
            frames: FrameReader::default(),
            partial: Vec::new(),
            waiting: VecDeque::new(),
            last_id: 0,
            opened_here,
        };
        if opened_here {
            inspector.evaluate(&closing(closes_after))?;
        }
        Ok(inspector)
    }

    /// The process.
    #[must_use]
    pub fn process(&self) -> String {
        self.process.to_string()
    }

    /// Whether a path leads to the same file for the process as for us: in a container it does not.
    #[must_use]
    pub fn shares_files(&self) -> bool {
        let root = |process: &str| std::fs::metadata(format!("/proc/{process}/root/")).ok();
        let its = root(&self.process.id.pid.to_string()).zip(root("self"));
        its.is_none_or(|(its, own)| (its.dev(), its.ino()) == (own.dev(), own.ino()))
    }

    /// What the process says of itself.
    ///
    /// # Errors
    /// [`InspectorError::Failed`].
    pub fn about(&mut self) -> Result<Inspected, InspectorError> {
        let said = self.evaluate("({ cwd: process.cwd(), main: process.argv[1] })")?;
        serde_json::from_str(said.get()).map_err(|_| failed(&self.process, "it did not say where it runs"))
    }

    /// Begins a CPU profile, with a sample this often.
    ///
    /// # Errors
    /// [`InspectorError::Failed`].
    pub fn start_profile(&mut self, interval: Duration) -> Result<(), InspectorError> {
        self.ask("Profiler.enable", &json!({}), PATIENCE)?;
        let interval = json!({ "interval": interval.as_micros() as u64 });
        self.ask("Profiler.setSamplingInterval", &interval, PATIENCE)?;
        self.ask("Profiler.start", &json!({}), PATIENCE).map(drop)
    }

    /// Ends it; returns a `.cpuprofile` as V8 made it.
    ///
    /// # Errors
    /// [`InspectorError::Failed`].
    pub fn stop_profile(&mut self) -> Result<String, InspectorError> {
        self.profile("Profiler.stop")
    }

    /// Begins to sample where memory is asked for, every so many bytes.
    ///
    /// # Errors
    /// [`InspectorError::Failed`].
    pub fn start_allocations(&mut self, interval_bytes: u64) -> Result<(), InspectorError> {
        // What was collected meanwhile was asked for as well.
        let sampling = json!({
            "samplingInterval": interval_bytes,
            "includeObjectsCollectedByMajorGC": true,
            "includeObjectsCollectedByMinorGC": true,
        });
        self.ask("HeapProfiler.startSampling", &sampling, PATIENCE).map(drop)
    }

    /// The same of what stays alive alone.
    ///
    /// # Errors
    /// [`InspectorError::Failed`].
    pub fn start_alive(&mut self, interval_bytes: u64) -> Result<(), InspectorError> {
        let sampling = json!({ "samplingInterval": interval_bytes });
        self.ask("HeapProfiler.startSampling", &sampling, PATIENCE).map(drop)
    }

    /// What was sampled so far; a `.heapprofile` as V8 made it.
    ///
    /// # Errors
    /// [`InspectorError::Failed`].
    pub fn read_allocations(&mut self) -> Result<String, InspectorError> {
        self.profile("HeapProfiler.getSamplingProfile")
    }

    /// Collects all garbage, and says what is kept.
    ///
    /// # Errors
    /// [`InspectorError::Failed`].
    pub fn kept(&mut self) -> Result<ProbeKept, InspectorError> {
        // Has the process collect all garbage, and say what is left.
        let said = self.evaluate(&asked_of(MEMORY, "kept(0)"))?;
        match serde_json::from_str(said.get()) {
            Ok(ProbeMessage::Kept(kept)) => Ok(*kept),
            Ok(ProbeMessage::Error { message, .. }) => Err(InspectorError::NotDone {
                process: self.process.to_string(),
                found: plimsoll_plain::line(&message).into_owned(),
            }),
            _ => Err(failed(&self.process, "it did not say what it keeps")),
        }
    }

    /// The number of the process.
    #[must_use]
    pub const fn pid(&self) -> u32 {
        self.process.id.pid
    }

    /// Ends that; returns a `.heapprofile` as V8 made it.
    ///
    /// # Errors
    /// [`InspectorError::Failed`].
    pub fn stop_allocations(&mut self) -> Result<String, InspectorError> {
        self.profile("HeapProfiler.stopSampling")
    }

    fn profile(&mut self, method: &str) -> Result<String, InspectorError> {
        #[derive(Deserialize)]
        struct Handed<'a> {
            #[serde(borrow)]
            profile: &'a RawValue,
        }
        let reply = self.ask(method, &json!({}), PROFILE_PATIENCE)?;
        let handed: Handed<'_> =
            serde_json::from_str(reply.get()).map_err(|_| failed(&self.process, "it handed over no profile"))?;
        let made = handed.profile.get();
        // As it was made where the process cannot say where its code comes from.
        Ok(restored(made, |places| self.origins_of(places).ok()).unwrap_or_else(|| made.to_owned()))
    }

    /// Where places in the code that runs come from, by the source maps that the process itself has.
    fn origins_of(&mut self, places: &[Place]) -> Result<Vec<Option<Origin>>, InspectorError> {
        let said = self.evaluate(&asked_of(ORIGINS, &format!("originsOf({})", json!(places))))?;
        serde_json::from_str(said.get()).map_err(|_| failed(&self.process, "it did not say where its code comes from"))
    }

    /// The value of an expression.
    fn evaluate(&mut self, expression: &str) -> Result<Box<RawValue>, InspectorError> {
        #[derive(Deserialize)]
        struct Evaluated {
            result: Remote,
            #[serde(rename = "exceptionDetails")]
            exception: Option<Value>,
        }
        #[derive(Deserialize)]
        struct Remote {
            value: Option<Box<RawValue>>,
        }
        let parameters = json!({
            "expression": expression,
            "includeCommandLineAPI": true,
            "returnByValue": true,
            "silent": true,
        });
        let reply = self.ask("Runtime.evaluate", &parameters, PATIENCE)?;
        match serde_json::from_str(reply.get()) {
            Ok(Evaluated {
                result: Remote { value: Some(value) },
                exception: None,
            }) => Ok(value),
            _ => Err(failed(&self.process, "it did not carry out a command")),
        }
    }

    /// The reply to a command.
    fn ask(&mut self, method: &str, parameters: &Value, patience: Duration) -> Result<Box<RawValue>, InspectorError> {
        self.asked(method, parameters, patience)
            .map_err(|found| failed(&self.process, format!("{method}: {found}")))
    }

    fn asked(&mut self, method: &str, parameters: &Value, patience: Duration) -> Result<Box<RawValue>, String> {
        #[derive(Deserialize)]
        struct Reply {
            id: Option<u64>,
            result: Option<Box<RawValue>>,
            error: Option<Refusal>,
        }
        #[derive(Deserialize)]
        struct Refusal {
            message: String,
        }
        self.last_id += 1;
        let command = json!({ "id": self.last_id, "method": method, "params": parameters }).to_string();
        let mut bytes = Vec::new();
        // A server takes frames of clients that are masked; by what, is all the same on loopback.
        MessageLayout::text(&[Part::Literal(command.as_bytes())]).encode(|_| b"", [0; 4], &mut bytes);
        self.stream.write_all(&bytes).map_err(|error| error.to_string())?;
        let deadline = Instant::now() + patience;
        loop {
            let message = self.message(deadline)?;
            // Whatever else it says was not asked for.
            let Ok(Reply { id, result, error }) = serde_json::from_slice(&message) else {
                continue;
            };
            if id == Some(self.last_id) {
                return match (result, error) {
                    (Some(result), None) => Ok(result),
                    (_, Some(refusal)) => Err(plimsoll_plain::line(&refusal.message).into_owned()),
                    (None, None) => Err("an empty reply".to_owned()),
                };
            }
        }
    }

    /// The next message.
    fn message(&mut self, deadline: Instant) -> Result<Vec<u8>, String> {
        let mut piece = vec![0; 64 << 10];
        loop {
            if let Some(message) = self.waiting.pop_front() {
                return Ok(message);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err("no reply in time".to_owned());
            }
            let read = self
                .stream
                .set_read_timeout(Some(left))
                .and_then(|()| self.stream.read(&mut piece));
            let bytes = match read {
                Ok(0) => return Err("it closed the connection".to_owned()),
                Ok(bytes) => bytes,
                Err(error) if goes_on(&error) => continue,
                Err(error) => return Err(error.to_string()),
            };
            let (partial, waiting) = (&mut self.partial, &mut self.waiting);
            let mut closed = false;
            self.frames
                .feed(&piece[..bytes], |incoming| match incoming {
                    Incoming::Piece { bytes, ends } => {
                        partial.extend_from_slice(bytes);
                        if ends {
                            waiting.push_back(std::mem::take(partial));
                        }
                    }
                    Incoming::Ping(_) => {}
                    Incoming::Close { .. } => closed = true,
                })
                .map_err(|_| "it does not speak WebSocket".to_owned())?;
            if closed {
                return Err("it closed the connection".to_owned());
            }
            if self.partial.len() > MOST_BYTES {
                return Err(format!("a message of more than {} MB", MOST_BYTES >> 20));
            }
        }
    }
}

impl Drop for Inspector {
    fn drop(&mut self) {
        if self.opened_here {
            // Once this connection is gone; where it cannot be said any more, the timer is still there.
            let _ = self.evaluate(&closing(Duration::from_millis(100)));
        }
    }
}

/// An expression that has a part of the probe do something. `require` is not there in a module.
fn asked_of(part: &str, call: &str) -> String {
    format!(
        "((module, require) => {{ {part}
          return module.exports.{call};
        }})({{}}, typeof require === 'function' ? require : process.getBuiltinModule)"
    )
}

/// Has the process close its inspector after this time. A second call replaces the first.
fn closing(after: Duration) -> String {
    format!(
        "(() => {{
          const key = Symbol.for('plimsoll.inspector');
          const {{ close }} = (typeof require === 'function' ? require : process.getBuiltinModule)('inspector');
          clearTimeout(globalThis[key]);
          globalThis[key] = setTimeout(() => {{ delete globalThis[key]; close(); }}, {}).unref();
          return true;
        }})()",
        after.as_millis()
    )
}

fn failed(process: &Process, found: impl Into<String>) -> InspectorError {
    InspectorError::Failed {
        process: process.to_string(),
        found: found.into(),
    }
}

/// A read that waits no longer than it may ends with a signal as well, which says nothing of the connection.
fn goes_on(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), WouldBlock | TimedOut | Interrupted)
}

/// Whether SIGUSR1 opens the inspector of a process. It ends one that does not handle it.
fn opens_on_signal(process: &Process) -> bool {
    let pid = process.id.pid;
    let status = kernel::text(format!("/proc/{pid}/status")).unwrap_or_default();
    let handled = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let handled = handled.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    process.runs_node() && handled.is_some_and(|mask| mask & SIGUSR1_BIT != 0)
}

/// Where a process listens to itself alone, in whichever network namespace.
fn loopback(process: &Process) -> Vec<SocketAddr> {
    let all = endpoints(std::slice::from_ref(process)).into_iter();
    let places = all.filter_map(|endpoint| match endpoint {
        Endpoint::Tcp { address, .. } if address.ip().is_loopback() => Some(address),
        Endpoint::Tcp { .. } | Endpoint::Unix(_) => None,
    });
    places.collect()
}

fn open_by_signal(process: &Process, before: &[SocketAddr]) -> Result<SocketAddr, InspectorError> {
    sys::signal(process.id, Signal::USR1);
    let deadline = Instant::now() + OPENING;
    loop {
        let opened = loopback(process).into_iter().find(|address| !before.contains(address));
        match opened {
            Some(address) => return Ok(address),
            None if Instant::now() < deadline => thread::sleep(LOOK),
            None => {
                return Err(InspectorError::NotOpened {
                    process: process.to_string(),
                });
            }
        }
    }
}

/// A WebSocket to the only target of the inspector there.
fn connect(process: &Process, address: SocketAddr) -> Result<TcpStream, String> {
    let targets = request(process, address, "/json/list", "")?;
    let body = targets.1.ok_or("it said nothing of what it inspects")?;
    let targets: Value = serde_json::from_slice(&body).map_err(|_| "it is no inspector of Node.js".to_owned())?;
    let url = targets[0]["webSocketDebuggerUrl"].as_str();
    let path = url.and_then(|url| url.splitn(4, '/').nth(3));
    let path = path.ok_or("another debugger is connected to it, or it is no inspector of Node.js")?;
    let upgrade = format!(
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {KEY}\r\n"
    );
    let (stream, _) = request(process, address, &format!("/{path}"), &upgrade)?;
    Ok(stream)
}

/// A GET, and the body of its response where it has a length. What is asked for ends with the head where there is none.
fn request(
    process: &Process,
    address: SocketAddr,
    path: &str,
    headers: &str,
) -> Result<(TcpStream, Option<Vec<u8>>), String> {
    let words = |error: io::Error| error.to_string();
    let mut stream = namespace::connect(process, address, PATIENCE).map_err(words)?;
    stream.set_read_timeout(Some(PATIENCE)).map_err(words)?;
    stream.set_nodelay(true).map_err(words)?;
    let text = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n{headers}\r\n");
    stream.write_all(text.as_bytes()).map_err(words)?;
    let mut head = Vec::new();
    // By single bytes: behind the head, frames may come.
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        if head.len() >= MOST_HEAD_BYTES {
            return Err("no response of HTTP".to_owned());
        }
        stream.read_exact(&mut byte).map_err(words)?;
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).to_ascii_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    let body = length
        .filter(|length| *length <= MOST_HEAD_BYTES)
        .map(|length: usize| vec![0; length]);
    let body = body.map(|mut body| stream.read_exact(&mut body).map(|()| body));
    let expected = if headers.is_empty() { "200" } else { "101" };
    match head.split_ascii_whitespace().nth(1) == Some(expected) {
        true => Ok((stream, body.transpose().map_err(words)?)),
        false => Err(format!(
            "found {}",
            plimsoll_plain::line(head.lines().next().unwrap_or_default())
        )),
    }
}
