//! A command written as one line, split into words as a shell would, quotes honoured; nothing is expanded.

use crate::notation::mismatch::{Mismatch, quoted};
use crate::secrets::{Secret, Shown};

/// The words of `line`: split at blanks outside quotes; a backslash keeps the next character as it is, in double
/// quotes only `"`, `\`, `$` and backquote; single quotes keep everything.
///
/// # Errors
/// When a quote is left open, there is no word, or the line needs a shell: it pipes, redirects, chains or sets
/// variables.
pub fn split_command(line: &str) -> Result<Vec<String>, Mismatch> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.char_indices();
    while let Some((at, c)) = chars.next() {
        let unclosed = || Mismatch::new(format!("an unclosed {c}"), format!("a closing {c}")).at(at..at + 1);
        match c {
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next().ok_or_else(unclosed)?.1 {
                        '\'' => break,
                        c => word.push(c),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next().ok_or_else(unclosed)?.1 {
                        '"' => break,
                        '\\' => {
                            let kept = chars.next().ok_or_else(unclosed)?.1;
                            if !matches!(kept, '"' | '\\' | '$' | '`') {
                                word.push('\\');
                            }
                            word.push(kept);
                        }
                        c => word.push(c),
                    }
                }
            }
            '\\' => {
                let kept = chars
                    .next()
                    .ok_or_else(|| Mismatch::new("a backslash at the end", "a character after it"))?;
                word.get_or_insert_default().push(kept.1);
            }
            '|' | '&' | ';' | '<' | '>' | '`' => {
                return Err(
                    Mismatch::new(format!("`{c}` outside quotes"), "one program and its arguments")
                        .at(at..at + 1)
                        .hint("no shell is involved; write `sh -c '…'` to have one, or quote it"),
                );
            }
            c if c.is_whitespace() => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    match words.first() {
        None => Err(Mismatch::new(quoted(line), "a command such as `node server.js`")),
        Some(first) if first.is_empty() => Err(Mismatch::new("an empty word", "the program to start")),
        Some(first) if is_assignment(first) => {
            let found = "`NAME=value` before the program";
            Err(Mismatch::new(found, "the program to start").hint("set variables in `env`"))
        }
        Some(_) => Ok(words),
    }
}

impl Shown {
    /// A command as one line, for a shell.
    #[must_use]
    pub fn of_command_line(line: &str) -> Self {
        match split_command(line) {
            Ok(words) => Self::of_command(&words.into_iter().map(Secret::new).collect::<Vec<_>>()),
            Err(_) => Self::of_text(line),
        }
    }
}

/// `NAME=value`, as a shell takes it in front of a command.
fn is_assignment(word: &str) -> bool {
    word.split_once('=')
        .is_some_and(|(name, _)| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_by_a_shell() {
        for (line, words) in [
            ("node server.js", vec!["node", "server.js"]),
            ("  node\t'a b'  ", vec!["node", "a b"]),
            (r#"node "a \"b\" \n" c\ d"#, vec!["node", r#"a "b" \n"#, "c d"]),
            ("node --x='1 2'3 ''", vec!["node", "--x=1 23", ""]),
            ("node -e 'a | b'", vec!["node", "-e", "a | b"]),
            ("node $HOME *.js", vec!["node", "$HOME", "*.js"]),
        ] {
            assert_eq!(split_command(line).unwrap(), words, "{line}");
        }
        for line in [
            "",
            "  ",
            "node 'a",
            "node \"a\\",
            "node \\",
            "a | b",
            "a > b",
            "PORT=1 node x",
            "'' a",
            "a && b",
        ] {
            assert!(split_command(line).is_err(), "{line}");
        }
    }
}
