//! Deadlines that all lie equally far ahead when they are set, so that they come in the order in which they were set.

use crate::backend::Slot;
use std::collections::VecDeque;

/// Which slot is due when. What has been settled meanwhile stays in here until its time comes.
#[derive(Debug)]
pub(crate) struct Deadlines {
    after_ns: u64,
    queue: VecDeque<(u64, Slot)>,
}

impl Deadlines {
    /// Every deadline is `after_ns` after it was set.
    pub(crate) fn after(after_ns: u64) -> Self {
        Self {
            after_ns,
            queue: VecDeque::new(),
        }
    }

    pub(crate) fn push(&mut self, slot: Slot, now_ns: u64) {
        self.queue.push_back((now_ns.saturating_add(self.after_ns), slot));
    }

    /// A slot whose time has come.
    pub(crate) fn pop_due(&mut self, now_ns: u64) -> Option<Slot> {
        let &(due_ns, slot) = self.queue.front()?;
        (due_ns <= now_ns).then(|| {
            self.queue.pop_front();
            slot
        })
    }

    /// When the next one is due.
    pub(crate) fn next_ns(&self) -> Option<u64> {
        self.queue.front().map(|&(due_ns, _)| due_ns)
    }
}
