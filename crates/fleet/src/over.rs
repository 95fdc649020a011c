//! Runs that are over for an agent, so that no message of theirs that comes late has it begin anew.

use crate::ids::RunId;
use std::collections::VecDeque;

/// So many are remembered. Leases of earlier ones ended long before so many others came.
const OVER_MAX: usize = 64;

/// The last runs that are over, the oldest first.
#[derive(Debug)]
pub(crate) struct RunsOver(VecDeque<RunId>);

impl RunsOver {
    /// None yet.
    pub(crate) const fn none() -> Self {
        Self(VecDeque::new())
    }

    pub(crate) fn add(&mut self, run: RunId) {
        if self.has(&run) {
            return;
        }
        if self.0.len() == OVER_MAX {
            self.0.pop_front();
        }
        self.0.push_back(run);
    }

    pub(crate) fn has(&self, run: &RunId) -> bool {
        self.0.contains(run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_that_is_over_is_remembered_for_a_while() {
        let mut over = RunsOver::none();
        for number in 0..70 {
            over.add(RunId::new(number));
            over.add(RunId::new(number));
        }
        let has = |number| over.has(&RunId::new(number));
        assert!(has(69) && has(6) && !has(5));
    }
}
