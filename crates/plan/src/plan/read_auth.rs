//! The credentials in a document: as they are written, from the environment, or from a file.

use crate::notation::error::PlanError;
use crate::notation::mismatch::{Mismatch, quoted};
use crate::notation::reader::Reader;
use crate::notation::written::{At, Field};
use crate::plan::auth::Auth;
use crate::plan::document::{AuthDocument, BasicDocument};
use crate::secrets::Secret;

/// Tokens may be long; a file that is longer holds something else.
const MOST_FILE_BYTES: u64 = 64 << 10;

impl Reader<'_> {
    pub(crate) fn auth(&mut self, section: &At<AuthDocument>) -> Result<Auth, PlanError> {
        let given = &section.value;
        let token = self.secret("target.auth.bearer", &given.bearer, &given.bearer_file)?;
        match (self.section("target.auth.basic", &given.basic), token) {
            (Some(basic), None) => self.basic(basic),
            (None, Some(token)) => Ok(Auth::Bearer(token)),
            (found, _) => {
                let found = if found.is_some() { "several" } else { "nothing" };
                let mismatch = Mismatch::new(found, "one of `basic`, `bearer` and `bearer_file`");
                Err(self.error(section.place, mismatch))
            }
        }
    }

    fn basic(&mut self, section: &At<BasicDocument>) -> Result<Auth, PlanError> {
        let given = &section.value;
        let Some(user) = &given.user.0 else {
            return Err(self.missing::<String>("target.auth.basic.user", section.place));
        };
        self.remember("target.auth.basic.user", user.place);
        let user = self.expanded(user)?;
        let password = self.secret("target.auth.basic.password", &given.password, &given.password_file)?;
        Ok(Auth::Basic {
            user: Secret::sealed(user.reveal()),
            password: password.unwrap_or_else(|| Secret::sealed("")),
        })
    }

    /// What `key` holds, or the file that stands in its place. A line break at the end of the file is none of the secret.
    fn secret(
        &mut self,
        key: &str,
        written: &Field<String>,
        file: &Field<String>,
    ) -> Result<Option<Secret>, PlanError> {
        let (written, file) = match (&written.0, &file.0) {
            (None, None) => return Ok(None),
            (Some(written), None) => (Some(written), None),
            (None, Some(file)) => (None, Some(file)),
            (Some(written), Some(_)) => {
                let name = key.rsplit('.').next().unwrap_or(key);
                let mismatch = Mismatch::new("both", format!("one of `{name}` and `{name}_file`"));
                return Err(self.error(written.place, mismatch));
            }
        };
        if let Some(written) = written {
            self.remember(key, written.place);
            return Ok(Some(Secret::sealed(self.expanded(written)?.reveal())));
        }
        let Some(file) = file else { return Ok(None) };
        self.remember(key, file.place);
        let path = self.read_with(file, |text| Ok(text.to_owned()))?;
        let unreadable = |why: String| {
            let mismatch = Mismatch::new(quoted(&path), "a readable file of at most 64 KiB").hint(why);
            self.error(file.place, mismatch)
        };
        let bytes = self
            .file(&self.beside_plan(&path), MOST_FILE_BYTES)
            .map_err(|error| unreadable(error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8".to_owned()))?;
        Ok(Some(Secret::sealed(text.trim_end_matches(['\r', '\n']))))
    }
}
