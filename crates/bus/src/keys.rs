//! Keys of a fleet: a broker that knows them lets a run speak to agents, and each agent to runs in its own name alone.

use crate::subjects;
use nkeys::KeyPair;
use std::fmt::Write as _;

/// The key of a run or an agent, by which a broker knows it.
#[derive(Clone)]
pub struct Key {
    pair: KeyPair,
    seed: String,
}

impl std::fmt::Debug for Key {
    /// The half of it that everybody may know.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Key({})", self.pair.public_key())
    }
}

/// A text that is no key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("found no seed of a user, which has 58 letters and digits and begins with SU")]
pub struct NoKey;

impl Key {
    /// A key that nobody else has.
    ///
    /// # Errors
    /// When the system gives no random numbers, in words.
    pub fn draw() -> Result<Self, String> {
        let pair = KeyPair::new_user();
        let seed = pair.seed().map_err(|error| error.to_string())?;
        Ok(Self { pair, seed })
    }

    /// The key with this seed, as its file has it.
    ///
    /// # Errors
    /// When it is none of a user.
    pub fn of_seed(text: &str) -> Result<Self, NoKey> {
        let seed = text.trim();
        let pair = KeyPair::from_seed(seed).map_err(|_| NoKey)?;
        if !pair.public_key().starts_with('U') {
            return Err(NoKey);
        }
        let seed = seed.to_owned();
        Ok(Self { pair, seed })
    }

    /// What its file has. Who knows it can use it.
    #[must_use]
    pub fn seed(&self) -> &str {
        &self.seed
    }
}

/// Whose key it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role<'a> {
    /// Of all runs.
    Runs,
    /// Of agents with this name.
    Agents(&'a str),
    /// Of target agents with this name.
    Targets(&'a str),
}

/// What a broker has to be told of the keys of a fleet, in the language of its configuration.
#[must_use]
pub fn permissions<'a>(keys: impl IntoIterator<Item = (Role<'a>, &'a Key)>) -> String {
    let mut text =
        "# Who may say what on the broker of a fleet. It names no secrets.\nauthorization {\n  users: [\n".to_owned();
    for (role, key) in keys {
        let (who, says, hears) = match role {
            Role::Runs => ("runs".to_owned(), subjects::from_runs(), subjects::to_runs()),
            Role::Agents(name) => (
                format!("agent {name}"),
                subjects::from_agents_named(name),
                subjects::to_agents_named(name),
            ),
            Role::Targets(name) => (
                format!("target agent {name}"),
                subjects::from_targets_named(name),
                subjects::to_targets_named(name),
            ),
        };
        // Names are letters, digits and hyphens, so that nothing has to be escaped.
        let _ = write!(
            text,
            "    # {who}\n    {{ nkey: {}, permissions: {{ publish: {says:?}, subscribe: {hears:?} }} }}\n",
            key.pair.public_key()
        );
    }
    text.push_str("  ]\n}\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_is_what_its_file_has() {
        let key = Key::draw().expect("random numbers");
        let again = Key::of_seed(&format!("{}\n", key.seed())).expect("a seed");
        assert_eq!(again.pair.public_key(), key.pair.public_key());
        assert!(!format!("{key:?}").contains(key.seed()));
        let account = KeyPair::new_account().seed().expect("a seed");
        for text in ["", "SU", &account, &key.pair.public_key()] {
            assert_eq!(Key::of_seed(text).err(), Some(NoKey), "{text}");
        }
    }

    #[test]
    fn broker_is_told_who_may_say_what() {
        let drawn = || Key::draw().expect("a key");
        let (run, one, shop) = (drawn(), drawn(), drawn());
        let text = permissions([
            (Role::Runs, &run),
            (Role::Agents("one"), &one),
            (Role::Targets("shop"), &shop),
        ]);
        let [run, one, shop] = [run, one, shop].map(|key| key.pair.public_key());
        for expected in [
            format!(
                "{{ nkey: {run}, permissions: {{ publish: [\"plimsoll.agents\", \"plimsoll.agent.*.*\", \"plimsoll.targets\", \
                 \"plimsoll.target.*.*\"], subscribe: [\"plimsoll.run.*.*.*\", \"plimsoll.service.*.*.*\"] }} }}"
            ),
            format!(
                "{{ nkey: {one}, permissions: {{ publish: [\"plimsoll.run.*.one.*\"], subscribe: [\"plimsoll.agents\", \"plimsoll.agent.one.*\"] }} }}"
            ),
            format!(
                "{{ nkey: {shop}, permissions: {{ publish: [\"plimsoll.service.*.shop.*\"], subscribe: [\"plimsoll.targets\", \
                 \"plimsoll.target.shop.*\"] }} }}"
            ),
        ] {
            assert!(text.contains(&expected), "{text}");
        }
    }
}
