//! When requests are due: by schedule (open model) or when a user is free again (closed model).

use super::Starts;
use crate::connection::{InFlight, Start};
use crate::recorder::Recorder;
use plimsoll_measure::ErrorClass;
use plimsoll_plan::ClosedLoad;
use plimsoll_protocol::Response;
use plimsoll_schedule::{AgentShare, Schedule, UserChange, UserChanges};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A user whose connection could not be made tries again after this long, so that a refused port
/// is not hammered; and so does one who had nothing to do.
const RETRY_AFTER_NS: u64 = 100_000_000;

/// Where due requests come from.
pub(crate) enum Source {
    Open(Open),
    Closed(Closed),
}

impl Source {
    /// The next request if it is due at `now_ns`.
    #[inline]
    pub(super) fn take_next(&mut self, now_ns: u64) -> Option<Start> {
        match self {
            Self::Open(open) => open.take_due(now_ns),
            Self::Closed(closed) => closed.take_due(now_ns),
        }
    }

    /// What was to start at `intended_ns` has finished; `reached` is false when there was not even a connection for it. Gives the time at which the same
    /// user is due again; `None` where it is not.
    #[inline]
    pub(super) fn ended(&mut self, intended_ns: u64, now_ns: u64, reached: bool) -> Option<u64> {
        match self {
            Self::Open(_) => None,
            Self::Closed(closed) => closed.finished(intended_ns, now_ns, reached),
        }
    }

    /// How many of those who were due again have gone since this was asked.
    pub(super) fn gone(&mut self) -> u64 {
        match self {
            Self::Open(_) => 0,
            Self::Closed(closed) => closed
                .staged
                .as_mut()
                .map_or(0, |staged| std::mem::take(&mut staged.gone)),
        }
    }
}

impl Starts for Source {
    #[inline]
    fn take_due(&mut self, now_ns: u64, _recorder: &mut Recorder) -> Option<Start> {
        self.take_next(now_ns)
    }

    #[inline]
    fn next_due_ns(&self, now_ns: u64) -> Option<u64> {
        match self {
            Self::Open(open) => open.next.map(|start| start.intended_ns),
            Self::Closed(closed) => closed.next_due_ns(now_ns),
        }
    }

    fn due_after_next_ns(&self) -> Option<u64> {
        match self {
            Self::Open(open) => open.after_next.map(|start| start.intended_ns),
            Self::Closed(_) => None,
        }
    }

    #[inline]
    fn finished(&mut self, start: &Start, now_ns: u64, reached: bool, _recorder: &mut Recorder) {
        self.ended(start.intended_ns, now_ns, reached);
    }

    #[inline]
    fn responded(
        &mut self,
        request: &InFlight,
        response: &Response<'_>,
        failure: Option<ErrorClass>,
        now_ns: u64,
        recorder: &mut Recorder,
    ) {
        recorder.response(request, now_ns, response.status, failure);
        self.ended(request.intended_ns, now_ns, true);
    }

    fn is_exhausted(&self, now_ns: u64) -> bool {
        match self {
            Self::Open(open) => open.next.is_none() && now_ns >= open.end_ns,
            Self::Closed(closed) => closed.is_exhausted(now_ns),
        }
    }

    fn is_scheduled(&self) -> bool {
        matches!(self, Self::Open(_))
    }

    fn end_ns(&self) -> Option<u64> {
        match self {
            Self::Open(open) => Some(open.end_ns),
            Self::Closed(closed) => closed.end_ns,
        }
    }

    fn users(&self) -> Option<u64> {
        match self {
            Self::Open(_) => None,
            Self::Closed(closed) => closed.staged.as_ref().map(|staged| staged.there),
        }
    }

    fn finish(&mut self, now_ns: u64) {
        match self {
            Self::Open(open) => {
                (open.next, open.after_next) = (None, None);
                open.end_ns = open.end_ns.min(now_ns);
            }
            Self::Closed(closed) => closed.end_ns = Some(closed.end_ns.map_or(now_ns, |end_ns| end_ns.min(now_ns))),
        }
    }
}

/// Arrivals that do not wait for responses.
pub(crate) struct Open {
    schedule: Schedule,
    next: Option<Start>,
    after_next: Option<Start>,
    end_ns: u64,
    /// Added to the numbers of the schedule.
    first: u64,
    /// Added to the times of the schedule.
    offset_ns: u64,
}

impl Open {
    pub(crate) fn new(schedule: Schedule, first: u64, offset_ns: u64, duration_ns: u64) -> Self {
        let mut open = Self {
            schedule,
            next: None,
            after_next: None,
            end_ns: offset_ns + duration_ns,
            first,
            offset_ns,
        };
        open.advance();
        open.advance();
        open
    }

    fn advance(&mut self) {
        self.next = self.after_next.take();
        let next = self.schedule.next();
        self.after_next = next.map(|start| Start::new(self.first + start.number, self.offset_ns + start.at_ns));
    }

    #[inline]
    fn take_due(&mut self, now_ns: u64) -> Option<Start> {
        let start = self.next.filter(|start| start.intended_ns <= now_ns)?;
        self.advance();
        Some(start)
    }
}

/// Users, each with one request at a time.
pub(crate) struct Closed {
    /// When each waiting user is due, the earliest on top.
    due: BinaryHeap<Reverse<u64>>,
    /// Users that are due at once; kept apart because it is the usual case.
    ready: u64,
    end_ns: Option<u64>,
    remaining: Option<u64>,
    think_ns: u64,
    pacing_ns: u64,
    number: u64,
    number_step: u64,
    /// Where users come and go in stages.
    staged: Option<Box<Staged>>,
}

