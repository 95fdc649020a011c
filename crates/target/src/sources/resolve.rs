//! Which file a source of a map is. Most maps say where it lies beside the compiled file; bundlers that name a project say where it
//! lies in that.

use super::files::Files;
use crate::file_url::path_of;
use std::path::{Component, Path, PathBuf};

/// What stands before the name of a project.
const PROJECT_SCHEMES: [&str; 3] = ["webpack://", "turbopack://", "rspack://"];

/// The file that `source` in the map of `compiled` is; `None` where that is none on this machine.
pub(super) fn path(source: &str, compiled: &Path, files: &Files) -> Option<PathBuf> {
    let in_project = PROJECT_SCHEMES.iter().find_map(|scheme| source.strip_prefix(scheme));
    if let Some(named) = in_project {
        let (_, inside) = named.split_once('/')?;
        let inside = inside_project(inside).filter(|inside| !inside.is_empty())?;
        let directory = files.project_of(compiled, Path::new(inside))?;
        return Some(plain(&directory.join(inside)));
    }
    let source = path_of(source);
    let is_elsewhere = source
        .split_once("://")
        .is_some_and(|(scheme, _)| !scheme.contains('/'));
    if source.is_empty() || is_elsewhere {
        return None;
    }
    Some(plain(&compiled.parent()?.join(source)))
}

/// `./src/a.js` of `(layer)/./src/a.js?1234`.
fn inside_project(path: &str) -> Option<&str> {
    let path = path.trim_start_matches('/');
    let is_layer = |name: &str| name.starts_with(['(', '[']) && name.ends_with([')', ']']);
    let path = match path.split_once('/') {
        Some((layer, rest)) if is_layer(layer) => rest,
        _ => path,
    };
    path.split('?').next()
}

/// Without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_files_beside_the_compiled_one_or_in_the_project() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().canonicalize().expect("a path");
        let compiled = root.join("app/dist/cjs/main.js");
        std::fs::create_dir_all(root.join("app/dist/cjs")).expect("made");
        std::fs::create_dir_all(root.join("app/src")).expect("made");
        for name in ["package.json", "app/package.json", "app/dist/cjs/package.json"] {
            std::fs::write(root.join(name), "{}").expect("written");
        }
        std::fs::write(root.join("app/src/a.js"), "").expect("written");
        let mut files = Files::default();
        files.add_root(&root);
        for (source, expected) in [
            ("../../src/a.ts", Some("app/src/a.ts")),
            ("./b.js", Some("app/dist/cjs/b.js")),
            ("webpack://app/./src/a.js", Some("app/src/a.js")),
            ("webpack://app/./src/a.js?12ab", Some("app/src/a.js")),
            ("webpack:///./src/a.js", Some("app/src/a.js")),
            ("webpack://@scope/app/./src/a.js", Some("app/src/a.js")),
            ("webpack://_N_E/(rsc)/./src/a.js", Some("app/src/a.js")),
            ("turbopack:///[project]/src/a.js", Some("app/src/a.js")),
            // Of none that is there: the nearest project.
            (
                "webpack://app/webpack/bootstrap",
                Some("app/dist/cjs/webpack/bootstrap"),
            ),
            ("webpack://app", None),
            ("https://example.org/a.js", None),
            ("", None),
        ] {
            let found = path(source, &compiled, &files);
            assert_eq!(found, expected.map(|path| root.join(path)), "{source}");
        }
        assert_eq!(path("webpack://app/./a.js", Path::new("/elsewhere/a.js"), &files), None);
    }
}
