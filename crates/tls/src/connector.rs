//! What all connections of a run have in common.

use crate::named::Named;
use crate::nobody::Nobody;
use crate::session::Session;
use crate::unverified::Unverified;
use rustls::client::danger::ServerCertVerifier;
use rustls::client::{Resumption, WebPkiServerVerifier};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::{self, PemObject as _};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::version::{TLS12, TLS13};
use rustls::{ClientConfig, RootCertStore, SupportedProtocolVersion};
use std::sync::Arc;
use thiserror::Error;

/// Whose certificates are accepted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Trust {
    /// Those that the authorities of this system have signed.
    #[default]
    System,
    /// Those that these authorities have signed, PEM.
    Authorities(Vec<u8>),
    /// All.
    Anybody,
}

/// How the client identifies itself where the server asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Its certificate and those up to an authority, PEM.
    pub certificates: Vec<u8>,
    /// The key of the first certificate, PEM.
    pub key: Vec<u8>,
}

/// Versions of TLS that may be spoken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Versions {
    /// The highest that both ends speak.
    #[default]
    Any,
    /// TLS 1.2 only.
    Tls12,
    /// TLS 1.3 only.
    Tls13,
}

impl Versions {
    fn supported(self) -> &'static [&'static SupportedProtocolVersion] {
        static ALL: [&SupportedProtocolVersion; 2] = [&TLS13, &TLS12];
        match self {
            Self::Any => &ALL,
            Self::Tls13 => &ALL[..1],
            Self::Tls12 => &ALL[1..],
        }
    }
}

/// How TLS is to be spoken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The name that the certificate must have: a host name or an IP address. A host name is sent as SNI.
    pub server_name: String,
    /// Whose certificates are accepted.
    pub trust: Trust,
    /// How the client identifies itself.
    pub identity: Option<Identity>,
    /// Resume earlier sessions where the server allows it; else every handshake is a full one.
    pub resume: bool,
    /// Versions that may be spoken.
    pub versions: Versions,
    /// Names of application protocols (ALPN), the preferred one first.
    pub protocols: Vec<Vec<u8>>,
    /// The server has to agree on one of them; else one that knows nothing of them is taken to speak the one that is spoken.
    pub agreed: bool,
}

/// TLS cannot be spoken as the options say. The text fits after "failed to".
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The name is neither a host name nor an IP address.
    #[error("use `{0}` as the name of a TLS server: it is neither a host name nor an IP address")]
    Name(String),
    /// The system has no authorities.
    #[error("find certificate authorities on this system: {0}")]
    System(String),
    /// The authorities cannot be read.
    #[error("read certificate authorities: {0}")]
    Authorities(String),
    /// The own certificate or key cannot be used.
    #[error("use the client certificate: {0}")]
    Identity(String),
}

/// Makes sessions.
#[derive(Debug, Clone)]
pub struct Connector {
    config: Arc<ClientConfig>,
    /// Where it has no identity.
    nobody: Arc<Nobody>,
    name: ServerName<'static>,
    /// The server has to agree on an application protocol.
    agreed: bool,
}

impl Connector {
    /// Reads the certificates that the options name.
    ///
    /// # Errors
    /// [`SetupError`], where one of them is of no use.
    pub fn new(options: &Options) -> Result<Self, SetupError> {
        let name = ServerName::try_from(options.server_name.clone())
            .map_err(|_| SetupError::Name(options.server_name.clone()))?;
        let provider = Arc::new(ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_protocol_versions(options.versions.supported())
            .expect("ring has cipher suites for every version");
        let verifier: Arc<dyn ServerCertVerifier> = match &options.trust {
            Trust::System => named(system_authorities()?, provider),
            Trust::Authorities(pem) => named(authorities(pem)?, provider),
            Trust::Anybody => Arc::new(Unverified(provider)),
        };
        let builder = builder.dangerous().with_custom_certificate_verifier(verifier);
        let nobody = Arc::new(Nobody::default());
        let mut config = match &options.identity {
            None => builder.with_client_cert_resolver(Arc::clone(&nobody) as _),
            Some(identity) => {
                let (certificates, key) = read_identity(identity)?;
                builder
                    .with_client_auth_cert(certificates, key)
                    .map_err(|error| SetupError::Identity(error.to_string()))?
            }
        };
        config.alpn_protocols.clone_from(&options.protocols);
        if !options.resume {
            config.resumption = Resumption::disabled();
        }
        Ok(Self {
            config: Arc::new(config),
            nobody,
            name,
            agreed: options.agreed,
        })
    }

    /// One that neither resumes sessions of this one nor lets them be resumed.
    #[must_use]
    pub fn apart(&self) -> Self {
        let mut config = ClientConfig::clone(&self.config);
        config.resumption = Resumption::disabled();
        Self {
            config: Arc::new(config),
            nobody: Arc::clone(&self.nobody),
            name: self.name.clone(),
            agreed: self.agreed,
        }
    }

    /// A session of a connection to come.
    #[must_use]
    pub fn session(&self) -> Session {
        let (config, nobody) = (Arc::clone(&self.config), Arc::clone(&self.nobody));
        Session::new(config, nobody, self.name.clone(), self.agreed)
    }
}

fn named(authorities: RootCertStore, provider: Arc<CryptoProvider>) -> Arc<Named> {
    let builder = WebPkiServerVerifier::builder_with_provider(Arc::new(authorities), provider);
    Arc::new(Named(builder.build().expect("there is an authority")))
}

fn system_authorities() -> Result<RootCertStore, SetupError> {
    let found = rustls_native_certs::load_native_certs();
    let mut store = RootCertStore::empty();
    let (added, _) = store.add_parsable_certificates(found.certs);
    if added > 0 {
        return Ok(store);
    }
    let errors: Vec<String> = found.errors.iter().map(ToString::to_string).collect();
    Err(SetupError::System(if errors.is_empty() {
        "it has none".to_owned()
    } else {
        errors.join("; ")
    }))
}

/// The errors of the reader quote lines of the file, which may be those of a key.
const NOT_PEM: &str = "not valid PEM";

fn authorities(pem: &[u8]) -> Result<RootCertStore, SetupError> {
    let wrong = |error: &dyn ToString| SetupError::Authorities(error.to_string());
    let mut store = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(pem) {
        let certificate = certificate.map_err(|_| wrong(&NOT_PEM))?;
        store.add(certificate).map_err(|error| wrong(&error))?;
    }
    if store.is_empty() {
        return Err(wrong(&"no certificate in PEM"));
    }
    Ok(store)
}

type Parts = (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>);

fn read_identity(identity: &Identity) -> Result<Parts, SetupError> {
    let wrong = |what: &str, error: &dyn ToString| SetupError::Identity(format!("{what}: {}", error.to_string()));
    let certificates = CertificateDer::pem_slice_iter(&identity.certificates)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|_| wrong("its certificates", &NOT_PEM))?;
    if certificates.is_empty() {
        return Err(wrong("its certificates", &"no certificate in PEM"));
    }
    let key = PrivateKeyDer::from_pem_slice(&identity.key).map_err(|error| match error {
        pem::Error::NoItemsFound => wrong("its key", &"no unencrypted key in PEM"),
        _ => wrong("its key", &NOT_PEM),
    })?;
    Ok((certificates, key))
}
