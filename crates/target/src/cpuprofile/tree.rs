//! The calls of a CPU profile: who calls whom, how long each took, and how long it went on at a time.

use super::document::{Document, Node, PositionTick};
use super::error::CpuProfileError;
use crate::call_frame::frame;
use plimsoll_measure::{Call, Frame, Layers, Profile, ProfileText};
use std::collections::HashMap;

/// Twice what V8 samples.
const MOST_DEPTH: usize = 512;

/// How often calls may begin: a million samples, each of a stack of which twenty calls are new.
const MOST_CHANGES: usize = 20_000_000;

/// The calls of the file in an order in which callers come first.
pub(super) struct Tree {
    span_us: u64,
    /// Those in which something of the service ran.
    samples: u64,
    frames: Vec<Frame>,
    calls: Vec<Call>,
    /// From the id of a node to its call.
    places: HashMap<u64, usize>,
    idle: Option<usize>,
    gc: Option<usize>,
    /// The call of the last sample that was no garbage collection.
    before: Option<usize>,
    /// Garbage collection during a call: a call of its own below it.
    gc_below: HashMap<usize, usize>,
    /// How many callers each call has.
    depths: Vec<usize>,
    /// The calls that go on, from the root, and [`Tree::span_us`] when each began.
    going_on: Vec<(usize, u64)>,
    /// How often a call began.
    changes: usize,
}

impl Tree {
    pub(super) fn of(document: &Document<'_>) -> Result<Self, CpuProfileError> {
        let by_id: HashMap<u64, &Node<'_>> = document.nodes.iter().map(|node| (node.id, node)).collect();
        let mut tree = Self {
            span_us: 0,
            samples: 0,
            frames: Vec::with_capacity(document.nodes.len()),
            calls: Vec::with_capacity(document.nodes.len()),
            places: HashMap::with_capacity(document.nodes.len()),
            idle: None,
            gc: None,
            before: None,
            gc_below: HashMap::new(),
            depths: Vec::with_capacity(document.nodes.len()),
            going_on: Vec::new(),
            changes: 0,
        };
        let mut frame_places = HashMap::new();
        let mut open: Vec<(u64, Option<usize>)> =
            document.nodes.first().map(|root| (root.id, None)).into_iter().collect();
        while let Some((id, caller)) = open.pop() {
            let node = by_id.get(&id).ok_or(CpuProfileError::NoTree(id))?;
            let place = tree.calls.len();
            if tree.places.insert(id, place).is_some() {
                return Err(CpuProfileError::NoTree(id));
            }
            let depth = caller.map_or(0, |caller| tree.depths[caller] + 1);
            if depth > MOST_DEPTH {
                return Err(CpuProfileError::TooDeep(id));
            }
            tree.depths.push(depth);
            let frame = frame(&node.call_frame);
            match frame.function.as_str() {
                "(idle)" if frame.file.is_empty() => tree.idle = Some(place),
                "(garbage collector)" if frame.file.is_empty() => tree.gc = Some(place),
                _ => {}
            }
            let frame = *frame_places.entry(frame).or_insert_with_key(|frame| {
                tree.frames.push(frame.clone());
                tree.frames.len() - 1
            });
            tree.calls.push(Call {
                frame,
                caller,
                self_us: 0,
                longest_us: 0,
                stays: 0,
                called_on: None,
                lines: Vec::new(),
            });
            open.extend(node.children.iter().map(|&child| (child, Some(place))));
        }
        match document.nodes.iter().find(|node| !tree.places.contains_key(&node.id)) {
            Some(stray) => Err(CpuProfileError::NoTree(stray.id)),
            None => Ok(tree),
        }
    }

    /// Time in which nothing of the service ran.
    pub(super) fn idle(&mut self, length_us: u64) {
        self.span_us = self.span_us.saturating_add(length_us);
    }

    /// The call that the sample counts for; `None` while the thread was idle.
    pub(super) fn sample(&mut self, index: usize, node: u64, length_us: u64) -> Result<Option<usize>, CpuProfileError> {
        let &place = self.places.get(&node).ok_or(CpuProfileError::NoNode { index, node })?;
        let place = match self.before {
            _ if Some(place) != self.gc => {
                self.before = Some(place);
                place
            }
            Some(before) if Some(before) != self.idle => self.gc_during(before, place),
            _ => place,
        };
        if Some(place) != self.idle {
            self.calls[place].self_us = self.calls[place].self_us.saturating_add(length_us);
            self.samples += 1;
        }
        self.goes_on(place, index, length_us)?;
        Ok((Some(place) != self.idle).then_some(place))
    }

