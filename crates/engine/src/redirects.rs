//! How a request goes on where the service redirects it (RFC 9110, section 15.4), and how far.
//!
//! What is sent there is laid out beforehand like any request, with a variable in the place of its target.

use crate::with_cookies::add_cookies;
use plimsoll_plan::{Piece, Request, Scenario, Scheme, Secret, Template, Url};
use url::Position;

/// Longest target that a request follows, bytes.
const TARGET_BYTES_MAX: usize = 8192;
/// Headers that describe a body, and go with it.
const OF_BODIES: [&str; 4] = [
    "content-encoding",
    "content-language",
    "content-location",
    "content-type",
];

/// Statuses that send the client elsewhere.
pub(crate) fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

/// Requests of a scenario as they are sent where redirects lead to.
#[derive(Debug)]
pub(crate) struct Redirects<R> {
    /// Most of them that a request follows, one after the other.
    most: u32,
    scheme: &'static str,
    requests: Vec<Redirected<R>>,
}

#[derive(Debug)]
struct Redirected<R> {
    /// Where it is sent first.
    authority: Template,
    path: Template,
    is_post: bool,
    is_head: bool,
    /// Redirects that are the response which the plan expects.
    expected: Vec<(u16, u16)>,
    sent: Sent<R>,
    /// With the cookies of a user, where users send it.
    with_cookies: Option<Sent<R>>,
}

#[derive(Debug)]
struct Sent<R> {
    same: R,
    /// By GET and without a body.
    as_get: R,
}

/// What stands for values that requests have besides those of their scenario, as if they were its variables.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Beside {
    /// Where a redirect led to.
    pub(crate) target: usize,
    /// The cookies of a user, where users send the requests.
    pub(crate) cookies: Option<usize>,
}

/// What is sent next of a request that was redirected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hop {
    /// Path and query.
    pub(crate) target: Vec<u8>,
    pub(crate) as_get: bool,
    /// How many redirects led here.
    pub(crate) count: u32,
    /// When the first of its requests was sent.
    pub(crate) first_sent_ns: u64,
}

/// A redirect that a request got.
pub(crate) struct Redirect<'a> {
    pub(crate) status: u16,
    /// Value of `location`.
    pub(crate) location: &'a [u8],
    /// What it is the response to, if that was no redirect's lead already.
    pub(crate) hop: Option<&'a Hop>,
    pub(crate) sent_ns: u64,
}

/// Why a redirect is not followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NotFollowed {
    /// It leads away from here.
    Elsewhere,
    /// So many came before it.
    TooMany { most: u32 },
    /// It leads nowhere.
    Invalid { reason: String },
}

impl<R> Redirects<R> {
    /// Of the requests of a scenario for `url`, within its origin; `lay_out` is that of the requests themselves.
    ///
    /// # Errors
    /// What `lay_out` returns.
    pub(crate) fn lay_out<E>(
        scenario: &Scenario,
        url: &Url,
        most: u32,
        beside: &Beside,
        mut lay_out: impl FnMut(&Request, &Url) -> Result<R, E>,
    ) -> Result<Self, E> {
        let base = url.path.reveal().trim_end_matches('/');
        // What is sent to a proxy has whole URLs for targets.
        let is_proxied = base.contains("://");
        let (base, there) = match is_proxied {
            true => ("", url.clone()),
            false => {
                let path = Secret::from("/");
                (base, Url { path, ..url.clone() })
            }
        };
        let mut sent = |request: &Request| {
            Ok(Sent {
                as_get: lay_out(&as_get(request), &there)?,
                same: lay_out(request, &there)?,
            })
        };
        let mut redirected = |request: &Request| {
            let host = request
                .headers
                .iter()
                .find(|(name, _)| name.eq_ignore_ascii_case("host"));
            let begin = Piece::Literal(base.as_bytes());
            let path = Template::of([begin].into_iter().chain(request.path.reveal()));
            let target = Template::of([Piece::Variable(beside.target)]);
            let same = Request {
                path: target,
                ..request.clone()
            };
            Ok(Redirected {
                authority: host.map_or_else(|| Template::literal(url.authority()), |(_, value)| value.clone()),
                path,
                is_post: request.method.as_str() == "POST",
                is_head: request.method.as_str() == "HEAD",
                expected: match request.grpc {
                    // A call is made where it is made.
                    Some(_) => vec![(300, 399)],
                    None => request.expect.status.iter().copied().filter(is_of_redirects).collect(),
                },
                with_cookies: match beside.cookies {
                    Some(cookies) => Some(sent(&add_cookies(&same, cookies))?),
                    None => None,
                },
                sent: sent(&same)?,
            })
        };
        Ok(Self {
            most,
            scheme: match url.scheme {
                // A WebSocket follows none.
                Scheme::Http | Scheme::Ws | Scheme::SocketIo => "http",
                Scheme::Https | Scheme::Wss | Scheme::SocketIoTls => "https",
            },
            requests: match most {
                0 => Vec::new(),
                _ => scenario
                    .counted_requests()
                    .map(&mut redirected)
                    .collect::<Result<_, E>>()?,
            },
        })
    }

