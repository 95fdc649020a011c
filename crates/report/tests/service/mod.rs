//! A made-up service with one worker, from which the sample findings are drawn. Its figures hang together as those of
//! a real one would: CPU grows with the rate, response times with the queue, and past its capacity a backlog builds up.

use plimsoll_analysis::{
    CurvePoint, ObjectiveFinding, Percentiles, StepFinding, StepVerdict, TargetFinding, TimelinePoint,
};

/// Milliseconds that no load takes away: parsing, the network, the loop.
const FLOOR_MS: f64 = 0.31;

/// One worker that needs `cpu_us` of CPU for each request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Service {
    pub(crate) cpu_us: f64,
    pub(crate) rss_start_bytes: u64,
}

/// What was offered, and when.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Load {
    pub(crate) step: u32,
    pub(crate) start_s: f64,
    pub(crate) duration_s: f64,
    pub(crate) warm_up_s: f64,
    pub(crate) rate_per_s: f64,
}

impl Service {
    fn busy(&self, rate_per_s: f64) -> f64 {
        rate_per_s * self.cpu_us / 1e6
    }

    /// Share of the time that the worker is busy, at most all of it.
    pub(crate) fn cpu_share(&self, rate_per_s: f64) -> f64 {
        (self.busy(rate_per_s) * (1.0 + wobble(rate_per_s, 0.006))).min(0.996)
    }

    pub(crate) fn throughput(&self, rate_per_s: f64) -> f64 {
        rate_per_s.min(0.996e6 / self.cpu_us)
    }

    /// Response time at a quantile after `seconds` of this load.
    pub(crate) fn response_ms(&self, rate_per_s: f64, quantile: f64, seconds: f64) -> f64 {
        let busy = self.busy(rate_per_s);
        let backlog_ms = (busy - 0.996).max(0.0) * seconds * 1e3;
        let mean_ms = self.cpu_us / 1e3 / (1.0 - busy.min(0.985));
        FLOOR_MS + backlog_ms + mean_ms * -(1.0 - quantile.min(0.999_999)).ln() * (1.0 + wobble(rate_per_s, 0.04))
    }

    pub(crate) fn response_time(&self, load: Load) -> Percentiles {
        self.percentiles(load, |q| self.response_ms(load.rate_per_s, q, load.duration_s))
    }

    /// What is left when the wait before the send is taken away.
    pub(crate) fn service_time(&self, load: Load) -> Percentiles {
        let waits_less = 0.97 + wobble(load.rate_per_s, 0.01);
        self.percentiles(load, |q| {
            self.response_ms(load.rate_per_s, q, load.duration_s.min(0.2)) * waits_less
        })
    }

    pub(crate) fn percentiles(&self, load: Load, at: impl Fn(f64) -> f64) -> Percentiles {
        Percentiles {
            count: (self.throughput(load.rate_per_s) * (load.duration_s - load.warm_up_s)) as u64,
            mean_ms: Some(round(at(0.632))),
            p50_ms: Some(round(at(0.5))),
            p90_ms: Some(round(at(0.9))),
            p95_ms: Some(round(at(0.95))),
            p99_ms: Some(round(at(0.99))),
            p999_ms: Some(round(at(0.999))),
            max_ms: Some(round(at(0.999_995))),
        }
    }

    pub(crate) fn curve(&self, load: Load) -> Vec<CurvePoint> {
        let mut points = vec![];
        let mut remaining = 1.0_f64;
        while remaining > 1e-5 {
            let quantile = 1.0 - remaining;
            points.push(CurvePoint {
                quantile: (quantile * 1e7).round() / 1e7,
                ms: round(self.response_ms(load.rate_per_s, quantile, load.duration_s)),
            });
            remaining *= 0.8;
        }
        points
    }

    pub(crate) fn resources(&self, load: Load, sockets: u32) -> TargetFinding {
        TargetFinding {
            cores: 1,
            cpu_share: round(self.cpu_share(load.rate_per_s)),
            cpu_us_per_request: Some(round(self.cpu_us)),
            rss_max_bytes: self.rss_start_bytes + 19_200_000,
            processes_max: 1,
            threads_max: 11,
            sockets_max: sockets,
            involuntary_switches_per_s: round(14.0 + load.rate_per_s / 180.0),
        }
    }

