//! Limits on connections.

use super::checks::{at_least, check, unknown};
use super::{Check, Root, State};
use plimsoll_thread::ControlGroups;

/// What is looked for when nobody says how many connections there will be.
const USUAL_CONNECTIONS: u64 = 4096;

/// Descriptors that are no connections: files, pipes, libraries, the event loop.
const OTHER_DESCRIPTORS: u64 = 256;

/// The backlog that Node.js asks for when a service does not say.
const NODE_BACKLOG: u64 = 511;

/// The widest range of ports that needs no privilege.
const WIDEST_PORTS: (u64, u64) = (1024, 65535);

pub(super) fn limits(root: &Root<'_>, connections: Option<u64>) -> Vec<Check> {
    let wanted = connections.unwrap_or(USUAL_CONNECTIONS);
    let mut all = vec![
        open_files(root, wanted),
        open_files_of_all(root, wanted),
        memory(root, wanted),
        local_ports(root, wanted),
        accept_queue(root),
        syn_queue(root),
        tcp_memory(root, wanted),
        time_wait(root),
        orphans(root, wanted),
    ];
    all.extend(connection_tracking(root, wanted));
    all.extend(connections.map(|connections| receive_queue(root, connections)));
    all
}

fn open_files(root: &Root<'_>, connections: u64) -> Check {
    const NAME: &str = "open files";
    const WHY: &str = "every connection takes a descriptor, in the generator and in the service; \
                       `plimsoll hold` avoids the limit of a process with a table for each thread, a service does not";
    let wanted = connections + OTHER_DESCRIPTORS;
    let Some((soft, hard)) = root.text("proc/self/limits").as_deref().and_then(open_files_limits) else {
        return unknown(NAME, WHY);
    };
    let found = format!("{soft} per process, may be raised to {hard}; {connections} connections need {wanted}");
    let most = root.number("proc/sys/fs/nr_open").unwrap_or(u64::MAX);
    if soft >= wanted {
        check(NAME, WHY, State::Ok, found, None)
    } else if hard >= wanted {
        check(NAME, WHY, State::Warn, found, Some(format!("ulimit -n {wanted}")))
    } else {
        let tables = connections.div_ceil(hard.saturating_sub(OTHER_DESCRIPTORS).max(1));
        let found = format!("{found}, or {tables} tables");
        let limit = format!("sudo prlimit --pid $$ --nofile={wanted}:{wanted}");
        let fix = if most < wanted {
            format!("sudo sysctl -w fs.nr_open={wanted} && {limit}")
        } else {
            limit
        };
        check(NAME, WHY, State::Warn, found, Some(fix))
    }
}

/// What the kernel keeps of an idle connection, both ends on this machine: two sockets, two files, two places in epoll.
/// Measured by `bench/hold/run`, rounded up.
const KERNEL_BYTES_PER_PAIR: u64 = 10_000;
/// What plimsoll keeps of one at most.
const GENERATOR_BYTES: u64 = 300;

fn memory(root: &Root<'_>, connections: u64) -> Check {
    const NAME: &str = "memory";
    const WHY: &str = "an idle connection takes about 10 kB in the kernel with both ends on one machine, plus what the \
                       service keeps for it (Node.js: several kB)";
    let groups = ControlGroups::of(root.path, "self");
    let left_by_groups = groups.memory().map(|(taken, of)| of.saturating_sub(taken));
    let Some(available) = left_by_groups.chain(root.meminfo_bytes("MemAvailable")).min() else {
        return unknown(NAME, WHY);
    };
    let wanted = connections * (KERNEL_BYTES_PER_PAIR + GENERATOR_BYTES);
    let found = format!(
        "{} MiB available, {} MiB needed besides the service",
        available >> 20,
        wanted >> 20
    );
    // Beyond nine tenths something else is going to be swapped out or killed.
    let state = if wanted > available / 10 * 9 {
        State::Bad
    } else if wanted > available / 2 {
        State::Warn
    } else {
        State::Ok
    };
    check(NAME, WHY, state, found, None)
}

/// A socket whose program has closed it waits here for its peer.
fn orphans(root: &Root<'_>, connections: u64) -> Check {
    const NAME: &str = "closing connections";
    const WHY: &str = "when more than this many are closed at once, the kernel resets the rest instead of closing them in \
                       order";
    let found = |most| format!("{most} at once, {connections} wanted");
    room_for(root, NAME, WHY, "net.ipv4.tcp_max_orphans", connections, found)
}

