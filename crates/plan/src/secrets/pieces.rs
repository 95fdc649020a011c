//! The parts of a hidden text that may be secrets by themselves: a program that is given a script, a connection string or a
//! document logs a part of it.

use super::signs::{SCHEMES, looks_random};

/// Documents that are nested deeper hold nothing that anyone logs.
const DEEPEST: usize = 16;
/// Gives each part of `text` to `take`, with the name that it has there, which may be empty.
pub(crate) fn pieces(text: &str, take: &mut impl FnMut(&str, &str)) {
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(json @ (serde_json::Value::Object(_) | serde_json::Value::Array(_))) => of_json("", &json, DEEPEST, take),
        _ => of_text(text, take),
    }
}

fn of_json(name: &str, json: &serde_json::Value, depth: usize, take: &mut impl FnMut(&str, &str)) {
    use serde_json::Value;
    match json {
        _ if depth == 0 => {}
        Value::String(text) => {
            take(name, text);
            of_text(text, take);
        }
        Value::Number(number) => take(name, &number.to_string()),
        Value::Array(items) => items.iter().for_each(|item| of_json(name, item, depth - 1, take)),
        Value::Object(fields) => {
            for (key, value) in fields {
                if looks_random(key) {
                    take("", key);
                }
                of_json(key, value, depth - 1, take);
            }
        }
        Value::Bool(_) | Value::Null => {}
    }
}

/// A script, a connection string, a list, a form, a document of marks.
fn of_text(text: &str, take: &mut impl FnMut(&str, &str)) {
    let ends = |c: char| c.is_whitespace() || ";,&|<>()[]{}\"'`".contains(c);
    let words: Vec<&str> = text.split(ends).filter(|word| !word.is_empty()).collect();
    let is_list = !text.contains(char::is_whitespace) && text.contains([',', ';', '|']);
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).map_or("", |at| words[at]);
        let after = words.get(at + 1).copied().unwrap_or("");
        let scheme = SCHEMES.contains(&before.to_ascii_lowercase().as_str());
        let named = before.strip_suffix(':').or(before.strip_prefix('-'));
        if let Some((name, value)) = assigned(word) {
            take(name, value);
        } else if scheme {
            take("token", word);
        } else if let Some(name) = named.filter(|_| !word.starts_with('-')) {
            take(name, word);
        } else if after.strip_prefix('/') == Some(before) && !before.is_empty() {
            // `<name>value</name>`
            take(before, word);
        } else if is_list || looks_random(word) {
            take("", word);
        }
        of_user(word, take);
    }
}

/// `name=value` or `name:value`.
fn assigned(word: &str) -> Option<(&str, &str)> {
    let at = word.find(['=', ':'])?;
    let (name, value) = (&word[..at], &word[at + 1..]);
    (!name.is_empty() && !value.is_empty() && !value.starts_with("//")).then_some((name, value))
}

/// `user:password@host`, with a scheme or without.
fn of_user(word: &str, take: &mut impl FnMut(&str, &str)) {
    let word = word.split_once("://").map_or(word, |(_, rest)| rest);
    let Some((user, _)) = word.rsplit_once('@') else { return };
    let (user, password) = user.split_once(':').unwrap_or((user, ""));
    take(if password.is_empty() { "token" } else { "" }, user);
    take("password", password);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_logged_by_itself_is_known() {
        for (text, expected) in [
            ("DIE=1 TOKEN=x5 node s.js", "DIE=1 TOKEN=x5"),
            ("Server=h;User=u;Password=p w", "Server=h User=u Password=p"),
            ("a:x1,b:x2", "a=x1 b=x2"),
            ("one,two", "=one =two"),
            (r#"{"db":{"pw":"x1","port":5},"l":["x2"]}"#, "pw=x1 port=5 l=x2"),
            ("Authorization: Bearer x1", "Authorization=Bearer token=x1"),
            ("node s.js --token x1 -v", "-token=x1"),
            ("user:x1@host/db", "user=x1@host/db =user password=x1"),
            ("postgres://u:x1@h/db", "=u password=x1"),
            ("https://x1@h/", "token=x1 password="),
            ("<login><password>x1</password></login>", "password=x1"),
            ("a plain sentence", ""),
        ] {
            let mut found = Vec::new();
            pieces(text, &mut |name, value| found.push(format!("{name}={value}")));
            assert_eq!(found.join(" "), expected, "{text}");
        }
    }
}
