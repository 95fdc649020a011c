//! Data flows one way: which crate may import which, and what each keeps out. `ARCHITECTURE.md` has the picture.

use super::Found;
use super::purity::Outside::{self, Clock, Files, Network, Randomness};
use super::tree::{File, Tree};
use super::workspace::Workspace;
use std::collections::BTreeSet;

/// A crate of this workspace and its place in the picture.
struct Layer {
    name: &'static str,
    /// Crates of this workspace that it may import; in tests it may import any.
    imports: &'static [&'static str],
    keeps_out: &'static [Outside],
}

const FILES: &str = "plimsoll-files";
const PLAIN: &str = "plimsoll-plain";
const GRPC: &str = "plimsoll-grpc";
const PLAN: &str = "plimsoll-plan";
const IMPORT: &str = "plimsoll-import";
const SCHEDULE: &str = "plimsoll-schedule";
const PROTOCOL: &str = "plimsoll-protocol";
const TLS: &str = "plimsoll-tls";
const MEASURE: &str = "plimsoll-measure";
const THREAD: &str = "plimsoll-thread";
const ENGINE: &str = "plimsoll-engine";
const TARGET: &str = "plimsoll-target";
const STAND_IN: &str = "plimsoll-stand-in";
const FLEET: &str = "plimsoll-fleet";
const BUS: &str = "plimsoll-bus";
const FINDINGS: &str = "plimsoll-findings";
const SERIES: &str = "plimsoll-series";
const ANALYSIS: &str = "plimsoll-analysis";
const DIAGNOSIS: &str = "plimsoll-diagnosis";
const REPORT: &str = "plimsoll-report";
const LAB: &str = "plimsoll-lab";
const STUDY: &str = "plimsoll-study";
const CLI: &str = "plimsoll";
/// Only tests may import it.
const SIM: &str = "plimsoll-sim";
const BENCH_SERVERS: &str = "plimsoll-bench-servers";
const XTASK: &str = "xtask";

const NO_OUTSIDE: &[Outside] = &[Clock, Randomness, Network, Files];
/// These read and write files, and nothing else of the outside.
const FILES_ONLY: &[Outside] = &[Clock, Randomness, Network];

const LAYERS: &[Layer] = &[
    layer(FILES, &[], &[Clock, Randomness]),
    layer(PLAIN, &[], NO_OUTSIDE),
    layer(GRPC, &[], NO_OUTSIDE),
    layer(PLAN, &[FILES, PLAIN, GRPC], FILES_ONLY),
    layer(IMPORT, &[PLAN], NO_OUTSIDE),
    layer(SCHEDULE, &[PLAN], NO_OUTSIDE),
    layer(PROTOCOL, &[], NO_OUTSIDE),
    // What it stands on checks dates, and asks the system for randomness and authorities.
    layer(TLS, &[], &[Network]),
    layer(MEASURE, &[FILES, PLAIN], FILES_ONLY),
    layer(THREAD, &[FILES], &[]),
    layer(
        ENGINE,
        &[FILES, PLAIN, PLAN, SCHEDULE, PROTOCOL, TLS, MEASURE, THREAD],
        &[],
    ),
    layer(TARGET, &[FILES, PLAIN, PLAN, PROTOCOL, TLS, MEASURE, THREAD], &[]),
    layer(STAND_IN, &[FILES], &[]),
    layer(FLEET, &[PLAN, SCHEDULE, MEASURE], NO_OUTSIDE),
    // The broker is a network, and async-nats draws the names of its inboxes.
    layer(BUS, &[FLEET], &[Files]),
    layer(FINDINGS, &[MEASURE], NO_OUTSIDE),
    layer(SERIES, &[MEASURE, FINDINGS], NO_OUTSIDE),
    layer(ANALYSIS, &[PLAN, MEASURE, FINDINGS], NO_OUTSIDE),
    layer(DIAGNOSIS, &[PLAN, MEASURE, FINDINGS], NO_OUTSIDE),
    layer(REPORT, &[PLAIN, MEASURE, FINDINGS], NO_OUTSIDE),
    layer(
        LAB,
        &[
            FILES, PLAIN, PLAN, SCHEDULE, TLS, MEASURE, ENGINE, TARGET, STAND_IN, FLEET, FINDINGS, SERIES, ANALYSIS,
            DIAGNOSIS, REPORT,
        ],
        &[],
    ),
    layer(
        STUDY,
        &[FILES, PLAN, MEASURE, TARGET, FINDINGS, SERIES, REPORT, LAB],
        &[],
    ),
    layer(
        CLI,
        &[
            FILES, PLAIN, PLAN, IMPORT, TARGET, STAND_IN, BUS, FINDINGS, REPORT, LAB, STUDY,
        ],
        &[],
    ),
    // It stands in for the outside, and brings the engine's own sockets with it.
    layer(SIM, &[PLAN, SCHEDULE, PROTOCOL, MEASURE, ENGINE], &[]),
    // What judges the generator must not share its code.
    layer(BENCH_SERVERS, &[], &[]),
    layer(XTASK, &[PLAN, REPORT, STUDY], &[]),
];

