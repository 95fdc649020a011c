//! What is given to the bus, and when requests are sent.

use crate::worker::Sent;
use plimsoll_fleet::encode;
use serde::Serialize;

/// Messages that were given to the bus, and their bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Messages {
    pub(crate) count: u64,
    pub(crate) bytes: u64,
    pub(crate) longest_bytes: u64,
}

impl Messages {
    pub(crate) fn add(&mut self, message: &impl Serialize) {
        let bytes = encode(message).expect("it can be sent").len() as u64;
        self.count += 1;
        self.bytes += bytes;
        self.longest_bytes = self.longest_bytes.max(bytes);
    }
}

/// How far apart agents began a step of even arrivals at this rate, by the true clock, ns: each request was due a time after the beginning
/// that its number says.
pub(crate) fn skew_ns<'a>(sent: impl Iterator<Item = &'a Sent>, rate_per_s: u32) -> u64 {
    let began = sent.map(|sent| sent.at_ns - sent.number * 1_000_000_000 / u64::from(rate_per_s));
    let (first, last) = began.fold((u64::MAX, 0), |(first, last), at| (first.min(at), last.max(at)));
    last.saturating_sub(first)
}
