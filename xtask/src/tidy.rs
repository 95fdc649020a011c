//! Checks of the tree itself. Each check is a function from what was read to violations, and all of them are reported at once.

mod circles;
mod clippy;
mod fuzzing;
mod layers;
mod prose;
mod purity;
mod sources;
mod text;
mod tree;
mod words;
mod workspace;

use anyhow::Result;
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use tree::Tree;
use workspace::Workspace;

/// Something in the tree that breaks a habit of the house.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Violation {
    path: String,
    /// From 1; 0 stands for the file as a whole.
    line: usize,
    check: &'static str,
    message: String,
    hint: &'static str,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            path,
            line,
            check,
            message,
            hint,
        } = self;
        write!(f, "{path}:{line}: {message} [{check}]\n  hint: {hint}")
    }
}

/// What `cargo xtask tidy` prints.
pub(crate) struct Report {
    pub(crate) violations: Vec<Violation>,
    pub(crate) checks: usize,
    pub(crate) files: usize,
}

/// A check of files and the name under which an exemption may lift it.
type TreeCheck = (&'static str, fn(&Tree, &mut Found<'_>));
/// A check of the crates and what they import.
type WorkspaceCheck = (&'static str, fn(&Workspace, &Tree, &mut Found<'_>));

const TREE_CHECKS: &[TreeCheck] = &[
    ("crate-docs", sources::crates_open_with_documentation),
    ("unsafe", sources::unsafe_stays_in_its_files),
    ("secrets", sources::secrets_are_revealed_in_few_files),
    ("names", sources::durations_are_named_for_what_they_are),
    ("marker", sources::nothing_is_left_for_later),
    ("length", sources::files_have_one_subject),
    ("size", sources::files_are_small),
    ("script", sources::scripts_stop_at_the_first_error),
    ("parsers", fuzzing::parsers_are_fuzzed),
    ("fuzz", fuzzing::targets_are_replayed),
    ("machine", prose::nothing_names_one_machine),
    ("outside", prose::nothing_points_outside_the_repository),
    ("link", prose::links_resolve),
    ("index", prose::documents_are_listed),
    ("decision", prose::decisions_are_numbered_and_complete),
    ("words", words::words_are_of_the_field),
    ("changelog", prose::changelog_is_open),
];

const WORKSPACE_CHECKS: &[WorkspaceCheck] = &[
    ("order", layers::members_stand_in_dependency_order),
    ("arrows", layers::imports_follow_the_arrows),
    ("dependencies", layers::pure_crates_have_pure_dependencies),
    ("pure", clippy::keeps_the_outside_out),
    ("circle", circles::modules_import_one_way),
    ("architecture", layers::architecture_describes_each_member),
];

/// A check lifted for a file, or for a directory when the path ends in `/`.
struct Exemption {
    check: &'static str,
    path: &'static str,
    reason: &'static str,
}

/// An entry that lifts nothing any more is itself a violation.
const EXEMPTIONS: &[Exemption] = &[
    Exemption {
        check: "machine",
        path: "xtask/src/tidy/prose.rs",
        reason: "spells out the paths that it looks for",
    },
    Exemption {
        check: "outside",
        path: "xtask/src/tidy/",
        reason: "tests of checks name documents of made-up trees",
    },
    Exemption {
        check: "length",
        path: "probe/probe.cjs",
        reason: "made of many files, because a service loads one",
    },
    Exemption {
        check: "length",
        path: "report-ui/src/findings.ts",
        reason: "generated from the schema of the findings",
    },
    Exemption {
        check: "length",
        path: "npm/plimsoll/src/types/",
        reason: "generated from the schemas of findings and events",
    },
    Exemption {
        check: "length",
        path: "crates/engine/src/backend/io_uring.rs",
        reason: "one state machine: what the kernel owes, operation by operation",
    },
    Exemption {
        check: "length",
        path: "crates/engine/src/pool.rs",
        reason: "one state machine: the connections of a shard, from opening to closing",
    },
    Exemption {
        check: "length",
        path: "crates/fleet/src/agent.rs",
        reason: "one state machine: an agent, from its first plan to the end of its last step",
    },
];

/// Path and text of each `clippy.toml` that a crate has for itself.
///
/// # Errors
/// When git or cargo cannot be asked.
pub(crate) fn clippy_files(root: &Path) -> Result<Vec<(String, String)>> {
    let tree = Tree::read(root)?;
    let settings = tree.get("clippy.toml").and_then(|file| file.text.as_deref());
    Ok(clippy::files(&Workspace::outline(root)?, settings.unwrap_or_default()))
}

