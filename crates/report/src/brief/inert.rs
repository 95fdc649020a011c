//! Text of others in Markdown that stays text, and is short. An assistant searches for what it reads, so names and paths stay as they are
//! wherever that is harmless.

use super::LONGEST;
use crate::words::is_deceptive;

/// A sentence. What stands in backquotes is code, unless there is anything that could be a tag.
pub(super) fn text(of: &str) -> String {
    let short = cut(of);
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

/// The beginning of what is too long, up to the end of a word: half of a number is another number.
fn cut(of: &str) -> String {
    let mut short: String = of.chars().take(LONGEST).collect();
    let Some(rest) = of.get(short.len()..).filter(|rest| !rest.is_empty()) else {
        return short;
    };
    let end = short
        .rfind(char::is_whitespace)
        .filter(|_| !rest.starts_with(char::is_whitespace));
    // A word that is longer than a number or a name is no word.
    if let Some(end) = end.filter(|end| short.len() - end < LONGEST / 4) {
        short.truncate(end);
    }
    short.push('…');
    short
}

/// A name, path or command.
pub(super) fn code(of: &str) -> String {
    let harmless = of.chars().map(|c| match c {
        '`' => '\'',
        c if is_deceptive(c) => ' ',
        c => c,
    });
    let harmless: String = harmless.collect();
    format!("`{}`", cut(harmless.trim()))
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
        let commands = format!("{} --fixed src/app.js:123", "x".repeat(LONGEST - 9));
        assert_eq!(code(&commands), format!("`{} --fixed…`", "x".repeat(LONGEST - 9)));
    }

    #[test]
    fn figures_are_not_cut_in_two() {
        let words = format!("{} +12.5% (+10.2% to +14.8%)", "word ".repeat(46));
        let short = text(&words);
        assert!(short.ends_with(" +12.5%…"), "{short}");
        let whole = "word ".repeat(48);
        assert_eq!(text(whole.trim_end()), whole.trim_end());
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
