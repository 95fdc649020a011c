//! The opening handshake (RFC 6455, section 4): a request of HTTP/1.1 whose response is 101.

use super::deflate::{self, Agreed};
use crate::http1::{RequestEncoder, field};
use crate::quote::quote;
use crate::request::literals;
use crate::{InvalidRequest, Part, RequestKind, RequestParts};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

/// What a service appends to the key (section 1.3).
const GUID: &[u8] = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const KEY_FIELD: &str = "sec-websocket-key";
const PROTOCOL_FIELD: &str = "sec-websocket-protocol";
const EXTENSIONS_FIELD: &str = "sec-websocket-extensions";
/// Stands for the key in a request, as if it were a variable of the caller.
const KEY_VARIABLE: usize = usize::MAX;

/// The key of one handshake, in base64.
pub(crate) type Key = [u8; 24];

/// The key that these bytes make.
pub(super) fn key(bytes: [u8; 16]) -> Key {
    let mut key = [0; 24];
    // 16 bytes are 24 in base64.
    let _ = BASE64.encode_slice(bytes, &mut key);
    key
}

/// One kind of opening handshake, laid out once.
#[derive(Debug, Clone)]
pub struct Opening {
    request: RequestEncoder,
    /// Subprotocols of which the service may choose one; `None` where they vary.
    protocols: Option<Vec<String>>,
    /// Whether the service may compress messages.
    offers_deflate: bool,
}

impl Opening {
    /// Lays out the handshake that `request` makes: a GET whose headers are the caller's, such as `sec-websocket-protocol`, and those
    /// of the handshake.
    ///
    /// # Errors
    /// When a literal would break the framing of the request.
    pub fn new(request: &RequestParts<'_>) -> Result<Self, InvalidRequest> {
        let key = [Part::Variable(KEY_VARIABLE)];
        let mut headers: Vec<(&str, &[Part<'_>])> = vec![
            ("connection", &[Part::Literal(b"Upgrade")]),
            ("upgrade", &[Part::Literal(b"websocket")]),
            ("sec-websocket-version", &[Part::Literal(b"13")]),
            (KEY_FIELD, &key),
        ];
        headers.retain(|(name, _)| *name == KEY_FIELD || !request.gives(name));
        let given = request
            .headers
            .iter()
            .filter(|(name, _)| !name.eq_ignore_ascii_case(KEY_FIELD));
        headers.extend(given.copied());
        Ok(Self {
            protocols: protocols(request),
            offers_deflate: offers_deflate(request),
            request: RequestEncoder::new(&RequestParts {
                headers: &headers,
                body: &[],
                keep_alive: true,
                ..*request
            })?,
        })
    }

    /// Whether `value` may stand for `variable`.
    ///
    /// # Errors
    /// As [`RequestEncoder::check_value`].
    pub fn check_value(&self, variable: usize, value: &[u8]) -> Result<(), InvalidRequest> {
        self.request.check_value(variable, value)
    }

    pub(super) fn kind(&self) -> RequestKind {
        self.request.kind()
    }

    pub(super) fn encode<'k, 'v: 'k>(&self, key: &'k Key, value: impl Fn(usize) -> &'v [u8], out: &mut Vec<u8>) {
        let value = |variable| match variable {
            KEY_VARIABLE => &key[..],
            _ => value(variable),
        };
        self.request.encode(value, out);
    }

    pub(super) fn offers_deflate(&self) -> bool {
        self.offers_deflate
    }

    pub(super) fn protocols(&self) -> Option<&[String]> {
        self.protocols.as_deref()
    }
}

fn protocols(request: &RequestParts<'_>) -> Option<Vec<String>> {
    let mut protocols = Vec::new();
    let fields = request
        .headers
        .iter()
        .filter(|(name, _)| name.eq_ignore_ascii_case(PROTOCOL_FIELD));
    for part in fields.flat_map(|(_, value)| *value) {
        let Part::Literal(bytes) = part else { return None };
        let names = bytes.split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
        protocols.extend(names.map(|name| String::from_utf8_lossy(name).into_owned()));
    }
    Some(protocols)
}

/// Whether the caller's headers offer [compression](deflate).
fn offers_deflate(request: &RequestParts<'_>) -> bool {
    let mut fields = request.headers.iter();
    fields.any(|(name, value)| {
        let mut offers = literals(value).flat_map(|literal| literal.split(|&byte| byte == b','));
        name.eq_ignore_ascii_case(EXTENSIONS_FIELD) && offers.any(|offer| offer.trim_ascii().starts_with(deflate::NAME))
    })
}

