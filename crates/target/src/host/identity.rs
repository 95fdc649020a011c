//! Which machine this is.

use super::{Root, describe};
use plimsoll_measure::Host;
use std::path::Path;

/// What tells this machine from others, as a hash that says nothing else of it: its machine-id, or the name that it was `given`, with
/// processor, cores and memory. `None` where it has neither.
#[must_use]
pub fn identity(given: Option<&str>) -> Option<String> {
    identity_in(&Root::new(Path::new("/")), given, &describe())
}

fn identity_in(root: &Root<'_>, given: Option<&str>, host: &Host) -> Option<String> {
    let name = match given {
        Some(given) => format!("named {given}"),
        None => root.machine_id()?,
    };
    let rest = format!("{} {} {}", host.cpu_model, host.cores, host.memory_bytes);
    Some(format!("{:016x}", fnv(format!("plimsoll {name} {rest}").as_bytes())))
}

impl Root<'_> {
    /// The machine-id of systemd. In a container it comes with the image, which runs on many machines, unless it is mounted there.
    fn machine_id(&self) -> Option<String> {
        const FILE: &str = "etc/machine-id";
        let id = self.text(FILE).filter(|id| !id.is_empty())?;
        let is_container = [".dockerenv", "run/.containerenv"]
            .iter()
            .any(|name| self.text(name).is_some());
        (!is_container || self.is_mounted(&format!("/{FILE}"))).then_some(id)
    }

    /// Whether something is mounted at just this path; proc(5) has the fifth field of `mountinfo`.
    fn is_mounted(&self, path: &str) -> bool {
        let mounts = self.text("proc/self/mountinfo").unwrap_or_default();
        mounts
            .lines()
            .any(|mount| mount.split_ascii_whitespace().nth(4) == Some(path))
    }
}

/// FNV-1a, which is the same in every version of every program; G. Fowler, L. C. Noll and others, RFC 9923.
fn fnv(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn hash_agrees_with_published_values() {
        assert_eq!(fnv(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv(b"foobar"), 0x8594_4171_f739_67e8);
    }

    fn write(root: &Path, name: &str, text: &str) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().expect("below the root")).expect("made");
        fs::write(path, text).expect("written");
    }

    #[test]
    fn machine_without_id_has_the_name_it_is_given() {
        let root = tempfile::tempdir().expect("a directory");
        let identity = |given| identity_in(&Root::new(root.path()), given, &Host::default());
        assert_eq!(identity(None), None);
        write(root.path(), "etc/machine-id", "\n");
        assert_eq!(identity(None), None);
        let named = identity(Some("runner 3")).expect("a name");
        assert_ne!(identity(Some("runner 4")), Some(named.clone()));
        write(root.path(), "etc/machine-id", "0123456789abcdef\n");
        let one = identity(None).expect("an id");
        assert!(one.len() == 16 && !one.contains("0123456789"), "{one}");
        assert_eq!(identity(Some("runner 3")), Some(named));
        let other = Host {
            cores: 3,
            ..Host::default()
        };
        assert_ne!(identity_in(&Root::new(root.path()), None, &other), Some(one));
    }

    #[test]
    fn id_of_an_image_is_no_identity() {
        let root = tempfile::tempdir().expect("a directory");
        let identity = || identity_in(&Root::new(root.path()), None, &Host::default());
        write(root.path(), "etc/machine-id", "0123456789abcdef\n");
        let of_machine = identity();
        write(root.path(), ".dockerenv", "");
        write(
            root.path(),
            "proc/self/mountinfo",
            "36 35 98:0 / /etc/hosts rw - ext4 /dev/a rw\n",
        );
        assert_eq!(identity(), None);
        let mounts = "36 35 98:0 / /etc/hosts rw - ext4 /dev/a rw\n37 35 98:0 /etc/machine-id /etc/machine-id ro - ext4 /dev/a rw\n";
        write(root.path(), "proc/self/mountinfo", mounts);
        assert!(of_machine.is_some() && identity() == of_machine);
    }
}
