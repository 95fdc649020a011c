//! Unix sockets in URLs: `http+unix://%2Frun%2Fapp.sock/path`, the path of the socket as the host.

use crate::notation::mismatch::{Mismatch, quoted};
use crate::plan::address::{NoSocketPath, SOCKET_PATH_BYTES_MAX, SocketPath};
use crate::secrets::masked_text;
use percent_encoding::percent_decode_str;

/// What such a URL begins with.
pub(crate) const SCHEME: &str = "http+unix://";

/// Reads what stands for the host.
pub(crate) fn read_path(host: &str) -> Result<SocketPath, Mismatch> {
    let shown = |path: &str| quoted(&masked_text(path));
    if host.contains(':') {
        return Err(
            Mismatch::new("a `:` behind the path of a unix socket", "no port, as it has none")
                .hint("write a `:` of the path itself as %3A"),
        );
    }
    let path = percent_decode_str(host)
        .decode_utf8()
        .map_err(|_| Mismatch::new("the path of a unix socket that is not UTF-8", "one that is"))?;
    SocketPath::new(path.as_ref()).map_err(|fault| match fault {
        NoSocketPath::Abstract => Mismatch::new("an abstract unix socket", "one with a path in the file system"),
        NoSocketPath::Unprintable => Mismatch::new("the path of a unix socket with control characters", "one without"),
        NoSocketPath::Relative => Mismatch::new(
            shown(&path),
            "the absolute path of a unix socket, such as %2Frun%2Fapp.sock",
        )
        .hint("begin it with %2F: plimsoll and the service may run in different directories"),
        NoSocketPath::Directory => Mismatch::new(shown(&path), "the path of a unix socket, without a `/` at its end"),
        NoSocketPath::Long(bytes) => Mismatch::new(
            format!("the path of a unix socket with {bytes} bytes"),
            format!("at most {SOCKET_PATH_BYTES_MAX}, as the kernel allows no more"),
        )
        .hint("let the service listen at a shorter path, such as one in /run or /tmp"),
    })
}

/// Whether `text`, which is no URL, seems to mean a unix socket, as curl, nginx, Docker, got and others write one.
pub(crate) fn is_meant(text: &str) -> bool {
    let path = text.split(['?', '#']).next().unwrap_or_default();
    strip(path).is_some() || socket_end(path).is_some() || path.to_ascii_lowercase().starts_with("http://%2f")
}

/// What to do about such a text.
pub(crate) fn hint(text: &str) -> String {
    suggestion(text).map_or_else(
        || {
            "write a unix socket as `http+unix://%2Frun%2Fapp.sock/path`: the path of the socket with %2F for each `/`, then \
             the path of the request"
                .to_owned()
        },
        |url| format!("did you mean `{url}`?"),
    )
}

/// The URL that `text` most likely stands for.
fn suggestion(text: &str) -> Option<String> {
    // nginx writes one in front of the path of a request, of which there may be none.
    let text = text.trim_end_matches(':');
    if text.contains(['?', '#', '@', '$']) || text.contains(char::is_whitespace) {
        return None;
    }
    let rest = strip(text).or_else(|| text.get("http://".len()..).filter(|_| text.contains("://")));
    let rest = rest.unwrap_or(text);
    // `//` begins an authority, of which there is none: what follows is the path, or all but its first `/`.
    let rest = rest.strip_prefix("//").unwrap_or(rest);
    let (socket, path) = match (rest.find(":/"), socket_end(rest)) {
        (Some(colon), _) => (&rest[..colon], &rest[colon + 1..]),
        (None, Some(end)) => rest.split_at(end),
        (None, None) => (rest, ""),
    };
    let socket = percent_decode_str(socket).decode_utf8().ok()?;
    let may_be_shown = |part: &str| masked_text(part) == part;
    if socket.starts_with('.') || !may_be_shown(&socket) || !may_be_shown(path) {
        return None;
    }
    let socket = SocketPath::new(format!("/{}", socket.trim_start_matches('/'))).ok()?;
    let path = if path.is_empty() { "/" } else { path };
    Some(format!("{SCHEME}{}{path}", socket.encoded()))
}

/// What follows a beginning that means a unix socket.
fn strip(text: &str) -> Option<&str> {
    let beginnings = ["http+unix:", "unix+http:", "http://unix:", "unix:"];
    beginnings.iter().find_map(|beginning| {
        let (start, rest) = text.split_at_checked(beginning.len())?;
        start.eq_ignore_ascii_case(beginning).then_some(rest)
    })
}

