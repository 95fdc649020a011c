//! Reading a document key by key, with the place of every key, so that a rule about the whole can still point at a line.

use crate::notation::Notation;
use crate::notation::environment::{self, Environment};
use crate::notation::error::{PlanError, Source};
use crate::notation::mismatch::{Mismatch, quoted};
use crate::notation::written::{At, Field, Given, Place, Scalar, Written};
use crate::secrets::Secret;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Reads a file that a plan refers to, of at most this many bytes.
pub type ReadFile<'a> = &'a dyn Fn(&Path, u64) -> std::io::Result<Vec<u8>>;

/// Whether what `key` holds may be a secret.
fn may_be_secret(key: &str) -> bool {
    let keys = [
        "target.auth",
        "target.proxy",
        ".url",
        ".command",
        ".env",
        "headers",
        "body",
        "json",
        "path",
        "values",
        "name",
    ];
    keys.iter().any(|part| key.contains(part))
}

/// Reads the values of a document, and knows where each stands.
pub struct Reader<'a> {
    pub(crate) source: Source<'a>,
    files: ReadFile<'a>,
    /// `None` where nothing is put in: in what was saved.
    pub(crate) environment: Option<Environment<'a>>,
    /// By key, such as `load.stages[1].duration`.
    places: HashMap<String, Place>,
}

impl<'a> Reader<'a> {
    /// Reads what is in `source`. `files` opens what it refers to; `None` for the environment puts no variable in.
    pub fn new(source: Source<'a>, files: ReadFile<'a>, environment: Option<Environment<'a>>) -> Self {
        Self {
            source,
            files,
            environment,
            places: HashMap::new(),
        }
    }

    /// An error about `key`: at its place, or that of the closest key around it.
    pub fn error_about(&self, key: &str, mismatch: Mismatch) -> PlanError {
        let mut key = key;
        let mismatch = if may_be_secret(key) { mismatch } else { mismatch.plain() };
        loop {
            if let Some(place) = self.place(key) {
                let section = self
                    .source
                    .slice(Some(place))
                    .contains(['{', '[', ':', '\n', '"', '\'', '#']);
                let plain = mismatch.plain && !section;
                return self.error(Some(place), mismatch.plain_if(plain));
            }
            match key.rfind(['.', '[']) {
                Some(end) => key = &key[..end],
                None => return PlanError::new(self.source.file, mismatch),
            }
        }
    }

    /// Remembers where `key` stands, for errors about it.
    pub fn remember(&mut self, key: &str, place: Option<Place>) {
        if let Some(place) = place {
            self.places.insert(key.to_owned(), place);
        }
    }

    /// Where `key` stands.
    pub fn place(&self, key: &str) -> Option<Place> {
        self.places.get(key).copied()
    }

    /// An error at `place`.
    pub fn error(&self, place: Option<Place>, mismatch: Mismatch) -> PlanError {
        self.source.error(place, "", mismatch)
    }

    /// The value of a key that holds one scalar, if it is given.
    pub fn field<T: Notation>(&mut self, key: &str, field: &Field<T>) -> Result<Option<T>, PlanError> {
        field.0.as_ref().map(|written| self.written(key, written)).transpose()
    }

    /// The value of `key`, if it is given, read in another way than its notation.
    pub(crate) fn field_as<T: Notation, U>(
        &mut self,
        key: &str,
        field: &Field<T>,
        read: impl FnOnce(&str) -> Result<U, Mismatch>,
    ) -> Result<Option<U>, PlanError> {
        let Some(written) = &field.0 else { return Ok(None) };
        self.remember(key, written.place);
        self.read_with(written, read).map(Some)
    }

    /// The value of a key that must be given; `parent` is what it is missing in.
    pub fn required<T: Notation>(
        &mut self,
        key: &str,
        field: &Field<T>,
        parent: Option<Place>,
    ) -> Result<T, PlanError> {
        self.field(key, field)?.ok_or_else(|| self.missing::<T>(key, parent))
    }

    /// The error that `key` is not given in `parent`.
    pub fn missing<T: Notation>(&self, key: &str, parent: Option<Place>) -> PlanError {
        let name = key.rsplit('.').next().unwrap_or(key);
        self.error(parent, Mismatch::new(format!("no `{name}`"), T::EXPECTED))
    }

