//! Starts that something kept from going out after the shard had turned to them.
//!
//! A backend hands requests to the kernel with its next wait. Until then the thread may be stopped, by the host of
//! a virtual machine or by what else wants the core, and what it loses is no time of the service.

use crate::backend::Gathers;
use std::collections::VecDeque;

/// Starts go out in far less time than this. When they did not, something stopped the thread.
const HELD_UP_NS: u64 = 1_000_000;
/// Stops that are kept. A response that comes after so many others has the time at which its request was turned to.
const STOPS_MAX: usize = 1024;

/// When starts went out.
#[derive(Debug)]
pub(crate) struct HandOver {
    /// When the first start was turned to that has not gone out yet; the end of time where there is none.
    since_ns: u64,
    /// How many of those that have not are late by what holds them up.
    late: u64,
    /// Those are late that were turned to so long after they were due, ns. What follows a response is due when it goes out.
    late_from_ns: u64,
    /// Whether all of them go out together, so that it is known of each when it did.
    together: bool,
    /// Of starts that were held up: when the first was turned to, and when they went out.
    stops: VecDeque<(u64, u64)>,
    /// When the last of these went out.
    last_ns: u64,
    /// When starts went out last, held up or not.
    out_ns: u64,
}

impl HandOver {
    /// Of a backend that gathers so much.
    pub(crate) fn new(gathers: Gathers) -> Self {
        Self {
            together: gathers == Gathers::All,
            since_ns: u64::MAX,
            late: 0,
            late_from_ns: 0,
            stops: VecDeque::new(),
            last_ns: 0,
            out_ns: 0,
        }
    }

    /// A start that is turned to as soon as it is due is not late, however long it is held up, if it counts from when it goes out.
    pub(crate) fn only_what_was_due_is_late(&mut self) {
        self.late_from_ns = u64::from(self.together);
    }

    /// A start was turned to, `lag_ns` after it was due, and goes out with the next hand-over.
    #[inline]
    pub(crate) fn turned_to(&mut self, now_ns: u64, lag_ns: u64) {
        self.since_ns = self.since_ns.min(now_ns);
        self.late += u64::from(lag_ns >= self.late_from_ns);
    }

    /// When a start is turned to that follows what was found at this time: not before those that went out meanwhile, which it would be
    /// taken for one of.
    #[inline]
    pub(crate) fn turns_ns(&self, found_ns: u64) -> u64 {
        found_ns.max(self.out_ns)
    }

    /// Where starts that have not gone out are held up, gives how many of them are late by that, and for how long they are, ns. Each is
    /// given once.
    #[inline]
    pub(crate) fn held_up(&mut self, now_ns: u64) -> Option<(u64, u64)> {
        let held_up_ns = now_ns.saturating_sub(self.since_ns);
        (held_up_ns > HELD_UP_NS).then(|| (std::mem::take(&mut self.late), held_up_ns))
    }

    /// All starts go out now; gives what was [held up](Self::held_up).
    #[inline]
    pub(crate) fn all_go_out(&mut self, now_ns: u64) -> Option<(u64, u64)> {
        let held_up = self.held_up(now_ns);
        if held_up.is_some() && self.together {
            self.stopped(now_ns);
        }
        (self.since_ns, self.late, self.out_ns) = (u64::MAX, 0, now_ns);
        held_up
    }

    #[cold]
    fn stopped(&mut self, now_ns: u64) {
        let since_ns = self.turns_ns(self.since_ns);
        if self.stops.len() == STOPS_MAX {
            self.stops.pop_front();
        }
        self.stops.push_back((since_ns, now_ns));
        self.last_ns = now_ns;
    }

    /// Whether a request that was turned to at this time may have gone out later.
    #[inline]
    pub(crate) fn may_hold_up(&self, turned_to_ns: u64) -> bool {
        turned_to_ns <= self.last_ns
    }

