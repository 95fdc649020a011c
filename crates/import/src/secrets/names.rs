//! Names of variables of the environment.

use plimsoll_plan::secret_names::words;
use std::collections::BTreeMap;

/// Names that are given once.
#[derive(Debug, Default)]
pub(crate) struct FreeNames {
    /// Names that are taken, with the highest number behind each.
    taken: BTreeMap<String, usize>,
}

impl FreeNames {
    /// The name, or the next number of it where it is taken; a name with a number may be taken as well.
    pub(crate) fn free(&mut self, name: &str) -> String {
        let mut number = self.taken.get(name).copied().unwrap_or_default();
        let free = loop {
            number += 1;
            let free = match number {
                1 => name.to_owned(),
                number => format!("{name}_{number}"),
            };
            if number == 1 || !self.taken.contains_key(&free) {
                break free;
            }
        };
        self.taken.insert(name.to_owned(), number);
        self.taken.entry(free.clone()).or_insert(1);
        free
    }
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
