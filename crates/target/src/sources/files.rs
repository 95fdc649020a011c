//! The files of a service: those below its directory, and so much of them that neither their size nor their number holds
//! up the run.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// Larger files are bundles whose lines say little.
const FILE_BYTES_MAX: u64 = 32 << 20;
/// All files of a pass together, each as often as it is read.
const ALL_BYTES_MAX: u64 = 512 << 20;
/// Directories of one service.
const ROOTS_MAX: usize = 64;
/// What shows where a project begins.
const MARKS: &[&str] = &["package.json", ".git"];
/// What a project in TypeScript has.
const TYPESCRIPT: &str = "tsconfig.json";
/// File systems of the kernel: reading there may wait, or never end.
const NOT_FILES: &[&str] = &["/proc", "/sys", "/dev"];

/// Reads the service's files.
#[derive(Debug)]
pub(super) struct Files {
    roots: Vec<PathBuf>,
    left_bytes: u64,
    /// Files that are elsewhere.
    outside: BTreeSet<PathBuf>,
    /// Files that are too large, or came when there was nothing left.
    too_large: BTreeSet<PathBuf>,
}

impl Default for Files {
    fn default() -> Self {
        Self {
            roots: Vec::new(),
            left_bytes: ALL_BYTES_MAX,
            outside: BTreeSet::new(),
            too_large: BTreeSet::new(),
        }
    }
}

impl Files {
    /// The service runs in this directory, or has a script in it. Its project counts as well.
    pub(super) fn add_root(&mut self, directory: &Path) {
        let Ok(directory) = directory.canonicalize() else {
            return;
        };
        let is_project = |directory: &&Path| MARKS.iter().any(|mark| directory.join(mark).exists());
        let project = directory.ancestors().filter(is_project).last().unwrap_or(&directory);
        let is_root = project.parent().is_none();
        let root = if is_root { &directory } else { project };
        let is_special = NOT_FILES.iter().any(|special| root.starts_with(special));
        if root.parent().is_none() || is_special || self.roots.len() >= ROOTS_MAX || self.is_below(root) {
            return;
        }
        self.roots.push(root.to_owned());
    }

    /// The project of a file of the service: the nearest directory above it that begins one and has `inside` in it, else the
    /// nearest that begins one.
    pub(super) fn project_of(&self, file: &Path, inside: &Path) -> Option<PathBuf> {
        let above = file.parent()?.ancestors().filter(|above| self.is_below(above));
        let mut projects = above.filter(|above| above.join(MARKS[0]).is_file()).peekable();
        let nearest = projects.peek().map(|nearest| nearest.to_path_buf());
        projects
            .find(|project| project.join(inside).is_file())
            .map(Path::to_owned)
            .or(nearest)
    }

    /// Whether a file of a project in TypeScript has a source there that its compiler would make it of: beside it, or in the same place
    /// below `src` or the project as it has below `dist`. What the compiler writes for new targets reads like its source.
    pub(super) fn has_typescript_of(&self, file: &Path) -> bool {
        let extensions: &[&str] = match file.extension().and_then(|extension| extension.to_str()) {
            Some("js") => &["ts", "tsx"],
            Some("mjs") => &["mts"],
            Some("cjs") => &["cts"],
            _ => return false,
        };
        let Some(project) = self.project_of(file, Path::new(TYPESCRIPT)) else {
            return false;
        };
        let Ok(inside) = file.strip_prefix(&project) else {
            return false;
        };
        let depth = inside.components().count();
        let moved = (1..depth).flat_map(|outer| {
            let inner: PathBuf = inside.components().skip(outer).collect();
            [project.join("src").join(&inner), project.join(inner)]
        });
        let mut places = moved.chain([file.to_owned()]);
        project.join(TYPESCRIPT).is_file()
            && places.any(|place| {
                extensions
                    .iter()
                    .any(|extension| place.with_extension(extension).is_file())
            })
    }

    /// The text of a file of the service; `None` when it has none such.
    pub(super) fn text(&mut self, file: &Path) -> Option<String> {
        let path = file.canonicalize().ok()?;
        let is_special = NOT_FILES.iter().any(|special| path.starts_with(special));
        if is_special || !self.is_below(&path) {
            remember(&mut self.outside, file);
            return None;
        }
        match plimsoll_files::found::text(&path, FILE_BYTES_MAX.min(self.left_bytes)) {
            Ok(text) => {
                self.left_bytes = self.left_bytes.saturating_sub(text.len() as u64);
                Some(text)
            }
            Err(error) => {
                if error.kind() == io::ErrorKind::FileTooLarge {
                    remember(&mut self.too_large, file);
                }
                None
            }
        }
    }

    fn is_below(&self, path: &Path) -> bool {
        self.roots.iter().any(|root| path.starts_with(root))
    }

