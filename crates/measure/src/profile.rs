//! Where the time of the service's threads went, as a sampling profiler saw it.

use crate::frame::Frame;
use crate::layers::Layers;
use crate::profile_text::ProfileText;
use std::collections::HashMap;

/// A function as called by one caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Index of its frame in [`Profile::frames`].
    pub frame: usize,
    /// Index of its caller in [`Profile::calls`], which is smaller than its own; `None` at the root.
    pub caller: Option<usize>,
    /// Time in the function itself, µs: without what it calls, but with the builtins of the language that it calls,
    /// because those have no frames.
    pub self_us: u64,
    /// The longest that it was seen to go on, with what it calls, µs.
    pub longest_us: u64,
    /// How often it was seen to begin. Shorter ones than the distance of samples are seen one time in many.
    pub stays: u64,
    /// The line of the caller on which it is called, where that could be found out.
    pub called_on: Option<u32>,
    /// That time by line, ascending, as far as it is known.
    pub lines: Vec<(u32, u64)>,
}

/// A call tree with times. Several can be merged into one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Profile {
    /// How long the threads were watched, the time in which they were idle included, µs.
    pub span_us: u64,
    /// How often one of them was seen to be busy.
    pub samples: u64,
    /// CPU that taking the samples cost meanwhile, in threads beside those, µs.
    pub sampler_us: u64,
    /// CPU of the threadpool meanwhile, µs; 0 where it is unknown.
    pub pool_us: u64,
    /// CPU of the threads in which V8 collects garbage and compiles meanwhile, µs; 0 where it is unknown.
    pub v8_us: u64,
    /// Of the time in calls, that of threads which the service started beside those that serve, µs.
    pub started_us: u64,
    /// The threads of these two may run on cores of the service's thread, and interrupt it there.
    pub shares_cores: bool,
    /// Every function once.
    pub frames: Vec<Frame>,
    /// Every call path once, callers before the called.
    pub calls: Vec<Call>,
    /// What the text of its code says.
    pub text: ProfileText,
    /// Functions that a framework calls, and what they cause.
    pub layers: Layers,
}

impl Profile {
    /// Sum over all calls, µs.
    #[must_use]
    pub fn total_us(&self) -> u64 {
        self.calls.iter().fold(0, |sum, call| sum.saturating_add(call.self_us))
    }

    /// Time in each call and in what it calls, µs, in the order of the calls.
    #[must_use]
    pub fn inclusive_us(&self) -> Vec<u64> {
        let mut inclusive_us: Vec<u64> = self.calls.iter().map(|call| call.self_us).collect();
        // Callers come before the called, so from the end all that is called is complete.
        for index in (0..self.calls.len()).rev() {
            if let Some(caller) = self.calls[index].caller {
                inclusive_us[caller] = inclusive_us[caller].saturating_add(inclusive_us[index]);
            }
        }
        inclusive_us
    }

    /// Adds the times of another profile, of another process or thread that was watched meanwhile.
    pub fn merge(&mut self, other: &Self) {
        self.span_us = self.span_us.max(other.span_us);
        self.samples = self.samples.saturating_add(other.samples);
        self.sampler_us = self.sampler_us.saturating_add(other.sampler_us);
        self.pool_us = self.pool_us.saturating_add(other.pool_us);
        self.v8_us = self.v8_us.saturating_add(other.v8_us);
        self.started_us = self.started_us.saturating_add(other.started_us);
        self.shares_cores |= other.shares_cores;
        let mut known = Known::of(self);
        let mut places = Vec::with_capacity(other.calls.len());
        for call in &other.calls {
            let caller = call.caller.map(|caller| places[caller]);
            let place = known.call(self, &other.frames[call.frame], caller, call.called_on);
            places.push(place);
            let mine = &mut self.calls[place];
            mine.self_us = mine.self_us.saturating_add(call.self_us);
            mine.longest_us = mine.longest_us.max(call.longest_us);
            mine.stays = mine.stays.saturating_add(call.stays);
            add_lines(&mut mine.lines, &call.lines);
        }
        self.text.merge(&other.text);
        self.layers.merge(&other.layers, &places);
    }

    /// Time of lines of these calls, by their index, becomes that of a function that they call.
    pub fn move_to_called(&mut self, moves: impl IntoIterator<Item = (usize, Frame, Vec<(u32, u64)>)>) {
        let mut known = Known::of(self);
        for (caller, function, lines) in moves {
            let place = known.call(self, &function, Some(caller), None);
            let us = lines.iter().fold(0, |sum: u64, (_, us)| sum.saturating_add(*us));
            let caller = &mut self.calls[caller];
            caller.self_us = caller.self_us.saturating_sub(us);
            caller.lines.retain(|of| !lines.contains(of));
            let called = &mut self.calls[place];
            called.self_us = called.self_us.saturating_add(us);
            add_lines(&mut called.lines, &lines);
        }
    }
}

