//! Sessions against a server of rustls, which is another implementation of everything but the record layer: whole, and byte by byte.

use plimsoll_tls::{Connector, Handshake, Identity, Options, Session, SetupError, Trust, Versions};
use rcgen::{CertificateParams, CertifiedIssuer, ExtendedKeyUsagePurpose, IsCa, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, ServerConnection};
use std::io::{Read as _, Write as _};
use std::sync::Arc;

type Authority = CertifiedIssuer<'static, KeyPair>;

fn authority(key: KeyPair) -> Authority {
    let mut params = CertificateParams::new(Vec::new()).expect("valid");
    params.is_ca = IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, key).expect("signed")
}

/// A certificate for `name` and its key.
fn signed(authority: &Authority, name: &str, purpose: ExtendedKeyUsagePurpose) -> (rcgen::Certificate, KeyPair) {
    let mut params = CertificateParams::new(vec![name.to_owned()]).expect("valid");
    params.extended_key_usages = vec![purpose];
    let key = KeyPair::generate().expect("a key");
    (params.signed_by(&key, authority).expect("signed"), key)
}

struct World {
    authority: Authority,
    server: Arc<ServerConfig>,
}

impl World {
    /// A server of `shop.test` that speaks `versions`.
    fn new(versions: &[&'static rustls::SupportedProtocolVersion], asks_for_client: bool) -> Self {
        let authority = authority(KeyPair::generate().expect("a key"));
        let (certificate, key) = signed(&authority, "shop.test", ExtendedKeyUsagePurpose::ServerAuth);
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_protocol_versions(versions)
            .expect("supported");
        let builder = if asks_for_client {
            let mut roots = RootCertStore::empty();
            roots.add(authority.der().clone()).expect("an authority");
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider)
                .build()
                .expect("a verifier");
            builder.with_client_cert_verifier(verifier)
        } else {
            builder.with_no_client_auth()
        };
        let key = PrivateKeyDer::Pkcs8(key.serialize_der().into());
        let mut server = builder
            .with_single_cert(vec![certificate.der().clone()], key)
            .expect("a certificate");
        server.alpn_protocols = vec![b"http/1.1".to_vec()];
        Self {
            authority,
            server: Arc::new(server),
        }
    }

    fn options(&self) -> Options {
        Options {
            server_name: "shop.test".to_owned(),
            trust: Trust::Authorities(self.authority.pem().into_bytes()),
            identity: None,
            resume: true,
            versions: Versions::Any,
            protocols: vec![b"http/1.1".to_vec()],
            agreed: false,
        }
    }

    fn identity(&self) -> Identity {
        let (certificate, key) = signed(&self.authority, "client", ExtendedKeyUsagePurpose::ClientAuth);
        Identity {
            certificates: certificate.pem().into_bytes(),
            key: key.serialize_pem().into_bytes(),
        }
    }
}

/// Both ends of a connection, whose bytes arrive in pieces of this size.
struct Pair {
    client: Session,
    server: ServerConnection,
    piece: usize,
    /// What has come to the client and is not used up.
    waiting: Vec<u8>,
    to_server: Vec<u8>,
    /// What the server has taken.
    heard: Vec<u8>,
    /// What the client has taken.
    plain: Vec<u8>,
    handshake: Option<Handshake>,
    ended: bool,
}

impl Pair {
    fn new(connector: &Connector, server: &Arc<ServerConfig>, piece: usize) -> Self {
        let mut client = connector.session();
        let mut to_server = Vec::new();
        client.begin(&mut to_server).expect("begun");
        Self {
            client,
            server: ServerConnection::new(Arc::clone(server)).expect("a server"),
            piece,
            waiting: Vec::new(),
            to_server,
            heard: Vec::new(),
            plain: Vec::new(),
            handshake: None,
            ended: false,
        }
    }

    /// Carries bytes until nothing moves any more; the words of a failure of the client.
    fn run(&mut self) -> Result<(), String> {
        loop {
            for piece in std::mem::take(&mut self.to_server).chunks(self.piece) {
                let mut piece = piece;
                while !piece.is_empty() {
                    self.server.read_tls(&mut piece).expect("room");
                    // An alert is still to be sent.
                    let _ = self.server.process_new_packets();
                    // Nothing more has come yet, which is no failure here.
                    let _ = self.server.reader().read_to_end(&mut self.heard);
                }
            }
            let mut to_client = Vec::new();
            while self.server.wants_write() {
                self.server.write_tls(&mut to_client).expect("written");
            }
            if to_client.is_empty() && self.to_server.is_empty() {
                return Ok(());
            }
            for piece in to_client.chunks(self.piece) {
                self.waiting.extend_from_slice(piece);
                let received = self
                    .client
                    .receive(&mut self.waiting, &mut self.plain, &mut self.to_server)
                    .map_err(|failure| failure.to_string())?;
                self.waiting.drain(..received.used);
                self.handshake = self.handshake.or(received.established);
                self.ended |= received.ended;
            }
        }
    }

    fn say(&mut self, plain: &[u8]) {
        self.client.seal(plain, &mut self.to_server);
    }
}

