//! How TLS is spoken to the service, from what the plan says.

use crate::error::LabError;
use plimsoll_files::given;
use plimsoll_plan::{HttpVersion, Plan, Server, TlsVersions, Url, without_zone};
use plimsoll_tls::{Connector, Identity, Options, Trust, Versions};
use std::path::Path;

/// Certificates and keys are small; the authorities of a system have some 200 kB.
const MOST_BYTES: u64 = 16 << 20;

/// Reads the certificates that the plan names; `None` where the service is spoken to in clear text.
///
/// # Errors
/// When one of them cannot be read, or is none.
pub(crate) fn connector(plan: &Plan) -> Result<Option<Connector>, LabError> {
    connector_to(&plan.target().url, plan)
}

/// The same where the actions of the plan go.
///
/// # Errors
/// As [`connector`].
pub(crate) fn connector_of_actions(plan: &Plan, of_target: Option<&Connector>) -> Result<Option<Connector>, LabError> {
    match plan.scenario().repeated() {
        None => Ok(None),
        Some((_, action)) => match &action.url {
            None => Ok(of_target.cloned()),
            Some(url) => connector_to(url, plan),
        },
    }
}

fn connector_to(url: &Url, plan: &Plan) -> Result<Option<Connector>, LabError> {
    let (true, Server::Tcp { host, .. }) = (url.scheme.is_secure(), &url.server) else {
        return Ok(None);
    };
    let (target, tls) = (plan.target(), &plan.target().tls);
    let trust = match &tls.ca {
        _ if tls.insecure => Trust::Anybody,
        Some(path) => Trust::Authorities(read(path)?),
        None => Trust::System,
    };
    let identity = match &tls.cert {
        None => None,
        Some(cert) => Some(Identity {
            certificates: read(cert)?,
            key: read(tls.key.as_ref().unwrap_or(cert))?,
        }),
    };
    let options = Options {
        server_name: tls.server_name.clone().unwrap_or_else(|| without_zone(host).to_owned()),
        trust,
        identity,
        resume: plan.resumes_sessions(),
        versions: match tls.versions {
            TlsVersions::Any => Versions::Any,
            TlsVersions::Tls12 => Versions::Tls12,
            TlsVersions::Tls13 => Versions::Tls13,
        },
        protocols: vec![match target.http {
            HttpVersion::Http1 => b"http/1.1".to_vec(),
            HttpVersion::Http2 => b"h2".to_vec(),
        }],
        agreed: target.http == HttpVersion::Http2,
    };
    Ok(Some(Connector::new(&options)?))
}

fn read(path: &Path) -> Result<Vec<u8>, LabError> {
    given::bytes(path, MOST_BYTES).map_err(|source| LabError::Certificate {
        path: path.to_owned(),
        source,
    })
}