/// Where the functions and the calls of a profile are.
struct Known {
    frames: HashMap<Frame, usize>,
    calls: HashMap<(Option<usize>, usize), usize>,
}

impl Known {
    fn of(profile: &Profile) -> Self {
        let calls = profile.calls.iter().zip(0..);
        Self {
            frames: profile.frames.iter().cloned().zip(0..).collect(),
            calls: calls.map(|(call, at)| ((call.caller, call.frame), at)).collect(),
        }
    }

    /// The index of a call, which is added to the profile where it is new.
    fn call(
        &mut self,
        profile: &mut Profile,
        function: &Frame,
        caller: Option<usize>,
        called_on: Option<u32>,
    ) -> usize {
        let frame = *self.frames.entry(function.clone()).or_insert_with(|| {
            profile.frames.push(function.clone());
            profile.frames.len() - 1
        });
        *self.calls.entry((caller, frame)).or_insert_with(|| {
            profile.calls.push(Call {
                frame,
                caller,
                self_us: 0,
                longest_us: 0,
                stays: 0,
                called_on,
                lines: Vec::new(),
            });
            profile.calls.len() - 1
        })
    }
}

/// Both are in ascending order.
fn add_lines(mine: &mut Vec<(u32, u64)>, others: &[(u32, u64)]) {
    if others.is_empty() {
        return;
    }
    let before = std::mem::take(mine);
    mine.reserve(before.len().max(others.len()));
    let (mut before, mut others) = (before.into_iter().peekable(), others.iter().copied().peekable());
    while let Some(next) = match (before.peek(), others.peek()) {
        (Some((line, _)), Some((other, _))) if other < line => others.next(),
        (None, _) => others.next(),
        _ => before.next(),
    } {
        match mine.last_mut().filter(|last| last.0 == next.0) {
            Some(last) => last.1 = last.1.saturating_add(next.1),
            None => mine.push(next),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Function, caller, time, and time by line.
    type Given<'a> = (&'a str, Option<usize>, u64, &'a [(u32, u64)]);

    fn profile(calls: &[Given<'_>]) -> Profile {
        let mut profile = Profile {
            span_us: calls.len() as u64,
            samples: 2,
            sampler_us: 1,
            pool_us: 3,
            v8_us: 5,
            started_us: 7,
            shares_cores: true,
            ..Profile::default()
        };
        for (index, (function, caller, self_us, lines)) in calls.iter().enumerate() {
            profile.frames.push(Frame {
                function: (*function).to_owned(),
                ..Frame::default()
            });
            profile.calls.push(Call {
                frame: index,
                caller: *caller,
                self_us: *self_us,
                longest_us: *self_us,
                stays: 1,
                called_on: None,
                lines: lines.to_vec(),
            });
        }
        profile
    }

    #[test]
    fn the_same_path_is_one_call_and_others_are_added() {
        let mut merged = Profile::default();
        merged.merge(&profile(&[("root", None, 0, &[]), ("a", Some(0), 5, &[(3, 5)])]));
        merged.merge(&profile(&[
            ("root", None, 1, &[]),
            ("b", Some(0), 2, &[]),
            ("a", Some(0), 7, &[(2, 3), (3, 4)]),
            ("a", Some(1), 4, &[]),
        ]));
        assert_eq!(
            merged,
            Profile {
                span_us: 4,
                samples: 4,
                sampler_us: 2,
                pool_us: 6,
                v8_us: 10,
                started_us: 14,
                shares_cores: true,
                layers: Layers::default(),
                frames: profile(&[("root", None, 0, &[]), ("a", None, 0, &[]), ("b", None, 0, &[]),]).frames,
                calls: vec![
                    Call {
                        frame: 0,
                        caller: None,
                        self_us: 1,
                        longest_us: 1,
                        stays: 2,
                        called_on: None,
                        lines: vec![]
                    },
                    Call {
                        frame: 1,
                        caller: Some(0),
                        self_us: 12,
                        longest_us: 7,
                        stays: 2,
                        called_on: None,
                        lines: vec![(2, 3), (3, 9)]
                    },
                    Call {
                        frame: 2,
                        caller: Some(0),
                        self_us: 2,
                        longest_us: 2,
                        stays: 1,
                        called_on: None,
                        lines: vec![]
                    },
                    Call {
                        frame: 1,
                        caller: Some(2),
                        self_us: 4,
                        longest_us: 4,
                        stays: 1,
                        called_on: None,
                        lines: vec![]
                    },
                ],
                text: ProfileText::default(),
            }
        );
        assert_eq!(merged.total_us(), 19);
        assert_eq!(merged.inclusive_us(), [19, 12, 6, 4]);
    }
}