/// Users who come and go.
struct Staged {
    changes: UserChanges,
    next: Option<UserChange>,
    offset_ns: u64,
    /// How many users each change is.
    users_each: u64,
    /// Who have come and not gone, those who are to go among them.
    there: u64,
    /// Who are to go, and have a request or a journey to end first.
    leaving: u64,
    /// Who were due when they went.
    gone: u64,
}

impl Staged {
    /// When the next one comes or goes.
    fn next_ns(&self) -> Option<u64> {
        self.next.map(|change| self.offset_ns + change.at_ns)
    }

    /// One of those who are to go has ended what it was about.
    fn has_gone(&mut self) -> bool {
        let goes = self.leaving > 0;
        if goes {
            self.leaving -= 1;
            self.there -= 1;
        }
        goes
    }
}

impl Closed {
    /// The part of the users and requests that is this `share`, beginning at `offset_ns`. Each connection has as many users as it
    /// takes requests at a time. Numbers begin at `first`.
    pub(crate) fn new(load: &ClosedLoad, share: AgentShare, users_each: u64, first: u64, offset_ns: u64) -> Self {
        // Who has no user makes no request; the others make them all.
        let users = share.among(load.connections.into());
        let numbered = users.unwrap_or(share);
        let mut ready = share.count_below(load.connections.into());
        let mut due = BinaryHeap::new();
        let staged = (!load.stages.is_empty()).then(|| {
            ready = 0;
            let mut changes = UserChanges::new(&load.stages, share);
            Box::new(Staged {
                next: changes.next(),
                changes,
                offset_ns,
                users_each,
                there: 0,
                leaving: 0,
                gone: 0,
            })
        });
        if !load.ramp.is_zero() {
            // Each begins at a time of its own, which follows from its place among the users of all agents.
            let ramp_ns = load.ramp.as_nanos();
            let begins = |place: u64| offset_ns + (ramp_ns * u128::from(place) / u128::from(load.connections)) as u64;
            let places = (0..std::mem::take(&mut ready)).map(|nth| share.first() + nth * share.stride());
            let each = places.flat_map(|place| (0..users_each).map(move |_| place));
            due.extend(each.map(|place| Reverse(begins(place))));
        }
        Self {
            due,
            ready: ready * users_each,
            end_ns: load.duration.map(|duration| offset_ns + duration.as_nanos() as u64),
            remaining: load
                .requests
                .map(|requests| users.map_or(0, |share| share.count_below(requests))),
            think_ns: load.think_time.as_nanos() as u64,
            pacing_ns: load.pacing.as_nanos() as u64,
            number: first + numbered.first(),
            number_step: numbered.stride(),
            staged,
        }
    }

    /// Users come and go as the stages have it, up to now. Where somebody is due before one comes or goes, it begins first.
    #[cold]
    fn come_and_go(&mut self, now_ns: u64) {
        while let Some(staged) = &mut self.staged
            && let Some(at_ns) = staged.next_ns().filter(|at_ns| *at_ns <= now_ns)
            && (self.ready > 0 || self.due.peek().is_none_or(|&Reverse(due_ns)| at_ns <= due_ns))
        {
            let comes = staged.next.is_some_and(|change| change.comes);
            staged.next = staged.changes.next();
            for _ in 0..staged.users_each {
                // Who is to go and is not away yet stays where another one would come.
                if comes && staged.leaving > 0 {
                    staged.leaving -= 1;
                } else if comes {
                    staged.there += 1;
                    self.due.push(Reverse(at_ns));
                } else if self.ready > 0 {
                    self.ready -= 1;
                    staged.there -= 1;
                    staged.gone += 1;
                } else if self.due.pop().is_some() {
                    staged.there -= 1;
                    staged.gone += 1;
                } else {
                    staged.leaving += 1;
                }
            }
        }
    }

    #[inline]
    fn take_due(&mut self, now_ns: u64) -> Option<Start> {
        if self.is_exhausted(now_ns) {
            return None;
        }
        if self.staged.is_some() {
            self.come_and_go(now_ns);
        }
        let intended_ns = if self.ready > 0 {
            self.ready -= 1;
            now_ns
        } else {
            let &Reverse(due_ns) = self.due.peek()?;
            if due_ns > now_ns {
                return None;
            }
            self.due.pop();
            due_ns
        };
        if let Some(remaining) = &mut self.remaining {
            *remaining -= 1;
        }
        let number = self.number;
        self.number += self.number_step;
        Some(Start::new(number, intended_ns))
    }

    fn next_due_ns(&self, now_ns: u64) -> Option<u64> {
        if self.is_exhausted(now_ns) {
            return None;
        }
        if self.ready > 0 {
            return Some(0);
        }
        let due_ns = self.due.peek().map(|&Reverse(due_ns)| due_ns);
        match &self.staged {
            None => due_ns,
            Some(staged) => due_ns.into_iter().chain(staged.next_ns()).min(),
        }
    }

    /// A user has ended what it was about; gives the time at which it is due again, unless it goes.
    #[inline]
    fn finished(&mut self, intended_ns: u64, now_ns: u64, reached: bool) -> Option<u64> {
        if self.staged.as_mut().is_some_and(|staged| staged.has_gone()) {
            return None;
        }
        if reached && self.think_ns == 0 && self.pacing_ns == 0 {
            self.ready += 1;
            return Some(now_ns);
        }
        let due_ns = match reached {
            true => (now_ns + self.think_ns).max(intended_ns + self.pacing_ns),
            false => now_ns + RETRY_AFTER_NS.max(self.think_ns),
        };
        self.due.push(Reverse(due_ns));
        Some(due_ns)
    }

    fn is_exhausted(&self, now_ns: u64) -> bool {
        self.remaining == Some(0) || self.end_ns.is_some_and(|end_ns| now_ns >= end_ns)
    }
}