#[test]
fn session_carries_bytes_both_ways_in_any_pieces() {
    for versions in [&[&rustls::version::TLS12], &[&rustls::version::TLS13]] {
        let world = World::new(versions, false);
        let connector = Connector::new(&world.options()).expect("set up");
        for piece in [1, 7, 1 << 20] {
            let mut pair = Pair::new(&connector, &world.server, piece);
            pair.run().expect("established");
            assert!(pair.handshake.is_some());
            assert_eq!(pair.client.protocol(), Some(&b"http/1.1"[..]));
            // More than a record holds.
            let long = vec![b'x'; 50_000];
            pair.say(b"first");
            pair.say(&long);
            pair.run().expect("carried");
            assert!(pair.heard == [b"first".to_vec(), long.clone()].concat());
            pair.server.writer().write_all(&long).expect("room");
            pair.run().expect("carried");
            assert_eq!(pair.plain.len(), long.len());
            assert!(!pair.ended);
            pair.server.send_close_notify();
            pair.run().expect("carried");
            assert!(pair.ended, "the peer has said that nothing follows");
        }
    }
}

#[test]
fn second_handshake_is_resumed_unless_that_is_not_wanted() {
    for versions in [&[&rustls::version::TLS12], &[&rustls::version::TLS13]] {
        let world = World::new(versions, false);
        for resume in [true, false] {
            let options = Options {
                resume,
                ..world.options()
            };
            let connector = Connector::new(&options).expect("set up");
            let kinds: Vec<_> = (0..2)
                .map(|_| {
                    let mut pair = Pair::new(&connector, &world.server, 1 << 20);
                    pair.run().expect("established");
                    pair.handshake.expect("established")
                })
                .collect();
            let second = if resume { Handshake::Resumed } else { Handshake::Full };
            assert_eq!(kinds, [Handshake::Full, second]);
        }
    }
}

#[test]
fn client_that_is_asked_for_a_certificate_gives_it() {
    let world = World::new(&[&rustls::version::TLS13], true);
    let options = Options {
        identity: Some(world.identity()),
        ..world.options()
    };
    let mut pair = Pair::new(&Connector::new(&options).expect("set up"), &world.server, 1 << 20);
    pair.run().expect("established");
    pair.say(b"me");
    pair.run().expect("carried");
    assert_eq!(pair.heard, b"me");
    assert!(pair.server.peer_certificates().is_some());
}

#[track_caller]
fn check_failure(world: &World, options: &Options, expected: &str) {
    let connector = Connector::new(options).expect("set up");
    let mut pair = Pair::new(&connector, &world.server, 1 << 20);
    let failed = pair.run();
    assert_eq!(failed.expect_err("not established"), expected);
    // Who refuses tells the other one why.
    let is_ours = expected.starts_with("its certificate");
    assert_eq!(!pair.to_server.is_empty(), is_ours, "{expected}");
}

#[test]
fn failures_say_what_is_wrong() {
    let world = World::new(&[&rustls::version::TLS13], false);
    let other = World::new(&[&rustls::version::TLS13], false);
    check_failure(
        &world,
        &other.options(),
        "its certificate for shop.test is signed by an authority that is not trusted here",
    );
    let other_kind = KeyPair::generate_for(&rcgen::PKCS_ED25519).expect("a key");
    let of_other_kind = Options {
        trust: Trust::Authorities(authority(other_kind).pem().into_bytes()),
        ..world.options()
    };
    check_failure(
        &world,
        &of_other_kind,
        "its certificate for shop.test is signed by an authority that is not trusted here",
    );
    let elsewhere = Options {
        server_name: "127.0.0.1".to_owned(),
        ..world.options()
    };
    check_failure(
        &world,
        &elsewhere,
        "its certificate is for shop.test, not for 127.0.0.1",
    );
    let old = Options {
        versions: Versions::Tls12,
        ..world.options()
    };
    check_failure(&world, &old, "the service refuses our version of TLS");
    let guarded = World::new(&[&rustls::version::TLS13], true);
    check_failure(
        &guarded,
        &guarded.options(),
        "the service asks for a certificate of the client",
    );
}

#[test]
fn nobody_is_verified_where_anybody_is_trusted() {
    let world = World::new(&[&rustls::version::TLS13], false);
    let options = Options {
        trust: Trust::Anybody,
        server_name: "elsewhere.test".to_owned(),
        ..world.options()
    };
    let mut pair = Pair::new(&Connector::new(&options).expect("set up"), &world.server, 1 << 20);
    pair.run().expect("established");
}

#[test]
fn server_that_does_not_speak_tls_is_said_to_be_one() {
    let world = World::new(&[&rustls::version::TLS13], false);
    let mut session = Connector::new(&world.options()).expect("set up").session();
    session.begin(&mut Vec::new()).expect("begun");
    let mut response = *b"HTTP/1.1 400 Bad Request\r\n\r\n";
    let failure = session.receive(&mut response, &mut Vec::new(), &mut Vec::new());
    let failure = failure.expect_err("no TLS");
    assert_eq!(failure.to_string(), "the port responds in clear text and not in TLS");
    assert_eq!(failure.hint(), Some("use http:// instead of https://"));
}

#[test]
fn options_that_are_of_no_use_are_refused() {
    let world = World::new(&[&rustls::version::TLS13], false);
    let check = |options: Options, expected: SetupError| {
        assert_eq!(Connector::new(&options).expect_err("refused"), expected);
    };
    check(
        Options {
            server_name: "no name".to_owned(),
            ..world.options()
        },
        SetupError::Name("no name".to_owned()),
    );
    check(
        Options {
            trust: Trust::Authorities(b"not PEM".to_vec()),
            ..world.options()
        },
        SetupError::Authorities("no certificate in PEM".to_owned()),
    );
    let identity = Identity {
        key: b"not PEM".to_vec(),
        ..world.identity()
    };
    let refused = Connector::new(&Options {
        identity: Some(identity),
        ..world.options()
    });
    let error = refused.expect_err("refused").to_string();
    assert!(error.starts_with("use the client certificate: its key: "), "{error}");
}
