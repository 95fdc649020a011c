//! How a service comes back that was disturbed on purpose.
//!
//! A tick is a window here. The service is back from the beginning of the first stretch of windows on that begins after the end of
//! the shock, in which every objective holds, and that is as long as was asked for.

use crate::judge::condition;
use crate::lateness::Watch;
use crate::rules::Rules;
use crate::window::{HeldWindow, Used, Window, service_errors};
use plimsoll_findings::{FailureClass, NotBack, ShockFinding, ShockPart, Verdict};
use plimsoll_measure::{Counters, ErrorClass, ErrorCounts, ShockMark, ShockPhase, TickDurations, TickLine};
use plimsoll_plan::Limit;

/// Most points kept of the time after the shock. Beyond, neighbours are merged.
const POINTS_MAX: usize = 600;
/// A queue is one of more requests than that, and of this many times those that waited before.
const QUEUE_MIN: u64 = 10;
const QUEUE_TIMES: u64 = 3;
/// A queue gets shorter that lost this share from the middle third of the time to the last one.
const SHORTER_SHARE: f64 = 0.05;

/// Failures by which a service says that it has no room for more.
const SHED: [ErrorClass; 4] = [
    ErrorClass::Refused,
    ErrorClass::GrpcResourceExhausted,
    ErrorClass::GrpcUnavailable,
    ErrorClass::CloseTryAgainLater,
];
/// Failures to reach anybody.
const NOBODY: [ErrorClass; 3] = [ErrorClass::Refused, ErrorClass::Unreachable, ErrorClass::ConnectTimeout];

/// Takes in the ticks of a run that has a shock.
#[derive(Debug, Clone, Default)]
pub(crate) struct ShockWatch {
    begun: Option<ShockMark>,
    ends_ns: Option<u64>,
    before: ShockPart,
    during: ShockPart,
    until_back: ShockPart,
    /// Of the time after the shock: the stretch in which every objective has held up to now.
    stretch: ShockPart,
    window_ns: u64,
    end_ns: u64,
    waiting: u64,
    broke: bool,
    /// Where the stretch begins in which every objective has held up to now.
    held_since_ns: Option<u64>,
    back_at_ns: Option<u64>,
    failed_since: u32,
    /// The place of the objective that failed last.
    failed_last: Option<usize>,
    /// What came after the end of the shock.
    points: Vec<Point>,
    /// Histograms of a window are lost, so what it held is not known.
    lost: bool,
    /// Whether the generator kept up from the beginning of the shock on.
    generator: Watch,
}

/// A piece of the time after the shock.
#[derive(Debug, Clone, Default)]
struct Point {
    completed: u64,
    finished: u64,
    errors: ErrorCounts,
    waiting: u64,
}

/// What a window says of the objectives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    Yes,
    /// The place of the first that did not hold.
    No(Option<usize>),
    /// Nothing finished, and nothing was overdue.
    Unknown,
    /// Its histograms are lost.
    Lost,
}

impl ShockWatch {
    pub(crate) fn mark(&mut self, mark: &ShockMark) {
        match mark.phase {
            ShockPhase::Begins => self.begun = Some(mark.clone()),
            ShockPhase::Ends => {
                self.ends_ns = Some(mark.at_ns);
                // What counts is what comes afterwards.
                self.held_since_ns = None;
            }
        }
    }

    /// Takes in a tick outside of the warm-up.
    pub(crate) fn tick(&mut self, line: &TickLine, durations: &TickDurations, used: &Used, rules: &Rules) {
        if line.draining {
            return;
        }
        let mut window = Window::open(line, self.waiting);
        window.add(line, durations, &rules.judged_zones, used);
        self.waiting = line.gauges.outstanding();
        self.end_ns = line.end_ns();
        let held = held(&window, rules);
        self.lost |= held == Held::Lost;
        let part = match (&self.begun, self.ends_ns, self.back_at_ns) {
            (None, ..) => Some(&mut self.before),
            (Some(_), None, _) => Some(&mut self.during),
            (Some(_), Some(_), None) => Some(&mut self.stretch),
            (Some(_), Some(_), Some(_)) => None,
        };
        if let Some(part) = part {
            count(part, &line.counters, held, self.waiting);
        }
        if self.begun.is_none() {
            return;
        }
        self.window_ns = self.window_ns.max(line.duration_ns);
        self.generator.count(&window, rules.bounds);
        if let Held::No(place) = held {
            self.broke |= self.back_at_ns.is_none();
            self.failed_last = place;
        }
        if self.ends_ns.is_some() {
            self.points.push(Point::of(line));
            if self.points.len() > POINTS_MAX {
                self.halve();
            }
            self.follow(line, held);
        }
    }

