//! The rows of tables, given out to users, whichever thread sends them.
//!
//! How many users were given a row is the one thing that threads share on journeys: only so each row is used as often as any other,
//! however fast each thread is, and from step to step of a run.

use plimsoll_plan::{Scenario, Table};
use plimsoll_schedule::AgentShare;
use std::sync::atomic::{AtomicU64, Ordering};

/// What gives out the rows of all tables of a scenario.
#[derive(Debug)]
pub(super) struct Feeds(Vec<Feed>);

#[derive(Debug)]
struct Feed {
    table: Table,
    /// How many were given out.
    given: AtomicU64,
}

impl Feeds {
    pub(super) fn of(scenario: &Scenario) -> Self {
        let feed = |table: &Table| Feed {
            table: table.clone(),
            given: AtomicU64::new(0),
        };
        Self(scenario.tables().map(feed).collect())
    }

    /// Which rows the next user has who needs one of these tables, by the place of the table; `None` when one of them has no row left. Of
    /// several agents each gives out the rows of its share.
    pub(super) fn turns(&self, tables: &[usize], share: AgentShare) -> Option<Box<[u64]>> {
        let Some(last) = tables.last() else {
            return Some(Box::default());
        };
        let mut turns = vec![0; last + 1];
        for &table in tables {
            turns[table] = self.0[table].turn(share)?;
        }
        Some(turns.into_boxed_slice())
    }
}

impl Feed {
    fn turn(&self, share: AgentShare) -> Option<u64> {
        let of_all = |given: u64| share.first() + given * share.stride();
        if !self.table.once() {
            return Some(of_all(self.given.fetch_add(1, Ordering::Relaxed)));
        }
        let next = |given: u64| (of_all(given) < self.table.count()).then_some(given + 1);
        let given = self.given.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
        given.ok().map(of_all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_plan::Plan;
    use plimsoll_schedule::row_of;
    use std::collections::BTreeMap;
    use std::thread;

    const ROWS: u64 = 7;
    const THREADS: u64 = 4;
    const USERS_EACH: u64 = 1_000;

    /// How often each row is given out where each thread of each of so many agents asks as fast as it can.
    fn uses(of_table: &str, agents: u32) -> BTreeMap<u64, u64> {
        let rows: String = (0..ROWS).map(|row| format!("u{row}\n")).collect();
        let plan = format!(
            "target: http://h/\nscenario: {{ variables: {{ u: {{ file: u.csv, {of_table} }} }}, journeys: [{{ actions: [request: {{ path: '/${{u.n}}' }}] }}] }}\n"
        );
        let file = format!("n\n{rows}");
        let plan =
            Plan::parse_with(&plan, "plan.yaml", &|_, _| Ok(file.clone().into_bytes()), &|_| None).expect("a plan");
        let table = plan.scenario().tables().next().expect("a table");
        let mut uses = BTreeMap::new();
        for agent in 0..agents {
            let share = AgentShare::new(agent, agents).expect("one of them");
            let feeds = Feeds::of(plan.scenario());
            let given: Vec<u64> = thread::scope(|scope| {
                let user = || feeds.turns(&[0], share).map(|turns| row_of(table, turns[0]));
                let threads: Vec<_> = (0..THREADS)
                    .map(|_| scope.spawn(move || (0..USERS_EACH).filter_map(|_| user()).collect::<Vec<u64>>()))
                    .collect();
                threads
                    .into_iter()
                    .flat_map(|thread| thread.join().expect("rows"))
                    .collect()
            });
            given.into_iter().for_each(|row| *uses.entry(row).or_insert(0) += 1);
        }
        uses
    }

    #[test]
    fn rows_are_used_alike_whatever_the_threads_do() {
        for order in ["order: in turn", "order: shuffled"] {
            let uses = uses(order, 1);
            let (least, rest) = (THREADS * USERS_EACH / ROWS, THREADS * USERS_EACH % ROWS);
            assert_eq!(uses.len() as u64, ROWS, "{uses:?}");
            assert!(
                uses.values().all(|times| (least..=least + 1).contains(times)),
                "{uses:?}"
            );
            assert_eq!(
                uses.values().filter(|times| **times > least).count() as u64,
                rest,
                "{uses:?}"
            );
        }
    }

    #[test]
    fn rows_that_are_given_out_once_run_out() {
        for agents in [1, 3] {
            let uses = uses("order: shuffled, once: true", agents);
            assert_eq!(
                uses.into_iter().collect::<Vec<_>>(),
                (0..ROWS).map(|row| (row, 1)).collect::<Vec<_>>(),
                "{agents} agents"
            );
        }
    }
}
