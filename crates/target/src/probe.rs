//! The probe inside of the service, and the socket on which it reports. The contract is `docs/probe.md`.

use plimsoll_measure::probe::ProbeMessage;
use plimsoll_plan::Command;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// What Node.js loads into the service.
const PROBE: &str = include_str!("../../../probe/probe.cjs");
const PROBE_FILE: &str = "probe.cjs";
const SOCKET_FILE: &str = "socket";

/// Threads of the service that are listened to; those beyond are turned away.
const CONNECTIONS_MAX: usize = 256;
/// Messages that wait to be taken. Beyond, the probe waits.
const WAITING_MAX: usize = 4096;
/// The longest line, which is a profile. A connection with a longer one is closed.
const LINE_BYTES_MAX: u64 = 256 << 20;

/// What the probe does in this pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeMode {
    /// It counts.
    Counters,
    /// It profiles.
    Profile,
}

/// Something came from the probe.
#[derive(Debug)]
pub enum ProbeEvent {
    /// A thread said something.
    Message {
        /// Which thread, numbered from 0 as they connected.
        connection: u32,
        /// What it said.
        message: ProbeMessage,
    },
    /// A CPU profile was taken.
    Profile {
        /// Of which thread.
        connection: u32,
        /// A `.cpuprofile` as V8 made it.
        json: String,
    },
    /// Where memory was asked for was sampled.
    Allocations {
        /// By which thread.
        connection: u32,
        /// A `.heapprofile` as V8 made it.
        json: String,
    },
    /// A thread is gone.
    Closed {
        /// Which.
        connection: u32,
    },
}

/// A socket that waits for probes, and the file that brings them into a service. Both go when it is dropped.
#[derive(Debug)]
pub struct Probe {
    folder: TempDir,
    mode: ProbeMode,
    peers: Arc<Mutex<Vec<Option<UnixStream>>>>,
    events: Receiver<ProbeEvent>,
    damaged: Arc<AtomicU64>,
    over: Arc<AtomicBool>,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    profile: Option<&'a RawValue>,
}

impl Probe {
    /// Listens in a folder of its own that only this user can enter.
    ///
    /// # Errors
    /// When the folder, the file or the socket in it cannot be made.
    pub fn listen(mode: ProbeMode) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("plimsoll-").tempdir()?;
        std::fs::write(folder.path().join(PROBE_FILE), PROBE)?;
        let listener = UnixListener::bind(folder.path().join(SOCKET_FILE))?;
        let (sender, events) = sync_channel(WAITING_MAX);
        let peers = Arc::new(Mutex::new(Vec::new()));
        let damaged = Arc::new(AtomicU64::new(0));
        let over = Arc::new(AtomicBool::new(false));
        let acceptor = Acceptor {
            peers: Arc::clone(&peers),
            damaged: Arc::clone(&damaged),
            over: Arc::clone(&over),
            sender,
        };
        thread::Builder::new()
            .name("probe-accept".to_owned())
            .spawn(move || acceptor.run(&listener))?;
        Ok(Self {
            folder,
            mode,
            peers,
            events,
            damaged,
            over,
        })
    }

    /// The command, with the probe in its environment.
    #[must_use]
    pub fn put_into(&self, command: &Command) -> Command {
        const NODE_OPTIONS: &str = "NODE_OPTIONS";
        let mut command = command.clone();
        let planned = command.env.iter().position(|(name, _)| name == NODE_OPTIONS);
        let before = match planned {
            Some(at) => command.env.remove(at).1,
            None => std::env::var(NODE_OPTIONS).unwrap_or_default(),
        };
        let require = format!("--require {:?}", self.path(PROBE_FILE));
        let options = [before.trim(), &require].join(" ").trim().to_owned();
        let probe = serde_json::json!({
            "socket": self.path(SOCKET_FILE),
            "mode": match self.mode {
                ProbeMode::Counters => "counters",
                ProbeMode::Profile => "profile",
            },
        });
        command.env.push((NODE_OPTIONS.to_owned(), options));
        command.env.push(("PLIMSOLL_PROBE".to_owned(), probe.to_string()));
        command
    }

    /// What it does.
    #[must_use]
    pub const fn mode(&self) -> ProbeMode {
        self.mode
    }

    /// Asks all threads for their counters at once.
    pub fn report(&self) {
        self.send("{\"type\":\"report\"}");
    }

    /// Has a thread begin a CPU profile, with a sample this often.
    pub fn start_profile(&self, connection: u32, interval: Duration) {
        let interval_us = interval.as_micros();
        let command = format!("{{\"type\":\"start_profile\",\"id\":1,\"interval_us\":{interval_us}}}");
        if let Some(peer) = lock(&self.peers).get_mut(connection as usize) {
            send(peer, &command);
        }
    }

    /// Has all threads hand over their CPU profiles.
    pub fn stop_profile(&self) {
        self.send("{\"type\":\"stop_profile\",\"id\":1}");
    }

    /// Has all threads begin to sample where memory is asked for, every so many bytes.
    pub fn start_allocations(&self, interval_bytes: u64) {
        self.send(&format!(
            "{{\"type\":\"start_allocations\",\"id\":2,\"interval_bytes\":{interval_bytes}}}"
        ));
    }

    /// Has all threads hand over what they sampled of memory.
    pub fn stop_allocations(&self) {
        self.send("{\"type\":\"stop_allocations\",\"id\":2}");
    }

    /// The next event, if one comes within `timeout`.
    pub fn next(&self, timeout: Duration) -> Option<ProbeEvent> {
        self.events.recv_timeout(timeout).ok()
    }

    /// Lines that could not be read so far.
    #[must_use]
    pub fn damaged_lines(&self) -> u64 {
        self.damaged.load(Ordering::Relaxed)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn send(&self, command: &str) {
        for peer in lock(&self.peers).iter_mut() {
            send(peer, command);
        }
    }
}

