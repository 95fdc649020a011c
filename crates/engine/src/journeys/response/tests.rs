//! Responses that are as they are to be, and others.

use super::*;
use plimsoll_plan::{Action, Plan};

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\netag: W/7\r\nset-cookie: sid=s1; Path=/\r\n";
const BODY: &[u8] = b"{\"id\": 17, \"name\": \"ann\", \"page\": \"<b>next-4</b>\"}";

/// What a request with `keys` says of that response, which took 20 ms; and what the user has kept then.
fn asked(keys: &str) -> (Result<(), Fault>, Option<String>) {
    asked_of(HEAD, BODY, keys)
}

/// The same of another response.
fn asked_of(head: &[u8], body: &[u8], keys: &str) -> (Result<(), Fault>, Option<String>) {
    let plan = format!(
        "target: http://h/\nscenario: {{ journeys: [{{ actions: [set: {{ who: ann }}, request: {{ path: /, {keys} }}] }}] }}\n"
    );
    let plan = Plan::parse(&plan, "plan.yaml").unwrap_or_else(|error| panic!("{error}"));
    let [set, request] = plan.scenario().journeys[0].actions.as_slice() else {
        panic!("two actions")
    };
    let (Action::Set(set), Action::Request(request)) = (set, request) else {
        panic!("a value and a request")
    };
    let mut user = Session::new(0, (0, 0), Box::default(), 1);
    user.keep(set[0].variable, b"ann".to_vec());
    let variables: Vec<_> = plan
        .scenario()
        .variables
        .iter()
        .map(|variable| variable.values.clone())
        .collect();
    let received = Received {
        head,
        body,
        body_bytes: body.len() as u64,
        took_ns: 20_000_000,
    };
    let asked = Asked::of(&request.takes, &request.checks);
    let outcome = received.take(&asked, &variables, &mut user);
    let kept = request.takes.first().and_then(|take| user.kept(take.variable));
    (outcome, kept.map(|value| String::from_utf8_lossy(value).into_owned()))
}

#[test]
fn a_check_holds_or_says_what_was_found() {
    for (holds, fails, expected, found) in [
        (
            "{ json: $.id, is: '17' }",
            "{ json: $.id, is: '18' }",
            "`18` at $.id",
            "`17`",
        ),
        (
            "{ json: $.name, is: '${who}' }",
            "{ json: $.page, is: '${who}' }",
            "`${…}` at $.page",
            "another value",
        ),
        (
            "{ header: ETag, is: W/7 }",
            "{ header: etag, is: W/8 }",
            "the header etag: `W/8`",
            "`W/7`",
        ),
        (
            "{ header: etag, is: W/7 }",
            "{ header: age, is: W/7 }",
            "the header age: `W/7`",
            "no such header",
        ),
        (
            "{ json: $.id }",
            "{ json: $.nick }",
            "a value at $.nick",
            "no such value in the JSON",
        ),
        (
            "{ json: $.id, is not: '18' }",
            "{ json: $.id, is not: '17' }",
            "anything but `17` at $.id",
            "that",
        ),
        (
            "{ header: etag, is not: W/8 }",
            "{ header: age, is not: W/8 }",
            "the header age: anything but `W/8`",
            "no such header",
        ),
        (
            "{ json: $.id, below: 100 }",
            "{ json: $.id, below: 9 }",
            "a number below `9` at $.id",
            "`17`",
        ),
        (
            "{ json: $.id, at most: 17.0 }",
            "{ json: $.id, above: 17 }",
            "a number above `17` at $.id",
            "`17`",
        ),
        (
            "{ header: etag, is: W/7 }",
            "{ header: etag, at least: 0 }",
            "the header etag: a number at least `0`",
            "`W/7`",
        ),
        (
            "{ lacks: next-5 }",
            "{ lacks: next-4 }",
            "no `next-4` in the body",
            "it is in the body",
        ),
        (
            "{ body: next-4 }",
            "{ body: next-5 }",
            "`next-5` in the body",
            "it is not in the body",
        ),
        (
            "{ matches: 'next-[0-9]<' }",
            "{ matches: 'next-[5-9]' }",
            "a match of a regular expression",
            "one is not in the body",
        ),
        (
            "{ size: { at most: 50 } }",
            "{ size: { at most: 9 } }",
            "a body of at most 9 bytes",
            "one of 50 bytes",
        ),
        (
            "{ size: { at least: 50 } }",
            "{ size: { at least: 51 } }",
            "a body of at least 51 bytes",
            "one of 50 bytes",
        ),
        (
            "{ time: 20ms }",
            "{ time: 19999us }",
            "a response within 19999us",
            "one after 20ms",
        ),
    ] {
        assert_eq!(asked(&format!("check: [{holds}]")).0, Ok(()), "{holds}");
        let fault = Fault {
            class: ErrorClass::Check,
            expected: expected.to_owned(),
            found: found.to_owned(),
        };
        assert_eq!(asked(&format!("check: [{fails}]")).0, Err(fault), "{fails}");
        // Each has to hold.
        assert!(asked(&format!("check: [{holds}, {fails}]")).0.is_err(), "{holds}");
    }
}

