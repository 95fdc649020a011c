//! Words for what came back: statuses, and failures with their first examples.

use crate::figures;
use plimsoll_findings::{ErrorFinding, ExampleFinding, FailureClass, Findings, ResponsesBeside, ResponsesFinding};
use plimsoll_measure::ErrorClass;

/// What the first failure of a class looked like: what was expected and found, and how that begins which came.
pub(crate) fn example(example: &ExampleFinding) -> String {
    let expected = match example.expected.as_str() {
        "" => String::new(),
        expected => format!("expected {expected}, found "),
    };
    let received = match example.received.as_str() {
        "" => String::new(),
        received => format!("; it begins: {received}"),
    };
    format!(
        "first at {}{}: {expected}{}{received}",
        figures::length_s(example.at_s),
        example
            .request
            .as_ref()
            .map_or(String::new(), |name| format!(", request {name}")),
        example.found
    )
}

/// What a class of failures means.
pub(crate) const fn meaning(class: FailureClass) -> &'static str {
    let class = match class {
        FailureClass::KeepAliveRace => {
            return "the service was closing the kept connection as the request was sent, so it never saw the request";
        }
        FailureClass::Error(class) => class,
    };
    match class {
        ErrorClass::Refused => "nothing listens there, or the queue of new connections is full",
        ErrorClass::Unreachable => "no way there: no route, host or network down, or no such unix socket",
        ErrorClass::ConnectTimeout => "no connection within the connect timeout",
        ErrorClass::Tls => "the TLS handshake failed, or the session that it began",
        ErrorClass::Reset => "the connection ended before the whole response was there",
        ErrorClass::StreamReset => "the service gave up the request, whose connection went on",
        ErrorClass::Closed => "the service ended a connection that was to stay open",
        ErrorClass::ResponseTimeout => "no whole response within the response timeout",
        ErrorClass::Malformed => "what came was not valid HTTP or WebSocket, or no response to a call of gRPC",
        ErrorClass::Status => "the status was not one that the plan expects",
        ErrorClass::NotFollowed => "a redirect led away from the service, or to one redirect after another",
        ErrorClass::Check => "the response was not what the journey checks, which ended with it",
        ErrorClass::Take => "the response had no value for the journey to take, which ended with it",
        ErrorClass::GrpcNoStatus => {
            "the response to a call did not say how the call went, as where a proxy cuts trailers off"
        }
        ErrorClass::GrpcCancelled => "the service gave up the call: CANCELLED",
        ErrorClass::GrpcUnknown => "the call failed for a reason that the service does not name: UNKNOWN",
        ErrorClass::GrpcInvalidArgument => "the service rejects the message: INVALID_ARGUMENT",
        ErrorClass::GrpcDeadlineExceeded => {
            "the service did not respond within the deadline of the call: DEADLINE_EXCEEDED"
        }
        ErrorClass::GrpcNotFound => "the service does not have what was asked for: NOT_FOUND",
        ErrorClass::GrpcAlreadyExists => "the service already has what was to be made: ALREADY_EXISTS",
        ErrorClass::GrpcPermissionDenied => "the caller is not allowed to do that: PERMISSION_DENIED",
        ErrorClass::GrpcResourceExhausted => {
            "the service has run out of something, or limits its callers: RESOURCE_EXHAUSTED"
        }
        ErrorClass::GrpcFailedPrecondition => {
            "the service is not in a state in which it takes the call: FAILED_PRECONDITION"
        }
        ErrorClass::GrpcAborted => "the service aborted the call, often because of concurrent ones: ABORTED",
        ErrorClass::GrpcOutOfRange => "the call asked for something beyond the valid range: OUT_OF_RANGE",
        ErrorClass::GrpcUnimplemented => "the service does not implement that method: UNIMPLEMENTED",
        ErrorClass::GrpcInternal => "an error inside the service: INTERNAL",
        ErrorClass::GrpcUnavailable => "the service, or one behind it, is unavailable now: UNAVAILABLE",
        ErrorClass::GrpcDataLoss => "the service has lost data: DATA_LOSS",
        ErrorClass::GrpcUnauthenticated => "the call has no valid credentials: UNAUTHENTICATED",
        ErrorClass::CloseProtocolError => "the service closed the WebSocket: 1002, protocol error",
        ErrorClass::CloseUnsupportedData => "the service closed the WebSocket: 1003, unsupported data",
        ErrorClass::CloseInvalidPayload => "the service closed the WebSocket: 1007, invalid payload",
        ErrorClass::ClosePolicyViolation => "the service closed the WebSocket: 1008, policy violation",
        ErrorClass::CloseTooBig => "the service closed the WebSocket: 1009, message too big",
        ErrorClass::CloseInternalError => "the service closed the WebSocket: 1011, internal error",
        ErrorClass::CloseServiceRestart => "the service closed the WebSocket: 1012, service restart",
        ErrorClass::CloseTryAgainLater => "the service closed the WebSocket: 1013, try again later",
        ErrorClass::ClosePrivate => "the service closed the WebSocket with a code of its own, from 3000 to 4999",
        ErrorClass::CloseOther => "the service closed the WebSocket with another code",
        ErrorClass::NotAdmitted => "the service refused the client of Socket.IO its namespace (CONNECT_ERROR)",
        ErrorClass::NoPort => "the generator had no local port left for a new connection",
        ErrorClass::NoDescriptor => "the generator had no file descriptor left for a new connection",
    }
}

