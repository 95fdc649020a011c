//! Whether the service responds in the second variant as in the first.

use super::ComparedRound;
use crate::responses::responses_together;
use plimsoll_findings::{ResponsesBeside, ResponsesOf};
use plimsoll_measure::probe::Content;
use plimsoll_measure::run_directory::ComparisonInfo;
use std::collections::{BTreeMap, BTreeSet};

/// Differences below this share are not worth a word: the requests of two rounds are not quite the same.
const SAME: f64 = 0.01;

/// What came back in the rounds of both of two variants.
pub(super) fn beside(info: &ComparisonInfo, rounds: &[ComparedRound]) -> Option<ResponsesBeside> {
    if info.variants.len() != 2 {
        return None;
    }
    let [first, other] = [0, 1].map(|variant| CameBack::of(rounds.iter().filter(|round| round.variant == variant)));
    let (first, other) = (first?, other?);
    Some(ResponsesBeside {
        same_status: first
            .statuses
            .iter()
            .zip(other.statuses)
            .all(|(a, b)| (a - b).abs() < SAME),
        same_length: (other.mean_bytes / first.mean_bytes - 1.0).abs() < SAME,
        same_content: same_content(&first.contents, &other.contents),
        mean_bytes: first.mean_bytes,
        other_mean_bytes: other.mean_bytes,
    })
}

/// What came back to a variant.
struct CameBack<'a> {
    /// Share of the responses with each first digit of the status, and with none that is known.
    statuses: [f64; 6],
    mean_bytes: f64,
    contents: Contents<'a>,
}

/// What the first responses said to each request: status and hash of the body.
type Contents<'a> = BTreeMap<&'a str, BTreeSet<(u16, &'a str)>>;

impl<'a> CameBack<'a> {
    /// `None` where nothing came back.
    fn of(rounds: impl Iterator<Item = &'a ComparedRound> + Clone) -> Option<Self> {
        let together = responses_together(ResponsesOf::Run, rounds.clone().map(|round| &round.responses));
        let [s1, s2, s3, s4, s5] = together.status;
        let (mut completed, mut bytes) = (0_u64, 0_u64);
        let mut contents = Contents::new();
        for round in rounds {
            completed += round.received.0;
            bytes += round.received.1;
            for Content {
                request,
                status,
                content,
                ..
            } in &round.contents
            {
                contents.entry(request).or_default().insert((*status, content));
            }
        }
        (completed > 0).then(|| Self {
            statuses: [s1, s2, s3, s4, s5, together.status_other].map(|count| count as f64 / completed as f64),
            mean_bytes: bytes as f64 / completed as f64,
            contents,
        })
    }
}

/// Of the requests that both variants had, and that always got the same from the first. `None` where there are none.
fn same_content(first: &Contents<'_>, other: &Contents<'_>) -> Option<bool> {
    let steady = first.iter().filter(|(_, said)| said.len() == 1);
    let mut both = steady
        .filter_map(|(request, said)| Some((said, other.get(request)?)))
        .peekable();
    both.peek()?;
    Some(both.all(|(said, other)| said == other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contents<'a>(all: &[(&'a str, &'a [&'a str])]) -> Contents<'a> {
        let of =
            |(request, said): &(&'a str, &'a [&'a str])| (*request, said.iter().map(|said| (200, *said)).collect());
        all.iter().map(of).collect()
    }

    #[test]
    fn contents_are_compared_request_by_request() {
        let first = contents(&[("a", &["1"]), ("b", &["2"]), ("only here", &["3"])]);
        assert_eq!(same_content(&first, &first), Some(true));
        assert_eq!(
            same_content(&first, &contents(&[("a", &["1"]), ("only there", &["4"])])),
            Some(true)
        );
        assert_eq!(
            same_content(&first, &contents(&[("a", &["1"]), ("b", &["5"])])),
            Some(false)
        );
    }

    #[test]
    fn what_varies_anyhow_says_nothing() {
        let first = contents(&[("time", &["1", "2"]), ("fixed", &["3"])]);
        assert_eq!(
            same_content(&first, &contents(&[("time", &["4", "5"]), ("fixed", &["3"])])),
            Some(true)
        );
        assert_eq!(same_content(&first, &contents(&[("time", &["4"])])), None);
        assert_eq!(same_content(&contents(&[]), &first), None);
    }
}
