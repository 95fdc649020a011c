//! Failures by class and what each class means.

use crate::findings::ErrorFinding;
use plimsoll_measure::{Counters, ErrorClass};

/// Classes that occurred, most frequent first.
pub(crate) fn findings(totals: &Counters) -> Vec<ErrorFinding> {
    let finished = totals.finished().max(1) as f64;
    let mut errors: Vec<_> = totals
        .errors
        .iter()
        .map(|(class, count)| ErrorFinding {
            class: class.as_str().to_owned(),
            count,
            share: count as f64 / finished,
            meaning: meaning(class).to_owned(),
            generators_own: class.is_generators_own(),
        })
        .collect();
    // A stable sort: equal counts stay in the order of the classes.
    errors.sort_by_key(|error| std::cmp::Reverse(error.count));
    errors
}

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
        let errors = findings(&totals);
        let brief: Vec<_> = errors
            .iter()
            .map(|e| (e.class.as_str(), e.share, e.generators_own))
            .collect();
        assert_eq!(brief, [("no_port", 0.08, true), ("refused", 0.02, false)]);
    }
}
