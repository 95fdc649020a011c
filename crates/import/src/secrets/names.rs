//! Names whose values are secrets, and tokens that are secrets whatever they are called.

/// Words of a name whose value is a secret.
const SECRET_WORDS: [&str; 30] = [
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
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "pin",
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
const SHORTEST_TOKEN: usize = 16;
/// Whether the value of what is called `name` is a secret.
pub(super) fn sounds_secret(name: &str) -> bool {
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

/// `accessToken`, `access-token` and `access_token` as `access` and `token`.
fn words(name: &str) -> Vec<String> {
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
pub(super) fn looks_like_token(word: &str) -> bool {
    word.len() >= SHORTEST_TOKEN && TOKEN_BEGINNINGS.iter().any(|beginning| word.starts_with(beginning))
}

/// Names that shells and programs set for themselves.
const TAKEN: [&str; 16] = [
    "DISPLAY", "EDITOR", "HOME", "HOST", "HOSTNAME", "LANG", "LOGNAME", "MAIL", "NODE_ENV", "PATH", "PORT", "PWD",
    "SHELL", "TERM", "TZ", "USER",
];

/// A name that a shell takes.
pub(super) fn environment_name(name: &str) -> String {
    let words = words(&name.chars().take(60).collect::<String>());
    let words: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let made = words.join("_").to_ascii_uppercase();
    match made.chars().next() {
        None => "VALUE".to_owned(),
        Some(c) if c.is_ascii_digit() => format!("VALUE_{made}"),
        Some(_) if TAKEN.contains(&made.as_str()) => format!("{made}_VALUE"),
        Some(_) => made,
    }
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
        ] {
            assert!(sounds_secret(name), "{name}");
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
        ] {
            assert!(!sounds_secret(name), "{name}");
        }
    }
}
