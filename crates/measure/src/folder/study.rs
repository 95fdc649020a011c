//! The folder of a study: which run folders and comparisons in it stand for which measurement.

use super::budget::{Budget, Content};
use super::open::text;
use super::{FolderError, format::Format, lines::name, writer};
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

/// A study as far as it has got. Its figures are in the folders of its measurements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StudyInfo {
    /// `plimsoll.study/1`.
    pub format: String,
    /// Name of the study.
    pub name: String,
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
    /// Its folder, inside that of the study; `None` when it never had one.
    pub folder: Option<String>,
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
    /// Writes what was printed into the folder of its measurement.
    ///
    /// # Errors
    /// [`FolderError::Io`] when the file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), FolderError> {
        writer::replace_json(&writer::reopened(folder)?, FIGURES, self)
    }

    /// Reads it back.
    ///
    /// # Errors
    /// [`FolderError`] when it cannot be read or is damaged.
    pub fn read(directory: &Directory, budget: &Budget) -> Result<Self, FolderError> {
        let text = text(directory, FIGURES, Content::About, budget)?;
        let path = directory.path().join(FIGURES);
        serde_json::from_str(&text).map_err(|error| FolderError::malformed(&path, error.to_string()))
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

    /// Makes the folder `<start>-study-<name>` in `parent`, with the files of the study itself in it.
    ///
    /// # Errors
    /// [`FolderError::Io`] when it cannot be made.
    pub fn create(&self, parent: &Path, files: &[(&str, &str)]) -> Result<PathBuf, FolderError> {
        let folder = writer::create_folder(parent, &self.started_at, &format!("study-{}", self.name))?;
        for (file, text) in files {
            writer::replace(&folder, file, text.as_bytes())?;
        }
        writer::replace_json(&folder, FILE, self)?;
        Ok(folder.path().to_owned())
    }

    /// Makes the folder of a program's figures in that of the study, and says where its output belongs.
    ///
    /// # Errors
    /// [`FolderError::Io`] when it cannot be made.
    pub fn create_program(study: &Path, measurement: &str) -> Result<(PathBuf, PathBuf), FolderError> {
        let name = format!("command-{measurement}");
        let folder = study.join(&name);
        match Directory::create(study, &name) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(FolderError::io("create", &folder, error));
            }
            _ => {}
        }
        let output = folder.join(OUTPUT);
        Ok((folder, output))
    }

    /// Writes it to `folder` in one go.
    ///
    /// # Errors
    /// [`FolderError::Io`] when the file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), FolderError> {
        writer::replace_json(&writer::reopened(folder)?, FILE, self)
    }

    /// Reads the study in `directory`.
    ///
    /// # Errors
    /// [`FolderError`] when it cannot be read, is damaged, or a later plimsoll wrote it.
    pub fn read(directory: &Directory, budget: &Budget) -> Result<Self, FolderError> {
        let path = directory.path().join(FILE);
        let info: Self = FORMAT.read(directory, FILE, budget)?;
        if info.parts.len() > MOST_PARTS {
            return Err(FolderError::malformed(
                &path,
                format!("more than {MOST_PARTS} measurements"),
            ));
        }
        // A folder from elsewhere must not make us read another one.
        let mut folders = info.parts.iter().filter_map(|part| part.folder.as_deref());
        let mut read = HashSet::new();
        if let Some(twice) = folders.clone().find(|inner| !read.insert(*inner)) {
            return Err(FolderError::malformed(
                &path,
                format!("two measurements lie in {twice:?}"),
            ));
        }
        match folders.find(|inner| inner.is_empty() || name(Path::new(inner)) != *inner) {
            Some(strange) => Err(FolderError::malformed(
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

    fn info(folder: &str) -> StudyInfo {
        StudyInfo {
            format: StudyInfo::format(),
            name: "gzip".to_owned(),
            started_at: "2026-10-04T13:05:59Z".to_owned(),
            duration_s: 0.0,
            version: "0.1.0".to_owned(),
            host: Host::default(),
            parts: vec![StudyPart {
                name: "closed".to_owned(),
                folder: Some(folder.to_owned()),
                failed: None,
            }],
            ended: None,
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let parent = tempfile::tempdir().expect("a folder");
        let folder = info("x").create(parent.path(), &[("a.txt", "text")]).expect("created");
        assert_eq!(name(&folder), "2026-10-04T13-05-59-study-gzip");
        let open = |path: &Path| Directory::open(path).expect("a directory");
        assert!(StudyInfo::is_in(&open(&folder)) && !StudyInfo::is_in(&open(parent.path())));
        assert_eq!(
            StudyInfo::read(&open(&folder), &Budget::default()).expect("read"),
            info("x")
        );
        assert_eq!(std::fs::read_to_string(folder.join("a.txt")).expect("kept"), "text");
    }

    #[test]
    fn what_is_not_ours_is_refused() {
        let parent = tempfile::tempdir().expect("a folder");
        for folder in ["../x", "/x", "x/y", "..", ""] {
            info(folder).write(parent.path()).expect("written");
            let directory = Directory::open(parent.path()).expect("a directory");
            let error = StudyInfo::read(&directory, &Budget::default())
                .expect_err("refused")
                .to_string();
            assert!(error.contains("a measurement lies in"), "{folder}: {error}");
        }
    }
}
