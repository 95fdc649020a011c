//! A session that begins by long polling, until a WebSocket takes over.

use super::*;

/// What the client says once the service has said this.
fn hear(client: &mut SocketIo<u8>, bytes: impl AsRef<[u8]>, log: &mut Log) -> (Result<Standing, Failure>, Vec<u8>) {
    let mut out = Vec::new();
    let outcome = client.receive(bytes.as_ref(), &mut LastHead::default(), &mut out, log);
    (outcome, out)
}

/// A response of long polling.
fn ok(content: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{content}", content.len())
}

/// The request line and the content of what a client says.
fn asked(out: &[u8]) -> (String, String) {
    let text = std::str::from_utf8(out).unwrap();
    let (head, content) = text.split_once("\r\n\r\n").unwrap();
    let (line, fields) = head.split_once("\r\n").unwrap();
    match fields.contains("content-length: ") {
        true => assert!(
            fields.contains(&format!("content-length: {}", content.len())),
            "{fields}"
        ),
        false => assert_eq!(content, ""),
    }
    (line.to_owned(), content.to_owned())
}

/// A client that has asked for a session, and of what it has asked.
fn begun() -> (SocketIo<u8>, Log) {
    let mut client = SocketIo::new(WebSocket::new(Keys::new(1)), 2, true);
    let parts = RequestParts {
        headers: &[
            ("x-of", &[Part::Variable(0)]),
            ("Sec-WebSocket-Protocol", &[Part::Literal(b"chat")]),
        ],
        ..PARTS
    };
    let mut out = Vec::new();
    client.start(&opening(&parts, Transport::Upgrade), |_| b"ann", 0, &mut out);
    let text = String::from_utf8(out.clone()).unwrap();
    assert!(
        text.contains("\r\nx-of: ann\r\n") && !text.contains("WebSocket"),
        "{text}"
    );
    assert_eq!(asked(&out).0, "GET /socket.io/?EIO=4&transport=polling HTTP/1.1");
    assert_eq!((client.capacity(), client.in_flight()), (0, 1));
    (client, Log::default())
}

const OPENED: &str = "0{\"sid\":\"a/b\",\"upgrades\":[\"websocket\"],\"pingInterval\":25000}";
const POLL: &str = "GET /socket.io/?EIO=4&transport=polling&sid=a%2Fb HTTP/1.1";
const POST: &str = "POST /socket.io/?EIO=4&transport=polling&sid=a%2Fb HTTP/1.1";
const UPGRADE: &str = "GET /socket.io/?EIO=4&transport=websocket&sid=a%2Fb HTTP/1.1";

#[test]
fn a_web_socket_takes_over_once_the_client_is_let_in() {
    let (mut client, mut log) = begun();
    let mut say = |bytes: &[u8]| {
        let (outcome, out) = hear(&mut client, bytes, &mut log);
        assert_eq!(outcome, Ok(Standing::Open), "{}", bytes.escape_ascii());
        out
    };
    let join = (POST.to_owned(), "40/chat,{\"user\":\"ann\"}".to_owned());
    assert_eq!(asked(&say(ok(OPENED).as_bytes())), join);
    assert_eq!(asked(&say(ok("ok").as_bytes())).0, POLL);
    // A ping that comes meanwhile has its pong, before the client polls again.
    assert_eq!(
        asked(&say(ok("2\u{1e}6").as_bytes())),
        (POST.to_owned(), "3".to_owned())
    );
    assert_eq!(asked(&say(ok("ok").as_bytes())).0, POLL);
    let joined = "40/chat,{\"sid\":\"b\"}\u{1e}451-/chat,[\"picture\",{\"_placeholder\":true,\"num\":0}]\u{1e}bAAEC\u{1e}42/chat,[\"news\"]";
    let upgrade = say(ok(joined).as_bytes());
    assert_eq!(asked(&upgrade).0, UPGRADE);
    let request = String::from_utf8(upgrade).unwrap();
    assert!(request.contains("Sec-WebSocket-Protocol: chat"), "{request}");
    assert_eq!(said(&say(switching(&request).as_bytes())), ["2probe"]);
    assert_eq!(said(&say(&frame("3probe"))), ["5"]);
    assert_eq!(
        (&log.opened, client.capacity(), client.in_flight()),
        (&vec![SWITCHED], 2, 0)
    );
    assert_eq!(emit(&mut client, 1, true), ["42/chat,0[\"say\",\"hi\"]"]);
    super::say(&mut client, "43/chat,0[]", &mut log).0.unwrap();
    assert_eq!(log.responded, [1]);
}