/// Runs every check on the repository at `root`.
///
/// # Errors
/// When git or cargo cannot be asked, or a tracked file cannot be read.
pub(crate) fn run(root: &Path) -> Result<Report> {
    let tree = Tree::read(root)?;
    let workspace = Workspace::read(root)?;
    let mut violations = Vec::new();
    for (name, check) in TREE_CHECKS {
        check(&tree, &mut Found::new(name, &mut violations));
    }
    for (name, check) in WORKSPACE_CHECKS {
        check(&workspace, &tree, &mut Found::new(name, &mut violations));
    }
    Ok(Report {
        violations: apply_exemptions(violations, EXEMPTIONS),
        checks: TREE_CHECKS.len() + WORKSPACE_CHECKS.len(),
        files: tree.files().len(),
    })
}

/// Where a check puts what it finds.
pub(crate) struct Found<'a> {
    check: &'static str,
    violations: &'a mut Vec<Violation>,
}

impl<'a> Found<'a> {
    fn new(check: &'static str, violations: &'a mut Vec<Violation>) -> Self {
        Self { check, violations }
    }

    fn add(&mut self, path: &str, line: usize, message: impl Into<String>, hint: &'static str) {
        self.violations.push(Violation {
            path: path.to_owned(),
            line,
            check: self.check,
            message: message.into(),
            hint,
        });
    }
}

fn apply_exemptions(violations: Vec<Violation>, exemptions: &[Exemption]) -> Vec<Violation> {
    let mut used = BTreeSet::new();
    let mut kept: Vec<_> = violations
        .into_iter()
        .filter(|violation| {
            let by = exemptions.iter().position(|exemption| exemption.covers(violation));
            used.extend(by);
            by.is_none()
        })
        .collect();
    for (index, exemption) in exemptions.iter().enumerate() {
        if !used.contains(&index) {
            kept.push(Violation {
                path: exemption.path.to_owned(),
                line: 0,
                check: exemption.check,
                message: format!("exemption is not needed any more ({})", exemption.reason),
                hint: "remove it from EXEMPTIONS in xtask/src/tidy.rs",
            });
        }
    }
    kept.sort();
    kept
}

impl Exemption {
    fn covers(&self, violation: &Violation) -> bool {
        let place = if self.path.ends_with('/') {
            violation.path.starts_with(self.path)
        } else {
            violation.path == self.path
        };
        place && self.check == violation.check
    }
}

/// Runs one check on a made-up tree and returns `path:line: message` of each finding. For the tests of the checks.
#[cfg(test)]
fn findings(check: fn(&Tree, &mut Found<'_>), files: &[(&str, &str)]) -> Vec<String> {
    let mut violations = Vec::new();
    check(&Tree::of(files), &mut Found::new("test", &mut violations));
    violations
        .iter()
        .map(|v| format!("{}:{}: {}", v.path, v.line, v.message))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn violation(check: &'static str, path: &str) -> Violation {
        Violation {
            path: path.to_owned(),
            line: 3,
            check,
            message: "found".to_owned(),
            hint: "fix it",
        }
    }

    #[test]
    fn a_violation_says_where_what_and_how_to_fix_it() {
        assert_eq!(
            violation("names", "src/a.rs").to_string(),
            "src/a.rs:3: found [names]\n  hint: fix it"
        );
    }

    #[test]
    fn an_exemption_lifts_its_own_check_in_its_own_place() {
        let exemptions = [Exemption {
            check: "names",
            path: "old/",
            reason: "generated",
        }];
        let kept = apply_exemptions(
            vec![
                violation("names", "old/a.rs"),
                violation("size", "old/a.rs"),
                violation("names", "new/a.rs"),
            ],
            &exemptions,
        );
        assert_eq!(kept, [violation("names", "new/a.rs"), violation("size", "old/a.rs")]);
    }

    #[test]
    fn an_exemption_that_lifts_nothing_is_reported() {
        let kept = apply_exemptions(
            Vec::new(),
            &[Exemption {
                check: "size",
                path: "a.bin",
                reason: "a fixture",
            }],
        );
        assert_eq!(kept.len(), 1);
        assert_eq!(kept[0].message, "exemption is not needed any more (a fixture)");
    }
}
