//! What cargo knows of the crates of this repository.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Whoever imports this gets files through it, and nothing else that it is built with.
pub(super) const FILE_DOOR: &str = "plimsoll-files";

/// A crate of the workspace.
#[derive(Debug, Clone, Default)]
pub(crate) struct Member {
    pub(crate) name: String,
    /// From the root of the repository, such as `crates/plan`.
    pub(crate) directory: String,
    /// Crates that it imports outside of its tests.
    pub(crate) imports: Vec<String>,
    /// Every crate that it is built with outside of its tests, and the import that brings it. What stands behind
    /// [`FILE_DOOR`] is left out.
    pub(crate) brings: BTreeMap<String, String>,
}

impl Member {
    pub(crate) fn manifest(&self) -> String {
        format!("{}/Cargo.toml", self.directory)
    }
}

/// All crates of the workspace.
pub(crate) struct Workspace {
    pub(crate) members: Vec<Member>,
}

impl Workspace {
    /// Asks cargo, for the system that this runs on.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let mut workspace = Self::outline(root)?;
        for member in &mut workspace.members {
            // The tree of one crate alone: features that tests or other crates switch on do not count.
            let edges = [
                "--edges=no-dev,no-build,no-proc-macro",
                "--prefix=depth",
                "--format= {p}",
                "--locked",
            ];
            let tree = cargo(root, &[&["tree", "--package", &member.name][..], &edges].concat())?;
            member.brings = brought_by(&tree);
        }
        Ok(workspace)
    }

    /// Members and their imports, without what these bring.
    pub(crate) fn outline(root: &Path) -> Result<Self> {
        let metadata = cargo(root, &["metadata", "--no-deps", "--format-version=1", "--locked"])?;
        let metadata = serde_json::from_str(&metadata).context("read cargo metadata")?;
        Self::from_metadata(&metadata).context("understand cargo metadata")
    }

    fn from_metadata(metadata: &Value) -> Option<Self> {
        let root = metadata["workspace_root"].as_str()?;
        let mut members = Vec::new();
        for package in metadata["packages"].as_array()? {
            let manifest = package["manifest_path"].as_str()?.strip_prefix(root)?;
            let imports = package["dependencies"]
                .as_array()?
                .iter()
                .filter(|dependency| dependency["kind"].is_null());
            members.push(Member {
                name: package["name"].as_str()?.to_owned(),
                directory: manifest
                    .trim_start_matches('/')
                    .trim_end_matches("/Cargo.toml")
                    .to_owned(),
                imports: imports
                    .filter_map(|import| import["name"].as_str())
                    .map(str::to_owned)
                    .collect(),
                brings: BTreeMap::new(),
            });
        }
        Some(Self { members })
    }
}

fn cargo(root: &Path, arguments: &[&str]) -> Result<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(arguments)
        .current_dir(root)
        .output()
        .with_context(|| format!("run cargo {}", arguments[0]))?;
    ensure!(
        output.status.success(),
        "run cargo {}: {}",
        arguments[0],
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).with_context(|| format!("read what cargo {} says", arguments[0]))
}

/// Reads lines such as `2 httparse v1.10.1`: depth, crate, version.
fn brought_by(tree: &str) -> BTreeMap<String, String> {
    let mut import = "";
    let mut behind_door = None;
    let mut brings = BTreeMap::new();
    for line in tree.lines() {
        let mut words = line.split(' ');
        let (Some(depth), Some(name)) = (words.next(), words.next()) else {
            continue;
        };
        match depth {
            "0" => continue,
            "1" => import = name,
            _ => {}
        }
        let depth: u32 = depth.parse().unwrap_or_default();
        if behind_door.is_some_and(|door| depth > door) {
            continue;
        }
        behind_door = (name == FILE_DOOR).then_some(depth);
        brings.entry(name.to_owned()).or_insert_with(|| import.to_owned());
    }
    brings
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn metadata_tells_imports_from_those_of_tests() {
        let workspace = Workspace::from_metadata(&json!({
            "workspace_root": "/w",
            "packages": [{
                "name": "plimsoll-plan",
                "manifest_path": "/w/crates/plan/Cargo.toml",
                "dependencies": [{"name": "url", "kind": null}, {"name": "insta", "kind": "dev"}],
            }],
        }))
        .expect("well-formed");
        let plan = &workspace.members[0];
        assert_eq!(
            (plan.name.as_str(), plan.manifest().as_str()),
            ("plimsoll-plan", "crates/plan/Cargo.toml")
        );
        assert_eq!(plan.imports, ["url"]);
    }

    #[test]
    fn the_tree_tells_which_import_brings_what() {
        let brings = brought_by(
            "0 plimsoll-plan v0.1.0 (crates/plan)\n1 url v2.5.8\n2 idna v1.1.0\n1 serde v1.0.229\n2 idna v1.1.0 (*)\n\
             1 plimsoll-files v0.1.0 (crates/files)\n2 rustix v1.1.6\n3 libc v0.2.191\n1 zmij v1.0.0\n",
        );
        let brings: Vec<_> = brings
            .iter()
            .map(|(name, import)| format!("{name} by {import}"))
            .collect();
        let expected = [
            "idna by url",
            "plimsoll-files by plimsoll-files",
            "serde by serde",
            "url by url",
            "zmij by zmij",
        ];
        assert_eq!(brings, expected);
    }

    #[test]
    fn this_repository_is_understood() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let workspace = Workspace::read(&root).expect("cargo runs these tests");
        let this = workspace
            .members
            .iter()
            .find(|member| member.directory == "xtask")
            .expect("it is a member");
        assert!(this.imports.iter().any(|import| import == "serde_json"));
        assert!(this.brings.contains_key("itoa"), "serde_json brings it");
    }
}