/// Where the name of a socket ends by its extension, at the end of the text or of a part of it.
fn socket_end(text: &str) -> Option<usize> {
    [".sock", ".socket"].iter().find_map(|extension| {
        let ends = text.match_indices(extension).map(|(at, _)| at + extension.len());
        ends.into_iter()
            .find(|&end| text[end..].is_empty() || text[end..].starts_with(['/', ':']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::address::Server;
    use crate::plan::url::Url;

    #[test]
    fn socket_urls_are_taken_apart() {
        let longest = "x".repeat(SOCKET_PATH_BYTES_MAX - 1);
        for (text, socket, path, again) in [
            (
                "http+unix://%2Frun%2Fapp.sock/a?b=c",
                "/run/app.sock",
                "/a?b=c",
                "http+unix://%2Frun%2Fapp.sock/a?b=[redacted]",
            ),
            (
                "HTTP+Unix://%2frun%2Fmy%20app%3A1",
                "/run/my app:1",
                "/",
                "http+unix://%2Frun%2Fmy%20app%3A1/",
            ),
            (
                "http+unix://me:s%2Fecret@%2Ftmp%2F%C3%A4~_-.s/",
                "/tmp/ä~_-.s",
                "/",
                "http+unix://%2Ftmp%2F%C3%A4~_-.s/",
            ),
            (
                &format!("http+unix://%2F{longest}/"),
                &format!("/{longest}"),
                "/",
                &format!("http+unix://%2F{longest}/"),
            ),
        ] {
            let url = Url::parse(text).expect(text);
            let Server::Unix(found) = &url.server else {
                panic!("{text}")
            };
            assert_eq!((found.as_str(), url.path.reveal()), (socket, path), "{text}");
            assert_eq!(
                (url.to_string().as_str(), url.authority().as_str()),
                (again, "localhost")
            );
            assert_eq!(url.port(), None);
            let again = Url {
                path: url.path.clone(),
                user: None,
                ..Url::parse(again).expect(again)
            };
            assert_eq!(again, Url { user: None, ..url }, "{text}");
        }
    }

    #[test]
    fn what_is_no_socket_path_is_said() {
        for (host, expected) in [
            (
                "app.sock",
                "found `app.sock`, expected the absolute path of a unix socket, such as %2Frun%2Fapp.sock",
            ),
            (
                "%2Frun%2F",
                "found `/run/`, expected the path of a unix socket, without a `/` at its end",
            ),
            (
                "%00app",
                "found an abstract unix socket, expected one with a path in the file system",
            ),
            (
                "%2Fa%0A",
                "found the path of a unix socket with control characters, expected one without",
            ),
            (
                "%2Fa%E2%80%AE",
                "found the path of a unix socket with control characters, expected one without",
            ),
            (
                "%2Fa%FF",
                "found the path of a unix socket that is not UTF-8, expected one that is",
            ),
            (
                "%2Fa:80",
                "found a `:` behind the path of a unix socket, expected no port, as it has none",
            ),
        ] {
            let error = Url::parse(&format!("http+unix://{host}/")).expect_err(host);
            assert_eq!(error.to_string().lines().next(), Some(expected), "{host}");
        }
        let long = format!("http+unix://%2F{}/", "x".repeat(SOCKET_PATH_BYTES_MAX));
        assert_eq!(
            Url::parse(&long).expect_err("too long").to_string().lines().next(),
            Some("found the path of a unix socket with 108 bytes, expected at most 107, as the kernel allows no more")
        );
    }

    #[test]
    fn other_notations_lead_to_ours() {
        let app = "did you mean `http+unix://%2Frun%2Fapp.sock/`?";
        let path = "did you mean `http+unix://%2Frun%2Fapp.sock/a/b`?";
        for (text, hint) in [
            ("/run/app.sock", app),
            ("unix:/run/app.sock", app),
            ("unix:///run/app.sock", app),
            ("unix:/run/app.sock:/a/b", path),
            ("unix://%2Frun%2Fapp.sock/a/b", path),
            ("http+unix:///run/app.sock", app),
            ("http+unix:///run/app.sock/a/b", path),
            ("http+unix:/run/app.sock", app),
            ("unix+http://%2Frun%2Fapp.sock/a/b", path),
            ("http://unix:/run/app.sock", app),
            ("http://unix:/run/app.sock:", app),
            ("http://unix:/run/app.sock:/a/b", path),
            ("http://%2Frun%2Fapp.sock/a/b", path),
            (
                "unix:/run/app.socket/a/b",
                "did you mean `http+unix://%2Frun%2Fapp.socket/a/b`?",
            ),
        ] {
            let error = Url::parse(text).expect_err(text);
            assert_eq!(error.hint_text(), Some(hint), "{text}");
            let url = hint.split('`').nth(1).expect("a URL");
            assert!(Url::parse(url).is_ok(), "{url}");
        }
        for text in [
            "./app.sock",
            "unix:./app.sock",
            "unix:/run/app.sock?token=hunter2",
            "unix:/me:hunter2@h",
        ] {
            let error = Url::parse(text).expect_err(text);
            assert!(
                error
                    .hint_text()
                    .is_some_and(|hint| hint.starts_with("write a unix socket as")),
                "{text}"
            );
            assert!(!error.to_string().contains("hunter2"), "{text}: {error}");
        }
    }
}
