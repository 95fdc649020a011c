//! Tables of values, from the files that hold them: CSV, or JSON lines.

use crate::notation::csv::Records;
use crate::notation::error::PlanError;
use crate::notation::mismatch::{Mismatch, quoted};
use crate::notation::reader::Reader;
use crate::notation::written::{At, Written};
use crate::plan::table::{Rows, Table};
use crate::plan::variable_document::VariableDocument;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// The longest file. Its rows are kept in memory, as long as they are in the file and four bytes for each field.
const MOST_FILE_BYTES: u64 = 256 << 20;
const MOST_COLUMNS: usize = 100;
/// Endings of the names of files that hold JSON lines; all others hold CSV.
const JSON_LINES: [&str; 3] = ["jsonl", "ndjson", "json"];

impl Reader<'_> {
    /// The table in `file`, number `place` of the scenario.
    pub(crate) fn table(
        &mut self,
        name: &str,
        section: &At<VariableDocument>,
        file: &Written<String>,
        place: usize,
    ) -> Result<Table, PlanError> {
        let key = format!("scenario.variables.{name}");
        let document = &section.value;
        let others = [
            (
                document.from.0.is_some() || document.to.0.is_some(),
                "a file and a range",
            ),
            (document.values.0.is_some(), "a file and `values`"),
            (document.uuid.0.is_some(), "a file and `uuid`"),
            (document.length.0.is_some(), "a file and `length`"),
            (document.characters.0.is_some(), "a file and `characters`"),
            (document.now.0.is_some(), "a file and `now`"),
            (document.offset.0.is_some(), "a file and `offset`"),
            (document.anew.0.is_some(), "a file and `anew`"),
        ];
        if let Some((_, found)) = others.iter().find(|(given, _)| *given) {
            return Err(self.error(section.place, Mismatch::new(*found, "one of them")));
        }
        let path = self.written(&format!("{key}.file"), file)?;
        let columns = match self.section(&format!("{key}.columns"), &document.columns) {
            None => None,
            Some(columns) => Some(
                columns
                    .value
                    .iter()
                    .map(|column| self.read_with(column, |text| Ok(text.to_owned())))
                    .collect::<Result<Vec<_>, _>>()?,
            ),
        };
        let separator = match &document.separator.0 {
            None if has_ending(&path, &["tsv"]) => b'\t',
            None => b',',
            Some(written) => self.read_with(written, separator)?,
        };
        if let (true, Some(written)) = (has_ending(&path, &JSON_LINES), &document.separator.0) {
            let mismatch = Mismatch::new("a `separator` of a file of JSON lines", "none");
            return Err(self.error(written.place, mismatch));
        }
        let order = self.field(&format!("{key}.order"), &document.order)?;
        let once = self.field(&format!("{key}.once"), &document.once)?;
        let rows = match (self.environment, columns) {
            // What was saved has the columns, and none of the values.
            (None, columns) => Rows::of(columns.unwrap_or_default()),
            (Some(_), columns) => {
                let bytes = self.file(&self.beside_plan(&path), MOST_FILE_BYTES).map_err(|error| {
                    let mismatch = Mismatch::new(quoted(&path), "a readable file of at most 256 MiB");
                    self.error(file.place, mismatch.hint(error.to_string()))
                })?;
                let read = match has_ending(&path, &JSON_LINES) {
                    true => json_lines(&bytes, columns),
                    false => csv(&bytes, separator, columns),
                };
                read.map_err(|(line, mismatch)| PlanError::new(format!("{path}:{line}"), mismatch))?
            }
        };
        Ok(Table {
            name: name.to_owned(),
            file: path,
            place,
            order: order.unwrap_or_default(),
            once: once.unwrap_or_default(),
            seed: 0,
            rows: Arc::new(rows),
        })
    }
}

/// What is wrong with a file, and in which line.
type Flawed = (u32, Mismatch);

fn has_ending(path: &str, endings: &[&str]) -> bool {
    let ending = Path::new(path).extension().unwrap_or_default();
    endings.iter().any(|known| ending.eq_ignore_ascii_case(known))
}

fn separator(text: &str) -> Result<u8, Mismatch> {
    match text.as_bytes() {
        [byte] if *byte == b'\t' || byte.is_ascii_graphic() && *byte != b'"' => Ok(*byte),
        _ => Err(Mismatch::new(
            quoted(text),
            "one character such as `;`, or \"\\t\" for a tab",
        )),
    }
}

