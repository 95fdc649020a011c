//! Secrets in bodies of any notation, by the names in front of them.

use plimsoll_plan::secret_names::is_of_secret;
use std::ops::Range;

/// Names that sound secret and where their values stand, in order.
pub(super) fn named_secrets(text: &str) -> Vec<(&str, Range<usize>)> {
    let in_name = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let Some(begin) = text[at..].find(in_name).map(|begin| at + begin) else {
            break;
        };
        let end = text[begin..]
            .find(|c| !in_name(c))
            .map_or(text.len(), |end| begin + end);
        at = end;
        let name = &text[begin..end];
        if name.len() > 60 || !is_of_secret(name) {
            continue;
        }
        for range in values_behind(text, end) {
            at = range.end;
            found.push((name, range));
        }
    }
    found
}

/// Where the values of a name stand that ends at `end`.
fn values_behind(text: &str, end: usize) -> Vec<Range<usize>> {
    let rest = &text[end..];
    let quotes = rest
        .strip_prefix("\\\"")
        .or_else(|| rest.strip_prefix(['"', '\'']))
        .unwrap_or(rest);
    // A part of a form: its name, empty line, value.
    if let Some(value) = quotes
        .trim_start_matches(';')
        .strip_prefix("\r\n\r\n")
        .or_else(|| quotes.strip_prefix("\n\n"))
    {
        let begin = text.len() - value.len();
        let part = begin..begin + value.find(['\r', '\n']).unwrap_or(value.len());
        return Some(part).filter(|part| !part.is_empty()).into_iter().collect();
    }
    let sign = quotes.trim_start();
    let Some(value) = sign.strip_prefix([':', '=', '>']) else {
        return Vec::new();
    };
    let (is_pair, is_element) = (sign.starts_with('='), sign.starts_with('>'));
    let value = value.trim_start();
    let begin = text.len() - value.len();
    let until = |marks: &[char]| value.find(marks).unwrap_or(value.len());
    let range = |range: Range<usize>| if range.is_empty() { Vec::new() } else { vec![range] };
    match value.chars().next() {
        Some('"') => quoted(text, begin)
            .into_iter()
            .filter(|range| !range.is_empty())
            .collect(),
        Some('[') => {
            // A list of texts.
            let mut ranges = Vec::new();
            let (mut at, close) = (begin, begin + until(&[']']));
            while let Some(quote) = text[at..close].find('"').map(|quote| at + quote) {
                let Some(inside) = quoted(text, quote) else { break };
                at = inside.end + 1;
                if !inside.is_empty() {
                    ranges.push(inside);
                }
                if at >= close {
                    break;
                }
            }
            ranges
        }
        Some('\\') if value.starts_with("\\\"") => {
            let inside = &value[2..];
            range(begin + 2..begin + 2 + inside.find("\\\"").unwrap_or(inside.len()))
        }
        Some('\'') => range(begin + 1..begin + 1 + value[1..].find('\'').unwrap_or(value.len() - 1)),
        Some('{') | None => Vec::new(),
        Some(_) if is_element => range(begin..begin + until(&['<'])),
        Some(_) if is_pair => range(begin..begin + until(&['&', ' ', '\n', '\r', '"', '<', ';'])),
        Some(_) => {
            let end = until(&[',', '}', ']', '\n', '\r', ' ', '<', '&', '"']);
            match &value[..end] {
                "true" | "false" | "null" => Vec::new(),
                _ => range(begin..begin + end),
            }
        }
    }
}

/// What stands between the quote at `begin` and the next that is none of the text.
fn quoted(text: &str, begin: usize) -> Option<Range<usize>> {
    let inside = text.get(begin + 1..)?;
    let mut is_escaped = false;
    for (at, c) in inside.char_indices() {
        match c {
            '"' if !is_escaped => return Some(begin + 1..begin + 1 + at),
            c => is_escaped = c == '\\' && !is_escaped,
        }
    }
    Some(begin + 1..text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_secrets_are_found_in_any_body() {
        for (body, expected) in [
            (r#"{"user":"me","password":"hun\"ter2","n":1}"#, vec![r#"hun\"ter2"#]),
            (r#"{"pin": 1234, "token": null}"#, vec!["1234"]),
            (r#"{"tokens": ["abc", "def"], "x": "y"}"#, vec!["abc", "def"]),
            ("user=me&password=p%40ss&x=1", vec!["p%40ss"]),
            ("<login><password>hunter2</password></login>", vec!["hunter2"]),
            ("name=\"password\"\r\n\r\nhunter2\r\n--b", vec!["hunter2"]),
            (r#"{"q":"{\"password\":\"hunter2\"}"}"#, vec!["hunter2"]),
            ("plain text", vec![]),
            (r#"{"password":""#, vec![]),
        ] {
            let found: Vec<&str> = named_secrets(body).into_iter().map(|(_, range)| &body[range]).collect();
            assert_eq!(found, expected, "{body}");
        }
    }
}