    /// A judged step against `cpu <= 80%`, `p99 <= 100ms`, `errors = 0`.
    pub(crate) fn step(&self, load: Load) -> StepFinding {
        let response_time = self.response_time(load);
        let cpu_share = round(self.cpu_share(load.rate_per_s));
        let windows = (load.duration_s - load.warm_up_s).round() as u32;
        let objectives = vec![
            objective("cpu <= 80%", "share", 0.8, cpu_share, windows),
            objective(
                "p99 <= 100ms",
                "ms",
                100.0,
                response_time.p99_ms.expect("a figure"),
                windows,
            ),
            objective("errors = 0", "share", 0.0, 0.0, windows),
        ];
        let broke = objectives
            .iter()
            .find(|o| o.passed == Some(false))
            .map(|o| o.objective.clone());
        let throughput_per_s = round(self.throughput(load.rate_per_s));
        StepFinding {
            step: load.step,
            start_s: load.start_s,
            duration_s: load.duration_s,
            offered_per_s: Some(load.rate_per_s),
            throughput_per_s: Some(throughput_per_s),
            goodput_per_s: if response_time.p99_ms > Some(100.0) {
                Some(round(throughput_per_s * 0.31))
            } else {
                Some(throughput_per_s)
            },
            verdict: if broke.is_some() {
                StepVerdict::Breached
            } else {
                StepVerdict::Passed
            },
            broke,
            objectives,
            response_time,
            cpu_share: Some(cpu_share),
            cpu_us_per_request: Some(round(self.cpu_us * (1.0 + wobble(load.rate_per_s, 0.01)))),
            error_share: Some(0.0),
            dropped: 0,
            invalid_because: None,
        }
    }

    /// The load second by second, and one slot of draining.
    pub(crate) fn timeline(&self, load: Load) -> Vec<TimelinePoint> {
        let mut points: Vec<TimelinePoint> = (0..load.duration_s as u32)
            .map(|second| {
                let at_s = load.start_s + f64::from(second);
                let moment = load.rate_per_s + f64::from(second) * 7.0;
                TimelinePoint {
                    at_s,
                    duration_s: 1.0,
                    step: load.step,
                    offered_per_s: load.rate_per_s,
                    throughput_per_s: (self.throughput(load.rate_per_s) * (1.0 + wobble(moment, 0.008))).round(),
                    errors_per_s: 0.0,
                    p50_ms: Some(round(self.response_ms(load.rate_per_s, 0.5, f64::from(second)))),
                    p99_ms: Some(round(
                        self.response_ms(load.rate_per_s, 0.99, f64::from(second)) * (1.0 + wobble(moment, 0.2)),
                    )),
                    cpu_share: Some(round(
                        (self.cpu_share(load.rate_per_s) * (1.0 + wobble(moment, 0.02))).min(1.0),
                    )),
                    rss_bytes: Some(self.rss_bytes(at_s)),
                    event_loop_delay_ms: None,
                    judged: f64::from(second) >= load.warm_up_s,
                }
            })
            .collect();
        points.push(TimelinePoint {
            at_s: load.start_s + load.duration_s,
            duration_s: 0.5,
            step: load.step,
            rss_bytes: Some(self.rss_bytes(load.start_s + load.duration_s)),
            cpu_share: Some(0.012),
            judged: false,
            ..TimelinePoint::default()
        });
        points
    }

    /// Grows while the heap warms up, with the teeth of garbage collection.
    fn rss_bytes(&self, at_s: f64) -> u64 {
        let grown = 16.0e6 * (1.0 - (-at_s / 20.0).exp());
        let tooth = (at_s * 0.7).fract() * 3.0e6;
        self.rss_start_bytes + (grown + tooth) as u64
    }
}

/// Judged in `windows` windows; those that fail are as many as the figure is beyond the bound.
pub(crate) fn objective(text: &str, unit: &str, bound: f64, observed: f64, windows: u32) -> ObjectiveFinding {
    let passed = observed <= bound;
    ObjectiveFinding {
        objective: text.to_owned(),
        passed: Some(passed),
        unjudged_because: None,
        observed: Some(observed),
        worst: Some(round(if unit == "share" {
            (observed * 1.021).min(1.0)
        } else {
            observed * 1.021
        })),
        bound,
        unit: unit.to_owned(),
        windows_passed: if passed { windows } else { windows / 4 },
        windows_judged: windows,
    }
}

/// Between -`size` and `size`, the same for the same `at`.
pub(crate) fn wobble(at: f64, size: f64) -> f64 {
    let mut bits = at.to_bits().wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits ^= bits >> 29;
    bits = bits.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits ^= bits >> 32;
    ((bits % 2_001) as f64 / 1_000.0 - 1.0) * size
}

/// Five significant digits or so, which keeps the samples readable and the same on every machine.
pub(crate) fn round(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
