//! The connections that a step holds, and what became of their messages.

use crate::rules::{HeldRules, nanos};
use crate::window::{HeldWindow, Window};
use plimsoll_measure::{Counters, HeldClients, MessageCounts, StepStart, TickLine};
use std::time::Duration;

/// Follows them while the records of the step come in.
#[derive(Debug, Clone)]
pub(super) struct HeldStep {
    wanted: u32,
    /// How long after the load began the last one is due, ns.
    opening_ns: u64,
    /// Open at the end of the last tick.
    pub(super) live: u64,
    /// Connections that each message comes to; `None` where nobody knows, or none is sent.
    receivers: Option<u64>,
    /// Messages accepted before the window that is open began.
    accepted_before: u64,
    /// Arrivals that were held against the windows before.
    overdue_before: u64,
    /// All messages under way were awaited.
    awaited: bool,
}

impl HeldStep {
    /// `None` where the step holds no connections.
    pub(super) fn begin(start: &StepStart, rules: Option<&HeldRules>) -> Option<Self> {
        let (wanted, rules) = (start.connections?, rules?);
        Some(Self {
            wanted,
            opening_ns: nanos(rules.load.of(wanted).opening()),
            live: 0,
            receivers: rules.receivers.and_then(|receivers| receivers.count(wanted)),
            accepted_before: 0,
            overdue_before: 0,
            awaited: false,
        })
    }

    pub(super) fn tick(&mut self, line: &TickLine) {
        self.live = HeldClients::of(&line.counters, &line.gauges).live;
    }

    /// The step is over: what was not cut short went on until all had arrived, or had had their time.
    pub(super) fn end(&mut self, cut_short: bool) {
        self.awaited = !cut_short;
    }

    /// The window that is open, of a step with these events so far. It begins so long after the load did.
    pub(super) fn window(&self, window: &Window, all: &Counters, since_load_began_ns: u64) -> HeldWindow {
        let live = HeldClients::of(&window.counters, &window.gauges).live;
        let are_due = since_load_began_ns >= self.opening_ns;
        HeldWindow {
            share: are_due.then(|| live as f64 / f64::from(self.wanted.max(1))),
            overdue: self.overdue(&all.messages).saturating_sub(self.overdue_before),
            overdue_for: match self.awaited {
                true => Duration::MAX,
                false => Duration::from_nanos(window.duration_ns),
            },
        }
    }

    /// Connections that are open, as a share of those that are to be held.
    pub(super) fn share(&self) -> f64 {
        self.live as f64 / f64::from(self.wanted.max(1))
    }

    pub(super) fn window_closes(&mut self, all: &Counters) {
        self.overdue_before = self.overdue_before.max(self.overdue(&all.messages));
        self.accepted_before = all.messages.accepted;
    }

    /// Arrivals that are to have come by now: what arrives early of later messages only hides some.
    fn overdue(&self, messages: &MessageCounts) -> u64 {
        let accepted = if self.awaited {
            messages.accepted
        } else {
            self.accepted_before
        };
        let expected = accepted.saturating_mul(self.receivers.unwrap_or(0));
        expected.saturating_sub(messages.delivered.saturating_add(messages.copies))
    }
}
