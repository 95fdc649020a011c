//! The words that a shell makes of those that are written: values outside of quotes are several.

use super::{Argument, MOST_BYTES, Value, Variables, bytes};
use crate::read::shell::Word;
use crate::text::{Piece, Text, Values};

impl Variables {
    /// The words that a shell makes of these: values outside of quotes are several.
    pub(in crate::read::curl) fn words(&mut self, words: &[Word], secrets: &mut Values) -> Vec<Argument> {
        let mut made = Vec::new();
        for word in words {
            // Of values that have become too large the rest is not made.
            if self.bytes > MOST_BYTES {
                break;
            }
            made.extend(self.split(word, secrets));
        }
        made
    }

    fn split(&mut self, word: &Word, secrets: &mut Values) -> Vec<Argument> {
        let closed = |text: Text| Argument { text, is_open: false };
        if let Some(name) = word.text.as_variable() {
            let list = name.strip_suffix("[@]").unwrap_or(name);
            let is_list = list.len() < name.len() || matches!(name, "@" | "*");
            if let (true, Some(Value::List(words))) = (is_list, self.get(list)) {
                let made = words.iter().cloned().map(closed).collect();
                let size = words.iter().map(bytes).sum();
                self.count(size);
                self.use_of(list);
                return made;
            }
            let text = self.value(list, secrets);
            let is_known = |name: &str| secrets.contains_key(name);
            let is_unknown = matches!(text.pieces(), [Piece::Variable(name)] if !is_known(name));
            if is_unknown && (is_list || !word.bare.is_empty()) {
                return vec![Argument { text, is_open: true }];
            }
        }
        let (mut made, mut last) = (Vec::new(), Text::default());
        for piece in word.text.pieces() {
            let Piece::Variable(name) = piece else {
                last.push(piece.clone());
                continue;
            };
            let value = self.value(name, secrets);
            let parts = match word.bare.contains(name) {
                true => self.parts(&value, secrets),
                false => vec![value],
            };
            for (index, part) in parts.into_iter().enumerate() {
                if index > 0 {
                    made.push(std::mem::take(&mut last));
                }
                last.append(&part);
            }
        }
        // A value of nothing outside of quotes is no word.
        if !last.is_empty() || word.bare.is_empty() {
            made.push(last);
        }
        made.into_iter().map(closed).collect()
    }

    fn words_of(&mut self, value: &Text) -> Vec<Text> {
        let words = words_of(value);
        let has_quotes = |piece: &Piece| matches!(piece, Piece::Literal(text) if text.contains(['"', '\'']));
        self.has_quotes |= value.beginning().trim_start().starts_with('-') && value.pieces().iter().any(has_quotes);
        words
    }

    /// Whether values with quotes have been split into words since this was asked.
    pub(in crate::read::curl) fn had_quotes(&mut self) -> bool {
        std::mem::take(&mut self.has_quotes)
    }

    /// The words of a value outside of quotes. Those of a secret are secrets as well, but for the names of options.
    fn parts(&mut self, value: &Text, secrets: &mut Values) -> Vec<Text> {
        let secret = match value.pieces() {
            [Piece::Variable(name)] => secrets.get(name).map(|secret| (name.clone(), secret.clone())),
            _ => None,
        };
        let Some((name, secret)) = secret else {
            return self.words_of(value);
        };
        let words = self.words_of(&secret);
        if words.len() < 2 && !secret.beginning().starts_with('-') {
            return vec![value.clone()];
        }
        let part = |(index, word): (usize, Text)| {
            let text = word.as_literal().unwrap_or_default();
            let is_flag =
                |text: &str| text.starts_with("--") || text[1..].bytes().all(|byte| byte.is_ascii_alphabetic());
            let open = match text.strip_prefix('-') {
                None => 0,
                Some(_) if is_flag(text) => text.len(),
                Some(rest) => 1 + rest.chars().next().map_or(0, char::len_utf8),
            };
            let mut part = Text::literal(&text[..open]);
            if open < text.len() {
                let key = self.named(&format!("{name}_{}", index + 1), word.without_first(open));
                secrets.insert(key.clone(), word.without_first(open));
                part.push(Piece::Variable(key));
            }
            part
        };
        words.into_iter().enumerate().map(part).collect()
    }
}

/// The words of a value. In options quotes are taken for quotes: a shell does not, but it is what they are meant for.
fn words_of(text: &Text) -> Vec<Text> {
    let has_options = text.beginning().trim_start().starts_with('-');
    let mut words = Vec::new();
    let mut word: Option<Text> = None;
    let mut quote = None;
    for piece in text.pieces() {
        let Piece::Literal(literal) = piece else {
            word.get_or_insert_default().push(piece.clone());
            continue;
        };
        for c in literal.chars() {
            let opens = |word: &Option<Text>| word.as_ref().is_none_or(|word| word.beginning().starts_with('-'));
            match (quote, c) {
                (None, c) if c.is_whitespace() => words.extend(word.take()),
                (None, '"' | '\'') if has_options && opens(&word) => {
                    quote = Some(c);
                    word.get_or_insert_default();
                }
                (Some(mark), c) if c == mark => quote = None,
                (_, c) => word.get_or_insert_default().push_char(c),
            }
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_outside_of_quotes_are_words() {
        for (value, expected) in [
            ("-s -k", vec!["-s", "-k"]),
            (" -H 'a: b c'\t-d \"\" ", vec!["-H", "a: b c", "-d", ""]),
            ("-H'a: b c' -d {\"a\":1}", vec!["-Ha: b c", "-d", "{\"a\":1}"]),
            ("", vec![]),
            ("{\"a\": \"it's\"} ", vec!["{\"a\":", "\"it's\"}"]),
        ] {
            let words = words_of(&Text::literal(value));
            let words: Vec<_> = words.iter().filter_map(Text::as_literal).collect();
            assert_eq!(words, expected, "{value}");
        }
    }
}
