//! The control group of a container, as the kernel names it for each process in it.

use plimsoll_files::kernel;
use std::path::{Path, PathBuf};

/// An id has so many hexadecimal digits.
const ID_DIGITS: usize = 64;
/// What a runtime calls the group of the process by which it watches a container.
const MONITOR: &str = "conmon";

/// What makes a control group the one of a container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ContainerGroup {
    /// This id is in its path.
    Id(String),
    /// This is its path, or it is below that.
    Path(PathBuf),
}

impl ContainerGroup {
    /// Whether a process is in it now.
    pub(crate) fn holds(&self, pid: u32) -> bool {
        self.is_one_of(&paths(Path::new("/"), pid))
    }

    pub(super) fn is_one_of(&self, paths: &[String]) -> bool {
        paths.iter().any(|path| match self {
            Self::Id(id) => ids(path).any(|found| found == id),
            Self::Path(own) => Path::new(path).starts_with(own),
        })
    }
}

/// The control groups of a process, one for each hierarchy. `root` is where `proc` is.
pub(super) fn paths(root: &Path, pid: u32) -> Vec<String> {
    let text = kernel::text(root.join(format!("proc/{pid}/cgroup"))).unwrap_or_default();
    let paths = text.lines().filter_map(|line| line.splitn(3, ':').nth(2));
    paths.map(ToOwned::to_owned).collect()
}

/// The ids of the containers that the path of a group leads through, the outermost first.
pub(super) fn ids(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter_map(id)
}

/// The id in a part of a path: `<id>`, `docker-<id>.scope`, `libpod-<id>.scope`, `cri-containerd-<id>.scope`, `…:cri-containerd:<id>`.
fn id(part: &str) -> Option<&str> {
    let name = part.strip_suffix(".scope").unwrap_or(part);
    let (runtime, id) = name.rsplit_once(['-', ':']).unwrap_or(("", name));
    let is_id = id.len() == ID_DIGITS && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    (is_id && !runtime.ends_with(MONITOR)).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    const B: &str = "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210";

    #[test]
    fn id_of_each_runtime_is_found_in_its_path() {
        for path in [
            format!("/docker/{A}"),
            format!("/system.slice/docker-{A}.scope"),
            format!("/system.slice/docker-{A}.scope/init.scope"),
            format!("/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-{A}.scope/container"),
            format!("/libpod_parent/libpod-{A}"),
            format!("/machine.slice/libpod-{A}.scope"),
            format!("/kubepods/besteffort/pod7b0e2a1c-90c1-4ab2-8a3e-1f0e7d0c5b11/{A}"),
            format!(
                "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod7b0e_2a1c.slice/cri-containerd-{A}.scope"
            ),
            format!("/kubepods.slice/kubepods-pod7b0e.slice/crio-{A}.scope"),
            format!("/system.slice/containerd.service/kubepods-besteffort-pod7b0e.slice:cri-containerd:{A}"),
            format!("/ecs/5e0d3d4b/{A}"),
            format!("/../../docker/{A}"),
        ] {
            assert_eq!(ids(&path).collect::<Vec<_>>(), [A], "{path}");
        }
        let nested = format!("/docker/{A}/docker/{B}");
        assert_eq!(ids(&nested).collect::<Vec<_>>(), [A, B]);
        for path in [
            "/",
            "/user.slice/session-1.scope",
            &format!("/machine.slice/libpod-conmon-{A}.scope"),
            &format!("/system.slice/crio-conmon-{A}.scope"),
            &format!("/docker/{}", &A[1..]),
            &format!("/docker/{}", A.to_ascii_uppercase()),
        ] {
            assert_eq!(ids(path).next(), None, "{path}");
        }
    }

    #[test]
    fn group_holds_what_is_in_it_and_below() {
        let paths = [format!("/docker/{A}/docker/{B}"), "/a/b/c".to_owned()];
        for (group, holds) in [
            (ContainerGroup::Id(A.to_owned()), true),
            (ContainerGroup::Id(B.to_owned()), true),
            (ContainerGroup::Path("/a/b".into()), true),
            (ContainerGroup::Path("/a/b/c".into()), true),
            (ContainerGroup::Path("/a/bc".into()), false),
            (ContainerGroup::Path("/b".into()), false),
        ] {
            assert_eq!(group.is_one_of(&paths), holds, "{group:?}");
        }
    }
}