const fn layer(name: &'static str, imports: &'static [&'static str], keeps_out: &'static [Outside]) -> Layer {
    Layer {
        name,
        imports,
        keeps_out,
    }
}

fn layer_of(name: &str) -> Option<&'static Layer> {
    LAYERS.iter().find(|layer| layer.name == name)
}

/// What a crate of this workspace keeps out.
pub(super) fn kept_out_of(name: &str) -> &'static [Outside] {
    layer_of(name).map_or(&[], |layer| layer.keeps_out)
}

/// Members as the root manifest lists them: line, directory, comment.
fn listed(manifest: &str) -> Vec<(usize, &str, &str)> {
    let mut lines = manifest
        .lines()
        .enumerate()
        .skip_while(|(_, line)| !line.starts_with("members = ["));
    lines.next();
    lines
        .take_while(|(_, line)| !line.starts_with(']'))
        .filter_map(|(index, line)| {
            let (directory, rest) = line.trim().strip_prefix('"')?.split_once('"')?;
            let comment = rest.split_once('#').map_or("", |(_, comment)| comment.trim());
            Some((index + 1, directory, comment))
        })
        .collect()
}

/// A reader of the root manifest reads the house from the ground up.
pub(crate) fn members_stand_in_dependency_order(workspace: &Workspace, tree: &Tree, found: &mut Found<'_>) {
    let manifest = tree
        .get("Cargo.toml")
        .and_then(|file| file.text.as_deref())
        .unwrap_or_default();
    let mut above = BTreeSet::new();
    for (line, directory, comment) in listed(manifest) {
        if comment.is_empty() {
            found.add(
                "Cargo.toml",
                line,
                format!("{directory} has no comment"),
                "say its one job in a few words: \"crates/x\", # …",
            );
        }
        let Some(member) = workspace.members.iter().find(|member| member.directory == directory) else {
            continue;
        };
        above.insert(member.name.as_str());
        for import in &member.imports {
            if layer_of(import).is_some() && !above.contains(import.as_str()) {
                let message = format!("{directory} imports {import}, which stands below it");
                found.add("Cargo.toml", line, message, "list members in dependency order");
            }
        }
    }
}

/// A crate imports only what stands upstream of it.
pub(crate) fn imports_follow_the_arrows(workspace: &Workspace, _: &Tree, found: &mut Found<'_>) {
    for member in &workspace.members {
        let Some(its_layer) = layer_of(&member.name) else {
            let message = format!("{} has no place in the picture", member.name);
            found.add(
                &member.manifest(),
                0,
                message,
                "add it to LAYERS in xtask/src/tidy/layers.rs and to ARCHITECTURE.md",
            );
            continue;
        };
        for import in &member.imports {
            if import == SIM {
                let message = format!("{} imports the simulation outside of its tests", member.name);
                found.add(&member.manifest(), 0, message, "move it to [dev-dependencies]");
            } else if layer_of(import).is_some() && !its_layer.imports.contains(&import.as_str()) {
                let message = format!("{} may not import {import}", member.name);
                found.add(
                    &member.manifest(),
                    0,
                    message,
                    "data flows one way: see the picture in ARCHITECTURE.md",
                );
            }
        }
    }
}

/// What a crate keeps out must not come back through a dependency.
pub(crate) fn pure_crates_have_pure_dependencies(workspace: &Workspace, _: &Tree, found: &mut Found<'_>) {
    for member in &workspace.members {
        for outside in kept_out_of(&member.name) {
            for name in outside.crates() {
                if let Some(through) = member.brings.get(*name) {
                    let message = format!("{} gets {} by {name} (through {through})", member.name, outside.name());
                    found.add(
                        &member.manifest(),
                        0,
                        message,
                        "take what is needed as an argument, or switch off the feature",
                    );
                }
            }
        }
    }
}

/// Whether a file among those of a crate is there for its tests alone.
pub(super) fn is_test_file(file: &File) -> bool {
    file.name() == "tests.rs"
}

