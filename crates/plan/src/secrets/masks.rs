//! Which parts of a text are harmless. What is not known to be is hidden.

use super::REDACTED;
use super::names::sounds_secret;
use super::signs::{SCHEMES, looks_random};

/// Headers that say what is sent and wanted, and never who one is.
const HARMLESS_HEADERS: [&str; 19] = [
    "accept",
    "accept-charset",
    "accept-encoding",
    "accept-language",
    "cache-control",
    "connection",
    "content-encoding",
    "content-language",
    "content-type",
    "dnt",
    "expect",
    "grpc-timeout",
    "host",
    "pragma",
    "range",
    "te",
    "upgrade-insecure-requests",
    "user-agent",
    "x-requested-with",
];

pub(crate) fn is_harmless_header(name: &str) -> bool {
    HARMLESS_HEADERS.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Free text: URLs without users, passwords and queries; `NAME=value`, and `name: value` and `--name value` of what sounds
/// secret, without the value; no word that looks random.
pub(crate) fn masked_text(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut names_a_secret = false;
    for piece in text.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        if !word.is_empty() {
            let is_scheme = SCHEMES.contains(&word.to_ascii_lowercase().as_str());
            let hidden = names_a_secret && !is_scheme;
            let is_name = word.ends_with(':') || word.starts_with('-') && !word.contains('=');
            names_a_secret = is_scheme || !hidden && is_name && sounds_secret(word);
            masked.push_str(&if hidden { REDACTED.to_owned() } else { masked_word(word) });
        }
        masked.push_str(&piece[word.len()..]);
    }
    masked
}

fn masked_word(word: &str) -> String {
    if word.contains("://") {
        return masked_urls(word);
    }
    if let Some((name, value)) = word.split_once('=') {
        if value.is_empty() || value == REDACTED {
            return word.to_owned();
        }
        return format!("{}={REDACTED}", masked_plain(name));
    }
    // `me:hunter2@db` is a URL without its scheme.
    if let Some((user, host)) = word.rsplit_once('@')
        && user.contains(':')
    {
        return format!("{REDACTED}@{}", masked_plain(host));
    }
    masked_plain(word)
}

/// `word` by its parts between slashes, each hidden when it looks random.
fn masked_plain(word: &str) -> String {
    let parts = word
        .split('/')
        .map(|part| if looks_random(part) { REDACTED } else { part });
    parts.collect::<Vec<_>>().join("/")
}

/// Every URL in `word` without user, password, query and fragment. What stands before an `@` is hidden back to the
/// scheme, because a password may hold slashes.
pub(crate) fn masked_urls(word: &str) -> String {
    let mut masked = String::with_capacity(word.len());
    let mut rest = word;
    while let Some(at) = rest.find("://") {
        let scheme_at = rest[..at]
            .rfind(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-')))
            .map_or(0, |before| {
                before + rest[before..].chars().next().map_or(1, char::len_utf8)
            });
        // What stands before the URL is a name, as in `--db=`, or belongs to the URL before it.
        masked.push_str(&masked_lead(&rest[..scheme_at]));
        let scheme = &rest[scheme_at..at];
        masked.push_str(if looks_random(scheme) { REDACTED } else { scheme });
        masked.push_str("://");
        rest = &rest[at + 3..];
        // The URL ends where the next begins; a comma, blank or quote between them is not worth a password.
        let next = rest.find("://").map(|next| {
            rest[..next]
                .rfind(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-')))
                .map_or(0, |before| {
                    before + rest[before..].chars().next().map_or(1, char::len_utf8)
                })
        });
        let (this, after) = match next {
            Some(next) => rest.split_at(next),
            None => (rest, ""),
        };
        masked.push_str(&masked_after_scheme(this));
        rest = after;
    }
    masked.push_str(&masked_lead(rest));
    masked
}

fn masked_lead(lead: &str) -> String {
    match lead.split_once('=') {
        None => masked_plain(lead),
        Some((name, "")) => format!("{}=", masked_plain(name)),
        Some((name, _)) => format!("{}={REDACTED}", masked_plain(name)),
    }
}

fn masked_after_scheme(url: &str) -> String {
    let (user, rest) = match url.rfind('@') {
        Some(at) => (format!("{REDACTED}@"), &url[at + 1..]),
        None => (String::new(), url),
    };
    let (path, query) = match rest.find(['?', '#']) {
        Some(at) => (&rest[..at], &rest[at..]),
        None => (rest, ""),
    };
    let separators = |c: char| matches!(c, ',' | ';' | '"' | '\'' | ')');
    let tail = &path[path.trim_end_matches(separators).len()..];
    let mut parts = path.trim_end_matches(separators).split('/');
    let host = parts.next().unwrap_or_default();
    let host = if is_host(host) { host } else { REDACTED };
    let path: String = parts
        .map(|part| {
            if is_plain_segment(part) {
                format!("/{part}")
            } else {
                format!("/{REDACTED}")
            }
        })
        .collect();
    let query = match query.chars().next() {
        Some(mark) if query.len() > 1 => format!("{mark}{REDACTED}"),
        _ => query.to_owned(),
    };
    format!("{user}{host}{path}{query}{tail}")
}

/// A name or an address with or without a port. A port that is no number is a part of a password.
fn is_host(text: &str) -> bool {
    let text = text.strip_suffix(']').map_or(text, |v6| v6.trim_start_matches('['));
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !host.contains(':') => (host, port),
        _ => (text, ""),
    };
    let host_like = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']' | '_');
    let port_like = port.len() <= 5 && port.bytes().all(|b| b.is_ascii_digit());
    text == REDACTED || (host.chars().all(host_like) && port_like && !host.split('.').any(looks_random))
}

fn is_plain_segment(segment: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    segment == REDACTED || (segment.chars().all(plain) && !looks_random(segment))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_lose_users_and_queries() {
        for (text, masked) in [
            ("postgres://me:hunter2@db/x", "postgres://[redacted]@db/x"),
            ("--db=postgres://me:hun/ter2@db/x", "--db=postgres://[redacted]@db/x"),
            (
                "http://a:b@h1/,http://c:d@h2/",
                "http://[redacted]@h1/,http://[redacted]@h2/",
            ),
            ("http://h/a?token=hunter2", "http://h/a?[redacted]"),
            ("http://user:pass/word", "http://[redacted]/word"),
            ("see http://h:3000/path now", "see http://h:3000/path now"),
            ("TOKEN=hunter2 node server.js", "TOKEN=[redacted] node server.js"),
            ("id 0123456789abcdef0123", "id [redacted]"),
            (
                "https://hooks/services/T024BE7LH/B9xk2mZq81Lw",
                "https://hooks/services/T024BE7LH/[redacted]",
            ),
        ] {
            assert_eq!(masked_text(text), masked, "{text}");
            assert_eq!(masked_text(masked), masked, "{masked}");
        }
    }
}
