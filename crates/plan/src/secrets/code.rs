//! A line of a program. What may be a secret in it stands in a literal or in a comment; the names around it say more than it does.

use super::REDACTED;
use super::masks::{masked_text, masked_urls};
use super::signs::{SCHEMES, looks_random};

/// Names around a literal that say that it is a secret; by their words, so that `monkey` and `assign` are none.
const SECRET_WORDS: [&str; 12] = [
    "auth", "cert", "cookie", "cred", "dsn", "jwt", "key", "pw", "salt", "secret", "sign", "token",
];
/// What such words begin with, where they go on: `password`, `authorization`.
const SECRET_BEGINNINGS: [&str; 7] = ["authori", "authent", "credential", "hmac", "pass", "privat", "signing"];
/// Words before a literal that may name it: `jwt.sign({ id }, '…')`.
const NAMES_BEFORE: usize = 4;
/// Shorter code outside of literals is a name or a number.
const SHORTEST_TOKEN: usize = 25;

/// A line of a program with what may be a secret hidden: literals that a name before them says are secret, what looks like a token
/// or holds a password in other literals and in comments, and any long token that stands by itself.
pub(super) fn masked_code(line: &str) -> String {
    let mut masked = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['\'', '"', '`', '/']) {
        let (code, after) = rest.split_at(at);
        masked.push_str(&masked_outside(code));
        if after.starts_with("//") {
            masked.push_str(&masked_text(after));
            return masked;
        }
        let Some(quote) = after.chars().next() else { break };
        if quote == '/' {
            masked.push(quote);
            rest = &after[1..];
            continue;
        }
        let inside = &after[1..];
        let end = end_of_literal(inside, quote);
        let names_a_secret = line[..line.len() - after.len()]
            .rsplit(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-'))
            .filter(|word| !word.is_empty())
            .take(NAMES_BEFORE)
            .any(says_secret);
        masked.push(quote);
        masked.push_str(&match names_a_secret && !is_lookup(&inside[end.min(inside.len())..]) {
            true if end > 0 => REDACTED.to_owned(),
            _ => masked_literal(&inside[..end]),
        });
        rest = &inside[end..];
        if let Some(after) = rest.strip_prefix(quote) {
            masked.push(quote);
            rest = after;
        }
    }
    masked.push_str(&masked_outside(rest));
    masked
}

/// Where a literal ends; one that goes on in the next line ends with this one.
fn end_of_literal(inside: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in inside.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at,
            _ => {}
        }
    }
    inside.len()
}

/// `'cookie']` and `'cookie':` name something, and are not its value.
fn is_lookup(behind: &str) -> bool {
    let mut behind = behind.chars().skip(1).skip_while(|c| *c == ' ');
    matches!(behind.next(), Some(']' | ':'))
}

/// Whether a name has a word in it that secrets are named by.
fn says_secret(name: &str) -> bool {
    words_of(name).any(|word| {
        let single = word.strip_suffix('s').unwrap_or(&word);
        SECRET_WORDS.iter().any(|known| *known == word || *known == single)
            || SECRET_BEGINNINGS.iter().any(|begin| word.starts_with(begin))
            || word.ends_with("key") && word.starts_with("api")
    })
}

/// `api`, `key` of `apiKey`, `API_KEY` and `api-key`.
fn words_of(name: &str) -> impl Iterator<Item = String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        let begins = !c.is_alphanumeric() || c.is_uppercase() && !before.is_uppercase();
        if begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words.into_iter().filter(|word| !word.is_empty())
}

/// The text of a literal that no name says is secret.
fn masked_literal(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut names_a_secret = false;
    for piece in text.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        let is_scheme = SCHEMES.contains(&word.to_ascii_lowercase().as_str());
        masked.push_str(&match word {
            "" => String::new(),
            _ if names_a_secret && !is_scheme => REDACTED.to_owned(),
            _ => masked_word(word),
        });
        names_a_secret = is_scheme || (!word.is_empty() && word.ends_with([':', '=']) && says_secret(word));
        masked.push_str(&piece[word.len()..]);
    }
    masked
}

