//! Clippy looks for what a pure crate must not reach for. It takes the `clippy.toml` beside the manifest of a crate, which
//! `cargo xtask generate` writes from the layers and from the one at the root.

use super::Found;
use super::layers::kept_out_of;
use super::purity::Outside;
use super::tree::Tree;
use super::workspace::{FILE_DOOR, Workspace};

const HEAD: &str =
    "# Written by `cargo xtask generate` from the clippy.toml at the root and from what the crate keeps out.\n\n";

/// The `clippy.toml` of the crate of this name; `root` is the one of the repository.
fn settings(root: &str, name: &str) -> String {
    let keeps_out = kept_out_of(name);
    let entries = |paths: fn(Outside) -> &'static [&'static str]| -> String {
        let entry = |outside: &Outside| {
            let reason = format!(
                "this crate keeps out {}: take what is needed as an argument",
                outside.name()
            );
            let line = move |path: &&str| {
                format!("    {{ path = \"{path}\", reason = \"{reason}\", allow-invalid = true }},\n")
            };
            paths(*outside).iter().map(line).collect::<String>()
        };
        keeps_out.iter().map(entry).collect()
    };
    // Whoever is the one to open files may.
    let is_door = name == FILE_DOOR;
    let lines = root
        .trim_end()
        .lines()
        .filter(|line| !(is_door && line.contains("std::fs::")));
    let root = lines
        .take_while(|line| *line != "]")
        .map(|line| format!("{line}\n"))
        .collect::<String>();
    let types = entries(Outside::types);
    format!(
        "{HEAD}{root}{}]\n\ndisallowed-types = [\n{types}]\n",
        entries(Outside::methods)
    )
}

/// Path and text of each `clippy.toml` that a crate has for itself.
pub(crate) fn files(workspace: &Workspace, root: &str) -> Vec<(String, String)> {
    let pure = workspace
        .members
        .iter()
        .filter(|member| !kept_out_of(&member.name).is_empty());
    pure.map(|member| {
        (
            format!("{}/clippy.toml", member.directory),
            settings(root, &member.name),
        )
    })
    .collect()
}

/// Clippy looks for what the layers say.
pub(crate) fn keeps_the_outside_out(workspace: &Workspace, tree: &Tree, found: &mut Found<'_>) {
    let text = |path: &str| tree.get(path).and_then(|file| file.text.as_deref()).unwrap_or_default();
    let wanted = files(workspace, text("clippy.toml"));
    for (path, expected) in &wanted {
        if text(path) != expected {
            let message = "is not what follows from LAYERS and the clippy.toml at the root";
            found.add(path, 0, message, "run `cargo xtask generate`");
        }
    }
    for file in tree
        .files()
        .iter()
        .filter(|file| file.name() == "clippy.toml" && file.path != "clippy.toml")
    {
        if wanted.iter().all(|(path, _)| *path != file.path) {
            let message = "belongs to no crate that keeps something out";
            found.add(
                &file.path,
                0,
                message,
                "say in LAYERS in xtask/src/tidy/layers.rs what it keeps out, or remove it",
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::workspace::Member;

    const ROOT: &str = "allow-unwrap-in-tests = true\n\ndisallowed-methods = [\n    { path = \"std::fs::read\" },\n]\n";

    #[test]
    fn the_settings_of_a_crate_are_those_of_the_root_and_more() {
        let text = settings(ROOT, "plimsoll-measure");
        for part in [
            "allow-unwrap-in-tests = true",
            "std::fs::read",
            "std::time::Instant::now",
            "std::net::TcpStream",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains("std::env::var"), "{text}");
        assert!(!settings(ROOT, FILE_DOOR).contains("std::fs::read"));
        assert_eq!(text.matches('[').count(), text.matches(']').count());
    }

    #[test]
    fn settings_that_do_not_follow_from_the_layers_are_named() {
        let member = |name: &str, directory: &str| Member {
            name: name.to_owned(),
            directory: directory.to_owned(),
            ..Member::default()
        };
        let workspace = Workspace {
            members: vec![
                member("plimsoll-schedule", "crates/schedule"),
                member("plimsoll-engine", "crates/engine"),
            ],
        };
        let right = settings(ROOT, "plimsoll-schedule");
        let check = |files: &[(&str, &str)]| {
            let mut violations = Vec::new();
            keeps_the_outside_out(&workspace, &Tree::of(files), &mut Found::new("test", &mut violations));
            violations
                .into_iter()
                .map(|violation| violation.path)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            check(&[("clippy.toml", ROOT), ("crates/schedule/clippy.toml", &right)]),
            [""; 0]
        );
        assert_eq!(
            check(&[("clippy.toml", ROOT), ("crates/engine/clippy.toml", "")]),
            ["crates/schedule/clippy.toml", "crates/engine/clippy.toml"]
        );
    }
}