/// Reads a table whose first record names the columns, unless they are given.
fn csv(bytes: &[u8], separator: u8, columns: Option<Vec<String>>) -> Result<Rows, Flawed> {
    let mut records = Records::of(text(bytes)?, separator);
    let mut fields = Vec::new();
    let columns = match columns {
        Some(columns) => columns,
        None => match records.next_into(&mut fields)? {
            Some(_) => fields.iter().map(|name| name.trim().to_owned()).collect(),
            None => return Err(empty()),
        },
    };
    let mut rows = Rows::of(named(columns)?);
    while let Some(line) = records.next_into(&mut fields)? {
        let count = rows.columns.len();
        if fields.len() != count {
            let found = format!("{} in a row", counted(fields.len(), "field"));
            let mismatch = Mismatch::new(found, format!("{count}, one for each column"));
            let hint = match fields.len() < count {
                true => "the file may be cut off, or have another `separator`",
                false => "a field with a separator in it stands in double quotes",
            };
            return Err((line, mismatch.hint(hint)));
        }
        rows.push(line, &fields);
    }
    finished(rows)
}

/// Reads a table of which each line is an object. The first one names the columns, unless they are given.
fn json_lines(bytes: &[u8], columns: Option<Vec<String>>) -> Result<Rows, Flawed> {
    let mut rows = columns.map(named).transpose()?.map(Rows::of);
    for (line, text) in (1..)
        .zip(text(bytes)?.lines())
        .filter(|(_, text)| !text.trim().is_empty())
    {
        let object: Map<String, Value> = serde_json::from_str(text).map_err(|error| (line, no_object(text, &error)))?;
        let rows = match &mut rows {
            Some(rows) => rows,
            None => rows.insert(Rows::of(named(object.keys().cloned().collect())?)),
        };
        let mut fields = Vec::with_capacity(rows.columns.len());
        for column in &rows.columns {
            fields.push(match object.get(column) {
                Some(Value::String(text)) => Cow::Borrowed(text.as_str()),
                Some(Value::Null) | None => {
                    let mismatch = Mismatch::new(format!("no value of {}", quoted(column)), "one in every line");
                    return Err((line, mismatch.hint("an empty text is written \"\"")));
                }
                Some(other) => Cow::Owned(other.to_string()),
            });
        }
        rows.push(line, fields);
    }
    finished(rows.unwrap_or_default())
}

/// Why a line is no object.
fn no_object(text: &str, error: &serde_json::Error) -> Mismatch {
    let expected = "an object in JSON, such as {\"user\": \"ann\"}";
    match text.trim_start().chars().next() {
        Some('[') => Mismatch::new("a list", expected).hint("write one object a line, as `jq -c '.[]'` does"),
        Some('{') => Mismatch::new(
            format!("a line that is not JSON from column {} on", error.column()),
            expected,
        )
        .hint("each line is one object; the file may be cut off"),
        _ => Mismatch::new("another line", expected).hint("files of CSV have another ending, such as .csv"),
    }
}

