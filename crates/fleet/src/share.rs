//! How many requests an agent has to make, and for how long, so that it is noticed when it makes others.

use plimsoll_plan::{Arrivals, Load};
use plimsoll_schedule::{AgentShare, Schedule, planned_count};

/// Arrivals of a Poisson process are counted one by one, up to so many: a few tenths of a second.
const COUNTED_MAX: u64 = 20_000_000;

/// How many starts of a load that runs to its end fall to `share`; `None` where that depends on the service, or takes too long to count.
#[must_use]
pub fn starts_of(load: &Load, seed: u64, share: AgentShare) -> Option<u64> {
    match load {
        Load::Open(open) => match open.arrivals {
            Arrivals::Even => Some(planned_count(open, share)),
            Arrivals::Poisson if planned_count(open, AgentShare::WHOLE) > COUNTED_MAX => None,
            Arrivals::Poisson => Some(Schedule::new(open, seed, share).count() as u64),
        },
        Load::Closed(closed) if closed.duration.is_some() => None,
        Load::Closed(closed) => {
            let users = share.among(closed.connections.into());
            closed
                .requests
                .map(|requests| users.map_or(0, |share| share.count_below(requests)))
        }
        Load::Hold(_) => None,
    }
}

/// How long a load lasts for an agent that has made so many starts of it, ns; `None` where it ends by their number.
#[must_use]
pub(crate) fn lasts_ns(load: &Load, share: AgentShare, made: u64) -> Option<u64> {
    let duration = match load {
        // After its last arrival there may be none for long.
        Load::Open(_) => None,
        Load::Closed(closed) => {
            let has_made = |requests| made >= share.count_below(requests);
            closed.duration.filter(|_| !closed.requests.is_some_and(has_made))
        }
        Load::Hold(_) => load.duration(),
    };
    duration.map(|duration| u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_plan::{ClosedLoad, OpenLoad, Rate};
    use std::time::Duration;

    #[test]
    fn shares_of_a_load_add_up_to_it() {
        let open = |arrivals| Load::Open(OpenLoad::constant(Rate::per_s(333), Duration::from_secs(7), arrivals));
        let closed = |connections| {
            Load::Closed(ClosedLoad {
                connections,
                duration: None,
                requests: Some(1003),
                think_time: Duration::ZERO,
                pacing: Duration::ZERO,
                ramp: Duration::ZERO,
                stages: Vec::new(),
            })
        };
        for load in [open(Arrivals::Even), open(Arrivals::Poisson), closed(20), closed(2)] {
            let whole = starts_of(&load, 5, AgentShare::WHOLE).expect("known");
            for agents in 1..6 {
                let shares = (0..agents).map(|index| AgentShare::new(index, agents).expect("one of them"));
                let sum: u64 = shares.map(|share| starts_of(&load, 5, share).expect("known")).sum();
                assert_eq!(sum, whole, "{agents} {load:?}");
            }
        }
    }
}
