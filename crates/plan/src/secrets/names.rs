//! Names whose values are secrets, and what tokens of well-known services begin with: two rules side by side.
//!
//! Reports hide by the wide one: to hide too much costs nothing there. Whoever asks a person to set each secret by hand goes by the narrow one.

/// Words of a name whose value is a secret.
const SECRET_WORDS: [&str; 33] = [
    "apikey",
    "auth",
    "authorization",
    "bearer",
    "cookie",
    "credential",
    "credentials",
    "csrf",
    "csrftoken",
    "cvc",
    "cvv",
    "jwt",
    "otp",
    "pass",
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "pin",
    "psw",
    "pswd",
    "pwd",
    "sas",
    "secret",
    "session",
    "sessionid",
    "sid",
    "sig",
    "signature",
    "token",
    "tokens",
    "totp",
    "xsrf",
];
/// The same where a name is written without a break.
const SECRET_PARTS: [&str; 11] = [
    "accesskey",
    "apikey",
    "authtoken",
    "clientsecret",
    "credential",
    "password",
    "passwd",
    "privatekey",
    "secret",
    "sessionid",
    "token",
];
/// Two words of a name that are a secret only together.
const SECRET_PAIRS: [(&str, &str); 6] = [
    ("api", "key"),
    ("access", "key"),
    ("private", "key"),
    ("subscription", "key"),
    ("account", "key"),
    ("card", "number"),
];
/// Names that hold such a word and say nothing that is secret.
const HARMLESS: [&str; 9] = [
    "access-control-allow-credentials",
    "grant_type",
    "max_tokens",
    "maxtokens",
    "next_token",
    "nexttoken",
    "page_token",
    "pagetoken",
    "token_type",
];
/// Parts of a name whose value may be a secret.
const SUSPECT_PARTS: [&str; 16] = [
    "api", "auth", "cert", "cookie", "cred", "db", "dsn", "jwt", "key", "pass", "pin", "pw", "secret", "session",
    "sign", "token",
];
/// What tokens of well-known services begin with.
const TOKEN_BEGINNINGS: [&str; 18] = [
    "AKIA",
    "ASIA",
    "AIza",
    "eyJ",
    "ghp_",
    "gho_",
    "ghs_",
    "ghu_",
    "github_pat_",
    "glpat-",
    "npm_",
    "pk_live_",
    "pk_test_",
    "rk_live_",
    "sk-",
    "sk_live_",
    "sk_test_",
    "xox",
];
/// What else tokens may begin with.
const SUSPECT_BEGINNINGS: [&str; 3] = ["pk_", "rk_", "sk_"];
const SHORTEST_TOKEN: usize = 16;

/// Whether the value of what is called `name` may be a secret.
pub(crate) fn sounds_secret(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    SUSPECT_PARTS.iter().any(|part| lower.contains(part)) || is_of_secret(name)
}

/// Whether a word may be a token, by how it begins.
pub(super) fn begins_as_token(word: &str) -> bool {
    let mut beginnings = TOKEN_BEGINNINGS.iter().chain(&SUSPECT_BEGINNINGS);
    beginnings.any(|beginning| word.starts_with(beginning))
}

/// Whether the value of what is called `name` is a secret.
#[must_use]
pub fn is_of_secret(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    if HARMLESS.contains(&lower.as_str()) {
        return false;
    }
    let words = words(name);
    let is_one = |word: &String| SECRET_WORDS.contains(&word.as_str());
    let is_pair = |pair: &[String]| SECRET_PAIRS.contains(&(pair[0].as_str(), pair[1].as_str()));
    let plain: String = lower.chars().filter(char::is_ascii_alphanumeric).collect();
    words.iter().any(is_one) || words.windows(2).any(is_pair) || SECRET_PARTS.iter().any(|part| plain.contains(part))
}

/// `accessToken`, `access-token` and `access_token` as `access` and `token`. Some may be empty.
#[must_use]
pub fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        let begins = !c.is_ascii_alphanumeric() || before.is_ascii_lowercase() && c.is_ascii_uppercase();
        if begins && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if let (true, Some(word)) = (c.is_ascii_alphanumeric(), words.last_mut()) {
            word.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    words
}

/// Whether a word is a token, whatever it is called.
#[must_use]
pub fn is_token(word: &str) -> bool {
    word.len() >= SHORTEST_TOKEN && TOKEN_BEGINNINGS.iter().any(|beginning| word.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_told_from_others() {
        for name in [
            "password",
            "X-Api-Key",
            "accessToken",
            "sessionid",
            "csrf_token",
            "client_secret",
            "X-Amz-Signature",
            "PWD",
            "connect.sid",
            "pass",
            "smtpPass",
        ] {
            assert!(is_of_secret(name) && sounds_secret(name), "{name}");
        }
        for name in [
            "keyword",
            "design",
            "author",
            "page",
            "accept",
            "monkey",
            "spinner",
            "max_tokens",
            "grant_type",
            "api",
            "database",
            "passenger",
            "compass",
        ] {
            assert!(!is_of_secret(name), "{name}");
        }
    }
}
