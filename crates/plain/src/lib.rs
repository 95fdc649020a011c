//! Makes text from outside plain: without escape sequences, control characters, and what hides or turns letters around.
//!
//! The text may be the title of a process, a line of a service, a name in a plan, or any string of a run directory that
//! came from elsewhere. It must not know where the text goes; whoever prints it has it made plain.

use std::borrow::Cow;
use std::iter::Peekable;
use std::str::Chars;

/// Text of one line: what would break it becomes a space.
#[must_use]
pub fn line(text: &str) -> Cow<'_, str> {
    let breaks = |c: char| c == '\t' || is_line_break(c);
    if !text.contains(|c| breaks(c) || is_unsafe(c)) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len());
    for c in Plain::of(text) {
        line.push(if breaks(c) { ' ' } else { c });
    }
    Cow::Owned(line)
}

/// Text of several lines: line ends and tabs stay.
#[must_use]
pub fn lines(text: &str) -> Cow<'_, str> {
    if text.contains(is_unsafe) {
        Cow::Owned(Plain::of(text).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// A JSON document that means the same: what is not plain in its strings is written as `\u009b`.
///
/// Only outside of the ASCII range and at DEL does a JSON document hold such characters as they are, and only in strings.
#[must_use]
pub fn json(document: &str) -> Cow<'_, str> {
    let hides = |c: char| is_unsafe(c) && c > '\u{1f}';
    if !document.contains(hides) {
        return Cow::Borrowed(document);
    }
    let mut escaped = String::with_capacity(document.len() + 64);
    for c in document.chars() {
        if hides(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

/// What may not reach a terminal, or would make text look like other text.
///
/// Line ends and tabs are not; in text of one line they are as bad.
#[must_use]
pub fn is_unsafe(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        _ if c.is_control() => true,
        // Soft hyphen, marks and overrides of direction, joiners and spaces without width, separators of lines.
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' => true,
        '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' => true,
        // Noncharacters, and tags.
        '\u{fdd0}'..='\u{fdef}' | '\u{e0000}'..='\u{e007f}' => true,
        _ => u32::from(c) & 0xfffe == 0xfffe,
    }
}

const fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The letters that stay.
struct Plain<'a> {
    letters: Peekable<Chars<'a>>,
}

impl<'a> Plain<'a> {
    fn of(text: &'a str) -> Self {
        Self {
            letters: text.chars().peekable(),
        }
    }

    /// Leaves out a control sequence of ECMA-48 behind its first character.
    fn skip_sequence(&mut self, introducer: char) {
        match introducer {
            // Parameters, then one letter that ends the sequence.
            '[' | '\u{9b}' => {
                while self.letters.next_if(|c| (' '..='?').contains(c)).is_some() {}
                self.letters.next_if(|c| ('@'..='~').contains(c));
            }
            // A string up to its terminator, such as a window title; one that never ends costs its line.
            ']' | 'P' | 'X' | '^' | '_' | '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}' => {
                while let Some(c) = self.letters.next_if(|&c| !is_line_break(c)) {
                    match c {
                        '\u{7}' | '\u{9c}' => return,
                        '\u{1b}' if self.letters.next_if_eq(&'\\').is_some() => return,
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
}

impl Iterator for Plain<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        loop {
            let c = self.letters.next()?;
            match c {
                '\r' if self.letters.peek() == Some(&'\n') => {}
                _ if is_line_break(c) => return Some('\n'),
                '\u{1b}' => {
                    while self.letters.next_if(|c| (' '..='/').contains(c)).is_some() {}
                    if let Some(next) = self.letters.next_if(|c| ('0'..='~').contains(c)) {
                        self.skip_sequence(next);
                    }
                }
                '\u{80}'..='\u{9f}' => self.skip_sequence(c),
                _ if is_unsafe(c) => {}
                _ => return Some(c),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plain_text_stays_as_it_is() {
        for text in ["", "p99 < 100 ms", "größer, 大, العربية, 👍🏽 ❤️ e\u{301}"] {
            assert!(matches!(line(text), Cow::Borrowed(same) if same == text), "{text}");
            assert!(matches!(lines(text), Cow::Borrowed(same) if same == text), "{text}");
            assert!(matches!(json(text), Cow::Borrowed(same) if same == text), "{text}");
        }
        assert_eq!(lines("a\n\tb\n"), "a\n\tb\n");
    }

    #[test]
    fn escape_sequences_are_left_out_whole() {
        let cases = [
            ("\u{1b}[1;31mError\u{1b}[0m: no\u{7}", "Error: no"),
            ("cut \u{1b}[3", "cut "),
            ("\u{1b}[31\nnext", "\nnext"),
            ("\u{1b}]0;title\u{7}text", "text"),
            ("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{1b}]52;c;never ends\nnext", "\nnext"),
            ("\u{9b}31mred \u{9d}0;t\u{9c}text", "red text"),
            ("\u{1b}(Bascii \u{1b}cclear \u{1b}7\u{1b}", "ascii clear "),
            ("\u{1b}P1$r\u{1b}\\q", "q"),
            ("\u{1b}\u{1b}[2Jx", "x"),
        ];
        for (text, plain) in cases {
            assert_eq!(lines(text), plain, "{text:?}");
        }
    }

    #[test]
    fn what_breaks_a_line_becomes_a_space_in_one() {
        assert_eq!(line("a\r\nb\tc\u{85}d\u{2028}e\rf"), "a b c d e f");
        assert_eq!(lines("a\r\nb\tc\u{85}d\u{2028}e\rf"), "a\nb\tc\nd\ne\nf");
    }

    #[test]
    fn what_hides_or_turns_letters_is_left_out() {
        assert_eq!(
            line("a\u{202e}b\u{200b}c\u{feff}d\u{2066}e\u{fdd0}\u{10ffff}\u{e0041}f\u{ad}"),
            "abcdef"
        );
    }

    #[test]
    fn json_keeps_its_meaning() {
        assert_eq!(
            json("{\n\t\"a\": \"\u{9b}31m\u{7f}\u{202e}\u{e0041}ü\"\n}"),
            "{\n\t\"a\": \"\\u009b31m\\u007f\\u202e\\udb40\\udc41ü\"\n}"
        );
    }

    proptest! {
        #[test]
        fn nothing_unsafe_is_left(text in any::<String>(), controls in "[\\x00-\\x9f\\[\\]a;]{0,40}") {
            for text in [text, controls] {
                prop_assert!(!lines(&text).contains(is_unsafe));
                prop_assert!(!line(&text).contains(|c: char| is_unsafe(c) || c == '\n' || c == '\t'));
                prop_assert!(lines(&lines(&text)) == lines(&text));
            }
        }
    }
}
