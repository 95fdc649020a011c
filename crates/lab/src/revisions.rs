//! Revisions of the service, each in a git worktree of its own that is gone when it is let go.

use crate::error::LabError;
use plimsoll_files::found;
use plimsoll_plan::{KnownSecrets, Shown};
use plimsoll_target::{ProgramError, Scratch, run_captured};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

const LOCK_FILES: [&str; 4] = [
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
];
const MODULES: &str = "node_modules";
/// Far above any: two that are too large would count as the same.
const MOST_LOCK_FILE_BYTES: u64 = 256 << 20;

/// Which commit is checked out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Revision {
    /// The one that is named.
    Named(String),
    /// The newest one that is both in the history of what is checked out here and in that of the one that is named. A clone
    /// whose history does not reach so far has the one that is named.
    ForkedFrom(String),
}

impl Revision {
    /// As it was named.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Named(name) | Self::ForkedFrom(name) => name,
        }
    }
}

/// A checked-out revision.
#[derive(Debug)]
pub(crate) struct Worktree {
    repository: PathBuf,
    /// Inside a temporary directory, because git wants to make it itself.
    root: PathBuf,
    /// Where the service starts: what the directory of the plan is in this revision.
    pub(crate) directory: PathBuf,
    /// The commit, shortened.
    pub(crate) commit: String,
    _scratch: Scratch,
}

impl Worktree {
    /// Checks out `revision` of the repository that `directory` lies in, and gives it its packages: with `setup`, by
    /// running that command; without, by linking those that are installed here. Setting `stop` ends it.
    pub(crate) fn checkout(
        directory: &Path,
        which: &Revision,
        setup: Option<&str>,
        stop: &AtomicBool,
    ) -> Result<Self, LabError> {
        let revision = which.name();
        let directory = fs::canonicalize(directory).map_err(|error| unusable(revision, &error.to_string(), None))?;
        let repository = git(&directory, ["rev-parse", "--show-toplevel"], stop).map_err(|error| {
            let hint = match error {
                GitError::Said(_) => "run it in the repository of the service, or compare commands with --a and --b",
                GitError::Program(_) => "install git, which checks revisions out",
            };
            error.into_lab(revision, |said| (said, Some(hint.to_owned())))
        })?;
        let repository = PathBuf::from(repository);
        let commit = commit(&directory, which, stop)?;
        let unusable_as_said = |error: GitError| error.into_lab(revision, |said| (said, None));
        let of_git = git(&directory, ["rev-parse", "--git-common-dir"], stop).map_err(unusable_as_said)?;
        let mut scratch =
            Scratch::new("plimsoll-revision-").map_err(|error| unusable(revision, &error.to_string(), None))?;
        // Git calls what it knows of a worktree by the worktree's last name, so that is one of a kind. It is what
        // `git worktree prune` would remove, and lies in the repository of the user.
        let unique = scratch.path().file_name().unwrap_or_default();
        let root = scratch.path().join(unique);
        scratch.takes_along(directory.join(of_git).join("worktrees").join(unique));
        let inside = directory.strip_prefix(&repository).unwrap_or(Path::new(""));
        let worktree = Self {
            directory: root.join(inside),
            repository,
            commit,
            _scratch: scratch,
            root,
        };
        let add = [
            OsStr::new("worktree"),
            OsStr::new("add"),
            OsStr::new("--detach"),
            worktree.root.as_os_str(),
            OsStr::new(&worktree.commit),
        ];
        git(&worktree.repository, add, stop).map_err(unusable_as_said)?;
        if !worktree.directory.is_dir() {
            let found = format!("it has no directory {}", inside.display());
            return Err(unusable(revision, &found, None));
        }
        match setup {
            Some(setup) => worktree.set_up(revision, setup, stop)?,
            None => worktree.link_packages(revision, inside)?,
        }
        Ok(worktree)
    }

    fn set_up(&self, revision: &str, setup: &str, stop: &AtomicBool) -> Result<(), LabError> {
        let argv = ["sh", "-c", setup].map(OsString::from);
        let hidden = KnownSecrets::of_settings([("", setup)]);
        let setup = Shown::of_command_line(setup);
        let output = run_captured(&argv, &self.directory, stop).map_err(|error| {
            let found = format!("`{setup}` did not run: failed to {error}");
            GitError::Program(error).into_lab(revision, |_| (found, None))
        })?;
        if output.status.success() {
            return Ok(());
        }
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        let last: Vec<&str> = said.trim_end().lines().rev().take(10).collect();
        let last: Vec<&str> = last.into_iter().rev().collect();
        let found = format!(
            "`{setup}` ended with {}:\n{}",
            output.status,
            hidden.hide(&last.join("\n"))
        );
        Err(unusable(revision, &found, None))
    }