/// Checks the head of a response with status 101 (section 4.1), and says whether and how the service compresses messages. What is wrong fits
/// after a colon.
pub(super) fn check(
    head: &[u8],
    key: &Key,
    protocols: Option<&[String]>,
    offers_deflate: bool,
) -> Result<Option<Agreed>, String> {
    let has = |name: &str, token: &str| {
        let value = field(head, name).unwrap_or_default();
        let mut tokens = value.split(|&byte| byte == b',');
        tokens.any(|found| found.trim_ascii().eq_ignore_ascii_case(token.as_bytes()))
    };
    if !has("upgrade", "websocket") || !has("connection", "upgrade") {
        return Err("a response 101 without `upgrade: websocket` and `connection: upgrade`".to_owned());
    }
    match field(head, "sec-websocket-accept") {
        None => return Err("a response 101 without `sec-websocket-accept`".to_owned()),
        Some(accept) if accept != accept_of(key).as_bytes() => {
            return Err(
                "a response 101 whose `sec-websocket-accept` does not belong to the key that was sent".to_owned(),
            );
        }
        Some(_) => {}
    }
    let agreed = match field(head, EXTENSIONS_FIELD) {
        None => None,
        Some(extensions) if offers_deflate => Some(Agreed::read(extensions)?),
        Some(extensions) => {
            return Err(format!(
                "the extension {}, although none was offered",
                quote(extensions)
            ));
        }
    };
    match (field(head, PROTOCOL_FIELD), protocols) {
        (Some(chosen), Some(offered)) if !offered.iter().any(|name| name.as_bytes() == chosen) => {
            Err(format!("the subprotocol {}, which was not offered", quote(chosen)))
        }
        _ => Ok(agreed),
    }
}

pub(crate) fn accept_of(key: &Key) -> String {
    let mut hash = sha1_smol::Sha1::new();
    hash.update(key);
    hash.update(GUID);
    BASE64.encode(hash.digest().bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 6455, section 1.3.
    const KEY: &Key = b"dGhlIHNhbXBsZSBub25jZQ==";
    const ACCEPT: &str = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

    #[test]
    fn accept_of_the_standard_is_found() {
        assert_eq!(accept_of(KEY), ACCEPT);
        assert_eq!(&key(*b"the sample nonce"), KEY);
    }

    #[test]
    fn what_a_service_must_say_is_checked() {
        let accept = format!("Sec-WebSocket-Accept: {ACCEPT}\r\n");
        let upgrade = "Upgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n";
        let chat = "Sec-WebSocket-Protocol: chat\r\n";
        for (fields, offered, expected) in [
            (format!("{upgrade}{accept}"), &[][..], None),
            (format!("{upgrade}{accept}"), &["chat"], None),
            (format!("{upgrade}{accept}{chat}"), &["soap", "chat"], None),
            (format!("{upgrade}{accept}{chat}"), &[], Some("the subprotocol `chat`")),
            (accept.clone(), &[], Some("without `upgrade")),
            (upgrade.to_owned(), &[], Some("without `sec-websocket-accept`")),
            (
                format!("{upgrade}Sec-WebSocket-Accept: x\r\n"),
                &[],
                Some("does not belong"),
            ),
            (
                format!("{upgrade}{accept}Sec-WebSocket-Extensions: permessage-deflate\r\n"),
                &[],
                Some("the extension `permessage-deflate`"),
            ),
        ] {
            let head = format!("HTTP/1.1 101 Switching Protocols\r\n{fields}\r\n");
            let offered: Vec<String> = offered.iter().map(|&name| name.to_owned()).collect();
            let found = check(head.as_bytes(), KEY, Some(&offered), false).err();
            match expected {
                None => assert_eq!(found, None, "{fields}"),
                Some(expected) => assert!(
                    found.as_ref().is_some_and(|found| found.contains(expected)),
                    "{found:?}"
                ),
            }
        }
    }

    #[test]
    fn compression_is_agreed_where_it_was_offered() {
        let agreed = |offered: &str, chosen: &str| {
            let parts = RequestParts {
                method: "GET",
                authority: "shop",
                target: &[Part::Literal(b"/")],
                headers: &[("Sec-WebSocket-Extensions", &[Part::Literal(offered.as_bytes())])],
                body: &[],
                keep_alive: true,
            };
            let offers = Opening::new(&parts).unwrap().offers_deflate();
            let head = format!(
                "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\
                 sec-websocket-accept: {ACCEPT}\r\n{chosen}\r\n"
            );
            check(head.as_bytes(), KEY, None, offers)
        };
        let chosen = "sec-websocket-extensions: permessage-deflate; server_no_context_takeover\r\n";
        let offered = "permessage-deflate; client_max_window_bits";
        assert_eq!(agreed(offered, chosen), Ok(Some(Agreed { keeps: false })));
        assert_eq!(agreed(offered, ""), Ok(None));
        assert!(agreed("mystery", chosen).is_err());
    }

    #[test]
    fn handshakes_are_requests_of_http() {
        let opening = Opening::new(&RequestParts {
            method: "GET",
            authority: "shop:81",
            target: &[Part::Literal(b"/chat?user="), Part::Variable(0)],
            headers: &[("Sec-WebSocket-Protocol", &[Part::Literal(b"soap, chat")])],
            body: &[],
            keep_alive: true,
        })
        .unwrap();
        let mut out = Vec::new();
        opening.encode(KEY, |_| b"7", &mut out);
        let agent = crate::request::USER_AGENT;
        let expected = format!(
            "GET /chat?user=7 HTTP/1.1\r\nhost: shop:81\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
             sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: soap, chat\r\nuser-agent: {agent}\r\naccept: */*\r\n\r\n"
        );
        assert_eq!(String::from_utf8(out).unwrap(), expected);
        assert_eq!(opening.protocols(), Some(&["soap".to_owned(), "chat".to_owned()][..]));
    }
}
