//! Documents that are read whole: each names its format, and one of a later plimsoll is refused.

use super::DirectoryError;
use super::budget::{Budget, Content};
use super::open::text;
use crate::record::RunInfo;
use plimsoll_files::Directory;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::path::Path;

/// Name and version of a format, written as `plimsoll.run/1` into the field `format` of its documents.
#[derive(Debug, Clone, Copy)]
pub(super) struct Format {
    pub(super) name: &'static str,
    pub(super) version: u32,
}

/// Of `run.json`.
pub(super) const FORMAT: Format = Format {
    name: "plimsoll.run",
    version: 2,
};

impl RunInfo {
    /// The format that is written: `plimsoll.run/2`.
    #[must_use]
    pub fn format() -> String {
        FORMAT.to_string()
    }
}

impl Format {
    /// Reads the document of that name in `directory`, of this version or an older one.
    pub(super) fn read<T: DeserializeOwned>(
        self,
        directory: &Directory,
        name: &str,
        budget: &Budget,
    ) -> Result<T, DirectoryError> {
        let text = text(directory, name, Content::About, budget)?;
        self.parse(&directory.path().join(name), &text)
    }

    /// As [`Format::read`], of a text that was read from `path`.
    pub(super) fn parse<T: DeserializeOwned>(self, path: &Path, text: &str) -> Result<T, DirectoryError> {
        /// Enough of any version to tell which one it is.
        #[derive(Deserialize)]
        struct Named {
            format: String,
        }
        let malformed = |error: serde_json::Error| DirectoryError::malformed(path, error.to_string());
        let Named { format } = serde_json::from_str(text).map_err(malformed)?;
        let version = format
            .strip_prefix(self.name)
            .and_then(|rest| rest.strip_prefix('/'))
            .and_then(|version| version.parse::<u32>().ok());
        match version {
            Some(version) if version <= self.version => serde_json::from_str(text).map_err(malformed),
            Some(_) => Err(DirectoryError::Newer {
                path: path.to_owned(),
                found: format,
                expected: self.to_string(),
            }),
            None => Err(DirectoryError::malformed(
                path,
                format!("found the format {format:?}, expected {self}"),
            )),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.name, self.version)
    }
}
