//! Words for what runs out first, and for what fixing a cause would give.

use super::asked::of_messages;
use super::neighbours::full_neighbour;
use super::objective::objective;
use super::service::cpu_cores;
use crate::figures::{self, duration_ms, number, share};
use plimsoll_findings::{Assumption, Bound, BoundBecause, BrokeFirst, Diagnosis, Predicted, ResponseThen};

/// What runs out first, in words.
pub(crate) const fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Cpu => "CPU-bound",
        Bound::EventLoop => "bound by its event loop, which stands still",
        Bound::Threadpool => "bound by the threadpool",
        Bound::ConnectionPool => "bound by a pool of connections",
        Bound::Memory => "bound by the memory that it keeps",
        Bound::Terminal => "bound by the terminal that it writes to",
        Bound::Upstream => "bound by other services",
        Bound::Neighbour => "bound by a neighbour",
        Bound::Neither => "bound by neither CPU nor other services",
        Bound::Unknown => "bound by something unseen",
    }
}

/// What broke first: `p99 <= 100ms broke first, at 22 req/s with 13% of its CPU in use`.
pub(crate) fn broke_before(broke: &BrokeFirst) -> String {
    let at = broke
        .rate_per_s
        .map(|rate| format!(", at {}", figures::rate_of(broke.users, rate)));
    let cpu = broke
        .cpu_share
        .map(|cpu| format!(" with {} of its CPU in use", share(cpu)));
    format!(
        "{} broke first{}{}",
        objective(&broke.objective),
        at.unwrap_or_default(),
        cpu.unwrap_or_default()
    )
}

/// What broke first, and what explains it.
pub(crate) fn why(diagnosis: &Diagnosis) -> String {
    let broke = diagnosis.broke_first.as_ref();
    let because = match broke.and_then(|broke| broke.neighbour.as_ref()) {
        Some(full) if diagnosis.bound_because == BoundBecause::NeighbourFull => {
            format!("what ran out there is {}", full_neighbour(full))
        }
        _ => bound_because(diagnosis),
    };
    match &diagnosis.broke_first {
        Some(broke) if diagnosis.bound_because != BoundBecause::CpuBroke => {
            format!("{}; {because}", broke_before(broke))
        }
        _ => because,
    }
}

/// Why that is said.
pub(crate) fn bound_because(diagnosis: &Diagnosis) -> String {
    of_messages(diagnosis.by_message, of_requests(diagnosis.bound_because))
}

fn of_requests(because: BoundBecause) -> String {
    match because {
        BoundBecause::CpuBroke => "the objective on CPU broke first above the line".to_owned(),
        BoundBecause::NeighbourFull => "there a neighbour has no CPU left, and the service has".to_owned(),
        BoundBecause::Throttled {
            cpu_cores: cores,
            ms_per_s,
        } => format!(
            "there its limit of {} keeps it from running for {} of each second",
            cpu_cores(cores),
            duration_ms(ms_per_s)
        ),
        BoundBecause::CoreBusy { at_line, busy } => {
            let at = if at_line { "the line" } else { "this rate" };
            format!("at {at} it keeps {} of one core busy", share(busy.min(1.0)))
        }
        BoundBecause::CoreFull { busy } => format!("there it keeps {} of one core busy", share(busy.min(1.0))),
        BoundBecause::LoopStands {
            longest_ms,
            share: stands,
        } => {
            let stands = stands.map(|stands| format!(", {} of the time in all", share(stands)));
            format!(
                "the event loop stands still for up to {}{}",
                duration_ms(longest_ms),
                stands.unwrap_or_default()
            )
        }
        BoundBecause::LoopWaits { full, busy } => format!(
            "the event loop is taken for {} of the time there, and its core busy for {}: it waits in calls that block",
            share(full.min(1.0)),
            share(busy.min(1.0))
        ),
        BoundBecause::PoolFull { threads, wait_ms } => format!(
            "even a trivial task waits {} for one of the {threads} threads of the threadpool",
            duration_ms(wait_ms)
        ),
        BoundBecause::ConnectionsTaken { size, share: waits } => {
            let of = size.map(|size| format!(" of the {size} of a pool"));
            format!(
                "a request waits {} of its time until a connection{} is free",
                share(waits),
                of.as_deref().unwrap_or(" of a pool")
            )
        }
        BoundBecause::CollectionsStop { pause_ms } => format!(
            "collecting all of its memory stops the event loop for {} each time",
            duration_ms(pause_ms)
        ),
        BoundBecause::WaitsForOthers { share: waits } => {
            format!("a request waits {} of its time for other services", share(waits))
        }
        BoundBecause::NoResponse => "no response came in the passes".to_owned(),
        BoundBecause::NoCpu => "the CPU of the service could not be sampled".to_owned(),
        BoundBecause::TimeIsCpu { share: cpu } => format!("{} of a request's time is CPU", share(cpu.min(1.0))),
        BoundBecause::TimeIsNeither {
            request_ms,
            cpu_share,
            waiting_share,
        } => {
            let waiting = match waiting_share {
                Some(waiting) => format!("{} waiting for other services", share(waiting)),
                None => "what it waits for was not counted".to_owned(),
            };
            format!(
                "of a request's {} {} are CPU, and {waiting}",
                duration_ms(request_ms),
                share(cpu_share)
            )
        }
    }
}