/// The text in a file, without a byte order mark.
fn text(bytes: &[u8]) -> Result<&str, Flawed> {
    const EXPECTED: &str = "text in UTF-8";
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        let mismatch = Mismatch::new("text in UTF-16", EXPECTED);
        return Err((1, mismatch.hint("convert it, as `iconv -f UTF-16 -t UTF-8` does")));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count() as u32;
        let mismatch = Mismatch::new("bytes that are not UTF-8", EXPECTED);
        (
            line,
            mismatch.hint("convert it, as `iconv -f WINDOWS-1252 -t UTF-8` does"),
        )
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// The names of columns, if they can be names of variables.
fn named(columns: Vec<String>) -> Result<Vec<String>, Flawed> {
    if columns.is_empty() {
        return Err((1, Mismatch::new("no column", "at least one")));
    }
    if columns.len() > MOST_COLUMNS {
        let found = counted(columns.len(), "column");
        return Err((1, Mismatch::new(found, format!("at most {MOST_COLUMNS}"))));
    }
    let mut seen = HashSet::new();
    for name in &columns {
        if name.is_empty() || name.contains(['$', '{', '}']) || name.contains(char::is_control) {
            let mismatch = Mismatch::new(
                format!("a column named {}", quoted(name)),
                "a name without `$`, `{` and `}`",
            );
            return Err((
                1,
                mismatch.hint("name the columns in the first line, or by `columns` in the plan"),
            ));
        }
        if !seen.insert(name) {
            let found = format!("a second column named {}", quoted(name));
            return Err((1, Mismatch::new(found, "a different name for each")));
        }
    }
    Ok(columns)
}

fn finished(mut rows: Rows) -> Result<Rows, Flawed> {
    if rows.count() == 0 {
        return Err(empty());
    }
    rows.shrink_to_fit();
    Ok(rows)
}

fn empty() -> Flawed {
    (1, Mismatch::new("no row", "at least one"))
}

fn counted(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(read: Result<Rows, Flawed>) -> Vec<Vec<String>> {
        let rows = read.unwrap_or_else(|(line, mismatch)| panic!("{line}: {mismatch}"));
        let row = |row| {
            let value = |column| rows.value(row, column).expect("a value").to_owned();
            (0..rows.columns.len()).map(value).collect()
        };
        (0..rows.count()).map(row).collect()
    }

    #[test]
    fn both_formats_hold_the_same_tables() {
        let expected = [["ann", "1"], ["bob, \"b\"", ""]];
        let from_csv = csv(b"\xef\xbb\xbfname, n\r\nann,1\n\n\"bob, \"\"b\"\"\",\n", b',', None);
        assert_eq!(rows(from_csv), expected);
        let lines = "{\"name\":\"ann\",\"n\":1,\"more\":[]}\n\n{\"n\":\"\",\"name\":\"bob, \\\"b\\\"\"}";
        let columns = Some(vec!["name".to_owned(), "n".to_owned()]);
        assert_eq!(rows(json_lines(lines.as_bytes(), columns)), expected);
    }

    #[test]
    fn rows_know_their_lines_and_values() {
        let mut text = String::from("user,password\n");
        (0..10_000).for_each(|user| text.push_str(&format!("u{user},\"p\n{user}\"\n")));
        let rows = csv(text.as_bytes(), b',', None).unwrap_or_else(|(line, mismatch)| panic!("{line}: {mismatch}"));
        assert_eq!((rows.count(), rows.value(9_999, 1)), (10_000, Some("p\n9999")));
        assert_eq!((rows.line(0), rows.line(9_999)), (2, 20_000));
        assert_eq!(
            (rows.value(10_000, 0), format!("{rows:?}")),
            (None, "Rows(10000 of 2 columns)".to_owned())
        );
    }

    #[test]
    fn files_that_are_no_tables_are_refused_with_their_line() {
        #[track_caller]
        fn check(read: Result<Rows, Flawed>, expected: &str) {
            let (line, mismatch) = read.expect_err(expected);
            assert_eq!(format!("{line}: {}", mismatch.message()), expected);
        }
        let table = |bytes: &[u8]| csv(bytes, b',', None);
        check(table(b""), "1: found no row, expected at least one");
        check(table(b"a,b\n"), "1: found no row, expected at least one");
        check(
            table(b"a,b\n1,2\n3"),
            "3: found 1 field in a row, expected 2, one for each column",
        );
        check(
            table(b"a\n\"1"),
            "2: found a quote that is not closed, expected a field in double quotes",
        );
        check(
            table(b"a\nb\xe4\n"),
            "2: found bytes that are not UTF-8, expected text in UTF-8",
        );
        check(
            table(b"\xff\xfea\0\n\0"),
            "1: found text in UTF-16, expected text in UTF-8",
        );
        check(
            table(b"a,a\n1,2\n"),
            "1: found a second column named `a`, expected a different name for each",
        );
        check(
            table(b"a,,b\n1,2,3\n"),
            "1: found a column named nothing, expected a name without `$`, `{` and `}`",
        );
        let object = "expected an object in JSON, such as {\"user\": \"ann\"}";
        for (text, found) in [
            (
                &b"{\"a\":1}\n{\"a\":"[..],
                "2: found a line that is not JSON from column 5 on",
            ),
            (b"[{\"a\":1}]", "1: found a list"),
            (b"a,b", "1: found another line"),
        ] {
            check(json_lines(text, None), &format!("{found}, {object}"));
        }
        for text in [
            &b"{\"a\":1,\"b\":2}\n{\"a\":1}"[..],
            b"{\"a\":1,\"b\":2}\n{\"a\":1,\"b\":null}",
        ] {
            check(
                json_lines(text, None),
                "2: found no value of `b`, expected one in every line",
            );
        }
    }
}
