//! The characters of a script, and the line of the next one.

#[derive(Debug, Clone)]
pub(super) struct Letters<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Letters<'a> {
    /// Those of a text that begins in this line.
    pub(super) const fn of(text: &'a str, line: usize) -> Self {
        Self { rest: text, line }
    }

    pub(super) const fn line(&self) -> usize {
        self.line
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    pub(super) fn starts_with(&self, text: &str) -> bool {
        self.rest.starts_with(text)
    }

    pub(super) fn next_if(&mut self, fits: impl FnOnce(char) -> bool) -> Option<char> {
        self.peek().filter(|c| fits(*c)).and_then(|_| self.next())
    }

    pub(super) fn next_if_eq(&mut self, expected: char) -> Option<char> {
        self.next_if(|c| c == expected)
    }

    /// Whether the quote that stands here stands once more.
    pub(super) fn closes(&self, quote: char) -> bool {
        let behind = self.rest.strip_prefix(quote);
        behind.is_some_and(|behind| behind.contains(quote))
    }

    /// The rest of the line, without its end.
    pub(super) fn line_ahead(&self) -> &'a str {
        self.rest.split('\n').next().unwrap_or_default()
    }

    /// How many bytes there are up to the next line, if behind the first `bytes` of them are only blanks.
    pub(super) fn bytes_to_next_line(&self, bytes: usize) -> Option<usize> {
        let blanks = self.rest.get(bytes..)?;
        let behind = blanks.trim_start_matches([' ', '\t', '\r']);
        let is_end = behind.is_empty() || behind.starts_with('\n');
        is_end.then_some(self.rest.len() - behind.len() + 1)
    }

    /// Leaves so many bytes out.
    pub(super) fn pass(&mut self, bytes: usize) {
        let end = self.rest.len() - bytes.min(self.rest.len());
        while self.rest.len() > end {
            self.next();
        }
    }

    /// What was read since then.
    pub(super) fn since(&self, before: &Self) -> &'a str {
        &before.rest[..before.rest.len() - self.rest.len()]
    }
}

impl Iterator for Letters<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        self.line += usize::from(c == '\n');
        Some(c)
    }
}
