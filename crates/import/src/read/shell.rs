//! Words of a shell: quoted in all the ways of bash, `$'…'` of Chrome and Firefox among them. Nothing is run.

mod ansi;
mod changes;
mod expansions;
mod letters;
mod places;

use crate::error::ImportError;
use crate::left_out::Place;
use crate::text::Text;
pub(crate) use changes::Change;
pub(crate) use expansions::{ChangedText, DefaultText, Expansion, Expansions, repeated};
use letters::Letters;

/// Commands and defaults inside of others.
const DEEPEST: usize = 8;

/// A word as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Word {
    pub(crate) text: Text,
    /// Variables in it that stand outside of quotes, whose values a shell splits into words.
    pub(crate) bare: Vec<String>,
    /// What stands between the parentheses of `NAME=(…)`.
    pub(crate) list: Option<Vec<Word>>,
}

/// The words of a command up to its end. `NAME()` is read as `function NAME`; the parentheses of a subshell are commands of one word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Command {
    /// Of its first word.
    pub(crate) line: usize,
    /// Without redirections and their files, since they are not sent.
    pub(crate) words: Vec<Word>,
    /// What the script itself gives it to read.
    pub(crate) input: Option<Text>,
    pub(crate) link: Link,
}

impl Command {
    /// All that its words and what it reads consist of.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &Text> {
        let lists = self.words.iter().filter_map(|word| word.list.as_ref()).flatten();
        let words = self.words.iter().chain(lists).map(|word| &word.text);
        words.chain(self.input.as_ref())
    }
}

/// What a command has to do with the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Link {
    #[default]
    None,
    /// It reads what that one prints.
    Pipe,
    /// It is there for where that one succeeds.
    Then,
    /// It is there for where that one fails.
    Otherwise,
}

/// The commands of a script, one after the other. What places in their words stand for comes into `expansions`.
pub(crate) fn read(script: &str, expansions: &mut Expansions) -> Result<Vec<Command>, ImportError> {
    let mut reader = Reader::of(script, 1, expansions, 0);
    Ok(reader.commands(false)?.0)
}

struct Reader<'a, 'e> {
    letters: Letters<'a>,
    expansions: &'e mut Expansions,
    /// In how many others these commands stand.
    depth: usize,
    read: Unfinished,
}

/// What has been read of commands.
#[derive(Default)]
struct Unfinished {
    commands: Vec<Command>,
    words: Vec<Word>,
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

impl<'a, 'e> Reader<'a, 'e> {
    fn of(text: &'a str, line: usize, expansions: &'e mut Expansions, depth: usize) -> Self {
        Self {
            letters: Letters::of(text, line),
            expansions,
            depth,
            read: Unfinished::default(),
        }
    }

    fn next(&mut self) -> Option<char> {
        self.letters.next()
    }

    /// The commands up to the end of the text, or of those `is_inside` of others up to the parenthesis that closes them; and whether one did.
    fn commands(&mut self, is_inside: bool) -> Result<(Vec<Command>, bool), ImportError> {
        let outer = std::mem::take(&mut self.read);
        let mut open = 0_usize;
        let mut is_closed = false;
        while let Some(c) = self.letters.peek() {
            match c {
                ' ' | '\t' | '\r' => {
                    self.next();
                }
                '(' if self.names_function() => self.letters.pass(2),
                '\n' | ';' | '&' | '|' | '(' | ')' => {
                    self.next();
                    self.end();
                    match c {
                        '\n' => self.read_documents(is_inside)?,
                        '&' if self.letters.next_if_eq('&').is_some() => self.read.link = Link::Then,
                        '|' if self.letters.next_if_eq('|').is_some() => self.read.link = Link::Otherwise,
                        '|' => self.read.link = Link::Pipe,
                        '(' => {
                            open += 1;
                            self.push_parenthesis("(");
                        }
                        ')' if is_inside && open == 0 => {
                            is_closed = true;
                            break;
                        }
                        ')' if open > 0 => {
                            open -= 1;
                            self.push_parenthesis(")");
                        }
                        _ => {}
                    }
                }
                // A comment, and the fence of Markdown.
                '#' => self.skip_line(),
                '`' if self.letters.starts_with("```") => self.skip_line(),
                '<' | '>' => {
                    self.next();
                    match c == '<' && self.letters.next_if_eq('<').is_some() {
                        true => self.here()?,
                        false => self.skip_redirection()?,
                    }
                }
                '\\' if self.is_continued() => {}
                _ => {
                    let line = self.letters.line();
                    let word = self.word()?;
                    // `2>` has a number in front of it.
                    if matches!(self.letters.peek(), Some('<' | '>')) && is_number(&word) {
                        continue;
                    }
                    if self.read.words.is_empty() {
                        self.read.begin = line;
                    }
                    self.read.words.push(word);
                }
            }
        }
        self.end();
        let read = std::mem::replace(&mut self.read, outer);
        Ok((read.commands, is_closed))
    }

