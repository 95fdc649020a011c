//! The failures of the samples.

use plimsoll_analysis::{ErrorFinding, ExampleFinding};

pub(crate) fn error(class: &str, count: u64, share: f64) -> ErrorFinding {
    let meaning = match class {
        "refused" => "the port refused the connection: nothing listens there, or its backlog is full",
        "reset" => "the connection ended before the whole answer was there",
        "response_timeout" => "no whole answer came within the response timeout",
        "status" => "the status was not one that the plan expects",
        "keep_alive_race" => "the service was closing the kept connection as the request was sent",
        "no_port" => "the generator had no local port left for a new connection",
        _ => "",
    };
    ErrorFinding {
        class: class.to_owned(),
        count,
        share,
        meaning: meaning.to_owned(),
        generators_own: class == "no_port",
        charged: class != "keep_alive_race",
        example: example(class),
    }
}

fn example(class: &str) -> Option<ExampleFinding> {
    let (expected, found, received) = match class {
        "refused" => ("a connection", "Connection refused (os error 111)", ""),
        "status" => (
            "status 2xx",
            "status 503 Service Unavailable, text/html; charset=utf-8",
            "<!DOCTYPE html> <title>503</title> no worker is free",
        ),
        "keep_alive_race" => (
            "",
            "the service closed the connection, after 5.0 s without a request, as the request was sent",
            "",
        ),
        _ => return None,
    };
    Some(ExampleFinding {
        at_s: 3.25,
        expected: expected.to_owned(),
        found: found.to_owned(),
        received: received.to_owned(),
    })
}
