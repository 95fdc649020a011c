//! NATS as the bus of a fleet: plain messages, which may be lost, between a coordinator and its agents.
//!
//! The client is asynchronous, so it has a thread and a runtime to itself; nobody else here knows of either. This crate must not know what
//! messages say, or who they are about.

mod keys;
mod subjects;

pub use keys::{Key, NoKey, Role, permissions};

use async_nats::{Client, ConnectOptions, Event, ServerAddr, ServerError, Subscriber};
use futures_util::StreamExt as _;
use plimsoll_fleet::{Address, Bus, BusError, Delivery, Dial, Listener};
use std::fmt::Write as _;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

/// A broker that does not respond for so long is not there.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// What was said last may take so long to leave.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

/// A broker of NATS.
#[derive(Clone)]
pub struct Nats {
    server: ServerAddr,
    key: Option<Key>,
}

impl std::fmt::Debug for Nats {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Nats({})", self.place())
    }
}

impl Nats {
    /// The broker with this URL: `nats://HOST:PORT` on this machine, `tls://HOST:PORT` anywhere, with a user and a password in front of the
    /// host if it asks for them.
    ///
    /// # Errors
    /// When it is no such URL, or one of a broker on another machine to which everybody on the way could listen.
    pub fn at(url: &str) -> Result<Self, BusError> {
        // Not repeated: it may hold a password.
        let refused = |found: &str, hint: &str| BusError {
            failed: "use the URL of the broker".to_owned(),
            found: found.to_owned(),
            hint: Some(hint.to_owned()),
        };
        let form = "write it as nats://127.0.0.1:4222, or tls://broker.example:4222 for one on another machine";
        if !url.starts_with("nats://") && !url.starts_with("tls://") {
            return Err(refused("found neither nats:// nor tls:// at its beginning", form));
        }
        let server: ServerAddr = url.parse().map_err(|_| refused("found no URL", form))?;
        if server.host().is_empty() {
            return Err(refused("found no host", form));
        }
        if !server.tls_required() && !is_loopback(server.host()) {
            return Err(refused(
                "found nats:// for another machine, and plans with their secrets would pass in clear text",
                "use tls:// with a certificate that this machine trusts",
            ));
        }
        Ok(Self { server, key: None })
    }

    /// The same with the key by which the broker knows who connects.
    #[must_use]
    pub fn with_key(self, key: Key) -> Self {
        let key = Some(key);
        Self { key, ..self }
    }
}

fn is_loopback(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

impl Dial for Nats {
    fn dial(&self, listener: &Listener) -> Result<Box<dyn Bus>, BusError> {
        let subjects = subjects::heard(listener);
        let (to_broker, sends) = unbounded_channel();
        let (comes, from_broker) = mpsc::channel();
        let (connects, connected) = mpsc::channel();
        let (stays, leaves) = oneshot::channel();
        let (nats, place) = (self.clone(), self.place());
        let failed = |found: String| {
            BusError {
            failed: format!("reach the broker at {}", self.place()),
            found,
            hint: Some("start one with `nats-server -a 127.0.0.1`, or check the URL, the key (--fleet-key) and the certificates".to_owned()),
        }
        };
        let thread = thread::Builder::new()
            .name("bus".to_owned())
            .spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                match runtime {
                    Ok(runtime) => runtime.block_on(carry(&nats, &subjects, &connects, (sends, leaves), comes)),
                    Err(error) => {
                        let _ = connects.send(Err(error.to_string()));
                    }
                }
            })
            .map_err(|error| failed(error.to_string()))?;
        match connected.recv() {
            Ok(Ok(most_bytes)) => Ok(Box::new(NatsBus {
                to_broker: Some(to_broker),
                stays: Some(stays),
                from_broker,
                thread: Some(thread),
                most_bytes,
                place,
            })),
            Ok(Err(found)) => Err(failed(found)),
            Err(_) => Err(failed("its thread ended, which is a bug in plimsoll".to_owned())),
        }
    }

    fn place(&self) -> String {
        format!("{}:{}", self.server.host(), self.server.port())
    }
}

/// A message, or why the broker carries none for us.
type Came = Result<Delivery, String>;

/// A connection to a broker. It outlives a broker that is restarted: what is said meanwhile is lost.
struct NatsBus {
    /// `None` once it is being closed.
    to_broker: Option<UnboundedSender<(String, Vec<u8>)>>,
    /// `None` from then on: a broker that is gone is waited for no longer.
    stays: Option<oneshot::Sender<()>>,
    from_broker: Receiver<Came>,
    thread: Option<JoinHandle<()>>,
    most_bytes: usize,
    place: String,
}

impl NatsBus {
    fn gone(&self) -> BusError {
        BusError {
            failed: format!("hear from the broker at {}", self.place),
            found: "it closed the connection".to_owned(),
            hint: Some("look at its output".to_owned()),
        }
    }
}

impl Bus for NatsBus {
    fn send(&mut self, to: &Address, message: Vec<u8>) -> Result<(), BusError> {
        if message.len() > self.most_bytes {
            return Err(BusError {
                failed: format!("send a message over the broker at {}", self.place),
                found: format!("found {} bytes, expected at most {}", message.len(), self.most_bytes),
                hint: Some("raise `max_payload` in the configuration of the broker".to_owned()),
            });
        }
        let sent = self
            .to_broker
            .as_ref()
            .map(|sender| sender.send((subjects::of(to), message)));
        match sent {
            Some(Ok(())) => Ok(()),
            _ => Err(self.gone()),
        }
    }

