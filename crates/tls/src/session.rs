//! One connection's session.

use crate::failure::Failure;
use crate::nobody::Nobody;
use rustls::client::UnbufferedClientConnection;
use rustls::pki_types::ServerName;
use rustls::unbuffered::{
    AppDataRecord, ConnectionState, EncodeError, EncryptError, InsufficientSizeError, UnbufferedStatus,
};
use rustls::{ClientConfig, HandshakeKind};
use std::sync::Arc;

/// Room for the first attempt to write handshake messages.
const HANDSHAKE_BYTES: usize = 1024;
/// A record has at most so many plain bytes (RFC 8446, section 5.1), …
const RECORD_BYTES: usize = 1 << 14;
/// … and its header, nonce, type and tag take at most so many more, in both versions.
const OVERHEAD_BYTES: usize = 5 + 8 + 1 + 16;

/// How a handshake went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handshake {
    /// With certificates and a key exchange.
    Full,
    /// From an earlier session.
    Resumed,
}

/// What came of bytes from the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Received {
    /// How many of them are used up. The rest is the beginning of a record, to be given again with what follows.
    pub used: usize,
    /// The handshake is done with these bytes, and how.
    pub established: Option<Handshake>,
    /// The peer sends nothing more.
    pub ended: bool,
}

/// The session of one connection.
pub struct Session {
    connection: UnbufferedClientConnection,
    nobody: Arc<Nobody>,
    /// The server has to agree on an application protocol.
    agreed: bool,
    established: bool,
}

impl Session {
    pub(crate) fn new(config: Arc<ClientConfig>, nobody: Arc<Nobody>, name: ServerName<'static>, agreed: bool) -> Self {
        let connection = UnbufferedClientConnection::new(config, name).expect("the configuration has a cipher suite");
        Self {
            connection,
            nobody,
            agreed,
            established: false,
        }
    }

    /// Begins the handshake: appends to `wire` what is to be sent first.
    ///
    /// # Errors
    /// [`Failure`], where no first message can be made.
    pub fn begin(&mut self, wire: &mut Vec<u8>) -> Result<(), Failure> {
        self.receive(&mut [], &mut Vec::new(), wire).map(drop)
    }

    /// Takes bytes from the wire, which are decrypted in place. Appends plain bytes to `plain`, and to `wire` what is to be sent, such
    /// as the next messages of the handshake.
    ///
    /// # Errors
    /// [`Failure`]. The session is then of no more use; `wire` may hold an alert for the peer.
    pub fn receive(
        &mut self,
        incoming: &mut [u8],
        plain: &mut Vec<u8>,
        wire: &mut Vec<u8>,
    ) -> Result<Received, Failure> {
        let mut used = 0;
        let received = self.advance(incoming, &mut used, plain, wire);
        if received.is_err() {
            self.alert(&mut incoming[used..], wire);
        }
        received
    }

    /// Appends what the peer is to know of a failure; `rest` is what has not been used up.
    fn alert(&mut self, rest: &mut [u8], wire: &mut Vec<u8>) {
        let UnbufferedStatus { state, .. } = self.connection.process_tls_records(rest);
        if let Ok(ConnectionState::EncodeTlsData(mut alert)) = state {
            append(wire, HANDSHAKE_BYTES, |room| alert.encode(room));
        }
    }

