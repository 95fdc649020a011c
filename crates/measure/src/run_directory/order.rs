//! Whether records are lost from the middle of a stream, where no torn line says so.

use super::{Line, TICKS};
use crate::record::Ended;

/// Follows the lines of `ticks.jsonl`: steps and ticks are numbered, and the end says how many lines there were.
#[derive(Debug, Default)]
pub(super) struct Order {
    lines: u64,
    next_step: u32,
    /// The step that goes on, and the number of its next tick.
    open: Option<(u32, u32)>,
    /// The first line before which one is missing.
    gap: Option<u64>,
    /// How many lines the end says there were; `None` in directories from before it did.
    written: Option<u64>,
    has_ended: bool,
    behind_end: u64,
}

impl Order {
    /// Takes in the line with this number. False where it stands behind the end of the run and is no part of it.
    pub(super) fn follow(&mut self, line: &Line, number: u64) -> bool {
        if self.has_ended {
            self.behind_end += u64::from(!matches!(line, Line::Unknown));
            return false;
        }
        let follows = match line {
            Line::StepStart(start) => {
                let follows = self.open.is_none() && start.step == self.next_step;
                self.next_step = start.step.saturating_add(1);
                self.open = Some((start.step, 0));
                follows
            }
            Line::Tick(tick) => {
                let follows = self.open == Some((tick.step, tick.index));
                self.open = Some((tick.step, tick.index.saturating_add(1)));
                follows
            }
            Line::StepEnd(end) => self.open.take().is_some_and(|(step, _)| step == end.step),
            Line::RunEnd(line) => {
                self.has_ended = true;
                self.written = line.records;
                // A step that could not go on has no end.
                self.open.is_none() || line.end.ended != Ended::Complete
            }
            Line::Machine(_)
            | Line::Instances(_)
            | Line::Collection(_)
            | Line::Kept(_)
            | Line::LoopDelays(_)
            | Line::Neighbour(_)
            | Line::Shock(_)
            | Line::Note(_)
            | Line::Unknown => true,
        };
        if !follows {
            self.gap.get_or_insert(number);
        }
        self.lines += u64::from(!self.has_ended);
        true
    }

    /// What is lost, for a note.
    pub(super) fn losses(&self) -> Option<String> {
        let lost = self.written.map_or(0, |written| written.saturating_sub(self.lines));
        match (lost, self.gap) {
            (0, None) => None,
            (0, Some(line)) => Some(format!("records before line {line} of {TICKS} are lost")),
            (1, _) => Some(format!("1 record of {TICKS} is lost")),
            (n, _) => Some(format!("{n} records of {TICKS} are lost")),
        }
    }

    /// What is there that the run did not write, for a note.
    pub(super) fn additions(&self) -> Option<String> {
        match self.behind_end {
            0 => None,
            1 => Some(format!("1 record after the end of the run in {TICKS} is left out")),
            n => Some(format!("{n} records after the end of the run in {TICKS} are left out")),
        }
    }
}
