//! Functions by the time in them alone, and which of their lines are worth reading.

use crate::frame::Frame;
use crate::profile::Profile;
use std::collections::{BTreeSet, HashMap};

/// Functions of which lines are listed, …
const FUNCTIONS_MAX: usize = 5;
/// … each with this share of the time of all, at least.
const SHARE_MIN: f64 = 0.01;
/// Lines listed of one function.
const LINES_MAX: usize = 40;
/// Lines before and after one with time.
const AROUND: u32 = 2;

/// Time in a function itself, as far as its lines are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionTime<'a> {
    /// The function.
    pub frame: &'a Frame,
    /// With the builtins of the language that it calls, µs.
    pub self_us: u64,
    /// That time by line, ascending.
    pub lines: Vec<(u32, u64)>,
}

impl Profile {
    /// The functions of files whose lines are listed: those that take most time by themselves, greatest first.
    #[must_use]
    pub fn functions_to_list(&self) -> Vec<FunctionTime<'_>> {
        let mut times: HashMap<&Frame, FunctionTime<'_>> = HashMap::new();
        for call in self.calls.iter().filter(|call| !call.lines.is_empty()) {
            let frame = &self.frames[call.frame];
            // Of what Node.js consists of there is no file.
            if !frame.file.starts_with('/') {
                continue;
            }
            let time = times.entry(frame).or_insert_with(|| FunctionTime {
                frame,
                self_us: 0,
                lines: Vec::new(),
            });
            time.self_us = time.self_us.saturating_add(call.self_us);
            for &(line, us) in &call.lines {
                match time.lines.binary_search_by_key(&line, |(line, _)| *line) {
                    Ok(at) => time.lines[at].1 = time.lines[at].1.saturating_add(us),
                    Err(at) => time.lines.insert(at, (line, us)),
                }
            }
        }
        let least_us = (self.total_us() as f64 * SHARE_MIN) as u64;
        let mut times: Vec<_> = times.into_values().filter(|time| time.self_us > least_us).collect();
        times.sort_by(|a, b| {
            let place = |time: &FunctionTime<'_>| (time.frame.file.clone(), time.frame.line, time.frame.column);
            b.self_us.cmp(&a.self_us).then_with(|| place(a).cmp(&place(b)))
        });
        times.truncate(FUNCTIONS_MAX);
        times
    }
}

impl FunctionTime<'_> {
    /// The lines to list, ascending: the whole function where it is short, else its first line and those around the costliest.
    #[must_use]
    pub fn lines_to_list(&self) -> BTreeSet<u32> {
        let first = self.frame.line.max(1);
        let mut costliest: Vec<(u32, u64)> = self.lines.iter().copied().filter(|(line, _)| *line >= first).collect();
        let last = costliest.last().map_or(first, |(line, _)| line.saturating_add(AROUND));
        if last - first < LINES_MAX as u32 {
            return (first..=last).collect();
        }
        costliest.sort_by_key(|(line, us)| (std::cmp::Reverse(*us), *line));
        let mut listed = BTreeSet::from([first]);
        for (line, _) in costliest {
            let around = line.saturating_sub(AROUND).max(first)..=line.saturating_add(AROUND);
            let new = around.clone().filter(|line| !listed.contains(line)).count();
            if listed.len() + new <= LINES_MAX {
                listed.extend(around);
            }
        }
        listed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Call;

    fn call(frame: usize, self_us: u64, lines: &[(u32, u64)]) -> Call {
        Call {
            frame,
            caller: None,
            self_us,
            longest_us: self_us,
            stays: 1,
            called_on: None,
            lines: lines.to_vec(),
        }
    }

    fn frame(file: &str, line: u32) -> Frame {
        Frame {
            file: file.to_owned(),
            line,
            ..Frame::default()
        }
    }

    #[test]
    fn functions_are_listed_by_their_own_time() {
        let profile = Profile {
            frames: vec![
                frame("/a.js", 3),
                frame("/a.js", 20),
                frame("node:fs", 7),
                frame("/a.js", 90),
                frame("/b.js", 1),
            ],
            calls: vec![
                call(0, 100, &[(4, 60), (5, 40)]),
                call(1, 150, &[(21, 150)]),
                call(2, 900, &[(8, 900)]),
                call(0, 100, &[(3, 10), (5, 90)]),
                call(3, 1, &[(91, 1)]),
                call(4, 800, &[]),
            ],
            ..Profile::default()
        };
        let listed = profile.functions_to_list();
        let shown: Vec<_> = listed
            .iter()
            .map(|time| (time.frame.line, time.self_us, time.lines.as_slice()))
            .collect();
        assert_eq!(
            shown,
            [
                (3, 200, [(3, 10), (4, 60), (5, 130)].as_slice()),
                (20, 150, [(21, 150)].as_slice())
            ]
        );
        assert_eq!(listed[0].lines_to_list(), (3..=7).collect());
    }

    #[test]
    fn long_functions_are_listed_around_their_costliest_lines() {
        let frame = frame("/a.js", 10);
        let lines: Vec<(u32, u64)> = (0..100).map(|at| (20 + at * 10, u64::from(at))).collect();
        let listed = FunctionTime {
            frame: &frame,
            self_us: 1,
            lines,
        }
        .lines_to_list();
        assert!(listed.len() <= LINES_MAX && listed.contains(&10) && listed.contains(&1010));
        assert!(listed.contains(&1012) && listed.contains(&998) && !listed.contains(&20));
    }
}