    fn advance(
        &mut self,
        incoming: &mut [u8],
        used: &mut usize,
        plain: &mut Vec<u8>,
        wire: &mut Vec<u8>,
    ) -> Result<Received, Failure> {
        let mut ended = false;
        loop {
            let before = &incoming[*used..];
            let first = [before.first().copied(), before.get(1).copied()];
            let UnbufferedStatus { discard, state, .. } = self.connection.process_tls_records(&mut incoming[*used..]);
            *used += discard;
            let established = match state.map_err(|error| Failure::new(&error, first))? {
                ConnectionState::ReadTraffic(mut traffic) => {
                    while let Some(record) = traffic.next_record() {
                        let AppDataRecord { discard, payload, .. } =
                            record.map_err(|error| Failure::new(&error, first))?;
                        *used += discard;
                        plain.extend_from_slice(payload);
                    }
                    continue;
                }
                ConnectionState::EncodeTlsData(mut data) => {
                    append(wire, HANDSHAKE_BYTES, |room| data.encode(room));
                    continue;
                }
                ConnectionState::TransmitTlsData(data) => {
                    data.done();
                    continue;
                }
                ConnectionState::PeerClosed => {
                    ended = true;
                    continue;
                }
                ConnectionState::Closed => {
                    ended = true;
                    None
                }
                ConnectionState::WriteTraffic(_) => self.established()?,
                // A client waits for the server, and gets no early data.
                _ => None,
            };
            return Ok(Received {
                used: *used,
                established,
                ended,
            });
        }
    }

    /// How the handshake went, the first time that it is done.
    fn established(&mut self) -> Result<Option<Handshake>, Failure> {
        if self.established {
            return Ok(None);
        }
        if self.agreed && self.protocol().is_none() {
            return Err(Failure::no_protocol());
        }
        self.established = true;
        Ok(Some(match self.connection.handshake_kind() {
            Some(HandshakeKind::Resumed) => Handshake::Resumed,
            _ => Handshake::Full,
        }))
    }

    /// Whether the peer has asked for an identity that the client does not have.
    #[must_use]
    pub fn lacks_identity(&self) -> bool {
        self.nobody.was_asked()
    }

    /// The application protocol that both ends agreed on (ALPN).
    #[must_use]
    pub fn protocol(&self) -> Option<&[u8]> {
        self.connection.alpn_protocol()
    }

    /// Appends `plain` to `wire` as records. Before the handshake is done and after the session has ended nothing can be sent.
    pub fn seal(&mut self, plain: &[u8], wire: &mut Vec<u8>) {
        let UnbufferedStatus { state, .. } = self.connection.process_tls_records(&mut []);
        if let Ok(ConnectionState::WriteTraffic(mut traffic)) = state {
            let records = plain.len().div_ceil(RECORD_BYTES).max(1);
            append(wire, plain.len() + records * OVERHEAD_BYTES, |room| {
                traffic.encrypt(plain, room)
            });
        }
    }

    /// Appends the end of the session to `wire`.
    pub fn end(&mut self, wire: &mut Vec<u8>) {
        let UnbufferedStatus { state, .. } = self.connection.process_tls_records(&mut []);
        if let Ok(ConnectionState::WriteTraffic(mut traffic)) = state {
            append(wire, 2 + OVERHEAD_BYTES, |room| traffic.queue_close_notify(room));
        }
    }
}

/// Why bytes were not written.
trait Unwritten {
    /// How much room they need, where that is the reason.
    fn needs(&self) -> Option<usize>;
}

impl Unwritten for EncodeError {
    fn needs(&self) -> Option<usize> {
        match self {
            Self::InsufficientSize(InsufficientSizeError { required_size }) => Some(*required_size),
            Self::AlreadyEncoded => None,
        }
    }
}

impl Unwritten for EncryptError {
    fn needs(&self) -> Option<usize> {
        match self {
            Self::InsufficientSize(InsufficientSizeError { required_size }) => Some(*required_size),
            Self::EncryptExhausted => None,
        }
    }
}

/// Appends what `write` writes into the room that it is given, which it may ask to be larger.
fn append<E: Unwritten>(wire: &mut Vec<u8>, room: usize, mut write: impl FnMut(&mut [u8]) -> Result<usize, E>) {
    let at = wire.len();
    let mut room = Some(room);
    while let Some(bytes) = room {
        wire.resize(at + bytes, 0);
        match write(&mut wire[at..]) {
            Ok(written) => return wire.truncate(at + written),
            Err(error) => room = error.needs(),
        }
    }
    wire.truncate(at);
}
