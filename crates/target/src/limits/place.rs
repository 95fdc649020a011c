//! Where a control group can be made.

use super::error::{Limited, NoLimits};
use plimsoll_files::kernel;
use plimsoll_thread::{GroupVersion, Hierarchy, hierarchy};
use std::path::{Path, PathBuf};

/// A group in which one can be made, for one or several controllers.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) version: GroupVersion,
    pub(super) parent: PathBuf,
    /// The group of this process there, which is the parent or below it.
    pub(super) outside: PathBuf,
    /// What a group there limits.
    pub(super) limited: Vec<Limited>,
}

/// Where groups have to be made to limit all that is `wanted`: in version 1 one for each, unless controllers are mounted together.
pub(super) fn places(root: &Path, wanted: &[Limited]) -> Result<Vec<Place>, NoLimits> {
    let mut hierarchies: Vec<(Hierarchy, Vec<Limited>)> = Vec::new();
    for &limited in wanted {
        let found = hierarchy(root, "self", limited.controller()).ok_or(NoLimits::NoController { limited })?;
        match hierarchies.iter_mut().find(|(known, _)| *known == found) {
            Some((_, all)) => all.push(limited),
            None => hierarchies.push((found, vec![limited])),
        }
    }
    hierarchies
        .into_iter()
        .map(|(hierarchy, limited)| place(hierarchy, limited))
        .collect()
}

/// In version 1 every group passes its controller on. In version 2 one does so that was told to, and one with processes of its own
/// cannot be told; so the nearest one is taken that does.
fn place(hierarchy: Hierarchy, limited: Vec<Limited>) -> Result<Place, NoLimits> {
    let Hierarchy { version, groups } = hierarchy;
    // A hierarchy has groups, as `hierarchy` sees to.
    let outside = groups.first().cloned().unwrap_or_default();
    let passed_on = |group: &Path| kernel::text(group.join("cgroup.subtree_control")).unwrap_or_default();
    let fits = |group: &Path| {
        let passed_on = passed_on(group);
        let has = |limited: &Limited| {
            passed_on
                .split_ascii_whitespace()
                .any(|name| name == limited.controller())
        };
        version == GroupVersion::One || limited.iter().all(has)
    };
    match groups.iter().find(|group| fits(group)) {
        Some(parent) => Ok(Place {
            version,
            parent: parent.clone(),
            outside,
            limited,
        }),
        None => Err(NoLimits::NotPassedOn {
            passed_on: match passed_on(&outside).trim() {
                "" => "nothing".to_owned(),
                some => some.to_owned(),
            },
            place: outside,
            limited,
        }),
    }
}