/// A setting of sysctl(8) that has to be as many as the connections.
fn room_for(
    root: &Root<'_>,
    name: &'static str,
    why: &'static str,
    setting: &str,
    connections: u64,
    found: impl Fn(u64) -> String,
) -> Check {
    let Some(most) = root.number(&format!("proc/sys/{}", setting.replace('.', "/"))) else {
        return unknown(name, why);
    };
    if most >= connections {
        return check(name, why, State::Ok, found(most), None);
    }
    let fix = format!("sudo sysctl -w {setting}={connections}");
    check(name, why, State::Warn, found(most), Some(fix))
}

/// Soft and hard limit in the table of proc_pid_limits(5).
fn open_files_limits(table: &str) -> Option<(u64, u64)> {
    let line = table.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    let mut limits = line.split_ascii_whitespace().map(|limit| match limit {
        "unlimited" => Some(u64::MAX),
        number => number.parse().ok(),
    });
    Some((limits.next()??, limits.next()??))
}

fn open_files_of_all(root: &Root<'_>, connections: u64) -> Check {
    const NAME: &str = "open files of all";
    const WHY: &str = "with both ends of a connection on this machine, each takes a descriptor";
    let Some(most) = root.number("proc/sys/fs/file-max") else {
        return unknown(NAME, WHY);
    };
    let wanted = 2 * (connections + OTHER_DESCRIPTORS);
    let state = at_least(most, wanted);
    let fix = (state == State::Bad).then(|| format!("sudo sysctl -w fs.file-max={wanted}"));
    check(NAME, WHY, state, format!("{most} on the machine, {wanted} needed"), fix)
}

fn local_ports(root: &Root<'_>, connections: u64) -> Check {
    const NAME: &str = "local ports";
    const WHY: &str =
        "each connection from one address to one service takes a port, and keeps it for a minute after it is closed";
    let range = root.numbers("proc/sys/net/ipv4/ip_local_port_range");
    let Some(&[first, last]) = range.as_deref() else {
        return unknown(NAME, WHY);
    };
    let ports = (last + 1).saturating_sub(first).max(1);
    let found = format!("{ports} ({first} to {last})");
    if ports >= connections {
        return check(NAME, WHY, State::Ok, found, None);
    }
    let addresses = connections.div_ceil(ports);
    let found = format!("{found}; {connections} connections need {addresses} local addresses");
    let (low, high) = WIDEST_PORTS;
    let fix = (ports < high - low).then(|| format!("sudo sysctl -w net.ipv4.ip_local_port_range=\"{low} {high}\""));
    check(NAME, WHY, State::Warn, found, fix)
}

fn accept_queue(root: &Root<'_>) -> Check {
    const NAME: &str = "accept queue";
    const WHY: &str =
        "connections that arrive while the service is busy wait here; beyond this number they are dropped";
    let Some(most) = root.number("proc/sys/net/core/somaxconn") else {
        return unknown(NAME, WHY);
    };
    if most >= NODE_BACKLOG {
        return check(
            NAME,
            WHY,
            State::Ok,
            format!("{most}; Node.js asks for {NODE_BACKLOG}"),
            None,
        );
    }
    let fix = "sudo sysctl -w net.core.somaxconn=4096".to_owned();
    check(
        NAME,
        WHY,
        State::Warn,
        format!("{most}, less than the {NODE_BACKLOG} that Node.js asks for"),
        Some(fix),
    )
}

fn syn_queue(root: &Root<'_>) -> Check {
    const NAME: &str = "handshake queue";
    const WHY: &str = "connections being established wait here; a larger burst is delayed by a second or more";
    let Some(most) = root.number("proc/sys/net/ipv4/tcp_max_syn_backlog") else {
        return unknown(NAME, WHY);
    };
    if most >= NODE_BACKLOG {
        return check(NAME, WHY, State::Ok, most.to_string(), None);
    }
    let fix = "sudo sysctl -w net.ipv4.tcp_max_syn_backlog=4096".to_owned();
    check(NAME, WHY, State::Warn, most.to_string(), Some(fix))
}

/// Timers that are minutes away go off in batches: so do the probes of connections that were opened within seconds.
fn receive_queue(root: &Root<'_>, connections: u64) -> Check {
    const NAME: &str = "receive queue";
    const WHY: &str = "keep-alive probes between two programs on one machine wait here, thousands at once; those \
                       beyond this number are dropped, and a connection ends with its third dropped probe";
    let found = |most| format!("{most} packets, {connections} connections");
    room_for(root, NAME, WHY, "net.core.netdev_max_backlog", connections, found)
}

