//! A client without a certificate, which knows whether it was asked for one.

use rustls::SignatureScheme;
use rustls::client::ResolvesClientCert;
use rustls::sign::CertifiedKey;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Of all connections of a run: a service asks all of them.
#[derive(Debug, Default)]
pub(crate) struct Nobody {
    asked: AtomicBool,
}

impl Nobody {
    pub(crate) fn was_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }
}

impl ResolvesClientCert for Nobody {
    fn resolve(&self, _: &[&[u8]], _: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        self.asked.store(true, Ordering::Relaxed);
        None
    }

    fn has_certs(&self) -> bool {
        false
    }
}