    /// The value of a scalar, which belongs to `key`.
    pub fn written<T: Notation>(&mut self, key: &str, written: &Written<T>) -> Result<T, PlanError> {
        self.remember(key, written.place);
        self.read_with(written, T::read)
    }

    /// Reads a scalar in another way than its notation.
    pub fn read_with<T: Notation, U>(
        &self,
        written: &Written<T>,
        read: impl FnOnce(&str) -> Result<U, Mismatch>,
    ) -> Result<U, PlanError> {
        self.read_scalar(written, false, read)
    }

    /// As [`Reader::read_with`], where variables of the environment are put in.
    pub(crate) fn read_text<T: Notation, U>(
        &self,
        written: &Written<T>,
        read: impl FnOnce(&str) -> Result<U, Mismatch>,
    ) -> Result<U, PlanError> {
        self.read_scalar(written, true, read)
    }

    fn read_scalar<T: Notation, U>(
        &self,
        written: &Written<T>,
        takes: bool,
        read: impl FnOnce(&str) -> Result<U, Mismatch>,
    ) -> Result<U, PlanError> {
        let text = match &written.scalar {
            Scalar::Text(text) => text,
            Scalar::Verbatim | Scalar::Null => self.source.slice(written.place),
        };
        let value = match written.scalar {
            Scalar::Null if !T::NULL_IS_A_WORD => Err(Mismatch::new(quoted(text), T::EXPECTED)),
            _ if environment::is_in(text) && !takes && self.environment.is_some() => Err(Mismatch::new(
                "`${env.…}` where environment variables are not expanded",
                T::EXPECTED,
            )
            .hint(
                "environment variables are expanded in `url`, `proxy`, `command`, `env`, `auth`, `ready.path`, `path`, `headers`, \
                 bodies and `values`",
            )),
            _ => read(text),
        };
        value.map_err(|mismatch| {
            let mismatch = if T::PLAIN && !environment::is_in(text) {
                mismatch.plain()
            } else {
                mismatch
            };
            self.source.error(written.place, text, mismatch)
        })
    }

    pub(crate) fn expand(&self, text: &str) -> Result<Secret, Mismatch> {
        match self.environment {
            Some(environment) => environment::expand(text, environment),
            None => Ok(Secret::new(text)),
        }
    }

    /// A text with the values of the environment in their places.
    pub(crate) fn expanded(&self, written: &Written<String>) -> Result<Secret, PlanError> {
        self.read_text(written, |text| self.expand(text))
    }

    /// A section of the plan and its place, if it is given.
    pub fn section<'d, N>(&mut self, key: &str, section: &'d Given<At<N>>) -> Option<&'d At<N>> {
        let section = section.0.as_ref()?;
        self.remember(key, section.place);
        Some(section)
    }

    /// Reads each entry of a list that has at least one `what`, under the key that it has in the list.
    ///
    /// # Errors
    /// When there is none, and what `read` returns.
    pub fn each<N, T>(
        &mut self,
        key: &str,
        list: &At<Vec<At<N>>>,
        what: &str,
        mut read: impl FnMut(&mut Self, &str, &At<N>) -> Result<T, PlanError>,
    ) -> Result<Vec<T>, PlanError> {
        if list.value.is_empty() {
            return Err(self.error(list.place, Mismatch::new(format!("no {what}"), "at least one")));
        }
        let numbered = list.value.iter().enumerate();
        let entries = numbered.map(|(index, entry)| {
            let key = format!("{key}[{index}]");
            self.remember(&key, entry.place);
            read(self, &key, entry)
        });
        entries.collect()
    }

    /// A path relative to the plan's directory, made independent of it.
    pub fn beside_plan(&self, path: &str) -> PathBuf {
        let directory = Path::new(self.source.file).parent().unwrap_or(Path::new(""));
        let joined = directory.join(path);
        std::path::absolute(&joined).unwrap_or(joined)
    }

    pub(crate) fn file(&self, path: &Path, most_bytes: u64) -> std::io::Result<Vec<u8>> {
        (self.files)(path, most_bytes)
    }
}