fn tcp_memory(root: &Root<'_>, connections: u64) -> Check {
    let page_bytes = rustix::param::page_size() as u64;
    let bounds = root.numbers("proc/sys/net/ipv4/tcp_mem");
    match (bounds.as_deref(), root.memory_bytes()) {
        (Some(&[_, pressure, _]), Some(memory_bytes)) => {
            judge_tcp_memory(pressure, page_bytes, memory_bytes, connections)
        }
        _ => unknown(TCP_MEMORY, TCP_MEMORY_WHY),
    }
}

const TCP_MEMORY: &str = "tcp memory";
const TCP_MEMORY_WHY: &str = "above its middle bound the kernel shrinks windows, above its upper one it drops data";

/// A socket that holds data takes at least one page, and there are two ends. `pressure` is in pages.
fn judge_tcp_memory(pressure: u64, page_bytes: u64, memory_bytes: u64, connections: u64) -> Check {
    let wanted = 2 * connections;
    let mib = |pages: u64| (pages * page_bytes) >> 20;
    let found = format!(
        "shrinks windows above {} MiB, {} MiB needed",
        mib(pressure),
        mib(wanted)
    );
    let (state, found, fix) = if pressure >= wanted {
        (State::Ok, found, None)
    } else if wanted * page_bytes > memory_bytes / 2 {
        (
            State::Bad,
            format!("{found}, of {} MiB in all", memory_bytes >> 20),
            None,
        )
    } else {
        let (low, high) = (wanted / 4 * 3, wanted / 2 * 3);
        let fix = format!("sudo sysctl -w net.ipv4.tcp_mem=\"{low} {wanted} {high}\"");
        (State::Warn, found, Some(fix))
    };
    check(TCP_MEMORY, TCP_MEMORY_WHY, state, found, fix)
}

fn time_wait(root: &Root<'_>) -> Check {
    const NAME: &str = "port reuse";
    const WHY: &str = "without it, a test that closes its connections runs out of ports within a minute";
    match root.number("proc/sys/net/ipv4/tcp_tw_reuse") {
        None => unknown(NAME, WHY),
        Some(0) => {
            let fix = "sudo sysctl -w net.ipv4.tcp_tw_reuse=1".to_owned();
            check(NAME, WHY, State::Warn, "off".to_owned(), Some(fix))
        }
        Some(2) => check(NAME, WHY, State::Ok, "on for loopback".to_owned(), None),
        Some(_) => check(NAME, WHY, State::Ok, "on".to_owned(), None),
    }
}