    /// Two samples in a row with the same call in them are one stay in that call, as far as can be seen. Of the calls that
    /// go on nothing is touched, so that a sample costs what it changes and not its depth.
    fn goes_on(&mut self, place: usize, index: usize, length_us: u64) -> Result<(), CpuProfileError> {
        let mut new = Vec::new();
        let mut above = Some(place);
        while let Some(call) = above.filter(|&call| !self.is_going_on(call)) {
            new.push(call);
            above = self.calls[call].caller;
        }
        let common = above.map_or(0, |call| self.depths[call] + 1);
        self.end_stays(common);
        self.changes = self.changes.saturating_add(new.len());
        if self.changes > MOST_CHANGES {
            return Err(CpuProfileError::TooLarge { index });
        }
        let since_us = self.span_us;
        self.going_on.extend(new.into_iter().rev().map(|call| (call, since_us)));
        self.span_us = self.span_us.saturating_add(length_us);
        Ok(())
    }

    fn is_going_on(&self, call: usize) -> bool {
        self.going_on
            .get(self.depths[call])
            .is_some_and(|&(going_on, _)| going_on == call)
    }

    /// All but the first `left` calls that go on are over.
    fn end_stays(&mut self, left: usize) {
        for (call, since_us) in self.going_on.drain(left..) {
            let us = self.span_us.saturating_sub(since_us);
            let call = &mut self.calls[call];
            call.stays += u64::from(us > 0);
            call.longest_us = call.longest_us.max(us);
        }
    }

    fn gc_during(&mut self, call: usize, gc: usize) -> usize {
        *self.gc_below.entry(call).or_insert_with(|| {
            self.depths.push(self.depths[call] + 1);
            self.calls.push(Call {
                frame: self.calls[gc].frame,
                caller: Some(call),
                self_us: 0,
                longest_us: 0,
                stays: 0,
                called_on: None,
                lines: Vec::new(),
            });
            self.calls.len() - 1
        })
    }

    pub(super) fn finish(mut self, document: &Document<'_>) -> Profile {
        self.end_stays(0);
        for node in &document.nodes {
            let call = &mut self.calls[self.places[&node.id]];
            call.lines = lines(&node.position_ticks, call.self_us);
        }
        let length_us = u64::try_from(document.end_time.saturating_sub(document.start_time)).unwrap_or(0);
        // What was warm-up had its part of it.
        let of_span = |ns: Option<u64>| {
            let us = u128::from(ns.unwrap_or(0)) / 1000;
            (us * u128::from(self.span_us) / u128::from(length_us.max(1))) as u64
        };
        let mut profile = Profile {
            span_us: self.span_us,
            samples: self.samples,
            sampler_us: of_span(document.sampler_ns),
            pool_us: of_span(document.pool_ns),
            v8_us: of_span(document.v8_ns),
            started_us: 0,
            shares_cores: !document.apart,
            frames: self.frames,
            calls: self.calls,
            text: ProfileText::default(),
            layers: Layers::default(),
        };
        if document.started_thread {
            of_started_thread(&mut profile, of_span(document.ran_ns), of_span(document.queued_ns));
        }
        profile
    }
}

/// A thread that waits without its event loop, as by `Atomics.wait`, is seen in the function that waits. Where that is much, …
const WAITING_MAX: f64 = 1.3;
/// … and more than a few samples, nobody knows what its time is.
const WAITING_US_MAX: f64 = 50_000.0;

/// Makes the times of a thread that the service started those for which it ran: threads share cores, and samples go on while others run.
/// It stops no event loop that serves.
fn of_started_thread(profile: &mut Profile, ran_us: u64, queued_us: u64) {
    let (seen_us, ran_us, queued_us) = (profile.total_us() as f64, ran_us as f64, queued_us as f64);
    let is_waiting = seen_us > (ran_us + queued_us) * WAITING_MAX + WAITING_US_MAX;
    let part = if is_waiting {
        0.0
    } else {
        (ran_us / seen_us.max(1.0)).min(1.0)
    };
    let scaled = |us: u64| (us as f64 * part) as u64;
    for call in &mut profile.calls {
        call.self_us = scaled(call.self_us);
        call.longest_us = 0;
        for (_, us) in &mut call.lines {
            *us = scaled(*us);
        }
    }
    profile.started_us = profile.total_us();
}

/// Shares the time of a call out to its lines in proportion to their ticks.
fn lines(ticks: &[PositionTick], self_us: u64) -> Vec<(u32, u64)> {
    let total: u128 = ticks.iter().map(|tick| u128::from(tick.ticks)).sum();
    let mut lines: Vec<(u32, u64)> = ticks
        .iter()
        .filter_map(|tick| {
            let line = u32::try_from(tick.line).ok().filter(|&line| line > 0)?;
            let us = u128::from(self_us) * u128::from(tick.ticks) / total.max(1);
            Some((line, us as u64))
        })
        .collect();
    lines.sort_unstable();
    lines.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        if same {
            earlier.1 += later.1;
        }
        same
    });
    lines
}
