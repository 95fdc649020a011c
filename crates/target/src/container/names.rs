//! The names of containers, from where their runtimes keep them. None of these is asked, so that it need not be there.

use plimsoll_files::found;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A list of all containers of podman, or what Docker keeps of one.
const LIST_BYTES_MAX: u64 = 16 << 20;
/// Entries of one directory.
const ENTRIES_MAX: usize = 10_000;

/// What the lists say of a name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Known {
    /// The ids of all containers that have it.
    pub(super) ids: BTreeSet<String>,
    /// Lists that may not be read.
    pub(super) unread: Vec<PathBuf>,
}

/// The ids of the containers of this name. `root` is where `var` is.
pub(super) fn of(root: &Path, name: &str, home: Option<&Path>) -> Known {
    let mut known = Known::default();
    known.docker(root, name);
    known.nerdctl(root, name);
    known.kubelet(root, name);
    let of_user = home.map(|home| home.join(".local/share/containers/storage"));
    for storage in [Some(root.join("var/lib/containers/storage")), of_user]
        .into_iter()
        .flatten()
    {
        known.podman(&storage, name);
    }
    known
}

impl Known {
    /// `<id>/config.v2.json` for each container.
    fn docker(&mut self, root: &Path, name: &str) {
        #[derive(Deserialize)]
        #[serde(rename_all = "PascalCase")]
        struct Config {
            #[serde(rename = "ID")]
            id: String,
            name: String,
        }
        for directory in self.entries(&root.join("var/lib/docker/containers")) {
            let config = self.text(&directory.join("config.v2.json"));
            let config: Option<Config> = config.and_then(|text| serde_json::from_str(&text).ok());
            let named = config.filter(|config| config.name.trim_start_matches('/') == name);
            self.ids.extend(named.map(|config| config.id));
        }
    }

    /// `<store>/names/<namespace>/<name>`, which holds the id.
    fn nerdctl(&mut self, root: &Path, name: &str) {
        if name.contains('/') {
            return;
        }
        for store in self.entries(&root.join("var/lib/nerdctl")) {
            for namespace in self.entries(&store.join("names")) {
                let id = self.text(&namespace.join(name));
                self.ids.extend(id.map(|id| id.trim().to_owned()));
            }
        }
    }

    /// `<pod>_<namespace>_<container>-<id>.log`. The name is the pod, or the pod and the container: `shop-7d4b/web`.
    fn kubelet(&mut self, root: &Path, name: &str) {
        for log in self.entries(&root.join("var/log/containers")) {
            let file = log.file_stem().and_then(|file| file.to_str()).unwrap_or_default();
            let parts = file.rsplit_once('-').and_then(|(names, id)| {
                let mut names = names.splitn(3, '_');
                Some((names.next()?, names.nth(1)?, id))
            });
            let named =
                parts.filter(|(pod, container, _)| *pod == name || name.split_once('/') == Some((*pod, *container)));
            self.ids.extend(named.map(|(.., id)| id.to_owned()));
        }
    }

    /// A list of all containers, whichever driver keeps their files.
    fn podman(&mut self, storage: &Path, name: &str) {
        #[derive(Deserialize)]
        struct Listed {
            id: String,
            #[serde(default)]
            names: Vec<String>,
        }
        for driver in ["overlay-containers", "vfs-containers", "btrfs-containers"] {
            let list = self.text(&storage.join(driver).join("containers.json"));
            let list: Vec<Listed> = list
                .and_then(|text| serde_json::from_str(&text).ok())
                .unwrap_or_default();
            let named = list
                .into_iter()
                .filter(|one| one.names.iter().any(|known| known == name));
            self.ids.extend(named.map(|one| one.id));
        }
    }

    /// The entries of a directory; none where it is not there.
    fn entries(&mut self, directory: &Path) -> Vec<PathBuf> {
        match fs::read_dir(directory) {
            Ok(entries) => entries.flatten().take(ENTRIES_MAX).map(|entry| entry.path()).collect(),
            Err(error) => {
                self.note(directory, &error);
                Vec::new()
            }
        }
    }

    fn text(&mut self, file: &Path) -> Option<String> {
        found::text(file, LIST_BYTES_MAX)
            .map_err(|error| self.note(file, &error))
            .ok()
    }

    fn note(&mut self, place: &Path, error: &io::Error) {
        if error.kind() == io::ErrorKind::PermissionDenied {
            self.unread.push(place.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_each_runtime_are_found() {
        let root = tempfile::tempdir().expect("a directory");
        for (name, content) in [
            (
                "var/lib/docker/containers/d1/config.v2.json",
                r#"{"ID":"d1","Name":"/web","State":{}}"#,
            ),
            (
                "var/lib/docker/containers/d2/config.v2.json",
                r#"{"ID":"d2","Name":"/web-2"}"#,
            ),
            ("var/lib/docker/containers/d3/config.v2.json", "{"),
            ("var/lib/nerdctl/1935db59/names/default/api", "n1\n"),
            ("var/log/containers/shop-7d4b_prod_web-k1.log", ""),
            ("var/log/containers/shop-7d4b_prod_side-car-k2.log", ""),
            (
                "var/lib/containers/storage/overlay-containers/containers.json",
                r#"[{"id":"p1","names":["cache"]},{"id":"p2"}]"#,
            ),
            (
                "home/.local/share/containers/storage/vfs-containers/containers.json",
                r#"[{"id":"p3","names":["cache","db"]}]"#,
            ),
        ] {
            let file = root.path().join(name);
            fs::create_dir_all(file.parent().expect("not the root")).expect("made");
            fs::write(file, content).expect("written");
        }
        let home = root.path().join("home");
        for (name, ids) in [
            ("web", &["d1"][..]),
            ("web-2", &["d2"]),
            ("api", &["n1"]),
            ("shop-7d4b", &["k1", "k2"]),
            ("shop-7d4b/side-car", &["k2"]),
            ("shop-7d4b/other", &[]),
            ("cache", &["p1", "p3"]),
            ("db", &["p3"]),
            ("nobody", &[]),
        ] {
            let known = of(root.path(), name, Some(&home));
            assert_eq!(known.ids.iter().map(String::as_str).collect::<Vec<_>>(), ids, "{name}");
            assert!(known.unread.is_empty(), "{name}");
        }
    }
}
