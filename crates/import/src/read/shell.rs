//! Words of a shell: quoted in all the ways of bash, `$'…'` of Chrome and Firefox among them. Nothing is run.

use crate::error::ImportError;
use crate::left_out::Place;
use crate::text::{Piece, Text};
use std::iter::Peekable;
use std::str::Chars;

/// The words of a command up to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Command {
    /// Of its first word.
    pub(crate) line: usize,
    pub(crate) words: Vec<Text>,
}

/// The commands of a script, one after the other. A redirection and its file are left out, since they are not sent.
pub(crate) fn commands(script: &str) -> Result<Vec<Command>, ImportError> {
    let mut reader = Reader {
        letters: script.chars().peekable(),
        line: 1,
        commands: Vec::new(),
        words: Vec::new(),
        begin: 1,
    };
    reader.read()?;
    Ok(reader.commands)
}

struct Reader<'a> {
    letters: Peekable<Chars<'a>>,
    line: usize,
    commands: Vec<Command>,
    words: Vec<Text>,
    begin: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.letters.next();
        self.line += usize::from(c == Some('\n'));
        c
    }

    fn read(&mut self) -> Result<(), ImportError> {
        while let Some(&c) = self.letters.peek() {
            match c {
                ' ' | '\t' | '\r' => {
                    self.next();
                }
                '\n' | ';' | '&' | '|' | '(' | ')' => {
                    self.next();
                    self.end();
                }
                '#' => {
                    while self.letters.peek().is_some_and(|&c| c != '\n') {
                        self.next();
                    }
                }
                '<' | '>' => {
                    self.next();
                    self.skip_redirection()?;
                }
                '\\' if self.is_continued() => {}
                _ => {
                    let line = self.line;
                    let word = self.word()?;
                    if self.words.is_empty() {
                        self.begin = line;
                    }
                    self.words.push(word);
                }
            }
        }
        self.end();
        Ok(())
    }

    fn end(&mut self) {
        if !self.words.is_empty() {
            let words = std::mem::take(&mut self.words);
            self.commands.push(Command {
                line: self.begin,
                words,
            });
        }
    }

    /// Whether a backslash ends this line, which then goes on in the next. Blanks behind it are a common mistake.
    fn is_continued(&mut self) -> bool {
        let mut ahead = self.letters.clone();
        ahead.next();
        let blanks = ahead.by_ref().take_while(|c| matches!(c, ' ' | '\t' | '\r'));
        let blanks = blanks.count();
        let mut ahead = self.letters.clone();
        ahead.nth(blanks);
        match ahead.next() {
            Some('\n') | None => {
                for _ in 0..blanks + 2 {
                    self.next();
                }
                true
            }
            Some(_) => false,
        }
    }

    fn skip_redirection(&mut self) -> Result<(), ImportError> {
        while self
            .letters
            .next_if(|c| matches!(c, '<' | '>' | '&' | '-' | ' '))
            .is_some()
        {}
        if self.letters.peek().is_some_and(|c| !matches!(c, '\n' | ';' | '|')) {
            self.word()?;
        }
        // `2>` has a number in front of it.
        let is_number = |word: &Text| word.as_literal().is_some_and(|text| matches!(text, "1" | "2"));
        if self.words.last().is_some_and(is_number) {
            self.words.pop();
        }
        Ok(())
    }

    fn word(&mut self) -> Result<Text, ImportError> {
        let mut word = Text::default();
        while let Some(&c) = self.letters.peek() {
            match c {
                ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')' => break,
                '\'' => {
                    self.next();
                    let text = self.until('\'')?;
                    word.push_str(&text);
                }
                '"' => {
                    self.next();
                    self.double_quoted(&mut word)?;
                }
                '$' => self.dollar(&mut word)?,
                '\\' => {
                    if self.is_continued() {
                        break;
                    }
                    self.next();
                    if let Some(c) = self.next() {
                        word.push_str(c.encode_utf8(&mut [0; 4]));
                    }
                }
                c => {
                    self.next();
                    word.push_str(c.encode_utf8(&mut [0; 4]));
                }
            }
        }
        Ok(word)
    }

    fn until(&mut self, quote: char) -> Result<String, ImportError> {
        let line = self.line;
        let mut text = String::new();
        loop {
            match self.next() {
                Some(c) if c == quote => return Ok(text),
                Some(c) => text.push(c),
                None => return Err(unclosed(line, quote)),
            }
        }
    }

    fn double_quoted(&mut self, word: &mut Text) -> Result<(), ImportError> {
        let line = self.line;
        loop {
            match self.letters.peek() {
                None => return Err(unclosed(line, '"')),
                Some('"') => {
                    self.next();
                    return Ok(());
                }
                Some('$') => self.dollar_in_quotes(word)?,
                Some('\\') => {
                    self.next();
                    match self.next() {
                        Some('\n') => {}
                        Some(c) if matches!(c, '"' | '\\' | '$' | '`') => word.push_str(c.encode_utf8(&mut [0; 4])),
                        Some(c) => word.push_str(&format!("\\{c}")),
                        None => return Err(unclosed(line, '"')),
                    }
                }
                Some(_) => {
                    let c = self.next().unwrap_or_default();
                    word.push_str(c.encode_utf8(&mut [0; 4]));
                }
            }
        }
    }

    fn dollar(&mut self, word: &mut Text) -> Result<(), ImportError> {
        let mut ahead = self.letters.clone();
        ahead.next();
        match ahead.next() {
            Some('\'') => {
                self.next();
                self.next();
                let text = self.ansi_quoted()?;
                word.push_str(&text);
                Ok(())
            }
            // Text to be translated, which here is text.
            Some('"') => {
                self.next();
                self.next();
                self.double_quoted(word)
            }
            _ => self.dollar_in_quotes(word),
        }
    }

    /// `$NAME`, `${NAME}` and `${NAME:-default}`. What a command would print, `$(…)`, is a variable by its text.
    fn dollar_in_quotes(&mut self, word: &mut Text) -> Result<(), ImportError> {
        let line = self.line;
        self.next();
        let name = match self.letters.peek() {
            Some('{') => {
                self.next();
                self.until('}').map_err(|_| unclosed(line, '{'))?
            }
            Some('(') => {
                self.next();
                let mut depth = 1;
                let mut command = String::new();
                while depth > 0 {
                    match self.next() {
                        None => return Err(unclosed(line, '(')),
                        Some(c) => {
                            depth += usize::from(c == '(');
                            depth -= usize::from(c == ')');
                            command.push(c);
                        }
                    }
                }
                command.pop();
                format!("$({})", command.trim())
            }
            Some(c) if c.is_ascii_alphabetic() || *c == '_' => {
                let mut name = String::new();
                while let Some(c) = self.letters.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
                    name.push(c);
                }
                name
            }
            _ => {
                word.push_str("$");
                return Ok(());
            }
        };
        let name = name.split_once(":-").map_or(name.as_str(), |(name, _)| name);
        word.push(Piece::Variable(name.to_owned()));
        Ok(())
    }

    /// The rest of `$'…'`: escapes as in C, among them `\x`, `\u` and octal bytes.
    fn ansi_quoted(&mut self) -> Result<String, ImportError> {
        let line = self.line;
        let mut bytes = Vec::new();
        let push = |bytes: &mut Vec<u8>, c: char| bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        loop {
            let c = self.next().ok_or_else(|| unclosed(line, '\''))?;
            match c {
                '\'' => return Ok(String::from_utf8_lossy(&bytes).into_owned()),
                '\\' => match self.next().ok_or_else(|| unclosed(line, '\''))? {
                    'n' => bytes.push(b'\n'),
                    't' => bytes.push(b'\t'),
                    'r' => bytes.push(b'\r'),
                    'a' => bytes.push(7),
                    'b' => bytes.push(8),
                    'e' | 'E' => bytes.push(0x1b),
                    'f' => bytes.push(0xc),
                    'v' => bytes.push(0xb),
                    'x' => bytes.push(self.number(16, 2).unwrap_or_default() as u8),
                    'u' => self.code_unit(&mut bytes, 4),
                    'U' => self.code_unit(&mut bytes, 8),
                    c @ '0'..='7' => {
                        let first = c.to_digit(8).unwrap_or_default();
                        let mut value = first;
                        for _ in 0..2 {
                            if let Some(digit) = self.letters.next_if(|c| c.is_digit(8)) {
                                value = value * 8 + digit.to_digit(8).unwrap_or_default();
                            }
                        }
                        bytes.push(value as u8);
                    }
                    c @ ('\\' | '\'' | '"' | '?') => push(&mut bytes, c),
                    c => {
                        bytes.push(b'\\');
                        push(&mut bytes, c);
                    }
                },
                c => push(&mut bytes, c),
            }
        }
    }

    fn number(&mut self, radix: u32, most: usize) -> Option<u32> {
        let mut value = None;
        for _ in 0..most {
            let Some(digit) = self.letters.next_if(|c| c.is_digit(radix)) else {
                break;
            };
            let digit = digit.to_digit(radix).unwrap_or_default();
            value = Some(value.unwrap_or(0_u32).wrapping_mul(radix).wrapping_add(digit));
        }
        value
    }

    /// A character by its number; Chrome writes those beyond 16 bits as two halves.
    fn code_unit(&mut self, bytes: &mut Vec<u8>, most: usize) {
        let high = self.number(16, most).unwrap_or_default();
        let mut value = high;
        if (0xd800..0xdc00).contains(&high) {
            let mut ahead = self.letters.clone();
            if (ahead.next(), ahead.next()) == (Some('\\'), Some('u')) {
                self.next();
                self.next();
                let low = self.number(16, 4).unwrap_or_default();
                value = 0x1_0000 + ((high - 0xd800) << 10) + (low.wrapping_sub(0xdc00) & 0x3ff);
            }
        }
        let c = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
        bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

fn unclosed(line: usize, quote: char) -> ImportError {
    ImportError::new(
        Some(&Place::Line(line)),
        format!("an unclosed `{quote}`"),
        "the end of the quotation",
    )
    .hint("copy the whole command; of Chrome's menu use `Copy as cURL (bash)`")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(script: &str) -> Vec<Vec<String>> {
        let text = |word: &Text| {
            word.as_literal()
                .map_or_else(|| format!("{:?}", word.pieces()), str::to_owned)
        };
        let commands = commands(script).expect(script);
        commands
            .iter()
            .map(|command| command.words.iter().map(text).collect())
            .collect()
    }

    #[test]
    fn words_are_split_as_bash_does() {
        for (script, expected) in [
            ("a 'b c' \"d e\" f\\ g", vec![vec!["a", "b c", "d e", "f g"]]),
            ("a \\\n  b\\\n  c", vec![vec!["a", "b", "c"]]),
            ("a \\  \n b", vec![vec!["a", "b"]]),
            (
                "a; b && c | d # e\nf",
                vec![vec!["a"], vec!["b"], vec!["c"], vec!["d"], vec!["f"]],
            ),
            ("a \"x\\\"y\\n\" 'it'\\''s'", vec![vec!["a", "x\"y\\n", "it's"]]),
            ("a > file 2>/dev/null b", vec![vec!["a", "b"]]),
            (
                "a $'it\\'s \\u00e9 \\ud83d\\ude00 \\x41 \\101 \\n|'",
                vec![vec!["a", "it's é 😀 A A \n|"]],
            ),
            ("a ''", vec![vec!["a", ""]]),
            ("a $ x$", vec![vec!["a", "$", "x$"]]),
        ] {
            assert_eq!(words(script), expected, "{script}");
        }
    }

    #[test]
    fn variables_keep_their_names_and_single_quotes_their_text() {
        let commands = commands("a \"Bearer $TOKEN\" ${X:-y}/z '$T' $(pass show x)").expect("words");
        let names: Vec<Vec<&str>> = commands[0]
            .words
            .iter()
            .map(|word| word.variables().collect())
            .collect();
        assert_eq!(
            names,
            [vec![], vec!["TOKEN"], vec!["X"], vec![], vec!["$(pass show x)"]]
        );
    }

    #[test]
    fn unclosed_quote_is_an_error_with_its_line() {
        for script in ["a\nb 'c", "a\nb \"c", "a\nb $'c", "a\nb ${c", "a\nb $(c"] {
            let error = commands(script).expect_err(script);
            assert!(error.to_string().starts_with("2: "), "{error}");
        }
    }
}
