//! Whether a service grows under a load that does not change: its memory, what a request costs, how long it takes, and what it has open.

#[cfg(test)]
mod error_rates;
mod trend;

use crate::window::CpuUse;
use plimsoll_findings::{
    Findings, Growth, Headline, NextStep, SoakFinding, StepVerdict, TrendFinding, TrendOutcome, TrendQuantity, Verdict,
};
use plimsoll_measure::{TargetSample, TickLine};
use trend::{CONFIDENCE, MATTERS_SHARE_PER_H, PIECES, Piece, judge};

/// Most points kept of the time. Beyond, neighbours are merged and every point gathers twice as many ticks.
const POINTS_MAX: usize = 1_200;
/// Least points that a piece is made of.
const POINTS_OF_PIECE_MIN: usize = 3;

/// Everything that is looked at, in the order of the report.
const QUANTITIES: [TrendQuantity; 4] = [
    TrendQuantity::MemoryBytes,
    TrendQuantity::CpuUsPerRequest,
    TrendQuantity::P99Ms,
    TrendQuantity::Descriptors,
];

/// Takes in the ticks of a soak. Its memory does not depend on the length of that.
#[derive(Debug, Clone)]
pub(crate) struct SoakWatch {
    points: Vec<Point>,
    ticks_per_point: u32,
}

/// A stretch of the time, or a part of it.
#[derive(Debug, Clone, Copy, Default)]
struct Point {
    ticks: u32,
    start_ns: u64,
    end_ns: u64,
    memory_bytes: Mean,
    p99_ns: Mean,
    descriptors: Mean,
    /// CPU time of ticks in which it is known, and what was completed in them.
    cpu_ns: u64,
    completed: u64,
}

/// A mean that goes on.
#[derive(Debug, Clone, Copy, Default)]
struct Mean {
    sum: f64,
    count: u32,
}

impl Default for SoakWatch {
    fn default() -> Self {
        Self {
            points: Vec::new(),
            ticks_per_point: 1,
        }
    }
}

impl SoakWatch {
    /// Takes in a judged tick.
    pub(crate) fn tick(
        &mut self,
        line: &TickLine,
        p99_ns: Option<u64>,
        target: Option<TargetSample>,
        cpu: Option<CpuUse>,
    ) {
        let point = Point {
            ticks: 1,
            start_ns: line.start_ns,
            end_ns: line.end_ns(),
            memory_bytes: Mean::of(target.map(|target| target.rss_bytes as f64)),
            p99_ns: Mean::of(p99_ns.map(|ns| ns as f64)),
            descriptors: Mean::of(target.and_then(|target| target.descriptors).map(f64::from)),
            cpu_ns: cpu.map_or(0, |cpu| cpu.used_ns),
            completed: cpu.map_or(0, |_| line.counters.completed),
        };
        match self.points.last_mut() {
            Some(last) if last.ticks < self.ticks_per_point => last.merge(&point),
            _ => self.points.push(point),
        }
        if self.points.len() > POINTS_MAX {
            self.points = self.points.chunks(2).map(Point::merged).collect();
            self.ticks_per_point *= 2;
        }
    }

    pub(crate) fn finding(&self) -> SoakFinding {
        let watched_ns: u64 = self.points.iter().map(Point::duration_ns).sum();
        SoakFinding {
            watched_s: watched_ns as f64 / 1e9,
            confidence: CONFIDENCE,
            matters_share_per_h: MATTERS_SHARE_PER_H,
            trends: QUANTITIES.map(|quantity| self.trend(quantity)).into(),
        }
    }

    fn trend(&self, quantity: TrendQuantity) -> TrendFinding {
        let seen = self.points.iter().any(|point| point.figure(quantity).is_some());
        let judged = self.pieces(quantity).map(|pieces| judge(&pieces));
        TrendFinding {
            quantity,
            outcome: match judged {
                Some((outcome, _)) => outcome,
                None if seen => TrendOutcome::Undecided,
                None => TrendOutcome::NotSeen,
            },
            slope: judged.map(|(_, slope)| slope),
        }
    }

    /// The time in pieces, all as long; `None` where it is too short for them, or one of them has no figure.
    fn pieces(&self, quantity: TrendQuantity) -> Option<[Piece; PIECES]> {
        let count = self.points.len();
        if count < PIECES * POINTS_OF_PIECE_MIN {
            return None;
        }
        let mut pieces = [Piece { at_h: 0.0, mean: 0.0 }; PIECES];
        for (at, piece) in pieces.iter_mut().enumerate() {
            let whole = Point::merged(&self.points[at * count / PIECES..(at + 1) * count / PIECES]);
            *piece = Piece {
                at_h: whole.start_ns.midpoint(whole.end_ns) as f64 / 3.6e12,
                mean: whole.figure(quantity)?,
            };
        }
        Some(pieces)
    }
}

