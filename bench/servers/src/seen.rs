//! What users at the door of the server saw: from the coming of each request to the going of its response's last byte.
//!
//! Of requests that are read together on one connection the kernel says when the last one came. What users of the others saw lies between
//! two times.

use crate::stamps::Departure;
use crate::wire::Stream;
use hdrhistogram::Histogram;
use std::collections::VecDeque;
use std::fmt;

/// Times of all responses, and of those to requests for some paths.
pub(crate) struct Seen {
    all: Times,
    apart: Vec<(String, Times)>,
}

/// Times of responses, at least and at most.
struct Times {
    least: Histogram<u64>,
    most: Histogram<u64>,
}

/// When a request came, on the clock of the calendar: not before and not after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Came {
    pub(crate) earliest_ns: u64,
    pub(crate) latest_ns: u64,
}

/// How long a user waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Waited {
    pub(crate) least_ns: u64,
    pub(crate) most_ns: u64,
}

/// One connection's part in it.
#[derive(Debug, Default)]
pub(crate) struct Exchange {
    /// Counted as the kernel counts them, modulo 2³².
    sent_bytes: u32,
    /// Requests that wait for their response, and when they came.
    waiting: Vec<(Stream, Option<Came>)>,
    /// Responses that were given to the kernel, in this order: the byte that ends each, its stream, and when its request came.
    going: VecDeque<(u32, Stream, Option<Came>)>,
}

impl Exchange {
    pub(crate) fn request_came(&mut self, stream: Stream, came: Option<Came>) {
        self.waiting.push((stream, came));
    }

    pub(crate) fn sent(&mut self, bytes: usize) {
        self.sent_bytes = self.sent_bytes.wrapping_add(bytes as u32);
    }

    /// All bytes of a response were given to the kernel, the last of them just now.
    pub(crate) fn response_went(&mut self, stream: Stream) {
        let Some(place) = self.waiting.iter().position(|(waiting, _)| *waiting == stream) else {
            return;
        };
        let (_, came) = self.waiting.remove(place);
        self.going.push_back((self.sent_bytes.wrapping_sub(1), stream, came));
    }

    /// Says how long users waited for the responses that have left with these bytes. What was sent together leaves together.
    pub(crate) fn left(&mut self, departure: Departure, mut waited: impl FnMut(Stream, Waited)) {
        // Which of two bytes was sent earlier, where fewer than 2³¹ lie between them.
        let gone = |last_byte: u32| departure.last_byte.wrapping_sub(last_byte).cast_signed() >= 0;
        let count = self.going.iter().take_while(|(last_byte, ..)| gone(*last_byte)).count();
        for (_, stream, came) in self.going.drain(..count) {
            let Some(came) = came else { continue };
            let of_user = Waited {
                least_ns: departure.at_ns.saturating_sub(came.latest_ns),
                most_ns: departure.at_ns.saturating_sub(came.earliest_ns),
            };
            waited(stream, of_user);
        }
    }
}

impl Seen {
    pub(crate) fn new(paths: &[String]) -> Self {
        Self {
            all: Times::new(),
            apart: paths.iter().map(|path| (path.clone(), Times::new())).collect(),
        }
    }

    pub(crate) fn record(&mut self, stream: Stream, waited: Waited) {
        self.all.record(waited);
        let place = (stream as usize).wrapping_sub(1);
        if let Some((_, times)) = self.apart.get_mut(place) {
            times.record(waited);
        }
    }
}

impl Times {
    fn new() -> Self {
        let mut empty = Histogram::new(3).expect("3 digits are allowed");
        empty.auto(true);
        Self {
            least: empty.clone(),
            most: empty,
        }
    }

    fn record(&mut self, waited: Waited) {
        self.least += waited.least_ns;
        self.most += waited.most_ns;
    }
}

/// As JSON.
impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}", self.all)?;
        if !self.apart.is_empty() {
            let each = self.apart.iter().map(|(path, times)| format!("{path:?}: {{{times}}}"));
            write!(f, r#", "paths": {{{}}}"#, each.collect::<Vec<_>>().join(", "))?;
        }
        write!(f, "}}")
    }
}

