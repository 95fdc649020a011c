//! Why a session failed, in words.

use crate::named::Refused;
use jiff::Timestamp;
use rustls::pki_types::UnixTime;
use rustls::{AlertDescription, CertificateError, Error, OtherError, PeerIncompatible};
use std::fmt;

/// Why a session failed. The text is a part of a sentence about the connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    what: String,
    hint: Option<&'static str>,
}

const TRUST: &str = "give its authority with --cacert, or accept any certificate with -k";
const EXPIRED: &str = "renew it, or accept any certificate with -k";
const EARLY: &str = "check the clocks, or accept any certificate with -k";
const NO_IDENTITY: &str = "the service asks for a certificate of the client";
const IDENTITY: &str = "give one with --cert and --key";
const NO_PROTOCOL: &str = "the service does not speak over TLS the version of HTTP that we ask for (ALPN)";
const PROTOCOL: &str = "set target.http to the version that it speaks, 1.1 or 2";
const NAME: &str = "ask for one of these names, or set target.tls.server_name";

impl Failure {
    /// `first` are the bytes with which the message began that led to it.
    pub(crate) fn new(error: &Error, first: [Option<u8>; 2]) -> Self {
        // The types of records are 20 to 24: what begins with a letter is text.
        if let (Error::InvalidMessage(_), [Some(b'A'..=b'Z' | b'<'), _]) = (error, first) {
            return Self {
                what: "the port responds in clear text and not in TLS".to_owned(),
                hint: Some("use http:// instead of https://"),
            };
        }
        let (what, hint) = match error {
            Error::InvalidCertificate(error) => certificate(error),
            Error::AlertReceived(alert) => alerted(*alert),
            Error::PeerIncompatible(PeerIncompatible::ServerDoesNotSupportTls12Or13) => {
                ("the service speaks neither TLS 1.2 nor TLS 1.3".to_owned(), None)
            }
            Error::PeerIncompatible(
                PeerIncompatible::ServerTlsVersionIsDisabledByOurConfig | PeerIncompatible::Tls12NotOffered,
            ) => (
                "the service speaks another version of TLS".to_owned(),
                Some("allow it in target.tls.versions"),
            ),
            Error::NoApplicationProtocol => return Self::no_protocol(),
            other => (other.to_string(), None),
        };
        Self { what, hint }
    }

    /// The peer [asked for an identity](crate::Session::lacks_identity), and ended the connection without one.
    #[must_use]
    pub fn no_identity() -> Self {
        Self {
            what: NO_IDENTITY.to_owned(),
            hint: Some(IDENTITY),
        }
    }

    /// The server has not agreed on an application protocol.
    pub(crate) fn no_protocol() -> Self {
        Self {
            what: NO_PROTOCOL.to_owned(),
            hint: Some(PROTOCOL),
        }
    }

    /// What the user can do about it.
    #[must_use]
    pub const fn hint(&self) -> Option<&'static str> {
        self.hint
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Failure {}

/// What is wrong with the certificate of the service, with the names that it is for.
fn certificate(error: &CertificateError) -> (String, Option<&'static str>) {
    match error {
        CertificateError::Other(OtherError(other)) => match other.downcast_ref::<Refused>() {
            Some(Refused { names, error }) => refused(error, &for_names(names)),
            None => refused(error, WHOSE),
        },
        other => refused(other, WHOSE),
    }
}

const WHOSE: &str = "its certificate";

fn for_names(names: &[String]) -> String {
    match names {
        [] => WHOSE.to_owned(),
        [name] => format!("{WHOSE} for {name}"),
        [name, others @ ..] => format!("{WHOSE} for {name} and {} more", others.len()),
    }
}

fn refused(error: &CertificateError, whose: &str) -> (String, Option<&'static str>) {
    match error {
        // Another authority of the same name has another key, or one of another kind.
        #[expect(deprecated, reason = "rustls still returns it where it has no more to say")]
        CertificateError::UnknownIssuer
        | CertificateError::BadSignature
        | CertificateError::UnsupportedSignatureAlgorithm
        | CertificateError::UnsupportedSignatureAlgorithmContext { .. }
        | CertificateError::UnsupportedSignatureAlgorithmForPublicKeyContext { .. } => (
            format!("{whose} is signed by an authority that is not trusted here"),
            Some(TRUST),
        ),
        CertificateError::Expired => (format!("{whose} has expired"), Some(EXPIRED)),
        CertificateError::ExpiredContext { not_after, .. } => {
            (format!("{whose} expired on {}", day(*not_after)), Some(EXPIRED))
        }
        CertificateError::NotValidYet => (format!("{whose} is not valid yet"), Some(EARLY)),
        CertificateError::NotValidYetContext { not_before, .. } => {
            (format!("{whose} is not valid before {}", day(*not_before)), Some(EARLY))
        }
        CertificateError::NotValidForName => (format!("{WHOSE} is for another name"), Some(NAME)),
        CertificateError::NotValidForNameContext { expected, presented } => {
            let names: Vec<String> = presented.iter().map(|name| shown(name)).collect();
            let names = if names.is_empty() {
                "no name".to_owned()
            } else {
                names.join(", ")
            };
            (
                format!("{WHOSE} is for {names}, not for {}", expected.to_str()),
                Some(NAME),
            )
        }
        CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. } => {
            (format!("{whose} is not one of a server"), Some(TRUST))
        }
        CertificateError::Revoked => (format!("{whose} is revoked"), None),
        CertificateError::BadEncoding => (format!("{whose} cannot be read"), None),
        // An authority that is used as the certificate of a server, as self-signed ones often are.
        CertificateError::Other(OtherError(other))
            if other.downcast_ref() == Some(&webpki::Error::CaUsedAsEndEntity) =>
        {
            (
                format!("{whose} is one of an authority, not of a server"),
                Some("make one for the server, or accept any certificate with -k"),
            )
        }
        other => (format!("{whose} is refused: {other}"), Some(TRUST)),
    }
}

fn day(time: UnixTime) -> String {
    let at = i64::try_from(time.as_secs())
        .ok()
        .and_then(|secs| Timestamp::from_second(secs).ok());
    at.map_or_else(
        || "an impossible day".to_owned(),
        |at| at.strftime("%Y-%m-%d").to_string(),
    )
}

/// `DnsName("shop.test")` as `shop.test`.
fn shown(name: &str) -> String {
    let inner = name.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
    inner.unwrap_or(name).trim_matches('"').to_owned()
}

fn alerted(alert: AlertDescription) -> (String, Option<&'static str>) {
    match alert {
        AlertDescription::CertificateRequired => (NO_IDENTITY.to_owned(), Some(IDENTITY)),
        AlertDescription::BadCertificate
        | AlertDescription::UnknownCA
        | AlertDescription::CertificateUnknown
        | AlertDescription::CertificateExpired
        | AlertDescription::AccessDenied => (
            format!("the service refuses our certificate ({alert:?})"),
            Some("check what --cert and --key name"),
        ),
        AlertDescription::ProtocolVersion => (
            "the service refuses our version of TLS".to_owned(),
            Some("allow more in target.tls.versions"),
        ),
        AlertDescription::NoApplicationProtocol => (NO_PROTOCOL.to_owned(), Some(PROTOCOL)),
        AlertDescription::UnrecognisedName => (
            "the service does not know the name that we ask for".to_owned(),
            Some("set target.tls.server_name"),
        ),
        other => (
            format!("the service ended the handshake with the alert {other:?}"),
            None,
        ),
    }
}
