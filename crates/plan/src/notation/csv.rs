//! Tables as text (RFC 4180): what stands between two separators is a field, and in double quotes it may hold separators, line breaks
//! and doubled quotes.
//!
//! Unlike the libraries for it, this one refuses quotes that are not closed: in a file that was cut off there is one.

use crate::notation::mismatch::Mismatch;
use std::borrow::Cow;

/// The records of a table, one after the other.
pub(crate) struct Records<'a> {
    text: &'a str,
    separator: u8,
    /// Where the next one begins.
    at: usize,
    /// The line there, from 1.
    line: u32,
}

/// Something that is no table, in this line.
pub(crate) type Flawed = (u32, Mismatch);

impl<'a> Records<'a> {
    /// `separator` is a character of ASCII.
    pub(crate) fn of(text: &'a str, separator: u8) -> Self {
        Self {
            text,
            separator,
            at: 0,
            line: 1,
        }
    }

    /// Reads the next record into `fields` and gives the line in which it begins; `None` behind the last one. Empty lines are no records.
    pub(crate) fn next_into(&mut self, fields: &mut Vec<Cow<'a, str>>) -> Result<Option<u32>, Flawed> {
        while let Some(end) = line_end(&self.text[self.at..]) {
            self.at += end;
            self.line += 1;
        }
        fields.clear();
        if self.at == self.text.len() {
            return Ok(None);
        }
        let line = self.line;
        loop {
            let field = match self.text[self.at..].starts_with('"') {
                true => self.quoted()?,
                false => self.plain(),
            };
            fields.push(field);
            let rest = &self.text[self.at..];
            if rest.as_bytes().first() == Some(&self.separator) {
                self.at += 1;
            } else if rest.is_empty() {
                return Ok(Some(line));
            } else if let Some(end) = line_end(rest) {
                self.at += end;
                self.line += 1;
                return Ok(Some(line));
            } else {
                let mismatch = Mismatch::new("text behind a closing quote", "a separator or the end of the line");
                return Err((
                    self.line,
                    mismatch.hint("a quote inside of a field in quotes is written twice: \"\""),
                ));
            }
        }
    }

    fn plain(&mut self) -> Cow<'a, str> {
        let rest = &self.text[self.at..];
        let ends = |byte: u8| byte == self.separator || byte == b'\n';
        let mut end = rest.bytes().position(ends).unwrap_or(rest.len());
        if rest[end..].starts_with('\n') && rest[..end].ends_with('\r') {
            end -= 1;
        }
        self.at += end;
        Cow::Borrowed(&rest[..end])
    }

    fn quoted(&mut self) -> Result<Cow<'a, str>, Flawed> {
        let opened = self.line;
        let mut field = Cow::Borrowed("");
        self.at += 1;
        loop {
            let rest = &self.text[self.at..];
            let Some(end) = rest.find('"') else {
                let mismatch = Mismatch::new("a quote that is not closed", "a field in double quotes");
                return Err((opened, mismatch.hint("the file may be cut off")));
            };
            let piece = &rest[..end];
            self.line += piece.bytes().filter(|byte| *byte == b'\n').count() as u32;
            self.at += end + 1;
            let is_doubled = self.text[self.at..].starts_with('"');
            if is_doubled {
                self.at += 1;
                field.to_mut().push_str(&rest[..=end]);
            } else if field.is_empty() {
                return Ok(Cow::Borrowed(piece));
            } else {
                field.to_mut().push_str(piece);
                return Ok(field);
            }
        }
    }
}

/// How long the end of a line is that `text` begins with.
fn line_end(text: &str) -> Option<usize> {
    ["\n", "\r\n"]
        .iter()
        .find(|end| text.starts_with(**end))
        .map(|end| end.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Each record with its line.
    type Read = Vec<(u32, Vec<String>)>;

    fn read(text: &str) -> Result<Read, (u32, String)> {
        let (mut records, mut fields, mut all) = (Records::of(text, b','), Vec::new(), Vec::new());
        loop {
            match records.next_into(&mut fields) {
                Ok(Some(line)) => all.push((line, fields.iter().map(ToString::to_string).collect())),
                Ok(None) => return Ok(all),
                Err((line, mismatch)) => return Err((line, mismatch.message())),
            }
        }
    }

    #[test]
    fn records_are_read_as_spreadsheets_write_them() {
        let expected = [
            (1, vec!["a", "b"]),
            (2, vec!["x, \"y\"\nz", ""]),
            (5, vec!["5\" pipe", "last"]),
            (6, vec!["", ""]),
        ];
        let text = "a,b\r\n\"x, \"\"y\"\"\nz\",\n\n5\" pipe,last\n,";
        let found = read(text).expect("a table");
        let found = found
            .iter()
            .map(|(line, fields)| (*line, fields.iter().map(String::as_str).collect()));
        assert_eq!(found.collect::<Vec<(u32, Vec<&str>)>>(), expected);
    }

    #[test]
    fn quotes_that_do_not_fit_are_refused_with_their_line() {
        let line = |text: &str| read(text).expect_err(text).0;
        assert_eq!(line("a\nb\n\"c\nd"), 3);
        assert_eq!(line("a\n\"b\n\"c\n"), 3);
        assert_eq!(line("\"\"\""), 1);
    }

    proptest! {
        #[test]
        fn fields_read_back_as_they_are_written(rows in proptest::collection::vec(proptest::collection::vec("[a,\"\n\r é]{1,4}", 1..4), 1..5)) {
            let quoted = |field: &String| format!("\"{}\"", field.replace('"', "\"\""));
            let lines = rows.iter().map(|row| row.iter().map(quoted).collect::<Vec<_>>().join(","));
            let text = lines.collect::<Vec<_>>().join("\n");
            let found: Vec<Vec<String>> = read(&text).expect("a table").into_iter().map(|(_, fields)| fields).collect();
            prop_assert_eq!(found, rows);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[a,\"\n\r]{0,24}") {
            let lines = text.split('\n').count() as u32;
            match read(&text) {
                Ok(all) => prop_assert!(all.iter().all(|(line, fields)| *line <= lines && !fields.is_empty())),
                Err((line, _)) => prop_assert!(line <= lines),
            }
        }
    }
}