impl Point {
    fn merged(points: &[Self]) -> Self {
        let mut whole = points[0];
        points[1..].iter().for_each(|point| whole.merge(point));
        whole
    }

    fn merge(&mut self, later: &Self) {
        self.ticks += later.ticks;
        self.end_ns = later.end_ns;
        self.memory_bytes.merge(later.memory_bytes);
        self.p99_ns.merge(later.p99_ns);
        self.descriptors.merge(later.descriptors);
        self.cpu_ns = self.cpu_ns.saturating_add(later.cpu_ns);
        self.completed = self.completed.saturating_add(later.completed);
    }

    fn duration_ns(&self) -> u64 {
        self.end_ns.saturating_sub(self.start_ns)
    }

    fn figure(&self, quantity: TrendQuantity) -> Option<f64> {
        match quantity {
            TrendQuantity::MemoryBytes => self.memory_bytes.value(),
            TrendQuantity::CpuUsPerRequest => {
                (self.completed > 0).then(|| self.cpu_ns as f64 / 1e3 / self.completed as f64)
            }
            TrendQuantity::P99Ms => self.p99_ns.value().map(|ns| ns / 1e6),
            TrendQuantity::Descriptors => self.descriptors.value(),
        }
    }
}

impl Mean {
    fn of(value: Option<f64>) -> Self {
        Self {
            sum: value.unwrap_or_default(),
            count: u32::from(value.is_some()),
        }
    }

    fn merge(&mut self, other: Self) {
        self.sum += other.sum;
        self.count += other.count;
    }

    fn value(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / f64::from(self.count))
    }
}

fn of(soak: &SoakFinding, outcome: TrendOutcome) -> impl Iterator<Item = &TrendFinding> {
    soak.trends.iter().filter(move |trend| trend.outcome == outcome)
}

fn quantities(soak: &SoakFinding, outcome: TrendOutcome) -> Vec<TrendQuantity> {
    of(soak, outcome).map(|trend| trend.quantity).collect()
}

/// What a run that is judged so comes to by what grows.
pub(crate) fn verdict(of_run: Verdict, soak: &SoakFinding) -> Verdict {
    let any = |outcome| of(soak, outcome).next().is_some();
    match of_run {
        Verdict::Passed | Verdict::Unjudged if any(TrendOutcome::Grows) => Verdict::Breached,
        Verdict::Passed if any(TrendOutcome::Undecided) => Verdict::Unjudged,
        verdict => verdict,
    }
}

/// Whether every objective held, so that growth is all that is not known.
fn by_growth_alone(findings: &Findings) -> bool {
    let passed = findings.steps.iter().all(|step| step.verdict == StepVerdict::Passed);
    passed
        && findings
            .objectives
            .iter()
            .all(|objective| objective.passed == Some(true))
}

/// What became of a service that was watched for growth; `None` where what is said of every run says it.
pub(crate) fn headline(findings: &Findings, soak: &SoakFinding) -> Option<Headline> {
    let broke = findings.steps.iter().any(|step| step.verdict == StepVerdict::Breached);
    match findings.verdict {
        Verdict::Breached if !broke => {
            let growth = of(soak, TrendOutcome::Grows).filter_map(|trend| {
                let per_h = trend.slope?.per_h;
                Some(Growth {
                    quantity: trend.quantity,
                    per_h,
                })
            });
            let growth: Vec<_> = growth.collect();
            (!growth.is_empty()).then_some(Headline::Grows { growth })
        }
        Verdict::Passed => Some(Headline::Steady {
            watched_s: soak.watched_s,
            matters_share_per_h: soak.matters_share_per_h,
            quantities: quantities(soak, TrendOutcome::Steady),
        }),
        Verdict::Unjudged if by_growth_alone(findings) => Some(Headline::GrowthUndecided {
            watched_s: soak.watched_s,
            quantities: quantities(soak, TrendOutcome::Undecided),
        }),
        _ => None,
    }
}

/// What to do next about it; `None` where what is said of every run says it.
pub(crate) fn next_step(findings: &Findings, soak: &SoakFinding) -> Option<NextStep> {
    Some(match headline(findings, soak)? {
        Headline::Grows { growth } => NextStep::FindGrowth {
            quantity: growth.first()?.quantity,
        },
        Headline::Steady { .. } => NextStep::SoakOn,
        _ => NextStep::SoakLonger,
    })
}
