//! What connections cost on this machine: memory of this process and of the kernel.

use plimsoll_files::kernel;
use plimsoll_measure::MachineSample;
use std::path::Path;

/// The memory of this moment; `None` where there is no `/proc`. Costs some milliseconds for each gigabyte of our own.
#[must_use]
pub fn sample_machine(at_ns: u64) -> Option<MachineSample> {
    sample_in(Path::new("/proc"), at_ns)
}

fn sample_in(proc: &Path, at_ns: u64) -> Option<MachineSample> {
    let text = |name: &str| kernel::text(proc.join(name)).ok();
    let tcp = text("net/sockstat")?;
    // Sockets of IPv6 are counted apart, their memory is not.
    let tcp6 = text("net/sockstat6").unwrap_or_default();
    Some(MachineSample {
        at_ns,
        generator_bytes: kib(&text("self/smaps_rollup")?, "Pss")? * 1024,
        kernel_objects_bytes: kib(&text("meminfo")?, "Slab")? * 1024,
        socket_buffers_bytes: after(&tcp, "TCP", "mem")? * rustix::param::page_size() as u64,
        tcp_sockets: after(&tcp, "TCP", "inuse")? + after(&tcp6, "TCP6", "inuse").unwrap_or(0),
    })
}

/// The number of `name: 12 kB`.
fn kib(table: &str, name: &str) -> Option<u64> {
    let value = table
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    value.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// The number after `key` in the line of `protocol`, as in `TCP: inuse 5 orphan 0 tw 0 alloc 5 mem 1`.
fn after(table: &str, protocol: &str, key: &str) -> Option<u64> {
    let line = table
        .lines()
        .find_map(|line| line.strip_prefix(protocol)?.strip_prefix(':'))?;
    let mut words = line.split_ascii_whitespace();
    words.find(|word| *word == key)?;
    words.next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_figures_of_the_kernel_are_read() {
        let proc = tempfile::tempdir().expect("a directory");
        for (name, content) in [
            (
                "net/sockstat",
                "sockets: used 90\nTCP: inuse 5 orphan 0 tw 7 alloc 6 mem 3\nUDP: inuse 1 mem 2\n",
            ),
            ("net/sockstat6", "TCP6: inuse 2\nUDP6: inuse 0\n"),
            ("meminfo", "MemTotal: 8 kB\nSlab:      100 kB\nSReclaimable: 1 kB\n"),
            (
                "self/smaps_rollup",
                "00400000-7ff0 ---p 0 00:00 0 [rollup]\nRss:   30 kB\nPss:   20 kB\nPss_Dirty: 9 kB\n",
            ),
        ] {
            let file = proc.path().join(name);
            fs::create_dir_all(file.parent().expect("not the root")).expect("made");
            fs::write(file, content).expect("written");
        }
        let page_bytes = rustix::param::page_size() as u64;
        let sample = MachineSample {
            at_ns: 1,
            generator_bytes: 20 << 10,
            kernel_objects_bytes: 100 << 10,
            socket_buffers_bytes: 3 * page_bytes,
            tcp_sockets: 7,
        };
        assert_eq!(sample_in(proc.path(), 1), Some(sample));
        assert_eq!(sample_in(&proc.path().join("net"), 1), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_machine_can_be_sampled() {
        let sample = sample_machine(0).expect("there is a /proc");
        assert!(
            sample.generator_bytes > 0 && sample.kernel_objects_bytes > 0,
            "{sample:?}"
        );
    }
}