/// Only where the firewall follows connections.
fn connection_tracking(root: &Root<'_>, connections: u64) -> Option<Check> {
    const NAME: &str = "connection tracking";
    const WHY: &str = "the firewall tracks every connection, and drops new ones when its table is full";
    let most = root.number("proc/sys/net/netfilter/nf_conntrack_max")?;
    if root.number("proc/sys/net/netfilter/nf_conntrack_count") == Some(0) {
        let found = format!("table of {most}, empty: no rule uses it");
        return Some(check(NAME, WHY, State::Ok, found, None));
    }
    // Closed ones stay for two minutes.
    let wanted = 2 * connections;
    let state = at_least(most, wanted);
    let fix = (state == State::Bad).then(|| format!("sudo sysctl -w net.netfilter.nf_conntrack_max={wanted}"));
    Some(check(
        NAME,
        WHY,
        state,
        format!("table of {most}, {wanted} needed"),
        fix,
    ))
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::*;

    #[test]
    fn descriptors_scale_with_the_connections() {
        let files = |connections| check("open files", Some(connections), &[]);
        assert_eq!(files(19_744).0, State::Ok);
        let (state, found, fix) = files(100_000);
        assert_eq!((state, fix.as_deref()), (State::Warn, Some("ulimit -n 100256")));
        let words = "20000 per process, may be raised to 1048576; 100000 connections need 100256";
        assert_eq!(found, words);
        let (state, found, fix) = files(2_000_000);
        assert_eq!(state, State::Warn);
        assert!(found.ends_with(", or 2 tables"), "{found}");
        let command = "sudo sysctl -w fs.nr_open=2000256 && sudo prlimit --pid $$ --nofile=2000256:2000256";
        assert_eq!(fix.as_deref(), Some(command));
    }

    #[test]
    fn ports_are_counted_per_address() {
        let (state, found, fix) = check("local ports", Some(100_000), &[]);
        assert_eq!(state, State::Warn);
        assert_eq!(
            found,
            "28232 (32768 to 60999); 100000 connections need 4 local addresses"
        );
        assert_eq!(
            fix.as_deref(),
            Some("sudo sysctl -w net.ipv4.ip_local_port_range=\"1024 65535\"")
        );
        let widest = [("proc/sys/net/ipv4/ip_local_port_range", "1024\t65535\n")];
        let (_, found, fix) = check("local ports", Some(100_000), &widest);
        assert!(found.ends_with("need 2 local addresses"), "{found}");
        assert_eq!(fix, None, "it cannot be wider");
    }

    #[test]
    fn tcp_memory_scales_with_the_connections() {
        let judge = |connections| {
            let check = judge_tcp_memory(120_000, 4096, 8_000_000_000, connections);
            (check.state, check.fix)
        };
        assert_eq!(judge(60_000), (State::Ok, None));
        let fix = "sudo sysctl -w net.ipv4.tcp_mem=\"150000 200000 300000\"".to_owned();
        assert_eq!(judge(100_000), (State::Warn, Some(fix)));
        assert_eq!(judge(1_000_000), (State::Bad, None));
    }

    #[test]
    fn memory_and_closing_scale_with_the_connections() {
        let memory = |connections| check("memory", Some(connections), &[]).0;
        assert_eq!(memory(100_000), State::Ok);
        assert_eq!(memory(500_000), State::Warn);
        assert_eq!(memory(1_000_000), State::Bad);
        let container = [
            ("sys/fs/cgroup/memory.max", "900000000\n"),
            ("sys/fs/cgroup/memory.current", "0\n"),
        ];
        assert_eq!(check("memory", Some(100_000), &container).0, State::Bad);
        let (state, found, fix) = check("closing connections", Some(100_000), &[]);
        assert_eq!((state, found.as_str()), (State::Warn, "32768 at once, 100000 wanted"));
        assert_eq!(fix.as_deref(), Some("sudo sysctl -w net.ipv4.tcp_max_orphans=100000"));
    }

    #[test]
    fn small_queues_are_noticed() {
        let changes = [
            ("proc/sys/net/core/somaxconn", "128\n"),
            ("proc/sys/net/ipv4/tcp_max_syn_backlog", "128\n"),
            ("proc/sys/net/ipv4/tcp_tw_reuse", "0\n"),
        ];
        let fix = |name| check(name, None, &changes).2.expect("a fix");
        assert_eq!(fix("accept queue"), "sudo sysctl -w net.core.somaxconn=4096");
        assert_eq!(
            fix("handshake queue"),
            "sudo sysctl -w net.ipv4.tcp_max_syn_backlog=4096"
        );
        assert_eq!(fix("port reuse"), "sudo sysctl -w net.ipv4.tcp_tw_reuse=1");
    }

    #[test]
    fn a_receive_queue_matters_to_many_connections() {
        let queue = ("proc/sys/net/core/netdev_max_backlog", "1000\n");
        let (state, found, fix) = check("receive queue", Some(200_000), &[queue]);
        assert_eq!(
            (state, found.as_str()),
            (State::Warn, "1000 packets, 200000 connections")
        );
        assert_eq!(
            fix.as_deref(),
            Some("sudo sysctl -w net.core.netdev_max_backlog=200000")
        );
        assert_eq!(check("receive queue", Some(1000), &[queue]).0, State::Ok);
    }

    #[test]
    fn limits_of_the_whole_machine_count_both_ends() {
        let (state, _, fix) = check("open files of all", Some(1000), &[("proc/sys/fs/file-max", "2000\n")]);
        assert_eq!(
            (state, fix.as_deref()),
            (State::Bad, Some("sudo sysctl -w fs.file-max=2512"))
        );
        let tracking = [("proc/sys/net/netfilter/nf_conntrack_max", "65536\n")];
        let (state, _, fix) = check("connection tracking", Some(100_000), &tracking);
        assert_eq!(state, State::Bad);
        assert_eq!(
            fix.as_deref(),
            Some("sudo sysctl -w net.netfilter.nf_conntrack_max=200000")
        );
        assert_eq!(check("connection tracking", Some(1000), &tracking).0, State::Ok);
        let unused = [tracking[0], ("proc/sys/net/netfilter/nf_conntrack_count", "0\n")];
        assert_eq!(check("connection tracking", Some(100_000), &unused).0, State::Ok);
    }
}
