//! Values in YAML.

use crate::text::{Piece, Text};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Words that YAML does not take for text, in any case.
const NOT_TEXT: [&str; 10] = ["true", "false", "yes", "no", "on", "off", "null", "y", "n", "~"];

/// A text as a value behind a key: plain where nothing else can be meant, else in quotes.
pub(crate) fn scalar(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { quoted(text) }
}

fn is_plain(text: &str) -> bool {
    let first = |c: char| c.is_ascii_alphabetic() || c == '/' || c == '$' && !text.starts_with("${");
    let inside = |c: char| c.is_ascii_alphanumeric() || "/ ._-+=?&%$;,:~*(){}@!".contains(c);
    let reads_as_itself = !NOT_TEXT.contains(&text.to_ascii_lowercase().as_str());
    // Braces stand in `${name}` alone.
    text.starts_with(first)
        && text.chars().all(inside)
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && reads_as_itself
}

/// Whether a character is seen as it is: a letter, a digit or a sign such as an emoji, and nothing that drives a terminal or cannot be seen.
pub(super) fn is_seen(c: char) -> bool {
    let is_sign = matches!(c, ' '..='~' | '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{bf}' | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}'
        | '\u{20a0}'..='\u{20bf}' | '\u{2100}'..='\u{27bf}' | '\u{2900}'..='\u{2bff}' | '\u{3001}'..='\u{3020}' | '\u{fe0f}'
        | '\u{1f300}'..='\u{1faff}');
    is_sign || c.is_alphanumeric()
}

/// A text in double quotes, with nothing in it that drives a terminal.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if is_seen(c) => quoted.push(c),
            c if u32::from(c) <= 0xffff => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => {
                let _ = write!(quoted, "\\U{:08x}", u32::from(c));
            }
        }
    }
    quoted.push('"');
    quoted
}

/// A text as a plan has it: `${name}` for variables, `${env.NAME}` for those of the environment, `$${` and `${'{{'}` for what is none.
pub(crate) fn template(text: &Text, names: &BTreeMap<String, String>) -> String {
    let mut made = String::new();
    let pieces = text.pieces();
    for (index, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Literal(literal) => push_escaped(&mut made, literal, index + 1 < pieces.len()),
            Piece::Variable(name) => {
                let _ = write!(made, "${{{}}}", names.get(name).map_or(name.as_str(), String::as_str));
            }
            Piece::Environment(name) => {
                let _ = write!(made, "${{env.{name}}}");
            }
        }
    }
    plimsoll_plan::escape_braces(&made, &|name| {
        let plain = name.strip_suffix(".json").unwrap_or(name);
        names.values().any(|known| known == name || known == plain)
    })
}

/// `literal` with each run of dollar signs doubled that a brace follows, in it or (`opens`) behind it.
fn push_escaped(made: &mut String, literal: &str, opens: bool) {
    let mut run = 0;
    for c in literal.chars() {
        match c {
            '$' => run += 1,
            c => {
                made.push_str(&"$".repeat(if c == '{' { 2 * run } else { run }));
                made.push(c);
                run = 0;
            }
        }
    }
    made.push_str(&"$".repeat(if opens { 2 * run } else { run }));
}

/// Text of several lines as a block, where it reads back as it is; indented by two blanks.
pub(crate) fn block(text: &str) -> Option<String> {
    let fits = |c: char| c == '\n' || is_seen(c);
    let lines: Vec<&str> = text.split('\n').collect();
    let is_even =
        !text.starts_with([' ', '\n']) && lines.iter().all(|line| !line.ends_with(' ')) && !text.ends_with('\n');
    if lines.len() < 2 || !is_even || !text.chars().all(fits) {
        return None;
    }
    let mut block = "|-".to_owned();
    for line in lines {
        block.push('\n');
        if !line.is_empty() {
            block.push_str("  ");
            block.push_str(line);
        }
    }
    Some(block)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_texts_have_no_quotes_and_others_do() {
        for text in [
            "/a/b?c=d&e=${f}",
            "text/html",
            "application/json; charset=utf-8",
            "GET",
            "a b",
        ] {
            assert_eq!(scalar(text), text);
        }
        for (text, expected) in [
            ("", "\"\""),
            ("yes", "\"yes\""),
            ("1", "\"1\""),
            ("a: b", "\"a: b\""),
            ("a #b", "\"a #b\""),
            ("*/*", "\"*/*\""),
            ("${a}", "\"${a}\""),
            ("\u{1b}[31m", "\"\\u001b[31m\""),
            ("\u{202e}x😀é", "\"\\u202ex😀é\""),
            ("\u{200b}\u{e000}\u{85}…", "\"\\u200b\\ue000\\u0085…\""),
        ] {
            assert_eq!(scalar(text), expected);
        }
    }

    #[test]
    fn dollars_in_front_of_braces_are_doubled() {
        let names = BTreeMap::new();
        assert_eq!(template(&Text::literal("${a} $b $$"), &names), "$${a} $b $$");
        let mut text = Text::literal("$");
        text.append(&Text::environment("A"));
        assert_eq!(template(&text, &names), "$$${env.A}");
    }

    #[test]
    fn braces_around_names_of_variables_are_no_variables() {
        let names = BTreeMap::from([("in the file".to_owned(), "a".to_owned())]);
        for (literal, expected) in [
            ("{{a}} {{ a.json }}", "${'{{'}a}} ${'{{'} a.json }}"),
            ("{{in the file}} {{b}}", "{{in the file}} {{b}}"),
            ("${{a}}", "$${{a}}"),
        ] {
            assert_eq!(template(&Text::literal(literal), &names), expected);
        }
    }
}
