//! A tick as one machine sends it to another: its line, and behind it those of its histograms.

use super::hlog::{Encoder, Interval};
use crate::apart::REQUESTS_APART_MAX;
use crate::durations::TickDurations;
use crate::tick::{Tick, TickLine};
use std::io;

/// Lines of histograms that a tick has at most.
const LINES_MAX: usize = (REQUESTS_APART_MAX + 1) * crate::durations::Timing::ALL.len();

/// A tick as text that [`tick_of_text`] reads back as the same tick.
///
/// # Errors
/// When a histogram cannot be written.
pub fn tick_text(tick: &Tick) -> io::Result<String> {
    // No quantiles: the histograms are sent.
    let mut text = serde_json::to_vec(&tick.line(0, &[]))?;
    text.push(b'\n');
    Encoder::new().lines(tick.start_ns, tick.duration_ns, &tick.durations, &mut text)?;
    String::from_utf8(text).map_err(io::Error::other)
}

/// The tick of a text; `None` where it is none, or a histogram of it is damaged. It may come from anywhere.
#[must_use]
pub fn tick_of_text(text: &str) -> Option<Tick> {
    let mut lines = text.lines();
    let line: TickLine = serde_json::from_str(lines.next()?).ok()?;
    let mut durations = TickDurations::with_places(line.requests.len(), 0);
    for (number, line) in lines.enumerate() {
        let interval = Interval::parse(line).filter(|_| number < LINES_MAX)?;
        let kind = interval.kind;
        durations.part_mut(kind.part)?[kind.timing] = interval.histogram()?;
    }
    Some(Tick {
        index: line.index,
        start_ns: line.start_ns,
        duration_ns: line.duration_ns,
        draining: line.draining,
        counters: line.counters,
        gauges: line.gauges,
        generator: line.generator,
        requests: line.requests.into_iter().map(|request| request.counters).collect(),
        examples: line.examples,
        durations,
        // An agent has none of its own.
        agents: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::durations::{Durations, Timing};
    use crate::error_class::ErrorClass;
    use crate::example::{Example, Sight};
    use crate::tick::Counters;

    fn tick() -> Tick {
        let mut tick = Tick {
            index: 7,
            start_ns: 7_000_000_001,
            duration_ns: 999_999_999,
            draining: true,
            requests: vec![Counters::default(); 3],
            ..Tick::default()
        };
        tick.counters.errors.add(ErrorClass::Reset, 2);
        tick.requests[2].sent = 9;
        tick.gauges.connections = 4;
        tick.durations.requests = vec![Durations::default(); 3];
        for ns in 0..5000 {
            tick.durations[Timing::ResponseTime].record(ns * 987_654);
            tick.durations.requests[2][Timing::ScheduleLag].record(ns);
        }
        let sight = Sight::Failure(ErrorClass::Reset);
        tick.examples.add(Example::new(sight, 5, "", "gone", b""));
        tick
    }

    #[test]
    fn text_of_a_tick_is_read_back_as_it_was() {
        for tick in [Tick::default(), tick()] {
            let text = tick_text(&tick).expect("histograms of ours");
            let read = tick_of_text(&text);
            assert_eq!(read, Some(tick));
            let again = read.and_then(|read| tick_text(&read).ok());
            assert_eq!(again, Some(text), "its histograms are written as they were read");
        }
    }

    #[test]
    fn damaged_text_is_no_tick() {
        let text = tick_text(&tick()).expect("histograms of ours");
        let shorter = &text[..text.len() - 30];
        let of_no_request = text.replace("schedule_lag:2", "schedule_lag:9");
        for damaged in ["", "{}", "[]", shorter, &of_no_request] {
            assert_eq!(tick_of_text(damaged), None, "{damaged}");
        }
    }
}