    fn receive(&mut self, within: Duration) -> Result<Option<Delivery>, BusError> {
        match self.from_broker.recv_timeout(within) {
            Ok(Ok(delivery)) => Ok(Some(delivery)),
            Ok(Err(found)) => Err(BusError {
                failed: format!("speak on the broker at {}", self.place),
                found,
                hint: Some(
                    "use the key that the broker knows for this: an agent has its own and is called by its name, as a target agent has, and a run has that of runs".to_owned(),
                ),
            }),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.gone()),
        }
    }
}

impl Drop for NatsBus {
    fn drop(&mut self) {
        (self.to_broker, self.stays) = (None, None);
        if let Some(thread) = self.thread.take() {
            // It panics with nothing left to lose.
            let _ = thread.join();
        }
    }
}

/// Carries messages both ways, until nobody sends any more.
async fn carry(
    nats: &Nats,
    subjects: &[String],
    connects: &Sender<Result<usize, String>>,
    (sends, leaves): (UnboundedReceiver<(String, Vec<u8>)>, oneshot::Receiver<()>),
    comes: Sender<Came>,
) {
    match open(nats, subjects, comes.clone()).await {
        Ok((client, subscribers)) => {
            let _ = connects.send(Ok(client.server_info().max_payload));
            pump(&client, subscribers, (sends, leaves), &comes).await;
            // What was said last is to leave before the connection closes.
            let _ = tokio::time::timeout(FLUSH_TIMEOUT, client.flush()).await;
        }
        Err(why) => {
            let _ = connects.send(Err(why));
        }
    }
}

async fn open(nats: &Nats, subjects: &[String], comes: Sender<Came>) -> Result<(Client, Vec<Subscriber>), String> {
    let server = &nats.server;
    let mut options = ConnectOptions::new()
        .name("plimsoll")
        .connection_timeout(CONNECT_TIMEOUT)
        .require_tls(server.tls_required())
        .event_callback(move |event| {
            // It says so some time after it was asked, and goes on without.
            if let Event::ServerError(ServerError::Other(why)) = event
                && why.to_lowercase().contains("permissions violation")
            {
                // Nobody hears of it who is gone.
                let _ = comes.send(Err(why));
            }
            std::future::ready(())
        });
    if let Some(key) = &nats.key {
        options = options.nkey(key.seed().to_owned());
    }
    if let (Some(user), Some(password)) = (server.username(), server.password()) {
        options = options.user_and_password(user.to_owned(), password.to_owned());
    }
    let client = options.connect(server.clone()).await;
    let client = client.map_err(|error| chain(&error))?;
    let mut subscribers = Vec::new();
    for subject in subjects {
        let subscriber = client.subscribe(subject.clone()).await;
        subscribers.push(subscriber.map_err(|error| chain(&error))?);
    }
    // Only then the broker knows where we listen.
    client.flush().await.map_err(|error| chain(&error))?;
    Ok((client, subscribers))
}

async fn pump(
    client: &Client,
    subscribers: Vec<Subscriber>,
    (mut sends, leaves): (UnboundedReceiver<(String, Vec<u8>)>, oneshot::Receiver<()>),
    comes: &Sender<Came>,
) {
    let mut gives_up = pin!(async {
        let _ = leaves.await;
        tokio::time::sleep(FLUSH_TIMEOUT).await;
    });
    let mut incoming = futures_util::stream::select_all(subscribers);
    loop {
        tokio::select! {
            outgoing = sends.recv() => match outgoing {
                // What cannot be sent is lost, as anything may be; a broker that comes back is used again.
                Some((subject, message)) => tokio::select! {
                    biased;
                    _ = client.publish(subject, message.into()) => {}
                    // The client waits until it can keep more for a broker that is gone, and nobody waits for that who leaves.
                    () = &mut gives_up => return,
                },
                None => return,
            },
            message = incoming.next() => {
                let Some(message) = message else { return };
                let message = (subjects::address(&message.subject), message.payload.to_vec());
                let (Some(to), message) = message else { continue };
                if comes.send(Ok(Delivery { to, message })).is_err() {
                    return;
                }
            },
        }
    }
}

/// An error with its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        // Some repeat what they are caused by.
        if !text.contains(&inner.to_string()) {
            let _ = write!(text, ": {inner}");
        }
        cause = inner.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broker_on_another_machine_needs_tls() {
        for (url, found) in [
            ("nats://127.0.0.1:4222", None),
            ("nats://[::1]:4222", None),
            ("nats://localhost", None),
            ("tls://broker.example:4222", None),
            ("nats://10.0.0.1:4222", Some("another machine")),
            ("nats://broker:4222", Some("another machine")),
            ("127.0.0.1:4222", Some("neither nats:// nor tls://")),
            ("ws://127.0.0.1", Some("neither nats:// nor tls://")),
            ("nats://", Some("found no")),
        ] {
            match (Nats::at(url), found) {
                (Ok(_), None) => {}
                (Err(error), Some(found)) => assert!(error.to_string().contains(found), "{url}: {error}"),
                (other, _) => panic!("{url}: {other:?}"),
            }
        }
    }

    #[test]
    fn password_of_a_broker_is_not_shown() {
        let nats = Nats::at("nats://user:hunter2@127.0.0.1:4222").expect("a URL");
        assert_eq!(nats.place(), "127.0.0.1:4222");
        assert!(!format!("{nats:?}").contains("hunter2"));
        let error = Nats::at("nats://user:hunter2@elsewhere:4222").expect_err("another machine");
        assert!(!error.to_string().contains("hunter2"));
    }
}
