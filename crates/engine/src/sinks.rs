//! Where shards hand their ticks: to a function, or through a channel to be merged into one stream.

use crate::backend::monotonic_ns;
use crate::event_loop::{Control, Sink};
use plimsoll_measure::Tick;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender};

/// What the shard that acts hands its ticks to: its connections are none of those that are held.
pub(crate) struct Beside<'a, S>(pub(crate) &'a mut S);

impl<S: Sink> Sink for Beside<'_, S> {
    fn tick(&mut self, mut tick: Tick) {
        tick.counters.connections_opened = 0;
        (tick.gauges.connections, tick.gauges.queued) = (0, 0);
        self.0.tick(tick);
    }

    fn control(&self) -> Control {
        self.0.control()
    }
}

/// A shard's end of the channel.
pub(crate) struct ChannelSink<'a> {
    pub(crate) ticks: Sender<Tick>,
    pub(crate) stop: &'a AtomicBool,
    /// Until when anything may be started, if that is not for as long as the load lasts.
    pub(crate) lease: Option<&'a AtomicU64>,
    pub(crate) finishes: &'a AtomicBool,
    pub(crate) ended: &'a AtomicBool,
}

impl Sink for ChannelSink<'_> {
    fn tick(&mut self, tick: Tick) {
        // Nobody listens any more only when the run is being torn down.
        let _ = self.ticks.send(tick);
    }

    fn control(&self) -> Control {
        let is_over = |lease: &AtomicU64| monotonic_ns() >= lease.load(Ordering::Relaxed);
        if self.stop.load(Ordering::Relaxed) || self.ended.load(Ordering::Relaxed) || self.lease.is_some_and(is_over) {
            Control::Stop
        } else if self.finishes.load(Ordering::Relaxed) {
            Control::Finish
        } else {
            Control::Continue
        }
    }
}

/// Hands ticks to a function on the same thread.
pub(crate) struct CallSink<F> {
    pub(crate) on_tick: F,
    pub(crate) control: Control,
}

impl<F: FnMut(Tick) -> Control> Sink for CallSink<F> {
    fn tick(&mut self, tick: Tick) {
        let control = (self.on_tick)(tick);
        self.control = match (self.control, control) {
            (Control::Stop, _) | (_, Control::Stop) => Control::Stop,
            (Control::Finish, _) | (_, Control::Finish) => Control::Finish,
            (Control::Continue, Control::Continue) => Control::Continue,
        };
    }

    fn control(&self) -> Control {
        self.control
    }
}

/// Merges the ticks of all shards by their index until all shards have ended.
///
/// A shard may end before the others; what it left unmerged comes out at the end.
pub(crate) fn merge(ticks: &Receiver<Tick>, shards: u32, mut on_tick: impl FnMut(Tick)) {
    let mut open: BTreeMap<u32, (u32, Tick)> = BTreeMap::new();
    while let Ok(tick) = ticks.recv() {
        let index = tick.index;
        let (parts, merged) = open.entry(index).or_default();
        *parts += 1;
        if *parts == 1 {
            *merged = tick;
        } else {
            merged.merge(&tick);
        }
        if *parts == shards
            && let Some((_, whole)) = open.remove(&index)
        {
            on_tick(whole);
        }
    }
    for (_, tick) in open.into_values() {
        on_tick(tick);
    }
}