    /// Whether there are any that a request follows.
    pub(crate) fn are_followed(&self) -> bool {
        self.most > 0
    }

    /// Whether a response with this status to this request of the scenario is a redirect to follow.
    pub(crate) fn follows(&self, request: u16, status: u16) -> bool {
        let expected = &self.requests[request as usize].expected;
        is_redirect(status) && !expected.iter().any(|&(low, high)| (low..=high).contains(&status))
    }

    /// What is sent at a hop of this request of the scenario, with the cookies of a user or not.
    pub(crate) fn laid_out(&self, request: u16, hop: &Hop, cookies: bool) -> &R {
        let redirected = &self.requests[request as usize];
        let with_cookies = redirected.with_cookies.as_ref().filter(|_| cookies);
        let sent = with_cookies.unwrap_or(&redirected.sent);
        match hop.as_get {
            true => &sent.as_get,
            false => &sent.same,
        }
    }

    /// Where a redirect leads this request of the scenario, whose templates `text` fills in.
    ///
    /// # Errors
    /// When it leads to no place that the load may go to.
    pub(crate) fn next(
        &self,
        request: u16,
        redirect: &Redirect<'_>,
        text: impl Fn(&Template) -> Vec<u8>,
    ) -> Result<Hop, NotFollowed> {
        let count = redirect.hop.map_or(0, |hop| hop.count);
        if count == self.most {
            return Err(NotFollowed::TooMany { most: self.most });
        }
        let redirected = &self.requests[request as usize];
        let origin = format!("{}://{}", self.scheme, lossy(&text(&redirected.authority)));
        let from = match redirect.hop {
            Some(hop) => lossy(&hop.target),
            None => lossy(&text(&redirected.path)),
        };
        let target = resolve(&origin, &from, redirect.location)?;
        let was_get = redirect.hop.is_some_and(|hop| hop.as_get);
        Ok(Hop {
            target: target.into_bytes(),
            as_get: was_get
                || match redirect.status {
                    // As browsers do; RFC 9110 allows it.
                    301 | 302 => redirected.is_post,
                    303 => !redirected.is_head,
                    _ => false,
                },
            count: count + 1,
            first_sent_ns: redirect.hop.map_or(redirect.sent_ns, |hop| hop.first_sent_ns),
        })
    }
}

/// Whether it names redirects alone, so that they are what is wanted.
fn is_of_redirects(&(low, high): &(u16, u16)) -> bool {
    low >= 300 && high < 400
}

fn as_get(request: &Request) -> Request {
    let mut headers = request.headers.clone();
    headers.retain(|(name, _)| !OF_BODIES.iter().any(|of_body| name.eq_ignore_ascii_case(of_body)));
    Request {
        headers,
        ..Request::get(request.path.clone())
    }
}

/// Path and query that `location` leads to from a `target` of this origin, without a fragment.
fn resolve(origin: &str, target: &str, location: &[u8]) -> Result<String, NotFollowed> {
    let invalid = |error: url::ParseError| NotFollowed::Invalid {
        reason: error.to_string(),
    };
    let base = url::Url::parse(&format!("{origin}{target}")).map_err(invalid)?;
    let to = base.join(&ascii(location)).map_err(invalid)?;
    if to.origin() != base.origin() {
        return Err(NotFollowed::Elsewhere);
    }
    let target = &to[Position::BeforePath..Position::AfterQuery];
    if target.len() > TARGET_BYTES_MAX {
        let reason = format!("it is longer than {TARGET_BYTES_MAX} bytes");
        return Err(NotFollowed::Invalid { reason });
    }
    Ok(target.to_owned())
}

