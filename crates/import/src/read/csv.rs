//! Tables whose columns are the values of variables.

use crate::left_out::counted;

/// Rows of a table; fields in double quotes may hold separators, line breaks and doubled quotes.
pub(crate) fn rows(text: &str, separator: char) -> Vec<Vec<String>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut rows = Vec::new();
    let mut row = Vec::new();
    let mut field = String::new();
    let mut letters = text.chars().peekable();
    let mut in_quotes = false;
    let mut was_quoted = false;
    while let Some(c) = letters.next() {
        match c {
            '"' if in_quotes && letters.next_if_eq(&'"').is_some() => field.push('"'),
            '"' if in_quotes => in_quotes = false,
            '"' if field.is_empty() && !was_quoted => {
                in_quotes = true;
                was_quoted = true;
            }
            c if in_quotes => field.push(c),
            c if c == separator => {
                row.push(std::mem::take(&mut field));
                was_quoted = false;
            }
            '\r' if letters.peek() == Some(&'\n') => {}
            '\n' => {
                row.push(std::mem::take(&mut field));
                was_quoted = false;
                let row = std::mem::take(&mut row);
                if row.iter().any(|field| !field.is_empty()) {
                    rows.push(row);
                }
            }
            c => field.push(c),
        }
    }
    row.push(field);
    if row.iter().any(|field| !field.is_empty()) {
        rows.push(row);
    }
    rows
}

/// Of a table that gives nobody a value.
pub(crate) const NO_ROWS: &str = "the table has no rows";

/// What is said of rows that have fewer fields than there are names, if there are any.
pub(crate) fn short_rows(rows: &[Vec<String>], names: &[String]) -> Option<(String, &'static str)> {
    let count = rows.iter().filter(|row| row.len() < names.len()).count();
    let why = "they have fewer fields than the table has names; what they lack is empty";
    (count > 0).then(|| (counted(count, "row"), why))
}

/// The values of each name, row by row; a row that is too short has none for the last ones.
pub(crate) fn columns(rows: &[Vec<String>], names: &[String]) -> Vec<(String, Vec<String>)> {
    let column = |(index, name): (usize, &String)| {
        let value = |row: &Vec<String>| row.get(index).cloned().unwrap_or_default();
        (name.clone(), rows.iter().map(value).collect())
    };
    names
        .iter()
        .enumerate()
        .filter(|(_, name)| !name.is_empty())
        .map(column)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_spreadsheets_write_them() {
        let found = rows("\u{feff}a,b\r\n\"x, \"\"y\"\"\",2\n\n,\nlast", ',');
        assert_eq!(found, [vec!["a", "b"], vec!["x, \"y\"", "2"], vec!["last"]]);
        let columns = columns(&found[1..], &["n".to_owned(), "m".to_owned()]);
        assert_eq!(columns[1], ("m".to_owned(), vec!["2".to_owned(), String::new()]));
    }
}
