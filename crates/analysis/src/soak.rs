//! Whether a service grows under a load that does not change: its memory, what a request costs, how long it takes, and what it has open.

#[cfg(test)]
mod error_rates;
mod kept;
mod trend;

use crate::window::CpuUse;
use kept::{KeptWatch, Of};
use plimsoll_findings::{
    Findings, Growth, Headline, NextStep, SoakFinding, StepVerdict, TrendFinding, TrendOutcome, TrendQuantity,
    UndecidedBecause, Verdict,
};
use plimsoll_measure::{KeptSample, TargetSample, TickLine};
use trend::{CONFIDENCE, Judged, MATTERS_SHARE_PER_H, PIECES, Piece, Rule, judge};

/// Most points kept of the time. Beyond, neighbours are merged and every point gathers twice as many ticks.
const POINTS_MAX: usize = 1_200;
/// Least points that a piece is made of.
const POINTS_OF_PIECE_MIN: usize = 3;

/// What a young service keeps more and more of until its code and caches are as they stay: so much for each heap …
const KEPT_LEAST_BYTES: f64 = 5e6;
/// … and native memory until its allocator has found its size.
const NATIVE_LEAST_BYTES: f64 = 50e6;
/// The heap of a young service grows for so long at most; before, resident memory alone accuses nobody.
const YOUNG_HEAP_S: f64 = 1_800.0;

/// Everything that ticks say something of, in the order of the report.
const OF_TICKS: [TrendQuantity; 3] = [
    TrendQuantity::CpuUsPerRequest,
    TrendQuantity::P99Ms,
    TrendQuantity::Descriptors,
];

/// Takes in the ticks of a soak, and what the service says it keeps. Its memory does not depend on the length of that.
#[derive(Debug, Clone)]
pub(crate) struct SoakWatch {
    points: Vec<Point>,
    ticks_per_point: u32,
    kept: KeptWatch,
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
            kept: KeptWatch::default(),
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

    /// Takes in what the service keeps, beside the last sample of all of its processes.
    pub(crate) fn kept(&mut self, sample: &KeptSample, target: Option<TargetSample>) {
        self.kept.push(sample, target);
    }

    pub(crate) fn finding(&self) -> SoakFinding {
        let watched_ns: u64 = self.points.iter().map(Point::duration_ns).sum();
        let [kept, native] = [
            (TrendQuantity::KeptBytes, Of::Kept),
            (TrendQuantity::NativeBytes, Of::Native),
        ]
        .map(|(quantity, of)| self.trend_of_kept(quantity, of));
        let memory = self.trend_of_resident(&kept, &native);
        let of_ticks = OF_TICKS.map(|quantity| {
            let rule = Rule {
                matters_per_h: None,
                least: None,
            };
            let judged = self.pieces(quantity).map(|pieces| judge(&pieces, rule));
            trend(quantity, self.is_seen(quantity), judged)
        });
        let trends = [kept, native, memory].into_iter().chain(of_ticks);
        SoakFinding {
            watched_s: watched_ns as f64 / 1e9,
            confidence: CONFIDENCE,
            matters_share_per_h: MATTERS_SHARE_PER_H,
            trends: trends.collect(),
            kept: self.kept.finding(),
        }
    }

    fn is_seen(&self, quantity: TrendQuantity) -> bool {
        self.points.iter().any(|point| point.figure(quantity).is_some())
    }

    /// Growth of memory matters by what the whole process has of it, however small the part of it is.
    fn rule_of_memory(&self, least: f64) -> Rule {
        let memory = self.points.iter().map(|point| point.memory_bytes);
        let memory = memory.reduce(|mut sum, point| {
            sum.merge(point);
            sum
        });
        Rule {
            matters_per_h: memory.and_then(Mean::value).map(|mean| MATTERS_SHARE_PER_H * mean),
            least: Some(least * self.kept.heaps().max(1.0)),
        }
    }

    fn trend_of_kept(&self, quantity: TrendQuantity, of: Of) -> TrendFinding {
        let least = match of {
            Of::Kept => KEPT_LEAST_BYTES,
            Of::Native => NATIVE_LEAST_BYTES,
        };
        let pieces = self.kept.pieces(of);
        let judged = pieces.map(|pieces| judge(&pieces, self.rule_of_memory(least)));
        trend(quantity, self.kept.is_known(), judged)
    }

    /// Resident memory accuses nobody of what is not kept; where that is not known, only when a heap has found its size.
    fn trend_of_resident(&self, kept: &TrendFinding, native: &TrendFinding) -> TrendFinding {
        let quantity = TrendQuantity::MemoryBytes;
        let pieces = self.pieces(quantity);
        let judged = pieces.map(|pieces| judge(&pieces, self.rule_of_memory(KEPT_LEAST_BYTES)));
        let mut found = trend(quantity, self.is_seen(quantity), judged);
        let watched_s = self.points.iter().map(Point::duration_ns).sum::<u64>() as f64 / 1e9;
        let grows = [kept, native].iter().any(|trend| trend.outcome == TrendOutcome::Grows);
        match found.outcome {
            TrendOutcome::Grows | TrendOutcome::Undecided if self.kept.is_known() && !grows => {
                found.outcome = TrendOutcome::Unsettled;
            }
            TrendOutcome::Grows if !self.kept.is_known() && watched_s < YOUNG_HEAP_S => {
                found.outcome = TrendOutcome::Undecided;
                found.because = Some(UndecidedBecause::YoungHeap { least_s: YOUNG_HEAP_S });
            }
            _ => {}
        }
        found
    }

    /// The time in pieces, all as long; `None` where it is too short for them, or one of them has no figure.
    fn pieces(&self, quantity: TrendQuantity) -> Option<Vec<Piece>> {
        let count = self.points.len();
        if count < PIECES * POINTS_OF_PIECE_MIN {
            return None;
        }
        let pieces = (0..PIECES).map(|at| {
            let whole = Point::merged(&self.points[at * count / PIECES..(at + 1) * count / PIECES]);
            Some(Piece {
                at_h: whole.start_ns.midpoint(whole.end_ns) as f64 / 3.6e12,
                mean: whole.figure(quantity)?,
            })
        });
        pieces.collect()
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
            // What the service says, and no tick.
            TrendQuantity::KeptBytes | TrendQuantity::NativeBytes => None,
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

/// What became of a figure that is judged where it is seen for long enough.
fn trend(quantity: TrendQuantity, is_seen: bool, judged: Option<Judged>) -> TrendFinding {
    let outcome = match judged {
        Some(judged) => judged.outcome,
        None if is_seen => TrendOutcome::Undecided,
        None => TrendOutcome::NotSeen,
    };
    TrendFinding {
        quantity,
        outcome,
        slope: judged.map(|judged| judged.slope),
        because: judged.and_then(|judged| judged.because),
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
            // Resident memory grows by what is kept, which says more.
            let grows = quantities(soak, TrendOutcome::Grows);
            let is_said = grows
                .iter()
                .any(|of| matches!(of, TrendQuantity::KeptBytes | TrendQuantity::NativeBytes));
            let said = |trend: &&TrendFinding| !is_said || trend.quantity != TrendQuantity::MemoryBytes;
            let growth = of(soak, TrendOutcome::Grows).filter(said).filter_map(|trend| {
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