    /// Packages that were installed for other versions of them would be another comparison.
    fn link_packages(&self, revision: &str, inside: &Path) -> Result<(), LabError> {
        for directory in inside.ancestors() {
            let (here, there) = (self.repository.join(directory), self.root.join(directory));
            if !here.join(MODULES).is_dir() || there.join(MODULES).exists() || !there.is_dir() {
                continue;
            }
            let content = |path: PathBuf| found::bytes(&path, MOST_LOCK_FILE_BYTES).ok();
            let differs = |lock: &&&str| content(here.join(lock)) != content(there.join(lock));
            if let Some(lock) = LOCK_FILES.iter().find(differs) {
                let found = format!(
                    "its {} differs from the one installed here",
                    directory.join(lock).display()
                );
                let hint = "install its own packages, for example with `--setup 'npm ci'`";
                return Err(unusable(revision, &found, Some(hint.to_owned())));
            }
            link(&here.join(MODULES), &there.join(MODULES))
                .map_err(|error| unusable(revision, &format!("its packages cannot be linked: {error}"), None))?;
        }
        Ok(())
    }
}

/// The commit, shortened.
fn commit(directory: &Path, which: &Revision, stop: &AtomicBool) -> Result<String, LabError> {
    let revision = which.name();
    let short = |of: &str| {
        git(
            directory,
            ["rev-parse", "--verify", "--short", &format!("{of}^{{commit}}")],
            stop,
        )
    };
    let named = short(revision).map_err(|error| {
        let is_shallow = git(directory, ["rev-parse", "--is-shallow-repository"], stop).is_ok_and(|said| said == "true");
        let hint = match is_shallow {
            true => "this clone has a part of the history: fetch the rest, `git fetch --unshallow`, or fetch-depth: 0 of actions/checkout",
            false => "`git branch -a`, `git tag` and `git log --oneline` list what there is",
        };
        error.into_lab(revision, |_| {
            (
                "it names no commit of this repository".to_owned(),
                Some(hint.to_owned()),
            )
        })
    })?;
    match which {
        Revision::Named(_) => Ok(named),
        Revision::ForkedFrom(_) => match git(directory, ["merge-base", "HEAD", revision], stop) {
            Ok(base) => short(&base).map_err(|error| error.into_lab(revision, |said| (said, None))),
            Err(GitError::Said(_)) => Ok(named),
            Err(error) => Err(error.into_lab(revision, |said| (said, None))),
        },
    }
}

/// Links each package by itself. A link inside the directory, as workspaces have them, is copied as it is, so that it
/// leads to the code of its own revision.
fn link(here: &Path, there: &Path) -> std::io::Result<()> {
    fs::create_dir(there)?;
    for entry in fs::read_dir(here)? {
        let entry = entry?;
        let (from, to) = (entry.path(), there.join(entry.file_name()));
        let scope = entry.file_name().to_string_lossy().starts_with('@');
        match fs::read_link(&from) {
            Ok(target) if target.is_relative() => symlink(target, to)?,
            Err(_) if scope => link(&from, &to)?,
            _ => symlink(from, to)?,
        }
    }
    Ok(())
}

/// Git did not do what it was run for.
#[derive(Debug)]
enum GitError {
    /// It said why.
    Said(String),
    /// It did not run to its end.
    Program(ProgramError),
}

impl GitError {
    /// `words` turns what was said into what was found, and a hint.
    fn into_lab(self, revision: &str, words: impl FnOnce(String) -> (String, Option<String>)) -> LabError {
        match self {
            Self::Program(error @ ProgramError::Cancelled { .. }) => error.into(),
            Self::Program(error) => {
                let (found, hint) = words(format!("git did not run: failed to {error}"));
                unusable(revision, &found, error.hint().or(hint))
            }
            Self::Said(said) => {
                let (found, hint) = words(said);
                unusable(revision, &found, hint)
            }
        }
    }
}

/// What git says on standard output; what it says on standard error when it fails.
fn git<I: IntoIterator<Item: AsRef<OsStr>>>(
    directory: &Path,
    arguments: I,
    stop: &AtomicBool,
) -> Result<String, GitError> {
    let mut argv = vec![OsString::from("git")];
    argv.extend(arguments.into_iter().map(|argument| argument.as_ref().to_owned()));
    let output = run_captured(&argv, directory, stop).map_err(GitError::Program)?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() {
        Ok(text(&output.stdout))
    } else {
        Err(GitError::Said(text(&output.stderr)))
    }
}

