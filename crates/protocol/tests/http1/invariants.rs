//! What must hold for any bytes whatever. The property tests, the replayed corpus and the fuzz targets share it.

use plimsoll_protocol::http1::{Completed, LastHead, Malformed, Progress, RequestEncoder, ResponseReader, Truncated};
use plimsoll_protocol::{Part, RequestKind, RequestParts};

/// What a driver of the reader sees on one connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Event {
    /// A complete response.
    Response(Completed),
    /// The name of the [`Malformed`](plimsoll_protocol::http1::Malformed). What it quotes depends on how much had come.
    Malformed(String),
    /// The name and the fields of the [`Truncated`](plimsoll_protocol::http1::Truncated).
    Truncated(String),
    /// The peer closed and nothing was missing.
    Closed,
}

/// Reads `stream` in `pieces`, as responses to `requests` in turn, then closes. Ends early when the connection does.
pub(crate) fn events<'a>(requests: &[RequestKind], pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<Event> {
    read_after(&mut LastHead::default(), requests, pieces).0
}

/// The same, after another stream of the same service; and all content that was handed on.
fn read_after<'a>(
    last: &mut LastHead,
    requests: &[RequestKind],
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> (Vec<Event>, Vec<u8>) {
    let (mut events, mut content) = (Vec::new(), Vec::new());
    let mut ended = 0;
    let mut requests = requests.iter();
    let mut reader = ResponseReader::new();
    requests.next().into_iter().for_each(|&request| reader.expect(request));
    for mut piece in pieces {
        while !piece.is_empty() {
            match reader.feed_to(piece, last, |piece| content.extend_from_slice(piece)) {
                Ok(Progress::NeedMore) => break,
                Ok(Progress::Done { consumed, response }) => {
                    assert!(
                        (1..=piece.len()).contains(&consumed),
                        "{consumed} of {} bytes taken",
                        piece.len()
                    );
                    piece = &piece[consumed..];
                    assert_eq!((content.len() - ended) as u64, response.body_bytes);
                    ended = content.len();
                    events.push(Event::Response(response));
                    if !response.keep_alive {
                        return (events, content);
                    }
                    requests.next().into_iter().for_each(|&request| reader.expect(request));
                }
                Err(malformed) => {
                    events.push(Event::Malformed(name_of(&malformed)));
                    assert_eq!(
                        reader.end_of_stream(),
                        Ok(None),
                        "the reader is not as new after an error"
                    );
                    return (events, content);
                }
            }
        }
    }
    events.push(match reader.end_of_stream() {
        Ok(Some(response)) => Event::Response(response),
        Ok(None) => Event::Closed,
        Err(Truncated::Malformed(malformed)) => Event::Malformed(name_of(&malformed)),
        Err(truncated) => Event::Truncated(format!("{truncated:?}")),
    });
    (events, content)
}

fn name_of(malformed: &Malformed) -> String {
    let text = format!("{malformed:?}");
    text.split(' ').next().unwrap_or_default().to_owned()
}

/// Longest stream that is also read byte by byte; a split head is parsed again with each piece.
const BYTE_BY_BYTE_MAX: usize = 2048;

/// However a stream is cut and whatever came before, it means the same. The first byte of `input` says to which requests the stream responses, the
/// second how it is cut, and the rest is the stream.
pub(crate) fn response_means_the_same_however_it_is_cut(input: &[u8]) {
    let [requests, cuts, stream @ ..] = input else {
        return;
    };
    let requests: Vec<RequestKind> = (0..4)
        .map(|place| match (requests >> (2 * place)) & 3 {
            0 => RequestKind::Head,
            1 => RequestKind::Connect,
            _ => RequestKind::Other,
        })
        .collect();
    let mut last = LastHead::default();
    let whole = read_after(&mut last, &requests, [stream]);
    assert_eq!(whole, read_after(&mut last, &requests, [stream]), "again");
    let new = LastHead::default;
    let in_pieces = read_after(&mut new(), &requests, cut(stream, *cuts));
    assert_eq!(whole, in_pieces, "cut by {cuts}");
    if stream.len() <= BYTE_BY_BYTE_MAX {
        let bytes = read_after(&mut new(), &requests, stream.chunks(1));
        assert_eq!(whole, bytes, "byte by byte");
    }
}