fn masked_word(word: &str) -> String {
    if word.contains("://") {
        return masked_urls(word);
    }
    let named = word
        .split_once('=')
        .filter(|(name, value)| !value.is_empty() && says_secret(name));
    if let Some((name, _)) = named {
        return format!("{name}={REDACTED}");
    }
    if let Some((user, host)) = word.rsplit_once('@')
        && user.contains(':')
    {
        return format!("{REDACTED}@{host}");
    }
    let parts = word
        .split('/')
        .map(|part| if looks_random(part) { REDACTED } else { part });
    parts.collect::<Vec<_>>().join("/")
}

/// Code, or the middle of a literal of several lines, such as a key.
fn masked_outside(code: &str) -> String {
    let is_of_token = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '_' | '-');
    let mut masked = String::with_capacity(code.len());
    let mut rest = code;
    while !rest.is_empty() {
        let token = rest.len() - rest.trim_start_matches(is_of_token).len();
        let (word, after) = rest.split_at(token);
        let is_token =
            word.len() >= SHORTEST_TOKEN && word.contains(|c: char| c.is_ascii_digit()) && looks_random(word);
        masked.push_str(if is_token { REDACTED } else { word });
        let end = after.find(is_of_token).unwrap_or(after.len());
        masked.push_str(&after[..end]);
        rest = &after[end..];
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: &str) {
        assert_eq!(masked_code(line), expected);
        assert_eq!(masked_code(expected), expected, "again");
    }

    #[test]
    fn literals_that_names_say_are_secret_are_hidden() {
        for (line, expected) in [
            ("const apiKey = 'hunter2';", "const apiKey = '[redacted]';"),
            (
                "const API_KEY = process.env.KEY ?? \"hunter2\";",
                "const API_KEY = process.env.KEY ?? \"[redacted]\";",
            ),
            ("  password: `hunter2`,", "  password: `[redacted]`,"),
            ("  jwt.sign({ id }, 'hun\\'ter2')", "  jwt.sign({ id }, '[redacted]')"),
            (
                "createHmac('sha256', 'hunter2')",
                "createHmac('[redacted]', '[redacted]')",
            ),
            ("  'x-api-key': 'hunter2',", "  'x-api-key': '[redacted]',"),
            (
                "headers['authorization'] = 'hunter2'",
                "headers['authorization'] = '[redacted]'",
            ),
            (
                "headers.set('Authorization', 'Basic aHVudGVyMg==')",
                "headers.set('Authorization', '[redacted]')",
            ),
            ("// the token: hunter2", "// the token: [redacted]"),
            ("call('Bearer hunter2')", "call('Bearer [redacted]')"),
            (
                "open('postgres://me:hunter2@db/x')",
                "open('postgres://[redacted]@db/x')",
            ),
            ("open('me:hunter2@db')", "open('[redacted]@db')"),
            ("x = 'd41d8cd98f00b204e9800998ecf8427e'", "x = '[redacted]'"),
            (
                "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj",
                "[redacted]",
            ),
        ] {
            check(line, expected);
        }
    }

    #[test]
    fn ordinary_code_stays() {
        for line in [
            "  for (const row of rows) if (a === 'b' || c / d > 2) total += row.price / 100;",
            "  return db.query('SELECT * FROM turns WHERE id = $1', [id]);",
            "  const monkey = assign('x', \"y\");",
            "  res.setHeader('content-type', 'application/json; charset=utf-8');",
            "const cookie = request.headers['cookie'];",
            "  const text = `<li class=\"row\">${escape(name)}</li>`;",
            "  return value.replace(/[^a-z0-9]+/gi, '-'); // a slug",
            "fetch('http://localhost:3000/turns')",
            "  const veryLongNameOfSomethingThatNobodyWouldWrite = 1;",
            "",
        ] {
            check(line, line);
        }
    }
}
