//! Ticks in which plimsoll itself stopped the service, to see what it keeps.

use plimsoll_measure::{CollectionMark, KeptSample, TickLine};

/// The last collection that the service was asked for.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Collecting {
    asked_ns: Option<u64>,
    /// When it was over, with as long again as it took: what waited meanwhile has its response by then.
    over_ns: Option<u64>,
}

impl Collecting {
    pub(crate) fn begins(&mut self, mark: CollectionMark) {
        *self = Self {
            asked_ns: Some(mark.at_ns),
            over_ns: None,
        };
    }

    pub(crate) fn ends(&mut self, sample: &KeptSample) {
        if self.asked_ns.is_some() {
            self.over_ns = Some(sample.at_ns.saturating_add(sample.memory.paused_ns));
        }
    }

    /// Whether it falls into a tick.
    pub(super) fn disturbs(&self, line: &TickLine) -> bool {
        let Some(asked_ns) = self.asked_ns else { return false };
        let middle_ns = line.start_ns.midpoint(line.end_ns());
        let begins_in_it = line.start_ns <= asked_ns && asked_ns < line.end_ns();
        begins_in_it || (asked_ns <= line.start_ns && self.over_ns.is_none_or(|over_ns| middle_ns < over_ns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_measure::probe::KeptMemory;

    #[test]
    fn ticks_from_the_question_to_the_reply_are_disturbed() {
        let tick = |start_ns| TickLine {
            start_ns,
            duration_ns: 100,
            ..TickLine::default()
        };
        let mut collecting = Collecting::default();
        assert!(!collecting.disturbs(&tick(0)));
        // Asked a little after the end of the second tick.
        collecting.begins(CollectionMark { at_ns: 201 });
        assert!(!collecting.disturbs(&tick(100)));
        assert!(collecting.disturbs(&tick(200)));
        assert!(collecting.disturbs(&tick(300)), "nobody has replied");
        collecting.ends(&KeptSample {
            at_ns: 401,
            memory: KeptMemory {
                paused_ns: 20,
                ..KeptMemory::default()
            },
            ..KeptSample::default()
        });
        assert!(collecting.disturbs(&tick(300)));
        assert!(!collecting.disturbs(&tick(400)));
    }
}
