//! Text of others in Markdown that stays text, and is short. An assistant searches for what it reads, so names and paths stay as they are
//! wherever that is harmless.

use super::LONGEST;
use crate::words::is_deceptive;

/// A sentence. What stands in backquotes is code, unless there is anything that could be a tag.
pub(super) fn text(of: &str) -> String {
    let mut short: String = of.chars().take(LONGEST).collect();
    if short.len() < of.len() {
        short.push('…');
    }
    let has_code = short.matches('`').count().is_multiple_of(2) && !short.contains("``") && !short.contains('<');
    let mut out = String::with_capacity(short.len());
    let (mut before, mut in_code) = (' ', false);
    let mut chars = short.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied().unwrap_or(' ');
        let is_markup = match c {
            '`' if has_code => {
                in_code = !in_code;
                false
            }
            _ if in_code => false,
            '\\' | '`' | '*' | '[' | ']' | '|' => true,
            // Inside of a word it is a letter.
            '_' => !(before.is_alphanumeric() && next.is_alphanumeric()),
            '<' => next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'),
            _ => false,
        };
        match c {
            _ if is_deceptive(c) => out.push(' '),
            '<' if is_markup => out.push_str("&lt;"),
            _ => {
                if is_markup {
                    out.push('\\');
                }
                out.push(c);
            }
        }
        before = c;
    }
    out
}

/// A name, path or command.
pub(super) fn code(of: &str) -> String {
    let harmless = of.chars().map(|c| match c {
        '`' => '\'',
        c if is_deceptive(c) => ' ',
        c => c,
    });
    let short: String = harmless.take(LONGEST).collect();
    format!("`{}`", short.trim())
}

/// A word of a command line that whoever reads it may execute; `None` where it is no plain name.
pub(super) fn word(of: &str) -> Option<&str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:@+=~".contains(c);
    let is_name = !of.is_empty() && !of.starts_with(['-', '~']) && of.len() <= LONGEST;
    (is_name && of.chars().all(is_plain)).then_some(of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_others_is_not_markup() {
        for (given, expected) in [
            ("cpu <= 80% & p99 < 5ms", "cpu <= 80% & p99 < 5ms"),
            ("<img src=x> </a> <!-- x", "&lt;img src=x> &lt;/a> &lt;!-- x"),
            (
                "parse_row _x_ **b** [l](u) | \\",
                "parse_row \\_x\\_ \\*\\*b\\*\\* \\[l\\](u) \\| \\\\",
            ),
            ("run `a --b_ *` _x_", "run `a --b_ *` \\_x\\_"),
            ("` <script> `", "\\` &lt;script> \\`"),
            ("`a", "\\`a"),
            ("``a``", "\\`\\`a\\`\\`"),
            ("node_modules/@scope/a.js:3", "node_modules/@scope/a.js:3"),
            ("two\nlines\u{202e}", "two lines "),
        ] {
            assert_eq!(text(given), expected);
        }
        assert_eq!(text(&"ä".repeat(500)).chars().count(), LONGEST + 1);
        assert_eq!(code("a`b\nc"), "`a'b c`");
    }

    #[test]
    fn only_plain_names_are_words_of_a_command() {
        for plain in [
            "src/app.js:42",
            "node_modules/@scope/a.js:3",
            "runs/2026-11-26T11-03-26-diagnose",
        ] {
            assert_eq!(word(plain), Some(plain));
        }
        for other in [
            "",
            "a b",
            "$(reboot)",
            "a;b",
            "a'b",
            "`a`",
            "--setup=x",
            "~/x",
            "a\nb",
            "ä",
        ] {
            assert_eq!(word(other), None, "{other:?}");
        }
    }
}
