//! Notices on what the service sent, where it is not what one thinks one measures.

use crate::errors::example;
use crate::window::charged_races;
use plimsoll_findings::Notice;
use plimsoll_measure::{Counters, ErrorClass, Examples, Sight};

/// What the reader should know of the responses of a run.
pub(crate) fn notices(totals: &Counters, examples: &Examples) -> Vec<Notice> {
    let first = |of| examples.get(of).map(example);
    let mut notices = Vec::new();
    let completed = totals.completed;
    if totals.redirects > completed / 2 {
        notices.push(Notice::Redirects {
            count: totals.redirects,
            completed,
            first: first(Sight::Redirect),
        });
    }
    let [.., client, server] = totals.status;
    let expected = client
        .saturating_add(server)
        .saturating_sub(totals.errors.get(ErrorClass::Status));
    if expected > completed / 2 {
        notices.push(Notice::ErrorStatuses {
            count: expected,
            completed,
        });
    }
    if totals.races() > 0 {
        notices.push(Notice::KeepAliveRaces {
            count: totals.races(),
            repeated: totals.repeated,
            share: totals.races() as f64 / totals.finished() as f64,
            charged: charged_races(totals) > 0,
            first: first(Sight::KeepAliveRace),
        });
    }
    if totals.unrequested > 0 {
        notices.push(Notice::UnrequestedBytes {
            connections: totals.unrequested,
            first: first(Sight::Unrequested),
        });
    }
    notices
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_measure::Example;

    fn found(totals: &Counters) -> Vec<Notice> {
        let mut examples = Examples::default();
        examples.add(Example::new(
            Sight::Redirect,
            1_000_000_000,
            "",
            "status 302 Found, to /login",
            b"",
        ));
        notices(totals, &examples)
    }

    #[test]
    fn a_run_that_is_mostly_redirects_says_so() {
        let totals = |redirects| Counters {
            completed: 100,
            passed: 100,
            status: [0, 0, 100, 0, 0],
            redirects,
            ..Counters::default()
        };
        assert_eq!(found(&totals(50)), []);
        let found = found(&totals(51));
        let [
            Notice::Redirects {
                count,
                completed,
                first,
            },
        ] = found.as_slice()
        else {
            panic!("{found:?}");
        };
        let first = first.as_ref().map(|first| (first.at_s, first.found.as_str()));
        assert_eq!((*count, *completed), (51, 100));
        assert_eq!(first, Some((1.0, "status 302 Found, to /login")));
    }

    #[test]
    fn error_statuses_that_the_plan_expects_are_said() {
        let mut totals = Counters {
            completed: 100,
            status: [0, 10, 0, 60, 30],
            ..Counters::default()
        };
        let expected = Notice::ErrorStatuses {
            count: 90,
            completed: 100,
        };
        assert_eq!(found(&totals), [expected]);
        totals.errors.add(ErrorClass::Status, 60);
        assert_eq!(found(&totals), []);
    }

    #[test]
    fn races_and_unrequested_bytes_are_said() {
        let totals = Counters {
            completed: 90,
            passed: 90,
            keep_alive_races: 10,
            unrequested: 3,
            ..Counters::default()
        };
        let races = Notice::KeepAliveRaces {
            count: 10,
            repeated: 0,
            share: 0.1,
            charged: false,
            first: None,
        };
        let bytes = Notice::UnrequestedBytes {
            connections: 3,
            first: None,
        };
        assert_eq!(found(&totals), [races, bytes]);
    }
}
