//! What makes the event loop stand still now and then, as the CPU profile shows it.

use crate::Case;
use crate::calls::{Cost, Told, Work, costs_of, is_own};
use crate::own_time::own_time;
use crate::synchronous::COUNTED;
use plimsoll_findings::{Cause, CauseKind, Evidence, What};
use plimsoll_measure::{Frame, Profile};

/// Who makes it stand still runs at least this long at a stretch, µs, …
const LONGEST_US_MIN: u64 = 50_000;
/// … and then a beat of the loop comes late, ns. The probe has one every 100 ms, so it sees of a stretch what is left when a beat is due.
const DELAY_NS: u64 = 10_000_000;
/// What makes it stand still takes this long on average, µs, …
const MEAN_US_MIN: u64 = 20_000;
/// … this many times what a request takes: it is not what is done for each …
const REQUESTS_MIN: f64 = 10.0;
/// … and this share of the busy time in all.
const SHARE_MIN: f64 = 0.03;

/// Functions of the service that held the loop for long whenever they were called, with all that they call.
pub(crate) struct Stall<'a> {
    profile: &'a Profile,
    /// Of these functions the one that does most by itself stands for them.
    pub(crate) frame: &'a Frame,
    longest_us: u64,
    /// Of each call of the profile, whether it belongs to them.
    within: Vec<bool>,
}

impl<'a> Stall<'a> {
    pub(crate) fn find(case: &Case<'a>) -> Option<Self> {
        let (profile, counted) = case.profile.zip(case.counted)?;
        if counted.event_loop.longest_delay_ns < DELAY_NS {
            return None;
        }
        // Where few requests come, a stall is most of the CPU for each: that says nothing of how long a request takes.
        let median_us = case.plain.service_time.p50_ms.map(|ms| ms * 1e3);
        let cost_us = case.cost_us_per_request().unwrap_or(0.0);
        let request_us = median_us.map_or(cost_us, |median_us| median_us.min(cost_us));
        let mean_us_min = (request_us * REQUESTS_MIN).max(MEAN_US_MIN as f64);
        let inclusive_us = profile.inclusive_us();
        let mut within = Vec::with_capacity(profile.calls.len());
        let mut longest: Option<(u64, &Frame, u64)> = None;
        for (call, us) in profile.calls.iter().zip(inclusive_us) {
            let frame = &profile.frames[call.frame];
            // Not the mean alone: after it stood still, requests that waited complete in a row.
            let is_long = call.longest_us >= LONGEST_US_MIN && us as f64 / call.stays.max(1) as f64 >= mean_us_min;
            let holds = is_long && is_own(frame);
            if holds && longest.is_none_or(|(most_us, ..)| call.self_us > most_us) {
                longest = Some((call.self_us, frame, call.longest_us));
            }
            within.push(holds || call.caller.is_some_and(|caller| within[caller]));
        }
        longest.map(|(_, frame, longest_us)| Self {
            profile,
            frame,
            longest_us,
            within,
        })
    }

    /// The costs of everything else.
    pub(crate) fn rest(&self) -> Vec<Cost> {
        costs_of(self.profile, Told::Counted, |call| !self.within[call])
    }

    pub(crate) fn cause(&self, case: &Case<'_>) -> Option<Cause> {
        let costs = costs_of(self.profile, Told::Counted, |call| self.within[call]);
        // What is counted call by call is found there.
        let counted = |cost: &&Cost| matches!(cost.work, Work::Known(kind) if COUNTED.contains(&kind));
        let us: u64 = costs.iter().filter(|cost| !counted(cost)).map(|cost| cost.us).sum();
        let own = own_time(case, self.frame);
        let us = us.saturating_sub(own.json_us);
        let delay_ns = case.counted?.event_loop.longest_delay_ns;
        (case.share_of(us) >= SHARE_MIN).then(|| Cause {
            what: What::Stall {
                function: self.frame.function.clone(),
            },
            place: Some(case.places.of_frame(self.frame, own.line)),
            evidence: Evidence::Stall {
                longest_delay_ms: delay_ns as f64 / 1e6,
                longest_run_ms: self.longest_us as f64 / 1e3,
                calls: None,
            },
            ..case.costing(CauseKind::EventLoopStall, us)
        })
    }
}
