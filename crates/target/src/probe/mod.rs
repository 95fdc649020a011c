//! The probe inside of the service, and the socket on which it reports. The contract is `docs/reference/probe.md`.

mod budget;
pub(crate) mod home;
mod lines;
mod reader;
mod removal;

pub use budget::ProbeLosses;
pub use reader::reads_probe_line;
pub use removal::Removal;

use home::Home;
use plimsoll_measure::probe::ProbeMessage;
use plimsoll_plan::{Command, Secret};
use reader::{Reader, Shared, lock};
use std::io::{self, Write as _};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::Duration;

/// Options by which Node.js denies what is not allowed, files among it.
const PERMISSION_MODEL: &[&str] = &["--permission", "--experimental-permission"];

/// Messages that wait to be taken. Beyond, the probe waits.
const WAITING_MAX: usize = 4096;

/// What the probe does in this pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProbeMode {
    /// It counts.
    Counters,
    /// It profiles.
    Profile,
    /// It leaves these out of the service, and does nothing else.
    Without(Vec<Removal>),
    /// It lists the routes of the service, and does nothing else.
    Routes,
    /// It tells the delays of the event loop, and does nothing else.
    Loop,
    /// It says what the service keeps when it is asked, and samples what stays of what it asks for.
    Memory,
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
    /// A thread is still at what it was asked for.
    Working {
        /// Which.
        connection: u32,
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
    home: Home,
    mode: ProbeMode,
    tells_loop_delays: bool,
    shared: Arc<Shared>,
    events: Receiver<(ProbeEvent, usize)>,
}

impl Probe {
    /// Listens in a directory of its own that only this user can enter.
    ///
    /// # Errors
    /// When the directory, the file or the socket in it cannot be made.
    pub fn listen(mode: ProbeMode) -> io::Result<Self> {
        let home = Home::make()?;
        let listener = UnixListener::bind(home.socket())?;
        listener.set_nonblocking(true)?;
        let (sender, events) = sync_channel(WAITING_MAX);
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        let of_reader = mode.clone();
        thread::Builder::new()
            .name("probe-read".to_owned())
            .spawn(move || Reader::new(listener, of_reader, &theirs, sender).run())?;
        Ok(Self {
            home,
            tells_loop_delays: mode == ProbeMode::Loop,
            mode,
            shared,
            events,
        })
    }

    /// In whichever mode, it tells the delays of the event loop as well.
    #[must_use]
    pub fn telling_loop_delays(mut self) -> Self {
        self.tells_loop_delays = true;
        self
    }

    /// The command, with the probe in its environment.
    ///
    /// # Errors
    /// When the probe is not the one that was made any more.
    pub fn put_into(&self, command: &Command) -> io::Result<Command> {
        const NODE_OPTIONS: &str = "NODE_OPTIONS";
        self.home.check()?;
        let mut command = command.clone();
        let planned = command.env.iter().position(|(name, _)| name == NODE_OPTIONS);
        let before = match planned {
            Some(at) => command.env.remove(at).1.reveal().to_owned(),
            None => std::env::var(NODE_OPTIONS).unwrap_or_default(),
        };
        // The path is plain, so nobody has to unquote it.
        let mut require = format!("--require {}", self.home.script().display());
        let words = command.argv.iter().map(Secret::reveal).chain(before.split_whitespace());
        if words.into_iter().any(|word| PERMISSION_MODEL.contains(&word)) {
            // Node.js 20 would end with an error instead of starting the service; it says so of our script alone.
            require = format!("{require} --allow-fs-read={}", self.home.script().display());
        }
        let options = [before.trim(), &require].join(" ").trim().to_owned();
        let (mode, without): (_, &[Removal]) = match &self.mode {
            ProbeMode::Counters => ("counters", &[]),
            ProbeMode::Profile => ("profile", &[]),
            ProbeMode::Without(removals) => ("without", removals),
            ProbeMode::Routes => ("routes", &[]),
            ProbeMode::Memory => ("memory", &[]),
            ProbeMode::Loop => ("loop", &[]),
        };
        let without: Vec<String> = without.iter().map(ToString::to_string).collect();
        let probe = serde_json::json!({
            "socket": self.home.socket(),
            "mode": mode,
            "without": without,
            "loop_delays": self.tells_loop_delays,
        });
        command.set_env(NODE_OPTIONS, options);
        command.set_env("PLIMSOLL_PROBE", probe.to_string());
        Ok(command)
    }

    /// What it does.
    #[must_use]
    pub const fn mode(&self) -> &ProbeMode {
        &self.mode
    }

    /// Asks all threads for their counters at once.
    pub fn report(&self) {
        self.send("{\"type\":\"report\"}");
    }

    /// Has all threads collect all of their memory, and then say what they counted, or what they keep.
    pub fn collect(&self, id: u64) {
        self.send(&format!("{{\"type\":\"collect\",\"id\":{id}}}"));
    }

