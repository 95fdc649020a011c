//! Names of variables of the environment.

use plimsoll_plan::secret_names::words;

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
