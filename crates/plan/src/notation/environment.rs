//! Variables of the environment in a plan: `${env.NAME}`, or `${env.NAME:-default}` where it may be unset. What comes from
//! there is a secret: nothing of it is shown, and no value is saved.

use crate::notation::mismatch::{Mismatch, quoted};
use crate::secrets::Secret;

/// What a name of the environment begins with, between `${` and `}`.
pub(crate) const ENVIRONMENT: &str = "env.";
const OPENING: &str = "${env.";

/// The value of a variable of the environment, if it is set to text.
pub(crate) type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Whether `text` has a place for a variable of the environment.
pub(crate) fn is_in(text: &str) -> bool {
    text.contains(OPENING)
}

/// The value of `name`, which is what stands between `${env.` and `}`.
pub(crate) fn value(name: &str, environment: Environment<'_>) -> Result<String, Mismatch> {
    let (name, default) = match name.split_once(":-") {
        Some((name, default)) => (name, Some(default)),
        None => (name, None),
    };
    let first = |c: char| c.is_ascii_alphabetic() || c == '_';
    let valid = name.starts_with(first) && name.chars().all(|c| first(c) || c.is_ascii_digit());
    if !valid {
        let expected = "`${env.NAME}` with a name of letters, digits and `_`";
        return Err(Mismatch::new("no name of a variable of the environment", expected));
    }
    // As in a shell, `:-` is for a variable that is empty as well.
    let set = environment(name).filter(|value| default.is_none() || !value.is_empty());
    set.or_else(|| default.map(str::to_owned)).ok_or_else(|| {
        let found = format!("{}, which is not set", quoted(&format!("{OPENING}{name}}}")));
        Mismatch::new(found, "a variable of the environment")
            .hint(format!("set {name}, or give a default: `{OPENING}{name}:-default}}`"))
    })
}

/// `text` with the values of the environment in their places. `$${env.` stands for `${env.`.
pub(crate) fn expand(text: &str, environment: Environment<'_>) -> Result<Secret, Mismatch> {
    if !is_in(text) {
        return Ok(Secret::new(text));
    }
    let (mut expanded, mut sealed, mut rest, mut at) = (String::new(), false, text, 0);
    while let Some(found) = rest.find(OPENING) {
        let begin = at + found;
        if rest[..found].ends_with('$') {
            expanded.push_str(&rest[..found]);
            expanded.push_str(&OPENING[1..]);
            (rest, at) = (&rest[found + OPENING.len()..], begin + OPENING.len());
            continue;
        }
        expanded.push_str(&rest[..found]);
        let after = &rest[found + OPENING.len()..];
        let Some(length) = after.find('}') else {
            let mismatch = Mismatch::new("an unclosed `${env.`", "a `}` after the name of a variable");
            return Err(mismatch.at(begin..begin + OPENING.len()));
        };
        let whole = begin..begin + OPENING.len() + length + 1;
        expanded.push_str(&value(&after[..length], environment).map_err(|mismatch| mismatch.at(whole.clone()))?);
        sealed = true;
        (rest, at) = (&after[length + 1..], whole.end);
    }
    expanded.push_str(rest);
    Ok(if sealed {
        Secret::sealed(expanded)
    } else {
        Secret::new(expanded)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_put_in_and_hidden() {
        let environment = |name: &str| match name {
            "A" => Some("one".to_owned()),
            "EMPTY" => Some(String::new()),
            _ => None,
        };
        for (text, value, sealed) in [
            ("plain $A ${A}", "plain $A ${A}", false),
            ("x${env.A}y", "xoney", true),
            ("${env.A}${env.A}", "oneone", true),
            ("${env.NONE:-two}", "two", true),
            ("${env.EMPTY:-two}", "two", true),
            ("${env.EMPTY}", "", true),
            ("${env.A:-two}", "one", true),
            ("${env.NONE:-}", "", true),
            ("$${env.A}", "${env.A}", false),
        ] {
            let secret = expand(text, &environment).expect(text);
            // A default is text that somebody wrote in the place of a secret.
            assert_eq!((secret.reveal(), secret.is_sealed()), (value, sealed), "{text}");
        }
        for text in ["${env.NONE}", "${env.}", "${env.A B}", "${env.A", "${env.1}"] {
            assert!(expand(text, &environment).is_err(), "{text}");
        }
    }
}