fn send(peer: &mut Option<UnixStream>, command: &str) {
    let line = format!("{command}\n");
    // One that is gone says so by itself, as the end of what it said.
    if peer
        .as_ref()
        .is_some_and(|mut stream| stream.write_all(line.as_bytes()).is_err())
    {
        *peer = None;
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        // Wakes the acceptor; it finds that it is over, and takes the listener with it.
        let _ = UnixStream::connect(self.path(SOCKET_FILE));
        for peer in lock(&self.peers).iter().flatten() {
            let _ = peer.shutdown(Shutdown::Both);
        }
    }
}

/// A thread that panicked left a list of streams, which is whole.
fn lock(peers: &Mutex<Vec<Option<UnixStream>>>) -> MutexGuard<'_, Vec<Option<UnixStream>>> {
    peers.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Acceptor {
    peers: Arc<Mutex<Vec<Option<UnixStream>>>>,
    damaged: Arc<AtomicU64>,
    over: Arc<AtomicBool>,
    sender: SyncSender<ProbeEvent>,
}

impl Acceptor {
    fn run(self, listener: &UnixListener) {
        for stream in listener.incoming() {
            if self.over.load(Ordering::Relaxed) {
                return;
            }
            // A connection that failed before it was one, or that has no descriptor left.
            let Ok((stream, commands)) = stream.and_then(|stream| Ok((stream.try_clone()?, stream))) else {
                continue;
            };
            // Commands are short: what does not take one at once is stuck, and must not hold up the run.
            let _ = commands.set_write_timeout(Some(Duration::from_secs(1)));
            let connection = {
                let mut peers = lock(&self.peers);
                if peers.len() >= CONNECTIONS_MAX {
                    continue;
                }
                peers.push(Some(commands));
                peers.len() - 1
            };
            let sender = self.sender.clone();
            let damaged = Arc::clone(&self.damaged);
            let reader = thread::Builder::new().name("probe-read".to_owned());
            // Without a thread for it the connection is closed, and the probe switches itself off.
            let _ = reader.spawn(move || listen_to(stream, connection as u32, &sender, &damaged));
        }
    }
}

