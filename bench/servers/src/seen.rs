//! What users at the door of the server saw: from the coming of each request to the going of its response's last byte.

use crate::stamps::Departure;
use hdrhistogram::Histogram;
use std::fmt;

/// Times of all responses.
pub(crate) struct Seen(Histogram<u64>);

/// One connection's part in it. Nobody here sends a request before the response to the last has come.
#[derive(Debug, Default)]
pub(crate) struct Exchange {
    sent_bytes: u32,
    came_ns: Option<u64>,
    /// The byte that ends the response, once it was given to the kernel.
    ends_with: Option<u32>,
}

impl Exchange {
    pub(crate) fn request_came(&mut self, at_ns: Option<u64>) {
        self.came_ns = at_ns;
    }

    pub(crate) fn sent(&mut self, bytes: usize, whole: bool) {
        // Counted as the kernel counts them, modulo 2³².
        self.sent_bytes = self.sent_bytes.wrapping_add(bytes as u32);
        if whole {
            self.ends_with = Some(self.sent_bytes.wrapping_sub(1));
        }
    }

    /// How long the user waited for the response that ended with these bytes; none when it did not.
    pub(crate) fn left(&mut self, departure: Departure) -> Option<u64> {
        self.ends_with.take_if(|last_byte| *last_byte == departure.last_byte)?;
        Some(departure.at_ns.saturating_sub(self.came_ns.take()?))
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

    #[test]
    fn a_response_ends_with_its_last_byte() {
        let mut exchange = Exchange::default();
        exchange.request_came(Some(1000));
        exchange.sent(25, false);
        exchange.sent(16, true);
        let departure = |last_byte, at_ns| Departure { last_byte, at_ns };
        assert_eq!(exchange.left(departure(24, 1100)), None);
        assert_eq!(exchange.left(departure(40, 1200)), Some(200));
        assert_eq!(exchange.left(departure(40, 1200)), None, "told once");
        exchange.request_came(Some(2000));
        exchange.sent(41, true);
        assert_eq!(exchange.left(departure(81, 2050)), Some(50));
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
