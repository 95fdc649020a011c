//! The files of the repository.

use super::text::{Language, Split, split};
use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// A file that git tracks, or would track if it were added.
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) size_bytes: u64,
    pub(crate) executable: bool,
    /// `None` for what is not UTF-8 text.
    pub(crate) text: Option<String>,
}

impl File {
    pub(crate) fn language(&self) -> Option<Language> {
        Language::of(&self.path)
    }

    /// Code and comments apart; both empty for what is not text. Prose counts as comment.
    pub(crate) fn split(&self) -> Split {
        self.text
            .as_deref()
            .map_or_else(Split::default, |text| split(text, self.language()))
    }

    /// Its name without directories.
    pub(crate) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}

/// All files of the repository in the order of their paths.
pub(crate) struct Tree {
    files: Vec<File>,
    by_path: BTreeMap<String, usize>,
}

impl Tree {
    /// Reads what git tracks in `root`, and what it would track if it were added.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let output = Command::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .current_dir(root)
            .output()
            .context("run git")?;
        ensure!(
            output.status.success(),
            "list the files: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let names = String::from_utf8(output.stdout).context("read a file name that is not UTF-8")?;
        let mut files = Vec::new();
        for path in names.split_terminator('\0') {
            let full = root.join(path);
            // Deleted and not committed yet, or a link that leads nowhere.
            let Ok(metadata) = std::fs::metadata(&full) else {
                continue;
            };
            if !metadata.is_file() {
                continue;
            }
            let bytes = std::fs::read(&full).with_context(|| format!("read {path}"))?;
            files.push(File {
                path: path.to_owned(),
                size_bytes: metadata.len(),
                executable: metadata.permissions().mode() & 0o111 != 0,
                text: String::from_utf8(bytes).ok(),
            });
        }
        Ok(Self::new(files))
    }

    fn new(mut files: Vec<File>) -> Self {
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files.dedup_by(|a, b| a.path == b.path);
        let by_path = files
            .iter()
            .enumerate()
            .map(|(index, file)| (file.path.clone(), index))
            .collect();
        Self { files, by_path }
    }

    pub(crate) fn files(&self) -> &[File] {
        &self.files
    }

    pub(crate) fn get(&self, path: &str) -> Option<&File> {
        self.by_path.get(path).map(|&index| &self.files[index])
    }

    /// Whether a file lies in this directory; the empty path is the root.
    pub(crate) fn has_directory(&self, path: &str) -> bool {
        let prefix = format!("{path}/");
        path.is_empty() || self.files.iter().any(|file| file.path.starts_with(&prefix))
    }

    /// Files whose path ends in `.extension`.
    pub(crate) fn with_extension<'a>(&'a self, extension: &'a str) -> impl Iterator<Item = &'a File> {
        self.files
            .iter()
            .filter(move |file| file.path.rsplit_once('.').is_some_and(|(_, found)| found == extension))
    }

    /// A made-up tree of text files. Those that begin with `#!` are executable.
    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let file = |&(path, text): &(&str, &str)| File {
            path: path.to_owned(),
            size_bytes: text.len() as u64,
            executable: text.starts_with("#!"),
            text: Some(text.to_owned()),
        };
        Self::new(files.iter().map(file).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_files_directories_and_extensions() {
        let tree = Tree::of(&[("docs/b.md", ""), ("docs/a.md", ""), ("README.md", ""), ("a.rs", "")]);
        assert!(tree.get("docs/a.md").is_some());
        assert!(tree.get("docs").is_none());
        assert!(tree.has_directory("docs") && tree.has_directory("") && !tree.has_directory("doc"));
        let found: Vec<_> = tree.with_extension("md").map(|file| file.path.as_str()).collect();
        assert_eq!(found, ["README.md", "docs/a.md", "docs/b.md"]);
    }

    #[test]
    fn reads_this_repository() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let tree = Tree::read(&root).expect("the tests run in a clone");
        let this = tree.get("xtask/src/tidy/tree.rs").expect("this file is in it");
        assert_eq!(this.name(), "tree.rs");
        assert!(this.size_bytes > 1000 && !this.executable);
        assert!(tree.files().iter().all(|file| !file.path.starts_with("target/")));
    }
}
