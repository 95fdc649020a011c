//! Braces and brackets in URLs, which stand for several: `/{a,b}` and `/[1-3]`.

use crate::text::Text;

/// The URL that curl asks for; `None` where there are several. A backslash has it take a brace or bracket as it is.
pub(super) fn one(url: &Text) -> Option<Text> {
    let mut is_one = true;
    let plain = url.map(|literal| {
        is_one &= !is_several(literal);
        let mut plain = literal.to_owned();
        for mark in ["[", "]", "{", "}"] {
            plain = plain.replace(&format!("\\{mark}"), mark);
        }
        Text::literal(plain)
    });
    is_one.then_some(plain)
}

fn is_several(literal: &str) -> bool {
    let begins = literal.match_indices(['{', '[']);
    begins
        .filter(|(at, _)| !literal[..*at].ends_with('\\'))
        .any(|(at, mark)| {
            let inside = &literal[at + 1..];
            let close = if mark == "{" { '}' } else { ']' };
            let Some(inside) = inside.find(close).map(|end| &inside[..end]) else {
                return false;
            };
            match mark {
                "{" => inside.contains(','),
                _ => is_range(inside),
            }
        })
}

/// `1-3`, `001-100`, `a-z`, and each with a step, `1-9:2`.
fn is_range(inside: &str) -> bool {
    let Some((from, to)) = inside.split_once('-') else {
        return false;
    };
    let to = to.split(':').next().unwrap_or_default();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_letter = |text: &str| text.len() == 1 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_number(from) && is_number(to) || is_letter(from) && is_letter(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_one_or_several() {
        for (url, expected) in [
            ("http://h/a?b=c", Some("http://h/a?b=c")),
            ("http://[::1]:3000/a", Some("http://[::1]:3000/a")),
            ("http://h/a?f[x]=1&g[]=2", Some("http://h/a?f[x]=1&g[]=2")),
            ("http://h/a?f\\[0\\]=\\{1,2\\}", Some("http://h/a?f[0]={1,2}")),
            ("http://h/{a,b}", None),
            ("http://h/[1-3]", None),
            ("http://h/[001-100:10]/x", None),
            ("http://h/[a-z]", None),
        ] {
            let one = one(&Text::literal(url));
            assert_eq!(one.as_ref().and_then(Text::as_literal), expected, "{url}");
        }
    }
}