fn unusable(revision: &str, found: &str, hint: Option<String>) -> LabError {
    LabError::Revision {
        revision: revision.to_owned(),
        found: found.to_owned(),
        hint,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    static GO_ON: AtomicBool = AtomicBool::new(false);

    /// A repository with one service whose text is `one`, then `two`.
    fn repository() -> TempDir {
        let repository = tempfile::tempdir().expect("a directory");
        let at = repository.path();
        let run = |arguments: &[&str]| {
            let who = ["-c", "user.name=n", "-c", "user.email=e@example.org"];
            git(at, [&who, arguments].concat(), &GO_ON).expect("git works");
        };
        run(&["init", "--quiet", "--initial-branch=main"]);
        fs::create_dir(at.join("app")).expect("made");
        fs::write(at.join("package-lock.json"), "{}").expect("written");
        for text in ["one", "two"] {
            fs::write(at.join("app/server.js"), text).expect("written");
            run(&["add", "."]);
            run(&["commit", "--quiet", "-m", text]);
        }
        fs::create_dir_all(at.join("node_modules/@scope/pkg")).expect("made");
        fs::create_dir_all(at.join("node_modules/pkg")).expect("made");
        symlink("../app", at.join("node_modules/app")).expect("linked");
        repository
    }

    fn worktrees(repository: &TempDir) -> usize {
        let list = git(repository.path(), ["worktree", "list"], &GO_ON).expect("git works");
        list.lines().count()
    }

    #[test]
    fn a_revision_has_its_own_code_and_the_packages_of_here() {
        let repository = repository();
        let directory = repository.path().join("app");
        let before = Revision::Named("HEAD~1".to_owned());
        let worktree = Worktree::checkout(&directory, &before, None, &GO_ON).expect("checked out");
        let read = |path: &str| fs::read_to_string(worktree.directory.join(path)).expect("there");
        assert_eq!(read("server.js"), "one");
        assert_eq!(
            read("../node_modules/app/server.js"),
            "one",
            "a workspace is of the revision too"
        );
        assert!(worktree.directory.join("../node_modules/@scope/pkg").is_dir());
        let place = worktree.root.clone();
        assert_eq!(worktrees(&repository), 2);
        drop(worktree);
        assert!(!place.exists());
        assert_eq!(worktrees(&repository), 1);
    }

    #[test]
    fn what_is_wrong_with_a_revision_is_said_and_nothing_stays() {
        let repository = repository();
        let directory = repository.path().join("app");
        for (revision, setup, expected) in [
            ("nowhere", None, "it names no commit"),
            ("HEAD", Some("echo no network; false"), "no network"),
        ] {
            let revision = Revision::Named(revision.to_owned());
            let error = Worktree::checkout(&directory, &revision, setup, &GO_ON).expect_err("refused");
            assert!(error.to_string().contains(expected), "{error}");
            assert_eq!(worktrees(&repository), 1);
        }
        fs::write(repository.path().join("package-lock.json"), "{ }").expect("written");
        let head = Revision::Named("HEAD".to_owned());
        let error = Worktree::checkout(&directory, &head, None, &GO_ON).expect_err("refused");
        assert!(error.hint().is_some_and(|hint| hint.contains("--setup")), "{error}");
        assert_eq!(worktrees(&repository), 1);

        let elsewhere = tempfile::tempdir().expect("a directory");
        assert!(Worktree::checkout(elsewhere.path(), &head, None, &GO_ON).is_err());
    }

    #[test]
    fn fork_is_where_both_histories_part() {
        let repository = repository();
        let at = repository.path();
        let run = |arguments: &[&str]| {
            let who = ["-c", "user.name=n", "-c", "user.email=e@example.org"];
            git(at, [&who, arguments].concat(), &GO_ON).expect("git works")
        };
        let fork = run(&["rev-parse", "HEAD"]);
        run(&["checkout", "--quiet", "-b", "change"]);
        run(&["commit", "--quiet", "--allow-empty", "-m", "mine"]);
        run(&["checkout", "--quiet", "main"]);
        run(&["commit", "--quiet", "--allow-empty", "-m", "theirs"]);
        run(&["checkout", "--quiet", "change"]);
        run(&["checkout", "--quiet", "--orphan", "unrelated"]);
        run(&["commit", "--quiet", "--allow-empty", "-m", "unrelated"]);
        run(&["checkout", "--quiet", "change"]);
        let of = |revision: &Revision| commit(at, revision, &GO_ON).expect("a commit");
        let forked = |name: &str| of(&Revision::ForkedFrom(name.to_owned()));
        assert!(fork.starts_with(&forked("main")));
        assert_eq!(forked("HEAD~1"), forked("main"), "an older commit is its own");
        assert_eq!(forked("unrelated"), of(&Revision::Named("unrelated".to_owned())));
        assert_ne!(of(&Revision::Named("main".to_owned())), forked("main"));
    }
}
