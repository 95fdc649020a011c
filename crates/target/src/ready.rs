//! Whether the service is ready: its own port is open, and a path of it responds with 2xx where the plan names one.

use crate::health::{self, Found, Stream};
use crate::ownership::{Claim, Foreign, Ownership};
use crate::process::Process;
use crate::secured::Secured;
use crate::spoken::Spoken;
use crate::unix_socket;
use plimsoll_plan::{Address, Destination, Server};
use std::io;
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::{Duration, Instant};

/// A connection to a service on the same machine is made or refused at once.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(500);
/// How long the first look waits for a response; each that follows waits twice as long, for services that never respond
/// to what they accepted too early, and for those that take their time.
const FIRST_PATIENCE: Duration = Duration::from_secs(5);
/// A look that was cut off sooner than this says less than the one before it.
const TELLING: Duration = Duration::from_secs(1);

/// The addresses of the service, at least one.
pub(crate) fn resolve(destination: Destination<'_>) -> Result<Vec<Address>, Unresolved> {
    let (host, port) = match &destination.url.server {
        Server::Tcp { host, port } => (host, *port),
        Server::Unix(path) => return Ok(vec![Address::Unix(path.clone())]),
    };
    let unresolved = |name: &str, source| Unresolved {
        host: name.to_owned(),
        source,
    };
    let mut addresses = Vec::new();
    for name in destination.names(host) {
        let found = (name, port).to_socket_addrs();
        addresses.extend(found.map_err(|source| unresolved(name, source))?.map(Address::Tcp));
    }
    if addresses.is_empty() {
        return Err(unresolved(host, io::ErrorKind::NotFound.into()));
    }
    Ok(addresses)
}

/// A host without an address.
#[derive(Debug)]
pub(crate) struct Unresolved {
    pub(crate) host: String,
    pub(crate) source: io::Error,
}

/// The first of the `addresses` at which somebody listens.
pub(crate) fn open_one(addresses: &[Address]) -> Option<&Address> {
    // A queue that is full is somebody's.
    let is_open = |address: &&Address| match connect(address) {
        Ok(_) => true,
        Err(error) => address.is_unix() && error.kind() == io::ErrorKind::WouldBlock,
    };
    addresses.iter().find(is_open)
}

fn connect(address: &Address) -> io::Result<Box<dyn Stream>> {
    Ok(match address {
        Address::Tcp(address) => Box::new(TcpStream::connect_timeout(address, CONNECT_TIMEOUT)?),
        Address::Unix(path) => Box::new(unix_socket::connect(path)?),
    })
}

/// What one look at all addresses came to.
pub(crate) enum Look {
    /// The service is ready at this one.
    Ready(Claim),
    /// Somebody else gets the connections.
    Foreign(Foreign),
    /// Nothing is ready.
    NotYet,
}

/// Looks at the addresses of a service until it is ready.
pub(crate) struct Looker<'a> {
    spoken: Spoken<'a>,
    path: Option<&'a str>,
    claims: Vec<Claim>,
    deadline: Instant,
    patience: Duration,
    found: Found,
}

impl<'a> Looker<'a> {
    /// For one that is ready when it listens, or when it responds to a request of `path`.
    pub(crate) fn new(spoken: Spoken<'a>, addresses: &[Address], path: Option<&'a str>, deadline: Instant) -> Self {
        Self {
            spoken,
            path,
            claims: addresses.iter().cloned().map(Claim::new).collect(),
            deadline,
            patience: FIRST_PATIENCE,
            found: Found::Refused,
        }
    }

    /// What was found last.
    pub(crate) fn into_found(self) -> Found {
        self.found
    }

    /// Looks once. `members` gives the living processes of the service.
    pub(crate) fn look(&mut self, mut members: impl FnMut() -> Vec<Process>, go_on: impl Fn() -> bool) -> Look {
        let mut foreign = None;
        let mut said = Found::Refused;
        let mut claims = std::mem::take(&mut self.claims);
        for claim in &mut claims {
            match self.look_at(claim, &mut members, &go_on) {
                Ok(()) => return Look::Ready(claim.clone()),
                Err(Not::Its(found)) => foreign = foreign.or(Some(found)),
                Err(Not::Yet(Found::Refused)) => {}
                Err(Not::Yet(found)) => said = found,
            }
        }
        self.claims = claims;
        self.keep(said);
        foreign.map_or(Look::NotYet, Look::Foreign)
    }

    fn look_at(
        &self,
        claim: &mut Claim,
        members: impl FnMut() -> Vec<Process>,
        go_on: impl Fn() -> bool,
    ) -> Result<(), Not> {
        let connecting = |error| Not::Yet(Found::connecting(claim.address(), &error));
        let mut stream = connect(claim.address()).map_err(connecting)?;
        // Whose port it is comes first: the response of a stranger says nothing.
        match claim.look(members) {
            Ownership::Foreign(foreign) => return Err(Not::Its(foreign)),
            Ownership::Nobody if connect(claim.address()).is_ok() => claim.accept_unlisted(),
            Ownership::Nobody => return Err(Not::Yet(Found::Gone)),
            Ownership::Own | Ownership::Unseen(_) => {}
        }
        let Some(path) = self.path else { return Ok(()) };
        let deadline = self.deadline.min(Instant::now() + self.patience);
        let get = |stream: &mut dyn Stream, go_on| health::get(stream, self.spoken, path, deadline, go_on);
        let asked = match self.spoken.tls {
            None => get(&mut *stream, &go_on),
            Some(connector) => Secured::establish(&mut *stream, connector, deadline, &go_on)
                .and_then(|mut secured| get(&mut secured, &go_on)),
        };
        asked.map_err(Not::Yet)
    }

