//! The run over time in a bounded number of points.

use crate::percentiles::ms;
use crate::window::CpuUse;
use plimsoll_findings::TimelinePoint;
use plimsoll_measure::{TargetSample, TickLine};

/// Most points kept.
const POINTS_MAX: usize = 600;

/// Ticks gathered into points. When there are too many, neighbours are merged and from then on
/// every point gathers twice as many ticks.
#[derive(Debug, Clone)]
pub(crate) struct Timeline {
    points: Vec<Point>,
    ticks_per_point: u32,
}

#[derive(Debug, Clone)]
struct Point {
    ticks: u32,
    step: u32,
    judged: bool,
    start_ns: u64,
    end_ns: u64,
    scheduled: u64,
    completed: u64,
    errors: u64,
    p50_ns: Option<u64>,
    p99_ns: Option<u64>,
    cpu: CpuUse,
    rss_bytes: Option<u64>,
    users: Option<u64>,
}

impl Default for Timeline {
    fn default() -> Self {
        Self {
            points: Vec::new(),
            ticks_per_point: 1,
        }
    }
}

impl Timeline {
    pub(crate) fn push(
        &mut self,
        line: &TickLine,
        quantiles_ns: Option<(u64, u64)>,
        target: Option<TargetSample>,
        cpu: Option<CpuUse>,
        judged: bool,
    ) {
        let point = Point {
            ticks: 1,
            step: line.step,
            judged,
            start_ns: line.start_ns,
            end_ns: line.end_ns(),
            scheduled: line.counters.scheduled,
            completed: line.counters.completed,
            errors: line.counters.errors.total(),
            p50_ns: quantiles_ns.map(|q| q.0),
            p99_ns: quantiles_ns.map(|q| q.1),
            cpu: cpu.unwrap_or_default(),
            rss_bytes: target.map(|t| t.rss_bytes),
            users: line.gauges.users,
        };
        let limit = self.ticks_per_point;
        match self.points.last_mut() {
            // A tick of no length has no rates of its own.
            Some(last) if last.step == point.step && point.start_ns >= point.end_ns => last.merge(&point),
            _ if point.start_ns >= point.end_ns => {}
            Some(last) if last.ticks < limit && last.step == point.step && last.judged == point.judged => {
                last.merge(&point);
            }
            _ => self.points.push(point),
        }
        if self.points.len() > POINTS_MAX {
            self.halve();
        }
    }

    fn halve(&mut self) {
        let points = std::mem::take(&mut self.points);
        for pair in points.chunks(2) {
            let mut merged = pair[0].clone();
            if let Some(second) = pair.get(1) {
                merged.merge(second);
            }
            self.points.push(merged);
        }
        self.ticks_per_point *= 2;
    }

    pub(crate) fn points(&self) -> Vec<TimelinePoint> {
        self.points.iter().map(Point::finding).collect()
    }
}

impl Point {
    fn merge(&mut self, later: &Self) {
        self.ticks += later.ticks;
        self.judged |= later.judged;
        self.end_ns = later.end_ns;
        self.scheduled = self.scheduled.saturating_add(later.scheduled);
        self.completed = self.completed.saturating_add(later.completed);
        self.errors = self.errors.saturating_add(later.errors);
        self.p50_ns = self.p50_ns.max(later.p50_ns);
        self.p99_ns = self.p99_ns.max(later.p99_ns);
        self.cpu.merge(later.cpu);
        self.rss_bytes = self.rss_bytes.max(later.rss_bytes);
        self.users = self.users.max(later.users);
    }

    /// A point has a length, as [`Timeline::push`] sees to.
    fn finding(&self) -> TimelinePoint {
        let duration_s = self.end_ns.saturating_sub(self.start_ns) as f64 / 1e9;
        let per_s = |count: u64| count as f64 / duration_s;
        TimelinePoint {
            at_s: self.start_ns as f64 / 1e9,
            duration_s,
            step: self.step,
            offered_per_s: per_s(self.scheduled),
            throughput_per_s: per_s(self.completed),
            errors_per_s: per_s(self.errors),
            p50_ms: self.p50_ns.map(ms),
            p99_ms: self.p99_ns.map(ms),
            cpu_share: self.cpu.share(),
            throttled_ms_per_s: self.cpu.throttled_ns.map(|ns| ns as f64 / 1e6 / duration_s),
            rss_bytes: self.rss_bytes,
            users: self.users,
            judged: self.judged,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_keeps_its_sums_in_few_points() {
        let mut timeline = Timeline::default();
        for second in 0..100_000_u64 {
            let mut line = TickLine {
                start_ns: second * 1_000_000_000,
                duration_ns: 1_000_000_000,
                ..TickLine::default()
            };
            line.counters.completed = second % 7;
            timeline.push(&line, Some((1, second)), None, None, true);
        }
        let points = timeline.points();
        assert!(
            points.len() <= POINTS_MAX && points.len() >= POINTS_MAX / 4,
            "{}",
            points.len()
        );
        let completed: f64 = points.iter().map(|p| p.throughput_per_s * p.duration_s).sum();
        assert_eq!(completed.round() as u64, (0..100_000_u64).map(|s| s % 7).sum::<u64>());
        let end = points.last().map(|p| p.at_s + p.duration_s);
        assert_eq!(end, Some(100_000.0));
        assert!(points.windows(2).all(|p| p[0].at_s + p[0].duration_s == p[1].at_s));
        assert_eq!(points.last().and_then(|p| p.p99_ms), Some(0.099_999));
    }
}