/// The code of a file without comments, literals and its tests, which stand last.
pub(super) fn shipped_code(file: &File) -> String {
    if is_test_file(file) {
        return String::new();
    }
    let code = file.split().code;
    let end = code.find("\n#[cfg(test)]").unwrap_or(code.len());
    code[..end].to_owned()
}

/// A newcomer finds each crate in the picture.
pub(crate) fn architecture_describes_each_member(workspace: &Workspace, tree: &Tree, found: &mut Found<'_>) {
    let text = tree
        .get("ARCHITECTURE.md")
        .and_then(|file| file.text.as_deref())
        .unwrap_or_default();
    for member in &workspace.members {
        if !text.contains(&format!("`{}", member.directory)) {
            let message = format!("`{}` is not described", member.directory);
            found.add(
                "ARCHITECTURE.md",
                0,
                message,
                "say its one job and what it must not know",
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::workspace::Member;
    use std::path::Path;

    type Check = fn(&Workspace, &Tree, &mut Found<'_>);

    fn member(name: &str, directory: &str, imports: &[&str]) -> Member {
        Member {
            name: name.to_owned(),
            directory: directory.to_owned(),
            imports: imports.iter().map(|&import| import.to_owned()).collect(),
            brings: imports
                .iter()
                .map(|&import| (import.to_owned(), import.to_owned()))
                .collect(),
        }
    }

    fn findings(check: Check, members: Vec<Member>, files: &[(&str, &str)]) -> Vec<String> {
        let mut violations = Vec::new();
        check(
            &Workspace { members },
            &Tree::of(files),
            &mut Found::new("test", &mut violations),
        );
        violations
            .iter()
            .map(|v| format!("{}:{}: {}", v.path, v.line, v.message))
            .collect()
    }

    #[test]
    fn each_layer_imports_only_layers_listed_before_it() {
        for (index, layer) in LAYERS.iter().enumerate() {
            for import in layer.imports {
                let place = LAYERS.iter().position(|other| other.name == *import);
                assert!(
                    place.is_some_and(|place| place < index),
                    "{} imports {import}",
                    layer.name
                );
            }
        }
    }

    #[test]
    fn order_and_comments_of_members() {
        let manifest = "[workspace]\nmembers = [\n    \"crates/measure\", # seen\n    \"crates/plan\",\n]\n";
        let members = vec![
            member("plimsoll-plan", "crates/plan", &["serde"]),
            member("plimsoll-measure", "crates/measure", &["plimsoll-plan", "serde"]),
        ];
        assert_eq!(
            findings(members_stand_in_dependency_order, members, &[("Cargo.toml", manifest)]),
            [
                "Cargo.toml:3: crates/measure imports plimsoll-plan, which stands below it",
                "Cargo.toml:4: crates/plan has no comment",
            ]
        );
    }

    #[test]
    fn arrows_point_one_way() {
        let members = vec![
            member("plimsoll-schedule", "crates/schedule", &["plimsoll-plan"]),
            member("plimsoll-plan", "crates/plan", &["plimsoll-measure"]),
            member("plimsoll-engine", "crates/engine", &["plimsoll-sim"]),
            member("plimsoll-new", "crates/new", &[]),
        ];
        assert_eq!(
            findings(imports_follow_the_arrows, members, &[]),
            [
                "crates/plan/Cargo.toml:0: plimsoll-plan may not import plimsoll-measure",
                "crates/engine/Cargo.toml:0: plimsoll-engine imports the simulation outside of its tests",
                "crates/new/Cargo.toml:0: plimsoll-new has no place in the picture",
            ]
        );
    }

    #[test]
    fn dependencies_of_pure_crates() {
        let members = vec![member("plimsoll-protocol", "crates/protocol", &["httparse", "mio"])];
        assert_eq!(
            findings(pure_crates_have_pure_dependencies, members, &[]),
            ["crates/protocol/Cargo.toml:0: plimsoll-protocol gets the network by mio (through mio)"]
        );
    }

    #[test]
    fn each_member_is_described() {
        let members = vec![
            member("xtask", "xtask", &[]),
            member("plimsoll-plan", "crates/plan", &[]),
        ];
        assert_eq!(
            findings(
                architecture_describes_each_member,
                members,
                &[("ARCHITECTURE.md", "`crates/plan`: text")]
            ),
            ["ARCHITECTURE.md:0: `xtask` is not described"]
        );
    }

    #[test]
    fn every_crate_of_this_repository_has_a_layer() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let workspace = Workspace::outline(&root).expect("cargo runs these tests");
        let names: BTreeSet<_> = workspace.members.iter().map(|member| member.name.as_str()).collect();
        assert_eq!(names, LAYERS.iter().map(|layer| layer.name).collect());
    }
}