/// What fixing a cause is predicted to give back: `load line 1,250 req/s (× 1.25, between 1.2 and 1.4), if fixed`.
pub(crate) fn predicted(of: &Predicted) -> String {
    let line = |factor: f64| {
        let line = of.load_line_per_s?;
        Some(figures::rate_of(of.users, line / of.factor * factor))
    };
    let with = |prefix: &str, factor: f64, times: String| match line(factor) {
        Some(line) => format!("load line {prefix}{line} ({times}), if fixed"),
        None => format!("load line {prefix}{times}, if fixed"),
    };
    let times = |factor: f64| format!("× {}", number(factor));
    let gives = match of.high {
        _ if of.at_least => with("at least ", of.low, times(of.low)),
        // What others do with it decides.
        Some(high) if of.factor <= 1.0 => with("up to ", high, times(high)),
        Some(high) => {
            let between = format!("{}, between {} and {}", times(of.factor), number(of.low), number(high));
            with("", of.factor, between)
        }
        None => with(
            "",
            of.factor,
            format!("{}, at least {}", times(of.factor), number(of.low)),
        ),
    };
    let next = of
        .next
        .as_ref()
        .map(|next| format!(", where {} would break next", objective(next)));
    let response = of
        .response_time
        .as_ref()
        .map(|then| format!("; {}", response_then(then)));
    gives + &next.unwrap_or_default() + &response.unwrap_or_default()
}

/// What becomes of the response time: `p99 12.0 ms instead of 148 ms`.
fn response_then(of: &ResponseThen) -> String {
    let which = match of.quantile {
        Some(quantile) if quantile < 1.0 => format!("p{}", number(quantile * 100.0)),
        Some(_) => "the longest response time".to_owned(),
        None => "a request".to_owned(),
    };
    format!(
        "{which} {} instead of {}",
        duration_ms(of.then_ms),
        duration_ms(of.now_ms)
    )
}

/// The same, with what it rests on.
pub(crate) fn predicted_with_assumption(of: &Predicted) -> String {
    format!("{}; assumes that {}", predicted(of), assumption(of.assumption))
}

/// What must hold for a prediction.
pub(crate) const fn assumption(assumption: Assumption) -> &'static str {
    match assumption {
        Assumption::CostGone => "CPU stays what runs out first, and this cost goes completely",
        Assumption::FunctionHalved => {
            "CPU stays what runs out first, and this function takes half as long; at the upper end it takes nothing"
        }
        Assumption::GarbageHalved => {
            "CPU stays what runs out first, and half as much garbage is made; at the upper end none is"
        }
        Assumption::LineGone => "CPU stays what runs out first, and all causes at this line go",
        Assumption::NothingShared => {
            "requests share nothing but the machine, and the generator leaves these cores alone"
        }
        Assumption::LoopRuns => {
            "nothing stops the event loop any more, and the rest of a request costs no more than now"
        }
        Assumption::PoolWide => "there is a thread for each task, and what the tasks wait for takes so many at once",
        Assumption::ConnectionsEnough => {
            "there is a connection for each call, and the other side serves so many at once as fast as now"
        }
        Assumption::OthersAsNow => "other services respond as fast as now, however many requests there are",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_of_users_is_predicted_in_users() {
        let of = |users| Predicted {
            load_line_per_s: Some(120.0),
            users,
            factor: 1.2,
            low: 1.1,
            high: Some(1.3),
            at_least: false,
            response_time: None,
            next: None,
            assumption: Assumption::CostGone,
        };
        let line = |users| predicted(&of(users)).split(" (").next().map(str::to_owned);
        assert_eq!(line(true).as_deref(), Some("load line 120 users/s"));
        assert_eq!(line(false).as_deref(), Some("load line 120 req/s"));
    }
}
