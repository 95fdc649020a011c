//! When a service is asked what it keeps, and what its threads say to that.

use plimsoll_measure::KeptSample;
use plimsoll_measure::probe::ProbeKept;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::time::Duration;

/// How often a service is asked in the time that is judged …
const TIMES: u32 = 24;
/// … but for this distance: what a collection stops is not judged, and long soaks that are stopped have seen something too.
const EVERY: RangeInclusive<Duration> = Duration::from_secs(4)..=Duration::from_secs(300);
/// The last one is that long before the end, while there is still load.
const BEFORE_END: Duration = Duration::from_secs(2);
/// A tick may end a little early.
const EARLY_NS: u64 = 500_000_000;
/// For all threads to reply: a collection is made when the event loop comes to it.
const PATIENCE_NS: u64 = 10_000_000_000;
/// So far apart are samples of what stays alive, bytes: what 1 MB a minute keeps in half of ten minutes has some thirty of them.
pub(crate) const ALIVE_EVERY_BYTES: u64 = 128 << 10;

/// The collections of one run.
#[derive(Debug)]
pub(crate) struct Collections {
    judged_ns: u64,
    every_ns: u64,
    /// When the first one was.
    first_ns: Option<u64>,
    next_ns: u64,
    number: u64,
    open: Option<Open>,
    halfway: bool,
    /// The process of each thread.
    processes: BTreeMap<u32, u32>,
}

/// A collection that was asked for.
#[derive(Debug)]
struct Open {
    asked_ns: u64,
    awaited: BTreeSet<u32>,
    said: Vec<(u32, ProbeKept)>,
    /// A thread could not do it.
    is_partial: bool,
}

/// Everybody has replied, or is not waited for any longer.
#[derive(Debug, PartialEq)]
pub(crate) struct Collected {
    pub(crate) sample: KeptSample,
    /// It is the first one in the second half of the time.
    pub(crate) is_halfway: bool,
}

impl Collections {
    /// For a load that is judged for so long.
    pub(crate) fn new(judged: Duration) -> Self {
        let every = judged.saturating_sub(BEFORE_END) / TIMES;
        Self {
            judged_ns: judged.as_nanos() as u64,
            every_ns: every.clamp(*EVERY.start(), *EVERY.end()).as_nanos() as u64,
            first_ns: None,
            next_ns: 0,
            number: 0,
            open: None,
            halfway: false,
            processes: BTreeMap::new(),
        }
    }

    /// A thread says to which process it belongs.
    pub(crate) fn greet(&mut self, thread: u32, pid: u32) {
        self.processes.insert(thread, pid);
    }

    /// Whether the service is to be asked at the end of this tick, which is judged from the first one on.
    pub(crate) fn is_due(&self, at_ns: u64) -> bool {
        let first_ns = self.first_ns.unwrap_or(at_ns);
        let is_over = at_ns + BEFORE_END.as_nanos() as u64 > first_ns + self.judged_ns + EARLY_NS;
        self.open.is_none() && !is_over && at_ns + EARLY_NS >= self.next_ns
    }

    /// These threads are asked; returns the number of the collection.
    pub(crate) fn ask(&mut self, at_ns: u64, threads: BTreeSet<u32>) -> u64 {
        let first_ns = *self.first_ns.get_or_insert(at_ns);
        self.number += 1;
        // From the first one on, so that they do not drift; and never two at once after a standstill.
        self.next_ns = (first_ns + self.number * self.every_ns).max(at_ns + self.every_ns / 2);
        self.open = Some(Open {
            asked_ns: at_ns,
            awaited: threads,
            said: Vec::new(),
            is_partial: false,
        });
        self.number
    }

    /// A thread replied to the collection of this number.
    pub(crate) fn replied(&mut self, thread: u32, kept: &ProbeKept) {
        if let Some(open) = self.open.as_mut().filter(|_| kept.id == self.number)
            && open.awaited.remove(&thread)
        {
            let pid = self.processes.get(&thread).copied().unwrap_or_default();
            open.said.push((pid, kept.clone()));
        }
    }

    /// A thread could not do it, or is gone.
    pub(crate) fn failed(&mut self, thread: u32) {
        if let Some(open) = &mut self.open {
            open.is_partial |= open.awaited.remove(&thread);
        }
    }

    /// What came of the collection that was asked for, once that is known. The sum of some threads alone says nothing.
    pub(crate) fn take(&mut self, at_ns: u64) -> Option<Collected> {
        let is_late = |open: &Open| at_ns.saturating_sub(open.asked_ns) > PATIENCE_NS;
        let open = self.open.take_if(|open| open.awaited.is_empty() || is_late(open))?;
        let whole = open.awaited.is_empty() && !open.is_partial;
        let said = if whole { open.said.as_slice() } else { &[] };
        let since_first_ns = open.asked_ns - self.first_ns.unwrap_or(open.asked_ns);
        let is_halfway = whole && !self.halfway && since_first_ns >= self.judged_ns / 2;
        self.halfway |= is_halfway;
        Some(Collected {
            sample: KeptSample::of(open.asked_ns, at_ns, said),
            is_halfway,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND_NS: u64 = 1_000_000_000;

    #[test]
    fn ten_minutes_have_twenty_five_collections_and_the_last_is_under_load() {
        let mut collections = Collections::new(Duration::from_secs(540));
        let mut asked = Vec::new();
        let mut halfway = Vec::new();
        for second in 60..=600 {
            let at_ns = second * SECOND_NS;
            if let Some(collected) = collections.take(at_ns) {
                assert_eq!(collected.sample.threads, 1);
                halfway.extend(collected.is_halfway.then_some(second));
            }
            if collections.is_due(at_ns) {
                let id = collections.ask(at_ns, BTreeSet::from([3]));
                let kept = ProbeKept {
                    id,
                    ..ProbeKept::default()
                };
                collections.replied(3, &kept);
                asked.push(second);
            }
        }
        assert_eq!(asked.len(), 25, "{asked:?}");
        assert_eq!((asked[0], asked[24]), (60, 598));
        assert_eq!(halfway.len(), 1);
        assert!((330..360).contains(&halfway[0]), "{halfway:?}");
    }

    #[test]
    fn some_of_the_threads_alone_say_nothing() {
        let mut collections = Collections::new(Duration::from_secs(540));
        let id = collections.ask(0, BTreeSet::from([1, 2]));
        let kept = ProbeKept {
            id,
            ..ProbeKept::default()
        };
        collections.replied(1, &kept);
        assert_eq!(collections.take(SECOND_NS), None);
        collections.failed(2);
        let collected = collections.take(2 * SECOND_NS).expect("nobody is awaited");
        assert_eq!(collected.sample.threads, 0);
        // Who is silent is not waited for without an end.
        collections.ask(60 * SECOND_NS, BTreeSet::from([1, 2]));
        assert_eq!(collections.take(65 * SECOND_NS), None);
        assert!(collections.take(71 * SECOND_NS).is_some());
    }
}
