//! What a stand-in does, as it is handed over in JSON.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use rand::RngExt as _;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::time::Duration;

/// Where it listens and what it responds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Behaviour {
    /// Port of 127.0.0.1.
    pub port: u16,
    /// Of times, sizes and errors.
    pub seed: u64,
    /// The first one that fits is given to a request.
    pub responses: Vec<Response>,
}

/// What requests are given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// Of which method they are; `None` is any.
    pub method: Option<String>,
    /// Where they go, without a query; `*` at the end is anything, and `None` is all.
    pub path: Option<String>,
    /// From the end of a request to the beginning of the response.
    pub times: Times,
    /// Of those that are no errors.
    pub status: u16,
    /// Header fields besides those that say how long the body is.
    pub headers: Vec<(String, Content)>,
    /// What it says.
    pub body: Body,
    /// The share that has status 503 instead, and no body.
    pub errors: f64,
}

impl Response {
    /// Whether it is for a request of this method and path.
    pub(crate) fn fits(&self, method: &str, path: &str) -> bool {
        let of_method = self.method.as_ref().is_none_or(|own| own == method);
        let of_path = self.path.as_ref().is_none_or(|own| match own.strip_suffix('*') {
            Some(beginning) => path.starts_with(beginning),
            None => path == own,
        });
        of_method && of_path
    }
}

/// What a response says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// Always the same.
    Same(Content),
    /// So many bytes that mean nothing, from the fewest to the most.
    Size(usize, usize),
}

/// Bytes; in base64 where they are handed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content(pub Vec<u8>);

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&BASE64.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        BASE64.decode(text).map(Self).map_err(D::Error::custom)
    }
}

/// How times are spread: pairs of a share of the responses, from 0 to 1, and the nanoseconds that so many take at most. Between two of
/// them times are spread evenly.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Times(pub Vec<(f64, u64)>);

impl Times {
    /// One of them.
    pub(crate) fn draw(&self, random: &mut impl rand::Rng) -> Duration {
        self.at(random.random())
    }

    /// What this share of the responses takes at most.
    fn at(&self, share: f64) -> Duration {
        let above = self.0.partition_point(|(known, _)| *known <= share);
        let last = self.0.last().copied().unwrap_or_default();
        let before = above.checked_sub(1).and_then(|index| self.0.get(index)).copied();
        let (from, from_ns) = before.unwrap_or((0.0, 0));
        let (to, to_ns) = self.0.get(above).copied().unwrap_or(last);
        let part = if to > from { (share - from) / (to - from) } else { 0.0 };
        Duration::from_nanos(from_ns + (to_ns.saturating_sub(from_ns) as f64 * part) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng as _;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn path_with_a_star_is_all_that_begin_so() {
        let of = |method: Option<&str>, path: Option<&str>| Response {
            method: method.map(str::to_owned),
            path: path.map(str::to_owned),
            times: Times(vec![(1.0, 0)]),
            status: 200,
            headers: Vec::new(),
            body: Body::Size(0, 0),
            errors: 0.0,
        };
        assert!(of(None, None).fits("GET", "/x"));
        assert!(of(None, Some("/x")).fits("GET", "/x"));
        assert!(!of(None, Some("/x")).fits("GET", "/x/y"));
        assert!(of(None, Some("/x*")).fits("GET", "/x/y"));
        assert!(of(Some("PUT"), Some("*")).fits("PUT", "/x"));
        assert!(!of(Some("PUT"), None).fits("GET", "/x"));
    }

    proptest! {
        /// Of many times the share that lies at or below a percentile is the one that was asked for.
        #[test]
        fn times_have_the_percentiles_that_were_given(
            mut given in proptest::collection::vec(1_u64..1_000_000_000, 3),
            from in 0_u64..1_000,
            seed: u64,
        ) {
            given.sort_unstable();
            let [p50, p99, most] = [given[0], given[1], given[2]];
            let times = Times(vec![(0.0, from.min(p50)), (0.5, p50), (0.99, p99), (1.0, most)]);
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let drawn: Vec<u128> = (0..4000).map(|_| times.draw(&mut random).as_nanos()).collect();
            let share = |at_most: u64| drawn.iter().filter(|ns| **ns <= u128::from(at_most)).count() as f64 / 4000.0;
            // Five standard errors.
            prop_assert!(share(p50) >= 0.5 - 0.04, "{}", share(p50));
            prop_assert!(share(p99) >= 0.99 - 0.008, "{}", share(p99));
            prop_assert!(share(p50.saturating_sub(1)) <= 0.5 + 0.04 || p50 == from);
            prop_assert!(drawn.iter().all(|ns| *ns <= u128::from(most)));
        }
    }
}