    /// Where the service is on its way back.
    fn follow(&mut self, line: &TickLine, held: Held) {
        if self.back_at_ns.is_some() {
            self.failed_since += u32::from(matches!(held, Held::No(_)));
            return;
        }
        match held {
            Held::Unknown | Held::Lost => {}
            Held::No(_) => {
                self.held_since_ns = None;
                merge(&mut self.until_back, std::mem::take(&mut self.stretch));
            }
            Held::Yes => {
                let since_ns = *self.held_since_ns.get_or_insert(line.start_ns);
                let steady_ns = self.begun.as_ref().map_or(0, |begun| begun.steady_ns);
                // A tick may end a little early.
                let held_ns = line
                    .end_ns()
                    .saturating_sub(since_ns)
                    .saturating_add(line.duration_ns / 20);
                if held_ns >= steady_ns {
                    self.back_at_ns = Some(since_ns);
                }
            }
        }
    }

    fn halve(&mut self) {
        let points = std::mem::take(&mut self.points);
        self.points.extend(points.chunks(2).map(|pair| {
            let mut merged = pair[0].clone();
            pair.iter().skip(1).for_each(|later| merged.merge(later));
            merged
        }));
    }

    /// What the run comes to, whose objectives fared so before the shock.
    pub(crate) fn verdict(&self, before: Verdict, rules: &Rules) -> Verdict {
        match (before, &self.begun) {
            (Verdict::Passed, None) => Verdict::Unjudged,
            (Verdict::Passed, Some(_)) if self.generator.invalid_because(rules.bounds).is_some() => Verdict::Invalid,
            (Verdict::Passed, Some(_)) if self.lost => Verdict::Interrupted,
            (Verdict::Passed, Some(_)) => match self.not_back(rules) {
                None if self.back_at_ns.is_some() => Verdict::Passed,
                None | Some(NotBack::WatchedTooShort { .. }) => Verdict::Unjudged,
                Some(_) => Verdict::Breached,
            },
            (other, _) => other,
        }
    }

    pub(crate) const fn generator(&self) -> &Watch {
        &self.generator
    }

    pub(crate) fn finding(&self, rules: &Rules) -> Option<ShockFinding> {
        let begun = self.begun.as_ref()?;
        let s = |ns: u64| ns as f64 / 1e9;
        let mut until_back = self.until_back;
        if self.back_at_ns.is_none() {
            merge(&mut until_back, self.stretch);
        }
        let since_end_s = |at_ns: u64| self.ends_ns.map(|ends_ns| s(at_ns.saturating_sub(ends_ns)));
        Some(ShockFinding {
            shock: begun.shock.clone(),
            begins_s: s(begun.at_ns),
            ends_s: self.ends_ns.map(s),
            steady_s: s(begun.steady_ns),
            window_s: s(match self.window_ns {
                0 => rules.window_ns(),
                seen => seen,
            }),
            broke: self.broke,
            back_after_s: self.back_at_ns.and_then(since_end_s),
            failed_since: self.failed_since,
            watched_s: since_end_s(self.end_ns),
            not_back: self.not_back(rules),
            before: self.before,
            during: self.during,
            until_back,
        })
    }

