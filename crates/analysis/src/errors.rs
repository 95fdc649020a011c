//! Failures by class and what each class means.

use crate::findings::{ErrorFinding, ExampleFinding};
use crate::window::charged_races;
use plimsoll_measure::{Counters, ErrorClass, Example, Examples, Sight};

/// Classes that occurred, most frequent first, and the keep-alive races among them.
pub(crate) fn findings(totals: &Counters, examples: &Examples) -> Vec<ErrorFinding> {
    let finished = totals.finished().max(1) as f64;
    let races = (Sight::KeepAliveRace, totals.races());
    let failures = totals
        .errors
        .iter()
        .map(|(class, count)| (Sight::Failure(class), count));
    let mut errors: Vec<_> = failures
        .chain(Some(races).filter(|&(_, count)| count > 0))
        .map(|(of, count)| ErrorFinding {
            class: of.as_str().to_owned(),
            count,
            share: count as f64 / finished,
            meaning: match of {
                Sight::Failure(class) => meaning(class),
                _ => RACE,
            }
            .to_owned(),
            generators_own: matches!(of, Sight::Failure(class) if class.is_generators_own()),
            charged: of != Sight::KeepAliveRace || charged_races(totals) > 0,
            example: examples.get(of).map(example),
        })
        .collect();
    // A stable sort: equal counts stay in the order of the classes.
    errors.sort_by_key(|error| std::cmp::Reverse(error.count));
    errors
}

fn example(example: &Example) -> ExampleFinding {
    ExampleFinding {
        at_s: example.at_ns as f64 / 1e9,
        expected: example.expected.clone(),
        found: example.found.clone(),
        received: example.received.clone(),
    }
}

const RACE: &str = "the service was closing the kept connection as the request was sent, so it never saw the request";

fn meaning(class: ErrorClass) -> &'static str {
    match class {
        ErrorClass::Refused => "nothing listens on the port, or its queue of new connections is full",
        ErrorClass::Unreachable => "no connection to the host: no route, or host or network down",
        ErrorClass::ConnectTimeout => "no connection within the connect timeout",
        ErrorClass::Reset => "the connection ended before the whole answer was there",
        ErrorClass::Closed => "the service ended a connection that was to be held",
        ErrorClass::ResponseTimeout => "no whole answer within the response timeout",
        ErrorClass::Malformed => "the answer was not valid HTTP",
        ErrorClass::Status => "the status was not one that the plan expects",
        ErrorClass::Check => "the answer failed a check of the plan",
        ErrorClass::NoPort => "the generator had no local port left for a new connection",
        ErrorClass::NoDescriptor => "the generator had no file descriptor left for a new connection",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_class_comes_first_with_its_share() {
        let mut totals = Counters {
            passed: 90,
            ..Counters::default()
        };
        totals.errors.add(ErrorClass::Refused, 2);
        totals.errors.add(ErrorClass::NoPort, 8);
        let errors = findings(&totals, &Examples::default());
        let brief: Vec<_> = errors
            .iter()
            .map(|e| (e.class.as_str(), e.share, e.generators_own))
            .collect();
        assert_eq!(brief, [("no_port", 0.08, true), ("refused", 0.02, false)]);
    }

    #[test]
    fn a_race_is_a_line_of_its_own_and_charged_where_races_are_many() {
        let check = |races, passed, charged| {
            let totals = Counters {
                passed,
                keep_alive_races: races,
                ..Counters::default()
            };
            let mut examples = Examples::default();
            examples.add(Example::new(Sight::KeepAliveRace, 2_500_000_000, "", "closed", b""));
            let [race] = findings(&totals, &examples).try_into().expect("one class");
            assert_eq!(
                (race.class.as_str(), race.count, race.charged),
                ("keep_alive_race", races, charged)
            );
            assert_eq!(race.example.map(|example| example.at_s), Some(2.5));
        };
        check(1, 99, false);
        check(20, 80, false);
        check(21, 79, true);
        check(1, 0, true);
    }
}
