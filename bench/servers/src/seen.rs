//! What users at the door of the server saw: from the coming of each request to the going of its response's last byte.

use crate::stamps::Departure;
use crate::wire::Stream;
use hdrhistogram::Histogram;
use std::collections::VecDeque;
use std::fmt;

/// Times of all responses.
pub(crate) struct Seen(Histogram<u64>);

/// One connection's part in it.
#[derive(Debug, Default)]
pub(crate) struct Exchange {
    /// Counted as the kernel counts them, modulo 2³².
    sent_bytes: u32,
    /// Requests that wait for their response, and when they came.
    waiting: Vec<(Stream, Option<u64>)>,
    /// Responses that were given to the kernel, in this order: the byte that ends each, and when its request came.
    going: VecDeque<(u32, Option<u64>)>,
}

impl Exchange {
    pub(crate) fn request_came(&mut self, stream: Stream, at_ns: Option<u64>) {
        self.waiting.push((stream, at_ns));
    }

    pub(crate) fn sent(&mut self, bytes: usize) {
        self.sent_bytes = self.sent_bytes.wrapping_add(bytes as u32);
    }

    /// All bytes of a response were given to the kernel, the last of them just now.
    pub(crate) fn response_went(&mut self, stream: Stream) {
        let Some(place) = self.waiting.iter().position(|(waiting, _)| *waiting == stream) else {
            return;
        };
        let (_, came_ns) = self.waiting.remove(place);
        self.going.push_back((self.sent_bytes.wrapping_sub(1), came_ns));
    }

    /// Says how long users waited for the responses that have left with these bytes. What was sent together leaves together.
    pub(crate) fn left(&mut self, departure: Departure, mut waited: impl FnMut(u64)) {
        // Which of two bytes was sent earlier, where fewer than 2³¹ lie between them.
        let gone = |last_byte: u32| departure.last_byte.wrapping_sub(last_byte).cast_signed() >= 0;
        let count = self.going.iter().take_while(|(last_byte, _)| gone(*last_byte)).count();
        for came_ns in self.going.drain(..count).filter_map(|(_, came_ns)| came_ns) {
            waited(departure.at_ns.saturating_sub(came_ns));
        }
    }
}

impl Seen {
    pub(crate) fn new() -> Self {
        let mut histogram = Histogram::new(3).expect("3 digits are allowed");
        histogram.auto(true);
        Self(histogram)
    }

    pub(crate) fn record(&mut self, ns: u64) {
        self.0 += ns;
    }
}

/// As JSON.
impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, r#"{{"answers": {}"#, self.0.len())?;
        for (name, quantile) in [
            ("p50", 0.5),
            ("p90", 0.9),
            ("p95", 0.95),
            ("p99", 0.99),
            ("p999", 0.999),
        ] {
            let ms = self.0.value_at_quantile(quantile) as f64 / 1e6;
            write!(f, r#", "{name}_ms": {ms}"#)?;
        }
        write!(f, "}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waited(exchange: &mut Exchange, last_byte: u32, at_ns: u64) -> Vec<u64> {
        let mut all = Vec::new();
        exchange.left(Departure { last_byte, at_ns }, |ns| all.push(ns));
        all
    }

    #[test]
    fn a_response_ends_with_its_last_byte() {
        let mut exchange = Exchange::default();
        exchange.request_came(0, Some(1000));
        exchange.sent(25);
        exchange.sent(16);
        exchange.response_went(0);
        assert_eq!(waited(&mut exchange, 24, 1100), []);
        assert_eq!(waited(&mut exchange, 40, 1200), [200]);
        assert_eq!(waited(&mut exchange, 40, 1200), [], "told once");
        exchange.request_came(0, Some(2000));
        exchange.sent(41);
        exchange.response_went(0);
        assert_eq!(waited(&mut exchange, 81, 2050), [50]);
    }

    #[test]
    fn streams_end_in_any_order_and_leave_together() {
        let mut exchange = Exchange::default();
        for (stream, came_ns) in [(1, 100), (3, 200), (5, 300)] {
            exchange.request_came(stream, Some(came_ns));
        }
        exchange.sent(10);
        exchange.response_went(3);
        exchange.sent(10);
        exchange.response_went(1);
        assert_eq!(waited(&mut exchange, 19, 1000), [800, 900]);
        exchange.sent(10);
        exchange.response_went(5);
        assert_eq!(waited(&mut exchange, 29, 1000), [700]);
    }

    #[test]
    fn says_its_quantiles_in_milliseconds() {
        let mut seen = Seen::new();
        (1..=1000).for_each(|ns| seen.record(ns));
        assert_eq!(
            seen.to_string(),
            r#"{"answers": 1000, "p50_ms": 0.0005, "p90_ms": 0.0009, "p95_ms": 0.00095, "p99_ms": 0.00099, "p999_ms": 0.000999}"#
        );
    }
}
