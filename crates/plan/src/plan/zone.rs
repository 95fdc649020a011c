//! Zones of IPv6 addresses: the interface that leads to one that is valid on one network only.

/// What stands between an address and its zone.
pub(crate) const ZONE: char = '%';

/// Whether `text` may name an interface: by its number, or by its name.
pub(crate) fn is_zone(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~');
    !text.is_empty() && text.chars().all(plain)
}

/// `host` as everybody else knows it: a zone means something on this machine alone (RFC 6874, section 4).
#[must_use]
pub fn without_zone(host: &str) -> &str {
    host.split_once(ZONE).map_or(host, |(address, _)| address)
}
