//! Sockets of TCP over which TLS is spoken.

#[path = "loopback.rs"]
mod loopback;

pub(crate) use loopback::{full, nobody};

use loopback::bound;
use plimsoll_engine::Connector;
use plimsoll_plan::Address;
use plimsoll_tls::{Options, Trust, Versions};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, OnceLock};

/// A connection of the service, which ends its session before it closes.
pub(crate) struct Stream(StreamOwned<ServerConnection, TcpStream>);

impl Stream {
    /// Closes the socket and leaves the session open.
    pub(crate) fn cut_off(self) {
        let _ = self.0.sock.shutdown(Shutdown::Both);
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.0.conn.send_close_notify();
        // The client may have gone.
        let _ = self.0.conn.write_tls(&mut self.0.sock);
    }
}

/// The service's certificate and what trusts it.
struct Names {
    server: Arc<ServerConfig>,
    connector: Connector,
}

fn names() -> &'static Names {
    static NAMES: OnceLock<Names> = OnceLock::new();
    NAMES.get_or_init(|| {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).expect("a certificate");
        let key = PrivateKeyDer::Pkcs8(signing_key.serialize_der().into());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut server = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("supported")
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key)
            .expect("a certificate");
        // A ticket that nobody has read makes a reset of a close, which takes with it what was sent before.
        server.send_tls13_tickets = 0;
        let options = Options {
            server_name: "127.0.0.1".to_owned(),
            trust: Trust::Authorities(cert.pem().into_bytes()),
            identity: None,
            resume: true,
            versions: Versions::Any,
            protocols: Vec::new(),
            agreed: false,
        };
        Names {
            server: Arc::new(server),
            connector: Connector::new(&options).expect("set up"),
        }
    })
}

/// How TLS is spoken to what listens here.
pub(crate) fn connector() -> Option<Connector> {
    Some(names().connector.clone())
}

pub(crate) struct Listener(TcpListener);

impl Listener {
    /// Connections, as soon as they are established.
    pub(crate) fn incoming(&self) -> impl Iterator<Item = io::Result<Stream>> {
        self.0.incoming().map(|socket| establish(socket?))
    }
}

fn establish(mut socket: TcpStream) -> io::Result<Stream> {
    // Else the end of a connection overtakes what was written just before.
    socket.set_nodelay(true)?;
    let mut connection = ServerConnection::new(Arc::clone(&names().server)).map_err(io::Error::other)?;
    while connection.is_handshaking() {
        connection.complete_io(&mut socket)?;
    }
    Ok(Stream(StreamOwned::new(connection, socket)))
}

/// At a free port.
pub(crate) fn listen() -> (Listener, Address) {
    let (listener, address) = bound();
    (Listener(listener), address)
}