    fn keep(&mut self, found: Found) {
        if let Found::Waiting(_, waited) | Found::Shaking(waited) = found {
            self.patience *= 2;
            if waited < TELLING && self.found != Found::Refused {
                return;
            }
        }
        self.found = found;
    }
}

/// Why an address is not ready.
enum Not {
    Its(Foreign),
    Yet(Found),
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use plimsoll_plan::Url;
    use std::io::{Read as _, Write as _};
    use std::net::{SocketAddr, TcpListener};

    const LONG: Duration = Duration::from_secs(600);

    /// This process is the service.
    fn ourselves() -> Vec<Process> {
        Process::read(std::process::id()).into_iter().collect()
    }

    fn url(host: &str, listener: &TcpListener) -> Url {
        Url::at(host, listener.local_addr().expect("bound").port())
    }

    /// Each connection gets the next response, and one more than there are stays open without a word.
    fn serve(listener: TcpListener, responses: Vec<&'static [u8]>) {
        std::thread::spawn(move || {
            let mut responses = responses.into_iter();
            let mut silent = Vec::new();
            // A look may connect without asking for anything, to see whether the port is open.
            while let Ok((mut stream, _)) = listener.accept() {
                let mut request = [0; 1024];
                match responses.next() {
                    Some(response) => {
                        while !request.ends_with(b"\r\n\r\n") {
                            let length = stream.read(&mut request).expect("a request");
                            request.rotate_left(length);
                        }
                        stream.write_all(response).expect("sent");
                    }
                    None => silent.push(stream),
                }
            }
        });
    }

    fn looker<'a>(url: &'a Url, path: Option<&'a str>, patience: Duration) -> Looker<'a> {
        let addresses = resolve(url.into()).expect("addresses");
        Looker::new(Spoken::plainly(url), &addresses, path, Instant::now() + patience)
    }

    #[test]
    fn it_is_ready_after_what_was_not() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = url("127.0.0.1", &listener);
        let responses: Vec<&[u8]> = vec![
            b"HTTP/1.1 302 Found\r\nlocation: /login\r\n\r\n",
            b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 401 Unauthorized\r\n\r\n",
            b"\x15\x03\x03\x00\x02\x02\x46",
            b"",
            b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
        ];
        serve(listener, responses);
        let mut looker = looker(&url, Some("/health"), LONG);
        for expected in [
            Found::Status(302, Some("/login".to_owned())),
            Found::Status(401, None),
            Found::Tls,
            Found::Closed,
        ] {
            assert!(matches!(looker.look(ourselves, || true), Look::NotYet));
            assert_eq!(looker.found, expected);
            assert!(looker.found.hint().is_some(), "{expected:?}");
        }
        assert!(matches!(looker.look(ourselves, || true), Look::Ready(_)));
    }

    #[test]
    fn a_look_that_is_cut_off_does_not_hide_the_one_before() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = url("127.0.0.1", &listener);
        serve(listener, vec![b"HTTP/1.1 401 Unauthorized\r\n\r\n"]);
        let mut looker = looker(&url, Some("/"), LONG);
        looker.look(ourselves, || true);
        looker.look(ourselves, || false);
        assert_eq!(looker.into_found(), Found::Status(401, None));
    }

    #[test]
    fn each_address_of_the_host_is_asked() {
        for address in ["127.0.0.1:0", "[::1]:0"] {
            let listener = TcpListener::bind(address).expect("a free port");
            let url = url("localhost", &listener);
            let port = url.port().expect("a TCP port");
            let both =
                ["127.0.0.1", "::1"].map(|ip| Address::Tcp(SocketAddr::new(ip.parse().expect("an address"), port)));
            let mut looker = Looker::new(Spoken::plainly(&url), &both, None, Instant::now() + LONG);
            let Look::Ready(claim) = looker.look(ourselves, || true) else {
                panic!("{:?}", looker.found)
            };
            assert_eq!(*claim.address(), Address::Tcp(listener.local_addr().expect("bound")));
        }
    }

    #[test]
    fn a_closed_port_is_refused_and_a_strangers_is_named() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = url("127.0.0.1", &listener);
        let mut nobody = looker(&url, None, LONG);
        let Look::Foreign(foreign) = nobody.look(Vec::new, || true) else {
            panic!("we are not of the service")
        };
        assert_eq!(foreign.owner.map(|owner| owner.pid), Some(std::process::id()));
        drop(listener);
        assert!(matches!(nobody.look(ourselves, || true), Look::NotYet));
        assert_eq!(nobody.into_found(), Found::Refused);
    }
}