    /// What was not read, in words.
    pub(super) fn notices(&self) -> Vec<String> {
        let notice = |files: &BTreeSet<PathBuf>, why: &str| {
            let first = files.first()?;
            let (others, were, its) = match files.len() {
                1 => (String::new(), "was", "its"),
                2 => (" and 1 other".to_owned(), "were", "their"),
                count if count > REMEMBERED_MAX => (format!(" and more than {} others", count - 2), "were", "their"),
                count => (format!(" and {} others", count - 1), "were", "their"),
            };
            let is = if files.len() == 1 { "it is" } else { "they are" };
            Some(format!(
                "{}{others} {were} not read, because {is} {why}, so {its} lines are those of the compiled code",
                first.display()
            ))
        };
        [
            notice(&self.outside, "outside of the service's directory"),
            notice(&self.too_large, "too large"),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

const REMEMBERED_MAX: usize = 100;

fn remember(files: &mut BTreeSet<PathBuf>, file: &Path) {
    if files.len() <= REMEMBERED_MAX {
        files.insert(file.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn files_of_the_service_are_read_and_no_others() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = |name: &str| directory.path().join(name);
        std::fs::create_dir_all(path("project/packages/a/dist")).expect("made");
        std::fs::create_dir_all(path("other")).expect("made");
        std::fs::write(path("project/package.json"), "{}").expect("written");
        std::fs::write(path("project/shared.js"), "shared").expect("written");
        std::fs::write(path("other/secret.js"), "secret").expect("written");
        std::fs::write(path("project/large.js"), vec![b'x'; FILE_BYTES_MAX as usize + 1]).expect("written");
        symlink(path("other/secret.js"), path("project/linked.js")).expect("linked");
        symlink("/dev/zero", path("project/zero.js")).expect("linked");
        rustix::fs::mkfifoat(rustix::fs::CWD, path("project/pipe.js"), rustix::fs::Mode::RUSR).expect("made");
        let mut files = Files::default();
        assert_eq!(
            files.text(&path("project/shared.js")),
            None,
            "before it is known where the service runs"
        );
        files.add_root(&path("project/packages/a/dist"));
        for (name, expected) in [
            ("project/shared.js", Some("shared")),
            ("project/packages/a/../../shared.js", Some("shared")),
            ("project/linked.js", None),
            ("project/zero.js", None),
            ("project/pipe.js", None),
            ("project/large.js", None),
            ("project/packages", None),
            ("project/gone.js", None),
            ("project/../other/secret.js", None),
        ] {
            assert_eq!(files.text(&path(name)).as_deref(), expected, "{name}");
        }
        for name in [
            "/dev/zero",
            "/dev/stdin",
            "/proc/self/environ",
            "/proc/kmsg",
            "/etc/passwd",
        ] {
            assert_eq!(files.text(Path::new(name)), None, "{name}");
        }
        let notices = files.notices().join("\n");
        assert!(notices.contains("outside of the service's directory"), "{notices}");
        assert!(
            notices.contains("large.js was not read, because it is too large"),
            "{notices}"
        );
    }

    #[test]
    fn what_typescript_makes_has_a_source_in_its_place() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = |name: &str| directory.path().join(name);
        for made in ["src/routes", "dist/routes", "build/src", "lib"] {
            std::fs::create_dir_all(path(made)).expect("made");
        }
        for written in ["src/app.ts", "src/routes/users.tsx", "src/module.mts", "lib/beside.ts"] {
            std::fs::write(path(written), "").expect("written");
        }
        std::fs::write(path("package.json"), "{}").expect("written");
        let mut files = Files::default();
        files.add_root(directory.path());
        assert!(
            !files.has_typescript_of(&path("dist/app.js")),
            "no project of TypeScript"
        );
        std::fs::write(path("tsconfig.json"), "{}").expect("written");
        for (name, expected) in [
            ("dist/app.js", true),
            ("build/src/app.js", true),
            ("dist/routes/users.js", true),
            ("dist/module.mjs", true),
            ("lib/beside.js", true),
            ("dist/module.js", false),
            ("lib/other.js", false),
            ("app.js", false),
        ] {
            assert_eq!(files.has_typescript_of(&path(name)), expected, "{name}");
        }
    }

    #[test]
    fn the_whole_machine_is_no_directory_of_a_service() {
        let mut files = Files::default();
        for root in ["/", "/proc", "/proc/self", "/dev", "/sys", "relative/nowhere"] {
            files.add_root(Path::new(root));
        }
        assert_eq!(files.roots, Vec::<PathBuf>::new());
    }

    #[test]
    fn all_files_together_have_a_bound() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("a.js");
        std::fs::write(&file, "x".repeat(100)).expect("written");
        let mut files = Files {
            left_bytes: 250,
            ..Files::default()
        };
        files.add_root(directory.path());
        let read = (0..10).filter(|_| files.text(&file).is_some()).count();
        assert_eq!(read, 2);
        assert_eq!(files.notices().len(), 1);
    }
}
