//! Failures by class.

use crate::window::charged_races;
use plimsoll_findings::{ErrorFinding, ExampleFinding, FailureClass};
use plimsoll_measure::{Counters, Example, Examples};

/// Classes that occurred, most frequent first, and the keep-alive races among them.
pub(crate) fn findings(totals: &Counters, examples: &Examples) -> Vec<ErrorFinding> {
    let finished = totals.finished().max(1) as f64;
    by_class(totals)
        .into_iter()
        .map(|(class, count)| ErrorFinding {
            class,
            count,
            share: count as f64 / finished,
            generators_own: class.is_generators_own(),
            charged: class != FailureClass::KeepAliveRace || charged_races(totals) > 0,
            example: examples.get(class.sight()).map(example),
        })
        .collect()
}

/// How many failures there were of each class that occurred, and keep-alive races, the most frequent first.
pub(crate) fn by_class(totals: &Counters) -> Vec<(FailureClass, u64)> {
    let races = (FailureClass::KeepAliveRace, totals.races());
    let failures = totals.errors.iter();
    let mut classes: Vec<_> = failures
        .map(|(class, count)| (FailureClass::Error(class), count))
        .chain(Some(races).filter(|&(_, count)| count > 0))
        .collect();
    // A stable sort: equal counts stay in the order of the classes.
    classes.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    classes
}

pub(crate) fn example(example: &Example) -> ExampleFinding {
    ExampleFinding {
        at_s: example.at_ns as f64 / 1e9,
        request: Some(example.request.clone()).filter(|name| !name.is_empty()),
        expected: example.expected.clone(),
        found: example.found.clone(),
        received: example.received.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_measure::{ErrorClass, Sight};

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
