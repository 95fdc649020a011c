//! Where studies are, and what each of them is.
//!
//! A study starts services, so what is needed is a checkout, and studies are found where its services are: nothing of
//! them is inside the program.

use crate::exit::Failure;
use plimsoll_study::{Study, StudyTexts};
use std::path::{Path, PathBuf};

const STUDIES: &str = "studies";

/// The directory of the studies.
#[derive(Debug)]
pub(crate) struct Studies {
    directory: PathBuf,
    /// What it lies in.
    root: PathBuf,
}

/// A study and its texts.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) study: Study,
    pub(crate) texts: StudyTexts,
}

impl Studies {
    /// Those in `given`, or in the nearest directory `studies` here or above.
    pub(crate) fn find(given: Option<&Path>) -> Result<Self, Failure> {
        let here =
            std::env::current_dir().map_err(|error| Failure::to(format!("find the current directory: {error}")))?;
        let directory = match given {
            Some(given) => here.join(given),
            None => {
                let mut above = here.ancestors().map(|directory| directory.join(STUDIES));
                let Some(found) = above.find(|directory| !names(directory).is_empty()) else {
                    return Err(Failure::bad_plan(format!(
                        "found no directory `{STUDIES}` in {} or above it, expected a checkout of plimsoll",
                        here.display()
                    ))
                    .hint(
                        "studies start services of the plimsoll repository: clone it and run the command there, \
                         or name a directory of studies with --studies",
                    ));
                };
                found
            }
        };
        if names(&directory).is_empty() {
            return Err(Failure::bad_plan(format!(
                "found no study in {}, expected directories with a study.yaml",
                directory.display()
            ))
            .hint("--studies names the directory that contains the study directories"));
        }
        let root = directory.parent().unwrap_or(&here).to_owned();
        Ok(Self { directory, root })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Every study, by name.
    pub(crate) fn all(&self) -> Result<Vec<Found>, Failure> {
        names(&self.directory).iter().map(|name| self.read(name)).collect()
    }

    pub(crate) fn named(&self, name: &str) -> Result<Found, Failure> {
        let known = names(&self.directory);
        if known.iter().any(|known| known == name) {
            return self.read(name);
        }
        Err(
            Failure::bad_plan(format!("found no study `{name}`, expected one of {}", known.join(", ")))
                .hint("`plimsoll study list` lists them with their questions"),
        )
    }

    fn read(&self, name: &str) -> Result<Found, Failure> {
        let directory = self.directory.join(name);
        let texts = StudyTexts::open(&directory)?;
        let study = Study::parse(&texts, &directory)?;
        Ok(Found { study, texts })
    }
}

/// Names of the studies in a directory, in order.
fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter(|entry| Study::is_in(&entry.path()))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort_unstable();
    names
}
