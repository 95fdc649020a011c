//! Little's law at a load line in users: users = throughput × (response time + pause).
//!
//! J. D. C. Little, "A Proof for the Queuing Formula: L = λW", Operations Research 9, 1961. It needs no assumption about the service, so
//! where the figures do not meet it, users were somewhere else than at the service or in a pause.

use crate::step_summary::{RequestSummary, StepSummary};
use plimsoll_findings::{LittlesLaw, LoadLine, Notice};
use plimsoll_plan::Plan;

/// Responses below which means say little.
const RESPONSES_LEAST: u64 = 100;
/// How far off the number of users may be, as a share of it: what windows cut off at their ends.
const TOLERANCE: f64 = 0.1;

/// What users do over and over, from one beginning to the next.
#[derive(Debug, Clone, Copy)]
struct Rounds {
    begin_per_s: f64,
    /// Length of one, ms.
    each_ms: f64,
}

/// What the law says of a step with so many users; `None` where too little was measured, or users were lost to failures.
pub(crate) fn littles_law(plan: &Plan, step: &StepSummary, users: u32) -> Option<LittlesLaw> {
    let requests = &step.all_requests;
    if requests.response_time.count < RESPONSES_LEAST || step.finding.error_share != Some(0.0) {
        return None;
    }
    let throughput_per_s = step.finding.throughput_per_s.filter(|per_s| *per_s > 0.0)?;
    let response_ms = requests.response_time.mean_ms?;
    let rounds = rounds(plan, requests, throughput_per_s, response_ms)?;
    Some(law(rounds, throughput_per_s, response_ms, users))
}

/// The notice of a load line at which the law does not hold.
pub(crate) fn notice(line: &LoadLine) -> Option<Notice> {
    let concurrent = line.concurrent.as_ref()?;
    let law = concurrent.littles_law.filter(|law| !law.holds)?;
    Some(Notice::LittlesLawBroken {
        users: concurrent.users,
        by_law: law.users,
    })
}

fn rounds(plan: &Plan, requests: &RequestSummary, throughput_per_s: f64, response_ms: f64) -> Option<Rounds> {
    let (think_time, pacing) = plan.load().pauses();
    let (think_ms, pacing_ms) = (think_time.as_secs_f64() * 1e3, pacing.as_secs_f64() * 1e3);
    let (begin_per_s, takes_ms) = match plan.scenario().journeys.is_empty() {
        true => (throughput_per_s, response_ms),
        false => (requests.users_per_s?, requests.journey_time.mean_ms?),
    };
    let each_ms = takes_ms + think_ms;
    // Of rounds of which some are longer than the pacing the mean is not known.
    let is_mixed = pacing_ms > 0.0 && each_ms > pacing_ms / 2.0;
    (!is_mixed).then_some(Rounds {
        begin_per_s,
        each_ms: each_ms.max(pacing_ms),
    })
}

fn law(rounds: Rounds, throughput_per_s: f64, response_ms: f64, users: u32) -> LittlesLaw {
    let by_law = rounds.begin_per_s * rounds.each_ms / 1e3;
    LittlesLaw {
        throughput_per_s,
        response_ms,
        pause_ms: (by_law * 1e3 / throughput_per_s - response_ms).max(0.0),
        users: by_law,
        holds: (by_law / f64::from(users) - 1.0).abs() <= TOLERANCE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds of so many ms of which so many begin per second, with as many requests each, of 20 ms: the pause after each of these, the
    /// users by the law, and whether these are 100.
    fn check((begin_per_s, each_ms, requests): (f64, f64, f64), expected: (f64, f64, bool)) {
        let rounds = Rounds { begin_per_s, each_ms };
        let law = law(rounds, begin_per_s * requests, 20.0, 100);
        let found = (law.pause_ms.round(), law.users.round(), law.holds);
        assert_eq!(
            found, expected,
            "{begin_per_s}/s of {each_ms} ms with {requests} requests"
        );
    }

    #[test]
    fn users_by_the_law_are_those_who_wait_or_pause() {
        check((200.0, 500.0, 1.0), (480.0, 100.0, true));
        // Journeys of four requests pause between them.
        check((50.0, 2000.0, 4.0), (480.0, 100.0, true));
        // Nobody pauses.
        check((5000.0, 20.0, 1.0), (0.0, 100.0, true));
    }

    #[test]
    fn users_who_are_neither_waiting_nor_pausing_break_the_law() {
        check((182.0, 500.0, 1.0), (480.0, 91.0, true));
        check((178.0, 500.0, 1.0), (480.0, 89.0, false));
        check((222.0, 500.0, 1.0), (480.0, 111.0, false));
    }
}