/// Whether the second of two variants responds as the first.
pub(crate) fn responses_beside(of: &ResponsesBeside) -> String {
    let [mean, other] = [of.mean_bytes, of.other_mean_bytes].map(|mean| figures::bytes(mean as u64));
    let length = match of.same_length {
        true => format!("{mean} on average"),
        false => format!("{mean} → {other} on average"),
    };
    let in_what = |same: bool| {
        let content = of.same_content.filter(|is| *is == same).map(|_| "content");
        let status = (of.same_status == same).then_some("status");
        let bytes = (of.same_length == same).then_some("length");
        let all: Vec<_> = [status, bytes, content].into_iter().flatten().collect();
        all.join(", ")
    };
    match of.is_same() {
        true => format!("the same by {}; {length}", in_what(true)),
        false => format!("they differ in {}; {length}", in_what(false)),
    }
}

/// Whose failure it is, where it is not the service's.
pub(crate) fn whose(error: &ErrorFinding) -> &'static str {
    match (error.generators_own, error.charged) {
        (true, _) => " (the generator's own)",
        (false, false) => " (not counted as errors)",
        (false, true) => "",
    }
}

/// A class of failures: how many, what they mean, and the first of them.
pub(crate) fn failure(error: &ErrorFinding) -> String {
    let example = error.example.as_ref().map(example);
    format!(
        "{}{}: {}, {} of the requests; {}{}",
        error.class.as_str(),
        whose(error),
        figures::count(error.count),
        figures::share(error.share),
        meaning(error.class),
        example.map_or(String::new(), |example| format!("; {example}"))
    )
}

/// Statuses by class that occurred in a run, and how many redirects led to them.
pub(crate) fn statuses(findings: &Findings) -> String {
    let totals = &findings.totals;
    let statuses = statuses_of(&totals.status, totals.status_other);
    match totals.followed {
        0 => statuses,
        followed => format!("{statuses}; {} followed", figures::counted(followed, "redirect")),
    }
}

/// Statuses by class that occurred in several.
pub(crate) fn statuses_together(responses: &ResponsesFinding) -> String {
    statuses_of(&responses.status, responses.status_other)
}

pub(super) fn statuses_of(status: &[u64], others: u64) -> String {
    let classes = status.iter().enumerate();
    let classes = classes.map(|(class, &n)| (format!("{}xx", class + 1), n));
    let seen: Vec<String> = classes
        .chain([("others".to_owned(), others)])
        .filter(|&(_, n)| n > 0)
        .map(|(name, n)| format!("{name} {}", figures::count(n)))
        .collect();
    if seen.is_empty() {
        "none".to_owned()
    } else {
        seen.join(", ")
    }
}
