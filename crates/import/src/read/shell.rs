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
    /// What the script itself gives it to read.
    pub(crate) input: Option<Text>,
    pub(crate) link: Link,
}

/// What a command has to do with the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Link {
    #[default]
    None,
    /// It reads what that one prints.
    Pipe,
    /// It is there for where that one fails.
    Otherwise,
}

/// A script.
#[derive(Debug, Default)]
pub(crate) struct Script {
    /// One after the other. A redirection and its file are left out, since they are not sent.
    pub(crate) commands: Vec<Command>,
    /// What variables stand for that nobody has set: `${NAME:-text}`.
    pub(crate) defaults: Vec<(String, Text)>,
}

pub(crate) fn read(script: &str) -> Result<Script, ImportError> {
    let mut reader = Reader::of(script);
    reader.read()?;
    Ok(reader.script)
}

struct Reader<'a> {
    letters: Peekable<Chars<'a>>,
    line: usize,
    script: Script,
    words: Vec<Text>,
    begin: usize,
    input: Option<Text>,
    link: Link,
    /// Texts that begin in the next line, each with the place of the command that reads it.
    documents: Vec<(usize, Document)>,
}

/// What ends a text that stands in the lines below a command, and whether variables in it have their values.
struct Document {
    end: String,
    is_verbatim: bool,
}

impl<'a> Reader<'a> {
    fn of(text: &'a str) -> Self {
        Self {
            letters: text.chars().peekable(),
            line: 1,
            script: Script::default(),
            words: Vec::new(),
            begin: 1,
            input: None,
            link: Link::None,
            documents: Vec::new(),
        }
    }

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
                    match c {
                        '\n' => self.read_documents()?,
                        '|' if self.letters.next_if_eq(&'|').is_some() => self.link = Link::Otherwise,
                        '|' => self.link = Link::Pipe,
                        _ => {}
                    }
                }
                '#' => {
                    while self.letters.peek().is_some_and(|&c| c != '\n') {
                        self.next();
                    }
                }
                '<' | '>' => {
                    self.next();
                    match c == '<' && self.letters.next_if_eq(&'<').is_some() {
                        true => self.here()?,
                        false => self.skip_redirection()?,
                    }
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
            self.script.commands.push(Command {
                line: self.begin,
                words: std::mem::take(&mut self.words),
                input: self.input.take(),
                link: std::mem::take(&mut self.link),
            });
        }
    }

    /// What stands behind `<<`: a text, or what ends one that stands in the next lines.
    fn here(&mut self) -> Result<(), ImportError> {
        let is_text = self.letters.next_if_eq(&'<').is_some();
        while self.letters.next_if(|c| matches!(c, '-' | ' ' | '\t')).is_some() {}
        let is_verbatim = matches!(self.letters.peek(), Some('\'' | '"' | '\\'));
        let word = self.word()?;
        if is_text {
            self.input = Some(word);
        } else if let Some(end) = word.as_literal().filter(|end| !end.is_empty()) {
            let end = end.to_owned();
            let place = self.script.commands.len();
            self.documents.push((place, Document { end, is_verbatim }));
        }
        Ok(())
    }

    fn read_documents(&mut self) -> Result<(), ImportError> {
        for (place, document) in std::mem::take(&mut self.documents) {
            let mut text = String::new();
            while self.letters.peek().is_some() {
                let mut line = String::new();
                while let Some(c) = self.next().filter(|c| *c != '\n') {
                    line.push(c);
                }
                if line.trim() == document.end {
                    break;
                }
                text.push_str(&line);
                text.push('\n');
            }
            let input = match document.is_verbatim {
                true => Text::literal(text),
                false => self.expanded(&text)?,
            };
            if let Some(command) = self.script.commands.get_mut(place) {
                command.input = Some(input);
            }
        }
        Ok(())
    }

    /// A text with its variables in their places.
    fn expanded(&mut self, text: &str) -> Result<Text, ImportError> {
        let mut reader = Reader::of(text);
        let mut made = Text::default();
        while let Some(&c) = reader.letters.peek() {
            match c {
                '$' => reader.dollar_in_quotes(&mut made)?,
                _ => {
                    reader.next();
                    let escaped = match c {
                        '\\' => reader.letters.next_if(|c| matches!(c, '$' | '`' | '\\')),
                        _ => None,
                    };
                    made.push_str(escaped.unwrap_or(c).encode_utf8(&mut [0; 4]));
                }
            }
        }
        self.script.defaults.append(&mut reader.script.defaults);
        Ok(made)
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
                let begin = (self.letters.clone(), self.line);
                let command = self.substituted(true).or_else(|| {
                    // A text of several lines may have quotes that nothing closes.
                    (self.letters, self.line) = begin;
                    self.substituted(false)
                });
                let command = command.ok_or_else(|| unclosed(line, '('))?;
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
        let (name, default) = match name.split_once(":-").filter(|_| !name.starts_with('$')) {
            Some((name, default)) => (name, Some(default)),
            None => (name.as_str(), None),
        };
        if let Some(default) = default.filter(|default| !default.is_empty()) {
            let default = self.expanded(default)?;
            self.script.defaults.push((name.to_owned(), default));
        }
        word.push(Piece::Variable(name.to_owned()));
        Ok(())
    }

    /// The commands up to the parenthesis that closes them; where there are quotes, those between them are text.
    fn substituted(&mut self, has_quotes: bool) -> Option<String> {
        let mut depth = 1;
        let mut quote = None;
        let mut commands = String::new();
        loop {
            let c = self.next()?;
            match (quote, c) {
                (None | Some('"'), '\\') => {
                    commands.push(c);
                    commands.push(self.next()?);
                    continue;
                }
                (Some(mark), c) if c == mark => quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'') if has_quotes => quote = Some(c),
                (None, '(') => depth += 1,
                (None, ')') => depth -= 1,
                (None, _) => {}
            }
            if depth == 0 {
                return Some(commands);
            }
            commands.push(c);
        }
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
mod tests;