    /// Whether `()` stands here behind a name, which `function` is put in front of.
    fn names_function(&mut self) -> bool {
        let Some((name, before)) = self.read.words.split_last().filter(|_| self.letters.starts_with("()")) else {
            return false;
        };
        let is_name = name.text.as_literal().is_some_and(|text| !text.is_empty());
        match before.last().map(|word| word.text.as_literal()) {
            Some(Some("function")) => true,
            None | Some(Some("{" | "then" | "else" | "do")) if is_name => {
                let text = Text::literal("function");
                let at = before.len();
                self.read.words.insert(
                    at,
                    Word {
                        text,
                        ..Word::default()
                    },
                );
                true
            }
            _ => false,
        }
    }

    /// What is linked stands in the subshell, or behind it.
    fn push_parenthesis(&mut self, parenthesis: &str) {
        let text = Text::literal(parenthesis);
        self.read.commands.push(Command {
            line: self.letters.line(),
            words: vec![Word {
                text,
                ..Word::default()
            }],
            input: None,
            link: Link::None,
        });
    }

    fn end(&mut self) {
        let read = &mut self.read;
        if !read.words.is_empty() {
            read.commands.push(Command {
                line: read.begin,
                words: std::mem::take(&mut read.words),
                input: read.input.take(),
                link: std::mem::take(&mut read.link),
            });
        }
    }

    fn skip_line(&mut self) {
        self.letters.pass(self.letters.line_ahead().len());
    }

    /// What stands behind `<<`: a text, or what ends one that stands in the next lines.
    fn here(&mut self) -> Result<(), ImportError> {
        let is_text = self.letters.next_if_eq('<').is_some();
        while self.letters.next_if(|c| matches!(c, '-' | ' ' | '\t')).is_some() {}
        let is_verbatim = matches!(self.letters.peek(), Some('\'' | '"' | '\\'));
        let word = self.word()?.text;
        if is_text {
            self.read.input = Some(word);
        } else if let Some(end) = word.as_literal().filter(|end| !end.is_empty()) {
            let end = end.to_owned();
            let place = self.read.commands.len();
            self.read.documents.push((place, Document { end, is_verbatim }));
        }
        Ok(())
    }

    fn read_documents(&mut self, is_inside: bool) -> Result<(), ImportError> {
        for (place, document) in std::mem::take(&mut self.read.documents) {
            let begin = self.letters.line();
            let mut text = String::new();
            while self.letters.peek().is_some() {
                let line = self.letters.line_ahead();
                let behind = line.trim_start().strip_prefix(&document.end);
                // Where it ends, the commands around it may end as well.
                if let Some(behind) = behind.filter(|behind| is_inside && behind.trim_start().starts_with(')')) {
                    self.letters.pass(line.len() - behind.len());
                    break;
                }
                self.letters.pass(line.len() + 1);
                if line.trim() == document.end {
                    break;
                }
                text.push_str(line);
                text.push('\n');
            }
            let input = match document.is_verbatim {
                true => Text::literal(text),
                false => self.expanded(&text, begin)?,
            };
            if let Some(command) = self.read.commands.get_mut(place) {
                command.input = Some(input);
            }
        }
        Ok(())
    }

    /// A text with its variables in their places.
    fn expanded(&mut self, text: &str, line: usize) -> Result<Text, ImportError> {
        let mut reader = Reader::of(text, line, self.expansions, self.depth);
        let mut made = Word::default();
        while let Some(c) = reader.letters.peek() {
            match c {
                '$' => reader.dollar(&mut made, true)?,
                '`' => reader.backticks(&mut made, true)?,
                _ => {
                    reader.next();
                    let escaped = match c {
                        '\\' => reader.letters.next_if(|c| matches!(c, '$' | '`' | '\\')),
                        _ => None,
                    };
                    made.text.push_char(escaped.unwrap_or(c));
                }
            }
        }
        Ok(made.text)
    }