/// Reads lines until the end of the connection.
fn listen_to(stream: UnixStream, connection: u32, sender: &SyncSender<ProbeEvent>, damaged: &AtomicU64) {
    let mut reader = BufReader::with_capacity(64 << 10, stream);
    let mut line = Vec::new();
    loop {
        line.clear();
        match (&mut reader).take(LINE_BYTES_MAX).read_until(b'\n', &mut line) {
            Ok(bytes) if bytes > 0 && line.ends_with(b"\n") => {}
            // The end; half a line says nothing.
            _ => break,
        }
        match parse(&line, connection) {
            Ok(event) => {
                if sender.send(event).is_err() {
                    return;
                }
            }
            Err(_) => {
                damaged.fetch_add(1, Ordering::Relaxed);
            }
        }
        // A profile is rare and large.
        line.shrink_to(1 << 20);
    }
    // Nobody is left who wants to know.
    let _ = sender.send(ProbeEvent::Closed { connection });
}

fn parse(line: &[u8], connection: u32) -> serde_json::Result<ProbeEvent> {
    let envelope: Envelope<'_> = serde_json::from_slice(line)?;
    let json = envelope.profile.map(|profile| profile.get().to_owned());
    match (envelope.kind.as_ref(), json) {
        ("profile", Some(json)) => return Ok(ProbeEvent::Profile { connection, json }),
        ("allocations", Some(json)) => return Ok(ProbeEvent::Allocations { connection, json }),
        _ => {}
    }
    let message = serde_json::from_slice(line)?;
    Ok(ProbeEvent::Message { connection, message })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(10);

    fn connect(probe: &Probe) -> UnixStream {
        UnixStream::connect(probe.path(SOCKET_FILE)).expect("it listens")
    }

    #[test]
    fn several_threads_report_and_damaged_lines_are_counted() {
        let probe = Probe::listen(ProbeMode::Counters).expect("listens");
        for (connection, line) in [
            (0, "{\"type\":\"hello\",\"pid\":7}\n"),
            (1, "{\"type\":\"bye\",\"code\":0}\n"),
        ] {
            let mut stream = connect(&probe);
            stream
                .write_all(format!("no JSON\n{line}{{\"type\":\"half").as_bytes())
                .expect("written");
            let Some(ProbeEvent::Message { connection: from, .. }) = probe.next(PATIENCE) else {
                panic!("a message from {connection}");
            };
            assert_eq!(from, connection);
            drop(stream);
            assert!(matches!(
                probe.next(PATIENCE),
                Some(ProbeEvent::Closed { connection: from }) if from == connection
            ));
        }
        assert_eq!(probe.damaged_lines(), 2);
    }

    #[test]
    fn commands_reach_the_probe_and_profiles_come_back_as_they_were() {
        let probe = Probe::listen(ProbeMode::Profile).expect("listens");
        let mut stream = connect(&probe);
        stream.write_all(b"{\"type\":\"hello\"}\n").expect("written");
        assert!(matches!(probe.next(PATIENCE), Some(ProbeEvent::Message { .. })));
        probe.start_profile(0, Duration::from_millis(1));
        let mut command = String::new();
        BufReader::new(&stream).read_line(&mut command).expect("a command");
        assert_eq!(command, "{\"type\":\"start_profile\",\"id\":1,\"interval_us\":1000}\n");
        stream
            .write_all(b"{\"type\":\"profile\",\"id\":1,\"profile\":{ \"nodes\" : [] }}\n")
            .expect("written");
        match probe.next(PATIENCE) {
            Some(ProbeEvent::Profile { json, .. }) => assert_eq!(json, "{ \"nodes\" : [] }"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn options_of_the_plan_are_kept() {
        let probe = Probe::listen(ProbeMode::Counters).expect("listens");
        let mut command = Command::new(vec!["node".to_owned()]);
        command
            .env
            .push(("NODE_OPTIONS".to_owned(), "--no-warnings".to_owned()));
        let env = probe.put_into(&command).env;
        let [(name, options), (_, settings)] = env.as_slice() else {
            panic!("{env:?}");
        };
        assert_eq!(name, "NODE_OPTIONS");
        assert!(options.starts_with("--no-warnings --require \"/"), "{options}");
        assert!(settings.contains("\"mode\":\"counters\""), "{settings}");
    }
}
