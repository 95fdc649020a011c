//! The rules about what responds in the place of a neighbour.

use super::scenario::check_headers;
use super::{Checked, check_path, rule};
use crate::notation::mismatch::quoted;
use crate::notation::units::duration_text;
use crate::plan::draft::MOST_BODIES_BYTES;
use crate::plan::limits::ByteSize;
use crate::plan::stand_in::{ResponseTime, StandIn, StandInBody, StandInResponse};
use crate::plan::template::Template;
use std::time::Duration;

/// As long as what a service asks may keep it waiting before that is another experiment.
const LONGEST: Duration = Duration::from_secs(3600);
const MOST_RESPONSES: usize = 1000;
const MOST_BODY: ByteSize = ByteSize::new(MOST_BODIES_BYTES as u64);
/// They follow from the body and the connection.
const OWN_HEADERS: [&str; 3] = ["content-length", "transfer-encoding", "connection"];

pub(super) fn check_stand_in(key: &str, stand_in: &StandIn) -> Checked {
    let StandIn { port, responses } = stand_in;
    rule(*port > 0, format!("{key}.port"), "`0`", "a port from 1 to 65535")?;
    let key = format!("{key}.responses");
    let count = responses.len();
    let expected = format!("1 to {MOST_RESPONSES}");
    rule(
        (1..=MOST_RESPONSES).contains(&count),
        &key,
        format!("{count} responses"),
        expected,
    )?;
    let bodies = responses.iter().filter_map(|response| response.body.same());
    let bytes: usize = bodies.flat_map(Template::literals).map(<[u8]>::len).sum();
    let most = format!("at most {MOST_BODIES_BYTES} bytes in all bodies together");
    rule(bytes <= MOST_BODIES_BYTES, &key, format!("{bytes} bytes"), most)?;
    for (index, response) in responses.iter().enumerate() {
        check_response(&format!("{key}[{index}]"), response)?;
    }
    Ok(())
}

fn check_response(key: &str, response: &StandInResponse) -> Checked {
    let StandInResponse {
        method: _,
        path,
        time,
        status,
        headers,
        body,
        errors: _,
    } = response;
    if let Some(path) = path {
        let key = format!("{key}.path");
        let whole = path.strip_suffix('*').unwrap_or(path);
        // `*` alone is all paths.
        if !whole.is_empty() {
            check_path(&key, whole.as_bytes(), true)?;
        }
        let expected = "a path, with `*` at its end at most";
        rule(!whole.contains(['*', '?']), &key, quoted(path), expected)?;
    }
    let expected = "a status from 200 to 599";
    rule(
        (200..=599).contains(status),
        format!("{key}.status"),
        quoted(&status.to_string()),
        expected,
    )?;
    let silent = matches!(status, 204 | 304);
    let found = format!("a body with status {status}");
    rule(!silent || is_empty(body), key, found, "no body")?;
    check_headers(key, headers)?;
    for (name, _) in headers {
        let own = OWN_HEADERS.contains(&name.to_ascii_lowercase().as_str());
        let found = format!("the header `{name}`");
        rule(
            !own,
            format!("{key}.headers.{name}"),
            found,
            "a header that does not follow from the body",
        )?;
    }
    if let StandInBody::Size { from, to } = body {
        let key = format!("{key}.size");
        rule(
            from <= to,
            &key,
            format!("a size from {from} to {to}"),
            "the smaller size at `from`",
        )?;
        rule(*to <= MOST_BODY, &key, to.to_string(), format!("at most {MOST_BODY}"))?;
    }
    match time {
        ResponseTime::Spread(spread) => check_spread(&format!("{key}.response_time"), spread),
        ResponseTime::Run { .. } => Ok(()),
    }
}

fn is_empty(body: &StandInBody) -> bool {
    match body {
        StandInBody::Same(body) => body.is_empty(),
        StandInBody::Size { to, .. } => to.bytes() == 0,
    }
}

fn check_spread(key: &str, spread: &[(u32, Duration)]) -> Checked {
    for pair in spread.windows(2) {
        let (shorter, longer) = (pair[0].1, pair[1].1);
        let found = format!("{} before {}", duration_text(shorter), duration_text(longer));
        rule(
            shorter <= longer,
            key,
            found,
            "times that get longer from `from` over the percentiles to `to`",
        )?;
    }
    let longest = spread.last().map(|(_, longest)| *longest).unwrap_or_default();
    let most = format!("at most {}", duration_text(LONGEST));
    rule(longest <= LONGEST, key, duration_text(longest), most)
}