#[test]
fn a_value_is_taken_or_it_is_said_what_is_missing() {
    for (from, value, without, found) in [
        ("{ json: $.name }", "ann", "{ json: $.nick }", "a value at $.nick"),
        ("{ header: etag }", "W/7", "{ header: age }", "the header `age`"),
        ("{ cookie: sid }", "s1", "{ cookie: user }", "the cookie `user`"),
        (
            "{ between: { after: '<b>', before: '<' } }",
            "next-4",
            "{ between: { after: '<b>', before: '<i>' } }",
            "a value between two texts of the body",
        ),
        (
            "{ regex: 'next-([0-9])' }",
            "4",
            "{ regex: 'next-([5-9])' }",
            "a value that matches a regular expression",
        ),
    ] {
        assert_eq!(
            asked(&format!("take: {{ it: {from} }}")),
            (Ok(()), Some(value.to_owned())),
            "{from}"
        );
        let (outcome, kept) = asked(&format!("take: {{ it: {without} }}"));
        let fault = outcome.expect_err(without);
        assert_eq!(
            (fault.class, fault.expected.as_str(), kept),
            (ErrorClass::Take, found, None),
            "{without}"
        );
    }
}

/// A text as gzip has it that does not compress (RFC 1951, section 3.2.4), without what is behind its last block.
fn stored(text: &[u8]) -> Vec<u8> {
    let mut body = b"\x1f\x8b\x08\0\0\0\0\0\0\x03".to_vec();
    for block in text.chunks(0xffff) {
        let length = block.len() as u16;
        body.push(0);
        body.extend(length.to_le_bytes());
        body.extend((!length).to_le_bytes());
        body.extend(block);
    }
    body
}

#[test]
fn of_a_compressed_body_it_is_said_what_is_missing() {
    let head = b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n";
    let found = |text: &[u8], keys: &str| asked_of(head, &stored(text), keys).0.map_err(|fault| fault.found);
    let long = vec![b'x'; BODY_BYTES_MAX + 2];
    let too_long = "a body of more than 1048576 bytes without its content coding, which is too long to be read";
    assert_eq!(found(&long, "check: [{ json: $.id }]"), Err(too_long.to_owned()));
    let not_there = "it is not in the first 1048576 bytes of the body".to_owned();
    assert_eq!(found(&long, "check: [{ body: here }]"), Err(not_there));
    assert_eq!(found(&long, "check: [{ body: xx }, { lacks: here }]"), Ok(()));
    // One whose end did not come lacks whatever one looks for.
    let cut = "a body that is not in the content coding that it names".to_owned();
    assert_eq!(found(b"error", "check: [{ lacks: fatal }]"), Err(cut));
}