    /// Has a thread list the routes that it has by now.
    pub fn list_routes(&self, connection: u32) {
        if let Some(peer) = lock(&self.shared.peers).get_mut(connection as usize) {
            send(peer, "{\"type\":\"list_routes\"}");
        }
    }

    /// The window has ended: what threads say from now on are their last figures, for which each has a part of its own.
    pub fn ends(&self) {
        self.shared.at_end.store(true, Ordering::Relaxed);
    }

    /// Has a thread begin a CPU profile, with a sample this often.
    pub fn start_profile(&self, connection: u32, interval: Duration) {
        let interval_us = interval.as_micros();
        let command = format!("{{\"type\":\"start_profile\",\"id\":1,\"interval_us\":{interval_us}}}");
        if let Some(peer) = lock(&self.shared.peers).get_mut(connection as usize) {
            send(peer, &command);
        }
    }

    /// Has all threads hand over their CPU profiles.
    pub fn stop_profile(&self) {
        self.shared.profiles_asked.store(true, Ordering::Relaxed);
        self.send("{\"type\":\"stop_profile\",\"id\":1}");
    }

    /// Has all threads begin to sample where memory is asked for, every so many bytes.
    pub fn start_allocations(&self, interval_bytes: u64) {
        self.send(&format!(
            "{{\"type\":\"start_allocations\",\"id\":2,\"interval_bytes\":{interval_bytes}}}"
        ));
    }

    /// The same of what stays alive alone.
    pub fn start_alive(&self, interval_bytes: u64) {
        self.send(&format!(
            "{{\"type\":\"start_allocations\",\"id\":2,\"interval_bytes\":{interval_bytes},\"alive\":true}}"
        ));
    }

    /// Has all threads hand over what they have sampled of memory so far.
    pub fn read_allocations(&self) {
        self.shared.allocations_asked.fetch_add(1, Ordering::Relaxed);
        self.send("{\"type\":\"read_allocations\",\"id\":2}");
    }

    /// Has all threads hand over what they sampled of memory.
    pub fn stop_allocations(&self) {
        self.shared.allocations_asked.fetch_add(1, Ordering::Relaxed);
        self.send("{\"type\":\"stop_allocations\",\"id\":2}");
    }

    /// The next event, if one comes within `timeout`.
    pub fn next(&self, timeout: Duration) -> Option<ProbeEvent> {
        let (event, bytes) = self.events.recv_timeout(timeout).ok()?;
        self.shared.waiting_bytes.fetch_sub(bytes, Ordering::Relaxed);
        Some(event)
    }

    /// What was not taken in so far.
    #[must_use]
    pub fn losses(&self) -> ProbeLosses {
        *lock(&self.shared.losses)
    }

    fn send(&self, command: &str) {
        for peer in lock(&self.shared.peers).iter_mut() {
            send(peer, command);
        }
    }
}

/// Commands are short: a connection that does not take one at once is stuck, and must not hold up the run.
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
        self.shared.over.store(true, Ordering::Relaxed);
        for peer in lock(&self.shared.peers).iter().flatten() {
            let _ = peer.shutdown(Shutdown::Both);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead as _, BufReader};

    const PATIENCE: Duration = Duration::from_secs(10);

    fn connect(probe: &Probe) -> UnixStream {
        UnixStream::connect(probe.home.socket()).expect("it listens")
    }

    #[test]
    fn several_threads_report_and_damaged_lines_are_counted() {
        let probe = Probe::listen(ProbeMode::Counters).expect("listens");
        for (connection, line) in [(0, "{\"type\":\"hello\",\"pid\":7}\n"), (1, "{\"type\":\"hello\"}\n")] {
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
        assert_eq!(probe.losses().damaged_lines, 2);
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
        let profile = b"{\"type\":\"profile\",\"id\":1,\"profile\":{ \"nodes\" : [] }}\n";
        stream.write_all(profile).expect("written");
        stream.write_all(b"{\"type\":\"started\"}\n").expect("written");
        assert!(matches!(probe.next(PATIENCE), Some(ProbeEvent::Message { .. })));
        assert_eq!(probe.losses().profiles, 1, "nobody asked for it");
        probe.stop_profile();
        stream.write_all(profile).expect("written");
        match probe.next(PATIENCE) {
            Some(ProbeEvent::Profile { json, .. }) => assert_eq!(json, "{ \"nodes\" : [] }"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn options_of_the_plan_are_kept() {
        let probe = Probe::listen(ProbeMode::Counters).expect("listens");
        let mut command = Command::new(vec!["node".to_owned()]);
        command.set_env("NODE_OPTIONS", "--no-warnings");
        let env = probe.put_into(&command).expect("unchanged").env;
        let [(name, options), (_, settings)] = env.as_slice() else {
            panic!("{env:?}");
        };
        assert_eq!(name, "NODE_OPTIONS");
        let (options, settings) = (options.reveal(), settings.reveal());
        assert!(options.starts_with("--no-warnings --require /"), "{options}");
        assert!(settings.contains("\"mode\":\"counters\""), "{settings}");
    }
}
