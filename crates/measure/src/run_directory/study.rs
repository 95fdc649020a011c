//! The directory of a study: which run directories and comparisons in it stand for which measurement.

use super::budget::{Budget, Content};
use super::open::text;
use super::{DirectoryError, format::Format, lines::name, writer};
use crate::record::{Ended, Host};
use plimsoll_files::Directory;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

const FILE: &str = "study.json";
const FORMAT: Format = Format {
    name: "plimsoll.study",
    version: 1,
};
const FIGURES: &str = "figures.json";
/// Far above what a study has.
const MOST_PARTS: usize = 256;
const OUTPUT: &str = "output.log";

/// A study as far as it has got. Its figures are in the directories of its measurements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StudyInfo {
    /// `plimsoll.study/1`.
    pub format: String,
    /// Name of the study.
    pub name: String,
    /// How large it was measured, where that can be chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u32>,
    /// When it began, RFC 3339, UTC.
    pub started_at: String,
    /// How long it took, seconds; 0 until it has ended.
    pub duration_s: f64,
    /// Version of the plimsoll that wrote it.
    pub version: String,
    /// The machine.
    pub host: Host,
    /// The measurements that have ended, in order.
    pub parts: Vec<StudyPart>,
    /// How it ended; `None` while it goes on and after a crash.
    pub ended: Option<Ended>,
}

/// A measurement of a study.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StudyPart {
    /// What the study calls it.
    pub name: String,
    /// Its directory, inside that of the study; `None` when it never had one.
    #[serde(rename = "folder")] // its name since version 1 of the format
    pub directory: Option<String>,
    /// Why it could not be made, one sentence.
    pub failed: Option<String>,
}

/// What a program of a study printed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ProgramFigures {
    /// By name.
    pub figures: BTreeMap<String, ProgramFigure>,
}

/// A figure that a program printed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProgramFigure {
    /// `ms`, `us`, `per_s`, `bytes`, `share` of 1, or nothing for a bare number.
    #[serde(default)]
    pub unit: String,
    /// As often as it was measured, in order.
    pub values: Vec<f64>,
}

impl ProgramFigures {
    /// Writes what was printed into the directory of its measurement.
    ///
    /// # Errors
    /// [`DirectoryError::Io`] when the file cannot be written.
    pub fn write(&self, directory: &Path) -> Result<(), DirectoryError> {
        writer::replace_json(&writer::reopened(directory)?, FIGURES, self)
    }

    /// Reads it back.
    ///
    /// # Errors
    /// [`DirectoryError`] when it cannot be read or is damaged.
    pub fn read(directory: &Directory, budget: &Budget) -> Result<Self, DirectoryError> {
        let text = text(directory, FIGURES, Content::About, budget)?;
        let path = directory.path().join(FIGURES);
        serde_json::from_str(&text).map_err(|error| DirectoryError::malformed(&path, error.to_string()))
    }
}

impl StudyInfo {
    /// The format that is written.
    #[must_use]
    pub fn format() -> String {
        FORMAT.to_string()
    }

    /// Whether `directory` is that of a study that was run.
    #[must_use]
    pub fn is_in(directory: &Directory) -> bool {
        directory.has(FILE)
    }

    /// Makes the directory `<start>-study-<name>` in `parent`, with the files of the study itself in it.
    ///
    /// # Errors
    /// [`DirectoryError::Io`] when it cannot be made.
    pub fn create(&self, parent: &Path, files: &[(&str, &str)]) -> Result<PathBuf, DirectoryError> {
        let directory = writer::create_directory(parent, &self.started_at, &format!("study-{}", self.name))?;
        for (file, text) in files {
            writer::replace(&directory, file, text.as_bytes())?;
        }
        writer::replace_json(&directory, FILE, self)?;
        Ok(directory.path().to_owned())
    }

    /// Makes the directory of a program's figures in that of the study, and says where its output belongs.
    ///
    /// # Errors
    /// [`DirectoryError::Io`] when it cannot be made.
    pub fn create_program(study: &Path, measurement: &str) -> Result<(PathBuf, PathBuf), DirectoryError> {
        let name = format!("command-{measurement}");
        let directory = study.join(&name);
        match Directory::create(study, &name) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(DirectoryError::io("create", &directory, error));
            }
            _ => {}
        }
        let output = directory.join(OUTPUT);
        Ok((directory, output))
    }

    /// Writes it to `directory` in one go.
    ///
    /// # Errors
    /// [`DirectoryError::Io`] when the file cannot be written.
    pub fn write(&self, directory: &Path) -> Result<(), DirectoryError> {
        writer::replace_json(&writer::reopened(directory)?, FILE, self)
    }

    /// Reads the study in `directory`.
    ///
    /// # Errors
    /// [`DirectoryError`] when it cannot be read, is damaged, or a later plimsoll wrote it.
    pub fn read(directory: &Directory, budget: &Budget) -> Result<Self, DirectoryError> {
        let path = directory.path().join(FILE);
        let info: Self = FORMAT.read(directory, FILE, budget)?;
        if info.parts.len() > MOST_PARTS {
            return Err(DirectoryError::malformed(
                &path,
                format!("more than {MOST_PARTS} measurements"),
            ));
        }
        // A directory from elsewhere must not make us read another one.
        let mut directories = info.parts.iter().filter_map(|part| part.directory.as_deref());
        let mut read = HashSet::new();
        if let Some(twice) = directories.clone().find(|inner| !read.insert(*inner)) {
            return Err(DirectoryError::malformed(
                &path,
                format!("two measurements lie in {twice:?}"),
            ));
        }
        match directories.find(|inner| inner.is_empty() || name(Path::new(inner)) != *inner) {
            Some(strange) => Err(DirectoryError::malformed(
                &path,
                format!("a measurement lies in {strange:?}"),
            )),
            None => Ok(info),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(directory: &str) -> StudyInfo {
        StudyInfo {
            format: StudyInfo::format(),
            name: "gzip".to_owned(),
            size: None,
            started_at: "2026-10-04T13:05:59Z".to_owned(),
            duration_s: 0.0,
            version: "0.1.0".to_owned(),
            host: Host::default(),
            parts: vec![StudyPart {
                name: "closed".to_owned(),
                directory: Some(directory.to_owned()),
                failed: None,
            }],
            ended: None,
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let parent = tempfile::tempdir().expect("a directory");
        let directory = info("x").create(parent.path(), &[("a.txt", "text")]).expect("created");
        assert_eq!(name(&directory), "2026-10-04T13-05-59-study-gzip");
        let open = |path: &Path| Directory::open(path).expect("a directory");
        assert!(StudyInfo::is_in(&open(&directory)) && !StudyInfo::is_in(&open(parent.path())));
        assert_eq!(
            StudyInfo::read(&open(&directory), &Budget::default()).expect("read"),
            info("x")
        );
        assert_eq!(std::fs::read_to_string(directory.join("a.txt")).expect("kept"), "text");
    }

    #[test]
    fn what_is_not_ours_is_refused() {
        let parent = tempfile::tempdir().expect("a directory");
        for name in ["../x", "/x", "x/y", "..", ""] {
            info(name).write(parent.path()).expect("written");
            let directory = Directory::open(parent.path()).expect("a directory");
            let error = StudyInfo::read(&directory, &Budget::default())
                .expect_err("refused")
                .to_string();
            assert!(error.contains("a measurement lies in"), "{name}: {error}");
        }
    }
}