/// Cuts `stream` into pieces whose lengths follow from `seed`: some of a few bytes, some long.
fn cut(stream: &[u8], seed: u8) -> impl Iterator<Item = &[u8]> {
    let mut rest = stream;
    let mut state = u32::from(seed);
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let longest = if state & 0x8000_0000 == 0 { 8 } else { 1024 };
        let length = 1 + (state >> 16) as usize % longest;
        let (piece, after) = rest.split_at(length.min(rest.len()));
        rest = after;
        Some(piece)
    })
}

/// What the encoder accepts, a server reads as that one request and nothing else. `input` is six fields with 0xff between
/// them: method, target, name and value of one header, value of a variable, body. `$` in target, header value and body
/// stands for the variable.
pub(crate) fn encoded_request_reads_back(input: &[u8]) {
    let mut fields = input.splitn(6, |&b| b == 0xff);
    let mut field = || fields.next().unwrap_or_default();
    let (method, target, name, header, variable, body) = (field(), field(), field(), field(), field(), field());
    let (Ok(method), Ok(name)) = (std::str::from_utf8(method), std::str::from_utf8(name)) else {
        return;
    };
    let request = RequestParts {
        method,
        authority: "localhost:8080",
        target: &parts(target),
        headers: &[(name, &parts(header))],
        body: &parts(body),
        keep_alive: true,
    };
    let Ok(encoder) = RequestEncoder::new(&request) else {
        return;
    };
    if encoder.check_value(0, variable).is_err() {
        return;
    }
    let mut bytes = Vec::new();
    encoder.encode(|_| variable, &mut bytes);
    if let Some(fixed) = encoder.as_static() {
        assert_eq!(fixed, bytes);
    }

    let filled = |text: &[u8]| -> Vec<u8> {
        text.iter()
            .flat_map(|b| if *b == b'$' { variable } else { std::slice::from_ref(b) })
            .copied()
            .collect()
    };
    let (target, header, body) = (filled(target), filled(header), filled(body));
    let (head, sent_body) = split_head(&bytes);
    assert_eq!(sent_body, body);
    let mut lines = head
        .split(|&b| b == b'\n')
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    assert_eq!(
        lines.next(),
        Some([method.as_bytes(), b" ", &target, b" HTTP/1.1"].concat().as_slice())
    );
    let fields: Vec<&[u8]> = lines.collect();
    assert!(fields.contains(&[name.as_bytes(), b": ", &header].concat().as_slice()));
    if !body.is_empty()
        && !["content-length", "transfer-encoding"]
            .iter()
            .any(|n| name.eq_ignore_ascii_case(n))
    {
        assert!(fields.contains(&format!("content-length: {}", body.len()).as_bytes()));
    }
    // Exactly these, so that nothing that was filled in can have begun a line of its own.
    let added = ["host", "user-agent", "accept"]
        .iter()
        .filter(|added| !name.eq_ignore_ascii_case(added))
        .count();
    let length = fields
        .iter()
        .filter(|field| field.starts_with(b"content-length: "))
        .count();
    let length_given = usize::from(name == "content-length");
    assert_eq!(fields.len(), 1 + added + length - length_given);
}

/// `$` as the variable, all else as it is.
fn parts(text: &[u8]) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    for (place, literal) in text.split(|&b| b == b'$').enumerate() {
        if place > 0 {
            parts.push(Part::Variable(0));
        }
        if !literal.is_empty() {
            parts.push(Part::Literal(literal));
        }
    }
    parts
}

fn split_head(request: &[u8]) -> (&[u8], &[u8]) {
    let end = request
        .windows(4)
        .position(|window| window == b"\r\n\r\n")
        .expect("the head has an end");
    (&request[..end], &request[end + 4..])
}

/// The first byte chooses the coding.
pub(crate) fn opened_body_has_its_bounds(input: &[u8]) {
    const MOST_BYTES: usize = 4096;
    let codings = ["gzip", "deflate", "br", "zstd", "identity"];
    let Some((&first, body)) = input.split_first() else {
        return;
    };
    let coding = codings[usize::from(first) % codings.len()];
    if let Ok(opened) = plimsoll_protocol::content::opened(coding.as_bytes(), body, MOST_BYTES) {
        assert!(opened.len() <= MOST_BYTES, "{} bytes", opened.len());
    }
}