    /// When a request went out that was turned to at `turned_to_ns` and whose response came at `responded_ns`.
    #[cold]
    pub(crate) fn went_out_ns(&self, turned_to_ns: u64, responded_ns: u64) -> u64 {
        let place = self
            .stops
            .partition_point(|(_, went_out_ns)| *went_out_ns < turned_to_ns);
        match self.stops.get(place) {
            Some((since_ns, went_out_ns)) if *since_ns <= turned_to_ns && *went_out_ns <= responded_ns => *went_out_ns,
            _ => turned_to_ns,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    #[test]
    fn what_is_held_up_went_out_when_the_thread_went_on() {
        let mut starts = HandOver::new(Gathers::All);
        starts.turned_to(5 * MS, 0);
        assert_eq!(starts.all_go_out(5 * MS + HELD_UP_NS), None, "in time");
        starts.turned_to(10 * MS, 0);
        starts.turned_to(11 * MS, MS);
        assert_eq!(starts.all_go_out(30 * MS), Some((2, 20 * MS)));
        assert_eq!(starts.all_go_out(90 * MS), None, "there was nothing");
        for (turned_to_ms, responded_ms, went_out_ms) in [
            (5, 40, 5),
            (9, 40, 9),
            (10, 40, 30),
            (11, 40, 30),
            (31, 40, 31),
            (10, 29, 10),
        ] {
            let found_ns = starts.went_out_ns(turned_to_ms * MS, responded_ms * MS);
            assert_eq!(found_ns, went_out_ms * MS, "{turned_to_ms} {responded_ms}");
        }
    }

    #[test]
    fn what_follows_a_response_is_not_late() {
        let mut starts = HandOver::new(Gathers::All);
        starts.only_what_was_due_is_late();
        for lag_ns in [0, 1, 3 * MS] {
            starts.turned_to(10 * MS, lag_ns);
        }
        assert_eq!(starts.all_go_out(30 * MS), Some((2, 20 * MS)));
        starts.turned_to(40 * MS, 0);
        assert_eq!(starts.all_go_out(60 * MS), Some((0, 20 * MS)));
        assert_eq!(starts.went_out_ns(40 * MS, 70 * MS), 60 * MS);
    }

    /// Some of them may be with the service by then, so that all count from when they were turned to, and what stops the thread is in
    /// their times.
    #[test]
    fn what_may_have_gone_out_before_is_late_and_counts_as_before() {
        let mut starts = HandOver::new(Gathers::Part);
        starts.only_what_was_due_is_late();
        starts.turned_to(10 * MS, 0);
        assert_eq!(starts.all_go_out(30 * MS), Some((1, 20 * MS)));
        assert!(!starts.may_hold_up(10 * MS));
    }

    #[test]
    fn what_went_out_before_the_thread_was_stopped_was_not_held_up() {
        let mut starts = HandOver::new(Gathers::All);
        starts.turned_to(10 * MS, 0);
        assert_eq!(starts.all_go_out(10 * MS + 5), None);
        // Of the same turn.
        let turned_to_ns = starts.turns_ns(10 * MS);
        starts.turned_to(turned_to_ns, 0);
        assert_eq!(starts.all_go_out(30 * MS + 5), Some((1, 20 * MS)));
        assert_eq!(starts.went_out_ns(10 * MS, 40 * MS), 10 * MS);
        assert_eq!(starts.went_out_ns(turned_to_ns, 40 * MS), 30 * MS + 5);
        assert_eq!(starts.turns_ns(50 * MS), 50 * MS);
        // Turned to at a time that was read before the last of them went out.
        starts.turned_to(30 * MS, 0);
        assert!(starts.all_go_out(60 * MS).is_some());
        assert_eq!(starts.went_out_ns(30 * MS, 70 * MS), 30 * MS + 5);
    }

    #[test]
    fn what_is_held_up_is_given_once() {
        let mut starts = HandOver::new(Gathers::All);
        starts.turned_to(10 * MS, 0);
        assert_eq!(starts.held_up(11 * MS), None, "not yet");
        assert_eq!(starts.held_up(12 * MS), Some((1, 2 * MS)));
        assert_eq!(starts.all_go_out(13 * MS), Some((0, 3 * MS)));
        assert_eq!(starts.went_out_ns(10 * MS, 20 * MS), 13 * MS);
    }

    #[test]
    fn the_last_stops_are_kept() {
        let mut starts = HandOver::new(Gathers::All);
        for nth in 1..=2 * STOPS_MAX as u64 {
            starts.turned_to(nth * 10 * MS, 0);
            starts.all_go_out(nth * 10 * MS + 5 * MS);
        }
        assert_eq!(starts.stops.len(), STOPS_MAX);
        let last_ns = 2 * STOPS_MAX as u64 * 10 * MS;
        assert_eq!(starts.went_out_ns(last_ns, u64::MAX), last_ns + 5 * MS);
        assert_eq!(starts.went_out_ns(10 * MS, u64::MAX), 10 * MS);
        assert!(starts.may_hold_up(last_ns) && !starts.may_hold_up(last_ns + 6 * MS));
    }
}