/// As the keys of an object of JSON.
impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, r#""answers": {}"#, self.least.len())?;
        for (name, quantile) in [
            ("p50", 0.5),
            ("p90", 0.9),
            ("p95", 0.95),
            ("p99", 0.99),
            ("p999", 0.999),
        ] {
            let ms = |of: &Histogram<u64>| of.value_at_quantile(quantile) as f64 / 1e6;
            let (least, most) = (ms(&self.least), ms(&self.most));
            write!(f, r#", "{name}_ms": {least}, "{name}_most_ms": {most}"#)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At least, the same as at most.
    fn waited(exchange: &mut Exchange, last_byte: u32, at_ns: u64) -> Vec<u64> {
        let mut all = Vec::new();
        exchange.left(Departure { last_byte, at_ns }, |_, waited| {
            assert_eq!(waited.least_ns, waited.most_ns);
            all.push(waited.least_ns);
        });
        all
    }

    fn at(ns: u64) -> Option<Came> {
        Some(Came {
            earliest_ns: ns,
            latest_ns: ns,
        })
    }

    #[test]
    fn requests_that_were_read_together_have_waited_between_two_times() {
        let mut exchange = Exchange::default();
        let came = Came {
            earliest_ns: 100,
            latest_ns: 700,
        };
        exchange.request_came(1, Some(came));
        exchange.sent(10);
        exchange.response_went(1);
        let mut all = Vec::new();
        let departure = Departure {
            last_byte: 9,
            at_ns: 1000,
        };
        exchange.left(departure, |_, waited| all.push((waited.least_ns, waited.most_ns)));
        assert_eq!(all, [(300, 900)]);
    }

    #[test]
    fn a_response_ends_with_its_last_byte() {
        let mut exchange = Exchange::default();
        exchange.request_came(0, at(1000));
        exchange.sent(25);
        exchange.sent(16);
        exchange.response_went(0);
        assert_eq!(waited(&mut exchange, 24, 1100), []);
        assert_eq!(waited(&mut exchange, 40, 1200), [200]);
        assert_eq!(waited(&mut exchange, 40, 1200), [], "told once");
        exchange.request_came(0, at(2000));
        exchange.sent(41);
        exchange.response_went(0);
        assert_eq!(waited(&mut exchange, 81, 2050), [50]);
    }

    #[test]
    fn streams_end_in_any_order_and_leave_together() {
        let mut exchange = Exchange::default();
        for (stream, came_ns) in [(1, 100), (3, 200), (5, 300)] {
            exchange.request_came(stream, at(came_ns));
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
        let mut seen = Seen::new(&[]);
        (1..=1000).for_each(|ns| {
            let waited = Waited {
                least_ns: ns,
                most_ns: 2 * ns,
            };
            seen.record(0, waited);
        });
        let said = seen.to_string();
        let begin = r#"{"answers": 1000, "p50_ms": 0.0005, "p50_most_ms": 0.001, "p90_ms": 0.0009, "#;
        assert!(said.starts_with(begin), "{said}");
        assert!(
            said.ends_with(r#""p999_ms": 0.000999, "p999_most_ms": 0.001998}"#),
            "{said}"
        );
    }

    #[test]
    fn paths_are_seen_apart() {
        let mut seen = Seen::new(&["/a".to_owned(), "/b".to_owned()]);
        for (stream, ns) in [(0, 1), (1, 10), (2, 100), (2, 100)] {
            let waited = Waited {
                least_ns: ns,
                most_ns: ns,
            };
            seen.record(stream, waited);
        }
        let said = seen.to_string();
        assert!(said.starts_with(r#"{"answers": 4, "#), "{said}");
        assert!(
            said.contains(r#""paths": {"/a": {"answers": 1, "p50_ms": 0.00001, "#),
            "{said}"
        );
        assert!(said.contains(r#""/b": {"answers": 2, "p50_ms": 0.0001, "#), "{said}");
    }
}
