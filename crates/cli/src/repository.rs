//! Where files lie in the repository, which is how a build server names them.

use crate::plan_source::DEFAULT_PLAN;
use std::env;
use std::path::{Component, Path};

/// The path of a file of the service in its repository, if it is there. `file` is relative to the current directory, or absolute.
pub(crate) fn path_of(file: &str) -> Option<String> {
    path_from(&env::current_dir().ok()?, file)
}

/// The file for what is of no line: the plan, or else what says that there is a service.
pub(crate) fn elsewhere() -> String {
    let there = [DEFAULT_PLAN, "package.json"].into_iter().find_map(path_of);
    there.unwrap_or_else(|| DEFAULT_PLAN.to_owned())
}

fn path_from(here: &Path, file: &str) -> Option<String> {
    // A worktree has a file of that name.
    let root = here.ancestors().find(|directory| directory.join(".git").exists())?;
    let path = here.join(file);
    let leads_up = path.components().any(|part| part == Component::ParentDir);
    let inside = path.strip_prefix(root).ok().filter(|_| !leads_up && path.is_file())?;
    inside.to_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_files::{Directory, given};

    #[test]
    fn path_begins_at_the_root_of_the_repository() {
        let repository = tempfile::tempdir().expect("a directory");
        let service = repository.path().join("services/info");
        Directory::create_all(&service.join("src")).expect("made");
        given::write(&service.join("src/app.js"), b"").expect("written");
        assert_eq!(path_from(&service, "src/app.js"), None, "no repository");
        Directory::create_all(&repository.path().join(".git")).expect("made");
        let path = |file: &str| path_from(&service, file);
        assert_eq!(path("src/app.js").as_deref(), Some("services/info/src/app.js"));
        let absolute = service.join("src/app.js").display().to_string();
        assert_eq!(path(&absolute).as_deref(), Some("services/info/src/app.js"));
        for outside in ["src/gone.js", "/etc/hostname", "../../../etc/hostname"] {
            assert_eq!(path(outside), None, "{outside}");
        }
    }
}