    /// What the service is in; `None` where it is back, and where nothing was seen after the shock.
    fn not_back(&self, rules: &Rules) -> Option<NotBack> {
        if self.back_at_ns.is_some() || self.points.is_empty() {
            return None;
        }
        if let Some(since_ns) = self.held_since_ns {
            let held_s = self.end_ns.saturating_sub(since_ns) as f64 / 1e9;
            return Some(NotBack::WatchedTooShort { held_s });
        }
        let third = self.points.len().div_ceil(3);
        let last_at = self.points.len() - third;
        let last = &self.points[last_at..];
        let middle = &self.points[last_at.saturating_sub(third)..last_at];
        let mut all = Point::default();
        last.iter().for_each(|point| all.merge(point));
        let most = |classes: &dyn Fn(ErrorClass) -> bool| {
            let among = all.errors.iter().filter(|&(class, _)| classes(class));
            among.max_by_key(|&(_, count)| count).map(|(class, _)| class)
        };
        let any = most(&|class| !class.is_generators_own());
        let waiting = self.waiting;
        if all.completed == 0 {
            return Some(match any.filter(|class| NOBODY.contains(class)) {
                Some(class) => NotBack::Unreachable {
                    most: FailureClass::Error(class),
                },
                None => NotBack::Silent { waiting },
            });
        }
        let before = self.before.waiting_max;
        if mean(last) > QUEUE_MIN.max(before.saturating_mul(QUEUE_TIMES)) as f64 {
            let from = self.points.iter().map(|point| point.waiting).max().unwrap_or(waiting);
            let shorter = !middle.is_empty() && mean(last) < mean(middle) * (1.0 - SHORTER_SHARE);
            return Some(match shorter {
                true => NotBack::WorkingOff { waiting, from },
                false => NotBack::Queue { waiting, before },
            });
        }
        let objective = self.failed_last.and_then(|place| rules.objectives.get(place));
        let errors = all.errors.total();
        let is_about_errors = objective.is_none_or(|objective| matches!(objective.limit, Limit::Errors { .. }));
        Some(match any.filter(|_| is_about_errors && all.finished > 0) {
            Some(class) => NotBack::Failing {
                most: FailureClass::Error(class),
                share: errors as f64 / all.finished as f64,
            },
            None => NotBack::Broken {
                objective: objective.map(condition),
            },
        })
    }
}

impl Point {
    fn of(line: &TickLine) -> Self {
        let (_, finished) = service_errors(&line.counters);
        Self {
            completed: line.counters.completed,
            finished,
            errors: line.counters.errors.clone(),
            waiting: line.gauges.outstanding(),
        }
    }

    fn merge(&mut self, later: &Self) {
        self.completed = self.completed.saturating_add(later.completed);
        self.finished = self.finished.saturating_add(later.finished);
        self.errors.merge(&later.errors);
        self.waiting = self.waiting.max(later.waiting);
    }
}

/// Requests that wait, in the mean of these points.
fn mean(points: &[Point]) -> f64 {
    let sum: f64 = points.iter().map(|point| point.waiting as f64).sum();
    sum / points.len().max(1) as f64
}

fn count(part: &mut ShockPart, counters: &Counters, held: Held, waiting: u64) {
    let errors = |class: &ErrorClass| counters.errors.get(*class);
    let shed = SHED.iter().map(errors).fold(counters.turned_away, u64::saturating_add);
    let (all, _) = service_errors(counters);
    part.windows += 1;
    part.held += u32::from(held == Held::Yes);
    part.scheduled = part.scheduled.saturating_add(counters.scheduled);
    part.passed = part.passed.saturating_add(counters.passed);
    part.shed = part.shed.saturating_add(shed);
    part.failed = part.failed.saturating_add(all.saturating_sub(shed));
    part.dropped = part.dropped.saturating_add(counters.dropped);
    part.waiting_max = part.waiting_max.max(waiting);
}

fn merge(part: &mut ShockPart, later: ShockPart) {
    part.windows += later.windows;
    part.held += later.held;
    part.scheduled = part.scheduled.saturating_add(later.scheduled);
    part.passed = part.passed.saturating_add(later.passed);
    part.shed = part.shed.saturating_add(later.shed);
    part.failed = part.failed.saturating_add(later.failed);
    part.dropped = part.dropped.saturating_add(later.dropped);
    part.waiting_max = part.waiting_max.max(later.waiting_max);
}

/// Whether every objective holds in this window, by itself.
fn held(window: &Window, rules: &Rules) -> Held {
    let counters = &window.counters;
    let rate = (counters.completed, counters.scheduled);
    let mut judged = false;
    for (place, objective) in rules.objectives.iter().enumerate() {
        let judgement = window.judge(objective.limit, &rules.about(objective), rate, HeldWindow::default());
        match judgement.passed {
            Some(false) => return Held::No(Some(place)),
            Some(true) => judged = true,
            None if judgement.lost => return Held::Lost,
            None => {}
        }
    }
    // Without a success nothing has come back, even where CPU alone is judged.
    match (counters.passed, counters.finished()) {
        (0, 0) => Held::Unknown,
        (0, _) => Held::No(None),
        _ if judged || rules.objectives.is_empty() => Held::Yes,
        _ => Held::Unknown,
    }
}
