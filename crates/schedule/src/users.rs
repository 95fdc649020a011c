//! Users who come and go in stages, as the closed model has them.

use crate::AgentShare;
use plimsoll_plan::UserStage;

/// A user comes, or one goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UserChange {
    /// Since the beginning of the load, ns.
    pub at_ns: u64,
    /// Whether it is one more; else one less.
    pub comes: bool,
}

/// The users of one share who come and go, in order of time.
///
/// Users have places, from 0. The one at place `p` is there while the stages ask for more than `p` users: who came last goes first,
/// and each place is that of one share, so that the shares of a load add up to its users at any time.
#[derive(Debug, Clone)]
pub struct UserChanges {
    /// What is left, the next one last.
    stretches: Vec<Stretch>,
    /// Users of the share who are there.
    present: u64,
    share: AgentShare,
}

/// A move from one number of users to another; in no time where a stage begins elsewhere than the last one ended.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    from: u64,
    to: u64,
    begins_ns: u64,
    takes_ns: u64,
}

impl UserChanges {
    /// The users of `stages` who fall to `share`.
    #[must_use]
    pub fn new(stages: &[UserStage], share: AgentShare) -> Self {
        let (mut at, mut begins_ns) = (0, 0_u64);
        let mut stretches = Vec::with_capacity(2 * stages.len());
        for stage in stages {
            let [from, to] = [stage.from, stage.to].map(u64::from);
            let takes_ns = u64::try_from(stage.duration.as_nanos()).unwrap_or(u64::MAX);
            stretches.extend(
                [(at, from, 0), (from, to, takes_ns)].map(|(from, to, takes_ns)| Stretch {
                    from,
                    to,
                    begins_ns,
                    takes_ns,
                }),
            );
            (at, begins_ns) = (to, begins_ns.saturating_add(takes_ns));
        }
        stretches.retain(|stretch| stretch.from != stretch.to);
        stretches.reverse();
        Self {
            stretches,
            present: 0,
            share,
        }
    }

    fn place(&self, nth: u64) -> u64 {
        self.share.first() + nth * self.share.stride()
    }
}

impl Iterator for UserChanges {
    type Item = UserChange;

    fn next(&mut self) -> Option<UserChange> {
        loop {
            let stretch = *self.stretches.last()?;
            let comes = stretch.from < stretch.to;
            if self.present == self.share.count_below(stretch.to) {
                self.stretches.pop();
                continue;
            }
            let place = self.place(if comes { self.present } else { self.present - 1 });
            self.present = if comes { self.present + 1 } else { self.present - 1 };
            // The moment at which so many are asked for as there are places before this one.
            let moved = u128::from(place.abs_diff(stretch.from)) * u128::from(stretch.takes_ns);
            let after_ns = (moved / u128::from(stretch.from.abs_diff(stretch.to))) as u64;
            return Some(UserChange {
                at_ns: stretch.begins_ns.saturating_add(after_ns),
                comes,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::time::Duration;

    fn stage(from: u32, to: u32, seconds: u64) -> UserStage {
        UserStage {
            from,
            to,
            duration: Duration::from_secs(seconds),
        }
    }

    fn seconds(stages: &[UserStage]) -> Vec<(u64, bool)> {
        let changes = UserChanges::new(stages, AgentShare::WHOLE);
        changes
            .map(|change| (change.at_ns / 1_000_000_000, change.comes))
            .collect()
    }

    #[test]
    fn users_come_evenly_and_who_came_last_goes_first() {
        let stages = [stage(0, 4, 8), stage(4, 4, 2), stage(4, 2, 4)];
        let expected = [(0, true), (2, true), (4, true), (6, true), (12, false), (14, false)];
        assert_eq!(seconds(&stages), expected);
    }

    #[test]
    fn a_stage_that_begins_elsewhere_is_gone_to_at_once() {
        let stages = [stage(2, 2, 5), stage(0, 0, 3), stage(1, 1, 2)];
        let expected = [(0, true), (0, true), (5, false), (5, false), (8, true)];
        assert_eq!(seconds(&stages), expected);
    }

    proptest! {
        /// How many are there follows from the stages alone, whoever sends for them.
        #[test]
        fn shares_add_up_to_the_users_that_stages_ask_for(
            levels in vec((0_u32..40, 0_u32..40, 1_u64..50), 1..6),
            of in 1_u32..8,
            at_part in 0_u64..1_000,
        ) {
            let stages: Vec<_> = levels.iter().map(|&(from, to, seconds)| stage(from, to, seconds)).collect();
            let whole_ns: u64 = stages.iter().map(|stage| stage.duration.as_nanos() as u64).sum();
            let at_ns = whole_ns * at_part / 1_000;
            let mut begins_ns = 0;
            let (current, into_ns) = stages
                .iter()
                .find_map(|stage| {
                    let ends_ns = begins_ns + stage.duration.as_nanos() as u64;
                    let found = (at_ns < ends_ns).then_some((stage, at_ns - begins_ns));
                    begins_ns = ends_ns;
                    found
                })
                .expect("within the stages");
            let (from, to) = (i128::from(current.from), i128::from(current.to));
            let takes_ns = current.duration.as_nanos() as i128;
            // Exactly, as a fraction of the length of the stage.
            let asked = from * takes_ns + (to - from) * i128::from(into_ns);
            let there: i128 = (0..of)
                .map(|index| {
                    let changes = UserChanges::new(&stages, AgentShare::new(index, of).expect("one of them"));
                    let until = changes.take_while(|change| change.at_ns <= at_ns);
                    until.map(|change| if change.comes { 1 } else { -1 }).sum::<i128>()
                })
                .sum();
            // Places are whole, and a moment is a nanosecond long: between the number below and the one above.
            prop_assert!(there * takes_ns >= asked - takes_ns.min(asked), "{there} where {asked}/{takes_ns} are asked for");
            prop_assert!(there * takes_ns <= asked + takes_ns, "{there} where {asked}/{takes_ns} are asked for");
        }

        #[test]
        fn users_come_and_go_in_order_of_time(levels in vec((0_u32..40, 0_u32..40, 1_u64..50), 1..6)) {
            let stages: Vec<_> = levels.iter().map(|&(from, to, seconds)| stage(from, to, seconds)).collect();
            let changes: Vec<_> = UserChanges::new(&stages, AgentShare::WHOLE).collect();
            prop_assert!(changes.is_sorted_by_key(|change| change.at_ns));
            let there: i64 = changes.iter().map(|change| if change.comes { 1 } else { -1 }).sum();
            prop_assert_eq!(there, i64::from(stages[stages.len() - 1].to));
        }
    }
}
