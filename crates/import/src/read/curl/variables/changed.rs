//! What expressions make of variables.

use super::{Value, Variables, bytes, is_name};
use crate::read::shell::{Change, ChangedText};
use crate::secrets::{has_password, is_secret_value};
use crate::text::{Text, Values};

impl Variables {
    /// What an expression makes of the value of a variable; another variable where that is not known here.
    pub(super) fn changed(&mut self, name: &str, changed: &ChangedText, secrets: &mut Values) -> Text {
        if let Some(made) = self.made_of(changed, secrets) {
            return made;
        }
        let unknown = self.unknown(name);
        if let (Some(shown), Some(name)) = (&changed.shown, unknown.as_variable()) {
            let unsaid = self.changes.entry(name.to_owned());
            unsaid.or_insert_with(|| Some(shown.clone()));
        }
        unknown
    }

    fn made_of(&mut self, changed: &ChangedText, secrets: &mut Values) -> Option<Text> {
        let (name, change) = (&changed.of, changed.change.as_ref()?);
        let value = match self.get(name)? {
            Value::Text(text) => text.clone(),
            Value::List(words) => words.first().cloned().unwrap_or_default(),
            Value::Printed(_) => return None,
        };
        if *change == Change::Name {
            let meant = value.as_literal().filter(|meant| is_name(meant))?;
            self.use_of(name);
            return Some(self.value(meant, secrets));
        }
        self.count(bytes(&value));
        let made = change.of(&value, &mut |text| {
            self.text(text, secrets).as_literal().map(str::to_owned)
        })?;
        self.use_of(name);
        self.count(bytes(&made));
        let literal = value.as_literal().unwrap_or_default();
        // Without its scheme a URL does not show any more where its password is.
        if has_password(literal) && !made.beginning().contains("://") {
            return None;
        }
        // What is left of a secret is one.
        match made.as_literal() {
            Some(text) if !text.is_empty() && is_secret_value(name, literal) => Some(self.secret(name, made, secrets)),
            _ => Some(self.hidden(name, &made, secrets)),
        }
    }
}
