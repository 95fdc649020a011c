//! What an agent has of runs whose coordinator was not heard any more.

use crate::ids::RunId;
use crate::unkept::Unkept;
use std::collections::VecDeque;

/// It is kept for so long, ns: time to start a machine again and to ask for it.
const LEFT_NS: u64 = 3_600_000_000_000;
/// Of so many runs.
const RUNS_MAX: usize = 4;

/// What was measured for a run.
#[derive(Debug)]
pub(crate) struct Left {
    pub(crate) run: RunId,
    /// The last step; `None` where there was none.
    pub(crate) step: Option<u32>,
    pub(crate) seen: Unkept,
    /// When its coordinator was given up, ns.
    pub(crate) since_ns: u64,
}

/// The same of several, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Leavings(VecDeque<Left>);

impl Leavings {
    pub(crate) fn add(&mut self, left: Left) {
        if self.0.len() == RUNS_MAX {
            self.0.pop_front();
        }
        self.0.push_back(left);
    }

    pub(crate) fn of(&self, run: &RunId) -> Option<&Left> {
        self.0.iter().find(|left| left.run == *run)
    }

    pub(crate) fn forget(&mut self, run: &RunId) {
        self.0.retain(|left| left.run != *run);
    }

    pub(crate) fn forget_old(&mut self, now_ns: u64) {
        self.0.retain(|left| now_ns.saturating_sub(left.since_ns) < LEFT_NS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_a_run_goes_by_age_and_number() {
        let mut leavings = Leavings::default();
        for run in 0..6 {
            leavings.add(Left {
                run: RunId::new(run),
                step: None,
                seen: Unkept::default(),
                since_ns: run * LEFT_NS / 10,
            });
        }
        let are_there = |leavings: &Leavings| {
            (0..6)
                .filter(|run| leavings.of(&RunId::new(*run)).is_some())
                .collect::<Vec<_>>()
        };
        assert_eq!(are_there(&leavings), [2, 3, 4, 5]);
        leavings.forget(&RunId::new(4));
        leavings.forget_old(LEFT_NS * 12 / 10);
        assert_eq!(are_there(&leavings), [3, 5]);
    }
}
