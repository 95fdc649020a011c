//! Notices on what the service sent, where it is not what one thinks one measures.

use crate::findings::Notice;
use crate::sentences::count;
use crate::window::charged_races;
use plimsoll_measure::{Counters, ErrorClass, Examples, Sight};

/// What the reader should know of the responses of a run.
pub(crate) fn notices(totals: &Counters, examples: &Examples) -> Vec<Notice> {
    let first = |of| {
        examples.get(of).map_or(String::new(), |example| {
            let received = match example.received.as_str() {
                "" => String::new(),
                text => format!(": {text}"),
            };
            format!(
                "; the first, at {:.1} s: {}{received}",
                example.at_ns as f64 / 1e9,
                example.found
            )
        })
    };
    let notice = |code: &str, message: String, hint: &str| Notice {
        code: code.to_owned(),
        message,
        hint: Some(hint.to_owned()),
    };
    let mut notices = Vec::new();
    let completed = totals.completed;
    if totals.redirects > completed / 2 {
        notices.push(notice(
            "redirects",
            format!(
                "{} of {} responses are redirects, which are not followed: the run measures redirects, not what they lead to{}",
                count(totals.redirects),
                count(completed),
                first(Sight::Redirect)
            ),
            "give the plan the address that they lead to",
        ));
    }
    let [.., client, server] = totals.status;
    let expected = client
        .saturating_add(server)
        .saturating_sub(totals.errors.get(ErrorClass::Status));
    if expected > completed / 2 {
        notices.push(notice(
            "error_statuses",
            format!(
                "{} of {} responses have a status of 400 or above, which the plan expects: the run measures errors",
                count(expected),
                count(completed)
            ),
            "see that the address is right, and let `expect.status` name the statuses of a success",
        ));
    }
    if totals.races() > 0 {
        let share = 100.0 * totals.races() as f64 / totals.finished() as f64;
        let whose = if charged_races(totals) > 0 {
            "more than one in five, so they count as errors"
        } else {
            "they do not count as errors"
        };
        notices.push(notice(
            "keep_alive_races",
            format!(
                "{} ({share:.2} %) met a kept connection that the service was closing, {} sent again; {whose}{}",
                counted(totals.races(), "request"),
                count(totals.repeated),
                first(Sight::KeepAliveRace)
            ),
            "let the service keep idle connections for longer than its clients do (Node.js: server.keepAliveTimeout), or \
             announce it with `keep-alive: timeout=N`",
        ));
    }
    if totals.unrequested > 0 {
        notices.push(notice(
            "unrequested_bytes",
            format!(
                "{} given up because bytes came that no request had asked for{}",
                counted(totals.unrequested, "connection"),
                first(Sight::Unrequested)
            ),
            "see whether `content-length` is less than the body, or a body follows a response that has none (to HEAD, 204, 304)",
        ));
    }
    notices
}

fn counted(number: u64, what: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{} {what}{s}", count(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_measure::Example;

    #[track_caller]
    fn check(totals: &Counters, codes: &[&str]) -> Vec<Notice> {
        let mut examples = Examples::default();
        examples.add(Example::new(
            Sight::Redirect,
            1_000_000_000,
            "",
            "status 302 Found, to /login",
            b"",
        ));
        examples.add(Example::new(Sight::Unrequested, 0, "", "5 bytes came", b"extra"));
        let notices = notices(totals, &examples);
        let found: Vec<_> = notices.iter().map(|notice| notice.code.as_str()).collect();
        assert_eq!(found, codes);
        notices
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
        check(&totals(50), &[]);
        let [notice] = check(&totals(51), &["redirects"]).try_into().expect("one");
        assert!(
            notice
                .message
                .ends_with("; the first, at 1.0 s: status 302 Found, to /login"),
            "{}",
            notice.message
        );
    }

    #[test]
    fn error_statuses_that_the_plan_expects_are_said() {
        let mut totals = Counters {
            completed: 100,
            status: [0, 10, 0, 60, 30],
            ..Counters::default()
        };
        check(&totals, &["error_statuses"]);
        totals.errors.add(ErrorClass::Status, 60);
        check(&totals, &[]);
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
        let [races, bytes] = check(&totals, &["keep_alive_races", "unrequested_bytes"])
            .try_into()
            .expect("two");
        assert!(races.message.contains("10 requests (10.00 %)") && races.message.contains("do not count as errors"));
        assert!(bytes.message.ends_with("5 bytes came: extra"), "{}", bytes.message);
    }
}
