//! How many threads there are over time, by the schedules of thread groups, which add up.

use crate::journey::Phase;
use std::time::Duration;

/// Stages of a plan that a person could still read.
const MOST_STAGES: usize = 200;

/// Threads over time: stretches in which their number moves evenly, one after the other from the beginning on.
#[derive(Default)]
pub(super) struct Course {
    stretches: Vec<Stretch>,
    at_s: f64,
    threads: f64,
}

struct Stretch {
    begins_s: f64,
    ends_s: f64,
    from: f64,
    to: f64,
}

impl Course {
    /// Moves to so many threads within this time.
    pub(super) fn ramp_to(&mut self, threads: f64, seconds: f64) {
        if seconds > 0.0 {
            self.stretches.push(Stretch {
                begins_s: self.at_s,
                ends_s: self.at_s + seconds,
                from: self.threads,
                to: threads,
            });
            self.at_s += seconds;
        }
        self.threads = threads;
    }

    /// Stays for so long.
    pub(super) fn hold(&mut self, seconds: f64) {
        self.ramp_to(self.threads, seconds);
    }

    /// When it has as many threads as it has at most.
    pub(super) fn risen_s(&self) -> f64 {
        let most = self
            .stretches
            .iter()
            .map(|stretch| stretch.from.max(stretch.to))
            .fold(0.0, f64::max);
        let first = self
            .stretches
            .iter()
            .find(|stretch| stretch.from.max(stretch.to) >= most);
        first.map_or(0.0, |stretch| {
            if stretch.from >= most {
                stretch.begins_s
            } else {
                stretch.ends_s
            }
        })
    }

    pub(super) fn ends_s(&self) -> f64 {
        self.at_s
    }

    /// Threads just after this moment, or just before it.
    fn at(&self, moment_s: f64, after: bool) -> f64 {
        let holds = |stretch: &&Stretch| match after {
            true => stretch.begins_s <= moment_s && moment_s < stretch.ends_s,
            false => stretch.begins_s < moment_s && moment_s <= stretch.ends_s,
        };
        self.stretches.iter().find(holds).map_or(0.0, |stretch| {
            let part = (moment_s - stretch.begins_s) / (stretch.ends_s - stretch.begins_s);
            stretch.from + (stretch.to - stretch.from) * part
        })
    }
}

/// The threads of all courses as stages; `None` where these would be too many.
pub(super) fn added_up(courses: &[Course]) -> Option<Vec<Phase>> {
    let ends = courses.iter().flat_map(|course| &course.stretches);
    let mut moments: Vec<f64> = ends.flat_map(|stretch| [stretch.begins_s, stretch.ends_s]).collect();
    moments.push(0.0);
    // Whole milliseconds, so that sums of fractions meet.
    moments
        .iter_mut()
        .for_each(|moment| *moment = (*moment * 1e3).round() / 1e3);
    moments.sort_by(f64::total_cmp);
    moments.dedup();
    let mut phases: Vec<Phase> = Vec::new();
    for pair in moments.windows(2) {
        let (begins_s, ends_s) = (pair[0], pair[1]);
        let sum = |moment_s, after| {
            courses
                .iter()
                .map(|course| course.at(moment_s, after))
                .sum::<f64>()
                .round()
        };
        let phase = Phase {
            from: sum(begins_s, true),
            to: sum(ends_s, false),
            duration: Duration::from_millis(((ends_s - begins_s) * 1e3).round() as u64),
        };
        match phases.last_mut() {
            Some(last) if last.from == last.to && phase.from == phase.to && last.to == phase.to => {
                last.duration += phase.duration;
            }
            _ => phases.push(phase),
        }
    }
    while phases.last().is_some_and(|last| last.from == 0.0 && last.to == 0.0) {
        phases.pop();
    }
    (1..=MOST_STAGES).contains(&phases.len()).then_some(phases)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stages(courses: &[Course]) -> Vec<(f64, f64, f64)> {
        let phases = added_up(courses).expect("stages");
        phases
            .iter()
            .map(|phase| (phase.from, phase.to, phase.duration.as_secs_f64()))
            .collect()
    }

    #[test]
    fn courses_of_groups_add_up() {
        let mut first = Course::default();
        first.ramp_to(10.0, 10.0);
        first.hold(20.0);
        first.ramp_to(0.0, 5.0);
        let mut later = Course::default();
        later.hold(20.0);
        later.ramp_to(4.0, 0.0);
        later.hold(20.0);
        let expected = [
            (0.0, 10.0, 10.0),
            (10.0, 10.0, 10.0),
            (14.0, 14.0, 10.0),
            (14.0, 4.0, 5.0),
            (4.0, 4.0, 5.0),
        ];
        assert_eq!(stages(&[first, later]), expected);
    }

    #[test]
    fn more_steps_than_anybody_reads_are_none() {
        let mut course = Course::default();
        for step in 1..=1_000 {
            course.ramp_to(f64::from(step), 0.0);
            course.hold(1.0);
        }
        assert!(added_up(&[course]).is_none());
        assert!(added_up(&[]).is_none());
    }
}
