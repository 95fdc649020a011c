//! Verification whose failure names the certificate.

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, DigitallySignedStruct, Error, OtherError, SignatureScheme};
use std::fmt;
use std::sync::Arc;
use webpki::EndEntityCert;

/// Verifies as webpki does.
#[derive(Debug)]
pub(crate) struct Named(pub(crate) Arc<WebPkiServerVerifier>);

/// A certificate that was refused.
#[derive(Debug)]
pub(crate) struct Refused {
    /// The host names that it is for.
    pub(crate) names: Vec<String>,
    pub(crate) error: CertificateError,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for Refused {}

impl ServerCertVerifier for Named {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let verified = self.0.verify_server_cert(end_entity, intermediates, name, ocsp, now);
        verified.map_err(|error| match error {
            Error::InvalidCertificate(error) => {
                let names = EndEntityCert::try_from(end_entity).map_or_else(
                    |_| Vec::new(),
                    |certificate| certificate.valid_dns_names().map(str::to_owned).collect(),
                );
                let refused = OtherError(Arc::new(Refused { names, error }));
                Error::InvalidCertificate(CertificateError::Other(refused))
            }
            error => error,
        })
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}