#[test]
fn responses_in_pieces_come_to_the_same() {
    let (mut client, mut log) = begun();
    let mut out = Vec::new();
    for response in [
        ok(OPENED),
        ok("ok"),
        ok("6\u{1e}40/chat,{\"sid\":\"b\"}\u{1e}42/chat,[1]"),
    ] {
        for byte in response.as_bytes().chunks(1) {
            out.clear();
            client
                .receive(byte, &mut LastHead::default(), &mut out, &mut log)
                .unwrap();
        }
    }
    assert_eq!(asked(&out).0, UPGRADE);
}

#[test]
fn a_session_that_cannot_be_upgraded_is_said() {
    for (responses, expected) in [
        (
            &[ok("0{\"sid\":\"a\",\"upgrades\":[]}")][..],
            "offers no upgrade to a WebSocket",
        ),
        (&[ok("0{\"upgrades\":[\"websocket\"]}")], "without an identifier"),
        (&[ok("hello")], "no packet of Socket.IO"),
        (&[ok("")], "no packet of Socket.IO"),
        (&[ok("6")], "opens no session"),
        (&[ok(OPENED).replace("HTTP/1.1", "HTTP/1.0")], "ends the connection"),
        (&[ok(OPENED), ok("ok"), ok("44/chat,\"members only\"")], "members only"),
        (&[ok(OPENED), ok("ok"), ok("1")], "ended the session"),
    ] {
        let (mut client, mut log) = begun();
        let mut outcomes = responses.iter().map(|response| hear(&mut client, response, &mut log).0);
        let failure = outcomes.find_map(Result::err).expect(expected);
        drop(outcomes);
        assert!(format!("{failure:?}").contains(expected), "{failure:?}");
        assert_eq!((log.opened.len(), client.give_up(&mut Vec::new())), (0, Some(0)));
    }
}

#[test]
fn statuses_are_those_of_what_opens_the_connection() {
    let refused = "HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\nno";
    for before in [
        &[][..],
        &[ok(OPENED)],
        &[ok(OPENED), ok("ok")],
        &[ok(OPENED), ok("ok"), ok("40/chat,{}")],
    ] {
        let (mut client, mut log) = begun();
        for response in before {
            hear(&mut client, response, &mut log).0.unwrap();
        }
        assert_eq!(hear(&mut client, refused, &mut log).0, Ok(Standing::Closing));
        assert_eq!((log.opened, client.in_flight(), client.capacity()), (vec![400], 0, 0));
    }
}

#[test]
fn ends_while_polling_are_told_apart() {
    let (mut client, mut log) = begun();
    assert_eq!(
        client.end_of_stream(StreamEnd::Finished, &mut log),
        Err(Failure::CutOff)
    );
    assert_eq!(client.give_up(&mut Vec::new()), Some(0));
    let (mut client, mut log) = begun();
    hear(&mut client, "HTTP/1.1 503 Busy\r\n\r\nbusy", &mut log).0.unwrap();
    assert_eq!(
        client.came(),
        Came::Body {
            status: 503,
            received_bytes: 4,
            end: crate::BodyEnd::Connection
        }
    );
    assert_eq!(client.end_of_stream(StreamEnd::Finished, &mut log), Ok(()));
    assert_eq!((log.opened, client.in_flight()), (vec![503], 0));
}