/// With bytes that are no ASCII as URLs have them, whatever they mean.
fn ascii(location: &[u8]) -> String {
    let mut text = String::with_capacity(location.len());
    for &byte in location {
        match byte {
            0..0x80 => text.push(byte.into()),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_plan::{Expect, Method};
    use std::convert::Infallible;

    #[test]
    fn a_location_is_resolved_against_the_request() {
        let check = |from: &str, location: &str, to: &str| {
            let found = resolve("http://shop.test:3000", from, location.as_bytes());
            assert_eq!(found.as_deref(), Ok(to), "{from} {location}");
        };
        // RFC 3986, section 5.4, where it stays at the host.
        for (location, to) in [
            ("g", "/b/c/g"),
            ("./g", "/b/c/g"),
            ("g/", "/b/c/g/"),
            ("/g", "/g"),
            ("?y", "/b/c/d;p?y"),
            ("g?y", "/b/c/g?y"),
            ("#s", "/b/c/d;p?q"),
            ("g?y#s", "/b/c/g?y"),
            (";x", "/b/c/;x"),
            ("", "/b/c/d;p?q"),
            (".", "/b/c/"),
            ("..", "/b/"),
            ("../../g", "/g"),
            ("../../../g", "/g"),
        ] {
            check("/b/c/d;p?q", location, to);
        }
        for location in [
            "http://shop.test:3000/a",
            "//shop.test:3000/a",
            "HTTP://me:secret@SHOP.test:3000/a#b",
            " /a\t",
        ] {
            check("/", location, "/a");
        }
        check("/", "http://shop.test:3000", "/");
        check("/", "/a b", "/a%20b");
        check("/", "/ü?ü", "/%C3%BC?%C3%BC");
    }

    #[test]
    fn nothing_leads_away_from_the_origin() {
        for location in [
            "https://shop.test:3000/",
            "http://shop.test/",
            "http://shop.test:3001/",
            "//other.test/",
            "\\\\other.test/",
            "mailto:a@b.test",
            "data:,x",
        ] {
            let found = resolve("http://shop.test:3000", "/", location.as_bytes());
            assert_eq!(found, Err(NotFollowed::Elsewhere), "{location}");
        }
        for location in ["http://", "http://a b/", "http://shop.test:port/"] {
            let found = resolve("http://shop.test:3000", "/", location.as_bytes());
            assert!(
                matches!(found, Err(NotFollowed::Invalid { .. })),
                "{location}: {found:?}"
            );
        }
        let long = format!("/{}", "x".repeat(TARGET_BYTES_MAX));
        assert!(resolve("http://shop.test:3000", "/", long.as_bytes()).is_err());
    }

    #[test]
    fn a_target_never_breaks_the_framing() {
        for byte in 0..=u8::MAX {
            for location in [
                vec![byte],
                [b"/a", &[byte][..], b"b"].concat(),
                [b"?", &[byte][..], b"b#"].concat(),
            ] {
                let Ok(target) = resolve("http://shop.test", "/x", &location) else {
                    panic!("{location:?} stays at the host");
                };
                let is_plain = |byte: u8| byte.is_ascii_graphic();
                assert!(
                    target.starts_with('/') && target.bytes().all(is_plain),
                    "{location:?}: {target:?}"
                );
            }
        }
    }

    /// What stands in it beside variables.
    fn text(template: &Template) -> Vec<u8> {
        let literal = |piece| match piece {
            Piece::Literal(bytes) => bytes,
            Piece::Variable(_) => b"",
        };
        template.reveal().flat_map(literal).copied().collect()
    }

    #[test]
    fn methods_change_as_browsers_change_them() {
        let request = |method: &str| Request {
            method: Method::new(method).expect("a token"),
            headers: vec![
                ("Content-Type".to_owned(), Template::literal("text/plain")),
                ("x-user".to_owned(), Template::literal("7")),
            ],
            body: Template::literal("body"),
            expect: Expect {
                status: vec![(200, 399), (308, 308)],
            },
            ..Request::get(Template::literal("/a"))
        };
        let methods = ["GET", "HEAD", "POST", "PUT"];
        let scenario = Scenario {
            requests: methods.map(request).to_vec(),
            ..Scenario::default()
        };
        let lay_out = |request: &Request, _: &Url| {
            Ok::<_, Infallible>(format!(
                "{} with {} headers and {} bytes",
                request.method.as_str(),
                request.headers.len(),
                text(&request.body).len()
            ))
        };
        let beside = Beside {
            target: 0,
            cookies: None,
        };
        let Ok(redirects) = Redirects::lay_out(&scenario, &Url::at("shop.test", 80), 2, &beside, lay_out);
        for (status, changed) in [
            (301, [false, false, true, false]),
            (302, [false, false, true, false]),
            (303, [true, false, true, true]),
            (307, [false; 4]),
        ] {
            for (index, changed) in changed.into_iter().enumerate() {
                let request = index as u16;
                assert!(redirects.follows(request, status) && !redirects.follows(request, 308));
                let redirect = |hop| Redirect {
                    status,
                    location: b"b",
                    hop,
                    sent_ns: 5,
                };
                let hop = redirects
                    .next(request, &redirect(None), text)
                    .expect("within the origin");
                let sent = match changed {
                    true => "GET with 1 headers and 0 bytes".to_owned(),
                    false => format!("{} with 2 headers and 4 bytes", methods[index]),
                };
                assert_eq!(
                    (hop.target.as_slice(), redirects.laid_out(request, &hop, false)),
                    (&b"/b"[..], &sent)
                );
                let temporary = Redirect {
                    status: 307,
                    sent_ns: 9,
                    ..redirect(Some(&hop))
                };
                let next = redirects.next(request, &temporary, text).expect("the second");
                assert_eq!((next.as_get, next.count, next.first_sent_ns), (changed, 2, 5));
                let last = redirects.next(request, &redirect(Some(&next)), text);
                assert_eq!(last, Err(NotFollowed::TooMany { most: 2 }));
            }
        }
    }
}