    /// Whether a backslash ends this line, which then goes on in the next. Blanks behind it are a common mistake.
    fn is_continued(&mut self) -> bool {
        let bytes = self.letters.bytes_to_next_line(1);
        if let Some(bytes) = bytes {
            self.letters.pass(bytes);
        }
        bytes.is_some()
    }

    fn skip_redirection(&mut self) -> Result<(), ImportError> {
        let is_of_it = |c| matches!(c, '<' | '>' | '&' | '-' | ' ');
        while self.letters.next_if(is_of_it).is_some() {}
        if self
            .letters
            .peek()
            .is_some_and(|c| !matches!(c, '\n' | ';' | '|' | ')'))
        {
            self.word()?;
        }
        Ok(())
    }

    fn word(&mut self) -> Result<Word, ImportError> {
        let mut word = Word::default();
        while let Some(c) = self.letters.peek() {
            match c {
                '(' if word.text.as_literal().is_some_and(|text| text.ends_with('=')) => {
                    word.list = Some(self.list()?);
                    break;
                }
                ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')' => break,
                '\'' => {
                    self.next();
                    let text = self.until('\'')?;
                    word.text.push_str(&text);
                }
                '"' => {
                    self.next();
                    self.double_quoted(&mut word)?;
                }
                '$' => self.dollar(&mut word, false)?,
                '`' => self.backticks(&mut word, false)?,
                '\\' => {
                    if self.is_continued() {
                        break;
                    }
                    self.next();
                    if let Some(c) = self.next() {
                        word.text.push_char(c);
                    }
                }
                c => {
                    self.next();
                    word.text.push_char(c);
                }
            }
        }
        Ok(word)
    }

    /// The words between parentheses.
    fn list(&mut self) -> Result<Vec<Word>, ImportError> {
        let line = self.letters.line();
        self.next();
        self.depth = deeper(line, self.depth)?;
        let mut words = Vec::new();
        loop {
            match self.letters.peek().ok_or_else(|| unclosed(line, '('))? {
                ')' => {
                    self.next();
                    self.depth -= 1;
                    return Ok(words);
                }
                '#' => self.skip_line(),
                ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' => {
                    self.next();
                }
                '\\' if self.is_continued() => {}
                _ => words.push(self.word()?),
            }
        }
    }

    fn until(&mut self, quote: char) -> Result<String, ImportError> {
        let line = self.letters.line();
        let mut text = String::new();
        loop {
            match self.next() {
                Some(c) if c == quote => return Ok(text),
                Some(c) => text.push(c),
                None => return Err(unclosed(line, quote)),
            }
        }
    }

    fn double_quoted(&mut self, word: &mut Word) -> Result<(), ImportError> {
        let line = self.letters.line();
        loop {
            match self.letters.peek() {
                None => return Err(unclosed(line, '"')),
                Some('"') => {
                    self.next();
                    return Ok(());
                }
                Some('$') => self.dollar(word, true)?,
                Some('`') => self.backticks(word, true)?,
                Some('\\') => {
                    self.next();
                    match self.next() {
                        Some('\n') => {}
                        Some(c) if matches!(c, '"' | '\\' | '$' | '`') => word.text.push_char(c),
                        Some(c) => word.text.push_str(&format!("\\{c}")),
                        None => return Err(unclosed(line, '"')),
                    }
                }
                Some(c) => {
                    self.next();
                    word.text.push_char(c);
                }
            }
        }
    }
}

const fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn is_number(word: &Word) -> bool {
    let literal = word.text.as_literal();
    literal.is_some_and(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
}

fn deeper(line: usize, depth: usize) -> Result<usize, ImportError> {
    let place = Place::Line(line);
    let too_deep = || {
        ImportError::new(
            Some(&place),
            "commands inside of each other",
            format!("at most {DEEPEST} of them"),
        )
    };
    (depth < DEEPEST).then_some(depth + 1).ok_or_else(too_deep)
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
