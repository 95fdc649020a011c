//! Sockets that processes have open.

use crate::process::{Id, Process};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

/// A descriptor of a process, which looking again costs little.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Descriptor {
    process: Id,
    /// The thread whose table it is in; the first one's is the table of all, but for threads that made one of their own.
    thread: u32,
    number: u32,
}

impl Descriptor {
    pub(crate) const fn pid(&self) -> u32 {
        self.process.pid
    }

    /// Whether it is still that socket.
    pub(crate) fn is(&self, inode: u64) -> bool {
        let Self {
            process,
            thread,
            number,
        } = *self;
        let path = format!("/proc/{}/task/{thread}/fd/{number}", process.pid);
        socket(Path::new(&path)).is_ok_and(|found| found == Some(inode))
            && Process::read(process.pid).is_some_and(|now| now.id == process)
    }
}

/// What a look at the descriptors of processes found.
#[derive(Debug, Default)]
pub(crate) struct Open<'a> {
    /// A descriptor of each socket that is open in one of them, by inode.
    pub(crate) sockets: BTreeMap<u64, Descriptor>,
    /// One whose descriptors belong to another user.
    pub(crate) hidden: Option<&'a Process>,
}

/// Looks which of the sockets `wanted`, by inode, the processes have open. Threads are looked at one by one only where the
/// processes as a whole do not have all: few programs give threads descriptors of their own (`CLONE_FILES` of unshare(2)).
pub(crate) fn open_in<'a>(processes: &'a [Process], wanted: &BTreeSet<u64>) -> Open<'a> {
    let mut open = Open::default();
    let tables: [fn(&Process) -> Vec<u32>; 2] = [|process| vec![process.id.pid], other_threads];
    for threads_of in tables {
        for process in processes {
            for thread in threads_of(process) {
                if open.sockets.len() == wanted.len() {
                    return open;
                }
                if open.add(process.id, thread, wanted).is_err() {
                    open.hidden = Some(process);
                }
            }
        }
    }
    open
}

impl Open<'_> {
    /// Adds what a thread has in its table.
    ///
    /// # Errors
    /// When its descriptors belong to another user. One that has ended has none.
    fn add(&mut self, process: Id, thread: u32, wanted: &BTreeSet<u64>) -> io::Result<()> {
        let table = format!("/proc/{}/task/{thread}/fd", process.pid);
        for entry in none_if_gone(fs::read_dir(table))?.into_iter().flatten().flatten() {
            let number = entry.file_name().to_str().and_then(|name| name.parse().ok());
            // In another user namespace the directory can be listed, and its entries cannot be read.
            let inode = none_if_gone(socket(&entry.path()))?.flatten();
            if let Some((inode, number)) = inode.zip(number)
                && wanted.contains(&inode)
            {
                let descriptor = Descriptor {
                    process,
                    thread,
                    number,
                };
                self.sockets.entry(inode).or_insert(descriptor);
                if self.sockets.len() == wanted.len() {
                    break;
                }
            }
        }
        Ok(())
    }
}

fn other_threads(process: &Process) -> Vec<u32> {
    let pid = process.id.pid;
    let entries = fs::read_dir(format!("/proc/{pid}/task"))
        .into_iter()
        .flatten()
        .flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|&thread| thread != pid)
        .collect()
}

/// What has ended or was closed meanwhile is `None`; only a refusal remains an error.
fn none_if_gone<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Err(error),
        found => Ok(found.ok()),
    }
}

/// The inode of the socket that an entry of a table is, if it is one.
fn socket(entry: &Path) -> io::Result<Option<u64>> {
    let link = fs::read_link(entry)?;
    let inode = || link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok();
    Ok(inode())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use nix::sched::{CloneFlags, unshare};
    use std::net::{SocketAddr, TcpListener};
    use std::os::unix::fs::MetadataExt as _;
    use std::sync::mpsc;
    use std::thread;

    /// Calls `look` while a thread with a table of its own listens at the address.
    pub(crate) fn while_a_thread_listens(look: impl FnOnce(SocketAddr)) {
        let (listening, address) = mpsc::channel();
        let (done, wait) = mpsc::channel::<()>();
        thread::scope(|scope| {
            scope.spawn(move || {
                unshare(CloneFlags::CLONE_FILES).expect("allowed");
                let listener = TcpListener::bind("127.0.0.1:0").expect("bound");
                listening.send(listener.local_addr().expect("bound")).expect("awaited");
                wait.recv().expect("told to end");
            });
            look(address.recv().expect("it listens"));
            done.send(()).expect("it waits");
        });
    }

    #[test]
    fn socket_in_a_table_of_one_thread_is_found() {
        while_a_thread_listens(|address| {
            let listeners = crate::port::listeners("self");
            let listener = listeners.iter().find(|one| one.address == address).expect("listed");
            let us = [Process::read(std::process::id()).expect("we run")];
            let wanted = BTreeSet::from([listener.inode]);
            let mut whole = Open::default();
            whole.add(us[0].id, us[0].id.pid, &wanted).expect("ours");
            assert!(whole.sockets.is_empty(), "the table of all has it");
            let found = open_in(&us, &wanted).sockets;
            assert!(found[&listener.inode].is(listener.inode));
        });
    }

    #[test]
    fn descriptor_that_was_closed_is_no_longer_that_socket() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("bound");
        let path = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&listener));
        let inode = fs::metadata(path).expect("open").ino();
        let us = [Process::read(std::process::id()).expect("we run")];
        let descriptor = open_in(&us, &BTreeSet::from([inode])).sockets[&inode];
        assert!(descriptor.is(inode) && !descriptor.is(inode + 1));
        drop(listener);
        assert!(!descriptor.is(inode));
    }
}
