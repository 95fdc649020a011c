//! What is seen of a line of a plan that something is wrong with: the keys of the language, and the part at fault where
//! that is a number or a keyword. Any other text may be a value that nobody is to see, and is an ellipsis.

use std::collections::BTreeSet;

/// Characters that are looked at on both sides of the part at fault: more than a screen is wide, and less than a line can have
/// that a program wrote.
const AROUND: usize = 4096;

/// `line` as it is seen, and where in it the part is that begins at character `begin` and has `width` of them. It is left
/// as it is when it is `plain`. What is far from it is left out.
pub(crate) fn seen(
    line: &str,
    keys: &BTreeSet<String>,
    begin: usize,
    width: usize,
    plain: bool,
) -> (String, usize, usize) {
    let from = begin.saturating_sub(AROUND);
    let (begin, width) = (begin - from, width.min(AROUND));
    let chars: Vec<char> = line.chars().skip(from).take(begin + width + AROUND).collect();
    let (begin, end) = (begin.min(chars.len()), (begin + width).min(chars.len()));
    let mut visible = vec![false; chars.len()];
    mark_keys(&chars, keys, &mut visible);
    if plain {
        visible[begin..end].fill(true);
    }
    let mut seen = String::new();
    // Where each character of the line went; one more for its end.
    let mut places = Vec::with_capacity(chars.len() + 1);
    let mut length = 0;
    let mut at = 0;
    while at < chars.len() {
        let run = visible[at..].iter().take_while(|flag| **flag == visible[at]).count();
        let (first, last) = (at, at + run);
        let (core_first, core_last) = if visible[at] {
            (last, last)
        } else {
            core(&chars, first, last)
        };
        for (index, c) in chars.iter().enumerate().take(last).skip(first) {
            places.push(length);
            if index < core_first || index >= core_last {
                seen.push(*c);
                length += 1;
            } else if index + 1 == core_last {
                seen.push('…');
                length += 1;
            }
        }
        at = last;
    }
    places.push(length);
    let (begin, end) = (places[begin], places[end]);
    (seen, begin, end.saturating_sub(begin).max(1))
}

/// The part of hidden characters that is more than brackets, commas and blanks.
fn core(chars: &[char], first: usize, last: usize) -> (usize, usize) {
    let opens = |c: &char| c.is_whitespace() || matches!(c, '{' | '[' | ',' | '-' | ']' | '}');
    let closes = |c: &char| c.is_whitespace() || matches!(c, '}' | ']' | ',' | '{' | '[' | '-');
    let begin = first + chars[first..last].iter().take_while(|c| opens(c)).count();
    let end = last - chars[begin..last].iter().rev().take_while(|c| closes(c)).count();
    (begin, end)
}

/// Marks the keys of the language that stand where a key can: at the beginning, or after a blank or a bracket.
fn mark_keys(chars: &[char], keys: &BTreeSet<String>, visible: &mut [bool]) {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let mut at = 0;
    while at < chars.len() {
        let before = at.checked_sub(1).map(|before| chars[before]);
        if before.is_some_and(|c| !c.is_whitespace() && !matches!(c, '{' | '[' | ',')) {
            // Before a word is read, so that a long one is read once.
            at += 1;
            continue;
        }
        let quote = matches!(chars[at], '"' | '\'').then_some(chars[at]);
        let first = at + usize::from(quote.is_some());
        let length = chars[first..].iter().take_while(|c| is_word(**c)).count();
        let mut end = first + length;
        if length > 0 {
            let name: String = chars[first..end].iter().collect();
            let closed = quote.is_none_or(|quote| chars.get(end) == Some(&quote));
            end += usize::from(quote.is_some() && closed);
            let colon = end + chars[end..].iter().take_while(|c| **c == ' ').count();
            let follows = chars
                .get(colon + 1)
                .is_none_or(|c| c.is_whitespace() || quote.is_some());
            if closed && chars.get(colon) == Some(&':') && follows && keys.contains(&name) {
                visible[at..=colon].fill(true);
                at = colon + 1;
                continue;
            }
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::keys;

    #[test]
    fn a_long_line_is_read_once() {
        // Read from each of its characters, this would take hours.
        let line = format!("body: {}", "x".repeat(4 << 20));
        let (seen, begin, width) = seen(&line, keys(), 0, 4, true);
        assert_eq!((seen.as_str(), begin, width), ("body: …", 0, 4));
    }

    #[test]
    fn keys_are_seen_and_values_are_not() {
        for (line, part, plain, expected, marked) in [
            (
                "load: { rate: 1000/s, duratoin: 30s }",
                "duratoin",
                true,
                "load: { rate: …, duratoin… }",
                "duratoin",
            ),
            (
                "load: { rate: fast, duration: 30s }",
                "fast",
                true,
                "load: { rate: fast, duration: … }",
                "fast",
            ),
            (
                "  headers: { x-auth: hunter2, a: \"b }",
                "\"b",
                false,
                "  headers: { … }",
                "…",
            ),
            (
                "{\"target\": \"http://me:hunter2@h/\", \"seed\": -1}",
                "-1",
                true,
                "{\"target\": …, \"seed\": -1}",
                "-1",
            ),
            ("    hunter2: x", "hunter2", false, "    …", "…"),
            ("- hunter2", "hunter2", false, "- …", "…"),
            ("body: secrecy: hunter2", "hunter2", false, "body: …", "…"),
            ("name: x # TOKEN=hunter2", "x", false, "name: …", "…"),
        ] {
            let begin = line.find(part).expect("a part");
            let (text, begin, width) = seen(line, keys(), begin, part.len(), plain);
            assert!(!text.contains("hunter2"), "{text}");
            assert_eq!(text, expected, "{line}");
            assert_eq!(
                text.chars().skip(begin).take(width).collect::<String>(),
                marked,
                "{line}"
            );
        }
    }
}
