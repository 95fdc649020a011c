//! The cookies of a user (RFC 6265), as far as one short visit to one service needs them.
//!
//! `Path`, `Domain`, `Secure` and lifetimes are not looked at, but a cookie that the service takes back is forgotten.

/// Bytes of cookies that a user keeps; those beyond it are not kept. Browsers have about as much for a site.
const BYTES_MAX: usize = 16 << 10;

/// Cookies by name, in the order in which they came.
#[derive(Debug, Default)]
pub(crate) struct Cookies(Vec<(Text, Text)>);

type Text = Box<[u8]>;

impl Cookies {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.iter().map(|(name, value)| name.len() + value.len()).sum()
    }

    /// Takes those that a response sets.
    pub(crate) fn take(&mut self, head: &[u8]) {
        for set in set_in(head) {
            self.0.retain(|(name, _)| **name != *set.name);
            if !set.is_taken_back && self.bytes() + set.name.len() + set.value.len() <= BYTES_MAX {
                self.0.push((set.name.into(), set.value.into()));
            }
        }
    }

    /// Appends the value of the header `cookie`.
    pub(super) fn append(&self, out: &mut Vec<u8>) {
        for (index, (name, value)) in self.0.iter().enumerate() {
            out.extend_from_slice(if index == 0 { b"" } else { b"; " });
            out.extend_from_slice(name);
            out.push(b'=');
            out.extend_from_slice(value);
        }
    }
}

/// The value that a response gives to a cookie.
pub(super) fn value<'a>(head: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let set = set_in(head).filter(|set| set.name == name.as_bytes() && !set.is_taken_back);
    set.last().map(|set| set.value)
}

struct SetCookie<'a> {
    name: &'a [u8],
    value: &'a [u8],
    is_taken_back: bool,
}

/// The cookies that a response sets. What is no cookie, or could not be sent back, is left out.
fn set_in(head: &[u8]) -> impl Iterator<Item = SetCookie<'_>> {
    const FIELD: &[u8] = b"set-cookie:";
    let lines = head
        .split(|byte| *byte == b'\n')
        .take_while(|line| !line.trim_ascii().is_empty());
    lines.filter_map(|line| {
        let (field, rest) = line.split_at_checked(FIELD.len())?;
        if !field.eq_ignore_ascii_case(FIELD) {
            return None;
        }
        let mut parts = rest.split(|byte| *byte == b';').map(<[u8]>::trim_ascii);
        let cookie = parts.next()?;
        let equals = cookie.iter().position(|byte| *byte == b'=')?;
        let (name, value) = (cookie[..equals].trim_ascii(), cookie[equals + 1..].trim_ascii());
        let can_be_sent = |text: &[u8]| text.iter().all(|byte| !byte.is_ascii_control());
        (!name.is_empty() && can_be_sent(name) && can_be_sent(value)).then(|| SetCookie {
            name,
            value,
            is_taken_back: take_back(parts),
        })
    })
}

/// Whether attributes say that the cookie is over: no time to live or, where that is not said, a date in the years in which services put such
/// dates.
fn take_back<'a>(attributes: impl Iterator<Item = &'a [u8]>) -> bool {
    let (mut by_age, mut by_date) = (None, false);
    for attribute in attributes {
        let text = String::from_utf8_lossy(attribute).to_ascii_lowercase();
        let (name, value) = text.split_once('=').unwrap_or((&text, ""));
        let (name, value) = (name.trim_ascii(), value.trim_ascii());
        let digits = value.strip_prefix('-').unwrap_or(value);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        match name {
            "max-age" if is_number => {
                by_age = Some(value.starts_with('-') || digits.bytes().all(|digit| digit == b'0'));
            }
            "expires" => by_date = ["1970", "1969"].iter().any(|year| value.contains(year)),
            _ => {}
        }
    }
    by_age.unwrap_or(by_date)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(heads: &[&str]) -> String {
        let mut cookies = Cookies::default();
        heads.iter().for_each(|head| cookies.take(head.as_bytes()));
        let mut out = Vec::new();
        cookies.append(&mut out);
        assert_eq!(out.is_empty(), cookies.is_empty());
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn cookies_are_sent_back_until_they_are_taken_back() {
        let first = "HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Path=/; HttpOnly\r\nset-cookie:b = x=y ;Max-Age=60\r\n\r\nset-cookie: c=3\r\n";
        assert_eq!(sent(&[first]), "a=1; b=x=y");
        assert_eq!(
            sent(&[first, "HTTP/1.1 200 OK\r\nset-cookie: a=2\r\n\r\n"]),
            "b=x=y; a=2"
        );
        for over in [
            "Max-Age=0",
            "max-age=-1",
            "Max-Age = 00; Path=/",
            "Expires=Thu, 01 Jan 1970 00:00:00 GMT",
            "expires = Thu, 01-Jan-1970 00:00:01 GMT; Max-Age=soon",
        ] {
            assert_eq!(
                sent(&[first, &format!("HTTP/1.1 200 OK\r\nset-cookie: a=; {over}\r\n\r\n")]),
                "b=x=y"
            );
        }
        let stays = "HTTP/1.1 200 OK\r\nset-cookie: a=2; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT\r\n\r\n";
        assert_eq!(sent(&[first, stays]), "b=x=y; a=2", "a time to live goes before a date");
        assert_eq!(value(first.as_bytes(), "b"), Some(&b"x=y"[..]));
        assert_eq!(value(first.as_bytes(), "c"), None);
    }

    #[test]
    fn what_is_no_cookie_is_not_sent() {
        let long = format!("HTTP/1.1 200 OK\r\nset-cookie: a={}\r\n\r\n", "x".repeat(BYTES_MAX));
        for head in [
            "",
            "set-cookie",
            "set-cookie: a",
            "set-cookie: =1",
            "set-cookie: a=1\u{1}2",
            "set-cookies: a=1",
            &long,
        ] {
            assert_eq!(sent(&[head]), "", "{head}");
        }
    }
}
